/* test_plan.c - settings decided against a corpus, and what a plan says of its decisions. */
#include "helper_documents.h"

#include "gibbous/gibbous.h"

#include "plan/plan.h"
#include "plan/response_defaults.h"

#include <stdlib.h>
#include <string.h>

static gb_corpus *simulated(const char *classes)
{
    return simulated_with(settings_of("documents", "200", "length", "20", "vocabulary-size", "100", "topics", "5",
                                      "classes", classes, "seed", "3", NULL));
}

static void what_is_left_open_is_decided(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("3");
    gb_plan *plan = plan_with(corpus, settings_of("topics", "8", "sweeps", "60", "seed", "5", "threads", "2", NULL));
    assert_string_equal(gb_plan_value(plan, "response"), "hinge");
    assert_string_equal(gb_plan_value(plan, "task"), "multiclass");
    assert_string_equal(gb_plan_value(plan, "burn-in"), "30");
    assert_string_equal(gb_plan_value(plan, "thin"), "1");
    assert_string_equal(gb_plan_value(plan, "alpha"), "optimise");
    assert_string_equal(gb_plan_value(plan, "beta"), "0.05");
    assert_string_equal(gb_plan_value(plan, "coefficient-sampler"), "block");
    assert_string_equal(gb_plan_value(plan, "seed"), "5");
    assert_string_equal(gb_plan_value(plan, "outputs"), "3");
    assert_string_not_equal(gb_plan_value(plan, "blocks"), "0");
    assert_string_not_equal(gb_plan_value(plan, "sampler"), "auto");
    assert_null(gb_plan_value(plan, "no-such-decision"));
    assert_int_equal(gb_plan_facts_of(plan)->n_topics, 8);
    assert_int_equal(gb_plan_facts_of(plan)->n_outputs, 3);
    assert_int_equal(gb_plan_facts_of(plan)->n_sweeps, 60);
    assert_int_equal(gb_plan_facts_of(plan)->burn_in, 30);
    assert_int_equal(gb_plan_facts_of(plan)->seed, 5);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

static void assert_chains(const gb_corpus *corpus, const char *expected, gb_settings *settings)
{
    gb_plan *plan = plan_with(corpus, settings);
    assert_string_equal(gb_plan_value(plan, "chains"), expected);
    gb_plan_free(plan);
}

static void a_small_corpus_has_some_chains_unless_the_work_is_given(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("3");
    assert_chains(corpus, "2", settings_of("topics", "4", NULL));
    assert_chains(corpus, "4", settings_of("topics", "4", "chains", "auto", "response", "none", NULL));
    assert_chains(corpus, "3", settings_of("topics", "4", "chains", "3", NULL));
    assert_chains(corpus, "1", settings_of("topics", "4", "chains", "1", NULL));
    assert_chains(corpus, "1", settings_of("topics", "4", "sweeps", "60", NULL));
    assert_chains(corpus, "1", settings_of("topics", "4", "burn-in", "60", NULL));
    assert_chains(corpus, "1", settings_of("topics", "4", "strategy", "one-vs-rest", NULL));
    corpus->n_tokens = GB_SMALL_CORPUS + 1; /* a plan only counts them */
    assert_chains(corpus, "1", settings_of("topics", "4", NULL));
    gb_corpus_free(corpus);
}

/* Of one class: twice their number, from 4 to 40; the variance follows the cost, also one that is given. */
static void the_cost_follows_from_the_number_of_classes(void **state)
{
    (void)state;
    static const char *const expected[][2] = {{"2", "4"}, {"3", "6"}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        gb_corpus *corpus = simulated(expected[i][0]);
        gb_plan *plan = plan_with(corpus, settings_of("topics", "4", NULL));
        const double cost = atof(expected[i][1]);
        assert_string_equal(gb_plan_value(plan, "cost"), expected[i][1]);
        assert_true(plan->spec.variance[0] == 8 / (cost * cost));
        gb_plan_free(plan);
        plan = plan_with(corpus, settings_of("topics", "4", "cost", "2", NULL));
        assert_true(plan->spec.variance[0] == 2);
        gb_plan_free(plan);
        gb_corpus_free(corpus);
    }
}

static void a_large_number_of_classes_has_a_bounded_cost(void **state)
{
    (void)state;
    const gb_response_ops *hinge = gb_response_find("hinge"), *insensitive = gb_response_find("insensitive");
    assert_true(gb_response_cost_for(hinge, 12, false, false) == 24);
    assert_true(gb_response_cost_for(hinge, 200, false, false) == 40);
    assert_true(gb_response_cost_for(hinge, 200, true, false) == 5);
    assert_true(gb_response_cost_for(hinge, 2, false, false) == 4);
    assert_true(gb_response_cost_for(hinge, 2, false, true) == 1);
    assert_true(gb_response_cost_for(insensitive, 0, false, false) == gb_response_defaults_of(insensitive)->cost);
    assert_true(gb_response_variance_for(hinge, 0.1) == 10);
}

static void decisions_are_enumerated(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("2");
    gb_plan *plan = plan_with(corpus, settings_of("topics", "4", NULL));
    const char *name, *value;
    size_t n = 0;
    for (; gb_plan_decision(plan, n, &name, &value); n++)
        assert_string_equal(gb_plan_value(plan, name), value);
    assert_true(n > 40);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

static void draws_are_every_few_sweeps_after_burn_in(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("2");
    gb_plan *plan = plan_with(corpus, settings_of("topics", "4", "sweeps", "40", "burn-in", "11", "thin", "4", NULL));
    assert_int_equal(gb_plan_facts_of(plan)->n_draws, 7);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

static void chains_of_classes_and_folds_are_counted(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("3");
    gb_plan *plan = plan_with(corpus, settings_of("topics", "4", "chains", "2", "strategy", "one-vs-rest",
                                                  "calibrate", "5", "threads", "4", NULL));
    assert_int_equal(gb_plan_facts_of(plan)->n_model_chains, 6);
    assert_int_equal(gb_plan_facts_of(plan)->n_chains, 6 + 15);
    assert_int_equal(gb_plan_facts_of(plan)->n_threads, 4);
    assert_int_equal(gb_plan_facts_of(plan)->threads_per_chain, 1);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

static void the_line_is_that_of_the_command(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("2");
    gb_settings *settings = settings_of("topics", "4", "seed", "9", "threads", "1", NULL);
    char *line = NULL, *same = NULL;
    uint64_t need;
    gb_plan *plan = NULL;
    assert_int_equal(gb_plan_create(corpus, settings, &plan, NULL), GB_OK);
    assert_int_equal(gb_plan_describe(plan, &line, NULL), GB_OK);
    assert_int_equal(gb_train_describe(corpus, settings, &same, NULL), GB_OK);
    assert_string_equal(line, same);
    assert_non_null(strstr(line, "200 documents, "));
    assert_non_null(strstr(line, "2 classes (binary), hinge with cost"));
    assert_non_null(strstr(line, "; 4 topics, dirichlet prior"));
    assert_int_equal(gb_plan_memory(plan, &need, NULL), GB_OK);
    assert_true(need > 1000000);
    gb_free(line);
    gb_free(same);
    gb_plan_free(plan);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void options_that_do_not_go_together_are_refused(void **state)
{
    (void)state;
    gb_error err;
    gb_plan *plan = NULL;
    gb_corpus *corpus = simulated("2");
    gb_settings *settings = settings_of("topics", "4", "sweeps", "10", "burn-in", "10", NULL);
    assert_int_equal(gb_plan_create(corpus, settings, &plan, &err), GB_EARGUMENT);
    assert_null(plan);
    assert_non_null(strstr(err.message, "`burn-in` 10 leaves no sweep to keep"));
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void a_very_long_run_keeps_ten_thousand_draws(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("2");
    gb_plan *plan = plan_with(corpus, settings_of("topics", "4", "sweeps", "100000000", NULL));
    assert_string_equal(gb_plan_value(plan, "thin"), "5000");
    assert_int_equal(gb_plan_facts_of(plan)->n_draws, 10000);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_left_open_is_decided),
        cmocka_unit_test(a_small_corpus_has_some_chains_unless_the_work_is_given),
        cmocka_unit_test(the_cost_follows_from_the_number_of_classes),
        cmocka_unit_test(a_large_number_of_classes_has_a_bounded_cost),
        cmocka_unit_test(decisions_are_enumerated),
        cmocka_unit_test(draws_are_every_few_sweeps_after_burn_in),
        cmocka_unit_test(a_very_long_run_keeps_ten_thousand_draws),
        cmocka_unit_test(chains_of_classes_and_folds_are_counted),
        cmocka_unit_test(the_line_is_that_of_the_command),
        cmocka_unit_test(options_that_do_not_go_together_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
