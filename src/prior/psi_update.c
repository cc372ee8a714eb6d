/* prior/psi_update.c - redraws of log weights, their means, precisions and covariance.
 *
 * One update: psi | topics (psi.c), then means | psi, then precisions or the covariance | psi, means.  Then, without a full
 * covariance, means again, and from time to time precisions, with psi moving along (group_shift.c, psi_spread.c).  Each
 * leaves the law given everything else as it is, so their order and number are free; weights are made from psi, since tokens come
 * next.
 *
 * If a chain begins with a precision that is far off, the first tokens are drawn under it, topics blur or harden, and it takes them
 * a hundred sweeps to recover, the precision with them.  So in the first sweep there are updates before the first tokens, until
 * means and precisions are where the topics want them. */
#include "prior/psi_state.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { EARLY_UPDATES = 20 };

/* Degrees of freedom of the covariance's prior: its mean is the identity. */
double gb_psi_first_degrees(size_t n_free)
{
    return (double)n_free + 2;
}

static void watch(const gb_psi_state *s, gb_watch *asked)
{
    if (s->means != NULL)
        gb_group_means_watch(s->means, asked);
}

struct redrawing {
    const gb_prior *prior;
    const gb_prior_sweep *sweep;
};

gb_psi_redrawing gb_psi_redrawing_of(const gb_prior *prior, gb_key key, uint32_t sweep, gb_purpose purpose)
{
    return (gb_psi_redrawing){.law = &((const gb_psi_state *)prior->state)->law,
                              .update = ((const gb_psi_setup *)prior->setup->own)->update,
                              .key = key,
                              .sweep = sweep,
                              .purpose = purpose,
                              .first_item = gb_portion_first(prior->portion),
                              .isa = prior->isa};
}

/* psi | topics, and the base weights. */
static gb_status redraw_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    const struct redrawing *r = context;
    const gb_prior *prior = r->prior;
    const gb_psi_state *s = prior->state;
    const gb_psi_redrawing how = gb_psi_redrawing_of(prior, r->sweep->key, r->sweep->sweep, GB_DRAW_PSI);
    const uint64_t first = (uint64_t)task * GB_PSI_DOCS_PER_TASK, last = gb_psi_task_end(prior, task);
    gb_psi_redraw(&how, r->sweep->z, first, last, s->psi, s->scratch + worker * gb_psi_scratch(s->n_free));
    for (uint64_t d = first; d < last; d++) {
        for (size_t t = 0; t < s->n_free; t++)
            if (!isfinite(s->psi[d * s->n_free + t]))
                return gb_fail(err, GB_ENUMERIC, "sweep %u, document %llu, topic %zu: the topic weight is not finite",
                               r->sweep->sweep, (unsigned long long)(how.first_item + d) + 1, t + 1);
        gb_psi_weights(&s->law, s->psi + d * s->n_free, prior->isa, s->weight + d * prior->n_topics);
    }
    return GB_OK;
}

/* Sigma | psi, means: with means that are given, they say nothing of it. */
static gb_status draw_covariance(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st;
    gb_psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    const size_t n = s->n_free;
    double degrees = gb_psi_first_degrees(n) + (double)s->n_docs_of_all;
    if (own->mean_is_fixed || own->regression != NULL) {
        const gb_deviations deviations = {.q = n,
                                          .n = prior->n_docs,
                                          .x = s->psi,
                                          .mean = s->law.mean,
                                          .group = s->law.group,
                                          .portion = prior->portion,
                                          .n_threads = prior->n_threads,
                                          .isa = prior->isa};
        GB_TRY(gb_scatter(&deviations, s->scatter, err));
    } else {
        GB_TRY(gb_group_means_scatter(s->means, s->psi, s->scatter, err));
        degrees += (double)own->n_groups;
    }
    for (size_t t = 0; t < n; t++)
        s->scatter[t * n + t] += 1;
    gb_random random = gb_random_open(sweep->key, sweep->sweep, GB_DRAW_COVARIANCE, 0);
    GB_TRY(gb_covariance_draw(&s->covariance, s->scatter, degrees, &random, err));
    memcpy(prior->values.table[GB_PSI_SPREAD].value, s->covariance.sigma, n * n * sizeof *s->scatter);
done:
    return st;
}

