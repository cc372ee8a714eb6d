/* run/checkpoint.c - the state of a run in a file, and back.
 *
 * A checkpoint is written between sweeps of all chains, whole or not at all.  It holds the state of every chain that has
 * begun; the kept sweeps are in a file beside it that is appended to, and the checkpoint says how many of them belong to it.
 * The arrays of chains that are done are copied from the checkpoint before. */
#include "run/checkpoint.h"

#include "base/memory.h"
#include "base/system.h"
#include "chain/state.h"
#include "chain/trace.h"
#include "plan/fingerprint.h"
#include "recipe/sweep.h"
#include "run/put_together.h"
#include "run/resume.h"
#include "store/json_text.h"
#include "store/layout.h"

#include <errno.h>
#include <string.h>

enum { PREFIX_SIZE = 32 };

static void prefix_of(size_t number, char out[static PREFIX_SIZE])
{
    (void)snprintf(out, PREFIX_SIZE, "chain%zu.", number);
}

/* ---- writing ---- */

static gb_status put_text(gb_store_writer *w, const char *name, json_t *value, gb_error *err)
{
    char *text = NULL;
    gb_status st =
        value == NULL ? gb_fail_memory(err, 0, "the checkpoint") : gb_json_text(value, 0, &text, NULL, err);
    if (st == GB_OK)
        st = gb_store_text(w, name, text, err);
    gb_free(text);
    json_decref(value);
    return st;
}

static gb_status put_description(const gb_run *r, gb_store_writer *w, gb_error *err)
{
    gb_status st;
    char digits[GB_FINGERPRINT_SIZE];
    GB_TRY(gb_store_text(w, "library", gb_version(), err));
    GB_TRY(put_text(w, "settings", gb_settings_for_checkpoint(r->plan->settings, &r->plan->spec), err));
    GB_TRY(gb_store_text(w, "corpus", r->checkpoint.corpus, err));
    GB_TRY(gb_spec_fingerprint(&r->plan->spec, digits, err));
    GB_TRY(gb_store_text(w, "description", digits, err));
done:
    return st;
}

static const char checksums[] = "kept_checksum";

/* How far each chain has come. */
typedef struct counts {
    uint64_t *n_sweeps, *n_kept, *burn_in, *proposed, *accepted;
    uint64_t *draws; /* of the chains of the model: checksums of what they kept */
} counts;

static void clear_counts(counts *n)
{
    gb_free(n->n_sweeps);
    gb_free(n->n_kept);
    gb_free(n->burn_in);
    gb_free(n->proposed);
    gb_free(n->accepted);
    gb_free(n->draws);
}

