/* counts/proportions.c - topic counts of documents.
 *
 * A document's tokens are counted into an array over all topics.  Topics come in groups of sixteen; a mark per group
 * tells which groups to look through afterwards, so that many topics and short documents cost little.  Looking through a
 * group has no branches: each topic is written down, and stays if its count is not zero.
 *
 *   Cost: one pass over the tokens; 6 bytes for each different topic of a document and 4 for each document. */
#include "counts/proportions.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum { GROUP = 16 };

/* Scratch memory; the arrays over topics are zero between documents. */
typedef struct gb_proportions_worker {
    uint32_t *n_dk;  /* groups x GROUP */
    uint8_t *marked; /* groups */
    uint16_t *topic; /* groups x GROUP: of the document at hand */
    uint32_t *count; /* likewise */

    uint32_t *n_docs_with; /* this worker's part of the tally; NULL until there is one */
    gb_large_count *large; /* one for each document that has such a count */
    size_t n_large, large_capacity;
} worker;

static const char *const what = "topic counts";

static size_t n_groups(const gb_proportions *z)
{
    return (z->n_topics + GROUP - 1) / GROUP;
}

gb_proportions gb_proportions_size(uint64_t n_docs, size_t n_topics, const uint64_t *doc_len_start, size_t n_threads)
{
    return (gb_proportions){.n_docs = n_docs,
                            .n_tokens = doc_len_start[n_docs],
                            .n_topics = n_topics,
                            .doc_len_start = doc_len_start,
                            .n_chunks = (size_t)((n_docs + GB_DOCS_PER_CHUNK - 1) / GB_DOCS_PER_CHUNK),
                            .max_threads = n_threads};
}

static void list_worker(gb_proportions *z, worker *w, const gb_array_visitor *v)
{
    const size_t groups = n_groups(z);
    GB_ARRAY(v, "document_counts", w->n_dk, GB_SCRATCH, GB_BY_WORKER, groups, GROUP);
    GB_ARRAY(v, "marked_topics", w->marked, GB_SCRATCH, GB_BY_WORKER, groups);
    GB_ARRAY(v, "topics_at_hand", w->topic, GB_SCRATCH, GB_BY_WORKER, groups, GROUP);
    GB_ARRAY(v, "counts_at_hand", w->count, GB_SCRATCH, GB_BY_WORKER, groups, GROUP);
    GB_ARRAY(v, "worker_tally", w->n_docs_with, GB_SCRATCH, GB_BY_WORKER, z->tallies ? z->n_topics : 0,
             GB_TALLY_WIDTH);
    GB_ARRAY_WITH(v, .name = "worker_large_counts", GB_AT(w->large), .life = GB_SCRATCH, .axis = GB_BY_WORKER,
                  .capacity = &w->large_capacity, GB_SHAPE(w->large_capacity));
}

/* Documents are counted anew in each sweep: what they have does not outlive it. */
static void list_chunk(gb_proportions_chunk *chunk, const gb_array_visitor *v)
{
    GB_ARRAY_WITH(v, .name = "document_topics", GB_AT(chunk->topic), .life = GB_SCRATCH, .axis = GB_BY_DOCUMENT,
                  .capacity = &chunk->topic_capacity, GB_SHAPE(chunk->topic_capacity));
    GB_ARRAY_WITH(v, .name = "document_topic_counts", GB_AT(chunk->count), .life = GB_SCRATCH, .axis = GB_BY_DOCUMENT,
                  .capacity = &chunk->count_capacity, GB_SHAPE(chunk->count_capacity));
}

/* Before documents are counted, what they will take is an estimate, as if all lay in one chunk. */
static void list_documents(gb_proportions *z, const gb_array_visitor *v)
{
    gb_proportions_chunk all = {.topic_capacity = z->n_entries, .count_capacity = z->n_entries};
    GB_ARRAY_WITH(v, .name = "document_chunks", GB_AT(z->chunk), .life = GB_SCRATCH, .axis = GB_BY_DOCUMENT,
                  .has_pointers = true, GB_SHAPE(z->by_document ? z->n_chunks : 0));
    GB_ARRAY(v, "document_ends", z->doc_end, GB_SCRATCH, GB_BY_DOCUMENT, z->by_document ? z->n_docs : 0);
    for (size_t i = 0; i < z->n_chunks && z->chunk != NULL; i++)
        list_chunk(&z->chunk[i], v);
    if (z->chunk == NULL && z->by_document)
        list_chunk(&all, v);
}

