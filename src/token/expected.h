/* token/expected.h - expected topics of words whose topic counts stay as they are.
 *
 * Given weights of topics, a token of word w has topic k with probability
 *     r_k = weight_k phi_kw / sum_j weight_j phi_jw,   phi_kw = (n_kw + beta) / (n_k + V beta),                     (1)
 * and the sums of (1) over the tokens of a document are its expected topic counts.
 *
 * Where the weights are made of these counts, weight_k = base_k + sum over the document's tokens of r_k, a token must not count in its own
 * weights: (1) with weight_k less the token's own r_k, taken for one word after the other, goes towards the fixed point that is known as
 * collapsed variational Bayes of order zero (Asuncion and others 2009). */
#ifndef GB_TOKEN_EXPECTED_H
#define GB_TOKEN_EXPECTED_H

#include "counts/rows.h"
#include "prior/prior.h"
#include "simd/isa.h"

typedef struct gb_expectation {
    const gb_rows *rows;
    float beta;
    size_t stride;
    const float *product; /* stride: weight_k / (n_k + V beta); padding 0, aligned to 64 bytes */
    /* sums over tokens: expected counts are product_k (weighted_k + beta rest) */
    float *weighted; /* stride, aligned to 64 bytes */
    double rest;
} gb_expectation;

/** Add n tokens, some thousands at most: sums are in single precision.  @param word  handles of their rows */
typedef void gb_expect_tokens(gb_expectation *e, size_t n, const uint32_t *word);

gb_expect_tokens gb_expect_tokens_plain, gb_expect_tokens_avx2, gb_expect_tokens_avx512;

/** Different words of a document on their way to the fixed point; rows of `stride` numbers are aligned to 64 bytes, with padding 0. */
typedef struct gb_settling {
    const gb_rows *rows;
    float beta;
    size_t stride, n;
    const uint32_t *word; /* n: handles of their rows */
    const float *count;   /* n: tokens of each */
    float *scale;         /* stride: 1 / (n_k + V beta) */
    float *weight;        /* stride: base_k + sum_w count_w r_wk */
    float *r;             /* n x stride; 0 before the first pass */
    float *cells;         /* stride: room */
} gb_settling;

/** Passes over the words of a document with so many tokens.  More come closer to the fixed point, but the posterior of a short text, and the
 * fixed point with it, follows single words too far (docs/measured/one-answer.md). */
static inline int gb_settling_passes(uint64_t n_tokens)
{
    return n_tokens <= 15 ? 2 : n_tokens <= 63 ? 3 : 4;
}

/** Further passes under a prior whose weights are found anew before each. */
enum { GB_SETTLING_MORE = 2 };

/** By how much topics are pulled to see what a score's variance is (apply/predict_spread.c), times the range of their coefficients: the
 * largest distance of one from the mean is between half of that and all of it.  With 0.5 for that distance standard deviations were within
 * a tenth of those of 400 passes; three times as much made them a third too large. */
#define GB_SETTLING_PULL 0.7

/** One pass: r of each word in turn, and the weights with it. */
typedef void gb_settle_words(const gb_settling *s);

/** Room for the passes over a document's words. */
typedef struct gb_settling_room {
    double *unit, *expected; /* n_topics */
    double *scratch;         /* gb_prior_scratch() */
} gb_settling_room;

/** @param out  clear it with gb_settling_room_clear(), also on failure */
gb_status gb_settling_room_create(gb_settling_room *out, const gb_prior_setup *setup, gb_error *err);
void gb_settling_room_clear(gb_settling_room *room);

/** All passes over some words of a document.
 * @param s         with room for scale, weight, r and cells
 * @param document  under a prior that settles, with room for its numbers and base weights; else with these
 * @param scale     n_topics: as in gb_settling
 * @param expected  n_topics: counts of the words before these, to which those of these words are added
 */
void gb_settle(const gb_settling *s, gb_settle_words *settle, const gb_prior *prior,
               const gb_prior_document *document, const double *scale, double *expected, gb_settling_room *room);

gb_settle_words gb_settle_words_plain, gb_settle_words_avx2, gb_settle_words_avx512;

#endif