static gb_status put_counts(const gb_run *r, counts *n, gb_store_writer *w, gb_error *err)
{
    gb_status st;
    const char *what = "the checkpoint";
    const uint64_t n_chains = r->plan->n_chains, n_kept_of = r->plan->n_model_chains,
                   shape[2] = {n_chains, GB_MH_N_PROPOSALS};
    GB_TRY(gb_alloc(&n->n_sweeps, n_chains, sizeof(uint64_t), what, err));
    GB_TRY(gb_alloc(&n->n_kept, n_chains, sizeof(uint64_t), what, err));
    GB_TRY(gb_alloc(&n->burn_in, n_chains, sizeof(uint64_t), what, err));
    GB_TRY(gb_alloc(&n->proposed, n_chains, GB_MH_N_PROPOSALS * sizeof(uint64_t), what, err));
    GB_TRY(gb_alloc(&n->accepted, n_chains, GB_MH_N_PROPOSALS * sizeof(uint64_t), what, err));
    for (size_t i = 0; i < n_chains; i++) {
        n->n_sweeps[i] = r->job[i].n_sweeps;
        n->n_kept[i] = r->job[i].n_kept;
        n->burn_in[i] = r->job[i].burn_in_is_found ? r->job[i].burn_in : 0;
        gb_run_rates(r, i, n->proposed + i * GB_MH_N_PROPOSALS, n->accepted + i * GB_MH_N_PROPOSALS);
    }
    GB_TRY(gb_store_array(w, "sweeps", GB_U64, 1, &n_chains, n->n_sweeps, err));
    GB_TRY(gb_store_array(w, "kept", GB_U64, 1, &n_chains, n->n_kept, err));
    GB_TRY(gb_alloc(&n->draws, n_kept_of, sizeof(uint64_t), what, err));
    for (size_t i = 0; i < n_kept_of; i++)
        n->draws[i] = gb_draw_file_checksum(r->kept, i, n->n_kept[i]);
    GB_TRY(gb_store_array(w, checksums, GB_U64, 1, &n_kept_of, n->draws, err));
    GB_TRY(gb_store_array(w, "burn_in", GB_U64, 1, &n_chains, n->burn_in, err));
    GB_TRY(gb_store_array(w, "proposed", GB_U64, 2, shape, n->proposed, err));
    GB_TRY(gb_store_array(w, "accepted", GB_U64, 2, shape, n->accepted, err));
    if (r->held_out_score != NULL)
        GB_TRY(gb_store_array(w, "held_out_score", GB_F64, 2,
                              (uint64_t[]){r->plan->corpus->n_docs, r->plan->spec.n_outputs}, r->held_out_score,
                              err));
    if (r->found != NULL)
        GB_TRY(gb_store_array(w, "found", GB_U64, 1, (uint64_t[]){r->plan->spec.n_topics}, r->found, err));
done:
    return st;
}

static gb_status put_chains(const gb_run *r, gb_store_writer *w, gb_error *err)
{
    gb_status st = GB_OK;
    char prefix[PREFIX_SIZE];
    for (size_t i = 0; i < r->plan->n_chains; i++) {
        const gb_job *j = &r->job[i];
        prefix_of(i, prefix);
        if (j->n_sweeps == 0)
            continue;
        if (j->chain != NULL || j->is_elsewhere)
            GB_TRY(gb_put_state(r, i, prefix, w, err));
        else if (w != NULL)
            GB_TRY(gb_store_copy_arrays(r->checkpoint.last, prefix, w, err));
    }
done:
    return st;
}

/* Chains that are done need no memory any more; what the next checkpoint copies of them is in this one. */
static gb_status free_chains_done(gb_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    gb_watch watch;
    bool any = r->checkpoint.last != NULL;
    for (size_t i = 0; i < r->plan->n_chains; i++)
        any |= r->job[i].is_done;
    if (!any)
        return GB_OK;
    gb_store *last = NULL;
    gb_run_watch(r, true, &watch);
    GB_TRY(gb_store_open_watched(&last, r->checkpoint.path, "checkpoint", &watch, err));
    gb_store_close(r->checkpoint.last);
    r->checkpoint.last = last;
    for (size_t i = 0; i < r->plan->n_chains; i++) {
        if (!r->job[i].is_done)
            continue;
        gb_run_drop_chain(r, i);
    }
done:
    return st;
}

/* Of all ranks.  The others give what they have whether rank 0 can take it or not, and would wait for one that gives up in
 * between. */
static gb_status end_with_others(const gb_run *r, gb_status st, const gb_error *err)
{
    if (st != GB_OK && st != GB_ERANK)
        gb_team_abort(r->plan->spec.team, err == NULL ? gb_status_text(st) : err->message);
    return st;
}

static gb_status put_all_chains(gb_run *r, gb_store_writer *w, gb_error *err)
{
    return end_with_others(r, put_chains(r, w, err), err);
}

/* What ranks other than 0, which writes, do. */
static gb_status give_chains(gb_run *r, gb_error *err)
{
    gb_status st;
    GB_TRY(put_all_chains(r, NULL, err));
    for (size_t i = 0; i < r->plan->n_chains; i++)
        if (r->job[i].is_done)
            gb_run_drop_chain(r, i);
    r->checkpoint.n_written++;
done:
    return st;
}

