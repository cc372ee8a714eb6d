/* Chains on teams of ranks: models, draws and checkpoints have the same bytes on any number of ranks and teams. */
#include "fake_team.h"
#include "helper_documents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RANKS = 8 };

typedef const char *const *options; /* pairs name, value, ended by NULL */

static const char *const PLAIN[] = {"blocks", "4", NULL}, *const MH[] = {"blocks", "4", "sampler", "mh", NULL},
                         *const SAMPLED[] = {"topic-treatment", "sampled", "response", "logistic", NULL},
                         *const AUTO[] = {"blocks", "4", "sweeps", "auto", "burn-in", "auto", NULL},
                         *const FOLDS[] = {"blocks", "4", "calibrate", "3", NULL},
                         *const CLASSES[] = {"blocks", "4", "strategy", "one-vs-rest", "calibrate", "2", NULL},
                         *const POOLED[] = {"blocks", "4", "pool", "3", NULL}, *const APART[] = {"blocks",   "4",
                                                                                                 "response", "none",
                                                                                                 "sweeps",   "auto",
                                                                                                 "burn-in",  "auto",
                                                                                                 NULL},
                         *const NORMAL[] = {"blocks", "4", "prior", "logistic-normal", NULL},
                         *const PARTS[] = {"blocks", "4", "start", "nmf", NULL};
static const options VARIANTS[] = {PLAIN, MH, SAMPLED, FOLDS, CLASSES, NORMAL, AUTO, POOLED, APART, PARTS};
enum { N_VARIANTS = sizeof VARIANTS / sizeof *VARIANTS };

/* A training on ranks, and how it went at each. */
typedef struct training {
    const gb_corpus *corpus;
    gb_settings *settings[MOST_RANKS];
    gb_on_sweep *on_sweep;
    size_t stopping_rank;
    size_t n_ranks;
    gb_error error[MOST_RANKS];
    gb_model *model[MOST_RANKS];
} training;

/* What a callback knows. */
typedef struct caller {
    const training *of;
    size_t rank;
} caller;

static gb_corpus *simulated(void)
{
    return simulated_with(settings_of("documents", "900", "length", "6", "vocabulary-size", "80", "topics", "4",
                                      "classes", "4", "seed", "3", NULL));
}

static gb_settings *new_settings(options o, const char *chains, const char *threads)
{
    gb_settings *s = settings_of("topics", "4", "parts", "4", "sweeps", "9", "burn-in", "3", "thin", "1", "seed", "2",
                                 "snapshots", "2", "chains", chains, "threads", threads, NULL);
    for (; *o != NULL; o += 2)
        if (strcmp(o[1], "auto") == 0)
            assert_int_equal(gb_settings_unset(s, o[0], NULL), GB_OK);
        else
            set(s, o[0], o[1]);
    return s;
}

static void train_on_rank(gb_team *team, void *context)
{
    training *t = context;
    const size_t r = gb_team_rank(team);
    caller c = {t, r};
    gb_settings_use_team(t->settings[r], team);
    t->error[r] = (gb_error){.status = GB_OK};
    t->error[r].status = gb_train(t->corpus, t->settings[r], t->on_sweep, &c, &t->model[r], &t->error[r]);
    if (t->error[r].status != GB_OK && t->error[r].status != GB_ESTOP)
        gb_team_abort(team, t->error[r].message);
}

static void run(training *t, const fake_trouble *trouble)
{
    for (size_t r = 0; r < t->n_ranks; r++)
        t->model[r] = NULL;
    const fake_report report = fake_team_run(t->n_ranks, trouble, train_on_rank, t);
    for (size_t r = 0; r < t->n_ranks; r++)
        if (t->error[r].status != t->error[0].status)
            fail_msg("rank %zu of %zu: %s", r, t->n_ranks, t->error[r].message);
    assert_int_equal(report.n_open, 0);
}

static void clear(training *t)
{
    for (size_t r = 0; r < t->n_ranks; r++) {
        gb_model_free(t->model[r]);
        gb_settings_free(t->settings[r]);
    }
}

