/* prior/psi.h - the topic weights of documents under a logistic-normal prior, redrawn given the topics of their tokens.
 *
 *   theta_dk = exp(psi_dk) / sum_j exp(psi_dj),   k = 1..K,   psi_dK = 0                                   (1)
 *   psi_d = (psi_d1 ... psi_d,K-1) ~ N(mean of the document's group, Q^{-1})                              (2)
 *
 * A symmetric law has no psi that is 0: all K are free, with a diagonal Q, and no topic is a reference for the others.
 *
 * Each coordinate is redrawn given the others, t = 1..K-1, by one of two updates that leave the same law alone (psi.c).
 * Numbers come from streams of (sweep, purpose, document): which documents are redrawn together, on which thread and
 * with which instructions changes no bit. */
#ifndef GB_PRIOR_PSI_H
#define GB_PRIOR_PSI_H

#include "counts/proportions.h"
#include "random/random.h"
#include "simd/isa.h"

#include <stdbool.h>

/** Auto takes, for each coordinate of each document, the update that gave more effective samples per second. */
typedef enum gb_psi_update { GB_PSI_INTERVAL, GB_PSI_POLYA_GAMMA, GB_PSI_AUTO, GB_N_PSI_UPDATES } gb_psi_update;

/** The law (2).  Either `precision` or `full` is given, the other is NULL. */
typedef struct gb_psi_law {
    size_t n_free; /* K - 1 >= 1; K of a symmetric law */
    bool is_symmetric;
    const double *mean;      /* n_groups x n_free */
    const uint32_t *group;   /* of each document; NULL: all are of group 0 */
    const double *precision; /* n_free: the diagonal of Q, all > 0; Q has nothing else */
    const double *full;      /* n_free x n_free: Q, symmetric, positive definite */
    const double *root; /* n_free x n_free, by rows: lower triangle L of L L' = Q^{-1}; only gb_psi_draw() reads it */
} gb_psi_law;

/** What a redraw needs besides documents. */
typedef struct gb_psi_redrawing {
    const gb_psi_law *law;
    gb_psi_update update;
    gb_key key;
    uint32_t sweep;
    gb_purpose purpose;  /* item: the document */
    uint64_t first_item; /* of document 0 of those that gb_psi_redraw() is given */
    gb_isa isa;
} gb_psi_redrawing;

/** K. */
static inline size_t gb_psi_n_topics(const gb_psi_law *law)
{
    return law->n_free + !law->is_symmetric;
}

/** A document outside a corpus, such as one to predict. */
typedef struct gb_psi_document {
    uint64_t item; /* of its stream */
    size_t group;
    const uint32_t *count; /* K: n_dk, the last topic included */
    double *psi;           /* n_free, redrawn in place */
} gb_psi_document;

/** Doubles that a worker's scratch memory needs, aligned to 64 bytes (gb_alloc() does). */
size_t gb_psi_scratch(size_t n_free);

/**
 * Redraw psi of documents first..last-1 of a corpus, once each coordinate.
 *
 * @param z        counts by document, gb_proportions_count()
 * @param psi      n_docs x n_free, finite; rows first..last-1 are redrawn
 * @param scratch  gb_psi_scratch() doubles, of this worker
 */
void gb_psi_redraw(const gb_psi_redrawing *how, const gb_proportions *z, uint64_t first, uint64_t last, double *psi,
                   double *scratch);

/** The same for n documents with dense counts: the draw of a document is the same, bit for bit.  Eight documents take
 * hardly longer than one. */
void gb_psi_redraw_documents(const gb_psi_redrawing *how, size_t n, const gb_psi_document *doc, double *scratch);

/**
 * Replace psi of documents first..last-1 of a corpus by e, which would be standard normal if p(psi | z, law) were normal
 * (psi_spread.c).  For a diagonal Q.
 */
void gb_psi_whiten(const gb_psi_law *law, gb_isa isa, const gb_proportions *z, uint64_t first, uint64_t last,
                   double *psi, double *scratch);
/**
 * The psi that have this e under a law.
 *
 * @param psi  receives it, may be e; NULL: only the result is wanted
 * @return sum over the documents of log p(z_d, psi_d | law) + log |d psi_d / d e_d|, but for what does not depend on the law
 */
double gb_psi_unwhiten(const gb_psi_law *law, gb_isa isa, const gb_proportions *z, uint64_t first, uint64_t last,
                       const double *e, double *psi, double *scratch);

/** How likely topics are where log weights are integrated out (psi_settle.c). */
typedef struct gb_psi_settling {
    const gb_psi_law *law;
    gb_isa isa;
    size_t group;
    const double *count; /* K: expected tokens of each topic; NULL: before the first token */
    double length;       /* tokens of the document */
    double *psi;     /* n_free: with a full Q what is expected of them; written without counts, then read as well */
    double *rate;    /* K, likewise: a token has topic k with a probability proportional to rate_k phi_kw */
    double *slope;   /* K: by how much it would rise with a token more; more than 0 */
    double *scratch; /* gb_psi_scratch() */
} gb_psi_settling;

void gb_psi_settle(const gb_psi_settling *s);

/** Draw psi of a document of `group` from the law (2) alone, n_free values. */
void gb_psi_draw(const gb_psi_law *law, gb_random *r, size_t group, double *psi);

/** weight[k] = exp(psi_k - max_j psi_j), k = 1..K: the largest is 1, none is 0 (3e-308 at least).  Only the law's n_free and
 * is_symmetric are read. */
void gb_psi_weights(const gb_psi_law *law, const double *psi, gb_isa isa, double *weight);

/** log theta_k, k = 1..K, likewise. */
void gb_psi_log_shares(const gb_psi_law *law, const double *psi, double *log_share);

#endif
