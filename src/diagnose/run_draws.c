/* diagnose/run_draws.c - the draws of a run that goes on: the file beside its checkpoint, and the traces in the checkpoint.
 *
 * The run may be writing: the checkpoint is replaced whole, and draws are appended, so each is read as it is at the moment. */
#include "base/memory.h"
#include "chain/trace.h"
#include "diagnose/source.h"
#include "model/draw_file.h"
#include "store/record_log.h"
#include "store/store.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "the draws of a run";

struct gb_run_draws {
    gb_parameters parameters;
    gb_kept *kept;
    size_t n_kept, kept_capacity;
    double **row; /* of each, owned */
    size_t row_capacity;
    uint64_t *n_of_chain;
    uint64_t *trace_sweeps, *trace_late;
    double *trace;
};

void gb_run_draws_free(gb_run_draws *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; i < r->n_kept; i++)
        gb_free(r->row[i]);
    gb_free(r->row);
    gb_free(r->n_of_chain);
    gb_free(r->kept);
    gb_free(r->trace_sweeps);
    gb_free(r->trace_late);
    gb_free(r->trace);
    gb_free(r);
}

/* ---- the header of the draws ---- */

/* Where a parameter of that name goes; those of document priors in their order. */
static size_t place_of(const char *name, size_t *n_prior)
{
    for (size_t i = 0; i < GB_PRIOR; i++)
        if (strcmp(name, gb_parameter_names[i]) == 0)
            return i;
    if (gb_diagnosed_value_find(name) != NULL && GB_PRIOR + *n_prior < GB_MAX_PARAMETERS)
        return GB_PRIOR + (*n_prior)++;
    return GB_MAX_PARAMETERS; /* not looked at */
}

static const json_int_t MOST_NUMBERS = INT_MAX;

/* False if the header is not one that this program writes. */
static bool read_parameter(gb_parameters *p, const json_t *entry, size_t *n_prior)
{
    const json_t *shape = json_object_get(entry, "shape");
    const char *name = json_string_value(json_object_get(entry, "name"));
    const size_t n_axes = json_array_size(shape);
    if (name == NULL || n_axes < 1 || n_axes > 2)
        return false;
    const json_int_t columns = json_integer_value(json_array_get(shape, n_axes - 1));
    const json_int_t rows = n_axes == 2 ? json_integer_value(json_array_get(shape, 0)) : 0;
    if (columns < 0 || rows < 0 || columns > MOST_NUMBERS || rows > MOST_NUMBERS ||
        (rows > 0 && columns > MOST_NUMBERS / rows))
        return false;
    const size_t size = (size_t)((rows == 0 ? 1 : rows) * columns), place = place_of(name, n_prior);
    const gb_diagnosed_value *value = gb_diagnosed_value_find(name); /* its name outlives the header */
    if (place < GB_MAX_PARAMETERS)
        p->of[place] = (gb_parameter){.name = value == NULL ? "" : value->name,
                                      .n_rows = (size_t)rows,
                                      .n_columns = (size_t)columns,
                                      .size = size,
                                      .offset = p->n_numbers};
    p->n_numbers += size;
    return true;
}

static bool read_header(const json_t *header, gb_run_draws *r, gb_diagnose_source *s, size_t *n_chains)
{
    size_t i, n_prior = 0;
    json_t *entry;
    const json_int_t topics = json_integer_value(json_object_get(header, "topics"));
    const json_int_t chains = json_integer_value(json_object_get(header, "chains"));
    const json_int_t outputs = json_integer_value(json_object_get(header, "outputs"));
    const json_int_t columns = json_integer_value(json_object_get(header, "columns"));
    const json_int_t fixed = json_integer_value(json_object_get(header, "embedding_columns"));
    bool right = topics > 0 && topics <= UINT16_MAX && chains > 0 && chains <= MOST_NUMBERS && outputs >= 0 &&
                 outputs <= MOST_NUMBERS;
    json_array_foreach(json_object_get(header, "parameters"), i, entry) right =
        right && read_parameter(&r->parameters, entry, &n_prior);
    r->parameters.n = GB_PRIOR + n_prior;
    const gb_parameter *eta = &r->parameters.of[GB_ETA];
    s->n_topics = (size_t)topics;
    s->n_outputs = (size_t)outputs;
    s->n_draw_outputs = eta->size == 0 ? 0 : eta->n_rows;
    s->n_columns = columns > 0 ? (size_t)columns : 0;
    s->n_fixed_columns = fixed > 0 && fixed <= columns ? (size_t)fixed : 0;
    s->intercept = json_is_true(json_object_get(header, "intercept"));
    *n_chains = (size_t)chains;
    return right && r->parameters.of[GB_LOG_JOINT].size == 1 &&
           (eta->size == 0 || eta->n_columns == s->n_topics + s->n_columns + s->intercept) &&
           r->parameters.of[GB_SHARE].size == s->n_topics &&
           (r->parameters.of[GB_SAMPLE_SCORE].size == 0 ||
            r->parameters.of[GB_SAMPLE_SCORE].n_columns == s->n_draw_outputs);
}

