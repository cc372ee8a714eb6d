/* evaluation/pool.h - predictions of several models, each of other documents, scored together.
 *
 * A score such as macro F1, R2 or the area under a curve is no mean over documents, and not over folds either: a fold may lack a class.
 * So the documents of all parts are scored as if one model had predicted them.  The standard error of a score is its standard
 * deviation over samples of the documents with replacement (Efron and Tibshirani 1993, An Introduction to the Bootstrap), or of the
 * groups that documents are held out in.  Settings that are scored on the same units with the same seed are scored on the same samples,
 * so that differences are paired. */
#ifndef GB_EVALUATION_POOL_H
#define GB_EVALUATION_POOL_H

#include "evaluation/evaluation.h"

enum { GB_N_SAMPLES = 200 };

/** The unit of a row that is left out. */
#define GB_NO_UNIT UINT64_MAX

/** Starts zeroed. */
typedef struct gb_pooled {
    gb_evaluation *all;     /* of all documents */
    gb_score_table *scores; /* with standard errors; those within one part are left out if there are several */
    gb_score_table *sample[GB_N_SAMPLES]; /* NULL if there are less than two units */
} gb_pooled;

/**
 * Score the documents of several evaluations together.
 *
 * @param part     n_parts with gb_evaluation_keep(), of the same responses with the same classes
 * @param unit     n_parts: of each row of a part, what is drawn together, below n_units; GB_NO_UNIT: nothing
 * @param out      clear it with gb_pooled_clear(), also on failure
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_pool_evaluations(size_t n_parts, gb_evaluation *const *part, uint64_t *const *unit, uint64_t n_units,
                              uint64_t seed, gb_pooled *out, gb_error *err);
void gb_pooled_clear(gb_pooled *pooled);

/** Standard error of the difference of a score between two, on the same samples; NaN if it is not known. */
double gb_pooled_difference_error(const gb_pooled *a, const gb_pooled *b, uint64_t section, const char *score);

/** Whether two are of the same responses with as many classes. */
bool gb_evaluations_are_alike(const gb_evaluation *a, const gb_evaluation *b);

/** What is kept of an evaluation.  NULL when memory runs out. */
json_t *gb_evaluation_to_json(const gb_evaluation *evaluation);
/** An evaluation for gb_pool_evaluations(); nothing in the object is trusted.
 * @param n_docs  all rows are below @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_evaluation_from_json(const json_t *object, uint64_t n_docs, gb_evaluation **out, gb_error *err);

#endif
