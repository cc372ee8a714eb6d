/* test_training_ends.c - what is left when a training ends in another way than planned. */
#include "helper_documents.h"

#include "gibbous/gibbous.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static gb_corpus *simulated(void)
{
    return simulated_with(settings_of("documents", "60", "length", "20", "vocabulary-size", "100", "topics", "5",
                                      "classes", "2", "seed", "3", NULL));
}

static gb_settings *settings_with(const char *name, const char *value, const char *other, const char *other_value)
{
    return settings_of("topics", "6", "sweeps", "20", "burn-in", "4", "thin", "2", "seed", "2", "threads", "1", name,
                       value, other, other_value, NULL);
}

static uint64_t size_of(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return (uint64_t)info.st_size;
}

/* A folder takes the name of the file. */
static bool take_name_of_draws(const gb_progress *p, void *user)
{
    (void)user;
    if (p->sweep == 9 && !p->is_partial)
        assert_int_equal(mkdir("draws.jsonl", 0777), 0);
    return true;
}

static void a_draws_file_that_cannot_be_written_leaves_the_whole_model(void **state)
{
    (void)state;
    gb_error err;
    gb_corpus *corpus = simulated();
    gb_settings *settings = settings_with("draws", "draws.jsonl", "response", "logistic");
    gb_model *model = NULL;
    assert_int_not_equal(gb_train(corpus, settings, take_name_of_draws, NULL, &model, &err), GB_OK);
    assert_non_null(strstr(err.message, "draws.jsonl"));
    assert_non_null(model);
    assert_int_equal(gb_model_n_draws(model), 8);
    gb_model_free(model);
    assert_int_equal(rmdir("draws.jsonl"), 0);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static bool no_sweep_is_expected(const gb_progress *p, void *user)
{
    (void)p, (void)user;
    fail_msg("the training has begun");
    return false;
}

static void a_name_that_a_checkpoint_cannot_hold_is_refused_at_once(void **state)
{
    (void)state;
    gb_error err;
    gb_corpus *corpus = simulated();
    gb_settings *settings = settings_with("checkpoint", "run.gbk", "vocabulary", "words\xff");
    gb_model *model = NULL;
    assert_int_equal(gb_train(corpus, settings, no_sweep_is_expected, NULL, &model, &err), GB_EARGUMENT);
    assert_non_null(strstr(err.message, "vocabulary"));
    assert_int_equal(access("run.gbk", F_OK), -1);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void a_wrong_start_leaves_the_draws_of_an_older_checkpoint(void **state)
{
    (void)state;
    gb_error err;
    gb_corpus *corpus = simulated();
    gb_settings *settings = settings_with("checkpoint", "old.gbk", "chains", "2");
    gb_model *model = NULL;
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    gb_model_free(model);
    const uint64_t size = size_of("old.gbk.draws");
    assert_int_equal(gb_settings_set(settings, "force", "yes", NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "init-from", "nowhere.gibbous", NULL), GB_OK);
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, &err), GB_EIO);
    assert_int_equal(size_of("old.gbk.draws"), size);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

typedef struct calls {
    uint64_t n, last_sweep, stop_at;
} calls;

static bool count_calls(const gb_progress *p, void *user)
{
    calls *c = user;
    if (p->is_partial)
        return true;
    c->n++;
    c->last_sweep = p->sweep;
    return p->sweep != c->stop_at;
}

static void a_stop_with_the_last_sweep_leaves_a_finished_run(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    gb_settings *settings = settings_with("chains", "1", "response", "logistic");
    gb_model *model = NULL;
    calls c = {.stop_at = 20};
    assert_int_equal(gb_train(corpus, settings, count_calls, &c, &model, NULL), GB_OK);
    assert_int_equal(c.n, 20);
    assert_int_equal(gb_model_n_draws(model), 8);
    gb_model_free(model);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void the_sweep_after_which_the_time_is_up_is_told(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    gb_settings *settings = settings_with("time-limit", "0.000000001s", "response", "logistic");
    gb_model *model = NULL;
    calls c = {.stop_at = UINT64_MAX};
    assert_int_equal(gb_train(corpus, settings, count_calls, &c, &model, NULL), GB_ESTOP);
    assert_int_equal(c.n, 1);
    assert_int_equal(c.last_sweep, 1);
    assert_null(model);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void a_chain_that_proposed_nothing_has_no_acceptance(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    gb_settings *settings = settings_with("sampler", "mh", "chains", "2");
    gb_model *model = NULL;
    calls c = {.stop_at = 9};
    assert_int_equal(gb_train(corpus, settings, count_calls, &c, &model, NULL), GB_ESTOP);
    assert_non_null(model);
    assert_int_equal(gb_model_n_acceptances(model), 2);
    assert_true(isnan(gb_model_acceptance(model, 0, 0)) == 0);
    assert_true(isnan(gb_model_acceptance(model, 0, 1)) != 0);
    gb_model_free(model);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

/* The model of a run of 20 sweeps with a checkpoint, and of another with labels read differently. */
static void a_run_knows_its_model_by_documents_labels_and_draws(void **state)
{
    (void)state;
    write_file("a.jsonl",
               "{\"text\": \"ape bee cat\", \"label\": \"x\"}\n{\"text\": \"cat dog elk\", \"label\": \"y\"}\n");
    write_file("b.jsonl",
               "{\"text\": \"ape bee cat\", \"label\": \"y\"}\n{\"text\": \"cat dog elk\", \"label\": \"x\"}\n");
    gb_corpus *a = corpus_of("a.jsonl", "label", "label", NULL), *b = corpus_of("b.jsonl", "label", "label", NULL);
    gb_settings *settings = settings_with("label", "label", "response", "logistic");
    gb_plan *of_a = plan_of(a, settings), *of_b = plan_of(b, settings);
    gb_model *model = NULL;
    assert_int_equal(gb_train(a, settings, NULL, NULL, &model, NULL), GB_OK);
    assert_true(gb_plan_may_have_made(of_a, model));
    assert_false(gb_plan_may_have_made(of_b, model));
    assert_int_equal(gb_settings_set(settings, "sweeps", "10", NULL), GB_OK);
    gb_plan *shorter = plan_of(a, settings);
    assert_false(gb_plan_may_have_made(shorter, model));
    gb_plan_free(of_a);
    gb_plan_free(of_b);
    gb_plan_free(shorter);
    gb_model_free(model);
    gb_settings_free(settings);
    gb_corpus_free(a);
    gb_corpus_free(b);
}

static void own_parameters_of_a_draw_are_checked_wherever_it_is_read(void **state)
{
    (void)state;
    static const double wrong[] = {-1, 0, NAN, INFINITY};
    write_file("n.jsonl", "{\"text\": \"ape bee cat\", \"n\": 1}\n{\"text\": \"cat dog elk\", \"n\": 3}\n");
    gb_corpus *corpus = corpus_of("n.jsonl", "target", "n", NULL);
    gb_settings *settings = settings_with("target", "n", "response", "gaussian");
    gb_model *model = NULL;
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    const double *value[GB_MAX_PARAMETERS];
    for (size_t j = 0; j < model->parameters.n; j++)
        value[j] = model->kept[0].row + model->parameters.of[j].offset;
    assert_int_equal(gb_model_check_kept(model, value, NULL), GB_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        value[GB_OWN] = &wrong[i];
        assert_int_equal(gb_model_check_kept(model, value, NULL), GB_EFORMAT);
    }
    gb_model_free(model);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draws_file_that_cannot_be_written_leaves_the_whole_model),
        cmocka_unit_test(a_name_that_a_checkpoint_cannot_hold_is_refused_at_once),
        cmocka_unit_test(a_wrong_start_leaves_the_draws_of_an_older_checkpoint),
        cmocka_unit_test(a_stop_with_the_last_sweep_leaves_a_finished_run),
        cmocka_unit_test(the_sweep_after_which_the_time_is_up_is_told),
        cmocka_unit_test(a_run_knows_its_model_by_documents_labels_and_draws),
        cmocka_unit_test(own_parameters_of_a_draw_are_checked_wherever_it_is_read),
        cmocka_unit_test(a_chain_that_proposed_nothing_has_no_acceptance),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
