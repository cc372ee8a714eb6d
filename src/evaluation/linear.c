/* evaluation/linear.c - linear models of the words, to compare with.
 *
 * Each question of a response (evaluation/linear_targets.h) has a vector of weights w of the words' TF-IDF x and a constant,
 * which minimises
 *
 *     w'w / 2 + C sum over documents of max(0, 1 - y w'x)^2      a support vector machine
 *     w'w / 2 + C sum over documents of (y - w'x)^2              a number: ridge regression with penalty 1 / (2 C)
 *
 * C is the one in COSTS with the least loss on a random fifth of the documents, after a fit to the others; then all documents are
 * fitted.  Each fit of a machine begins where the one with the cost before it ended. */
#include "evaluation/linear.h"

#include "base/memory.h"
#include "base/processors.h"
#include "corpus/data/subset.h"
#include "design/word_columns.h"
#include "evaluation/linear_choice.h"
#include "evaluation/linear_fits.h"
#include "gibbous/evaluate.h"
#include "model/model.h"
#include "options/settings.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

static const double COSTS[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10};
enum {
    N_COSTS = sizeof COSTS / sizeof COSTS[0],
    N_FOLDS = 5,
    USUAL_COST = 4 /* COSTS[4], where nothing can choose */
};

/* The fit of one response. */
typedef struct linear_fit {
    size_t n_problems; /* 0: the training documents did not have the field */
    double *weight;    /* n_problems x (n_words + 1), the constant last */
    double cost, cut, centre;
} linear_fit;

struct gb_linear {
    const gb_model *model;
    uint64_t n_words;
    double *idf;
    linear_fit *fit; /* one for each response of the model */
};

/* ---- while models are fitted ----------------------------------------------------------------------- */

typedef struct fitting {
    gb_linear *linear;
    gb_sparse_columns rows;
    uint32_t *fold; /* of each document */
    size_t n_threads;
    gb_on_apply *on_progress;
    void *user;
    gb_apply_progress progress; /* of the calling thread */
    atomic_uint_fast64_t n_begun;
    atomic_bool stopped;
} fitting;

/* The models of one response: fitted to some documents with some costs. */
typedef struct one_response {
    fitting *all;
    const gb_linear_targets *targets;
    linear_fit *fit;
    uint64_t n_fitted, *fitted; /* documents to fit */
    uint64_t n_tested, *tested; /* documents that choose */
    size_t n_costs;
    const double *cost;
    double *score; /* n_costs x n_tested x problems */
} one_response;

/* Only the calling thread asks, and never again after a no. */
static bool goes_on(void *user, size_t worker)
{
    fitting *f = user;
    const uint64_t n_begun = atomic_fetch_add(&f->n_begun, 1);
    if (worker == 0 && !atomic_load(&f->stopped) && f->on_progress != NULL) {
        f->progress.draw = n_begun;
        if (!f->on_progress(&f->progress, f->user))
            atomic_store(&f->stopped, true);
    }
    return !atomic_load(&f->stopped);
}

static gb_status fit_problems(const one_response *r, gb_error *err)
{
    fitting *f = r->all;
    const gb_linear_fits fits = {.rows = &f->rows,
                                 .targets = r->targets,
                                 .n_fitted = r->n_fitted,
                                 .fitted = r->fitted,
                                 .n_tested = r->n_tested,
                                 .tested = r->tested,
                                 .n_costs = r->n_costs,
                                 .cost = r->cost,
                                 .score = r->score,
                                 .weight = r->fit->weight,
                                 .n_threads = f->n_threads,
                                 .on_fit = goes_on,
                                 .user = f};
    return gb_linear_fits_run(&fits, err);
}

/* ---- one response ---------------------------------------------------------------------------------- */

static gb_status best_cost(const one_response *r, gb_error *err)
{
    gb_status st = GB_OK;
    double least = INFINITY;
    for (size_t c = 0; c < r->n_costs && st == GB_OK; c++) {
        double loss, cut;
        st = gb_linear_loss_of(r->targets, r->n_tested, r->tested, r->score + c * r->n_tested * r->fit->n_problems,
                               &loss, &cut, err);
        if (st != GB_OK || loss >= least)
            continue;
        least = loss;
        r->fit->cost = r->cost[c];
        r->fit->cut = cut;
    }
    return st;
}

