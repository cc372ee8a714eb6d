/* apply/explain.c - scores of documents as sums. */
#include "apply/explain.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const char what[] = "an explanation";

/* ---- a draw ---- */

static double weight_of_draw(const gb_prediction_run *r, size_t output)
{
    return r->topics.n_sweeps / r->output_samples[output];
}

static void add_coefficients(const gb_prediction_run *r, size_t l)
{
    const gb_model *m = r->application.model;
    const gb_draw *draw = r->application.draw;
    const size_t output = draw->first_output + l, n_before = m->n_columns - r->words.n_columns;
    const double weight = weight_of_draw(r, output), *eta = draw->eta + l * gb_model_n_features(m) + m->n_topics;
    double *sum = GB_FROM(r->explain->coefficient, output * m->n_columns);
    for (size_t j = 0; j < n_before; j++)
        sum[j] += weight * eta[j];
    for (size_t w = 0; w < r->words.n_columns; w++)
        sum[n_before + w] += weight * m->words.expected[output * r->words.n_columns + w];
}

static void add_average(const gb_prediction_run *r, size_t l)
{
    const gb_model *m = r->application.model;
    const gb_draw *draw = r->application.draw;
    const size_t n_features = gb_model_n_features(m), output = draw->first_output + l;
    const double *eta = draw->eta + l * n_features;
    double mean = 0;
    for (size_t k = 0; k < m->n_topics; k++)
        mean += draw->share[k] * eta[k];
    r->explain->topic_mean[l] = mean;
    r->explain->average[output] += weight_of_draw(r, output) * (mean + (m->intercept ? eta[n_features - 1] : 0));
}

static bool has_several_chains(const gb_model *m, const gb_draw *draw)
{
    bool has = false;
    for (size_t i = 0; i < m->n_draws; i++)
        has |= m->draw[i].first_output == draw->first_output && m->draw[i].chain != draw->chain;
    return has;
}

static gb_status find_topics(const gb_prediction_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_model *m = r->application.model;
    const gb_draw *draw = r->application.draw;
    const gb_match *match;
    size_t *topic = r->explain->topic;
    for (size_t k = 0; k < m->n_topics; k++)
        topic[k] = k;
    if (!has_several_chains(m, draw))
        return GB_OK;
    GB_TRY(gb_model_matched(m, draw->first_output, &match, err));
    const size_t chain = gb_match_chain(match, draw->chain);
    for (size_t k = 0; k < m->n_topics; k++) {
        const size_t same = chain < match->n_chains ? match->topic[chain * m->n_topics + k] : GB_NO_MATCH;
        topic[k] = same == GB_NO_MATCH ? m->n_topics : same;
    }
done:
    return st;
}

gb_status gb_explain_begin(const gb_prediction_run *r, gb_error *err)
{
    for (size_t l = 0; l < r->application.draw->n_outputs; l++) {
        add_average(r, l);
        add_coefficients(r, l);
    }
    return find_topics(r, err);
}

/* ---- topics of tokens ---- */

static void expand_row(const gb_application *a, uint32_t handle, double *row)
{
    const gb_model *m = a->model;
    const double beta = a->batch.beta;
    const unsigned char *cells = gb_handle_row(&a->batch.rows, handle);
    const gb_width width = gb_handle_width(handle);
    if (width != GB_LIST) {
        for (size_t k = 0; k < m->n_topics; k++)
            row[k] = gb_row_get(cells, width, k) + beta;
        return;
    }
    const uint32_t *list = (const uint32_t *)(const void *)cells;
    for (size_t k = 0; k < m->n_topics; k++)
        row[k] = beta;
    for (uint32_t i = 1; i <= list[0]; i++)
        row[list[i] & UINT16_MAX] += list[i] >> 16;
}

