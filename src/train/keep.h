/* train/keep.h - keep the state of a chain as a posterior draw. */
#ifndef GB_TRAIN_KEEP_H
#define GB_TRAIN_KEEP_H

#include "chain/chain.h"
#include "model/model.h"

/** Make draw `i` of the model from the chain's state.  Different draws may be made at the same time.
 * @param first_output  of the model: the chain's first one */
gb_status gb_keep_draw(gb_model *model, size_t i, const gb_chain *chain, size_t first_output, double log_joint,
                       gb_error *err);

#endif
