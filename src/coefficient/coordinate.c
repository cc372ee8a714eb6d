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
 *   Ranks of a team exchange the sums (1) before each draw (2), for all outputs at once.  Columns in a row, no two of which
 *   have a document in common (levels of a factor), do so together: their sums do not depend on each other's draws.
 *   r starts as slope + omega (centre - s), which loses no digits where omega is huge; from then on its error is
 *   omega times that of s. */
#include "coefficient/coordinate.h"

#include "base/arrays.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "coefficient/groups.h"
#include "coefficient/parts.h"

#include <math.h>
#include <string.h>

/** A few outputs that are drawn together; each by itself, they only share the reading of z. */
typedef struct group {
    size_t first, n;                 /* outputs */
    size_t width;                    /* n, rounded up to a power of two */
    double *row, *precision, *dense; /* at its place */
    gb_random random[GB_GROUP_WIDTH];
} group;

typedef struct coordinates {
    const gb_regression *in;
    uint64_t n_docs, n_entries; /* entries: of z, as far as topics are drawn */
    size_t n_outputs, n_topics, n_features;
    const gb_feature_list *list; /* columns of the draw; NULL: all features */
    uint64_t first_stream;       /* of output 0 */
    uint64_t *topic_start;       /* n_topics + 1: entries of z by topic */
    uint32_t *doc;               /* of every entry, ascending within a topic */
    double *value;               /* f of every entry */
    group *group;                /* of outputs */
    size_t n_places;   /* for numbers of a group at work: one for each group in a team, else one for each thread */
    double *row;       /* n_places x n_docs x 2 x width */
    double *precision; /* n_places x width x n_features */
    uint32_t *end;     /* n_in_pass x n_parts: where a part ends in the list of a feature; without a team */
    size_t n_dense;    /* columns of an embedding */
    double *dense;     /* n_places x n_docs: the column at hand, if there are any */
    double *eta;
    const gb_coordinate_kernel *kernel;

    bool has_team;
    size_t n_parts, n_in_pass; /* n_in_pass: features */

    /* of ranks in a team */
    size_t n_runs, *run; /* n_runs + 1, of n_in_pass + 1: where features begin that exchange their sums together */
    double *part_sum;    /* n_parts x features of a run x groups x 2 x width: (1) of the documents that are here */
    double *sum;         /* features of a run x groups x 2 x width: of all */
    size_t drawn, added; /* runs at hand; NONE: no one */
} coordinates;

static const size_t NONE = SIZE_MAX;

enum {
    SUMS_AT_ONCE = 1 << 16, /* numbers that are exchanged; or those of one feature, if they are more */
    STRIP = 64,             /* features whose random numbers are drawn together */
    FEATURES_PER_TASK = 1024
};

static size_t padded_outputs(size_t n_outputs)
{
    const size_t last = gb_n_groups(n_outputs) - 1;
    return last * GB_GROUP_WIDTH + gb_group_width(n_outputs, last);
}

static size_t places(const coordinates *c, size_t n_threads)
{
    const size_t n = gb_n_groups(c->n_outputs), most = n_threads < 1 ? 1 : n_threads;
    return c->has_team || n < most ? n : most;
}

/* Features. */
static size_t most_in_run(const coordinates *c)
{
    const size_t n = SUMS_AT_ONCE / (2 * padded_outputs(c->n_outputs));
    return n < 1 ? 1 : n < c->n_in_pass ? n : c->n_in_pass;
}

