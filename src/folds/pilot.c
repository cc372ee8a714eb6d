/* folds/pilot.c - the cost of the labels, found on documents held out.
 *
 * A large cost gains where the words say much about the labels, and loses much where they say little (docs/measured/defaults.md).  So each
 * cost that the response has trials for is given to a short training on three quarters of the documents, or of MOST_DOCS of them,
 * and the rest is predicted.  Let e_di be the squared error of document d in trial i, and j the choice so far, at first the
 * smallest cost.  A larger cost i is chosen in its place if
 *
 *   mean of (e_dj - e_di) over d  >  max(half of its standard error, 0.01 s^2),   mean of e_di  <  0.9 s^2        (1)
 *
 * with s^2 the variance of the targets.  A doubt is settled in favour of the smaller cost, and so is the case of words that say
 * next to nothing: a cost larger than 1 makes the intervals of effects those of a pseudo-posterior.
 *
 * A parameter of the response that would shrink with a large cost, to what the training documents leave unexplained, is not drawn
 * then.  In a trial it is the error of the trial before.  In the training it is the error of the chosen trial less the variance that
 * its predictions have because scores are not known, which predictions add; a quarter of the error at least.  Nobody has to know
 * its name here: see gb_own_parameter. */
#include "folds/pilot.h"

#include "base/memory.h"
#include "base/text.h"
#include "base/watch.h"
#include "corpus/data/subset.h"
#include "evaluation/number_scores.h"
#include "gibbous/apply.h"
#include "gibbous/train.h"
#include "options/option_table.h"
#include "options/settings.h"
#include "plan/response_defaults.h"
#include "recipe/word_variance.h"
#include "team/team.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DOCS = 2000, LEAST_LABELLED = 400, N_PARTS = 4 };
static const char SWEEPS[] = "60", BURN_IN[] = "40", WORDS_AFTER[] = "20"; /* the last: at most */

typedef struct pilot {
    const gb_response_ops *ops;
    const gb_cost_trial *trial;
    size_t field; /* in corpus->numbers */
    gb_corpus *training, *held_out;
    gb_settings *settings; /* of the next trial */
    bool gives_own, gives_variance;
    double
        *squared[GB_MAX_COST_TRIALS]; /* errors of the documents held out, in units of the target; NaN without one */
    double error[GB_MAX_COST_TRIALS]; /* their means */
    double noise[GB_MAX_COST_TRIALS]; /* what the training takes for the parameter that is given */
    double given;                     /* what the trial took */
    gb_response response;             /* of the training, but for its cost */
    gb_word_choice words;             /* penalty 0: not asked for */
    double variance;                  /* of the target, in the documents held out */
    size_t n;                         /* trials done */
    gb_on_sweep *on_sweep;
    void *user;
    double begin;
    bool is_stopped;
} pilot;

/* ---- asking ---- */

