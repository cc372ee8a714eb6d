/* apply/predict_scores.c - scores of new documents, and probabilities of classes. */
#include "apply/explain.h"
#include "apply/predicted_draws.h"
#include "apply/prediction.h"

#include "base/memory.h"
#include "math/special.h"

#include <math.h>
#include <string.h>

/* ---- preparing ---- */

static gb_status find_exposures(gb_prediction_run *r, gb_error *err)
{
    const gb_application *a = &r->application;
    const gb_corpus *docs = a->docs;
    const gb_numbers *exposure = NULL;
    if (*a->model->exposure == '\0')
        return GB_OK;
    for (size_t f = 0; f < docs->n_numbers; f++)
        if (docs->numbers[f].role == GB_ROLE_EXPOSURE)
            exposure = &docs->numbers[f];
    const gb_status st = gb_alloc(&r->offset, docs->n_docs, sizeof *r->offset, "exposures", err);
    for (uint64_t d = 0; st == GB_OK && d < docs->n_docs; d++) {
        if (exposure == NULL || !(exposure->value[d] > 0))
            return gb_fail(err, GB_EFORMAT, "document %llu has no exposure (field \"%s\"); expected a number above 0",
                           (unsigned long long)a->first_row + d + 1, a->model->exposure);
        r->offset[d] = log(exposure->value[d]);
    }
    return st;
}

static gb_status prepare_numbers(gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    const gb_model *m = r->application.model;
    GB_TRY(gb_alloc(&r->number_score, m->n_responses, sizeof *r->number_score, "scores", err));
    for (size_t i = 0; i < m->n_responses; i++)
        if (m->target[i].task == GB_TASK_REGRESSION && gb_prediction_is_wanted(r->out, i))
            GB_TRY(gb_alloc(&r->number_score[i], r->out->n_docs * r->n_samples, sizeof *r->number_score[i], "scores",
                            err));
done:
    return st;
}

/* Whether more than the mean of a score counts for some response that is wanted. */
static bool needs_samples(const gb_prediction_run *r)
{
    const gb_model *m = r->application.model;
    bool needs = false;
    for (size_t i = 0; i < m->n_responses; i++)
        needs |= gb_prediction_is_wanted(r->out, i) &&
                 (m->target[i].task == GB_TASK_REGRESSION || gb_target_averages_probabilities(&m->target[i]));
    return needs;
}

/* Where more than mean scores counts, for these have what is expected of words. */
static gb_status make_room_for_words(gb_prediction_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n_outputs = r->application.model->n_outputs;
    if (r->words.n_columns == 0 || (r->sample_score == NULL && r->draws == NULL))
        return st;
    GB_TRY(gb_alloc(&r->word_by_word, r->words.n_columns * n_outputs, sizeof *r->word_by_word, "coefficients", err));
    GB_TRY(gb_alloc(&r->word_score, r->application.docs->n_docs * n_outputs, sizeof *r->word_score, "scores", err));
done:
    return st;
}

static gb_status apply_coding(gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    const gb_application *a = &r->application;
    const gb_coding *coding = a->model->coding;
    GB_TRY(gb_coding_apply(coding, a->docs, a->call.settings, a->first_row, &r->x, err));
    GB_TRY(gb_coding_apply_embedding(coding, a->docs, a->call.settings, a->first_row, &r->embedding, err));
    GB_TRY(gb_prediction_prepare_words(r, err));
    const bool topics_alone = a->call.settings != NULL && gb_settings_yes(a->call.settings, "topics-alone");
    const size_t n_outputs = a->model->n_outputs;
    if (!topics_alone)
        GB_TRY(make_room_for_words(r, err));
    if (r->embedding.n_columns > 0 || (topics_alone && r->words.n_columns > 0))
        GB_TRY(gb_alloc(&r->fixed_score, a->docs->n_docs * n_outputs, sizeof *r->fixed_score, "scores", err));
    if (r->fixed_score != NULL && topics_alone)
        GB_TRY(gb_alloc(&r->average, n_outputs, sizeof *r->average, "scores", err));
done:
    return st;
}