static gb_status choose_cost(one_response *r, gb_error *err)
{
    gb_status st;
    const gb_linear_targets *t = r->targets;
    r->fit->cost = COSTS[USUAL_COST];
    GB_TRY(gb_alloc(&r->fitted, t->n_docs, sizeof *r->fitted, "a linear model", err));
    GB_TRY(gb_alloc(&r->tested, t->n_docs, sizeof *r->tested, "a linear model", err));
    for (uint64_t i = 0; i < t->n_docs; i++) {
        if (r->all->fold[t->doc[i]] == 0)
            r->tested[r->n_tested++] = t->doc[i];
        else
            r->fitted[r->n_fitted++] = t->doc[i];
    }
    if (r->n_fitted == 0 || r->n_tested == 0)
        goto done;
    GB_TRY(gb_alloc(&r->score, N_COSTS * r->n_tested * r->fit->n_problems, sizeof *r->score, "a linear model", err));
    r->n_costs = N_COSTS;
    r->cost = COSTS;
    GB_TRY(fit_problems(r, err));
    GB_TRY(best_cost(r, err));
done:
    gb_free(r->fitted);
    gb_free(r->tested);
    gb_free(r->score);
    return st;
}

static gb_status fit_response(fitting *f, const gb_linear_targets *targets, linear_fit *fit, gb_error *err)
{
    gb_status st;
    one_response choice = {.all = f, .targets = targets, .fit = fit}, final = choice;
    fit->n_problems = gb_linear_n_problems(targets->target);
    fit->centre = targets->centre;
    GB_TRY(gb_alloc(&fit->weight, fit->n_problems * (f->linear->n_words + 1), sizeof *fit->weight, "a linear model",
                    err));
    GB_TRY(choose_cost(&choice, err));
    final.n_fitted = targets->n_docs;
    final.fitted = targets->doc;
    final.n_costs = 1;
    final.cost = &fit->cost;
    GB_TRY(fit_problems(&final, err));
done:
    return st;
}

/* ---- all responses --------------------------------------------------------------------------------- */

static gb_status find_fields(const gb_linear *l, const gb_corpus *training, gb_apply_progress *progress,
                             gb_error *err)
{
    for (size_t r = 0; r < l->model->n_responses; r++)
        if (gb_linear_has_field(training, &l->model->target[r]))
            progress->n_draws += (N_COSTS + 1) * gb_linear_n_problems(&l->model->target[r]);
    if (progress->n_draws > 0)
        return GB_OK;
    if (l->model->n_responses == 0)
        return gb_fail(err, GB_EARGUMENT, "the model predicts nothing that a linear model could predict too");
    return gb_fail(err, GB_EFORMAT, "%s: no field \"%s\"", gb_corpus_path(training), l->model->target[0].field);
}

static gb_status fit_responses(fitting *f, const gb_corpus *training, const gb_settings *settings, gb_error *err)
{
    gb_status st = GB_OK;
    gb_linear *l = f->linear;
    for (size_t r = 0; r < l->model->n_responses && st == GB_OK; r++) {
        const gb_target *target = &l->model->target[r];
        gb_linear_targets targets;
        if (!gb_linear_has_field(training, target))
            continue;
        st = gb_linear_targets_find(training, target, &targets, err);
        if (st != GB_OK)
            break;
        f->n_threads = gb_threads_for((uint64_t)gb_settings_int_or(settings, "threads", 0),
                                      gb_linear_n_problems(target), training->n_tokens);
        st = fit_response(f, &targets, &l->fit[r], err);
        gb_linear_targets_clear(&targets);
    }
    return st;
}

gb_status gb_linear_fit(const gb_model *model, const gb_corpus *training, const gb_settings *settings,
                        gb_on_apply *on_progress, void *user, gb_linear **out, gb_error *err)
{
    gb_status st;
    gb_linear *l = NULL;
    fitting f = {.on_progress = on_progress, .user = user, .progress = {.n_docs = training->n_docs}};
    const uint64_t seed = (uint64_t)gb_settings_int_or(settings, "seed", (int64_t)model->seed);
    GB_TRY(gb_alloc(&l, 1, sizeof *l, "a linear model", err));
    l->model = model;
    l->n_words = model->n_words;
    f.linear = l;
    GB_TRY(gb_model_check_words(model, training, err));
    GB_TRY(find_fields(l, training, &f.progress, err));
    GB_TRY(gb_alloc(&l->fit, model->n_responses, sizeof *l->fit, "a linear model", err));
    GB_TRY(gb_word_weights(training, GB_WORD_TFIDF, 1, &l->idf, err));
    GB_TRY(gb_word_columns(training, GB_WORD_TFIDF, l->idf, &f.rows, err));
    GB_TRY(gb_alloc(&f.fold, training->n_docs, sizeof *f.fold, "a linear model", err));
    GB_TRY(gb_corpus_deal_folds(training->n_docs, N_FOLDS, seed, f.fold, err));
    GB_TRY(fit_responses(&f, training, settings, err));
    *out = l;
    l = NULL;
done:
    gb_sparse_columns_clear(&f.rows);
    gb_free(f.fold);
    gb_linear_free(l);
    return st;
}

