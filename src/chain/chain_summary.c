/* chain/chain_summary.c - what a chain reports about its state: log joint and training error. */
#include "base/memory.h"
#include "chain/chain.h"
#include "team/sums.h"

#include <math.h>

/* ---- log joint and losses ---- */

struct likelihood {
    const gb_chain *chain;
    const gb_response *response;
    const uint8_t *left_out; /* n_docs; NULL: none */
};

/* Weights times log pseudo-likelihoods of targets, and weights. */
static void add_likelihoods(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const struct likelihood *of = context;
    const gb_chain *c = of->chain;
    const gb_response *response = of->response;
    for (uint64_t d = first; d < last; d++) {
        const double offset = gb_response_offset(response, c->offset, d);
        for (size_t l = 0; l < response->n_outputs; l++) {
            const size_t at = d * c->spec->n_outputs + response->first_output + l;
            if (isnan(c->y[at]) || (of->left_out != NULL && of->left_out[d]))
                continue;
            const double weight = c->weight == NULL ? 1 : c->weight[at];
            sum[0] += weight * response->ops->log_likelihood(response, c->y[at], c->score[at] + offset);
            sum[1] += weight;
        }
    }
}

/* Over all documents; *mean is the same with weights that are 1 on average. */
static gb_status log_likelihood_of(const gb_chain *c, const gb_response *response, const uint8_t *left_out,
                                   double *out, double *mean, gb_error *err)
{
    const struct likelihood of = {c, response, left_out};
    double sum[2] = {0};
    const gb_status st = gb_sum_documents(&c->portion, c->corpus->n_docs, add_likelihoods, &of, 2, sum, err);
    *out = sum[0];
    *mean = sum[1] > 0 ? sum[0] / sum[1] : 0;
    return st;
}

static gb_status log_likelihood_of_responses(const gb_chain *c, const uint8_t *left_out, double *out, double *loss,
                                             gb_error *err)
{
    gb_status st = GB_OK;
    double sum = 0;
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        const gb_response *response = &c->response[r];
        double own, mean;
        GB_TRY(log_likelihood_of(c, response, left_out, &own, &mean, err));
        sum += own;
        if (loss != NULL)
            loss[r] = -mean;
        if (response->samples_own)
            sum += response->ops->own->log_density(response);
    }
    *out = sum;
done:
    return st;
}

static double log_density_of_coefficients(const gb_chain *c)
{
    double sum = 0;
    for (size_t l = 0; l < c->spec->n_outputs; l++)
        sum += c->spec->coefficient.ops->log_density(&c->scales, l, c->eta + l * gb_spec_n_features(c->spec));
    return sum;
}

static gb_status log_probability_of_words(gb_chain *c, double *out, gb_error *err)
{
    gb_status st;
    const gb_wording_tokens tokens = gb_chain_wording_tokens(c);
    if (c->wordings.n_nodes == 0)
        return gb_topics_log_probability(&c->topics, out, err);
    GB_TRY(gb_chain_open_wordings(c, err));
    GB_TRY(gb_wording_tree_log_probability(&c->wordings, &tokens, c->topics.beta, out, err));
done:
    return st;
}

gb_status gb_chain_log_joint(gb_chain *c, double *out, gb_error *err)
{
    return gb_chain_summary(c, NULL, out, NULL, err);
}

gb_status gb_chain_summary(gb_chain *c, const uint8_t *left_out, double *out, double *loss, gb_error *err)
{
    gb_status st;
    double log_joint, log_prior, log_likelihood;
    if (c->plan != NULL && !c->is_started)
        return gb_fail(err, GB_EARGUMENT, "chain %llu has not started: no token has a topic",
                       (unsigned long long)c->number + 1);
    GB_TRY(log_probability_of_words(c, &log_joint, err));
    if (c->prior.ops->by_document)
        GB_TRY(gb_chain_count_documents(c, err));
    else
        GB_TRY(gb_proportions_tally(&c->z, c->topic, err));
    GB_TRY(c->prior.ops->log_probability(&c->prior, &c->z, &log_prior, err));
    log_joint += log_prior;
    if (c->spec->n_outputs > 0) {
        GB_TRY(log_likelihood_of_responses(c, left_out, &log_likelihood, loss, err));
        log_joint += log_likelihood + log_density_of_coefficients(c);
    }
    if (!isfinite(log_joint))
        return gb_fail(err, GB_ENUMERIC, "sweep %u: the log joint is not finite", c->sweep);
    *out = log_joint;
done:
    return st;
}

/* ---- training error ---- */

/* Multiclass: wrong if another class scores higher. */
static bool wrong_class(size_t n, const double *y, const double *score)
{
    size_t best = 0;
    for (size_t l = 1; l < n; l++)
        if (score[l] > score[best])
            best = l;
    return y[best] < 0;
}

/* Of one document with a label in a target; *all counts what may be wrong. */
static int64_t count_wrong(const gb_target *target, const gb_response *response, const double *y, const double *score,
                           int64_t *all)
{
    const size_t n = response->n_outputs;
    int64_t wrong = 0;
    *all += target->task == GB_TASK_MULTICLASS ? 1 : (int64_t)n;
    if (target->task == GB_TASK_MULTICLASS)
        return wrong_class(n, y, score);
    if (target->task == GB_TASK_ORDINAL)
        return (double)gb_response_likely_level(response, score[0]) != y[0];
    for (size_t l = 0; l < n; l++)
        wrong += y[l] * score[l] <= 0;
    return wrong;
}

double gb_chain_training_error(const gb_chain *c)
{
    int64_t count[2] = {0}; /* wrong, all */
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        const gb_target *target = &c->spec->response[r].target;
        for (uint64_t d = 0; target->task != GB_TASK_REGRESSION && d < c->corpus->n_docs; d++) {
            const size_t at = d * c->spec->n_outputs + target->response.first_output;
            if (!isnan(c->y[at]))
                count[0] += count_wrong(target, &c->response[r], c->y + at, c->score + at, &count[1]);
        }
    }
    const bool is_known = gb_team_sum(gb_portion_team(&c->portion), count, 2, NULL) == GB_OK && count[1] > 0;
    return is_known ? (double)count[0] / (double)count[1] : NAN;
}
