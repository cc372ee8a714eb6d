/* apply/predict.c - topics and labels of new documents, averaged over the draws of a model. */
#include "apply/explain.h"
#include "apply/predicted_draws.h"
#include "apply/prediction.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

enum { TOKENS_PER_TASK = 1 << 14 };

/* ---- samples ---- */

/* Topic shares are averaged over the samples of the first chain. */
static bool counts_for_shares(const gb_prediction_run *r)
{
    return r->out->share != NULL && r->application.draw->chain == r->application.model->draw[0].chain;
}

static double share_weight(const gb_prediction_run *r)
{
    return 1 / ((double)r->n_first * r->topics.n_sweeps);
}

static void add_shares(gb_prediction_run *r, uint64_t d, const double *share, double weight)
{
    double *sum = r->out->share + d * r->out->n_topics;
    for (size_t k = 0; k < r->out->n_topics; k++)
        sum[k] += weight * share[k];
}

/* w->share, to count as n_samples. */
static void add_expected_shares(gb_prediction_run *r, uint64_t d, size_t n_samples, gb_prediction_worker *w)
{
    gb_prediction_add_scores(r, d, w->share, n_samples, w);
    if (counts_for_shares(r))
        add_shares(r, d, w->share, (double)n_samples * share_weight(r));
}

/* The topics that a document has, and their shares. */
static size_t list_shares(const gb_prediction_run *r, const uint16_t *topic, uint64_t length, gb_prediction_worker *w)
{
    size_t n = 0;
    for (uint64_t i = 0; i < length; i++)
        w->count[topic[i]]++;
    if (length < r->out->n_topics) {
        for (uint64_t i = 0; i < length; i++) {
            if (w->count[topic[i]] == 0)
                continue;
            w->share[n] = w->count[topic[i]] / (double)length;
            w->topic[n++] = topic[i];
            w->count[topic[i]] = 0;
        }
        return n;
    }
    for (size_t k = 0; k < r->out->n_topics; k++) {
        if (w->count[k] == 0)
            continue;
        w->share[n] = w->count[k] / (double)length;
        w->topic[n++] = (uint16_t)k;
        w->count[k] = 0;
    }
    return n;
}

/* Expected shares take the time of some more topics drawn.  They pay where scores are made of them; for shares alone it is
 * enough that the last sample has them, so that no share is 0. */
static bool wants_expected_shares(const gb_prediction_run *r, uint32_t sweep)
{
    return r->application.model->n_outputs > 0 ||
           (r->application.draw_number + 1 == r->n_first && sweep + 1 == r->topics.n_sweeps);
}

static void add_drawn_shares(gb_prediction_run *r, uint64_t d, size_t n, const gb_prediction_worker *w)
{
    double *sum = r->out->share + d * r->out->n_topics;
    for (size_t i = 0; i < n; i++)
        sum[w->topic[i]] += share_weight(r) * w->share[i];
}

/* One draw of the topics; under a prior that has its own weights in each document, what is expected of them is added, too. */
static void add_sample(void *context, uint64_t d, const uint16_t *topic, uint32_t sweep, size_t worker)
{
    gb_prediction_run *r = context;
    gb_prediction_worker *w = &r->worker[worker];
    const gb_application *a = &r->application;
    const bool is_expected = !gb_prediction_settles(r) && wants_expected_shares(r, sweep),
               counts_as_drawn = !gb_prediction_settles(r) && !is_expected && counts_for_shares(r);
    if (r->sample_score != NULL || counts_as_drawn) {
        const size_t n = list_shares(r, topic, gb_application_length(a, d), w);
        gb_prediction_add_sample(r, d, n, w->topic, w->share, a->draw_number * r->topics.n_sweeps + sweep, 1, w);
        if (counts_as_drawn)
            add_drawn_shares(r, d, n, w);
    }
    if (!is_expected)
        return;
    gb_new_topics_expected_shares(&r->topics, d, worker, w->share);
    add_expected_shares(r, d, 1, w);
}

/* A document of which nothing is known has the prior's shares, as they are expected; drawn as often as its topics would be where single
 * draws count. */