/* For the caller all trials are work before the first sweep. */
static bool ask(pilot *p)
{
    const gb_progress progress = {.n_chains = 1,
                                  .n_sweeps = 1,
                                  .in_burn_in = true,
                                  .seconds = gb_seconds() - p->begin,
                                  .is_partial = true,
                                  .n_left = 1,
                                  .is_open = true};
    if (!p->is_stopped && p->on_sweep != NULL)
        p->is_stopped = !p->on_sweep(&progress, p->user);
    return !p->is_stopped;
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

/* ---- one trial ---- */

static gb_status set_real(gb_settings *s, const char *name, double value, gb_error *err)
{
    char text[GB_REAL_SIZE];
    gb_text_from_real(value, text);
    return gb_settings_set(s, name, text, err);
}

/* What the linear models of words said.  With the smallest cost, the first of the trials, the variance may be drawn. */
static gb_status set_words(const pilot *p, double cost, gb_settings *s, gb_error *err)
{
    if (p->words.penalty == 0)
        return GB_OK;
    gb_status st = GB_OK;
    gb_response response = p->response;
    response.cost = cost;
    const double variance = gb_word_variance_of(&p->words, &response);
    if (variance > 0)
        GB_TRY(set_real(s, "word-variance", variance, err));
    if (gb_settings_has_idf(s))
        GB_TRY(set_real(s, "idf-power", p->words.idf_power, err));
done:
    return st;
}

/* The cost, and what goes with it. */
static gb_status set_trial(const pilot *p, const gb_cost_trial *trial, double noise, gb_settings *s, gb_error *err)
{
    gb_status st;
    const gb_own_parameter *parameter;
    GB_TRY(set_real(s, "cost", trial->cost, err));
    GB_TRY(set_words(p, trial->cost, s, err));
    if (trial->variance > 0 && p->gives_variance)
        GB_TRY(set_real(s, "coefficient-variance", trial->variance, err));
    for (size_t i = 0; (parameter = gb_response_own_parameter(p->ops, i)) != NULL; i++)
        if (trial->cost != 1 && p->gives_own && parameter->is_error)
            GB_TRY(set_real(s, parameter->option, noise, err));
done:
    return st;
}

static gb_status score(pilot *p, const double *predicted, const double *sd, gb_error *err)
{
    gb_number_scores scores = {.n = 0};
    const uint64_t n = p->held_out->n_docs;
    const double *target = p->held_out->numbers[p->field].value;
    double **squared = &p->squared[p->n];
    double variance = 0;
    const gb_status st = gb_alloc(squared, n, sizeof **squared, "trials of the cost", err);
    if (st != GB_OK)
        return st;
    for (uint64_t d = 0; d < n; d++) {
        (*squared)[d] = (target[d] - predicted[d]) * (target[d] - predicted[d]);
        if (isnan(target[d]))
            continue;
        gb_number_scores_add(&scores, target[d], predicted[d], NAN, NAN);
        variance += sd[d] * sd[d];
    }
    const gb_number_summary summary = gb_number_scores_summary(&scores);
    p->error[p->n] = summary.rmse * summary.rmse;
    p->noise[p->n] = fmax(p->error[p->n] - fmax(variance / (double)scores.n - p->given, 0), 0.25 * p->error[p->n]);
    p->variance = scores.spread / (double)scores.n;
    return GB_OK;
}

static gb_status try_cost(pilot *p, gb_error *err)
{
    gb_status st;
    gb_model *model = NULL;
    gb_prediction *prediction = NULL;
    GB_TRY(gb_train(p->training, p->settings, on_sweep, p, &model, err));
    GB_TRY(gb_prediction_create(model, p->held_out->n_docs, &prediction, err));
    GB_TRY(gb_predict(model, p->held_out, 0, p->settings, on_apply, p, prediction, err));
    GB_TRY(score(p, prediction->response[0].mean, prediction->response[0].sd, err));
done:
    gb_prediction_free(prediction);
    gb_model_free(model);
    return st;
}

static gb_status try_all(pilot *p, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_cost_trial *trial = p->trial;
    for (; st == GB_OK && p->n < GB_MAX_COST_TRIALS && trial[p->n].cost > 0; p->n++) {
        p->given = p->n == 0 ? INFINITY : p->error[p->n - 1]; /* the first draws it */
        GB_TRY(set_trial(p, &trial[p->n], p->given, p->settings, err));
        GB_TRY(try_cost(p, err));
    }
done:
    if (st == GB_ESTOP)
        return gb_fail(err, st, "stopped before the first sweep");
    return st;
}

/* ---- before the trials ---- */

static uint64_t count_labelled(const gb_corpus *corpus, size_t field)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        n += isnan(corpus->numbers[field].value[d]) ? 0 : 1;
    return n;
}

/* One response, whose topics bend to the labels of all its scores, a cost that nobody has given, and enough numbers. */
bool gb_train_has_trials(const gb_corpus *corpus, const gb_spec *spec, const gb_settings *s)
{
    if (spec->n_responses != 1 || spec->two_stage || spec->one_vs_rest)
        return false;
    const gb_spec_response *r = &spec->response[0];
    double cost = 0;
    return gb_response_defaults_of(r->target.response.ops)->trial[0].cost > 0 &&
           gb_option_number("cost", gb_settings_text(s, "cost"), r->target.field, &cost, NULL) == GB_OK &&
           cost == 0 && count_labelled(corpus, r->field) >= LEAST_LABELLED;
}

/* True if two numbers differ. */
static bool varies(const gb_corpus *corpus, size_t field)
{
    const double *x = corpus->numbers[field].value;
    double first = NAN;
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        if (isnan(first))
            first = x[d];
        if (!isnan(x[d]) && x[d] != first)
            return true;
    }
    return false;
}

