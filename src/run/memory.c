/* run/memory.c - how much memory a training will need, before it starts.
 *
 * Each part says what it will take; only two things are not known before the chain runs, and are judged by what real
 * collections have (20 Newsgroups, film reviews, abstracts, speeches; 20 to 1000 topics):
 *
 *   Different topics in documents: most right after the first assignment, when each token was drawn given those before
 *   it.  Topics drawn by the prior alone, an urn with weights alpha that add up to A, would come to
 *       sum_d sum_k 1 - p(topic k not drawn in N_d draws)                                                       (1)
 *       p = Gamma(A) Gamma(A - alpha_k + N) / (Gamma(A - alpha_k) Gamma(A + N))
 *   The words spread them more: as an urn of 2.2 A + 2.2 would.
 *
 *   Counts of topics in words that are not 0, in a draw whose topics are kept: a fifth of all that could be, which are as many as
 *   the word has tokens, or as there are topics. */
#include "run/memory.h"

#include "base/memory.h"
#include "base/system.h"
#include "base/text.h"
#include "chain/chain.h"
#include "corpus/data/shards.h"
#include "corpus/data/slice.h"
#include "math/special.h"
#include "model/consensus.h"
#include "model/model.h"
#include "plan/plan.h"
#include "recipe/nmf_start.h"
#include "recipe/start.h"
#include "run/teams.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double SPREAD = 2.2, KEPT_SHARE = 0.2;

/* ---- what is not known ---- */

/* (1) for one document, all topics alike. */
static double topics_by_urn(double n_topics, double total, double n)
{
    const double rest = total - total / n_topics;
    return n_topics *
           (1 - exp(gb_log_gamma(total) - gb_log_gamma(rest) + gb_log_gamma(rest + n) - gb_log_gamma(total + n)));
}

/* Without counts in the weights documents come to nearly all topics that they could have. */
static uint64_t topics_of_documents(const gb_corpus *corpus, const gb_spec *spec)
{
    const double total = spec->prior.ops->concentration(&spec->prior), n_topics = (double)spec->n_topics;
    double sum = 0;
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const double n = (double)(corpus->doc_start[d + 1] - corpus->doc_start[d]);
        sum += isfinite(total) ? topics_by_urn(n_topics, SPREAD * total + SPREAD, n) : fmin(n, n_topics);
    }
    return (uint64_t)sum;
}

static uint64_t topics_of_words(const gb_corpus *corpus, const gb_spec *spec, const uint64_t *total)
{
    uint64_t most = 0, n_words = 0;
    for (uint64_t w = 0; w < corpus->n_words; w++) {
        most += total[w] < spec->n_topics ? total[w] : spec->n_topics;
        n_words += total[w] > 0;
    }
    const double n =
        fmax(KEPT_SHARE * (double)most, (double)n_words); /* customers: of all groups, and their tables */
    return (uint64_t)(spec->wording.shape == NULL ? n : n + 2 * (double)corpus->n_tokens);
}

/* ---- all together ---- */

static uint64_t n_model_chains(const gb_spec *spec)
{
    return (spec->one_vs_rest ? spec->n_outputs : 1) * spec->n_chains;
}

static uint64_t n_all_chains(const gb_spec *spec)
{
    return n_model_chains(spec) + (spec->one_vs_rest ? spec->n_outputs : 1) * spec->calibration_folds;
}

static uint64_t n_kept(const gb_spec *spec)
{
    return (spec->n_sweeps - spec->burn_in) / spec->thin;
}

static gb_draw_counts draws_of_model(const gb_spec *spec, uint64_t n_entries)
{
    return (gb_draw_counts){.kept = n_model_chains(spec) * n_kept(spec),
                            .snapshots = n_model_chains(spec) * spec->n_snapshots,
                            .entries = n_entries};
}

/* Chains that run at the same time, and what they write when they keep topics: each makes a list, and one of them is put
 * together with all else of the draw. */