static gb_status predict_without_words(gb_prediction_run *r, uint64_t d, size_t worker, gb_error *err)
{
    const gb_application *a = &r->application;
    const gb_prior *prior = &a->prior;
    const bool has_points = gb_prediction_has_points(r);
    gb_prediction_worker *w = &r->worker[worker];
    const size_t first = a->draw_number * r->topics.n_sweeps;
    for (uint32_t sweep = 0; !has_points && sweep < r->topics.n_sweeps; sweep++) {
        const gb_prior_document document = gb_new_topics_document(&r->topics, d, sweep);
        gb_random random = gb_random_open(document.key, document.sweep, GB_DRAW_INFER_PSI, document.row);
        prior->ops->documents->draw_shares(prior, document.group, &random, w->share);
        gb_prediction_add_sample(r, d, r->out->n_topics, NULL, w->share, first + sweep, 1, w);
    }
    memcpy(w->share, r->prior_share + r->unknown[gb_application_group(a, d)] * r->out->n_topics,
           r->out->n_topics * sizeof *w->share);
    add_expected_shares(r, d, r->topics.n_sweeps, w);
    return has_points ? gb_prediction_add_points(r, d, worker, err) : GB_OK;
}

/* ---- the loop ---- */

/* Of documents without words of one group. */
static gb_status expect_group(void *context, size_t i, size_t worker, gb_error *err)
{
    const gb_prediction_run *r = context;
    const gb_application *a = &r->application;
    const size_t n_topics = a->model->n_topics,
                 n = r->prior_answer == NULL || !gb_prediction_has_points(r) ? 0 : a->draw->n_outputs;
    (void)err;
    a->prior.ops->documents->expect(&a->prior, r->unknown_group[i], n, r->eta_by_feature,
                                    r->prior_room + worker * (2 * n_topics + a->model->n_outputs),
                                    r->prior_share + i * n_topics, GB_FROM(r->prior_answer, i * n_topics * n));
    return GB_OK;
}

static gb_status begin_draw(void *context, gb_error *err)
{
    gb_status st;
    gb_prediction_run *r = context;
    if (r->score != NULL)
        gb_prediction_begin_scores(r);
    gb_new_topics_begin(&r->topics);
    gb_prediction_begin_points(r);
    st = gb_parallel_for(r->n_unknown, r->application.n_threads, expect_group, r, err);
    if (st != GB_OK)
        return st;
    return r->explain == NULL ? GB_OK : gb_explain_begin(r, err);
}

static gb_status settle_document(gb_prediction_run *r, uint64_t d, size_t worker, gb_error *err)
{
    gb_prediction_worker *w = &r->worker[worker];
    const gb_prior_document document = gb_new_topics_document(&r->topics, d, 0);
    if (!gb_expected_topics_settle(&w->expected_topics, &r->application, d, &document, r->topics.scale, worker,
                                   w->share, r->explain == NULL ? NULL : gb_explain_room(r, worker)))
        return gb_application_stopped(err);
    add_expected_shares(r, d, r->topics.n_sweeps, w);
    return gb_prediction_has_points(r) ? gb_prediction_add_points(r, d, worker, err) : GB_OK;
}

static gb_status predict_documents(void *context, uint64_t first, uint64_t last, size_t worker, gb_error *err)
{
    gb_status st = GB_OK;
    gb_prediction_run *r = context;
    gb_prediction_score_columns(r, first, last);
    if (r->draws != NULL)
        gb_draws_begin(r, first, last, &r->worker[worker]);
    for (uint64_t d = first; d < last; d++) {
        if (!gb_application_goes_on(&r->application, worker))
            return gb_application_stopped(err);
        if (gb_application_length(&r->application, d) == 0)
            GB_TRY(predict_without_words(r, d, worker, err));
        else if (gb_prediction_settles(r))
            GB_TRY(settle_document(r, d, worker, err));
    }
    if (!gb_prediction_settles(r) || (r->sample_score != NULL && !gb_prediction_has_points(r)))
        GB_TRY(gb_new_topics_draw(&r->topics, first, last, worker, add_sample, r, err));
    if (r->draws != NULL)
        gb_draws_finish(r, first, last, &r->worker[worker]);
done:
    return st;
}