/* What the means know, into the values. */
static void copy_values(gb_prior *prior)
{
    const gb_psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    gb_prior_table *table = prior->values.table;
    if (own->regression != NULL)
        return;
    memcpy(table[GB_PSI_MEAN].value, s->means->mean, gb_prior_table_size(&table[GB_PSI_MEAN]) * sizeof(double));
    if (!own->is_full)
        memcpy(table[GB_PSI_SPREAD].value, s->means->observation,
               gb_prior_table_size(&table[GB_PSI_SPREAD]) * sizeof(double));
    if (own->n_types > 0)
        memcpy(table[GB_PSI_EVOLUTION].value, s->means->evolution,
               gb_prior_table_size(&table[GB_PSI_EVOLUTION]) * sizeof(double));
}

/* Precisions of documents around their means, by topic. */
static gb_status draw_own_precisions(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_psi_state *s = prior->state;
    const gb_precision *law = &((const gb_psi_setup *)prior->setup->own)->means.observation;
    double *precision = prior->values.table[GB_PSI_SPREAD].value;
    if (law->is_fixed)
        return GB_OK;
    const gb_status st = gb_prevalence_squares(&s->prevalence, s->psi, s->square, err);
    for (size_t t = 0; st == GB_OK && t < s->n_free; t++) {
        gb_random random = gb_random_open(sweep->key, sweep->sweep, GB_DRAW_PRECISION, t);
        precision[t] =
            gb_random_gamma(&random, law->shape + (double)s->n_docs_of_all / 2) / (law->rate + s->square[t] / 2);
    }
    return st;
}

/* Coefficients, their variances, precisions or covariance | psi. */
static gb_status draw_regression(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st;
    gb_psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    double *gamma = prior->values.table[GB_PSI_MEAN].value,
           *variance = own->regression->parts.n == 0 ? NULL : prior->values.table[GB_PSI_VARIANCE].value;
    GB_TRY(gb_prevalence_draw(&s->prevalence, &s->law, s->psi, variance, gamma, sweep->key, sweep->sweep, err));
    gb_prevalence_draw_variances(&s->prevalence, gamma, variance, sweep->key, sweep->sweep);
    if (!own->is_full)
        GB_TRY(draw_own_precisions(prior, sweep, err));
    else if (!own->covariance_is_fixed)
        GB_TRY(draw_covariance(prior, sweep, err));
    GB_TRY(gb_psi_set_law(prior, err));
done:
    return st;
}

/* Means, precisions or covariance | psi. */
static gb_status draw_parameters(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st;
    gb_psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    const double *root = own->is_full ? s->covariance.root : NULL;
    if (own->regression != NULL)
        return draw_regression(prior, sweep, err);
    if (!own->mean_is_fixed)
        GB_TRY(gb_group_means_draw(s->means, s->psi, root, sweep->key, sweep->sweep, err));
    GB_TRY(gb_group_means_draw_precisions(s->means, s->psi, root, sweep->key, sweep->sweep, err));
    copy_values(prior);
    if (own->is_full && !own->covariance_is_fixed)
        GB_TRY(draw_covariance(prior, sweep, err));
    GB_TRY(gb_psi_set_law(prior, err));
done:
    return st;
}

static gb_status weigh_some(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const gb_prior *prior = context;
    const gb_psi_state *s = prior->state;
    for (uint64_t d = (uint64_t)task * GB_PSI_DOCS_PER_TASK; d < gb_psi_task_end(prior, task); d++)
        gb_psi_weights(&s->law, s->psi + d * s->n_free, prior->isa, s->weight + d * prior->n_topics);
    return GB_OK;
}

