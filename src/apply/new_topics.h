/* apply/new_topics.h - topics of new documents, drawn under one draw of the model after another.
 *
 * Given a draw (phi and the document prior's parameters) the tokens of a document are redrawn in passes,
 *
 *     p(z_n = k | rest) proportional to (base_k + unit n_k^{-n}) phi_{k, w_n},                               (1)
 *
 * in turn with what the prior keeps of the document.  Passes of burn-in are thrown away, those after them are averaged.
 *
 * The first topics.  Topics begin anew under every draw: a run that goes on stays where it is although other topics fit the
 * document as well, and probabilities become too extreme.  In the first pass each token sees the tokens before it, and a hint
 * where the document belongs: its expected topic counts e_k, which satisfy
 *
 *     e_k = sum_n r_nk,  r_nk proportional to (base_k + e_k) phi_{k, w_n},                                   (2)
 *
 * times START_WEIGHT.  Some steps of iteration towards (2) are made under the first draw of a chain; the draws after it have the same
 * topics under the same numbers, so what was found serves them too.  Without the hint, a document whose words fit many topics
 * alone needs ten times the burn-in.
 *
 * Random numbers are keyed by (seed, chain of the draw) and counted by (draw and pass, words of the document, token). */
#ifndef GB_APPLY_NEW_TOPICS_H
#define GB_APPLY_NEW_TOPICS_H

#include "apply/application.h"
#include "token/expected.h"

struct gb_new_topics_worker;

typedef struct gb_new_topics {
    gb_application *application; /* borrowed */
    uint32_t n_sweeps, n_burn_in;
    gb_draw_tokens *draw_tokens;
    gb_expect_tokens *expect;
    uint16_t *topic; /* n_tokens */
    double *base;    /* base weights: n_docs x n_topics; n_topics if they are the same for all */
    double *numbers; /* n_docs x what the prior keeps of a document */
    size_t n_numbers;
    /* n_docs x n_topics: e of (2); NULL for a prior under which tokens do not see each other at first */
    float *expected;
    double *scale; /* n_topics: 1 / (n_k + V beta) of the draw at hand */
    struct gb_new_topics_worker *worker;
} gb_new_topics;

/** Called after every pass that counts, for every document with a known word; `sweep` is below n_sweeps. */
typedef void gb_on_new_topics(void *context, uint64_t d, const uint16_t *topic, uint32_t sweep, size_t worker);

/** @param out  clear it with gb_new_topics_clear(), also on failure */
gb_status gb_new_topics_create(gb_new_topics *out, gb_application *a, gb_error *err);
void gb_new_topics_clear(gb_new_topics *t);

/** Before the documents of a draw. */
void gb_new_topics_begin(gb_new_topics *t);

/** The passes over documents first .. last - 1 under the draw at hand.  @return GB_OK, GB_ENUMERIC or GB_ESTOP */
gb_status gb_new_topics_draw(gb_new_topics *t, uint64_t first, uint64_t last, size_t worker,
                             gb_on_new_topics *on_topics, void *context, gb_error *err);

/** Expected shares of a document's topics under a prior without a unit: the mean of (1) over its tokens.  They have the mean that the
 * shares of the drawn topics have, with less noise, and none of them is 0.  @param share  receives n_topics values */
void gb_new_topics_expected_shares(gb_new_topics *t, uint64_t d, size_t worker, double *share);

/** A document as its prior sees it in a pass; pass 0 is the first of a draw. */
gb_prior_document gb_new_topics_document(const gb_new_topics *t, uint64_t d, uint32_t pass);

#endif
