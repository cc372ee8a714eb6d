/* apply/topic_correlations.c - correlations of topics over documents.
 *
 * Every draw s of the documents' topics gives shares z_sdk and from them a correlation of topics j and k over the documents; these values
 * are the posterior of the correlation of what the tokens of these documents are about. */
#include "apply/topic_correlations.h"

#include "apply/new_topics.h"
#include "base/memory.h"
#include "gibbous/topic_unions.h"
#include "model/effects.h"

#include <math.h>
#include <string.h>

enum { TOKENS_PER_TASK = 1 << 14, MOST_DOCS = 2048, MOST_COUNTS = 1 << 24 };

static const char what[] = "correlations of topics";

/* A variance below this share of the mean square is rounding: all documents have the same share. */
static const double ROUNDING = 1e-10;

typedef struct sums {
    size_t n_topics, n_draws; /* n_draws: of the documents' topics */
    uint64_t n_docs;          /* with known words, so far */
    double *first;            /* n_draws x n_topics: sums of shares */
    double *second;           /* n_draws x n_topics x n_topics: of their products, j <= k */
    uint16_t *topic;          /* n_topics: those of a document */
} sums;

/* Topics of the tokens of some documents. */
typedef struct batch_run {
    gb_application application;
    gb_new_topics topics;
    size_t n_topics;
    uint64_t n_docs;
    uint32_t *count; /* draws x n_docs x n_topics */
} batch_run;

/* ---- topics of documents ---- */

static void take_topics(void *context, uint64_t d, const uint16_t *topic, uint32_t sweep, size_t worker)
{
    (void)worker;
    const batch_run *r = context;
    const size_t s = r->application.draw_number * r->topics.n_sweeps + sweep;
    uint32_t *count = r->count + (s * r->n_docs + d) * r->n_topics;
    const uint64_t length = gb_application_length(&r->application, d);
    for (uint64_t i = 0; i < length; i++) {
        const uint64_t united = gb_model_topic_union(r->application.model, topic[i]);
        count[united == GB_LEFT_OUT ? topic[i] : united]++;
    }
}

static gb_status begin_draw(void *context, gb_error *err)
{
    (void)err;
    batch_run *r = context;
    gb_new_topics_begin(&r->topics);
    return GB_OK;
}

/* Topics of other chains are others. */
static gb_status draw_documents(void *context, uint64_t first, uint64_t last, size_t worker, gb_error *err)
{
    batch_run *r = context;
    const gb_application *a = &r->application;
    if (a->draw->chain != a->model->draw[0].chain)
        return GB_OK;
    return gb_new_topics_draw(&r->topics, first, last, worker, take_topics, r, err);
}

static gb_status draw_batch(const gb_apply_call *call, uint32_t *count, gb_error *err)
{
    gb_status st;
    batch_run r = {.n_topics = call->model->n_topics, .n_docs = call->docs->n_docs, .count = count};
    GB_TRY(gb_application_open(&r.application, call, GB_BATCH_COUNTS, TOKENS_PER_TASK, err));
    GB_TRY(gb_new_topics_create(&r.topics, &r.application, err));
    GB_TRY(gb_for_each_draw(&r.application, begin_draw, draw_documents, &r, err));
done:
    gb_new_topics_clear(&r.topics);
    gb_application_clear(&r.application);
    return st;
}

/* ---- sums ---- */

static void add_document(sums *t, size_t s, const uint32_t *count, uint64_t length)
{
    size_t n = 0;
    double *first = t->first + s * t->n_topics, *second = t->second + s * t->n_topics * t->n_topics;
    for (size_t k = 0; k < t->n_topics; k++)
        if (count[k] > 0)
            t->topic[n++] = (uint16_t)k;
    for (size_t i = 0; i < n; i++) {
        const size_t j = t->topic[i];
        const double share = count[j] / (double)length;
        first[j] += share;
        for (size_t h = i; h < n; h++)
            second[j * t->n_topics + t->topic[h]] += share * (count[t->topic[h]] / (double)length);
    }
}

static void add_batch(sums *t, const gb_corpus *docs, const uint32_t *count)
{
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const uint64_t length = docs->doc_start[d + 1] - docs->doc_start[d];
        t->n_docs += length > 0;
        for (size_t s = 0; length > 0 && s < t->n_draws; s++)
            add_document(t, s, count + (s * docs->n_docs + d) * t->n_topics, length);
    }
}

