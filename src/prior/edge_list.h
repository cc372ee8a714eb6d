/* prior/edge_list.h - edges and their types on their way into a graph. */
#ifndef GB_PRIOR_EDGE_LIST_H
#define GB_PRIOR_EDGE_LIST_H

#include "prior/group_graph.h"

/** Most edges of a graph. */
#define GB_MAX_EDGES ((size_t)200000000)

/** Start from {0}. */
typedef struct gb_edge_list {
    gb_new_edge *edge;
    size_t n_edges, edge_capacity;
    char **type, **type_key; /* names, and what two names must not share */
    uint64_t *type_line;     /* where each was first written; 0: not in a file */
    size_t n_types, type_capacity, key_capacity, line_capacity;
} gb_edge_list;

void gb_edge_list_free(gb_edge_list *list);

/**
 * The number of an edge type, which is added if it is new.  Two names that differ only in upper and lower case or in blanks
 * would be one type written in two ways: GB_EFORMAT.
 *
 * @param line  for messages; 0 when there is none
 */
gb_status gb_edge_list_type(gb_edge_list *list, gb_view name, uint64_t line, uint32_t *number, gb_error *err);
gb_status gb_edge_list_add(gb_edge_list *list, const gb_new_edge *edge, gb_error *err);

/** Add the rows of a file; see gb_graph_read() in prior/group_graph.h. */
gb_status gb_edge_list_read(gb_edge_list *list, const char *path, gb_groups *groups, const char *default_type,
                            gb_error *err);

/** The graph of all these edges, which are reordered. */
gb_status gb_edge_list_finish(gb_edge_list *list, uint32_t n_groups, gb_graph **out, gb_error *err);

#endif
