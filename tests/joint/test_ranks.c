/* The same seed gives the same bits on any number of ranks: chains of every kind, with the documents in four parts.  Every other kind
 * reads its documents from shards, as ranks do: the corpus that all of them share has no tokens. */
#include "fake_team.h"
#include "helper_variants.h"

#include "corpus/data/shards.h"
#include "plan/spec.h"
#include "recipe/start.h"
#include "recipe/sweep.h"
#include "simd/isa.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST_RANKS = 4, N_SHARDS = 3 };

/* What a rank has at the end, in memory of its own. */
typedef struct share {
    gb_error error;
    /* of its documents */
    uint64_t n_docs, n_tokens;
    uint16_t *topic;
    double *score, *psi;
    size_t n_scores, n_psi;
    /* the same at all ranks */
    double *eta, *mass, log_joint;
    size_t n_eta, n_mass;
} share;

typedef struct program {
    const gb_corpus *corpus;
    const variant *v;
    const char *threads;
    share share[MOST_RANKS];
} program;

static void *copy_of(const void *from, size_t n)
{
    void *to = malloc(n == 0 ? 1 : n);
    if (to == NULL)
        abort();
    if (n > 0)
        memcpy(to, from, n);
    return to;
}

static gb_status take(gb_chain *c, share *s, gb_error *err)
{
    const gb_spec *spec = c->spec;
    gb_array psi;
    s->n_docs = c->corpus->n_docs;
    s->n_tokens = c->corpus->n_tokens;
    s->topic = copy_of(c->topic, s->n_tokens * sizeof *s->topic);
    for (uint64_t d = 0; d < s->n_docs; d++)
        gb_chain_assignment(c, d, s->topic + c->corpus->doc_start[d]);
    s->n_scores = s->n_docs * spec->n_outputs;
    s->score = copy_of(c->score, s->n_scores * sizeof *s->score);
    s->n_psi = gb_arrays_find(gb_prior_list, &c->prior, "psi", &psi) ? gb_array_count(&psi) : 0;
    s->psi = copy_of(s->n_psi == 0 ? NULL : gb_array_first(&psi), s->n_psi * sizeof *s->psi);
    s->n_eta = spec->n_outputs * gb_spec_n_features(spec);
    s->eta = copy_of(c->eta, s->n_eta * sizeof *s->eta);
    s->n_mass = c->topics.n_blocks * spec->n_topics;
    s->mass = copy_of(c->topics.mass, s->n_mass * sizeof *s->mass);
    return gb_chain_log_joint(c, &s->log_joint, err);
}

/* On one rank. */
static gb_status run_chain(gb_team *team, const program *p, share *s, gb_error *err)
{
    gb_status st;
    gb_spec spec = {.n_responses = 0};
    gb_chain *chain = NULL;
    /* ranks may have different numbers of threads */
    gb_settings *settings = variant_settings(p->v, gb_team_rank(team) % 2 == 1 ? "3" : p->threads);
    variant_set(settings, "parts", "4");
    GB_TRY(gb_spec_resolve(variant_corpus(p->corpus, p->v), settings, &spec, err));
    spec.team = team;
    GB_TRY(gb_chain_begin(&chain, variant_corpus(p->corpus, p->v), &spec, 0, err));
    for (size_t i = 0; i < N_SWEEPS; i++)
        GB_TRY(gb_recipe_sweep(chain, err));
    GB_TRY(take(chain, s, err));
done:
    gb_chain_free(chain);
    gb_spec_clear(&spec);
    gb_settings_free(settings);
    return st;
}

static void run_rank(gb_team *team, void *context)
{
    program *p = context;
    share *s = &p->share[gb_team_rank(team)];
    s->error = (gb_error){.status = GB_OK};
    s->error.status = run_chain(team, p, s, &s->error);
    if (s->error.status != GB_OK)
        gb_team_abort(team, s->error.message);
}

static void clear(program *p)
{
    for (size_t r = 0; r < MOST_RANKS; r++) {
        share *s = &p->share[r];
        free(s->topic);
        free(s->score);
        free(s->psi);
        free(s->eta);
        free(s->mass);
    }
}

