/* train/word_pilot.c - the variance of word coefficients where the labels count several times.
 *
 * Given a cost c, each label counts as c labels, and a sampled variance takes the training documents for c times as many: it grows until
 * words explain them all, and new documents suffer.  With cost 1 a sampled variance is sound.  So it is learnt in a short chain with
 * that cost, on at most MOST_DOCS of the documents, and a training with the cost c takes
 *
 *     u = mean of u_l over outputs and sweeps / c                                                         (1)
 *
 * as given.  c u, which weighs the words' fit to the labels against their prior, is then what it is with cost 1.
 *
 * Of classes that few documents have a chain with cost 1 learns little, and where the classes that count are not what a likelihood weighs,
 * such as several labels by F1, more is better.  So of classes 4 u is tried beside u: short trainings on three quarters of these documents, whose predictions for the
 * rest are scored.  If its loss is less by a share of LEAST_GAIN at least, it is taken and 16 u is tried against it.  Otherwise u may be
 * too large, as with long documents, and u / 4 is tried against u, then u / 16.  A walk ends at the first step that does not gain, so that two or three trainings
 * are the whole cost. */
#include "train/word_pilot.h"

#include "base/memory.h"
#include "base/text.h"
#include "chain/chain.h"
#include "corpus/data/subset.h"
#include "evaluation/linear_choice.h"
#include "gibbous/apply.h"
#include "gibbous/train.h"
#include "model/model.h"
#include "options/option_table.h"
#include "options/settings.h"
#include "plan/plan.h"

#include <math.h>
#include <string.h>

enum { MOST_DOCS = 2000, BURN_IN = 30, SWEEPS = 40, N_PARTS = 4, LEAST_TRIED = 400, MOST_STEPS = 2 };

static const double STEP = 4, LEAST_GAIN = 0.05;

static const char what[] = "a short chain";

/* The documents of a trial may lack all seed words of a topic. */
static bool is_for_all_documents(const char *name)
{
    return strcmp(name, "seeds") == 0 || strcmp(name, "seed-strength") == 0;
}

/* The user's, as far as the model depends on them. */
gb_status gb_pilot_settings(const gb_settings *s, gb_settings **out, gb_error *err)
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

bool gb_word_variance_is_open(const gb_spec *spec, const gb_settings *s)
{
    return spec->n_responses == 1 && spec->words.n_columns > 0 && spec->coefficient.ops->has_variance &&
           strcmp(s->word_variance, "auto") == 0;
}

static gb_status make_settings(const gb_settings *s, gb_settings **out, gb_error *err)
{
    static const char *const of_pilot[][2] = {
        {"word-effects-after", "0"}, {"sweeps", "40"}, {"burn-in", "30"}, {"thin", "auto"}, {"chains", "1"},
        {"calibrate", "0"}};
    gb_settings *made = NULL;
    gb_status st;
    GB_TRY(gb_pilot_settings(s, &made, err));
    for (size_t i = 0; i < sizeof of_pilot / sizeof *of_pilot; i++)
        GB_TRY(gb_settings_set(made, of_pilot[i][0], of_pilot[i][1], err));
    *out = made;
    made = NULL;
done:
    gb_settings_free(made);
    return st;
}

/* Cut in two: the documents of fold 0, and the others.  Words are those of the training part. */
static gb_status deal(const gb_corpus *corpus, size_t n_folds, uint64_t seed, bool trains_fold_0,
                      gb_corpus **training, gb_corpus **others, gb_error *err)
{
    gb_status st;
    bool *is_other = NULL;
    uint32_t *fold = NULL;
    uint64_t *n_unknown = NULL;
    GB_TRY(gb_alloc(&is_other, corpus->n_docs, sizeof *is_other, what, err));
    GB_TRY(gb_alloc(&fold, corpus->n_docs, sizeof *fold, what, err));
    if (n_folds > 1)
        GB_TRY(gb_corpus_deal_folds(corpus->n_docs, n_folds, seed, fold, err));
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        is_other[d] = (fold[d] == 0) != trains_fold_0;
    GB_TRY(gb_corpus_split(corpus, is_other, NULL, training, others, &n_unknown, err));
done:
    gb_free(is_other);
    gb_free(fold);
    gb_free(n_unknown);
    return st;
}

/* Over outputs. */
static double mean_variance(const gb_chain *c)
{
    const gb_coefficient_scales *s = &c->scales;
    const size_t at = s->prior->ops->word_scale(s->prior, &s->layout);
    double sum = 0;
    for (size_t l = 0; l < s->n_outputs; l++)
        sum += s->square[l * s->n + at];
    return sum / (double)s->n_outputs;
}

static gb_status run(const gb_plan *plan, gb_on_sweep *on_sweep, void *user, double *out, gb_error *err)
{
    gb_status st;
    gb_chain *chain = NULL;
    double sum = 0;
    GB_TRY(gb_chain_create(plan, 0, &chain, err));
    GB_TRY(gb_chain_step(chain, BURN_IN, on_sweep, user, err));
    for (int i = BURN_IN; i < SWEEPS; i++) {
        GB_TRY(gb_chain_step(chain, 1, on_sweep, user, err));
        sum += mean_variance(chain) / (SWEEPS - BURN_IN);
    }
    *out = sum;
done:
    gb_chain_free(chain);
    return st;
}

/* ---- trials ---- */

typedef struct trials {
    gb_corpus *training, *held_out;
    gb_settings *settings;
    gb_on_sweep *on_sweep;
    void *user;
} trials;

