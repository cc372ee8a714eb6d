/* prior/group_means.c - draws of the means of groups: a Gaussian Markov random field.
 *
 * For one topic, with the notation of group_means.h, n_g documents in group g, u_c = 1/|c| on component c and 0 elsewhere:
 *     Q = A + k_0 sum_c u_c u_c',   A = sum_r k_r Lap_r + k_o diag(n_g)
 *     h = k_o [sum of psi_d over d in g]_g + k_0 m_0 sum_c u_c
 *     mu | psi ~ N(Q^{-1} h, Q^{-1})                                                                          (3)
 * A is sparse and block diagonal by components, Q is not sparse: its level term joins all groups of a component.  So
 * the noise is drawn for both terms, and the level goes in by Sherman and Morrison.  In a component with documents A is
 * positive definite, P A P' = L D L'.  With e standard normal for each group and e_0 for the component,
 *     y = A^{-1} (k_o [sum psi] + P' L D^{1/2} e)                                                             (4)
 *     mu = y + a b (k_0 m_0 + k_0^{1/2} e_0 - k_0 u'y),   a = A^{-1} u,   b = 1 / (1 + k_0 u'a)               (5)
 * is Q^{-1} (h + noise), and the noise has covariance A + k_0 u u' = Q: exactly (3).
 *
 * In a component without documents A is singular and h has only its level: the differences of mu follow the graph, its
 * mean the level, independent of each other.  There A gets an anchor: `weight` is added to the diagonal of one group.
 * This changes the law of that group but of no difference, so
 *     mu = y - u'y + m_0 + k_0^{-1/2} e_0                                                                     (6)
 * which is (5) with a = 1 and b = 1/k_0.
 *
 * All topics share A: it is factored once for all (once for each topic with precisions of their own), and eight topics at
 * a time go through the factor.  With a covariance Sigma = C C' of the topics the rows of psi are multiplied by
 * C'^{-1} before and the rows of the means by C' after. */
#include "prior/group_means_parts.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "prior/part_tasks.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { LANES = GB_LDL_LANES, ROWS_PER_TASK = 256 };

/* ---- making -------------------------------------------------------------------------------------------- */

void gb_group_means_size(gb_group_means *out, struct gb_group_means_work *work, const gb_graph *graph,
                         const gb_portion *portion, uint64_t n_docs, size_t n_free,
                         const gb_group_means_settings *settings, size_t n_threads)
{
    const uint64_t n_cells = (uint64_t)gb_portion_n_parts(portion) * graph->n_groups;
    *out = (gb_group_means){.settings = *settings,
                            .graph = graph,
                            .portion = portion,
                            .n_docs = n_docs,
                            .n_docs_of_all = n_docs,
                            .n_free = n_free,
                            .n_sets = settings->per_topic ? n_free : 1,
                            .work = work};
    *work = (struct gb_group_means_work){.n_threads = n_threads == 0 ? 1 : n_threads};
    work->n_factors = out->n_sets == 1 ? 1 : work->n_threads;
    work->most_cells = (size_t)(n_cells < n_docs ? n_cells : n_docs);
}

/* The sparse matrices are another library's: 12 bytes for each entry of a factor, and 8 for each of the matrix. */
static void list_factor(const gb_group_means *m, gb_group_factor *f, const gb_array_visitor *v)
{
    const gb_ldl_pattern *p = m->graph->pattern;
    const uint64_t n_entries = (uint64_t)p->below[p->n], n_of_matrix = (uint64_t)p->start[p->n];
    GB_ARRAY(v, "factored_precisions", f->made_of, GB_SCRATCH, GB_BY_WORKER, m->graph->n_types + 1);
    GB_ARRAY(v, "level_paths", f->level_path, GB_SCRATCH, GB_BY_WORKER, m->graph->n_groups);
    GB_ARRAY(v, "level_gains", f->level_gain, GB_SCRATCH, GB_BY_WORKER, m->graph->n_components);
    GB_ARRAY_WITH(v, .name = "factor", .type = GB_OPAQUE, .size = 1, .life = GB_DERIVED, .axis = GB_BY_WORKER,
                  GB_SHAPE(12 * (m->graph->n_groups + n_entries) + 8 * n_of_matrix));
}

