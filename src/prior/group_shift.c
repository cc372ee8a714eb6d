/* prior/group_shift.c - means of groups redrawn together with the log weights of their documents.
 *
 * Given psi, the mean of a group moves by 1 / sqrt(k_o n_g) at a time, although psi may say nothing but what the mean said
 * before: documents that have no token of a topic.  Here e_dt = psi_dt - mu_{g(d),t} stays as it is instead and psi moves with
 * the mean (Papaspiliopoulos, Roberts and Skold 2007, Statistical Science 22; done one after the other the two are Yu and
 * Meng's interweaving, 2011, Journal of Computational and Graphical Statistics 20).  For one topic t, x_g = mu_gt,
 *     log p(x | e, z, rest) = l(x) - 1/2 (x - m_0)' Q (x - m_0) + const
 *     l(x) = sum_g [ n_gt x_g - sum over d in g of N_d log(C_dt + exp(x_g + e_dt)) ]                          (1)
 * with Q = sum_r k_r Lap_r + k_0 sum_c u_c u_c', n_gt the tokens of the group in the topic, and C_dt the sum of exp(psi_dj) over
 * the other topics.  l is concave.  Near its mode x* (1) is normal with precision Q + H, H = -l''(x*), so with v ~
 * N(0, (Q + H)^{-1}) the new x is looked for on the ellipse
 *     x* + (x - x*) cos a + v sin a                                                                          (2)
 * by a slice sampler for a (elliptical slice sampling: Murray, Adams and MacKay 2010, AISTATS; around a normal that is
 * not the prior: Nishihara, Murray and Adams 2014, Journal of Machine Learning Research 15), on what (1) has besides the normal:
 *     r(x) = l(x) + 1/2 (x - x*)' H (x - x*) - x' Q (x* - m_0)                                               (3)
 * This leaves (1) as it is whatever x* and H are, as long as they do not depend on x given e: they are where a few
 * steps of Newton's method end that begin at
 *     x_g = log((n_gt + 1/2) / sum_d N_d exp(e_dt) / C_dt)                                                   (4)
 *
 *   Cost: some ten passes over the documents for each topic, of one division or one logarithm per document. */
#include "prior/group_means_parts.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "prior/part_tasks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { DOCS_PER_TASK = GB_SHIFT_DOCS_PER_TASK, NEWTON_STEPS = 6 };

static const double LONGEST_STEP = 3, LEAST_CURVATURE = 1e-3;

typedef gb_group_sums sums;

typedef struct shift {
    gb_group_means *m;
    gb_group_shift *room;
    const uint64_t *doc_len_start;
    double *psi, *weight;
    size_t t; /* the topic at hand */
} shift;

static double length_of(const shift *s, uint64_t d)
{
    return (double)(s->doc_len_start[d + 1] - s->doc_len_start[d]);
}

static size_t n_tasks_of(const shift *s)
{
    return gb_part_tasks(s->m->portion, s->m->n_docs, DOCS_PER_TASK);
}

/* Places in the order of groups. */
static gb_document_range places_of(const shift *s, size_t task)
{
    return gb_part_task(s->m->portion, s->m->n_docs, DOCS_PER_TASK, task);
}

/* The cell that has this place. */
static size_t cell_at(const shift *s, uint64_t place)
{
    const gb_group_cell *cell = s->m->work->cell;
    size_t low = 0, high = s->m->work->n_cells;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        *(cell[middle].start <= place ? &low : &high) = middle;
    }
    return low;
}

/* ---- passes over documents ---- */

