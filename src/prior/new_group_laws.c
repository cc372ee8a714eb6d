/* prior/new_group_laws.c - the laws of new groups under a draw: means and precisions of the groups that there are are given.
 *
 * Extend: the new groups that are needed to reach the one at hand are added to the graph with its edges, and its mean given all
 * old means is
 *   mu ~ N(m, v),   psi ~ N(m, v + 1 / k_o)     (a full covariance: mu ~ N(m, v Sigma), psi ~ N(m, (1 + v) Sigma))      (1)
 * A chain n steps on: m is the mean of its last group, v = n / k_e.  A new group of a complete graph: m is the average of all
 * G means, v = 1 / (G k_e).
 * A grid: of R rows, the row at hand sees the other R' only through their average, because the differences between them are
 * independent of it.  Row and average are the chains B and A of a ladder (ladder.h) with the precisions k_along, R' k_along
 * and, between them, R' k_across.
 *
 * Level: with G means of groups with documents, average m and variance s^2 (G - 1 below), v = s^2 (1 + 1/G); topic by topic, or
 * with a full covariance one s^2 in units of Sigma. */
#include "prior/new_groups_parts.h"

#include "base/memory.h"
#include "prior/group_means_parts.h"
#include "prior/ladder.h"
#include "prior/psi_state.h"

#include <math.h>
#include <string.h>

/* Everything about the draw at hand. */
typedef struct draw {
    gb_new_groups *g;
    const gb_psi_setup *own;
    const gb_psi_state *state;
    const double *mean;      /* n_groups x n_free */
    const double *evolution; /* by type; of a set of precisions */
} draw;

/* v into the law of the topics first .. last - 1 of a new group. */
static void set_variance(const draw *d, size_t i, size_t first, size_t last, double v)
{
    const gb_new_groups *g = d->g;
    g->widening[i] = 1 + v;
    for (size_t t = first; g->precision != NULL && t < last; t++)
        g->precision[i * g->n_free + t] = 1 / (v + 1 / d->state->precision[t]);
}

/* ---- extend ---- */

static void add_columns(const draw *d)
{
    const gb_group_rows *rows = &d->g->rows;
    const size_t n = rows->n_columns * d->g->n_free;
    memset(d->g->column_sum, 0, n * sizeof *d->g->column_sum);
    for (size_t row = 0; row < rows->n_rows; row++)
        for (size_t i = 0; i < n; i++)
            d->g->column_sum[i] += d->mean[row * n + i];
}

/* The columns that the law of a place depends on: first .. last. */
static void find_window(const gb_group_rows *rows, const gb_new_place *place, int64_t *first, int64_t *last)
{
    const int64_t end = (int64_t)rows->n_columns - 1;
    *first = place->column < 0 ? place->column : place->column > end && place->row != GB_NEW_ROW ? end : 0;
    *last = place->column > end ? place->column : place->column < 0 && place->row != GB_NEW_ROW ? 0 : end;
}

static bool is_old(const gb_group_rows *rows, int64_t column)
{
    return column >= 0 && column < (int64_t)rows->n_columns;
}

/* Rows other than the one at hand. */
static size_t count_others(const gb_group_rows *rows, const gb_new_place *place)
{
    return rows->n_rows - (place->row != GB_NEW_ROW);
}

static gb_ladder make_ladder(const draw *d, const gb_new_place *place, size_t n, const bool *is_known)
{
    const bool is_grid = d->g->rows.shape == GB_SHAPE_GRID;
    const double n_others = (double)count_others(&d->g->rows, place);
    const double across = d->g->rows.shape == GB_SHAPE_COMPLETE ? d->evolution[0]
                          : is_grid && d->own->n_types > 1      ? d->evolution[1]
                                                                : 0;
    return (gb_ladder){.n = n,
                       .along = {is_grid ? n_others * d->evolution[0] : 0, d->evolution[0]},
                       .rung = n_others * across,
                       .is_known = is_known};
}

/* Add a known node of a column, times its weight, to the mean of a new group. */
static void add_node(const draw *d, const gb_new_place *place, size_t column, bool is_others, double weight,
                     size_t t0, size_t t1, double *mean)
{
    const gb_group_rows *rows = &d->g->rows;
    const size_t n_free = d->g->n_free;
    const double *sum = d->g->column_sum + column * n_free, n_others = (double)count_others(rows, place);
    const double *own_row =
        place->row == GB_NEW_ROW ? NULL : d->mean + (place->row * rows->n_columns + column) * n_free;
    for (size_t t = t0; t < t1; t++) {
        const double own = own_row == NULL ? 0 : own_row[t];
        mean[t] += weight * (is_others ? (sum[t] - own) / n_others : own);
    }
}

typedef struct window {
    int64_t first;
    size_t n;
    bool *is_known;
    double *room, *weight;
} window;