static void list_shift(const gb_group_means *m, gb_group_shift *s, const gb_array_visitor *v)
{
    const uint64_t n_groups = m->n_docs_of_all == 0 ? 0 : m->graph->n_groups;
    const uint64_t n_parts = gb_part_tasks(m->portion, m->n_docs, GB_SHIFT_DOCS_PER_TASK) + m->work->most_cells;
    GB_ARRAY(v, "shift_totals", s->total, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs);
    GB_ARRAY(v, "shift_odds", s->odds, GB_SCRATCH, GB_BY_DOCUMENT, m->n_docs);
    GB_ARRAY(v, "shift_counts", s->count, GB_SCRATCH, GB_REPLICATED, n_groups, m->n_free);
    GB_ARRAY_WITH(v, .name = "shift_parts", GB_AT(s->part), .life = GB_SCRATCH, .axis = GB_BY_DOCUMENT,
                  GB_SHAPE(n_parts));
    GB_ARRAY_WITH(v, .name = "shift_sums", GB_AT(s->sum), .life = GB_SCRATCH, .axis = GB_REPLICATED,
                  GB_SHAPE(n_groups));
    GB_ARRAY(v, "shift_now", s->now, GB_SCRATCH, GB_REPLICATED, n_groups);
    GB_ARRAY(v, "shift_next", s->next, GB_SCRATCH, GB_REPLICATED, n_groups);
    GB_ARRAY(v, "shift_mode", s->mode, GB_SCRATCH, GB_REPLICATED, n_groups);
    GB_ARRAY(v, "shift_noise", s->noise, GB_SCRATCH, GB_REPLICATED, n_groups);
    GB_ARRAY(v, "shift_tilt", s->tilt, GB_SCRATCH, GB_REPLICATED, n_groups);
    GB_ARRAY(v, "shift_curvature", s->curvature, GB_SCRATCH, GB_REPLICATED, n_groups);
    GB_ARRAY(v, "shift_vector", s->vector, GB_SCRATCH, GB_REPLICATED, n_groups);
    GB_ARRAY(v, "shift_factor", s->factor, GB_SCRATCH, GB_REPLICATED, n_groups);
}

static void list_work(const gb_group_means *m, struct gb_group_means_work *w, const gb_array_visitor *v)
{
    const uint64_t n_groups = m->graph->n_groups, n_edges = m->graph->type_start[m->graph->n_types];
    const uint64_t n_scratch = (n_groups + m->graph->n_components) * LANES + 2 * m->n_free;
    GB_ARRAY(v, "document_groups", w->group_of, GB_DERIVED, GB_BY_DOCUMENT, m->n_docs);
    GB_ARRAY(v, "group_documents", w->doc, GB_DERIVED, GB_BY_DOCUMENT, m->n_docs);
    GB_ARRAY_WITH(v, .name = "group_cells", GB_AT(w->cell), .life = GB_DERIVED, .axis = GB_BY_DOCUMENT,
                  GB_SHAPE((uint64_t)w->most_cells + 1));
    GB_ARRAY(v, "group_cell_ends", w->cells_end, GB_DERIVED, GB_BY_DOCUMENT, gb_portion_n_parts(m->portion));
    GB_ARRAY(v, "group_sizes", w->size, GB_DERIVED, GB_REPLICATED, n_groups);
    GB_ARRAY(v, "components", w->component, GB_DERIVED, GB_REPLICATED, (uint64_t)m->graph->n_components + 1);
    GB_ARRAY(v, "component_places", w->component_at, GB_DERIVED, GB_REPLICATED, n_groups);
    GB_ARRAY(v, "component_members", w->member, GB_DERIVED, GB_REPLICATED, n_groups);
    GB_ARRAY_WITH(v, .name = "elimination_order", .type = GB_OPAQUE, .size = 20, .life = GB_DERIVED,
                  .axis = GB_REPLICATED, GB_SHAPE(n_groups + n_edges));
    GB_ARRAY_WITH(v, .name = "factors", GB_AT(w->factor), .life = GB_DERIVED, .axis = GB_BY_WORKER,
                  .has_pointers = true, GB_SHAPE(w->n_factors));
    for (size_t f = 0; f < w->n_factors; f++)
        list_factor(m, w->factor == NULL ? &(gb_group_factor){0} : &w->factor[f], v);
    GB_ARRAY_WITH(v, .name = "group_workers", GB_AT(w->scratch), .life = GB_SCRATCH, .axis = GB_BY_WORKER,
                  .has_pointers = true, GB_SHAPE(w->n_threads));
    for (size_t i = 0; i < w->n_threads; i++) {
        double *none = NULL, **scratch = w->scratch == NULL ? &none : &w->scratch[i];
        GB_ARRAY(v, "group_scratch", *scratch, GB_SCRATCH, GB_BY_WORKER, n_scratch);
    }
    list_shift(m, &w->shift, v);
}

