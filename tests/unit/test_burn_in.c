/* test_burn_in.c - chains that find out themselves how long their burn-in is. */
#include "chain/trace.h"
#include "helper_documents.h"
#include "recipe/burn_in.h"

#include "gibbous/gibbous.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the rule ---- */

enum { SWEEPS = 400, TOKENS = 1000 };

typedef double curve(double sweep);

/* The sweep from 40 on after which burn-in would be over; 0: none of these. */
static uint64_t over_after(curve *log_joint, curve *loss)
{
    double row[2 * SWEEPS];
    for (uint64_t sweep = 2; sweep <= SWEEPS; sweep += 2) {
        row[2 * gb_trace_row(sweep)] = log_joint((double)sweep);
        row[2 * gb_trace_row(sweep) + 1] = loss((double)sweep);
    }
    for (uint64_t sweep = 40; sweep <= SWEEPS; sweep += 10) {
        bool is_over;
        assert_int_equal(gb_trace_gains_little(sweep, 2, row, TOKENS, &is_over, NULL), GB_OK);
        if (is_over)
            return sweep;
    }
    return 0;
}

static double level(double sweep)
{
    (void)sweep;
    return 5;
}

static double steady_rise(double sweep)
{
    return 10 * sweep;
}

static double slow_rise(double sweep)
{
    return 0.1 * sweep;
}

static double rise_that_ends(double sweep)
{
    return -1e4 * exp(-sweep / 20);
}

static double fall_that_ends(double sweep)
{
    return 3 * exp(-sweep / 20);
}

static double restless(double sweep)
{
    return 200 * sin(sweep);
}

static void a_level_trace_is_over_at_once(void **state)
{
    (void)state;
    assert_int_equal(over_after(level, level), 40);
    assert_int_equal(over_after(restless, level), 40);
    assert_int_equal(over_after(slow_rise, level),
                     40); /* a quarter of 400 sweeps gains 10: less than 0.03 of a token */
}

static void a_rise_of_the_log_joint_is_waited_for(void **state)
{
    (void)state;
    assert_int_equal(over_after(steady_rise, level), 0);
    const uint64_t sweep = over_after(rise_that_ends, level);
    assert_true(sweep > 60 && sweep < 300);
}

static void a_fall_of_a_loss_is_waited_for(void **state)
{
    (void)state;
    const uint64_t sweep = over_after(level, fall_that_ends);
    assert_true(sweep > 60 && sweep < 300);
    assert_int_equal(over_after(level, steady_rise), 40); /* a loss that rises gains nothing */
}

/* ---- chains ---- */

static gb_corpus *simulated(void)
{
    return simulated_with(settings_of("documents", "100", "length", "30", "vocabulary-size", "100", "topics", "5",
                                      "classes", "2", "seed", "3", NULL));
}

static gb_settings *settings_with(const char *threads)
{
    return settings_of("topics", "6", "chains", "2", "seed", "2", "threads", threads, NULL);
}

static gb_chain *run_to_its_end(const gb_plan *plan, uint64_t number)
{
    gb_chain *chain = NULL;
    assert_int_equal(gb_chain_create(plan, number, &chain, NULL), GB_OK);
    while (!gb_chain_facts_of(chain)->is_done)
        assert_int_equal(gb_chain_step(chain, 1, NULL, NULL, NULL), GB_OK);
    return chain;
}

