/* Trainings on ranks of which one fails: none waits for ever, none leaves memory, transfers or half a file behind, and the checkpoint, if
 * there is one, continues to the model of a run that nothing disturbed. */
#include "fake_team.h"
#include "helper_documents.h"
#include "helper_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_RANKS = 3, N_FAILURES = 40 };

/* ---- memory that is missing ---- */

static _Thread_local uint64_t n_until_failure =
    UINT64_MAX; /* allocations of gb_alloc() that succeed before one fails */

#if defined(__GLIBC__) && !MEMORY_IS_WATCHED
#define MEMORY_CAN_FAIL 1

void *__libc_memalign(size_t alignment, size_t size);

int posix_memalign(void **out, size_t alignment, size_t size)
{
    if (n_until_failure-- == 0)
        return ENOMEM;
    *out = __libc_memalign(alignment, size);
    return *out == NULL ? ENOMEM : 0;
}
#else
#define MEMORY_CAN_FAIL 0
#endif

/* ---- trainings ---- */

/* What is trained, and how it went at each rank. */
typedef struct training {
    const gb_corpus *corpus;
    const char *const *option; /* pairs name, value, ended by NULL */
    gb_settings *settings[MOST_RANKS];
    gb_on_sweep *on_sweep;
    bool writes_draws;      /* and no checkpoint */
    size_t poor_rank;       /* which has memory for */
    uint64_t n_allocations; /* so many in its thread; 0: for all */
    uint64_t n_made;        /* by it */
    gb_error error[MOST_RANKS];
    gb_model *model[MOST_RANKS];
} training;

static const char *const BLOCKS[] = {"blocks", "4", NULL}, *const SAMPLED[] = {"topic-treatment", "sampled", NULL},
                         *const MH[] = {"blocks", "4", "sampler", "mh", "chains", "2", NULL},
                         *const NORMAL[] = {"blocks", "4", "prior", "logistic-normal", NULL},
                         *const TEAMS[] = {"blocks", "4", "chains", "2", "calibrate", "2", NULL};
static const char *const *const OPTIONS[] = {BLOCKS, SAMPLED, MH, NORMAL, TEAMS};
enum { N_OPTIONS = sizeof OPTIONS / sizeof *OPTIONS };

static gb_corpus *simulated(void)
{
    return simulated_with(settings_of("documents", "800", "length", "4", "vocabulary-size", "60", "topics", "3",
                                      "classes", "2", "seed", "3", NULL));
}

static gb_settings *new_settings(const char *const *option)
{
    gb_settings *s = settings_of("topics", "3", "parts", "4", "sweeps", "3", "burn-in", "1", "thin", "1", "seed", "2",
                                 "threads", "2", NULL);
    for (; *option != NULL; option += 2)
        set(s, option[0], option[1]);
    return s;
}

static void train_on_rank(gb_team *team, void *context)
{
    training *t = context;
    const size_t r = gb_team_rank(team);
    gb_settings_use_team(t->settings[r], team);
    t->error[r] = (gb_error){.status = GB_OK};
    const bool is_poor = t->n_allocations > 0 && r == t->poor_rank;
    const uint64_t before = n_until_failure = is_poor ? t->n_allocations : UINT64_MAX;
    t->error[r].status = gb_train(t->corpus, t->settings[r], t->on_sweep, NULL, &t->model[r], &t->error[r]);
    if (r == t->poor_rank)
        t->n_made = before - n_until_failure;
    n_until_failure = UINT64_MAX;
    if (t->error[r].status != GB_OK && t->error[r].status != GB_ESTOP)
        gb_team_abort(team, t->error[r].message);
}