static gb_status find_odds(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const shift *s = context;
    const struct gb_group_means_work *w = s->m->work;
    const size_t n_topics = s->m->n_free + 1;
    const gb_document_range places = places_of(s, task);
    for (uint64_t i = places.first; i < places.end; i++) {
        const double *weight = s->weight + w->doc[i] * n_topics;
        double others = s->room->total[w->doc[i]] - weight[s->t];
        if (others < 0.01 * s->room->total[w->doc[i]]) { /* digits were lost */
            others = 0;
            for (size_t k = 0; k < n_topics; k++)
                others += k == s->t ? 0 : weight[k];
        }
        s->room->odds[i] = fmin(weight[s->t] / others, 1e150);
    }
    return GB_OK;
}

typedef sums of_documents(const shift *s, uint64_t first, uint64_t end, double factor);

/* sum of N theta and of N theta (1 - theta). */
static sums slopes(const shift *s, uint64_t first, uint64_t end, double factor)
{
    sums sum = {0};
    for (uint64_t i = first; i < end; i++) {
        const double odds = s->room->odds[i] * factor, rest = 1 / (1 + odds), share = odds * rest;
        const double expected = length_of(s, s->m->work->doc[i]) * share;
        sum.first += expected;
        sum.second += expected * rest;
    }
    return sum;
}

/* sum of N log(1 + odds) and of N odds. */
static sums logarithms(const shift *s, uint64_t first, uint64_t end, double factor)
{
    sums sum = {0};
    for (uint64_t i = first; i < end; i++)
        sum.first += length_of(s, s->m->work->doc[i]) * log1p(s->room->odds[i] * factor);
    return sum;
}

static sums all_odds(const shift *s, uint64_t first, uint64_t end, double factor)
{
    sums sum = {0};
    for (uint64_t i = first; i < end; i++)
        sum.first += length_of(s, s->m->work->doc[i]) * s->room->odds[i] * factor;
    return sum;
}

struct pass {
    const shift *s;
    of_documents *of;
};

static gb_status pass_some(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const struct pass *p = context;
    const shift *s = p->s;
    const gb_document_range places = places_of(s, task);
    size_t c = cell_at(s, places.first);
    for (uint64_t i = places.first, last; i < places.end; i = last, c++) {
        const gb_group_cell *cell = &s->m->work->cell[c];
        last = cell[1].start < places.end ? cell[1].start : places.end;
        s->room->part[task + c] = p->of(s, i, last, s->room->factor[cell->group]);
    }
    return GB_OK;
}

static void add_tasks(const void *context, const gb_group_cell *cell, double *sum)
{
    const shift *s = context;
    const size_t c = (size_t)(cell - s->m->work->cell);
    for (size_t task = cell->first_task; task <= cell->last_task; task++) {
        sum[0] += s->room->part[task + c].first;
        sum[1] += s->room->part[task + c].second;
    }
}

/* Sums for every group at x. */
static gb_status pass(const shift *s, const double *x, of_documents *of, gb_error *err)
{
    gb_status st;
    for (uint32_t g = 0; g < s->m->graph->n_groups; g++)
        s->room->factor[g] = exp(fmin(x[g] - s->room->now[g], 300));
    GB_TRY(gb_parallel_for(n_tasks_of(s), s->m->work->n_threads, pass_some, &(struct pass){s, of}, err));
    GB_TRY(gb_group_means_sum(s->m, 2, add_tasks, s, &s->room->sum->first, err));
done:
    return st;
}

/* ---- the normal ---- */

