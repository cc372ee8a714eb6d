/* tests/unit/test_response.c - choosing a response, and what it says of one class among several. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/response_defaults.h"
#include "response/response.h"

#include <math.h>
#include <string.h>

enum { N_CLASSES = 4 };

static gb_response make(const char *name)
{
    gb_response response;
    gb_error err = {.status = GB_OK};
    assert_int_equal(gb_response_choose(name, 0, 1, 0, &response, &err), GB_OK);
    return response;
}

static double normal_cdf(double x)
{
    return 0.5 * erfc(-x * M_SQRT1_2);
}

/* Phi(s_l) times the product of Phi(-s_j) over the others, over its sum. */
static void probit_classes_are_the_one_positive_of_independent_probits(void **state)
{
    (void)state;
    static const double cases[][N_CLASSES] = {{0, 0, 0, 0}, {0.3, -1.2, 2, -0.1}, {-3, -4, -3.5, -2}, {5, 4, -5, 6}};
    const gb_response probit = make("probit");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double weight[N_CLASSES], expected[N_CLASSES], sum = 0;
        probit.ops->classes->weights(&probit, N_CLASSES, cases[i], weight);
        for (size_t l = 0; l < N_CLASSES; l++) {
            expected[l] = 1;
            for (size_t j = 0; j < N_CLASSES; j++)
                expected[l] *= normal_cdf(j == l ? cases[i][j] : -cases[i][j]);
            sum += expected[l];
        }
        for (size_t l = 0; l < N_CLASSES; l++)
            assert_true(fabs(weight[l] - expected[l] / sum) < 1e-13);
    }
}

static void probit_classes_survive_scores_that_phi_does_not(void **state)
{
    (void)state;
    const gb_response probit = make("probit");
    double weight[N_CLASSES];
    probit.ops->classes->weights(&probit, N_CLASSES, (const double[]){-60, -61, -1000, -1e6}, weight);
    assert_true(weight[0] > 0.9 && weight[0] <= 1 && weight[1] > 0 && weight[3] == 0);
    probit.ops->classes->weights(&probit, N_CLASSES, (const double[]){1e6, 60, -60, 1e6}, weight);
    assert_true(fabs(weight[0] - 0.5) < 1e-12 && weight[0] == weight[3] && weight[1] == 0);
}

/* Two classes: the odds of one against the other. */
static void probit_probability_is_that_of_its_likelihood(void **state)
{
    (void)state;
    const gb_response probit = make("probit");
    for (double s = -9; s <= 9; s += 0.5) {
        const double p = probit.ops->classes->probability(&probit, s);
        assert_true(fabs(p / exp(probit.ops->log_likelihood(&probit, 1, s)) - 1) < 1e-12);
        assert_true(fabs(p + probit.ops->classes->probability(&probit, -s) - 1) < 1e-15);
    }
}

static void other_classes_weigh_as_if_they_were_alone(void **state)
{
    (void)state;
    static const char *const names[] = {"hinge", "logistic"};
    static const double score[N_CLASSES] = {-2, 0, 0.4, 1e3};
    for (size_t i = 0; i < 2; i++) {
        const gb_response response = make(names[i]);
        double weight[N_CLASSES];
        response.ops->classes->weights(&response, N_CLASSES, score, weight);
        for (size_t l = 0; l < N_CLASSES; l++)
            assert_true(weight[l] == response.ops->classes->probability(&response, score[l]));
    }
}

static void a_cost_is_taken(void **state)
{
    (void)state;
    gb_response response;
    gb_error err = {.status = GB_OK};
    assert_int_equal(gb_response_choose("hinge", 3, 2, 0.1, &response, &err), GB_OK);
    assert_true(response.cost == 3 && response.margin == 2 && response.ops == &gb_response_hinge);
    assert_true(make("logistic").cost == gb_response_defaults_of(&gb_response_logistic)->cost);
    assert_int_equal(gb_response_choose("softmax", 0, 1, 0, &response, &err), GB_EARGUMENT);
    assert_true(response.ops == &gb_response_hinge); /* untouched */
}

/* Name and targets stand in the row and in the response's own file. */
static void rows_say_what_responses_are(void **state)
{
    (void)state;
    size_t n = 0;
#define CHECK_ROW(identifier, row_name, targets)                                                                     \
    assert_string_equal(gb_response_##identifier.name, row_name);                                                    \
    assert_string_equal(gb_target_kind_name(gb_response_##identifier.target), targets);                              \
    assert_ptr_equal(gb_response_at(n), &gb_response_##identifier);                                                  \
    assert_ptr_equal(gb_response_find(row_name), &gb_response_##identifier);                                         \
    n++;
    GB_RESPONSES(CHECK_ROW)
#undef CHECK_ROW
    assert_null(gb_response_at(n));
    assert_null(gb_response_find("none"));
}

/* Every response states the functions that its kind of target needs. */
static void responses_have_what_their_targets_need(void **state)
{
    (void)state;
    const gb_response_ops *ops;
    for (size_t i = 0; (ops = gb_response_at(i)) != NULL; i++) {
        const bool is_number = gb_target_kind_is_number(ops->target), is_class = ops->target == GB_TARGET_CLASS;
        const gb_response_defaults *by_default = gb_response_defaults_of(ops);
        assert_true(by_default->cost > 0 && by_default->variance > 0);
        assert_true(ops->augment != NULL && ops->log_likelihood != NULL);
        assert_true((ops->number != NULL) == is_number);
        assert_true((ops->simulate != NULL) == !is_class);
        assert_true((ops->classes != NULL) == is_class);
        assert_true((ops->level_probability != NULL) == (ops->target == GB_TARGET_LEVEL));
        assert_true(ops->own == NULL || (ops->own->draw != NULL && ops->own->log_density != NULL));
        assert_true((ops->own != NULL) == (gb_response_own_parameter(ops, 0) != NULL));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_say_what_responses_are),
        cmocka_unit_test(responses_have_what_their_targets_need),
        cmocka_unit_test(probit_classes_are_the_one_positive_of_independent_probits),
        cmocka_unit_test(probit_classes_survive_scores_that_phi_does_not),
        cmocka_unit_test(probit_probability_is_that_of_its_likelihood),
        cmocka_unit_test(other_classes_weigh_as_if_they_were_alone),
        cmocka_unit_test(a_cost_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