static void list_arrays(void *component, const gb_array_visitor *v)
{
    coordinates *c = component;
    const size_t padded = padded_outputs(c->n_outputs), width = gb_group_width(c->n_outputs, 0);
    GB_ARRAY(v, "topic_start", c->topic_start, GB_SCRATCH, GB_REPLICATED, c->n_topics + 1);
    GB_ARRAY(v, "documents_of_topics", c->doc, GB_SCRATCH, GB_BY_DOCUMENT, c->n_entries);
    GB_ARRAY(v, "shares_of_topics", c->value, GB_SCRATCH, GB_BY_DOCUMENT, c->n_entries);
    GB_ARRAY(v, "groups_of_outputs", c->group, GB_SCRATCH, GB_REPLICATED, gb_n_groups(c->n_outputs));
    GB_ARRAY(v, "residuals", c->row, GB_SCRATCH, GB_BY_DOCUMENT, c->n_places, c->n_docs, 2 * width);
    GB_ARRAY(v, "precisions", c->precision, GB_SCRATCH, GB_REPLICATED, c->n_places, width, c->n_features);
    GB_ARRAY(v, "column_at_hand", c->dense, GB_SCRATCH, GB_BY_DOCUMENT, c->n_places, c->n_dense > 0 ? c->n_docs : 0);
    if (!c->has_team) {
        GB_ARRAY(v, "ends_of_parts", c->end, GB_SCRATCH, GB_REPLICATED, c->n_in_pass, c->n_parts);
        return;
    }
    GB_ARRAY(v, "runs", c->run, GB_SCRATCH, GB_REPLICATED, c->n_in_pass + 1);
    GB_ARRAY(v, "sums_of_parts", c->part_sum, GB_SCRATCH, GB_BY_DOCUMENT, c->n_parts, most_in_run(c), 2 * padded);
    GB_ARRAY(v, "sums", c->sum, GB_SCRATCH, GB_REPLICATED, most_in_run(c), 2 * padded);
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
    const gb_proportions *z = c->in->design->z;
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
            c->doc[at] = (uint32_t)d;
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
    for (uint64_t d = 0; d < c->in->design->n_docs; d++) {
        const gb_score_term *term = c->in->term + d * n_outputs + g->first;
        const double *score = c->in->score + d * n_outputs + g->first;
        double *row = g->row + d * 2 * g->width;
        for (size_t l = 0; l < g->n; l++) {
            row[l] = term[l].omega;
            row[g->width + l] = term[l].slope + term[l].omega * (term[l].centre - score[l]);
        }
        for (size_t l = g->n; l < g->width; l++)
            row[l] = row[g->width + l] = 0;
    }
}

/* Column j of the embedding, whose values are copied for a group of outputs. */
static gb_feature dense_feature(const coordinates *c, const group *g, size_t j)
{
    const gb_dense_columns *x = c->in->design->dense;
    for (uint64_t d = 0; d < c->n_docs; d++)
        g->dense[d] = gb_dense_columns_row(x, d)[j];
    return (gb_feature){.n = c->n_docs, .value = g->dense};
}

static gb_feature feature(const coordinates *c, const group *g, size_t k)
{
    const gb_design *design = c->in->design;
    const gb_block *block = gb_layout_block_of(&design->layout, k);
    const size_t j = k - block->first;
    const gb_sparse_columns *x = design->x[block->kind];
    if (block->kind == GB_CONSTANT_BLOCK)
        return (gb_feature){.n = design->n_docs};
    if (block->kind == GB_EMBEDDING_BLOCK)
        return dense_feature(c, g, j);
    const uint64_t *start = x == NULL ? c->topic_start : x->column_start;
    const uint32_t *doc = x == NULL ? c->doc : x->column_doc;
    const double *value = x == NULL ? c->value : x->column_value;
    return (gb_feature){
        .n = start[j + 1] - start[j], .doc = GB_FROM(doc, start[j]), .value = GB_FROM(value, start[j])};
}

/* Feature number i of a pass. */
static size_t feature_of_pass(const coordinates *c, size_t i)
{
    return c->list == NULL ? i : c->list->feature[i];
}

/* ---- a coefficient ---- */

