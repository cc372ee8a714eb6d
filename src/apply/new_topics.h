/* apply/new_topics.h - topics of new documents, drawn under one draw of the model after another.
 *
 * Given a draw (phi and the document prior's parameters) the tokens of a document are redrawn in passes,
 *
 *     p(z_n = k | rest) proportional to (base_k + unit n_k^{-n}) phi_{k, w_n},                               (1)
 *
 * in turn with what the prior keeps of the document.  Topics begin with a pass in which each token sees the tokens before it,
 * and some passes of burn-in; the passes that follow are averaged.  They begin anew under every draw.  Carrying topics over from the
 * last draw saves the burn-in, but was measured to lose more than it saves: one long run stays where it is although other
 * topics fit the document as well, and probabilities become too extreme.
 *
 * Random numbers are keyed by (seed, chain of the draw) and counted by (draw and pass, row of the input, token). */
#ifndef GB_APPLY_NEW_TOPICS_H
#define GB_APPLY_NEW_TOPICS_H

#include "apply/application.h"

struct gb_new_topics_worker;

typedef struct gb_new_topics {
    gb_application *application; /* borrowed */
    uint32_t n_sweeps, n_burn_in;
    gb_draw_tokens *draw_tokens;
    uint16_t *topic; /* n_tokens */
    double *base;    /* base weights: n_docs x n_topics; n_topics if they are the same for all */
    double *numbers; /* n_docs x what the prior keeps of a document */
    size_t n_numbers;
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

/** (1) of a document's last token, given the topics of the others: `probability` receives n_topics values. */
void gb_new_topics_of_last_token(const gb_new_topics *t, uint64_t d, size_t worker, double *probability);

/** A document as its prior sees it in a pass; pass 0 is the first of a draw. */
gb_prior_document gb_new_topics_document(const gb_new_topics *t, uint64_t d, uint32_t pass);

#endif