/* ---- records ---- */

/* Forget the draws of a chain from number `index` on: a run that was resumed draws them again. */
static void drop_draws(gb_run_draws *r, uint64_t chain, uint64_t index)
{
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < r->n_kept; i++) {
        if (r->kept[i].chain == chain && n++ >= index) {
            gb_free(r->row[i]);
            continue;
        }
        r->row[kept] = r->row[i];
        r->kept[kept++] = r->kept[i];
    }
    r->n_kept = kept;
    r->n_of_chain[chain] = index;
}

static gb_status take_record(gb_run_draws *r, const uint64_t *head, gb_error *err)
{
    gb_status st;
    double *row = NULL;
    if (head[GB_RECORD_INDEX] < r->n_of_chain[head[GB_RECORD_CHAIN]])
        drop_draws(r, head[GB_RECORD_CHAIN], head[GB_RECORD_INDEX]);
    GB_TRY(gb_grow(&r->kept, &r->kept_capacity, r->n_kept + 1, sizeof *r->kept, what, err));
    GB_TRY(gb_grow(&r->row, &r->row_capacity, r->n_kept + 1, sizeof *r->row, what, err));
    GB_TRY(gb_alloc(&row, r->parameters.n_numbers, sizeof *row, what, err));
    memcpy(row, head + GB_RECORD_HEAD, r->parameters.n_numbers * sizeof *row);
    r->row[r->n_kept] = row;
    r->kept[r->n_kept++] = (gb_kept){.chain = head[GB_RECORD_CHAIN],
                                     .sweep = head[GB_RECORD_SWEEP],
                                     .first_output = head[GB_RECORD_FIRST_OUTPUT],
                                     .row = row};
    r->n_of_chain[head[GB_RECORD_CHAIN]]++;
done:
    return st;
}

static gb_status read_records(gb_run_draws *r, gb_record_log *log, size_t n_chains, gb_error *err)
{
    gb_status st;
    const char *map;
    size_t length;
    uint64_t at = gb_record_log_first(log);
    GB_TRY(gb_record_log_map(log, &map, err));
    GB_TRY(gb_alloc(&r->n_of_chain, n_chains, sizeof *r->n_of_chain, what, err));
    for (const uint64_t *head; (head = gb_record_log_next(log, &at, &length)) != NULL;) {
        if (length < (GB_RECORD_HEAD + r->parameters.n_numbers) * sizeof *head || head[GB_RECORD_CHAIN] >= n_chains ||
            head[GB_RECORD_INDEX] > r->n_of_chain[head[GB_RECORD_CHAIN]])
            break;
        GB_TRY(take_record(r, head, err));
    }
done:
    return st;
}

static int by_chain(const void *a, const void *b)
{
    const gb_kept *x = a, *y = b;
    if (x->chain != y->chain)
        return x->chain < y->chain ? -1 : 1;
    return (x->sweep > y->sweep) - (x->sweep < y->sweep);
}

static gb_status read_draws(gb_run_draws *r, const char *path, gb_diagnose_source *s, size_t *n_chains, gb_error *err)
{
    gb_status st;
    gb_record_log *log = NULL;
    json_t *header = NULL;
    GB_TRY(gb_record_log_look(&log, path, &header, err));
    if (!read_header(header, r, s, n_chains)) {
        st = gb_fail(err, GB_EFORMAT, "%s: damaged: its header is not one of draws", path);
        goto done;
    }
    GB_TRY(read_records(r, log, *n_chains, err));
    if (r->n_kept > 0)
        qsort(r->kept, r->n_kept, sizeof *r->kept, by_chain); /* r->row only owns the memory */
done:
    json_decref(header);
    gb_record_log_close(log);
    return st;
}