/* How many of its documents are before document `end`, if those before `from` are. */
static uint64_t count_before(const gb_feature *f, uint64_t from, uint64_t end)
{
    uint64_t high = f->n;
    if (f->doc == NULL)
        return end < high ? end : high;
    while (from < high) {
        const uint64_t middle = from + (high - from) / 2;
        if (f->doc[middle] < end)
            from = middle + 1;
        else
            high = middle;
    }
    return from;
}

/* Its documents of part p; *at is where they begin in its list, and becomes where they end. */
static gb_feature in_part(const coordinates *c, const gb_feature *f, size_t p, uint64_t *at)
{
    const uint64_t begin = *at;
    *at = count_before(f, begin, gb_portion_part(c->in->portion, c->n_docs, p + 1));
    if (f->doc == NULL)
        return (gb_feature){
            .n = *at - begin, .first = f->first + begin, .value = f->value == NULL ? NULL : f->value + begin};
    return (gb_feature){.n = *at - begin, .doc = f->doc + begin, .value = f->value + begin};
}

/* (1) of each part that is here, `stride` numbers apart: curvatures, then slopes. */
static void add_parts(const coordinates *c, const group *g, size_t k, size_t stride, double *sum)
{
    const gb_feature f = feature(c, g, k);
    uint64_t at = 0;
    for (size_t p = 0; p < c->n_parts; p++, sum += stride) {
        const gb_feature part = in_part(c, &f, p, &at);
        c->kernel->sums(&part, g->width, g->row, sum, sum + g->width);
    }
}

/* ---- where all documents are here: parts in the lists of features, which all groups of outputs go through ---- */

/* Its documents, but for its values. */
static gb_feature documents_of(const coordinates *c, size_t k)
{
    const gb_design *design = c->in->design;
    const gb_block *block = gb_layout_block_of(&design->layout, k);
    if (block->kind == GB_EMBEDDING_BLOCK)
        return (gb_feature){.n = c->n_docs};
    return feature(c, c->group, k);
}

static gb_status find_ends(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const coordinates *c = context;
    const size_t end = (task + 1) * FEATURES_PER_TASK;
    for (size_t i = task * FEATURES_PER_TASK; i < end && i < c->n_in_pass; i++) {
        const gb_feature f = documents_of(c, feature_of_pass(c, i));
        uint64_t at = 0;
        for (size_t p = 0; p < c->n_parts; p++) {
            at = count_before(&f, at, gb_portion_part(c->in->portion, c->n_docs, p + 1));
            c->end[i * c->n_parts + p] = (uint32_t)at;
        }
    }
    return GB_OK;
}

static gb_status find_all_ends(coordinates *c, gb_error *err)
{
    const size_t n_tasks = (c->n_in_pass + FEATURES_PER_TASK - 1) / FEATURES_PER_TASK;
    return gb_parallel_for(n_tasks, c->in->n_threads, find_ends, c, err);
}

/* ---- draws ---- */

/* What draws of a few features of a pass take, those of the outputs of a group side by side. */
typedef struct strip {
    double precision[STRIP * GB_GROUP_WIDTH], noise[STRIP * GB_GROUP_WIDTH], eta[STRIP * GB_GROUP_WIDTH];
} strip;

/* Features number first .. first + n - 1 of a pass.  Numbers without an output stay 0. */
static void take_strip(const coordinates *c, group *g, size_t first, size_t n, strip *s)
{
    for (size_t l = 0; l < g->width; l++) {
        const size_t at = (g->first + l) * c->n_features;
        for (size_t i = 0; i < n; i++) {
            const size_t k = feature_of_pass(c, first + i);
            s->precision[i * g->width + l] = l < g->n ? g->precision[l * c->n_features + k] : 1;
            s->eta[i * g->width + l] = l < g->n ? c->eta[at + k] : 0;
            s->noise[i * g->width + l] = 0;
        }
        if (l < g->n)
            gb_random_normals(&g->random[l], c->in->isa, n, g->width, s->noise + l);
    }
}

