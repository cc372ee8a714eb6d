/* chain/state.c - a chain's state in a file.
 *
 * Two arrays are not saved as they lie in memory.  Topics lie in the order in which tokens are drawn, which depends on how the
 * work is cut; the file has them in the order of the corpus.  Lists of topics of words (counts/rows.h) follow from the topics
 * but for the order of their entries, in which a draw adds them up: that is saved. */
#include "chain/state.h"

#include "base/memory.h"
#include "chain/collect.h"
#include "chain/trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 65, MOST_SWEEPS = INT32_MAX };

static const char TOPICS[] = "topics", LISTED[] = "listed_topics", SWEEP[] = "sweep";

static bool is_by_document(const gb_array *array)
{
    return array->axis == GB_BY_DOCUMENT;
}

/* Bytes of a row: what an array keeps of a document. */
static size_t row_bytes(const gb_array *array)
{
    uint64_t n = array->size;
    for (size_t i = 1; i < array->n_dimensions; i++)
        n *= array->shape[i];
    return (size_t)n;
}

/* Saved by its list as it lies in memory.  A rank may have no documents, and still takes part. */
static bool is_plain(const gb_array *array)
{
    const bool is_empty = is_by_document(array) ? row_bytes(array) == 0 : gb_array_count(array) == 0;
    return array->life == GB_STATE && strcmp(array->name, TOPICS) != 0 && !is_empty;
}

static void full_name(const char *prefix, const char *name, char out[static NAME_SIZE])
{
    (void)snprintf(out, NAME_SIZE, "%s%s", prefix, name);
}

/* ---- saving ---- */

typedef struct saving {
    const gb_chain *chain;
    gb_store_writer *w; /* NULL at other ranks than 0 */
    const char *prefix;
    gb_error *err;
    gb_status st;
} saving;

/* Takes the data. */
static gb_status save_array(const saving *s, const char *name, gb_dtype type, size_t n_dimensions,
                            const uint64_t *shape, void *data)
{
    char text[NAME_SIZE];
    if (s->w == NULL) {
        gb_free(data);
        return GB_OK;
    }
    full_name(s->prefix, name, text);
    return gb_store_take_array(s->w, text, type, n_dimensions, shape, data, s->err);
}

/* What ranks have of their documents is put together; of what all have alike, rank 0 saves its own. */
static gb_status copy_array(const saving *s, const gb_array *array, void **copy)
{
    const uint64_t n_bytes = gb_array_count(array) * array->size;
    if (is_by_document(array) && s->chain->portion.team != NULL)
        return gb_collect_documents(s->chain, gb_array_first(array), row_bytes(array), copy, s->err);
    const gb_status st = gb_alloc(copy, n_bytes, 1, "a chain's state", s->err);
    if (st == GB_OK)
        memcpy(*copy, gb_array_first(array), n_bytes);
    return st;
}

static void save_listed(void *context, const gb_array *array)
{
    saving *s = context;
    void *copy = NULL;
    uint64_t shape[GB_MAX_DIMENSIONS];
    if (s->st != GB_OK || !is_plain(array))
        return;
    memcpy(shape, array->shape, sizeof shape);
    if (is_by_document(array))
        shape[0] = s->chain->here->n_all_docs;
    s->st = copy_array(s, array, &copy);
    if (s->st == GB_OK)
        s->st = save_array(s, array->name, array->type, array->n_dimensions, shape, copy);
}

static gb_status save_topics(const gb_chain *c, const saving *s)
{
    uint16_t *topic = NULL;
    const gb_status st = gb_collect_topics(c, &topic, s->err);
    return st == GB_OK ? save_array(s, TOPICS, GB_U16, 1, &c->here->n_all_tokens, topic) : st;
}

/* Where the listed topics of each word begin, of the words of all ranks.  With drawn topics no list is needed again: phi is drawn
 * from counts. */
static gb_status find_lists(const gb_chain *c, uint64_t **out, gb_error *err)
{
    gb_status st;
    const gb_topics *t = &c->topics;
    uint64_t *start = NULL;
    gb_team *team = t->treatment == GB_TREAT_BLOCKS ? c->portion.team : NULL; /* else all have all */
    GB_TRY(gb_alloc(&start, t->n_words + 1, sizeof *start, "a chain's state", err));
    for (uint64_t w = 0; w < t->n_words; w++)
        start[w + 1] = gb_topics_has_word(t, w) ? gb_rows_n_listed(gb_topics_rows(t, w), w) : 0;
    GB_TRY(gb_team_merge(team, start, (t->n_words + 1) * sizeof *start, err));
    for (uint64_t w = 0; w < t->n_words; w++)
        start[w + 1] += start[w];
    *out = start;
    start = NULL;
done:
    gb_free(start);
    return st;
}

