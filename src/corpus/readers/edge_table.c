/* corpus/readers/edge_table.c - edges between named things, from a table or from a JSON array. */
#include "corpus/readers/edge_table.h"

#include "corpus/readers/table.h"
#include "store/json_text.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

typedef struct edge_file {
    gb_input *input;
    gb_table_file *table;
    size_t from, to, weight, type; /* columns; SIZE_MAX: none */
} edge_file;

static gb_status find_columns(edge_file *f, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_table_file_column(f->table, "from", true, &f->from, err));
    GB_TRY(gb_table_file_column(f->table, "to", true, &f->to, err));
    GB_TRY(gb_table_file_column(f->table, "weight", false, &f->weight, err));
    GB_TRY(gb_table_file_column(f->table, "type", false, &f->type, err));
done:
    return st;
}

static gb_view cell(const edge_file *f, size_t column)
{
    return column == SIZE_MAX ? gb_view_of("") : gb_view_trim(gb_table_file_cell(f->table, column));
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
                         .line = gb_table_file_line(f->table)};
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
    return gb_input_fail_at(f->input, gb_table_file_line(f->table), err, "%s", message);
}

static gb_status read_rows(edge_file *f, const char *path, gb_take_edge *take, void *context, gb_error *err)
{
    gb_status st;
    bool end = false;
    uint64_t n_rows = 0;
    gb_edge_row row;
    GB_TRY(find_columns(f, err));
    for (;; n_rows++) {
        GB_TRY(gb_table_file_next(f->table, &end, err));
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

/* ---- edges in place ---- */

/* The text in position i; an empty one if it is not there. */
static gb_view text_at(const json_t *edge, size_t i)
{
    const json_t *text = json_array_get(edge, i);
    return text == NULL ? gb_view_of("") : gb_view_trim((gb_view){json_string_value(text), json_string_length(text)});
}

static bool is_row(const json_t *edge)
{
    const size_t n = json_array_size(edge);
    for (size_t i = 0; i < n; i++)
        if (i == 2 ? !json_is_number(json_array_get(edge, i)) : !json_is_string(json_array_get(edge, i)))
            return false;
    return n >= 1 && n <= 4;
}

static gb_status read_edge(const json_t *edge, uint64_t number, gb_edge_row *row, gb_error *err)
{
    if (!is_row(edge))
        return gb_fail(err, GB_EFORMAT,
                       "not [\"from\"] or [\"from\", \"to\", weight, \"type\"], the last two optional");
    *row = (gb_edge_row){.from = text_at(edge, 0), .to = text_at(edge, 1), .weight = 1, .line = number};
    if (json_array_size(edge) > 1 && row->to.length == 0)
        return gb_fail(err, GB_EFORMAT, "an edge without a second group");
    if (json_array_size(edge) > 2)
        row->weight = json_number_value(json_array_get(edge, 2));
    if (!(row->weight > 0) || isinf(row->weight))
        return gb_fail(err, GB_EFORMAT, "the weight %g is not a finite number above 0", row->weight);
    if (json_array_size(edge) < 4)
        return GB_OK;
    row->type = text_at(edge, 3);
    return row->type.length > 0 ? GB_OK : gb_fail(err, GB_EFORMAT, "the edge has no type, expected a name");
}

/* [["a", "b"], ["b", "c", 2.5, "cites"], ["d"]] */
static gb_status read_array(const char *text, gb_take_edge *take, void *context, gb_error *err)
{
    gb_edge_row row;
    gb_error why = {0};
    json_t *edges;
    gb_status st = gb_json_parse(text, strlen(text), 0, &edges, NULL, err);
    const size_t n = json_array_size(edges);
    if (n == 0 && st != GB_ENOMEM)
        st = gb_fail(err, GB_EFORMAT, "`graph` begins with [ but is not a JSON array of edges");
    for (size_t i = 0; st == GB_OK && i < n; i++) {
        st = read_edge(json_array_get(edges, i), i + 1, &row, &why);
        if (st == GB_OK)
            st = take(context, &row, &why);
        if (st != GB_OK)
            st = gb_fail(err, st, "`graph`, edge %zu: %s", i + 1, why.message);
    }
    json_decref(edges);
    return st;
}

gb_status gb_edge_table_read(const char *path, gb_take_edge *take, void *context, gb_error *err)
{
    gb_status st;
    edge_file f = {.input = NULL};
    if (path[0] == '[')
        return read_array(path, take, context, err);
    GB_TRY(gb_input_open(&f.input, path, NULL, err));
    const gb_table_form form = {gb_table_kind_of(path, GB_TABLE_CSV), true, NULL, 2,
                                (const char *const[]){"from", "to"}};
    GB_TRY(gb_table_file_open(&f.table, f.input, &form, err));
    GB_TRY(read_rows(&f, path, take, context, err));
done:
    gb_table_file_close(f.table);
    gb_input_close(f.input);
    return st;
}
