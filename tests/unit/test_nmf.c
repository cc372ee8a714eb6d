/* A factorisation finds the parts that are there, the same on any number of threads; chains that start from it find the same with every seed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "design/sparse_columns.h"
#include "gibbous/gibbous.h"
#include "helper_documents.h"
#include "helper_tables.h"
#include "model/match.h"
#include "random/random.h"
#include "recipe/nmf.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

enum { DOCS = 40, WORDS = 30, PARTS = 3 };

static double uniform(gb_random *r)
{
    return (double)gb_random_u32(r) / 4294967296.0;
}

/* Part k has words k, k + 3, ..., and a few of the next; each document one part, or two. */
static void make_matrix(gb_sparse_columns *x, double cell[DOCS][WORDS])
{
    static gb_sparse_entry entry[DOCS * WORDS];
    double word[WORDS][PARTS] = {{0}};
    uint64_t n = 0;
    gb_random r = gb_random_open(gb_key_make(5, 0), 0, GB_DRAW_TEST, 0);
    for (size_t w = 0; w < WORDS; w++) {
        word[w][w % PARTS] = 0.5 + uniform(&r);
        if (w % 5 == 0)
            word[w][(w + 1) % PARTS] = 0.2;
    }
    for (size_t d = 0; d < DOCS; d++) {
        const double first = 0.5 + uniform(&r), second = d % 4 == 0 ? uniform(&r) : 0;
        for (size_t w = 0; w < WORDS; w++) {
            cell[d][w] = first * word[w][d % PARTS] + second * word[w][(d + 1) % PARTS];
            if (cell[d][w] > 0)
                entry[n++] = (gb_sparse_entry){.doc = d, .column = (uint32_t)w, .value = cell[d][w]};
        }
    }
    assert_int_equal(gb_sparse_columns_create(x, DOCS, WORDS, n, entry, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_index(x, NULL), GB_OK);
}

/* @return |X - W H'|^2 / |X|^2 */
static double rest_of(const gb_nmf *nmf, double cell[DOCS][WORDS])
{
    double rest = 0, all = 0;
    for (size_t d = 0; d < DOCS; d++)
        for (size_t w = 0; w < WORDS; w++) {
            double sum = 0;
            for (size_t k = 0; k < nmf->n_parts; k++) {
                const double a = (double)nmf->document[d * nmf->n_parts + k],
                             b = (double)nmf->word[w * nmf->n_parts + k];
                assert_true(a >= 0 && b >= 0 && isfinite(a) && isfinite(b));
                sum += a * b;
            }
            rest += (cell[d][w] - sum) * (cell[d][w] - sum);
            all += cell[d][w] * cell[d][w];
        }
    return rest / all;
}

static void parts_that_are_there_are_found(void **unused)
{
    (void)unused;
    gb_sparse_columns x;
    gb_nmf nmf;
    static double cell[DOCS][WORDS];
    make_matrix(&x, cell);
    assert_int_equal(gb_nmf_find(&x, PARTS, 1, &nmf, NULL), GB_OK);
    assert_true(rest_of(&nmf, cell) < 1e-4);
    gb_nmf_clear(&nmf);
    assert_int_equal(gb_nmf_find(&x, PARTS - 1, 1, &nmf, NULL), GB_OK);
    assert_true(rest_of(&nmf, cell) > 0.05); /* fewer do not do */
    gb_nmf_clear(&nmf);
    assert_int_equal(gb_nmf_find(&x, WORDS + 5, 1, &nmf, NULL), GB_OK); /* more than there can be */
    assert_true(rest_of(&nmf, cell) < 1e-4);
    gb_nmf_clear(&nmf);
    gb_sparse_columns_clear(&x);
}

static void threads_do_not_matter(void **unused)
{
    (void)unused;
    gb_sparse_columns x;
    gb_nmf one, three;
    static double cell[DOCS][WORDS];
    make_matrix(&x, cell);
    assert_int_equal(gb_nmf_find(&x, PARTS, 1, &one, NULL), GB_OK);
    assert_int_equal(gb_nmf_find(&x, PARTS, 3, &three, NULL), GB_OK);
    assert_memory_equal(one.document, three.document, DOCS * PARTS * sizeof(float));
    assert_memory_equal(one.word, three.word, WORDS * PARTS * sizeof(float));
    gb_nmf_clear(&one);
    gb_nmf_clear(&three);
    gb_sparse_columns_clear(&x);
}

static void nothing_is_the_sum_of_no_parts(void **unused)
{
    (void)unused;
    gb_sparse_columns x;
    gb_nmf nmf;
    assert_int_equal(gb_sparse_columns_create(&x, 3, 2, 0, NULL, NULL), GB_OK);
    assert_int_equal(gb_sparse_columns_index(&x, NULL), GB_OK);
    assert_int_equal(gb_nmf_find(&x, 2, 1, &nmf, NULL), GB_OK);
    for (size_t i = 0; i < 6; i++)
        assert_true(nmf.document[i] == 0.0F && (i >= 4 || nmf.word[i] == 0.0F));
    gb_nmf_clear(&nmf);
    gb_sparse_columns_clear(&x);
}

static gb_model *trained(const gb_corpus *corpus, const char *seed, const char *response)
{
    gb_model *model = NULL;
    gb_settings *settings = settings_of("topics", "12", "sweeps", "60", "chains", "2", "threads", "2", "seed", seed,
                                        "start", "nmf", "response", response, NULL);
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    gb_settings_free(settings);
    return model;
}

static void every_seed_finds_the_same_topics_and_they_are_no_evidence(void **unused)
{
    (void)unused;
    static const char *const response[] = {"none", "hinge"};
    gb_corpus *corpus =
        simulated_with(settings_of("documents", "400", "length", "40", "vocabulary-size", "300", "topics", "12",
                                   "classes", "2", "beta", "0.05", "seed", "3", NULL));
    for (size_t i = 0; i < 2; i++) {
        size_t theirs[12], n = 0;
        gb_model *one = trained(corpus, "1", response[i]), *two = trained(corpus, "2", response[i]);
        assert_true(one->has_common_start);
        assert_int_equal(gb_model_match_other(one, two, theirs, NULL), GB_OK);
        for (size_t k = 0; k < 12; k++)
            n += theirs[k] == k;
        assert_true(n >= 11);
        gb_table *table = answer_to("topics", &(gb_subject){.size = sizeof(gb_subject), .model = one});
        assert_true(says(table, "they began with the same topics"));
        gb_table_free(table);
        gb_model_free(one);
        gb_model_free(two);
    }
    gb_corpus_free(corpus);
}

static void what_does_not_go_with_it_is_refused(void **unused)
{
    (void)unused;
    static const char *const with[][3] = {{"pool", "5", "start"}, {"seeds", "{\"a\": [\"b\"]}", "seeds"}};
    gb_corpus *corpus = simulated_with(
        settings_of("documents", "20", "length", "9", "vocabulary-size", "30", "topics", "2", "seed", "3", NULL));
    for (size_t i = 0; i < 2; i++) {
        gb_model *model = NULL;
        gb_error err = {0};
        gb_settings *settings = settings_of("topics", "2", "sweeps", "6", "chains", "3", "seed", "1", "start", "nmf",
                                            "response", "none", with[i][0], with[i][1], NULL);
        assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, &err), GB_EARGUMENT);
        assert_non_null(strstr(err.message, with[i][2]));
        gb_settings_free(settings);
    }
    gb_corpus_free(corpus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_that_are_there_are_found),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(nothing_is_the_sum_of_no_parts),
        cmocka_unit_test(every_seed_finds_the_same_topics_and_they_are_no_evidence),
        cmocka_unit_test(what_does_not_go_with_it_is_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