/* The progress of a prediction is none of a training: it is only asked whether to go on. */
static bool on_apply(const gb_apply_progress *progress, void *user)
{
    const trials *t = user;
    const gb_progress none = {.n_chains = 1, .n_sweeps = 1, .in_burn_in = true, .is_partial = true, .is_open = true};
    (void)progress;
    return t->on_sweep == NULL || t->on_sweep(&none, t->user);
}

static gb_status find_loss(const trials *t, const gb_model *model, const gb_prediction *prediction, double *out,
                           gb_error *err)
{
    double cut;
    gb_linear_targets targets;
    gb_status st = gb_linear_targets_find(t->held_out, &model->target[0], &targets, err);
    if (st != GB_OK)
        return st;
    const size_t n = model->n_outputs;
    double *score = NULL;
    GB_TRY(gb_alloc(&score, targets.n_docs * n, sizeof *score, what, err));
    for (uint64_t i = 0; i < targets.n_docs; i++)
        memcpy(score + i * n, prediction->score + targets.doc[i] * n, n * sizeof *score);
    GB_TRY(gb_linear_loss_of(&targets, targets.n_docs, targets.doc, score, out, &cut, err));
done:
    gb_free(score);
    gb_linear_targets_clear(&targets);
    return st;
}

static gb_status try_variance(trials *t, double variance, double *loss, gb_error *err)
{
    gb_status st;
    gb_model *model = NULL;
    gb_prediction *prediction = NULL;
    char text[GB_REAL_SIZE];
    gb_text_from_real(variance, text);
    GB_TRY(gb_settings_set(t->settings, "word-variance", text, err));
    GB_TRY(gb_train(t->training, t->settings, t->on_sweep, t->user, &model, err));
    GB_TRY(gb_prediction_create(model, t->held_out->n_docs, &prediction, err));
    GB_TRY(gb_predict(model, t->held_out, 0, t->settings, on_apply, t, prediction, err));
    GB_TRY(find_loss(t, model, prediction, loss, err));
done:
    gb_prediction_free(prediction);
    gb_model_free(model);
    return st;
}

/* Multiply the factor by `step` as long as the loss becomes less; a doubt is settled in favour of the factor that was before. */
static gb_status walk(trials *t, double variance, double step, double *factor, double *least, gb_error *err)
{
    for (int i = 0; i < MOST_STEPS; i++) {
        double loss = INFINITY;
        const gb_status st = try_variance(t, variance * *factor * step, &loss, err);
        if (st != GB_OK || loss > (1 - LEAST_GAIN) * *least)
            return st;
        *least = loss;
        *factor *= step;
    }
    return GB_OK;
}

static gb_status try_all(trials *t, double variance, double *factor, gb_error *err)
{
    gb_status st;
    double least = INFINITY;
    *factor = 1;
    GB_TRY(try_variance(t, variance, &least, err));
    GB_TRY(walk(t, variance, STEP, factor, &least, err));
    if (*factor == 1)
        GB_TRY(walk(t, variance, 1 / STEP, factor, &least, err));
done:
    return st;
}

/* ---- all ---- */

static gb_status learn(const gb_corpus *some, const gb_settings *settings, gb_on_sweep *on_sweep, void *user,
                       double *out, gb_error *err)
{
    gb_status st;
    gb_settings *s = NULL;
    gb_plan *plan = NULL;
    GB_TRY(make_settings(settings, &s, err));
    GB_TRY(gb_settings_set(s, "cost", "1", err));
    GB_TRY(gb_settings_set(s, "two-stage", "no", err));
    GB_TRY(gb_settings_set(s, "strategy", "shared", err));
    GB_TRY(gb_settings_set(s, "word-variance", "sample", err));
    GB_TRY(gb_plan_create(some, s, &plan, err));
    GB_TRY(run(plan, on_sweep, user, out, err));
done:
    gb_plan_free(plan);
    gb_settings_free(s);
    return st;
}

static gb_status choose(const gb_corpus *some, const gb_settings *settings, gb_word_pilot *pilot, gb_error *err)
{
    gb_status st;
    trials t = {.on_sweep = pilot->on_sweep, .user = pilot->user};
    GB_TRY(deal(some, N_PARTS, pilot->seed, false, &t.training, &t.held_out, err));
    GB_TRY(make_settings(settings, &t.settings, err));
    GB_TRY(try_all(&t, pilot->variance / pilot->cost, &pilot->factor, err));
done:
    gb_corpus_free(t.training);
    gb_corpus_free(t.held_out);
    gb_settings_free(t.settings);
    return st;
}

gb_status gb_word_pilot_run(const gb_corpus *corpus, const gb_settings *settings, gb_word_pilot *pilot, gb_error *err)
{
    gb_status st;
    gb_corpus *some = NULL, *others = NULL;
    const size_t n_folds = (size_t)((corpus->n_docs + MOST_DOCS - 1) / MOST_DOCS);
    pilot->factor = 1;
    GB_TRY(deal(corpus, n_folds, pilot->seed, true, &some, &others, err));
    GB_TRY(learn(some, settings, pilot->on_sweep, pilot->user, &pilot->variance, err));
    if (pilot->has_trials && some->n_docs >= LEAST_TRIED)
        GB_TRY(choose(some, settings, pilot, err));
done:
    gb_corpus_free(some);
    gb_corpus_free(others);
    return st;
}