static program run_on(size_t n_ranks, const gb_corpus *corpus, const variant *v, const char *threads)
{
    program p = {.corpus = corpus, .v = v, .threads = threads};
    const fake_trouble trouble = {.seed = n_ranks, .longest_delay = 20, .reorders = true};
    const fake_report report = fake_team_run(n_ranks, &trouble, run_rank, &p);
    for (size_t r = 0; r < n_ranks; r++)
        variant_check(p.share[r].error.status, &p.share[r].error);
    assert_int_equal(report.n_open, 0);
    return p;
}

static void assert_same(const program *one, const program *many, size_t n_ranks)
{
    const share *all = &one->share[0];
    uint64_t token = 0, n_docs = 0, psi = 0, score = 0;
    for (size_t r = 0; r < n_ranks; r++) {
        const share *s = &many->share[r];
        assert_memory_equal(s->topic, all->topic + token, s->n_tokens * sizeof *s->topic);
        assert_memory_equal(s->score, all->score + score, s->n_scores * sizeof *s->score);
        assert_memory_equal(s->psi, all->psi + psi, s->n_psi * sizeof *s->psi);
        assert_int_equal(s->n_eta, all->n_eta);
        assert_memory_equal(s->eta, all->eta, all->n_eta * sizeof *s->eta);
        assert_memory_equal(s->mass, all->mass, all->n_mass * sizeof *s->mass);
        assert_memory_equal(&s->log_joint, &all->log_joint, sizeof s->log_joint);
        token += s->n_tokens;
        n_docs += s->n_docs;
        psi += s->n_psi;
        score += s->n_scores;
    }
    assert_int_equal(token, all->n_tokens);
    assert_int_equal(n_docs, all->n_docs);
    assert_int_equal(psi, all->n_psi);
    assert_int_equal(score, all->n_scores);
}

/* Parts of the chains begin elsewhere than shards. */
static gb_corpus *write_shards(const gb_corpus *corpus, const char *path)
{
    gb_corpus *outline = NULL;
    assert_int_equal(gb_corpus_write_shards(corpus, path, N_SHARDS, false, NULL), GB_OK);
    assert_int_equal(gb_outline_open(path, &outline, NULL), GB_OK);
    assert_null(outline->word);
    return outline;
}

static void remove_shards(const char *path)
{
    for (uint64_t i = 0; i < N_SHARDS; i++) {
        char *shard = NULL;
        assert_int_equal(gb_corpus_shard_path(path, i, N_SHARDS, &shard, NULL), GB_OK);
        assert_int_equal(unlink(shard), 0);
        gb_free(shard);
    }
    assert_int_equal(unlink(path), 0);
}

static void the_number_of_ranks_changes_no_bit(void **state)
{
    const gb_corpus *corpus = *state;
    const bool is_long = getenv("GIBBOUS_LONG_TESTS") != NULL; /* ./check --all: each on all numbers */
    char folder[] = "/tmp/gibbous-ranks-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/all.gbc", folder);
    gb_corpus *outline = write_shards(corpus, path);
    for (size_t i = 0; i < N_VARIANTS; i += variant_step()) {
        program one = run_on(1, corpus, &variants[i], "1");
        for (size_t n_ranks = 2; n_ranks <= MOST_RANKS; n_ranks++) {
            if (!is_long && n_ranks != 2 + i / variant_step() % (MOST_RANKS - 1))
                continue;
            const bool from_shards = /* columns of words need all tokens */
                i % 2 == 0 && variants[i].words == NULL && !variants[i].has_bags;
            program many =
                run_on(n_ranks, from_shards ? outline : corpus, &variants[i], n_ranks % 2 == 0 ? "2" : "1");
            assert_same(&one, &many, n_ranks);
            clear(&many);
        }
        clear(&one);
    }
    gb_corpus_free(outline);
    remove_shards(path);
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_number_of_ranks_changes_no_bit),
    };
    return cmocka_run_group_tests_name("ranks", tests, variant_set_up, variant_tear_down);
}
