/* apply/predicted_draws.c - what each draw of a model says of documents. */
#include "apply/predicted_draws.h"

#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- the samples of a task ---- */

enum { SCORES_PER_TASK = 1 << 20, LEAST_TOKENS = 8 };

uint64_t gb_draws_tokens_per_task(const gb_apply_call *call)
{
    const uint64_t most = 1 << 14,
                   each = (uint64_t)gb_settings_int(call->settings, "infer-sweeps") * call->model->n_outputs;
    const uint64_t fit = LEAST_TOKENS * (SCORES_PER_TASK / (each + 1) + 1);
    return fit < most ? fit : most;
}

gb_status gb_draws_create_worker(const gb_prediction_run *r, gb_prediction_worker *w, gb_error *err)
{
    gb_status st;
    uint64_t most = 0;
    const gb_application *a = &r->application;
    const size_t n = a->model->n_outputs;
    size_t n_classes = 2;
    for (size_t i = 0; i < a->model->n_responses; i++)
        n_classes = a->model->target[i].n_classes > n_classes ? a->model->target[i].n_classes : n_classes;
    for (size_t i = 0; i < a->n_tasks; i++)
        most = a->task_start[i + 1] - a->task_start[i] > most ? a->task_start[i + 1] - a->task_start[i] : most;
    GB_TRY(gb_alloc(&w->sampled, most * r->topics.n_sweeps, n * sizeof *w->sampled, "scores", err));
    GB_TRY(gb_alloc(&w->expected, most, n * sizeof *w->expected, "scores", err));
    GB_TRY(gb_alloc(&w->scratch, n + n_classes, sizeof *w->scratch, "scores", err));
done:
    return st;
}

void gb_draws_begin(const gb_prediction_run *r, uint64_t first, uint64_t last, gb_prediction_worker *w)
{
    w->first_doc = first;
    memset(w->expected, 0, (last - first) * r->out->n_outputs * sizeof *w->expected);
}

void gb_draws_note_expected(const gb_prediction_run *r, uint64_t d, size_t n_samples, gb_prediction_worker *w)
{
    const size_t n = r->out->n_outputs;
    for (size_t l = 0; l < n; l++)
        w->expected[(d - w->first_doc) * n + l] += (double)n_samples * w->score[l];
}

void gb_draws_note_sampled(const gb_prediction_run *r, uint64_t d, size_t sample, size_t n_samples,
                           gb_prediction_worker *w)
{
    const size_t n = r->out->n_outputs, n_sweeps = r->topics.n_sweeps;
    const size_t sweep = sample - r->application.draw_number * n_sweeps;
    double *row = w->sampled + ((d - w->first_doc) * n_sweeps + sweep) * n;
    for (size_t i = 0; i < n_samples; i++)
        memcpy(row + i * n, w->score, n * sizeof *row);
}

/* ---- one document under one draw ---- */

/* A response in the draw at hand, and a document's scores in it. */
typedef struct view_of_draw {
    const gb_target *target;
    gb_response response; /* with the draw's own parameters */
    size_t n_sweeps, n_outputs, stride;
    double *score; /* of sweep i and output l at [i * stride + l]: the offset included */
    double log_unit;
} view_of_draw;

/* log of the mean of exp(x). */
static double log_mean_exp(double so_far, double x, size_t i)
{
    const double largest = fmax(so_far, x);
    if (i == 0 || !isfinite(largest))
        return i == 0 ? x : largest;
    const double n = (double)i;
    return largest + log((n * exp(so_far - largest) + exp(x - largest)) / (n + 1));
}

/* (2) of predicted_draws.h: of all outputs together. */
static double log_factor_of(const view_of_draw *v, const double *y)
{
    double all = 0;
    for (size_t l = 0; l < v->n_outputs; l++)
        if (isnan(y[l]))
            return NAN;
    for (size_t i = 0; i < v->n_sweeps; i++) {
        double sum = 0;
        for (size_t l = 0; l < v->n_outputs; l++)
            sum += v->response.ops->log_likelihood(&v->response, y[l], v->score[i * v->stride + l]);
        all = log_mean_exp(all, sum, i);
    }
    return all - v->log_unit;
}