gb_status gb_prediction_prepare_scores(gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    gb_application *a = &r->application;
    const gb_model *m = a->model;
    const size_t n_features = gb_model_n_features(m);
    r->score = r->out->score;
    if (r->score == NULL) {
        GB_TRY(gb_alloc(&r->own_score, r->out->n_docs * m->n_outputs, sizeof *r->own_score, "scores", err));
        r->score = r->own_score;
    }
    if (r->out->score_error != NULL)
        GB_TRY(gb_alloc(&r->draw_sum, r->out->n_docs * m->n_outputs, sizeof *r->draw_sum, "scores", err));
    if (r->draws != NULL || needs_samples(r))
        GB_TRY(gb_alloc(&r->sample_score, r->out->n_docs * m->n_outputs, sizeof *r->sample_score, "scores", err));
    GB_TRY(gb_prediction_prepare_points(r, err));
    GB_TRY(gb_alloc(&r->eta_by_feature, n_features * m->n_outputs, sizeof *r->eta_by_feature, "coefficients", err));
    GB_TRY(gb_alloc(&r->output_samples, m->n_outputs, sizeof *r->output_samples, "scores", err));
    for (size_t i = 0; i < m->n_draws; i++)
        for (size_t l = 0; l < m->draw[i].n_outputs; l++)
            r->output_samples[m->draw[i].first_output + l] += r->topics.n_sweeps;
    GB_TRY(prepare_numbers(r, err));
    if (m->coding != NULL)
        GB_TRY(apply_coding(r, err));
    GB_TRY(find_exposures(r, err));
done:
    return st;
}

/* Numbers of embeddings have the mean 0. */
static void find_average(gb_prediction_run *r, size_t n)
{
    const double *of_words = r->application.draw->word_average;
    for (size_t l = 0; l < n; l++)
        r->average[l] = of_words == NULL ? 0 : of_words[l];
}

/* eta by feature: the outputs of one topic lie together, and a document uses few topics. */
void gb_prediction_begin_scores(gb_prediction_run *r)
{
    const gb_draw *draw = r->application.draw;
    const size_t n_features = gb_model_n_features(r->application.model), n = draw->n_outputs;
    for (size_t k = 0; k < n_features; k++)
        for (size_t l = 0; l < n; l++)
            r->eta_by_feature[k * n + l] = draw->eta[l * n_features + k];
    gb_prediction_begin_words(r);
    if (r->average != NULL)
        find_average(r, n);
}

/* ---- one sample of one document ---- */

static void add_feature(size_t n, double value, const double *eta, double *score)
{
    for (size_t l = 0; l < n; l++)
        score[l] += eta[l] * value;
}

void gb_prediction_score_columns(gb_prediction_run *r, uint64_t first, uint64_t last)
{
    const gb_dense_columns *e = &r->embedding;
    const size_t n = r->application.draw->n_outputs, n_outputs = r->application.model->n_outputs;
    gb_prediction_score_words(r, first, last);
    if (r->fixed_score == NULL)
        return;
    const double *of_embedding = r->eta_by_feature + (r->application.model->n_topics + r->x.n_columns) * n;
    for (uint64_t d = first; d < last; d++) {
        double *score = r->fixed_score + d * n_outputs;
        if (r->average != NULL) {
            memcpy(score, r->average, n * sizeof *score);
            continue;
        }
        memset(score, 0, n * sizeof *score);
        for (size_t j = 0; j < e->n_columns; j++)
            add_feature(n, gb_dense_columns_row(e, d)[j], of_embedding + j * n, score);
    }
}

