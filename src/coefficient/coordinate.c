/* coefficient/coordinate.c - one coefficient after the other, each given all others.
 *
 * With the residual r_d = kappa_d - omega_d s_d of an output kept up to date,
 *
 *   A = sum_d omega_d f_dk^2,   B = sum_d f_dk r_d                                                    (1)
 *   eta_k ~ N((B + A eta_k) / (P_k + A), 1 / (P_k + A)),   r_d -= omega_d f_dk (new eta_k - old eta_k)    (2)
 *
 * (Zheng, Yu, Xing 2015, section 4, for any response.)
 *
 *   Cost of a pass: twice the different topics and columns in documents, for each output; the block draw needs their squares
 *   and n_features^3 more.
 *   It mixes more slowly than the block draw, most of all with an intercept: zbar adds up to 1, so the sum of the
 *   topics' coefficients and the intercept trade off.
 *   Ranks of a team exchange the sums (1) before each draw (2): for one coefficient of all outputs at a time.
 *   r starts as slope + omega (centre - s), which loses no digits where omega is huge; from then on its error is
 *   omega times that of s. */
#include "coefficient/coordinate.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "coefficient/parts.h"

#include <math.h>
#include <string.h>

/** A few outputs that are drawn together; each by itself, they only share the reading of z. */
typedef struct group {
    size_t first, n; /* outputs */
    size_t width;    /* n, rounded up to a power of two */
    double *row;
    gb_random random[GB_COORDINATE_WIDTH];
} group;

typedef struct coordinates {
    const gb_regression *in;
    uint64_t n_docs, n_entries; /* entries: of z, as far as topics are drawn */
    size_t n_outputs, n_topics, n_features;
    const gb_column_set *set; /* the columns of the draw; NULL: all features */
    uint64_t first_stream;    /* of output 0 */
    uint64_t *topic_start;    /* n_topics + 1: entries of z by topic */
    uint64_t *doc;            /* of every entry, ascending within a topic */
    double *value;            /* f of every entry */
    group *group;             /* of outputs */
    double *row;              /* per group: n_docs x 2 x width */
    double *precision;        /* n_outputs x n_features */
    double *eta;
    const gb_coordinate_kernel *kernel;

    /* of ranks in a team */
    bool has_team;
    size_t n_parts;
    double *part_sum;    /* n_parts x groups x 2 x width: (1) of the documents that are here */
    double *sum;         /* groups x 2 x width: of all */
    size_t drawn, added; /* features at hand; NONE: no one */
} coordinates;

static const size_t NONE = SIZE_MAX;

static size_t n_in_group(size_t n_outputs, size_t i)
{
    const size_t n = n_outputs - i * GB_COORDINATE_WIDTH;
    return n < GB_COORDINATE_WIDTH ? n : GB_COORDINATE_WIDTH;
}

static size_t width_of(size_t n_outputs, size_t i)
{
    size_t width = 1;
    while (width < n_in_group(n_outputs, i))
        width *= 2;
    return width;
}

static size_t n_groups_of(size_t n_outputs)
{
    return (n_outputs + GB_COORDINATE_WIDTH - 1) / GB_COORDINATE_WIDTH;
}

static size_t padded_outputs(size_t n_outputs)
{
    const size_t last = n_groups_of(n_outputs) - 1;
    return last * GB_COORDINATE_WIDTH + width_of(n_outputs, last);
}

