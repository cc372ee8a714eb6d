/* test_topic_chain.c - the chain whose topics have the numbers. */
#include "helper_documents.h"

#include "gibbous/gibbous.h"

#include <stdlib.h>
#include <string.h>

enum { CHAINS = 3, TOPICS = 4 };

static gb_model *trained(const char *strategy, const char *threads)
{
    gb_corpus *corpus =
        simulated_with(settings_of("documents", "80", "length", "20", "vocabulary-size", "60", "topics", "4",
                                   "classes", "3", "variance", "200", "alpha", "0.2", "seed", "4", NULL));
    gb_settings *settings = settings_of("topics", "4", "label", "label", "chains", "3", "sweeps", "40", "burn-in",
                                        "20", "seed", "2", "strategy", strategy, "threads", threads, NULL);
    gb_model *model = NULL;
    gb_error err = {0};
    if (gb_train(corpus, settings, NULL, NULL, &model, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_settings_free(settings);
    gb_corpus_free(corpus);
    return model;
}

static gb_draw_place place_of(const gb_model *model, uint64_t draw)
{
    gb_draw_place place;
    assert_true(gb_model_draw(model, draw, &place));
    return place;
}

/* Mean log joint of the draws of a chain; chains of a class have numbers that follow each other. */
static double mean_log_joint(const gb_model *model, uint64_t chain)
{
    double sum = 0, n = 0;
    for (uint64_t i = 0; i < gb_model_n_draws(model); i++)
        if (place_of(model, i).chain == chain) {
            sum += *gb_model_draw_value(model, i, 0);
            n++;
        }
    return sum / n;
}

static uint64_t best_of(const gb_model *model, uint64_t first)
{
    uint64_t best = first;
    for (uint64_t c = first; c < first + CHAINS; c++)
        best = mean_log_joint(model, c) > mean_log_joint(model, best) ? c : best;
    return best;
}

static void the_chain_with_the_highest_mean_log_joint_leads(void **state)
{
    (void)state;
    gb_model *model = trained("shared", "1"), *threaded = trained("shared", "3");
    const uint64_t n = gb_model_n_draws(model), n_each = n / CHAINS;
    assert_string_equal(gb_model_draw_value(model, 0, 0) == NULL ? "" : "a log joint", "a log joint");
    assert_int_equal(gb_model_topic_chain(model), best_of(model, 0));
    assert_int_equal(gb_model_topic_chain(threaded), best_of(model, 0));
    assert_int_equal(gb_model_n_topic_draws(model), n_each);
    for (uint64_t i = 0; i < n_each; i++)
        assert_int_equal(place_of(model, i).chain, best_of(model, 0));
    for (uint64_t i = n_each + 1; i < n; i++) /* the others in order */
        assert_true(place_of(model, i).chain >= place_of(model, i - 1).chain);
    gb_model_free(model);
    gb_model_free(threaded);
}

static void each_class_has_a_chain_that_leads(void **state)
{
    (void)state;
    gb_model *model = trained("one-vs-rest", "2");
    const uint64_t n_each = gb_model_n_draws(model) / CHAINS;
    for (uint64_t class = 0; class < 3; class ++)
        assert_int_equal(place_of(model, class * n_each).chain, best_of(model, class * CHAINS));
    gb_model_free(model);
}

/* The coefficients that topics of a chain have. */
static void see_coefficients(const gb_model *model, double out[TOPICS])
{
    for (uint64_t k = 0; k < TOPICS; k++)
        out[k] = gb_model_coefficient(model, 0, k);
}

static gb_model *again(const gb_model *model)
{
    void *bytes = NULL;
    size_t n_bytes;
    gb_model *read = NULL;
    assert_int_equal(gb_model_to_bytes(model, &bytes, &n_bytes, NULL), GB_OK);
    assert_int_equal(gb_model_from_bytes(bytes, n_bytes, &read, NULL), GB_OK);
    gb_free(bytes);
    return read;
}

static void assert_same_bytes(const gb_model *a, const gb_model *b)
{
    void *x = NULL, *y = NULL;
    size_t n_x, n_y;
    assert_int_equal(gb_model_to_bytes(a, &x, &n_x, NULL), GB_OK);
    assert_int_equal(gb_model_to_bytes(b, &y, &n_y, NULL), GB_OK);
    assert_int_equal(n_x, n_y);
    assert_memory_equal(x, y, n_x);
    gb_free(x);
    gb_free(y);
}

/* Of a model in memory and of one that was read, which is written again. */
static void another_chain_can_lead_and_be_written(void **state)
{
    (void)state;
    gb_model *model = trained("shared", "1"), *read = again(model);
    const uint64_t best = gb_model_topic_chain(model), other = (best + 1) % CHAINS;
    double before[TOPICS], after[TOPICS], of_file[TOPICS], written[TOPICS];
    see_coefficients(model, before);
    assert_int_equal(gb_model_choose_chain(model, other, NULL), GB_OK);
    assert_int_equal(gb_model_choose_chain(read, other, NULL), GB_OK);
    assert_int_equal(gb_model_topic_chain(read), other);
    see_coefficients(model, after);
    see_coefficients(read, of_file);
    assert_memory_equal(after, of_file, sizeof after);
    assert_true(memcmp(before, after, sizeof before) != 0);
    gb_model *copy = again(read);
    see_coefficients(copy, written);
    assert_memory_equal(written, after, sizeof written);
    assert_int_equal(gb_model_topic_chain(copy), other);
    assert_same_bytes(model, read);
    /* and back */
    gb_model *first = trained("shared", "1");
    assert_int_equal(gb_model_choose_chain(copy, best, NULL), GB_OK);
    assert_same_bytes(copy, first);
    gb_error err;
    assert_int_equal(gb_model_choose_chain(copy, CHAINS, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "`chain` 4: the model has draws with topics of 3 chains");
    gb_model_free(first);
    gb_model_free(copy);
    gb_model_free(read);
    gb_model_free(model);
}

static void what_belongs_to_topics_of_a_chain_keeps_the_chain(void **state)
{
    (void)state;
    gb_model *model = trained("shared", "1"), *named = NULL;
    const uint64_t best = gb_model_topic_chain(model);
    const char *const names[TOPICS] = {"", "a name", "", ""};
    gb_error err;
    assert_int_equal(gb_model_name_topics(model, names, &named, NULL), GB_OK);
    assert_int_equal(gb_model_choose_chain(named, best, NULL), GB_OK);
    assert_int_equal(gb_model_choose_chain(named, (best + 1) % CHAINS, &err), GB_EARGUMENT);
    assert_non_null(strstr(err.message, "names of topics"));
    gb_model_free(named);
    gb_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chain_with_the_highest_mean_log_joint_leads),
        cmocka_unit_test(each_class_has_a_chain_that_leads),
        cmocka_unit_test(another_chain_can_lead_and_be_written),
        cmocka_unit_test(what_belongs_to_topics_of_a_chain_keeps_the_chain),
    };
    return cmocka_run_group_tests_name("chain of topics", tests, NULL, NULL);
}