/* Means and precisions are copies of the document prior's values, where they are saved. */
void gb_group_means_list(void *means, const gb_array_visitor *v)
{
    gb_group_means *m = means;
    GB_ARRAY(v, "means_at_hand", m->mean, GB_DERIVED, GB_REPLICATED, m->graph->n_groups, m->n_free);
    GB_ARRAY(v, "evolution_at_hand", m->evolution, GB_DERIVED, GB_REPLICATED, m->n_sets, m->graph->n_types);
    GB_ARRAY(v, "observation_at_hand", m->observation, GB_DERIVED, GB_REPLICATED, m->n_sets);
    list_work(m, m->work, v);
}

void gb_group_means_free(gb_group_means *m)
{
    if (m == NULL)
        return;
    for (size_t f = 0; m->work != NULL && f < m->work->n_factors && m->work->factor != NULL; f++)
        gb_ldl_free(m->work->factor[f].ldl);
    if (m->work != NULL)
        gb_arrays_free(gb_group_means_list, m);
    gb_free(m->work);
    gb_free(m);
}

static void describe_components(const gb_group_means *m)
{
    struct gb_group_means_work *w = m->work;
    const gb_graph *graph = m->graph;
    for (uint32_t g = 0; g < graph->n_groups; g++) {
        gb_component *c = &w->component[graph->component[g]];
        c->n_groups++;
        c->has_documents |= w->size[g] > 0;
        w->component_at[m->graph->pattern->place[g]] = graph->component[g];
    }
    for (uint32_t c = 0; c < graph->n_components; c++) {
        w->component[c + 1].start = w->component[c].start + w->component[c].n_groups;
        w->component[c].n_groups = 0;
    }
    for (uint32_t g = 0; g < graph->n_groups; g++) {
        gb_component *c = &w->component[graph->component[g]];
        w->member[c->start + c->n_groups++] = g;
    }
}

static gb_status count_documents(gb_group_means *m, gb_error *err)
{
    int64_t n = (int64_t)m->n_docs;
    const gb_status st = gb_team_sum(gb_portion_team(m->portion), &n, 1, err);
    m->n_docs_of_all = (uint64_t)n;
    return st;
}

static gb_status create_work(gb_group_means *m, const uint32_t *group_of, gb_error *err)
{
    gb_status st;
    struct gb_group_means_work *w = m->work;
    GB_TRY(count_documents(m, err));
    GB_TRY(gb_arrays_allocate(gb_group_means_list, m, "group means", err));
    GB_TRY(gb_group_means_sort(m, group_of, err));
    describe_components(m);
    for (size_t f = 0; f < w->n_factors; f++) {
        w->factor[f].made_of[m->graph->n_types] = (double)NAN;
        GB_TRY(gb_ldl_create(&w->factor[f].ldl, m->graph->pattern, err));
    }
    w->shift_period = gb_group_shift_period(m);
done:
    return st;
}

