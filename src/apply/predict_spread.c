/* apply/predict_spread.c - how far the score of a new document may be from what is expected, without random numbers.
 *
 * Topics that settle (apply/expected_topics.h) give the mean of a score s = sum_k zbar_k eta_k + ..., zbar the shares of topics among N
 * tokens.  Its variance given the words is how the mean answers when topics are pulled by their coefficients:
 *
 *     d/dt E_t(s) = N Var(s) at t = 0,     E_t: with phi_kw exp(t eta_k) in place of phi_kw,                   (1)
 *
 * exact for the posterior; here a difference of two fixed points (linear response; Opper and Winther 2003).  A document without words has
 * shares from its prior Dirichlet(base), with mean p and sum A of the parameters:
 *
 *     Var(s) = (sum_k p_k eta_k^2 - (sum_k p_k eta_k)^2) / (A + 1).                                               (2)
 *
 * As many scores as passes would count stand for a normal law with this variance: its quantiles of (i + 1/2) / n.  They need two fixed
 * points for each score, so where one response has many scores, topics are drawn. */
#include "apply/prediction.h"
#include "base/memory.h"
#include "math/special.h"

#include <math.h>

bool gb_prediction_has_points(const gb_prediction_run *r)
{
    const size_t n = r->application.draw->n_outputs;
    return gb_prediction_settles(r) && r->sample_score != NULL && r->draws == NULL && n <= GB_MOST_POINTS &&
           (n == 1 || n == r->application.model->n_responses);
}

static double coefficient(const gb_prediction_run *r, size_t k, size_t l)
{
    return r->eta_by_feature[k * r->application.draw->n_outputs + l];
}

static double mean_of(const gb_prediction_run *r, size_t l, const double *share)
{
    double mean = 0;
    for (size_t k = 0; k < r->application.model->n_topics; k++)
        mean += share[k] * coefficient(r, k, l);
    return mean;
}

/* (2); the prior's shares are the mean. */
static double prior_variance(const gb_prediction_run *r, size_t l, const double *base, const double *share)
{
    const double mean = mean_of(r, l, share);
    double total = 0, square = 0;
    for (size_t k = 0; k < r->application.model->n_topics; k++) {
        const double off = coefficient(r, k, l) - mean;
        total += base[k];
        square += share[k] * off * off;
    }
    return square / (total + 1);
}

/* The mean of (1) at +t or -t.  @return false: stopped */
static bool pull(gb_prediction_run *r, uint64_t d, size_t l, bool up, size_t worker, double *out)
{
    gb_prediction_worker *w = &r->worker[worker];
    if (!gb_expected_topics_settle(
            &w->expected_topics, &r->application, d, gb_new_topics_document(&r->topics, d, 0).base,
            r->pulled_scale + (2 * l + up) * r->application.model->n_topics, worker, w->pulled, NULL))
        return false;
    *out = mean_of(r, l, w->pulled);
    return true;
}

static bool find_variance(gb_prediction_run *r, uint64_t d, size_t l, size_t worker, double *out)
{
    const double length = (double)gb_application_length(&r->application, d);
    double low, high;
    *out = 0;
    if (!(r->pull[l] > 0)) /* all coefficients are the same */
        return true;
    if (!(length > 0)) {
        *out = prior_variance(r, l, gb_new_topics_document(&r->topics, d, 0).base, r->worker[worker].share);
        return true;
    }
    if (!pull(r, d, l, false, worker, &low) || !pull(r, d, l, true, worker, &high))
        return false;
    *out = fmax((high - low) / (2 * r->pull[l] * length), 0);
    return true;
}

void gb_prediction_begin_points(gb_prediction_run *r)
{
    const size_t n_topics = r->application.model->n_topics;
    for (size_t l = 0; gb_prediction_has_points(r) && l < r->application.draw->n_outputs; l++) {
        double low = INFINITY, high = -INFINITY;
        for (size_t k = 0; k < n_topics; k++) {
            low = fmin(low, coefficient(r, k, l));
            high = fmax(high, coefficient(r, k, l));
        }
        r->pull[l] = high > low ? GB_SETTLING_PULL / (high - low) : 0;
        for (size_t k = 0; k < n_topics; k++) {
            const double factor = exp(r->pull[l] * (coefficient(r, k, l) - low));
            r->pulled_scale[2 * l * n_topics + k] = r->topics.scale[k] / factor;
            r->pulled_scale[(2 * l + 1) * n_topics + k] = r->topics.scale[k] * factor;
        }
    }
}

gb_status gb_prediction_prepare_points(gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    const size_t n = r->topics.n_sweeps;
    double square = 0;
    GB_TRY(gb_alloc(&r->pulled_scale, 2 * GB_MOST_POINTS * r->application.model->n_topics, sizeof *r->pulled_scale,
                    "scores", err));
    GB_TRY(gb_alloc(&r->point, n, sizeof *r->point, "scores", err));
    for (size_t i = 0; i < n; i++) {
        r->point[i] = gb_normal_quantile(((double)i + 0.5) / (double)n);
        square += r->point[i] * r->point[i] / (double)n;
    }
    for (size_t i = 0; square > 0 && i < n; i++)
        r->point[i] /= sqrt(square);
done:
    return st;
}

gb_status gb_prediction_add_points(gb_prediction_run *r, uint64_t d, size_t worker, gb_error *err)
{
    const size_t n_scores = r->application.draw->n_outputs, n = r->topics.n_sweeps;
    gb_prediction_worker *w = &r->worker[worker];
    double centre[GB_MOST_POINTS], sd[GB_MOST_POINTS];
    for (size_t l = 0; l < n_scores; l++) {
        double variance;
        if (!find_variance(r, d, l, worker, &variance))
            return gb_application_stopped(err);
        centre[l] = w->score[l];
        sd[l] = sqrt(variance);
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t l = 0; l < n_scores; l++)
            w->score[l] = centre[l] + r->point[i] * sd[l];
        gb_prediction_add_scored(r, d, r->application.draw_number * n + i, 1, w);
    }
    return GB_OK;
}
