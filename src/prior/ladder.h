/* prior/ladder.h - the law of one node of two chains that run side by side, given some of their nodes.
 *
 * A Gaussian field x on the nodes A_0, B_0, A_1, B_1, ... has the density
 *   exp(-1/2 sum over edges (i, j) of k_ij (x_i - x_j)^2),   edges A_i - A_{i+1}, B_i - B_{i+1}, A_i - B_i   (1)
 * Given the known nodes, a node is normal.  Its mean is a weighted mean of known nodes, with weights above 0 and a sum of 1. */
#ifndef GB_PRIOR_LADDER_H
#define GB_PRIOR_LADDER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gb_ladder {
    size_t n;             /* rungs; node A_i is number 2 i, B_i is 2 i + 1 */
    double along[2];      /* k of edges in A and in B */
    double rung;          /* k of A_i - B_i */
    const bool *is_known; /* 2 n; a path of edges with k > 0 joins every other node to one of them */
} gb_ladder;

/** Doubles of room that a solution needs. */
static inline size_t gb_ladder_room(size_t n)
{
    return 8 * n;
}

/**
 * The law of a node that is not known.
 *
 * @param weight  receives 2 n numbers: of the known nodes in the mean, 0 for the others
 * @return the variance
 */
double gb_ladder_solve(const gb_ladder *ladder, size_t node, double *room, double *weight);

#endif
