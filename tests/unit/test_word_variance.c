/* test_word_variance.c - where the variance of word coefficients begins, and what it is where the labels count several times. */
#include "helper_documents.h"

#include "chain/chain.h"
#include "gibbous/train.h"
#include "options/variance.h"
#include "recipe/word_variance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gb_corpus *simulated(const char *response)
{
    gb_settings *settings = settings_of("documents", "300", "length", "30", "vocabulary-size", "200", "topics", "5",
                                        "seed", "3", "response", response, NULL);
    if (strcmp(response, "gaussian") != 0)
        set(settings, "classes", "3");
    return simulated_with(settings);
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
    const double variance = gb_settings_variances(s).of[GB_VARIANCE_WORDS], chosen = variance > 0 ? variance : NAN;
    assert_true((told != NULL) == !isnan(chosen));
    gb_free(told);
    gb_settings_free(s);
    return chosen;
}

static void the_variance_follows_from_the_linear_model_and_the_cost(void **state)
{
    (void)state;
    gb_corpus *corpus = simulated("logistic");
    const double at_16 = variance_chosen(corpus, "cost", "16", "1"),
                 at_64 = variance_chosen(corpus, "cost", "64", "1");
    assert_true(at_16 >= 2 / 16.0 / 16 * 0.99 && at_16 <= 2 / 16.0 * 1.1); /* C from 1/16 to 1 */
    if (!(at_16 / at_64 > 3.8 && at_16 / at_64 < 6))                       /* and u about 2 C / c, or somewhat more */
        fail_msg("%g with cost 16, %g with 64", at_16, at_64);
    assert_true(variance_chosen(corpus, "cost", "16", "3") == at_16);
    gb_corpus_free(corpus);
}

/* By likelihoods with a noise of their own, by the horseshoe, and where no linear model is of help. */
static void it_is_drawn_where_that_is_sound(void **state)
{
    (void)state;
    gb_corpus *classes = simulated("logistic"), *numbers = simulated("gaussian"), *levels = simulated("ordinal");
    assert_true(isnan(variance_chosen(classes, "response", "probit", "1")));
    assert_true(isnan(variance_chosen(classes, "coefficient-prior", "horseshoe", "1")));
    assert_true(isnan(variance_chosen(numbers, "cost", "1", "1")));
    assert_true(isnan(variance_chosen(levels, "response", "ordinal", "1")));
    assert_true(!isnan(variance_chosen(numbers, "cost", "4", "1")));
    assert_true(!isnan(variance_chosen(classes, "cost", "1", "1")));
    gb_corpus_free(classes);
    gb_corpus_free(numbers);
    gb_corpus_free(levels);
}

static void a_variance_that_is_given_stays(void **state)
{
    (void)state;
    static const char *const given[] = {"words=0.125", "words=sample"};
    gb_corpus *corpus = simulated("logistic");
    for (size_t i = 0; i < 2; i++) {
        gb_settings *s = settings_of("topics", "5", "sweeps", "40", "seed", "2", "word-effects", "tfidf", "variance",
                                     given[i], NULL);
        assert_int_equal(gb_train_choose_cost(corpus, s, NULL, NULL, NULL, NULL), GB_OK);
        assert_string_equal(gb_settings_text(s, "variance"), given[i]);
        gb_settings_free(s);
    }
    gb_corpus_free(corpus);
}

/* Documents of one word, four times: "yes" has the label y, "no" the label n, but of each `wrong`th it is the other's. */
static gb_corpus *of_two_words(size_t n_docs, size_t wrong)
{
    static const char *const words[] = {"yes yes yes yes", "no no no no"}, *const labels[] = {"y", "n"};
    FILE *f = fopen("two.jsonl", "w");
    assert_non_null(f);
    for (size_t d = 0; d < n_docs; d++)
        fprintf(f, "{\"text\":\"%s\",\"label\":\"%s\"}\n", words[d % 2], labels[(d + (d % wrong == 0)) % 2]);
    assert_int_equal(fclose(f), 0);
    return corpus_of("two.jsonl", "label", "label", NULL);
}

static gb_word_choice found(const gb_corpus *corpus, gb_settings *s)
{
    gb_spec spec = {.n_responses = 0};
    gb_word_choice choice;
    assert_int_equal(gb_spec_resolve(corpus, s, &spec, NULL), GB_OK);
    assert_true(gb_word_variance_is_open(&spec, s, false));
    assert_int_equal(gb_word_variance_find(corpus, &spec, s, NULL, NULL, &choice, NULL), GB_OK);
    gb_spec_clear(&spec);
    gb_settings_free(s);
    return choice;
}

/* All costs answer alike: the smallest is as good as any. */
static void of_costs_that_are_as_good_it_is_the_smallest(void **state)
{
    (void)state;
    gb_corpus *corpus = of_two_words(200, 7);
    const gb_word_choice choice =
        found(corpus, settings_of("topics", "2", "seed", "1", "word-effects", "tfidf", NULL));
    assert_true(choice.penalty == 1.0 / 16);
    assert_int_equal(choice.n_docs, 200);
    assert_true(choice.error == 0);
    gb_corpus_free(corpus);
}

