/* coefficient/block.c - all coefficients of an output, or some of them, in one draw.
 *
 *   Lambda = P + sum_d omega_d f_d f_d',   h = sum_d kappa_d f_d,   eta ~ N(Lambda^{-1} h, Lambda^{-1}) (1)
 *
 * Given the part o_d of the score that stays, kappa_d - omega_d o_d takes the place of kappa_d.
 *
 * Outputs are independent given the topics.  Sums over documents run by feature (coefficient/gram.h): row j of
 * (1) is a task of its own and adds its documents in order, so the result does not depend on threads and
 * needs no partial matrices.  The features of some documents after the other are laid out for that, so many that they and
 * their weights stay in the cache while all rows visit them.  Outputs are taken a few at a time so that the sums fit into
 * a fixed amount of memory.
 *
 *   Cost: sum over documents of (topics and columns in the document)^2 n_outputs / 2, and n_features^3 n_outputs / 3. */
#include "base/memory.h"
#include "base/parallel.h"
#include "coefficient/coefficient.h"
#include "coefficient/gram.h"
#include "coefficient/parts.h"
#include "math/cholesky.h"

#include <math.h>
#include <string.h>

enum {
    DOCS_AT_ONCE = 1024,
    DOCS_PER_TASK = 128,
    SUM_BYTES = 64 << 20, /* of sums at once */
    MOST_FEATURES = 20000 /* one matrix more than 3 gigabytes, and hours to factor */
};

/** Outputs that are summed side by side. */
typedef struct slice {
    size_t first, n;       /* outputs */
    size_t width;          /* n, rounded up to a width of the kernel */
    double *omega, *kappa; /* DOCS_AT_ONCE x width */
    double *lambda;        /* rows k >= j of each feature j x width */
    double *h;             /* n_features x width */
} slice;

typedef struct block {
    const gb_regression *in;
    const gb_covariates *x;   /* columns of the draw; NULL: none */
    size_t n_features, n_all; /* of the draw; of an output */
    const size_t *column;     /* where the columns of the draw are among all; NULL: the same */
    const double *fixed;      /* n_docs x n_outputs: the scores' part that stays; NULL: 0 */
    double *eta;
    const gb_gram_kernel *kernel;

    uint64_t first_doc; /* documents at hand */
    gb_gram_block docs;
    uint32_t *doc_start, *feature, *feature_start; /* what docs points to */
    double *value;
    gb_gram_entry *entry;
    size_t feature_capacity, value_capacity, entry_capacity;

    size_t n_slices; /* outputs at hand */
    slice *slice;

    double *matrix;    /* workers x n_features^2 */
    double *draw;      /* workers x n_features: h, then the draw */
    double *normal;    /* workers x n_features */
    double *precision; /* workers x n_all */
} block;

/* ---- features and terms of the documents at hand ---- */

static size_t n_features_of(const block *b, uint64_t d)
{
    const size_t n_columns = b->x == NULL ? 0 : (size_t)(b->x->doc_start[d + 1] - b->x->doc_start[d]);
    return gb_proportions_of(b->in->z, d).n + n_columns + (b->in->intercept ? 1 : 0);
}

/* Document d, number i of those at hand. */
static void lay_out_features(block *b, uint64_t d, size_t i)
{
    const gb_proportions *z = b->in->z;
    const gb_document_topics t = gb_proportions_of(z, d);
    const double length = gb_proportions_length(z, d);
    uint32_t *feature = b->feature + b->doc_start[i];
    double *value = b->value + b->doc_start[i];
    for (size_t m = 0; m < t.n; m++) {
        *feature++ = t.topic[m];
        *value++ = t.count[m] / length;
    }
    for (uint64_t m = b->x == NULL ? 0 : b->x->doc_start[d]; b->x != NULL && m < b->x->doc_start[d + 1]; m++) {
        *feature++ = (uint32_t)z->n_topics + b->x->column[m];
        *value++ = b->x->value[m];
    }
    if (b->in->intercept) { /* the constant 1 of every document, empty ones too */
        *feature = (uint32_t)b->n_features - 1;
        *value = 1;
    }
}

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

