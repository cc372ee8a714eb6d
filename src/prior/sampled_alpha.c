/* prior/sampled_alpha.c - a draw of alpha from its posterior given the topics.
 *
 *   alpha_k ~ Gamma(a, b),  independent
 *   p(Z | alpha) has for each document with N_d > 0 tokens the factor Gamma(abar) / Gamma(abar + N_d), and for each topic of it
 *   alpha_k (alpha_k + 1) ... (alpha_k + n_dk - 1).  With
 *       q_d ~ Beta(abar, N_d)
 *       l_k = sum over documents of the tables of a Chinese restaurant with n_dk customers and concentration alpha_k          (1)
 *   alpha is independent of the counts:
 *       alpha_k | rest ~ Gamma(a + l_k, b - sum_d log q_d)                                                                    (2)
 *   (Escobar & West 1995; Teh, Jordan, Beal & Blei 2006), so every sweep draws from the posterior, kept ones too.
 *   One alpha for all topics: Gamma(a + sum_k l_k, b - K sum_d log q_d).
 *
 *   (1) takes one binomial number for each step of the histogram of n_dk, not one number for each token (random/crt.c).
 *   log q is drawn as such: for a small abar q itself underflows to 0, and alpha would fall to its bound and stay.
 *
 *   Prior shape 1/K, rate b: alpha_k = a0 v_k with a0 ~ Gamma(1, b) and v ~ Dir(1/K, ..., 1/K), the finite form of the
 *   hierarchical Dirichlet process (Teh and others): a topic that no token has gets an alpha of nearly 0.  What is below 1e-20 is kept as
 *   1e-20; no token has or gets a topic with such an alpha.
 *
 *   Named topics: the prior holds alpha in the region that prior/dirichlet.c has as (4).  There alpha_k given the others lies in an
 *   interval, and (2) becomes a slice of log alpha_k within it, topic by topic, which leaves the truncated law as it is.
 *
 *   Random numbers are named by documents and by topics, sums over documents go by tasks: the same bits on any number of threads and
 *   ranks. */
#include "prior/sampled_alpha.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/special.h"
#include "prior/part_tasks.h"
#include "random/slice.h"

#include <math.h>

static const double LEAST = 1e-20, MOST = 1e10;
enum { DOCS_PER_TASK = 4096 };

/* ---- sum of log q_d ---- */

typedef struct length_draws {
    const gb_prior *prior;
    const gb_prior_sweep *sweep;
    double abar, *sum; /* a sum for each task */
} length_draws;

/* log q for q ~ Beta(abar, n). */
static double draw_log_q(gb_random *random, double abar, double n)
{
    const double x = gb_random_log_gamma(random, abar), y = gb_random_log_gamma(random, n);
    return gb_log_sigmoid(x - y);
}

static gb_status draw_of_task(void *context, size_t task, size_t worker, gb_error *err)
{
    const length_draws *l = context;
    const uint64_t *start = l->sweep->z->doc_len_start, first_doc = gb_portion_first(l->prior->portion);
    const gb_document_range range = gb_part_task(l->prior->portion, l->prior->n_docs, DOCS_PER_TASK, task);
    (void)worker, (void)err;
    for (uint64_t d = range.first; d < range.end; d++) {
        gb_random random = gb_random_open(l->sweep->key, l->sweep->sweep, GB_DRAW_LENGTHS, first_doc + d);
        if (start[d + 1] > start[d])
            l->sum[task] += draw_log_q(&random, l->abar, (double)(start[d + 1] - start[d]));
    }
    return GB_OK;
}

static gb_status draw_lengths(const gb_prior *prior, const gb_prior_sweep *sweep, double abar, double *out,
                              gb_error *err)
{
    gb_status st;
    length_draws l = {.prior = prior, .sweep = sweep, .abar = abar};
    const size_t n = gb_part_tasks(prior->portion, prior->n_docs, DOCS_PER_TASK);
    *out = 0;
    GB_TRY(gb_alloc(&l.sum, n, sizeof *l.sum, "the document prior", err));
    GB_TRY(gb_parallel_for(n, prior->n_threads, draw_of_task, &l, err));
    GB_TRY(gb_team_add_rows(gb_portion_team(prior->portion), n, 1, l.sum, out, err));
done:
    gb_free(l.sum);
    return st;
}

/* ---- (1) ---- */

/* H is how many documents have more than i tokens of the topic; runs of i with the same H at once. */
static double draw_tables(const gb_proportions *z, size_t k, double alpha, gb_random *random)
{
    const uint32_t *n_docs = z->n_docs_with + k * GB_TALLY_WIDTH;
    uint64_t h = 0, done = 0, tables = 0;
    for (size_t n = 1; n < GB_TALLY_WIDTH; n++)
        h += n_docs[n];
    for (size_t i = z->large_start[k]; i < z->large_start[k + 1]; i++)
        h += z->large[i].n_docs;
    for (size_t n = 1; n < GB_TALLY_WIDTH; n++) {
        if (n_docs[n] == 0)
            continue;
        tables += gb_random_crt_tables(random, h, done, n, alpha);
        done = n;
        h -= n_docs[n];
    }
    for (size_t i = z->large_start[k]; i < z->large_start[k + 1]; i++) {
        tables += gb_random_crt_tables(random, h, done, z->large[i].count, alpha);
        done = z->large[i].count;
        h -= z->large[i].n_docs;
    }
    return (double)tables;
}