/* On a forest, and with one edge type, |reduced Laplacian| is a product of powers of the precisions. */
static gb_status find_log_weights(gb_group_means *m, gb_error *err)
{
    gb_status st;
    double *ones = NULL;
    const size_t n_types = m->graph->n_types;
    m->work->log_weights = (double)NAN;
    if (n_types > 1 && m->graph->type_start[n_types] != gb_group_means_rank(m))
        return GB_OK;
    GB_TRY(gb_alloc(&ones, n_types, sizeof ones[0], "precisions", err));
    for (size_t r = 0; r < n_types; r++)
        ones[r] = 1;
    if (!gb_group_means_factor(m, &m->work->factor[0], ones, 0, &m->work->log_weights))
        st = gb_fail(err, GB_EFORMAT, "the weights of the graph's edges are too far apart");
done:
    gb_free(ones);
    return st;
}

gb_status gb_group_means_create(gb_group_means **out, const gb_graph *graph, const gb_portion *portion,
                                uint64_t n_docs, const uint32_t *group_of, size_t n_free,
                                const gb_group_means_settings *settings, size_t n_threads, gb_error *err)
{
    gb_status st;
    gb_group_means *m = NULL;
    GB_TRY(gb_alloc(&m, 1, sizeof *m, "group means", err));
    struct gb_group_means_work *work;
    GB_TRY(gb_alloc(&work, 1, sizeof *work, "group means", err));
    gb_group_means_size(m, work, graph, portion, n_docs, n_free, settings, n_threads);
    GB_TRY(create_work(m, group_of, err));
    for (size_t i = 0; i < graph->n_groups * n_free; i++)
        m->mean[i] = settings->level_mean;
    for (size_t i = 0; i < m->n_sets * graph->n_types; i++)
        m->evolution[i] = settings->evolution.value;
    for (size_t i = 0; i < m->n_sets; i++)
        m->observation[i] = settings->observation.value;
    GB_TRY(find_log_weights(m, err));
    *out = m;
    m = NULL;
done:
    gb_group_means_free(m);
    return st;
}

size_t gb_group_means_rank(const gb_group_means *m)
{
    return m->graph->n_groups - m->graph->n_components;
}

/* ---- the matrix ---------------------------------------------------------------------------------------- */

/* A of (3) without anchors; `curvature` in place of k_o n_g, if it is there. */
static void fill_matrix(const gb_group_means *m, gb_ldl *ldl, const double *evolution, double observation,
                        const double *curvature)
{
    const gb_graph *graph = m->graph;
    const gb_ldl_pattern *p = m->graph->pattern;
    memset(ldl->entry, 0, (size_t)p->start[p->n] * sizeof ldl->entry[0]);
    for (uint32_t g = 0; g < graph->n_groups; g++)
        ldl->entry[gb_ldl_diagonal(p, g)] = curvature != NULL ? curvature[g] : observation * (double)m->work->size[g];
    for (size_t r = 0; r < graph->n_types; r++)
        for (size_t e = graph->type_start[r]; e < graph->type_start[r + 1]; e++) {
            const double precision = evolution[r] * graph->edge[e].weight;
            ldl->entry[p->pair_at[e]] -= precision;
            ldl->entry[gb_ldl_diagonal(p, graph->edge[e].from)] += precision;
            ldl->entry[gb_ldl_diagonal(p, graph->edge[e].to)] += precision;
        }
}

/* An anchor for each component without documents, as heavy as the rest of its diagonal; returns the sum of the logarithms
 * of their weights. */