static gb_status lay_out_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    block *b = context;
    const size_t last = (task + 1) * DOCS_PER_TASK < b->docs.n_docs ? (task + 1) * DOCS_PER_TASK : b->docs.n_docs;
    for (size_t i = task * DOCS_PER_TASK; i < last; i++) {
        lay_out_features(b, b->first_doc + i, i);
        for (size_t s = 0; s < b->n_slices; s++)
            lay_out_terms(b, &b->slice[s], b->first_doc + i, i);
    }
    return GB_OK;
}

/* Entries by feature, documents staying in order. */
static void index_by_feature(block *b, size_t n)
{
    uint32_t *start = b->feature_start;
    memset(start, 0, (b->n_features + 1) * sizeof *start);
    for (size_t i = 0; i < n; i++)
        start[b->feature[i] + 1]++;
    for (size_t j = 0; j < b->n_features; j++)
        start[j + 1] += start[j];
    for (uint32_t d = 0; d < b->docs.n_docs; d++)
        for (uint32_t i = b->doc_start[d]; i < b->doc_start[d + 1]; i++)
            b->entry[start[b->feature[i]]++] = (gb_gram_entry){d, i};
    for (size_t j = b->n_features; j > 0; j--)
        start[j] = start[j - 1];
    start[0] = 0;
}

static gb_status take_documents(block *b, uint64_t first, gb_error *err)
{
    gb_status st;
    const char *what = "the coefficient draw";
    size_t n = 0;
    const uint64_t left = b->in->z->n_docs - first;
    const size_t n_docs = left < DOCS_AT_ONCE ? (size_t)left : DOCS_AT_ONCE;
    for (size_t i = 0; i < n_docs; i++) {
        n += n_features_of(b, first + i);
        b->doc_start[i + 1] = (uint32_t)n; /* DOCS_AT_ONCE x MOST_FEATURES fits */
    }
    GB_TRY(gb_grow(&b->feature, &b->feature_capacity, n + 1, sizeof *b->feature, what, err));
    GB_TRY(gb_grow(&b->value, &b->value_capacity, n + 1, sizeof *b->value, what, err));
    GB_TRY(gb_grow(&b->entry, &b->entry_capacity, n + 1, sizeof *b->entry, what, err));
    b->first_doc = first;
    b->docs = (gb_gram_block){.n_docs = n_docs,
                              .doc_start = b->doc_start,
                              .feature = b->feature,
                              .value = b->value,
                              .feature_start = b->feature_start,
                              .entry = b->entry};
    GB_TRY(
        gb_parallel_for((n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK, b->in->n_threads, lay_out_documents, b, err));
    index_by_feature(b, n);
done:
    return st;
}

/* ---- sums ---- */

/* Rows k >= j of feature j begin here; they lie one feature after the other. */
static size_t row_start(const block *b, size_t j)
{
    return j * b->n_features - j * (j + 1) / 2; /* less j, so that k is the index in the row */
}

/* Task j < n_features adds row j of all outputs, task n_features adds h. */
static gb_status add_row(void *context, size_t j, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    block *b = context;
    for (size_t i = 0; i < b->n_slices; i++) {
        const slice *s = &b->slice[i];
        if (j < b->n_features)
            b->kernel->row(&b->docs, j, s->width, s->omega, s->lambda + row_start(b, j) * s->width);
        else
            b->kernel->sums(&b->docs, s->width, s->kappa, s->h);
    }
    return GB_OK;
}

static gb_status sum_documents(block *b, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t first = 0; first < b->in->z->n_docs; first += DOCS_AT_ONCE) {
        GB_TRY(take_documents(b, first, err));
        GB_TRY(gb_parallel_for(b->n_features + 1, b->in->n_threads, add_row, b, err));
    }
done:
    return st;
}

/* ---- draws ---- */

/* Where a feature of the draw is among all. */
static size_t place(const block *b, size_t k)
{
    const size_t n_topics = b->in->z->n_topics;
    if (b->in->intercept && k + 1 == b->n_features)
        return b->n_all - 1;
    return k < n_topics || b->column == NULL ? k : n_topics + b->column[k - n_topics];
}

