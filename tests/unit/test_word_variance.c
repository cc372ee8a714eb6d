/* test_word_variance.c - where the variance of word coefficients begins, and what it is where the labels count several times. */
#include "helper_documents.h"

#include "chain/chain.h"
#include "gibbous/train.h"
#include "options/settings.h"
#include "train/word_pilot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static gb_corpus *simulated(const char *response)
{
    return simulated_with(settings_of("documents", "300", "length", "30", "vocabulary-size", "200", "topics", "5",
                                      "classes", "3", "seed", "3", "response", response, NULL));
}

/* Whatever the numbers of words are, a score's part of them has a variance of 1 to begin with. */
static void words_begin_with_a_part_of_size_1_in_scores(void **state)
{
    (void)state;
    static const char *const values[] = {"tfidf", "presence", "counts", "shares"};
    gb_corpus *corpus = simulated("logistic");
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        gb_plan *plan = plan_with(corpus, settings_of("topics", "5", "sweeps", "2", "seed", "2", "response", "probit",
                                                      "word-effects", values[i], NULL));
        gb_chain *c = NULL;
        double sum = 0;
        const gb_sparse_columns *x = &plan->spec.words;
        assert_int_equal(gb_chain_create(plan, 0, &c, NULL), GB_OK);
        const gb_coefficient_scales *s = &c->scales;
        const double u = s->square[s->prior->ops->word_scale(s->prior, &s->layout)];
        for (uint64_t j = 0; j < x->n_entries; j++)
            sum += u * x->value[j] * x->value[j] / (double)x->n_docs;
        assert_true(fabs(sum - 1) < 1e-9); /* rounding; no document is empty */
        gb_chain_free(c);
        gb_plan_free(plan);
    }
    gb_corpus_free(corpus);
}

/* What the choice makes of the option. */
static double variance_chosen(const gb_corpus *corpus, const char *option, const char *value, const char *threads)
{
    gb_settings *s = settings_of("topics", "5", "sweeps", "40", "seed", "2", "word-effects", "tfidf", "threads",
                                 threads, option, value, NULL);
    char *told = NULL;
    assert_int_equal(gb_train_choose_cost(corpus, s, NULL, NULL, &told, NULL), GB_OK);
    const double chosen = gb_settings_is_set(s, "word-variance") ? atof(s->word_variance) : NAN;
    assert_true((told != NULL) == !isnan(chosen));
    gb_free(told);
    gb_settings_free(s);
    return chosen;
}

static void the_variance_is_what_cost_1_learns_divided_by_the_cost(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("logistic");
    const double at_16 = variance_chosen(corpus, "cost", "16", "1"),
                 at_64 = variance_chosen(corpus, "cost", "64", "1");
    assert_true(at_16 > 1e-4 && at_16 < 1); /* a variance of 1 / W, 0.005, with cost 1 would be 0.0003 */
    assert_true(fabs(at_16 / at_64 - 4) < 1e-9);
    assert_true(variance_chosen(corpus, "cost", "16", "3") == at_16);
    gb_corpus_free(corpus);
}

static void it_is_learnt_as_ever_with_cost_1(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("logistic");
    assert_true(isnan(variance_chosen(corpus, "cost", "1", "1")));
    assert_true(isnan(variance_chosen(corpus, "response", "probit", "1")));
    assert_true(isnan(variance_chosen(corpus, "coefficient-prior", "horseshoe", "1")));
    gb_corpus_free(corpus);
}

static void a_variance_that_is_given_stays(void **state)
{
    (void)state;
    static const char *const given[] = {"0.125", "sample"};
    gb_corpus *corpus = simulated("logistic");
    for (size_t i = 0; i < 2; i++) {
        gb_settings *s = settings_of("topics", "5", "sweeps", "40", "seed", "2", "word-effects", "tfidf",
                                     "word-variance", given[i], NULL);
        assert_int_equal(gb_train_choose_cost(corpus, s, NULL, NULL, NULL, NULL), GB_OK);
        assert_string_equal(s->word_variance, given[i]);
        gb_settings_free(s);
    }
    gb_corpus_free(corpus);
}

static gb_word_pilot piloted(const gb_corpus *corpus, const char *threads)
{
    gb_word_pilot pilot = {.seed = 3, .cost = 20, .has_trials = true};
    gb_settings *s = settings_of("topics", "5", "seed", "2", "word-effects", "tfidf", "threads", threads, NULL);
    assert_int_equal(gb_word_pilot_run(corpus, s, &pilot, NULL), GB_OK);
    gb_settings_free(s);
    return pilot;
}

static void trials_choose_among_three_and_the_same_on_any_threads(void **state)
{
    (void)state;
    gb_corpus *corpus =
        simulated_with(settings_of("documents", "450", "length", "30", "vocabulary-size", "200", "topics", "5",
                                   "classes", "3", "seed", "3", "response", "logistic", NULL));
    const gb_word_pilot one = piloted(corpus, "1"), three = piloted(corpus, "3");
    assert_true(one.factor == 1 || one.factor == 4 || one.factor == 16);
    assert_true(one.variance > 0 && one.variance == three.variance && one.factor == three.factor);
    gb_corpus_free(corpus);
}

static bool stop(const gb_progress *progress, void *user)
{
    (void)progress;
    ++*(int *)user;
    return false;
}

static void it_stops_when_asked_to_and_asks_no_more(void **state)
{
    (void)state;
    int n = 0;
    gb_corpus *corpus = simulated("logistic");
    gb_settings *s = settings_of("topics", "5", "sweeps", "40", "seed", "2", "word-effects", "tfidf", NULL);
    assert_int_equal(gb_train_choose_cost(corpus, s, stop, &n, NULL, NULL), GB_ESTOP);
    assert_int_equal(n, 1);
    assert_false(gb_settings_is_set(s, "word-variance"));
    gb_settings_free(s);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_begin_with_a_part_of_size_1_in_scores),
        cmocka_unit_test(the_variance_is_what_cost_1_learns_divided_by_the_cost),
        cmocka_unit_test(it_is_learnt_as_ever_with_cost_1),
        cmocka_unit_test(a_variance_that_is_given_stays),
        cmocka_unit_test(trials_choose_among_three_and_the_same_on_any_threads),
        cmocka_unit_test(it_stops_when_asked_to_and_asks_no_more),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