static double add_anchors(const gb_group_means *m, gb_ldl *ldl, bool has_documents)
{
    double log_anchors = 0;
    for (uint32_t c = 0; c < m->graph->n_components; c++) {
        const gb_component *component = &m->work->component[c];
        const uint32_t anchor = m->work->member[component->start];
        double *diagonal = &ldl->entry[gb_ldl_diagonal(m->graph->pattern, anchor)];
        if (component->has_documents && has_documents)
            continue;
        const double weight = *diagonal > 0 ? *diagonal : 1;
        *diagonal += weight;
        log_anchors += log(weight);
    }
    return log_anchors;
}

/* x = A^{-1} x. */
static void solve_one(const gb_ldl *ldl, double *x)
{
    gb_ldl_forward_one(ldl, x);
    for (int k = 0; k < ldl->pattern->n; k++)
        x[k] /= ldl->pivot[k];
    gb_ldl_backward_one(ldl, x);
}

/* a and b of (5). */
static void find_level_path(const gb_group_means *m, gb_group_factor *f, bool has_documents)
{
    const struct gb_group_means_work *w = m->work;
    const double k0 = m->settings.level_precision;
    double *a = f->level_path, *b = f->level_gain;
    for (uint32_t k = 0; k < m->graph->n_groups; k++)
        a[k] = 1.0 / w->component[w->component_at[k]].n_groups; /* u */
    if (has_documents)
        solve_one(f->ldl, a);
    memset(b, 0, m->graph->n_components * sizeof b[0]);
    for (uint32_t k = 0; k < m->graph->n_groups; k++)
        b[w->component_at[k]] += a[k] / w->component[w->component_at[k]].n_groups; /* u'a */
    for (uint32_t c = 0; c < m->graph->n_components; c++)
        b[c] = has_documents && w->component[c].has_documents ? 1 / (1 + k0 * b[c]) : 1 / k0;
    for (uint32_t k = 0; k < m->graph->n_groups; k++)
        if (!has_documents || !w->component[w->component_at[k]].has_documents)
            a[k] = 1;
}

/* Remember what the factor is made of; true if it is made of that already. */
static bool is_made_of(gb_group_factor *f, size_t n_types, const double *evolution, double observation)
{
    bool is_same = f->made_of[n_types] == observation;
    for (size_t r = 0; r < n_types; r++) {
        is_same = is_same && f->made_of[r] == evolution[r];
        f->made_of[r] = evolution[r];
    }
    f->made_of[n_types] = observation;
    return is_same;
}

bool gb_group_means_factor(const gb_group_means *m, gb_group_factor *f, const double *evolution, double observation,
                           double *log_reduced)
{
    if (is_made_of(f, m->graph->n_types, evolution, observation) && log_reduced == NULL)
        return true;
    fill_matrix(m, f->ldl, evolution, observation, NULL);
    const double log_anchors = add_anchors(m, f->ldl, observation > 0);
    if (!gb_ldl_factor(f->ldl)) {
        f->made_of[m->graph->n_types] = (double)NAN;
        return false;
    }
    if (log_reduced != NULL)
        *log_reduced = gb_ldl_log_determinant(f->ldl) - log_anchors; /* |Lap + weight e e'| = weight |reduced Lap| */
    find_level_path(m, f, observation > 0);
    return true;
}

bool gb_group_means_factor_for(const gb_group_means *m, gb_group_factor *f, const double *evolution,
                               const double *curvature)
{
    f->made_of[m->graph->n_types] = (double)NAN;
    fill_matrix(m, f->ldl, evolution, 0, curvature);
    (void)add_anchors(m, f->ldl, true);
    if (!gb_ldl_factor(f->ldl))
        return false;
    find_level_path(m, f, true);
    return true;
}

/* ---- a covariance of the topics ------------------------------------------------------------------------ */

void gb_whiten(size_t n, const double *factor, double *x)
{
    for (size_t i = 0; i < n; i++) {
        const double *row = factor + i * n;
        double sum = x[i];
        for (size_t j = 0; j < i; j++)
            sum -= row[j] * x[j];
        x[i] = sum / row[i];
    }
}

