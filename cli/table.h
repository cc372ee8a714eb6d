/* cli/table.h - rows of results as CSV, TSV or JSON Lines; streamed, nothing is kept. */
#ifndef GB_CLI_TABLE_H
#define GB_CLI_TABLE_H

#include "common.h"

typedef struct cli_table cli_table;

/**
 * @param path    "" or "-" is standard output
 * @param force   overwrite an existing file
 * @param layout  "csv", "tsv" or "jsonl"
 */
gb_status cli_table_open(cli_table **out, const char *path, bool force, const char *layout, gb_error *err);
/** The table that --output, --force and --table describe.  On several ranks all call it: rank 0 has the table, and all have its
 * failure; what the others write goes to their standard output, which nobody sees. */
gb_status cli_table_open_output(cli_table **out, const cli_call *call, gb_error *err);
/** Name the next column; all columns come before the first value. */
gb_status cli_table_column(cli_table *table, const char *prefix, const char *name, gb_error *err);
bool cli_table_has_columns(const cli_table *table);

/* One value per column, in order; after the last one the row ends.  A header row comes before the first value, or with the end
 * of a table without rows (not in JSON Lines): what fails before its first row leaves nothing on standard output.  In TSV, tabs and line breaks inside a
 * text become spaces.  A number that is NaN is an empty cell or null. */
void cli_table_text(cli_table *table, const char *bytes, size_t length);
void cli_table_real(cli_table *table, double value);
/** A number of which differences about as large as `spread` matter: it has some digits more than they need. */
void cli_table_real_within(cli_table *table, double value, double spread);
void cli_table_count(cli_table *table, uint64_t value);
/** Several texts in one cell: joined with ";", with a backslash before each ";" and backslash of their own, or an array in JSON Lines. */
void cli_table_list(cli_table *table, size_t n, const cli_view *item);
/** Several numbers in one cell, likewise; nothing, or null, for one that is NaN. */
void cli_table_reals(cli_table *table, size_t n, const double *value);

/** The file appears under its name.  Frees the table, also on failure. */
gb_status cli_table_commit(cli_table *table, gb_error *err);
/** No file appears; accepts NULL.  Frees the table. */
void cli_table_discard(cli_table *table);

#endif
