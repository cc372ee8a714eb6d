/* prior/group_graph.h - which groups of documents are neighbours.
 *
 * An undirected graph whose nodes are groups.  An edge has a weight and a type; every type gets a precision of its own.
 * Groups without documents, groups without edges, and graphs of several parts are all allowed. */
#ifndef GB_PRIOR_GROUP_GRAPH_H
#define GB_PRIOR_GROUP_GRAPH_H

#include "math/sparse_ldl.h"
#include "prior/groups.h"

/** from < to. */
typedef struct gb_edge {
    uint32_t from, to;
    double weight; /* finite, above 0 */
} gb_edge;

typedef struct gb_graph {
    uint32_t n_groups;
    size_t n_types;
    char **type;        /* n_types names, in the order in which they came */
    size_t *type_start; /* n_types + 1; edges of type r are edge[type_start[r]] ... edge[type_start[r + 1] - 1] */
    gb_edge *edge;      /* within a type ascending by (from, to), each pair once */
    uint32_t n_components;
    uint32_t *component; /* n_groups; numbered by their first group */
    gb_ldl_pattern
        *pattern; /* of its Laplacian and of the factor of that, which may have many more entries; pair e is edge e */
} gb_graph;

void gb_graph_free(gb_graph *graph);

/** An edge on its way into a graph. */
typedef struct gb_new_edge {
    uint32_t from, to, type;
    double weight;
} gb_new_edge;

/**
 * Put a graph together: parallel edges of one type become one with the sum of their weights, and the components are
 * found.  With n_edges 0 all groups are isolated; a type without an edge stays (it has no influence).
 *
 * @param edges  reordered; each from != to, both < n_groups, weight finite and above 0
 * @param type   n_types names, copied
 * @return GB_OK, GB_EFORMAT (a sum of weights that is not finite), GB_EARGUMENT (a factor with too many entries) or GB_ENOMEM
 */
gb_status gb_graph_create(gb_graph **out, uint32_t n_groups, size_t n_types, const char *const *type, size_t n_edges,
                          gb_new_edge *edges, gb_error *err);

/**
 * The groups and the graph that --graph asks for, with the documents of a corpus in their places.
 *
 *   ""          no edges: the groups that documents have
 *   chain       one field of whole numbers; each number from the smallest to the largest is a group, neighbours differ
 *               by 1.  The edge type has the name of the field.
 *   complete    every two of the groups that documents have; edge type "edge"
 *   grid        two fields, the second of whole numbers: for each pair of values a group; within a value of the first
 *               a chain over the second (the edge type has the name of the second field), and within a value of the second
 *               every two of the first (type: name of the first)
 *   grid:FILE   the same, but within a value of the second the values of the first that the edge list FILE joins, with its
 *               weights and types (without a column of types: name of the first field)
 *   FILE        an edge list of groups (gb_edge_list_read() in prior/edge_list.h)
 *
 * @param name      the option's value
 * @param limit     the option memory-limit, for the edges; "" for none
 * @param path      of the corpus, for messages
 * @param groups    receives the groups
 * @param graph     receives the graph
 * @param group_of  receives the group of each document
 * @return GB_OK, GB_EARGUMENT (shape and fields do not fit), GB_EFORMAT (file, line or document in the message), GB_EIO or
 *         GB_ENOMEM.  Nothing is handed out on failure.
 */
gb_status gb_graph_of_corpus(const char *name, const char *limit, const gb_corpus *corpus, const char *path,
                             gb_groups **groups, gb_graph **graph, uint32_t *group_of, gb_error *err);

#endif
