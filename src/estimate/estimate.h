/* estimate/estimate.h - the parts of an estimate. */
#ifndef GB_ESTIMATE_ESTIMATE_H
#define GB_ESTIMATE_ESTIMATE_H

#include "estimate/shares.h"
#include "gibbous/estimate.h"
#include "model/model.h"

/** Variance of the topics' coefficients: InvGamma(shape, scale).  It is worth one coefficient of size 3, and draws effects towards 0
 * less than the prior of a training: this one is for intervals, that one for predictions. */
#define GB_ESTIMATE_VARIANCE_SHAPE 0.5
#define GB_ESTIMATE_VARIANCE_SCALE 5.0

/** How many draws there are of what. */
typedef struct gb_estimate_plan {
    size_t n_chains;  /* of the model */
    uint64_t n_draws; /* of the parameters, of each chain */
} gb_estimate_plan;

/**
 * The settings of the regressions, as those of a two-stage training: topics are given, coefficients are drawn.
 *
 * @param user  the caller's: seed and threads
 * @param out   receives the settings, free them with gb_settings_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (no field to explain) or GB_ENOMEM
 */
gb_status gb_estimate_settings(const gb_model *model, const gb_corpus *docs, const gb_settings *user,
                               const gb_estimate_plan *plan, gb_settings **out, gb_error *err);

/** What an estimate on documents that are held out of a training would fail of, as far as they tell, before there is a model.
 *
 * @param training  the settings of the training
 * @return GB_OK, GB_EFORMAT (no words; a field to explain has no value, or only one), GB_EARGUMENT or GB_ENOMEM */
gb_status gb_estimate_foresee(const gb_corpus *docs, const gb_settings *training, gb_error *err);

/** gb_estimate_create() on all these documents, whatever the training has seen. */
gb_status gb_estimate_on(const gb_model *model, const gb_corpus *docs, const gb_settings *settings,
                         gb_on_apply *on_progress, void *user, gb_estimate **out, gb_error *err);

/** Whether labels of the training had a part in its topics: not without a response, nor in a two-stage training.  @return GB_OK or GB_ENOMEM */
gb_status gb_model_find_shaping(const gb_model *model, bool *labels_shaped_topics, gb_error *err);

/** The documents that have not the words of a training document whose label has shaped the topics.
 * @param out  receives them, free it with gb_corpus_free(); NULL if none has
 * @return GB_OK, GB_EARGUMENT (all have that have words) or GB_ENOMEM */
gb_status gb_estimate_leave_out_seen(const gb_model *model, const gb_corpus *docs, gb_corpus **out, gb_error *err);

/** The variance of words is InvGamma(1, this), if it is sampled. */
double gb_estimate_word_scale(const gb_estimate *estimate);
/** Whether topics were drawn given labels as well as words. */
bool gb_estimate_uses_labels(const gb_estimate *estimate);

/* ---- reliability ---- */

/** Sums over documents. */
typedef struct gb_share_reliability {
    size_t n_topics, n_samples; /* n_samples: snapshots that were added */
    double *covariance; /* n_topics: of the mean shares in the two halves of the draws, added up over snapshots */
    double *variance;   /* n_topics: of the share in one draw, likewise */
    double *sum;        /* scratch: 5 x n_topics */
    uint32_t *count;    /* scratch: n_topics */
} gb_share_reliability;

/** @param out  clear it with gb_share_reliability_clear(), also on failure */
gb_status gb_share_reliability_create(gb_share_reliability *out, size_t n_topics, gb_error *err);
void gb_share_reliability_clear(gb_share_reliability *r);
/** Add the draws under the last snapshot. */
void gb_share_reliability_add(gb_share_reliability *r, const gb_estimate_shares *shares);
/** Of one draw of a topic's shares; NaN if its share does not vary. */
double gb_share_reliability_of(const gb_share_reliability *r, size_t topic);

/** Documents that were left out, since the training has documents with the same words. */
uint64_t gb_estimate_n_seen(const gb_estimate *estimate);

#endif