/* Probabilities of the classes at one score, or the number that is expected. */
static void expect_at(const view_of_draw *v, const double *score, double *scratch, double *out)
{
    const gb_response *response = &v->response;
    const gb_task_kind task = v->target->task;
    double sum = 0;
    if (task == GB_TASK_REGRESSION) {
        *out = v->target->centre + v->target->scale * response->ops->number->mean(response, *score);
        return;
    }
    for (size_t c = 0; task == GB_TASK_ORDINAL && c < v->target->n_classes; c++)
        out[c] = response->ops->level_probability(response, c + 1, *score, 0);
    if (task == GB_TASK_ORDINAL)
        return;
    if (task == GB_TASK_MULTICLASS)
        response->ops->classes->weights(response, v->n_outputs, score, scratch);
    else
        gb_response_independent_classes(response, v->n_outputs, score, scratch);
    for (size_t l = 0; l < v->n_outputs; l++)
        sum += scratch[l];
    if (task == GB_TASK_BINARY) {
        out[0] = 1 - scratch[0];
        out[1] = scratch[0];
        return;
    }
    for (size_t l = 0; l < v->n_outputs; l++)
        out[l] = task == GB_TASK_MULTILABEL ? scratch[l] : sum > 0 ? scratch[l] / sum : 1 / (double)v->n_outputs;
}

/* (3): `expected` is of the same score. */
static void simulate_at(const view_of_draw *v, const double *score, const double *expected, gb_random *random,
                        double *out)
{
    const gb_target *target = v->target;
    if (target->task == GB_TASK_REGRESSION)
        *out = target->centre + target->scale * v->response.ops->simulate(&v->response, *score, random);
    else if (target->task == GB_TASK_ORDINAL)
        *out = v->response.ops->simulate(&v->response, *score, random) - 1;
    else if (target->task != GB_TASK_MULTILABEL)
        *out = (double)gb_random_categorical(random, target->n_classes, expected);
    else
        for (size_t l = 0; l < target->n_classes; l++)
            out[l] = gb_random_uniform(random) < expected[l];
}

/* Where the scores are as they were drawn. */
static void simulate(const gb_prediction_run *r, size_t i, uint64_t d, const view_of_draw *v, double *scratch)
{
    const gb_application *a = &r->application;
    const gb_response_draws *out = &r->draws->out->response[i];
    const uint64_t row = a->draw_number * a->docs->n_docs + d;
    const double *score = v->score + (v->n_sweeps - 1) * v->stride;
    double *expected = scratch + v->n_outputs;
    gb_random random =
        gb_random_open(gb_key_make(a->seed, a->draw->chain), (uint32_t)(a->draw_number * a->model->n_responses + i),
                       GB_DRAW_NEW_VALUE, gb_application_item(a, d));
    expect_at(v, score, scratch, expected);
    simulate_at(v, score, expected, &random, out->simulated + row * out->n_values);
}

static void move_scores(const view_of_draw *v, const double *expected)
{
    for (size_t l = 0; l < v->n_outputs; l++) {
        double mean = 0;
        for (size_t i = 0; i < v->n_sweeps; i++)
            mean += v->score[i * v->stride + l] / (double)v->n_sweeps;
        for (size_t i = 0; i < v->n_sweeps; i++)
            v->score[i * v->stride + l] += expected[l] - mean; /* (1) */
    }
}

