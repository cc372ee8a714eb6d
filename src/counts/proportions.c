/* counts/proportions.c - topic counts per document, sparse, by document and by topic. */
#include "counts/proportions.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

enum { DOCS_PER_TASK = 512 };

gb_status gb_proportions_create(gb_proportions *out, uint64_t n_docs, size_t n_topics, const uint64_t *doc_len_start,
                                size_t n_threads, gb_error *err)
{
    gb_status st;
    gb_proportions z = {.n_docs = n_docs,
                        .n_tokens = doc_len_start[n_docs],
                        .n_topics = n_topics,
                        .doc_len_start = doc_len_start,
                        .max_threads = n_threads};
    GB_TRY(gb_alloc(&z.doc_start, n_docs + 1, sizeof *z.doc_start, "topic counts", err));
    GB_TRY(gb_alloc(&z.topic_start, n_topics + 1, sizeof *z.topic_start, "topic counts", err));
    GB_TRY(gb_alloc(&z.scratch, n_threads * n_topics, sizeof *z.scratch, "topic counts", err));
    *out = z;
    return GB_OK;
done:
    gb_proportions_clear(&z);
    return st;
}

uint64_t gb_proportions_bytes(uint64_t n_entries, uint64_t n_docs, size_t n_topics, size_t n_threads)
{
    gb_proportions z; /* for its sizes */
    return n_entries * (sizeof *z.topic + sizeof *z.count + sizeof *z.entry_doc + sizeof *z.entry) +
           (n_docs + 1) * sizeof *z.doc_start + (n_topics + 1) * sizeof *z.topic_start +
           n_threads * n_topics * sizeof *z.scratch;
}

void gb_proportions_clear(gb_proportions *z)
{
    gb_free(z->doc_start);
    gb_free(z->topic);
    gb_free(z->count);
    gb_free(z->topic_start);
    gb_free(z->entry_doc);
    gb_free(z->entry);
    gb_free(z->scratch);
    *z = (gb_proportions){0};
}

struct count_context {
    gb_proportions *z;
    const uint16_t *assignment;
};

/* First pass: how many different topics each document has; second: write them in ascending order. */
static void count_document(gb_proportions *z, const uint16_t *assignment, uint64_t d, uint32_t *n_dk)
{
    for (uint64_t i = z->doc_len_start[d]; i < z->doc_len_start[d + 1]; i++)
        n_dk[assignment[i]]++;
}

static gb_status count_distinct(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    struct count_context *c = context;
    gb_proportions *z = c->z;
    uint32_t *n_dk = z->scratch + worker * z->n_topics;
    uint64_t last = (task + 1) * DOCS_PER_TASK < z->n_docs ? (task + 1) * DOCS_PER_TASK : z->n_docs;
    for (uint64_t d = task * DOCS_PER_TASK; d < last; d++) {
        uint64_t n_distinct = 0;
        for (uint64_t i = z->doc_len_start[d]; i < z->doc_len_start[d + 1]; i++)
            n_distinct += n_dk[c->assignment[i]]++ == 0;
        for (uint64_t i = z->doc_len_start[d]; i < z->doc_len_start[d + 1]; i++)
            n_dk[c->assignment[i]] = 0;
        z->doc_start[d + 1] = n_distinct;
    }
    return GB_OK;
}

static gb_status fill_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    struct count_context *c = context;
    gb_proportions *z = c->z;
    uint32_t *n_dk = z->scratch + worker * z->n_topics;
    uint64_t last = (task + 1) * DOCS_PER_TASK < z->n_docs ? (task + 1) * DOCS_PER_TASK : z->n_docs;
    for (uint64_t d = task * DOCS_PER_TASK; d < last; d++) {
        count_document(z, c->assignment, d, n_dk);
        uint64_t at = z->doc_start[d], end = z->doc_start[d + 1];
        for (size_t k = 0; at < end; k++) {
            if (n_dk[k] == 0)
                continue;
            z->topic[at] = (uint16_t)k;
            z->count[at++] = n_dk[k];
            n_dk[k] = 0;
        }
    }
    return GB_OK;
}

/* Sort the entries by topic, documents staying in order. */
static void index_by_topic(gb_proportions *z)
{
    uint64_t n = z->doc_start[z->n_docs];
    memset(z->topic_start, 0, (z->n_topics + 1) * sizeof *z->topic_start);
    for (uint64_t i = 0; i < n; i++)
        z->topic_start[z->topic[i] + 1]++;
    for (size_t k = 0; k < z->n_topics; k++)
        z->topic_start[k + 1] += z->topic_start[k];
    for (uint64_t d = 0; d < z->n_docs; d++) {
        for (uint64_t i = z->doc_start[d]; i < z->doc_start[d + 1]; i++) {
            uint64_t at = z->topic_start[z->topic[i]]++;
            z->entry_doc[at] = d;
            z->entry[at] = i;
        }
    }
    for (size_t k = z->n_topics; k > 0; k--)
        z->topic_start[k] = z->topic_start[k - 1];
    z->topic_start[0] = 0;
}

gb_status gb_proportions_count(gb_proportions *z, const uint16_t *assignment, gb_error *err)
{
    gb_status st;
    struct count_context context = {z, assignment};
    size_t n_tasks = (size_t)((z->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK);
    GB_TRY(gb_parallel_for(n_tasks, z->max_threads, count_distinct, &context, err));
    z->doc_start[0] = 0;
    for (uint64_t d = 0; d < z->n_docs; d++)
        z->doc_start[d + 1] += z->doc_start[d];
    uint64_t n = z->doc_start[z->n_docs];
    size_t capacity = z->capacity;
    GB_TRY(gb_grow(&z->topic, &capacity, n, sizeof *z->topic, "topic counts", err));
    GB_TRY(gb_grow(&z->count, &z->capacity, n, sizeof *z->count, "topic counts", err));
    GB_TRY(gb_grow(&z->entry_doc, &z->capacity_doc, n, sizeof *z->entry_doc, "topic counts", err));
    GB_TRY(gb_grow(&z->entry, &z->capacity_entry, n, sizeof *z->entry, "topic counts", err));
    GB_TRY(gb_parallel_for(n_tasks, z->max_threads, fill_documents, &context, err));
    index_by_topic(z);
done:
    return st;
}
