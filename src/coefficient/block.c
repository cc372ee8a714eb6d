/* coefficient/block.c - all coefficients of an output, or some of them, in one draw.
 *
 *   Lambda = P + sum_d omega_d f_d f_d',   h = sum_d kappa_d f_d,   eta ~ N(Lambda^{-1} h, Lambda^{-1}) (1)
 *
 * Given the part o_d of the score that stays, kappa_d - omega_d o_d takes the place of kappa_d.
 *
 * Outputs are independent given the topics.  Sums over documents run by feature (coefficient/gram.h): row j of
 * (1) is a task of its own and adds its documents in order, so the result does not depend on threads and
 * needs no partial matrices for threads.  The features of some documents after the other are laid out for that, so many
 * that they and their weights stay in the cache while all rows visit them: each worker lays out a batch, then each adds its
 * own rows, the same ones every time, for all batches.  Outputs are taken a few at a time so that the sums fit into a fixed
 * amount of memory.
 *
 * Parts of the corpus (team/portion.h) have sums of their own, which are then added in order.  A rank without others
 * needs room for those of one part; ranks of a team keep the sums of all their parts until they exchange them.  Each then has
 * the sums of all documents, and draws all outputs or, where that is much work, its share of them.
 *
 * Where rounding leaves a matrix without a Cholesky factor, the coefficients of that output are drawn one after the other, each
 * given the others, by the rows of the same matrix: that leaves the law (1) as it is, too.
 *
 * The products of an embedding's columns are kept from sweep to sweep where they can be (coefficient/dense_gram.h).
 *
 *   Cost: sum over documents of (topics and columns in the document)^2 n_outputs / 2, and n_features^3 n_outputs / 3. */
#include "base/arrays.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "coefficient/coefficient.h"
#include "coefficient/dense_gram.h"
#include "coefficient/gram.h"
#include "coefficient/parts.h"
#include "math/cholesky.h"

#include <math.h>
#include <string.h>

enum {
    DOCS_AT_ONCE = 1024,  /* of a batch */
    SUM_BYTES = 64 << 20, /* of sums at once */
    MOST_FEATURES = 20000 /* one matrix more than 3 gigabytes, and hours to factor */
};

/** Outputs that are summed side by side. */
typedef struct slice {
    size_t first, n;       /* outputs */
    size_t width;          /* n, rounded up to a width of the kernel */
    double *omega, *kappa; /* n_batches x DOCS_AT_ONCE x width */
    double *sum;           /* rows k >= j of each feature j, padded, then h; x width */
    double *part_sum;      /* n_part_sums x the same */
    double *lambda, *h;    /* where documents are added now */
} slice;

/** Documents whose features are laid out. */
typedef struct batch {
    gb_gram_block docs;
    uint32_t *doc_start, *feature, *feature_start; /* what docs points to */
    double *value;
    gb_gram_entry *entry;
    size_t feature_capacity, value_capacity, entry_capacity;
} batch;

typedef struct block {
    const gb_regression *in;
    const gb_design *design;  /* features of the draw */
    uint64_t n_entries;       /* features of documents, about; for the estimate of memory */
    size_t n_features, n_all; /* of the draw; of an output */
    const size_t *place;      /* n_features: where those of the draw are among all; NULL: the same */
    const double *fixed;      /* n_docs x n_outputs: the scores' part that stays; NULL: 0 */
    double *eta;
    const gb_gram_kernel *kernel;
    const gb_block *embedding; /* whose products are known (coefficient/dense_gram.h); NULL: none are */

    size_t *row_at;           /* n_features + 1: where each row of lambda begins */
    size_t n_batches, n_used; /* n_used: those with the documents at hand */
    batch *batch;
    uint64_t first_doc, end_doc; /* documents at hand, and the end of their part */

    size_t n_part_sums; /* 0: all documents are one part, and added to the sum itself; 1: one part after the other */
    size_t n_sums_beside; /* sums of parts that are kept beside each other, on average over ranks */

    size_t first_output, last_output, n_slices; /* outputs at hand */
    size_t first_draw;                          /* of those, the first that is drawn here */
    slice *slice;

    size_t n_workers;
    double *matrix;    /* workers x n_features^2 */
    double *draw;      /* workers x n_features: h, then the draw */
    double *normal;    /* workers x n_features */
    double *precision; /* workers x n_all */
} block;