static void expect(const gb_prediction_run *r, size_t i, uint64_t d, const view_of_draw *v, double *scratch)
{
    const gb_application *a = &r->application;
    const gb_response_draws *out = &r->draws->out->response[i];
    double *mean = out->expected + (a->draw_number * a->docs->n_docs + d) * out->n_expected;
    double *expected = scratch + v->n_outputs;
    memset(mean, 0, out->n_expected * sizeof *mean);
    for (size_t s = 0; s < v->n_sweeps; s++) {
        expect_at(v, v->score + s * v->stride, scratch, expected);
        for (size_t c = 0; c < out->n_expected; c++)
            mean[c] += expected[c];
    }
    for (size_t c = 0; c < out->n_expected; c++)
        mean[c] /= (double)v->n_sweeps; /* a sum of rounded shares may make a probability more than 1 */
}

static view_of_draw view_response(const gb_prediction_run *r, size_t i, uint64_t d, const gb_prediction_worker *w)
{
    const gb_application *a = &r->application;
    const gb_target *target = &a->model->target[i];
    const size_t n = a->model->n_outputs, n_sweeps = r->topics.n_sweeps;
    view_of_draw v = {.target = target,
                      .response = target->response,
                      .n_sweeps = n_sweeps,
                      .n_outputs = target->response.n_outputs,
                      .stride = n,
                      .score = w->sampled + (d - w->first_doc) * n_sweeps * n + target->response.first_output,
                      .log_unit = r->draws->log_unit[i]};
    v.response.own = GB_FROM(a->draw->own, v.response.first_own);
    return v;
}

static void add_offset(const view_of_draw *v, double offset)
{
    for (size_t i = 0; i < v->n_sweeps; i++)
        v->score[i * v->stride] += offset;
}

static void finish_response(const gb_prediction_run *r, size_t i, uint64_t d, const gb_prediction_worker *w)
{
    const gb_application *a = &r->application;
    const gb_response_draws *out = &r->draws->out->response[i];
    const size_t n = a->model->n_outputs, first = a->model->target[i].response.first_output;
    const view_of_draw v = view_response(r, i, d, w);
    const double offset = gb_response_offset(&v.response, r->offset, d);
    if (offset != 0)
        add_offset(&v, offset);
    if (out->simulated != NULL)
        simulate(r, i, d, &v, w->scratch);
    for (size_t l = 0; l < v.n_outputs; l++)
        w->score[l] = w->expected[(d - w->first_doc) * n + first + l] / (double)v.n_sweeps + offset;
    move_scores(&v, w->score);
    if (out->expected != NULL)
        expect(r, i, d, &v, w->scratch);
    if (out->log_factor != NULL)
        out->log_factor[a->draw_number * a->docs->n_docs + d] = log_factor_of(&v, r->draws->y + d * n + first);
}

void gb_draws_finish(const gb_prediction_run *r, uint64_t first, uint64_t last, gb_prediction_worker *w)
{
    const gb_application *a = &r->application;
    const gb_predicted_draws *out = r->draws->out;
    const size_t n = a->model->n_outputs;
    for (uint64_t d = first; d < last; d++) {
        double *score = out->score == NULL ? NULL : out->score + (a->draw_number * a->docs->n_docs + d) * n;
        for (size_t l = 0; score != NULL && l < n; l++)
            score[l] = w->expected[(d - first) * n + l] / r->topics.n_sweeps;
        for (size_t i = 0; out->response != NULL && i < a->model->n_responses; i++)
            finish_response(r, i, d, w);
    }
}

/* ---- the caller's arrays ---- */

static gb_status check_model(const gb_model *m, gb_error *err)
{
    if (m->n_responses == 0)
        return gb_fail(err, GB_EARGUMENT, "the model has no response, so there is nothing to predict");
    if (gb_model_is_one_vs_rest(m))
        return gb_fail(err, GB_EARGUMENT,
                       "the model has topics and draws for each class (`strategy` one-vs-rest), so no draw predicts "
                       "all of them; train with `strategy` shared");
    return GB_OK;
}

static uint64_t n_expected_of(const gb_target *target)
{
    return target->n_classes == 0 ? 1 : target->n_classes;
}

