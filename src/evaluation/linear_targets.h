/* evaluation/linear_targets.h - a response as numbers and yes-no questions for linear models.
 *
 *   number           one regression, on y - mean of y
 *   binary           one question: is it the positive class?
 *   several classes  one for each class: is it that class (one label), or is it among them (several)?
 *   levels           one for each boundary between two levels: is it above? */
#ifndef GB_EVALUATION_LINEAR_TARGETS_H
#define GB_EVALUATION_LINEAR_TARGETS_H

#include "corpus/data/corpus.h"
#include "plan/target.h"

/** What training documents have in the field of a response. */
typedef struct gb_linear_targets {
    const gb_target *target;
    const gb_labels *labels;   /* NULL for a number */
    const gb_numbers *numbers; /* NULL for classes */
    uint32_t *class_at;        /* class of the corpus -> class of the target, or GB_NO_CLASS */
    uint64_t n_docs, *doc;     /* documents with a value */
    double centre;             /* mean of their numbers; 0 for classes */
} gb_linear_targets;

/** Questions or regressions of a response. */
size_t gb_linear_n_problems(const gb_target *target);

/** Whether the documents have the field of the response. */
bool gb_linear_has_field(const gb_corpus *docs, const gb_target *target);

/** @param docs  has the field
 * @param out   receives the targets, clear it with gb_linear_targets_clear(); untouched on failure
 * @return GB_OK, GB_EFORMAT (no document has a value) or GB_ENOMEM */
gb_status gb_linear_targets_find(const gb_corpus *docs, const gb_target *target, gb_linear_targets *out,
                                 gb_error *err);
void gb_linear_targets_clear(gb_linear_targets *targets);

/** The class of a document with a value, of a response with one class per document. */
uint32_t gb_linear_class(const gb_linear_targets *targets, uint64_t doc);
/** Whether a document with a value has a class among others. */
bool gb_linear_has_class(const gb_linear_targets *targets, uint64_t doc, size_t class);
/** -1 or 1, the answer of a document with a value; of a number, its distance from the mean. */
double gb_linear_value(const gb_linear_targets *targets, size_t problem, uint64_t doc);

/** The class that the scores of all problems speak for, of a response with one class per document. */
uint64_t gb_linear_decide(const gb_target *target, const double *score);

#endif