/* ---- preparing ---- */

static gb_status create_workers(gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    const gb_model *m = r->application.model;
    const char *what = "workers";
    GB_TRY(gb_alloc(&r->worker, r->application.n_threads, sizeof *r->worker, what, err));
    for (size_t i = 0; i < r->application.n_threads; i++) {
        gb_prediction_worker *w = &r->worker[i];
        GB_TRY(gb_expected_topics_create(&w->expected_topics, &r->application, err));
        GB_TRY(gb_alloc(&w->count, m->n_topics, sizeof *w->count, what, err));
        GB_TRY(gb_alloc(&w->topic, m->n_topics, sizeof *w->topic, what, err));
        GB_TRY(gb_alloc(&w->share, m->n_topics, sizeof *w->share, what, err));
        GB_TRY(gb_alloc(&w->pulled, 2 * m->n_topics, sizeof *w->pulled, what, err));
        GB_TRY(gb_alloc(&w->moved, (GB_MOST_PULLS + 1) * m->n_outputs, sizeof *w->moved, what, err));
        GB_TRY(gb_alloc(&w->open, 3 * m->n_outputs, sizeof *w->open, what, err));
        GB_TRY(gb_alloc(&w->score, m->n_outputs, sizeof *w->score, what, err));
        GB_TRY(gb_alloc(&w->probability, m->n_outputs, sizeof *w->probability, what, err));
        if (r->draws != NULL)
            GB_TRY(gb_draws_create_worker(r, w, err));
    }
    if (r->explain != NULL)
        GB_TRY(gb_explain_create_workers(r, err));
done:
    return st;
}

/* The groups of this rank's documents without words. */
static gb_status list_unknown(gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    const gb_application *a = &r->application;
    const char *what = "the document prior";
    uint64_t n_groups = 1;
    for (uint64_t d = a->first_doc; d < a->last_doc; d++)
        n_groups = gb_application_group(a, d) >= n_groups ? gb_application_group(a, d) + 1 : n_groups;
    GB_TRY(gb_alloc(&r->unknown, n_groups, sizeof *r->unknown, what, err));
    for (uint64_t d = a->first_doc; d < a->last_doc; d++)
        if (gb_application_length(a, d) == 0)
            r->unknown[gb_application_group(a, d)] = 1;
    for (uint64_t g = 0; g < n_groups; g++)
        r->n_unknown += r->unknown[g];
    GB_TRY(gb_alloc(&r->unknown_group, r->n_unknown, sizeof *r->unknown_group, what, err));
    for (uint64_t g = 0, n = 0; g < n_groups; g++)
        if (r->unknown[g] == 1) {
            r->unknown[g] = (uint32_t)n;
            r->unknown_group[n++] = (uint32_t)g;
        }
done:
    return st;
}

/* After the scores are prepared. */
static gb_status prepare_unknown(gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    const gb_application *a = &r->application;
    const size_t n_topics = a->model->n_topics, n_outputs = a->model->n_outputs;
    const char *what = "the document prior";
    GB_TRY(list_unknown(r, err));
    GB_TRY(gb_alloc(&r->prior_share, r->n_unknown, n_topics * sizeof *r->prior_share, what, err));
    if (r->sample_score != NULL && r->draws == NULL)
        GB_TRY(gb_alloc(&r->prior_answer, r->n_unknown * n_topics, n_outputs * sizeof *r->prior_answer, what, err));
    GB_TRY(gb_alloc(&r->prior_room, a->n_threads, (2 * n_topics + n_outputs) * sizeof *r->prior_room, what, err));
done:
    return st;
}

static gb_status prepare(gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    const gb_model *m = r->application.model;
    GB_TRY(gb_new_topics_create(&r->topics, &r->application, err));
    while (r->n_first < m->n_draws && m->draw[r->n_first].chain == m->draw[0].chain)
        r->n_first++;
    r->n_samples = m->n_draws * r->topics.n_sweeps;
    if (m->n_outputs > 0 && (r->out->score != NULL || r->out->response != NULL || r->draws != NULL))
        GB_TRY(gb_prediction_prepare_scores(r, err));
    GB_TRY(prepare_unknown(r, err));
    GB_TRY(create_workers(r, err));
done:
    return st;
}

