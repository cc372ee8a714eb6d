/* token/mh.h - the Metropolis-Hastings token sampler, with the proposals of LightMedLDA (Zheng, Yu and Xing 2015) made
 * exact.
 *
 * A step proposes a topic t for the token, which has s, and accepts it with probability
 *     min{1, pi(t) q(s) / (pi(s) q(t))}                                                                      (1)
 * where pi is (1) of token/token.h, in which the token itself is not counted.  This leaves the posterior as it is if q is
 * the law that was really drawn from and does not depend on the token's own topic.  Hence
 *
 *   doc   the topic of another token of the document, picked at random, with probability (N - 1) / (N - 1 + sum of base);
 *         else a topic by the prior's base weights:   q(k) proportional to base_k + n_dk^{-n}
 *         (one that could pick the token itself would have to be compensated for differently)
 *   word  q(k) proportional to (m_kw + beta) / (m_k + beta V), with counts m as they once were: of the sweep before during
 *         burn-in, and of the end of burn-in for ever after.  A table made of the present counts would contain the token.
 *         With phi drawn, q(k) proportional to phi_kw.
 *   exp   q(k) proportional to exp(g_k) with the score replaced by a constant.  A table made of the present score would
 *         contain the token.  Let the part of the score that comes from topics have mean m and variance v under the prior,
 *         and let r = slope + omega (centre - rest of the score); the constant is what (m, v) and the response together
 *         expect:  rest + (m + v r) / (1 + v omega)
 *
 * A step costs O(L) for the difference g_t - g_s, whatever the number of topics. */
#ifndef GB_TOKEN_MH_H
#define GB_TOKEN_MH_H

#include "token/alias.h"
#include "token/token.h"

/** A worker's memory. */
typedef struct gb_mh_worker {
    /* the document's prior, kept for as long as documents have the same */
    double *base;             /* n_topics */
    double base_total;        /* sum; 0: nothing is kept */
    int32_t *base_sum;        /* stride: to draw by base */
    double *base_probability; /* n_topics: of those draws */
    /* the response factor */
    double *expected, *spread; /* n_outputs: mean and variance of eta_lk with k drawn by base */
    double *residual, *bend;   /* n_outputs: slope + omega (centre - score), and omega / (2 N) */
    double *constant;          /* n_outputs: the score in the exp proposal */
    float *slope, *curvature;  /* n_outputs */
    float *tilt;               /* stride: exp(g) */
    int32_t *tilt_sum;         /* stride: to draw by it */
    /* random numbers: eight blocks from number `first` on */
    uint64_t first;
    uint32_t number[8][4];
    bool has_numbers;
    uint64_t proposed[GB_MH_N_PROPOSALS], accepted[GB_MH_N_PROPOSALS]; /* of topics that the token did not have */
    gb_alias_scratch alias;
    uint16_t *topic; /* stride */
    uint32_t *count; /* stride */
} gb_mh_worker;

/** A chain's tables. */
typedef struct gb_mh {
    gb_token_options options;
    gb_mh_proposal proposal[GB_MH_N_PROPOSALS]; /* those in use */
    size_t n_proposals, n_topics, stride, n_outputs, n_workers;
    gb_mh_worker *worker;
    /* the word proposal */
    uint8_t is_frozen;
    bool is_dense;                        /* all topics in order, no rest */
    uint64_t total[2][GB_MH_N_PROPOSALS]; /* proposed and accepted by all workers in the passes before this one */
    uint64_t n_words, *start;             /* n_words + 1: cells of a word */
    uint64_t most_cells;                  /* an estimate, for a table that is not made */
    uint64_t n_units;
    uint32_t *word_of_unit;   /* n_units: the word whose row of counts begins at a handle's place */
    gb_alias_cell *cell;      /* a word's topics ascending, then the rest, topic GB_NO_TOPIC */
    size_t capacity;          /* of cell */
    double *rest;             /* n_topics: 1 / (m_k + beta V) */
    double rest_total;        /* times beta: the weight of the rest */
    int32_t *rest_sum;        /* stride: to draw by it */
    double *rest_probability; /* n_topics: of those draws */
} gb_mh;

gb_draw_tokens gb_mh_draw_plain, gb_mh_draw_avx2, gb_mh_draw_avx512;

/** Probability (1) of accepting t instead of s; the weights come from pi without the response factor, `gain` is g_t - g_s. */
double gb_mh_acceptance(double weight_s, double weight_t, double density_s, double density_t, double gain);

/**
 * What a step of token `n` of the lane's document works with, by the functions that the kernels use; the tests make
 * transition matrices of it.
 *
 * @param weight   receives n_topics values
 * @param density  receives GB_MH_N_PROPOSALS x n_topics values; 0 for a proposal that is not in use
 * @param gain     receives n_topics x n_topics values: g_t - g_s in row s, column t
 */
void gb_mh_look(const gb_token_lane *f, size_t n, const gb_coefficients *eta, double *weight, double *density,
                double *gain);

#endif
