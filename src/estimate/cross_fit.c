/* estimate/cross_fit.c - effects of topics that use every document once.
 *
 * For each fold f of the documents: topics from all others, effects theta_f of these topics on the fold.  The label of a document
 * has no part in the topics by which it is measured, and every document is measured once.  Topics of folds are matched with those
 * of the model that was trained on everything; pool.c has the law of the pooled effect.
 *
 * A prior N(0, v) in each of n folds would be counted n times, and shrink the pool n times as much as it should.  So fold f has the
 * prior to the power of 1 / n, which is N(0, n v).  A first estimate, with v sampled, finds it:
 *
 *     v_f = 1 / E(1 / v),     E(1 / v | eta) = (a + K / 2) / (b + sum_k eta_k^2 / 2),     v ~ InvGamma(a, b)              (1)
 *
 * mean over draws, and of several outputs the largest.  Coefficients of covariates have n times the variance that is set.  Those of W
 * words likewise, or by (1) with the words in place of the topics, their prior, and the mean of the sum in place of the sum: it
 * hardly varies. */
#include "gibbous/cross_fit.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/subset.h"
#include "estimate/estimate.h"
#include "estimate/fold_effects.h"
#include "estimate/pool.h"
#include "estimate/pool_words.h"
#include "folds/fold_loop.h"
#include "model/match.h"
#include "options/needs.h"
#include "options/variance.h"
#include "plan/response_defaults.h"
#include "plan/spec.h"
#include "run/alone.h"
#include "run/memory.h"
#include "team/team.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char what[] = "the folds";
static const double LARGEST_VARIANCE = 1e12; /* that the option takes */

typedef struct cross_fitting {
    const gb_corpus *corpus;
    const gb_settings *settings;
    gb_settings *of_fold; /* of the training of a fold */
    const gb_model *begin_with;
    gb_model *reference;
    gb_cross_fit_calls calls;
    size_t n_folds;
    uint32_t *fold;    /* of each document */
    gb_held_part part; /* a fold */
    gb_cross_fitted *result;
} cross_fitting;

/* ---- what cannot be ---- */

/* Checkpoints are of the training of all documents alone. */
static gb_status leave_checkpoint(gb_settings *settings, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_settings_unset(settings, "checkpoint", err));
    GB_TRY(gb_settings_unset(settings, "checkpoint-every", err));
    GB_TRY(gb_settings_unset(settings, "resume", err));
done:
    return st;
}

static gb_status set_training(const gb_settings *settings, gb_settings **out, gb_error *err)
{
    gb_status st;
    gb_settings *of_fold = NULL;
    GB_TRY(gb_settings_copy(settings, &of_fold, err));
    GB_TRY(leave_checkpoint(of_fold, err));
    GB_TRY(gb_settings_set(of_fold, "cross-fit", "0", err));
    GB_TRY(gb_settings_set(of_fold, "calibrate", "0", err)); /* nothing is predicted */
    *out = of_fold;
    of_fold = NULL;
done:
    gb_settings_free(of_fold);
    return st;
}

static gb_status deal(const gb_corpus *corpus, const gb_settings *settings, uint32_t **fold, bool **is_held_out,
                      gb_error *err)
{
    gb_status st;
    const size_t n_folds = (size_t)gb_settings_int(settings, "cross-fit");
    GB_TRY(gb_alloc(fold, corpus->n_docs, sizeof **fold, what, err));
    GB_TRY(gb_alloc(is_held_out, corpus->n_docs, sizeof **is_held_out, what, err));
    st = gb_corpus_deal_folds(corpus->n_docs, n_folds, (uint64_t)gb_settings_int_or(settings, "seed", 0), *fold, err);
done:
    return st;
}

static const gb_held_part *hold_out(gb_held_part *part, uint64_t n_docs, const uint32_t *fold, size_t number)
{
    for (uint64_t d = 0; d < n_docs; d++)
        part->is_held_out[d] = fold[d] == number;
    return part;
}

