/* prior/psi_density.c - log probability of topics, log weights and their parameters. */
#include "prior/psi_state.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/special.h"

#include <math.h>

struct densities {
    const gb_prior *prior;
    const gb_proportions *z;
    double log_determinant; /* of the precision of psi */
};

static double log_determinant_of(const gb_psi_state *s)
{
    double sum = 0;
    for (size_t t = 0; t < s->n_free && s->law.full == NULL; t++)
        sum += log(s->law.precision[t]);
    return s->law.full == NULL ? sum : -s->covariance.log_determinant;
}

/* (x - mean)' Q (x - mean). */
static double square_form(const gb_psi_state *s, const double *psi, const double *mean)
{
    double sum = 0;
    const size_t n = s->n_free;
    for (size_t t = 0; t < n && s->law.full == NULL; t++) {
        const double x = psi[t] - mean[t];
        sum += s->law.precision[t] * x * x;
    }
    if (s->law.full == NULL)
        return sum;
    for (size_t t = 0; t < n; t++) {
        double row = 0;
        for (size_t j = 0; j < n; j++)
            row += s->law.full[t * n + j] * (psi[j] - mean[j]);
        sum += row * (psi[t] - mean[t]);
    }
    return sum;
}

/* log p(z_d | psi_d) + log p(psi_d | mean). */
static double log_of_document(const struct densities *r, uint64_t d)
{
    const gb_psi_state *s = r->prior->state;
    const double *psi = s->psi + d * s->n_free;
    const gb_document_topics topics = gb_proportions_of(r->z, d);
    double largest = s->law.is_symmetric ? psi[0] : 0, sum = 0, total = 0;
    for (size_t t = 0; t < s->n_free; t++)
        largest = fmax(largest, psi[t]);
    for (size_t t = 0; t < s->n_free; t++)
        total += exp(psi[t] - largest);
    total += s->law.is_symmetric ? 0 : exp(-largest);
    for (size_t i = 0; i < topics.n; i++)
        sum += topics.count[i] * (topics.topic[i] < s->n_free ? psi[topics.topic[i]] : 0);
    const double *mean = s->law.mean + (s->law.group == NULL ? 0 : s->law.group[d]) * s->n_free;
    return sum - gb_proportions_length(r->z, d) * (largest + log(total)) +
           (r->log_determinant - square_form(s, psi, mean) - (double)s->n_free * log(2 * M_PI)) / 2;
}

static gb_status add_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const struct densities *r = context;
    const gb_psi_state *s = r->prior->state;
    double sum = 0;
    for (uint64_t d = (uint64_t)task * GB_PSI_DOCS_PER_TASK; d < gb_psi_task_end(r->prior, task); d++)
        sum += log_of_document(r, d);
    s->partial[1 + task] = sum;
    return GB_OK;
}

/* `sum` and what the tasks of all ranks have, one after the other. */
static gb_status add_tasks(const gb_prior *prior, double *sum, gb_error *err)
{
    const gb_psi_state *s = prior->state;
    gb_team *team = gb_portion_team(prior->portion);
    const bool is_first = gb_team_rank(team) == 0;
    s->partial[0] = *sum;
    return gb_team_add_rows(team, gb_psi_n_tasks(prior) + is_first, 1, s->partial + !is_first, sum, err);
}

/* log of IW(Sigma; I, gb_psi_first_degrees()). */
static double log_wishart(const gb_psi_state *s)
{
    const double n = (double)s->n_free, degrees = gb_psi_first_degrees(s->n_free);
    double log_p = -degrees * n / 2 * log(2) - n * (n - 1) / 4 * log(M_PI) -
                   (degrees + n + 1) / 2 * s->covariance.log_determinant;
    for (size_t t = 0; t < s->n_free; t++)
        log_p -= gb_log_gamma((degrees - (double)t) / 2) + s->covariance.precision[t * s->n_free + t] / 2;
    return log_p;
}

/* log p(coefficients, their variances, precisions of documents). */
static double log_of_regression(const gb_prior *prior)
{
    const gb_psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    const gb_prior_table *table = prior->values.table;
    double sum = gb_prevalence_log_density(&s->prevalence, table[GB_PSI_MEAN].value,
                                           own->regression->parts.n == 0 ? NULL : table[GB_PSI_VARIANCE].value);
    for (size_t t = 0; !own->is_full && t < s->n_free; t++)
        sum += gb_precision_log_density(&own->means.observation, s->precision[t]);
    return sum;
}

gb_status gb_psi_log_probability(gb_prior *prior, const gb_proportions *z, double *out, gb_error *err)
{
    gb_status st;
    gb_psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    struct densities r = {.prior = prior, .z = z, .log_determinant = log_determinant_of(s)};
    double sum = 0, log_means = 0;
    if (own->regression != NULL)
        sum = log_of_regression(prior);
    else
        sum = gb_group_means_log_prior(s->means, !own->is_full);
    GB_TRY(gb_parallel_for(gb_psi_n_tasks(prior), prior->n_threads, add_documents, &r, err));
    GB_TRY(add_tasks(prior, &sum, err));
    if (!own->mean_is_fixed && own->regression == NULL)
        GB_TRY(gb_group_means_log_density(s->means, own->is_full ? s->covariance.root : NULL, &log_means, err));
    if (own->is_full && !own->covariance_is_fixed)
        sum += log_wishart(s);
    *out = sum + log_means;
done:
    return st;
}
