/* corpus/readers/matrix.c - a square table of numbers, without a header. */
#include "corpus/readers/matrix.h"

#include "corpus/readers/table.h"
#include "store/json_text.h"

#include <stdio.h>
#include <string.h>

static gb_status read_row(gb_table_file *table, const char *path, size_t n, double *row, gb_error *err)
{
    for (size_t j = 0; j < n; j++) {
        const gb_view cell = gb_view_trim(gb_table_file_cell(table, j));
        if (!gb_view_to_real(cell, &row[j]))
            return gb_fail(err, GB_EFORMAT, "%s:%llu: \"%.*s\" is not a finite number", path,
                           (unsigned long long)gb_table_file_line(table), GB_SHOWN(cell));
    }
    return GB_OK;
}

/* [[1, 0.5], [0.5, 1]] */
static gb_status read_in_place(const char *text, size_t n, const char *why, double *out, gb_error *err)
{
    json_t *rows = NULL;
    gb_status st = gb_json_parse(text, strlen(text), 0, &rows, NULL, err);
    if (st == GB_OK && json_array_size(rows) != n)
        st = GB_EFORMAT;
    for (size_t i = 0; st == GB_OK && i < n; i++) {
        const json_t *row = json_array_get(rows, i);
        if (json_array_size(row) != n)
            st = GB_EFORMAT;
        for (size_t j = 0; st == GB_OK && j < n; j++) {
            const json_t *number = json_array_get(row, j);
            out[i * n + j] = json_number_value(number);
            if (!json_is_number(number))
                st = GB_EFORMAT;
        }
    }
    json_decref(rows);
    return st != GB_EFORMAT ? st : gb_fail(err, st, "%s: expected %zu rows of %zu numbers, %s", text, n, n, why);
}

gb_status gb_matrix_read(const char *path, size_t n, const char *why, double *out, gb_error *err)
{
    gb_status st;
    gb_input *input = NULL;
    gb_table_file *table = NULL;
    char last[24];
    size_t column, n_rows = 0;
    bool end = false;
    if (path[0] == '[')
        return read_in_place(path, n, why, out, err);
    (void)snprintf(last, sizeof last, "#%zu", n);
    GB_TRY(gb_input_open(&input, path, NULL, err));
    const gb_table_form form = {gb_table_kind_of(path, GB_TABLE_CSV), false, NULL, 1, (const char *const[]){last}};
    GB_TRY(gb_table_file_open(&table, input, &form, err));
    GB_TRY(gb_table_file_column(table, last, true, &column, err));
    for (;; n_rows++) {
        GB_TRY(gb_table_file_next(table, &end, err));
        if (end || n_rows == n)
            break;
        GB_TRY(read_row(table, path, n, out + n_rows * n, err));
    }
    GB_TRY(gb_input_expect_last(input, err));
    if (!end || n_rows < n)
        st = gb_fail(err, GB_EFORMAT, "%s: expected %zu rows of %zu numbers, %s", path, n, n, why);
done:
    gb_table_file_close(table);
    gb_input_close(input);
    return st;
}
