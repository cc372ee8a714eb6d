/* apply/predict_spread.c - how far the score of a new document may be from what is expected, without random numbers.
 *
 * Topics that settle (apply/expected_topics.h) give the mean of a score s = sum_k zbar_k eta_k + ..., zbar the shares of topics among N
 * tokens.  Its variance given the words is how the mean answers when topics are pulled by their coefficients:
 *
 *     d/dt E_t(s) = N Var(s) at t = 0,     E_t: with phi_kw exp(t eta_k) in place of phi_kw,                   (1)
 *
 * exact for the posterior; here a difference of two fixed points (linear response; Opper and Winther 2003).  A document without words has
 * shares from its prior, whose covariance the prior knows:
 *
 *     Var(s) = sum_k eta_k (Cov(z) eta)_k.                                                                       (2)
 *
 * As many scores as passes would count stand for a normal law with this variance: its quantiles of (i + 1/2) / n.
 *
 * Where classes exclude each other, their probabilities depend on all scores.  With z the shares and a_1 .. a_n the coefficients of the
 * n = 3 classes with the largest mean scores, Cov(z) a_i is how the shares answer, (1) for each of them.  So the covariances of these
 * scores with all scores are known, and, if all are normal, how all move on average with the n scores.  Let G G' be the covariance of
 * these: the 2 n points
 *
 *     +- sqrt(n) G e_i,    i = 1 .. n                                                                            (3)
 *
 * have their mean and covariance.  That is two fixed points for each of n classes.  What (3) leaves out of the variance of another class's
 * score is added to it at half of the points and taken from it at the others.  Its variance is known in proportion: of what single words
 * leave open, sum_w n_w Var(eta_l) under r_w, it is taken for as large a multiple as those of the n classes are.
 *
 * Where a document may have several classes each has a probability of its own, so variances are enough, found likewise: the mean of the
 * probabilities one standard deviation to both sides. */
#include "apply/prediction.h"
#include "base/memory.h"
#include "math/special.h"

#include <math.h>
#include <string.h>

/* One response whose classes each have a score. */
static bool has_classes(const gb_model *m, const gb_draw *draw, gb_task_kind task)
{
    return m->n_responses == 1 && m->target[0].task == task && draw->n_outputs == m->n_outputs;
}

static bool is_choice(const gb_prediction_run *r)
{
    return has_classes(r->application.model, r->application.draw, GB_TASK_MULTICLASS);
}

static bool are_labels(const gb_prediction_run *r)
{
    return has_classes(r->application.model, r->application.draw, GB_TASK_MULTILABEL);
}

/* Where there are as many points as sweeps, these count. */
bool gb_prediction_depends_on_draws(const gb_model *m)
{
    bool has_numbers = false, averages = false;
    for (size_t i = 0; i < m->n_responses; i++) {
        has_numbers |= m->target[i].task == GB_TASK_REGRESSION;
        averages |= gb_target_averages_probabilities(&m->target[i]);
    }
    return !gb_prior_settles(m->prior.ops) || has_numbers ||
           (averages && !has_classes(m, &m->draw[0], GB_TASK_MULTICLASS) &&
            !has_classes(m, &m->draw[0], GB_TASK_MULTILABEL));
}

