/* coefficient/mixed.c - topics and intercept of an output at once, then the columns of covariates one by one.
 *
 *   eta_z | eta_x  by the block draw, the columns' part of the scores held fixed                              (1)
 *   eta_j | rest   for each column j, --coefficient-steps times                                               (2)
 *
 * Each is the conditional law of some coefficients given the others, so each leaves the joint law as it is.  Topics and
 * intercept trade off and need the block; columns may be thousands, the levels of a factor, of a few documents each.
 *
 *   Cost: that of the block with topics and intercept alone, and four times the entries of the columns. */
#include "base/memory.h"
#include "base/parallel.h"
#include "coefficient/parts.h"

enum { DOCS_PER_TASK = 512 }; /* the results do not depend on it */

typedef struct mixed {
    const gb_regression *in;
    size_t n_features;
    double *column_score; /* n_docs x n_outputs: sum_j eta_lj x_dj */
    double *score;        /* n_docs x n_outputs: of all features */
    const double *eta;
} mixed;

static uint64_t task_end(const mixed *m, size_t task)
{
    const uint64_t end = ((uint64_t)task + 1) * DOCS_PER_TASK, n = m->in->z->n_docs;
    return end < n ? end : n;
}

static gb_status score_columns(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const mixed *m = context;
    const gb_covariates *x = m->in->x;
    const size_t n = m->in->n_outputs, n_topics = m->in->z->n_topics;
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < task_end(m, task); d++)
        for (size_t l = 0; l < n; l++) {
            const double *eta = m->eta + l * m->n_features + n_topics;
            double sum = 0;
            for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++)
                sum += eta[x->column[i]] * x->value[i];
            m->column_score[d * n + l] = sum;
        }
    return GB_OK;
}

/* Topics, intercept, and the part of the columns. */
static gb_status score_all(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const mixed *m = context;
    const gb_proportions *z = m->in->z;
    const size_t n = m->in->n_outputs;
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < task_end(m, task); d++) {
        const double length = (double)(z->doc_len_start[d + 1] - z->doc_len_start[d]);
        for (size_t l = 0; l < n; l++) {
            const double *eta = m->eta + l * m->n_features;
            double sum = m->in->intercept ? eta[m->n_features - 1] : 0;
            for (uint64_t i = z->doc_start[d]; i < z->doc_start[d + 1]; i++)
                sum += eta[z->topic[i]] * (z->count[i] / length);
            m->score[d * n + l] = sum + m->column_score[d * n + l];
        }
    }
    return GB_OK;
}

static gb_status draw(const gb_regression *in, double *eta, gb_error *err)
{
    gb_status st;
    const size_t n_tasks = (size_t)((in->z->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK);
    mixed m = {.in = in, .n_features = gb_regression_n_features(in), .eta = eta};
    if (gb_regression_n_columns(in) == 0)
        return gb_coefficient_block.draw(in, eta, err);
    GB_TRY(gb_alloc(&m.column_score, in->z->n_docs * in->n_outputs, sizeof(double), "the coefficient draw", err));
    GB_TRY(gb_alloc(&m.score, in->z->n_docs * in->n_outputs, sizeof(double), "the coefficient draw", err));
    GB_TRY(gb_parallel_for(n_tasks, in->n_threads, score_columns, &m, err));
    GB_TRY(gb_block_draw_topics(in, m.column_score, eta, err)); /* (1) */
    GB_TRY(gb_parallel_for(n_tasks, in->n_threads, score_all, &m, err));
    gb_regression given_topics = *in;
    given_topics.score = m.score;
    GB_TRY(gb_coordinate_draw_columns(&given_topics, eta, err)); /* (2) */
done:
    gb_free(m.column_score);
    gb_free(m.score);
    return st;
}

const gb_coefficient_sampler gb_coefficient_mixed = {.name = "mixed", .has_steps = true, .draw = draw};
