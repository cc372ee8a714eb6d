/* run/alone.c - effects of covariates without topics.
 *
 * Topics that a training bends to a number take over what a covariate says of it: the covariate's effect is the one given topics,
 * and may be 0, or of the other sign.  Without topics it is what any regression on the covariates finds.  That regression is
 * a second stage (two-stage) of two topics, of which all documents have the first only: it is a constant, and so is what it adds to the
 * score. */
#include "run/alone.h"

#include "base/memory.h"
#include "chain/chain.h"
#include "chain/start.h"
#include "options/needs.h"
#include "recipe/sweep.h"

#include <math.h>
#include <string.h>

enum { BURN_IN = 50, N_DRAWS = 150 };

static const char what[] = "effects without topics";

/* What is of topics, words, or the run, and not of the responses. */
static gb_status change_settings(const gb_settings *from, gb_settings **out, gb_error *err)
{
    static const char *const without[] = {"prior",           "alpha",        "graph",      "seeds",
                                          "word-effects",    "checkpoint",   "resume",     "draws",
                                          "init-from",       "memory-limit", "time-limit", "cross-fit",
                                          "sampler",         "estimate-on",  "snapshots",  "coefficient-sampler",
                                          "topic-treatment", "parts"};
    static const char *const with[][2] = {{"topics", "2"},    {"two-stage", "yes"}, {"sampler", "dense"},
                                          {"blocks", "1"},    {"growth", "0"},      {"chains", "1"},
                                          {"burn-in", "1"},   {"thin", "1"},        {"intercept", "yes"},
                                          {"calibrate", "0"}, {"snapshots", "1"},   {"start", "grow"}};
    gb_status st;
    gb_settings *s = NULL;
    GB_TRY(gb_settings_copy(from, &s, err));
    gb_settings_use_team(s, NULL);
    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if (gb_option_find(without[i]) != NULL)
            GB_TRY(gb_settings_unset(s, without[i], err));
    for (size_t i = 0; i < sizeof with / sizeof *with; i++)
        GB_TRY(gb_settings_set(s, with[i][0], with[i][1], err));
    GB_TRY(gb_settings_set_int(s, "sweeps", 1 + N_DRAWS, err));
    GB_TRY(gb_settings_drop_unmet(s, err));
    *out = s;
    s = NULL;
done:
    gb_settings_free(s);
    return st;
}

/* ---- the regression ---- */

typedef struct regression {
    gb_plan *plan;
    gb_model_builder *builder;
    gb_chain *chain;
    uint16_t *topic; /* of all tokens: the first */
    uint32_t *count; /* n_docs x 2 */
    double *length;  /* n_docs */
} regression;

static gb_status begin(regression *r, const gb_corpus *corpus, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&r->topic, corpus->n_tokens, sizeof *r->topic, what, err));
    GB_TRY(gb_alloc(&r->count, corpus->n_docs, 2 * sizeof *r->count, what, err));
    GB_TRY(gb_alloc(&r->length, corpus->n_docs, sizeof *r->length, what, err));
    for (uint64_t d = 0; d < corpus->n_docs; d++)
        r->length[d] = r->count[2 * d] = 1;
    GB_TRY(gb_chain_create(r->plan, 0, &r->chain, err));
    GB_TRY(gb_chain_start_with(r->chain, r->topic, err));
    r->chain->is_started = true;
    r->chain->sweep = (uint32_t)r->plan->spec.burn_in;
    GB_TRY(gb_chain_give_shares(r->chain, r->count, r->length, err));
done:
    return st;
}

static gb_status go_on(regression *r, bool (*goes_on)(void *), void *user, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < BURN_IN + N_DRAWS; i++) {
        if (goes_on != NULL && !goes_on(user))
            return gb_fail(err, GB_ESTOP, "stopped");
        GB_TRY(gb_recipe_sweep(r->chain, err));
        if (i >= BURN_IN)
            GB_TRY(gb_model_builder_add(r->builder, r->chain, err));
    }
done:
    return st;
}