/* x = (Q + H)^{-1} (x + level + noise), as (4) and (5) of group_means.c; without noise if random is NULL. */
static void solve(const shift *s, const gb_group_factor *f, double level_mean, gb_random *random, double *x)
{
    const gb_group_means *m = s->m;
    const struct gb_group_means_work *w = m->work;
    const double k0 = m->settings.level_precision;
    double *y = w->scratch[0], *level = y + m->graph->n_groups;
    for (uint32_t g = 0; g < m->graph->n_groups; g++)
        y[m->graph->pattern->place[g]] = x[g];
    gb_ldl_forward_one(f->ldl, y);
    for (uint32_t k = 0; k < m->graph->n_groups; k++)
        y[k] = y[k] / f->ldl->pivot[k] + (random == NULL ? 0 : gb_random_normal(random) / sqrt(f->ldl->pivot[k]));
    gb_ldl_backward_one(f->ldl, y);
    memset(level, 0, m->graph->n_components * sizeof *level);
    for (uint32_t k = 0; k < m->graph->n_groups; k++)
        level[w->component_at[k]] += y[k];
    for (uint32_t c = 0; c < m->graph->n_components; c++)
        level[c] = f->level_gain[c] * (k0 * level_mean + (random == NULL ? 0 : sqrt(k0) * gb_random_normal(random)) -
                                       k0 * level[c] / w->component[c].n_groups);
    for (uint32_t g = 0; g < m->graph->n_groups; g++) {
        const size_t k = (size_t)m->graph->pattern->place[g];
        x[g] = y[k] + f->level_path[k] * level[w->component_at[k]];
    }
}

/* out = Q (x - m_0). */
static void multiply(const shift *s, const double *evolution, const double *x, double *out)
{
    const gb_group_means *m = s->m;
    const gb_graph *graph = m->graph;
    const struct gb_group_means_work *w = m->work;
    for (uint32_t c = 0; c < graph->n_components; c++) {
        const double n = w->component[c].n_groups;
        double mean = 0;
        for (uint32_t i = 0; i < w->component[c].n_groups; i++)
            mean += x[w->member[w->component[c].start + i]] / n;
        for (uint32_t i = 0; i < w->component[c].n_groups; i++)
            out[w->member[w->component[c].start + i]] =
                m->settings.level_precision * (mean - m->settings.level_mean) / n;
    }
    for (size_t r = 0; r < graph->n_types; r++)
        for (size_t e = graph->type_start[r]; e < graph->type_start[r + 1]; e++) {
            const gb_edge *edge = &graph->edge[e];
            const double pull = evolution[r] * edge->weight * (x[edge->from] - x[edge->to]);
            out[edge->from] += pull;
            out[edge->to] -= pull;
        }
}

static const double *evolution_of(const shift *s)
{
    return gb_group_means_evolution(s->m, s->m->n_sets == 1 ? 0 : s->t);
}

static bool has_documents(const shift *s, uint32_t g)
{
    return s->m->work->size[g] > 0;
}

static double count_of(const shift *s, uint32_t g)
{
    return s->room->count[g * s->m->n_free + s->t];
}

/* (4); at the level in groups without documents. */
static gb_status begin(const shift *s, gb_error *err)
{
    gb_group_shift *room = s->room;
    gb_status st;
    GB_TRY(pass(s, room->now, all_odds, err));
    for (uint32_t g = 0; g < s->m->graph->n_groups; g++)
        room->mode[g] = has_documents(s, g)
                            ? room->now[g] + log((count_of(s, g) + 0.5) / (room->sum[g].first + 1e-300))
                            : s->m->settings.level_mean;
done:
    return st;
}

/* H at the mode as it is, and the factor of Q + H. */
static gb_status look(const shift *s, gb_group_factor *f, gb_error *err)
{
    gb_status st;
    gb_group_shift *room = s->room;
    GB_TRY(gb_group_means_look(s->m, 0, err));
    GB_TRY(pass(s, room->mode, slopes, err));
    for (uint32_t g = 0; g < s->m->graph->n_groups; g++) {
        room->curvature[g] = has_documents(s, g) ? room->sum[g].second + LEAST_CURVATURE : 0;
        room->vector[g] = room->curvature[g] * room->mode[g] + count_of(s, g) - room->sum[g].first;
    }
    if (!gb_group_means_factor_for(s->m, f, evolution_of(s), room->curvature))
        st = gb_fail(err, GB_ENUMERIC, "topic %zu: the precision of the group means is not positive definite",
                     s->t + 1);
done:
    return st;
}

