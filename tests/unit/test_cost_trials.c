/* test_cost_trials.c - the cost that short trials choose. */
#include "helper_documents.h"

#include "gibbous/gibbous.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gb_corpus *simulated(const char *n_docs, const char *variance, const char *noise)
{
    return simulated_with(settings_of("documents", n_docs, "length", "100", "vocabulary-size", "1000", "topics", "5",
                                      "response", "gaussian", "variance", variance, "noise-variance", noise, "seed",
                                      "3", NULL));
}

/* Numbers that follow from the words: the coefficients of topics differ by much more than the noise. */
static gb_corpus *told_by_words(const char *n_docs)
{
    return simulated(n_docs, "4", "0.3");
}

static gb_settings *few_topics(const char *name, const char *value)
{
    return settings_of("topics", "8", "seed", "2", "threads", "1", name, value, NULL);
}

static void assert_cost(const gb_settings *settings, const char *expected)
{
    assert_string_equal(gb_settings_get(settings, "cost", 0), expected);
}

static void choose(const gb_corpus *corpus, gb_settings *settings, char **told)
{
    gb_error err;
    if (gb_train_choose_cost(corpus, settings, NULL, NULL, told, &err) != GB_OK)
        fail_msg("%s", err.message);
}

static void assert_no_trials(const gb_corpus *corpus, gb_settings *settings)
{
    char *told = NULL, *before = strdup(gb_settings_get(settings, "cost", 0));
    choose(corpus, settings, &told);
    assert_null(told);
    assert_cost(settings, before);
    assert_false(gb_settings_is_set(settings, "noise-variance"));
    free(before);
    gb_settings_free(settings);
}

static void there_are_no_trials_where_the_cost_is_given_or_documents_are_few(void **state)
{
    (void)state;
    gb_corpus *enough = told_by_words("400"), *few = told_by_words("399");
    assert_no_trials(enough, few_topics("cost", "2"));
    assert_no_trials(enough, few_topics("cost", "target=2"));
    assert_no_trials(enough, few_topics("two-stage", "yes"));
    assert_no_trials(enough, few_topics("response", "none"));
    assert_no_trials(few, few_topics("cost", "auto"));
    gb_corpus_free(enough);
    gb_corpus_free(few);
}

static double real_of(const gb_settings *settings, const char *name)
{
    return strtod(gb_settings_get(settings, name, 0), NULL);
}