/* All but the chains. */
static gb_status begin_file(gb_run *r, const gb_error *kept, counts *n, gb_store_writer **w, gb_error *err)
{
    gb_status st;
    if (kept->status != GB_OK)
        return gb_fail(err, kept->status, "%s", kept->message);
    GB_TRY(gb_draw_file_sync(r->kept, err));
    if (r->lines != NULL)
        GB_TRY(gb_lines_sync(r->lines, err));
    GB_TRY(gb_store_create(w, "checkpoint", err));
    GB_TRY(put_description(r, *w, err));
    GB_TRY(put_counts(r, n, *w, err));
done:
    return st;
}

gb_status gb_checkpoint_write(gb_run *r, gb_error *err)
{
    gb_status st;
    gb_store_writer *w = NULL;
    gb_watch watch;
    counts n = {0};
    gb_error kept = {.status = GB_OK};
    GB_TRY(end_with_others(r, gb_put_draws_together(r, &kept, err), err));
    if (gb_team_rank(r->plan->spec.team) != 0)
        return give_chains(r, err);
    st = begin_file(r, &kept, &n, &w, err);
    if (st != GB_OK && r->plan->spec.team != NULL)
        (void)put_all_chains(r, NULL, NULL);
    GB_TRY(st);
    GB_TRY(put_all_chains(r, w, err));
    gb_run_watch(r, true, &watch);
    GB_TRY(gb_store_save_watched(w, r->checkpoint.path, true, &watch, err));
    GB_TRY(gb_draw_file_keep(r->kept, err));
    if (r->lines != NULL)
        GB_TRY(gb_lines_keep(r->lines, err));
    GB_TRY(free_chains_done(r, err));
    r->checkpoint.n_written++;
done:
    clear_counts(&n);
    gb_store_writer_free(w);
    return st;
}

/* ---- reading ---- */

static gb_status damaged(const gb_store *s, const char *what, gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "%s: damaged checkpoint: %s", gb_store_path(s), what);
}

static gb_status get_counts(const gb_store *s, const char *name, uint64_t n_chains, const uint64_t **out,
                            gb_error *err)
{
    uint64_t n;
    const void *values;
    const gb_status st = gb_store_get_array(s, name, GB_U64, 1, &n, &values, err);
    if (st != GB_OK)
        return st;
    *out = values;
    return n == n_chains ? GB_OK : damaged(s, "the number of chains", err);
}

static gb_status get_rates(const gb_store *s, const char *name, uint64_t n_chains, const uint64_t **out,
                           gb_error *err)
{
    uint64_t shape[2];
    const void *values;
    const gb_status st = gb_store_get_array(s, name, GB_U64, 2, shape, &values, err);
    if (st != GB_OK)
        return st;
    *out = values;
    return shape[0] == n_chains && shape[1] == GB_MH_N_PROPOSALS ? GB_OK : damaged(s, "the number of chains", err);
}

/* How many of a chain's first sweeps are kept. */
static uint64_t kept_after(const gb_plan *plan, uint64_t burn_in, uint64_t n_sweeps)
{
    return n_sweeps <= burn_in ? 0 : (n_sweeps - burn_in) / plan->spec.thin;
}

/* What a chain has done; `found` is the burn-in that it has found, or 0. */
typedef struct done {
    uint64_t n_sweeps, n_kept, found;
} done;

