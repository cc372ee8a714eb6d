/* prior/graph_shapes.c - the graphs that --graph can name: none, chain, complete, grid, or an edge list. */
#include "prior/edge_list.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* What a shape is made of and what it makes. */
typedef struct shape {
    const char *name, *path;
    const gb_corpus *corpus;
    gb_groups *groups;
    gb_edge_list edges;
} shape;

/* ---- fields -------------------------------------------------------------------------------------------- */

static gb_status check_n_fields(const shape *s, const char *name, size_t n_fields, gb_error *err)
{
    const size_t n = gb_group_fields(s->corpus, 0, NULL);
    if (n == n_fields)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "`graph` %s takes %zu group field%s, and `group` has %zu", name, n_fields,
                   n_fields == 1 ? "" : "s", n);
}

/* The i-th group field. */
static const gb_labels *group_field(const gb_corpus *corpus, size_t i)
{
    const gb_labels *l = corpus->labels;
    for (;; l++)
        if (l->role == GB_ROLE_GROUP && i-- == 0)
            return l;
}

static gb_status create_groups(shape *s, gb_error *err)
{
    gb_status st;
    const char **field = NULL;
    const size_t n = gb_group_fields(s->corpus, 0, NULL);
    GB_TRY(gb_alloc(&field, n, sizeof field[0], "fields of groups", err));
    (void)gb_group_fields(s->corpus, n, field);
    GB_TRY(gb_groups_create(&s->groups, n, field, err));
done:
    gb_free(field);
    return st;
}

/* ---- a field of whole numbers -------------------------------------------------------------------------- */

/* All whole numbers from the smallest to the largest; those that documents have keep their spelling ("01"). */
typedef struct number_line {
    const gb_labels *field;
    int64_t first;
    uint32_t n;
    uint32_t *value_at; /* n; number of the value there, UINT32_MAX: none */
} number_line;

static gb_status fail_number(const shape *s, const gb_labels *field, uint32_t value, const char *expected,
                             gb_error *err)
{
    uint64_t d = 0;
    while (d + 1 < s->corpus->n_docs && (!field->labelled[d] || field->class_of[field->doc_start[d]] != value))
        d++;
    const gb_view id = gb_texts_view(&s->corpus->ids, d), text = gb_texts_view(&field->classes, value);
    return gb_fail(err, GB_EFORMAT, "%s: document \"%.*s\": the group field \"%s\" is \"%.*s\"; a chain over it %s",
                   s->path, GB_SHOWN(id), field->name, GB_SHOWN(text), expected);
}

static gb_status read_whole_number(const shape *s, const gb_labels *field, uint32_t value, int64_t *out,
                                   gb_error *err)
{
    char *text = NULL;
    gb_status st = gb_texts_copy(&field->classes, value, &text, err);
    if (st == GB_OK && gb_text_to_int(text, out) != GB_NUMBER_OK)
        st = fail_number(s, field, value, "takes whole numbers only", err);
    gb_free(text);
    return st;
}

static gb_status read_numbers(const shape *s, const gb_labels *field, int64_t *number, int64_t *last,
                              number_line *line, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint32_t i = 0; i < field->classes.count; i++) {
        GB_TRY(read_whole_number(s, field, i, &number[i], err));
        line->first = i == 0 || number[i] < line->first ? number[i] : line->first;
        *last = i == 0 || number[i] > *last ? number[i] : *last;
    }
done:
    return st;
}

static gb_status place_numbers(const shape *s, const int64_t *number, number_line *line, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&line->value_at, line->n, sizeof line->value_at[0], "a chain", err));
    memset(line->value_at, 0xff, line->n * sizeof line->value_at[0]);
    for (uint32_t i = 0; i < line->field->classes.count; i++) {
        uint32_t *at = &line->value_at[(uint64_t)number[i] - (uint64_t)line->first];
        if (*at != UINT32_MAX)
            return fail_number(s, line->field, i, "takes each number in one spelling only", err);
        *at = i;
    }
done:
    return st;
}

static gb_status open_line(const shape *s, const gb_labels *field, number_line *line, gb_error *err)
{
    gb_status st;
    int64_t *number = NULL, last = 0;
    line->field = field;
    if (field->classes.count == 0)
        return gb_fail(err, GB_EFORMAT, "%s: no document has the group field \"%s\"", s->path, field->name);
    GB_TRY(gb_alloc(&number, field->classes.count, sizeof number[0], "a chain", err));
    GB_TRY(read_numbers(s, field, number, &last, line, err));
    const uint64_t steps = (uint64_t)last - (uint64_t)line->first;
    if (steps >= GB_MAX_GROUPS) {
        st = gb_fail(err, GB_EFORMAT,
                     "%s: the group field \"%s\" goes from %" PRId64 " to %" PRId64
                     "; a chain has a group for each number between, %d at most",
                     s->path, field->name, line->first, last, (int)GB_MAX_GROUPS);
        goto done;
    }
    line->n = (uint32_t)steps + 1;
    GB_TRY(place_numbers(s, number, line, err));
done:
    gb_free(number);
    return st;
}