/* Without the words' part. */
static void make_scores(const gb_prediction_run *r, uint64_t d, size_t n_topics, const uint16_t *topic,
                        const double *share, double *score)
{
    const gb_model *m = r->application.model;
    const size_t n = r->application.draw->n_outputs, n_features = gb_model_n_features(m);
    for (size_t l = 0; l < n; l++)
        score[l] = m->intercept ? r->eta_by_feature[(n_features - 1) * n + l] : 0;
    for (size_t i = 0; i < n_topics; i++)
        add_feature(n, share[i], r->eta_by_feature + (topic == NULL ? i : topic[i]) * n, score);
    for (uint64_t i = m->n_columns == 0 ? 0 : r->x.doc_start[d]; m->n_columns > 0 && i < r->x.doc_start[d + 1]; i++)
        add_feature(n, r->x.value[i], r->eta_by_feature + (m->n_topics + r->x.column[i]) * n, score);
    for (size_t l = 0; r->fixed_score != NULL && l < n; l++)
        score[l] += r->fixed_score[d * m->n_outputs + l];
}

/* The words' part under the draw at hand. */
static void add_word_scores(const gb_prediction_run *r, uint64_t d, double *score)
{
    const size_t n = r->application.draw->n_outputs;
    for (size_t l = 0; r->word_score != NULL && l < n; l++)
        score[l] += r->word_score[d * r->application.model->n_outputs + l];
}

/* Scores that were calibrated on held-out documents give probabilities by their own curve. */
static void calibrated_weights(const gb_target *target, const double *score, double *weight)
{
    const size_t n = target->response.n_outputs;
    double largest = -INFINITY;
    if (!(target->power > 0)) {
        for (size_t l = 0; l < n; l++)
            weight[l] = 1 / (1 + exp(-(target->calibration[2 * l] * score[l] + target->calibration[2 * l + 1])));
        return;
    }
    for (size_t l = 0; l < n; l++) {
        weight[l] =
            target->power * gb_log_sigmoid(target->calibration[2 * l] * score[l] + target->calibration[2 * l + 1]);
        largest = fmax(largest, weight[l]);
    }
    for (size_t l = 0; l < n; l++) /* what matters is their ratio */
        weight[l] = exp(weight[l] - largest);
}

/* sum[c] += weight p(class c | scores); `scratch` has room for n_outputs numbers. */
static void add_probabilities(const gb_target *target, const double *score, double weight, double *scratch,
                              double *sum)
{
    const gb_response *response = &target->response;
    if (target->calibration != NULL)
        calibrated_weights(target, score, scratch);
    else if (target->task == GB_TASK_MULTICLASS)
        response->ops->classes->weights(response, response->n_outputs, score, scratch);
    else
        gb_response_independent_classes(response, response->n_outputs, score, scratch);
    if (target->task == GB_TASK_BINARY) {
        sum[0] += weight * (1 - scratch[0]);
        sum[1] += weight * scratch[0];
        return;
    }
    for (size_t l = 0; l < response->n_outputs; l++)
        sum[l] += weight * scratch[l];
}

/* The same of levels, with the own parameters of a draw; of a text with so many known words. */
static void add_level_probabilities(const gb_target *target, const gb_draw *draw, double score, uint64_t n_tokens,
                                    double weight, double *sum)
{
    double variance;
    gb_response response = target->response;
    response.own = draw->own + response.first_own;
    const double mean = gb_level_law_score(&target->level_law, &response, score, n_tokens, &variance);
    for (size_t level = 1; level <= response.n_levels; level++)
        sum[level - 1] += weight * response.ops->level_probability(&response, level, mean, variance);
}

/* A draw that speaks of one output only: its own probability, as if the others were not there. */
static void add_single_probability(const gb_prediction_run *r, uint64_t d, const double *score, double n)
{
    const gb_application *a = &r->application;
    const gb_target *target = &a->model->target[0];
    gb_response_prediction *p = &r->out->response[0];
    const size_t l = a->draw->first_output;
    if (gb_target_averages_probabilities(target))
        p->probability[d * p->n_classes + l] +=
            n / r->output_samples[l] * target->response.ops->classes->probability(&target->response, score[0]);
}