/* x = C x. */
static void colour(size_t n, const double *factor, double *x)
{
    for (size_t i = n; i-- > 0;) {
        double sum = 0;
        for (size_t j = 0; j <= i; j++)
            sum += factor[i * n + j] * x[j];
        x[i] = sum;
    }
}

/* ---- draws --------------------------------------------------------------------------------------------- */

/* One draw of all means. */
typedef struct means_draw {
    gb_group_means *m;
    bool of_prior; /* without documents; psi may be NULL anyway, if all of them are elsewhere */
    const double *psi;
    const double *factor;
    double *level; /* n_free: m_0, whitened */
    gb_key key;
    uint32_t sweep;
    void (*on_row)(size_t n, const double *factor, double *x);
} means_draw;

/* Adds psi of the documents of a cell, for n topics from `first` on. */
static void add_psi(const means_draw *draw, const gb_group_cell *cell, size_t first, size_t n, double *sum)
{
    for (uint64_t i = cell[0].start; i < cell[1].start; i++)
        for (size_t l = 0; l < n; l++)
            sum[l] += draw->psi[draw->m->work->doc[i] * draw->m->n_free + first + l];
}

static void sum_cell(const void *context, const gb_group_cell *cell, double *sum)
{
    const means_draw *draw = context;
    add_psi(draw, cell, 0, draw->m->n_free, sum);
}

/* Sums of psi by group, for the topics of a task, into the means. */
static gb_status sum_topics(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker;
    (void)err;
    const means_draw *draw = context;
    const struct gb_group_means_work *w = draw->m->work;
    const size_t n_free = draw->m->n_free, first = task * LANES;
    const size_t n = n_free - first < LANES ? n_free - first : LANES;
    for (uint32_t g = 0; g < draw->m->graph->n_groups; g++)
        memset(draw->m->mean + g * n_free + first, 0, n * sizeof draw->m->mean[0]);
    for (size_t i = 0; !draw->of_prior && i < w->n_cells; i++)
        add_psi(draw, &w->cell[i], first, n, draw->m->mean + w->cell[i].group * n_free + first);
    return GB_OK;
}

static gb_status sum_psi(means_draw *draw, gb_error *err)
{
    gb_group_means *m = draw->m;
    if (!draw->of_prior && !gb_portion_is_one_part(m->portion))
        return gb_group_means_sum(m, m->n_free, sum_cell, draw, m->mean, err);
    return gb_parallel_for((m->n_free + LANES - 1) / LANES, m->work->n_threads, sum_topics, draw, err);
}

static gb_status map_rows(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker;
    (void)err;
    const means_draw *draw = context;
    const size_t n_free = draw->m->n_free, n_groups = draw->m->graph->n_groups, first = task * ROWS_PER_TASK;
    const size_t end = n_groups - first < ROWS_PER_TASK ? n_groups : first + ROWS_PER_TASK;
    for (size_t g = first; g < end; g++)
        draw->on_row(n_free, draw->factor, draw->m->mean + g * n_free);
    return GB_OK;
}

/* Some topics, side by side in vectors of `width` lanes, of which `n` are used. */
typedef struct topic_lanes {
    size_t first, n, width;
    double observation; /* k_o; 0 without documents */
    double *x;          /* n_groups vectors, by place */
    double *level;      /* n_components vectors */
} topic_lanes;

/* The sums of psi, times k_o, into x. */
static void load(const means_draw *draw, const topic_lanes *t)
{
    const int *place = draw->m->graph->pattern->place;
    for (uint32_t g = 0; g < draw->m->graph->n_groups; g++) {
        const double *sum = draw->m->mean + g * draw->m->n_free + t->first;
        double *x = t->x + (size_t)place[g] * t->width;
        for (size_t l = 0; l < t->width; l++)
            x[l] = l < t->n ? t->observation * sum[l] : 0;
    }
}

