/* estimate/estimate.c - effects of topics on documents whose labels the topics have not seen.
 *
 *     phi | training                      a snapshot of the model
 *     z_1 .. z_S | words, phi             topics of the documents of the estimate; their labels are not used
 *     theta | zbar, labels                a Bayesian regression on the mean shares zbar of z_1 .. z_S                       (1)
 *
 * Shares are measured by words, with an error.  With zbar of one draw the error would be that of a noisy column: it draws
 * coefficients towards 0, by the reliability of the shares.  The mean m over many draws is the expectation given the words, and
 * zbar = m + error with an error that m does not tell anything about (Berkson's).  So a linear regression on m has the
 * coefficients of the one on zbar, and what words leave open is in its noise.  S draws leave 1 / S of the bias.
 *
 * The mean is the share of topics in documents that hold each document's words S times, so that (1) is the second stage of a
 * two-stage training of such documents, with topics assigned instead of drawn.  Its chain goes on from one snapshot to the next,
 * since the two are much alike; BURN_IN sweeps let it forget the last one.  All chains of the model have regressions of
 * their own. */
#include "estimate/estimate.h"

#include "apply/new_topics.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "chain/chain.h"
#include "chain/start.h"
#include "plan/plan.h"

#include <math.h>
#include <string.h>

enum {
    TOKENS_PER_TASK = 1 << 14,
    FIRST_BURN_IN = 100, /* more sweeps for the first snapshot of a chain, from coefficients of 0 */
    BURN_IN = 40,        /* sweeps before the first draw under a snapshot that is kept */
    KEPT = 25,           /* draws under each snapshot */
    THIN = 4,            /* sweeps for each */
    SAMPLES = 20,        /* z of a snapshot, unless the caller says otherwise */
    SAMPLES_BURN_IN = 5, /* z before those, which are thrown away, likewise */
    FEWEST_SAMPLES = 2   /* the reliability takes two */
};

struct gb_estimate {
    gb_model *model;
    gb_share_reliability reliability;
};

/* An estimate in the making. */
typedef struct estimation {
    gb_application application;
    gb_new_topics topics;
    size_t n_samples;   /* z of each snapshot */
    gb_corpus repeated; /* documents whose words come n_samples times; all but the next two is borrowed */
    uint64_t *start;
    uint32_t *word;
    uint16_t *topic;    /* of its tokens, under the snapshot at hand */
    bool has_topics;    /* they are complete */
    gb_settings *asked; /* for the application */
    gb_settings *settings;
    gb_plan *plan;
    gb_model_builder *builder;
    gb_chain *chain; /* of the snapshot whose topics there are */
    uint64_t model_chain, n_chains;
    bool is_first_chain;
    gb_share_reliability reliability;
} estimation;

/* ---- documents of repeated words ---- */

static gb_status repeat_words(estimation *e, const gb_corpus *docs, gb_error *err)
{
    gb_status st;
    const uint64_t n = e->n_samples;
    const char *what = "the documents of the estimate";
    GB_TRY(gb_alloc(&e->start, docs->n_docs + 1, sizeof *e->start, what, err));
    GB_TRY(gb_alloc(&e->word, n * docs->n_tokens, sizeof *e->word, what, err));
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const uint64_t length = docs->doc_start[d + 1] - docs->doc_start[d];
        e->start[d + 1] = e->start[d] + n * length;
        for (uint64_t i = 0; i < n && length > 0; i++)
            memcpy(e->word + e->start[d] + i * length, docs->word + docs->doc_start[d], length * sizeof *e->word);
    }
    e->repeated = *docs;
    e->repeated.doc_start = e->start;
    e->repeated.word = e->word;
    e->repeated.n_tokens = e->start[docs->n_docs];
done:
    return st;
}

/* ---- one regression ---- */

static gb_status sweep(estimation *e, size_t n, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < n; i++) {
        if (!gb_application_goes_on(&e->application, 0))
            return gb_application_stopped(err);
        GB_TRY(gb_chain_sweep(e->chain, err));
    }