/* r_wk of each word where the document has base weights of its own. */
static void spread_words(const gb_prediction_run *r, uint64_t d, gb_explain_worker *w)
{
    const gb_application *a = &r->application;
    const gb_explanation *out = r->explain->out;
    const size_t n_topics = a->model->n_topics;
    const double *base = gb_new_topics_document(&r->topics, d, 0).base;
    const uint32_t *word = GB_FROM(a->batch.word, a->docs->doc_start[d]);
    double *taken = w->taken;
    for (uint64_t i = out->word_start[d]; i < out->word_start[d + 1]; i++, taken += n_topics) {
        double sum = 0;
        expand_row(a, *word, w->row);
        for (size_t k = 0; k < n_topics; k++)
            sum += taken[k] = base[k] * r->topics.scale[k] * w->row[k];
        for (size_t k = 0; k < n_topics; k++)
            taken[k] *= out->word_count[i] / sum;
        word += out->word_count[i];
    }
}

static void add_up_words(const gb_prediction_run *r, uint64_t d, const gb_explain_worker *w)
{
    const gb_explanation *out = r->explain->out;
    const size_t n_topics = r->application.model->n_topics;
    const double *taken = w->taken;
    memset(w->sum, 0, n_topics * sizeof *w->sum);
    for (uint64_t i = out->word_start[d]; i < out->word_start[d + 1]; i++, taken += n_topics)
        for (size_t k = 0; k < n_topics; k++)
            w->sum[k] += taken[k];
}

/* ---- a sample ---- */

/* The parts of an explained output; l: its number in the draw. */
static void add_parts(const gb_prediction_run *r, uint64_t d, size_t o, size_t l, const double *share,
                      double n_samples, const gb_explain_worker *w)
{
    const gb_model *m = r->application.model;
    gb_explanation *out = r->explain->out;
    const size_t n = m->n_topics + 1, at = d * out->n_explained + o;
    const double weight = n_samples / r->output_samples[out->output[at]];
    const double *eta = r->application.draw->eta + l * gb_model_n_features(m);
    for (size_t k = 0; k < m->n_topics; k++) {
        const size_t topic = r->explain->topic[k];
        const double effect = weight * (eta[k] - r->explain->topic_mean[l]);
        out->share[at * n + topic] += weight * share[k];
        out->topic[at * n + topic] += share[k] * effect;
        if (!(w->sum[k] > 0))
            continue;
        for (uint64_t i = out->word_start[d], u = k; i < out->word_start[d + 1]; i++, u += m->n_topics)
            out->word_topic[(i * out->n_explained + o) * n + topic] += w->taken[u] / w->sum[k] * share[k] * effect;
    }
}

double *gb_explain_room(const gb_prediction_run *r, size_t worker)
{
    return r->explain->worker[worker].taken;
}

void gb_explain_note(const gb_prediction_run *r, uint64_t d, const double *share, size_t n_samples, size_t worker)
{
    const gb_draw *draw = r->application.draw;
    const gb_explanation *out = r->explain->out;
    gb_explain_worker *w = &r->explain->worker[worker];
    if (gb_application_length(&r->application, d) > 0) {
        if (!gb_prediction_settles(r))
            spread_words(r, d, w);
        add_up_words(r, d, w);
    }
    for (size_t o = 0; o < out->n_explained; o++) {
        const size_t output = out->output[d * out->n_explained + o];
        if (output >= draw->first_output && output - draw->first_output < draw->n_outputs)
            add_parts(r, d, o, output - draw->first_output, share, (double)n_samples, w);
    }
}

/* ---- what does not vary over samples ---- */

static void add_columns_of_field(const gb_prediction_run *r, uint64_t d, gb_columns columns, const double *eta,
                                 double *part)
{
    const gb_coding *coding = r->application.model->coding;
    for (size_t j = columns.first; j < columns.first + columns.n; j++)
        *part -= gb_coding_column_mean(coding, j) * eta[j];
    for (uint64_t i = r->x.doc_start[d]; i < r->x.doc_start[d + 1]; i++)
        if (r->x.column[i] >= columns.first && r->x.column[i] < columns.first + columns.n)
            *part += r->x.value[i] * eta[r->x.column[i]];
}

