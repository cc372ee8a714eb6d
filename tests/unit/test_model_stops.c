/* test_model_stops.c - writing and reading a model stops when the caller says so, and leaves nothing behind. */
#include "helper_documents.h"

#include "gibbous/gibbous.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static gb_model *small_model(const char *seed)
{
    gb_error err;
    gb_corpus *corpus = NULL;
    gb_model *model = NULL;
    gb_settings *settings =
                    settings_of("documents", "50", "length", "20", "topics", "3", "classes", "2", "seed", seed, NULL),
                *training = settings_of("topics", "3", "sweeps", "6", "seed", seed, "threads", "1", NULL);
    assert_int_equal(gb_simulate(NULL, settings, NULL, NULL, &corpus, NULL), GB_OK);
    if (gb_train(corpus, training, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_settings_free(settings);
    gb_settings_free(training);
    gb_corpus_free(corpus);
    return model;
}

typedef struct caller {
    size_t n_calls, stop_at;
} caller;

static bool on_file(const gb_file_progress *progress, void *user)
{
    caller *c = user;
    assert_true(progress->seconds >= 0);
    assert_true(c->stop_at == 0 || c->n_calls < c->stop_at); /* not again once it has said stop */
    return ++c->n_calls != c->stop_at;
}

static void a_stopped_writer_leaves_the_old_file_and_no_other(void **state)
{
    (void)state;
    gb_error err;
    struct stat before, after;
    caller stops = {.stop_at = 1}, goes_on = {0};
    gb_model *model = small_model("1");
    assert_int_equal(gb_model_write(model, "new", false, on_file, &stops, &err), GB_ESTOP);
    assert_string_equal(err.message, "new: stopped before it was written");
    assert_int_equal(stops.n_calls, 1);
    assert_int_equal(count_files(), 0);
    assert_int_equal(gb_model_write(model, "model", false, on_file, &goes_on, NULL), GB_OK);
    assert_true(goes_on.n_calls > 0);
    assert_int_equal(stat("model", &before), 0);
    stops.n_calls = 0;
    assert_int_equal(gb_model_write(model, "model", true, on_file, &stops, NULL), GB_ESTOP);
    assert_int_equal(stat("model", &after), 0);
    assert_true(before.st_ino == after.st_ino);
    assert_int_equal(count_files(), 1);
    gb_model_free(model);
    assert_int_equal(remove("model"), 0);
}

static void a_stopped_reader_gives_no_model(void **state)
{
    (void)state;
    gb_error err;
    caller stops = {.stop_at = 1}, goes_on = {0};
    gb_model *model = small_model("1"), *read = NULL;
    assert_int_equal(gb_model_write(model, "model", false, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("model", on_file, &stops, &read, &err), GB_ESTOP);
    assert_string_equal(err.message, "model: stopped before it was read");
    assert_null(read);
    assert_int_equal(gb_model_read("model", on_file, &goes_on, &read, NULL), GB_OK);
    assert_int_equal(gb_model_n_draws(read), gb_model_n_draws(model));
    gb_model_free(read);
    gb_model_free(model);
    assert_int_equal(remove("model"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stopped_writer_leaves_the_old_file_and_no_other),
        cmocka_unit_test(a_stopped_reader_gives_no_model),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
