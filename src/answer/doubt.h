/* answer/doubt.h - what must not be believed of posteriors, and which draws they are from. */
#ifndef GB_ANSWER_DOUBT_H
#define GB_ANSWER_DOUBT_H

#include "answer/table.h"

/** Effects in a training whose intervals hold. */
typedef struct gb_known_effects {
    bool of_topics; /* else labels have shaped the topics, or the posterior is none */
    bool of_others; /* covariates, words, parameters: else the posterior is none */
} gb_known_effects;

/** Find them, and say what the others are.  @return GB_OK or GB_ENOMEM */
gb_status gb_note_training(gb_table *table, const gb_model *model, gb_known_effects *known, gb_error *err);

/** Say that quantiles are rough, if they are of few draws. */
void gb_note_few_draws(gb_table *table, uint64_t n_draws);
/** Say that topics of groups are from the first chain, if there are others.  @param rest  what is from all chains; NULL: nothing */
void gb_note_first_chain(gb_table *table, const gb_model *model, const char *rest);
/** Say which groups have no training document, if there are such. */
void gb_note_empty_groups(gb_table *table, const gb_model *model);
/** Say that intervals are those of independent documents, and which of them the model knows to belong together. */
void gb_note_independent(gb_table *table, const gb_model *model);
/** Say whether intervals of groups take documents as independent, and which groups have none. */
void gb_note_clusters(gb_table *table, const gb_model *model);
/** Say what effects on other documents are, and where their intervals do not hold. */
void gb_note_estimate(gb_table *table, const gb_model *trained, const gb_estimate *estimate);

#endif