/* The document's words are ascending in both lists; a column may lack a word that no training document has. */
static void add_words(const gb_prediction_run *r, uint64_t d, size_t o, const double *eta)
{
    gb_explanation *out = r->explain->out;
    const double *mean = gb_coding_words(r->application.model->coding)->mean;
    double *absent = &out->absent[d * out->n_explained + o];
    uint64_t i = r->words.doc_start[d];
    for (uint64_t u = out->word_start[d]; u < out->word_start[d + 1]; u++) {
        const uint32_t word = out->word[u];
        double *part = &out->word_effect[u * out->n_explained + o];
        while (i < r->words.doc_start[d + 1] && r->words.column[i] < word)
            i++;
        *part = -mean[word] * eta[word];
        *absent -= *part; /* the mean of all words is taken away below */
        if (i < r->words.doc_start[d + 1] && r->words.column[i] == word)
            *part += r->words.value[i] * eta[word];
    }
    for (size_t w = 0; w < r->words.n_columns; w++)
        *absent -= mean[w] * eta[w];
}

static void add_columns(const gb_prediction_run *r, uint64_t d, size_t o)
{
    const gb_model *m = r->application.model;
    gb_explanation *out = r->explain->out;
    const size_t at = d * out->n_explained + o;
    const double *eta = r->explain->coefficient + out->output[at] * m->n_columns;
    for (size_t f = 0, column = 0; f < out->n_fields; f++) {
        const gb_columns columns = gb_coding_columns_of(m->coding, column);
        add_columns_of_field(r, d, columns, eta, &out->covariate[at * out->n_fields + f]);
        column += columns.n;
    }
    eta += r->x.n_columns;
    for (size_t j = 0; j < r->embedding.n_columns; j++)
        out->embedding[at] += gb_dense_columns_row(&r->embedding, d)[j] * eta[j];
    if (r->words.n_columns > 0)
        add_words(r, d, o, eta + r->embedding.n_columns);
}

static double average_of_columns(const gb_prediction_run *r, size_t output)
{
    const gb_model *m = r->application.model;
    const double *eta = r->explain->coefficient + output * m->n_columns;
    double sum = 0;
    for (size_t j = 0; j < m->n_columns; j++)
        sum += gb_coding_column_mean(m->coding, j) * eta[j];
    return sum;
}

static const gb_target *target_of(const gb_model *m, size_t output)
{
    const gb_target *target = m->target;
    while (output >= target->response.first_output + target->response.n_outputs)
        target++;
    return target;
}

static void finish(const gb_prediction_run *r)
{
    const gb_model *m = r->application.model;
    gb_explanation *out = r->explain->out;
    for (size_t l = 0; m->coding != NULL && l < m->n_outputs; l++)
        r->explain->average[l] += average_of_columns(r, l);
    for (uint64_t at = 0; at < out->n_docs * out->n_explained; at++) {
        const size_t output = out->output[at];
        const gb_target *target = target_of(m, output);
        const bool is_number = target->task == GB_TASK_REGRESSION;
        out->score[at] = r->out->score[at / out->n_explained * m->n_outputs + output];
        out->average[at] = r->explain->average[output];
        out->centre[at] = is_number ? target->centre : 0;
        out->scale[at] = is_number ? target->scale : 1;
        if (m->coding != NULL)
            add_columns(r, at / out->n_explained, at % out->n_explained);
    }
}

/* ---- preparing ---- */

static uint64_t most_words(const gb_explanation *out)
{
    uint64_t most = 0;
    for (uint64_t d = 0; d < out->n_docs; d++)
        most =
            out->word_start[d + 1] - out->word_start[d] > most ? out->word_start[d + 1] - out->word_start[d] : most;
    return most;
}