static gb_status load_job(gb_run *r, const gb_store *s, size_t i, done d, gb_error *err)
{
    gb_job *j = &r->job[i];
    const gb_spec *spec = &r->plan->spec;
    const uint64_t burn_in = d.found > 0 ? d.found : spec->burn_in, wanted = burn_in + gb_spec_n_kept_sweeps(spec),
                   n_sweeps = d.n_sweeps;
    if (d.found > (spec->finds_burn_in ? spec->burn_in : 0))
        return damaged(s, "the burn-in of a chain", err);
    if (n_sweeps > UINT32_MAX || d.n_kept != kept_after(r->plan, burn_in, n_sweeps))
        return damaged(s, "sweeps and draws do not fit together", err);
    if (n_sweeps > wanted)
        return gb_fail(err, GB_EARGUMENT, "`sweeps` %llu: chain %zu of %s has done %llu already",
                       (unsigned long long)wanted, i + 1, gb_store_path(s), (unsigned long long)n_sweeps);
    j->n_sweeps = n_sweeps;
    j->n_kept = d.n_kept;
    j->burn_in = burn_in;
    j->burn_in_is_found = d.found > 0;
    j->is_done = n_sweeps == wanted;
    return GB_OK;
}

gb_status gb_checkpoint_check_draws(const gb_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_store *s = r->checkpoint.last;
    const size_t n = r->plan->n_model_chains;
    const uint64_t *sum;
    GB_TRY(get_counts(s, checksums, n, &sum, err));
    for (size_t i = 0; i < n; i++)
        if (gb_draw_file_checksum(r->kept, i, r->job[i].n_kept) != sum[i])
            return gb_fail(err, GB_EFORMAT, "%s: the draws are not those that %s was written with (chain %zu)",
                           r->checkpoint.draws_path, r->checkpoint.path, i + 1);
done:
    return st;
}

static gb_status load_jobs(gb_run *r, const gb_store *s, gb_error *err)
{
    gb_status st;
    const size_t n_chains = r->plan->n_chains;
    const uint64_t *n_sweeps, *n_kept, *found, *proposed, *accepted;
    GB_TRY(get_counts(s, "sweeps", n_chains, &n_sweeps, err));
    GB_TRY(get_counts(s, "kept", n_chains, &n_kept, err));
    GB_TRY(get_counts(s, "burn_in", n_chains, &found, err));
    GB_TRY(get_rates(s, "proposed", n_chains, &proposed, err));
    GB_TRY(get_rates(s, "accepted", n_chains, &accepted, err));
    for (size_t i = 0; i < n_chains; i++) {
        GB_TRY(load_job(r, s, i, (done){n_sweeps[i], n_kept[i], found[i]}, err));
        memcpy(r->job[i].proposed, proposed + i * GB_MH_N_PROPOSALS, sizeof r->job[i].proposed);
        memcpy(r->job[i].accepted, accepted + i * GB_MH_N_PROPOSALS, sizeof r->job[i].accepted);
    }
done:
    return st;
}

/* What a chain had when it was saved stands for it until it is dropped again. */
static gb_status load_traces(gb_run *r, const gb_store *s, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t width = gb_trace_width(&r->plan->spec);
    for (size_t i = 0; i < r->plan->n_chains; i++) {
        char prefix[PREFIX_SIZE], name[2 * PREFIX_SIZE];
        uint64_t shape[2];
        const void *trace;
        prefix_of(i, prefix);
        (void)snprintf(name, sizeof name, "%strace", prefix);
        if (!gb_store_has_array(s, name))
            continue;
        GB_TRY(gb_store_get_array(s, name, GB_F64, 2, shape, &trace, err));
        if (shape[0] != gb_trace_length(r->job[i].n_sweeps) || shape[1] != width)
            return damaged(s, "the trace of a chain", err);
        GB_TRY(gb_run_copy_trace(&r->job[i], shape[0], width, trace, err));
    }
done:
    return st;
}

