/* estimate/share_reliability.c - how well words tell the shares of topics.
 *
 * Let a_d and b_d be means of a document's share of a topic over half of the draws each, with expectation m_d given its words, and
 * z_d its share in one draw.  Over documents
 *
 *     cov(a, b) = var(m),   var(z) = var(m) + E var(z | words),   r = cov(a, b) / var(z)                           (1)
 *
 * is the factor by which a simple regression on z loses slope against one on m. */
#include "estimate/estimate.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { A, B, AB, Z, ZZ, N_SUMS };

gb_status gb_share_reliability_create(gb_share_reliability *out, size_t n_topics, gb_error *err)
{
    gb_status st;
    const char *what = "the reliability of topics";
    *out = (gb_share_reliability){.n_topics = n_topics};
    GB_TRY(gb_alloc(&out->covariance, n_topics, sizeof *out->covariance, what, err));
    GB_TRY(gb_alloc(&out->variance, n_topics, sizeof *out->variance, what, err));
    GB_TRY(gb_alloc(&out->sum, N_SUMS * n_topics, sizeof *out->sum, what, err));
    GB_TRY(gb_alloc(&out->count, n_topics, sizeof *out->count, what, err));
done:
    return st;
}

void gb_share_reliability_clear(gb_share_reliability *r)
{
    gb_free(r->covariance);
    gb_free(r->variance);
    gb_free(r->sum);
    gb_free(r->count);
    *r = (gb_share_reliability){0};
}

/* An odd number of draws has one more in the second half.  @param z  counts of one draw */
static void add_document(gb_share_reliability *r, const gb_estimate_shares *s, uint64_t d, const uint32_t *z)
{
    const size_t n = r->n_topics, n_first = s->n_passes / 2;
    const double length = (double)(s->docs->doc_start[d + 1] - s->docs->doc_start[d]);
    const double of_half = length * (double)n_first, of_rest = length * (double)(s->n_passes - n_first);
    const uint32_t *half = s->half + d * n, *all = s->count + ((s->n_used - 1) * s->docs->n_docs + d) * n;
    for (size_t k = 0; k < n; k++) {
        const double a = half[k] / of_half, b = (all[k] - half[k]) / of_rest, one = z[k] / length;
        r->sum[A * n + k] += a;
        r->sum[B * n + k] += b;
        r->sum[AB * n + k] += a * b;
        r->sum[Z * n + k] += one;
        r->sum[ZZ * n + k] += one * one;
    }
}

static uint64_t add_documents(gb_share_reliability *r, const gb_estimate_shares *s)
{
    uint64_t n_docs = 0;
    memset(r->sum, 0, N_SUMS * r->n_topics * sizeof *r->sum);
    for (uint64_t d = 0; d < s->docs->n_docs; d++) {
        const uint64_t length = s->docs->doc_start[d + 1] - s->docs->doc_start[d];
        const uint16_t *topic = gb_estimate_shares_draw(s, s->n_used * s->n_kept - 1, d);
        if (length == 0)
            continue;
        memset(r->count, 0, r->n_topics * sizeof *r->count);
        for (uint64_t i = 0; i < length; i++)
            r->count[topic[i]]++;
        add_document(r, s, d, r->count);
        n_docs++;
    }
    return n_docs;
}

void gb_share_reliability_add(gb_share_reliability *r, const gb_estimate_shares *s)
{
    const size_t n = r->n_topics;
    const double n_docs = (double)add_documents(r, s);
    for (size_t k = 0; n_docs > 0 && k < n; k++) {
        const double a = r->sum[A * n + k] / n_docs, b = r->sum[B * n + k] / n_docs, z = r->sum[Z * n + k] / n_docs;
        r->covariance[k] += r->sum[AB * n + k] / n_docs - a * b;
        r->variance[k] += r->sum[ZZ * n + k] / n_docs - z * z;
    }
    r->n_samples++;
}

/* (1). */
double gb_share_reliability_of(const gb_share_reliability *r, size_t topic)
{
    if (!(r->variance[topic] > 1e-12 * (double)r->n_samples))
        return NAN;
    return fmin(fmax(r->covariance[topic] / r->variance[topic], 0), 1);
}
