/* recipe/cost_trials.c - the cost of the labels, found on documents held out.
 *
 * A large cost gains where the words say much about the labels, and loses much where they say little (docs/measured/defaults.md).  So each
 * cost that the response has trials for is given to a short training on some of the documents (folds/trials.c), and others are
 * predicted.  Let e_di be the squared error of document d in trial i, and j the choice so far, at first the smallest cost.  A larger
 * cost i is chosen in its place if
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
#include "recipe/cost_trials.h"

#include "base/memory.h"
#include "base/text.h"
#include "evaluation/number_scores.h"
#include "options/variance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "trials of the cost";
enum { LEAST_LABELLED = 400, MOST_WORDS_AFTER = 20 };

/* ---- whether there are any ---- */

uint64_t gb_count_known_numbers(const gb_corpus *corpus, size_t field)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        n += isnan(corpus->numbers[field].value[d]) ? 0 : 1;
    return n;
}

/* One response, whose topics bend to the labels of all its scores, a cost that nobody has given, and enough numbers. */
bool gb_has_cost_trials(const gb_corpus *corpus, const gb_spec *spec, const gb_settings *s)
{
    if (spec->n_responses != 1 || spec->two_stage || spec->one_vs_rest)
        return false;
    const gb_spec_response *r = &spec->response[0];
    double cost = 0;
    return gb_response_defaults_of(r->target.response.ops)->trial[0].cost > 0 &&
           gb_option_number("cost", gb_settings_text(s, "cost"), r->target.field, &cost, NULL) == GB_OK &&
           cost == 0 && gb_count_known_numbers(corpus, r->field) >= LEAST_LABELLED;
}

/* ---- settings of a trial ---- */

/* The documents of a trial may lack all seed words of a topic. */
static bool is_for_all_documents(const char *name)
{
    return strcmp(name, "seeds") == 0 || strcmp(name, "seed-strength") == 0;
}

/* Documents held out may have levels of their own. */
static const char *const of_all_trials[][2] = {{"sweeps", "60"}, {"burn-in", "40"},  {"thin", "auto"},
                                               {"chains", "1"},  {"calibrate", "0"}, {"unknown-level", "reference"},
                                               {"pool", "0"},    {"start", "grow"}};

gb_status gb_cost_trials_settings(const gb_settings *s, gb_settings **out, gb_error *err)
{
    gb_status st;
    gb_settings *copy = NULL;
    GB_TRY(gb_settings_for_model(s, is_for_all_documents, &copy, err));
    for (size_t i = 0; i < sizeof of_all_trials / sizeof of_all_trials[0]; i++)
        GB_TRY(gb_settings_set(copy, of_all_trials[i][0], of_all_trials[i][1], err));
    if (gb_settings_int(s, "word-effects-after") > MOST_WORDS_AFTER)
        GB_TRY(gb_settings_set_int(copy, "word-effects-after", MOST_WORDS_AFTER, err));
    *out = copy;
    copy = NULL;
done:
    gb_settings_free(copy);
    return st;
}

/* The cost, and what goes with it. */
static gb_status set_trial(const gb_cost_trials *t, const gb_cost_trial *trial, double noise, gb_settings *s,
                           gb_error *err)
{
    gb_status st;
    const gb_own_parameter *parameter;
    gb_response response = t->response;
    response.cost = trial->cost;
    GB_TRY(gb_settings_set_real(s, "cost", trial->cost, err));
    GB_TRY(gb_word_choice_set(t->words, &response, s, err));
    if (trial->variance > 0 && t->gives_variance)
        GB_TRY(gb_settings_set_variance(s, GB_VARIANCE_TOPICS, trial->variance, err));
    for (size_t i = 0; (parameter = gb_response_own_parameter(t->response.ops, i)) != NULL; i++)
        if (trial->cost != 1 && t->response.samples_own && parameter->is_error)
            GB_TRY(gb_settings_set_real(s, parameter->option, noise, err));
done:
    return st;
}