/* The scores of documents with late labels, likewise. */
static gb_status load_late_scores(gb_run *r, const gb_store *s, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_spec *spec = &r->plan->spec;
    const uint64_t width = gb_late_width(spec);
    for (size_t i = 0; i < r->plan->n_model_chains; i++) {
        gb_job *j = &r->job[i];
        char prefix[PREFIX_SIZE], scores[2 * PREFIX_SIZE], state[2 * PREFIX_SIZE];
        uint64_t shape[2], n_numbers;
        const void *values, *given;
        prefix_of(i, prefix);
        (void)snprintf(scores, sizeof scores, "%slate_scores", prefix);
        (void)snprintf(state, sizeof state, "%slate_labels", prefix);
        if (!gb_store_has_array(s, scores))
            continue;
        GB_TRY(gb_store_get_array(s, scores, GB_F64, 2, shape, &values, err));
        GB_TRY(gb_store_get_array(s, state, GB_U32, 1, &n_numbers, &given, err));
        if (shape[0] != spec->n_late || shape[1] != width || n_numbers != 2)
            return damaged(s, "the scores of documents with late labels", err);
        const uint32_t *number = given;
        j->late = number[0];
        if (number[0] == 0 || number[1] == 0)
            continue; /* none were noted, or not yet all */
        GB_TRY(gb_alloc(&j->late_score, spec->n_late * width, sizeof *j->late_score, "the calibration", err));
        memcpy(j->late_score, values, spec->n_late * width * sizeof *j->late_score);
    }
done:
    return st;
}

/* Sums are of scores divided by the sweeps to keep, which may be more now. */
static gb_status load_scores(gb_run *r, const gb_store *s, gb_error *err)
{
    gb_status st;
    uint64_t shape[2];
    const void *values;
    const char *text;
    const uint64_t n = r->plan->corpus->n_docs * r->plan->spec.n_outputs;
    if (r->held_out_score == NULL)
        return GB_OK;
    GB_TRY(gb_store_get_array(s, "held_out_score", GB_F64, 2, shape, &values, err));
    if (shape[0] != r->plan->corpus->n_docs || shape[1] != r->plan->spec.n_outputs)
        return damaged(s, "the number of held-out scores", err);
    memcpy(r->held_out_score, values, n * sizeof *r->held_out_score);
    GB_TRY(gb_store_get_text(s, "settings", &text, err));
    json_t *settings;
    GB_TRY(gb_json_parse(text, strlen(text), 0, &settings, NULL, err));
    const char *sweeps = json_string_value(json_array_get(json_object_get(settings, "sweeps"), 0));
    const uint64_t before = sweeps == NULL ? r->plan->n_draws /* auto */
                                           : kept_after(r->plan, r->plan->spec.burn_in, strtoull(sweeps, NULL, 10));
    json_decref(settings);
    for (uint64_t i = 0; before != r->plan->n_draws && i < n; i++)
        r->held_out_score[i] *= (double)before / (double)r->plan->n_draws;
done:
    return st;
}

/* Of chains that were pooled before the run. */
static gb_status load_found(gb_run *r, const gb_store *s, gb_error *err)
{
    gb_status st;
    const uint64_t *found;
    const size_t n = r->plan->spec.n_topics;
    if (!gb_store_has_array(s, "found"))
        return GB_OK;
    GB_TRY(get_counts(s, "found", n, &found, err));
    GB_TRY(gb_alloc(&r->found, n, sizeof *r->found, "the chains", err));
    memcpy(r->found, found, n * sizeof *r->found);
done:
    return st;
}

static gb_status check_fingerprints(const gb_run *r, const gb_store *s, gb_error *err)
{
    gb_status st;
    const char *corpus, *description;
    char digits[GB_FINGERPRINT_SIZE];
    GB_TRY(gb_store_get_text(s, "corpus", &corpus, err));
    if (strcmp(corpus, r->checkpoint.corpus) != 0)
        return gb_fail(err, GB_EFORMAT, "%s: its run was on other documents than %s, or by another build",
                       gb_store_path(s), gb_corpus_path(r->plan->corpus));
    GB_TRY(gb_store_get_text(s, "description", &description, err));
    GB_TRY(gb_spec_fingerprint(&r->plan->spec, digits, err));
    if (strcmp(description, digits) != 0)
        return gb_fail(err, GB_EFORMAT,
                       "%s: a file that options name (class weights, graph, covariance) is not what it was",
                       gb_store_path(s));
done:
    return st;
}

