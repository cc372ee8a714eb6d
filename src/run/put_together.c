/* run/put_together.c - what several teams of ranks have found out, put together.
 *
 * The first rank of a team gives, rank 0 or all ranks take, one chain after the other. */
#include "run/put_together.h"

#include "base/memory.h"
#include "chain/state.h"
#include "chain/trace.h"
#include "run/teams.h"

#include <errno.h>
#include <string.h>

static const char *const what = "what other ranks have found out";

/* Who gives what to whom. */
typedef struct delivery {
    gb_run *run;
    size_t number; /* of the chain */
    size_t from;   /* the rank that gives */
    bool to_all;   /* else to rank 0 */
    bool gives;    /* this rank does */
    bool takes;    /* this rank does */
} delivery;

static delivery delivery_of(gb_run *r, size_t number, bool to_all)
{
    const size_t rank = gb_team_rank(r->teams.all), from = gb_teams_leader(r, r->job[number].team);
    return (delivery){.run = r,
                      .number = number,
                      .from = from,
                      .to_all = to_all,
                      .gives = rank == from,
                      .takes = rank != from && (to_all || rank == 0)};
}

/* The other ranks of the team that gives hear it, too, and know it already. */
static bool is_new(const delivery *d)
{
    return d->takes && d->run->job[d->number].team != d->run->teams.number;
}

static gb_status deliver(const delivery *d, void *bytes, size_t n_bytes, gb_error *err)
{
    gb_team *all = d->run->teams.all;
    return d->to_all ? gb_team_broadcast(all, d->from, bytes, n_bytes, err)
                     : gb_team_pass(all, d->from, 0, bytes, n_bytes, err);
}

/* Numbers that a rank has, or gets.  @param x  NULL where there are none yet; free it with gb_free() */
static gb_status deliver_numbers(const delivery *d, uint64_t n, double **x, gb_error *err)
{
    gb_status st = GB_OK;
    if (*x == NULL && n > 0)
        GB_TRY(gb_alloc(x, n, sizeof **x, what, err));
    GB_TRY(deliver(d, *x, n * sizeof **x, err));
done:
    return st;
}

/* ---- draws ---- */

static uint64_t count_records(const gb_draw_file *f, size_t chain)
{
    uint64_t n = 0;
    size_t n_bytes;
    for (uint64_t i = 0; i < gb_draw_file_count(f, chain); i++)
        n += gb_draw_file_record(f, chain, i, &n_bytes) != NULL;
    return n;
}

/* A copy of the next one from *at on: a broadcast may write over what it sends. */
static gb_status copy_record(const gb_draw_file *f, size_t chain, uint64_t *at, char **copy, size_t *capacity,
                             uint64_t *n_bytes, gb_error *err)
{
    const void *record = NULL;
    size_t size = 0;
    while (record == NULL)
        record = gb_draw_file_record(f, chain, (*at)++, &size);
    const gb_status st = gb_grow(copy, capacity, size, 1, what, err);
    if (st == GB_OK)
        memcpy(*copy, record, size);
    *n_bytes = size;
    return st;
}

static gb_status give_records(const delivery *d, gb_draw_file *f, gb_error *err)
{
    gb_status st;
    char *record = NULL;
    size_t capacity = 0;
    GB_TRY(gb_draw_file_look(f, err));
    uint64_t n = count_records(f, d->number), at = 0, n_bytes;
    GB_TRY(deliver(d, &n, sizeof n, err));
    for (; n > 0; n--) {
        GB_TRY(copy_record(f, d->number, &at, &record, &capacity, &n_bytes, err));
        GB_TRY(deliver(d, &n_bytes, sizeof n_bytes, err));
        GB_TRY(deliver(d, record, n_bytes, err));
    }
done:
    free(record);
    return st;
}

static gb_status take_records(const delivery *d, gb_error *kept, gb_error *err)
{
    gb_status st;
    uint64_t n = 0, n_bytes = 0;
    char *record = NULL;
    size_t capacity = 0;
    GB_TRY(deliver(d, &n, sizeof n, err));
    for (; n > 0; n--) {
        GB_TRY(deliver(d, &n_bytes, sizeof n_bytes, err));
        GB_TRY(gb_grow(&record, &capacity, n_bytes, 1, what, err));
        GB_TRY(deliver(d, record, n_bytes, err));
        if (is_new(d) && kept->status == GB_OK)
            kept->status = gb_draw_file_append_record(d->run->kept, record, n_bytes, kept);
    }
done:
    free(record);
    return st;
}

