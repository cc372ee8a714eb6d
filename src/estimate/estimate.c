/* estimate/estimate.c - effects of topics on documents whose labels the topics have not seen.
 *
 *     phi_1 .. phi_M | training             snapshots of a chain of the model
 *     z | words, phi_m                      topics of the documents of the estimate, several draws under each snapshot
 *     theta | zbar, labels                  a Bayesian regression on the documents' shares zbar                     (1)
 *
 * What the words say of a document's shares is p(zbar | words, training), whose draws are those of z under all snapshots.  There are
 * two ways to (1).
 *
 * With labels, the posterior of z, too, has seen the label: a Gibbs chain redraws z | words, label, theta (estimate/choice.h)
 * in turn with theta | zbar, labels.  It is right for every response.
 *
 * Without, zbar is the mean m of all draws, the expectation given the words: zbar = m + error with an error of which m does not tell
 * anything (Berkson's).  So a linear regression on m has the coefficients of the one on zbar, and what words leave open is in its
 * noise.  A regression for classes or counts has coefficients that are too small.
 *
 * Either way the errors of documents are taken as independent, but what phi_m adds to them is the same for all:
 * under phi_m, shares are m + Delta_m, and fitted by m alone the coefficients are off by what Delta_m eta would be as a part of the
 * scores.  So each draw of the coefficients that is kept is drawn as if the scores were larger by
 *
 *     sqrt((M + 1) / (M - 1)) Delta_m eta                                                                           (2)
 *
 * for one m after the other: the root makes up for the M snapshots having been averaged, and for a phi that is none of them.
 *
 * (1) is the second stage of a two-stage training of the documents, with shares that are given.  Each chain of
 * the model has a regression of its own.  Words that have coefficients in the model have them in (1), with the weights that they
 * have there. */
#include "estimate/estimate.h"
#include "chain/start.h"
#include "gibbous/effects.h"

#include "apply/new_topics.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "chain/chain.h"
#include "estimate/choice.h"
#include "model/match.h"
#include "plan/plan.h"
#include "recipe/sweep.h"
#include "run/alone.h"
#include "run/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum {
    TOKENS_PER_TASK = 1 << 14,
    BURN_IN = 150,       /* sweeps of a regression before its first draw, from coefficients of 0 */
    N_DRAWS = 500,       /* of a regression */
    THIN = 4,            /* sweeps for each */
    SAMPLES = 20,        /* z of a snapshot, unless the caller says otherwise; */
    LEAST_SAMPLES = 100, /* more if there are few snapshots: of all of a chain */
    SAMPLES_BURN_IN = 5, /* z before those, which are thrown away, likewise */
    FEWEST_SAMPLES = 2,  /* the reliability takes two */
    FEWEST_KEPT = 10,    /* z of a snapshot among which labels choose, if there are as many; */
    LEAST_KEPT = 100     /* more if there are few snapshots: of all of a chain */
};

struct gb_estimate {
    gb_model *model;
    gb_share_reliability reliability;
    double word_scale; /* of the prior of the variance of words: InvGamma(1, word_scale) */
    bool uses_labels;
    uint64_t n_seen; /* documents that were left out */
};

/* An estimate in the making. */
typedef struct estimation {
    gb_application application;
    gb_new_topics topics;
    gb_estimate_shares shares; /* under the snapshots of the chain at hand */
    gb_estimate_choice choice; /* with labels */
    double *shift;             /* n_docs x outputs: (2) */
    double *deviation;         /* n_topics */
    double *eta;               /* a draw of the regression, while (2) is added to it */
    gb_settings *asked;        /* for the application */
    gb_settings *settings;
    gb_plan *plan;
    gb_model_builder *builder;
    gb_chain *chain; /* the regression */
    uint64_t model_chain, n_chains;
    gb_share_reliability reliability;
} estimation;

/* ---- one regression ---- */

/* Topics first: the augmentation that a sweep leaves belongs to the topics that it leaves, as keep() needs it. */
static gb_status sweep(estimation *e, size_t n, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < n; i++) {
        if (!gb_application_goes_on(&e->application, 0))
            return gb_application_stopped(err);
        if (gb_settings_yes(e->asked, "use-labels"))
            GB_TRY(gb_estimate_choice_step(&e->choice, e->chain, err));
        GB_TRY(gb_recipe_sweep(e->chain, err));
    }
done:
    return st;
}

