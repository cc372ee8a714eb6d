/* prior/group_precisions.c - draws of the precisions of group means, and the log density of the field.
 *
 * For the q topics that share a precision, with SS_r = sum_t sum_e w_e (mu_gt - mu_ht)^2 over the edges e = (g, h) of type
 * r, SS_o = sum_t sum_d (psi_dt - mu_{g(d),t})^2, G groups, ncc components, and Gamma(a, b) priors:
 *     k_o | rest ~ Gamma(a + q D/2, b + SS_o/2)                                                                (7)
 *     log p(k_1, ..., k_R | rest) = sum_r [(a - 1) log k_r - (b + SS_r/2) k_r] + q/2 log |R(k)| + const
 * where R(k) is sum_r k_r Lap_r without row and column of one group per component; log |R(k)| differs from the logarithm of
 * the pseudo-determinant by a constant, the numbers of groups of the components.  With one type, and on a forest,
 *     log |R(k)| = sum_r n_r log k_r + log |R(1)|                                                              (8)
 * with n_1 = G - ncc for the one type (not the number of edges: cycles add none) and n_r = the number of edges of type r
 * on a forest.  Then
 *     k_r | rest ~ Gamma(a + q n_r/2, b + SS_r/2)                                                              (9)
 * On other graphs |R(k)| is a sum over spanning trees and (9) is wrong.  Still |R(s k)| = s^(G - ncc) |R(k)|, so all are first
 * multiplied by
 *     s ~ Gamma(R a + q (G - ncc)/2, sum_r k_r (b + SS_r/2))                                                   (10)
 * (s^R ds/s is the invariant measure of this move: Liu & Sabatti 2000, Biometrika 87), which needs no determinant.  Then
 * all log k_r but one, another one in each sweep, are drawn in turn by a slice sampler on
 *     f(x) = a x - (b + SS_r/2) e^x + q/2 log |R(k)|,   x = log k_r                                            (11)
 * whose a x holds the Jacobian; each evaluation factors R(k) once.  The slice is found by stepping out and shrinking
 * (Neal 2003, Annals of Statistics 31); its width, fixed for good, is a few standard deviations of the narrowest law that (9)
 * could have.  A type without edges has n_r = 0: its prior.
 *
 * With a covariance Sigma = C C' of the topics, differences are multiplied by C^{-1} before they are squared. */
#include "prior/group_means_parts.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/special.h"
#include "prior/covariance.h"
#include "prior/part_tasks.h"
#include "random/slice.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { ITEMS_PER_TASK = 1024, ROWS_OF_SCATTER = 8 };

/* ---- sums of squares ----------------------------------------------------------------------------------- */

/* Sums over edges, over documents, or over components, of the squares of vectors. */
typedef struct squares {
    const gb_group_means *m;
    const double *psi, *factor;
    size_t first, end;                                                 /* edges, or documents from 0 on */
    const gb_portion *portion;                                         /* of documents; NULL for edges */
    double (*vector)(const struct squares *s, size_t item, double *x); /* returns its weight */
    double *sum;                                                       /* for each task n_free */
} squares;

static double edge_vector(const squares *s, size_t e, double *x)
{
    const gb_edge *edge = &s->m->graph->edge[e];
    const size_t n = s->m->n_free;
    const double *from = s->m->mean + edge->from * n, *to = s->m->mean + edge->to * n;
    for (size_t t = 0; t < n; t++)
        x[t] = from[t] - to[t];
    return edge->weight;
}

static double document_vector(const squares *s, size_t d, double *x)
{
    const size_t n = s->m->n_free;
    const double *psi = s->psi + d * n, *mean = s->m->mean + s->m->work->group_of[d] * n;
    for (size_t t = 0; t < n; t++)
        x[t] = psi[t] - mean[t];
    return 1;
}

static gb_status sum_some(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    const squares *s = context;
    const size_t n = s->m->n_free;
    const gb_document_range items = gb_part_task(s->portion, s->end - s->first, ITEMS_PER_TASK, task);
    double *x = s->m->work->scratch[worker], *sum = s->sum + task * n;
    for (size_t i = s->first + items.first; i < s->first + items.end; i++) {
        const double weight = s->vector(s, i, x);
        if (s->factor != NULL)
            gb_whiten(n, s->factor, x);
        for (size_t t = 0; t < n; t++)
            sum[t] += weight * (x[t] * x[t]);
    }
    return GB_OK;
}

