/* A corpus cut in two. */
#include "helper_documents.h"

#include "base/memory.h"
#include "corpus/data/subset.h"

#include <math.h>
#include <string.h>

static const char *const table = "id,text,l,y,year\n"
                                 "p,aa bb aa,x,1,1990\n"
                                 "q,cc bb,y,2,1991\n"
                                 "r,,z,,1990\n"
                                 "s,dd aa cc,,4,1992\n";

static gb_corpus *whole(void)
{
    write_file("d.csv", table);
    return corpus_of("d.csv", "label", "l", "target", "y", "group", "year", NULL);
}

static void training_words_are_the_vocabulary_of_both_parts(void **unused)
{
    (void)unused;
    gb_corpus *all = whole(), *rest, *part;
    uint64_t *n_unknown;
    const bool held_out[] = {true, false, false, true};
    assert_int_equal(gb_corpus_split(all, held_out, NULL, &rest, &part, &n_unknown, NULL), GB_OK);
    assert_string_equal(vocabulary_of(rest), "bb cc");
    assert_string_equal(words_of(rest, 0), "cc bb");
    assert_string_equal(words_of(rest, 1), "");
    assert_string_equal(vocabulary_of(part), "bb cc");
    assert_string_equal(words_of(part, 0), "bb");
    assert_string_equal(words_of(part, 1), "cc");
    assert_int_equal(part->n_tokens, 2);
    assert_int_equal(n_unknown[0], 2);
    assert_int_equal(n_unknown[1], 2);
    gb_free(n_unknown);
    gb_corpus_free(rest);
    gb_corpus_free(part);
    gb_corpus_free(all);
}

static void fields_go_with_their_documents(void **unused)
{
    (void)unused;
    gb_corpus *all = whole(), *rest, *part;
    uint64_t *n_unknown;
    const bool held_out[] = {false, true, true, false}, left_out[] = {false, true};
    assert_int_equal(all->n_labels, 2);
    assert_int_equal(gb_corpus_split(all, held_out, left_out, &rest, &part, &n_unknown, NULL), GB_OK);
    assert_string_equal(ids_of(rest), "p s");
    assert_string_equal(ids_of(part), "q r");
    assert_int_equal(rest->n_labels, 1);
    assert_int_equal(rest->labels[0].classes.count, 3); /* also those that it does not have */
    assert_string_equal(classes_of(rest, 0), "x -");
    assert_string_equal(classes_of(part, 0), "y z");
    assert_true(rest->numbers[0].value[0] == 1 && rest->numbers[0].value[1] == 4);
    assert_true(part->numbers[0].value[0] == 2 && isnan(part->numbers[0].value[1]));
    assert_string_equal(part->numbers[0].name, "y");
    gb_free(n_unknown);
    gb_corpus_free(rest);
    gb_corpus_free(part);
    gb_corpus_free(all);
}

static void a_part_may_have_all_documents(void **unused)
{
    (void)unused;
    gb_corpus *all = whole(), *rest, *part;
    uint64_t *n_unknown;
    const bool held_out[] = {true, true, true, true};
    assert_int_equal(gb_corpus_split(all, held_out, NULL, &rest, &part, &n_unknown, NULL), GB_OK);
    assert_int_equal(rest->n_docs, 0);
    assert_int_equal(rest->n_words, 0);
    assert_int_equal(part->n_docs, 4);
    assert_int_equal(part->n_tokens, 0);
    assert_int_equal(n_unknown[0] + n_unknown[1] + n_unknown[2] + n_unknown[3], 8);
    gb_free(n_unknown);
    gb_corpus_free(rest);
    gb_corpus_free(part);
    gb_corpus_free(all);
}

static void folds_are_even_and_named_by_the_seed(void **unused)
{
    (void)unused;
    enum { N = 103, N_FOLDS = 10 };
    uint32_t one[N], again[N], other[N];
    size_t size[N_FOLDS] = {0}, n_same = 0;
    assert_int_equal(gb_corpus_deal_folds(N, N_FOLDS, 7, one, NULL), GB_OK);
    assert_int_equal(gb_corpus_deal_folds(N, N_FOLDS, 7, again, NULL), GB_OK);
    assert_int_equal(gb_corpus_deal_folds(N, N_FOLDS, 8, other, NULL), GB_OK);
    assert_memory_equal(one, again, sizeof one);
    for (size_t d = 0; d < N; d++) {
        assert_true(one[d] < N_FOLDS);
        size[one[d]]++;
        n_same += one[d] == other[d];
    }
    for (size_t f = 0; f < N_FOLDS; f++)
        assert_true(size[f] == N / N_FOLDS || size[f] == N / N_FOLDS + 1);
    assert_true(n_same < N / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(training_words_are_the_vocabulary_of_both_parts),
        cmocka_unit_test(fields_go_with_their_documents),
        cmocka_unit_test(a_part_may_have_all_documents),
        cmocka_unit_test(folds_are_even_and_named_by_the_seed),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
