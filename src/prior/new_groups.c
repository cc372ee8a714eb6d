/* prior/new_groups.c - groups of new documents that the graph does not have: which they are and where they belong.
 *
 * Extending a graph:
 *   chain     a number before the first or after the last; the numbers between become groups too
 *   complete  any new value is a neighbour of all groups
 *   grid      new numbers continue every row, and a new value of the first field is a new row with all numbers */
#include "prior/new_groups_parts.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 10000 }; /* that a chain is continued by */

/* ---- a value that is a whole number ---- */

static bool read_number(gb_view text, int64_t *out)
{
    char copy[24];
    if (text.length == 0 || text.length >= sizeof copy)
        return false;
    memcpy(copy, text.text, text.length);
    copy[text.length] = '\0';
    return gb_text_to_int(copy, out) == GB_NUMBER_OK;
}

/* "row|column" cut in two; false without a bar. */
static bool cut_name(gb_view name, gb_view *row, gb_view *column)
{
    const char *bar = memchr(name.text, '|', name.length);
    if (bar == NULL)
        return false;
    *row = (gb_view){name.text, (size_t)(bar - name.text)};
    *column = (gb_view){bar + 1, name.length - row->length - 1};
    return true;
}

static bool are_equal(gb_view a, gb_view b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

/* ---- the graph, from the names of its groups ---- */

static bool find_chain(const gb_groups *groups, gb_group_rows *rows)
{
    rows->shape = GB_SHAPE_CHAIN;
    rows->n_rows = 1;
    rows->n_columns = gb_groups_count(groups);
    return read_number(gb_groups_name(groups, 0), &rows->first);
}

static bool find_grid(const gb_groups *groups, gb_group_rows *rows)
{
    gb_view row, column, other;
    const uint32_t n = gb_groups_count(groups);
    if (!cut_name(gb_groups_name(groups, 0), &row, &column) || !read_number(column, &rows->first))
        return false;
    rows->shape = GB_SHAPE_GRID;
    for (rows->n_columns = 1; rows->n_columns < n; rows->n_columns++)
        if (!cut_name(gb_groups_name(groups, (uint32_t)rows->n_columns), &other, &column) || !are_equal(row, other))
            break;
    rows->n_rows = n / rows->n_columns;
    return n % rows->n_columns == 0;
}

static bool find_complete(const gb_groups *groups, gb_group_rows *rows)
{
    *rows = (gb_group_rows){.shape = GB_SHAPE_COMPLETE, .n_rows = gb_groups_count(groups), .n_columns = 1};
    return true;
}

static gb_status find_rows(gb_new_groups *g, const gb_psi_setup *own, const char *graph, gb_error *err)
{
    char quote[GB_QUOTE_SIZE];
    if (own->n_types > 0 && ((strcmp(graph, "chain") == 0 && find_chain(own->groups, &g->rows)) ||
                             (strcmp(graph, "complete") == 0 && find_complete(own->groups, &g->rows)) ||
                             (strcmp(graph, "grid") == 0 && find_grid(own->groups, &g->rows))))
        return GB_OK;
    if (*graph == '\0')
        return gb_fail(err, GB_EARGUMENT,
                       "`new-groups` extend: the model has groups without a graph; level takes them");
    gb_text_quote(graph, strlen(graph), quote);
    return gb_fail(
        err, GB_EARGUMENT,
        "`new-groups` extend takes models with `graph` chain, complete or grid, and this one has %s; level "
        "takes any",
        quote);
}

/* ---- places ---- */

static bool is_row(const gb_new_groups *g, const gb_groups *groups, size_t i, gb_view value)
{
    gb_view row, column;
    return cut_name(gb_groups_name(groups, (uint32_t)(i * g->rows.n_columns)), &row, &column) &&
           are_equal(row, value);
}

static size_t find_row(const gb_new_groups *g, const gb_groups *groups, gb_view value)
{
    for (size_t i = 0; i < g->rows.n_rows; i++)
        if (is_row(g, groups, i, value))
            return i;
    return GB_NEW_ROW;
}

/* NULL, or why the number has no place in the continued chain. */
static const char *place_number(const gb_group_rows *rows, gb_view text, bool is_new_row, int64_t *column)
{
    int64_t number;
    const uint64_t n = rows->n_columns;
    if (!read_number(text, &number))
        return "is not a whole number";
    const uint64_t after = (uint64_t)number - (uint64_t)rows->first,
                   before = (uint64_t)rows->first - (uint64_t)number;
    if (number >= rows->first && after < n) {
        *column = (int64_t)after;
        return is_new_row ? NULL : "is in the graph in another spelling";
    }
    if ((number > rows->first ? after - n + 1 : before) > MOST_STEPS)
        return "is more than 10,000 steps away";
    *column = number > rows->first ? (int64_t)after : -(int64_t)before;
    return NULL;
}

/* NULL, or why the group has no place. */
static const char *find_place(const gb_new_groups *g, const gb_groups *groups, gb_view name, gb_new_place *place)
{
    gb_view row, column;
    *place = (gb_new_place){.row = GB_NEW_ROW};
    if (g->rows.shape == GB_SHAPE_COMPLETE)
        return NULL;
    if (g->rows.shape == GB_SHAPE_CHAIN) {
        place->row = 0;
        return place_number(&g->rows, name, false, &place->column);
    }
    if (!cut_name(name, &row, &column))
        return "has one value only"; /* names of documents have two */
    place->row = find_row(g, groups, row);
    return place_number(&g->rows, column, place->row == GB_NEW_ROW, &place->column);
}

/* ---- documents ---- */

/* Names the first document of new group i. */
static gb_status fail_group(const gb_new_groups *g, const gb_groups *groups, const gb_corpus *corpus,
                            const uint32_t *group, size_t i, const char *fault, gb_error *err)
{
    uint64_t d = 0;
    while (group[d] != gb_groups_count(groups) + i)
        d++;
    const gb_view id = gb_texts_view(&corpus->ids, d), name = gb_groups_name(g->names, (uint32_t)i);
    return gb_fail(err, GB_EFORMAT, "%s: document \"%.*s\": the group \"%.*s\" %s", gb_corpus_path(corpus),
                   GB_SHOWN(id), GB_SHOWN(name), fault);
}

static gb_status place_all(gb_new_groups *g, const gb_psi_setup *own, const gb_corpus *corpus, const uint32_t *group,
                           gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&g->place, g->n, sizeof *g->place, "new groups", err));
    GB_TRY(gb_alloc(&g->column_sum, g->rows.n_columns * g->n_free, sizeof *g->column_sum, "new groups", err));
    for (size_t i = 0; i < g->n; i++) {
        const char *fault = find_place(g, own->groups, gb_groups_name(g->names, (uint32_t)i), &g->place[i]);
        if (fault == NULL && g->rows.shape == GB_SHAPE_GRID && g->place[i].row == GB_NEW_ROW && own->n_types < 2)
            fault = "needs a grid with two rows or more";
        if (fault != NULL)
            return fail_group(g, own->groups, corpus, group, i, fault, err);
    }
