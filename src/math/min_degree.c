/* math/min_degree.c - an order of elimination of a sparse symmetric matrix that leaves few entries in its factor.
 *
 *   The row with the fewest neighbours is eliminated next, which makes neighbours of its neighbours.  They are not written
 *   down as pairs but as one element, the list of them, in which the elements that the row belonged to are absorbed.  Rows with the same
 *   neighbours are one row that counts for several.  How many neighbours a row has is not counted, which would take long, but bounded: by the sum of what its
 *   elements have beside the newest one, and by what it had before and the newest one.  Rows with very many neighbours, such as the middle of a star, come last.
 *
 *   Amestoy, Davis & Duff 1996, SIAM J. Matrix Anal. Appl. 17.
 *   Cost: about the entries of the factor, less where rows are alike. */
#include "math/min_degree.h"

#include "base/memory.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { NONE = -1, LEAST_DENSE = 16 };
static const double DENSE = 10; /* times the root of the rows */

/* Rows and elements have one numbering: an element that of the row whose elimination made it. */
typedef struct graph {
    int n, n_ordered, least; /* least: no row has fewer neighbours */
    int *order;
    int *weight;                      /* of a row: the rows that it counts for; 0: eliminated, or part of another */
    int *degree;                      /* of a row: a bound of its neighbours; of an element: its rows */
    int *first, *n_elements, *n_rows; /* of a row: in `list`, its elements and then its rows */
    size_t *element_at;               /* of an element: where its rows begin in `member` */
    int *n_members;                   /* NONE: absorbed, or not an element */
    int *head, *next, *before;        /* rows by degree */
    int *bucket, *bucket_next;        /* rows of the newest element by their hash */
    int *part, *part_end;             /* a row is the first of a list of those that it counts for */
    int *mark, *outside, *seen,
        stamp; /* mark[i] == stamp: in the newest element; outside: rows of an element that are not in it */
    int *list, *member;
    size_t n_member, member_room;
    int *room;
} graph;

/* ---- rows by degree ---- */

static void put_in(graph *g, int i)
{
    const int d = g->degree[i];
    g->before[i] = NONE;
    g->next[i] = g->head[d];
    if (g->head[d] != NONE)
        g->before[g->head[d]] = i;
    g->head[d] = i;
    if (d < g->least)
        g->least = d;
}

static void take_out(graph *g, int i)
{
    if (g->before[i] != NONE)
        g->next[g->before[i]] = g->next[i];
    else
        g->head[g->degree[i]] = g->next[i];
    if (g->next[i] != NONE)
        g->before[g->next[i]] = g->before[i];
}

static void put_last(graph *g, int i)
{
    for (; i != NONE; i = g->part[i])
        g->order[g->n_ordered++] = i;
}

/* j becomes a part of i. */
static void join(graph *g, int i, int j)
{
    g->weight[i] += g->weight[j];
    g->weight[j] = 0;
    g->part[g->part_end[i]] = j;
    g->part_end[i] = g->part_end[j];
}

/* ---- an element ---- */

static gb_status add_member(graph *g, int i, int *weight, gb_error *err)
{
    if (g->weight[i] == 0 || g->mark[i] == g->stamp)
        return GB_OK;
    if (g->n_member == g->member_room) {
        const gb_status st = gb_grow(&g->member, &g->member_room, g->n_member + 1, sizeof *g->member,
                                     "the order of a sparse matrix", err);
        if (st != GB_OK)
            return st;
    }
    g->mark[i] = g->stamp;
    g->member[g->n_member++] = i;
    *weight += g->weight[i];
    return GB_OK;
}

/* The neighbours of row p are those of the new element. */
static gb_status make_element(graph *g, int p, gb_error *err)
{
    gb_status st = GB_OK;
    int weight = 0;
    const int *list = g->list + g->first[p];
    g->stamp++;
    g->mark[p] = g->stamp;
    g->element_at[p] = g->n_member;
    for (int k = 0; k < g->n_elements[p]; k++) {
        const int e = list[k];
        for (int m = 0; m < g->n_members[e]; m++)
            GB_TRY(add_member(g, g->member[g->element_at[e] + (size_t)m], &weight, err));
        g->n_members[e] = NONE;
    }
    for (int k = 0; k < g->n_rows[p]; k++)
        GB_TRY(add_member(g, list[g->n_elements[p] + k], &weight, err));
    g->n_members[p] = (int)(g->n_member - g->element_at[p]);
    g->degree[p] = weight;
done:
    return st;
}