gb_status gb_explain_create_workers(const gb_prediction_run *r, gb_error *err)
{
    gb_status st;
    gb_explain_run *e = r->explain;
    const size_t n_topics = r->application.model->n_topics;
    const uint64_t n_words = most_words(e->out);
    GB_TRY(gb_alloc(&e->worker, r->application.n_threads, sizeof *e->worker, what, err));
    e->n_workers = r->application.n_threads;
    for (size_t i = 0; i < e->n_workers; i++) {
        GB_TRY(gb_alloc(&e->worker[i].row, n_topics, sizeof(double), what, err));
        GB_TRY(gb_alloc(&e->worker[i].sum, n_topics, sizeof(double), what, err));
        GB_TRY(gb_alloc(&e->worker[i].taken, n_words * n_topics, sizeof(double), what, err));
    }
done:
    return st;
}

static gb_status create_run(const gb_model *m, gb_explain_run *e, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&e->average, m->n_outputs, sizeof *e->average, what, err));
    GB_TRY(gb_alloc(&e->topic_mean, m->n_outputs, sizeof *e->topic_mean, what, err));
    GB_TRY(gb_alloc(&e->topic, m->n_topics, sizeof *e->topic, what, err));
    GB_TRY(gb_alloc(&e->coefficient, m->n_outputs * m->n_columns, sizeof *e->coefficient, what, err));
done:
    return st;
}

static void clear_run(gb_explain_run *e)
{
    for (size_t i = 0; i < e->n_workers; i++) {
        gb_free(e->worker[i].row);
        gb_free(e->worker[i].sum);
        gb_free(e->worker[i].taken);
    }
    gb_free(e->worker);
    gb_free(e->average);
    gb_free(e->topic_mean);
    gb_free(e->topic);
    gb_free(e->coefficient);
}

static void clear_numbers(double *number, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        number[i] = 0;
}

static void zero(gb_explanation *out)
{
    const uint64_t n = out->n_docs * out->n_explained, n_words = out->word_start[out->n_docs] * out->n_explained;
    clear_numbers(out->share, n * (out->n_topics + 1));
    clear_numbers(out->topic, n * (out->n_topics + 1));
    clear_numbers(out->covariate, n * out->n_fields);
    clear_numbers(out->embedding, n);
    clear_numbers(out->absent, n);
    clear_numbers(out->word_topic, n_words * (out->n_topics + 1));
    clear_numbers(out->word_effect, n_words);
    for (uint64_t i = 0; i < n_words; i++)
        out->without[i] = NAN;
}

/* ---- without a word ---- */

/* How much a word counts in the explained scores. */
static double importance(const gb_explanation *out, uint64_t word)
{
    double all = 0;
    for (size_t o = 0; o < out->n_explained; o++) {
        const uint64_t at = word * out->n_explained + o;
        double sum = out->word_effect[at];
        for (size_t k = 0; k <= out->n_topics; k++)
            sum += out->word_topic[at * (out->n_topics + 1) + k];
        all += fabs(sum);
    }
    return all;
}

/* The next word of each document: the most important one that has not been taken out; UINT64_MAX: none is left. */
static void choose_words(const gb_explanation *out, const double *size, uint64_t *chosen)
{
    for (uint64_t d = 0; d < out->n_docs; d++) {
        chosen[d] = UINT64_MAX;
        for (uint64_t i = out->word_start[d]; i < out->word_start[d + 1]; i++)
            if (isnan(out->without[i * out->n_explained]) && (chosen[d] == UINT64_MAX || size[i] > size[chosen[d]]))
                chosen[d] = i;
    }
}

/* The documents without their chosen words. */
static void leave_out(const gb_corpus *docs, const gb_explanation *out, const uint64_t *chosen, uint64_t *doc_start,
                      uint32_t *word)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const uint32_t left_out = chosen[d] == UINT64_MAX ? UINT32_MAX : out->word[chosen[d]];
        doc_start[d] = n;
        for (uint64_t i = docs->doc_start[d]; i < docs->doc_start[d + 1]; i++)
            if (docs->word[i] != left_out)
                word[n++] = docs->word[i];
    }
    doc_start[docs->n_docs] = n;
}