/* ---- features and terms of the documents at hand ---- */

/* Number i of all batches together. */
static void lay_out_terms(const block *b, const slice *s, uint64_t d, size_t i)
{
    const size_t from = d * b->in->n_outputs + s->first;
    const gb_score_term *t = b->in->term + from;
    double *omega = s->omega + i * s->width, *kappa = s->kappa + i * s->width;
    for (size_t l = 0; l < s->n; l++) {
        const double fixed = b->fixed == NULL ? 0 : b->fixed[from + l];
        omega[l] = t[l].omega;
        kappa[l] = t[l].slope + t[l].omega * (t[l].centre - fixed);
    }
}

/* Entries by feature, documents staying in order. */
static void index_by_feature(const block *b, const batch *p, size_t n)
{
    uint32_t *start = p->feature_start;
    memset(start, 0, (b->n_features + 1) * sizeof *start);
    for (size_t i = 0; i < n; i++)
        start[p->feature[i] + 1]++;
    for (size_t j = 0; j < b->n_features; j++)
        start[j + 1] += start[j];
    for (uint32_t d = 0; d < p->docs.n_docs; d++)
        for (uint32_t i = p->doc_start[d]; i < p->doc_start[d + 1]; i++)
            p->entry[start[p->feature[i]]++] = (gb_gram_entry){d, i};
    for (size_t j = b->n_features; j > 0; j--)
        start[j] = start[j - 1];
    start[0] = 0;
}

static gb_status take_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker;
    gb_status st;
    block *b = context;
    batch *p = &b->batch[task];
    const char *what = "the coefficient draw";
    size_t n = 0;
    const uint64_t first = b->first_doc + task * DOCS_AT_ONCE, left = b->end_doc - first;
    const size_t n_docs = left < DOCS_AT_ONCE ? (size_t)left : DOCS_AT_ONCE;
    for (size_t i = 0; i < n_docs; i++) {
        n += gb_design_count(b->design, first + i);
        p->doc_start[i + 1] = (uint32_t)n; /* DOCS_AT_ONCE x MOST_FEATURES fits */
    }
    GB_TRY(gb_grow(&p->feature, &p->feature_capacity, n + 1, sizeof *p->feature, what, err));
    GB_TRY(gb_grow(&p->value, &p->value_capacity, n + 1, sizeof *p->value, what, err));
    GB_TRY(gb_grow(&p->entry, &p->entry_capacity, n + 1, sizeof *p->entry, what, err));
    p->docs = (gb_gram_block){.n_docs = n_docs,
                              .doc_start = p->doc_start,
                              .feature = p->feature,
                              .value = p->value,
                              .feature_start = p->feature_start,
                              .entry = p->entry};
    for (size_t i = 0; i < n_docs; i++) {
        (void)gb_design_row(b->design, first + i, p->feature + p->doc_start[i], p->value + p->doc_start[i]);
        for (size_t s = 0; s < b->n_slices; s++)
            lay_out_terms(b, &b->slice[s], first + i, task * DOCS_AT_ONCE + i);
    }
    index_by_feature(b, p, n);
done:
    return st;
}

/* ---- sums ---- */

enum { ROW_UNIT = 8 }; /* numbers in a line of the cache: threads that add to different rows share none */

static size_t row_length(size_t n_features, size_t j)
{
    return (n_features - j + ROW_UNIT - 1) / ROW_UNIT * ROW_UNIT;
}

/* Rows k >= j of feature j begin here, less j, so that k is the index in the row. */
static size_t row_start(const block *b, size_t j)
{
    return b->row_at[j] - j;
}

static bool is_known(const block *b, size_t j)
{
    return b->embedding != NULL && j >= b->embedding->first && j < b->embedding->first + b->embedding->n;
}