/* How number i of the line is written; `digits` holds one that no document has. */
static gb_view line_value(const number_line *line, uint32_t i, char digits[24])
{
    if (line->value_at[i] != UINT32_MAX)
        return gb_texts_view(&line->field->classes, line->value_at[i]);
    return (gb_view){digits, (size_t)snprintf(digits, 24, "%" PRId64, line->first + (int64_t)i)};
}

/* ---- shapes -------------------------------------------------------------------------------------------- */

/* The groups that documents have, without edges. */
static gb_status make_isolated(shape *s, gb_error *err)
{
    return gb_groups_of_corpus(&s->groups, s->corpus, s->path, err);
}

static gb_status make_chain(shape *s, gb_error *err)
{
    gb_status st;
    char digits[24];
    number_line line = {0};
    gb_new_edge edge = {.weight = 1};
    GB_TRY(check_n_fields(s, "chain", 1, err));
    GB_TRY(create_groups(s, err));
    GB_TRY(open_line(s, group_field(s->corpus, 0), &line, err));
    GB_TRY(gb_edge_list_type(&s->edges, gb_view_of(line.field->name), 0, &edge.type, err));
    for (uint32_t i = 0; i < line.n; i++) {
        GB_TRY(gb_groups_add(s->groups, line_value(&line, i, digits), &edge.to, err));
        if (i > 0)
            GB_TRY(gb_edge_list_add(&s->edges, &edge, err));
        edge.from = edge.to;
    }
done:
    gb_free(line.value_at);
    return st;
}

/* Every two of the groups 0 ... n - 1. */
static gb_status join_all(gb_edge_list *edges, uint32_t n, uint32_t type, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_edge_list_reserve(edges, (uint64_t)n * (n - (n > 0)) / 2, err));
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            GB_TRY(gb_edge_list_add(edges, &(gb_new_edge){i, j, type, 1}, err));
done:
    return st;
}

/* A corpus that is a part of another has values that none of its documents has: groups of the others, held out. */
static gb_status add_other_values(shape *s, const gb_labels *field, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t number;
    for (uint32_t i = 0; st == GB_OK && i < field->classes.count; i++)
        st = gb_groups_add(s->groups, gb_texts_view(&field->classes, i), &number, err);
    return st;
}

static gb_status make_complete(shape *s, gb_error *err)
{
    gb_status st;
    uint32_t type;
    GB_TRY(make_isolated(s, err));
    if (gb_groups_n_fields(s->groups) == 1)
        GB_TRY(add_other_values(s, group_field(s->corpus, 0), err));
    GB_TRY(gb_edge_list_type(&s->edges, gb_view_of("edge"), 0, &type, err));
    GB_TRY(join_all(&s->edges, gb_groups_count(s->groups), type, err));
done:
    return st;
}

static gb_status make_listed(shape *s, gb_error *err)
{
    gb_status st;
    if (gb_group_fields(s->corpus, 0, NULL) == 0)
        return gb_fail(err, GB_EARGUMENT, "%s: no group field; `group` names the fields that make the groups",
                       s->path);
    GB_TRY(create_groups(s, err));
    GB_TRY(gb_edge_list_read(&s->edges, s->name, s->groups, "edge", err));
done:
    return st;
}

/* ---- the grid ------------------------------------------------------------------------------------------ */

/* The values of the first field as groups of their own, first from the documents and then from the file. */
static gb_status make_rows(shape *s, gb_groups **rows, gb_edge_list *within, gb_error *err)
{
    gb_status st;
    uint32_t number, type;
    const gb_labels *field = group_field(s->corpus, 0);
    GB_TRY(gb_groups_create(rows, 1, &field->name, err));
    GB_TRY(gb_edge_list_type(within, gb_view_of(group_field(s->corpus, 1)->name), 0, &type, err)); /* taken */
    for (uint32_t i = 0; i < field->classes.count; i++)
        GB_TRY(gb_groups_add(*rows, gb_texts_view(&field->classes, i), &number, err));
    if (s->name[strlen("grid")] == ':')
        return gb_edge_list_read(within, s->name + strlen("grid:"), *rows, field->name, err);
    GB_TRY(gb_edge_list_type(within, gb_view_of(field->name), 0, &type, err));
    GB_TRY(join_all(within, gb_groups_count(*rows), type, err));
done:
    return st;
}