void gb_proportions_list(void *proportions, const gb_array_visitor *v)
{
    gb_proportions *z = proportions;
    GB_ARRAY_WITH(v, .name = "counting_workers", GB_AT(z->worker), .life = GB_SCRATCH, .axis = GB_BY_WORKER,
                  .has_pointers = true, GB_SHAPE(z->max_threads));
    for (size_t i = 0; i < z->max_threads; i++)
        list_worker(z, z->worker == NULL ? &(worker){0} : &z->worker[i], v);
    list_documents(z, v);
    GB_ARRAY(v, "tally", z->n_docs_with, GB_SCRATCH, GB_REPLICATED, z->tallies ? z->n_topics : 0, GB_TALLY_WIDTH);
    GB_ARRAY_WITH(v, .name = "large_counts", GB_AT(z->large), .life = GB_SCRATCH, .axis = GB_REPLICATED,
                  .capacity = &z->large_capacity, GB_SHAPE(z->large_capacity));
    GB_ARRAY(v, "large_count_starts", z->large_start, GB_SCRATCH, GB_REPLICATED, z->tallies ? z->n_topics + 1 : 0);
}

gb_status gb_proportions_create(gb_proportions *out, uint64_t n_docs, size_t n_topics, const uint64_t *doc_len_start,
                                size_t n_threads, gb_error *err)
{
    gb_proportions z = gb_proportions_size(n_docs, n_topics, doc_len_start, n_threads);
    const gb_status st = gb_arrays_allocate(gb_proportions_list, &z, what, err);
    if (st == GB_OK)
        *out = z;
    else
        gb_proportions_clear(&z);
    return st;
}

void gb_proportions_clear(gb_proportions *z)
{
    gb_arrays_free(gb_proportions_list, z);
    *z = (gb_proportions){0};
}

/* ---- one document ---- */

/* Topics and counts of n tokens to w->topic and w->count; returns how many. */
static size_t count_tokens(worker *w, size_t groups, uint64_t n, const uint16_t *assignment)
{
    uint32_t *const n_dk = w->n_dk, *const count = w->count;
    uint16_t *const topic = w->topic;
    uint8_t *const marked = w->marked; /* bytes may alias anything, so all of these are taken first */
    for (uint64_t i = 0; i < n; i++) {
        n_dk[assignment[i]]++;
        marked[assignment[i] / GROUP] = 1;
    }
    size_t at = 0;
    for (size_t group = 0; group < groups; group++) {
        if (!marked[group])
            continue;
        for (size_t k = group * GROUP; k < (group + 1) * GROUP; k++) { /* at <= k: inside the arrays */
            topic[at] = (uint16_t)k;
            count[at] = n_dk[k];
            at += n_dk[k] != 0;
        }
        memset(n_dk + group * GROUP, 0, GROUP * sizeof *n_dk);
        marked[group] = 0;
    }
    return at;
}

/* All chunks, by `part`. */
static gb_status fill(gb_proportions *z, const double *given_length, gb_task *part, void *context, gb_error *err)
{
    gb_status st;
    z->by_document = true;
    z->given_length = given_length;
    GB_TRY(gb_arrays_allocate(gb_proportions_list, z, what, err)); /* what is not there yet */
    GB_TRY(gb_parallel_for(z->n_chunks, z->max_threads, part, context, err));
done:
    return st;
}

struct count_context {
    gb_proportions *z;
    const uint16_t *assignment;
};

static size_t count_document(const struct count_context *c, worker *w, uint64_t d)
{
    const uint64_t start = c->z->doc_len_start[d], n = c->z->doc_len_start[d + 1] - start;
    return count_tokens(w, n_groups(c->z), n, c->assignment + start);
}

static uint64_t chunk_end(const gb_proportions *z, size_t chunk)
{
    const uint64_t end = ((uint64_t)chunk + 1) * GB_DOCS_PER_CHUNK;
    return end < z->n_docs ? end : z->n_docs;
}

