/* prior/new_groups_parts.h - shared by the files that place new groups and find their laws; private to them. */
#ifndef GB_PRIOR_NEW_GROUPS_PARTS_H
#define GB_PRIOR_NEW_GROUPS_PARTS_H

#include "prior/new_groups.h"
#include "prior/psi_prior.h"

typedef enum gb_graph_shape { GB_SHAPE_OTHER, GB_SHAPE_CHAIN, GB_SHAPE_COMPLETE, GB_SHAPE_GRID } gb_graph_shape;

/** A graph as rows of equal length; group (row, column) is number row * n_columns + column.  A chain is one row, a complete
 * graph one column. */
typedef struct gb_group_rows {
    gb_graph_shape shape;
    size_t n_rows, n_columns;
    int64_t first; /* the whole number of column 0 */
} gb_group_rows;

#define GB_NEW_ROW SIZE_MAX

/** Where a new group is: columns may lie before the first and after the last. */
typedef struct gb_new_place {
    size_t row; /* or GB_NEW_ROW */
    int64_t column;
} gb_new_place;

struct gb_new_groups {
    gb_new_groups_rule rule;
    gb_groups *names;
    size_t n, n_free;
    gb_group_rows rows;
    gb_new_place *place; /* n; extend */
    /* under the draw at hand: */
    double *mean;       /* n x n_free */
    double *precision;  /* n x n_free; NULL with a full covariance */
    double *widening;   /* n */
    double *column_sum; /* extend: n_columns x n_free: means added up over the rows */
    /* of a regression (psi_rows.c), every document being a group: */
    gb_sparse_columns columns;
};

#endif