done:
    return st;
}

/* A chain that stands behind its burn-in: what its sweeps draw from now on is the second stage. */
static gb_status begin_chain(estimation *e, gb_error *err)
{
    gb_status st;
    gb_chain_free(e->chain);
    e->chain = NULL;
    GB_TRY(gb_chain_create(e->plan, e->n_chains++, &e->chain, err));
    GB_TRY(gb_chain_start_with(e->chain, e->topic, err));
    e->chain->is_started = true;
    e->chain->sweep = (uint32_t)e->plan->spec.burn_in;
    GB_TRY(sweep(e, FIRST_BURN_IN, err));
done:
    return st;
}

/* (1). */
static gb_status regress(estimation *e, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_chain_assign(e->chain, e->topic, err));
    GB_TRY(sweep(e, BURN_IN, err));
    for (size_t i = 0; i < KEPT; i++) {
        GB_TRY(sweep(e, THIN, err));
        GB_TRY(gb_model_builder_add(e->builder, e->chain, err));
    }
done:
    return st;
}

/* ---- one snapshot ---- */

static gb_status use_topics(estimation *e, gb_error *err)
{
    gb_status st = GB_OK;
    if (!e->has_topics)
        return GB_OK;
    const uint64_t chain = e->application.model->draw[e->application.draw_number - 1].chain;
    if (e->chain == NULL || chain != e->model_chain) {
        e->is_first_chain = e->chain == NULL;
        GB_TRY(begin_chain(e, err));
        e->model_chain = chain;
    }
    GB_TRY(regress(e, err));
    if (e->is_first_chain)
        gb_share_reliability_add(&e->reliability, &e->repeated, e->n_samples, e->topic);
done:
    e->has_topics = false;
    return st;
}

/* A document's topics in one of the passes that count. */
static void keep_topics(void *context, uint64_t d, const uint16_t *topic, uint32_t pass, size_t worker)
{
    estimation *e = context;
    const uint64_t length = gb_application_length(&e->application, d);
    (void)worker;
    memcpy(e->topic + e->start[d] + pass * length, topic, length * sizeof *topic);
}

/* The topics of the last snapshot are complete when the next one begins. */
static gb_status begin_snapshot(void *context, gb_error *err)
{
    estimation *e = context;
    const gb_status st = use_topics(e, err);
    gb_new_topics_begin(&e->topics);
    e->has_topics = st == GB_OK;
    return st;
}

static gb_status draw_documents(void *context, uint64_t first, uint64_t last, size_t worker, gb_error *err)
{
    estimation *e = context;
    return gb_new_topics_draw(&e->topics, first, last, worker, keep_topics, e, err);
}

/* ---- all snapshots ---- */

static gb_estimate_plan count_draws(const gb_model *m)
{
    uint64_t n_updates = 0, most = 0;
    size_t n_chains = 0;
    for (size_t i = 0; i < m->n_draws; i++) {
        if (i == 0 || m->draw[i].chain != m->draw[i - 1].chain) {
            n_chains++;
            n_updates = 0;
        }
        most = ++n_updates > most ? n_updates : most;
    }
    return (gb_estimate_plan){.n_chains = n_chains, .n_draws = most * KEPT, .n_updates = most};
}

static gb_status check(const gb_model *m, const gb_corpus *docs, gb_error *err)
{
    if (m->n_outputs > 0 && m->n_draw_outputs != m->n_outputs)
        return gb_fail(
            err, GB_EARGUMENT,
            "a one-vs-rest model has topics of its own for each class: effects on documents need one set of "
            "topics");
    if (docs->n_tokens == 0)
        return gb_fail(err, GB_EFORMAT, "the documents have no word that the model knows");
    return GB_OK;
}