/* ---- by document ---- */

static gb_status count_part(void *context, size_t i, size_t number, gb_error *err)
{
    gb_status st = GB_OK;
    const struct count_context *c = context;
    gb_proportions *z = c->z;
    gb_proportions_chunk *chunk = &z->chunk[i];
    worker *w = &z->worker[number];
    size_t at = 0;
    for (uint64_t d = (uint64_t)i * GB_DOCS_PER_CHUNK; d < chunk_end(z, i); d++) {
        const size_t n = count_document(c, w, d), room = at + n > 0 ? at + n : 1; /* empty ones have an address too */
        GB_TRY(gb_grow(&chunk->topic, &chunk->topic_capacity, room, sizeof *chunk->topic, what, err));
        GB_TRY(gb_grow(&chunk->count, &chunk->count_capacity, room, sizeof *chunk->count, what, err));
        if (n > 0) {
            memcpy(chunk->topic + at, w->topic, n * sizeof *w->topic);
            memcpy(chunk->count + at, w->count, n * sizeof *w->count);
        }
        at += n;
        z->doc_end[d] = (uint32_t)at;
    }
done:
    return st;
}

gb_status gb_proportions_count(gb_proportions *z, const uint16_t *assignment, gb_error *err)
{
    struct count_context context = {z, assignment};
    return fill(z, NULL, count_part, &context, err);
}

/* ---- given ---- */

struct give_context {
    gb_proportions *z;
    const uint32_t *count;
};

static gb_status give_part(void *context, size_t i, size_t number, gb_error *err)
{
    gb_status st;
    const struct give_context *c = context;
    const size_t n_topics = c->z->n_topics;
    const uint64_t first = (uint64_t)i * GB_DOCS_PER_CHUNK, last = chunk_end(c->z, i);
    gb_proportions_chunk *chunk = &c->z->chunk[i];
    const size_t room = (size_t)(last - first) * n_topics;
    size_t at = 0;
    (void)number;
    GB_TRY(gb_grow(&chunk->topic, &chunk->topic_capacity, room, sizeof *chunk->topic, what, err));
    GB_TRY(gb_grow(&chunk->count, &chunk->count_capacity, room, sizeof *chunk->count, what, err));
    for (uint64_t d = first; d < last; d++) {
        for (size_t k = 0; k < n_topics; k++) {
            chunk->topic[at] = (uint16_t)k;
            chunk->count[at] = c->count[d * n_topics + k];
            at += chunk->count[at] != 0;
        }
        c->z->doc_end[d] = (uint32_t)at;
    }
done:
    return st;
}

gb_status gb_proportions_give(gb_proportions *z, const uint32_t *count, const double *length, gb_error *err)
{
    struct give_context context = {z, count};
    return fill(z, length, give_part, &context, err);
}

/* ---- the tally ---- */

static gb_status tally_part(void *context, size_t i, size_t number, gb_error *err)
{
    gb_status st = GB_OK;
    const struct count_context *c = context;
    worker *w = &c->z->worker[number];
    for (uint64_t d = (uint64_t)i * GB_DOCS_PER_CHUNK; d < chunk_end(c->z, i); d++) {
        const size_t n = count_document(c, w, d);
        for (size_t m = 0; m < n; m++) {
            if (w->count[m] < GB_TALLY_WIDTH) {
                w->n_docs_with[(size_t)w->topic[m] * GB_TALLY_WIDTH + w->count[m]]++;
                continue;
            }
            GB_TRY(gb_grow(&w->large, &w->large_capacity, w->n_large + 1, sizeof *w->large, what, err));
            w->large[w->n_large++] = (gb_large_count){w->topic[m], w->count[m], 1};
        }
    }
done:
    return st;
}

static int compare(const void *a, const void *b)
{
    const gb_large_count *x = a, *y = b;
    if (x->topic != y->topic)
        return x->topic < y->topic ? -1 : 1;
    return (x->count > y->count) - (x->count < y->count);
}

/* The large counts in order, each once; returns how many there are. */
static size_t sort_large(size_t n, gb_large_count *large)
{
    size_t at = 0;
    if (n > 1)
        qsort(large, n, sizeof *large, compare);
    for (size_t i = 0; i < n; i++)
        if (at > 0 && compare(&large[at - 1], &large[i]) == 0)
            large[at - 1].n_docs += large[i].n_docs;
        else
            large[at++] = large[i];
    return at;
}