void gb_prediction_clear(gb_prediction_run *r)
{
    for (size_t i = 0; r->worker != NULL && i < r->application.n_threads; i++) {
        gb_prediction_worker *w = &r->worker[i];
        gb_expected_topics_clear(&w->expected_topics);
        gb_free(w->count);
        gb_free(w->topic);
        gb_free(w->share);
        gb_free(w->pulled);
        gb_free(w->moved);
        gb_free(w->open);
        gb_free(w->score);
        gb_free(w->probability);
        gb_free(w->sampled);
        gb_free(w->expected);
        gb_free(w->scratch);
    }
    gb_free(r->worker);
    for (size_t i = 0; r->number_score != NULL && i < r->application.model->n_responses; i++)
        gb_free(r->number_score[i]);
    gb_free(r->number_score);
    gb_free(r->output_samples);
    gb_free(r->own_score);
    gb_free(r->draw_sum);
    gb_free(r->sample_score);
    gb_free(r->offset);
    gb_free(r->unknown);
    gb_free(r->unknown_group);
    gb_free(r->prior_share);
    gb_free(r->prior_answer);
    gb_free(r->prior_room);
    gb_free(r->point);
    gb_free(r->pulled_scale);
    gb_free(r->pull);
    gb_free(r->eta_by_feature);
    gb_free(r->word_by_word);
    gb_free(r->word_score);
    gb_sparse_columns_clear(&r->x);
    gb_sparse_columns_clear(&r->words);
    gb_free(r->fixed_score);
    gb_free(r->average);
    gb_free(r->embedding.value);
    gb_new_topics_clear(&r->topics);
    gb_application_clear(&r->application);
}

/* ---- the caller's arrays ---- */

/* All arrays of its kind, or none. */
static bool is_whole(const gb_response_prediction *p)
{
    const int n_classes = (p->probability != NULL) + (p->predicted != NULL),
              n_numbers = (p->mean != NULL) + (p->sd != NULL) + (p->q05 != NULL) + (p->q95 != NULL);
    return p->n_classes > 0 ? n_classes % 2 == 0 && n_numbers == 0 : n_numbers % 4 == 0 && n_classes == 0;
}

static gb_status check_response(const gb_target *target, size_t i, const gb_response_prediction *p, gb_error *err)
{
    if (p->n_classes != target->n_classes)
        return gb_fail(err, GB_EARGUMENT, "the prediction has %llu classes of response %zu, the model has %zu",
                       (unsigned long long)p->n_classes, i, target->n_classes);
    if (!is_whole(p))
        return gb_fail(err, GB_EARGUMENT, "the prediction of response %zu has some of its arrays, but not all", i);
    return GB_OK;
}

static gb_status check_sizes(const gb_model *m, const gb_corpus *docs, const gb_prediction *out, gb_error *err)
{
    if (out->size < sizeof *out)
        return gb_fail(err, GB_EARGUMENT, "the size of the prediction is %zu, not sizeof(gb_prediction)", out->size);
    if (out->n_docs != docs->n_docs || out->n_topics != m->n_topics || out->n_outputs != m->n_outputs ||
        out->n_responses != (out->response == NULL ? out->n_responses : m->n_responses))
        return gb_fail(err, GB_EARGUMENT, "the prediction is not of the sizes of documents and model");
    gb_status st = GB_OK;
    for (size_t i = 0; st == GB_OK && out->response != NULL && i < m->n_responses; i++)
        st = check_response(&m->target[i], i, &out->response[i], err);
    return st;
}

/* What samples are added to. */
static void zero(gb_prediction *out)
{
    if (out->share != NULL)
        memset(out->share, 0, out->n_docs * out->n_topics * sizeof *out->share);
    if (out->score != NULL)
        memset(out->score, 0, out->n_docs * out->n_outputs * sizeof *out->score);
    if (out->score_error != NULL)
        memset(out->score_error, 0, out->n_docs * out->n_outputs * sizeof *out->score_error);
    for (size_t i = 0; out->response != NULL && i < out->n_responses; i++)
        if (out->response[i].probability != NULL)
            memset(out->response[i].probability, 0,
                   out->n_docs * out->response[i].n_classes * sizeof *out->response[i].probability);
}

