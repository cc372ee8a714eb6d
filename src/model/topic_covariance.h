/* model/topic_covariance.h - which topics go together by the covariance of the document prior. */
#ifndef GB_MODEL_TOPIC_COVARIANCE_H
#define GB_MODEL_TOPIC_COVARIANCE_H

#include "gibbous/effects.h"

/** True if the model has a covariance of topics: a document prior with a full covariance (option `covariance`). */
bool gb_model_has_topic_covariance(const gb_model *model);

/**
 * Correlations of topics by the covariance that the document prior has learnt.
 *
 * @param out  receives n_topics x n_topics posteriors, symmetric, from the draws of the first chain; n_unused counts the draws of others
 * @return GB_OK, GB_EARGUMENT (gb_model_has_topic_covariance() is false) or GB_ENOMEM
 *
 * They are correlations of log theta_k - mean over j of log theta_j, the logarithm of a document's share relative to its other shares, between
 * documents of a group (or between all, without groups).  So they do not depend on which topic the covariance is relative to.
 * Each row of the covariances adds up to 0: topics that have nothing to do with each other and vary alike have -1 / (n_topics - 1).
 */
gb_status gb_model_topic_correlations(const gb_model *model, gb_effect *out, gb_error *err);

#endif