static gb_status check_sizes(const gb_model *m, const gb_corpus *docs, const gb_predicted_draws *out, gb_error *err)
{
    if (out->size < sizeof *out)
        return gb_fail(err, GB_EARGUMENT, "the size of the predicted draws is %zu, not sizeof(gb_predicted_draws)",
                       out->size);
    if (out->n_docs != docs->n_docs || out->n_snapshots != m->n_draws || out->n_outputs != m->n_outputs ||
        (out->response != NULL && out->n_responses != m->n_responses))
        return gb_fail(err, GB_EARGUMENT, "the predicted draws are not of the sizes of documents and model");
    for (size_t i = 0; out->response != NULL && i < m->n_responses; i++) {
        const gb_response_draws *of = &out->response[i];
        if (of->n_values != gb_target_n_values(&m->target[i]) || of->n_expected != n_expected_of(&m->target[i]))
            return gb_fail(err, GB_EARGUMENT, "the predicted draws of response %zu are not of the sizes of the model",
                           i);
        if ((of->expected != NULL || of->simulated != NULL) && !gb_target_has_law(&m->target[i]))
            return gb_fail(err, GB_EARGUMENT, "field \"%s\": a %s has no law of labels to expect or simulate them by",
                           m->target[i].field, m->target[i].response.ops->name);
    }
    return GB_OK;
}

/* A model with one response may find its values under another name, which the settings give. */
static const char *field_of(const gb_model *m, const gb_settings *s, size_t i)
{
    const gb_text_list *const lists[] = {gb_settings_list(s, "label"), gb_settings_list(s, "labels"),
                                         gb_settings_list(s, "target")};
    const char *named = NULL;
    size_t n_named = 0;
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++) {
        named = lists[l]->count > 0 ? lists[l]->item[0] : named;
        n_named += lists[l]->count;
    }
    return m->n_responses == 1 && n_named == 1 ? named : m->target[i].field;
}

static gb_status prepare_values(const gb_model *m, const gb_corpus *docs, const gb_settings *settings,
                                gb_draws_run *run, gb_error *err)
{
    gb_status st;
    const bool unknown_is_error = gb_settings_are(settings, "unknown-label", "error");
    GB_TRY(gb_alloc(&run->log_unit, m->n_responses, sizeof *run->log_unit, "responses", err));
    for (size_t i = 0; i < m->n_responses; i++)
        if (m->target[i].task == GB_TASK_REGRESSION && gb_model_is_likelihood(m, i))
            run->log_unit[i] = log(m->target[i].scale);
    GB_TRY(gb_alloc(&run->y, docs->n_docs, m->n_outputs * sizeof *run->y, "observed values", err));
    for (size_t i = 0; run->out->response != NULL && i < m->n_responses; i++)
        GB_TRY(gb_observed_values(&m->target[i], docs, field_of(m, settings, i), unknown_is_error, m->n_outputs,
                                  run->y + m->target[i].response.first_output, run->out->response[i].observed, err));
done:
    return st;
}

gb_status gb_predict_draws(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                           const gb_settings *settings, gb_on_apply *on_progress, void *user, gb_predicted_draws *out,
                           gb_error *err)
{
    gb_status st;
    gb_draws_run draws = {.out = out};
    gb_prediction means = {
        .size = sizeof means, .n_docs = docs->n_docs, .n_topics = model->n_topics, .n_outputs = model->n_outputs};
    gb_prediction_run r = {.out = &means, .draws = &draws};
    const gb_apply_call call = {model, docs, first_row, settings, on_progress, user, NULL};
    GB_TRY(check_model(model, err));
    GB_TRY(check_sizes(model, docs, out, err));
    GB_TRY(prepare_values(model, docs, settings, &draws, err));
    GB_TRY(gb_prediction_perform(&r, &call, err));
done:
    gb_prediction_clear(&r);
    gb_free(draws.y);
    gb_free(draws.log_unit);
    return st;
}

/* ---- arrays of the library's ---- */

