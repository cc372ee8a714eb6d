/* run/pooled_start.c - chains that start from short chains before them, or all from the same topics (recipe/nmf_start.c).
 *
 * The topics of a chain get better fast at first, and then for long: each is a mixture of some, which drawing token by token does not
 * undo soon.  Chains that were drawn apart are mixed differently.  So some short chains are drawn first, and their topics are clustered
 * (model/consensus.c).  The first chain of the run starts from the clusters, and its topics have the numbers.  Each other chain goes on from
 * the topics of a short chain of its own, or, if labels shape topics, starts as without: those stay apart, and so an average over all chains
 * predicts as well (docs/measured/pooling.md).
 *
 * It is a start: what a chain converges to does not depend on it, and every kept sweep is exact as before.  The short chains know nothing of each
 * other, so the model keeps how many of them had each topic.  Labels make other topics of those of the start: those that are none of the
 * start's any more at the end of the run were in no short chain.
 *
 * Short chains do not see labels (they are the first stage of a training in two), and keep one draw each.  A run that is
 * resumed draws them again, with the same result, unless they are not needed any more. */
#include "base/memory.h"
#include "base/parallel.h"
#include "gibbous/train.h"
#include "options/settings.h"
#include "recipe/nmf_start.h"
#include "run/run.h"

#include <math.h>

static const char what[] = "the chains";

static bool on_sweep(const gb_progress *progress, void *user)
{
    (void)progress;
    return gb_run_ask(user);
}

static bool some_chain_begins(const gb_run *r)
{
    for (size_t i = 0; i < r->plan->n_chains; i++)
        if (r->job[i].n_sweeps == 0)
            return true;
    return false;
}

/* One sweep after burn-in gives coefficients, and the draw.  The random numbers of the chains that follow are others. */
static gb_status make_settings(const gb_plan *plan, gb_settings **out, gb_error *err)
{
    static const char *const of_all[][2] = {{"pool", "0"},      {"two-stage", "yes"},        {"calibrate", "0"},
                                            {"snapshots", "1"}, {"word-effects-after", "0"}, {"thin", "auto"}};
    const uint64_t others = 0x5ca1ab1e;
    const gb_spec *spec = &plan->spec;
    gb_status st;
    gb_settings *s = NULL;
    GB_TRY(gb_settings_for_model(plan->settings, NULL, &s, err));
    for (size_t i = 0; i < sizeof of_all / sizeof of_all[0]; i++)
        GB_TRY(gb_settings_set(s, of_all[i][0], of_all[i][1], err));
    GB_TRY(gb_settings_set_int(s, "sweeps", (int64_t)spec->pool + 1, err));
    GB_TRY(gb_settings_set_int(s, "burn-in", (int64_t)spec->pool, err));
    GB_TRY(gb_settings_set_int(s, "chains", (int64_t)gb_spec_n_short_chains(spec), err));
    GB_TRY(gb_settings_set_int(s, "seed", (int64_t)((spec->seed ^ others) & INT64_MAX), err));
    gb_settings_use_team(s, spec->team);
    *out = s;
    s = NULL;
done:
    gb_settings_free(s);
    return st;
}

/* Topics with names come first. */
static size_t count_named(const gb_seeds *seeds)
{
    size_t n = 0;
    for (size_t i = 0; i < seeds->n; i++)
        n = seeds->seed[i].topic >= n ? (size_t)seeds->seed[i].topic + 1 : n;
    return n;
}

static gb_status pool(gb_run *r, gb_error *err)
{
    gb_status st;
    gb_settings *settings = NULL;
    const gb_spec *spec = &r->plan->spec;
    GB_TRY(make_settings(r->plan, &settings, err));
    GB_TRY(gb_run_train(r->plan->corpus, settings, NULL, on_sweep, r, &r->short_chains, NULL, err));
    GB_TRY(gb_consensus_find(r->short_chains, count_named(&spec->seeds), &r->pooled, err));
    if (r->found == NULL)
        GB_TRY(gb_alloc(&r->found, spec->n_topics, sizeof *r->found, what, err));
    for (size_t k = 0; k < spec->n_topics; k++)
        r->found[k] = r->pooled->n_found[k];
done:
    gb_settings_free(settings);
    return st;
}

