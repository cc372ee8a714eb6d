/* helper_tables.c - cells of answers, by the names of their columns. */
#include "helper_tables.h"

#include <string.h>

static gb_table *ask(const char *question, const gb_subject *subject, const gb_settings *settings)
{
    gb_table *table = NULL;
    gb_error err = {0};
    if (gb_answer(question, subject, settings, &table, &err) != GB_OK)
        fail_msg("%s: %s", question, err.message);
    return table;
}

gb_table *answer_to(const char *question, const gb_subject *subject)
{
    return ask(question, subject, NULL);
}

gb_table *answer_with(const char *question, const gb_subject *subject, ...)
{
    gb_settings *settings = NULL;
    va_list pairs;
    const char *name;
    assert_int_equal(gb_settings_create(&settings, NULL), GB_OK);
    va_start(pairs, subject);
    while ((name = va_arg(pairs, const char *)) != NULL)
        set(settings, name, va_arg(pairs, const char *));
    va_end(pairs);
    gb_table *table = ask(question, subject, settings);
    gb_settings_free(settings);
    return table;
}

static uint64_t find_column(const gb_table *table, const char *name)
{
    uint64_t c = 0;
    while (c < gb_table_n_columns(table) && strcmp(gb_table_column(table, c)->name, name) != 0)
        c++;
    return c;
}

bool has_column(const gb_table *table, const char *column)
{
    return find_column(table, column) < gb_table_n_columns(table);
}

double real_at(const gb_table *table, uint64_t row, const char *column)
{
    const double *cell = gb_table_reals(table, find_column(table, column));
    if (cell == NULL || row >= gb_table_n_rows(table))
        fail_msg("no number \"%s\" in row %ju", column, (uintmax_t)row);
    return cell[row];
}

uint64_t count_at(const gb_table *table, uint64_t row, const char *column)
{
    const uint64_t *cell = gb_table_counts(table, find_column(table, column));
    if (cell == NULL || row >= gb_table_n_rows(table))
        fail_msg("no count \"%s\" in row %ju", column, (uintmax_t)row);
    return cell[row];
}

const char *text_at(const gb_table *table, uint64_t row, const char *column)
{
    if (!has_column(table, column) || row >= gb_table_n_rows(table))
        fail_msg("no text \"%s\" in row %ju", column, (uintmax_t)row);
    return gb_table_text(table, row, find_column(table, column), 0);
}

uint64_t row_with(const gb_table *table, uint64_t row, const char *column, const char *text)
{
    while (row < gb_table_n_rows(table) && strcmp(text_at(table, row, column), text) != 0)
        row++;
    return row;
}

bool says(const gb_table *table, const char *text)
{
    const char *note;
    for (uint64_t i = 0; (note = gb_table_note(table, i, NULL)) != NULL; i++)
        if (strstr(note, text) != NULL)
            return true;
    return false;
}
