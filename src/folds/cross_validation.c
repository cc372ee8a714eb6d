/* folds/cross_validation.c - documents held out of trainings of their own, and evaluated.
 *
 * Scores are of the documents of all parts together. */
#include "folds/cross_validation.h"
#include "apply/held_out.h"
#include "apply/prediction.h"
#include "base/memory.h"
#include "base/processors.h"
#include "corpus/data/subset.h"
#include "evaluation/evaluation.h"
#include "evaluation/linear.h"
#include "folds/fold_loop.h"
#include "folds/foresee.h"
#include "folds/pool_parts.h"
#include "options/needs.h"
#include "plan/spec.h"
#include "run/memory.h"
#include "team/team.h"

#include <math.h>
#include <string.h>

/* What the model of a part did with it. */
typedef struct outcome {
    gb_corpus *docs;
    uint64_t *n_unknown;
    gb_prediction *prediction;     /* NULL without a response */
    gb_named_prediction predicted; /* the same with its names */
    gb_held_out *likelihood;       /* NULL if it is not asked for */
    gb_evaluation *evaluation;     /* its model is gone: only the scores are looked at */
    gb_evaluation *linear;         /* the same of linear models; NULL if they are not asked for */
} outcome;

struct gb_cross_validation {
    const gb_corpus *corpus;
    gb_corpus *own_corpus; /* NULL: borrowed */
    gb_settings *settings;
    gb_held_parts parts;
    bool has_likelihood;
    outcome *outcome; /* of each part */
    gb_pooled pooled, pooled_linear;
    bool has_run;
    /* while it runs */
    gb_on_sweep *on_sweep;
    void *user;
    const gb_progress *progress; /* what the caller is told: of the training on its thread, or the last of it */
    gb_progress last;
};

typedef gb_cross_validation validation;

/* ---- making ---------------------------------------------------------------------------------------- */

/* The most that a response needs, with the documents and a part of them; the linear model of one is gone before the next. */
static gb_status check_linear(const validation *v, const gb_spec *spec, gb_error *err)
{
    uint64_t most = 0;
    if (spec->n_outputs == 0)
        return gb_fail(err, GB_EARGUMENT, "`baseline` needs a label or a number to predict");
    for (size_t r = 0; r < spec->n_responses; r++) {
        const uint64_t need = gb_linear_bytes(v->corpus, &spec->response[r].target);
        most = need > most ? need : most;
    }
    most += GB_PROGRAM_BYTES + 2 * gb_corpus_bytes(v->corpus);
    return gb_memory_check(gb_settings_text(v->settings, "memory-limit"), most, "the linear model of `baseline`", "",
                           err);
}

/* What would fail in a training, found out before the first. */
static gb_status check_settings(validation *v, gb_error *err)
{
    gb_spec spec;
    size_t failed;
    gb_status st = gb_spec_resolve(v->corpus, v->settings, &spec, err);
    if (st != GB_OK)
        return st;
    st = gb_wants_likelihood(v->settings, spec.n_outputs > 0, &v->has_likelihood, err);
    if (st == GB_OK && !v->has_likelihood && spec.n_outputs == 0)
        st = gb_nothing_to_evaluate(err);
    else if (st == GB_OK && gb_settings_yes(v->settings, "baseline"))
        st = check_linear(v, &spec, err);
    if (st == GB_OK)
        st = gb_held_parts_foresee(&v->parts, v->corpus, 1, (const gb_settings *const[]){v->settings}, spec.coding,
                                   &failed, err);
    gb_spec_clear(&spec);
    return st;
}

static gb_status make(validation *v, const bool *is_left_out, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_held_parts_make(&v->parts, v->corpus, v->settings, err));
    GB_TRY(gb_held_parts_drop_fields(&v->own_corpus, is_left_out, err));
    v->corpus = v->own_corpus == NULL ? v->corpus : v->own_corpus;
    GB_TRY(check_settings(v, err));
    GB_TRY(gb_alloc(&v->outcome, v->parts.n, sizeof *v->outcome, "the parts", err));
done:
    return st;
}

static gb_status start(const gb_settings *settings, validation **out, gb_error *err)
{
    validation *v = NULL;
    gb_status st;
    GB_TRY(gb_alloc(&v, 1, sizeof *v, "a cross-validation", err));
    GB_TRY(gb_settings_check_all(settings, NULL, 0, NULL, err));
    GB_TRY(gb_settings_copy(settings, &v->settings, err));
    GB_TRY(gb_folds_take_unknown_levels(v->settings, err));
    *out = v;
    v = NULL;
done:
    gb_free(v);
    return st;
}