/* Whole numbers add up to the same in any order, and the large counts are sorted: nothing depends on threads. */
static gb_status gather_workers(gb_proportions *z, size_t *n_large, gb_error *err)
{
    gb_status st;
    const size_t cells = z->n_topics * GB_TALLY_WIDTH;
    size_t n = 0;
    for (size_t i = 0; i < z->max_threads; i++)
        n += z->worker[i].n_large;
    GB_TRY(gb_grow(&z->large, &z->large_capacity, n, sizeof *z->large, what, err));
    memset(z->n_docs_with, 0, cells * sizeof *z->n_docs_with);
    n = 0;
    for (size_t i = 0; i < z->max_threads; i++) {
        const worker *w = &z->worker[i];
        for (size_t j = 0; j < cells; j++)
            z->n_docs_with[j] += w->n_docs_with[j];
        if (w->n_large > 0)
            memcpy(z->large + n, w->large, w->n_large * sizeof *w->large);
        n += w->n_large;
    }
    *n_large = sort_large(n, z->large);
done:
    return st;
}

/* Nor on ranks. */
static gb_status add_tables(gb_proportions *z, gb_error *err)
{
    gb_status st;
    const size_t cells = z->n_topics * GB_TALLY_WIDTH;
    int64_t *sum = NULL;
    GB_TRY(gb_alloc(&sum, cells, sizeof *sum, what, err));
    for (size_t j = 0; j < cells; j++)
        sum[j] = z->n_docs_with[j];
    GB_TRY(gb_team_sum(z->team, sum, cells, err));
    for (size_t j = 0; j < cells; j++)
        z->n_docs_with[j] = (uint32_t)sum[j];
done:
    gb_free(sum);
    return st;
}

static gb_status gather_large(gb_proportions *z, size_t *n_large, gb_error *err)
{
    gb_status st;
    uint64_t *start = NULL;
    const size_t rank = gb_team_rank(z->team), size = gb_team_size(z->team);
    GB_TRY(gb_alloc(&start, size + 1, sizeof *start, what, err));
    GB_TRY(gb_team_starts(z->team, *n_large, start, err));
    GB_TRY(gb_grow(&z->large, &z->large_capacity, start[size], sizeof *z->large, what, err));
    if (*n_large > 0)
        memmove(z->large + start[rank], z->large, *n_large * sizeof *z->large);
    GB_TRY(gb_team_gather(z->team, z->large, sizeof *z->large, start, err));
    *n_large = sort_large(start[size], z->large);
done:
    gb_free(start);
    return st;
}

static gb_status gather_tally(gb_proportions *z, gb_error *err)
{
    gb_status st;
    size_t n_large;
    GB_TRY(gather_workers(z, &n_large, err));
    if (z->team != NULL) {
        GB_TRY(add_tables(z, err));
        GB_TRY(gather_large(z, &n_large, err));
    }
    memset(z->large_start, 0, (z->n_topics + 1) * sizeof *z->large_start);
    for (size_t i = 0; i < n_large; i++)
        z->large_start[z->large[i].topic + 1]++;
    for (size_t k = 0; k < z->n_topics; k++)
        z->large_start[k + 1] += z->large_start[k];
done:
    return st;
}

gb_status gb_proportions_tally(gb_proportions *z, const uint16_t *assignment, gb_error *err)
{
    gb_status st;
    struct count_context context = {z, assignment};
    const size_t cells = z->n_topics * GB_TALLY_WIDTH;
    z->tallies = true;
    GB_TRY(gb_arrays_allocate(gb_proportions_list, z, what, err)); /* what is not there yet */
    for (size_t i = 0; i < z->max_threads; i++) {
        worker *w = &z->worker[i];
        memset(w->n_docs_with, 0, cells * sizeof *w->n_docs_with);
        w->n_large = 0;
    }
    GB_TRY(gb_parallel_for(z->n_chunks, z->max_threads, tally_part, &context, err));
    GB_TRY(gather_tally(z, err));
done:
    return st;
}