gb_cost_trials gb_cost_trials_of(const gb_spec *spec, const gb_settings *s, const gb_word_choice *words)
{
    const gb_response *response = &spec->response[0].target.response;
    return (gb_cost_trials){.response = *response,
                            .trial = gb_response_defaults_of(response->ops)->trial,
                            .gives_variance = gb_settings_variances(s).of[GB_VARIANCE_TOPICS] == GB_VARIANCE_AUTO &&
                                              spec->coefficient.ops->has_variance,
                            .words = words};
}

void gb_cost_trials_clear(gb_cost_trials *t)
{
    for (size_t i = 0; i < t->n; i++)
        gb_free(t->squared[i]);
}

size_t gb_cost_trials_count(const gb_cost_trials *t)
{
    size_t n = 0;
    while (n < GB_MAX_COST_TRIALS && t->trial[n].cost > 0)
        n++;
    return n;
}

gb_status gb_cost_trials_set(gb_cost_trials *t, gb_settings *settings, gb_error *err)
{
    t->given = t->n == 0 ? INFINITY : t->error[t->n - 1]; /* the first draws it */
    return set_trial(t, &t->trial[t->n], t->given, settings, err);
}

/* ---- what comes of it ---- */

gb_status gb_cost_trials_add(gb_cost_trials *t, uint64_t n_docs, const double *target, const double *predicted,
                             const double *sd, gb_error *err)
{
    gb_number_scores scores = {.n = 0};
    double *squared, variance = 0;
    const gb_status st = gb_alloc(&squared, n_docs, sizeof *squared, what, err);
    if (st != GB_OK)
        return st;
    for (uint64_t d = 0; d < n_docs; d++) {
        squared[d] = (target[d] - predicted[d]) * (target[d] - predicted[d]);
        if (isnan(target[d]))
            continue;
        gb_number_scores_add(&scores, target[d], predicted[d], NAN, NAN, 1);
        variance += sd[d] * sd[d];
    }
    const gb_number_summary summary = gb_number_scores_summary(&scores);
    const double error = summary.rmse * summary.rmse;
    t->error[t->n] = error;
    t->noise[t->n] = fmax(error - fmax(variance / (double)scores.n - t->given, 0), 0.25 * error);
    t->variance = scores.spread / (double)scores.n;
    t->n_docs = n_docs;
    t->squared[t->n++] = squared;
    return GB_OK;
}

/* ---- the choice ---- */

/* (1) for trial i in place of trial j. */
static bool is_better(const gb_cost_trials *t, size_t i, size_t j)
{
    double n = 0, mean = 0, squares = 0;
    for (uint64_t d = 0; d < t->n_docs; d++) {
        const double gain = t->squared[j][d] - t->squared[i][d];
        if (isnan(gain))
            continue;
        const double step = gain - mean;
        mean += step / ++n;
        squares += step * (gain - mean);
    }
    const double se = sqrt(squares / (n * (n - 1)));
    return mean > fmax(0.5 * se, 0.01 * t->variance) && t->error[i] < 0.9 * t->variance;
}

static size_t choice_of(const gb_cost_trials *t)
{
    size_t choice = 0;
    for (size_t i = 1; i < t->n; i++)
        if (is_better(t, i, choice))
            choice = i;
    return choice;
}

/* "trials of the cost: R2 of held-out documents 0.285 with 1, 0.361 with 4, 0.432 with 16; 16 is used" */
static gb_status tell(const gb_cost_trials *t, size_t choice, char **out, gb_error *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (f == NULL)
        return gb_fail_memory(err, 0, what);
    fputs("trials of the cost: R2 of held-out documents", f);
    for (size_t i = 0; i < t->n; i++)
        fprintf(f, "%s %.3f with %g", i == 0 ? "" : ",", 1 - t->error[i] / t->variance, t->trial[i].cost);
    fprintf(f, "; %g is used", t->trial[choice].cost);
    if (fclose(f) != 0 || text == NULL) {
        free(text);
        return gb_fail_memory(err, size, what);
    }
    *out = text;
    return GB_OK;
}

gb_status gb_cost_trials_choose(const gb_cost_trials *t, gb_settings *settings, char **told, gb_error *err)
{
    const size_t choice = choice_of(t);
    const gb_status st = set_trial(t, &t->trial[choice], t->noise[choice], settings, err);
    return st == GB_OK && told != NULL ? tell(t, choice, told, err) : st;
}
