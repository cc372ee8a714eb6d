/* tests/unit/test_public_contract.c - what the public header promises of numbers out of range and of structs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gibbous/gibbous.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const words[4] = {"sun", "moon", "bread", "salt"};
static const uint64_t doc_start[5] = {0, 2, 4, 6, 8};
static const uint32_t word[8] = {0, 1, 2, 3, 0, 1, 2, 3}, count[8] = {3, 2, 4, 1, 1, 5, 2, 2};
static const char *const kinds[2] = {"sky", "kitchen"};
static const uint32_t kind[4] = {0, 1, 0, 1};
static const double year[4] = {1990, 2000, 1995, 2001};

static int train(void **state)
{
    gb_error err = {0};
    gb_corpus_arrays *a = NULL;
    gb_corpus *corpus = NULL;
    gb_settings *settings = NULL;
    assert_int_equal(gb_settings_create(&settings, NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "topics", "2", NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "sweeps", "4", NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_create(&a, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_counts(a, 4, doc_start, word, count, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_vocabulary(a, 4, words, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_classes(a, "kind", GB_ROLE_RESPONSE, 2, kinds, kind, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_numbers(a, "year", GB_ROLE_COVARIATE, year, NULL), GB_OK);
    if (gb_corpus_from_arrays(a, settings, &corpus, &err) != GB_OK ||
        gb_train(corpus, settings, NULL, NULL, (gb_model **)state, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_corpus_free(corpus);
    gb_corpus_arrays_free(a);
    gb_settings_free(settings);
    return 0;
}

static int free_model(void **state)
{
    gb_model_free(*state);
    return 0;
}

static void a_number_out_of_range_is_answered_with_nothing(void **state)
{
    const gb_model *m = *state;
    assert_int_equal(gb_model_n_responses(m), 1);
    for (int far = 0; far < 2; far++) {
        const uint64_t none = far == 1 ? UINT64_MAX : 1;
        assert_null(gb_model_field(m, none));
        assert_null(gb_model_response(m, none));
        assert_string_equal(gb_model_score_scale(m, none), "");
        assert_int_equal(gb_model_task(m, none), GB_TASK_NONE);
        assert_false(gb_model_has_probabilities(m, none));
        assert_null(gb_model_lacks_probabilities(m, none));
        assert_int_equal(gb_model_first_output(m, none), 0);
        assert_int_equal(gb_model_n_outputs_of(m, none), 0);
        assert_int_equal(gb_model_n_classes(m, none), 0);
        assert_null(gb_model_class(m, none, 0));
        assert_null(gb_model_class(m, 0, far == 1 ? UINT64_MAX : 2));
        assert_null(gb_model_output(m, none));
        assert_int_equal(gb_model_n_effects(m, none), 0);
        assert_null(gb_model_column(m, none));
        assert_false(gb_model_needed_field(m, none, NULL, NULL, NULL));
        assert_null(gb_model_group(m, none));
    }
    assert_string_equal(gb_model_class(m, 0, 1), "sky");
    assert_string_equal(gb_model_column(m, 0), "year");
    assert_null(gb_model_word(m, gb_model_n_words(m)));
    assert_true(isnan(gb_model_topic_share(m, 2)));
    assert_true(isnan(gb_model_coefficient(m, 1, 0)));
    assert_true(isnan(gb_model_coefficient(m, 0, 3)));
    assert_true(!isnan(gb_model_coefficient(m, 0, 1)));
}

static void a_model_says_which_fields_new_documents_need(void **state)
{
    const gb_model *m = *state;
    const char *name;
    gb_role role;
    gb_field_kind its_kind;
    assert_true(gb_model_needed_field(m, 0, &name, &role, &its_kind));
    assert_string_equal(name, "year");
    assert_true(role == GB_ROLE_COVARIATE && its_kind == GB_KIND_NUMBER);
    assert_true(gb_model_needed_field(m, 0, NULL, NULL, NULL));
    assert_false(gb_model_needed_field(m, 1, NULL, NULL, NULL));
}

static void a_function_with_a_status_refuses_it(void **state)
{
    const gb_model *m = *state;
    gb_error err = {0};
    gb_effect effect[4];
    uint64_t topic_word[2], n_found[2];
    double probability[2];
    assert_int_equal(gb_model_effect(m, 1, 0, effect, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "output 1 of 1");
    assert_int_equal(gb_model_effect(m, 0, gb_model_n_effects(m, 0), effect, &err), GB_EARGUMENT);
    assert_int_equal(gb_model_effect(m, 0, gb_model_n_effects(m, 0) - 1, effect, &err), GB_OK);
    const char *name;
    uint64_t place;
    assert_int_equal(gb_model_n_own_parameters(m, 7), 0);
    assert_int_equal(gb_model_own_parameter(m, 7, 0, &name, &place, effect, &err), GB_EARGUMENT);
    assert_int_equal(gb_model_own_parameter(m, 0, gb_model_n_own_parameters(m, 0), &name, &place, effect, &err),
                     GB_EARGUMENT);
    assert_int_equal(gb_model_words_of_topics(m, 1, 1, topic_word, probability, n_found, &err), GB_EARGUMENT);
    assert_int_equal(gb_model_words_of_topics(m, 0, 1, topic_word, probability, n_found, &err), GB_OK);
}

/* Programs that are compiled already have memory of this size. */
static void structs_in_the_callers_memory_keep_their_layout(void **state)
{
    (void)state;
    assert_int_equal(sizeof(gb_error), 1004);
    assert_int_equal(offsetof(gb_error, message), 4);
    assert_int_equal(sizeof(gb_effect), 72);
    assert_int_equal(offsetof(gb_effect, shrinkage), 64);
    assert_int_equal(sizeof(gb_response_prediction), 56);
    assert_int_equal(offsetof(gb_prediction, size), 0);
    assert_int_equal(offsetof(gb_held_out, size), 0);
}

static void the_version_is_told_in_three_ways(void **state)
{
    (void)state;
    char text[40];
    (void)snprintf(text, sizeof text, "%d.%d.%d", GB_VERSION_MAJOR, GB_VERSION_MINOR, GB_VERSION_PATCH);
    assert_string_equal(gb_version(), text);
    assert_int_equal(GB_VERSION, GB_VERSION_MAJOR * 10000 + GB_VERSION_MINOR * 100 + GB_VERSION_PATCH);
}

static void free_functions_accept_null(void **state)
{
    (void)state;
    gb_free(NULL);
    gb_settings_free(NULL);
    gb_corpus_free(NULL);
    gb_corpus_arrays_free(NULL);
    gb_model_free(NULL);
    gb_prediction_free(NULL);
    gb_held_out_free(NULL);
    gb_table_free(NULL);
    gb_documents_close(NULL);
    gb_plan_free(NULL);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, train, free_model)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_number_out_of_range_is_answered_with_nothing),
        CASE(a_model_says_which_fields_new_documents_need),
        CASE(a_function_with_a_status_refuses_it),
        cmocka_unit_test(structs_in_the_callers_memory_keep_their_layout),
        cmocka_unit_test(the_version_is_told_in_three_ways),
        cmocka_unit_test(free_functions_accept_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