void gb_linear_free(gb_linear *l)
{
    if (l == NULL)
        return;
    for (size_t r = 0; l->fit != NULL && r < l->model->n_responses; r++)
        gb_free(l->fit[r].weight);
    gb_free(l->fit);
    gb_free(l->idf);
    gb_free(l);
}

/* Entries, weights, the scores that choose, and a fit. */
uint64_t gb_linear_bytes(const gb_corpus *training, const gb_target *target)
{
    const uint64_t n_problems = gb_linear_n_problems(target), n_tested = training->n_docs / N_FOLDS + 1;
    return training->n_tokens * (sizeof(double) + sizeof(uint32_t)) +
           n_problems * (training->n_words + 1) * sizeof(double) +
           gb_linear_solver_bytes(training->n_words, training->n_docs) +
           N_COSTS * n_problems * n_tested * sizeof(double);
}

/* ---- prediction ------------------------------------------------------------------------------------ */

/* The scores of a document for the questions of a response, and what they decide. */
static void predict_document(const linear_fit *fit, const gb_target *target, uint64_t d, const double *score,
                             gb_prediction *out, gb_response_prediction *p)
{
    double *outputs = out->score + d * out->n_outputs + target->response.first_output;
    if (target->task == GB_TASK_REGRESSION) {
        outputs[0] = (fit->centre + score[0] - target->centre) / target->scale;
        p->mean[d] = fit->centre + score[0];
        p->sd[d] = p->q05[d] = p->q95[d] = NAN;
        return;
    }
    const bool several = target->task == GB_TASK_MULTILABEL;
    p->predicted[d] = several ? UINT64_MAX : gb_linear_decide(target, score);
    if (target->task == GB_TASK_ORDINAL)
        outputs[0] = (double)p->predicted[d];
    else
        for (size_t i = 0; i < fit->n_problems; i++)
            outputs[i] = score[i] - (several ? fit->cut : 0);
    for (size_t c = 0; c < target->n_classes; c++)
        p->probability[d * target->n_classes + c] = NAN;
}

static gb_status predict_response(const gb_linear *l, size_t response, const gb_sparse_columns *rows,
                                  gb_prediction *out, gb_error *err)
{
    const linear_fit *fit = &l->fit[response];
    double *score = NULL;
    gb_status st = gb_alloc(&score, fit->n_problems, sizeof *score, "a linear model", err);
    for (uint64_t d = 0; st == GB_OK && d < rows->n_docs; d++) {
        for (size_t i = 0; i < fit->n_problems; i++) {
            const double *weight = fit->weight + i * (l->n_words + 1);
            score[i] = gb_sparse_columns_dot(rows, d, weight) + weight[l->n_words];
        }
        predict_document(fit, &l->model->target[response], d, score, out, &out->response[response]);
    }
    gb_free(score);
    return st;
}

/* Made by gb_prediction_create() for these documents and this model. */
static gb_status check_prediction(const gb_linear *l, const gb_corpus *docs, const gb_prediction *out, gb_error *err)
{
    if (out->size < sizeof *out || out->n_docs != docs->n_docs || out->n_outputs != l->model->n_outputs ||
        out->n_responses != l->model->n_responses || out->score == NULL || out->response == NULL)
        return gb_fail(err, GB_EARGUMENT, "the prediction is not one of gb_prediction_create() for these documents");
    return GB_OK;
}

gb_status gb_linear_predict(const gb_linear *l, const gb_corpus *docs, gb_prediction *out, gb_error *err)
{
    gb_status st;
    gb_sparse_columns rows = {.n_docs = 0};
    GB_TRY(gb_model_check_words(l->model, docs, err));
    GB_TRY(check_prediction(l, docs, out, err));
    GB_TRY(gb_word_columns(docs, GB_WORD_TFIDF, l->idf, &rows, err));
    for (size_t r = 0; r < l->model->n_responses; r++)
        if (l->fit[r].n_problems > 0)
            GB_TRY(predict_response(l, r, &rows, out, err));
    for (uint64_t d = 0; out->n_known != NULL && d < docs->n_docs; d++)
        out->n_known[d] = docs->doc_start[d + 1] - docs->doc_start[d];
done:
    gb_sparse_columns_clear(&rows);
    return st;
}
