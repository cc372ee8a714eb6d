/* model/prevalence.h - topic shares of documents by their metadata: as they are expected with some fields set to given values.
 *
 * A model whose document prior is a regression on metadata keeps the metadata of some training documents.  Fields that are not set are
 * as in these, and shares are averaged over them; so a difference of two settings is an average marginal effect. */
#ifndef GB_MODEL_PREVALENCE_H
#define GB_MODEL_PREVALENCE_H

#include "design/formula.h"
#include "model/model.h"

/** One field set to a value. */
typedef struct gb_set_field {
    size_t field;  /* of gb_formula_coding() */
    double number; /* of a number */
    size_t column; /* of a factor or list: the column of the level; SIZE_MAX: no level that has one */
} gb_set_field;

enum { GB_MOST_SET_FIELDS = 4 };

typedef struct gb_metadata_setting {
    size_t n;
    gb_set_field set[GB_MOST_SET_FIELDS];
} gb_metadata_setting;

/** The formula, or NULL. */
const gb_formula *gb_model_formula(const gb_model *m);
/** Whether a field has a part in fixed or smooth terms: not only in random effects. */
bool gb_model_field_is_fixed(const gb_model *m, size_t field);

/**
 * Expected topic shares under each setting, in each of the first n_draws kept draws.
 *
 * @param share  receives n_draws x n x n_topics numbers; topics that count as one are added up in the first of them
 * @return GB_OK, GB_EFORMAT (a product out of range) or GB_ENOMEM
 */
gb_status gb_model_shares_at(const gb_model *m, size_t n_draws, size_t n, const gb_metadata_setting *setting,
                             size_t n_threads, double *share, gb_error *err);

#endif
