/* folds/pilot.h - the cost of the labels, found on documents held out. */
#ifndef GB_FOLDS_PILOT_H
#define GB_FOLDS_PILOT_H

#include "plan/spec.h"

/** True if gb_train() would find the cost by trials. */
bool gb_train_has_trials(const gb_corpus *corpus, const gb_spec *spec, const gb_settings *settings);

#endif
