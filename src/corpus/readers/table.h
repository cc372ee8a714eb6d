/* corpus/readers/table.h - rows and cells of CSV, TSV and blank-separated files. */
#ifndef GB_CORPUS_READERS_TABLE_H
#define GB_CORPUS_READERS_TABLE_H

#include "corpus/data/input.h"

typedef enum gb_table_kind { GB_TABLE_CSV, GB_TABLE_TSV, GB_TABLE_BLANKS } gb_table_kind;

typedef struct gb_table_file gb_table_file;

/** By the end of a file's name: .csv, .tsv or .tab, also packed; any other gives `otherwise`. */
gb_table_kind gb_table_kind_of(const char *path, gb_table_kind otherwise);

/** How a table is laid out. */
typedef struct gb_table_form {
    gb_table_kind kind;
    bool has_header;
    const char *separator; /* of the option `separator`; NULL, "" or "auto": CSV finds out, TSV has tabs */
    size_t n_wanted;       /* columns that are asked for, by which CSV finds out */
    const char *const *wanted;
} gb_table_form;

/** @param input  borrowed until gb_table_file_close(), at its first line
 *  @return GB_OK, GB_EARGUMENT (the separator), GB_EFORMAT, GB_EIO or GB_ENOMEM */
gb_status gb_table_file_open(gb_table_file **out, gb_input *input, const gb_table_form *form, gb_error *err);
void gb_table_file_close(gb_table_file *t);

/**
 * Find a column by name, or by number when it is "#3".
 *
 * @param required  a missing column is an error that lists the columns; else it gives SIZE_MAX
 * An empty file has every column.
 */
gb_status gb_table_file_column(gb_table_file *t, const char *name, bool required, size_t *column, gb_error *err);

/** Go on to the next row; every row has as many cells as the first. */
gb_status gb_table_file_next(gb_table_file *t, bool *end, gb_error *err);
/** A cell of the row; valid until the next row. */
gb_view gb_table_file_cell(const gb_table_file *t, size_t column);
/** The same of a column of numbers, where a comma may stand for the decimal point, which is put in its place: between semicolons (1.234,5
 * is 1234.5), and elsewhere if it cannot stand between thousands (1,5).  Valid until the next call.
 * @param is_asked  the values are numbers, and nothing else */
gb_view gb_table_file_number(gb_table_file *t, size_t column, bool is_asked);
/** The line on which the row begins. */
uint64_t gb_table_file_line(const gb_table_file *t);
/** Put file and line of the row before the message of a GB_EFORMAT.  @return `st` */
gb_status gb_table_file_place(const gb_table_file *t, gb_status st, gb_error *err);

/** Numbers with a decimal comma so far, and the first of them. */
typedef struct gb_decimal_commas {
    uint64_t n;
    char first[32];
} gb_decimal_commas;
const gb_decimal_commas *gb_table_file_decimal_commas(const gb_table_file *t);

#endif
