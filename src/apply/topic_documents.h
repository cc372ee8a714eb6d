/* apply/topic_documents.h - documents that a topic is about. */
#ifndef GB_APPLY_TOPIC_DOCUMENTS_H
#define GB_APPLY_TOPIC_DOCUMENTS_H

#include "gibbous/apply.h"

/** No document: there are fewer than were asked for. */
#define GB_NO_DOCUMENT UINT64_MAX

/**
 * For each topic of the first chain the documents with the largest shares of it, and where they speak of it most.  Topics that are united
 * (gb_model_unite_topics()) count as one, at the number of the first; the others, and those that are left out, have no documents.
 *
 * @param docs         in the model's vocabulary; documents without a known word are passed over
 * @param settings     as for gb_infer()
 * @param on_progress  may be NULL
 * @param n_best       documents of each topic, at least 1
 * @param n_passage    tokens of a passage, at least 1
 * @param document     receives n_topics x n_best documents, the largest share first, of equal ones the first; GB_NO_DOCUMENT where there are no more
 * @param share        receives as many shares, as gb_infer() gives them
 * @param passage      receives as many first tokens, counted in the document: of n_passage tokens (or the whole of a shorter document) in which
 *                     the topic has most, by the share of each word's training tokens that are the topic's
 * @return as gb_infer(), and GB_EARGUMENT for a number that is 0
 *
 * Cost: of gb_infer(), in batches.  Memory: n_topics x n_words numbers, and that of gb_infer() for a batch.
 */
gb_status gb_topic_documents(const gb_model *model, const gb_corpus *docs, const gb_settings *settings,
                             gb_on_apply *on_progress, void *user, uint64_t n_best, uint64_t n_passage,
                             uint64_t *document, double *share, uint64_t *passage, gb_error *err);

#endif
