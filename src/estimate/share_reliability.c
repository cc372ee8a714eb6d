/* estimate/share_reliability.c - how well words tell the shares of topics.
 *
 * Let a_d and b_d be independent measures of a document's share of a topic given its words, here the means of half of the draws
 * each, with expectation m_d.  Over documents
 *
 *     cov(a, b) = var(m),   var(a) = var(b) = var(m) + E var(a | words),   r = cov(a, b) / var(a)                    (1)
 *
 * is the factor by which a simple regression on a loses slope against one on m.  The mean of both has
 * the reliability 2 r / (1 + r) (Spearman and Brown, 1910), and one of S draws r_1 = R / (R + S (1 - R)), if R is the one of all.     (2) */
#include "estimate/estimate.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { A, B, AA, BB, AB, N_SUMS };

gb_status gb_share_reliability_create(gb_share_reliability *out, size_t n_topics, gb_error *err)
{
    gb_status st;
    const char *what = "the reliability of topics";
    *out = (gb_share_reliability){.n_topics = n_topics};
    GB_TRY(gb_alloc(&out->covariance, n_topics, sizeof *out->covariance, what, err));
    GB_TRY(gb_alloc(&out->variance, n_topics, sizeof *out->variance, what, err));
    GB_TRY(gb_alloc(&out->sum, N_SUMS * n_topics, sizeof *out->sum, what, err));
    GB_TRY(gb_alloc(&out->share, 2 * n_topics, sizeof *out->share, what, err));
done:
    return st;
}

void gb_share_reliability_clear(gb_share_reliability *r)
{
    gb_free(r->covariance);
    gb_free(r->variance);
    gb_free(r->sum);
    gb_free(r->share);
    *r = (gb_share_reliability){0};
}

/* The first half of the tokens are those of the first half of the draws. */
static void add_document(gb_share_reliability *r, uint64_t length, const uint16_t *a, const uint16_t *b)
{
    const size_t n = r->n_topics;
    double *of_a = r->share, *of_b = r->share + n;
    memset(r->share, 0, 2 * n * sizeof *r->share);
    for (uint64_t i = 0; i < length; i++) {
        of_a[a[i]] += 1 / (double)length;
        of_b[b[i]] += 1 / (double)length;
    }
    for (size_t k = 0; k < n; k++) {
        r->sum[A * n + k] += of_a[k];
        r->sum[B * n + k] += of_b[k];
        r->sum[AA * n + k] += of_a[k] * of_a[k];
        r->sum[BB * n + k] += of_b[k] * of_b[k];
        r->sum[AB * n + k] += of_a[k] * of_b[k];
    }
}

void gb_share_reliability_add(gb_share_reliability *r, const gb_corpus *docs, size_t n_draws, const uint16_t *topic)
{
    const size_t n = r->n_topics;
    double n_docs = 0;
    memset(r->sum, 0, N_SUMS * n * sizeof *r->sum);
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const uint64_t start = docs->doc_start[d], length = docs->doc_start[d + 1] - start,
                       half = length / n_draws * (n_draws / 2);
        if (length > 0)
            add_document(r, half, topic + start, topic + start + length - half);
        n_docs += length > 0;
    }
    r->n_draws = (double)n_draws;
    for (size_t k = 0; n_docs > 0 && k < n; k++) {
        const double mean_a = r->sum[A * n + k] / n_docs, mean_b = r->sum[B * n + k] / n_docs;
        r->covariance[k] += r->sum[AB * n + k] / n_docs - mean_a * mean_b;
        r->variance[k] +=
            (r->sum[AA * n + k] / n_docs - mean_a * mean_a + r->sum[BB * n + k] / n_docs - mean_b * mean_b) / 2;
    }
    r->n_samples++;
}

/* (1) and (2), of one draw. */
double gb_share_reliability_of(const gb_share_reliability *r, size_t topic)
{
    if (!(r->variance[topic] > 1e-12 * (double)r->n_samples))
        return NAN;
    const double of_half = fmin(fmax(r->covariance[topic] / r->variance[topic], 0), 1),
                 all = 2 * of_half / (1 + of_half);
    return all / (all + r->n_draws * (1 - all));
}
