/* prior/edge_list.h - edges and their types on their way into a graph. */
#ifndef GB_PRIOR_EDGE_LIST_H
#define GB_PRIOR_EDGE_LIST_H

#include "prior/group_graph.h"

/** Most edges of a graph, and most types of edges: each type has a precision, which is drawn in every sweep. */
#define GB_MAX_EDGES ((size_t)200000000)
enum { GB_MAX_EDGE_TYPES = 1000 };

/** Start from {0}. */
typedef struct gb_edge_list {
    const char *memory_limit; /* the option; NULL or "": none; borrowed */
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
/** Make room for so many more edges.
 * @return GB_OK, GB_EFORMAT (more than a graph can have), GB_EARGUMENT (the list and its graph would have more bytes than the memory
 * limit) or GB_ENOMEM */
gb_status gb_edge_list_reserve(gb_edge_list *list, uint64_t n_more, gb_error *err);
/** @return as gb_edge_list_reserve() */
gb_status gb_edge_list_add(gb_edge_list *list, const gb_new_edge *edge, gb_error *err);

/**
 * Add the rows of an edge list: a table (.tsv: tabs, else commas) whose header has the columns from and to, and may have weight and
 * type; others are passed over.  A row with an empty `to` declares a group without adding an edge.
 *
 * @param groups        receives the groups named that it does not have yet, in their order in the file
 * @param default_type  name of the type of all edges when there is no column of types
 */
gb_status gb_edge_list_read(gb_edge_list *list, const char *path, gb_groups *groups, const char *default_type,
                            gb_error *err);

/** The graph of all these edges, which are reordered. */
gb_status gb_edge_list_finish(gb_edge_list *list, uint32_t n_groups, gb_graph **out, gb_error *err);

#endif
