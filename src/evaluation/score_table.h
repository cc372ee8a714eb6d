/* evaluation/score_table.h - scores by name, in sections: how gb_score_table is made. */
#ifndef GB_EVALUATION_SCORE_TABLE_H
#define GB_EVALUATION_SCORE_TABLE_H

#include "base/status.h"
#include "gibbous/evaluate.h"

gb_status gb_score_table_create(gb_score_table **out, gb_error *err);
void gb_score_table_free(gb_score_table *table);

/** Begin a section; the name is copied. */
gb_status gb_score_table_add_section(gb_score_table *table, const char *name, gb_error *err);

/** Add a score to the last section; its name is borrowed.  A score that is NaN does not apply and is not added. */
gb_status gb_score_table_add(gb_score_table *table, gb_score score, gb_error *err);

#endif
