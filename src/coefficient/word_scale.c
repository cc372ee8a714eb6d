/* coefficient/word_scale.c - the coefficients of all words of an output made larger or smaller together.
 *
 * The scale tau of words and their coefficients eta_w hold each other: given 50,000 coefficients tau^2 has a relative standard
 * deviation of sqrt(2 / 50,000), and given tau most coefficients follow it.  With h = eta / tau held instead, tau is a
 * coefficient of its own, of the one feature w_d = sum_j x_dj eta_j / tau.  For c = tau' / tau
 *
 *   log p(c | h, rest) = B c - A c^2 / 2 + log p(tau')                                                 (1)
 *   A = sum_d omega_d s_d^2,   B = sum_d s_d (kappa_d - omega_d o_d)                                    (2)
 *
 * with s_d the words' part of the score and o_d the rest of it.  log tau^2 is drawn from (1) by slices.
 *
 * (Yu and Meng 2011, Journal of Computational and Graphical Statistics 20: both ways in turn.)
 *   Cost: one pass over the words of documents. */
#include "coefficient/word_scale.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "random/slice.h"
#include "team/sums.h"

#include <math.h>

static const char *const what = "the scale of words";

typedef struct word_part {
    const gb_regression *in;
    const gb_sparse_columns *x;
    const double *eta; /* of the words: n_words x n_outputs */
    double *score;     /* n_docs x n_outputs: of all features */
    double *part;      /* n_docs x n_outputs: the words' part of it */
} word_part;

static uint64_t task_end(const word_part *p, size_t task)
{
    const uint64_t end = ((uint64_t)task + 1) * GB_DOCS_PER_TASK;
    return end < p->x->n_docs ? end : p->x->n_docs;
}

static gb_status score_words(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const word_part *p = context;
    const size_t n = p->in->n_outputs;
    for (uint64_t d = (uint64_t)task * GB_DOCS_PER_TASK; d < task_end(p, task); d++)
        for (uint64_t i = p->x->doc_start[d]; i < p->x->doc_start[d + 1]; i++)
            for (size_t l = 0; l < n; l++)
                p->part[d * n + l] += p->x->value[i] * p->eta[p->x->column[i] * n + l];
    return GB_OK;
}

/* (2): A of each output, then B. */
static void add_documents(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const word_part *p = context;
    const size_t n = p->in->n_outputs;
    for (uint64_t d = first; d < last; d++)
        for (size_t l = 0; l < n; l++) {
            const gb_score_term *t = &p->in->term[d * n + l];
            const double s = p->part[d * n + l], residual = t->slope + t->omega * (t->centre - p->score[d * n + l]);
            sum[l] += t->omega * s * s;
            sum[n + l] += s * (residual + t->omega * s);
        }
}

/* (1) as a function of log tau^2. */
typedef struct scale_law {
    const gb_coefficient_scales *scales;
    double curvature, slope, now; /* A, B, log tau^2 now */
} scale_law;

static const double LARGEST_LOG = 600; /* of a square that is a number */

static double log_density(void *context, double x)
{
    const scale_law *law = context;
    const double c = exp((x - law->now) / 2);
    if (!(fabs(x) <= LARGEST_LOG))
        return -INFINITY;
    return law->slope * c - law->curvature * c * c / 2 +
           law->scales->prior->ops->log_word_scale_density(law->scales->prior, exp(x));
}

/* Of output l.  @return tau' / tau */
static double draw_ratio(const gb_regression *in, gb_coefficient_scales *scales, size_t l, const double *sum)
{
    const double width = 0.5; /* of log tau^2 */
    double *square = scales->square + l * scales->n + scales->prior->ops->word_scale(scales->prior, &scales->layout);
    scale_law law = {scales, sum[l], sum[in->n_outputs + l], log(*square)};
    gb_random random = gb_random_open(in->key, in->sweep, GB_DRAW_WORD_SCALE, l);
    const double x = gb_random_slice(log_density, &law, law.now, log_density(&law, law.now), width, &random);
    *square = exp(x);
    return exp((x - law.now) / 2);
}

static void rescale(const word_part *p, const gb_block *words, const double *ratio, double *eta,
                    double *eta_by_feature)
{
    const size_t n = p->in->n_outputs, n_features = p->in->design->layout.n_features;
    for (size_t l = 0; l < n; l++)
        for (size_t j = words->first; j < words->first + words->n; j++)
            eta_by_feature[j * n + l] = eta[l * n_features + j] *= ratio[l];
    for (uint64_t i = 0; i < p->x->n_docs * n; i++)
        p->score[i] += (ratio[i % n] - 1) * p->part[i];
}

gb_status gb_word_scale_draw(const gb_regression *in, gb_coefficient_scales *scales, double *eta,
                             double *eta_by_feature, double *score, gb_error *err)
{
    gb_status st;
    const size_t n = in->n_outputs;
    const gb_block *words = gb_layout_find(&in->design->layout, GB_WORDS_BLOCK);
    double *sum = NULL, *ratio = NULL;
    word_part p = {.in = in, .x = in->design->x[GB_WORDS_BLOCK], .score = score};
    if (words == NULL || scales->prior->ops->word_scale(scales->prior, &scales->layout) == SIZE_MAX)
        return GB_OK;
    p.eta = eta_by_feature + words->first * n;
    GB_TRY(gb_alloc(&p.part, p.x->n_docs, n * sizeof *p.part, what, err));
    GB_TRY(gb_alloc(&sum, 2 * n, sizeof *sum, what, err));
    GB_TRY(gb_alloc(&ratio, n, sizeof *ratio, what, err));
    const size_t n_tasks = (size_t)((p.x->n_docs + GB_DOCS_PER_TASK - 1) / GB_DOCS_PER_TASK);
    GB_TRY(gb_parallel_for(n_tasks, in->n_threads, score_words, &p, err));
    GB_TRY(gb_sum_documents(in->portion, p.x->n_docs, add_documents, &p, 2 * n, sum, err));
    for (size_t l = 0; l < n; l++)
        ratio[l] = draw_ratio(in, scales, l, sum);
    rescale(&p, words, ratio, eta, eta_by_feature);
done:
    gb_free(p.part);
    gb_free(sum);
    gb_free(ratio);
    return st;
}

uint64_t gb_word_scale_bytes(const gb_regression_size *size)
{
    return gb_layout_find(&size->layout, GB_WORDS_BLOCK) == NULL ? 0
                                                                 : size->n_docs * size->n_outputs * sizeof(double);
}
