/* prior/ladder.c - the law of one node of two chains that run side by side, given some of their nodes.
 *
 * Q is the precision (1) of the unknown nodes, banded with two diagonals on either side.  x = Q^{-1} e of the node has its
 * variance at the node, and a known node's weight is the sum of k x over its unknown neighbours. */
#include "prior/ladder.h"

/* k of the edge from node p to node p + distance. */
static double precision_of(const gb_ladder *l, size_t p, size_t distance)
{
    if (p + distance >= 2 * l->n)
        return 0;
    if (distance == 2)
        return l->along[p % 2];
    return p % 2 == 0 ? l->rung : 0;
}

/* The three diagonals of Q; a known node is on its own. */
static void fill(const gb_ladder *l, double *diagonal, double *next, double *second)
{
    const size_t n = 2 * l->n;
    for (size_t p = 0; p < n; p++)
        diagonal[p] = l->is_known[p] ? 1 : 0;
    for (size_t p = 0; p < n; p++)
        for (size_t distance = 1; distance <= 2; distance++) {
            const double k = precision_of(l, p, distance);
            const bool is_inner = k > 0 && !l->is_known[p] && !l->is_known[p + distance];
            (distance == 1 ? next : second)[p] = is_inner ? -k : 0;
            if (k > 0 && !l->is_known[p])
                diagonal[p] += k;
            if (k > 0 && !l->is_known[p + distance])
                diagonal[p + distance] += k;
        }
}

/* L D L' in place: the diagonals of L, and D. */
static void factor(size_t n, double *diagonal, double *next, double *second)
{
    for (size_t p = 0; p < n; p++) {
        const double u = next[p], v = second[p];
        next[p] = u / diagonal[p];
        second[p] = v / diagonal[p];
        if (p + 1 < n) {
            diagonal[p + 1] -= u * next[p];
            next[p + 1] -= v * next[p];
        }
        if (p + 2 < n)
            diagonal[p + 2] -= v * second[p];
    }
}

static void solve(size_t n, const double *diagonal, const double *next, const double *second, double *x)
{
    for (size_t p = 0; p < n; p++) {
        if (p + 1 < n)
            x[p + 1] -= next[p] * x[p];
        if (p + 2 < n)
            x[p + 2] -= second[p] * x[p];
    }
    for (size_t p = n; p-- > 0;) {
        x[p] /= diagonal[p];
        if (p + 1 < n)
            x[p] -= next[p] * x[p + 1];
        if (p + 2 < n)
            x[p] -= second[p] * x[p + 2];
    }
}

double gb_ladder_solve(const gb_ladder *l, size_t node, double *room, double *weight)
{
    const size_t n = 2 * l->n;
    double *diagonal = room, *next = room + n, *second = room + 2 * n, *x = room + 3 * n;
    fill(l, diagonal, next, second);
    factor(n, diagonal, next, second);
    for (size_t p = 0; p < n; p++) {
        x[p] = p == node;
        weight[p] = 0;
    }
    solve(n, diagonal, next, second, x);
    for (size_t p = 0; p < n; p++)
        for (size_t distance = 1; distance <= 2; distance++) {
            const double k = precision_of(l, p, distance);
            if (k > 0 && l->is_known[p] && !l->is_known[p + distance])
                weight[p] += k * x[p + distance];
            if (k > 0 && !l->is_known[p] && l->is_known[p + distance])
                weight[p + distance] += k * x[p];
        }
    return x[node];
}