/* Row j of an embedding whose products are known: what comes after it. */
static void add_rest_of_row(const block *b, const gb_gram_block *docs, size_t j, size_t width, const double *omega,
                            double *row)
{
    const size_t after = b->embedding->first + b->embedding->n - j;
    for (uint32_t i = docs->feature_start[j]; i < docs->feature_start[j + 1]; i++) {
        const gb_gram_entry e = docs->entry[i];
        for (size_t m = e.at + after; m < docs->doc_start[e.doc + 1]; m++)
            for (size_t l = 0; l < width; l++)
                row[docs->feature[m] * width + l] += omega[e.doc * width + l] * docs->value[e.at] * docs->value[m];
    }
}

/* Row j < n_features of all outputs; n_features: h. */
static void add_row(const block *b, size_t j)
{
    for (size_t p = 0; p < b->n_used; p++) {
        const gb_gram_block *docs = &b->batch[p].docs;
        for (size_t i = 0; i < b->n_slices; i++) {
            const slice *s = &b->slice[i];
            const size_t at = p * DOCS_AT_ONCE * s->width;
            if (is_known(b, j))
                add_rest_of_row(b, docs, j, s->width, s->omega + at, s->lambda + row_start(b, j) * s->width);
            else if (j < b->n_features)
                b->kernel->row(docs, j, s->width, s->omega + at, s->lambda + row_start(b, j) * s->width);
            else
                b->kernel->sums(docs, s->width, s->kappa + at, s->h);
        }
    }
}

/* Every n_batches-th row: short and long ones. */
static gb_status add_rows(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const block *b = context;
    for (size_t j = task; j <= b->n_features; j += b->n_batches)
        add_row(b, j);
    return GB_OK;
}

/* Numbers of a slice's sums. */
static size_t sums_of_slice(const block *b, const slice *s)
{
    return (b->row_at[b->n_features] + b->n_features) * s->width;
}

/* From now on documents are added to the sums of part i. */
static void begin_part(block *b, size_t i)
{
    for (size_t j = 0; j < b->n_slices; j++) {
        slice *s = &b->slice[j];
        const size_t at = b->n_part_sums > 1 ? i * sums_of_slice(b, s) : 0;
        s->lambda = b->n_part_sums == 0 ? s->sum : s->part_sum + at;
        s->h = s->lambda + b->row_at[b->n_features] * s->width;
    }
}

static gb_status add_part(block *b, size_t i, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t n_docs = b->in->design->n_docs;
    b->end_doc = gb_portion_part(b->in->portion, n_docs, i + 1);
    begin_part(b, i);
    for (b->first_doc = gb_portion_part(b->in->portion, n_docs, i); b->first_doc < b->end_doc;
         b->first_doc += b->n_batches * DOCS_AT_ONCE) {
        const uint64_t n = (b->end_doc - b->first_doc + DOCS_AT_ONCE - 1) / DOCS_AT_ONCE;
        b->n_used = n < b->n_batches ? (size_t)n : b->n_batches;
        GB_TRY(gb_parallel_for(b->n_used, b->in->n_threads, take_documents, b, err));
        GB_TRY(gb_parallel_for(b->n_batches, b->in->n_threads, add_rows, b, err));
    }
done:
    return st;
}

/* A rank without others is done with a part, and goes on to the next.  Of n_batches shares one. */
static gb_status end_part(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const block *b = context;
    for (size_t i = 0; i < b->n_slices; i++) {
        const slice *s = &b->slice[i];
        const size_t n = sums_of_slice(b, s), first = n * task / b->n_batches, last = n * (task + 1) / b->n_batches;
        for (size_t j = first; j < last; j++)
            s->sum[j] += s->part_sum[j];
        memset(s->part_sum + first, 0, (last - first) * sizeof *s->part_sum);
    }
    return GB_OK;
}