/* How many rows the older elements have outside of the new one. */
static void count_outside(graph *g, int p)
{
    for (int m = 0; m < g->n_members[p]; m++) {
        const int i = g->member[g->element_at[p] + (size_t)m];
        for (int k = 0; k < g->n_elements[i]; k++) {
            const int e = g->list[g->first[i] + k];
            if (g->n_members[e] == NONE)
                continue;
            if (g->seen[e] != g->stamp)
                g->outside[e] = g->degree[e];
            g->seen[e] = g->stamp;
            g->outside[e] -= g->weight[i];
        }
    }
}

/* Leave out of the lists of row i what the new element p says.  @return its neighbours outside of p, at most */
static int tidy_row(graph *g, int i, int p, unsigned *hash)
{
    int *list = g->list + g->first[i], n = 0, sum = 0;
    const int *rows = list + g->n_elements[i];
    const int n_rows = g->n_rows[i];
    unsigned h = (unsigned)p;
    for (int k = 0; k < g->n_elements[i]; k++) {
        const int e = list[k];
        if (g->n_members[e] == NONE)
            continue;
        if (g->outside[e] == 0) { /* all of it is in p */
            g->n_members[e] = NONE;
            continue;
        }
        list[n++] = e;
        sum += g->outside[e];
        h += (unsigned)e;
    }
    const int n_elements = n;
    for (int k = 0; k < n_rows; k++) {
        const int j = rows[k];
        if (g->weight[j] == 0 || g->mark[j] == g->stamp)
            continue;
        list[n++] = j;
        sum += g->weight[j];
        h += (unsigned)j;
    }
    /* p takes a place that was left: that of p itself, or of an element that it has absorbed. */
    if (n > n_elements)
        list[n] = list[n_elements];
    list[n_elements] = p;
    g->n_elements[i] = n_elements + 1;
    g->n_rows[i] = n - n_elements;
    *hash = h;
    return sum;
}

static bool is_alike(graph *g, int i, int j)
{
    const int n = g->n_elements[i] + g->n_rows[i];
    if (g->n_elements[i] != g->n_elements[j] || g->n_rows[i] != g->n_rows[j])
        return false;
    g->stamp++;
    for (int k = 0; k < n; k++)
        g->seen[g->list[g->first[i] + k]] = g->stamp;
    for (int k = 0; k < n; k++)
        if (g->seen[g->list[g->first[j] + k]] != g->stamp)
            return false;
    return true;
}

/* Of the rows with one hash, those that have the same neighbours. */
static void join_alike(graph *g, int *head)
{
    for (int i = *head; i != NONE; i = g->bucket_next[i]) {
        for (int before = i, j = g->bucket_next[i]; j != NONE; j = g->bucket_next[before]) {
            if (is_alike(g, i, j)) {
                join(g, i, j);
                g->bucket_next[before] = g->bucket_next[j];
            } else
                before = j;
        }
    }
    *head = NONE;
}

static unsigned bucket_of(const graph *g, unsigned hash)
{
    return hash % (unsigned)g->n;
}

/* The rows of the new element p: their lists, and how many neighbours they have.  `seen` is used anew afterwards. */
static void tidy_rows(graph *g, int p)
{
    int *const member = GB_FROM(g->member, g->element_at[p]), n_members = g->n_members[p];
    for (int m = 0; m < n_members; m++) {
        const int i = member[m];
        unsigned hash;
        const int outside = tidy_row(g, i, p, &hash);
        if (outside == 0) { /* it can go with p: no neighbours but the others of p */
            g->degree[p] -= g->weight[i];
            join(g, p, i);
            continue;
        }
        if (outside < g->degree[i])
            g->degree[i] = outside;
        const unsigned b = bucket_of(g, hash);
        g->bucket_next[i] = g->bucket[b];
        g->bucket[b] = i;
        g->before[i] = (int)b; /* while it is in no list of degrees */
    }
    for (int m = 0; m < n_members; m++)
        if (g->weight[member[m]] > 0)
            join_alike(g, &g->bucket[g->before[member[m]]]);
    int n = 0;
    for (int m = 0; m < n_members; m++) {
        const int i = member[m];
        if (g->weight[i] == 0)
            continue;
        member[n++] = i;
        const int bound = g->degree[i] + g->degree[p] - g->weight[i], left = g->n - g->n_ordered - g->weight[i];
        g->degree[i] = bound < left ? bound : left;
        put_in(g, i);
    }
    g->n_members[p] = n;
    g->n_member = g->element_at[p] + (size_t)n;
}