static gb_status predict_without(const gb_apply_call *call, const uint64_t *chosen, gb_corpus *docs, double *score,
                                 gb_explanation *out, gb_error *err)
{
    const gb_model *m = call->model;
    gb_prediction means = {.size = sizeof means,
                           .n_docs = docs->n_docs,
                           .n_topics = m->n_topics,
                           .n_outputs = m->n_outputs,
                           .score = score};
    gb_prediction_run r = {.out = &means};
    gb_apply_call without = *call;
    without.docs = docs;
    clear_numbers(score, docs->n_docs * m->n_outputs);
    const gb_status st = gb_prediction_perform(&r, &without, err);
    for (uint64_t d = 0; st == GB_OK && d < docs->n_docs; d++)
        for (size_t o = 0; chosen[d] != UINT64_MAX && o < out->n_explained; o++)
            out->without[chosen[d] * out->n_explained + o] =
                score[d * m->n_outputs + out->output[d * out->n_explained + o]];
    gb_prediction_clear(&r);
    return st;
}

static gb_status find_without(const gb_apply_call *call, double *score, gb_explanation *out, gb_error *err)
{
    gb_status st;
    gb_corpus docs = *call->docs; /* a view: all but the tokens is shared */
    const uint64_t n_words = out->word_start[out->n_docs];
    uint64_t *chosen = NULL, *doc_start = NULL;
    uint32_t *word = NULL;
    double *size = NULL;
    GB_TRY(gb_alloc(&size, n_words, sizeof *size, what, err));
    GB_TRY(gb_alloc(&chosen, docs.n_docs, sizeof *chosen, what, err));
    GB_TRY(gb_alloc(&doc_start, docs.n_docs + 1, sizeof *doc_start, what, err));
    GB_TRY(gb_alloc(&word, docs.n_tokens, sizeof *word, what, err));
    for (uint64_t i = 0; i < n_words; i++)
        size[i] = importance(out, i);
    docs.doc_start = doc_start;
    docs.word = word;
    for (uint64_t n = 0; n < out->n_without && n < most_words(out); n++) {
        choose_words(out, size, chosen);
        leave_out(call->docs, out, chosen, doc_start, word);
        docs.n_tokens = doc_start[docs.n_docs];
        GB_TRY(predict_without(call, chosen, &docs, score, out, err));
    }
done:
    gb_free(size);
    gb_free(chosen);
    gb_free(doc_start);
    gb_free(word);
    return st;
}

/* ---- the caller's ---- */

/* An array of numbers of an explanation, and how many it has. */
typedef struct numbers_array {
    double **array;
    uint64_t n;
} numbers_array;

enum { N_NUMBERS = 12 };

/* Where words are counted already. */
static void list_numbers(gb_explanation *e, numbers_array list[static N_NUMBERS])
{
    const uint64_t n = e->n_docs * e->n_explained, n_words = e->word_start[e->n_docs] * e->n_explained;
    const numbers_array all[N_NUMBERS] = {{&e->score, n},
                                          {&e->average, n},
                                          {&e->share, n * (e->n_topics + 1)},
                                          {&e->topic, n * (e->n_topics + 1)},
                                          {&e->covariate, n * e->n_fields},
                                          {&e->embedding, n},
                                          {&e->absent, n},
                                          {&e->centre, n},
                                          {&e->scale, n},
                                          {&e->word_topic, n_words * (e->n_topics + 1)},
                                          {&e->word_effect, n_words},
                                          {&e->without, n_words}};
    memcpy(list, all, sizeof all);
}