static gb_status sum_documents(block *b, gb_error *err)
{
    gb_status st = GB_OK;
    gb_team *team = gb_portion_team(b->in->portion);
    const size_t n_parts = gb_portion_n_parts(b->in->portion);
    for (size_t i = 0; i < n_parts; i++) {
        GB_TRY(add_part(b, i, err));
        if (team == NULL && n_parts > 1)
            GB_TRY(gb_parallel_for(b->n_batches, b->in->n_threads, end_part, b, err));
    }
    for (size_t i = 0; team != NULL && i < b->n_slices; i++) {
        const slice *s = &b->slice[i];
        GB_TRY(gb_team_add_rows(team, n_parts, sums_of_slice(b, s), s->part_sum, s->sum, err));
    }
done:
    return st;
}

/* ---- draws ---- */

/* Where a feature of the draw is among all. */
static size_t place(const block *b, size_t k)
{
    return b->place == NULL ? k : b->place[k];
}

/* Row j of the embedding, from the diagonal on. */
static void add_products(const block *b, size_t j, double omega, double *row)
{
    const size_t n = b->embedding->n;
    for (size_t k = j; k < n; k++)
        row[b->embedding->first + k] += omega * b->in->gram->sum[j * n + k];
}

/* (1) of output l of a slice: its part of the sums, with the prior's precision. */
static void take_output(const block *b, const slice *s, size_t l, double *precision, double *matrix, double *h)
{
    const size_t n = b->n_features;
    const double *sum = s->sum + b->row_at[n] * s->width + l;
    b->in->scales->prior->ops->precision(b->in->scales, s->first + l, precision);
    for (size_t j = 0; j < n; j++) {
        const double *row = s->sum + row_start(b, j) * s->width + l;
        for (size_t k = j; k < n; k++)
            matrix[j * n + k] = row[k * s->width];
        if (is_known(b, j))
            add_products(b, j - b->embedding->first, b->in->gram->omega[s->first + l], matrix + j * n);
        matrix[j * n + j] += precision[place(b, j)];
        h[j] = sum[j * s->width];
    }
}

/* (1) coefficient after coefficient, from where they are: h receives them.  Only the upper triangle of the matrix is read. */
static void draw_one_by_one(const block *b, size_t output, const double *matrix, double *h, const double *e)
{
    const size_t n = b->n_features;
    double *eta = b->eta + output * b->n_all;
    for (size_t k = 0; k < n; k++) {
        double sum = h[k];
        for (size_t j = 0; j < k; j++)
            sum -= matrix[j * n + k] * h[j]; /* drawn already */
        for (size_t j = k + 1; j < n; j++)
            sum -= matrix[k * n + j] * eta[place(b, j)];
        h[k] = sum / matrix[k * n + k] + e[k] / sqrt(matrix[k * n + k]);
    }
}

static gb_status draw_output(void *context, size_t task, size_t worker, gb_error *err)
{
    block *b = context;
    const size_t i = b->first_draw + task;
    const slice *s = &b->slice[i / GB_GRAM_WIDTH];
    const size_t n = b->n_features, l = i % GB_GRAM_WIDTH, output = s->first + l;
    double *matrix = b->matrix + worker * n * n, *h = b->draw + worker * n, *e = b->normal + worker * n;
    gb_random random = gb_random_open(b->in->key, b->in->sweep, GB_DRAW_COEFFICIENT, output);
    take_output(b, s, l, b->precision + worker * b->n_all, matrix, h);
    for (size_t k = 0; k < n; k++)
        e[k] = gb_random_normal(&random);
    if (!gb_draw_normal_by_precision(n, matrix, h,
                                     e)) { /* rounding has made it so: of weights that differ by 1e9, say */
        take_output(b, s, l, b->precision + worker * b->n_all, matrix, h);
        draw_one_by_one(b, output, matrix, h, e);
    }
    for (size_t k = 0; k < n; k++)
        if (!isfinite(h[k]))
            return gb_fail(err, GB_ENUMERIC, "sweep %u, output %zu: a coefficient is not finite", b->in->sweep,
                           output + 1);
    for (size_t k = 0; k < n; k++)
        b->eta[output * b->n_all + place(b, k)] = h[k];
    return GB_OK;
}