static uint64_t tokens_per_task(const gb_prediction_run *r, const gb_apply_call *call)
{
    return r->draws == NULL ? TOKENS_PER_TASK : gb_draws_tokens_per_task(call);
}

/* The documents of this rank. */
static bool is_finite(const double *value, size_t n)
{
    double check = 0; /* NaN if one is not */
    for (size_t i = 0; i < n; i++)
        check += 0 * value[i];
    return check == 0;
}

/* Numbers far from those of the training can overflow; an empty cell would say nothing of it. */
static gb_status check_numbers(const gb_prediction_run *r, gb_error *err)
{
    const gb_prediction *out = r->out;
    const gb_application *a = &r->application;
    for (uint64_t d = a->first_doc; d < a->last_doc; d++) {
        bool good = out->share == NULL || is_finite(out->share + d * out->n_topics, out->n_topics);
        good = good && (r->score == NULL || is_finite(r->score + d * out->n_outputs, out->n_outputs));
        for (size_t i = 0; good && out->response != NULL && i < out->n_responses; i++)
            good = out->response[i].mean == NULL || isfinite(out->response[i].mean[d]);
        if (!good)
            return gb_fail(
                err, GB_ENUMERIC,
                "document %llu: what is predicted is not finite; its numbers, or those of the model, are too large",
                (unsigned long long)(r->application.first_row + d) + 1);
    }
    return GB_OK;
}

gb_status gb_prediction_perform(gb_prediction_run *r, const gb_apply_call *call, gb_error *err)
{
    gb_status st;
    const gb_prediction *out = r->out;
    GB_TRY(gb_application_open(&r->application, call, GB_BATCH_COUNTS, tokens_per_task(r, call), err));
    for (uint64_t d = 0; out->n_known != NULL && d < out->n_docs; d++)
        out->n_known[d] = gb_application_length(&r->application, d);
    GB_TRY(prepare(r, err));
    GB_TRY(gb_for_each_draw(&r->application, begin_draw, predict_documents, r, err));
    gb_prediction_finish_errors(r);
    if (r->score != NULL && out->response != NULL) {
        GB_TRY(gb_prediction_finish_classes(r, err));
        GB_TRY(gb_for_each_document(&r->application, gb_prediction_finish_numbers, r, err));
    }
    GB_TRY(check_numbers(r, err));
done:
    return st;
}

static gb_status gather(const gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    const gb_application *a = &r->application;
    const gb_prediction *out = r->out;
    GB_TRY(gb_application_gather(a, out->share, out->n_topics * sizeof *out->share, err));
    GB_TRY(gb_application_gather(a, out->score, out->n_outputs * sizeof *out->score, err));
    GB_TRY(gb_application_gather(a, out->score_error, out->n_outputs * sizeof *out->score_error, err));
    for (size_t i = 0; out->response != NULL && i < out->n_responses; i++) {
        const gb_response_prediction *p = &out->response[i];
        double *const numbers[] = {p->mean, p->sd, p->q05, p->q95};
        GB_TRY(gb_application_gather(a, p->probability, p->n_classes * sizeof *p->probability, err));
        GB_TRY(gb_application_gather(a, p->predicted, sizeof *p->predicted, err));
        for (size_t j = 0; j < sizeof numbers / sizeof numbers[0]; j++)
            GB_TRY(gb_application_gather(a, numbers[j], sizeof *numbers[j], err));
    }
done:
    return st;
}

