/* prior/group_graph.c - a graph out of its edges: parallel ones joined, components found. */
#include "prior/group_graph.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

void gb_graph_free(gb_graph *graph)
{
    if (graph == NULL)
        return;
    for (size_t r = 0; r < graph->n_types; r++)
        gb_free(graph->type[r]);
    gb_free(graph->type);
    gb_free(graph->type_start);
    gb_free(graph->edge);
    gb_free(graph->component);
    gb_ldl_pattern_free(graph->pattern);
    gb_free(graph);
}

/* ---- edges --------------------------------------------------------------------------------------------- */

static int compare_pairs(const gb_new_edge *a, const gb_new_edge *b)
{
    if (a->type != b->type)
        return a->type < b->type ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* Equal pairs by weight, so that their sum does not depend on the order in which they came. */
static int compare_edges(const void *a, const void *b)
{
    const gb_new_edge *left = a, *right = b;
    const int order = compare_pairs(left, right);
    return order != 0 ? order : (left->weight > right->weight) - (left->weight < right->weight);
}

static void sort_edges(size_t n_edges, gb_new_edge *edges)
{
    for (size_t e = 0; e < n_edges; e++)
        if (edges[e].from > edges[e].to) {
            const uint32_t from = edges[e].from;
            edges[e].from = edges[e].to;
            edges[e].to = from;
        }
    if (n_edges > 0)
        qsort(edges, n_edges, sizeof edges[0], compare_edges);
}

/* Sorted edges; edges of the same pair and type are joined. */
static gb_status join_edges(gb_graph *graph, size_t n_edges, const gb_new_edge *edges, gb_error *err)
{
    size_t n = 0;
    for (size_t e = 0; e < n_edges; e++) {
        if (e > 0 && compare_pairs(&edges[e - 1], &edges[e]) == 0) {
            graph->edge[n - 1].weight += edges[e].weight;
        } else {
            graph->edge[n++] = (gb_edge){edges[e].from, edges[e].to, edges[e].weight};
            graph->type_start[edges[e].type + 1] = n;
        }
        if (!isfinite(graph->edge[n - 1].weight))
            return gb_fail(err, GB_EFORMAT, "the weights of parallel edges have no finite sum");
    }
    for (size_t r = 0; r < graph->n_types; r++) /* a type without edges ends where the one before it does */
        if (graph->type_start[r + 1] < graph->type_start[r])
            graph->type_start[r + 1] = graph->type_start[r];
    return GB_OK;
}

/* ---- components ---------------------------------------------------------------------------------------- */

/* The smallest group of the component, as far as it is known; paths are halved on the way. */
static uint32_t find_first(uint32_t *before, uint32_t g)
{
    while (before[g] != g) {
        before[g] = before[before[g]];
        g = before[g];
    }
    return g;
}

static void find_components(gb_graph *graph)
{
    uint32_t *before = graph->component;
    for (uint32_t g = 0; g < graph->n_groups; g++)
        before[g] = g;
    for (size_t e = 0; e < graph->type_start[graph->n_types]; e++) {
        const uint32_t a = find_first(before, graph->edge[e].from), b = find_first(before, graph->edge[e].to);
        if (a < b)
            before[b] = a;
        else
            before[a] = b;
    }
    /* Everything points to a smaller group, so that its number is already there. */
    for (uint32_t g = 0; g < graph->n_groups; g++)
        graph->component[g] = before[g] == g ? graph->n_components++ : graph->component[before[g]];
}

/* ---- the graph ----------------------------------------------------------------------------------------- */

static gb_status analyse(gb_graph *graph, gb_error *err)
{
    gb_status st;
    uint32_t *pair = NULL;
    const size_t n_edges = graph->type_start[graph->n_types];
    GB_TRY(gb_alloc(&pair, 2 * n_edges, sizeof pair[0], "edges", err));
    for (size_t e = 0; e < n_edges; e++) {
        pair[2 * e] = graph->edge[e].from;
        pair[2 * e + 1] = graph->edge[e].to;
    }
    GB_TRY(gb_ldl_analyse(&graph->pattern, graph->n_groups, n_edges, pair, err));
done:
    gb_free(pair);
    return st;
}

gb_status gb_graph_create(gb_graph **out, uint32_t n_groups, size_t n_types, const char *const *type, size_t n_edges,
                          gb_new_edge *edges, gb_error *err)
{
    gb_status st;
    gb_graph *graph = NULL;
    GB_TRY(gb_alloc(&graph, 1, sizeof *graph, "a graph", err));
    graph->n_groups = n_groups;
    GB_TRY(gb_alloc(&graph->type, n_types, sizeof graph->type[0], "edge types", err));
    GB_TRY(gb_alloc(&graph->type_start, n_types + 1, sizeof graph->type_start[0], "edge types", err));
    for (; graph->n_types < n_types; graph->n_types++)
        GB_TRY(gb_copy_text(&graph->type[graph->n_types], type[graph->n_types], strlen(type[graph->n_types]), err));
    GB_TRY(gb_alloc(&graph->edge, n_edges, sizeof graph->edge[0], "edges", err));
    GB_TRY(gb_alloc(&graph->component, n_groups, sizeof graph->component[0], "components", err));
    sort_edges(n_edges, edges);
    GB_TRY(join_edges(graph, n_edges, edges, err));
    find_components(graph);
    GB_TRY(analyse(graph, err));
    *out = graph;
    graph = NULL;
done:
    gb_graph_free(graph);
    return st;
}
