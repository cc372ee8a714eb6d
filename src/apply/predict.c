/* apply/predict.c - topics and labels of new documents.
 *
 * For each kept draw (phi, alpha, eta) the topics of a document are drawn given phi alone,
 *     p(z_n = k) proportional to weight_k phi_{k, w_n},   phi_kw = (n_kw + beta) / (n_k + V beta),
 * started by one pass in which each token sees those before it; after burn-in every draw of z gives zbar, the
 * scores eta' (zbar, 1) and the probabilities; all are averaged over draws of z, then over draws of the
 * model.  A document without a known word has the prior's expected shares in place of zbar.
 *
 * Random numbers are keyed by (seed, chain of the draw) and counted by (draw and sweep, row of the input,
 * token). */
#include "apply/batch.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "gibbous/apply.h"
#include "model/model.h"
#include "token/token.h"

#include <math.h>
#include <string.h>

enum { DOCS_PER_TASK = 32 };

/* A document of a task. */
struct prediction_place {
    uint64_t d;
    gb_prior_document document; /* as its prior sees it */
    uint32_t *count;            /* stride */
    uint16_t *topic;            /* longest document */
    double *share_sum;          /* n_topics: sum of zbar over draws of z */
};

/* The documents of a task go through their passes in step: so a prior can redraw what it keeps of them all at once. */
struct prediction_worker {
    gb_scratch *scratch[GB_MAX_TOKEN_LANES];
    struct prediction_place memory[DOCS_PER_TASK];
    size_t n_places;                           /* documents with a known word */
    gb_prior_document document[DOCS_PER_TASK]; /* those of the places, at a pass */
    double *prior_scratch;
    double *share;       /* n_topics: zbar of one draw of z */
    double *score;       /* n_outputs */
    double *probability; /* n_outputs: of the scores at hand */
    struct prediction_run *run;
    uint32_t pass; /* over the documents */
};

struct prediction_run {
    const gb_model *model;
    const gb_corpus *docs;
    gb_prediction *out;
    uint64_t first_row, seed;
    gb_draw_tokens *draw_tokens;
    double n_first; /* draws of the first chain */
    uint32_t n_sweeps, n_burn_in;
    size_t n_threads;
    gb_batch batch;
    struct prediction_worker *worker; /* n_threads */
    /* the draw at hand */
    size_t draw_number;
    const gb_draw *draw;
    gb_prior prior;
    double *prior_share;    /* n_topics; not used where shares are drawn */
    double *eta_by_feature; /* n_features x outputs of the draw */
    double *output_samples; /* n_outputs: samples in which the output has a score */
    gb_covariates x;
    uint32_t *group;       /* n_docs; NULL without */
    double *offset;        /* n_docs: log exposure; NULL: all 0 */
    size_t n_samples;      /* draws of the model times draws of z */
    double **number_score; /* n_responses: n_docs x n_samples scores of a number; NULL for classes */
};

/* ---- preparing a batch ---- */

static gb_status create_place(const struct prediction_run *r, uint64_t longest, struct prediction_place *p,
                              gb_error *err)
{
    gb_status st;
    const size_t n_topics = r->model->n_topics;
    const char *what = "documents to predict";
    GB_TRY(gb_alloc(&p->document.base, n_topics, sizeof(double), what, err));
    GB_TRY(gb_alloc(&p->document.numbers, gb_prior_document_numbers(&r->model->prior), sizeof(double), what, err));
    GB_TRY(gb_alloc(&p->count, r->batch.stride, sizeof *p->count, what, err));
    GB_TRY(gb_alloc(&p->topic, longest, sizeof *p->topic, what, err));
    GB_TRY(gb_alloc(&p->share_sum, n_topics, sizeof *p->share_sum, what, err));
done:
    return st;
}

static gb_status create_worker(struct prediction_run *r, uint64_t longest, struct prediction_worker *w, gb_error *err)
{
    gb_status st = GB_OK;
    w->run = r;
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++)
        GB_TRY(gb_scratch_create(&w->scratch[i], r->model->n_topics, 0, err));
    for (size_t i = 0; i < DOCS_PER_TASK; i++)
        GB_TRY(create_place(r, longest, &w->memory[i], err));
    GB_TRY(gb_alloc(&w->prior_scratch, gb_prior_scratch(&r->model->prior), sizeof *w->prior_scratch, "workers", err));
    GB_TRY(gb_alloc(&w->share, r->model->n_topics, sizeof *w->share, "workers", err));
    GB_TRY(gb_alloc(&w->score, r->model->n_outputs, sizeof *w->score, "workers", err));
    GB_TRY(gb_alloc(&w->probability, r->model->n_outputs, sizeof *w->probability, "workers", err));