/* The name of a group of the grid; a value with "|" makes a bad one. */
static gb_status add_place(shape *s, gb_view row, gb_view value, gb_bytes *name, uint32_t *number, gb_error *err)
{
    gb_status st;
    gb_error fault = {0};
    name->length = 0;
    GB_TRY(gb_bytes_add(name, row.text, row.length, err));
    GB_TRY(gb_bytes_add(name, "|", 1, err));
    GB_TRY(gb_bytes_add(name, value.text, value.length, err));
    st = gb_groups_add(s->groups, (gb_view){name->data, name->length}, number, &fault);
    if (st != GB_OK)
        return gb_fail(err, st, "`graph` %s: %s", s->name, fault.message);
done:
    return st;
}

/* Group (row, i) is number row * n + i; along a row runs a chain. */
static gb_status add_row(shape *s, gb_view row, const number_line *line, uint32_t type, gb_bytes *name, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t number;
    char digits[24];
    for (uint32_t i = 0; i < line->n; i++) {
        GB_TRY(add_place(s, row, line_value(line, i, digits), name, &number, err));
        if (i > 0)
            GB_TRY(gb_edge_list_add(&s->edges, &(gb_new_edge){number - 1, number, type, 1}, err));
    }
done:
    return st;
}

/* Each edge between rows at every place of the line. */
static gb_status join_rows(shape *s, const gb_edge_list *within, uint32_t n, gb_error *err)
{
    gb_status st;
    uint32_t type;
    GB_TRY(gb_edge_list_reserve(&s->edges, (uint64_t)within->n_edges * n, err));
    for (size_t e = 0; e < within->n_edges; e++) {
        const gb_new_edge *row = &within->edge[e];
        GB_TRY(gb_edge_list_type(&s->edges, gb_view_of(within->type[row->type]), within->type_line[row->type], &type,
                                 err));
        for (uint32_t i = 0; i < n; i++)
            GB_TRY(gb_edge_list_add(&s->edges, &(gb_new_edge){row->from * n + i, row->to * n + i, type, row->weight},
                                    err));
    }
done:
    return st;
}

static gb_status check_grid_size(uint64_t n_rows, uint64_t n_places, gb_error *err)
{
    if (n_rows * n_places <= GB_MAX_GROUPS)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "`graph` grid: %" PRIu64 " times %" PRIu64 " groups, expected at most %d", n_rows,
                   n_places, (int)GB_MAX_GROUPS);
}

static gb_status make_grid(shape *s, gb_error *err)
{
    gb_status st;
    uint32_t along;
    number_line line = {0};
    gb_groups *rows = NULL;
    gb_edge_list within = {.memory_limit = s->edges.memory_limit};
    gb_bytes name = {0};
    GB_TRY(check_n_fields(s, "grid", 2, err));
    GB_TRY(create_groups(s, err));
    GB_TRY(open_line(s, group_field(s->corpus, 1), &line, err));
    GB_TRY(gb_edge_list_type(&s->edges, gb_view_of(line.field->name), 0, &along, err));
    GB_TRY(make_rows(s, &rows, &within, err));
    GB_TRY(check_grid_size(gb_groups_count(rows), line.n, err));
    for (uint32_t row = 0; row < gb_groups_count(rows); row++)
        GB_TRY(add_row(s, gb_groups_name(rows, row), &line, along, &name, err));
    GB_TRY(join_rows(s, &within, line.n, err));
done:
    gb_free(line.value_at);
    gb_free(name.data);
    gb_groups_free(rows);
    gb_edge_list_free(&within);
    return st;
}

/* ---- choosing ------------------------------------------------------------------------------------------ */

static gb_status make(shape *s, gb_error *err)
{
    if (s->name[0] == '\0')
        return make_isolated(s, err);
    if (strcmp(s->name, "chain") == 0)
        return make_chain(s, err);
    if (strcmp(s->name, "complete") == 0)
        return make_complete(s, err);
    if (strcmp(s->name, "grid") == 0 || strncmp(s->name, "grid:", strlen("grid:")) == 0)
        return make_grid(s, err);
    return make_listed(s, err);
}

gb_status gb_graph_of_corpus(const char *name, const char *limit, const gb_corpus *corpus, const char *path,
                             gb_groups **groups, gb_graph **graph, uint32_t *group_of, gb_error *err)
{
    gb_status st;
    shape s = {.name = name, .path = path, .corpus = corpus, .edges = {.memory_limit = limit}};
    GB_TRY(make(&s, err));
    GB_TRY(gb_groups_number_documents(s.groups, corpus, path, NULL, group_of, err));
    GB_TRY(gb_edge_list_finish(&s.edges, gb_groups_count(s.groups), graph, err));
    *groups = s.groups;
    s.groups = NULL;
done:
    gb_groups_free(s.groups);
    gb_edge_list_free(&s.edges);
    return st;
}