/* Into out[n_free]. */
static gb_status sum_squares(squares *s, double *out, gb_error *err)
{
    gb_status st;
    const size_t n = s->m->n_free, n_tasks = gb_part_tasks(s->portion, s->end - s->first, ITEMS_PER_TASK);
    GB_TRY(gb_alloc(&s->sum, n_tasks * n, sizeof s->sum[0], "sums of squares", err));
    GB_TRY(gb_parallel_for(n_tasks, s->m->work->n_threads, sum_some, s, err));
    GB_TRY(gb_team_add_rows(gb_portion_team(s->portion), n_tasks, n, s->sum, out, err));
done:
    gb_free(s->sum);
    s->sum = NULL;
    return st;
}

static gb_status sum_edges(const gb_group_means *m, const double *factor, size_t type, double *out, gb_error *err)
{
    squares s = {.m = m, .factor = factor, .vector = edge_vector};
    s.first = m->graph->type_start[type];
    s.end = m->graph->type_start[type + 1];
    return sum_squares(&s, out, err);
}

static gb_status sum_documents(const gb_group_means *m, const double *psi, double *out, gb_error *err)
{
    squares s = {.m = m, .psi = psi, .vector = document_vector, .end = (size_t)m->n_docs, .portion = m->portion};
    return sum_squares(&s, out, err);
}

/* What the topics of a set have together. */
static double of_set(const gb_group_means *m, size_t set, const double *by_topic)
{
    double sum = 0;
    if (m->n_sets > 1)
        return by_topic[set];
    for (size_t t = 0; t < m->n_free; t++)
        sum += by_topic[t];
    return sum;
}

static double topics_of_set(const gb_group_means *m)
{
    return m->n_sets > 1 ? 1 : (double)m->n_free;
}

/* ---- the determinant ----------------------------------------------------------------------------------- */

/* n_r of (8). */
static double power_of(const gb_group_means *m, size_t type)
{
    const gb_graph *graph = m->graph;
    return (double)(graph->n_types == 1 ? gb_group_means_rank(m)
                                        : graph->type_start[type + 1] - graph->type_start[type]);
}

/* log |R(k)|; NaN if it cannot be factored. */
static double log_reduced(const gb_group_means *m, size_t worker, const double *evolution)
{
    double sum = m->work->log_weights;
    if (isnan(sum))
        return gb_group_means_factor(m, &m->work->factor[m->work->n_factors == 1 ? 0 : worker], evolution, 0, &sum)
                   ? sum
                   : (double)NAN;
    for (size_t r = 0; r < m->graph->n_types; r++)
        sum += power_of(m, r) * log(evolution[r]);
    return sum;
}

/* ---- precisions ---------------------------------------------------------------------------------------- */

/* A draw of all precisions. */
typedef struct precisions_draw {
    gb_group_means *m;
    gb_key key;
    uint32_t sweep;
    double *edge_squares;     /* n_types x n_free; NULL: fixed */
    double *document_squares; /* n_free; NULL: fixed */
} precisions_draw;

/* b + SS_r/2 of the topics of a set. */
static double rate_of(const precisions_draw *draw, size_t set, size_t type)
{
    return draw->m->settings.evolution.rate + of_set(draw->m, set, draw->edge_squares + type * draw->m->n_free) / 2;
}

/* The conditional law (11) of one log precision. */
typedef struct slice {
    const gb_group_means *m;
    size_t worker, type;
    double *evolution; /* of the set; evolution[type] is tried out */
    double shape, rate, topics;
    double log_reduced; /* log |R(k)| of the last try */
    gb_status st;       /* GB_ESTOP: nothing is tried out any more */
    gb_error *err;
} slice;

/* (11) for the determinant that is known. */
static double log_law(const slice *s, double x)
{
    return s->shape * x - s->rate * exp(x) + s->topics / 2 * s->log_reduced;
}

