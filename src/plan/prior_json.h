/* plan/prior_json.h - the setup of a document prior as JSON, for model files and fingerprints. */
#ifndef GB_PLAN_PRIOR_JSON_H
#define GB_PLAN_PRIOR_JSON_H

#include "prior/prior.h"

#include <jansson.h>

/** An object with the prior's notes, null for a prior that keeps nothing; NULL when memory runs out. */
json_t *gb_prior_setup_to_json(const gb_prior_setup *setup);
/** @param object  nothing in it is trusted; may be NULL, or JSON's null
 * @return GB_OK, GB_EFORMAT or GB_ENOMEM */
gb_status gb_prior_setup_from_json(const gb_prior_ops *ops, size_t n_topics, const json_t *object,
                                   gb_prior_setup *out, gb_error *err);

#endif
