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
 *   r starts as slope + omega (centre - s), which loses no digits where omega is huge; from then on its error is
 *   omega times that of s. */
#include "coefficient/coordinate.h"

#include "base/arrays.h"
#include "base/parallel.h"
#include "coefficient/parts.h"

#include <math.h>

typedef struct coordinates {
    const gb_regression *in;
    uint64_t n_docs, n_entries; /* entries: of z, as far as topics are drawn */
    size_t n_outputs, n_topics, n_features;
    const gb_column_set *set; /* the columns of the draw; NULL: all features */
    uint64_t first_stream;    /* of output 0 */
    uint64_t *topic_start;    /* n_topics + 1: entries of z by topic */
    uint64_t *doc;            /* of every entry, ascending within a topic */
    double *value;            /* f of every entry */
    double *row;              /* per group of outputs: n_docs x 2 x width */
    double *precision;        /* n_outputs x n_features */
    double *eta;
    const gb_coordinate_kernel *kernel;
} coordinates;

/** A few outputs that are drawn together; each by itself, they only share the reading of z. */
typedef struct group {
    size_t first, n; /* outputs */
    size_t width;    /* n, rounded up to a power of two */
    double *row;
    gb_random random[GB_COORDINATE_WIDTH];
} group;

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
    GB_ARRAY(v, "residuals", c->row, GB_SCRATCH, GB_BY_DOCUMENT, c->n_docs, 2 * padded);
    GB_ARRAY(v, "precisions", c->precision, GB_SCRATCH, GB_REPLICATED, c->n_outputs, c->n_features);
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

static void draw_feature(const coordinates *c, group *g, size_t k)
{
    double curvature[GB_COORDINATE_WIDTH], slope[GB_COORDINATE_WIDTH], delta[GB_COORDINATE_WIDTH] = {0};
    const gb_feature f = feature(c, k);
    c->kernel->sums(&f, g->width, g->row, curvature, slope); /* (1) */
    for (size_t l = 0; l < g->n; l++) {
        const size_t at = (g->first + l) * c->n_features + k;
        const double old = c->eta[at], precision = c->precision[at] + curvature[l];
        c->eta[at] = (slope[l] + curvature[l] * old) / precision + gb_random_normal(&g->random[l]) / sqrt(precision);
        delta[l] = c->eta[at] - old;
    }
    c->kernel->move(&f, g->width, delta, g->row); /* (2) */
}

static gb_status draw_group(void *context, size_t i, size_t worker, gb_error *err)
{
    (void)worker;
    const coordinates *c = context;
    const gb_regression *in = c->in;
    group g = {
        .first = i * GB_COORDINATE_WIDTH, .n = n_in_group(in->n_outputs, i), .width = width_of(in->n_outputs, i)};
    g.row = c->row + in->z->n_docs * 2 * g.first;
    fill_rows(c, &g);
    for (size_t l = 0; l < g.n; l++) {
        g.random[l] = gb_random_open(in->key, in->sweep, GB_DRAW_COEFFICIENT, c->first_stream + g.first + l);
        in->scales->prior->ops->precision(in->scales, g.first + l, c->precision + (g.first + l) * c->n_features);
    }
    for (size_t step = 0; step < in->n_steps; step++)
        for (size_t m = 0; m < (c->set == NULL ? c->n_features : c->set->n); m++)
            draw_feature(c, &g, c->set == NULL ? m : in->z->n_topics + c->set->column[m]);
    for (size_t k = 0; k < g.n * c->n_features; k++)
        if (!isfinite(c->eta[g.first * c->n_features + k]))
            return gb_fail(err, GB_ENUMERIC, "sweep %u, output %zu: a coefficient is not finite", in->sweep,
                           g.first + k / c->n_features + 1);
    return GB_OK;
}

static const gb_coordinate_kernel *kernel_for(gb_isa isa)
{
    return GB_KERNEL_FOR(isa, &gb_coordinate);
}

static gb_status draw_features(const gb_regression *in, const gb_column_set *set, uint64_t first_stream, double *eta,
                               gb_error *err)
{
    gb_status st;
    const size_t n_groups = n_groups_of(in->n_outputs);
    coordinates c = {.in = in,
                     .n_docs = in->z->n_docs,
                     .n_entries = set == NULL ? count_entries(in->z) : 0,
                     .n_outputs = in->n_outputs,
                     .n_topics = in->z->n_topics,
                     .n_features = gb_regression_n_features(in),
                     .set = set,
                     .first_stream = first_stream,
                     .eta = eta,
                     .kernel = kernel_for(in->isa)};
    GB_TRY(gb_arrays_allocate(list_arrays, &c, "the coefficient draw", err));
    if (set == NULL)
        sort_by_topic(&c);
    GB_TRY(gb_parallel_for(n_groups, in->n_threads, draw_group, &c, err));
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
                           .n_features = size->n_topics + size->n_columns + (size->intercept ? 1 : 0)};
    return gb_arrays_bytes(list_arrays, &c);
}

const gb_coefficient_sampler gb_coefficient_coordinate = {
    .name = "coordinate", .has_steps = true, .draw = draw, .bytes = bytes};