static gb_status open_window(window *w, const draw *d, const gb_new_place *place, gb_error *err)
{
    gb_status st;
    int64_t last;
    const bool has_others = count_others(&d->g->rows, place) > 0;
    find_window(&d->g->rows, place, &w->first, &last);
    w->n = (size_t)(last - w->first) + 1;
    GB_TRY(gb_alloc(&w->is_known, 2 * w->n, sizeof *w->is_known, "new groups", err));
    GB_TRY(gb_alloc(&w->room, gb_ladder_room(w->n), sizeof *w->room, "new groups", err));
    GB_TRY(gb_alloc(&w->weight, 2 * w->n, sizeof *w->weight, "new groups", err));
    for (size_t i = 0; i < w->n; i++) {
        const bool is_there = is_old(&d->g->rows, w->first + (int64_t)i);
        w->is_known[2 * i] = is_there || !has_others; /* no others: no node, and none needed */
        w->is_known[2 * i + 1] = is_there && place->row != GB_NEW_ROW;
    }
done:
    return st;
}

static void close_window(window *w)
{
    gb_free(w->is_known);
    gb_free(w->room);
    gb_free(w->weight);
}

/* (1) of new group i, for the topics t0 .. t1 - 1, which share their precisions. */
static void extend(const draw *d, const window *w, size_t i, size_t t0, size_t t1)
{
    const gb_new_place *place = &d->g->place[i];
    const gb_ladder ladder = make_ladder(d, place, w->n, w->is_known);
    double *mean = d->g->mean + i * d->g->n_free;
    const double v = gb_ladder_solve(&ladder, 2 * (size_t)(place->column - w->first) + 1, w->room, w->weight);
    for (size_t t = t0; t < t1; t++)
        mean[t] = 0;
    for (size_t p = 0; p < 2 * w->n; p++)
        if (w->weight[p] > 0)
            add_node(d, place, (size_t)(w->first + (int64_t)(p / 2)), p % 2 == 0, w->weight[p], t0, t1, mean);
    set_variance(d, i, t0, t1, v);
}

static gb_status extend_all(draw *d, const gb_prior *prior, gb_error *err)
{
    gb_status st = GB_OK;
    window w = {0};
    const size_t n_free = d->g->n_free, n_sets = gb_psi_n_sets(prior->setup);
    const double *evolution = prior->values.table[GB_PSI_EVOLUTION].value;
    add_columns(d);
    for (size_t i = 0; i < d->g->n; i++) {
        close_window(&w);
        w = (window){0};
        GB_TRY(open_window(&w, d, &d->g->place[i], err));
        for (size_t set = 0; set < n_sets; set++) {
            d->evolution = evolution + set * d->own->n_types;
            extend(d, &w, i, n_sets == 1 ? 0 : set, n_sets == 1 ? n_free : set + 1);
        }
    }
done:
    close_window(&w);
    return st;
}

/* ---- level ---- */

/* The average of the groups with documents; returns how many there are. */
static size_t average(const draw *d, double *mean)
{
    size_t n = 0;
    const size_t n_free = d->g->n_free;
    memset(mean, 0, n_free * sizeof *mean);
    for (uint32_t i = 0; i < d->own->n_groups; i++) {
        if (d->own->group_size[i] == 0)
            continue;
        n++;
        for (size_t t = 0; t < n_free; t++)
            mean[t] += d->mean[i * n_free + t];
    }
    for (size_t t = 0; t < n_free; t++)
        mean[t] /= (double)n;
    return n;
}

/* Squares of the differences to the average, by topic; with a full covariance in units of its root. */
static void add_squares(const draw *d, const double *mean, double *difference, double *square)
{
    const size_t n_free = d->g->n_free;
    for (uint32_t i = 0; i < d->own->n_groups; i++) {
        if (d->own->group_size[i] == 0)
            continue;
        for (size_t t = 0; t < n_free; t++)
            difference[t] = d->mean[i * n_free + t] - mean[t];
        if (d->own->is_full)
            gb_whiten(n_free, d->state->covariance.root, difference);
        for (size_t t = 0; t < n_free; t++)
            square[t] += difference[t] * difference[t];
    }
}

/* The law of a group like any other: of new group 0, and then of all. */
static gb_status take_level(const draw *d, gb_error *err)
{
    gb_status st;
    const gb_new_groups *g = d->g;
    const size_t n_free = g->n_free;
    double *square = NULL, pooled = 0;
    GB_TRY(gb_alloc(&square, 2 * n_free, sizeof *square, "new groups", err));
    const size_t n = average(d, g->mean);
    const double factor = (1 + 1 / (double)n) / (double)(n - 1);
    add_squares(d, g->mean, square + n_free, square);
    for (size_t t = 0; t < n_free; t++)
        pooled += square[t] / (double)n_free;
    for (size_t i = 0; i < g->n; i++) {
        if (i > 0)
            memcpy(g->mean + i * n_free, g->mean, n_free * sizeof *g->mean);
        for (size_t t = 0; t < n_free; t++)
            set_variance(d, i, t, t + 1, factor * (d->own->is_full ? pooled : square[t]));
    }
done:
    gb_free(square);
    return st;
}

gb_status gb_new_groups_set(gb_new_groups *g, gb_prior *prior, gb_error *err)
{
    draw d = {
        .g = g, .own = prior->setup->own, .state = prior->state, .mean = prior->values.table[GB_PSI_MEAN].value};
    prior->new_groups = g;
    return g->rule == GB_NEW_GROUPS_LEVEL ? take_level(&d, err) : extend_all(&d, prior, err);
}