/* x = y of (4): L'^{-1} (D^{-1} L^{-1} x + D^{-1/2} e). */
static void draw_without_level(const means_draw *draw, const gb_group_factor *f, const topic_lanes *t)
{
    gb_random random[LANES];
    for (size_t l = 0; l < t->n; l++)
        random[l] = gb_random_open(draw->key, draw->sweep, GB_DRAW_GROUP_MEAN, 2 * (t->first + l));
    (t->width == 1 ? gb_ldl_forward_one : gb_ldl_forward)(f->ldl, t->x);
    for (size_t k = 0; k < draw->m->graph->n_groups; k++) {
        const double pivot = f->ldl->pivot[k], sd = 1 / sqrt(pivot);
        for (size_t l = 0; l < t->n; l++)
            t->x[k * t->width + l] = t->x[k * t->width + l] / pivot + sd * gb_random_normal(&random[l]);
    }
    (t->width == 1 ? gb_ldl_backward_one : gb_ldl_backward)(f->ldl, t->x);
}

/* The bracket of (5) times b, for each component. */
static void draw_levels(const means_draw *draw, const gb_group_factor *f, const topic_lanes *t)
{
    const gb_group_means *m = draw->m;
    const struct gb_group_means_work *w = m->work;
    const double k0 = m->settings.level_precision;
    memset(t->level, 0, m->graph->n_components * t->width * sizeof t->level[0]);
    for (size_t k = 0; k < m->graph->n_groups; k++)
        for (size_t l = 0; l < t->width; l++)
            t->level[w->component_at[k] * t->width + l] += t->x[k * t->width + l];
    for (size_t l = 0; l < t->n; l++) {
        gb_random random = gb_random_open(draw->key, draw->sweep, GB_DRAW_GROUP_MEAN, 2 * (t->first + l) + 1);
        for (uint32_t c = 0; c < m->graph->n_components; c++) {
            double *level = &t->level[c * t->width + l];
            const double mean = *level / w->component[c].n_groups;
            *level = f->level_gain[c] *
                     (k0 * draw->level[t->first + l] + sqrt(k0) * gb_random_normal(&random) - k0 * mean);
        }
    }
}

/* (5) into the means.  @return false if one of them is not finite */
static bool store(const means_draw *draw, const gb_group_factor *f, const topic_lanes *t)
{
    const struct gb_group_means_work *w = draw->m->work;
    double check = 0; /* NaN if a mean is not finite */
    for (uint32_t g = 0; g < draw->m->graph->n_groups; g++) {
        const size_t k = (size_t)draw->m->graph->pattern->place[g];
        double *mean = draw->m->mean + g * draw->m->n_free + t->first;
        for (size_t l = 0; l < t->n; l++) {
            mean[l] = t->x[k * t->width + l] + f->level_path[k] * t->level[w->component_at[k] * t->width + l];
            check += 0 * mean[l];
        }
    }
    return check == 0;
}

static gb_status draw_topics(const means_draw *draw, const gb_group_factor *f, size_t worker, topic_lanes t,
                             gb_error *err)
{
    t.x = draw->m->work->scratch[worker];
    t.level = t.x + (size_t)draw->m->graph->n_groups * LANES;
    load(draw, &t);
    draw_without_level(draw, f, &t);
    draw_levels(draw, f, &t);
    if (store(draw, f, &t))
        return GB_OK;
    return gb_fail(err, GB_ENUMERIC, "sweep %" PRIu32 ", topics %zu to %zu: the mean of a group is not finite",
                   draw->sweep, t.first + 1, t.first + t.n);
}

static double observation_of(const means_draw *draw, size_t set)
{
    if (draw->of_prior)
        return 0;
    return draw->factor != NULL ? 1 : draw->m->observation[set];
}

void gb_group_means_watch(gb_group_means *m, gb_watch *watch)
{
    m->work->watch = watch;
}

gb_status gb_group_means_look(const gb_group_means *m, size_t worker, gb_error *err)
{
    gb_watch *watch = m->work->watch;
    return watch == NULL || gb_watch_look(watch, worker) ? GB_OK : gb_fail(err, GB_ESTOP, "stopped by the caller");
}