static void add_to_response(gb_prediction_run *r, size_t i, uint64_t d, size_t sample, size_t n_samples,
                            gb_prediction_worker *w)
{
    const gb_target *target = &r->application.model->target[i];
    const double *score = w->score + target->response.first_output;
    const double weight = (double)n_samples / r->output_samples[target->response.first_output];
    gb_response_prediction *p = &r->out->response[i];
    if (target->task == GB_TASK_REGRESSION)
        for (size_t s = sample; s < sample + n_samples; s++)
            r->number_score[i][d * r->n_samples + s] = score[0];
    else if (!gb_target_averages_probabilities(target))
        return;
    else if (target->task == GB_TASK_ORDINAL)
        add_level_probabilities(target, r->application.draw, score[0], gb_application_length(&r->application, d),
                                weight, p->probability + d * p->n_classes);
    else
        add_probabilities(target, score, weight, w->probability, p->probability + d * p->n_classes);
}

/* What the draw at hand adds to the mean scores of a document. */
static void add_to_means(const gb_prediction_run *r, uint64_t d, const double *score, double n_samples, double *sum)
{
    const gb_draw *draw = r->application.draw;
    for (size_t l = 0; l < draw->n_outputs; l++) {
        const size_t at = draw->first_output + l;
        sum[d * r->application.model->n_outputs + at] += n_samples / r->output_samples[at] * score[l];
    }
}

/* Sums for the error of the means. */
static void add_to_errors(const gb_prediction_run *r, uint64_t d, const double *score, double n_samples)
{
    const gb_draw *draw = r->application.draw;
    for (size_t l = 0; l < draw->n_outputs; l++) {
        const size_t output = draw->first_output + l, at = d * r->application.model->n_outputs + output;
        r->draw_sum[at] += n_samples / r->output_samples[output] * score[l];
        r->out->score_error[at] += n_samples / r->output_samples[output] * score[l] * score[l];
    }
}

void gb_prediction_finish_errors(gb_prediction_run *r)
{
    const gb_application *a = &r->application;
    const size_t n_outputs = a->model->n_outputs;
    for (uint64_t i = a->first_doc * n_outputs; r->draw_sum != NULL && i < a->last_doc * n_outputs; i++) {
        const double n_draws = r->output_samples[i % n_outputs] / r->topics.n_sweeps, mean = r->draw_sum[i],
                     variance = r->out->score_error[i] - mean * mean;
        r->out->score_error[i] = n_draws > 1 ? sqrt(fmax(variance, 0) / (n_draws - 1)) : NAN;
    }
}

void gb_prediction_add_scores(gb_prediction_run *r, uint64_t d, const double *share, size_t n_samples,
                              gb_prediction_worker *w)
{
    if (r->score == NULL)
        return;
    make_scores(r, d, r->application.model->n_topics, NULL, share, w->score);
    add_to_means(r, d, w->score, (double)n_samples, r->score);
    if (r->draw_sum != NULL)
        add_to_errors(r, d, w->score, (double)n_samples);
    add_word_scores(r, d, w->score);
    if (r->draws != NULL)
        gb_draws_note_expected(r, d, n_samples, w);
    if (r->explain != NULL)
        gb_explain_note(r, d, share, n_samples, (size_t)(w - r->worker));
}

void gb_prediction_add_sample(gb_prediction_run *r, uint64_t d, size_t n_topics, const uint16_t *topic,
                              const double *share, size_t sample, size_t n_samples, gb_prediction_worker *w)
{
    if (r->sample_score == NULL)
        return;
    make_scores(r, d, n_topics, topic, share, w->score);
    add_word_scores(r, d, w->score);
    gb_prediction_add_scored(r, d, sample, n_samples, w);
}

void gb_prediction_add_scored(gb_prediction_run *r, uint64_t d, size_t sample, size_t n_samples,
                              gb_prediction_worker *w)
{
    const gb_model *m = r->application.model;
    add_to_means(r, d, w->score, (double)n_samples, r->sample_score);
    if (r->draws != NULL)
        gb_draws_note_sampled(r, d, sample, n_samples, w);
    if (r->application.draw->n_outputs < m->n_outputs) {
        add_single_probability(r, d, w->score, (double)n_samples);
        return;
    }
    for (size_t i = 0; i < m->n_responses; i++)
        if (gb_prediction_is_wanted(r->out, i))
            add_to_response(r, i, d, sample, n_samples, w);
}