static gb_status check_request(const gb_model *m, const gb_corpus *docs, uint64_t n_explained, gb_error *err)
{
    gb_status st;
    if (m->n_outputs == 0)
        return gb_fail(err, GB_EARGUMENT, "the model has no response, so there are no scores to explain");
    if (n_explained == 0 || n_explained > m->n_outputs)
        return gb_fail(err, GB_EARGUMENT, "%llu scores are to be explained; expected 1 to %zu",
                       (unsigned long long)n_explained, m->n_outputs);
    GB_TRY(gb_model_check_words(m, docs, err));
    GB_TRY(gb_corpus_check_tokens(docs, err));
done:
    return st;
}

static uint64_t n_covariates(const gb_model *m)
{
    return m->coding == NULL ? 0 : gb_coding_n_fields(m->coding);
}

static uint64_t longest(const gb_corpus *docs)
{
    uint64_t most = 0;
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const uint64_t length = docs->doc_start[d + 1] - docs->doc_start[d];
        most = length > most ? length : most;
    }
    return most;
}

/* Parts are found by these, and written where they say. */
static gb_status check_words(const gb_corpus *docs, const gb_explanation *out, gb_error *err)
{
    gb_status st;
    uint32_t *word = NULL, *count = NULL;
    const uint64_t most = longest(docs);
    bool same = out->word_start[0] == 0;
    GB_TRY(gb_alloc(&word, most, sizeof *word, what, err));
    GB_TRY(gb_alloc(&count, most, sizeof *count, what, err));
    for (uint64_t d = 0; d < docs->n_docs && same; d++) {
        const uint64_t start = out->word_start[d], n = gb_corpus_counts(docs, d, word, count);
        same = out->word_start[d + 1] == start + n &&
               (n == 0 || (memcmp(out->word + start, word, n * sizeof *word) == 0 &&
                           memcmp(out->word_count + start, count, n * sizeof *count) == 0));
    }
    if (!same)
        st = gb_fail(err, GB_EARGUMENT, "the explanation has other words than the documents: make one for these");
done:
    gb_free(word);
    gb_free(count);
    return st;
}

static gb_status fail_missing(gb_error *err)
{
    return gb_fail(err, GB_EARGUMENT, "an array of the explanation is missing");
}

static gb_status check(const gb_model *m, const gb_corpus *docs, const gb_settings *settings, gb_explanation *out,
                       gb_error *err)
{
    gb_status st;
    numbers_array list[N_NUMBERS];
    if (out->size < sizeof *out)
        return gb_fail(err, GB_EARGUMENT, "the size of the explanation is %zu, not sizeof(gb_explanation)",
                       out->size);
    if (out->n_docs != docs->n_docs || out->n_topics != m->n_topics || out->n_fields != n_covariates(m))
        return gb_fail(err, GB_EARGUMENT, "the explanation is not of the sizes of documents and model");
    GB_TRY(check_request(m, docs, out->n_explained, err));
    if (gb_settings_yes(settings, "topics-alone"))
        return gb_fail(err, GB_EARGUMENT,
                       "whole scores are explained, and those of `topics-alone` are a part of them");
    if (out->word_start == NULL || (docs->n_docs > 0 && out->output == NULL) ||
        (docs->n_tokens > 0 && (out->word == NULL || out->word_count == NULL)))
        return fail_missing(err);
    for (uint64_t i = 0; i < out->n_docs * out->n_explained; i++)
        if (out->output[i] >= m->n_outputs)
            return gb_fail(err, GB_EARGUMENT, "score %llu is to be explained, but the model has %zu",
                           (unsigned long long)out->output[i], m->n_outputs);
    GB_TRY(check_words(docs, out, err));
    list_numbers(out, list);
    for (size_t i = 0; i < N_NUMBERS; i++)
        if (*list[i].array == NULL && list[i].n > 0)
            return fail_missing(err);
done:
    return st;
}