static void list_arrays(void *component, const gb_array_visitor *v)
{
    coordinates *c = component;
    const size_t padded = padded_outputs(c->n_outputs);
    GB_ARRAY(v, "topic_start", c->topic_start, GB_SCRATCH, GB_REPLICATED, c->n_topics + 1);
    GB_ARRAY(v, "documents_of_topics", c->doc, GB_SCRATCH, GB_BY_DOCUMENT, c->n_entries);
    GB_ARRAY(v, "shares_of_topics", c->value, GB_SCRATCH, GB_BY_DOCUMENT, c->n_entries);
    GB_ARRAY(v, "groups_of_outputs", c->group, GB_SCRATCH, GB_REPLICATED, n_groups_of(c->n_outputs));
    GB_ARRAY(v, "residuals", c->row, GB_SCRATCH, GB_BY_DOCUMENT, c->n_docs, 2 * padded);
    GB_ARRAY(v, "precisions", c->precision, GB_SCRATCH, GB_REPLICATED, c->n_outputs, c->n_features);
    GB_ARRAY(v, "sums_of_parts", c->part_sum, GB_SCRATCH, GB_BY_DOCUMENT, c->has_team ? c->n_parts : 0, 2 * padded);
    GB_ARRAY(v, "sums", c->sum, GB_SCRATCH, GB_REPLICATED, c->has_team ? 2 * padded : 0);
}

static uint64_t count_entries(const gb_proportions *z)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < z->n_docs; d++)
        n += gb_proportions_of(z, d).n;
    return n;
}

/* Topic shares by topic, documents ascending. */
static void sort_by_topic(coordinates *c)
{
    const gb_proportions *z = c->in->z;
    uint64_t *start = c->topic_start;
    for (uint64_t d = 0; d < z->n_docs; d++) {
        const gb_document_topics t = gb_proportions_of(z, d);
        for (size_t m = 0; m < t.n; m++)
            start[t.topic[m] + 1]++;
    }
    for (size_t k = 0; k < z->n_topics; k++)
        start[k + 1] += start[k];
    for (uint64_t d = 0; d < z->n_docs; d++) {
        const gb_document_topics t = gb_proportions_of(z, d);
        const double length = gb_proportions_length(z, d);
        for (size_t m = 0; m < t.n; m++) {
            const uint64_t at = start[t.topic[m]]++;
            c->doc[at] = d;
            c->value[at] = t.count[m] / length;
        }
    }
    for (size_t k = z->n_topics; k > 0; k--)
        start[k] = start[k - 1];
    start[0] = 0;
}

static void fill_rows(const coordinates *c, const group *g)
{
    const size_t n_outputs = c->in->n_outputs;
    for (uint64_t d = 0; d < c->in->z->n_docs; d++) {
        const gb_score_term *term = c->in->term + d * n_outputs + g->first;
        const double *score = c->in->score + d * n_outputs + g->first;
        double *row = g->row + d * 2 * g->width;
        for (size_t l = 0; l < g->n; l++) {
            row[l] = term[l].omega;
            row[g->width + l] = term[l].slope + term[l].omega * (term[l].centre - score[l]);
        }
    }
}

static gb_feature feature(const coordinates *c, size_t k)
{
    const gb_proportions *z = c->in->z;
    if (k >= z->n_topics + gb_regression_n_columns(c->in))
        return (gb_feature){.n = z->n_docs};
    if (k >= z->n_topics) {
        const gb_covariates *x = c->in->x;
        const uint64_t first = x->column_start[k - z->n_topics], end = x->column_start[k - z->n_topics + 1];
        return (gb_feature){.n = end - first, .doc = x->column_doc + first, .value = x->column_value + first};
    }
    const uint64_t first = c->topic_start[k];
    return (gb_feature){.n = c->topic_start[k + 1] - first, .doc = c->doc + first, .value = c->value + first};
}

/* Feature number i of a pass. */
static size_t feature_of_pass(const coordinates *c, size_t i)
{
    return c->set == NULL ? i : c->n_topics + c->set->column[i];
}

static size_t n_in_pass(const coordinates *c)
{
    return c->set == NULL ? c->n_features : c->set->n;
}

/* ---- a coefficient ---- */

/* Its documents of part p; *at is where they begin in its list, and becomes where they end. */
static gb_feature in_part(const coordinates *c, const gb_feature *f, size_t p, uint64_t *at)
{
    const uint64_t begin = *at, end_doc = gb_portion_part(c->in->portion, c->n_docs, p + 1);
    if (f->doc == NULL) {
        *at = f->n < end_doc ? f->n : end_doc;
        return (gb_feature){.n = *at - begin, .first = begin};
    }
    while (*at < f->n && f->doc[*at] < end_doc)
        ++*at;
    return (gb_feature){.n = *at - begin, .doc = f->doc + begin, .value = f->value + begin};
}