bool gb_prediction_has_points(const gb_prediction_run *r)
{
    const size_t n = r->application.draw->n_outputs;
    return gb_prediction_settles(r) && r->sample_score != NULL && r->draws == NULL &&
           (n == 1 || is_choice(r) || are_labels(r) ||
            (n <= GB_MOST_POINTS && n == r->application.model->n_responses));
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

/* (2): of a document without words. */
static double prior_variance(const gb_prediction_run *r, uint64_t d, size_t l)
{
    const double *answer = gb_prediction_prior_answer(r, d);
    double variance = 0;
    for (size_t k = 0; k < r->application.model->n_topics; k++)
        variance += coefficient(r, k, l) * answer[k * r->application.draw->n_outputs + l];
    return fmax(variance, 0);
}

/* The shares of (1) at +t or -t.  @return false: stopped */
static bool pull(gb_prediction_run *r, uint64_t d, size_t l, bool up, size_t worker, double *share)
{
    const gb_prior_document document = gb_new_topics_document(&r->topics, d, 0);
    return gb_expected_topics_settle(&r->worker[worker].expected_topics, &r->application, d, &document,
                                     r->pulled_scale + (2 * l + up) * r->application.model->n_topics, worker, share,
                                     NULL);
}

static bool find_variance(gb_prediction_run *r, uint64_t d, size_t l, size_t worker, double *out)
{
    const double length = (double)gb_application_length(&r->application, d);
    double *share = r->worker[worker].pulled;
    *out = 0;
    if (!(r->pull[l] > 0)) /* all coefficients are the same */
        return true;
    if (!(length > 0)) {
        *out = prior_variance(r, d, l);
        return true;
    }
    if (!pull(r, d, l, false, worker, share))
        return false;
    const double low = mean_of(r, l, share);
    if (!pull(r, d, l, true, worker, share))
        return false;
    *out = fmax((mean_of(r, l, share) - low) / (2 * r->pull[l] * length), 0);
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
    GB_TRY(gb_alloc(&r->pulled_scale, 2 * r->application.model->n_outputs * r->application.model->n_topics,
                    sizeof *r->pulled_scale, "scores", err));
    GB_TRY(gb_alloc(&r->pull, r->application.model->n_outputs, sizeof *r->pull, "scores", err));
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

/* ---- classes that exclude each other ---- */

/* The classes with the largest scores, the largest first.  @return how many */
static size_t find_largest(size_t n, const double *score, size_t *largest)
{
    size_t n_found = 0;
    for (size_t l = 0; l < n; l++) {
        size_t at = n_found < GB_MOST_PULLS ? n_found++ : GB_MOST_PULLS;
        for (; at > 0 && score[l] > score[largest[at - 1]]; at--)
            if (at < GB_MOST_PULLS)
                largest[at] = largest[at - 1];
        if (at < GB_MOST_PULLS)
            largest[at] = l;
    }
    return n_found;
}

/* w->pulled: Cov(z) a_l.  @return false: stopped */
static bool find_answer(gb_prediction_run *r, uint64_t d, size_t l, size_t worker)
{
    gb_prediction_worker *w = &r->worker[worker];
    const size_t n_topics = r->application.model->n_topics;
    const double length = (double)gb_application_length(&r->application, d);
    double *down = w->pulled + n_topics;
    memset(w->pulled, 0, n_topics * sizeof *w->pulled);
    if (!(r->pull[l] > 0)) /* all coefficients are the same */
        return true;
    if (!(length > 0)) {
        for (size_t k = 0; k < n_topics; k++)
            w->pulled[k] = gb_prediction_prior_answer(r, d)[k * r->application.draw->n_outputs + l];
        return true;
    }
    if (!pull(r, d, l, true, worker, w->pulled) || !pull(r, d, l, false, worker, down))
        return false;
    for (size_t k = 0; k < n_topics; k++)
        w->pulled[k] = (w->pulled[k] - down[k]) / (2 * r->pull[l] * length);
    return true;
}

/* Makes of w->moved, n rows of covariances of the scores of classes with all scores, how far all scores move in each of n independent
 * directions: row after row of the Cholesky factor of the classes' covariance.  A direction in which nothing is left moves nothing. */
static void separate(const gb_prediction_run *r, size_t n, const size_t *class, double *moved)
{
    const size_t n_outputs = r->application.draw->n_outputs;
    for (size_t i = 0; i < n; i++) {
        double *row = moved + i * n_outputs;
        const double given = row[class[i]];
        for (size_t j = 0; j < i; j++) {
            const double *before = moved + j * n_outputs, factor = before[class[i]];
            for (size_t l = 0; l < n_outputs; l++)
                row[l] -= factor * before[l];
        }
        const double left = row[class[i]], least = 1e-9 * given; /* rounding, and fixed points that are not settled */
        for (size_t l = 0; l < n_outputs; l++)
            row[l] = left > least ? row[l] / sqrt(left) : 0;
    }
}

/* The variance of each score: of those whose answers are known by these, of the others in proportion to what single words leave open. */
static void find_variances(gb_prediction_run *r, uint64_t d, size_t n, const size_t *class, gb_prediction_worker *w)
{
    const size_t n_outputs = r->application.draw->n_outputs;
    double known = 0, open = 0;
    if (gb_application_length(&r->application, d) == 0) {
        for (size_t l = 0; l < n_outputs; l++)
            w->open[l] = prior_variance(r, d, l);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        known += fmax(w->moved[i * n_outputs + class[i]], 0);
        open += w->open[class[i]];
    }
    for (size_t l = 0; l < n_outputs; l++)
        w->open[l] *= open > 0 ? known / open : 0;
}

/* What is left of the standard deviations beside the directions, 0 for the classes that these are of. */
static void find_rest(size_t n_outputs, size_t n, const size_t *class, gb_prediction_worker *w)
{
    double *rest = w->moved + GB_MOST_PULLS * n_outputs;
    for (size_t l = 0; l < n_outputs; l++) {
        double variance = w->open[l];
        for (size_t i = 0; i < n; i++)
            variance -= w->moved[i * n_outputs + l] * w->moved[i * n_outputs + l];
        rest[l] = sqrt(fmax(variance, 0));
    }
    for (size_t i = 0; i < n; i++)
        rest[class[i]] = 0;
}

/* Up or down by the rest: any two classes the same way at half of the points, or nearly so. */
static double side(size_t point, size_t class)
{
    const uint32_t mixed = ((uint32_t) class + 1) * UINT32_C(2654435769);
    return (mixed >> (31 - point)) % 2 == 0 ? 1 : -1;
}

/* The classes with the largest scores, covariances of their scores with all in w->moved, and the variances of all scores in w->open.
 * @return false: stopped */
static bool find_answers(gb_prediction_run *r, uint64_t d, size_t worker, size_t *n, size_t *class)
{
    const size_t n_outputs = r->application.draw->n_outputs, n_topics = r->application.model->n_topics;
    gb_prediction_worker *w = &r->worker[worker];
    *n = find_largest(n_outputs, w->score, class);
    if (gb_application_length(&r->application, d) > 0)
        gb_expected_topics_open(&w->expected_topics, n_topics, n_outputs, r->eta_by_feature, w->open);
    memset(w->moved, 0, *n * n_outputs * sizeof *w->moved);
    for (size_t i = 0; i < *n; i++) {
        if (!find_answer(r, d, class[i], worker))
            return false;
        for (size_t k = 0; k < n_topics; k++)
            for (size_t l = 0; l < n_outputs; l++)
                w->moved[i * n_outputs + l] += w->pulled[k] * coefficient(r, k, l);
    }
    find_variances(r, d, *n, class, w);
    return true;
}

static gb_status add_choices(gb_prediction_run *r, uint64_t d, size_t worker, gb_error *err)
{
    const size_t n_outputs = r->application.draw->n_outputs;
    gb_prediction_worker *w = &r->worker[worker];
    size_t n, class[GB_MOST_PULLS];
    if (!find_answers(r, d, worker, &n, class))
        return gb_application_stopped(err);
    const double far = sqrt((double)n), *rest = w->moved + GB_MOST_PULLS * n_outputs;
    separate(r, n, class, w->moved);
    find_rest(n_outputs, n, class, w);
    for (size_t i = 0; i < n; i++)
        for (int step = 0; step < 3; step++) { /* there, on the other side, and back */
            static const double sign[] = {1, -2, 1};
            for (size_t l = 0; l < n_outputs; l++)
                w->score[l] += sign[step] * (far * w->moved[i * n_outputs + l] + side(i, l) * rest[l]);
            if (step < 2)
                gb_prediction_add_point(r, d, r->topics.n_sweeps / (2.0 * (double)n), w);
        }
    return GB_OK;
}

/* ---- classes that do not ---- */

static gb_status add_labels(gb_prediction_run *r, uint64_t d, size_t worker, gb_error *err)
{
    const size_t n_outputs = r->application.draw->n_outputs;
    gb_prediction_worker *w = &r->worker[worker];
    size_t n, class[GB_MOST_PULLS];
    if (!find_answers(r, d, worker, &n, class))
        return gb_application_stopped(err);
    for (size_t i = 0; i < n; i++)
        w->open[class[i]] = fmax(w->moved[i * n_outputs + class[i]], 0);
    for (size_t l = 0; l < n_outputs; l++)
        w->score[l] += sqrt(w->open[l]);
    gb_prediction_add_point(r, d, r->topics.n_sweeps / 2.0, w);
    for (size_t l = 0; l < n_outputs; l++)
        w->score[l] -= 2 * sqrt(w->open[l]);
    gb_prediction_add_point(r, d, r->topics.n_sweeps / 2.0, w);
    return GB_OK;
}

/* ---- points ---- */

gb_status gb_prediction_add_points(gb_prediction_run *r, uint64_t d, size_t worker, gb_error *err)
{
    if (is_choice(r))
        return add_choices(r, d, worker, err);
    if (are_labels(r))
        return add_labels(r, d, worker, err);
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