/* (1) of output l of a slice: its part of the sums, with the prior's precision. */
static void take_output(const block *b, const slice *s, size_t l, double *precision, double *matrix, double *h)
{
    const size_t n = b->n_features;
    b->in->scales->prior->ops->precision(b->in->scales, s->first + l, precision);
    for (size_t j = 0; j < n; j++) {
        const double *row = s->lambda + row_start(b, j) * s->width + l;
        for (size_t k = j; k < n; k++)
            matrix[j * n + k] = row[k * s->width];
        matrix[j * n + j] += precision[place(b, j)];
        h[j] = s->h[j * s->width + l];
    }
}

static gb_status draw_output(void *context, size_t i, size_t worker, gb_error *err)
{
    block *b = context;
    const slice *s = &b->slice[i / GB_GRAM_WIDTH];
    const size_t n = b->n_features, l = i % GB_GRAM_WIDTH, output = s->first + l;
    double *matrix = b->matrix + worker * n * n, *h = b->draw + worker * n, *e = b->normal + worker * n;
    gb_random random = gb_random_open(b->in->key, b->in->sweep, GB_DRAW_COEFFICIENT, output);
    take_output(b, s, l, b->precision + worker * b->n_all, matrix, h);
    for (size_t k = 0; k < n; k++)
        e[k] = gb_random_normal(&random);
    if (!gb_draw_normal_by_precision(n, matrix, h, e))
        return gb_fail(err, GB_ENUMERIC,
                       "sweep %u, output %zu: the precision of the coefficients is not positive definite",
                       b->in->sweep, output + 1);
    for (size_t k = 0; k < n; k++)
        if (!isfinite(h[k]))
            return gb_fail(err, GB_ENUMERIC, "sweep %u, output %zu: a coefficient is not finite", b->in->sweep,
                           output + 1);
    for (size_t k = 0; k < n; k++)
        b->eta[output * b->n_all + place(b, k)] = h[k];
    return GB_OK;
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

static void clear_slices(block *b)
{
    for (size_t i = 0; b->slice != NULL && i < b->n_slices; i++) {
        gb_free(b->slice[i].omega);
        gb_free(b->slice[i].kappa);
        gb_free(b->slice[i].lambda);
        gb_free(b->slice[i].h);
    }
    gb_free(b->slice);
    b->slice = NULL;
}

/* Outputs first..last-1, all slices full but the last. */
static gb_status make_slices(block *b, size_t first, size_t last, gb_error *err)
{
    gb_status st;
    const char *what = "the coefficient draw";
    const size_t n_sums = row_start(b, b->n_features) + b->n_features;
    b->n_slices = (last - first + GB_GRAM_WIDTH - 1) / GB_GRAM_WIDTH;
    GB_TRY(gb_alloc(&b->slice, b->n_slices, sizeof *b->slice, what, err));
    for (size_t i = 0; i < b->n_slices; i++) {
        slice *s = &b->slice[i];
        s->first = first + i * GB_GRAM_WIDTH;
        s->n = last - s->first < GB_GRAM_WIDTH ? last - s->first : GB_GRAM_WIDTH;
        s->width = width_of(s->n);
        GB_TRY(gb_alloc(&s->omega, DOCS_AT_ONCE * s->width, sizeof *s->omega, what, err));
        GB_TRY(gb_alloc(&s->kappa, DOCS_AT_ONCE * s->width, sizeof *s->kappa, what, err));
        GB_TRY(gb_alloc(&s->lambda, n_sums, s->width * sizeof *s->lambda, what, err));
        GB_TRY(gb_alloc(&s->h, b->n_features * s->width, sizeof *s->h, what, err));
    }
done:
    return st;
}

/* So many that the sums have room; whole slices, or a part of one. */
static size_t outputs_at_once(size_t n_features, size_t n_outputs)
{
    const size_t n = SUM_BYTES / (n_features * (n_features + 1) / 2 * sizeof(double));
    if (n >= n_outputs)
        return n_outputs;
    if (n >= GB_GRAM_WIDTH)
        return n / GB_GRAM_WIDTH * GB_GRAM_WIDTH;
    return n >= 16 ? 16 : n >= 8 ? 8 : n >= 4 ? 4 : n >= 2 ? 2 : 1;
}

static const gb_gram_kernel *kernel_for(gb_isa isa)
{
    switch (isa) {
#if defined(__x86_64__)
    case GB_ISA_AVX2:
        return &gb_gram_avx2;
    case GB_ISA_AVX512:
        return &gb_gram_avx512;
#endif
    default:
        return &gb_gram_plain;
    }
}

static gb_status draw_features(const gb_regression *in, const gb_covariates *x, const size_t *column,
                               const double *fixed, double *eta, gb_error *err)
{
    gb_status st;
    const char *what = "the coefficient draw";
    const size_t n_all = gb_regression_n_features(in);
    const size_t n = n_all - gb_regression_n_columns(in) + (x == NULL ? 0 : x->n_columns);
    if (n > MOST_FEATURES)
        return gb_fail(err, GB_EARGUMENT,
                       "%zu coefficients of a score are too many for --coefficient-sampler block, which takes %d: "
                       "use mixed or coordinate",
                       n, MOST_FEATURES);
    block b = {.in = in,
               .x = x,
               .n_features = n,
               .n_all = n_all,
               .column = column,
               .fixed = fixed,
               .eta = eta,
               .kernel = kernel_for(in->isa)};
    GB_TRY(gb_alloc(&b.doc_start, DOCS_AT_ONCE + 1, sizeof *b.doc_start, what, err));
    GB_TRY(gb_alloc(&b.feature_start, n + 1, sizeof *b.feature_start, what, err));
    const size_t at_once = outputs_at_once(n, in->n_outputs),
                 n_workers = in->n_threads < at_once ? in->n_threads : at_once;
    GB_TRY(gb_alloc(&b.matrix, n_workers * n, n * sizeof *b.matrix, what, err));
    GB_TRY(gb_alloc(&b.draw, n_workers * n, sizeof *b.draw, what, err));
    GB_TRY(gb_alloc(&b.normal, n_workers * n, sizeof *b.normal, what, err));
    GB_TRY(gb_alloc(&b.precision, n_workers * n_all, sizeof *b.precision, what, err));
    for (size_t first = 0, last = 0; first < in->n_outputs; first = last) {
        last = in->n_outputs - first < at_once ? in->n_outputs : first + at_once;
        GB_TRY(make_slices(&b, first, last, err));
        GB_TRY(sum_documents(&b, err));
        GB_TRY(gb_parallel_for(last - first, n_workers, draw_output, &b, err));
        clear_slices(&b);
    }
done:
    clear_slices(&b);
    gb_free(b.doc_start);
    gb_free(b.feature);
    gb_free(b.feature_start);
    gb_free(b.value);
    gb_free(b.entry);
    gb_free(b.matrix);
    gb_free(b.draw);
    gb_free(b.normal);
    gb_free(b.precision);
    return st;
}

static gb_status draw(const gb_regression *in, double *eta, gb_error *err)
{
    return draw_features(in, gb_regression_n_columns(in) == 0 ? NULL : in->x, NULL, NULL, eta, err);
}

gb_status gb_block_draw_part(const gb_regression *in, gb_column_set set, const gb_covariates *x, const double *fixed,
                             double *eta, gb_error *err)
{
    return draw_features(in, set.n == 0 ? NULL : x, set.column, fixed, eta, err);
}

/* A sum may be padded by a slice's width, a document list by its features. */
static uint64_t bytes(const gb_regression_size *size)
{
    const uint64_t n = size->n_topics + size->n_columns + (size->intercept ? 1 : 0);
    const uint64_t at_once = outputs_at_once((size_t)n, size->n_outputs);
    const uint64_t n_workers = size->n_threads < at_once ? size->n_threads : at_once;
    const uint64_t per_doc = size->n_docs == 0 ? 0 : size->n_entries / size->n_docs + 1;
    return sizeof(double) * (at_once * (n * (n + 1) / 2 + n + 2 * DOCS_AT_ONCE) + n_workers * (n * n + 3 * n)) +
           2 * DOCS_AT_ONCE * per_doc * (sizeof(double) + sizeof(uint64_t));
}

const gb_coefficient_sampler gb_coefficient_block = {.name = "block", .draw = draw, .bytes = bytes};