/* Fold 0 of the documents that have a number, as the seed deals them out: of a large corpus few may have one. */
static gb_status mark_fold_0(const gb_corpus *corpus, size_t field, size_t n_folds, uint64_t seed, bool *out,
                             gb_error *err)
{
    uint64_t n = count_labelled(corpus, field);
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

/* Cut a corpus in two: that fold, and the other documents. */
static gb_status deal(const gb_corpus *corpus, size_t field, size_t n_folds, uint64_t seed, bool trains_fold_0,
                      gb_corpus **training, gb_corpus **held_out, gb_error *err)
{
    gb_status st;
    bool *is_held_out = NULL;
    uint64_t *n_unknown = NULL;
    GB_TRY(gb_alloc(&is_held_out, corpus->n_docs, sizeof *is_held_out, "trials of the cost", err));
    GB_TRY(mark_fold_0(corpus, field, n_folds, seed, is_held_out, err));
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        is_held_out[d] = is_held_out[d] != trains_fold_0;
    GB_TRY(gb_corpus_split(corpus, is_held_out, NULL, training, held_out, &n_unknown, err));
done:
    gb_free(is_held_out);
    gb_free(n_unknown);
    return st;
}

static gb_status choose_documents(pilot *p, const gb_corpus *corpus, uint64_t seed, gb_error *err)
{
    gb_status st;
    const uint64_t most = MOST_DOCS;
    const size_t n_samples = (size_t)((count_labelled(corpus, p->field) + most - 1) / most);
    gb_corpus *sample = NULL, *others = NULL;
    if (corpus->n_docs > most)
        GB_TRY(deal(corpus, p->field, n_samples, seed, true, &sample, &others, err));
    gb_corpus_free(others);
    others = NULL;
    GB_TRY(deal(sample != NULL ? sample : corpus, p->field, N_PARTS, seed, false, &p->training, &p->held_out, err));
done:
    gb_corpus_free(sample);
    return st;
}

/* The documents of a trial may lack all seed words of a topic. */
static bool is_for_all_documents(const char *name)
{
    return strcmp(name, "seeds") == 0 || strcmp(name, "seed-strength") == 0;
}

/* The user's, as far as the model depends on them. */
static gb_status copy_settings(const gb_settings *s, gb_settings **out, gb_error *err)
{
    gb_status st;
    gb_settings *copy = NULL;
    GB_TRY(gb_settings_create(&copy, err));
    for (uint64_t i = 0; i < gb_option_count(); i++) {
        const gb_option_row *row = gb_option_row_at(i);
        const char *name = row->option.name;
        const bool is_kept = (row->is_resumed || strcmp(name, "threads") == 0) && !is_for_all_documents(name);
        for (uint64_t v = 0; is_kept && gb_settings_is_set(s, name) && v < gb_settings_n_values(s, name); v++)
            GB_TRY(gb_settings_set(copy, name, gb_settings_get(s, name, v), err));
    }
    GB_TRY(gb_settings_set(copy, "unknown-level", "reference",
                           err)); /* documents held out may have levels of their own */
    *out = copy;
    copy = NULL;
done:
    gb_settings_free(copy);
    return st;
}

/* The user's, and short. */
static gb_status make_settings(pilot *p, const gb_settings *s, gb_error *err)
{
    gb_status st;
    GB_TRY(copy_settings(s, &p->settings, err));
    GB_TRY(gb_settings_set(p->settings, "sweeps", SWEEPS, err));
    GB_TRY(gb_settings_set(p->settings, "burn-in", BURN_IN, err));
    if (gb_settings_int(s, "word-effects-after") > (int64_t)strtol(WORDS_AFTER, NULL, 10))
        GB_TRY(gb_settings_set(p->settings, "word-effects-after", WORDS_AFTER, err));
    GB_TRY(gb_settings_set(p->settings, "thin", "auto", err));
    GB_TRY(gb_settings_set(p->settings, "chains", "1", err));
    GB_TRY(gb_settings_set(p->settings, "calibrate", "0", err));
done:
    return st;
}

/* ---- the choice ---- */

/* (1) for trial i in place of trial j. */
static bool is_better(const pilot *p, size_t i, size_t j)
{
    double n = 0, mean = 0, squares = 0;
    for (uint64_t d = 0; d < p->held_out->n_docs; d++) {
        const double gain = p->squared[j][d] - p->squared[i][d];
        if (isnan(gain))
            continue;
        const double step = gain - mean;
        mean += step / ++n;
        squares += step * (gain - mean);
    }
    const double se = sqrt(squares / (n * (n - 1)));
    return mean > fmax(0.5 * se, 0.01 * p->variance) && p->error[i] < 0.9 * p->variance;
}

static size_t choice_of(const pilot *p)
{
    size_t choice = 0;
    for (size_t i = 1; i < p->n; i++)
        if (is_better(p, i, choice))
            choice = i;
    return choice;
}

/* "trials of the cost: R2 of held-out documents 0.285 with 1, 0.361 with 4, 0.432 with 16; 16 is used" */
static gb_status tell(const pilot *p, size_t choice, char **out, gb_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return gb_fail_memory(err, 0, "trials of the cost");
    fputs("trials of the cost: R2 of held-out documents", f);
    for (size_t i = 0; i < p->n; i++)
        fprintf(f, "%s %.3f with %g", i == 0 ? "" : ",", 1 - p->error[i] / p->variance, p->trial[i].cost);
    fprintf(f, "; %g is used", p->trial[choice].cost);
    if (fclose(f) != 0 || text == NULL) {
        free(text);
        return gb_fail_memory(err, size, "trials of the cost");
    }
    *out = text;
    return GB_OK;
}

static gb_status choose(pilot *p, gb_settings *settings, char **told, gb_error *err)
{
    gb_status st;
    GB_TRY(try_all(p, err));
    const size_t choice = choice_of(p);
    GB_TRY(set_trial(p, &p->trial[choice], p->noise[choice], settings, err));
    if (told != NULL)
        GB_TRY(tell(p, choice, told, err));
done:
    return st;
}

static gb_status choose_cost(pilot *p, const gb_corpus *corpus, const gb_spec *spec, gb_settings *settings,
                             char **told, gb_error *err)
{
    gb_status st;
    p->ops = spec->response[0].target.response.ops;
    p->trial = gb_response_defaults_of(p->ops)->trial;
    p->field = spec->response[0].field;
    p->gives_variance = !gb_settings_is_set(settings, "coefficient-variance") && spec->coefficient.ops->has_variance;
    p->gives_own = spec->response[0].target.response.samples_own;
    GB_TRY(choose_documents(p, corpus, spec->seed, err));
    if (!varies(p->training, p->field) || !varies(p->held_out, p->field))
        goto done;
    GB_TRY(make_settings(p, settings, err));
    GB_TRY(choose(p, settings, told, err));
done:
    return st;
}

/* ---- words ---- */

/* "variance of words: 0.0125, as in a linear model of 3053 documents with C = 0.5; power of idf: 2" */
static gb_status tell_words(const pilot *p, const gb_settings *settings, char **out, gb_error *err)
{
    enum { MOST = 200 };
    char text[MOST], power[40] = "";
    if (gb_settings_has_idf(settings))
        (void)snprintf(power, sizeof power, "; power of idf: %g", gb_settings_real_or(settings, "idf-power", -1));
    (void)snprintf(
        text, sizeof text, "variance of words: %.20s, as in a linear model of %llu documents with C = %.3g%s",
        gb_settings_text(settings, "word-variance"), (unsigned long long)p->words.n_docs, p->words.penalty, power);
    return gb_copy_text(out, text, strlen(text), err);
}

/* Without trials the cost is known. */
static gb_status give_word_variance(const pilot *p, gb_settings *settings, char **told, gb_error *err)
{
    const gb_status st = set_words(p, p->response.cost, settings, err);
    return st != GB_OK || told == NULL || p->words.penalty == 0 ? st : tell_words(p, settings, told, err);
}

static gb_status find_word_variance(pilot *p, const gb_corpus *corpus, const gb_spec *spec,
                                    const gb_settings *settings, bool has_trials, gb_error *err)
{
    if (!gb_word_variance_is_open(spec, settings, has_trials))
        return GB_OK;
    p->response = spec->response[0].target.response;
    gb_error why;
    const gb_status st = gb_word_variance_find(corpus, spec, settings, on_sweep, p, &p->words, &why);
    if (st == GB_EIO) /* LIBLINEAR is not here */
        return gb_fail(err, st, "%s; `word-variance` with sample or a number does without", why.message);
    if (st != GB_OK && err != NULL)
        *err = why;
    return st;
}

static gb_status try_out(const gb_corpus *corpus, gb_settings *settings, gb_on_sweep *caller, void *user, char **told,
                         gb_error *err)
{
    gb_status st;
    gb_spec spec = {.n_responses = 0};
    pilot p = {.on_sweep = caller, .user = user, .begin = gb_seconds()};
    GB_TRY(gb_spec_resolve(corpus, settings, &spec, err));
    const bool has_trials = gb_train_has_trials(corpus, &spec, settings);
    GB_TRY(find_word_variance(&p, corpus, &spec, settings, has_trials, err));
    if (has_trials)
        GB_TRY(choose_cost(&p, corpus, &spec, settings, told, err));
    else
        GB_TRY(give_word_variance(&p, settings, told, err));
done:
    for (size_t i = 0; i < GB_MAX_COST_TRIALS; i++)
        gb_free(p.squared[i]);
    gb_corpus_free(p.training);
    gb_corpus_free(p.held_out);
    gb_settings_free(p.settings);
    gb_spec_clear(&spec);
    return st;
}

/* Every rank tries for itself. */
gb_status gb_train_choose_cost(const gb_corpus *corpus, gb_settings *settings, gb_on_sweep *caller, void *user,
                               char **told, gb_error *err)
{
    return gb_team_agree_to_stop(gb_settings_team(settings), try_out(corpus, settings, caller, user, told, err), err);
}
