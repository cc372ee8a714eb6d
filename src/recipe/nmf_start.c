/* recipe/nmf_start.c - topics to start from that are the same for every seed.
 *
 * X, the TF-IDF of documents, is about W H'.  The words of topic k are in the proportions H_wk / idf_w, and it has
 *
 *     sum over documents of N_d W_dk / (W_d1 + ... + W_dK)
 *
 * of the tokens; counts are rounded. */
#include "recipe/nmf_start.h"

#include "base/memory.h"
#include "design/word_columns.h"
#include "recipe/nmf.h"

#include <math.h>

static const char what[] = "topics to start from";

static gb_status factorise(const gb_corpus *corpus, const double *idf, size_t n_topics, size_t n_threads, gb_nmf *out,
                           gb_error *err)
{
    gb_status st;
    gb_sparse_columns x = {.n_docs = 0};
    GB_TRY(gb_word_columns(corpus, GB_WORD_TFIDF, idf, &x, err));
    GB_TRY(gb_sparse_columns_index(&x, err));
    GB_TRY(gb_nmf_find(&x, n_topics, n_threads, out, err));
done:
    gb_sparse_columns_clear(&x);
    return st;
}

/* Tokens of topics.  A document without a part has none. */
static void share_out_tokens(const gb_corpus *corpus, const gb_nmf *nmf, double *tokens)
{
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const float *w = nmf->document + (size_t)d * nmf->n_parts;
        const double length = (double)(corpus->doc_start[d + 1] - corpus->doc_start[d]);
        double sum = 0;
        for (size_t k = 0; k < nmf->n_parts; k++)
            sum += (double)w[k];
        for (size_t k = 0; sum > 0 && k < nmf->n_parts; k++)
            tokens[k] += length * (double)w[k] / sum;
    }
}

/* @param scale  what a topic's numbers of words are multiplied by to be counts */
static void find_scales(const gb_nmf *nmf, uint64_t n_words, const double *idf, const double *tokens, double *scale)
{
    for (uint64_t w = 0; w < n_words; w++)
        for (size_t k = 0; idf[w] > 0 && k < nmf->n_parts; k++)
            scale[k] += (double)nmf->word[(size_t)w * nmf->n_parts + k] / idf[w];
    for (size_t k = 0; k < nmf->n_parts; k++)
        scale[k] = scale[k] > 0 ? tokens[k] / scale[k] : 0;
}

static uint32_t count_of(const gb_nmf *nmf, uint64_t w, size_t k, const double *idf, const double *scale)
{
    const double count = idf[w] > 0 ? (double)nmf->word[(size_t)w * nmf->n_parts + k] / idf[w] * scale[k] : 0;
    return count < (double)UINT32_MAX ? (uint32_t)lround(count) : UINT32_MAX;
}

static void list_counts(const gb_nmf *nmf, const double *idf, const double *scale, gb_consensus *c)
{
    uint64_t n = 0;
    for (uint64_t w = 0; w < c->n_words; w++) {
        for (size_t k = 0; k < nmf->n_parts; k++) {
            const uint32_t count = count_of(nmf, w, k, idf, scale);
            if (count == 0)
                continue;
            c->topic[n] = (uint16_t)k;
            c->count[n++] = count;
            c->n_k[k] += count;
        }
        c->word_start[w + 1] = n;
    }
}

static uint64_t count_entries(const gb_nmf *nmf, uint64_t n_words, const double *idf, const double *scale)
{
    uint64_t n = 0;
    for (uint64_t w = 0; w < n_words; w++)
        for (size_t k = 0; k < nmf->n_parts; k++)
            n += count_of(nmf, w, k, idf, scale) > 0;
    return n;
}

gb_status gb_nmf_start_find(const gb_corpus *corpus, size_t n_topics, size_t n_threads, gb_consensus **out,
                            gb_error *err)
{
    gb_status st;
    gb_nmf nmf = {.n_parts = 0};
    gb_consensus *c = NULL;
    double *idf = NULL, *tokens = NULL, *scale = NULL;
    GB_TRY(gb_word_weights(corpus, GB_WORD_TFIDF, 1, &idf, err));
    GB_TRY(factorise(corpus, idf, n_topics, n_threads, &nmf, err));
    GB_TRY(gb_alloc(&tokens, n_topics, sizeof *tokens, what, err));
    GB_TRY(gb_alloc(&scale, n_topics, sizeof *scale, what, err));
    share_out_tokens(corpus, &nmf, tokens);
    find_scales(&nmf, corpus->n_words, idf, tokens, scale);
    GB_TRY(gb_consensus_create(n_topics, corpus->n_words, count_entries(&nmf, corpus->n_words, idf, scale), &c, err));
    list_counts(&nmf, idf, scale, c);
    for (size_t k = 0; k < n_topics; k++)
        c->n_members[k] = 1;
    *out = c;
    c = NULL;
done:
    gb_nmf_clear(&nmf);
    gb_consensus_free(c);
    gb_free(idf);
    gb_free(tokens);
    gb_free(scale);
    return st;
}

uint64_t gb_nmf_start_bytes(const gb_corpus *corpus, size_t n_topics, size_t n_threads)
{
    gb_sparse_columns x = {
        .n_docs = corpus->n_docs, .n_columns = corpus->n_words, .n_entries = corpus->n_tokens, .by_column = true};
    return gb_arrays_bytes(gb_sparse_columns_list, &x) +
           gb_nmf_bytes(corpus->n_docs, corpus->n_words, n_topics, n_threads) + corpus->n_words * sizeof(double);
}