void gb_prediction_add_point(gb_prediction_run *r, uint64_t d, double n_samples, gb_prediction_worker *w)
{
    gb_response_prediction *p = &r->out->response[0];
    add_to_means(r, d, w->score, n_samples, r->sample_score);
    add_probabilities(&r->application.model->target[0], w->score, n_samples / r->output_samples[0], w->probability,
                      p->probability + d * p->n_classes);
}

/* ---- answers ---- */

/* Weights of classes that exclude each other become shares of their sum. */
static void normalise_probabilities(gb_response_prediction *p, uint64_t first, uint64_t last)
{
    for (uint64_t d = first; d < last; d++) {
        double *row = p->probability + d * p->n_classes, sum = 0;
        for (size_t c = 0; c < p->n_classes; c++)
            sum += row[c];
        for (size_t c = 0; c < p->n_classes; c++)
            row[c] = sum > 0 ? row[c] / sum : 1 / (double)p->n_classes;
    }
}

/* The most probable class; the highest score where probabilities are only rescaled scores. */
static uint64_t predicted_class(const gb_target *target, const gb_response_prediction *p, const double *score,
                                uint64_t d)
{
    if (target->task == GB_TASK_MULTILABEL)
        return UINT64_MAX;
    const bool is_probability = gb_response_is_calibrated(target->response.ops) || target->calibration != NULL;
    if (target->task == GB_TASK_BINARY && !is_probability)
        return score[0] > 0;
    const double *value = is_probability ? p->probability + d * p->n_classes : score;
    uint64_t best = 0;
    for (uint64_t c = 1; c < p->n_classes; c++)
        if (value[c] > value[best])
            best = c;
    return best;
}

/* Probabilities of the mean scores of a document, up to a factor that is the same for classes that exclude each other. */
static void probabilities_of(const gb_prediction_run *r, size_t i, const double *mean_score, uint64_t d, double *out)
{
    const gb_model *m = r->application.model;
    const gb_target *target = &m->target[i];
    const double *score = mean_score + d * m->n_outputs + target->response.first_output;
    memset(out, 0, target->n_classes * sizeof *out);
    if (target->task == GB_TASK_ORDINAL)
        add_level_probabilities(target, &m->draw[m->n_draws - 1], score[0], gb_application_length(&r->application, d),
                                1, out);
    else
        add_probabilities(target, score, 1, r->worker[0].probability, out);
}

/* By how much a probability is moved: never by more than this factor, for a mean of probabilities can be far from the
 * probability of the mean score. */
static const double MOST_MOVED = 4;

static double moved(double mean, double from, double to, bool excludes_others)
{
    const double p = excludes_others ? mean : fmin(mean, 1); /* a sum of rounded shares may be more */
    double factor = excludes_others ? to / from : to * (1 - from) / (from * (1 - to));
    if (!isfinite(factor))
        factor = 1;
    factor = fmin(fmax(factor, 1 / MOST_MOVED), MOST_MOVED);
    return excludes_others ? p * factor : p * factor / (1 - p + p * factor);
}

/* The drawn topics missed the expected scores by chance; had they not, probabilities would have been about as much larger
 * as those of the mean scores are. */
static gb_status move_probabilities(gb_prediction_run *r, size_t i, gb_error *err)
{
    gb_status st;
    const gb_target *target = &r->application.model->target[i];
    const size_t n = target->n_classes;
    const gb_application *a = &r->application;
    double *from = NULL, *p = r->out->response[i].probability + a->first_doc * n;
    GB_TRY(gb_alloc(&from, 2 * n, sizeof *from, "probabilities", err));
    double *to = from + n;
    for (uint64_t d = a->first_doc; d < a->last_doc; d++, p += n) {
        probabilities_of(r, i, r->sample_score, d, from);
        probabilities_of(r, i, r->score, d, to);
        for (size_t c = 0; c < n; c++)
            p[c] = moved(p[c], from[c], to[c], target->task != GB_TASK_MULTILABEL);
    }
done:
    gb_free(from);
    return st;
}

