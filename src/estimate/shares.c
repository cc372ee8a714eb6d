/* estimate/shares.c - what the words of documents say of their topics, under the snapshots of a chain. */
#include "estimate/shares.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* What a document without words counts. */
static const double EMPTY_LENGTH = 1 << 20;

static uint64_t length_of(const gb_corpus *docs, uint64_t d)
{
    return docs->doc_start[d + 1] - docs->doc_start[d];
}

static gb_status check_counts(const gb_corpus *docs, size_t n_passes, size_t n_rooms, gb_error *err)
{
    uint64_t longest = 1;
    for (uint64_t d = 0; d < docs->n_docs; d++)
        longest = length_of(docs, d) > longest ? length_of(docs, d) : longest;
    if (n_passes > UINT32_MAX / longest / n_rooms)
        return gb_fail(err, GB_EARGUMENT, "`infer-sweeps` %zu is too much for documents of %llu words", n_passes,
                       (unsigned long long)longest);
    return GB_OK;
}

gb_status gb_estimate_shares_create(gb_estimate_shares *out, const gb_corpus *docs, size_t n_topics, size_t n_passes,
                                    size_t n_kept, size_t n_rooms, gb_error *err)
{
    gb_status st;
    const char *what = "topics of the documents of the estimate";
    const uint64_t cells = docs->n_docs * n_topics;
    *out = (gb_estimate_shares){
        .docs = docs, .n_topics = n_topics, .n_passes = n_passes, .n_kept = n_kept, .n_rooms = n_rooms};
    GB_TRY(check_counts(docs, n_passes, n_rooms, err));
    GB_TRY(gb_alloc(&out->count, n_rooms, cells * sizeof *out->count, what, err));
    GB_TRY(gb_alloc(&out->half, cells, sizeof *out->half, what, err));
    GB_TRY(gb_alloc(&out->topic, n_rooms * n_kept, docs->n_tokens * sizeof *out->topic, what, err));
    GB_TRY(gb_alloc(&out->total, cells, sizeof *out->total, what, err));
    GB_TRY(gb_alloc(&out->length, docs->n_docs, sizeof *out->length, what, err));
    GB_TRY(gb_alloc(&out->of_empty, n_topics, sizeof *out->of_empty, what, err));
done:
    return st;
}

uint64_t gb_estimate_shares_bytes(const gb_corpus *docs, size_t n_topics, size_t n_kept, size_t n_rooms)
{
    const gb_estimate_shares *s = NULL;
    const uint64_t cells = docs->n_docs * n_topics;
    return cells * (n_rooms * sizeof *s->count + sizeof *s->half + sizeof *s->total) +
           n_rooms * n_kept * docs->n_tokens * sizeof *s->topic + docs->n_docs * sizeof *s->length +
           n_topics * sizeof *s->of_empty;
}

void gb_estimate_shares_clear(gb_estimate_shares *s)
{
    gb_free(s->count);
    gb_free(s->half);
    gb_free(s->topic);
    gb_free(s->total);
    gb_free(s->length);
    gb_free(s->of_empty);
    *s = (gb_estimate_shares){0};
}

void gb_estimate_shares_restart(gb_estimate_shares *s)
{
    s->n_used = 0;
}

void gb_estimate_shares_begin(gb_estimate_shares *s)
{
    const uint64_t cells = s->docs->n_docs * s->n_topics;
    memset(s->count + s->n_used++ * cells, 0, cells * sizeof *s->count);
    memset(s->half, 0, cells * sizeof *s->half);
}

void gb_estimate_shares_add(gb_estimate_shares *s, uint64_t d, size_t pass, const uint16_t *topic)
{
    const size_t i = s->n_used - 1, n_left = s->n_passes - pass;
    const uint64_t length = length_of(s->docs, d);
    uint32_t *count = s->count + (i * s->docs->n_docs + d) * s->n_topics, *half = s->half + d * s->n_topics;
    for (uint64_t n = 0; n < length; n++)
        count[topic[n]]++;
    for (uint64_t n = 0; pass < s->n_passes / 2 && n < length; n++)
        half[topic[n]]++;
    if (n_left <= s->n_kept)
        memcpy(s->topic + (i * s->n_kept + s->n_kept - n_left) * s->docs->n_tokens + s->docs->doc_start[d], topic,
               length * sizeof *topic);
}

/* ---- all snapshots ---- */

static void add_snapshots(gb_estimate_shares *s)
{
    const uint64_t cells = s->docs->n_docs * s->n_topics;
    memset(s->total, 0, cells * sizeof *s->total);
    for (size_t i = 0; i < s->n_used; i++)
        for (uint64_t j = 0; j < cells; j++)
            s->total[j] += s->count[i * cells + j];
    for (uint64_t d = 0; d < s->docs->n_docs; d++)
        s->length[d] = (double)(length_of(s->docs, d) * s->n_passes * s->n_used);
}

static void average_documents(gb_estimate_shares *s)
{
    double n_docs = 0;
    memset(s->of_empty, 0, s->n_topics * sizeof *s->of_empty);
    for (uint64_t d = 0; d < s->docs->n_docs; d++) {
        for (size_t k = 0; s->length[d] > 0 && k < s->n_topics; k++)
            s->of_empty[k] += s->total[d * s->n_topics + k] / s->length[d];
        n_docs += s->length[d] > 0;
    }
    for (size_t k = 0; k < s->n_topics; k++)
        s->of_empty[k] /= n_docs; /* there are words */
}

static void fill_empty_document(gb_estimate_shares *s, uint64_t d)
{
    for (size_t k = 0; k < s->n_topics; k++) {
        const double count = round(EMPTY_LENGTH * s->of_empty[k]);
        s->total[d * s->n_topics + k] = (uint32_t)count;
        s->length[d] += count;
    }
}

void gb_estimate_shares_finish(gb_estimate_shares *s)
{
    add_snapshots(s);
    average_documents(s);
    for (uint64_t d = 0; d < s->docs->n_docs; d++)
        if (length_of(s->docs, d) == 0)
            fill_empty_document(s, d);
}

void gb_estimate_shares_deviation(const gb_estimate_shares *s, size_t i, uint64_t d, double *share)
{
    const uint32_t *count = s->count + (i * s->docs->n_docs + d) * s->n_topics, *total = s->total + d * s->n_topics;
    const bool is_empty = length_of(s->docs, d) == 0;
    for (size_t k = 0; k < s->n_topics; k++)
        share[k] = is_empty ? 0 : ((double)s->n_used * count[k] - total[k]) / s->length[d];
}
