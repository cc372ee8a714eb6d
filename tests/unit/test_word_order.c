/* Orders of a topic's words against their formulas, worked out from the topics as distributions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus/data/raw_document.h"
#include "gibbous/gibbous.h"

#include <math.h>

enum { N_TOPICS = 3, N_WORDS = 6, UNSEEN = 5 };

/* The last word of the vocabulary is in no document. */
static const char *const document[] = {"aaab", "bbcd", "eddaaa", "cce", "aeeeb", "ccdb"};
enum { N_DOCS = sizeof document / sizeof document[0] };

static gb_model *train(void)
{
    static const char *const options[][2] = {{"topics", "3"}, {"sweeps", "20"}, {"seed", "3"},
                                             {"beta", "0.2"}, {"threads", "1"}, {"response", "none"}};
    gb_corpus_builder *b;
    gb_corpus *corpus;
    gb_settings *s;
    gb_model *m;
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    for (size_t d = 0; d < N_DOCS; d++) {
        assert_int_equal(gb_corpus_builder_document(b, NULL, 0, NULL), GB_OK);
        for (const char *at = document[d]; *at != '\0'; at++)
            assert_int_equal(gb_corpus_builder_token(b, (uint32_t)(*at - 'a'), NULL), GB_OK);
    }
    for (char w = 'a'; w < 'a' + N_WORDS; w++)
        assert_int_equal(gb_corpus_builder_word(b, &w, 1, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_finish(b, NULL, NULL, &corpus, NULL), GB_OK);
    assert_int_equal(gb_settings_create(&s, NULL), GB_OK);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        assert_int_equal(gb_settings_set(s, options[i][0], options[i][1], NULL), GB_OK);
    assert_int_equal(gb_train(corpus, s, NULL, NULL, &m, NULL), GB_OK);
    gb_settings_free(s);
    gb_corpus_free(corpus);
    gb_corpus_builder_free(b);
    return m;
}

static double share_of(size_t word)
{
    double n = 0, all = 0;
    for (size_t d = 0; d < N_DOCS; d++)
        for (const char *at = document[d]; *at != '\0'; at++, all++)
            n += (size_t)(*at - 'a') == word;
    return n / all;
}

static double exclusivity(const double *phi, size_t k, size_t w)
{
    double sum = 0;
    for (size_t j = 0; j < N_TOPICS; j++)
        sum += phi[j * N_WORDS + w];
    return phi[k * N_WORDS + w] / sum;
}

/* The share of words with at most the value of a word. */
static double rank_of(const double *phi, size_t k, size_t w, bool is_exclusive)
{
    double n = 0;
    for (size_t v = 0; v < N_WORDS; v++)
        n += is_exclusive ? exclusivity(phi, k, v) <= exclusivity(phi, k, w)
                          : phi[k * N_WORDS + v] <= phi[k * N_WORDS + w];
    return n / N_WORDS;
}

static double value_of(const char *by, double x, const double *phi, size_t k, size_t w)
{
    const double p = phi[k * N_WORDS + w];
    switch (*by) {
    case 'p':
        return p;
    case 'l':
        return p / share_of(w);
    case 'r':
        return x * log(p) + (1 - x) * log(p / share_of(w));
    default:
        return 1 / (x / rank_of(phi, k, w, true) + (1 - x) / rank_of(phi, k, w, false));
    }
}

static void check_order(const gb_model *m, const char *by, double weight, double x)
{
    double phi[N_TOPICS * N_WORDS], probability[N_TOPICS * N_WORDS];
    uint64_t word[N_TOPICS * N_WORDS], n;
    assert_int_equal(gb_model_topic_distributions(m, 0, phi, NULL), GB_OK);
    assert_int_equal(gb_model_rank_words(m, 0, by, weight, 100, word, probability, &n, NULL), GB_OK);
    assert_int_equal(n, N_WORDS);
    for (size_t k = 0; k < N_TOPICS; k++)
        for (size_t i = 0; i < N_WORDS; i++) {
            const size_t w = (size_t)word[k * N_WORDS + i];
            assert_true(probability[k * N_WORDS + i] == phi[k * N_WORDS + w]);
            assert_true((w == UNSEEN) == (i == N_WORDS - 1));
            if (i > 0 && w != UNSEEN)
                assert_true(value_of(by, x, phi, k, (size_t)word[k * N_WORDS + i - 1]) >=
                            value_of(by, x, phi, k, w) - 1e-12);
        }
}

static void words_are_in_the_order_of_the_formula(void **unused)
{
    (void)unused;
    gb_model *m = train();
    check_order(m, "probability", (double)NAN, 1);
    check_order(m, "lift", (double)NAN, 0);
    check_order(m, "relevance", (double)NAN, 0.6);
    check_order(m, "relevance", 0.1, 0.1);
    check_order(m, "frex", (double)NAN, 0.5);
    check_order(m, "frex", 0.9, 0.9);
    gb_model_free(m);
}

/* x = 0 is the order by lift, x = 1 the order by probability. */
static void relevance_goes_from_lift_to_probability(void **unused)
{
    (void)unused;
    gb_model *m = train();
    uint64_t a[N_TOPICS * N_WORDS], b[N_TOPICS * N_WORDS], n;
    double p[N_TOPICS * N_WORDS];
    static const char *const end[] = {"lift", "probability"};
    for (int x = 0; x <= 1; x++) {
        assert_int_equal(gb_model_rank_words(m, 0, "relevance", x, 4, a, p, &n, NULL), GB_OK);
        assert_int_equal(gb_model_rank_words(m, 0, end[x], (double)NAN, 4, b, p, &n, NULL), GB_OK);
        assert_int_equal(n, 4);
        assert_memory_equal(a, b, N_TOPICS * 4 * sizeof *a);
    }
    gb_model_free(m);
}

static void wrong_arguments_are_refused(void **unused)
{
    (void)unused;
    gb_model *m = train();
    uint64_t word[N_TOPICS * N_WORDS], n;
    double p[N_TOPICS * N_WORDS];
    assert_int_equal(gb_model_rank_words(m, 0, "salience", 0.5, 2, word, p, &n, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_rank_words(m, 0, "frex", 1.5, 2, word, p, &n, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_rank_words(m, 0, "frex", -0.5, 2, word, p, &n, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_rank_words(m, 7, "frex", 0.5, 2, word, p, &n, NULL), GB_EARGUMENT);
    gb_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_in_the_order_of_the_formula),
        cmocka_unit_test(relevance_goes_from_lift_to_probability),
        cmocka_unit_test(wrong_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