static void clear(regression *r)
{
    gb_chain_free(r->chain);
    gb_model_builder_free(r->builder);
    gb_plan_free(r->plan);
    gb_free(r->topic);
    gb_free(r->count);
    gb_free(r->length);
}

static gb_status regress(const gb_corpus *corpus, const gb_settings *settings, bool (*goes_on)(void *), void *user,
                         gb_model **out, gb_error *err)
{
    gb_status st;
    regression r = {0};
    gb_settings *changed = NULL;
    GB_TRY(change_settings(settings, &changed, err));
    GB_TRY(gb_plan_create(corpus, changed, &r.plan, err));
    GB_TRY(gb_model_builder_create(r.plan, &r.builder, err));
    GB_TRY(begin(&r, corpus, err));
    GB_TRY(go_on(&r, goes_on, user, err));
    GB_TRY(gb_model_builder_finish(r.builder, out, err));
done:
    clear(&r);
    gb_settings_free(changed);
    return st;
}

/* ---- into the model ---- */

static const char *field_of(const gb_model *m, uint64_t output)
{
    uint64_t r = 0;
    while (output >= m->target[r].response.first_output + m->target[r].response.n_outputs)
        r++;
    return gb_model_field(m, r);
}

static uint64_t find_output(const gb_model *m, const char *field, const char *name)
{
    uint64_t l = 0;
    while (l < m->n_outputs && (strcmp(field_of(m, l), field) != 0 || strcmp(gb_model_output(m, l), name) != 0))
        l++;
    return l;
}

static uint64_t find_column(const gb_model *m, const char *name)
{
    uint64_t j = 0;
    while (j < gb_model_n_columns(m) && strcmp(gb_model_column(m, j), name) != 0)
        j++;
    return j;
}

static gb_status put_output(gb_model *m, const gb_model *alone, uint64_t output, gb_effect *room, gb_error *err)
{
    const uint64_t theirs = find_output(alone, field_of(m, output), gb_model_output(m, output));
    if (theirs == alone->n_outputs)
        return GB_OK;
    const gb_status st = gb_model_effects(alone, theirs, room, err);
    for (uint64_t j = 0; st == GB_OK && j < m->n_alone; j++) {
        const uint64_t at = find_column(alone, gb_model_column(m, j));
        if (at == gb_model_n_columns(alone))
            continue;
        const gb_effect *e = &room[alone->n_topics + at];
        const double found[GB_ALONE_N_NUMBERS] = {e->mean, e->sd, e->q05, e->median, e->q95, e->p_positive};
        memcpy(m->alone + (output * m->n_alone + j) * GB_ALONE_N_NUMBERS, found, sizeof found);
    }
    return st;
}

gb_status gb_find_alone(gb_model *m, const gb_corpus *corpus, const gb_settings *settings, bool (*goes_on)(void *),
                        void *user, gb_error *err)
{
    gb_status st;
    gb_model *alone = NULL;
    gb_effect *room = NULL;
    if (m->n_alone == 0)
        return GB_OK;
    if (m->alone == NULL)
        GB_TRY(gb_alloc(&m->alone, m->n_outputs * m->n_alone, GB_ALONE_N_NUMBERS * sizeof *m->alone, what, err));
    for (size_t i = 0; i < m->n_outputs * m->n_alone * GB_ALONE_N_NUMBERS; i++)
        m->alone[i] = NAN;
    if (corpus->in_shards !=
        NULL) /* a rank may have its own shards alone, and models are the same on any number of ranks */
        return GB_OK;
    st = regress(corpus, settings, goes_on, user, &alone, err);
    if (st != GB_OK && st != GB_ENOMEM && st != GB_EIO)
        st = GB_OK; /* the model is there, and does not fail for it */
    GB_TRY(st);
    if (alone == NULL)
        goto done;
    GB_TRY(gb_alloc(&room, alone->n_topics + gb_model_n_columns(alone) + 1, sizeof *room, what, err));
    for (uint64_t l = 0; l < m->n_outputs; l++)
        GB_TRY(put_output(m, alone, l, room, err));
done:
    gb_model_free(alone);
    gb_free(room);
    return st;
}