static gb_status save_lists(const gb_chain *c, const saving *s)
{
    gb_status st;
    const gb_topics *t = &c->topics;
    uint64_t *start = NULL;
    uint16_t *topic = NULL;
    GB_TRY(find_lists(c, &start, s->err));
    const uint64_t n = start[t->n_words];
    if (n == 0)
        goto done;
    GB_TRY(gb_alloc(&topic, n, sizeof *topic, "a chain's state", s->err));
    for (uint64_t w = 0; w < t->n_words; w++)
        if (gb_topics_has_word(t, w))
            (void)gb_rows_listed(gb_topics_rows(t, w), w, topic + start[w]);
    if (t->treatment == GB_TREAT_BLOCKS)
        GB_TRY(gb_team_merge(c->portion.team, topic, n * sizeof *topic, s->err));
    st = save_array(s, LISTED, GB_U16, 1, &n, topic);
    topic = NULL;
done:
    gb_free(start);
    gb_free(topic);
    return st;
}

static gb_status save_sweep(const gb_chain *c, const saving *s)
{
    uint32_t *sweep = NULL;
    const uint64_t one = 1;
    const gb_status st = gb_alloc(&sweep, 1, sizeof *sweep, "a chain's state", s->err);
    if (st != GB_OK)
        return st;
    *sweep = c->sweep;
    return save_array(s, SWEEP, GB_U32, 1, &one, sweep);
}

gb_status gb_chain_save_state(const gb_chain *c, gb_store_writer *w, const char *prefix, gb_error *err)
{
    gb_status st;
    saving s = {.chain = c, .w = w, .prefix = prefix, .err = err, .st = GB_OK};
    GB_TRY(save_sweep(c, &s));
    GB_TRY(save_topics(c, &s));
    GB_TRY(save_lists(c, &s));
    gb_arrays_visit(gb_chain_list, c, &(gb_array_visitor){save_listed, &s});
    st = s.st;
done:
    return st;
}

uint64_t gb_chain_state_bytes(const gb_chain *c)
{
    uint64_t n = sizeof c->sweep + gb_arrays_state_bytes(gb_chain_list, c);
    for (uint64_t w = 0; w < c->topics.n_words; w++)
        n += gb_topics_has_word(&c->topics, w) ? gb_rows_n_listed(gb_topics_rows(&c->topics, w), w) * sizeof(uint16_t)
                                               : 0;
    return n;
}

/* ---- loading: nothing in a file is trusted ---- */

static const char MISFIT[] = ": it belongs to another corpus or other settings";

typedef struct loading {
    const gb_chain *chain;
    const gb_store *store;
    const char *prefix;
    gb_error *err;
    gb_status st;
} loading;

static gb_status fail(const loading *l, const char *name, const char *what)
{
    return gb_fail(l->err, GB_EFORMAT, "%s: array \"%s%s\": %s", gb_store_path(l->store), l->prefix, name, what);
}

/* The array of that name and shape; its data stay the file's. */
static gb_status find(const loading *l, const char *name, gb_dtype type, uint64_t n, const void **out)
{
    char text[NAME_SIZE];
    full_name(l->prefix, name, text);
    return gb_store_find(l->store, &(gb_array){.name = text, .type = type, GB_SHAPE(n)}, MISFIT, out, l->err);
}

/* A list gives the shapes of later arrays by what earlier ones hold, so each one is loaded before the next is listed. */
static gb_status load_array(const loading *l, const gb_array *array)
{
    gb_status st;
    const void *data;
    const uint64_t n_bytes = gb_array_count(array) * array->size;
    char name[NAME_SIZE];
    gb_array whole = *array;
    full_name(l->prefix, array->name, name);
    whole.name = name;
    if (is_by_document(array))
        whole.shape[0] = l->chain->here->n_all_docs;
    GB_TRY(gb_store_find(l->store, &whole, MISFIT, &data, l->err));
    if (is_by_document(array))
        data = (const char *)data + l->chain->portion.first_doc * row_bytes(array);
    if (array->capacity != NULL)
        GB_TRY(gb_grow(array->at, array->capacity, array->shape[0], n_bytes / array->shape[0], "a chain's state",
                       l->err));
    if (n_bytes > 0)
        memcpy(gb_array_first(array), data, n_bytes);
done:
    return st;
}