/* A chain that stands behind its burn-in: what its sweeps draw from now on is the second stage. */
static gb_status begin_chain(estimation *e, gb_error *err)
{
    gb_status st;
    const size_t last = e->shares.n_used * e->shares.n_kept - 1;
    GB_TRY(gb_chain_create(e->plan, e->n_chains++, &e->chain, err));
    GB_TRY(gb_chain_start_with(e->chain, gb_estimate_shares_draw(&e->shares, last, 0), err));
    e->chain->is_started = true;
    e->chain->sweep = (uint32_t)e->plan->spec.burn_in;
    if (gb_settings_yes(e->asked, "use-labels"))
        GB_TRY(gb_estimate_choice_start(&e->choice, e->chain, err));
    else
        GB_TRY(gb_chain_give_shares(e->chain, e->shares.total, e->shares.length, err));
    GB_TRY(sweep(e, BURN_IN, err));
done:
    return st;
}

/* (2). */
static void find_shift(estimation *e, size_t snapshot)
{
    const gb_spec *spec = e->chain->spec;
    const double m = (double)e->shares.n_used, factor = sqrt((m + 1) / (m - 1));
    for (uint64_t d = 0; d < e->shares.docs->n_docs; d++) {
        gb_estimate_shares_deviation(&e->shares, snapshot, d, e->deviation);
        for (size_t l = 0; l < spec->n_outputs; l++) {
            const double *eta = e->chain->eta + l * gb_spec_n_features(spec);
            double sum = 0;
            for (size_t k = 0; k < spec->n_topics; k++)
                sum += e->deviation[k] * eta[k];
            e->shift[d * spec->n_outputs + l] = factor * sum;
        }
    }
}

/* Keep a draw of the coefficients with what a snapshot adds to them; the chain goes on without. */
static gb_status keep(estimation *e, size_t snapshot, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n_bytes = e->chain->spec->n_outputs * gb_spec_n_features(e->chain->spec) * sizeof *e->eta;
    const bool is_shifted = e->shares.n_used > 1;
    memcpy(e->eta, e->chain->eta, n_bytes);
    if (is_shifted) {
        find_shift(e, snapshot);
        GB_TRY(gb_chain_draw_shifted(e->chain, e->shift, err));
    }
    GB_TRY(gb_model_builder_add(e->builder, e->chain, err));
    if (is_shifted) {
        memcpy(e->chain->eta, e->eta, n_bytes);
        GB_TRY(gb_chain_use_coefficients(e->chain, err));
    }
done:
    return st;
}

/* (1), given the shares under all snapshots of a chain. */
static gb_status regress(estimation *e, gb_error *err)
{
    gb_status st;
    gb_estimate_shares_finish(&e->shares);
    GB_TRY(begin_chain(e, err));
    for (size_t i = 0; i < N_DRAWS; i++) {
        GB_TRY(sweep(e, THIN, err));
        GB_TRY(keep(e, i % e->shares.n_used, err));
    }
done:
    gb_chain_free(e->chain);
    e->chain = NULL;
    return st;
}

/* ---- snapshots ---- */

/* The draws under a snapshot are complete. */
static void end_snapshot(estimation *e)
{
    if (e->n_chains == 0)
        gb_share_reliability_add(&e->reliability, &e->shares);
}

static void keep_topics(void *context, uint64_t d, const uint16_t *topic, uint32_t pass, size_t worker)
{
    estimation *e = context;
    (void)worker;
    gb_estimate_shares_add(&e->shares, d, pass, topic);
}

/* Those of a chain are complete when the first one of the next begins. */
static gb_status begin_snapshot(void *context, gb_error *err)
{
    gb_status st = GB_OK;
    estimation *e = context;
    const uint64_t chain = e->application.draw->chain;
    if (e->shares.n_used > 0)
        end_snapshot(e);
    if (e->shares.n_used > 0 && chain != e->model_chain) {
        GB_TRY(regress(e, err));
        gb_estimate_shares_restart(&e->shares);
    }
    e->model_chain = chain;
    gb_estimate_shares_begin(&e->shares);
    gb_new_topics_begin(&e->topics);
done:
    return st;
}

static gb_status draw_documents(void *context, uint64_t first, uint64_t last, size_t worker, gb_error *err)
{
    estimation *e = context;
    return gb_new_topics_draw(&e->topics, first, last, worker, keep_topics, e, err);
}

/* ---- all chains ---- */