/* The scores that the curves are for; those of the document as they are, if there are no curves. */
static const double *scores_for_curves(const gb_prediction_run *r, const gb_target *target, uint64_t d,
                                       const double *score, double *room)
{
    if (target->calibration == NULL)
        return score;
    const double weight = gb_target_score_weight(target->length, gb_application_length(&r->application, d));
    for (size_t l = 0; l < target->response.n_outputs; l++)
        room[l] = weight * score[l];
    return room;
}

/* How often outputs or levels are among the held-out labels. */
static const double *shares_of(const gb_target *target)
{
    return target->task == GB_TASK_ORDINAL ? target->level_law.share : target->share;
}

/* Nothing is known of a document without words, and nothing else counts: its probabilities are how often classes are. */
static bool takes_shares(const gb_prediction_run *r, const gb_target *target, uint64_t d)
{
    return shares_of(target) != NULL && r->application.model->n_columns == 0 &&
           gb_application_length(&r->application, d) == 0;
}

static void copy_shares(const gb_target *target, double *probability)
{
    const double *share = shares_of(target);
    if (target->task == GB_TASK_BINARY) {
        probability[0] = 1 - share[0];
        probability[1] = share[0];
    } else {
        memcpy(probability, share, target->n_classes * sizeof *probability);
    }
}

static gb_status finish_response(gb_prediction_run *r, size_t i, gb_error *err)
{
    const gb_model *m = r->application.model;
    const gb_target *target = &m->target[i];
    gb_response_prediction *p = &r->out->response[i];
    const double *first = r->score + target->response.first_output;
    const uint64_t first_doc = r->application.first_doc, last_doc = r->application.last_doc;
    const bool is_averaged = gb_target_averages_probabilities(target);
    for (uint64_t d = first_doc; d < last_doc && !is_averaged; d++)
        add_probabilities(target, scores_for_curves(r, target, d, first + d * m->n_outputs, r->worker[0].score), 1,
                          r->worker[0].probability, p->probability + d * p->n_classes);
    const gb_status st = is_averaged ? move_probabilities(r, i, err) : GB_OK;
    for (uint64_t d = first_doc; d < last_doc; d++)
        if (takes_shares(r, target, d))
            copy_shares(target, p->probability + d * p->n_classes);
    if (target->task != GB_TASK_MULTILABEL)
        normalise_probabilities(p, first_doc, last_doc);
    for (uint64_t d = first_doc; d < last_doc; d++)
        p->predicted[d] = predicted_class(target, p, first + d * m->n_outputs, d);
    return st;
}

/* Of several labels. */
static bool has_label(const gb_prediction *all, const gb_target *target, const gb_response_prediction *p, uint64_t d,
                      uint64_t class)
{
    const double probability = p->probability[d * p->n_classes + class];
    return target->cut_off != NULL && !isnan(probability) /* linear models have none */
               ? probability > target->cut_off[class]
               : all->score[d * all->n_outputs + target->response.first_output + class] > 0;
}

void gb_prediction_classes(const gb_model *model, const gb_prediction *all, uint64_t response, uint64_t d, bool *out)
{
    if (response >= model->n_responses || d >= all->n_docs)
        return;
    const gb_target *target = &model->target[response];
    const gb_response_prediction *p = &all->response[response];
    for (uint64_t c = 0; p->predicted != NULL && c < p->n_classes; c++)
        out[c] = p->predicted[d] != UINT64_MAX ? p->predicted[d] == c : has_label(all, target, p, d, c);
}

gb_status gb_prediction_finish_classes(gb_prediction_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; st == GB_OK && i < r->application.model->n_responses; i++)
        if (r->application.model->target[i].task != GB_TASK_REGRESSION && gb_prediction_is_wanted(r->out, i))
            st = finish_response(r, i, err);
    return st;
}