static void load_listed(void *context, const gb_array *array)
{
    loading *l = context;
    if (l->st == GB_OK && is_plain(array))
        l->st = load_array(l, array);
}

static gb_status load_topics(gb_chain *c, const loading *l)
{
    const void *data;
    const gb_status st = find(l, TOPICS, GB_U16, c->here->n_all_tokens, &data);
    if (st != GB_OK)
        return st;
    const uint16_t *topic = (const uint16_t *)data + c->here->first_token;
    for (uint64_t i = 0; i < c->corpus->n_tokens; i++)
        if (topic[i] >= c->spec->n_topics)
            return fail(l, TOPICS, "a topic is not below the number of topics");
    return gb_chain_set_topics(c, topic, l->err);
}

static gb_status load_lists(gb_chain *c, const loading *l)
{
    gb_status st;
    const void *data = NULL;
    gb_topics *t = &c->topics;
    uint64_t *start = NULL;
    GB_TRY(find_lists(c, &start, l->err));
    if (start[t->n_words] > 0)
        GB_TRY(find(l, LISTED, GB_U16, start[t->n_words], &data));
    const uint16_t *topic = data;
    for (uint64_t w = 0; topic != NULL && w < t->n_words; w++)
        if (gb_topics_has_word(t, w) && !gb_rows_order_list(gb_topics_rows(t, w), w, topic + start[w])) {
            st = fail(l, LISTED, "its topics do not fit the words");
            goto done;
        }
done:
    gb_free(start);
    return st;
}

static gb_status load_sweep(gb_chain *c, const loading *l)
{
    const void *data;
    const gb_status st = find(l, SWEEP, GB_U32, 1, &data);
    if (st != GB_OK)
        return st;
    memcpy(&c->sweep, data, sizeof c->sweep);
    c->n_trace = c->plan == NULL ? 0 : gb_trace_length(c->sweep); /* what the trace in the file must have */
    return c->sweep > MOST_SWEEPS ? fail(l, SWEEP, "there are no so many sweeps") : GB_OK;
}

/* What no range says. */
static gb_status check_responses(const gb_chain *c, const loading *l)
{
    const uint64_t n_terms = c->corpus->n_docs * c->spec->n_outputs;
    for (uint64_t i = 0; i < n_terms; i++)
        if (!(c->term[i].omega >= 0))
            return fail(l, "augmentation", "a precision is negative");
    for (size_t r = 0; r < c->spec->n_responses && n_terms > 0; r++)
        if (gb_response_own_fault(&c->response[r]) != NULL)
            return fail(l, "own_parameters", gb_response_own_fault(&c->response[r]));
    return GB_OK;
}

/* A component's own complaint, with the name of the file. */
static gb_status named(const loading *l, gb_status st, const gb_error *err)
{
    return st == GB_OK
               ? GB_OK
               : gb_fail(l->err, st == GB_ENOMEM ? st : GB_EFORMAT, "%s: %s", gb_store_path(l->store), err->message);
}

/* All that is derived. */
static gb_status rebuild(gb_chain *c, const loading *l)
{
    gb_status st;
    gb_error own = {.status = GB_OK};
    const gb_token_sampler *sampler = c->spec->sampler;
    const gb_wording_tokens tokens = gb_chain_wording_tokens(c);
    GB_TRY(named(l, gb_topics_restore(&c->topics, &own), &own));
    if (c->sweep > 0) /* before, nobody has customers */
        GB_TRY(named(l, gb_wording_tree_restore(&c->wordings, &tokens, &own), &own));
    GB_TRY(named(l, gb_prior_restore(&c->prior, &own), &own));
    if (c->token_state != NULL)
        GB_TRY(named(l, sampler->restore(c->token_state, &c->topics, &own), &own));
    GB_TRY(gb_chain_use_coefficients(c, l->err));
    c->draw_tokens = sampler->kernel(c->spec->isa);
    c->is_started = true;
done:
    return st;
}

gb_status gb_chain_load_state(gb_chain *c, const gb_store *store, const char *prefix, gb_error *err)
{
    gb_status st;
    loading l = {.chain = c, .store = store, .prefix = prefix, .err = err, .st = GB_OK};
    GB_TRY(load_sweep(c, &l));
    GB_TRY(load_topics(c, &l));
    GB_TRY(load_lists(c, &l));
    gb_chain_list(c, &(gb_array_visitor){load_listed, &l});
    GB_TRY(l.st);
    GB_TRY(check_responses(c, &l));
    GB_TRY(rebuild(c, &l));
done:
    return st;
}