/* (1) of each part that is here, `stride` numbers apart: curvatures, then slopes. */
static void add_parts(const coordinates *c, const group *g, size_t k, size_t stride, double *sum)
{
    const gb_feature f = feature(c, k);
    uint64_t at = 0;
    for (size_t p = 0; p < c->n_parts; p++, sum += stride) {
        const gb_feature part = c->n_parts == 1 ? f : in_part(c, &f, p, &at);
        c->kernel->sums(&part, g->width, g->row, sum, sum + g->width);
    }
}

/* (1) where all documents are here. */
static void add_all(const coordinates *c, const group *g, size_t k, double *sum)
{
    const gb_feature f = feature(c, k);
    double part_sum[2 * GB_COORDINATE_WIDTH];
    uint64_t at = 0;
    memset(sum, 0, 2 * g->width * sizeof *sum);
    for (size_t p = 0; p < c->n_parts; p++) {
        const gb_feature part = c->n_parts == 1 ? f : in_part(c, &f, p, &at);
        c->kernel->sums(&part, g->width, g->row, part_sum, part_sum + g->width);
        for (size_t i = 0; i < 2 * g->width; i++)
            sum[i] += part_sum[i];
    }
}

/* (2) from the sums (1): curvatures, then slopes. */
static void draw_feature(const coordinates *c, group *g, size_t k, const double *sum)
{
    const double *curvature = sum, *slope = sum + g->width;
    double delta[GB_COORDINATE_WIDTH] = {0};
    const gb_feature f = feature(c, k);
    for (size_t l = 0; l < g->n; l++) {
        const size_t at = (g->first + l) * c->n_features + k;
        const double old = c->eta[at], precision = c->precision[at] + curvature[l];
        c->eta[at] = (slope[l] + curvature[l] * old) / precision + gb_random_normal(&g->random[l]) / sqrt(precision);
        delta[l] = c->eta[at] - old;
    }
    c->kernel->move(&f, g->width, delta, g->row);
}

/* ---- groups of outputs ---- */

static void begin_group(const coordinates *c, size_t i)
{
    const gb_regression *in = c->in;
    group *g = &c->group[i];
    g->first = i * GB_COORDINATE_WIDTH;
    g->n = n_in_group(in->n_outputs, i);
    g->width = width_of(in->n_outputs, i);
    g->row = c->row + c->n_docs * 2 * g->first;
    fill_rows(c, g);
    for (size_t l = 0; l < g->n; l++) {
        g->random[l] = gb_random_open(in->key, in->sweep, GB_DRAW_COEFFICIENT, c->first_stream + g->first + l);
        in->scales->prior->ops->precision(in->scales, g->first + l, c->precision + (g->first + l) * c->n_features);
    }
}

static gb_status check_group(const coordinates *c, const group *g, gb_error *err)
{
    for (size_t k = 0; k < g->n * c->n_features; k++)
        if (!isfinite(c->eta[g->first * c->n_features + k]))
            return gb_fail(err, GB_ENUMERIC, "sweep %u, output %zu: a coefficient is not finite", c->in->sweep,
                           g->first + k / c->n_features + 1);
    return GB_OK;
}

/* Where all documents are here, each group by itself. */
static gb_status draw_group(void *context, size_t i, size_t worker, gb_error *err)
{
    (void)worker;
    const coordinates *c = context;
    group *g = &c->group[i];
    double sum[2 * GB_COORDINATE_WIDTH];
    begin_group(c, i);
    for (size_t step = 0; step < c->in->n_steps; step++)
        for (size_t m = 0; m < n_in_pass(c); m++) {
            add_all(c, g, feature_of_pass(c, m), sum);
            draw_feature(c, g, feature_of_pass(c, m), sum);
        }
    return check_group(c, g, err);
}