gb_status gb_cross_validation_create(const gb_corpus *corpus, const gb_settings *settings, gb_cross_validation **out,
                                     gb_error *err)
{
    validation *v = NULL;
    gb_status st;
    GB_TRY(start(settings, &v, err));
    v->corpus = corpus;
    GB_TRY(make(v, NULL, err));
    *out = v;
    v = NULL;
done:
    gb_cross_validation_free(v);
    return st;
}

gb_status gb_cross_validation_read(const char *path, const gb_settings *settings, gb_on_read *on_read, void *user,
                                   gb_cross_validation **out, gb_error *err)
{
    validation *v = NULL;
    bool *is_left_out = NULL;
    gb_status st;
    GB_TRY(start(settings, &v, err));
    GB_TRY(gb_held_parts_read(path, settings, on_read, user, &v->own_corpus, &is_left_out, err));
    v->corpus = v->own_corpus;
    GB_TRY(make(v, is_left_out, err));
    *out = v;
    v = NULL;
done:
    gb_free(is_left_out);
    gb_cross_validation_free(v);
    return st;
}

void gb_cross_validation_free(gb_cross_validation *v)
{
    if (v == NULL)
        return;
    for (size_t i = 0; v->outcome != NULL && i < v->parts.n; i++) {
        gb_corpus_free(v->outcome[i].docs);
        gb_free(v->outcome[i].n_unknown);
        gb_named_prediction_clear(&v->outcome[i].predicted);
        gb_prediction_free(v->outcome[i].prediction);
        gb_held_out_free(v->outcome[i].likelihood);
        gb_evaluation_free(v->outcome[i].evaluation);
        gb_evaluation_free(v->outcome[i].linear);
    }
    gb_free(v->outcome);
    gb_pooled_clear(&v->pooled);
    gb_pooled_clear(&v->pooled_linear);
    gb_held_parts_clear(&v->parts);
    gb_corpus_free(v->own_corpus);
    gb_settings_free(v->settings);
    gb_free(v);
}

/* ---- one part -------------------------------------------------------------------------------------- */

static bool ask(void *user)
{
    validation *v = user;
    return v->on_sweep == NULL || v->on_sweep(v->progress, v->user);
}

/* A fit. */
typedef struct part_fit {
    validation *validation;
    gb_fold *fold;
} part_fit;

/* The caller hears of the training that runs on its own thread; all of them can be stopped. */
static bool on_sweep(const gb_progress *progress, void *user)
{
    const part_fit *f = user;
    validation *v = f->validation;
    if (!pthread_equal(pthread_self(), f->fold->loop->caller))
        return gb_fold_loop_goes_on(f->fold->loop);
    v->last = *progress;
    v->last.state = NULL;
    v->last.run = NULL;
    v->last.is_partial = true;
    v->progress = progress;
    const bool goes_on = gb_fold_loop_goes_on(f->fold->loop);
    v->progress = &v->last;
    return goes_on;
}

static bool on_apply(const gb_apply_progress *progress, void *user)
{
    const part_fit *f = user;
    (void)progress;
    return gb_fold_loop_goes_on(f->fold->loop);
}

static gb_status evaluate(part_fit *f, const gb_model *model, gb_error *err)
{
    validation *v = f->validation;
    outcome *o = &v->outcome[f->fold->number];
    gb_status st;
    uint64_t first_row = 0; /* no two parts share random numbers */
    for (size_t i = 0; i < f->fold->number; i++)
        first_row += v->parts.part[i].n_held_out;
    GB_TRY(gb_evaluation_create_all(model, v->settings, &o->evaluation, err));
    gb_evaluation_keep(o->evaluation);
    GB_TRY(gb_evaluation_take_baseline(o->evaluation, f->fold->training, err));
    if (gb_model_n_outputs(model) > 0) {
        GB_TRY(gb_prediction_create(model, o->docs->n_docs, &o->prediction, err));
        GB_TRY(gb_predict(model, o->docs, first_row, v->settings, on_apply, f, o->prediction, err));
        GB_TRY(gb_named_prediction_make(model, o->prediction, &o->predicted, err));
    }
    GB_TRY(gb_evaluate(o->evaluation, o->docs, o->n_unknown, first_row, v->settings, on_apply, f, o->prediction,
                       &o->likelihood, err));
    st = gb_evaluation_list_scores(o->evaluation, err);
done:
    return st;
}

