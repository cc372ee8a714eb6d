/* cli/answer.c - answers of the library as tables, and how the command shows them. */
#include "answer.h"

#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 64, FEW_ROWS = 3 };

const char *cli_cell(const gb_table *t, uint64_t row, uint64_t column, char room[static CLI_SENTENCE_SIZE])
{
    const char *text = gb_table_text(t, row, column, 0);
    if (gb_table_column(t, column)->place != GB_PLACE_SENTENCE)
        return text;
    (void)snprintf(room, CLI_SENTENCE_SIZE / 2, "%s", text); /* room for dashes */
    return cli_add_dashes(room);
}

bool cli_note_of(const gb_table *t, uint64_t index, gb_note_kind *kind, char room[static CLI_SENTENCE_SIZE])
{
    const char *note = gb_table_note(t, index, kind);
    (void)snprintf(room, CLI_SENTENCE_SIZE / 2, "%s", note == NULL ? "" : note);
    (void)cli_add_dashes(room);
    return note != NULL;
}

/* ---- as a table ------------------------------------------------------------------------------------ */

static gb_status write_list(cli_table *table, const gb_table *t, uint64_t row, uint64_t column, gb_error *err)
{
    cli_view *item = NULL;
    const uint64_t n = gb_table_n_texts(t, row, column);
    const gb_status st = cli_alloc(&item, n, sizeof *item, "a table", err);
    for (uint64_t i = 0; i < n && st == GB_OK; i++) {
        const char *text = gb_table_text(t, row, column, i);
        item[i] = (cli_view){text, strlen(text)};
    }
    if (st == GB_OK)
        cli_table_list(table, n, item);
    gb_free(item);
    return st;
}

static void write_numbers(cli_table *table, const gb_table *t, uint64_t row, uint64_t column)
{
    uint64_t n;
    const double *value = gb_table_numbers(t, row, column, &n);
    cli_table_reals(table, n, value);
}

static void write_text(cli_table *table, const gb_table *t, uint64_t row, uint64_t column)
{
    char room[CLI_SENTENCE_SIZE];
    const char *text = cli_cell(t, row, column, room);
    cli_table_text(table, text, strlen(text));
}

/* What is looked at for every cell of a column.  Rows are written one after the other, but columns lie far apart: numbers of some rows are
 * fetched at a time. */
enum { ROWS_AT_A_TIME = 8 };

typedef struct cells {
    gb_cell_kind kind;
    const double *real, *spread; /* NULL: they have none */
    const uint64_t *count;
    double fetched[ROWS_AT_A_TIME]; /* of `real` */
} cells;

/* The column "sd" beside others says what differences matter in them: that of "genre.mean" is "genre.sd". */
static void find_spreads(const gb_table *t, cells *out)
{
    const uint64_t n = gb_table_n_columns(t);
    for (uint64_t c = 0; c < n; c++) {
        const char *name = gb_table_column(t, c)->name, *dot = strrchr(name, '.');
        const size_t start = dot == NULL ? 0 : (size_t)(dot + 1 - name);
        for (uint64_t i = 0; i < n && strcmp(name + start, "sd") == 0; i++)
            if (i != c && strncmp(gb_table_column(t, i)->name, name, start) == 0)
                out[i].spread = out[c].real;
    }
}

static gb_status find_cells(const gb_table *t, cells **out, gb_error *err)
{
    const gb_status st = cli_alloc(out, gb_table_n_columns(t), sizeof **out, "a table", err);
    for (uint64_t c = 0; c < gb_table_n_columns(t) && st == GB_OK; c++)
        (*out)[c] = (cells){
            .kind = gb_table_column(t, c)->kind, .real = gb_table_reals(t, c), .count = gb_table_counts(t, c)};
    if (st == GB_OK)
        find_spreads(t, *out);
    return st;
}

static gb_status write_cell(cli_table *table, const gb_table *t, uint64_t row, uint64_t column, const cells *of,
                            gb_error *err)
{
    switch (of->kind) {
    case GB_CELL_TEXT:
        write_text(table, t, row, column);
        break;
    case GB_CELL_LIST:
        return write_list(table, t, row, column, err);
    case GB_CELL_REALS:
        write_numbers(table, t, row, column);
        break;
    case GB_CELL_REAL:
        cli_table_real_within(table, of->fetched[row % ROWS_AT_A_TIME], of->spread == NULL ? NAN : of->spread[row]);
        break;
    case GB_CELL_COUNT:
    case GB_CELL_FLAG:
        if (of->count[row] == GB_NO_COUNT)
            cli_table_real(table, NAN);
        else
            cli_table_count(table, of->count[row]);
        break;
    }
    return GB_OK;
}

static void fetch(cells *of, uint64_t n_columns, uint64_t row, uint64_t n_rows)
{
    const uint64_t n = n_rows - row < ROWS_AT_A_TIME ? n_rows - row : ROWS_AT_A_TIME;
    for (uint64_t c = 0; c < n_columns; c++)
        if (of[c].real != NULL)
            memcpy(of[c].fetched, of[c].real + row, n * sizeof of[c].fetched[0]);
}