/* A step of Newton's method, no longer than it should be. */
static void step(const shift *s, const gb_group_factor *f)
{
    gb_group_shift *room = s->room;
    solve(s, f, s->m->settings.level_mean, NULL, room->vector);
    for (uint32_t g = 0; g < s->m->graph->n_groups; g++) {
        const double longest = has_documents(s, g) ? LONGEST_STEP : INFINITY, move = room->vector[g] - room->mode[g];
        room->mode[g] += fmax(fmin(move, longest), -longest);
    }
}

/* x* and H, and the factor of Q + H. */
static gb_status find_mode(const shift *s, gb_group_factor *f, gb_error *err)
{
    gb_status st;
    GB_TRY(begin(s, err));
    GB_TRY(look(s, f, err));
    for (int i = 0; i < NEWTON_STEPS; i++) {
        step(s, f);
        GB_TRY(look(s, f, err));
    }
done:
    return st;
}

/* ---- the ellipse ---- */

/* (3) */
static gb_status find_rest(const shift *s, const double *x, double *out, gb_error *err)
{
    gb_status st;
    double sum = 0;
    GB_TRY(pass(s, x, logarithms, err));
    for (uint32_t g = 0; g < s->m->graph->n_groups; g++) {
        const double far = x[g] - s->room->mode[g];
        sum += count_of(s, g) * (x[g] - s->room->now[g]) - s->room->sum[g].first +
               s->room->curvature[g] * far * far / 2 - (x[g] - s->room->now[g]) * s->room->tilt[g];
    }
    *out = sum;
done:
    return st;
}

static gb_status turn(const shift *s, gb_random *random, gb_error *err)
{
    gb_status st;
    double rest;
    const uint32_t n_groups = s->m->graph->n_groups;
    GB_TRY(find_rest(s, s->room->now, &rest, err));
    if (!isfinite(rest))
        return gb_fail(err, GB_ENUMERIC, "topic %zu: the density of the group means is not finite", s->t + 1);
    const double level = rest - gb_random_exponential(random);
    double angle = 2 * M_PI * gb_random_uniform(random), low = angle - 2 * M_PI, high = angle;
    for (;;) {
        for (uint32_t g = 0; g < n_groups; g++)
            s->room->next[g] =
                s->room->mode[g] + (s->room->now[g] - s->room->mode[g]) * cos(angle) + s->room->noise[g] * sin(angle);
        GB_TRY(find_rest(s, s->room->next, &rest, err));
        if (rest > level || angle == 0)
            return GB_OK;
        *(angle < 0 ? &low : &high) = angle;
        angle = low + (high - low) * gb_random_uniform(random);
    }
done:
    return st;
}

/* Means, psi and weights where x is. */
static gb_status move_some(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const shift *s = context;
    const struct gb_group_means_work *w = s->m->work;
    const gb_document_range places = places_of(s, task);
    for (uint64_t i = places.first; i < places.end; i++) {
        const uint64_t d = w->doc[i];
        const uint32_t g = w->group_of[d];
        double *weight = &s->weight[d * (s->m->n_free + 1) + s->t];
        const double new_weight = *weight * s->room->factor[g];
        s->psi[d * s->m->n_free + s->t] += s->room->next[g] - s->room->now[g];
        s->room->total[d] += new_weight - *weight;
        *weight = new_weight;
    }
    return GB_OK;
}