static gb_status deliver_records(const delivery *d, gb_error *kept, gb_error *err)
{
    gb_draw_file *f = d->run->outbox != NULL ? d->run->outbox : d->run->kept;
    return d->gives ? give_records(d, f, err) : d->takes ? take_records(d, kept, err) : GB_OK;
}

/* ---- lines of the file of the option "draws" ---- */

/* Rank 0 writes it. */
static gb_status give_lines(const delivery *d, FILE *lines, gb_error *err)
{
    char buffer[1 << 16];
    uint64_t n = 0;
    gb_status st = lines == NULL ? GB_OK : gb_run_read_lines(lines, err);
    GB_TRY(st); /* the others learn of it when this rank gives up */
    do {
        n = lines == NULL ? 0 : fread(buffer, 1, sizeof buffer, lines);
        GB_TRY(deliver(d, &n, sizeof n, err));
        GB_TRY(deliver(d, buffer, n, err));
    } while (n > 0);
    if (lines != NULL && ferror(lines))
        return gb_fail(err, GB_EIO, "the draws file: cannot read a temporary file: %s", strerror(errno));
done:
    return st;
}

static gb_status take_lines(const delivery *d, gb_error *kept, gb_error *err)
{
    gb_status st;
    char buffer[1 << 16];
    uint64_t n = 0;
    FILE *f = gb_stream_without_name();
    if (f == NULL && kept->status == GB_OK)
        (void)gb_fail(kept, GB_EIO, "the draws file: cannot make a temporary file: %s", strerror(errno));
    do {
        GB_TRY(deliver(d, &n, sizeof n, err));
        GB_TRY(deliver(d, buffer, n, err));
        if (f != NULL && fwrite(buffer, 1, n, f) != n && kept->status == GB_OK)
            (void)gb_fail(kept, GB_EIO, "the draws file: cannot write a temporary file: %s", strerror(errno));
    } while (n > 0);
    d->run->job[d->number].lines = f;
    f = NULL;
done:
    if (f != NULL)
        (void)fclose(f);
    return st;
}

/* What another team has written so far goes to the other lines beside the checkpoint, and is forgotten there. */
static gb_status move_lines(const delivery *d, gb_error *kept, gb_error *err)
{
    gb_status st = GB_OK;
    gb_job *j = &d->run->job[d->number];
    if (d->gives) {
        GB_TRY(give_lines(d, j->lines, err));
        if (j->lines != NULL) {
            (void)fclose(j->lines);
            j->lines = NULL;
            GB_TRY(gb_run_open_lines(j, err));
        }
    } else if (d->takes) {
        GB_TRY(take_lines(d, kept, err));
        FILE *f = j->lines;
        j->lines = NULL;
        if (f != NULL && kept->status == GB_OK)
            kept->status = gb_run_read_lines(f, kept);
        if (f != NULL && kept->status == GB_OK)
            kept->status = gb_lines_append_all(d->run->lines, d->number, f, kept);
        if (f != NULL)
            (void)fclose(f);
    }
done:
    return st;
}

/* ---- held-out scores ---- */

/* Each score is of one chain.  Those of chains that nobody draws in this run are the same everywhere. */
static bool has_scores(const gb_run *r, size_t number)
{
    const size_t team = r->job[number].team;
    return team == GB_NO_FIELD ? gb_team_rank(r->teams.all) == 0 : team == r->teams.number && gb_teams_is_leader(r);
}

static void copy_scores(const gb_run *r, size_t number, double *to)
{
    const gb_spec *spec = &r->plan->spec;
    const gb_chain_role role = gb_plan_role(r->plan, number);
    const size_t first = role.only_output == GB_NO_FIELD ? 0 : role.only_output,
                 n = role.only_output == GB_NO_FIELD ? spec->n_outputs : 1;
    for (uint64_t d = role.held_out; d < r->plan->corpus->n_docs; d += spec->calibration_folds)
        memcpy(to + d * spec->n_outputs + first, r->held_out_score + d * spec->n_outputs + first, n * sizeof *to);
}