/* ---- bounds of named topics ---- */

typedef struct interval {
    double low, high;
} interval;

/* Sums over the topics but one, and over those of them without a name. */
typedef struct others {
    double sum, unnamed, least_named, most_named;
} others;

static others sum_others(size_t n, size_t n_named, const double *alpha, size_t k)
{
    others o = {.least_named = INFINITY};
    for (size_t j = 0; j < n; j++) {
        if (j == k)
            continue;
        o.sum += alpha[j];
        if (j >= n_named) {
            o.unnamed += alpha[j];
        } else {
            o.least_named = fmin(o.least_named, alpha[j]);
            o.most_named = fmax(o.most_named, alpha[j]);
        }
    }
    return o;
}

/* Where alpha_k may be, all others given: each named topic keeps LEAST of the mean of all and, if there are topics without a name, at
 * most the mean of these or of all. */
static interval bounds_of(size_t n, size_t n_named, const double *alpha, size_t k)
{
    const others o = sum_others(n, n_named, alpha, k);
    const double K = (double)n, n_unnamed = K - (double)n_named;
    interval in = {.low = 0, .high = K * o.least_named / GB_LEAST_ALPHA_OF_NAMED - o.sum};
    if (k < n_named) {
        in.low = GB_LEAST_ALPHA_OF_NAMED * o.sum / (K - GB_LEAST_ALPHA_OF_NAMED);
        if (n_unnamed > 0) {
            const double mean = o.unnamed / n_unnamed;
            in.high = fmin(in.high, fmax(o.sum / (K - 1), mean));
            if (o.most_named > mean)
                in.low = fmax(in.low, K * o.most_named - o.sum);
        }
    } else {
        in.low = fmin(K * o.most_named - o.sum, n_unnamed * o.most_named - o.unnamed);
    }
    return (interval){fmin(in.low, alpha[k]), fmax(in.high, alpha[k])}; /* it is inside but for rounding */
}

typedef struct slice_law {
    interval in;
    double shape, rate;
} slice_law;

/* Of x = log alpha. */
static double log_density(void *context, double x)
{
    const slice_law *law = context;
    const double alpha = exp(x);
    return alpha >= law->in.low && alpha <= law->in.high ? law->shape * x - law->rate * alpha : -INFINITY;
}

static double draw_within(interval in, double shape, double rate, double alpha, gb_random *random)
{
    slice_law law = {in, shape, rate};
    const double x = log(alpha), height = shape * x - rate * alpha;
    return exp(gb_random_slice(log_density, &law, x, height, 3 / sqrt(shape), random));
}

/* ---- (2) ---- */

static double within_type(double alpha)
{
    return fmin(fmax(alpha, LEAST), MOST);
}

static double draw_gamma(double shape, double rate, gb_random *random)
{
    return within_type(exp(gb_random_log_gamma(random, shape) - log(rate)));
}

static void draw_symmetric(const gb_alpha_law *law, const gb_prior *prior, const gb_prior_sweep *sweep, double log_q,
                           double *alpha)
{
    const size_t n = prior->n_topics;
    gb_random random = gb_random_open(sweep->key, sweep->sweep, GB_DRAW_ALPHA, 0);
    double shape = law->gamma.shape;
    for (size_t k = 0; k < n; k++)
        shape += draw_tables(sweep->z, k, alpha[k], &random);
    const double one = draw_gamma(shape, law->gamma.rate - (double)n * log_q, &random);
    for (size_t k = 0; k < n; k++)
        alpha[k] = one;
}

gb_status gb_alpha_draw(const gb_alpha_law *law, const gb_prior *prior, const gb_prior_sweep *sweep, double *alpha,
                        gb_error *err)
{
    const size_t n = prior->n_topics, n_named = prior->setup->n_named;
    double abar = 0, log_q;
    for (size_t k = 0; k < n; k++)
        abar += alpha[k];
    const gb_status st = draw_lengths(prior, sweep, abar, &log_q, err);
    if (st != GB_OK)
        return st;
    if (law->is_symmetric) {
        draw_symmetric(law, prior, sweep, log_q, alpha);
        return GB_OK;
    }
    const double rate = law->gamma.rate - log_q;
    for (size_t k = 0; k < n; k++) {
        gb_random random = gb_random_open(sweep->key, sweep->sweep, GB_DRAW_ALPHA, k);
        const double shape = law->gamma.shape + draw_tables(sweep->z, k, alpha[k], &random);
        alpha[k] = n_named > 0 ? draw_within(bounds_of(n, n_named, alpha, k), shape, rate, alpha[k], &random)
                               : draw_gamma(shape, rate, &random);
    }
    return GB_OK;
}

double gb_alpha_log_density(const gb_alpha_law *law, size_t n_topics, const double *alpha)
{
    double sum = 0;
    for (size_t k = 0; k < (law->is_symmetric ? 1 : n_topics); k++)
        sum += gb_gamma_law_log_density(&law->gamma, alpha[k]);
    return sum;
}
