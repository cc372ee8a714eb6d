/* apply/new_topics.c - topics of new documents, drawn under one draw of the model after another. */
#include "apply/new_topics.h"

#include "base/memory.h"

#include <string.h>

/* Documents whose priors are redrawn together. */
enum { AT_ONCE = 32 };

/* Steps towards the expected counts of a document; one with fewer words settles at once, without a hint. */
enum { N_STEPS = 4, LEAST_LENGTH = 16 };

/* What an expected token counts in the first pass.  More of it lets a document settle sooner, but closer to one answer. */
static const double START_WEIGHT = 0.02;

/* A document that a lane is at. */
struct lane_place {
    uint64_t d, length, next; /* next: the first token that is not handed out yet */
    uint32_t *count;          /* stride */
    double *base;             /* n_topics: in the first pass */
};

struct gb_new_topics_worker {
    gb_scratch *scratch[GB_MAX_TOKEN_LANES];
    struct lane_place place[GB_MAX_TOKEN_LANES];
    uint32_t *count; /* AT_ONCE x n_topics; NULL for a prior that keeps nothing of a document */
    double *prior_scratch;
    /* of expected topics */
    double *weight;            /* n_topics */
    float *product, *weighted; /* stride */
    gb_new_topics *t;
    size_t number;
    uint64_t next, last; /* documents that no lane has had yet */
    uint32_t pass;
    uint64_t since_look; /* topics weighed since the last look at the watch */
    bool is_stopped;
};

/* ---- memory ---- */

static gb_status create_worker(gb_new_topics *t, size_t number, gb_error *err)
{
    gb_status st = GB_OK;
    struct gb_new_topics_worker *w = &t->worker[number];
    const gb_prior_setup *prior = &t->application->model->prior;
    const size_t n_topics = prior->n_topics, stride = t->application->batch.stride;
    w->t = t;
    w->number = number;
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++) {
        GB_TRY(gb_scratch_create(&w->scratch[i], n_topics, 0, err));
        GB_TRY(gb_alloc(&w->place[i].count, stride, sizeof *w->count, "workers", err));
        GB_TRY(gb_alloc(&w->place[i].base, n_topics, sizeof *w->place[i].base, "workers", err));
    }
    GB_TRY(gb_alloc(&w->weight, n_topics, sizeof *w->weight, "workers", err));
    GB_TRY(gb_alloc(&w->product, stride, sizeof *w->product, "workers", err));
    GB_TRY(gb_alloc(&w->weighted, stride, sizeof *w->weighted, "workers", err));
    if (prior->ops->documents->redraw != NULL)
        GB_TRY(gb_alloc(&w->count, AT_ONCE * n_topics, sizeof *w->count, "workers", err));
    GB_TRY(gb_alloc(&w->prior_scratch, gb_prior_scratch(prior), sizeof *w->prior_scratch, "workers", err));
done:
    return st;
}

gb_status gb_new_topics_create(gb_new_topics *out, gb_application *a, gb_error *err)
{
    gb_status st;
    const gb_prior_setup *prior = &a->model->prior;
    const bool is_shared = prior->ops->base_is_shared;
    const char *what = "topics of new documents";
    *out = (gb_new_topics){.application = a,
                           .n_sweeps = (uint32_t)gb_settings_int(a->call.settings, "infer-sweeps"),
                           .n_burn_in = (uint32_t)gb_settings_int(a->call.settings, "infer-burn-in"),
                           .n_numbers = gb_prior_document_numbers(prior),
                           .expect = GB_KERNEL_FOR(gb_isa_best(), gb_expect_tokens),
                           .draw_tokens = gb_token_sampler_choose(a->model->n_topics, 0)->kernel(gb_isa_best())};
    GB_TRY(gb_alloc(&out->topic, a->docs->n_tokens, sizeof *out->topic, what, err));
    GB_TRY(gb_alloc(&out->base, (is_shared ? 1 : a->docs->n_docs) * prior->n_topics, sizeof *out->base, what, err));
    GB_TRY(gb_alloc(&out->numbers, a->docs->n_docs * out->n_numbers, sizeof *out->numbers, what, err));
    GB_TRY(gb_alloc(&out->scale, prior->n_topics, sizeof *out->scale, what, err));
    if (gb_prior_first_unit(prior->ops) > 0)
        GB_TRY(gb_alloc(&out->expected, a->docs->n_docs * prior->n_topics, sizeof *out->expected, what, err));
    GB_TRY(gb_alloc(&out->worker, a->n_threads, sizeof *out->worker, "workers", err));
    for (size_t i = 0; i < a->n_threads; i++)
        GB_TRY(create_worker(out, i, err));
done:
    return st;
}