static gb_status move_topic(shift *s, gb_key key, uint32_t sweep, gb_error *err)
{
    gb_status st;
    const uint32_t n_groups = s->m->graph->n_groups;
    gb_group_factor *f = &s->m->work->factor[0];
    gb_random random = gb_random_open(key, sweep, GB_DRAW_GROUP_SHIFT, s->t);
    for (uint32_t g = 0; g < n_groups; g++)
        s->room->now[g] = s->m->mean[g * s->m->n_free + s->t];
    GB_TRY(gb_parallel_for(n_tasks_of(s), s->m->work->n_threads, find_odds, s, err));
    GB_TRY(find_mode(s, f, err));
    multiply(s, evolution_of(s), s->room->mode, s->room->tilt);
    memset(s->room->noise, 0, n_groups * sizeof *s->room->noise);
    solve(s, f, 0, &random, s->room->noise);
    GB_TRY(turn(s, &random, err));
    GB_TRY(gb_parallel_for(n_tasks_of(s), s->m->work->n_threads, move_some, s, err));
    for (uint32_t g = 0; g < n_groups; g++)
        s->m->mean[g * s->m->n_free + s->t] = s->room->next[g];
done:
    return st;
}

/* Whole numbers: doubles add them up without rounding, in any order. */
static gb_status count_on_all(const shift *s, gb_error *err)
{
    gb_status st;
    gb_team *team = gb_portion_team(s->m->portion);
    const size_t n = s->m->graph->n_groups * s->m->n_free;
    int64_t *sum = NULL;
    if (team == NULL)
        return GB_OK;
    GB_TRY(gb_alloc(&sum, n, sizeof *sum, "tokens of groups", err));
    for (size_t i = 0; i < n; i++)
        sum[i] = (int64_t)s->room->count[i];
    GB_TRY(gb_team_sum(team, sum, n, err));
    for (size_t i = 0; i < n; i++)
        s->room->count[i] = (double)sum[i];
done:
    gb_free(sum);
    return st;
}

static gb_status count_tokens(const shift *s, const gb_proportions *z, gb_error *err)
{
    memset(s->room->count, 0, s->m->graph->n_groups * s->m->n_free * sizeof *s->room->count);
    for (uint64_t d = 0; d < s->m->n_docs; d++) {
        const gb_document_topics topics = gb_proportions_of(z, d);
        double *count = s->room->count + s->m->work->group_of[d] * s->m->n_free;
        for (size_t i = 0; i < topics.n && topics.topic[i] < s->m->n_free; i++)
            count[topics.topic[i]] += topics.count[i];
    }
    return count_on_all(s, err);
}

static void add_weights(const shift *s)
{
    const size_t n_topics = s->m->n_free + 1;
    for (uint64_t d = 0; d < s->m->n_docs; d++) {
        double sum = 0;
        for (size_t k = 0; k < n_topics; k++)
            sum += s->weight[d * n_topics + k];
        s->room->total[d] = sum;
    }
}

/* For one topic: steps of Newton's method with a factor each, against passes over the documents.  The weights are nanoseconds
 * of one machine, but all is counted and nothing timed, so the period follows from graph and documents alone.  Means of
 * groups with a few documents each are then drawn in every n-th sweep; which sweeps these are does not depend on the state,
 * so the law stays. */
uint32_t gb_group_shift_period(const gb_group_means *m)
{
    const gb_ldl_pattern *p = m->graph->pattern;
    const double n = p->n, below = p->below[p->n], entries = p->start[p->n];
    const double factors = (NEWTON_STEPS + 1) * (60 * (n + entries + below) + below * below / n);
    return m->n_docs_of_all == 0 ? 1 : 1 + (uint32_t)fmin(factors / (50 * (double)m->n_docs_of_all), 1000);
}

bool gb_group_means_shift_is_due(const gb_group_means *m, uint32_t sweep)
{
    return sweep % m->work->shift_period == 0;
}

gb_status gb_group_means_shift(gb_group_means *m, const gb_proportions *z, double *psi, double *weight, gb_key key,
                               uint32_t sweep, gb_error *err)
{
    gb_status st;
    shift s = {.m = m, .room = &m->work->shift, .doc_len_start = z->doc_len_start, .psi = psi, .weight = weight};
    GB_TRY(count_tokens(&s, z, err));
    add_weights(&s);
    for (s.t = 0; s.t < m->n_free; s.t++)
        GB_TRY(move_topic(&s, key, sweep, err));
done:
    return st;
}