static void write_model(const gb_model *model, const char *path)
{
    gb_error err;
    assert_non_null(model);
    if (gb_model_write(model, path, true, NULL, NULL, &err) != GB_OK)
        fail_msg("%s", err.message);
}

static training on_ranks(const gb_corpus *corpus, size_t n_ranks)
{
    return (training){.corpus = corpus, .n_ranks = n_ranks, .stopping_rank = n_ranks};
}

/* With the files that the options "model" and "draws" name. */
static void train(const gb_corpus *corpus, size_t n_ranks, options o, const char *chains, const char *threads,
                  const char *name)
{
    char draws[40], model[40];
    training t = on_ranks(corpus, n_ranks);
    (void)snprintf(draws, sizeof draws, "%s.draws", name);
    (void)snprintf(model, sizeof model, "%s.gibbous", name);
    for (size_t r = 0; r < n_ranks; r++) {
        t.settings[r] = new_settings(o, chains, threads);
        set(t.settings[r], "draws", draws);
        set(t.settings[r], "draws-include", "eta,scores,assignments,prior");
        set(t.settings[r], "force", "yes");
    }
    run(&t, &(fake_trouble){.seed = n_ranks, .longest_delay = 10, .reorders = true, .failing_rank = n_ranks});
    if (t.error[0].status != GB_OK)
        fail_msg("%zu ranks, %s chains, %s: %s", n_ranks, chains, o[0], t.error[0].message);
    write_model(t.model[n_ranks - 1], model); /* all have it */
    clear(&t);
}

static void try_ranks(const gb_corpus *corpus, options o, const char *chains, size_t n_ranks)
{
    train(corpus, n_ranks, o, chains, n_ranks == 2 || n_ranks == 4 ? "2" : "1", "many");
    assert_same_files("one.gibbous", "many.gibbous");
    assert_same_files("one.draws", "many.draws");
}

/* Each variant on one number of ranks, the first one with two chains on all. */
static void ranks_and_chains_change_no_byte(void **state)
{
    static const size_t n_ranks[] = {2, 3, 4, 6, 8};
    static const char *const chains[] = {"1", "2", "4"};
    const bool is_long = getenv("GIBBOUS_LONG_TESTS") != NULL; /* ./check --all */
    for (size_t v = 0; v < N_VARIANTS; v++)
        for (size_t c = 0; c < 3; c++) {
            train(*state, 1, VARIANTS[v], chains[c], "1", "one");
            for (size_t i = 0; i < 5; i++)
                if (is_long || (v == 0 && c == 1) || (i + v + c) % 5 == 0)
                    try_ranks(*state, VARIANTS[v], chains[c], n_ranks[i]);
        }
}

static void fewer_teams_change_no_byte(void **state)
{
    static const char *const two_teams[] = {"blocks", "4", "teams", "2", NULL};
    train(*state, 1, PLAIN, "4", "1", "one");
    try_ranks(*state, two_teams, "4", 4);
    try_ranks(*state, two_teams, "4", 3);
}

/* ---- checkpoints ---- */

static bool stop_later(const gb_progress *p, void *user)
{
    const caller *c = user;
    return c->rank != c->of->stopping_rank || p->sweep < 5;
}

/* A run that one rank stops, and whose last checkpoint a run on other ranks goes on from. */
static void stop_and_go_on(const gb_corpus *corpus, options o, const char *chains, size_t n_before, size_t n_after)
{
    training t = on_ranks(corpus, n_before);
    t.on_sweep = stop_later;
    t.stopping_rank = n_before - 1;
    for (size_t r = 0; r < n_before; r++) {
        t.settings[r] = new_settings(o, chains, "1");
        set(t.settings[r], "checkpoint", "run.gbk");
        set(t.settings[r], "checkpoint-every", "2");
    }
    run(&t, NULL);
    assert_int_equal(t.error[0].status, GB_ESTOP);
    clear(&t);
    t = on_ranks(corpus, n_after);
    for (size_t r = 0; r < n_after; r++)
        t.settings[r] = settings_of("resume", "run.gbk", "threads", "2", NULL);
    run(&t, NULL);
    if (t.error[0].status != GB_OK)
        fail_msg("%s", t.error[0].message);
    write_model(t.model[0], "many.gibbous");
    clear(&t);
    assert_same_files("one.gibbous", "many.gibbous");
    assert_int_equal(unlink("run.gbk"), 0);
    assert_int_equal(unlink("run.gbk.draws"), 0);
}

