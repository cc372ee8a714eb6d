/* corpus/readers/table.c - rows and cells of CSV, TSV and blank-separated files.
 *
 * CSV goes through libcsv line by line, so that a row knows its line even when quoted cells hold line ends (which
 * become LF).  The others are plain: a tab (or blanks) always separates and a quote is a character like any other.  A
 * blank line is no row, except in a plain table of one column, where it is an empty cell. */
#include "corpus/readers/table.h"

#include "base/memory.h"

#include <csv.h>
#include <string.h>

gb_table_kind gb_table_kind_of(const char *path, gb_table_kind otherwise)
{
    char extension[16];
    gb_file_extension(path, extension);
    if (strcmp(extension, "csv") == 0)
        return GB_TABLE_CSV;
    return strcmp(extension, "tsv") == 0 || strcmp(extension, "tab") == 0 ? GB_TABLE_TSV : otherwise;
}

typedef struct cell_place {
    size_t start, length;
} cell_place;

struct gb_table_file {
    gb_input *input;
    gb_table_kind kind;
    struct csv_parser parser;
    bool has_parser, has_header, is_pending; /* pending: the first row was read to count the columns */
    bool row_done, several_rows, at_end;
    gb_status parse_status; /* of the callbacks */
    gb_error *parse_error;
    size_t n_columns; /* 0 before the first row */
    gb_bytes bytes;
    cell_place *cells;
    size_t n_cells, cells_capacity;
    gb_bytes names; /* header: the names, each ended by NUL */
    uint64_t line;  /* where the row began */
};

/* ---- cells of a row ------------------------------------------------------------------------------------ */

static gb_status add_cell(gb_table_file *t, const char *text, size_t length, gb_error *err)
{
    gb_status st;
    cell_place place = {t->bytes.length, length};
    GB_TRY(gb_grow(&t->cells, &t->cells_capacity, t->n_cells + 1, sizeof place, "the cells of a row", err));
    GB_TRY(gb_bytes_add(&t->bytes, text, length, err));
    t->cells[t->n_cells++] = place;
done:
    return st;
}

static void on_csv_cell(void *text, size_t length, void *user)
{
    gb_table_file *t = user;
    t->several_rows |= t->row_done;
    if (t->parse_status == GB_OK && !t->several_rows)
        t->parse_status = add_cell(t, text, length, t->parse_error);
}

static void on_csv_row(int terminator, void *user)
{
    (void)terminator;
    ((gb_table_file *)user)->row_done = true;
}

static gb_status fail_csv(gb_table_file *t, gb_error *err)
{
    if (csv_error(&t->parser) == CSV_EPARSE)
        return gb_input_fail(t->input, err,
                             "a quote inside a cell; such a cell is to be quoted and its quotes doubled");
    return gb_fail_memory(err, csv_get_buffer_size(&t->parser), "a cell");
}

/* One line and its end into libcsv. */
static gb_status feed_csv(gb_table_file *t, gb_view line, gb_error *err)
{
    t->parse_error = err;
    t->parse_status = GB_OK;
    if (csv_parse(&t->parser, line.text, line.length, on_csv_cell, on_csv_row, t) != line.length ||
        csv_parse(&t->parser, "\n", 1, on_csv_cell, on_csv_row, t) != 1)
        return fail_csv(t, err);
    if (t->parse_status != GB_OK)
        return t->parse_status;
    if (t->several_rows)
        return gb_input_fail(t->input, err, "a carriage return that ends no line");
    if (t->parser.entry_pos > GB_MAX_LINE || t->bytes.length > GB_MAX_LINE)
        return gb_input_fail_at(t->input, t->line, err, "the row is longer than 1 GiB");
    return GB_OK;
}

static gb_status read_csv_row(gb_table_file *t, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view line;
    bool is_begun = false; /* within a row: a quoted cell goes on to the next line */
    t->row_done = t->several_rows = false;
    while (!t->row_done) {
        GB_TRY(gb_input_line(t->input, &line, &t->at_end, err));
        if (t->at_end)
            break;
        if (!is_begun)
            t->line = gb_input_line_number(t->input);
        GB_TRY(feed_csv(t, line, err));
        is_begun = t->parser.pstate != 0;
    }
    if (t->at_end && is_begun)
        st = gb_input_fail_at(t->input, t->line, err, "a quote that is opened in this row is never closed");
done:
    return st;
}

/* ---- plain rows ---------------------------------------------------------------------------------------- */

static gb_status split_tabs(gb_table_file *t, gb_view line, gb_error *err)
{
    for (;;) {
        const char *tab = memchr(line.text, '\t', line.length);
        size_t length = tab == NULL ? line.length : (size_t)(tab - line.text);
        gb_status st = add_cell(t, line.text, length, err);
        if (st != GB_OK || tab == NULL)
            return st;
        line.text += length + 1;
        line.length -= length + 1;
    }
}

static gb_status split_blanks(gb_table_file *t, gb_view line, gb_error *err)
{
    gb_view rest = gb_view_trim(line);
    do {
        size_t length = 0;
        while (length < rest.length && rest.text[length] != ' ' && rest.text[length] != '\t')
            length++;
        gb_status st = add_cell(t, rest.text, length, err);
        if (st != GB_OK)
            return st;
        rest = gb_view_trim((gb_view){rest.text + length, rest.length - length});
    } while (rest.length > 0);
    return GB_OK;
}