done:
    return st;
}

static gb_status create_workers(struct prediction_run *r, gb_error *err)
{
    gb_status st;
    uint64_t longest = 0;
    for (uint64_t d = 0; d < r->docs->n_docs; d++) {
        const uint64_t n = r->docs->doc_start[d + 1] - r->docs->doc_start[d];
        longest = n > longest ? n : longest;
    }
    GB_TRY(gb_alloc(&r->worker, r->n_threads, sizeof *r->worker, "workers", err));
    for (size_t i = 0; i < r->n_threads; i++)
        GB_TRY(create_worker(r, longest, &r->worker[i], err));
done:
    return st;
}

static void clear_worker(struct prediction_worker *w)
{
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++)
        gb_scratch_free(w->scratch[i]);
    for (size_t i = 0; i < DOCS_PER_TASK; i++) {
        gb_free(w->memory[i].document.base);
        gb_free(w->memory[i].document.numbers);
        gb_free(w->memory[i].count);
        gb_free(w->memory[i].topic);
        gb_free(w->memory[i].share_sum);
    }
    gb_free(w->prior_scratch);
    gb_free(w->share);
    gb_free(w->score);
    gb_free(w->probability);
}

static void clear_run(struct prediction_run *r)
{
    for (size_t i = 0; r->worker != NULL && i < r->n_threads; i++)
        clear_worker(&r->worker[i]);
    gb_free(r->worker);
    gb_batch_clear(&r->batch);
    gb_free(r->prior_share);
    gb_free(r->eta_by_feature);
    for (size_t i = 0; r->number_score != NULL && i < r->model->n_responses; i++)
        gb_free(r->number_score[i]);
    gb_free(r->number_score);
    gb_free(r->offset);
    gb_free(r->group);
    gb_free(r->output_samples);
    gb_covariates_clear(&r->x);
    gb_prior_clear(&r->prior);
}

/* ---- one draw of the model ---- */

/* Scores that were calibrated on held-out documents give probabilities by their own curve. */
static void calibrated_weights(const gb_target *target, const double *score, double *weight)
{
    for (size_t l = 0; l < target->response.n_outputs; l++)
        weight[l] = 1 / (1 + exp(-(target->calibration[2 * l] * score[l] + target->calibration[2 * l + 1])));
}