static void clear_worker(struct gb_new_topics_worker *w)
{
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++) {
        gb_scratch_free(w->scratch[i]);
        gb_free(w->place[i].count);
        gb_free(w->place[i].base);
    }
    gb_free(w->weight);
    gb_free(w->product);
    gb_free(w->weighted);
    gb_free(w->count);
    gb_free(w->prior_scratch);
}

void gb_new_topics_clear(gb_new_topics *t)
{
    for (size_t i = 0; t->worker != NULL && i < t->application->n_threads; i++)
        clear_worker(&t->worker[i]);
    gb_free(t->worker);
    gb_free(t->topic);
    gb_free(t->base);
    gb_free(t->numbers);
    gb_free(t->expected);
    gb_free(t->scale);
    *t = (gb_new_topics){0};
}

/* ---- a document ---- */

gb_prior_document gb_new_topics_document(const gb_new_topics *t, uint64_t d, uint32_t pass)
{
    const gb_application *a = t->application;
    const bool is_shared = a->prior.ops->base_is_shared;
    return (gb_prior_document){.group = gb_application_group(a, d),
                               .key = gb_key_make(a->seed, a->draw->chain),
                               .sweep = (uint32_t)a->draw_number * (1 + t->n_burn_in + t->n_sweeps) + pass,
                               .row = gb_application_item(a, d),
                               .length = gb_application_length(a, d),
                               .numbers = t->n_numbers == 0 ? NULL : t->numbers + d * t->n_numbers,
                               .base = t->base + (is_shared ? 0 : d * a->model->n_topics)};
}

static void count_topics(const gb_new_topics *t, uint64_t d, uint32_t *count)
{
    const uint64_t end = t->application->docs->doc_start[d + 1];
    memset(count, 0, t->application->model->n_topics * sizeof *count);
    for (uint64_t i = t->application->docs->doc_start[d]; i < end; i++)
        count[t->topic[i]]++;
}

/* ---- what the prior keeps of documents ---- */

void gb_new_topics_begin(gb_new_topics *t)
{
    const gb_application *a = t->application;
    for (size_t k = 0; k < a->model->n_topics; k++)
        t->scale[k] = 1 / ((double)a->batch.n_k[k] + a->batch.beta_sum);
    if (a->prior.ops->base_is_shared && a->docs->n_docs > 0) {
        const gb_prior_document document = gb_new_topics_document(t, 0, 0);
        a->prior.ops->documents->begin(&a->prior, &document);
    }
}

/* Documents first .. last - 1 of a pass, at most AT_ONCE. */
static void redraw_numbers(struct gb_new_topics_worker *w, uint64_t first, uint64_t last)
{
    const gb_new_topics *t = w->t;
    const gb_prior *prior = &t->application->prior;
    gb_prior_document document[AT_ONCE];
    size_t n = 0;
    for (uint64_t d = first; d < last; d++) {
        if (gb_application_length(t->application, d) == 0)
            continue;
        document[n] = gb_new_topics_document(t, d, w->pass);
        document[n].count = w->count + n * prior->n_topics;
        if (w->pass > 0)
            count_topics(t, d, w->count + n * prior->n_topics);
        if (w->pass == 0)
            prior->ops->documents->begin(prior, &document[n]);
        else if (w->pass == 1 && prior->ops->documents->adopt != NULL)
            prior->ops->documents->adopt(prior, &document[n]);
        n++;
    }
    if (w->pass > 0)
        prior->ops->documents->redraw(prior, n, document, w->prior_scratch);
}

/* Begun, or given their topics. */
static void draw_numbers(struct gb_new_topics_worker *w, uint64_t first, uint64_t last)
{
    for (uint64_t d = first; w->t->application->prior.ops->documents->redraw != NULL && d < last; d += AT_ONCE)
        redraw_numbers(w, d, d + AT_ONCE < last ? d + AT_ONCE : last);
}

/* ---- looks at the watch ---- */

/* Topics that are weighed between two looks at the watch: some hundredths of a second. */
enum { WEIGHED_PER_LOOK = 1 << 25 };

/* False: the caller has said stop. */
static bool goes_on(struct gb_new_topics_worker *w, uint64_t n_tokens)
{
    w->since_look += n_tokens * (w->t->application->model->n_topics + 64);
    if (w->since_look < WEIGHED_PER_LOOK)
        return true;
    w->since_look = 0;
    w->is_stopped = !gb_application_goes_on(w->t->application, w->number);
    return !w->is_stopped;
}