/* Models are freed, but for what is asked of them before. */
static fake_report train_on(training *t, size_t n_ranks, const char *checkpoint, const fake_trouble *trouble,
                            bool *has_model)
{
    for (size_t r = 0; r < n_ranks; r++) {
        t->settings[r] = new_settings(t->option);
        set(t->settings[r], t->writes_draws ? "draws" : "checkpoint", t->writes_draws ? "drawn.jsonl" : checkpoint);
        if (!t->writes_draws)
            set(t->settings[r], "checkpoint-every", "1");
        set(t->settings[r], "force", "yes");
        t->model[r] = NULL;
    }
    const fake_report report = fake_team_run(n_ranks, trouble, train_on_rank, t);
    if (has_model != NULL)
        *has_model = t->model[0] != NULL;
    for (size_t r = 0; r < n_ranks; r++) {
        gb_model_free(t->model[r]);
        gb_settings_free(t->settings[r]);
    }
    return report;
}

static void train_alone(const gb_corpus *corpus, gb_settings *settings, const char *path)
{
    gb_error err;
    gb_model *model = NULL;
    if (gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    assert_int_equal(gb_model_write(model, path, true, NULL, NULL, NULL), GB_OK);
    gb_model_free(model);
    gb_settings_free(settings);
}

static void remove_checkpoint(void)
{
    (void)unlink("run.gbk");
    (void)unlink("run.gbk.draws");
}

static void assert_checkpoint_is_good(const gb_corpus *corpus)
{
    if (access("run.gbk", F_OK) != 0)
        return;
    train_alone(corpus, settings_of("resume", "run.gbk", NULL), "resumed.gibbous");
    assert_same_files("whole.gibbous", "resumed.gibbous");
    assert_int_equal(unlink("resumed.gibbous"), 0);
}

static void assert_ends_well(training *t, size_t n_ranks, size_t rank, uint64_t call)
{
    const fake_trouble trouble = {.seed = call, .failing_rank = rank, .failing_call = call};
    const fake_report report = train_on(t, n_ranks, "run.gbk", &trouble, NULL);
    assert_int_equal(report.error.status, GB_ERANK);
    assert_int_equal(report.n_open, 0);
    for (size_t r = 0; r < n_ranks; r++) {
        const gb_status st = t->error[r].status; /* GB_OK: its part was done before */
        if (st != GB_ERANK && (r == rank || st != GB_OK))
            fail_msg("call %llu of rank %zu fails, and rank %zu of %zu says: %d, %s", (unsigned long long)call, rank,
                     r, n_ranks, (int)st, t->error[r].message);
    }
    assert_checkpoint_is_good(t->corpus);
    remove_checkpoint();
    if (access("drawn.jsonl", F_OK) == 0) /* whole, if the call was one of the last */
        assert_same_files("whole.jsonl", "drawn.jsonl");
    (void)unlink("drawn.jsonl");
    assert_int_equal(count_files(), t->writes_draws ? 2 : 1); /* whole.gibbous, whole.jsonl */
}

static uint64_t calls_of(training *t, size_t n_ranks, size_t rank)
{
    const fake_trouble none = {.failing_rank = rank};
    const fake_report report = train_on(t, n_ranks, "run.gbk", &none, NULL);
    assert_string_equal(report.error.message, "");
    assert_int_equal(report.n_open, 0);
    assert_checkpoint_is_good(t->corpus);
    remove_checkpoint();
    return report.n_calls;
}

/* Each of its calls, or some from the first to the last. */
static void fail_calls_of(training *t, size_t n_ranks, size_t rank)
{
    const uint64_t n = calls_of(t, n_ranks, rank);
    const uint64_t n_failures = getenv("GIBBOUS_LONG_TESTS") != NULL || n < N_FAILURES ? n : N_FAILURES;
    for (uint64_t i = 0; i < n_failures; i++)
        assert_ends_well(t, n_ranks, rank, 1 + i * (n - 1) / (n_failures - 1));
}

static void a_call_that_fails_ends_all_ranks(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    for (size_t i = 0; i < N_OPTIONS; i++) {
        training t = {.corpus = corpus, .option = OPTIONS[i]};
        train_alone(corpus, new_settings(OPTIONS[i]), "whole.gibbous");
        fail_calls_of(&t, 2, i % 2);
        fail_calls_of(&t, 3, (i + 1) % 3);
    }
    assert_int_equal(unlink("whole.gibbous"), 0);
    gb_corpus_free(corpus);
}

/* The draws of all teams go to all ranks at the end. */
static void a_call_that_fails_leaves_no_half_of_the_draws(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    training t = {.corpus = corpus, .option = TEAMS, .writes_draws = true};
    gb_settings *alone = new_settings(TEAMS);
    set(alone, "draws", "whole.jsonl");
    train_alone(corpus, alone, "whole.gibbous");
    for (size_t rank = 0; rank < 3; rank++)
        fail_calls_of(&t, 3, rank);
    assert_int_equal(unlink("whole.gibbous"), 0);
    assert_int_equal(unlink("whole.jsonl"), 0);
    gb_corpus_free(corpus);
}

static void assert_ends_well_without_memory(training *t, uint64_t n)
{
    t->n_allocations = n;
    const fake_report report = train_on(t, 3, "run.gbk", NULL, NULL);
    t->n_allocations = 0;
    assert_int_equal(report.n_open, 0);
    for (size_t r = 0; r < 3; r++) {
        const gb_status st = t->error[r].status;
        if (st != GB_OK && st != (r == t->poor_rank ? GB_ENOMEM : GB_ERANK))
            fail_msg("rank %zu has memory for %llu pieces, and rank %zu says: %d, %s", t->poor_rank,
                     (unsigned long long)n, r, (int)st, t->error[r].message);
    }
    assert_checkpoint_is_good(t->corpus);
    remove_checkpoint();
}

static void a_rank_without_memory_ends_all_ranks(void **state)
{
    (void)state;
    if (!MEMORY_CAN_FAIL)
        skip();
    gb_corpus *corpus = simulated();
    for (size_t i = 0; i < 5; i++) {
        const size_t rank = i < 2 ? i : i - 2;
        training t = {.corpus = corpus, .option = i < 2 ? BLOCKS : TEAMS, .poor_rank = rank};
        train_alone(corpus, new_settings(t.option), "whole.gibbous");
        (void)calls_of(&t, 3, rank);
        const uint64_t n = t.n_made, n_failures = getenv("GIBBOUS_LONG_TESTS") != NULL ? n : N_FAILURES;
        for (uint64_t j = 0; j < n_failures; j++)
            assert_ends_well_without_memory(&t, 1 + j * (n - 1) / n_failures);
        assert_int_equal(unlink("whole.gibbous"), 0);
    }
    gb_corpus_free(corpus);
}

/* The folder goes away while the run is under way. */
static bool remove_folder(const gb_progress *p, void *user)
{
    (void)user;
    if (p->sweep >= 2 && unlink("gone/run.gbk") == 0) {
        (void)unlink("gone/run.gbk.draws");
        (void)rmdir("gone");
    }
    return true;
}

static void a_checkpoint_that_cannot_be_written_stops_all_ranks(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    for (size_t i = 0; i < 2; i++) {
        training t = {.corpus = corpus, .option = i == 0 ? BLOCKS : TEAMS, .on_sweep = remove_folder};
        bool has_model;
        assert_int_equal(mkdir("gone", 0777), 0);
        const fake_report report = train_on(&t, 3, "gone/run.gbk", NULL, &has_model);
        assert_int_equal(t.error[0].status, GB_EIO);
        assert_non_null(
            strstr(t.error[0].message, "gone/run.gbk.draws: was removed or replaced while the run wrote to it"));
        assert_true(has_model);
        assert_int_equal(t.error[1].status, GB_ERANK);
        assert_int_equal(t.error[2].status, GB_ERANK);
        assert_int_equal(report.n_open, 0);
    }
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_fails_ends_all_ranks),
        cmocka_unit_test(a_call_that_fails_leaves_no_half_of_the_draws),
        cmocka_unit_test(a_rank_without_memory_ends_all_ranks),
        cmocka_unit_test(a_checkpoint_that_cannot_be_written_stops_all_ranks),
    };
    return cmocka_run_group_tests_name("failures of ranks", tests, enter_folder, leave_folder);
}
