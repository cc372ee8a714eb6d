/* prior/psi.c - topic weights of documents given the topics of their tokens.
 *
 * For coordinate t of a document with N tokens, n of them in topic t, put C = sum over j != t of exp(psi_j),
 * x = psi_t - log C, and let the prior of psi_t given the other coordinates be N(m, 1 / p).  Then
 *
 *   p(psi_t | rest) is proportional to  exp(n x) / (1 + exp(x))^N  exp(-p (psi_t - m)^2 / 2)                  (1)
 *
 * Interval (Groenewald & Mokgathe 2005, Computational Statistics & Data Analysis 48).  The first factor of (1) is the
 * probability that n uniform numbers lie below theta = exp(x) / (1 + exp(x)) and N - n above it.  Given theta, the
 * largest of the former is theta U^(1/n), and likewise for the others; given these two, psi_t is normal on the interval
 * between.  With E = -log(U) / n and E' = -log(U') / (N - n), the ends are
 *
 *   below = log(1 + (1 + exp(x)) (exp(E) - 1)),   above = log(1 + (1 + exp(-x)) (exp(E') - 1))                 (2)
 *   psi_t ~ N(m, 1 / p) given psi_t - below < new psi_t < psi_t + above                                         (3)
 *
 * away from the old psi_t: distances > 0 that keep their digits however close theta is to 0 or 1.  Without tokens on a
 * side there is no end on it.
 *
 * Polya-Gamma (Chen, Zhu, Wang, Zheng & Zhang 2013, Advances in Neural Information Processing Systems 26):
 *
 *   w ~ PG(N, x)                                                                                             (4)
 *   psi_t ~ N((p m + n - N / 2 + w log C) / (p + w), 1 / (p + w))                                            (5)
 *
 * Diagonal Q: m is the mean of the group, p = Q_tt.  Full: p = Q_tt too, and
 *
 *   m = mean_t - sum over j != t of Q_tj / Q_tt (psi_j - mean_j)                                              (6)
 *
 * Auto takes the Polya-Gamma update where
 *
 *   min(n, N - n)^2 > N / 10                                                                                  (7)
 *
 * which depends on counts alone, not on psi, so it is a Gibbs step all the same.  The interval is about 1 / n wide while psi_t has a standard deviation of about 1 / sqrt(n): it mixes at once where n = 0, as in most topics of a document, and
 * slowly where n is large.  The Polya-Gamma update does not depend on n much, but gets worse with N where n is much less.
 * Effective samples per second of each: docs/measured/topic-weights.md.
 *
 * Symmetric: (1) holds for t = 1..K.  Shares do not see a number that is added to all psi of a document, so the law of that
 * number given all else is the prior's, and it is drawn after the coordinates:
 *
 *   c ~ N(sum_k p_k (mean_k - psi_k) / sum_k p_k, 1 / sum_k p_k),   psi_k <- psi_k + c                          (8)
 *
 *   Cost per document: O(K) draws; with a full Q, K^2 multiplications more. */
#include "prior/psi.h"

#include "math/special.h"
#include "prior/psi_chunk.h"

#include <math.h>
#include <string.h>

const gb_psi_kernel *gb_psi_kernel_for(gb_isa isa)
{
    return GB_KERNEL_FOR(isa, &gb_psi);
}

enum { N_ARRAYS = 6 };

size_t gb_psi_scratch(size_t n_free)
{
    return N_ARRAYS * n_free * GB_PSI_DOCS;
}

/* A chunk for n documents. */
static gb_psi_chunk open_chunk(size_t n_free, size_t n, double *scratch)
{
    const size_t size = n_free * GB_PSI_DOCS;
    gb_psi_chunk c = {.n_docs = n,
                      .psi = scratch,
                      .count = scratch + size,
                      .mean = scratch + 2 * size,
                      .deviation = scratch + 3 * size,
                      .behind_m = scratch + 4 * size,
                      .behind_s = scratch + 5 * size};
    for (size_t t = 0; t < n_free; t++) /* psi, counts and means 0 also for those that fill up the last vector */
        for (size_t i = 0; i < 3; i++)
            memset(scratch + i * size + t * GB_PSI_DOCS, 0, (n + 7) / 8 * 8 * sizeof *scratch);
    return c;
}

static void load_document(gb_psi_chunk *c, const gb_psi_law *law, size_t i, uint64_t item, size_t group,
                          const double *psi)
{
    const double *mean = law->mean + group * law->n_free;
    c->item[i] = item;
    for (size_t t = 0; t < law->n_free; t++) {
        c->psi[t * GB_PSI_DOCS + i] = psi[t];
        c->mean[t * GB_PSI_DOCS + i] = mean[t];
    }
}

static void store_document(const gb_psi_chunk *c, size_t n_free, size_t i, double *psi)
{
    for (size_t t = 0; t < n_free; t++)
        psi[t] = c->psi[t * GB_PSI_DOCS + i];
}

static size_t chunk_size(uint64_t n_left)
{
    return n_left < GB_PSI_DOCS ? (size_t)n_left : GB_PSI_DOCS;
}