static uint64_t chains_bytes(const gb_corpus *corpus, const gb_spec *spec, size_t rank, const uint64_t *total)
{
    const bool side_by_side = spec->team == NULL && n_all_chains(spec) > 1 && n_all_chains(spec) >= spec->n_threads;
    const uint64_t n_at_once = side_by_side ? spec->n_threads : 1, n_entries = topics_of_words(corpus, spec, total),
                   snapshot = gb_model_snapshot_bytes(corpus, spec, n_entries);
    gb_spec chain;
    gb_spec_response only;
    gb_spec_for_chain(spec, spec->one_vs_rest ? 0 : GB_NO_FIELD, GB_NO_FIELD, side_by_side ? 1 : spec->n_threads,
                      &only, &chain);
    const uint64_t chain_bytes =
        gb_chain_bytes(corpus, &chain, rank, total, topics_of_documents(corpus, spec), n_entries) +
        gb_start_bytes(&chain, corpus->n_docs);
    return n_at_once * (chain_bytes + snapshot) + snapshot;
}

/* Tokens of each word, seeds among them. */
static gb_status count_words(const gb_corpus *corpus, const gb_spec *spec, uint64_t **out, gb_error *err)
{
    uint64_t *total = NULL;
    gb_status st = gb_alloc(&total, corpus->n_words, sizeof *total, "the need of memory", err);
    if (st != GB_OK)
        return st;
    gb_corpus_count_words(corpus, total);
    gb_seeds_count(&spec->seeds, total);
    *out = total;
    return GB_OK;
}

/* ---- of a rank ---- */

/* The rank that has most tokens, and so needs most memory; each rank says the same. */
static size_t largest_rank(const gb_corpus *corpus, const gb_spec *spec)
{
    size_t largest = 0;
    uint64_t most = 0;
    for (size_t r = 0; r < gb_team_size(spec->team); r++) {
        const uint64_t first = spec->part_start[gb_first_part(spec, r)],
                       last = spec->part_start[gb_first_part(spec, r + 1)],
                       n = corpus->doc_start[last] - corpus->doc_start[first];
        if (n > most) {
            most = n;
            largest = r;
        }
    }
    return largest;
}

/* Make columns those of some documents, as far as estimates need.  @return their bytes */
static uint64_t slice_columns(gb_sparse_columns *x, uint64_t first, uint64_t last)
{
    if (x->n_columns == 0)
        return 0;
    x->n_docs = last - first;
    x->n_entries = x->doc_start[last] - x->doc_start[first];
    return gb_arrays_bytes(gb_sparse_columns_list, x);
}

/* Of all documents a rank has all but the tokens; of its own a list of lengths, tokens, covariates, and its share of the chains. */
static gb_status rank_bytes(const gb_corpus *corpus, const gb_spec *spec, const uint64_t *total, uint64_t *out,
                            gb_error *err)
{
    gb_corpus slice;
    gb_spec own = *spec;
    const size_t rank = largest_rank(corpus, spec);
    const uint64_t first = spec->part_start[gb_first_part(spec, rank)],
                   last = spec->part_start[gb_first_part(spec, rank + 1)];
    const gb_status st = gb_corpus_slice(corpus, first, last, &slice, err);
    if (st != GB_OK)
        return st;
    *out = GB_TEAM_BYTES + gb_corpus_outline_bytes(corpus) + (slice.n_docs + 1) * sizeof *slice.doc_start +
           slice.n_tokens * sizeof *slice.word;
    *out += slice_columns(&own.x, first, last) + slice_columns(&own.words, first, last);
    own.embedding = gb_dense_columns_slice(&own.embedding, first, last);
    *out += chains_bytes(&slice, &own, rank, total);
    gb_corpus_clear_slice(&slice);
    return st;
}

/* The description as the smallest team has it.  @param team  receives its size, and nothing else */
static gb_spec of_smallest_team(const gb_spec *spec, gb_team *team)
{
    gb_spec own = *spec;
    *team = (gb_team){.size = gb_team_size(spec->team) / gb_n_teams(spec, n_all_chains(spec))};
    own.team = team;
    return own;
}

/* What is there beside the chains of the run, and at the most while short chains are drawn or compared before it: their topics. */
static uint64_t pooled_bytes(const gb_corpus *corpus, const gb_spec *spec, const uint64_t *total)
{
    const uint64_t n_chains = gb_spec_n_short_chains(spec);
    return gb_model_bytes(corpus, spec, (gb_draw_counts){.kept = n_chains, .snapshots = n_chains}) +
           gb_consensus_bytes((size_t)n_chains, spec->n_topics, topics_of_words(corpus, spec, total));
}

