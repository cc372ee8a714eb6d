/* folds/trials.c - what gb_train() finds out before it trains: the variance of words by linear models, the cost by short trainings.
 *
 * Trials of the cost are made with MOST_DOCS of the documents that have a number, or all if there are not more: trained on three
 * quarters, the rest is predicted. */
#include "gibbous/train.h"

#include "gibbous/apply.h"

#include "apply/prediction.h"
#include "base/memory.h"
#include "base/watch.h"
#include "corpus/data/subset.h"
#include "folds/fold_loop.h"
#include "options/settings.h"
#include "recipe/cost_trials.h"
#include "run/run.h"
#include "team/team.h"

#include <math.h>

enum { MOST_DOCS = 2000, N_PARTS = 4 };

typedef struct trials {
    const gb_corpus *corpus;
    size_t field;      /* in corpus->numbers */
    gb_corpus *sample; /* NULL: all documents take part */
    gb_held_part part;
    gb_settings *settings; /* of the next trial */
    gb_cost_trials cost;
    gb_word_choice words; /* penalty 0: not asked for */
    gb_on_sweep *on_sweep;
    void *user;
    double begin;
    bool is_stopped;
} trials;

/* ---- asking ---- */

/* For the caller all trials are work before the first sweep. */
static bool ask(trials *t)
{
    const gb_progress progress = {.n_chains = 1,
                                  .n_sweeps = 1,
                                  .in_burn_in = true,
                                  .seconds = gb_seconds() - t->begin,
                                  .is_partial = true,
                                  .n_left = 1,
                                  .is_open = true};
    if (!t->is_stopped && t->on_sweep != NULL)
        t->is_stopped = !t->on_sweep(&progress, t->user);
    return !t->is_stopped;
}

static bool on_sweep(const gb_progress *progress, void *user)
{
    (void)progress;
    return ask(user);
}

static bool on_apply(const gb_apply_progress *progress, void *user)
{
    (void)progress;
    return ask(user);
}

/* ---- documents ---- */

/* Fold 0 of the documents that have a number, as the seed deals them out: of a large corpus few may have one. */
static gb_status mark_fold_0(const gb_corpus *corpus, size_t field, size_t n_folds, uint64_t seed, bool *out,
                             gb_error *err)
{
    uint64_t n = gb_count_known_numbers(corpus, field);
    uint32_t *fold = NULL;
    gb_status st;
    GB_TRY(gb_alloc(&fold, n, sizeof *fold, "trials of the cost", err));
    GB_TRY(gb_corpus_deal_folds(n, n_folds, seed, fold, err));
    for (uint64_t d = corpus->n_docs; d-- > 0;)
        out[d] = !isnan(corpus->numbers[field].value[d]) && fold[--n] == 0;
done:
    gb_free(fold);
    return st;
}

/* Of a large corpus, documents that have a number. */
static gb_status take_sample(trials *t, uint64_t seed, gb_error *err)
{
    gb_status st;
    const uint64_t most = MOST_DOCS, n_docs = t->corpus->n_docs;
    const size_t n_samples = (size_t)((gb_count_known_numbers(t->corpus, t->field) + most - 1) / most);
    bool *is_other = NULL;
    uint64_t *n_unknown = NULL;
    gb_corpus *others = NULL;
    if (n_docs <= most)
        return GB_OK;
    GB_TRY(gb_alloc(&is_other, n_docs, sizeof *is_other, "trials of the cost", err));
    GB_TRY(mark_fold_0(t->corpus, t->field, n_samples, seed, is_other, err));
    for (uint64_t d = 0; d < n_docs; d++)
        is_other[d] = !is_other[d];
    GB_TRY(gb_corpus_split(t->corpus, is_other, NULL, &t->sample, &others, &n_unknown, err));
    t->corpus = t->sample;
done:
    gb_free(is_other);
    gb_free(n_unknown);
    gb_corpus_free(others);
    return st;
}

static gb_status choose_documents(trials *t, uint64_t seed, gb_error *err)
{
    gb_status st;
    GB_TRY(take_sample(t, seed, err));
    GB_TRY(gb_alloc(&t->part.is_held_out, t->corpus->n_docs, sizeof *t->part.is_held_out, "trials of the cost", err));
    GB_TRY(mark_fold_0(t->corpus, t->field, N_PARTS, seed, t->part.is_held_out, err));
done:
    return st;
}

/* True if two numbers differ, of the documents held out or of the others. */
static bool varies(const trials *t, bool is_held_out)
{
    const double *x = t->corpus->numbers[t->field].value;
    double first = NAN;
    for (uint64_t d = 0; d < t->corpus->n_docs; d++) {
        if (t->part.is_held_out[d] != is_held_out || isnan(x[d]))
            continue;
        if (isnan(first))
            first = x[d];
        if (x[d] != first)
            return true;
    }
    return false;
}