static gb_status read_plain_row(gb_table_file *t, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view line;
    bool is_blank, one_column = t->n_columns == 1 || (t->n_columns == 0 && !t->has_header);
    do {
        GB_TRY(gb_input_line(t->input, &line, &t->at_end, err));
        if (t->at_end)
            break;
        t->line = gb_input_line_number(t->input);
        is_blank = gb_view_trim(line).length == 0 && memchr(line.text, '\t', line.length) == NULL;
    } while (is_blank && !one_column);
    if (!t->at_end)
        GB_TRY(t->kind == GB_TABLE_TSV ? split_tabs(t, line, err) : split_blanks(t, line, err));
done:
    return st;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static gb_status read_row(gb_table_file *t, gb_error *err)
{
    t->n_cells = 0;
    t->bytes.length = 0;
    gb_status st = t->kind == GB_TABLE_CSV ? read_csv_row(t, err) : read_plain_row(t, err);
    if (st != GB_OK || t->at_end)
        return st;
    if (t->n_columns == 0)
        t->n_columns = t->n_cells;
    if (t->n_cells != t->n_columns)
        return gb_input_fail_at(t->input, t->line, err, "%zu cell%s, expected %zu as in the %s", t->n_cells,
                                t->n_cells == 1 ? "" : "s", t->n_columns, t->has_header ? "header" : "first row");
    return GB_OK;
}

gb_status gb_table_file_next(gb_table_file *t, bool *end, gb_error *err)
{
    gb_status st = GB_OK;
    if (!t->is_pending && !t->at_end)
        st = read_row(t, err);
    t->is_pending = false;
    *end = t->at_end;
    return st;
}

gb_view gb_table_file_cell(const gb_table_file *t, size_t column)
{
    cell_place place = t->cells[column];
    return (gb_view){place.length == 0 ? "" : t->bytes.data + place.start, place.length};
}

uint64_t gb_table_file_line(const gb_table_file *t)
{
    return t->line;
}

gb_status gb_table_file_place(const gb_table_file *t, gb_status st, gb_error *err)
{
    char message[sizeof err->message];
    if (st != GB_EFORMAT || err == NULL)
        return st;
    memcpy(message, err->message, sizeof message);
    return gb_input_fail_at(t->input, t->line, err, "%s", message);
}

/* ---- columns ------------------------------------------------------------------------------------------- */

/* The header's names, trimmed; the row itself is gone when the next one is read. */
static gb_status keep_names(gb_table_file *t, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < t->n_columns; i++) {
        gb_view name = gb_view_trim(gb_table_file_cell(t, i));
        GB_TRY(gb_bytes_add(&t->names, name.text, name.length, err));
        GB_TRY(gb_bytes_add(&t->names, "", 1, err));
    }
done:
    return st;
}

static gb_status fail_column(const gb_table_file *t, const char *name, gb_error *err)
{
    gb_status st;
    gb_bytes list = {0};
    const char *at = t->names.data;
    if (!t->has_header)
        return gb_input_fail_at(t->input, 1, err,
                                "no column \"%s\": a column is given as #1, #2, ..., so there is no header", name);
    for (size_t i = 0; i < t->n_columns; i++, at += strlen(at) + 1) {
        GB_TRY(gb_bytes_add(&list, ", ", i == 0 ? 0 : 2, err));
        GB_TRY(gb_bytes_add(&list, at, strlen(at), err));
    }
    GB_TRY(gb_bytes_add(&list, "", 1, err));
    int shown = gb_text_shown(list.data, list.length - 1);
    if (list.length - 1 < 500)
        shown = (int)list.length - 1;
    st = gb_input_fail_at(t->input, t->line, err, "no column \"%s\"; the columns are %.*s%s", name, shown, list.data,
                          (size_t)shown < list.length - 1 ? "..." : "");
done:
    gb_free(list.data);
    return st;
}

gb_status gb_table_file_column(gb_table_file *t, const char *name, bool required, size_t *column, gb_error *err)
{
    size_t found = SIZE_MAX;
    *column = t->n_columns == 0 ? 0 : SIZE_MAX;
    if (t->n_columns == 0)
        return GB_OK;
    if (gb_column_number(name, column)) {
        if (*column >= t->n_columns)
            return gb_input_fail_at(t->input, t->line, err, "no column %s; there are %zu", name, t->n_columns);
        return GB_OK;
    }
    const char *at = t->names.data;
    for (size_t i = 0; t->has_header && i < t->n_columns; i++, at += strlen(at) + 1) {
        if (strcmp(at, name) != 0)
            continue;
        if (found != SIZE_MAX)
            return gb_input_fail_at(t->input, t->line, err, "two columns are named \"%s\"", name);
        found = i;
    }
    *column = found;
    return found == SIZE_MAX && required ? fail_column(t, name, err) : GB_OK;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

gb_status gb_table_file_open(gb_table_file **out, gb_input *input, gb_table_kind kind, bool has_header, gb_error *err)
{
    gb_status st;
    gb_table_file *t = NULL;
    GB_TRY(gb_alloc(&t, 1, sizeof *t, "a table", err));
    t->input = input;
    t->kind = kind;
    t->has_header = has_header;
    if (kind == GB_TABLE_CSV) {
        if (csv_init(&t->parser, CSV_STRICT) != 0) {
            st = gb_fail_memory(err, sizeof t->parser, "a table");
            goto done;
        }
        t->has_parser = true;
    }
    GB_TRY(read_row(t, err));
    if (has_header && !t->at_end)
        GB_TRY(keep_names(t, err));
    t->is_pending = !has_header && !t->at_end;
    *out = t;
    t = NULL;
done:
    gb_table_file_close(t);
    return st;
}

void gb_table_file_close(gb_table_file *t)
{
    if (t == NULL)
        return;
    if (t->has_parser)
        csv_free(&t->parser);
    gb_free(t->bytes.data);
    gb_free(t->cells);
    gb_free(t->names.data);
    gb_free(t);
}