/* ---- expected topics ---- */

enum { TOKENS_AT_ONCE = 4096 }; /* whose sums are in single precision */

static gb_expectation expectation_of(struct gb_new_topics_worker *w)
{
    const gb_new_topics *t = w->t;
    for (size_t k = 0; k < t->application->model->n_topics; k++)
        w->product[k] = (float)(w->weight[k] * t->scale[k]);
    return (gb_expectation){.rows = &t->application->batch.rows,
                            .beta = (float)t->application->batch.beta,
                            .stride = t->application->batch.stride,
                            .product = w->product,
                            .weighted = w->weighted};
}

/* Add expected counts of some tokens. */
static void expect_piece(const gb_new_topics *t, gb_expectation *e, uint64_t first, size_t n, double *sum)
{
    const gb_model *m = t->application->model;
    memset(e->weighted, 0, e->stride * sizeof *e->weighted);
    e->rest = 0;
    t->expect(e, n, t->application->batch.word + first);
    for (size_t k = 0; k < m->n_topics; k++)
        sum[k] += (double)e->product[k] * ((double)e->weighted[k] + t->application->batch.beta * e->rest);
}

/* Shares of topics in a document whose topics have the weights w->weight. */
static void expect_shares(struct gb_new_topics_worker *w, uint64_t d, double *share)
{
    const gb_application *a = w->t->application;
    const uint64_t end = a->docs->doc_start[d + 1];
    gb_expectation e = expectation_of(w);
    double sum = 0;
    memset(share, 0, a->model->n_topics * sizeof *share);
    for (uint64_t i = a->docs->doc_start[d]; i < end && !w->is_stopped; i += TOKENS_AT_ONCE) {
        const uint64_t n = end - i < TOKENS_AT_ONCE ? end - i : TOKENS_AT_ONCE;
        expect_piece(w->t, &e, i, n, share);
        (void)goes_on(w, n / 2);
    }
    for (size_t k = 0; k < a->model->n_topics; k++)
        sum += share[k];
    for (size_t k = 0; k < a->model->n_topics; k++)
        share[k] /= sum;
}

void gb_new_topics_expected_shares(gb_new_topics *t, uint64_t d, size_t worker, double *share)
{
    struct gb_new_topics_worker *w = &t->worker[worker];
    const double *base = gb_new_topics_document(t, d, 0).base;
    memcpy(w->weight, base, t->application->model->n_topics * sizeof *base);
    expect_shares(w, d, share);
}

static bool is_first_of_chain(const gb_application *a)
{
    return a->draw_number == 0 || a->draw->chain != a->model->draw[a->draw_number - 1].chain;
}

/* Steps towards (2).  `share` is room for n_topics values. */
static void expect_document(struct gb_new_topics_worker *w, uint64_t d, const double *base, float *expected,
                            double *share)
{
    const gb_application *a = w->t->application;
    const size_t n_topics = a->model->n_topics;
    const double length = (double)gb_application_length(a, d);
    memset(expected, 0, n_topics * sizeof *expected);
    for (int step = 0; step < N_STEPS; step++) {
        for (size_t k = 0; k < n_topics; k++)
            w->weight[k] = base[k] + (double)expected[k];
        expect_shares(w, d, share);
        for (size_t k = 0; k < n_topics; k++)
            expected[k] = (float)(length * share[k]);
    }
}

/* The base of the first pass: that of the prior, and the hint. */
static void hint(struct gb_new_topics_worker *w, uint64_t d, double *base)
{
    const gb_application *a = w->t->application;
    const double *given = gb_new_topics_document(w->t, d, 0).base;
    float *expected = w->t->expected + d * a->model->n_topics;
    if (is_first_of_chain(a))
        expect_document(w, d, given, expected, base);
    for (size_t k = 0; k < a->model->n_topics; k++)
        base[k] = given[k] + START_WEIGHT * (double)expected[k];
}

/* ---- tokens ---- */

/* A long document is handed out in pieces, between which the watch is looked at. */
static gb_tokens next_piece(const struct gb_new_topics_worker *w, struct lane_place *p)
{
    const gb_application *a = w->t->application;
    const uint64_t at = a->docs->doc_start[p->d] + p->next, left = p->length - p->next,
                   most = WEIGHED_PER_LOOK / (a->model->n_topics + 64) + 1;
    const gb_tokens piece = {.count = (size_t)(left < most ? left : most),
                             .first = p->next,
                             .word = a->batch.word + at,
                             .topic = w->t->topic + at};
    p->next += piece.count;
    return piece;
}