/* (11) */
static double try_out(void *context, double x)
{
    slice *s = context;
    if (s->st == GB_OK)
        s->st = gb_group_means_look(s->m, s->worker, s->err);
    if (s->st != GB_OK)
        return -INFINITY;
    s->evolution[s->type] = exp(x);
    s->log_reduced = log_reduced(s->m, s->worker, s->evolution);
    return log_law(s, x);
}

/* A few standard deviations. */
static double width_of(const slice *s)
{
    const double n = fmin(power_of(s->m, s->type), (double)gb_group_means_rank(s->m));
    return 4 / sqrt(s->shape + s->topics * n / 2);
}

/* (10) */
static void scale_all(const precisions_draw *draw, size_t set, double *evolution, gb_random *random)
{
    const gb_group_means *m = draw->m;
    const size_t n_types = m->graph->n_types;
    double rate = 0;
    for (size_t r = 0; r < n_types; r++)
        rate += evolution[r] * rate_of(draw, set, r);
    const double shape =
        (double)n_types * m->settings.evolution.shape + topics_of_set(m) * (double)gb_group_means_rank(m) / 2;
    const double scale = gb_random_gamma(random, shape) / rate;
    for (size_t r = 0; r < n_types; r++)
        evolution[r] *= scale;
}

static gb_status draw_by_slices(const precisions_draw *draw, size_t set, size_t worker, gb_random *random,
                                gb_error *err)
{
    gb_group_means *m = draw->m;
    const gb_precision *prior = &m->settings.evolution;
    slice s = {.m = m, .worker = worker, .shape = prior->shape, .topics = topics_of_set(m), .err = err};
    s.evolution = gb_group_means_evolution(m, set);
    scale_all(draw, set, s.evolution, random);
    s.log_reduced = log_reduced(m, worker, s.evolution);
    for (s.type = 0; s.type < m->graph->n_types; s.type++) {
        if (s.type == draw->sweep % m->graph->n_types)
            continue;
        const double x = log(s.evolution[s.type]);
        s.rate = rate_of(draw, set, s.type);
        if (!isfinite(log_law(&s, x)))
            return gb_fail(err, GB_ENUMERIC,
                           "sweep %" PRIu32 ": the density of the precision of \"%s\" is not finite", draw->sweep,
                           m->graph->type[s.type]);
        (void)gb_random_slice(try_out, &s, x, log_law(&s, x), width_of(&s), random);
        if (s.st != GB_OK)
            return s.st;
    }
    return GB_OK;
}

static void draw_evolution(const precisions_draw *draw, size_t set, gb_random *random)
{
    gb_group_means *m = draw->m;
    const gb_precision *prior = &m->settings.evolution;
    for (size_t r = 0; r < m->graph->n_types; r++) {
        m->evolution[set * m->graph->n_types + r] =
            gb_random_gamma(random, prior->shape + topics_of_set(m) * power_of(m, r) / 2) /
            rate_of(draw, set, r); /* (9) */
    }
}

static gb_status draw_set(void *context, size_t set, size_t worker, gb_error *err)
{
    gb_status st = GB_OK;
    const precisions_draw *draw = context;
    gb_group_means *m = draw->m;
    const gb_precision *prior = &m->settings.observation;
    gb_random random = gb_random_open(draw->key, draw->sweep, GB_DRAW_PRECISION, set);
    if (draw->document_squares != NULL)
        m->observation[set] =
            gb_random_gamma(&random, prior->shape + topics_of_set(m) * (double)m->n_docs_of_all / 2) /
            (prior->rate + of_set(m, set, draw->document_squares) / 2); /* (7) */
    if (draw->edge_squares != NULL && isnan(m->work->log_weights))
        st = draw_by_slices(draw, set, worker, &random, err);
    else if (draw->edge_squares != NULL)
        draw_evolution(draw, set, &random);
    return st;
}

/* A start that is given up begins anew with the precisions of before. */
static gb_status copy_precisions(const gb_group_means *m, double **out, gb_error *err)
{
    const size_t n_evolution = m->n_sets * m->graph->n_types;
    const gb_status st = gb_alloc(out, n_evolution + m->n_sets, sizeof **out, "precisions", err);
    if (st != GB_OK)
        return st;
    memcpy(*out, m->observation, m->n_sets * sizeof **out);
    if (n_evolution > 0)
        memcpy(*out + m->n_sets, m->evolution, n_evolution * sizeof **out);
    return GB_OK;
}