gb_status gb_predict(const gb_model *model, const gb_corpus *docs, uint64_t first_row, const gb_settings *settings,
                     gb_on_apply *on_progress, void *user, gb_prediction *out, gb_error *err)
{
    gb_prediction_run r = {.out = out};
    const gb_apply_call call = {model, docs, first_row, settings, on_progress, user, gb_settings_team(settings)};
    gb_error here = {.status = GB_OK};
    gb_status st = check_sizes(model, docs, out, err);
    if (st != GB_OK)
        return st;
    zero(out);
    here.status = gb_prediction_perform(&r, &call, &here);
    st = gb_application_agree(&r.application, &here, err);
    if (st == GB_OK)
        st = gather(&r, err);
    gb_prediction_clear(&r);
    return st;
}

gb_status gb_infer(const gb_model *model, const gb_corpus *docs, uint64_t first_row, const gb_settings *settings,
                   gb_on_apply *on_progress, void *user, double *share, gb_error *err)
{
    gb_prediction out = {.size = sizeof out,
                         .n_docs = docs->n_docs,
                         .n_topics = model->n_topics,
                         .n_outputs = model->n_outputs,
                         .share = share};
    return gb_predict(model, docs, first_row, settings, on_progress, user, &out, err);
}

/* ---- arrays of the library's ---- */

static gb_status create_response(const gb_target *target, uint64_t n_docs, gb_response_prediction *p, gb_error *err)
{
    gb_status st;
    const char *what = "a prediction";
    p->n_classes = target->n_classes;
    if (target->task == GB_TASK_REGRESSION) {
        GB_TRY(gb_alloc(&p->mean, n_docs, sizeof *p->mean, what, err));
        GB_TRY(gb_alloc(&p->sd, n_docs, sizeof *p->sd, what, err));
        GB_TRY(gb_alloc(&p->q05, n_docs, sizeof *p->q05, what, err));
        GB_TRY(gb_alloc(&p->q95, n_docs, sizeof *p->q95, what, err));
    } else {
        GB_TRY(gb_alloc(&p->probability, n_docs * p->n_classes, sizeof *p->probability, what, err));
        GB_TRY(gb_alloc(&p->predicted, n_docs, sizeof *p->predicted, what, err));
    }
done:
    return st;
}

gb_status gb_prediction_create(const gb_model *m, uint64_t n_docs, gb_prediction **out, gb_error *err)
{
    return gb_prediction_make(m, n_docs, true, out, err);
}

gb_status gb_prediction_make(const gb_model *m, uint64_t n_docs, bool has_errors, gb_prediction **out, gb_error *err)
{
    gb_status st;
    gb_prediction *p = NULL;
    const char *what = "a prediction";
    GB_TRY(gb_alloc(&p, 1, sizeof *p, what, err));
    p->size = sizeof *p;
    p->n_docs = n_docs;
    p->n_topics = m->n_topics;
    p->n_outputs = m->n_outputs;
    GB_TRY(gb_alloc(&p->share, p->n_docs * p->n_topics, sizeof *p->share, what, err));
    GB_TRY(gb_alloc(&p->n_known, p->n_docs, sizeof *p->n_known, what, err));
    if (m->n_outputs > 0) {
        GB_TRY(gb_alloc(&p->score, p->n_docs * p->n_outputs, sizeof *p->score, what, err));
        if (has_errors)
            GB_TRY(gb_alloc(&p->score_error, p->n_docs * p->n_outputs, sizeof *p->score_error, what, err));
        GB_TRY(gb_alloc(&p->response, m->n_responses, sizeof *p->response, what, err));
        p->n_responses = m->n_responses;
        for (size_t i = 0; i < m->n_responses; i++)
            GB_TRY(create_response(&m->target[i], p->n_docs, &p->response[i], err));
    }
    *out = p;
    p = NULL;
done:
    gb_prediction_free(p);
    return st;
}

void gb_prediction_free(gb_prediction *p)
{
    if (p == NULL)
        return;
    for (uint64_t i = 0; p->response != NULL && i < p->n_responses; i++) {
        gb_free(p->response[i].probability);
        gb_free(p->response[i].predicted);
        gb_free(p->response[i].mean);
        gb_free(p->response[i].sd);
        gb_free(p->response[i].q05);
        gb_free(p->response[i].q95);
    }
    gb_free(p->response);
    gb_free(p->share);
    gb_free(p->score);
    gb_free(p->score_error);
    gb_free(p->n_known);
    gb_free(p);
}