gb_status cli_write_answer(cli_table *table, const gb_table *t, gb_error *err)
{
    cells *of = NULL;
    gb_status st;
    const uint64_t n_rows = gb_table_n_rows(t), n_columns = gb_table_n_columns(t);
    const bool is_first = !cli_table_has_columns(table);
    for (uint64_t c = 0; is_first && c < n_columns; c++)
        CLI_TRY(cli_table_column(table, "", gb_table_column(t, c)->name, err));
    CLI_TRY(find_cells(t, &of, err));
    for (uint64_t row = 0; row < n_rows; row++) {
        if (row % ROWS_AT_A_TIME == 0)
            fetch(of, n_columns, row, n_rows);
        for (uint64_t c = 0; c < n_columns; c++)
            CLI_TRY(write_cell(table, t, row, c, &of[c], err));
    }
done:
    gb_free(of);
    return st;
}

/* ---- asking ---------------------------------------------------------------------------------------- */

void cli_note_answer(const cli_call *call, const gb_table *t, bool all)
{
    gb_note_kind kind;
    char line[CLI_SENTENCE_SIZE];
    for (uint64_t i = 0; cli_note_of(t, i, &kind, line); i++)
        if (kind == GB_NOTE_REMARK || all)
            cli_note(call, "%s", line);
}

gb_status cli_ask_rows(const cli_call *call, cli_table *table, const char *question, const gb_subject *subject,
                       gb_error *err)
{
    gb_table *rows = NULL;
    gb_status st = GB_OK;
    if (table == NULL)
        return st;
    CLI_TRY(gb_answer(question, subject, call->settings, &rows, err));
    st = cli_write_answer(table, rows, err);
done:
    gb_table_free(rows);
    return st;
}

gb_status cli_write_table(const cli_call *call, const gb_table *t, gb_error *err)
{
    cli_table *table = NULL;
    gb_status st;
    CLI_TRY(cli_table_open_output(&table, call, err));
    CLI_TRY(cli_write_answer(table, t, err));
    st = cli_table_commit(table, err);
    table = NULL;
done:
    cli_table_discard(table);
    return st;
}

/* Of rows that share a value shown once, few say enough. */
static uint64_t n_rows_of(const cli_call *call, const gb_table *t)
{
    uint64_t n_once = 0;
    for (uint64_t c = 0; c < gb_table_n_columns(t); c++)
        n_once += gb_table_column(t, c)->place == GB_PLACE_ONCE;
    return cli_is_set(call, "rows") || n_once == 0 ? (uint64_t)cli_int(call, "rows") : FEW_ROWS;
}

static gb_status print_answers(const cli_call *call, size_t n, gb_table *const *t, gb_error *err)
{
    gb_out_file *output = NULL;
    FILE *stream = NULL;
    gb_status st;
    CLI_TRY(gb_out_file_open(&output, cli_text(call, "output"), cli_flag(call, "force"), err));
    CLI_TRY(cli_clean_stream(gb_out_file_stream(output), &stream, err));
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            (void)fputc('\n', stream);
        CLI_TRY(cli_print_answer(stream, t[i], n_rows_of(call, t[i]), err));
    }
    (void)fclose(stream);
    stream = NULL;
    st = gb_out_file_commit(output, err);
    output = NULL;
done:
    if (stream != NULL)
        (void)fclose(stream);
    gb_out_file_discard(output);
    return st;
}

gb_status cli_show_answers(const cli_call *call, size_t n, gb_table *const *answer, gb_error *err)
{
    uint64_t n_rows = 0;
    const bool is_table = cli_is_set(call, "table");
    gb_status st;
    CLI_TRY(is_table ? cli_write_table(call, answer[0], err) : print_answers(call, n, answer, err));
    for (size_t i = 0; i < n; i++) {
        cli_note_answer(call, answer[i], is_table);
        n_rows += gb_table_n_rows(answer[i]);
    }
    if (!cli_to_stdout(cli_text(call, "output")))
        cli_note(call, "wrote %s (%" PRIu64 " row%s)", cli_text(call, "output"), n_rows, cli_plural(n_rows));
done:
    return st;
}

gb_status cli_show_answers_to(const cli_call *call, size_t n, const char *const *question, const gb_subject *subject,
                              gb_error *err)
{
    gb_table *answer[CLI_MOST_ANSWERS] = {NULL};
    gb_status st = GB_OK;
    for (size_t i = 0; i < n && i < CLI_MOST_ANSWERS; i++)
        CLI_TRY(gb_answer(question[i], subject, call->settings, &answer[i], err));
    CLI_TRY(cli_show_answers(call, n, answer, err));
done:
    for (size_t i = 0; i < CLI_MOST_ANSWERS; i++)
        gb_table_free(answer[i]);
    return st;
}
