/* cli/report_table.c - an answer of the library as JSON for the page. */
#include "answer.h"
#include "report_data.h"
#include "report_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 20000 };

/* ---- which rows ------------------------------------------------------------------------------------ */

static int largest_first(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The rows that there is room for: those with NaN, and the heaviest of the others. */
static gb_status choose_rows(const gb_table *t, uint64_t *row, uint64_t *n_chosen, gb_error *err)
{
    const uint64_t n = gb_table_n_rows(t);
    const double *weight = gb_table_weights(t);
    double *sorted = NULL, least = -INFINITY;
    uint64_t n_sorted = 0;
    gb_status st;
    CLI_TRY(cli_alloc(&sorted, n, sizeof *sorted, "the report", err));
    for (uint64_t i = 0; i < n; i++)
        if (!isnan(weight[i]))
            sorted[n_sorted++] = weight[i];
    qsort(sorted, n_sorted, sizeof *sorted, largest_first);
    if (n_sorted > MOST_ROWS)
        least = sorted[MOST_ROWS - 1];
    *n_chosen = 0;
    for (uint64_t i = 0; i < n; i++)
        if (isnan(weight[i]) || weight[i] >= least)
            row[(*n_chosen)++] = i;
done:
    gb_free(sorted);
    return st;
}

/* ---- cells ----------------------------------------------------------------------------------------- */

static json_t *texts_json(const gb_table *t, uint64_t c, uint64_t n, const uint64_t *row)
{
    json_t *levels = json_array(), *codes = json_array(), *known = json_object();
    for (uint64_t i = 0; i < n; i++) {
        char room[CLI_SENTENCE_SIZE];
        const char *text = cli_cell(t, row[i], c, room);
        json_t *code = json_object_get(known, text);
        if (*text == '\0') {
            (void)json_array_append_new(codes, json_null());
            continue;
        }
        if (code == NULL) {
            code = json_integer((json_int_t)json_array_size(levels));
            (void)json_object_set_new(known, text, code);
            (void)json_array_append_new(levels, json_string(text));
        }
        (void)json_array_append(codes, code);
    }
    json_decref(known);
    return json_pack("{s:o, s:o}", "levels", levels, "codes", codes);
}

static json_t *list_json(const gb_table *t, uint64_t c, uint64_t row)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < gb_table_n_texts(t, row, c); i++)
        (void)json_array_append_new(list, json_string(gb_table_text(t, row, c, i)));
    return list;
}

static json_t *cell_json(const gb_table *t, uint64_t c, uint64_t row)
{
    const gb_cell_kind kind = gb_table_column(t, c)->kind;
    if (kind == GB_CELL_LIST)
        return list_json(t, c, row);
    if (kind == GB_CELL_REALS) {
        uint64_t n;
        const double *value = gb_table_numbers(t, row, c, &n);
        return cli_report_reals(n, value, 1, CLI_LONG);
    }
    if (kind == GB_CELL_REAL)
        return cli_report_real(gb_table_reals(t, c)[row], CLI_LONG);
    const uint64_t count = gb_table_counts(t, c)[row];
    return count == GB_NO_COUNT   ? json_null()
           : kind == GB_CELL_FLAG ? json_boolean(count != 0)
                                  : json_integer((json_int_t)count);
}

static json_t *cells_json(const gb_table *t, uint64_t c, uint64_t n, const uint64_t *row)
{
    if (gb_table_column(t, c)->kind == GB_CELL_TEXT)
        return texts_json(t, c, n, row);
    json_t *list = json_array();
    for (uint64_t i = 0; i < n; i++)
        (void)json_array_append_new(list, cell_json(t, c, row[i]));
    return list;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static json_t *column_json(const gb_column *c)
{
    static const char *const kind[] = {"text", "list", "real", "count", "flag", "reals"};
    return json_pack("{s:s, s:s, s:s, s:s, s:s}", "name", c->name, "title", c->title, "kind", kind[c->kind], "unit",
                     c->unit, "help", c->help);
}

static json_t *notes_json(const gb_table *t, bool are_doubts)
{
    json_t *list = json_array();
    gb_note_kind kind;
    char line[CLI_SENTENCE_SIZE];
    for (uint64_t i = 0; cli_note_of(t, i, &kind, line); i++)
        if ((kind == GB_NOTE_DOUBT) == are_doubts)
            (void)json_array_append_new(list, json_string(line));
    return list;
}

gb_status cli_report_table(const gb_table *t, json_t **out, gb_error *err)
{
    uint64_t *row = NULL, n = 0;
    json_t *columns = json_array(), *cells = json_array(), *weights = json_array();
    gb_status st;
    CLI_TRY(cli_alloc(&row, gb_table_n_rows(t), sizeof *row, "the report", err));
    CLI_TRY(choose_rows(t, row, &n, err));
    for (uint64_t c = 0; c < gb_table_n_columns(t); c++) {
        (void)json_array_append_new(columns, column_json(gb_table_column(t, c)));
        (void)json_array_append_new(cells, cells_json(t, c, n, row));
    }
    for (uint64_t i = 0; i < n; i++)
        (void)json_array_append_new(weights, cli_report_real(gb_table_weights(t)[row[i]], CLI_SHORT));
    *out = json_pack("{s:O, s:O, s:O, s:o, s:o, s:I}", "columns", columns, "cells", cells, "weights", weights,
                     "doubts", notes_json(t, true), "remarks", notes_json(t, false), "left_out",
                     (json_int_t)(gb_table_n_rows(t) - n));
done:
    json_decref(columns);
    json_decref(cells);
    json_decref(weights);
    gb_free(row);
    return st;
}

gb_status cli_report_tables(const cli_call *call, const gb_subject *subject, json_t **out, gb_error *err)
{
    json_t *tables = json_object();
    const gb_question *question;
    gb_status st = GB_OK;
    for (uint64_t i = 0; (question = gb_question_at(i)) != NULL; i++) {
        gb_table *answer = NULL;
        json_t *table = NULL;
        if (!gb_question_fits(question, subject) || (question->needs & GB_NEEDS_OPTIONS) != 0)
            continue;
        st = gb_answer(question->name, subject, call->settings, &answer, err);
        if (st == GB_OK)
            st = cli_report_table(answer, &table, err);
        gb_table_free(answer);
        if (st != GB_OK)
            goto done;
        (void)json_object_set_new(tables, question->name, table);
    }
    *out = json_incref(tables);
done:
    json_decref(tables);
    return st;
}
