/* cli/answer_json.c - answers of the library as JSON: an object for each row. */
#include "answer.h"
#include "json.h"

#include <math.h>
#include <string.h>

uint64_t cli_find_column(const gb_table *t, const char *name)
{
    uint64_t c = 0;
    while (c < gb_table_n_columns(t) && strcmp(gb_table_column(t, c)->name, name) != 0)
        c++;
    return c;
}

static json_t *list_to_json(const gb_table *t, uint64_t row, uint64_t column)
{
    json_t *list = json_array();
    for (uint64_t i = 0; i < gb_table_n_texts(t, row, column); i++)
        (void)json_array_append_new(list, json_string(gb_table_text(t, row, column, i)));
    return list;
}

static json_t *real_to_json(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *numbers_to_json(const gb_table *t, uint64_t row, uint64_t column)
{
    uint64_t n;
    const double *value = gb_table_numbers(t, row, column, &n);
    json_t *list = json_array();
    for (uint64_t i = 0; i < n; i++)
        (void)json_array_append_new(list, real_to_json(value[i]));
    return list;
}

static json_t *cell_to_json(const gb_table *t, uint64_t row, uint64_t column)
{
    char room[CLI_SENTENCE_SIZE];
    const gb_cell_kind kind = gb_table_column(t, column)->kind;
    if (kind == GB_CELL_LIST)
        return list_to_json(t, row, column);
    if (kind == GB_CELL_TEXT)
        return gb_table_n_texts(t, row, column) == 0 ? json_null() : json_string(cli_cell(t, row, column, room));
    if (kind == GB_CELL_REAL)
        return real_to_json(gb_table_reals(t, column)[row]);
    if (kind == GB_CELL_REALS)
        return numbers_to_json(t, row, column);
    const uint64_t count = gb_table_counts(t, column)[row];
    return count == GB_NO_COUNT   ? json_null()
           : kind == GB_CELL_FLAG ? json_boolean(count != 0)
                                  : json_integer((json_int_t)count);
}

json_t *cli_row_to_json(const gb_table *t, uint64_t row, const char *first)
{
    json_t *object = json_object();
    for (uint64_t c = first == NULL ? 0 : cli_find_column(t, first); c < gb_table_n_columns(t); c++)
        (void)json_object_set_new(object, gb_table_column(t, c)->name, cell_to_json(t, row, c));
    return object;
}

static json_t *rows_to_json(const gb_table *t)
{
    json_t *list = json_array();
    for (uint64_t row = 0; row < gb_table_n_rows(t); row++)
        (void)json_array_append_new(list, cli_row_to_json(t, row, NULL));
    return list;
}

gb_status cli_print_json_answers(size_t n, const char *const *question, gb_table *const *t, gb_error *err)
{
    json_t *all = json_object(), *notes = json_array();
    for (size_t i = 0; i < n; i++) {
        char note[CLI_SENTENCE_SIZE];
        for (uint64_t k = 0; cli_note_of(t[i], k, NULL, note); k++)
            (void)json_array_append_new(notes, json_string(note));
        (void)json_object_set_new(all, question[i], rows_to_json(t[i]));
    }
    (void)json_object_set_new(all, "notes", notes);
    const gb_status st = cli_print_json(all, err);
    json_decref(all);
    return st;
}