/* The training of a fold, and the regression on what it holds out. */
static gb_status foresee_fold(const gb_corpus *corpus, const gb_settings *of_fold, const gb_held_part *part,
                              gb_error *err)
{
    gb_status st;
    gb_spec spec = {.n_responses = 0};
    gb_corpus *training = NULL, *held_out = NULL;
    uint64_t *n_unknown = NULL;
    GB_TRY(gb_held_part_split(part, corpus, &training, &held_out, &n_unknown, err));
    GB_TRY(gb_spec_resolve(training, of_fold, &spec, err));
    st = gb_estimate_foresee(held_out, of_fold, err);
done:
    gb_spec_clear(&spec);
    gb_corpus_free(training);
    gb_corpus_free(held_out);
    gb_free(n_unknown);
    return st;
}

static gb_status foresee_folds(const gb_corpus *corpus, const gb_settings *settings, gb_error *err)
{
    gb_status st;
    gb_settings *of_fold = NULL;
    gb_held_part part = {.name = NULL};
    uint32_t *fold = NULL;
    gb_error inner = {.status = GB_OK};
    const size_t n_folds = (size_t)gb_settings_int(settings, "cross-fit");
    GB_TRY(set_training(settings, &of_fold, err));
    GB_TRY(deal(corpus, settings, &fold, &part.is_held_out, err));
    for (size_t f = 0; f < n_folds; f++) {
        st = foresee_fold(corpus, of_fold, hold_out(&part, corpus->n_docs, fold, f), &inner);
        if (st != GB_OK) {
            st = gb_fail(err, st, "fold %zu of %zu: %s", f + 1, n_folds, inner.message);
            goto done;
        }
    }
done:
    gb_settings_free(of_fold);
    gb_free(fold);
    gb_free(part.is_held_out);
    return st;
}

/* All trainings together, with what they have beside them: a training of one fold sees only its own need. */
static gb_status check_memory(const gb_plan *plan, gb_error *err)
{
    uint64_t need;
    const char *limit = gb_settings_text(plan->settings, "memory-limit");
    if (*limit == '\0')
        return GB_OK;
    const gb_status st = gb_plan_memory(plan, &need, err);
    return st != GB_OK ? st
                       : gb_memory_check(limit, need, "this training with `cross-fit`",
                                         "; more folds, fewer topics or fewer `snapshots` need less", err);
}

gb_status gb_cross_fit_check(const gb_corpus *corpus, const gb_settings *settings, gb_error *err)
{
    gb_status st;
    gb_plan *plan = NULL;
    if (gb_settings_int(settings, "cross-fit") < 2 ||
        (uint64_t)gb_settings_int(settings, "cross-fit") > corpus->n_docs)
        return gb_fail(err, GB_EARGUMENT,
                       "`cross-fit` must be between 2 and the number of documents, %" PRIu64 ", not %" PRId64,
                       corpus->n_docs, gb_settings_int(settings, "cross-fit"));
    GB_TRY(gb_plan_create(corpus, settings, &plan, err)); /* what would fail in every fold, without the fold's name */
    GB_TRY(check_memory(plan, err));
    st = foresee_folds(corpus, settings, err);
done:
    gb_plan_free(plan);
    return st;
}

gb_status gb_cross_fit_begin(const gb_corpus *corpus, const gb_settings *settings, gb_on_sweep *on_sweep, void *user,
                             gb_model **out, gb_error *err)
{
    gb_status st;
    gb_settings *words_only = NULL;
    gb_model *model = NULL; /* a run that is stopped leaves one */
    GB_TRY(gb_cross_fit_check(corpus, settings, err));
    GB_TRY(gb_settings_copy(settings, &words_only, err));
    GB_TRY(leave_checkpoint(words_only, err));
    GB_TRY(gb_settings_set(words_only, "response", "none", err));
    GB_TRY(gb_settings_drop_unmet(words_only, err));
    GB_TRY(gb_settings_set(words_only, "calibrate", "0", err));
    GB_TRY(gb_train(corpus, words_only, on_sweep, user, &model, err));
    *out = model;
    model = NULL;
done:
    gb_model_free(model);
    gb_settings_free(words_only);
    return st;
}

/* ---- one fold ---- */

