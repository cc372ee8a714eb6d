/* answer/doubt.h - what must not be believed of posteriors, and which draws they are from. */
#ifndef GB_ANSWER_DOUBT_H
#define GB_ANSWER_DOUBT_H

#include "answer/table.h"

/** Why the intervals of a model's effects are too narrow, with options in backquotes; "" if they are not.
 * @param out  receives a constant  @return GB_OK or GB_ENOMEM */
gb_status gb_find_doubt(const gb_model *model, const char **out, gb_error *err);

/** Say that quantiles are rough, if they are of few draws. */
void gb_note_few_draws(gb_table *table, uint64_t n_draws);
/** Say that topics of groups are from the first chain, if there are others.  @param rest  what is from all chains; NULL: nothing */
void gb_note_first_chain(gb_table *table, const gb_model *model, const char *rest);
/** Say which groups have no training document, if there are such. */
void gb_note_empty_groups(gb_table *table, const gb_model *model);
/** Say whether intervals of groups take documents as independent, and which groups have none. */
void gb_note_clusters(gb_table *table, const gb_model *model);
/** Say what effects on other documents are, and where their intervals do not hold. */
void gb_note_estimate(gb_table *table, const gb_model *trained, const gb_estimate *estimate);

#endif
