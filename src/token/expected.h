/* token/expected.h - expected topics of tokens whose word counts stay as they are.
 *
 * Given weights of topics, a token of word w has topic k with probability
 *     r_k = product_k (n_kw + beta) / sum_j product_j (n_jw + beta),   product_k = weight_k / (n_k + V beta),       (1)
 * and the sums of (1) over the tokens of a document are its expected topic counts.  A token that has a topic already can be left out of
 * the weights that it is judged by: with `own`, product_j is less by own_j in (1) for a token of topic j. */
#ifndef GB_TOKEN_EXPECTED_H
#define GB_TOKEN_EXPECTED_H

#include "counts/rows.h"
#include "simd/isa.h"

typedef struct gb_expectation {
    const gb_rows *rows;
    float beta;
    size_t stride;
    const float *product; /* stride; padding 0, aligned to 64 bytes */
    const float *own;     /* n_topics; NULL: nothing is left out */
    /* sums over tokens: expected counts are product_k (weighted_k + beta rest) - taken_k */
    float *weighted; /* stride, aligned to 64 bytes */
    float *taken;    /* n_topics */
    double rest;
} gb_expectation;

/** Add n tokens, some thousands at most: sums are in single precision.
 * @param word   handles of their rows
 * @param topic  their topics; NULL without `own` */
typedef void gb_expect_tokens(gb_expectation *e, size_t n, const uint32_t *word, const uint16_t *topic);

gb_expect_tokens gb_expect_tokens_plain, gb_expect_tokens_avx2, gb_expect_tokens_avx512;

#endif