static void a_run_goes_on_with_other_teams(void **state)
{
    static const size_t n_ranks[][2] = {{4, 3}, {2, 1}, {1, 4}, {3, 8}, {8, 2}};
    for (size_t v = 0; v < N_VARIANTS; v++) {
        train(*state, 1, VARIANTS[v], "3", "1", "one");
        for (size_t i = 0; i < 5; i++)
            if (v == 0 || i % 3 == v % 3)
                stop_and_go_on(*state, VARIANTS[v], "3", n_ranks[i][0], n_ranks[i][1]);
    }
}

/* What is left without a checkpoint: the draws so far, alike at all ranks. */
static void a_stop_leaves_one_model_at_all_ranks(void **state)
{
    training t = on_ranks(*state, 4);
    t.on_sweep = stop_later;
    t.stopping_rank = 2;
    for (size_t r = 0; r < 4; r++)
        t.settings[r] = new_settings(PLAIN, "2", "1");
    run(&t, NULL);
    assert_int_equal(t.error[0].status, GB_ESTOP);
    write_model(t.model[0], "one.gibbous");
    for (size_t r = 1; r < 4; r++) {
        write_model(t.model[r], "many.gibbous");
        assert_same_files("one.gibbous", "many.gibbous");
        assert_int_equal(strcmp(t.error[r].message, t.error[0].message), 0);
    }
    clear(&t);
}

/* ---- stops before the first sweep ---- */

static bool stop_at_once(const gb_progress *p, void *user)
{
    const caller *c = user;
    (void)p;
    return c->rank != c->of->stopping_rank;
}

/* One rank is told so, and all stop. */
static void assert_stop_at_all(const gb_corpus *corpus, const char *name, const char *value)
{
    for (size_t rank = 0; rank < 3; rank++) {
        training t = on_ranks(corpus, 3);
        t.on_sweep = stop_at_once;
        t.stopping_rank = rank;
        for (size_t r = 0; r < 3; r++)
            t.settings[r] = settings_of("topics", "4", "sweeps", "9", "seed", "2", "threads", "1", name, value, NULL);
        run(&t, NULL);
        assert_int_equal(t.error[0].status, GB_ESTOP);
        for (size_t r = 0; r < 3; r++)
            assert_null(t.model[r]);
        clear(&t);
    }
}

static void a_stop_of_one_rank_in_the_trials_of_the_cost_stops_all(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated_with(settings_of("documents", "450", "length", "10", "vocabulary-size", "100",
                                                   "topics", "3", "response", "gaussian", "seed", "3", NULL));
    assert_stop_at_all(corpus, "chains", "1");
    gb_corpus_free(corpus);
}

static void a_stop_of_one_rank_that_reads_a_model_stops_all(void **state)
{
    train(*state, 1, PLAIN, "1", "1", "one");
    assert_stop_at_all(*state, "init-from", "one.gibbous");
}

/* ---- fixtures ---- */

static int set_up(void **state)
{
    const int status = enter_folder(state);
    *state = simulated();
    return status;
}

static int tear_down(void **state)
{
    gb_corpus_free(*state);
    *state = NULL;
    return leave_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_and_chains_change_no_byte),
        cmocka_unit_test(fewer_teams_change_no_byte),
        cmocka_unit_test(a_run_goes_on_with_other_teams),
        cmocka_unit_test(a_stop_leaves_one_model_at_all_ranks),
        cmocka_unit_test(a_stop_of_one_rank_in_the_trials_of_the_cost_stops_all),
        cmocka_unit_test(a_stop_of_one_rank_that_reads_a_model_stops_all),
    };
    return cmocka_run_group_tests_name("teams of ranks", tests, set_up, tear_down);
}