static gb_status merge_scores(gb_run *r, gb_error *err)
{
    gb_status st;
    double *x = NULL;
    const uint64_t n = r->plan->corpus->n_docs * r->plan->spec.n_outputs;
    if (r->held_out_score == NULL)
        return GB_OK;
    GB_TRY(gb_alloc(&x, n, sizeof *x, what, err));
    for (size_t i = r->plan->n_model_chains; i < r->plan->n_chains; i++)
        if (has_scores(r, i))
            copy_scores(r, i, x);
    GB_TRY(gb_team_merge(r->teams.all, x, n * sizeof *x, err));
    memcpy(r->held_out_score, x, n * sizeof *x);
done:
    gb_free(x);
    return st;
}

/* ---- what is kept, for a checkpoint ---- */

gb_status gb_put_draws_together(gb_run *r, gb_error *kept, gb_error *err)
{
    gb_status st = GB_OK;
    if (r->teams.n <= 1)
        return st;
    for (size_t i = 0; i < r->plan->n_model_chains; i++) {
        if (r->job[i].team == GB_NO_FIELD || r->job[i].team == 0)
            continue;
        const delivery d = delivery_of(r, i, false);
        GB_TRY(deliver_records(&d, kept, err));
        if (gb_settings_has(r->plan->settings, "draws"))
            GB_TRY(move_lines(&d, kept, err));
    }
    if (r->outbox != NULL)
        GB_TRY(gb_draw_file_let_go(r->outbox, err));
    GB_TRY(merge_scores(r, err));
done:
    return st;
}

/* ---- the state of a chain ---- */

/* An array on its way. */
typedef struct head {
    char name[88];
    uint64_t type, n_dimensions, shape[GB_MAX_DIMENSIONS], n_bytes;
} head;

static gb_status give_array(gb_team *all, const gb_store_entry *e, gb_error *err)
{
    head h = {.type = e->type, .n_dimensions = e->n_dimensions, .n_bytes = e->n_bytes};
    (void)snprintf(h.name, sizeof h.name, "%s", e->name);
    memcpy(h.shape, e->shape, e->n_dimensions * sizeof *e->shape);
    const gb_status st = gb_team_pass(all, gb_team_rank(all), 0, &h, sizeof h, err);
    return st == GB_OK ? gb_team_pass(all, gb_team_rank(all), 0, (void *)(uintptr_t)e->data, (size_t)e->n_bytes, err)
                       : st;
}

static gb_status give_state(const gb_run *r, size_t number, const char *prefix, gb_error *err)
{
    gb_status st;
    gb_store_writer *w = NULL;
    gb_team *all = r->teams.all;
    if (!gb_teams_is_leader(r))
        return gb_chain_save_state(r->job[number].chain, NULL, prefix, err);
    GB_TRY(gb_store_create(&w, "checkpoint", err));
    GB_TRY(gb_chain_save_state(r->job[number].chain, w, prefix, err));
    uint64_t n = gb_store_n_entries(w);
    GB_TRY(gb_team_pass(all, gb_team_rank(all), 0, &n, sizeof n, err));
    for (size_t i = 0; i < n; i++) {
        const gb_store_entry e = gb_store_entry_at(w, i);
        GB_TRY(give_array(all, &e, err));
    }
done:
    gb_store_writer_free(w);
    return st;
}

static gb_status take_array(gb_team *all, size_t from, gb_store_writer *w, gb_error *err)
{
    gb_status st;
    head h;
    void *data = NULL;
    GB_TRY(gb_team_pass(all, from, 0, &h, sizeof h, err));
    GB_TRY(gb_alloc(&data, h.n_bytes, 1, what, err));
    GB_TRY(gb_team_pass(all, from, 0, data, (size_t)h.n_bytes, err));
    if (w != NULL) {
        void *taken = data;
        data = NULL;
        st = gb_store_take_array(w, h.name, (gb_dtype)h.type, (size_t)h.n_dimensions, h.shape, taken, err);
    }
done:
    gb_free(data);
    return st;
}