static gb_status tell(const cross_fitting *c, const gb_fold *fold, gb_error *err)
{
    const gb_fold_progress progress = {.fold = fold->number,
                                       .n_folds = c->n_folds,
                                       .n_training_docs = fold->training->n_docs,
                                       .n_held_out = fold->held_out->n_docs};
    const bool goes_on = c->calls.on_fold == NULL || c->calls.on_fold(&progress, c->calls.user);
    return gb_team_agree_to_stop(gb_settings_team(c->settings), goes_on ? GB_OK : gb_fail(err, GB_ESTOP, "stopped"),
                                 err);
}

/* Where the topics of a fold are among those of the reference. */
static gb_status put_topics(const cross_fitting *c, size_t fold, const gb_model *model, gb_error *err)
{
    gb_status st;
    const size_t n = c->reference->n_topics;
    size_t *theirs = NULL;
    GB_TRY(gb_alloc(&theirs, n, sizeof *theirs, what, err));
    GB_TRY(gb_model_match_other(c->reference, model, theirs, err));
    for (size_t k = 0; k < n; k++)
        if (theirs[k] != GB_NO_MATCH)
            c->result->topic[fold * n + theirs[k]] = k;
done:
    gb_free(theirs);
    return st;
}

static gb_status put_effects(cross_fitting *c, size_t fold, const gb_fold_found *found, gb_error *err)
{
    gb_status st = GB_OK;
    if (c->result == NULL)
        GB_TRY(gb_fold_effects_open(c->reference, gb_estimate_model(found->estimate), c->n_folds, &c->result, err));
    GB_TRY(gb_fold_effects_put(c->result, c->reference, fold, found, err));
    GB_TRY(put_topics(c, fold, found->model, err));
done:
    return st;
}

/* (1), of one output. */
static double variance_of(const gb_model *m, size_t output)
{
    double precision = 0;
    for (size_t i = 0; i < m->n_kept; i++) {
        const gb_draw draw = gb_model_kept(m, i);
        const double *eta = draw.eta + (output - draw.first_output) * gb_model_n_features(m);
        double squares = 0;
        for (size_t k = 0; k < m->n_topics; k++)
            squares += eta[k] * eta[k];
        precision +=
            (GB_ESTIMATE_VARIANCE_SHAPE + (double)m->n_topics / 2) / (GB_ESTIMATE_VARIANCE_SCALE + squares / 2);
    }
    return (double)m->n_kept / precision;
}

/* Of words, E(1 / v) by the mean of the squares over draws. */
static double variance_of_words(const gb_estimate *estimate, size_t output)
{
    const gb_word_effects *w = &gb_estimate_model(estimate)->words;
    double squares = 0;
    for (size_t i = output * w->n_words; i < (output + 1) * w->n_words; i++)
        squares += (double)w->mean[i] * w->mean[i] + (double)w->sd[i] * w->sd[i];
    return (gb_estimate_word_scale(estimate) + squares / 2) / (1 + (double)w->n_words / 2);
}

static gb_status set_variance(gb_settings *settings, gb_variance_part part, double variance, gb_error *err)
{
    return gb_settings_set_variance(settings, part, fmin(variance, LARGEST_VARIANCE), err);
}

static gb_status share_prior_of_words(const cross_fitting *c, const gb_estimate *first, gb_settings *settings,
                                      gb_error *err)
{
    double variance = gb_settings_variances(c->settings).of[GB_VARIANCE_WORDS];
    if (variance <= 0)
        for (size_t l = 0; l < gb_estimate_model(first)->n_outputs; l++)
            variance = fmax(variance, variance_of_words(first, l));
    return set_variance(settings, GB_VARIANCE_WORDS, (double)c->n_folds * variance, err);
}

/* Estimates have cost 1. */
static double variance_of_covariates(const cross_fitting *c)
{
    const double given = gb_settings_variances(c->settings).of[GB_VARIANCE_COVARIATES];
    return given > 0 ? given : gb_covariate_variance_for(1);
}

