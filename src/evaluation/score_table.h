/* evaluation/score_table.h - scores by name, in sections: how gb_score_table is made. */
#ifndef GB_EVALUATION_SCORE_TABLE_H
#define GB_EVALUATION_SCORE_TABLE_H

#include "base/status.h"
#include "gibbous/evaluate.h"

/** One score.  Owned by its table; later versions may add members at the end. */
typedef struct gb_score {
    const char *name;      /* "accuracy", "n_unlabelled", "r2", ...: docs/outputs says what they mean */
    double value;          /* in a cross-validation, of the documents of all parts together; a count is the sum */
    double standard_error; /* in a cross-validation; otherwise NaN */
    bool is_count;
    bool is_error; /* the standard error of another score, within one part: it has no mean over several parts */
} gb_score;

/** Scores in sections: one section for each response, then one named "held_out" for the held-out likelihood. */
typedef struct gb_score_table gb_score_table;

/** Number of sections. */
uint64_t gb_score_table_n_sections(const gb_score_table *table);
/** Name of a section: a field, or "held_out"; owned by the table; NULL if out of range. */
const char *gb_score_table_section(const gb_score_table *table, uint64_t section);
/** Number of scores in a section; scores that do not apply are left out. */
uint64_t gb_score_table_n_scores(const gb_score_table *table, uint64_t section);
/** Score number `index` of a section, from 0; NULL if out of range. */
const gb_score *gb_score_table_at(const gb_score_table *table, uint64_t section, uint64_t index);
/** The score with this name; NULL if there is none. */
const gb_score *gb_score_table_find(const gb_score_table *table, uint64_t section, const char *name);

gb_status gb_score_table_create(gb_score_table **out, gb_error *err);
void gb_score_table_free(gb_score_table *table);

/** Begin a section; the name is copied. */
gb_status gb_score_table_add_section(gb_score_table *table, const char *name, gb_error *err);

/** Add a score to the last section; its name is borrowed.  A score that is NaN does not apply and is not added. */
gb_status gb_score_table_add(gb_score_table *table, gb_score score, gb_error *err);

#endif
