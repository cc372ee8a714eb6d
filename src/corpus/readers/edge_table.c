/* corpus/readers/edge_table.c - a table of edges between named things. */
#include "corpus/readers/edge_table.h"

#include "corpus/readers/table.h"

#include <string.h>

typedef struct edge_file {
    gb_input *input;
    gb_table *table;
    size_t from, to, weight, type; /* columns; SIZE_MAX: none */
} edge_file;

static gb_status find_columns(edge_file *f, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_table_column(f->table, "from", true, &f->from, err));
    GB_TRY(gb_table_column(f->table, "to", true, &f->to, err));
    GB_TRY(gb_table_column(f->table, "weight", false, &f->weight, err));
    GB_TRY(gb_table_column(f->table, "type", false, &f->type, err));
done:
    return st;
}

static gb_view cell(const edge_file *f, size_t column)
{
    return column == SIZE_MAX ? gb_view_of("") : gb_view_trim(gb_table_cell(f->table, column));
}

static gb_status read_weight(const edge_file *f, double *weight, gb_error *err)
{
    const gb_view text = cell(f, f->weight);
    if (f->weight == SIZE_MAX || (gb_view_to_real(text, weight) && *weight > 0))
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "the weight \"%.*s\" is not a finite number above 0", GB_SHOWN(text));
}

static gb_status read_row(const edge_file *f, gb_edge_row *row, gb_error *err)
{
    const gb_view type = cell(f, f->type);
    *row = (gb_edge_row){.from = cell(f, f->from),
                         .to = cell(f, f->to),
                         .type = f->type == SIZE_MAX ? (gb_view){NULL, 0} : type,
                         .weight = 1,
                         .line = gb_table_line(f->table)};
    if (row->to.length == 0)
        return cell(f, f->weight).length == 0 && type.length == 0
                   ? GB_OK
                   : gb_fail(err, GB_EFORMAT, "an edge without a group under \"to\"");
    if (f->type != SIZE_MAX && type.length == 0)
        return gb_fail(err, GB_EFORMAT, "the edge has no type, expected a name");
    return read_weight(f, &row->weight, err);
}

/* Put the line before a message about a row. */
static gb_status place(const edge_file *f, gb_status st, gb_error *err)
{
    char message[sizeof err->message];
    if (st != GB_EFORMAT || err == NULL)
        return st;
    memcpy(message, err->message, sizeof message);
    return gb_input_fail_at(f->input, gb_table_line(f->table), err, "%s", message);
}

static gb_status read_rows(edge_file *f, const char *path, gb_take_edge *take, void *context, gb_error *err)
{
    gb_status st;
    bool end = false;
    uint64_t n_rows = 0;
    gb_edge_row row;
    GB_TRY(find_columns(f, err));
    for (;; n_rows++) {
        GB_TRY(gb_table_next(f->table, &end, err));
        if (end)
            break;
        st = read_row(f, &row, err);
        if (st == GB_OK)
            st = take(context, &row, err);
        GB_TRY(place(f, st, err));
    }
    GB_TRY(gb_input_expect_last(f->input, err));
    if (n_rows == 0)
        st = gb_fail(err, GB_EFORMAT, "%s: no rows, expected edges", path);
done:
    return st;
}

gb_status gb_edge_table_read(const char *path, gb_take_edge *take, void *context, gb_error *err)
{
    gb_status st;
    edge_file f = {.input = NULL};
    GB_TRY(gb_input_open(&f.input, path, NULL, err));
    GB_TRY(gb_table_open(&f.table, f.input, gb_table_kind_of(path, GB_TABLE_CSV), true, err));
    GB_TRY(read_rows(&f, path, take, context, err));
done:
    gb_table_close(f.table);
    gb_input_close(f.input);
    return st;
}