static gb_status prepare(estimation *e, const gb_model *m, const gb_corpus *docs, const gb_settings *settings,
                         gb_on_apply *on_progress, void *user, gb_error *err)
{
    gb_status st;
    GB_TRY(check(m, docs, err));
    GB_TRY(gb_settings_copy(settings, &e->asked, err));
    if (!gb_settings_is_set(settings, "infer-sweeps"))
        e->asked->infer_sweeps = SAMPLES;
    if (!gb_settings_is_set(settings, "infer-burn-in"))
        e->asked->infer_burn_in = SAMPLES_BURN_IN;
    if (e->asked->infer_sweeps < FEWEST_SAMPLES)
        e->asked->infer_sweeps = FEWEST_SAMPLES;
    e->n_samples = (size_t)e->asked->infer_sweeps;
    const gb_apply_call call = {
        .model = m, .docs = docs, .settings = e->asked, .on_progress = on_progress, .user = user};
    const gb_estimate_plan plan = count_draws(m);
    GB_TRY(repeat_words(e, docs, err));
    GB_TRY(gb_estimate_settings(m, docs, settings, &plan, &e->settings, err));
    GB_TRY(gb_plan_create(&e->repeated, e->settings, &e->plan, err));
    GB_TRY(gb_model_builder_create(e->plan, &e->builder, err));
    GB_TRY(gb_application_open(&e->application, &call, GB_BATCH_COUNTS, TOKENS_PER_TASK, err));
    GB_TRY(gb_new_topics_create(&e->topics, &e->application, err));
    GB_TRY(gb_alloc(&e->topic, e->repeated.n_tokens, sizeof *e->topic, "topics of documents", err));
    GB_TRY(gb_share_reliability_create(&e->reliability, m->n_topics, err));
done:
    return st;
}

static void clear(estimation *e)
{
    gb_chain_free(e->chain);
    gb_model_builder_free(e->builder);
    gb_plan_free(e->plan);
    gb_settings_free(e->settings);
    gb_new_topics_clear(&e->topics);
    gb_application_clear(&e->application);
    gb_settings_free(e->asked);
    gb_free(e->topic);
    gb_free(e->start);
    gb_free(e->word);
    gb_share_reliability_clear(&e->reliability);
}

static gb_status run(estimation *e, gb_estimate *out, gb_error *err)
{
    gb_status st;
    gb_team team;
    GB_TRY(gb_for_each_draw(&e->application, begin_snapshot, draw_documents, e, err));
    e->application.draw_number++;
    gb_team_open(&team);
    st = use_topics(e, err);
    gb_team_close(&team);
    GB_TRY(st);
    GB_TRY(gb_model_builder_finish(e->builder, &out->model, err));
    out->reliability = e->reliability;
    e->reliability = (gb_share_reliability){0};
done:
    return st;
}

gb_status gb_estimate_create(const gb_model *m, const gb_corpus *docs, const gb_settings *settings,
                             gb_on_apply *on_progress, void *user, gb_estimate **out, gb_error *err)
{
    gb_status st;
    estimation e = {0};
    gb_estimate *estimate = NULL;
    GB_TRY(gb_alloc(&estimate, 1, sizeof *estimate, "the estimate", err));
    GB_TRY(prepare(&e, m, docs, settings, on_progress, user, err));
    GB_TRY(run(&e, estimate, err));
    *out = estimate;
    estimate = NULL;
done:
    clear(&e);
    gb_estimate_free(estimate);
    return st;
}

void gb_estimate_free(gb_estimate *e)
{
    if (e == NULL)
        return;
    gb_model_free(e->model);
    gb_share_reliability_clear(&e->reliability);
    gb_free(e);
}

const gb_model *gb_estimate_model(const gb_estimate *e)
{
    return e->model;
}

double gb_estimate_reliability(const gb_estimate *e, uint64_t topic)
{
    return topic < e->reliability.n_topics ? gb_share_reliability_of(&e->reliability, (size_t)topic) : NAN;
}
