/* run/alone.h - effects of covariates without topics, to stand beside those given topics. */
#ifndef GB_RUN_ALONE_H
#define GB_RUN_ALONE_H

#include "model/model.h"

/**
 * Find them: the responses of the settings, on covariates and an intercept only.
 *
 * @param model     whose outputs and covariates they are; m->n_alone of these, see gb_model_count_alone().  Receives them; numbers of
 *                  effects that cannot be had are NaN
 * @param settings  those of a training
 * @param goes_on   asked between sweeps; if it says no, there are none.  NULL: nobody is asked
 * @return GB_OK, GB_ENOMEM or GB_EIO
 */
gb_status gb_find_alone(gb_model *model, const gb_corpus *corpus, const gb_settings *settings,
                        bool (*goes_on)(void *), void *user, gb_error *err);

#endif