/* Multiplications of all draws at hand, from where on ranks share them: sooner, the exchange takes as long. */
static const double WORTH_SHARING = 1e6;

/* Of the outputs at hand this rank draws those from first_draw on; all get all. */
static gb_status draw_shares(block *b, gb_error *err)
{
    gb_status st;
    gb_team *team = gb_portion_team(b->in->portion);
    const size_t n = b->last_output - b->first_output, size = gb_team_size(team), rank = gb_team_rank(team);
    uint64_t *start = NULL;
    GB_TRY(gb_alloc(&start, size + 1, sizeof *start, "the coefficient draw", err));
    for (size_t r = 0; r <= size; r++)
        start[r] = n * r / size;
    b->first_draw = (size_t)start[rank];
    GB_TRY(gb_parallel_for((size_t)(start[rank + 1] - start[rank]), b->n_workers, draw_output, b, err));
    GB_TRY(gb_team_gather(team, b->eta + b->first_output * b->n_all, b->n_all * sizeof *b->eta, start, err));
done:
    gb_free(start);
    return st;
}

static gb_status draw_outputs(block *b, gb_error *err)
{
    const double n = (double)b->n_features, n_outputs = (double)(b->last_output - b->first_output);
    if (gb_portion_team(b->in->portion) != NULL && n * n * n / 3 * n_outputs >= WORTH_SHARING)
        return draw_shares(b, err);
    b->first_draw = 0;
    return gb_parallel_for(b->last_output - b->first_output, b->n_workers, draw_output, b, err);
}

/* ---- outputs ---- */

static size_t width_of(size_t n)
{
    static const size_t widths[] = {1, 2, 4, 8, 16, GB_GRAM_WIDTH};
    size_t i = 0;
    while (widths[i] < n)
        i++;
    return widths[i];
}

/* So many that the sums have room; whole slices, or a part of one. */
static size_t outputs_at_once(const block *b, size_t n_outputs)
{
    const size_t n_numbers = b->n_features * (b->n_features + 1) / 2 * b->n_sums_beside;
    const size_t n = SUM_BYTES / (n_numbers * sizeof(double));
    if (n >= n_outputs)
        return n_outputs;
    if (n >= GB_GRAM_WIDTH)
        return n / GB_GRAM_WIDTH * GB_GRAM_WIDTH;
    return n >= 16 ? 16 : n >= 8 ? 8 : n >= 4 ? 4 : n >= 2 ? 2 : 1;
}

/* As many as there are workers, if there are documents for them. */
static size_t n_batches(size_t n_threads, uint64_t n_docs)
{
    const uint64_t n = (n_docs + DOCS_AT_ONCE - 1) / DOCS_AT_ONCE;
    return n < 1 ? 1 : n < n_threads ? (size_t)n : n_threads;
}

/* ---- memory ---- */

/* Numbers of a sum: rows k >= j of each feature j, padded. */
static size_t n_sums(size_t n_features)
{
    size_t n = 0;
    for (size_t j = 0; j < n_features; j++)
        n += row_length(n_features, j);
    return n;
}

/* Outputs of slice i: all slices are full but the last. */
static slice outputs_of_slice(const block *b, size_t i)
{
    const size_t first = b->first_output + i * GB_GRAM_WIDTH, left = b->last_output - first;
    const size_t n = left < GB_GRAM_WIDTH ? left : GB_GRAM_WIDTH;
    return (slice){.first = first, .n = n, .width = width_of(n)};
}

static void list_slice(const block *b, slice *s, const gb_array_visitor *v)
{
    const size_t n_docs = b->n_batches * DOCS_AT_ONCE;
    GB_ARRAY(v, "omega", s->omega, GB_SCRATCH, GB_BY_WORKER, n_docs, s->width);
    GB_ARRAY(v, "kappa", s->kappa, GB_SCRATCH, GB_BY_WORKER, n_docs, s->width);
    GB_ARRAY(v, "sums", s->sum, GB_SCRATCH, GB_REPLICATED, n_sums(b->n_features) + b->n_features, s->width);
    GB_ARRAY(v, "sums_of_parts", s->part_sum, GB_SCRATCH, GB_BY_DOCUMENT, b->n_part_sums,
             n_sums(b->n_features) + b->n_features, s->width);
}

