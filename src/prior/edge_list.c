/* prior/edge_list.c - edges and their types on their way into a graph, of a file or one by one. */
#include "prior/edge_list.h"

#include "base/memory.h"
#include "base/size.h"
#include "corpus/data/fold.h"
#include "corpus/readers/edge_table.h"

#include <inttypes.h>
#include <string.h>

/* ---- the list ------------------------------------------------------------------------------------------ */

void gb_edge_list_free(gb_edge_list *list)
{
    for (size_t r = 0; r < list->n_types; r++) {
        gb_free(list->type[r]);
        gb_free(list->type_key[r]);
    }
    gb_free(list->type);
    gb_free(list->type_key);
    gb_free(list->type_line);
    gb_free(list->edge);
    *list = (gb_edge_list){0};
}

/* A name without blanks and with upper and lower case folded together. */
static gb_status make_key(gb_view name, char **key, gb_error *err)
{
    gb_status st;
    gb_fold fold = {.lowercase = true};
    gb_view folded;
    size_t n = 0;
    GB_TRY(gb_fold_text(&fold, name, &folded, err));
    GB_TRY(gb_copy_text(key, folded.text, folded.length, err));
    for (size_t i = 0; i < folded.length; i++)
        if (folded.text[i] != ' ' && folded.text[i] != '\t')
            (*key)[n++] = folded.text[i];
    (*key)[n] = '\0';
done:
    gb_fold_free(&fold);
    return st;
}

static gb_status fail_two_spellings(const gb_edge_list *list, size_t type, gb_view name, gb_error *err)
{
    if (list->type_line[type] == 0)
        return gb_fail(err, GB_EFORMAT, "the edge type \"%.*s\" has the name of the chain's edges, expected another",
                       GB_SHOWN(name));
    return gb_fail(err, GB_EFORMAT, "the edge type \"%.*s\" is written \"%s\" in line %llu, expected one spelling",
                   GB_SHOWN(name), list->type[type], (unsigned long long)list->type_line[type]);
}

static gb_status add_type(gb_edge_list *list, gb_view name, char **key, uint64_t line, gb_error *err)
{
    gb_status st;
    const size_t n = list->n_types;
    GB_TRY(gb_grow(&list->type, &list->type_capacity, n + 1, sizeof list->type[0], "edge types", err));
    GB_TRY(gb_grow(&list->type_key, &list->key_capacity, n + 1, sizeof list->type_key[0], "edge types", err));
    GB_TRY(gb_grow(&list->type_line, &list->line_capacity, n + 1, sizeof list->type_line[0], "edge types", err));
    GB_TRY(gb_copy_text(&list->type[n], name.text, name.length, err));
    list->type_key[n] = *key;
    list->type_line[n] = line;
    list->n_types++;
    *key = NULL;
done:
    return st;
}

gb_status gb_edge_list_type(gb_edge_list *list, gb_view name, uint64_t line, uint32_t *number, gb_error *err)
{
    gb_status st = GB_OK;
    char *key = NULL;
    for (size_t r = 0; r < list->n_types; r++)
        if (gb_view_is(name, list->type[r]) && (list->type_line[r] == 0) == (line == 0)) {
            *number = (uint32_t)r;
            return GB_OK;
        }
    if (list->n_types == GB_MAX_EDGE_TYPES)
        return gb_fail(err, GB_EFORMAT, "more than %d types of edges", (int)GB_MAX_EDGE_TYPES);
    GB_TRY(make_key(name, &key, err));
    for (size_t r = 0; r < list->n_types; r++)
        if (strcmp(key, list->type_key[r]) == 0) {
            st = fail_two_spellings(list, r, name, err);
            goto done;
        }
    *number = (uint32_t)list->n_types;
    GB_TRY(add_type(list, name, &key, line, err));
done:
    gb_free(key);
    return st;
}

/* A list is there twice while it grows, and beside the graph in the end.
 * @param n_edges  that it is to have */
static gb_status check_memory(const gb_edge_list *list, uint64_t n_edges, uint64_t n_other_bytes, gb_error *err)
{
    uint64_t most_bytes;
    const uint64_t room = n_edges > list->edge_capacity ? n_edges : list->edge_capacity;
    if (list->memory_limit == NULL || *list->memory_limit == '\0')
        return GB_OK;
    const gb_status st = gb_size_from_text(list->memory_limit, &most_bytes, err);
    if (st != GB_OK ||
        (n_other_bytes <= most_bytes && room <= (most_bytes - n_other_bytes) / (2 * sizeof *list->edge)))
        return st;
    return gb_fail(err, GB_EARGUMENT, "`memory-limit` %s: a graph with %" PRIu64 " edges needs more",
                   list->memory_limit, n_edges);
}

gb_status gb_edge_list_reserve(gb_edge_list *list, uint64_t n_more, gb_error *err)
{
    gb_status st;
    if (n_more > GB_MAX_EDGES - list->n_edges)
        return gb_fail(err, GB_EFORMAT, "more than %zu edges", GB_MAX_EDGES);
    const size_t n = list->n_edges + (size_t)n_more;
    if (n <= list->edge_capacity)
        return GB_OK;
    GB_TRY(check_memory(list, n, 0, err));
    GB_TRY(gb_grow(&list->edge, &list->edge_capacity, n, sizeof *list->edge, "edges", err));
done:
    return st;
}

gb_status gb_edge_list_add(gb_edge_list *list, const gb_new_edge *edge, gb_error *err)
{
    const gb_status st = gb_edge_list_reserve(list, 1, err);
    if (st == GB_OK)
        list->edge[list->n_edges++] = *edge;
    return st;
}

gb_status gb_edge_list_finish(gb_edge_list *list, uint32_t n_groups, gb_graph **out, gb_error *err)
{
    return gb_graph_create(out, n_groups, list->n_types, (const char *const *)list->type, list->n_edges, list->edge,
                           err);
}

/* ---- a file -------------------------------------------------------------------------------------------- */

typedef struct edge_file {
    gb_edge_list *list;
    gb_groups *groups;
    const char *default_type;
} edge_file;

static gb_status take_row(void *context, const gb_edge_row *row, gb_error *err)
{
    gb_status st;
    const edge_file *f = context;
    gb_new_edge edge = {.weight = row->weight};
    GB_TRY(gb_groups_add(f->groups, row->from, &edge.from, err));
    GB_TRY(check_memory(f->list, f->list->n_edges + 1, gb_groups_bytes(f->groups), err));
    if (row->to.length == 0)
        return GB_OK;
    GB_TRY(gb_groups_add(f->groups, row->to, &edge.to, err));
    if (edge.from == edge.to)
        return gb_fail(err, GB_EFORMAT, "the edge joins \"%.*s\" with itself, expected two groups",
                       GB_SHOWN(row->to));
    const gb_view type = row->type.text == NULL ? gb_view_of(f->default_type) : row->type;
    GB_TRY(gb_edge_list_type(f->list, type, row->line, &edge.type, err));
    GB_TRY(gb_edge_list_add(f->list, &edge, err));
done:
    return st;
}

gb_status gb_edge_list_read(gb_edge_list *list, const char *path, gb_groups *groups, const char *default_type,
                            gb_error *err)
{
    edge_file f = {.list = list, .groups = groups, .default_type = default_type};
    return gb_edge_table_read(path, take_row, &f, err);
}