/* A word that stands four times has a row whose length squared is 16. */
static void costs_are_in_units_of_the_length_of_documents(void **state)
{
    (void)state;
    gb_corpus *corpus = of_two_words(200, 7);
    const gb_word_choice choice =
        found(corpus, settings_of("topics", "2", "seed", "1", "word-effects", "counts", NULL));
    assert_true(choice.penalty == 1.0 / 16 / 16);
    gb_corpus_free(corpus);
}

/* A document is 28 of 100 common words and two of 100 rare ones.  Half of the words of either kind stand for y.  If `rare_tell`, four of five rare
 * words are of the document's half, else one of five common ones is; all others are of either half. */
static gb_corpus *of_rare_and_common_words(bool rare_tell)
{
    enum { DOCS = 400, COMMON = 100, RARE = 100 };
    FILE *f = fopen("rare.jsonl", "w");
    uint64_t x = 1;
    assert_non_null(f);
    for (size_t d = 0; d < DOCS; d++) {
        const bool is_y = d % 2 == 0;
        fputs("{\"text\":\"", f);
        for (size_t i = 0; i < 30; i++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            const unsigned any = (unsigned)(x >> 33);
            const bool is_rare = i < 2, tells = is_rare == rare_tell && any % 10 < (is_rare ? 8 : 2);
            const unsigned half = is_rare ? RARE / 2 : COMMON / 2;
            const bool first_half = tells ? is_y : any / 8 % 2 == 0;
            const unsigned word = any / 64 % half + (first_half ? 0 : half);
            fprintf(f, "%s%c%c ", is_rare ? "rare" : "often", 'a' + word / 26, 'a' + word % 26);
        }
        fprintf(f, "\",\"label\":\"%s\"}\n", is_y ? "y" : "n");
    }
    assert_int_equal(fclose(f), 0);
    return corpus_of("rare.jsonl", "label", "label", NULL);
}

static void rare_words_count_for_more_where_they_tell_more(void **state)
{
    (void)state;
    for (int rare_tell = 0; rare_tell <= 1; rare_tell++) {
        gb_corpus *corpus = of_rare_and_common_words(rare_tell);
        assert_true(found(corpus, settings_of("word-effects", "tfidf", "seed", "1", NULL)).idf_power ==
                    (rare_tell ? 2 : 1));
        assert_true(
            found(corpus, settings_of("word-effects", "tfidf", "seed", "1", "idf-power", "1.5", NULL)).idf_power ==
            1.5);
        assert_true(found(corpus, settings_of("word-effects", "counts", "seed", "1", NULL)).idf_power == 1);
        gb_corpus_free(corpus);
    }
}

/* What was found is said, and the training has it. */
static void the_power_goes_to_the_training(void **state)
{
    (void)state;
    gb_corpus *corpus = of_rare_and_common_words(true);
    gb_settings *s = settings_of("topics", "5", "sweeps", "4", "seed", "1", "word-effects", "tfidf", NULL),
                *plain = settings_of("topics", "5", "sweeps", "4", "seed", "1", "word-effects", "tfidf", "variance",
                                     "words=sample", NULL);
    char *told = NULL;
    assert_int_equal(gb_train_choose_cost(corpus, s, NULL, NULL, &told, NULL), GB_OK);
    assert_true(gb_settings_real_or(s, "idf-power", -1) == 2);
    assert_non_null(strstr(told, "; power of idf: 2"));
    assert_int_equal(gb_train_choose_cost(corpus, plain, NULL, NULL, NULL, NULL), GB_OK);
    gb_plan *plan = plan_with(corpus, s), *other = plan_with(corpus, plain);
    const double *with_rare = gb_coding_words(plan->spec.coding)->weight,
                 *without = gb_coding_words(other->spec.coding)->weight;
    for (uint64_t w = 0; w < corpus->n_words; w++)
        assert_true(fabs(with_rare[w] - without[w] * without[w]) < 1e-12);
    gb_plan_free(plan);
    gb_plan_free(other);
    gb_free(told);
    gb_corpus_free(corpus);
}

/* At most 5,000 documents are asked. */
static void a_large_corpus_is_sampled(void **state)
{
    (void)state;
    gb_corpus *corpus = of_two_words(5100, 9);
    const gb_word_choice choice =
        found(corpus, settings_of("topics", "2", "seed", "1", "word-effects", "tfidf", NULL));
    assert_int_equal(choice.n_docs, 2550);
    gb_corpus_free(corpus);
}

static void few_documents_choose_nothing(void **state)
{
    (void)state;
    gb_corpus *corpus = of_two_words(4, 9);
    assert_true(isnan(variance_chosen(corpus, "cost", "4", "1")));
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
    assert_false(gb_settings_is_set(s, "variance"));
    gb_settings_free(s);
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_begin_with_a_part_of_size_1_in_scores),
        cmocka_unit_test(the_variance_follows_from_the_linear_model_and_the_cost),
        cmocka_unit_test(it_is_drawn_where_that_is_sound),
        cmocka_unit_test(a_variance_that_is_given_stays),
        cmocka_unit_test(of_costs_that_are_as_good_it_is_the_smallest),
        cmocka_unit_test(costs_are_in_units_of_the_length_of_documents),
        cmocka_unit_test(rare_words_count_for_more_where_they_tell_more),
        cmocka_unit_test(the_power_goes_to_the_training),
        cmocka_unit_test(a_large_corpus_is_sampled),
        cmocka_unit_test(few_documents_choose_nothing),
        cmocka_unit_test(it_stops_when_asked_to_and_asks_no_more),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