static gb_status eliminate(graph *g, int p, gb_error *err)
{
    take_out(g, p);
    const gb_status st = make_element(g, p, err);
    if (st != GB_OK)
        return st;
    for (int m = 0; m < g->n_members[p]; m++)
        take_out(g, g->member[g->element_at[p] + (size_t)m]);
    count_outside(g, p);
    tidy_rows(g, p);
    g->weight[p] = 0;
    put_last(g, p);
    return st;
}

/* ---- the matrix ---- */

static void count_neighbours(graph *g, const int *start, const int *row)
{
    for (int k = 0; k < g->n; k++) {
        for (int e = start[k]; e < start[k + 1]; e++) {
            if (row[e] != k) {
                g->degree[k]++;
                g->degree[row[e]]++;
            }
        }
    }
}

/* Rows with very many neighbours are left out.  Their number is returned. */
static int leave_out_dense(graph *g)
{
    const double most = fmax(LEAST_DENSE, DENSE * sqrt(g->n));
    int n = 0;
    for (int i = 0; i < g->n; i++) {
        g->weight[i] = g->degree[i] <= most;
        n += g->weight[i] == 0;
    }
    return n;
}

static void list_neighbours(graph *g, const int *start, const int *row)
{
    int at = 0;
    for (int i = 0; i < g->n; i++) {
        g->first[i] = at;
        at += g->degree[i];
    }
    for (int k = 0; k < g->n; k++) {
        for (int e = start[k]; e < start[k + 1]; e++) {
            const int i = row[e];
            if (i == k || g->weight[i] == 0 || g->weight[k] == 0)
                continue;
            g->list[g->first[i] + g->n_rows[i]++] = k;
            g->list[g->first[k] + g->n_rows[k]++] = i;
        }
    }
    for (int i = 0; i < g->n; i++)
        g->degree[i] = g->n_rows[i];
}

static gb_status open_graph(graph *g, const int *start, gb_error *err)
{
    gb_status st;
    const size_t n = (size_t)g->n;
    int **part[] = {&g->weight,   &g->degree, &g->first,   &g->n_elements, &g->n_rows,      &g->n_members,
                    &g->head,     &g->next,   &g->before,  &g->bucket,     &g->bucket_next, &g->part,
                    &g->part_end, &g->mark,   &g->outside, &g->seen};
    const size_t n_parts = sizeof part / sizeof part[0];
    GB_TRY(gb_alloc(&g->room, n_parts * n, sizeof *g->room, "the order of a sparse matrix", err));
    GB_TRY(gb_alloc(&g->element_at, n, sizeof *g->element_at, "the order of a sparse matrix", err));
    GB_TRY(gb_alloc(&g->list, 2 * (size_t)start[n], sizeof *g->list, "the order of a sparse matrix", err));
    for (size_t i = 0; i < n_parts; i++)
        *part[i] = g->room + i * n;
    for (int i = 0; i < g->n; i++) {
        g->n_members[i] = g->head[i] = g->bucket[i] = g->part[i] = NONE;
        g->part_end[i] = i;
    }
done:
    return st;
}

static void close_graph(graph *g)
{
    gb_free(g->room);
    gb_free(g->element_at);
    gb_free(g->list);
    gb_free(g->member);
}

gb_status gb_min_degree(int n, const int *start, const int *row, int *order, gb_error *err)
{
    gb_status st;
    graph g = {.n = n, .order = order};
    GB_TRY(open_graph(&g, start, err));
    count_neighbours(&g, start, row);
    const int n_sparse = n - leave_out_dense(&g);
    list_neighbours(&g, start, row);
    for (int i = n - 1; i >= 0; i--)
        if (g.weight[i] > 0)
            put_in(&g, i);
    while (g.n_ordered < n_sparse) {
        while (g.head[g.least] == NONE)
            g.least++;
        GB_TRY(eliminate(&g, g.head[g.least], err));
    }
    memset(g.mark, 0, (size_t)n * sizeof *g.mark);
    for (int k = 0; k < g.n_ordered; k++)
        g.mark[order[k]] = 1;
    for (int i = 0; i < n; i++)
        if (g.mark[i] == 0)
            g.order[g.n_ordered++] = i;
done:
    close_graph(&g);
    return st;
}