/* Where a lane goes on after its document, as far as is known. */
static gb_tokens tokens_to_come(const struct gb_new_topics_worker *w)
{
    const gb_application *a = w->t->application;
    if (w->next >= w->last)
        return (gb_tokens){0};
    return (gb_tokens){.count = (size_t)gb_application_length(a, w->next),
                       .word = a->batch.word + a->docs->doc_start[w->next]};
}

/* A document with few tokens has its topics counted by the kernel; one with many has a row of counts. */
static void describe_document(struct gb_new_topics_worker *w, struct lane_place *p, gb_document *document)
{
    const gb_new_topics *t = w->t;
    const size_t stride = t->application->batch.stride;
    const bool has_row = p->length > stride;
    document->doc = gb_application_item(t->application, p->d);
    document->length = p->length;
    document->topics = t->topic + t->application->docs->doc_start[p->d];
    document->count = has_row ? (unsigned char *)p->count : NULL;
    document->base = gb_new_topics_document(t, p->d, w->pass).base;
    if (w->pass == 0 && t->expected != NULL && p->length >= LEAST_LENGTH) {
        hint(w, p->d, p->base);
        document->base = p->base;
    }
    if (has_row && w->pass == 0)
        memset(p->count, 0, stride * sizeof *p->count);
    else if (has_row)
        count_topics(t, p->d, p->count);
}

static bool next_tokens(gb_token_lane *lane)
{
    struct gb_new_topics_worker *w = lane->source;
    struct lane_place *p = lane->memory;
    const gb_application *a = w->t->application;
    if (p->next == p->length) {
        while (w->next < w->last && gb_application_length(a, w->next) == 0)
            w->next++;
        if (w->next == w->last)
            return false;
        p->d = w->next++;
        p->length = gb_application_length(a, p->d);
        p->next = 0;
        describe_document(w, p, &lane->document);
    }
    lane->tokens = next_piece(w, p);
    lane->following = tokens_to_come(w);
    return !w->is_stopped && goes_on(w, lane->tokens.count);
}

static gb_status draw_tokens(struct gb_new_topics_worker *w, uint64_t first, uint64_t last, gb_error *err)
{
    gb_new_topics *t = w->t;
    gb_application *a = t->application;
    const gb_coefficients no_coefficients = {0};
    const gb_prior_document any = gb_new_topics_document(t, first, w->pass);
    gb_token_lane lane[GB_MAX_TOKEN_LANES];
    w->next = first;
    w->last = last;
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++) {
        w->place[i].length = w->place[i].next = 0;
        lane[i] = (gb_token_lane){
            .block = gb_batch_block(&a->batch),
            .document = {.key = any.key,
                         .sweep = any.sweep,
                         .purpose = w->pass == 0 ? GB_DRAW_INFER_INIT : GB_DRAW_INFER,
                         .unit = w->pass == 0 ? gb_prior_first_unit(a->prior.ops) : a->prior.ops->unit,
                         .base = any.base,
                         .base_is_shared = a->prior.ops->base_is_shared && (w->pass > 0 || t->expected == NULL),
                         .width = GB_WIDTH_32},
            .scratch = w->scratch[i],
            .next = next_tokens,
            .source = w,
            .memory = &w->place[i]};
    }
    const gb_status st = t->draw_tokens(lane, GB_MAX_TOKEN_LANES, &no_coefficients, err);
    return st == GB_OK && w->is_stopped ? gb_application_stopped(err) : st;
}

/* ---- passes ---- */

gb_status gb_new_topics_draw(gb_new_topics *t, uint64_t first, uint64_t last, size_t worker,
                             gb_on_new_topics *on_topics, void *context, gb_error *err)
{
    gb_status st = GB_OK;
    struct gb_new_topics_worker *w = &t->worker[worker];
    const gb_application *a = t->application;
    const uint32_t n_before = 1 + t->n_burn_in;
    const uint64_t *start = a->docs->doc_start;
    for (uint64_t i = start[first]; i < start[last]; i++)
        t->topic[i] = GB_NO_TOPIC;
    for (w->pass = 0; w->pass < n_before + t->n_sweeps; w->pass++) {
        draw_numbers(w, first, last);
        GB_TRY(draw_tokens(w, first, last, err));
        for (uint64_t d = first; w->pass >= n_before && d < last; d++) {
            if (start[d + 1] == start[d])
                continue;
            on_topics(context, d, t->topic + start[d], w->pass - n_before, worker);
            w->since_look += a->model->n_outputs; /* what a sample costs */
        }
    }
    if (w->is_stopped)
        st = gb_application_stopped(err);
done:
    return st;
}