/* Times n_docs squared; NaN for a variance that is rounding. */
static double covariance(const sums *t, size_t s, size_t j, size_t k)
{
    const double *first = t->first + s * t->n_topics, n = (double)t->n_docs;
    const double square = n * t->second[(s * t->n_topics + j) * t->n_topics + k], c = square - first[j] * first[k];
    return j == k && !(c > ROUNDING * square) ? NAN : c;
}

static gb_effect correlation(const sums *t, size_t j, size_t k, double *value)
{
    gb_effect e = {.mean = NAN, .sd = NAN, .q05 = NAN, .median = NAN, .q95 = NAN, .p_positive = NAN};
    size_t n = 0;
    for (size_t s = 0; s < t->n_draws; s++) {
        const double scale = sqrt(covariance(t, s, j, j)) * sqrt(covariance(t, s, k, k));
        if (!isnan(scale))
            value[n++] = j == k ? 1 : fmax(-1, fmin(1, covariance(t, s, j, k) / scale));
    }
    if (n > 0)
        e = gb_effect_of(value, n);
    e.n_unused = t->n_draws - n;
    e.shrinkage = NAN;
    return e;
}

static gb_status summarise(const sums *t, gb_effect *out, gb_error *err)
{
    double *value = NULL;
    const gb_status st = gb_alloc(&value, t->n_draws, sizeof *value, what, err);
    for (size_t j = 0; st == GB_OK && j < t->n_topics; j++)
        for (size_t k = j; k < t->n_topics; k++)
            out[j * t->n_topics + k] = out[k * t->n_topics + j] = correlation(t, j, k, value);
    gb_free(value);
    return st;
}

/* ---- all documents ---- */

static size_t n_first_snapshots(const gb_model *m)
{
    size_t n = 0;
    while (n < m->n_draws && m->draw[n].chain == m->draw[0].chain)
        n++;
    return n;
}

static gb_status add_documents(sums *t, const gb_apply_call *all, gb_error *err)
{
    gb_status st = GB_OK;
    gb_corpus *batch = NULL;
    uint32_t *count = NULL;
    const uint64_t affordable = MOST_COUNTS / (t->n_draws * t->n_topics) + 1,
                   at_a_time = affordable < MOST_DOCS ? affordable : MOST_DOCS;
    GB_TRY(gb_alloc(&count, t->n_draws * at_a_time, t->n_topics * sizeof *count, what, err));
    for (uint64_t first = 0, last; first < all->docs->n_docs; first = last) {
        last = first + at_a_time < all->docs->n_docs ? first + at_a_time : all->docs->n_docs;
        GB_TRY(gb_corpus_view_create(all->docs, first, last, &batch, err));
        gb_apply_call call = *all;
        call.docs = batch;
        call.first_row = first;
        memset(count, 0, t->n_draws * (last - first) * t->n_topics * sizeof *count);
        GB_TRY(draw_batch(&call, count, err));
        add_batch(t, batch, count);
        gb_corpus_free(batch);
        batch = NULL;
    }
done:
    gb_corpus_free(batch);
    gb_free(count);
    return st;
}

gb_status gb_topic_correlations(const gb_model *model, const gb_corpus *docs, const gb_settings *settings,
                                gb_on_apply *on_progress, void *user, gb_effect *out, gb_error *err)
{
    gb_status st;
    const gb_apply_call call = {model, docs, 0, settings, on_progress, user, NULL};
    sums t = {.n_topics = model->n_topics,
              .n_draws = n_first_snapshots(model) * (size_t)gb_settings_int(settings, "infer-sweeps")};
    GB_TRY(gb_corpus_check_tokens(docs, err));
    GB_TRY(
        gb_model_check_table(model, (t.n_draws + sizeof *out / sizeof(double)) * t.n_topics, t.n_topics, what, err));
    if (out == NULL) /* with which it is counted */
        goto done;
    GB_TRY(gb_alloc(&t.first, t.n_draws, t.n_topics * sizeof *t.first, what, err));
    GB_TRY(gb_alloc(&t.second, t.n_draws * t.n_topics, t.n_topics * sizeof *t.second, what, err));
    GB_TRY(gb_alloc(&t.topic, t.n_topics, sizeof *t.topic, what, err));
    GB_TRY(add_documents(&t, &call, err));
    GB_TRY(summarise(&t, out, err));
done:
    gb_free(t.first);
    gb_free(t.second);
    gb_free(t.topic);
    return st;
}