static gb_status take_state(const gb_run *r, size_t number, gb_store_writer *w, gb_error *err)
{
    gb_status st;
    uint64_t n = 0;
    gb_team *all = r->teams.all;
    const size_t from = gb_teams_leader(r, r->job[number].team);
    GB_TRY(gb_team_pass(all, from, 0, &n, sizeof n, err));
    for (; n > 0; n--)
        GB_TRY(take_array(all, from, w, err));
done:
    return st;
}

gb_status gb_put_state(const gb_run *r, size_t number, const char *prefix, gb_store_writer *w, gb_error *err)
{
    const gb_job *j = &r->job[number];
    if (j->chain != NULL)
        return r->teams.number == 0 ? gb_chain_save_state(j->chain, w, prefix, err)
                                    : give_state(r, number, prefix, err);
    return gb_team_rank(r->teams.all) == 0 ? take_state(r, number, w, err) : GB_OK;
}

/* ---- the end of a run ---- */

/* What is known of a chain that was drawn. */
typedef struct summary {
    uint64_t n_trace, late, has_late_scores;
    uint64_t proposed[GB_MH_N_PROPOSALS], accepted[GB_MH_N_PROPOSALS];
} summary;

static summary summary_of(const gb_job *j)
{
    summary s = {.n_trace = j->n_trace, .late = j->late, .has_late_scores = j->late_score != NULL};
    memcpy(s.proposed, j->proposed, sizeof s.proposed);
    memcpy(s.accepted, j->accepted, sizeof s.accepted);
    return s;
}

static void replace(double **old, double **by)
{
    gb_free(*old);
    *old = *by;
    *by = NULL;
}

static gb_status take_summary(const delivery *d, gb_error *err)
{
    gb_status st;
    const gb_spec *spec = &d->run->plan->spec;
    gb_job *j = &d->run->job[d->number];
    double *trace = d->gives ? j->trace : NULL, *late = d->gives ? j->late_score : NULL;
    summary s = summary_of(j);
    GB_TRY(deliver(d, &s, sizeof s, err));
    GB_TRY(deliver_numbers(d, s.n_trace * gb_trace_width(spec), &trace, err));
    if (s.has_late_scores)
        GB_TRY(deliver_numbers(d, spec->n_late * gb_late_width(spec), &late, err));
    if (is_new(d)) {
        replace(&j->trace, &trace);
        replace(&j->late_score, &late);
        j->n_trace = s.n_trace;
        j->late = s.late;
        memcpy(j->proposed, s.proposed, sizeof j->proposed);
        memcpy(j->accepted, s.accepted, sizeof j->accepted);
    }
done:
    if (!d->gives) {
        gb_free(trace);
        gb_free(late);
    }
    return st;
}

static gb_status deliver_chain(gb_run *r, size_t number, gb_error *kept, gb_error *err)
{
    gb_status st = GB_OK;
    const bool is_for_model = number < r->plan->n_model_chains;
    const delivery d = delivery_of(r, number, *r->checkpoint.path == '\0'), to_first = delivery_of(r, number, false);
    if (d.gives || d.takes)
        GB_TRY(take_summary(&d, err));
    if (is_for_model)
        GB_TRY(deliver_records(&d, kept, err));
    if (is_for_model && gb_settings_has(r->plan->settings, "draws") && r->job[number].team != 0) {
        if (to_first.gives)
            st = give_lines(&to_first, r->job[number].lines, err);
        else if (to_first.takes)
            st = take_lines(&to_first, kept, err);
    }
done:
    return st;
}

/* Of a checkpoint that could not be written, draws are still missing at rank 0. */
static bool is_delivered(const gb_run *r, size_t number)
{
    return r->job[number].team == GB_NO_FIELD || (r->job[number].team == 0 && *r->checkpoint.path != '\0');
}

gb_status gb_put_together(gb_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    gb_error kept = {.status = GB_OK};
    for (size_t i = 0; i < r->plan->n_chains; i++)
        if (!is_delivered(r, i))
            GB_TRY(deliver_chain(r, i, &kept, err));
    GB_TRY(merge_scores(r, err));
    bool fails = kept.status != GB_OK;
    GB_TRY(gb_team_any(r->teams.all, &fails, err));
    if (kept.status != GB_OK)
        return gb_fail(err, kept.status, "%s", kept.message);
    if (fails)
        return gb_fail(err, GB_ERANK, "another rank could not keep the draws");
done:
    return st;
}
