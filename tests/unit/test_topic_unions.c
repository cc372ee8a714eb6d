/* Topics that count as one: shares and words of a union are those of its tokens, and the model is otherwise the same. */
#include "helper_documents.h"

#include "gibbous/draws.h"
#include "model/model.h"
#include "model/topic_unions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TOPICS = 4 };

static gb_model *trained(const char *strategy)
{
    gb_model *model = NULL;
    gb_corpus *corpus = simulated_with(settings_of("topics", "4", "documents", "60", "length", "20", "seed", "1",
                                                   "classes", "3", "response", "logistic", NULL));
    gb_settings *settings = settings_of("topics", "4", "sweeps", "20", "burn-in", "10", "seed", "1", "label", "label",
                                        "response", "logistic", "calibrate", "0", "strategy", strategy, NULL);
    assert_int_equal(gb_train(corpus, settings, NULL, NULL, &model, NULL), GB_OK);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
    return model;
}

static void unions_are_known_by_their_first_topic(void **state)
{
    (void)state;
    gb_model *plain = trained("shared"), *united = NULL, *again = NULL;
    uint64_t topics[TOPICS];
    assert_false(gb_model_has_topic_unions(plain));
    assert_int_equal(gb_model_unite_topics(plain, (const uint64_t[]){3, GB_LEFT_OUT, 0, 3}, &united, NULL), GB_OK);
    assert_int_equal(gb_model_write(united, "united.gibbous", false, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_read("united.gibbous", NULL, NULL, &again, NULL), GB_OK);
    assert_true(gb_model_has_topic_unions(again));
    assert_int_equal(gb_model_topic_union(again, 0), 0);
    assert_true(gb_model_topic_union(again, 1) == GB_LEFT_OUT);
    assert_int_equal(gb_model_topic_union(again, 2), 2);
    assert_int_equal(gb_model_topic_union(again, 3), 0);
    assert_int_equal(gb_model_topics_of_union(again, 3, topics), 2);
    assert_true(topics[0] == 0 && topics[1] == 3);
    assert_int_equal(gb_model_topics_of_union(again, 1, topics), 1);
    assert_int_equal(topics[0], 1);
    gb_model_free(again);
    gb_model_free(united);
    gb_model_free(plain);
}

static void alone_again_the_model_is_the_same_byte_for_byte(void **state)
{
    (void)state;
    gb_model *plain = trained("shared"), *united = NULL, *alone = NULL;
    assert_int_equal(gb_model_unite_topics(plain, (const uint64_t[]){0, 0, 2, 2}, &united, NULL), GB_OK);
    assert_int_equal(gb_model_unite_topics(united, (const uint64_t[]){3, 2, 1, 0}, &alone, NULL), GB_OK);
    assert_false(gb_model_has_topic_unions(alone));
    assert_int_equal(gb_model_write(plain, "plain.gibbous", false, NULL, NULL, NULL), GB_OK);
    assert_int_equal(gb_model_write(alone, "alone.gibbous", false, NULL, NULL, NULL), GB_OK);
    assert_same_files("plain.gibbous", "alone.gibbous");
    gb_model_free(alone);
    gb_model_free(united);
    gb_model_free(plain);
}

static void the_share_of_a_union_is_the_sum_in_every_draw(void **state)
{
    (void)state;
    gb_model *m = trained("shared");
    const uint64_t topics[] = {1, 3}, all[] = {0, 1, 2, 3};
    gb_effect both, every;
    double sum = 0, least = 1, most = 0;
    const uint64_t n = gb_model_n_topic_draws(m);
    assert_int_equal(gb_model_topics_share(m, 2, topics, &both, NULL), GB_OK);
    for (uint64_t i = 0; i < n; i++) {
        const gb_draw draw = gb_model_kept(m, i);
        const double share = draw.share[1] + draw.share[3];
        sum += share;
        least = fmin(least, share);
        most = fmax(most, share);
    }
    assert_true(fabs(both.mean - sum / (double)n) < 1e-12);
    assert_true(least <= both.q05 && both.q05 < both.q95 && both.q95 <= most);
    assert_int_equal(both.n_draws, n);
    assert_int_equal(gb_model_topics_share(m, 4, all, &every, NULL), GB_OK);
    assert_true(fabs(every.mean - 1) < 1e-9 && every.sd < 1e-9);
    assert_int_equal(gb_model_topics_share(m, 0, all, &every, NULL), GB_EARGUMENT);
    assert_int_equal(gb_model_topics_share(m, 1, (const uint64_t[]){4}, &every, NULL), GB_EARGUMENT);
    gb_model_free(m);
}

static void words_of_a_union_are_those_of_its_tokens(void **state)
{
    (void)state;
    gb_model *plain = trained("shared"), *united = NULL;
    assert_int_equal(gb_model_unite_topics(plain, (const uint64_t[]){0, 1, 2, 1}, &united, NULL), GB_OK);
    const uint64_t n_words = gb_model_n_words(plain);
    uint64_t n_found, *word = calloc(TOPICS * n_words, sizeof *word);
    double *p = calloc(TOPICS * n_words, sizeof *p), *phi = calloc(TOPICS * n_words, sizeof *phi), total = 0;
    assert_true(word != NULL && p != NULL && phi != NULL);
    assert_int_equal(gb_model_topic_distributions(plain, 0, phi, NULL), GB_OK);
    assert_int_equal(gb_model_rank_union_words(united, "probability", NAN, n_words, word, p, &n_found, NULL), GB_OK);
    assert_int_equal(n_found, n_words);
    const double a = gb_model_topic_share(plain, 1), b = gb_model_topic_share(plain, 3);
    for (uint64_t i = 0; i < n_words; i++) {
        const uint64_t w = word[n_words + i];
        const double expected = (a * phi[n_words + w] + b * phi[3 * n_words + w]) / (a + b);
        assert_true(fabs(p[n_words + i] - expected) < 1e-12);
        assert_true(p[3 * n_words + i] == 0);
        total += p[n_words + i];
    }
    assert_true(fabs(total - 1) < 1e-9);
    /* topics that are alone have the words that they had */
    uint64_t *own = calloc(TOPICS * n_words, sizeof *own);
    assert_non_null(own);
    assert_int_equal(gb_model_rank_words(plain, 0, "probability", NAN, n_words, own, phi, &n_found, NULL), GB_OK);
    assert_memory_equal(own, word, n_words * sizeof *own);
    free(own);
    free(word);
    free(p);
    free(phi);
    gb_model_free(united);
    gb_model_free(plain);
}

static void groups_of_a_table_are_unions_with_names(void **state)
{
    (void)state;
    gb_model *plain = trained("shared"), *first = NULL, *second = NULL;
    write_file("groups.csv", "topic,group\n4,B\n2,A\n1,B\n");
    assert_int_equal(gb_model_read_topic_unions(plain, "groups.csv", &first, NULL), GB_OK);
    assert_int_equal(gb_model_topic_union(first, 3), 0);
    assert_int_equal(gb_model_topic_union(first, 1), 1);
    assert_string_equal(gb_model_union_name(first, 3), "B");
    assert_string_equal(gb_model_topic_name(first, 3), "");
    assert_string_equal(gb_model_union_name(first, 1), "A");
    assert_string_equal(gb_model_union_name(first, 2), "");
    /* the others of a union that loses its first topic stay together */
    write_file("more.csv", "topic,group\n2,B\n3,B\n");
    assert_int_equal(gb_model_read_topic_unions(first, "more.csv", &second, NULL), GB_OK);
    assert_int_equal(gb_model_topic_union(second, 0), 0);
    assert_int_equal(gb_model_topic_union(second, 3), 0);
    assert_int_equal(gb_model_topic_union(second, 2), 1);
    gb_model_free(second);
    gb_model_free(first);
    gb_model_free(plain);
}

static void what_is_no_union_is_refused(void **state)
{
    (void)state;
    gb_model *m = trained("shared"), *own = trained("one-vs-rest"), *out = NULL;
    gb_error err = {0};
    assert_int_equal(gb_model_unite_topics(m, (const uint64_t[]){0, 1, 2, 4}, &out, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "topic 4 is put with topic 5 of 4");
    assert_int_equal(
        gb_model_unite_topics(m, (const uint64_t[]){GB_LEFT_OUT, GB_LEFT_OUT, GB_LEFT_OUT, GB_LEFT_OUT}, &out, &err),
        GB_EARGUMENT);
    assert_string_equal(err.message, "every topic would be left out");
    assert_int_equal(gb_model_unite_topics(own, (const uint64_t[]){0, 0, 2, 3}, &out, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "each class has topics of its own, which cannot be united");
    write_file("bad.csv", "topic,group\n1,a\n5,a\n");
    assert_int_equal(gb_model_read_topic_unions(m, "bad.csv", &out, &err), GB_EFORMAT);
    assert_string_equal(err.message, "bad.csv:3: the topic \"5\" is not a number from 1 to 4");
    write_file("bad.csv", "topic,group\n1,a\n1,b\n");
    assert_int_equal(gb_model_read_topic_unions(m, "bad.csv", &out, &err), GB_EFORMAT);
    assert_string_equal(err.message, "bad.csv:3: topic 1 is in two rows");
    write_file("bad.csv", "topic,group\n1,a\033[2J\n");
    assert_int_equal(gb_model_read_topic_unions(m, "bad.csv", &out, &err), GB_EFORMAT);
    assert_null(out);
    gb_model_free(own);
    gb_model_free(m);
}

static void damaged_unions_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {"[0,1]",      "[0,1,2,\"3\"]", "[1,1,2,3]", "[0,0,1,3]",
                                      "[0,-2,2,3]", "[-1,-1,-1,-1]", "{}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        json_t *unions = json_loads(bad[i], 0, NULL);
        assert_non_null(unions);
        assert_false(gb_topic_unions_are_sound(unions, TOPICS));
        json_decref(unions);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unions_are_known_by_their_first_topic),
        cmocka_unit_test(alone_again_the_model_is_the_same_byte_for_byte),
        cmocka_unit_test(the_share_of_a_union_is_the_sum_in_every_draw),
        cmocka_unit_test(words_of_a_union_are_those_of_its_tokens),
        cmocka_unit_test(groups_of_a_table_are_unions_with_names),
        cmocka_unit_test(what_is_no_union_is_refused),
        cmocka_unit_test(damaged_unions_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
