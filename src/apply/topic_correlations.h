/* apply/topic_correlations.h - which topics go together in given documents. */
#ifndef GB_APPLY_TOPIC_CORRELATIONS_H
#define GB_APPLY_TOPIC_CORRELATIONS_H

#include "gibbous/apply.h"
#include "gibbous/effects.h"

/**
 * Correlations of topics over given documents: of the shares of a document's tokens that are in the topics.  Topics that are
 * united count as one, at the number of the first.
 *
 * @param docs         in the model's vocabulary; documents without a known word are passed over
 * @param settings     as for gb_infer(); every draw of the documents' topics that it would average counts as a draw
 * @param on_progress  may be NULL
 * @param out          receives n_topics x n_topics posteriors, symmetric, of topics of the first chain; NaN where a topic has the same share in all
 *                     documents, draws in which that is so count in n_unused.  NULL: nothing is computed; it fails if the model's file is too small
 *                     for a table of all pairs, which is worth knowing before memory is taken for one
 * @return as gb_infer(), or GB_EFORMAT (as gb_model_topic_distributions(), for the memory below)
 *
 * The interval says what is not known of the topics of these documents' tokens; it does not say how correlations would differ in other
 * documents.  Shares add up to 1, so topics that have nothing to do with each other are somewhat below 0, by about -1 / (n_topics - 1).
 *
 * Cost: of gb_infer(), in batches, and for each draw and document the square of its number of topics.  Memory: n_topics x n_topics numbers for
 * each draw of the first chain, and about 64 MiB.  The result does not depend on the number of threads.  On several ranks each does all the documents.
 */
gb_status gb_topic_correlations(const gb_model *model, const gb_corpus *docs, const gb_settings *settings,
                                gb_on_apply *on_progress, void *user, gb_effect *out, gb_error *err);

#endif