gb_status gb_explain(const gb_model *model, const gb_corpus *docs, uint64_t first_row, const gb_settings *settings,
                     gb_on_apply *on_progress, void *user, gb_explanation *out, gb_error *err)
{
    gb_status st;
    double *score = NULL;
    gb_explain_run run = {.out = out};
    gb_prediction means = {
        .size = sizeof means, .n_docs = docs->n_docs, .n_topics = model->n_topics, .n_outputs = model->n_outputs};
    gb_prediction_run r = {.out = &means, .explain = &run};
    const gb_apply_call call = {model, docs, first_row, settings, on_progress, user, NULL};
    GB_TRY(check(model, docs, settings, out, err));
    zero(out);
    GB_TRY(gb_alloc(&score, docs->n_docs * model->n_outputs, sizeof *score, what, err));
    means.score = score;
    GB_TRY(create_run(model, &run, err));
    GB_TRY(gb_prediction_perform(&r, &call, err));
    finish(&r);
    GB_TRY(find_without(&call, score, out, err));
    GB_TRY(gb_explain_unite(model, out, err));
done:
    gb_prediction_clear(&r);
    clear_run(&run);
    gb_free(score);
    return st;
}

/* ---- arrays of the library's ---- */

static gb_status count_words(const gb_corpus *docs, gb_explanation *out, gb_error *err)
{
    gb_status st;
    uint64_t n = 0;
    GB_TRY(gb_alloc(&out->word_start, docs->n_docs + 1, sizeof *out->word_start, what, err));
    GB_TRY(gb_alloc(&out->word, docs->n_tokens, sizeof *out->word, what, err));
    GB_TRY(gb_alloc(&out->word_count, docs->n_tokens, sizeof *out->word_count, what, err));
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        out->word_start[d] = n;
        n += gb_corpus_counts(docs, d, GB_FROM(out->word, n), GB_FROM(out->word_count, n));
    }
    out->word_start[docs->n_docs] = n;
done:
    return st;
}

static gb_status create_parts(gb_explanation *out, gb_error *err)
{
    gb_status st;
    numbers_array list[N_NUMBERS];
    const uint64_t n = out->n_docs * out->n_explained;
    list_numbers(out, list);
    GB_TRY(gb_alloc(&out->output, n, sizeof *out->output, what, err));
    GB_TRY(gb_alloc(&out->predicted, n, sizeof *out->predicted, what, err));
    for (size_t i = 0; i < N_NUMBERS; i++)
        GB_TRY(gb_alloc(list[i].array, list[i].n, sizeof(double), what, err));
    for (uint64_t i = 0; i < n; i++) {
        out->output[i] = i % out->n_explained;
        out->predicted[i] = UINT64_MAX;
    }
done:
    return st;
}

gb_status gb_explanation_create(const gb_model *m, const gb_corpus *docs, uint64_t n_explained, uint64_t n_without,
                                gb_explanation **out, gb_error *err)
{
    gb_status st;
    gb_explanation *e = NULL;
    GB_TRY(check_request(m, docs, n_explained, err));
    GB_TRY(gb_alloc(&e, 1, sizeof *e, what, err));
    e->size = sizeof *e;
    e->n_docs = docs->n_docs;
    e->n_topics = m->n_topics;
    e->n_explained = n_explained;
    e->n_without = n_without;
    e->n_fields = n_covariates(m);
    GB_TRY(count_words(docs, e, err));
    GB_TRY(create_parts(e, err));
    *out = e;
    e = NULL;
done:
    gb_explanation_free(e);
    return st;
}

void gb_explanation_free(gb_explanation *e)
{
    if (e == NULL)
        return;
    void *const arrays[] = {e->output,    e->predicted,  e->score,      e->average,     e->share,  e->topic,
                            e->covariate, e->embedding,  e->absent,     e->centre,      e->scale,  e->word_start,
                            e->word,      e->word_count, e->word_topic, e->word_effect, e->without};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        gb_free(arrays[i]);
    gb_free(e);
}