done:
    return st;
}

static gb_status check_level(const gb_psi_setup *own, gb_error *err)
{
    size_t n = 0;
    for (uint32_t i = 0; i < own->n_groups; i++)
        n += own->group_size[i] > 0;
    if (n >= 2)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT,
                   "`new-groups` level: the model has one group with training documents, so how groups differ is not "
                   "known");
}

static gb_status place_groups(gb_new_groups *g, const gb_psi_setup *own, const gb_new_groups_how *how,
                              const gb_corpus *corpus, const uint32_t *group, gb_error *err)
{
    gb_status st;
    g->rule = how->rule;
    g->n = gb_groups_count(g->names);
    if (how->rule == GB_NEW_GROUPS_REFUSE)
        return fail_group(g, own->groups, corpus, group, 0, "is not in the graph; see `new-groups`", err);
    GB_TRY(gb_alloc(&g->mean, g->n * g->n_free, sizeof *g->mean, "new groups", err));
    GB_TRY(gb_alloc(&g->widening, g->n, sizeof *g->widening, "new groups", err));
    if (!own->is_full)
        GB_TRY(gb_alloc(&g->precision, g->n * g->n_free, sizeof *g->precision, "new groups", err));
    if (how->rule == GB_NEW_GROUPS_LEVEL)
        return check_level(own, err);
    GB_TRY(find_rows(g, own, how->graph, err));
    GB_TRY(place_all(g, own, corpus, group, err));
done:
    return st;
}

static gb_status create(gb_new_groups **out, const gb_groups *groups, size_t n_free, gb_error *err)
{
    gb_status st;
    const char **field = NULL;
    const size_t n_fields = gb_groups_n_fields(groups);
    GB_TRY(gb_alloc(out, 1, sizeof **out, "new groups", err));
    (*out)->n_free = n_free;
    GB_TRY(gb_alloc(&field, n_fields, sizeof field[0], "fields of groups", err));
    for (size_t i = 0; i < n_fields; i++)
        field[i] = gb_groups_field(groups, i);
    GB_TRY(gb_groups_create(&(*out)->names, n_fields, field, err));
done:
    gb_free(field);
    return st;
}

gb_status gb_new_groups_find(gb_new_groups **out, const gb_prior_setup *setup, const gb_new_groups_how *how,
                             const gb_corpus *corpus, uint32_t *group, gb_error *err)
{
    gb_status st;
    const gb_psi_setup *own = setup->own;
    gb_new_groups *g = NULL;
    *out = NULL;
    GB_TRY(create(&g, own->groups, gb_psi_n_free(setup), err));
    GB_TRY(gb_groups_number_documents(own->groups, corpus, gb_corpus_path(corpus), g->names, group, err));
    if (gb_groups_count(g->names) == 0)
        goto done;
    GB_TRY(place_groups(g, own, how, corpus, group, err));
    *out = g;
    g = NULL;
done:
    gb_new_groups_free(g);
    return st;
}

void gb_new_groups_free(gb_new_groups *g)
{
    if (g == NULL)
        return;
    gb_groups_free(g->names);
    gb_free(g->place);
    gb_free(g->mean);
    gb_free(g->precision);
    gb_free(g->widening);
    gb_free(g->column_sum);
    gb_sparse_columns_clear(&g->columns);
    gb_free(g);
}

gb_new_group_law gb_new_groups_law(const gb_new_groups *g, size_t i)
{
    return (gb_new_group_law){.mean = g->mean + i * g->n_free,
                              .precision = g->precision == NULL ? NULL : g->precision + i * g->n_free,
                              .widening = g->widening[i]};
}
