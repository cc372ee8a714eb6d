/* test_checkpoint.c - a training that writes checkpoints, is stopped and gone on with, through the library. */
#include "helper_documents.h"

#include "gibbous/gibbous.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gb_corpus *simulated(void)
{
    return simulated_with(settings_of("documents", "120", "length", "20", "vocabulary-size", "100", "topics", "5",
                                      "classes", "2", "seed", "3", NULL));
}

static gb_settings *settings_with(const char *name, const char *value)
{
    return settings_of("topics", "6", "sweeps", "20", "burn-in", "4", "thin", "2", "chains", "3", "seed", "2",
                       "threads", "2", name, value, NULL);
}

static bool stop_after_nine(const gb_progress *p, void *user)
{
    (void)user;
    return p->sweep < 9;
}

static void assert_same_file(const char *left, const char *right)
{
    FILE *a = fopen(left, "rb"), *b = fopen(right, "rb");
    int x, y;
    assert_true(a != NULL && b != NULL);
    do {
        x = fgetc(a);
        y = fgetc(b);
        assert_int_equal(x, y);
    } while (x != EOF);
    (void)fclose(a);
    (void)fclose(b);
}

static void train_and_write(const gb_corpus *corpus, const gb_settings *settings, const char *path)
{
    gb_error err;
    gb_model *model = NULL;
    if (gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    assert_int_equal(gb_model_write(model, path, true, NULL, NULL, NULL), GB_OK);
    gb_model_free(model);
}

/* Stopped by the caller, and gone on with on two threads. */
static void assert_resumed_is_the_same(const char *name, const char *value, gb_on_sweep *stop)
{
    gb_corpus *corpus = simulated();
    gb_settings *settings = settings_with(name, value), *resumed = NULL;
    gb_model *model = NULL;
    train_and_write(corpus, settings, "whole.gibbous");
    set(settings, "threads", "1"); /* so that the caller hears of all chains */
    set(settings, "checkpoint", "run.gbk");
    set(settings, "checkpoint-every", "1");
    set(settings, "force", "yes");
    assert_int_equal(gb_train(corpus, settings, stop, NULL, &model, NULL), GB_ESTOP);
    gb_model_free(model);
    assert_int_equal(gb_settings_create(&resumed, NULL), GB_OK);
    set(resumed, "resume", "run.gbk");
    set(resumed, "threads", "2");
    train_and_write(corpus, resumed, "resumed.gibbous");
    assert_same_file("whole.gibbous", "resumed.gibbous");
    gb_settings_free(settings);
    gb_settings_free(resumed);
    gb_corpus_free(corpus);
}

static void a_resumed_run_gives_the_same_model(void **state)
{
    (void)state;
    assert_resumed_is_the_same("threads", "2", stop_after_nine);
}

static bool stop_in_third_chain(const gb_progress *p, void *user)
{
    (void)user;
    return p->chain < 2 || p->sweep < 9;
}

/* Stopped before some chains have begun, and when all have. */
static void a_resumed_run_whose_chains_began_with_topics_gives_the_same_model(void **state)
{
    (void)state;
    assert_resumed_is_the_same("pool", "5", stop_after_nine);
    assert_resumed_is_the_same("pool", "5", stop_in_third_chain);
    assert_resumed_is_the_same("start", "nmf", stop_in_third_chain);
}

/* Of chains side by side, and of one after the other. */
static void a_resumed_run_gives_the_same_file_of_draws(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    gb_settings *whole = settings_with("draws", "whole.jsonl"), *resumed = NULL;
    gb_model *model = NULL;
    gb_error err;
    set(whole, "draws-include", "eta,assignments");
    train_and_write(corpus, whole, "whole.gibbous");
    gb_settings_free(whole);
    for (int threads = 1; threads <= 2; threads++) {
        gb_settings *settings = settings_with("draws", "resumed.jsonl");
        set(settings, "draws-include", "eta,assignments");
        set(settings, "threads", threads == 1 ? "1" : "2");
        set(settings, "checkpoint", "lines.gbk");
        set(settings, "checkpoint-every", "1");
        set(settings, "force", "yes");
        assert_int_equal(gb_train(corpus, settings, stop_after_nine, NULL, &model, &err), GB_ESTOP);
        gb_model_free(model);
        model = NULL;
        gb_settings_free(settings);
        assert_int_equal(gb_settings_create(&resumed, NULL), GB_OK);
        set(resumed, "resume", "lines.gbk"); /* it knows where the draws go */
        train_and_write(corpus, resumed, "resumed.gibbous");
        gb_settings_free(resumed);
        assert_same_file("whole.jsonl", "resumed.jsonl");
        assert_same_file("whole.gibbous", "resumed.gibbous");
    }
    /* without its lines a run cannot go on */
    assert_int_equal(unlink("lines.gbk.lines"), 0);
    assert_int_equal(gb_settings_create(&resumed, NULL), GB_OK);
    set(resumed, "resume", "lines.gbk");
    assert_int_not_equal(gb_train(corpus, resumed, NULL, NULL, &model, &err), GB_OK);
    assert_non_null(strstr(err.message, "lines.gbk.lines"));
    gb_settings_free(resumed);
    gb_corpus_free(corpus);
}

static bool stop_after_fortyfive(const gb_progress *p, void *user)
{
    (void)user;
    return p->sweep < 45;
}

static void a_resumed_run_that_finds_its_burn_in_gives_the_same_model(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    gb_settings *settings = settings_of("topics", "6", "chains", "3", "seed", "2", "threads", "2", "checkpoint",
                                        "run.gbk", "force", "yes", "checkpoint-every", "1", NULL),
                *resumed = settings_of("resume", "run.gbk", "threads", "1", NULL),
                *more = settings_of("resume", "run.gbk", "sweeps", "500", NULL);
    gb_model *model = NULL;
    assert_int_equal(gb_train(corpus, settings, stop_after_fortyfive, NULL, &model, NULL), GB_ESTOP);
    gb_model_free(model);
    model = NULL;
    assert_int_equal(gb_train(corpus, more, NULL, NULL, &model, NULL), GB_EFORMAT);
    train_and_write(corpus, resumed, "resumed.gibbous");
    gb_settings_free(settings);
    settings = settings_of("topics", "6", "chains", "3", "seed", "2", "threads", "2", NULL);
    train_and_write(corpus, settings, "whole.gibbous");
    assert_same_file("whole.gibbous", "resumed.gibbous");
    gb_settings_free(settings);
    gb_settings_free(resumed);
    gb_settings_free(more);
    gb_corpus_free(corpus);
}

/* The folder goes away while the run is under way. */
static bool remove_folder(const gb_progress *p, void *user)
{
    bool *is_gone = user;
    if (p->sweep >= 9 && !*is_gone) {
        assert_int_equal(unlink("gone/run.gbk"), 0);
        assert_int_equal(unlink("gone/run.gbk.draws"), 0);
        assert_int_equal(rmdir("gone"), 0);
        *is_gone = true;
    }
    return true;
}

static void a_checkpoint_that_cannot_be_written_leaves_the_draws_so_far(void **state)
{
    (void)state;
    gb_error err;
    gb_corpus *corpus = simulated();
    gb_settings *settings = settings_with("checkpoint", "gone/run.gbk");
    gb_model *model = NULL;
    bool is_gone = false;
    set(settings, "checkpoint-every", "1");
    assert_int_equal(mkdir("gone", 0777), 0);
    assert_int_equal(gb_train(corpus, settings, remove_folder, &is_gone, &model, &err), GB_EIO);
    assert_non_null(strstr(err.message, "gone/run.gbk.draws: was removed or replaced while the run wrote to it"));
    assert_non_null(model);
    assert_true(gb_model_n_draws(model) > 0);
    gb_model_free(model);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resumed_run_gives_the_same_model),
        cmocka_unit_test(a_resumed_run_whose_chains_began_with_topics_gives_the_same_model),
        cmocka_unit_test(a_resumed_run_gives_the_same_file_of_draws),
        cmocka_unit_test(a_resumed_run_that_finds_its_burn_in_gives_the_same_model),
        cmocka_unit_test(a_checkpoint_that_cannot_be_written_leaves_the_draws_so_far),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