/* ---- traces ---- */

/* Sweeps that a chain did without late labels. */
static gb_status read_late(gb_run_draws *r, const gb_store *store, size_t chain, gb_error *err)
{
    char name[64];
    uint64_t n;
    const void *state;
    (void)snprintf(name, sizeof name, "chain%zu.late_labels", chain);
    if (!gb_store_has_array(store, name))
        return GB_OK;
    const gb_status st = gb_store_get_array(store, name, GB_U32, 1, &n, &state, err);
    if (st == GB_OK && n > 0)
        r->trace_late[chain] = *(const uint32_t *)state;
    return st;
}

static gb_status read_traces(gb_run_draws *r, const gb_store *store, size_t n_chains, gb_diagnose_source *s,
                             gb_error *err)
{
    gb_status st;
    size_t n_rows = 0, capacity = 0;
    s->trace_width = 1 + r->parameters.of[GB_LOSS].size;
    GB_TRY(gb_alloc(&r->trace_sweeps, n_chains, sizeof *r->trace_sweeps, what, err));
    GB_TRY(gb_alloc(&r->trace_late, n_chains, sizeof *r->trace_late, what, err));
    for (size_t c = 0; c < n_chains; c++) {
        char name[64];
        uint64_t shape[2], one;
        const void *trace, *sweep;
        (void)snprintf(name, sizeof name, "chain%zu.trace", c);
        if (!gb_store_has_array(store, name))
            continue;
        GB_TRY(gb_store_get_array(store, name, GB_F64, 2, shape, &trace, err));
        (void)snprintf(name, sizeof name, "chain%zu.sweep", c);
        GB_TRY(gb_store_get_array(store, name, GB_U32, 1, &one, &sweep, err));
        const uint64_t n_sweeps = one == 1 ? *(const uint32_t *)sweep : 0;
        if (shape[0] != gb_trace_length(n_sweeps) || shape[1] != s->trace_width)
            return gb_fail(err, GB_EFORMAT, "%s: damaged checkpoint: the trace of a chain", gb_store_path(store));
        GB_TRY(gb_grow(&r->trace, &capacity, (n_rows + shape[0]) * s->trace_width, sizeof *r->trace, what, err));
        GB_TRY(read_late(r, store, c, err));
        if (shape[0] > 0) /* else there may be no memory yet */
            memcpy(r->trace + n_rows * s->trace_width, trace, shape[0] * s->trace_width * sizeof *r->trace);
        r->trace_sweeps[c] = n_sweeps;
        n_rows += shape[0];
    }
    s->n_traces = n_chains;
    s->trace_sweeps = r->trace_sweeps;
    s->trace_late = r->trace_late;
    s->trace = r->trace;
done:
    return st;
}

gb_status gb_run_draws_read(const char *checkpoint, gb_run_draws **out, gb_diagnose_source *source, gb_error *err)
{
    gb_status st;
    gb_run_draws *r = NULL;
    gb_store *store = NULL;
    char *path = NULL;
    size_t n_chains = 0;
    *source = (gb_diagnose_source){0};
    GB_TRY(gb_alloc(&r, 1, sizeof *r, what, err));
    GB_TRY(gb_store_open(&store, checkpoint, "checkpoint", err));
    const size_t room = strlen(checkpoint) + sizeof ".draws";
    GB_TRY(gb_alloc(&path, room, 1, what, err));
    (void)snprintf(path, room, "%s.draws", checkpoint);
    GB_TRY(read_draws(r, path, source, &n_chains, err));
    GB_TRY(read_traces(r, store, n_chains, source, err));
    source->parameters = &r->parameters;
    source->kept = r->kept;
    source->n_kept = r->n_kept;
    *out = r;
    r = NULL;
done:
    gb_free(path);
    gb_store_close(store);
    gb_run_draws_free(r);
    return st;
}