/* sum[c] += weight p(class c | scores); `scratch` has room for n_outputs numbers. */
static void add_probabilities(const gb_target *target, const double *score, double weight, double *scratch,
                              double *sum)
{
    const gb_response *response = &target->response;
    if (target->calibration != NULL)
        calibrated_weights(target, score, scratch);
    else if (target->task == GB_TASK_MULTICLASS)
        response->ops->class_weights(response, response->n_outputs, score, scratch);
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

/* eta by feature: the outputs of one topic lie together, and a document uses few topics. */
static void spread_coefficients(struct prediction_run *r)
{
    const size_t n_features = gb_model_n_features(r->model), n = r->draw->n_outputs;
    for (size_t k = 0; k < n_features; k++)
        for (size_t l = 0; l < n; l++)
            r->eta_by_feature[k * n + l] = r->draw->eta[l * n_features + k];
}

static void add_feature(size_t n, double value, const double *eta, double *score)
{
    for (size_t l = 0; l < n; l++)
        score[l] += eta[l] * value;
}

static void make_scores(const struct prediction_run *r, uint64_t d, const double *share, double *score)
{
    const gb_model *m = r->model;
    const size_t n = r->draw->n_outputs, n_features = gb_model_n_features(m);
    for (size_t l = 0; l < n; l++)
        score[l] = m->intercept ? r->eta_by_feature[(n_features - 1) * n + l] : 0;
    for (size_t k = 0; k < m->n_topics; k++)
        if (share[k] != 0)
            add_feature(n, share[k], r->eta_by_feature + k * n, score);
    if (m->n_columns == 0)
        return;
    for (uint64_t i = r->x.doc_start[d]; i < r->x.doc_start[d + 1]; i++)
        add_feature(n, r->x.value[i], r->eta_by_feature + (m->n_topics + r->x.column[i]) * n, score);
}

/* A draw that speaks of one output only: its own probability, as if the others were not there. */
static void add_single_probability(const struct prediction_run *r, uint64_t d, const double *score, double n)
{
    const gb_target *target = &r->model->target[0];
    gb_response_prediction *p = &r->out->response[0];
    const size_t l = r->draw->first_output;
    if (target->response.ops->calibrated)
        p->probability[d * p->n_classes + l] +=
            n / r->output_samples[l] * target->response.ops->probability(&target->response, score[0]);
}

/* The scores of one zbar, of the samples first .. first + n - 1, and what follows from them, added to the document's
 * sums. */
static void add_scores(const struct prediction_run *r, uint64_t d, struct prediction_worker *w, const double *share,
                       size_t first, size_t n)
{
    const gb_model *m = r->model;
    if (m->n_outputs == 0)
        return;
    make_scores(r, d, share, w->score);
    for (size_t l = 0; l < r->draw->n_outputs; l++) {
        const size_t at = r->draw->first_output + l;
        r->out->score[d * m->n_outputs + at] += (double)n / r->output_samples[at] * w->score[l];
    }
    if (r->draw->n_outputs < m->n_outputs) {
        add_single_probability(r, d, w->score, (double)n);
        return;
    }
    for (size_t i = 0; i < m->n_responses; i++) {
        const gb_target *target = &m->target[i];
        const double *score = w->score + target->response.first_output;
        gb_response_prediction *p = &r->out->response[i];
        const double weight = (double)n / r->output_samples[target->response.first_output];
        if (target->task == GB_TASK_REGRESSION)
            for (size_t s = 0; s < n; s++)
                r->number_score[i][d * r->n_samples + first + s] = score[0];
        else if (target->response.ops->calibrated)
            add_probabilities(target, score, weight, w->probability, p->probability + d * p->n_classes);
    }
}

/* Random numbers of a document: `pass` over it, of the draw at hand. */
static uint32_t number_of_pass(const struct prediction_run *r, uint32_t pass)
{
    return (uint32_t)r->draw_number * (1 + r->n_burn_in + r->n_sweeps) + pass;
}

/* Topic shares are averaged over the draws of the first chain. */
static void add_shares(const struct prediction_run *r, uint64_t d, const double *sum, double n)
{
    double *share = r->out->share + d * r->model->n_topics;
    if (r->draw->chain != r->model->draw[0].chain)
        return;
    for (size_t k = 0; k < r->model->n_topics; k++)
        share[k] += sum[k] / n / r->n_first;
}

/* A document as its prior sees it in one pass. */
static gb_prior_document document_of(const struct prediction_worker *w, const struct prediction_place *p)
{
    const struct prediction_run *r = w->run;
    gb_prior_document document = p->document; /* its memory */
    document.group = r->group == NULL ? 0 : r->group[p->d];
    document.key = gb_key_make(r->seed, r->draw->chain);
    document.sweep = number_of_pass(r, w->pass);
    document.row = r->first_row + p->d;
    document.count = p->count;
    document.length = r->docs->doc_start[p->d + 1] - r->docs->doc_start[p->d];
    return document;
}

/* Topic shares of a document of which nothing is known: the prior's, drawn as often as its topics would be if they have no
 * formula. */
static void predict_without_words(struct prediction_worker *w, uint64_t d)
{
    const struct prediction_run *r = w->run;
    const size_t n_topics = r->model->n_topics, first = r->draw_number * r->n_sweeps;
    struct prediction_place *p = &w->memory[w->n_places]; /* not taken yet */
    if (r->prior.ops->mean != NULL) {
        add_scores(r, d, w, r->prior_share, first, r->n_sweeps);
        add_shares(r, d, r->prior_share, 1);
        return;
    }
    p->d = d;
    memset(p->share_sum, 0, n_topics * sizeof *p->share_sum);
    for (w->pass = 0; w->pass < r->n_sweeps; w->pass++) {
        const gb_prior_document document = document_of(w, p);
        gb_random random = gb_random_open(document.key, document.sweep, GB_DRAW_INFER_PSI, document.row);
        r->prior.ops->draw_shares(&r->prior, document.group, &random, w->share);
        for (size_t k = 0; k < n_topics; k++)
            p->share_sum[k] += w->share[k];
        add_scores(r, d, w, w->share, first + w->pass, 1);
    }
    add_shares(r, d, p->share_sum, r->n_sweeps);
}

/* Give the task's documents with a known word their places; the others are predicted at once. */
static void begin_documents(struct prediction_worker *w, uint64_t first, uint64_t last)
{
    const struct prediction_run *r = w->run;
    const size_t n_topics = r->model->n_topics;
    w->n_places = 0;
    for (uint64_t d = first; d < last; d++) {
        struct prediction_place *p = &w->memory[w->n_places];
        if (r->out->n_known[d] == 0) {
            predict_without_words(w, d);
            continue;
        }
        p->d = d;
        w->n_places++;
        memset(p->count, 0, n_topics * sizeof *p->count);
        memset(p->share_sum, 0, n_topics * sizeof *p->share_sum);
        for (uint64_t i = 0; i < r->out->n_known[d]; i++)
            p->topic[i] = GB_NO_TOPIC;
    }
}

/* What the prior keeps of the documents: its start, then given their topics. */
static void draw_numbers(struct prediction_worker *w)
{
    const gb_prior *prior = &w->run->prior;
    for (size_t i = 0; i < w->n_places; i++) {
        w->document[i] = document_of(w, &w->memory[i]);
        if (w->pass == 0)
            prior->ops->begin(prior, &w->document[i]);
        if (w->pass == 1 && prior->ops->adopt_document != NULL)
            prior->ops->adopt_document(prior, &w->document[i]);
    }
    if (w->pass > 0 && prior->ops->redraw != NULL)
        prior->ops->redraw(prior, w->n_places, w->document, w->prior_scratch);
}

/* Every GB_MAX_TOKEN_LANES-th document is of the same lane. */
static bool next_document(gb_token_lane *f)
{
    struct prediction_worker *w = f->memory;
    const struct prediction_run *r = w->run;
    if (f->at >= w->n_places)
        return false;
    const struct prediction_place *p = &w->memory[f->at];
    const uint64_t start = r->docs->doc_start[p->d], length = r->docs->doc_start[p->d + 1] - start;
    f->at += GB_MAX_TOKEN_LANES;
    f->tokens = (gb_tokens){.count = length, .word = r->batch.word + start, .topic = p->topic};
    f->following = f->tokens;
    f->document.doc = r->first_row + p->d;
    f->document.length = length;
    f->document.base = p->document.base;
    f->document.count = (unsigned char *)p->count;
    return true;
}

static gb_status draw_topics(struct prediction_worker *w, gb_error *err)
{
    const struct prediction_run *r = w->run;
    const gb_coefficients no_coefficients = {0};
    gb_token_lane lane[GB_MAX_TOKEN_LANES];
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++)
        lane[i] = (gb_token_lane){
            .block = {.n_topics = r->model->n_topics, .stride = r->batch.stride, .phi = r->batch.phi},
            .document = {.key = gb_key_make(r->seed, r->draw->chain),
                         .sweep = number_of_pass(r, w->pass),
                         .purpose = w->pass == 0 ? GB_DRAW_INFER_INIT : GB_DRAW_INFER,
                         .unit = w->pass == 0 ? gb_prior_first_unit(r->prior.ops) : r->prior.ops->unit,
                         .width = GB_WIDTH_32},
            .scratch = w->scratch[i],
            .next = next_document,
            .memory = w,
            .at = i};
    return r->draw_tokens(lane, GB_MAX_TOKEN_LANES, &no_coefficients, err);
}

