/* answer/verdict.h - sentences of the verdict beside what they are about. */
#ifndef GB_ANSWER_VERDICT_H
#define GB_ANSWER_VERDICT_H

#include "answer/table.h"

/** Say which topics of a model other chains have, or that there are none to compare.  @return GB_OK or GB_ENOMEM */
gb_status gb_note_recurrence(gb_table *table, const gb_model *model, gb_error *err);
/** Say of how many topics chains agree on the effect, if there are several chains.  @return GB_OK or GB_ENOMEM */
gb_status gb_note_agreement(gb_table *table, const gb_model *model, gb_error *err);

#endif