/* Slices of the outputs at hand; made and freed again and again. */
static void list_slices(void *component, const gb_array_visitor *v)
{
    block *b = component;
    GB_ARRAY_WITH(v, .name = "slices", GB_AT(b->slice), .life = GB_SCRATCH, .axis = GB_REPLICATED,
                  GB_SHAPE(b->n_slices), .has_pointers = true);
    for (size_t i = 0; i < b->n_slices; i++) {
        slice numbers = outputs_of_slice(b, i), *s = b->slice == NULL ? &numbers : &b->slice[i];
        s->first = numbers.first;
        s->n = numbers.n;
        s->width = numbers.width;
        list_slice(b, s, v);
    }
}

#define GROWING(array_name, pointer, its_capacity)                                                                   \
    .name = (array_name), GB_AT(pointer), .life = GB_SCRATCH, .axis = GB_BY_WORKER, GB_SHAPE(n_entries),             \
    .capacity = &(its_capacity)

static void list_batch(const block *b, batch *p, const gb_array_visitor *v)
{
    const uint64_t n_entries = b->n_entries / b->n_batches;
    GB_ARRAY(v, "doc_start", p->doc_start, GB_SCRATCH, GB_BY_WORKER, DOCS_AT_ONCE + 1);
    GB_ARRAY(v, "feature_start", p->feature_start, GB_SCRATCH, GB_BY_WORKER, b->n_features + 1);
    GB_ARRAY_WITH(v, GROWING("features", p->feature, p->feature_capacity));
    GB_ARRAY_WITH(v, GROWING("values", p->value, p->value_capacity));
    GB_ARRAY_WITH(v, GROWING("entries", p->entry, p->entry_capacity));
}

static void list_arrays(void *component, const gb_array_visitor *v)
{
    block *b = component;
    GB_ARRAY_WITH(v, .name = "batches", GB_AT(b->batch), .life = GB_SCRATCH, .axis = GB_BY_WORKER,
                  GB_SHAPE(b->n_batches), .has_pointers = true);
    for (size_t i = 0; i < b->n_batches; i++) {
        batch nothing = {0};
        list_batch(b, b->batch == NULL ? &nothing : &b->batch[i], v);
    }
    GB_ARRAY(v, "row_at", b->row_at, GB_SCRATCH, GB_REPLICATED, b->n_features + 1);
    GB_ARRAY(v, "matrices", b->matrix, GB_SCRATCH, GB_BY_WORKER, b->n_workers, b->n_features, b->n_features);
    GB_ARRAY(v, "draws", b->draw, GB_SCRATCH, GB_BY_WORKER, b->n_workers, b->n_features);
    GB_ARRAY(v, "normals", b->normal, GB_SCRATCH, GB_BY_WORKER, b->n_workers, b->n_features);
    GB_ARRAY(v, "precisions", b->precision, GB_SCRATCH, GB_BY_WORKER, b->n_workers, b->n_all);
}

/* The numbers that all arrays follow from, but the outputs at hand; that of sums beside each other is known. */
static void set_sizes(block *b, const gb_regression_size *size)
{
    const size_t at_once = outputs_at_once(b, size->n_outputs);
    b->n_part_sums = size->has_team ? size->n_parts : size->n_parts > 1 ? 1 : 0;
    b->n_batches = n_batches(size->n_threads, size->n_docs);
    b->n_workers = size->n_threads < at_once ? size->n_threads : at_once;
}

/* The same number at all ranks, so that they take the same outputs. */
static gb_status count_sums(block *b, gb_error *err)
{
    gb_team *team = gb_portion_team(b->in->portion);
    int64_t n = team == NULL ? 1 : (int64_t)gb_portion_n_parts(b->in->portion);
    const gb_status st = gb_team_sum(team, &n, 1, err);
    const size_t size = gb_team_size(team);
    b->n_sums_beside = n == 0 ? 1 : ((size_t)n + size - 1) / size;
    return st;
}