static void a_chain_finds_its_burn_in_and_keeps_fifty_sweeps(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    gb_plan *plan = plan_with(corpus, settings_with("1"));
    gb_chain *chain = run_to_its_end(plan, 0);
    assert_true(gb_chain_facts_of(chain)->burn_in_is_found);
    assert_true(gb_chain_facts_of(chain)->burn_in >= 40 &&
                gb_chain_facts_of(chain)->burn_in < gb_plan_facts_of(plan)->burn_in);
    assert_int_equal(gb_chain_facts_of(chain)->n_sweeps, gb_chain_facts_of(chain)->burn_in + 50);
    assert_true(gb_chain_facts_of(chain)->keeps);
    assert_int_equal(gb_plan_facts_of(plan)->n_draws, 50);
    gb_chain_free(chain);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

static void a_chain_that_was_saved_decides_alike(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    gb_plan *plan = plan_with(corpus, settings_with("1"));
    gb_chain *whole = run_to_its_end(plan, 1), *chain = NULL, *loaded = NULL;
    const uint64_t n = gb_chain_facts_of(whole)->burn_in, at[] = {n - 5, n + 5};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(gb_chain_create(plan, 1, &chain, NULL), GB_OK);
        assert_int_equal(gb_chain_step(chain, at[i], NULL, NULL, NULL), GB_OK);
        assert_int_equal(gb_chain_save(chain, "state", true, NULL), GB_OK);
        assert_int_equal(gb_chain_load(plan, "state", &loaded, NULL), GB_OK);
        assert_int_equal(gb_chain_facts_of(loaded)->burn_in, gb_chain_facts_of(chain)->burn_in);
        assert_int_equal(gb_chain_step(loaded, n + 50 - at[i], NULL, NULL, NULL), GB_OK);
        assert_int_equal(gb_chain_facts_of(loaded)->burn_in, n);
        assert_true(gb_chain_facts_of(loaded)->is_done);
        gb_chain_free(chain);
        gb_chain_free(loaded);
    }
    gb_chain_free(whole);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

static gb_model *trained(const gb_corpus *corpus, const char *threads)
{
    gb_settings *settings = settings_with(threads);
    gb_model *model = NULL;
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    gb_settings_free(settings);
    return model;
}

static void the_model_says_what_was_found_whatever_the_threads(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    gb_plan *plan = plan_with(corpus, settings_with("1"));
    gb_model *one = trained(corpus, "1"), *three = trained(corpus, "3");
    assert_int_equal(gb_model_n_burn_ins(one), 2);
    gb_chain *first = run_to_its_end(plan, 0);
    for (uint64_t i = 0; i < 2; i++) { /* the second takes over what the first has found */
        assert_int_equal(gb_model_burn_in(one, i), gb_chain_facts_of(first)->burn_in);
        assert_int_equal(gb_model_burn_in(three, i), gb_chain_facts_of(first)->burn_in);
        assert_true(gb_model_burn_in_is_found(one, i));
    }
    gb_chain_free(first);
    assert_int_equal(gb_model_n_draws(one), 100);
    gb_model_free(one);
    gb_model_free(three);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

/* In the burn-in of the second chain. */
static bool stop_in_chain_2(const gb_progress *p, void *user)
{
    (void)user;
    return p->chain < 1 || p->sweep < 5;
}

static void a_chain_that_was_stopped_in_burn_in_has_none_yet(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    gb_settings *settings = settings_with("1");
    gb_model *model = NULL;
    gb_diagnosis *diagnosis = NULL;
    gb_table *verdict = NULL;
    gb_error err;
    assert_int_equal(gb_train(corpus, settings, stop_in_chain_2, NULL, &model, &err), GB_ESTOP);
    assert_non_null(strstr(err.message, "stopped with 1 of 2 chains done, chain 2 after sweep 5 of "));
    assert_true(gb_model_burn_in(model, 0) >= 40 && gb_model_burn_in_is_found(model, 0));
    assert_int_equal(gb_model_burn_in(model, 1), 0);
    assert_false(gb_model_burn_in_is_found(model, 1));
    /* what is said of the run is said of the chain that has draws */
    assert_int_equal(gb_diagnosis_create(model, GB_DIAGNOSE_RUN, &diagnosis, NULL), GB_OK);
    const gb_subject subject = {.size = sizeof subject, .model = model, .diagnosis = diagnosis};
    assert_int_equal(gb_answer("verdict", &subject, settings, &verdict, NULL), GB_OK);
    assert_non_null(strstr(gb_table_text(verdict, 0, 2, 0), "as far as one chain tells"));
    for (uint64_t row = 0; row < gb_table_n_rows(verdict); row++)
        assert_null(strstr(gb_table_text(verdict, row, 2, 0), "of 2 chains"));
    gb_table_free(verdict);
    gb_diagnosis_free(diagnosis);
    gb_model_free(model);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static void a_model_of_stepped_chains_has_their_burn_in(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    gb_plan *plan = plan_with(corpus, settings_with("1"));
    gb_chain *chain = run_to_its_end(plan, 0);
    gb_model_builder *builder = NULL;
    gb_model *model = NULL;
    assert_int_equal(gb_model_builder_create(plan, &builder, NULL), GB_OK);
    assert_int_equal(gb_model_builder_add(builder, chain, NULL), GB_OK);
    assert_int_equal(gb_model_builder_finish(builder, &model, NULL), GB_OK);
    assert_int_equal(gb_model_burn_in(model, 0), gb_chain_facts_of(chain)->burn_in);
    assert_true(gb_model_burn_in_is_found(model, 0));
    assert_int_equal(gb_model_burn_in(model, 1), 0);
    gb_model_free(model);
    gb_model_builder_free(builder);
    gb_chain_free(chain);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

static void a_burn_in_that_is_given_is_not_looked_for(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated();
    gb_plan *plan = plan_with(corpus, settings_of("topics", "6", "burn-in", "7", NULL));
    assert_int_equal(gb_plan_facts_of(plan)->burn_in, 7);
    assert_int_equal(gb_plan_facts_of(plan)->n_sweeps, 57);
    gb_chain *chain = run_to_its_end(plan, 0);
    assert_int_equal(gb_chain_facts_of(chain)->n_sweeps, 57);
    assert_false(gb_chain_facts_of(chain)->burn_in_is_found);
    gb_chain_free(chain);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_level_trace_is_over_at_once),
        cmocka_unit_test(a_rise_of_the_log_joint_is_waited_for),
        cmocka_unit_test(a_fall_of_a_loss_is_waited_for),
        cmocka_unit_test(a_chain_finds_its_burn_in_and_keeps_fifty_sweeps),
        cmocka_unit_test(a_chain_that_was_saved_decides_alike),
        cmocka_unit_test(the_model_says_what_was_found_whatever_the_threads),
        cmocka_unit_test(a_chain_that_was_stopped_in_burn_in_has_none_yet),
        cmocka_unit_test(a_model_of_stepped_chains_has_their_burn_in),
        cmocka_unit_test(a_burn_in_that_is_given_is_not_looked_for),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
