/* folds/fold_by.h - which documents are in one fold: the option fold-by. */
#ifndef GB_FOLDS_FOLD_BY_H
#define GB_FOLDS_FOLD_BY_H

#include "corpus/data/corpus.h"
#include "options/settings.h"

typedef enum gb_fold_kind {
    GB_FOLDS_RANDOM,
    GB_FOLDS_LABEL, /* every fold has about the same share of each class, or the same distribution of a number */
    GB_FOLDS_GROUP, /* documents with the same value are in the same fold */
    GB_FOLDS_TIME   /* consecutive times; a training sees only earlier ones */
} gb_fold_kind;

typedef struct gb_fold_by {
    gb_fold_kind kind;
    const char *field; /* points into the option's text; "": none is named */
} gb_fold_by;

/** Read the option; auto is random. */
gb_status gb_fold_by_read(const gb_settings *settings, gb_fold_by *out, gb_error *err);

/** True if documents have a field to predict with one class or a number, by which folds can be made alike. */
bool gb_can_stratify(const gb_corpus *corpus);

/**
 * Deal the documents out.
 *
 * @param n_folds  from 2 to n_docs
 * @param fold     receives n_docs numbers below n_folds; by time up to n_folds, in the order of time: no document of fold 0 is held out
 */
gb_status gb_deal_documents(const gb_corpus *corpus, const gb_fold_by *by, size_t n_folds, uint64_t seed,
                            uint32_t *fold, gb_error *err);

/** Number groups of documents with the same value, from 0; a document without one is a group of its own.
 *
 * @param group  receives n_docs numbers */
gb_status gb_number_groups(const gb_corpus *corpus, const gb_fold_by *by, uint64_t *group, gb_error *err);

#endif