/* What a pass gives that is not burn-in. */
static void add_pass(struct prediction_worker *w)
{
    const struct prediction_run *r = w->run;
    const size_t sample = r->draw_number * r->n_sweeps + w->pass - 1 - r->n_burn_in;
    for (size_t i = 0; i < w->n_places; i++) {
        const struct prediction_place *p = &w->memory[i];
        for (size_t k = 0; k < r->model->n_topics; k++) {
            w->share[k] = p->count[k] / (double)r->out->n_known[p->d];
            p->share_sum[k] += w->share[k];
        }
        add_scores(r, p->d, w, w->share, sample, 1);
    }
}

static gb_status infer_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    gb_status st = GB_OK;
    struct prediction_run *r = context;
    struct prediction_worker *w = &r->worker[worker];
    const uint64_t first = (uint64_t)task * DOCS_PER_TASK, last = first + DOCS_PER_TASK;
    begin_documents(w, first, last < r->docs->n_docs ? last : r->docs->n_docs);
    for (w->pass = 0; st == GB_OK && w->pass < 1 + r->n_burn_in + r->n_sweeps; w->pass++) {
        draw_numbers(w);
        st = draw_topics(w, err);
        if (w->pass > r->n_burn_in)
            add_pass(w);
    }
    for (size_t i = 0; i < w->n_places; i++)
        add_shares(r, w->memory[i].d, w->memory[i].share_sum, r->n_sweeps);
    return st;
}