/* The prior of a fold, from its first estimate. */
static gb_status share_prior(const cross_fitting *c, const gb_estimate *first, gb_settings *settings, gb_error *err)
{
    const gb_model *estimated = gb_estimate_model(first);
    gb_status st;
    double largest = 0;
    for (size_t l = 0; l < estimated->n_outputs; l++)
        largest = fmax(largest, variance_of(estimated, l));
    GB_TRY(set_variance(settings, GB_VARIANCE_TOPICS, (double)c->n_folds * largest, err));
    GB_TRY(set_variance(settings, GB_VARIANCE_COVARIATES, (double)c->n_folds * variance_of_covariates(c), err));
    if (estimated->words.n_draws != NULL)
        GB_TRY(share_prior_of_words(c, first, settings, err));
done:
    return st;
}

static gb_status estimate_twice(const cross_fitting *c, const gb_model *model, const gb_corpus *docs,
                                gb_estimate **out, gb_error *err)
{
    gb_status st;
    gb_settings *settings = NULL;
    gb_estimate *first = NULL;
    GB_TRY(gb_settings_copy(c->settings, &settings, err));
    GB_TRY(gb_settings_set_variance(settings, GB_VARIANCE_TOPICS, GB_VARIANCE_SAMPLED, err));
    GB_TRY(gb_estimate_on(model, docs, settings, c->calls.on_apply, c->calls.user, &first, err));
    GB_TRY(share_prior(c, first, settings, err));
    GB_TRY(gb_estimate_on(model, docs, settings, c->calls.on_apply, c->calls.user, out, err));
done:
    gb_estimate_free(first);
    gb_settings_free(settings);
    return st;
}

static gb_status fit_fold(void *user, gb_fold *fold, gb_error *err)
{
    gb_status st;
    cross_fitting *c = user;
    gb_model *model = NULL;
    gb_estimate *estimate = NULL;
    GB_TRY(tell(c, fold, err));
    GB_TRY(gb_train_from(fold->training, c->of_fold, c->begin_with, c->calls.on_sweep, c->calls.user, &model, NULL,
                         err));
    GB_TRY(estimate_twice(c, model, fold->held_out, &estimate, err));
    GB_TRY(put_effects(c, fold->number, &(gb_fold_found){.model = model, .estimate = estimate}, err));
done:
    gb_estimate_free(estimate);
    gb_model_free(model);
    return st;
}

static const gb_held_part *part_of(void *user, size_t fold)
{
    cross_fitting *c = user;
    return hold_out(&c->part, c->corpus->n_docs, c->fold, fold);
}

static gb_status fail_fold(void *user, size_t fold, const gb_error *inner, gb_error *err)
{
    const cross_fitting *c = user;
    if (inner->status == GB_ESTOP)
        return gb_fail(err, GB_ESTOP, "stopped in fold %zu of %zu, before effects were estimated", fold + 1,
                       c->n_folds);
    return gb_fail(err, inner->status, "fold %zu of %zu: %s", fold + 1, c->n_folds, inner->message);
}

/* ---- all folds ---- */

/* The row of a fold that is a row of the pool; SIZE_MAX: the fold does not have the topic. */
static size_t row_in_fold(const gb_cross_fitted *c, size_t fold, size_t row)
{
    const size_t feature = row % c->n_features;
    if (row >= c->n_outputs * c->n_features || feature >= c->n_topics)
        return row;
    for (size_t k = 0; k < c->n_topics; k++)
        if (c->topic[fold * c->n_topics + k] == feature)
            return row - feature + k;
    return SIZE_MAX;
}

/* What a topic of the model says of a fold depends on that fold's labels, by which the model was trained.  If most folds have a topic
 * that is the same, this chooses nothing; if one or two have it, they have it because their labels agree with it, and intervals would
 * exclude 0 too often where labels are noise. */
static void forget_spread(gb_cross_effect *e)
{
    e->posterior.sd = e->posterior.q05 = e->posterior.median = e->posterior.q95 = e->posterior.p_positive = NAN;
    e->between = NAN;
}

