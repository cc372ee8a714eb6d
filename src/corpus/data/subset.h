/* corpus/data/subset.h - a corpus cut in two: documents to train on, and documents held out. */
#ifndef GB_CORPUS_DATA_SUBSET_H
#define GB_CORPUS_DATA_SUBSET_H

#include "corpus/data/corpus.h"

#include <stdbool.h>

/**
 * Cut a corpus in two; documents keep their order.
 *
 * Both parts have the words that the training documents have: what only others have is unknown, as in new documents.  Both
 * have all classes, levels and groups of the whole, under its numbers, also those that none of their documents has.
 *
 * @param is_held_out  n_docs
 * @param is_left_out  n_labels: label fields, factors and groups that the parts do not get; NULL: they get all
 * @param training     receives the rest, free it with gb_corpus_free()
 * @param held_out     receives the documents held out, free it with gb_corpus_free()
 * @param n_unknown    receives the number of unknown words of each of them, free it with gb_free()
 * @return GB_OK or GB_ENOMEM; of an outline as gb_shards_read(); on failure nothing is received
 */
gb_status gb_corpus_split(const gb_corpus *whole, const bool *is_held_out, const bool *is_left_out,
                          gb_corpus **training, gb_corpus **held_out, uint64_t **n_unknown, gb_error *err);

/** Some documents of a corpus that has its tokens, in their order, with all words and classes.
 * @param out  receives them, free it with gb_corpus_free()  @return GB_OK or GB_ENOMEM; on failure nothing is received */
gb_status gb_corpus_pick(const gb_corpus *whole, const bool *is_picked, gb_corpus **out, gb_error *err);

/** The folds of a cross-validation: documents in a random order that the seed names, dealt out in turn.
 *
 * @param fold  receives n_docs numbers below n_folds; sizes differ by one at most */
gb_status gb_corpus_deal_folds(uint64_t n_docs, size_t n_folds, uint64_t seed, uint32_t *fold, gb_error *err);

#endif
