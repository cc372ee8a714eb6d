/* apply/expected_topics.h - topics of new documents as they are expected, without a random number.
 *
 * Under a draw of the model the words of a document have topics with probabilities r_wk that go towards the fixed point
 *
 *     r_wk proportional to (base_k + sum_v n_v r_vk - r_wk) phi_kw,     n_v: tokens of word v,                    (1)
 *
 * word by word from none (token/expected.h).  Shares are (1 / N) sum_w n_w r_wk.  That approximates their posterior mean, which passes of a
 * sampler reach only after thousands; stopped early it predicts better than that mean, the more so the shorter a text is, for a
 * short text is taken for less certain of its topics than model and prior make it.  docs/measured/one-answer.md compares them.
 *
 * That is for a prior under which base weights stay as they are and rise by 1 with a token.  Log weights are integrated out as well
 * (prior/psi_settle.c): base and rise of each topic are found anew from the expected counts before each pass. */
#ifndef GB_APPLY_EXPECTED_TOPICS_H
#define GB_APPLY_EXPECTED_TOPICS_H

#include "apply/new_topics.h"

/** Words of one document that are settled together: all of them, but for very long ones. */
typedef struct gb_expected_topics {
    gb_settle_words *settle;
    size_t n_words, most_words, stride;
    uint32_t *word; /* most_words: handles of the rows of different words */
    float *count;   /* most_words */
    float *r;       /* most_words x stride: of (1), padding 0 */
    float *scale, *weight, *cells;
    gb_settling_room room;
} gb_expected_topics;

/** @param out  clear it with gb_expected_topics_clear(), also on failure */
gb_status gb_expected_topics_create(gb_expected_topics *out, const gb_application *a, gb_error *err);
void gb_expected_topics_clear(gb_expected_topics *e);

/** Settle a document with at least one known word under the draw at hand.
 * @param document  as its prior sees it
 * @param scale    n_topics: 1 / (n_k + V beta)
 * @param share    receives n_topics shares
 * @param by_word  receives n_w r_wk, different words x n_topics; may be NULL
 * @return false: the caller has said stop */
bool gb_expected_topics_settle(gb_expected_topics *e, gb_application *a, uint64_t d,
                               const gb_prior_document *document, const double *scale, size_t worker, double *share,
                               double *by_word);

/** What the words that were settled last leave open of sums over them: the variances, were the topics of each token its own.
 * @param eta   n_topics x n_scores: coefficients, those of a topic together
 * @param open  receives n_scores variances of sums over tokens; room for 3 n_scores */
void gb_expected_topics_open(const gb_expected_topics *e, size_t n_topics, size_t n_scores, const double *eta,
                             double *open);

#endif