gb_status gb_train_bytes(const gb_corpus *corpus, const gb_spec *spec, uint64_t *out, gb_error *err)
{
    gb_status st;
    uint64_t *total = NULL, chains;
    gb_team smallest;
    const gb_spec of_team = of_smallest_team(spec, &smallest);
    GB_TRY(count_words(corpus, spec, &total, err));
    if (spec->team == NULL)
        chains = gb_corpus_bytes(corpus) + chains_bytes(corpus, spec, 0, total);
    else
        GB_TRY(rank_bytes(corpus, &of_team, total, &chains, err));
    *out = GB_PROGRAM_BYTES + gb_model_bytes(corpus, spec, draws_of_model(spec, 0)) + chains;
    if (spec->starts_from_parts)
        *out += gb_nmf_start_bytes(corpus, spec->n_topics, spec->n_threads);
    if (spec->pool > 0)
        *out += pooled_bytes(corpus, spec, total);
    if (spec->n_columns > 0)
        *out += gb_arrays_bytes(gb_sparse_columns_list, &spec->x) +
                gb_arrays_bytes(gb_sparse_columns_list, &spec->words) + gb_dense_columns_bytes(&spec->embedding) +
                gb_arrays_bytes(gb_sparse_columns_list, &spec->no_words);
    if (spec->calibration_folds > 0)
        *out += corpus->n_docs * spec->n_outputs * sizeof(double);
done:
    gb_free(total);
    return st;
}

/* ---- room on the disk ---- */

/* Of the model file, and of the file of draws: what they have for certain, and half of the counts that are expected. */
static gb_status file_bytes(const gb_corpus *corpus, const gb_spec *spec, uint64_t *of_model, uint64_t *of_draws,
                            gb_error *err)
{
    uint64_t *total = NULL;
    gb_status st = count_words(corpus, spec, &total, err);
    if (st != GB_OK)
        return st;
    const gb_draw_counts n = draws_of_model(spec, topics_of_words(corpus, spec, total) / 2);
    *of_model = gb_model_file_bytes(corpus, spec, n);
    *of_draws = gb_model_draws_bytes(corpus, spec, n);
    gb_free(total);
    return GB_OK;
}

/* The folder of a file that need not be there. */
static void folder_of(const char *path, size_t size, char *out)
{
    const int n = (int)(gb_path_name(path) - path);
    (void)snprintf(out, size, "%.*s", n == 0 ? 1 : n, n == 0 ? "." : path);
}

/* Where the draws lie until they are in the model, and what they take there already. */
static const char *draws_of(const gb_plan *plan, uint64_t *n_there)
{
    const gb_settings *s = plan->settings;
    const char *checkpoint =
        gb_settings_has(s, "resume") ? gb_settings_text(s, "resume") : gb_settings_text(s, "checkpoint");
    char path[4096];
    gb_path_info info;
    *n_there = 0;
    if (*checkpoint == '\0')
        return gb_settings_text(s, "model");
    (void)snprintf(path, sizeof path, "%s.draws", checkpoint);
    if (gb_settings_has(s, "resume") && gb_path_look(path, true, &info))
        *n_there = info.n_bytes;
    return checkpoint;
}

/* A folder that is not there is reported when the file is opened. */
static gb_status check_folder(const char *path, const char *what, uint64_t need, gb_error *err)
{
    uint64_t n_free;
    char folder[4096], need_text[GB_SIZE_TEXT], free_text[GB_SIZE_TEXT];
    folder_of(path, sizeof folder, folder);
    if (!gb_folder_free_bytes(folder, &n_free) || need <= n_free)
        return GB_OK;
    gb_size_to_text(need, need_text);
    gb_size_to_text(n_free, free_text);
    return gb_fail(
        err, GB_EARGUMENT,
        "%s: %s about %s on the disk, which has %s left; fewer kept draws (`thin`) or `snapshots` need less", path,
        what, need_text, free_text);
}