static gb_status factor_set(const means_draw *draw, size_t set, size_t worker, gb_group_factor *f, gb_error *err)
{
    const gb_group_means *m = draw->m;
    const gb_status st = gb_group_means_look(m, worker, err);
    if (st != GB_OK)
        return st;
    if (gb_group_means_factor(m, f, gb_group_means_evolution(m, set), observation_of(draw, set), NULL))
        return GB_OK;
    return gb_fail(err, GB_ENUMERIC, "sweep %" PRIu32 ": the precision of the group means is not positive definite",
                   draw->sweep);
}

/* Eight topics with the same precisions, whose factor is there. */
static gb_status draw_block(void *context, size_t task, size_t worker, gb_error *err)
{
    const means_draw *draw = context;
    const size_t first = task * LANES, left = draw->m->n_free - first;
    topic_lanes t = {.first = first, .n = left < LANES ? left : LANES, .width = LANES};
    t.observation = observation_of(draw, 0);
    return draw_topics(draw, &draw->m->work->factor[0], worker, t, err);
}

/* One topic with precisions of its own. */
static gb_status draw_topic(void *context, size_t task, size_t worker, gb_error *err)
{
    const means_draw *draw = context;
    gb_group_factor *f = &draw->m->work->factor[worker];
    gb_status st = factor_set(draw, task, worker, f, err);
    if (st != GB_OK)
        return st;
    topic_lanes t = {.first = task, .n = 1, .width = 1, .observation = observation_of(draw, task)};
    return draw_topics(draw, f, worker, t, err);
}

static gb_status draw_all(means_draw *draw, gb_error *err)
{
    gb_status st;
    gb_group_means *m = draw->m;
    const size_t n_threads = m->work->n_threads, n_blocks = (m->n_free + LANES - 1) / LANES;
    const size_t n_row_tasks = (m->graph->n_groups + (size_t)ROWS_PER_TASK - 1) / ROWS_PER_TASK;
    GB_TRY(sum_psi(draw, err));
    draw->on_row = gb_whiten;
    if (draw->factor != NULL)
        GB_TRY(gb_parallel_for(n_row_tasks, n_threads, map_rows, draw, err));
    if (m->n_sets > 1) {
        GB_TRY(gb_parallel_for(m->n_free, n_threads, draw_topic, draw, err));
    } else {
        GB_TRY(factor_set(draw, 0, 0, &m->work->factor[0], err));
        GB_TRY(gb_parallel_for(n_blocks, n_threads, draw_block, draw, err));
    }
    draw->on_row = colour;
    if (draw->factor != NULL)
        GB_TRY(gb_parallel_for(n_row_tasks, n_threads, map_rows, draw, err));
done:
    return st;
}

static gb_status draw_means(means_draw *draw, gb_error *err)
{
    gb_status st;
    const gb_group_means *m = draw->m;
    GB_TRY(gb_alloc(&draw->level, m->n_free, sizeof draw->level[0], "levels", err));
    for (size_t t = 0; t < m->n_free; t++)
        draw->level[t] = m->settings.level_mean;
    if (draw->factor != NULL)
        gb_whiten(m->n_free, draw->factor, draw->level);
    GB_TRY(draw_all(draw, err));
done:
    gb_free(draw->level);
    return st;
}

gb_status gb_group_means_draw(gb_group_means *m, const double *psi, const double *factor, gb_key key, uint32_t sweep,
                              gb_error *err)
{
    return draw_means(&(means_draw){.m = m, .psi = psi, .factor = factor, .key = key, .sweep = sweep}, err);
}

gb_status gb_group_means_draw_prior(gb_group_means *m, const double *factor, gb_key key, uint32_t sweep,
                                    gb_error *err)
{
    return draw_means(&(means_draw){.m = m, .of_prior = true, .factor = factor, .key = key, .sweep = sweep}, err);
}
