/* math/assignment.c - the assignment problem by shortest augmenting paths.
 *
 *   minimise the sum over rows i of cost[i][column(i)]
 *
 * Rows are added one at a time.  u and v are prices of rows and columns with u_i + v_j <= cost_ij, and equality for all pairs
 * that are made; so the pairs made are the cheapest for the rows added.  A new row is joined by the shortest path, in reduced
 * costs cost_ij - u_i - v_j, that alternates between unpaired and paired edges and ends in a free column: Dijkstra's algorithm.
 *
 *   Kuhn 1955, Naval Research Logistics 2; Jonker and Volgenant 1987, Computing 38. */
#include "math/assignment.h"

#include "base/memory.h"

#include <math.h>
#include <stdint.h>

static const size_t NONE = SIZE_MAX;

typedef struct pairing {
    size_t n;
    const double *cost;
    double *u, *v;
    size_t *row_of;   /* of a column; NONE: free */
    double *distance; /* of a column from the new row */
    size_t *before;   /* the row that a column is reached from */
    bool *is_done;    /* columns whose distance is final */
} pairing;

static void start_search(pairing *p)
{
    for (size_t j = 0; j < p->n; j++) {
        p->distance[j] = INFINITY;
        p->before[j] = NONE;
        p->is_done[j] = false;
    }
}

/* Look along all edges of a row that is `from` away; the column that is nearest now. */
static size_t widen(pairing *p, size_t row, double from)
{
    size_t nearest = NONE;
    for (size_t j = 0; j < p->n; j++) {
        const double through = from + (p->cost[row * p->n + j] - p->u[row] - p->v[j]);
        if (p->is_done[j])
            continue;
        if (through < p->distance[j]) {
            p->distance[j] = through;
            p->before[j] = row;
        }
        if (nearest == NONE || p->distance[j] < p->distance[nearest])
            nearest = j;
    }
    return nearest;
}

/* The prices keep all reduced costs at 0 or more, and make those of the path 0. */
static void set_prices(pairing *p, size_t new_row, double length)
{
    p->u[new_row] += length;
    for (size_t j = 0; j < p->n; j++) {
        if (!p->is_done[j])
            continue;
        p->v[j] -= length - p->distance[j];
        p->u[p->row_of[j]] += length - p->distance[j];
    }
}

static void add_row(pairing *p, size_t new_row, size_t *column)
{
    double from = 0;
    size_t row = new_row, end;
    start_search(p);
    while (p->row_of[end = widen(p, row, from)] != NONE) {
        p->is_done[end] = true;
        from = p->distance[end];
        row = p->row_of[end];
    }
    set_prices(p, new_row, p->distance[end]);
    for (size_t j = end; j != NONE;) { /* back along the path: each row moves on to the next column */
        const size_t i = p->before[j], left = i == new_row ? NONE : column[i];
        p->row_of[j] = i;
        column[i] = j;
        j = left;
    }
}

gb_status gb_assign(size_t n, const double *cost, size_t *column, gb_error *err)
{
    static const char what[] = "an assignment";
    gb_status st;
    pairing p = {.n = n, .cost = cost};
    GB_TRY(gb_alloc(&p.u, n, sizeof *p.u, what, err));
    GB_TRY(gb_alloc(&p.v, n, sizeof *p.v, what, err));
    GB_TRY(gb_alloc(&p.row_of, n, sizeof *p.row_of, what, err));
    GB_TRY(gb_alloc(&p.distance, n, sizeof *p.distance, what, err));
    GB_TRY(gb_alloc(&p.before, n, sizeof *p.before, what, err));
    GB_TRY(gb_alloc(&p.is_done, n, sizeof *p.is_done, what, err));
    for (size_t j = 0; j < n; j++)
        p.row_of[j] = NONE;
    for (size_t i = 0; i < n; i++)
        add_row(&p, i, column);
done:
    gb_free(p.u);
    gb_free(p.v);
    gb_free(p.row_of);
    gb_free(p.distance);
    gb_free(p.before);
    gb_free(p.is_done);
    return st;
}