/* Linear models of the same training documents, on the same documents held out. */
static gb_status compare(part_fit *f, const gb_model *model, gb_error *err)
{
    gb_status st;
    validation *v = f->validation;
    outcome *o = &v->outcome[f->fold->number];
    gb_linear *linear = NULL;
    gb_prediction *prediction = NULL;
    GB_TRY(gb_linear_fit(model, f->fold->training, v->settings, on_apply, f, &linear, err));
    GB_TRY(gb_prediction_make(model, o->docs->n_docs, false, &prediction, err));
    GB_TRY(gb_linear_predict(linear, o->docs, prediction, err));
    GB_TRY(gb_evaluation_create_all(model, v->settings, &o->linear, err));
    gb_evaluation_of_linear(o->linear);
    gb_evaluation_keep(o->linear);
    GB_TRY(gb_evaluation_take_baseline(o->linear, f->fold->training, err));
    GB_TRY(gb_evaluation_add(o->linear, o->docs, prediction, NULL, o->n_unknown, err));
    GB_TRY(gb_evaluation_list_scores(o->linear, err));
done:
    gb_linear_free(linear);
    gb_prediction_free(prediction);
    return st;
}

static gb_status fit_part(void *user, gb_fold *fold, gb_error *err)
{
    gb_status st;
    part_fit f = {user, fold};
    validation *v = user;
    outcome *o = &v->outcome[fold->number];
    gb_model *model = NULL;
    o->docs = fold->held_out;
    o->n_unknown = fold->n_unknown;
    fold->held_out = NULL;
    fold->n_unknown = NULL;
    GB_TRY(gb_train(fold->training, v->settings, on_sweep, &f, &model, err));
    GB_TRY(evaluate(&f, model, err));
    if (gb_settings_yes(v->settings, "baseline"))
        GB_TRY(gb_team_agree_to_stop(gb_settings_team(v->settings), compare(&f, model, err), err));
done:
    gb_model_free(model);
    return st;
}

static const gb_held_part *part_of(void *user, size_t fit)
{
    return &((const validation *)user)->parts.part[fit];
}

static gb_status fail_part(void *user, size_t fit, const gb_error *inner, gb_error *err)
{
    const validation *v = user;
    if (inner->status == GB_ESTOP)
        return gb_fail(err, GB_ESTOP, "stopped; nothing was evaluated");
    return gb_fail(err, inner->status, "without part %s: %s", v->parts.part[fit].name, inner->message);
}

/* ---- all parts together ------------------------------------------------------------------------------ */

/* The evaluation of a part: of the model, or of the linear models. */
static gb_status pool(const validation *v, bool of_linear, gb_pooled *out, gb_error *err)
{
    gb_status st;
    gb_evaluation **part = NULL;
    GB_TRY(gb_alloc(&part, v->parts.n, sizeof *part, "scores", err));
    for (size_t i = 0; i < v->parts.n; i++)
        part[i] = of_linear ? v->outcome[i].linear : v->outcome[i].evaluation;
    st = gb_pool_parts(&v->parts, v->corpus->n_docs, part, (uint64_t)gb_settings_int_or(v->settings, "seed", 0), out,
                       err);
done:
    gb_free(part);
    return st;
}

/* A likelihood is asked for, and there is a word to have one. */
static gb_status check_tokens(const validation *v, gb_error *err)
{
    uint64_t n_scored = 0;
    for (size_t i = 0; v->has_likelihood && i < v->parts.n; i++)
        for (uint64_t d = 0; d < v->parts.part[i].n_held_out; d++)
            n_scored += v->outcome[i].likelihood->n_scored[d];
    if (!v->has_likelihood || n_scored > 0)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "%s: no document held out has a word that the others have",
                   gb_corpus_path(v->corpus));
}

/* ---- running --------------------------------------------------------------------------------------- */