static gb_status apply_draw(struct prediction_run *r, size_t i, gb_error *err)
{
    gb_status st;
    const size_t n_tasks = (size_t)((r->docs->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK);
    r->draw_number = i;
    r->draw = &r->model->draw[i];
    gb_prior_clear(&r->prior);
    GB_TRY(gb_prior_create(&r->prior, &r->model->prior, &r->draw->prior, 0, r->n_threads, gb_isa_best(), err));
    if (r->prior.ops->mean != NULL)
        r->prior.ops->mean(&r->prior, r->prior_share);
    spread_coefficients(r);
    GB_TRY(gb_batch_fill(&r->batch, r->draw, r->n_threads, err));
    GB_TRY(gb_parallel_for(n_tasks, r->n_threads, infer_documents, r, err));
done:
    return st;
}

/* ---- answers ---- */

/* Weights of classes that exclude each other become shares of their sum. */
static void normalise_probabilities(gb_response_prediction *p, uint64_t n_docs)
{
    for (uint64_t d = 0; d < n_docs; d++) {
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
    if (target->task == GB_TASK_BINARY && !target->response.ops->calibrated)
        return score[0] > 0;
    const double *value = target->response.ops->calibrated ? p->probability + d * p->n_classes : score;
    uint64_t best = 0;
    for (uint64_t c = 1; c < p->n_classes; c++)
        if (value[c] > value[best])
            best = c;
    return best;
}

static void finish_classes(struct prediction_run *r, size_t i)
{
    const gb_target *target = &r->model->target[i];
    gb_response_prediction *p = &r->out->response[i];
    for (uint64_t d = 0; d < r->out->n_docs; d++) {
        const double *score = r->out->score + d * r->out->n_outputs + target->response.first_output;
        if (!target->response.ops->calibrated)
            add_probabilities(target, score, 1, r->worker[0].probability, p->probability + d * p->n_classes);
    }
    if (target->task == GB_TASK_MULTICLASS)
        normalise_probabilities(p, r->out->n_docs);
    for (uint64_t d = 0; d < r->out->n_docs; d++)
        p->predicted[d] =
            predicted_class(target, p, r->out->score + d * r->out->n_outputs + target->response.first_output, d);
}

/* ---- numbers: a mixture over draws ---- */

/* One document's mixture: a component per sample. */
struct mixture {
    const struct prediction_run *run;
    size_t response;
    const double *score; /* n_samples */
    double offset;
};

/* The response with its own parameters in the draw that a sample comes from. */
static gb_response component(const struct mixture *m, size_t sample)
{
    gb_response response = m->run->model->target[m->response].response;
    response.own = m->run->model->draw[sample / m->run->n_sweeps].own + response.first_own;
    return response;
}

static double mixture_distribution(const struct mixture *m, double y)
{
    double sum = 0;
    for (size_t i = 0; i < m->run->n_samples; i++) {
        const gb_response response = component(m, i);
        sum += response.ops->distribution(&response, y, m->score[i] + m->offset);
    }
    return sum / (double)m->run->n_samples;
}

/* The y with P(Y <= y) = p, to a ten-thousandth of the standard deviation; of counts the smallest with at least p. */
static double mixture_quantile(const struct mixture *m, double p, double mean, double sd, bool is_count)
{
    double low = mean - sd, high = mean + sd, width = sd > 0 ? sd : 1;
    if (is_count) {
        low = -1;
        high = ceil(high);
    }
    for (int i = 0; i < 60 && !is_count && mixture_distribution(m, low) > p; i++, width *= 2)
        low -= width;
    for (int i = 0; i < 60 && mixture_distribution(m, high) < p; i++, width *= 2)
        high += ceil(width);
    const double enough = is_count ? 1 : 1e-4 * (sd > 0 ? sd : 1);
    for (int i = 0; i < 200 && high - low > enough; i++) {
        const double middle = is_count ? floor((low + high) / 2) : (low + high) / 2;
        if (mixture_distribution(m, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return is_count ? high : (low + high) / 2;
}

static void finish_number(const struct prediction_run *r, size_t i, uint64_t d)
{
    const gb_target *target = &r->model->target[i];
    gb_response_prediction *p = &r->out->response[i];
    const bool is_count = target->response.ops->target == GB_TARGET_COUNT;
    const struct mixture m = {.run = r,
                              .response = i,
                              .score = r->number_score[i] + d * r->n_samples,
                              .offset = gb_response_offset(&target->response, r->offset, d)};
    double mean = 0, within = 0, between = 0;
    for (size_t s = 0; s < r->n_samples; s++) {
        const gb_response response = component(&m, s);
        const double value = response.ops->mean(&response, m.score[s] + m.offset), step = value - mean;
        mean += step / (double)(s + 1);
        between += step * (value - mean);
        within += response.ops->variance(&response, m.score[s] + m.offset);
    }
    const double sd = sqrt((within + between) / (double)r->n_samples);
    p->mean[d] = target->centre + target->scale * mean;
    p->sd[d] = target->scale * sd;
    p->q05[d] = target->centre + target->scale * mixture_quantile(&m, 0.05, mean, sd, is_count);
    p->q95[d] = target->centre + target->scale * mixture_quantile(&m, 0.95, mean, sd, is_count);
}

static gb_status finish_numbers(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    struct prediction_run *r = context;
    uint64_t last = ((uint64_t)task + 1) * DOCS_PER_TASK;
    last = last < r->docs->n_docs ? last : r->docs->n_docs;
    for (size_t i = 0; i < r->model->n_responses; i++)
        for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; r->number_score[i] != NULL && d < last; d++)
            finish_number(r, i, d);
    return GB_OK;
}

/* ---- the answer ---- */

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

static gb_status create_prediction(const gb_model *m, const gb_corpus *docs, gb_prediction **out, gb_error *err)
{
    gb_status st;
    gb_prediction *p = NULL;
    const char *what = "a prediction";
    GB_TRY(gb_alloc(&p, 1, sizeof *p, what, err));
    p->n_docs = docs->n_docs;
    p->n_topics = m->n_topics;
    p->n_outputs = m->n_outputs;
    GB_TRY(gb_alloc(&p->share, p->n_docs * p->n_topics, sizeof *p->share, what, err));
    GB_TRY(gb_alloc(&p->n_known, p->n_docs, sizeof *p->n_known, what, err));
    if (m->n_outputs > 0) {
        GB_TRY(gb_alloc(&p->score, p->n_docs * p->n_outputs, sizeof *p->score, what, err));
        GB_TRY(gb_alloc(&p->response, m->n_responses, sizeof *p->response, what, err));
        p->n_responses = m->n_responses;
        for (size_t i = 0; i < m->n_responses; i++)
            GB_TRY(create_response(&m->target[i], p->n_docs, &p->response[i], err));
    }
    for (uint64_t d = 0; d < p->n_docs; d++)
        p->n_known[d] = docs->doc_start[d + 1] - docs->doc_start[d];
    *out = p;
    p = NULL;
done:
    gb_prediction_free(p);
    return st;
}

static gb_status find_groups(struct prediction_run *r, gb_error *err)
{
    gb_status st;
    const gb_prior_setup *prior = &r->model->prior;
    if (prior->ops->groups == NULL || gb_prior_groups(prior) == NULL)
        return GB_OK;
    GB_TRY(gb_alloc(&r->group, r->docs->n_docs, sizeof *r->group, "groups of documents", err));
    GB_TRY(prior->ops->groups->find(prior, r->docs, r->group, err));
done:
    return st;
}

/* Room for the scores of numbers, covariates and exposures of the batch. */
static gb_status prepare_responses(struct prediction_run *r, const gb_settings *settings, gb_error *err)
{
    gb_status st;
    const gb_model *m = r->model;
    GB_TRY(gb_alloc(&r->output_samples, m->n_outputs, sizeof *r->output_samples, "scores", err));
    for (size_t i = 0; i < m->n_draws; i++)
        for (size_t l = 0; l < m->draw[i].n_outputs; l++)
            r->output_samples[m->draw[i].first_output + l] += r->n_sweeps;
    GB_TRY(gb_alloc(&r->number_score, m->n_responses, sizeof *r->number_score, "scores", err));
    for (size_t i = 0; i < m->n_responses; i++)
        if (m->target[i].task == GB_TASK_REGRESSION)
            GB_TRY(gb_alloc(&r->number_score[i], r->docs->n_docs * r->n_samples, sizeof *r->number_score[i], "scores",
                            err));
    if (m->coding != NULL)
        GB_TRY(gb_coding_apply(m->coding, r->docs, settings, r->first_row, &r->x, err));
    if (*m->exposure == '\0')
        return GB_OK;
    const gb_numbers *exposure = NULL;
    for (size_t f = 0; f < r->docs->n_numbers; f++)
        if (r->docs->numbers[f].role == GB_ROLE_EXPOSURE)
            exposure = &r->docs->numbers[f];
    GB_TRY(gb_alloc(&r->offset, r->docs->n_docs, sizeof *r->offset, "exposures", err));
    for (uint64_t d = 0; d < r->docs->n_docs; d++) {
        if (exposure == NULL || !(exposure->value[d] > 0))
            return gb_fail(err, GB_EFORMAT, "document %llu has no exposure (field \"%s\"); expected a number above 0",
                           (unsigned long long)(r->first_row + d + 1), m->exposure);
        r->offset[d] = log(exposure->value[d]);
    }
done:
    return st;
}

gb_status gb_predict(const gb_model *model, const gb_corpus *docs, uint64_t first_row, const gb_settings *settings,
                     gb_prediction **out, gb_error *err)
{
    gb_status st;
    gb_prediction *p = NULL;
    struct prediction_run r = {.model = model,
                               .docs = docs,
                               .first_row = first_row,
                               .seed = settings->seed < 0 ? model->seed : (uint64_t)settings->seed,
                               .n_sweeps = (uint32_t)settings->infer_sweeps,
                               .n_burn_in = (uint32_t)settings->infer_burn_in,
                               .n_threads =
                                   settings->threads > 0 ? (size_t)settings->threads : gb_available_threads()};
    if (docs->n_words != model->n_words)
        return gb_fail(err, GB_EARGUMENT,
                       "the documents have %llu words, the model %llu: read them with gb_documents_open()",
                       (unsigned long long)docs->n_words, (unsigned long long)model->n_words);
    GB_TRY(create_prediction(model, docs, &p, err));
    r.out = p;
    r.draw_tokens = gb_token_dense.kernel(gb_isa_best());
    for (size_t i = 0; i < model->n_draws; i++)
        r.n_first += model->draw[i].chain == model->draw[0].chain;
    r.n_samples = model->n_draws * r.n_sweeps;
    GB_TRY(find_groups(&r, err));
    GB_TRY(prepare_responses(&r, settings, err));
    GB_TRY(gb_batch_create(&r.batch, model, docs, err));
    GB_TRY(create_workers(&r, err));
    GB_TRY(gb_alloc(&r.prior_share, model->n_topics, sizeof *r.prior_share, "the document prior", err));
    GB_TRY(gb_alloc(&r.eta_by_feature, gb_model_n_features(model) * model->n_outputs, sizeof *r.eta_by_feature,
                    "coefficients", err));
    for (size_t i = 0; i < model->n_draws; i++)
        GB_TRY(apply_draw(&r, i, err));
    for (size_t i = 0; i < model->n_responses; i++)
        if (model->target[i].task != GB_TASK_REGRESSION)
            finish_classes(&r, i);
    GB_TRY(gb_parallel_for((size_t)((docs->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK), r.n_threads, finish_numbers,
                           &r, err));
    *out = p;
    p = NULL;
done:
    clear_run(&r);
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
    gb_free(p->n_known);
    gb_free(p);
}
