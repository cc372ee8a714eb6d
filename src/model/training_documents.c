/* model/training_documents.c - which documents a model was trained on. */
#include "model/training_documents.h"

#include "base/memory.h"
#include "corpus/data/fingerprint.h"
#include "gibbous/estimate.h"

#include <stdlib.h>

enum { SPARE_BITS = 14, MOST_BITS = 32 };

/* The bits of a digest that count. */
static uint32_t mask_of(const gb_model *m)
{
    int n = SPARE_BITS;
    for (uint64_t docs = m->n_training_docs; docs > 1 && n < MOST_BITS; docs = (docs + 1) / 2)
        n++;
    return (uint32_t)((UINT64_C(1) << n) - 1);
}

static int smallest_first(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

gb_status gb_model_note_documents(gb_model *m, const gb_corpus *corpus, gb_error *err)
{
    const gb_status st = gb_alloc(&m->digest, corpus->n_docs, sizeof *m->digest, "the documents of the model", err);
    const uint32_t mask = mask_of(m);
    m->n_digests = 0;
    if (st != GB_OK)
        return st;
    gb_document_digests(corpus, m->digest);
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        if (m->digest[d] != 0)
            m->digest[m->n_digests++] = m->digest[d] & mask;
    qsort(m->digest, m->n_digests, sizeof *m->digest, smallest_first);
    const uint64_t n = m->n_digests;
    m->n_digests = 0;
    for (uint64_t i = 0; i < n; i++) /* how often a text occurs is nobody's business */
        if (i == 0 || m->digest[i] != m->digest[m->n_digests - 1])
            m->digest[m->n_digests++] = m->digest[i];
    return st;
}

bool gb_model_knows_training_docs(const gb_model *m)
{
    return m->digest != NULL;
}

gb_status gb_model_find_seen(const gb_model *m, const gb_corpus *docs, uint64_t *n_seen, bool **out, gb_error *err)
{
    gb_status st;
    bool *is_seen = NULL;
    uint32_t *digest = NULL;
    const uint32_t mask = mask_of(m);
    *n_seen = 0;
    GB_TRY(gb_alloc(&is_seen, docs->n_docs, sizeof *is_seen, "the documents", err));
    GB_TRY(gb_alloc(&digest, docs->n_docs, sizeof *digest, "the documents", err));
    gb_document_digests(docs, digest);
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const uint32_t key = digest[d] & mask;
        is_seen[d] = digest[d] != 0 && m->n_digests > 0 &&
                     bsearch(&key, m->digest, m->n_digests, sizeof key, smallest_first) != NULL;
        *n_seen += is_seen[d];
    }
    *out = is_seen;
    is_seen = NULL;
done:
    gb_free(is_seen);
    gb_free(digest);
    return st;
}
