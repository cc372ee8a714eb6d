/* folds/cross_validation.h - the results of a cross-validation. */
#ifndef GB_FOLDS_CROSS_VALIDATION_H
#define GB_FOLDS_CROSS_VALIDATION_H

#include "apply/named_prediction.h"
#include "evaluation/score_table.h"
#include "folds/parts.h"
#include "gibbous/cross_validation.h"

/** Name of a part: "1", "2", ... for folds, "FIELD=VALUE" for groups; owned by the cross-validation. */
const char *gb_cross_validation_part(const gb_cross_validation *validation, uint64_t part);

/** The parts, with what varies in none of their training documents; owned by the cross-validation. */
const gb_held_parts *gb_cross_validation_held_parts(const gb_cross_validation *validation);

/* ---- results: NULL before gb_cross_validation_run(), owned by the cross-validation ---- */

/** Of the documents of all parts together (evaluation/pool.h), with their standard errors. */
const gb_score_table *gb_cross_validation_scores(const gb_cross_validation *validation);
/** The evaluation with these scores; its model is gone. */
const gb_evaluation *gb_cross_validation_evaluation(const gb_cross_validation *validation);
/** That of one part, whose model is gone, too. */
gb_evaluation *gb_cross_validation_part_evaluation(const gb_cross_validation *validation, uint64_t part);
/** Scores of one part. */
const gb_score_table *gb_cross_validation_part_scores(const gb_cross_validation *validation, uint64_t part);
/** The same scores of linear models (gb_linear_fit()), which were trained on the same documents and evaluated on the
 * same parts: sections as the responses of the models; NULL without the option baseline. */
const gb_score_table *gb_cross_validation_linear_scores(const gb_cross_validation *validation);
/** Scores of the linear models of one part; likewise. */
const gb_score_table *gb_cross_validation_part_linear_scores(const gb_cross_validation *validation, uint64_t part);
/** The documents of a part, in the vocabulary of its model. */
const gb_corpus *gb_cross_validation_docs(const gb_cross_validation *validation, uint64_t part);
/** For each of these documents, the number of words that its model does not know. */
const uint64_t *gb_cross_validation_n_unknown(const gb_cross_validation *validation, uint64_t part);
/** The held-out likelihood of these documents; also NULL if it was not asked for. */
const gb_held_out *gb_cross_validation_likelihood(const gb_cross_validation *validation, uint64_t part);
/** What is predicted for these documents. */
const gb_named_prediction *gb_cross_validation_predictions(const gb_cross_validation *validation, uint64_t part);
/** Documents of all parts, and those of none. */
uint64_t gb_cross_validation_n_docs(const gb_cross_validation *validation);
/** Method of the held-out likelihood: "empirical", "left-to-right" or "completion", a constant; NULL if it is not asked for. */
const char *gb_cross_validation_held_out_method(const gb_cross_validation *validation);

#endif
