/* test_chain_steps.c - chains of a plan, stepped by their caller. */
#include "helper_documents.h"

#include "gibbous/gibbous.h"

#include <math.h>
#include <string.h>

static gb_corpus *simulated(const char *documents, const char *length)
{
    return simulated_with(settings_of("documents", documents, "length", length, "vocabulary-size", "200", "topics",
                                      "5", "classes", "2", "seed", "3", NULL));
}

static gb_chain *chain_of(const gb_plan *plan, uint64_t number)
{
    gb_chain *chain = NULL;
    assert_int_equal(gb_chain_create(plan, number, &chain, NULL), GB_OK);
    return chain;
}

static double log_joint_of(gb_chain *chain)
{
    double x;
    assert_int_equal(gb_chain_log_joint(chain, &x, NULL), GB_OK);
    return x;
}

static void sweeps_are_the_same_in_any_steps(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("300", "30");
    gb_plan *plan = plan_with(corpus, settings_of("topics", "6", "sweeps", "8", "seed", "2", "threads", "2", NULL));
    gb_chain *whole = chain_of(plan, 0), *cut = chain_of(plan, 0);
    assert_int_equal(gb_chain_step(whole, 7, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_chain_step(cut, 0, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_chain_facts_of(cut)->n_sweeps, 0);
    assert_int_equal(gb_chain_step(cut, 3, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_chain_step(cut, 4, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_chain_facts_of(cut)->n_sweeps, 7);
    assert_true(log_joint_of(whole) == log_joint_of(cut));
    assert_true(gb_chain_training_error(whole) == gb_chain_training_error(cut));
    assert_int_equal(gb_chain_step(whole, 5, NULL, NULL, NULL), GB_OK); /* past the plan's sweeps */
    assert_int_equal(gb_chain_facts_of(whole)->n_sweeps, 12);
    gb_chain_free(whole);
    gb_chain_free(cut);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

/* Of the 200 words in the coefficients of the only score, which follow those of the topics. */
static size_t count_word_effects(gb_chain *chain)
{
    const double *eta = gb_chain_find_array(chain, "coefficients")->data;
    size_t n = 0;
    for (size_t j = 6; j < 206; j++)
        n += eta[j] != 0;
    return n;
}

static void words_wait_until_topics_are_there(void **state)
{
    (void)state;
    static const char *const priors[] = {"normal", "horseshoe"}, *const samplers[] = {"block", "mixed", "coordinate"};
    gb_corpus *corpus = simulated("300", "30");
    for (size_t i = 0; i < 6; i++) {
        gb_plan *plan = plan_with(corpus, settings_of("topics", "6", "sweeps", "20", "seed", "2", "word-effects",
                                                      "tfidf", "word-effects-after", "5", "coefficient-prior",
                                                      priors[i % 2], "coefficient-sampler", samplers[i / 2], NULL));
        gb_chain *chain = chain_of(plan, 0);
        for (size_t sweep = 1; sweep <= 8; sweep++) {
            assert_int_equal(gb_chain_step(chain, 1, NULL, NULL, NULL), GB_OK);
            assert_int_equal(count_word_effects(chain), sweep <= 5 ? 0 : 200);
            assert_true(isfinite(log_joint_of(chain)));
        }
        gb_chain_free(chain);
        gb_plan_free(plan);
    }
    gb_corpus_free(corpus);
}

/* Programs keep the addresses of arrays that are said to stay. */
static void arrays_that_are_fixed_do_not_move(void **state)
{
    (void)state;
    static const char *const priors[] = {"dirichlet", "logistic-normal"}, *const samplers[] = {"dense", "mh"};
    gb_corpus *corpus = simulated("300", "30");
    for (size_t i = 0; i < 4; i++) {
        gb_plan *plan = plan_with(corpus, settings_of("topics", "6", "sweeps", "400", "seed", "2", "prior",
                                                      priors[i % 2], "sampler", samplers[i / 2], NULL));
        gb_chain *chain = chain_of(plan, 0);
        const void *at[100];
        size_t n_fixed = 0;
        assert_int_equal(gb_chain_step(chain, 1, NULL, NULL, NULL), GB_OK);
        const uint64_t n = gb_chain_n_arrays(chain);
        assert_true(n < 100);
        for (uint64_t j = 0; j < n; j++)
            at[j] = gb_chain_array(chain, j)->data;
        assert_int_equal(gb_chain_step(chain, 150, NULL, NULL, NULL), GB_OK);
        for (uint64_t j = 0; j < n; j++) {
            const gb_array_view *view = gb_chain_array(chain, j);
            n_fixed += view->is_fixed;
            assert_true(!view->is_fixed || view->data == at[j]);
        }
        assert_true(n_fixed > n / 2 && n_fixed < n);
        assert_true(gb_chain_find_array(chain, "coefficients")->is_fixed);
        assert_true(gb_chain_find_array(chain, "topics")->is_fixed);
        assert_false(gb_chain_find_array(chain, "trace")->is_fixed);
        gb_chain_free(chain);
        gb_plan_free(plan);
    }
    gb_corpus_free(corpus);
}

typedef struct stop {
    uint64_t at, n_calls;
    bool said;
} stop;

static bool stop_at(const gb_progress *p, void *user)
{
    stop *s = user;
    assert_false(s->said); /* never called again after it said stop */
    if (p->is_partial)
        return true;
    s->n_calls++;
    assert_true(isfinite(gb_progress_log_joint(p)));
    s->said = p->sweep == s->at;
    return !s->said;
}

static void a_stopped_chain_goes_on(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("100", "20");
    gb_plan *plan = plan_with(corpus, settings_of("topics", "6", "sweeps", "8", "seed", "2", "threads", "1", NULL));
    gb_chain *whole = chain_of(plan, 0), *stopped = chain_of(plan, 0);
    stop s = {.at = 3};
    assert_int_equal(gb_chain_step(stopped, 6, stop_at, &s, NULL), GB_ESTOP);
    assert_int_equal(s.n_calls, 3);
    assert_int_equal(gb_chain_facts_of(stopped)->n_sweeps, 3);
    assert_int_equal(gb_chain_step(stopped, 3, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_chain_step(whole, 6, NULL, NULL, NULL), GB_OK);
    assert_true(log_joint_of(whole) == log_joint_of(stopped));
    gb_chain_free(whole);
    gb_chain_free(stopped);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

/* Whether or not the start takes long enough for the callback to be called from inside it. */
static bool stop_in_start(const gb_progress *p, void *user)
{
    stop *s = user;
    assert_false(s->said);
    s->said = true;
    s->at = p->sweep;
    assert_true(isnan(gb_progress_log_joint(p)) == p->is_partial);
    return false;
}

static void a_start_that_is_given_up_begins_anew(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("6000", "60");
    gb_plan *plan = plan_with(
        corpus, settings_of("topics", "300", "sweeps", "8", "seed", "2", "threads", "2", "response", "none", NULL));
    gb_chain *whole = chain_of(plan, 0), *stopped = chain_of(plan, 0);
    stop s = {.said = false};
    assert_int_equal(gb_chain_step(stopped, 1, stop_in_start, &s, NULL), GB_ESTOP);
    assert_true(s.said);
    assert_int_equal(gb_chain_step(stopped, 1 - gb_chain_facts_of(stopped)->n_sweeps, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_chain_step(whole, 1, NULL, NULL, NULL), GB_OK);
    assert_true(log_joint_of(whole) == log_joint_of(stopped));
    gb_chain_free(whole);
    gb_chain_free(stopped);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

static void what_a_chain_cannot_do_is_said(void **state)
{
    (void)state;
    gb_error err;
    double x;
    gb_corpus *corpus = simulated("100", "20");
    gb_plan *plan = plan_with(corpus, settings_of("topics", "6", "chains", "2", "threads", "1", NULL));
    gb_chain *chain = NULL;
    assert_int_equal(gb_chain_create(plan, 2, &chain, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "chain 2: the plan has 2, numbered from 0");
    assert_null(chain);
    chain = chain_of(plan, 1);
    assert_int_equal(gb_chain_facts_of(chain)->number, 1);
    assert_int_equal(gb_chain_log_joint(chain, &x, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "chain 2 has not started: no token has a topic");
    gb_chain_free(chain);
    gb_plan_free(plan);
    gb_corpus_free(corpus);
}

static void a_stopped_training_gives_the_draws_so_far(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("100", "20");
    gb_settings *settings =
        settings_of("topics", "6", "sweeps", "20", "burn-in", "4", "thin", "2", "seed", "2", "threads", "1", NULL);
    gb_model *model = NULL;
    stop s = {.at = 9};
    assert_int_equal(gb_train(corpus, settings, stop_at, &s, &model, NULL), GB_ESTOP);
    assert_non_null(model);
    assert_int_equal(gb_model_n_draws(model), 2);
    gb_model_free(model);
    model = NULL;
    s = (stop){.at = 5};
    assert_int_equal(gb_train(corpus, settings, stop_at, &s, &model, NULL), GB_ESTOP);
    assert_null(model); /* no draw yet */
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

/* The callback is called by this thread only: counting needs no lock. */
static void chains_side_by_side_stop_together(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("100", "20");
    gb_settings *settings = settings_of("topics", "6", "sweeps", "100000000", "burn-in", "1", "thin", "50000000",
                                        "chains", "4", "seed", "2", "threads", "2", NULL);
    gb_model *model = NULL;
    stop s = {.at = 40};
    assert_int_equal(gb_train(corpus, settings, stop_at, &s, &model, NULL), GB_ESTOP);
    assert_int_equal(s.n_calls, 40);
    assert_null(model);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

static bool note_what_is_left(const gb_progress *progress, void *user)
{
    *(uint64_t *)user = progress->n_left;
    return true;
}

/* Whichever of the two chains is the last: the calling thread may have drawn the other. */
static void the_last_report_of_chains_side_by_side_leaves_nothing(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("50", "10");
    gb_settings *settings = settings_of("topics", "3", "sweeps", "10", "chains", "2", "threads", "2", "calibrate",
                                        "0", "seed", "2", NULL);
    for (int run = 0; run < 40; run++) {
        gb_model *model = NULL;
        uint64_t n_left = UINT64_MAX;
        assert_int_equal(gb_train(corpus, settings, note_what_is_left, &n_left, &model, NULL), GB_OK);
        assert_int_equal(n_left, 0);
        gb_model_free(model);
    }
    gb_settings_free(settings);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweeps_are_the_same_in_any_steps),
        cmocka_unit_test(words_wait_until_topics_are_there),
        cmocka_unit_test(arrays_that_are_fixed_do_not_move),
        cmocka_unit_test(a_stopped_chain_goes_on),
        cmocka_unit_test(a_start_that_is_given_up_begins_anew),
        cmocka_unit_test(what_a_chain_cannot_do_is_said),
        cmocka_unit_test(a_stopped_training_gives_the_draws_so_far),
        cmocka_unit_test(chains_side_by_side_stop_together),
        cmocka_unit_test(the_last_report_of_chains_side_by_side_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