static void put_precisions(gb_group_means *m, const double *before)
{
    const size_t n_evolution = m->n_sets * m->graph->n_types;
    memcpy(m->observation, before, m->n_sets * sizeof *before);
    if (n_evolution > 0)
        memcpy(m->evolution, before + m->n_sets, n_evolution * sizeof *before);
}

gb_status gb_group_means_draw_precisions(gb_group_means *m, const double *psi, const double *factor, gb_key key,
                                         uint32_t sweep, gb_error *err)
{
    gb_status st = GB_OK;
    double *before = NULL;
    precisions_draw draw = {.m = m, .key = key, .sweep = sweep};
    const size_t n_types = m->graph->n_types;
    if (!m->settings.observation.is_fixed && factor == NULL) {
        GB_TRY(gb_alloc(&draw.document_squares, m->n_free, sizeof(double), "sums of squares", err));
        GB_TRY(sum_documents(m, psi, draw.document_squares, err));
    }
    if (!m->settings.evolution.is_fixed && n_types > 0) {
        GB_TRY(gb_alloc(&draw.edge_squares, n_types * m->n_free, sizeof(double), "sums of squares", err));
        for (size_t r = 0; r < n_types; r++)
            GB_TRY(sum_edges(m, factor, r, draw.edge_squares + r * m->n_free, err));
    }
    GB_TRY(copy_precisions(m, &before, err));
    st = gb_parallel_for(m->n_sets, m->work->n_threads, draw_set, &draw, err);
    if (st == GB_ESTOP)
        put_precisions(m, before);
done:
    gb_free(before);
    gb_free(draw.document_squares);
    gb_free(draw.edge_squares);
    return st;
}

void gb_group_means_draw_precisions_prior(gb_group_means *m, gb_key key, uint32_t sweep)
{
    const gb_precision *evolution = &m->settings.evolution, *observation = &m->settings.observation;
    for (size_t set = 0; set < m->n_sets; set++) {
        gb_random random = gb_random_open(key, sweep, GB_DRAW_PRECISION, set);
        if (!observation->is_fixed)
            m->observation[set] = gb_random_gamma(&random, observation->shape) / observation->rate;
        for (size_t r = 0; r < m->graph->n_types && !evolution->is_fixed; r++)
            m->evolution[set * m->graph->n_types + r] = gb_random_gamma(&random, evolution->shape) / evolution->rate;
    }
}

/* ---- densities ----------------------------------------------------------------------------------------- */

/* The mean of component c, less m_0, for all topics. */
static void find_level(const gb_group_means *m, uint32_t component, double *x)
{
    const gb_component *c = &m->work->component[component];
    memset(x, 0, m->n_free * sizeof x[0]);
    for (uint32_t i = 0; i < c->n_groups; i++)
        for (size_t t = 0; t < m->n_free; t++)
            x[t] += m->mean[m->work->member[c->start + i] * m->n_free + t];
    for (size_t t = 0; t < m->n_free; t++)
        x[t] = x[t] / c->n_groups - m->settings.level_mean;
}

/* sum_c (mean_c(mu_.t) - m_0)^2 over all topics. */
static double sum_levels(const gb_group_means *m, const double *factor, double *x)
{
    double sum = 0;
    for (uint32_t c = 0; c < m->graph->n_components; c++) {
        find_level(m, c, x);
        if (factor != NULL)
            gb_whiten(m->n_free, factor, x);
        for (size_t t = 0; t < m->n_free; t++)
            sum += x[t] * x[t];
    }
    return sum;
}