static void put_strip(const coordinates *c, const group *g, size_t first, size_t n, const strip *s)
{
    for (size_t l = 0; l < g->n; l++)
        for (size_t i = 0; i < n; i++)
            c->eta[(g->first + l) * c->n_features + feature_of_pass(c, first + i)] = s->eta[i * g->width + l];
}

/* (2) of feature number i of a strip from the sums (1): curvatures, then slopes. */
static void draw_feature(const coordinates *c, const group *g, const gb_feature *f, const double *sum, strip *s,
                         size_t i)
{
    double delta[GB_GROUP_WIDTH];
    const size_t at = i * g->width;
    c->kernel->draw(g->width, sum, s->precision + at, s->noise + at, s->eta + at, delta);
    c->kernel->move(f, g->width, delta, g->row);
}

/* ---- groups of outputs ---- */

static void begin_group(const coordinates *c, size_t i, size_t place)
{
    const gb_regression *in = c->in;
    group *g = &c->group[i];
    const size_t width = gb_group_width(in->n_outputs, 0);
    g->first = i * GB_GROUP_WIDTH;
    g->n = gb_group_size(in->n_outputs, i);
    g->width = gb_group_width(in->n_outputs, i);
    g->row = GB_FROM(c->row, place * c->n_docs * 2 * width);
    g->precision = c->precision + place * width * c->n_features;
    g->dense = GB_FROM(c->dense, place * c->n_docs);
    fill_rows(c, g);
    for (size_t l = 0; l < g->n; l++) {
        g->random[l] = gb_random_open(in->key, in->sweep, GB_DRAW_COEFFICIENT, c->first_stream + g->first + l);
        in->scales->prior->ops->precision(in->scales, g->first + l, g->precision + l * c->n_features);
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

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static void draw_strip(const coordinates *c, group *g, size_t first, size_t n)
{
    double sum[2 * GB_GROUP_WIDTH];
    strip s;
    take_strip(c, g, first, n, &s);
    for (size_t i = 0; i < n; i++) {
        const gb_feature f = feature(c, g, feature_of_pass(c, first + i));
        c->kernel->sums_of_parts(&f, c->n_parts, c->end + (first + i) * c->n_parts, g->width, g->row, sum);
        draw_feature(c, g, &f, sum, &s, i);
    }
    put_strip(c, g, first, n, &s);
}

/* Where all documents are here, each group by itself. */
static gb_status draw_group(void *context, size_t i, size_t worker, gb_error *err)
{
    const coordinates *c = context;
    group *g = &c->group[i];
    begin_group(c, i, worker);
    for (size_t step = 0; step < c->in->n_steps; step++)
        for (size_t m = 0; m < c->n_in_pass; m += STRIP)
            draw_strip(c, g, m, least(STRIP, c->n_in_pass - m));
    return check_group(c, g, err);
}

/* ---- which features exchange their sums together ---- */

/* Of each feature of a pass: how many there are up to the last one before it that shares a document with it.  All do with topics,
 * an embedding and the intercept. */
static gb_status find_neighbours(const coordinates *c, uint64_t *up_to, gb_error *err)
{
    gb_status st;
    uint64_t *latest = NULL; /* n_docs: features up to the last column that has the document */
    bool follows_column = false;
    GB_TRY(gb_alloc(&latest, c->n_docs, sizeof *latest, "the coefficient draw", err));
    for (size_t i = 0; i < c->n_in_pass; i++) {
        const size_t k = feature_of_pass(c, i);
        const bool is_column = c->in->design->x[gb_layout_block_of(&c->in->design->layout, k)->kind] != NULL;
        const gb_feature f = is_column ? feature(c, c->group, k) : (gb_feature){.n = 0};
        up_to[i] = is_column && follows_column ? 0 : i;
        for (uint64_t m = 0; is_column && m < f.n; m++) {
            up_to[i] = up_to[i] < latest[f.doc[m]] ? latest[f.doc[m]] : up_to[i];
            latest[f.doc[m]] = i + 1;
        }
        follows_column = is_column;
    }
done:
    gb_free(latest);
    return st;
}

/* Over all ranks: the largest of each. */
static gb_status find_all_neighbours(const coordinates *c, uint64_t *up_to, gb_error *err)
{
    gb_status st;
    gb_team *team = gb_portion_team(c->in->portion);
    const size_t n = c->n_in_pass, size = gb_team_size(team);
    uint64_t *all = NULL, *start = NULL;
    GB_TRY(gb_alloc(&all, size * n, sizeof *all, "the coefficient draw", err));
    GB_TRY(gb_alloc(&start, size + 1, sizeof *start, "the coefficient draw", err));
    GB_TRY(find_neighbours(c, all + gb_team_rank(team) * n, err));
    for (size_t r = 0; r <= size; r++)
        start[r] = r * n;
    GB_TRY(gb_team_gather(team, all, sizeof *all, start, err));
    for (size_t i = 0; i < size * n; i++)
        up_to[i % n] = up_to[i % n] < all[i] ? all[i] : up_to[i % n];
done:
    gb_free(all);
    gb_free(start);
    return st;
}

static gb_status find_runs(coordinates *c, gb_error *err)
{
    gb_status st;
    uint64_t *up_to = NULL;
    GB_TRY(gb_alloc(&up_to, c->n_in_pass, sizeof *up_to, "the coefficient draw", err));
    GB_TRY(find_all_neighbours(c, up_to, err));
    for (size_t i = 0; i < c->n_in_pass; i++)
        if (i == 0 || up_to[i] > c->run[c->n_runs - 1] || i - c->run[c->n_runs - 1] == most_in_run(c))
            c->run[c->n_runs++] = i;
    c->run[c->n_runs] = c->n_in_pass;
done:
    gb_free(up_to);
    return st;
}

/* ---- groups in step: run after run ---- */

/* Numbers of the sums of a run. */
static size_t sums_of_run(const coordinates *c, size_t run)
{
    return (c->run[run + 1] - c->run[run]) * 2 * padded_outputs(c->n_outputs);
}

/* Where a group's sums of feature i of a run begin. */
static size_t place_in_run(const coordinates *c, const group *g, size_t i)
{
    return (i * padded_outputs(c->n_outputs) + g->first) * 2;
}

static gb_status begin_in_step(void *context, size_t i, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    begin_group(context, i, i);
    return GB_OK;
}

static void draw_run(const coordinates *c, group *g)
{
    const size_t first = c->run[c->drawn], n = c->run[c->drawn + 1] - first;
    strip s;
    for (size_t m = 0; m < n; m += STRIP) {
        const size_t n_here = least(STRIP, n - m);
        take_strip(c, g, first + m, n_here, &s);
        for (size_t i = 0; i < n_here; i++) {
            const gb_feature f = feature(c, g, feature_of_pass(c, first + m + i));
            draw_feature(c, g, &f, c->sum + place_in_run(c, g, m + i), &s, i);
        }
        put_strip(c, g, first + m, n_here, &s);
    }
}

/* Draw one run, whose sums are known, and add up the next. */
static gb_status go_on(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker;
    const coordinates *c = context;
    group *g = &c->group[task];
    if (c->drawn != NONE)
        draw_run(c, g);
    if (c->added == NONE)
        return check_group(c, g, err);
    for (size_t i = 0; i < c->run[c->added + 1] - c->run[c->added]; i++)
        add_parts(c, g, feature_of_pass(c, c->run[c->added] + i), sums_of_run(c, c->added),
                  GB_FROM(c->part_sum, place_in_run(c, g, i)));
    return GB_OK;
}

static gb_status draw_in_step(coordinates *c, gb_error *err)
{
    gb_status st;
    const size_t n_groups = gb_n_groups(c->n_outputs), n_threads = c->in->n_threads;
    gb_team *team = gb_portion_team(c->in->portion);
    GB_TRY(find_runs(c, err));
    GB_TRY(gb_parallel_for(n_groups, n_threads, begin_in_step, c, err));
    c->drawn = NONE;
    for (size_t i = 0; i < c->in->n_steps * c->n_runs; i++) {
        c->added = i % c->n_runs;
        GB_TRY(gb_parallel_for(n_groups, n_threads, go_on, c, err));
        GB_TRY(gb_team_add_rows(team, c->n_parts, sums_of_run(c, c->added), c->part_sum, c->sum, err));
        c->drawn = c->added;
    }
    c->added = NONE;
    GB_TRY(gb_parallel_for(n_groups, n_threads, go_on, c, err));
done:
    return st;
}

static const gb_coordinate_kernel *kernel_for(gb_isa isa)
{
    return GB_KERNEL_FOR(isa, &gb_coordinate);
}

static gb_status draw_features(const gb_regression *in, const gb_feature_list *list, uint64_t first_stream,
                               double *eta, gb_error *err)
{
    gb_status st;
    coordinates c = {.in = in,
                     .n_docs = in->design->n_docs,
                     .n_entries = list == NULL ? count_entries(in->design->z) : 0,
                     .n_outputs = in->n_outputs,
                     .n_topics = in->design->z->n_topics,
                     .n_features = in->design->layout.n_features,
                     .list = list,
                     .n_dense = in->design->dense == NULL ? 0 : in->design->dense->n_columns,
                     .first_stream = first_stream,
                     .eta = eta,
                     .kernel = kernel_for(in->isa),
                     .has_team = gb_portion_team(in->portion) != NULL,
                     .n_parts = gb_portion_n_parts(in->portion)};
    c.n_in_pass = list == NULL ? c.n_features : list->n;
    c.n_places = places(&c, in->n_threads);
    if (c.n_docs > UINT32_MAX)
        return gb_fail(err, GB_EARGUMENT, "`coefficient-sampler` coordinate takes at most %u documents", UINT32_MAX);
    GB_TRY(gb_arrays_allocate(list_arrays, &c, "the coefficient draw", err));
    if (list == NULL)
        sort_by_topic(&c);
    if (c.has_team) {
        GB_TRY(draw_in_step(&c, err));
    } else {
        GB_TRY(find_all_ends(&c, err));
        GB_TRY(gb_parallel_for(gb_n_groups(in->n_outputs), in->n_threads, draw_group, &c, err));
    }
done:
    gb_arrays_free(list_arrays, &c);
    return st;
}

static gb_status draw(const gb_regression *in, double *eta, gb_error *err)
{
    return draw_features(in, NULL, 0, eta, err);
}

gb_status gb_coordinate_draw_columns(const gb_regression *in, gb_feature_list columns, double *eta, gb_error *err)
{
    return draw_features(in, &columns, in->n_outputs, eta, err);
}

static uint64_t bytes(const gb_regression_size *size)
{
    coordinates c = {.n_docs = size->n_docs,
                     .n_entries = size->n_entries,
                     .n_outputs = size->n_outputs,
                     .n_topics = gb_layout_find(&size->layout, GB_TOPICS_BLOCK)->n,
                     .n_features = size->layout.n_features,
                     .has_team = size->has_team,
                     .n_parts = size->n_parts};
    const gb_block *embedding = gb_layout_find(&size->layout, GB_EMBEDDING_BLOCK);
    c.n_dense = embedding == NULL ? 0 : embedding->n;
    c.n_in_pass = c.n_features;
    c.n_places = places(&c, size->n_threads);
    return gb_arrays_bytes(list_arrays, &c);
}

const gb_coefficient_sampler gb_coefficient_coordinate = {
    .name = "coordinate", .has_steps = true, .by_column = true, .draw = draw, .bytes = bytes};