/* n_k . m_k / (|n_k| |m_k|) for all topics, of a draw's counts n and the clusters' m. */
static void find_cosines(const gb_draw *draw, const gb_consensus *start, double *cosine, double *norm)
{
    double *of_draw = norm, *of_start = norm + start->n_topics;
    for (uint64_t w = 0; w < start->n_words; w++) {
        uint64_t j = start->word_start[w];
        for (; j < start->word_start[w + 1]; j++)
            of_start[start->topic[j]] += (double)start->count[j] * start->count[j];
        j = start->word_start[w];
        for (uint64_t i = draw->word_start[w]; i < draw->word_start[w + 1]; i++) {
            const size_t k = draw->topic[i];
            of_draw[k] += (double)draw->count[i] * draw->count[i];
            while (j < start->word_start[w + 1] && start->topic[j] < k)
                j++;
            if (j < start->word_start[w + 1] && start->topic[j] == k)
                cosine[k] += (double)draw->count[i] * start->count[j];
        }
    }
    for (size_t k = 0; k < start->n_topics; k++)
        cosine[k] = of_draw[k] > 0 && of_start[k] > 0 ? cosine[k] / sqrt(of_draw[k] * of_start[k]) : 0;
}

gb_status gb_run_forget_changed(gb_run *r, gb_error *err)
{
    static const double SAME = 0.8; /* as in docs/measured/verdict.md */
    gb_status st;
    double *cosine = NULL, *norm = NULL;
    const size_t n = r->plan->spec.n_topics;
    if (r->found == NULL || r->pooled == NULL || !gb_spec_topics_see_labels(&r->plan->spec) || r->model->n_draws == 0)
        return GB_OK;
    GB_TRY(gb_alloc(&cosine, n, sizeof *cosine, what, err));
    GB_TRY(gb_alloc(&norm, 2 * n, sizeof *norm, what, err));
    find_cosines(&r->model->draw[0], r->pooled, cosine, norm);
    for (size_t k = 0; k < n; k++)
        if (cosine[k] < SAME)
            r->found[k] = 0;
done:
    gb_free(cosine);
    gb_free(norm);
    return st;
}

/* All ranks find the same. */
static gb_status factorise(gb_run *r, gb_error *err)
{
    const gb_spec *spec = &r->plan->spec;
    gb_watch watch;
    gb_run_watch(r, false, &watch);
    gb_watch *const before = gb_parallel_watch(&watch);
    const gb_status st = gb_nmf_start_find(r->plan->corpus, spec->n_topics, spec->n_threads, &r->pooled, err);
    (void)gb_parallel_watch(before);
    return gb_team_agree_to_stop(spec->team, st, err);
}

gb_status gb_run_find_start(gb_run *r, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_spec *spec = &r->plan->spec;
    if (r->begin_with != NULL)
        return GB_OK;
    if (spec->starts_from_parts && some_chain_begins(r))
        st = factorise(r, err);
    else if (spec->pool > 0 && (some_chain_begins(r) || gb_spec_topics_see_labels(spec)))
        st = pool(r, err);
    return st == GB_ESTOP ? gb_fail(err, st, "stopped before the first sweep") : st;
}

gb_status gb_run_begin_pooled(const gb_run *r, gb_chain *chain, gb_error *err)
{
    if (chain->number == 0 || r->short_chains == NULL)
        return gb_chain_init_pooled(chain, r->pooled, err);
    return gb_spec_topics_see_labels(chain->spec) ? GB_OK : gb_chain_init_from(chain, r->short_chains, err);
}