gb_status gb_checkpoint_load_chain(gb_run *r, size_t number, gb_error *err)
{
    gb_job *j = &r->job[number];
    char prefix[PREFIX_SIZE];
    prefix_of(number, prefix);
    const gb_status st = gb_recipe_load_state(j->chain, r->checkpoint.last, prefix, err);
    if (st == GB_OK &&
        (gb_chain_facts_of(j->chain)->n_sweeps != j->n_sweeps || gb_chain_facts_of(j->chain)->burn_in != j->burn_in))
        return damaged(r->checkpoint.last, "the sweeps of a chain", err);
    memset(j->proposed, 0, sizeof j->proposed); /* the chain has them again */
    memset(j->accepted, 0, sizeof j->accepted);
    return st;
}

/* ---- opening ---- */

static gb_status choose_path(gb_run *r, gb_error *err)
{
    const gb_settings *s = r->plan->settings;
    const bool resumes = gb_settings_has(s, "resume");
    r->checkpoint.path = resumes ? gb_settings_text(s, "resume") : gb_settings_text(s, "checkpoint");
    if (resumes && gb_settings_has(s, "checkpoint") &&
        strcmp(gb_settings_text(s, "resume"), gb_settings_text(s, "checkpoint")) != 0)
        return gb_fail(err, GB_EARGUMENT, "`checkpoint` %s: a resumed run continues to write %s",
                       gb_settings_text(s, "checkpoint"), gb_settings_text(s, "resume"));
    if (!resumes && gb_settings_has(s, "checkpoint") && !gb_settings_yes(s, "force") &&
        gb_path_look(gb_settings_text(s, "checkpoint"), true, NULL))
        return gb_fail(err, GB_EARGUMENT,
                       "%s: exists already; `resume` continues from it, `force` starts over and overwrites it",
                       gb_settings_text(s, "checkpoint"));
    return GB_OK;
}

static gb_status load(gb_run *r, gb_error *err)
{
    gb_status st;
    gb_watch watch;
    gb_run_watch(r, false, &watch);
    GB_TRY(gb_store_open_watched(&r->checkpoint.last, r->checkpoint.path, "checkpoint", &watch, err));
    GB_TRY(check_fingerprints(r, r->checkpoint.last, err));
    GB_TRY(load_jobs(r, r->checkpoint.last, err));
    GB_TRY(load_traces(r, r->checkpoint.last, err));
    GB_TRY(load_late_scores(r, r->checkpoint.last, err));
    GB_TRY(load_scores(r, r->checkpoint.last, err));
    GB_TRY(load_found(r, r->checkpoint.last, err));
done:
    return st;
}

gb_status gb_checkpoint_open(gb_run *r, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_interval_from_text(gb_settings_text(r->plan->settings, "checkpoint-every"), &r->checkpoint.every, err));
    GB_TRY(choose_path(r, err));
    if (*r->checkpoint.path == '\0')
        return GB_OK;
    GB_TRY(gb_settings_check_texts(r->plan->settings, err));
    GB_TRY(gb_corpus_fingerprint(r->plan->corpus, r->checkpoint.corpus, err));
    GB_TRY(gb_alloc(&r->checkpoint.draws_path, strlen(r->checkpoint.path) + sizeof ".draws", 1, "a file name", err));
    (void)stpcpy(stpcpy(r->checkpoint.draws_path, r->checkpoint.path), ".draws");
    GB_TRY(gb_alloc(&r->checkpoint.lines_path, strlen(r->checkpoint.path) + sizeof ".lines", 1, "a file name", err));
    (void)stpcpy(stpcpy(r->checkpoint.lines_path, r->checkpoint.path), ".lines");
    if (gb_settings_has(r->plan->settings, "resume"))
        GB_TRY(load(r, err));
done:
    return st;
}

void gb_checkpoint_close(gb_run *r)
{
    gb_store_close(r->checkpoint.last);
    gb_free(r->checkpoint.draws_path);
    gb_free(r->checkpoint.lines_path);
}