/* The draws of a single fold are the posterior; of several, its moments are. */
static void pool_row(const cross_fitting *c, size_t row, gb_fold_posterior *posterior)
{
    const gb_cross_fitted *result = c->result;
    gb_cross_effect all = gb_cross_fitted_get(result, 0, row);
    double reliability = 0;
    size_t n = 0;
    for (size_t f = 0; f < c->n_folds; f++) {
        const size_t at = row_in_fold(result, f, row);
        const gb_cross_effect e =
            at == SIZE_MAX ? (gb_cross_effect){.n_folds = 0} : gb_cross_fitted_get(result, 1 + f, at);
        if (e.n_folds == 0)
            continue;
        all.posterior = n == 0 ? e.posterior : all.posterior;
        all.posterior.n_draws += n == 0 ? 0 : e.posterior.n_draws;
        reliability += e.reliability;
        posterior[n++] = (gb_fold_posterior){e.posterior.mean, e.posterior.sd * e.posterior.sd};
    }
    if (n > 1) {
        const gb_pooled p = gb_pool_folds(posterior, n);
        const uint64_t n_draws = all.posterior.n_draws;
        all.posterior = (gb_effect){.n_draws = n_draws,
                                    .mean = p.mean,
                                    .sd = p.sd,
                                    .q05 = p.q05,
                                    .median = p.median,
                                    .q95 = p.q95,
                                    .p_positive = p.p_positive,
                                    .shrinkage = NAN};
        all.between = p.between;
    }
    if (row < result->n_outputs * result->n_features && row % result->n_features < result->n_topics &&
        !gb_recurs_in_folds(n, c->n_folds))
        forget_spread(&all);
    all.n_folds = n;
    all.reliability = n == 0 ? NAN : reliability / (double)n;
    gb_cross_fitted_put(result, 0, row, &all);
}

static gb_status pool(const cross_fitting *c, gb_error *err)
{
    gb_fold_posterior *posterior = NULL;
    const gb_status st = gb_alloc(&posterior, c->n_folds, sizeof *posterior, what, err);
    for (size_t row = 0; st == GB_OK && row < gb_cross_fitted_n_rows(c->result); row++)
        pool_row(c, row, posterior);
    gb_free(posterior);
    return st;
}

static gb_status prepare(cross_fitting *c, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_cross_fit_check(c->corpus, c->settings, err));
    c->n_folds = (size_t)gb_settings_int(c->settings, "cross-fit");
    GB_TRY(set_training(c->settings, &c->of_fold, err));
    GB_TRY(deal(c->corpus, c->settings, &c->fold, &c->part.is_held_out, err));
done:
    return st;
}

static void clear(cross_fitting *c)
{
    gb_settings_free(c->of_fold);
    gb_free(c->fold);
    gb_free(c->part.is_held_out);
    gb_cross_fitted_free(c->result);
}

/* By the responses of the folds' regressions, in place of those of the training. */
static gb_status find_alone(const cross_fitting *c, gb_error *err)
{
    gb_status st;
    gb_settings *settings = NULL;
    const gb_estimate_plan plan = {.n_chains = 1, .n_draws = 1};
    GB_TRY(gb_estimate_settings(c->reference, c->corpus, c->settings, &plan, &settings, err));
    GB_TRY(gb_find_alone(c->reference, c->corpus, settings, NULL, NULL, err));
done:
    gb_settings_free(settings);
    return st;
}

gb_status gb_cross_fit(const gb_corpus *corpus, const gb_settings *settings, const gb_model *begin_with,
                       gb_model *model, const gb_cross_fit_calls *calls, gb_error *err)
{
    gb_status st;
    cross_fitting c = {.corpus = corpus, .settings = settings, .begin_with = begin_with, .reference = model};
    if (calls != NULL)
        c.calls = *calls;
    GB_TRY(prepare(&c, err));
    gb_fold_loop loop = {.corpus = corpus,
                         .n_fits = c.n_folds,
                         .n_workers = 1,
                         .part = part_of,
                         .fit = fit_fold,
                         .fail = fail_fold,
                         .user = &c};
    GB_TRY(gb_for_each_fold(&loop, err));
    GB_TRY(pool(&c, err));
    GB_TRY(find_alone(&c, err));
    GB_TRY(gb_pool_words(c.result, (size_t)gb_settings_int_or(c.settings, "threads", 1), err));
    gb_cross_fitted_free(model->cross_fitted);
    model->cross_fitted = c.result;
    c.result = NULL;
done:
    clear(&c);
    return st;
}