/* Means, psi | what psi is but for the means; precisions, psi | what it is but for both. */
static gb_status interweave(gb_prior *prior, const gb_prior_sweep *sweep, bool spreads, gb_error *err)
{
    gb_status st = GB_OK;
    gb_psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    const bool shifts = own->regression == NULL && !own->mean_is_fixed && !own->is_full &&
                        gb_group_means_shift_is_due(s->means, sweep->sweep);
    if (shifts)
        GB_TRY(gb_group_means_shift(s->means, sweep->z, s->psi, s->weight, sweep->key, sweep->sweep, err));
    copy_values(prior);
    if (spreads)
        GB_TRY(gb_psi_redraw_spread(prior, sweep, err));
    if (shifts || spreads)
        GB_TRY(gb_parallel_for(gb_psi_n_tasks(prior), prior->n_threads, weigh_some, prior, err));
done:
    return st;
}

static gb_status update(gb_prior *prior, const gb_prior_sweep *sweep, bool spreads, gb_error *err)
{
    gb_status st;
    struct redrawing r = {.prior = prior, .sweep = sweep};
    GB_TRY(gb_parallel_for(gb_psi_n_tasks(prior), prior->n_threads, redraw_documents, &r, err));
    GB_TRY(draw_parameters(prior, sweep, err));
    GB_TRY(interweave(prior, sweep, spreads, err));
done:
    return st;
}

gb_status gb_psi_update_prior(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st;
    const bool spreads = gb_psi_spread_is_due(prior, sweep->sweep);
    gb_psi_state *s = prior->state;
    gb_prior_sweep early = *sweep;
    watch(s, sweep->watch);
    for (uint32_t i = 0; sweep->sweep == 1 && spreads && i < EARLY_UPDATES; i++) {
        early.sweep = UINT32_MAX - i; /* counted down, away from the chain's own */
        GB_TRY(update(prior, &early, true, err));
    }
    GB_TRY(update(prior, sweep, spreads, err));
    double *factor = gb_psi_cluster_factors(prior->setup, &prior->values);
    if (factor != NULL && !sweep->in_burn_in)
        GB_TRY(gb_group_clusters_factors(((const gb_psi_setup *)prior->setup->own)->clusters, sweep->z,
                                         prior->portion, factor, err));
done:
    watch(s, NULL);
    return st;
}

/* psi_dt = log (n_dt + a) / (n_dK + a): the proportions have their mean under Dirichlet parameters a.  Under a symmetric law the
 * last topic is one like the others, with psi 0. */
static void settle_document(const gb_prior *prior, const gb_proportions *z, uint64_t d)
{
    const gb_psi_state *s = prior->state;
    const double a = gb_prior_start_weight(prior->n_topics);
    double *psi = s->psi + d * s->n_free;
    const gb_document_topics topics = gb_proportions_of(z, d);
    double last = a;
    if (topics.n > 0 && topics.topic[topics.n - 1] == prior->n_topics - 1)
        last += topics.count[topics.n - 1];
    for (size_t t = 0; t < s->n_free; t++)
        psi[t] = log(a / last);
    for (size_t i = 0; i < topics.n && topics.topic[i] < s->n_free; i++)
        psi[topics.topic[i]] = log((topics.count[i] + a) / last);
    gb_psi_weights(&s->law, psi, prior->isa, s->weight + d * prior->n_topics);
}

static gb_status settle_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const struct redrawing *r = context;
    for (uint64_t d = (uint64_t)task * GB_PSI_DOCS_PER_TASK; d < gb_psi_task_end(r->prior, task); d++)
        settle_document(r->prior, r->sweep->z, d);
    return GB_OK;
}

gb_status gb_psi_adopt_start(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st;
    struct redrawing r = {.prior = prior, .sweep = sweep};
    gb_psi_state *s = prior->state;
    watch(s, sweep->watch);
    GB_TRY(gb_parallel_for(gb_psi_n_tasks(prior), prior->n_threads, settle_documents, &r, err));
    GB_TRY(draw_parameters(prior, sweep, err));
done:
    watch(s, NULL);
    return st;
}