/* ---- groups in step: one coefficient of all outputs at a time ---- */

static gb_status begin_step(void *context, size_t i, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    begin_group(context, i);
    return GB_OK;
}

/* Draw one feature, whose sums are known, and add up the next. */
static gb_status go_on(void *context, size_t i, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const coordinates *c = context;
    group *g = &c->group[i];
    if (c->drawn != NONE)
        draw_feature(c, g, c->drawn, c->sum + 2 * g->first);
    if (c->added != NONE)
        add_parts(c, g, c->added, 2 * padded_outputs(c->n_outputs), c->part_sum + 2 * g->first);
    return c->added == NONE ? check_group(c, g, err) : GB_OK;
}

static gb_status draw_in_step(coordinates *c, gb_error *err)
{
    gb_status st;
    const size_t n_groups = n_groups_of(c->n_outputs), n = c->in->n_steps * n_in_pass(c);
    gb_team *team = gb_portion_team(c->in->portion);
    GB_TRY(gb_parallel_for(n_groups, c->in->n_threads, begin_step, c, err));
    c->drawn = NONE;
    for (size_t i = 0; i < n; i++) {
        c->added = feature_of_pass(c, i % n_in_pass(c));
        GB_TRY(gb_parallel_for(n_groups, c->in->n_threads, go_on, c, err));
        GB_TRY(gb_team_add_rows(team, c->n_parts, 2 * padded_outputs(c->n_outputs), c->part_sum, c->sum, err));
        c->drawn = c->added;
    }
    c->added = NONE;
    GB_TRY(gb_parallel_for(n_groups, c->in->n_threads, go_on, c, err));
done:
    return st;
}

static const gb_coordinate_kernel *kernel_for(gb_isa isa)
{
    return GB_KERNEL_FOR(isa, &gb_coordinate);
}

static gb_status draw_features(const gb_regression *in, const gb_column_set *set, uint64_t first_stream, double *eta,
                               gb_error *err)
{
    gb_status st;
    coordinates c = {.in = in,
                     .n_docs = in->z->n_docs,
                     .n_entries = set == NULL ? count_entries(in->z) : 0,
                     .n_outputs = in->n_outputs,
                     .n_topics = in->z->n_topics,
                     .n_features = gb_regression_n_features(in),
                     .set = set,
                     .first_stream = first_stream,
                     .eta = eta,
                     .kernel = kernel_for(in->isa),
                     .has_team = gb_portion_team(in->portion) != NULL,
                     .n_parts = gb_portion_n_parts(in->portion)};
    GB_TRY(gb_arrays_allocate(list_arrays, &c, "the coefficient draw", err));
    if (set == NULL)
        sort_by_topic(&c);
    GB_TRY(c.has_team ? draw_in_step(&c, err)
                      : gb_parallel_for(n_groups_of(in->n_outputs), in->n_threads, draw_group, &c, err));
done:
    gb_arrays_free(list_arrays, &c);
    return st;
}

static gb_status draw(const gb_regression *in, double *eta, gb_error *err)
{
    return draw_features(in, NULL, 0, eta, err);
}

gb_status gb_coordinate_draw_columns(const gb_regression *in, gb_column_set set, double *eta, gb_error *err)
{
    return draw_features(in, &set, in->n_outputs, eta, err);
}

static uint64_t bytes(const gb_regression_size *size)
{
    const coordinates c = {.n_docs = size->n_docs,
                           .n_entries = size->n_entries,
                           .n_outputs = size->n_outputs,
                           .n_topics = size->n_topics,
                           .n_features = size->n_topics + size->n_columns + (size->intercept ? 1 : 0),
                           .has_team = size->has_team,
                           .n_parts = size->n_parts};
    return gb_arrays_bytes(list_arrays, &c);
}

const gb_coefficient_sampler gb_coefficient_coordinate = {
    .name = "coordinate", .has_steps = true, .draw = draw, .bytes = bytes};
