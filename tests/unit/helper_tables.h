/* helper_tables.h - cells of answers, by the names of their columns. */
#ifndef HELPER_TABLES_H
#define HELPER_TABLES_H

#include "helper_documents.h"

#include "gibbous/gibbous.h"

/** The answer to a question with the default options; the test fails if there is none. */
gb_table *answer_to(const char *question, const gb_subject *subject);
/** The same with options, name, value, ..., NULL. */
gb_table *answer_with(const char *question, const gb_subject *subject, ...);

/** Whether there is such a column. */
bool has_column(const gb_table *table, const char *column);
/** A cell; the test fails if there is none of this kind. */
double real_at(const gb_table *table, uint64_t row, const char *column);
uint64_t count_at(const gb_table *table, uint64_t row, const char *column);
const char *text_at(const gb_table *table, uint64_t row, const char *column);
/** The first row from `row` on with this text; the number of rows if there is none. */
uint64_t row_with(const gb_table *table, uint64_t row, const char *column, const char *text);
/** Whether a note contains a text. */
bool says(const gb_table *table, const char *text);

#endif