/* Numbers of all arrays for one document; more than any memory may be infinite. */
static double numbers_of_document(const gb_model *m)
{
    double n = (double)m->n_outputs * (double)m->n_draws;
    for (size_t i = 0; i < m->n_responses; i++) {
        const gb_target *target = &m->target[i];
        const double n_values = (double)gb_target_n_values(target);
        const double by_law = gb_target_has_law(target) ? (double)n_expected_of(target) + n_values : 0;
        n += n_values + (double)m->n_draws * (1 + by_law);
    }
    return n;
}

/* Of all arrays; UINT64_MAX if they are more than that. */
static uint64_t bytes_of(const gb_model *m, uint64_t n_docs)
{
    const double bytes = sizeof(double) * numbers_of_document(m) * (double)n_docs;
    return bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX;
}

static gb_status check_bytes(const gb_model *m, uint64_t n_docs, uint64_t most_bytes, gb_error *err)
{
    const uint64_t bytes = bytes_of(m, n_docs);
    if (most_bytes == 0 || bytes <= most_bytes)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT,
                   "predictions of %" PRIu64 " documents by each of %zu draws take %.1f GB, and %.1f GB are allowed: "
                   "choose %.0f documents or fewer, allow more, or train with fewer `snapshots`",
                   n_docs, m->n_draws, (double)bytes / 1e9, (double)most_bytes / 1e9,
                   floor((double)most_bytes / (sizeof(double) * numbers_of_document(m))));
}

static gb_status create_response(const gb_target *target, uint64_t n_docs, uint64_t n_draws, gb_response_draws *out,
                                 gb_error *err)
{
    gb_status st;
    const char *what = "predictions by each draw";
    const size_t n = sizeof(double), rows = n_docs * n_draws;
    out->n_values = gb_target_n_values(target);
    out->n_expected = n_expected_of(target);
    GB_TRY(gb_alloc(&out->observed, n_docs, out->n_values * n, what, err));
    GB_TRY(gb_alloc(&out->log_factor, rows, n, what, err));
    if (gb_target_has_law(target)) {
        GB_TRY(gb_alloc(&out->expected, rows, out->n_expected * n, what, err));
        GB_TRY(gb_alloc(&out->simulated, rows, out->n_values * n, what, err));
    }
done:
    return st;
}

gb_status gb_predicted_draws_create(const gb_model *m, uint64_t n_docs, uint64_t most_bytes, gb_predicted_draws **out,
                                    gb_error *err)
{
    gb_status st;
    gb_predicted_draws *p = NULL;
    const char *what = "predictions by each draw";
    GB_TRY(check_model(m, err));
    GB_TRY(check_bytes(m, n_docs, most_bytes, err));
    if (bytes_of(m, n_docs) == UINT64_MAX)
        return gb_fail_memory(err, SIZE_MAX, what);
    GB_TRY(gb_alloc(&p, 1, sizeof *p, what, err));
    p->size = sizeof *p;
    p->n_snapshots = m->n_draws;
    p->n_docs = n_docs;
    p->n_outputs = m->n_outputs;
    GB_TRY(gb_alloc(&p->score, n_docs * p->n_snapshots, p->n_outputs * sizeof *p->score, what, err));
    GB_TRY(gb_alloc(&p->response, m->n_responses, sizeof *p->response, what, err));
    p->n_responses = m->n_responses;
    for (size_t i = 0; i < m->n_responses; i++)
        GB_TRY(create_response(&m->target[i], n_docs, p->n_snapshots, &p->response[i], err));
    *out = p;
    p = NULL;
done:
    gb_predicted_draws_free(p);
    return st;
}

void gb_predicted_draws_free(gb_predicted_draws *p)
{
    if (p == NULL)
        return;
    for (size_t i = 0; i < p->n_responses; i++) {
        gb_free(p->response[i].observed);
        gb_free(p->response[i].expected);
        gb_free(p->response[i].simulated);
        gb_free(p->response[i].log_factor);
    }
    gb_free(p->response);
    gb_free(p->score);
    gb_free(p);
}