/* ---- the cost ---- */

static const gb_held_part *part_of(void *user, size_t trial)
{
    (void)trial;
    return &((const trials *)user)->part;
}

static gb_status fit_trial(void *user, gb_fold *fold, gb_error *err)
{
    gb_status st;
    trials *t = user;
    gb_model *model = NULL;
    gb_prediction *prediction = NULL;
    const gb_corpus *docs = fold->held_out;
    GB_TRY(gb_cost_trials_set(&t->cost, t->settings, err));
    GB_TRY(gb_run_train(fold->training, t->settings, NULL, on_sweep, t, &model, NULL, err));
    GB_TRY(gb_prediction_make(model, docs->n_docs, false, &prediction, err));
    GB_TRY(gb_predict(model, docs, 0, t->settings, on_apply, t, prediction, err));
    GB_TRY(gb_cost_trials_add(&t->cost, docs->n_docs, docs->numbers[t->field].value, prediction->response[0].mean,
                              prediction->response[0].sd, err));
done:
    gb_prediction_free(prediction);
    gb_model_free(model);
    return st;
}

static gb_status fail_trial(void *user, size_t trial, const gb_error *inner, gb_error *err)
{
    (void)user, (void)trial;
    return gb_fail(err, inner->status, "%s",
                   inner->status == GB_ESTOP ? "stopped before the first sweep" : inner->message);
}

static gb_status choose_cost(trials *t, const gb_spec *spec, gb_settings *settings, char **told, gb_error *err)
{
    gb_status st;
    t->field = spec->response[0].field;
    t->cost = gb_cost_trials_of(spec, settings, &t->words);
    GB_TRY(choose_documents(t, spec->seed, err));
    if (!varies(t, false) || !varies(t, true))
        goto done;
    GB_TRY(gb_cost_trials_settings(settings, &t->settings, err));
    gb_fold_loop loop = {.corpus = t->corpus,
                         .n_fits = gb_cost_trials_count(&t->cost),
                         .n_workers = 1,
                         .part = part_of,
                         .fit = fit_trial,
                         .fail = fail_trial,
                         .user = t};
    GB_TRY(gb_for_each_fold(&loop, err));
    GB_TRY(gb_cost_trials_choose(&t->cost, settings, told, err));
done:
    return st;
}

/* ---- words ---- */

static gb_status find_word_variance(trials *t, const gb_spec *spec, const gb_settings *settings, bool has_trials,
                                    gb_error *err)
{
    if (!gb_word_variance_is_open(spec, settings, has_trials))
        return GB_OK;
    return gb_word_variance_find(t->corpus, spec, settings, on_sweep, t, &t->words, err);
}

/* Without trials the cost is known. */
static gb_status give_word_variance(const trials *t, const gb_spec *spec, gb_settings *settings, char **told,
                                    gb_error *err)
{
    if (t->words.penalty == 0)
        return GB_OK;
    const gb_status st = gb_word_choice_set(&t->words, &spec->response[0].target.response, settings, err);
    return st != GB_OK || told == NULL ? st : gb_word_choice_tell(&t->words, settings, told, err);
}

static gb_status try_out(const gb_corpus *corpus, gb_settings *settings, gb_on_sweep *caller, void *user, char **told,
                         gb_error *err)
{
    gb_status st;
    gb_spec spec = {.n_responses = 0};
    trials t = {.corpus = corpus, .on_sweep = caller, .user = user, .begin = gb_seconds()};
    GB_TRY(gb_spec_resolve(corpus, settings, &spec, err));
    const bool has_trials = gb_has_cost_trials(corpus, &spec, settings);
    GB_TRY(find_word_variance(&t, &spec, settings, has_trials, err));
    if (has_trials)
        GB_TRY(choose_cost(&t, &spec, settings, told, err));
    else
        GB_TRY(give_word_variance(&t, &spec, settings, told, err));
done:
    gb_cost_trials_clear(&t.cost);
    gb_corpus_free(t.sample);
    gb_free(t.part.is_held_out);
    gb_settings_free(t.settings);
    gb_spec_clear(&spec);
    return st;
}

/* Every rank tries for itself. */
gb_status gb_train_choose_cost(const gb_corpus *corpus, gb_settings *settings, gb_on_sweep *caller, void *user,
                               char **told, gb_error *err)
{
    return gb_team_agree_to_stop(gb_settings_team(settings), try_out(corpus, settings, caller, user, told, err), err);
}
