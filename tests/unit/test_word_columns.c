/* The words of documents as columns: values worked out by hand, and words that training did not have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "design/word_columns.h"

#include <math.h>

enum { N_WORDS = 4, MOST = 6 };

/* Words of documents, ended by N_WORDS. */
static gb_corpus *make_corpus(size_t n_docs, const unsigned word[][MOST])
{
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    for (size_t w = 0; w < N_WORDS; w++)
        assert_int_equal(gb_corpus_builder_word(b, &"pqrs"[w], 1, NULL), GB_OK);
    for (size_t d = 0; d < n_docs; d++) {
        assert_int_equal(gb_corpus_builder_document(b, NULL, 0, NULL), GB_OK);
        for (size_t i = 0; word[d][i] < N_WORDS; i++)
            assert_int_equal(gb_corpus_builder_token(b, word[d][i], NULL), GB_OK);
    }
    assert_int_equal(gb_corpus_builder_finish(b, NULL, NULL, &corpus, NULL), GB_OK);
    gb_corpus_builder_free(b);
    return corpus;
}

/* Word 3 is in no training document. */
static const unsigned training[][MOST] = {{0, 1, 0, 0, 4}, {0, 2, 4}, {4}};
static const unsigned more[][MOST] = {{3, 1, 1, 4}, {3, 4}};

static double value_of(const gb_sparse_columns *x, uint64_t d, uint32_t column)
{
    for (uint64_t i = x->doc_start[d]; i < x->doc_start[d + 1]; i++)
        if (x->column[i] == column)
            return x->value[i];
    return 0;
}

/* Values of the training documents, and of the others. */
static void make_columns(gb_word_value value, double idf_power, gb_sparse_columns *of_training,
                         gb_sparse_columns *of_more)
{
    gb_corpus *a = make_corpus(3, training), *b = make_corpus(2, more);
    double *weight = NULL;
    assert_int_equal(gb_word_weights(a, value, idf_power, &weight, NULL), GB_OK);
    assert_int_equal(gb_word_columns(a, value, weight, of_training, NULL), GB_OK);
    assert_int_equal(gb_word_columns(b, value, weight, of_more, NULL), GB_OK);
    assert_true(weight[3] == 0);
    gb_free(weight);
    gb_corpus_free(a);
    gb_corpus_free(b);
}

static void check(gb_word_value value, double idf_power, double p_of_first, double q_of_first, double q_of_more)
{
    gb_sparse_columns x, y;
    make_columns(value, idf_power, &x, &y);
    assert_int_equal(x.n_columns, N_WORDS);
    assert_int_equal(x.n_entries, 4);
    assert_int_equal(y.n_entries, 1); /* without the unknown word */
    assert_true(fabs(value_of(&x, 0, 0) - p_of_first) < 1e-15);
    assert_true(fabs(value_of(&x, 0, 1) - q_of_first) < 1e-15);
    assert_int_equal(x.doc_start[3], x.doc_start[2]); /* an empty document */
    assert_true(fabs(value_of(&y, 0, 1) - q_of_more) < 1e-15);
    assert_int_equal(y.doc_start[2], y.doc_start[1]); /* one without a known word */
    gb_sparse_columns_clear(&x);
    gb_sparse_columns_clear(&y);
}

static void presence_is_one(void **state)
{
    (void)state;
    check(GB_WORD_PRESENCE, 1, 1, 1, 1);
}

static void words_that_all_have_are_left_out_where_only_presence_counts(void **state)
{
    (void)state;
    static const unsigned all[][MOST] = {{0, 1, 4}, {0, 0, 2, 4}};
    gb_corpus *corpus = make_corpus(2, all);
    for (gb_word_value value = 0; value < GB_N_WORD_VALUES; value++) {
        double *weight = NULL;
        assert_int_equal(gb_word_weights(corpus, value, 1, &weight, NULL), GB_OK);
        assert_true((weight[0] == 0) == (value == GB_WORD_PRESENCE));
        assert_true(weight[1] > 0 && weight[2] > 0);
        gb_free(weight);
    }
    gb_corpus_free(corpus);
}

static void counts_are_counted(void **state)
{
    (void)state;
    check(GB_WORD_COUNTS, 2, 3, 1, 2);
}

static void shares_are_of_known_tokens(void **state)
{
    (void)state;
    check(GB_WORD_SHARES, 1, 0.75, 0.25, 1);
}

static void tfidf_has_length_one(void **state)
{
    (void)state;
    const double p = (1 + log(3)) * (1 + log(4.0 / 3)), q = 1 + log(4.0 / 2), length = sqrt(p * p + q * q);
    check(GB_WORD_TFIDF, 1, p / length, q / length, 1);
}

static void rare_words_may_count_for_more(void **state)
{
    (void)state;
    const double idf_0 = 1 + log(4.0 / 3), idf_1 = 1 + log(4.0 / 2);
    const double p = (1 + log(3)) * idf_0 * idf_0, q = idf_1 * idf_1, length = sqrt(p * p + q * q);
    check(GB_WORD_TFIDF, 2, p / length, q / length, 1);
    const double p_0 = 1 + log(3), length_0 = sqrt(p_0 * p_0 + 1);
    check(GB_WORD_TFIDF, 0, p_0 / length_0, 1 / length_0, 1);
}

static void values_are_found_by_name(void **state)
{
    (void)state;
    for (gb_word_value v = GB_WORD_TFIDF; v < GB_N_WORD_VALUES; v++)
        assert_int_equal(gb_word_value_find(gb_word_value_name(v)), v);
    assert_int_equal(gb_word_value_find("none"), GB_N_WORD_VALUES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presence_is_one),
        cmocka_unit_test(words_that_all_have_are_left_out_where_only_presence_counts),
        cmocka_unit_test(counts_are_counted),
        cmocka_unit_test(shares_are_of_known_tokens),
        cmocka_unit_test(tfidf_has_length_one),
        cmocka_unit_test(rare_words_may_count_for_more),
        cmocka_unit_test(values_are_found_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