static void a_cost_above_1_brings_its_variance_and_the_error_of_held_out_documents_as_noise(void **state)
{
    (void)state;
    gb_corpus *corpus = told_by_words("500");
    gb_settings *settings = few_topics("cost", "auto");
    char *told = NULL;
    choose(corpus, settings, &told);
    assert_non_null(told);
    assert_non_null(strstr(told, "; 16 is used"));
    assert_cost(settings, "16");
    assert_string_equal(gb_settings_get(settings, "variance", 0), "topics=0.03");
    /* the noise that was drawn, as far as 125 documents tell (more than five standard errors), and the error of learned topics */
    const double noise = real_of(settings, "noise-variance");
    assert_true(noise > 0.1 && noise < 0.9);
    gb_free(told);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void what_is_given_stays(void **state)
{
    (void)state;
    gb_corpus *corpus = told_by_words("500");
    gb_settings *settings = few_topics("noise-variance", "0.5");
    set(settings, "variance", "0.2");
    choose(corpus, settings, NULL);
    assert_true(gb_settings_is_set(settings, "cost"));
    assert_true(real_of(settings, "noise-variance") == 0.5);
    assert_string_equal(gb_settings_get(settings, "variance", 0), "topics=0.2");
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void numbers_that_words_say_nothing_about_keep_cost_1_and_a_sampled_noise(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("500", "1e-9", "1");
    gb_settings *settings = few_topics("cost", "auto");
    choose(corpus, settings, NULL);
    assert_cost(settings, "1");
    assert_false(gb_settings_is_set(settings, "noise-variance"));
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static double *numbers_of(const gb_corpus *corpus)
{
    return (double *)(uintptr_t)corpus->numbers[0].value;
}

/* Of 2,000 documents drawn from all of them, four would have a number, and one would be held out. */
static void few_numbers_among_many_documents_are_enough(void **state)
{
    (void)state;
    enum { DOCS = 200000 };
    static const char *const seed[] = {"1", "2", "3", "4"}; /* some draw no number at all */
    gb_corpus *corpus = simulated_with(settings_of("documents", "200000", "length", "3", "vocabulary-size", "1000",
                                                   "topics", "5", "response", "gaussian", "seed", "3", NULL));
    for (uint64_t d = 0; d < DOCS; d++)
        if (d % (DOCS / 400) != 0)
            numbers_of(corpus)[d] = NAN;
    for (size_t i = 0; i < sizeof seed / sizeof *seed; i++) {
        gb_settings *settings = settings_of("topics", "8", "seed", seed[i], NULL);
        char *told = NULL;
        choose(corpus, settings, &told);
        assert_non_null(told);
        assert_null(strstr(told, "inf"));
        gb_free(told);
        gb_settings_free(settings);
    }
    gb_corpus_free(corpus);
}

static void numbers_that_are_all_the_same_in_a_part_have_no_trials(void **state)
{
    (void)state;
    gb_corpus *corpus = told_by_words("500");
    for (uint64_t d = 0; d < 500; d++)
        numbers_of(corpus)[d] = d == 7 ? 8 : 7;
    assert_no_trials(corpus, few_topics("cost", "auto"));
    gb_corpus_free(corpus);
}

static void the_choice_does_not_depend_on_threads(void **state)
{
    (void)state;
    gb_corpus *corpus = told_by_words("500");
    gb_settings *one = few_topics("cost", "auto"), *four = few_topics("cost", "auto");
    set(four, "threads", "4");
    choose(corpus, one, NULL);
    choose(corpus, four, NULL);
    assert_cost(four, gb_settings_get(one, "cost", 0));
    assert_string_equal(gb_settings_get(one, "noise-variance", 0), gb_settings_get(four, "noise-variance", 0));
    gb_settings_free(one);
    gb_settings_free(four);
    gb_corpus_free(corpus);
}

static void assert_trials_are_announced(const gb_corpus *corpus, const gb_settings *settings, bool expected)
{
    char *text = NULL;
    assert_int_equal(gb_train_describe(corpus, settings, &text, NULL), GB_OK);
    assert_int_equal(strstr(text, "; trials may choose another cost;") != NULL, expected);
    gb_free(text);
}

static void a_description_says_that_trials_are_to_come(void **state)
{
    (void)state;
    gb_corpus *corpus = told_by_words("500");
    gb_settings *settings = few_topics("cost", "auto");
    assert_trials_are_announced(corpus, settings, true);
    choose(corpus, settings, NULL);
    assert_trials_are_announced(corpus, settings, false);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void a_model_keeps_what_was_chosen(void **state)
{
    (void)state;
    gb_corpus *corpus = told_by_words("500");
    gb_settings *settings = few_topics("sweeps", "4");
    gb_model *model = NULL;
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    assert_non_null(strstr(gb_model_settings(model), "\"cost\":\"16\""));
    assert_false(gb_settings_is_set(settings, "cost"));
    gb_model_free(model);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

typedef struct calls {
    uint64_t n, stop_at;
} calls;

static bool count_calls(const gb_progress *p, void *user)
{
    calls *c = user;
    assert_true(c->n < c->stop_at);
    assert_true(p->is_partial && p->sweep == 0 && p->state == NULL);
    return ++c->n < c->stop_at;
}

static void a_caller_can_stop_in_the_trials_and_is_not_asked_again(void **state)
{
    (void)state;
    gb_corpus *corpus = told_by_words("500");
    gb_settings *settings = few_topics("cost", "auto");
    gb_model *model = NULL;
    calls c = {.stop_at = 50};
    assert_int_equal(gb_train(corpus, settings, count_calls, &c, &model, NULL), GB_ESTOP);
    assert_int_equal(c.n, 50);
    assert_null(model);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

/* Stops after the first sweep of the training, whose trials are done. */
static bool stop_after_a_sweep(const gb_progress *p, void *user)
{
    (void)user;
    return p->is_partial;
}

static bool no_trials_are_expected(const gb_progress *p, void *user)
{
    (void)user;
    assert_true(p->state != NULL || p->sweep > 0);
    return true;
}

static void a_resumed_run_has_no_trials(void **state)
{
    (void)state;
    gb_corpus *corpus = told_by_words("500");
    gb_settings *settings = few_topics("sweeps", "4"), *resumed = few_topics("sweeps", "4");
    gb_model *model = NULL;
    set(settings, "checkpoint", "run.gbk");
    set(resumed, "resume", "run.gbk");
    assert_int_equal(gb_train(corpus, settings, stop_after_a_sweep, NULL, &model, NULL), GB_ESTOP);
    assert_null(model);
    assert_int_equal(gb_train(corpus, resumed, no_trials_are_expected, NULL, &model, NULL), GB_OK);
    assert_non_null(strstr(gb_model_settings(model), "\"cost\":\"16\""));
    gb_model_free(model);
    gb_settings_free(settings);
    gb_settings_free(resumed);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_are_no_trials_where_the_cost_is_given_or_documents_are_few),
        cmocka_unit_test(a_cost_above_1_brings_its_variance_and_the_error_of_held_out_documents_as_noise),
        cmocka_unit_test(what_is_given_stays),
        cmocka_unit_test(numbers_that_words_say_nothing_about_keep_cost_1_and_a_sampled_noise),
        cmocka_unit_test(few_numbers_among_many_documents_are_enough),
        cmocka_unit_test(numbers_that_are_all_the_same_in_a_part_have_no_trials),
        cmocka_unit_test(the_choice_does_not_depend_on_threads),
        cmocka_unit_test(a_description_says_that_trials_are_to_come),
        cmocka_unit_test(a_model_keeps_what_was_chosen),
        cmocka_unit_test(a_caller_can_stop_in_the_trials_and_is_not_asked_again),
        cmocka_unit_test(a_resumed_run_has_no_trials),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