/* Documents first ... first + n - 1 of a corpus. */
static gb_psi_chunk load_documents(const gb_psi_law *law, const gb_proportions *z, uint64_t first, size_t n,
                                   const double *psi, double *scratch)
{
    const size_t n_free = law->n_free;
    gb_psi_chunk c = open_chunk(n_free, n, scratch);
    for (size_t i = 0; i < n; i++) {
        const uint64_t d = first + i;
        const gb_document_topics topics = gb_proportions_of(z, d);
        load_document(&c, law, i, d, law->group == NULL ? 0 : law->group[d], psi + d * n_free);
        c.length[i] = gb_proportions_length(z, d);
        for (size_t m = 0; m < topics.n; m++)
            if (topics.topic[m] < n_free)
                c.count[(size_t)topics.topic[m] * GB_PSI_DOCS + i] = topics.count[m];
    }
    return c;
}

static void store_documents(const gb_psi_chunk *c, size_t n_free, uint64_t first, double *psi)
{
    for (size_t i = 0; i < c->n_docs; i++)
        store_document(c, n_free, i, psi + (first + i) * n_free);
}

void gb_psi_redraw(const gb_psi_redrawing *how, const gb_proportions *z, uint64_t first, uint64_t last, double *psi,
                   double *scratch)
{
    for (uint64_t d = first; d < last; d += GB_PSI_DOCS) {
        gb_psi_chunk c = load_documents(how->law, z, d, chunk_size(last - d), psi, scratch);
        for (size_t i = 0; i < c.n_docs; i++)
            c.item[i] += how->first_item;
        gb_psi_kernel_for(how->isa)->redraw(how, &c);
        store_documents(&c, how->law->n_free, d, psi);
    }
}

void gb_psi_whiten(const gb_psi_law *law, gb_isa isa, const gb_proportions *z, uint64_t first, uint64_t last,
                   double *psi, double *scratch)
{
    for (uint64_t d = first; d < last; d += GB_PSI_DOCS) {
        gb_psi_chunk c = load_documents(law, z, d, chunk_size(last - d), psi, scratch);
        gb_psi_kernel_for(isa)->whiten(law, &c);
        store_documents(&c, law->n_free, d, psi);
    }
}

double gb_psi_unwhiten(const gb_psi_law *law, gb_isa isa, const gb_proportions *z, uint64_t first, uint64_t last,
                       const double *e, double *psi, double *scratch)
{
    double sum = 0, log_density[GB_PSI_DOCS];
    for (uint64_t d = first; d < last; d += GB_PSI_DOCS) {
        gb_psi_chunk c = load_documents(law, z, d, chunk_size(last - d), e, scratch);
        gb_psi_kernel_for(isa)->unwhiten(law, &c, log_density);
        for (size_t i = 0; i < c.n_docs; i++)
            sum += log_density[i];
        if (psi != NULL)
            store_documents(&c, law->n_free, d, psi);
    }
    return sum;
}

void gb_psi_redraw_documents(const gb_psi_redrawing *how, size_t n, const gb_psi_document *doc, double *scratch)
{
    const size_t n_free = how->law->n_free;
    for (size_t d = 0; d < n; d += GB_PSI_DOCS) {
        const size_t here = chunk_size(n - d);
        gb_psi_chunk c = open_chunk(n_free, here, scratch);
        for (size_t i = 0; i < here; i++) {
            const gb_psi_document *x = &doc[d + i];
            load_document(&c, how->law, i, x->item, x->group, x->psi);
            for (size_t k = 0; k < gb_psi_n_topics(how->law); k++)
                c.length[i] += x->count[k];
            for (size_t t = 0; t < n_free; t++)
                c.count[t * GB_PSI_DOCS + i] = x->count[t];
        }
        gb_psi_kernel_for(how->isa)->redraw(how, &c);
        for (size_t i = 0; i < here; i++)
            store_document(&c, n_free, i, doc[d + i].psi);
    }
}

void gb_psi_draw(const gb_psi_law *law, gb_random *r, size_t group, double *psi)
{
    const double *mean = law->mean + group * law->n_free;
    for (size_t t = 0; t < law->n_free; t++)
        psi[t] = gb_random_normal(r);
    for (size_t t = law->n_free; t-- > 0;) { /* psi = mean + L e, from the last row: it needs all e before it */
        if (law->full == NULL) {
            psi[t] = mean[t] + psi[t] / sqrt(law->precision[t]);
            continue;
        }
        double sum = mean[t];
        for (size_t j = 0; j <= t; j++)
            sum += law->root[t * law->n_free + j] * psi[j];
        psi[t] = sum;
    }
}

void gb_psi_weights(const gb_psi_law *law, const double *psi, gb_isa isa, double *weight)
{
    const size_t last = gb_psi_n_topics(law) - 1;
    for (size_t t = 0; law->is_symmetric && t < last; t++)
        weight[t] = psi[t] - psi[last];
    gb_psi_kernel_for(isa)->weights(last, law->is_symmetric ? weight : psi, weight);
}

void gb_psi_log_shares(const gb_psi_law *law, const double *psi, double *log_share)
{
    const size_t n_topics = gb_psi_n_topics(law);
    memmove(log_share, psi, law->n_free * sizeof *psi);
    if (!law->is_symmetric)
        log_share[law->n_free] = 0;
    const double sum = gb_log_sum_exp(n_topics, log_share);
    for (size_t k = 0; k < n_topics; k++)
        log_share[k] -= sum;
}