gb_status gb_group_means_log_density(gb_group_means *m, const double *factor, double *out, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_graph *graph = m->graph;
    const double k0 = m->settings.level_precision, n_free = (double)m->n_free;
    double sum = -k0 / 2 * sum_levels(m, factor, m->work->scratch[0]), *by_topic = NULL;
    GB_TRY(gb_alloc(&by_topic, m->n_free, sizeof by_topic[0], "sums of squares", err));
    for (size_t r = 0; r < graph->n_types; r++) {
        GB_TRY(sum_edges(m, factor, r, by_topic, err));
        for (size_t set = 0; set < m->n_sets; set++)
            sum -= m->evolution[set * graph->n_types + r] / 2 * of_set(m, set, by_topic);
    }
    for (size_t set = 0; set < m->n_sets; set++)
        sum += topics_of_set(m) / 2 * log_reduced(m, 0, gb_group_means_evolution(m, set));
    /* |sum_r k_r Lap_r + k_0 u u'| on a component is k_0 times the determinant without one of its groups. */
    sum += n_free / 2 * (graph->n_components * log(k0) - graph->n_groups * log(2 * 3.14159265358979323846));
    for (size_t t = 0; t < m->n_free && factor != NULL; t++)
        sum -= graph->n_groups * log(factor[t * m->n_free + t]);
    *out = sum;
    if (!isfinite(sum))
        st = gb_fail(err, GB_ENUMERIC, "the density of the group means is not finite");
done:
    gb_free(by_topic);
    return st;
}

double gb_precision_log_density(const gb_precision *prior, double x)
{
    if (prior->is_fixed)
        return 0;
    return prior->shape * log(prior->rate) - gb_log_gamma(prior->shape) + (prior->shape - 1) * log(x) -
           prior->rate * x;
}

double gb_group_means_log_prior(const gb_group_means *m, bool with_observation)
{
    double sum = 0;
    for (size_t i = 0; i < m->n_sets * m->graph->n_types; i++)
        sum += gb_precision_log_density(&m->settings.evolution, m->evolution[i]);
    for (size_t i = 0; i < m->n_sets && with_observation; i++)
        sum += gb_precision_log_density(&m->settings.observation, m->observation[i]);
    return sum;
}

/* ---- scatter ------------------------------------------------------------------------------------------- */

typedef struct scatter {
    const gb_group_means *m;
    double *sum; /* n_free x n_free */
} scatter;

/* Rows first ... end - 1 of weight x x', up to the diagonal. */
static void add_square(const scatter *s, size_t first, size_t end, double weight, const double *x)
{
    for (size_t i = first; i < end; i++) {
        double *row = s->sum + i * s->m->n_free;
        const double scaled = weight * x[i];
        for (size_t j = 0; j <= i; j++)
            row[j] += scaled * x[j];
    }
}

/* What edges and components add to some rows. */
static gb_status add_rows(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)err;
    const scatter *s = context;
    const gb_group_means *m = s->m;
    const size_t n = m->n_free, first = task * ROWS_OF_SCATTER;
    const size_t end = n - first < ROWS_OF_SCATTER ? n : first + ROWS_OF_SCATTER;
    const squares of = {.m = m};
    double *x = m->work->scratch[worker];
    for (size_t r = 0; r < m->graph->n_types; r++)
        for (size_t e = m->graph->type_start[r]; e < m->graph->type_start[r + 1]; e++) {
            const double weight = edge_vector(&of, e, x);
            add_square(s, first, end, m->evolution[r] * weight, x);
        }
    for (uint32_t c = 0; c < m->graph->n_components; c++) {
        find_level(m, c, x);
        add_square(s, first, end, m->settings.level_precision, x);
    }
    return GB_OK;
}

gb_status gb_group_means_scatter(const gb_group_means *m, const double *psi, double *out, gb_error *err)
{
    gb_status st;
    scatter s = {.m = m, .sum = out};
    const size_t n = m->n_free, n_tasks = (n + ROWS_OF_SCATTER - 1) / ROWS_OF_SCATTER;
    const gb_deviations documents = {.q = n,
                                     .n = m->n_docs,
                                     .x = psi,
                                     .mean = m->mean,
                                     .group = m->work->group_of,
                                     .portion = m->portion,
                                     .n_threads = m->work->n_threads,
                                     .isa = gb_isa_best()};
    GB_TRY(gb_scatter(&documents, out, err));
    GB_TRY(gb_parallel_for(n_tasks, m->work->n_threads, add_rows, &s, err));
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            out[i * n + j] = out[j * n + i];
done:
    return st;
}