static void take_outputs(block *b, size_t first, size_t n_outputs)
{
    const size_t at_once = outputs_at_once(b, n_outputs);
    b->first_output = first;
    b->last_output = n_outputs - first < at_once ? n_outputs : first + at_once;
    b->n_slices = (b->last_output - first + GB_GRAM_WIDTH - 1) / GB_GRAM_WIDTH;
}

/* ---- the draw ---- */

static const gb_gram_kernel *kernel_for(gb_isa isa)
{
    return GB_KERNEL_FOR(isa, &gb_gram);
}

static gb_status draw_features(const gb_regression *in, const gb_design *design, const size_t *place,
                               const double *fixed, double *eta, gb_error *err)
{
    gb_status st;
    const char *what = "the coefficient draw";
    const size_t n = design->layout.n_features;
    if (n > MOST_FEATURES)
        return gb_fail(err, GB_EARGUMENT,
                       "%zu coefficients of a score are too many for `coefficient-sampler` block, which takes %d: "
                       "use mixed or coordinate",
                       n, MOST_FEATURES);
    block b = {.in = in,
               .design = design,
               .n_features = n,
               .n_all = in->design->layout.n_features,
               .place = place,
               .fixed = fixed,
               .eta = eta,
               .kernel = kernel_for(in->isa)};
    const gb_regression_size size = {.n_docs = design->n_docs,
                                     .n_outputs = in->n_outputs,
                                     .n_threads = in->n_threads,
                                     .n_parts = gb_portion_n_parts(in->portion),
                                     .has_team = gb_portion_team(in->portion) != NULL};
    if (design->dense != NULL && in->gram != NULL && in->gram->n > 0) {
        bool applies;
        GB_TRY(gb_dense_gram_update(in->gram, in, &applies, err));
        b.embedding = applies ? gb_layout_find(&design->layout, GB_EMBEDDING_BLOCK) : NULL;
    }
    GB_TRY(count_sums(&b, err));
    set_sizes(&b, &size);
    GB_TRY(gb_arrays_allocate(list_arrays, &b, what, err));
    for (size_t j = 0; j < n; j++)
        b.row_at[j + 1] = b.row_at[j] + row_length(n, j);
    for (size_t first = 0; first < in->n_outputs; first = b.last_output) {
        take_outputs(&b, first, in->n_outputs);
        GB_TRY(gb_arrays_allocate(list_slices, &b, what, err));
        GB_TRY(sum_documents(&b, err));
        GB_TRY(draw_outputs(&b, err));
        gb_arrays_free(list_slices, &b);
    }
done:
    gb_arrays_free(list_slices, &b);
    gb_arrays_free(list_arrays, &b);
    return st;
}

static gb_status draw(const gb_regression *in, double *eta, gb_error *err)
{
    return draw_features(in, in->design, NULL, NULL, eta, err);
}

gb_status gb_block_draw_part(const gb_regression *in, const gb_design *part, const size_t *place, const double *fixed,
                             double *eta, gb_error *err)
{
    return draw_features(in, part, place, fixed, eta, err);
}

static uint64_t bytes(const gb_regression_size *size)
{
    const size_t n = size->layout.n_features;
    const uint64_t per_doc = size->n_docs == 0 ? 0 : size->n_entries / size->n_docs + 1;
    block b = {.n_features = n, .n_all = n, .n_sums_beside = size->has_team && size->n_parts > 0 ? size->n_parts : 1};
    set_sizes(&b, size);
    b.n_entries = b.n_batches * DOCS_AT_ONCE * per_doc;
    take_outputs(&b, 0, size->n_outputs);
    return gb_arrays_bytes(list_arrays, &b) + gb_arrays_bytes(list_slices, &b);
}

const gb_coefficient_sampler gb_coefficient_block = {.name = "block", .draw = draw, .bytes = bytes};