/* Enough parts keep all threads busy with one thread each.  Ranks do each part together, so there it is one after the other. */
static gb_status run_parts(validation *v, gb_error *err)
{
    gb_settings *s = v->settings;
    const size_t n_threads =
        gb_threads_for((uint64_t)gb_settings_int_or(s, "threads", 0), v->parts.n, v->corpus->n_tokens);
    const size_t n_workers = gb_settings_team(s) == NULL && v->parts.n >= n_threads ? n_threads : 1;
    gb_fold_loop loop = {.corpus = v->corpus,
                         .n_fits = v->parts.n,
                         .n_workers = n_workers,
                         .part = part_of,
                         .fit = fit_part,
                         .fail = fail_part,
                         .ask = ask,
                         .user = v};
    const gb_status st = n_workers > 1 ? gb_settings_set(s, "threads", "1", err) : GB_OK;
    return st == GB_OK ? gb_for_each_fold(&loop, err) : st;
}

gb_status gb_cross_validation_run(gb_cross_validation *v, gb_on_sweep *on_sweep_done, void *user, gb_error *err)
{
    gb_status st;
    if (v->has_run)
        return gb_fail(err, GB_EARGUMENT, "a cross-validation runs once");
    v->has_run = true;
    v->on_sweep = on_sweep_done;
    v->user = user;
    v->last = (gb_progress){.n_chains = 1, .n_sweeps = 1, .is_partial = true};
    v->progress = &v->last;
    GB_TRY(run_parts(v, err));
    GB_TRY(check_tokens(v, err));
    GB_TRY(pool(v, false, &v->pooled, err));
    if (gb_settings_yes(v->settings, "baseline"))
        GB_TRY(pool(v, true, &v->pooled_linear, err));
done:
    return st;
}

/* ---- looking --------------------------------------------------------------------------------------- */

gb_status gb_cross_validation_describe(const gb_cross_validation *v, char **out, gb_error *err)
{
    return gb_train_describe(v->corpus, v->settings, out, err);
}

const gb_evaluation *gb_cross_validation_evaluation(const gb_cross_validation *v)
{
    return v->pooled.all;
}

uint64_t gb_cross_validation_n_parts(const gb_cross_validation *v)
{
    return v->parts.n;
}

const char *gb_cross_validation_part(const gb_cross_validation *v, uint64_t part)
{
    return part < v->parts.n ? v->parts.part[part].name : NULL;
}

const gb_held_parts *gb_cross_validation_held_parts(const gb_cross_validation *v)
{
    return &v->parts;
}

bool gb_cross_validation_has_likelihood(const gb_cross_validation *v)
{
    return v->has_likelihood;
}

const gb_score_table *gb_cross_validation_scores(const gb_cross_validation *v)
{
    return v->pooled.scores;
}

gb_evaluation *gb_cross_validation_part_evaluation(const gb_cross_validation *v, uint64_t part)
{
    return v->has_run && part < v->parts.n ? v->outcome[part].evaluation : NULL;
}

const gb_score_table *gb_cross_validation_part_scores(const gb_cross_validation *v, uint64_t part)
{
    const gb_evaluation *e = part < v->parts.n ? v->outcome[part].evaluation : NULL;
    return e == NULL ? NULL : gb_evaluation_scores(e);
}

const gb_score_table *gb_cross_validation_linear_scores(const gb_cross_validation *v)
{
    return v->pooled_linear.scores;
}

const gb_score_table *gb_cross_validation_part_linear_scores(const gb_cross_validation *v, uint64_t part)
{
    const gb_evaluation *e = part < v->parts.n ? v->outcome[part].linear : NULL;
    return e == NULL ? NULL : gb_evaluation_scores(e);
}

const gb_corpus *gb_cross_validation_docs(const gb_cross_validation *v, uint64_t part)
{
    return part < v->parts.n ? v->outcome[part].docs : NULL;
}

const uint64_t *gb_cross_validation_n_unknown(const gb_cross_validation *v, uint64_t part)
{
    return part < v->parts.n ? v->outcome[part].n_unknown : NULL;
}

const gb_held_out *gb_cross_validation_likelihood(const gb_cross_validation *v, uint64_t part)
{
    return part < v->parts.n ? v->outcome[part].likelihood : NULL;
}

const char *gb_cross_validation_held_out_method(const gb_cross_validation *v)
{
    return v->has_likelihood ? gb_held_out_method_of(v->settings)->name : NULL;
}

const gb_named_prediction *gb_cross_validation_predictions(const gb_cross_validation *v, uint64_t part)
{
    return part < v->parts.n && v->outcome != NULL ? &v->outcome[part].predicted : NULL;
}

uint64_t gb_cross_validation_n_docs(const gb_cross_validation *v)
{
    return v->corpus->n_docs;
}
