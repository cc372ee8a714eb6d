/* answer/table.h - the table that a question fills.
 *
 * Functions that fill it return nothing: what fails for want of memory is remembered, and gb_table_end() says so. */
#ifndef GB_ANSWER_TABLE_H
#define GB_ANSWER_TABLE_H

#include "base/memory.h"
#include "gibbous/answer.h"

/** An empty table. */
gb_status gb_table_create(gb_table **out, gb_error *err);

/** Add a column; its texts are copied.  All columns come before the first row.  @return its number */
size_t gb_table_add(gb_table *table, const gb_column *column);

/** Add n columns.  Those of which `is_used` is false are left out, and cells put into them are dropped; NULL: all are used.
 * Cells are put by the numbers that the columns have here. */
void gb_table_add_all(gb_table *table, size_t n, const gb_column *column, const bool *is_used);

/** Begin a row, in which all cells are missing.  @param weight  see gb_table_weights() */
void gb_table_begin_row(gb_table *table, double weight);

/* Fill a cell of the last row.  Another kind of cell than the column has is a mistake of the caller. */
void gb_put_text(gb_table *table, size_t column, const char *text);
/** A text without a NUL after it; to a list it is added. */
void gb_put_bytes(gb_table *table, size_t column, const char *bytes, size_t length);
/** Add a text to a list. */
void gb_put_item(gb_table *table, size_t column, const char *text);
void gb_put_real(gb_table *table, size_t column, double value);    /* that is not finite: missing */
void gb_put_count(gb_table *table, size_t column, uint64_t value); /* or a flag */
void gb_put_numbers(gb_table *table, size_t column, uint64_t n, const double *value);

/** Columns that are shown in aligned text after all. */
void gb_table_show(gb_table *table, size_t column);

/** Add a note, printf() format. */
void gb_table_add_note(gb_table *table, gb_note_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** The column of that name; SIZE_MAX: there is none. */
size_t gb_table_find(const gb_table *table, const char *name);

/** Something that belongs in it could not be found for want of memory. */
void gb_table_lose(gb_table *table);
/** @return GB_OK, or GB_ENOMEM if something was lost */
gb_status gb_table_end(const gb_table *table, gb_error *err);

#endif
