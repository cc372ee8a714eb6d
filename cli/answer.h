/* cli/answer.h - answers of the library (gibbous/answer.h), printed: as aligned text, or as the table of --table. */
#ifndef GB_CLI_ANSWER_H
#define GB_CLI_ANSWER_H

#include "common.h"
#include "table.h"

enum { CLI_ALL_ROWS = 0, CLI_MOST_ANSWERS = 4, CLI_SENTENCE_SIZE = 4000 };

/** The text of a cell, in a column of sentences with the options as the user types them, in `room`. */
const char *cli_cell(const gb_table *answer, uint64_t row, uint64_t column, char room[static CLI_SENTENCE_SIZE]);
/** A note likewise.  @return false if there is none of this number */
bool cli_note_of(const gb_table *answer, uint64_t index, gb_note_kind *kind, char room[static CLI_SENTENCE_SIZE]);

/** As aligned text: what must not be believed, the rows under their headings, what they say together.
 * @param n_rows  of each heading those that say most; CLI_ALL_ROWS: all, in the order of the table */
gb_status cli_print_answer(FILE *stream, const gb_table *answer, uint64_t n_rows, gb_error *err);
/** Likewise, of 1 to CLI_MOST_ANSWERS: rows of the others stand below those of the first that have the same heading, in the same order, and
 * their notes are not shown. */
gb_status cli_print_answers(FILE *stream, size_t n, const gb_table *const *answer, uint64_t n_rows, gb_error *err);

/** As rows of a table that is open; the first answer names its columns, which others must have, too. */
gb_status cli_write_answer(cli_table *table, const gb_table *answer, gb_error *err);
/** Ask, and write the answer likewise; nothing if the table is NULL. */
gb_status cli_ask_rows(const cli_call *call, cli_table *table, const char *question, const gb_subject *subject,
                       gb_error *err);
/** As the table that --table, --output and --force describe. */
gb_status cli_write_table(const cli_call *call, const gb_table *answer, gb_error *err);

/** The number of a column; that of all columns if there is none of this name, of which the table has no cells. */
uint64_t cli_find_column(const gb_table *answer, const char *name);
/** The cells of a row as an object, from the column named `first` on, NULL: all of them; NULL when memory runs out. */
json_t *cli_row_to_json(const gb_table *answer, uint64_t row, const char *first);

/** Answers as one object on standard output: by the name of each question its rows, and the notes of all. */
gb_status cli_print_json_answers(size_t n, const char *const *question, gb_table *const *answer, gb_error *err);

/** The remarks as notes; with `all`, what text says before and below the rows as well. */
void cli_note_answer(const cli_call *call, const gb_table *answer, bool all);

/** Print some answers to --output, one after the other: with --table the only one as a table, else as text, of each at most --rows rows; then
 * the remarks, and how much was written. */
gb_status cli_show_answers(const cli_call *call, size_t n, gb_table *const *answer, gb_error *err);
/** Ask some questions of one subject and show the answers. */
gb_status cli_show_answers_to(const cli_call *call, size_t n, const char *const *question, const gb_subject *subject,
                              gb_error *err);

#endif