static gb_estimate_plan count_chains(const gb_model *m, size_t *most_snapshots)
{
    gb_estimate_plan plan = {.n_draws = N_DRAWS};
    size_t n = 0;
    *most_snapshots = 1; /* of a model that has any */
    for (size_t i = 0; i < m->n_draws; i++) {
        const bool is_first = i == 0 || m->draw[i].chain != m->draw[i - 1].chain;
        plan.n_chains += is_first;
        n = is_first ? 1 : n + 1;
        *most_snapshots = n > *most_snapshots ? n : *most_snapshots;
    }
    return plan;
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

static gb_status ask(estimation *e, const gb_settings *settings, size_t n_snapshots, gb_error *err)
{
    gb_status st;
    const size_t least = (LEAST_SAMPLES + n_snapshots - 1) / n_snapshots;
    GB_TRY(gb_settings_copy(settings, &e->asked, err));
    if (!gb_settings_is_set(settings, "infer-sweeps"))
        GB_TRY(gb_settings_set_int(e->asked, "infer-sweeps", least > SAMPLES ? (int64_t)least : SAMPLES, err));
    if (!gb_settings_is_set(settings, "infer-burn-in"))
        GB_TRY(gb_settings_set_int(e->asked, "infer-burn-in", SAMPLES_BURN_IN, err));
    if (gb_settings_int(e->asked, "infer-sweeps") < FEWEST_SAMPLES)
        GB_TRY(gb_settings_set_int(e->asked, "infer-sweeps", FEWEST_SAMPLES, err));
done:
    return st;
}

/* Draws that are kept one by one, of each snapshot. */
static size_t count_kept(const estimation *e, size_t n_snapshots)
{
    const size_t n_passes = (size_t)gb_settings_int(e->asked, "infer-sweeps"),
                 least = (LEAST_KEPT + n_snapshots - 1) / n_snapshots, n = least > FEWEST_KEPT ? least : FEWEST_KEPT;
    return !gb_settings_yes(e->asked, "use-labels") ? 1 : n < n_passes ? n : n_passes;
}

/* The regressions are trainings; the shares come on top. */
static gb_status check_memory(const estimation *e, const gb_corpus *docs, size_t n_snapshots, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n_topics = e->plan->spec.n_topics;
    uint64_t need;
    if (!gb_settings_has(e->asked, "memory-limit"))
        return GB_OK;
    GB_TRY(gb_plan_memory(e->plan, &need, err));
    need += gb_estimate_shares_bytes(docs, n_topics, count_kept(e, n_snapshots), n_snapshots);
    if (gb_settings_yes(e->asked, "use-labels"))
        need += gb_estimate_choice_bytes(docs, n_topics);
    GB_TRY(gb_memory_check(gb_settings_text(e->asked, "memory-limit"), need, "the estimate",
                           "; fewer documents need less, and so does an estimate without `use-labels`", err));
done:
    return st;
}

static gb_status prepare_regression(estimation *e, const gb_model *m, gb_error *err)
{
    gb_status st;
    const gb_spec *spec = &e->plan->spec;
    const char *what = "the regression";
    GB_TRY(gb_model_builder_create(e->plan, &e->builder, err));
    GB_TRY(gb_share_reliability_create(&e->reliability, m->n_topics, err));
    GB_TRY(gb_alloc(&e->shift, e->shares.docs->n_docs * spec->n_outputs, sizeof *e->shift, what, err));
    GB_TRY(gb_alloc(&e->deviation, spec->n_topics, sizeof *e->deviation, what, err));
    GB_TRY(gb_alloc(&e->eta, spec->n_outputs * gb_spec_n_features(spec), sizeof *e->eta, what, err));
    if (gb_settings_yes(e->asked, "use-labels"))
        GB_TRY(gb_estimate_choice_create(&e->choice, &e->shares, err));
done:
    return st;
}

static gb_status prepare(estimation *e, const gb_model *m, const gb_corpus *docs, const gb_settings *settings,
                         gb_on_apply *on_progress, void *user, gb_error *err)
{
    gb_status st;
    size_t n_snapshots;
    const gb_estimate_plan plan = count_chains(m, &n_snapshots);
    GB_TRY(check(m, docs, err));
    GB_TRY(ask(e, settings, n_snapshots, err));
    const gb_apply_call call = {
        .model = m, .docs = docs, .settings = e->asked, .on_progress = on_progress, .user = user};
    GB_TRY(gb_estimate_settings(m, docs, settings, &plan, &e->settings, err));
    GB_TRY(gb_plan_create(docs, e->settings, &e->plan, err));
    GB_TRY(check_memory(e, docs, n_snapshots, err));
    if (gb_model_n_word_columns(m) > 0)
        GB_TRY(gb_spec_take_word_weights(&e->plan->spec, m->coding, docs, err));
    e->plan->spec.coefficient.variance_shape = GB_ESTIMATE_VARIANCE_SHAPE;
    e->plan->spec.coefficient.variance_scale = GB_ESTIMATE_VARIANCE_SCALE;
    GB_TRY(gb_application_open(&e->application, &call, GB_BATCH_COUNTS, TOKENS_PER_TASK, err));
    GB_TRY(gb_new_topics_create(&e->topics, &e->application, err));
    GB_TRY(gb_estimate_shares_create(&e->shares, docs, m->n_topics, (size_t)gb_settings_int(e->asked, "infer-sweeps"),
                                     count_kept(e, n_snapshots), n_snapshots, err));
    GB_TRY(prepare_regression(e, m, err));
done:
    return st;
}

/* Which topic of a chain is which of another is a matter of the topics of the training. */
static gb_status take_match(const gb_model *trained, gb_model *estimated, gb_error *err)
{
    gb_status st;
    gb_match *match = NULL;
    GB_TRY(gb_model_match(trained, 0, &match, err));
    for (size_t i = 0; i < match->n_chains; i++)
        match->chain[i] = i;
    atomic_store(&estimated->match[0].match, match);
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
    gb_estimate_shares_clear(&e->shares);
    gb_estimate_choice_clear(&e->choice);
    gb_free(e->shift);
    gb_free(e->deviation);
    gb_free(e->eta);
    gb_share_reliability_clear(&e->reliability);
}

static bool goes_on(void *context)
{
    return gb_application_goes_on(&((estimation *)context)->application, 0);
}

static gb_status run(estimation *e, gb_estimate *out, gb_error *err)
{
    gb_status st;
    gb_pool pool;
    GB_TRY(gb_for_each_draw(&e->application, begin_snapshot, draw_documents, e, err));
    end_snapshot(e);
    gb_pool_open(&pool);
    st = regress(e, err);
    gb_pool_close(&pool);
    GB_TRY(st);
    GB_TRY(gb_model_builder_finish(e->builder, &out->model, err));
    out->model->n_alone = gb_model_count_alone(out->model);
    GB_TRY(gb_find_alone(out->model, e->shares.docs, e->settings, goes_on, e, err));
    if (e->n_chains > 1)
        GB_TRY(take_match(e->application.model, out->model, err));
    out->reliability = e->reliability;
    out->uses_labels = gb_settings_yes(e->asked, "use-labels");
    if (e->plan->spec.coefficient.word_square > 0)
        out->word_scale = 1 / e->plan->spec.coefficient.word_square;
    e->reliability = (gb_share_reliability){0};
done:
    return st;
}

gb_status gb_estimate_on(const gb_model *m, const gb_corpus *docs, const gb_settings *settings,
                         gb_on_apply *on_progress, void *user, gb_estimate **out, gb_error *err)
{
    gb_status st;
    estimation e = {0};
    gb_estimate *estimate = NULL;
    if (gb_model_n_embedding_columns(m) > 0)
        return gb_fail(err, GB_EARGUMENT,
                       "effects of a model with `embeddings` cannot be estimated on further documents: estimates are "
                       "of topics, covariates and words only");
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

gb_status gb_estimate_create(const gb_model *m, const gb_corpus *docs, const gb_settings *settings,
                             gb_on_apply *on_progress, void *user, gb_estimate **out, gb_error *err)
{
    gb_status st;
    gb_corpus *unseen = NULL;
    gb_error inner = {.status = GB_OK};
    GB_TRY(gb_estimate_leave_out_seen(m, docs, &unseen, err));
    const gb_corpus *used = unseen == NULL ? docs : unseen;
    const uint64_t n_seen = docs->n_docs - used->n_docs;
    st = gb_estimate_on(m, used, settings, on_progress, user, out, &inner);
    if (st == GB_OK)
        (*out)->n_seen = n_seen;
    else if (n_seen > 0 && st == GB_EFORMAT)
        (void)gb_fail(err, st, "without the %" PRIu64 " of %" PRIu64 " documents that are in the training: %s",
                      n_seen, docs->n_docs, inner.message);
    else if (err != NULL)
        *err = inner;
done:
    gb_corpus_free(unseen);
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

double gb_estimate_word_scale(const gb_estimate *e)
{
    return e->word_scale;
}

bool gb_estimate_uses_labels(const gb_estimate *e)
{
    return e->uses_labels;
}

uint64_t gb_estimate_n_seen(const gb_estimate *e)
{
    return e->n_seen;
}

const gb_model *gb_estimate_model(const gb_estimate *e)
{
    return e->model;
}

double gb_estimate_reliability(const gb_estimate *e, uint64_t topic)
{
    return topic < e->reliability.n_topics ? gb_share_reliability_of(&e->reliability, (size_t)topic) : NAN;
}