static bool on_same_disk(const char *a, const char *b)
{
    char folder[2][4096];
    gb_path_info info[2];
    folder_of(a, sizeof folder[0], folder[0]);
    folder_of(b, sizeof folder[1], folder[1]);
    return gb_path_look(folder[0], true, &info[0]) && gb_path_look(folder[1], true, &info[1]) &&
           info[0].device == info[1].device;
}

gb_status gb_train_check_room(const gb_plan *plan, gb_error *err)
{
    const char *model = gb_settings_text(plan->settings, "model");
    uint64_t need, of_draws, n_there;
    gb_status st;
    if (*model == '\0' || strcmp(model, "-") == 0)
        return GB_OK;
    GB_TRY(file_bytes(plan->corpus, &plan->spec, &need, &of_draws, err));
    const char *draws = draws_of(plan, &n_there);
    of_draws = of_draws > n_there ? of_draws - n_there : 0;
    if (on_same_disk(model, draws))
        return check_folder(model, "the model and its draws need", need + of_draws, err);
    GB_TRY(check_folder(model, "the model needs", need, err));
    GB_TRY(check_folder(draws, "the draws need", of_draws, err));
done:
    return st;
}

/* ---- memory ---- */

/* The topics of documents that a fold holds out, as its estimate keeps them (estimate/shares.h): some assignments of each token by each stored
 * draw, with counts of topics in documents. */
static uint64_t held_out_bytes(const gb_plan *plan, uint64_t n_folds)
{
    enum { FEWEST_KEPT = 10, LEAST_KEPT = 100 }; /* of a draw; of all */
    const gb_corpus *corpus = plan->corpus;
    const uint64_t n_docs = corpus->n_docs / n_folds + 1, n_tokens = corpus->n_tokens / n_folds + 1,
                   n_draws = plan->spec.n_snapshots, least = LEAST_KEPT / (n_draws + (n_draws == 0)) + 1,
                   n_kept = !gb_settings_yes(plan->settings, "use-labels") ? 1
                            : least > FEWEST_KEPT                          ? least
                                                                           : FEWEST_KEPT;
    return n_draws * n_kept * n_tokens * sizeof(uint16_t) +
           n_docs * plan->spec.n_topics * (n_draws * sizeof(uint32_t) + 2 * sizeof(double));
}

/* What trainings of folds have beside them: the documents of a fold again, the model of all and the one whose topics all begin with, and gaps
 * that freed blocks of several trainings leave (measured: 3 to 8 MiB). */
static uint64_t cross_fit_bytes(const gb_plan *plan, uint64_t n_folds)
{
    const uint64_t gaps = (uint64_t)5 << 20;
    return gaps + gb_corpus_bytes(plan->corpus) +
           2 * gb_model_bytes(plan->corpus, &plan->spec, draws_of_model(&plan->spec, 0)) +
           held_out_bytes(plan, n_folds);
}

gb_status gb_plan_memory(const gb_plan *plan, uint64_t *out, gb_error *err)
{
    const gb_status st = gb_train_bytes(plan->corpus, &plan->spec, out, err);
    const int64_t n_folds = gb_settings_int_or(plan->settings, "cross-fit", 0);
    if (st == GB_OK && n_folds > 0)
        *out += cross_fit_bytes(plan, (uint64_t)n_folds);
    return st;
}

gb_status gb_memory_check(const char *limit, uint64_t need, const char *what, const char *hint, gb_error *err)
{
    uint64_t most;
    char text[GB_SIZE_TEXT];
    const gb_status st = gb_size_from_text(limit, &most, err);
    if (st != GB_OK || need <= most)
        return st;
    gb_size_to_text(need, text);
    return gb_fail(err, GB_EARGUMENT, "`memory-limit` %s: %s needs about %s%s", limit, what, text, hint);
}

gb_status gb_train_check_memory(const gb_corpus *corpus, const gb_spec *spec, const char *limit, gb_error *err)
{
    uint64_t need;
    if (*limit == '\0')
        return GB_OK;
    const gb_status st = gb_train_bytes(corpus, spec, &need, err);
    return st != GB_OK
               ? st
               : gb_memory_check(limit, need, spec->team == NULL ? "this training" : "a rank of this training",
                                 spec->team == NULL
                                     ? "; fewer topics or chains at the same time (`threads`) need less"
                                     : "; fewer topics, fewer `teams` or more ranks need less",
                                 err);
}
