/* tests/laws/test_law_categorical.c - an index in proportion to its weight. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <math.h>

enum { MAX_CELLS = 1000 };

static void check(const char *law, uint64_t item, size_t n, const double *weight)
{
    double count[MAX_CELLS] = {0}, probability[MAX_CELLS], sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += weight[i];
    gb_random r = law_stream(item);
    for (size_t d = 0; d < LAW_DRAWS; d++) {
        size_t i = gb_random_categorical(&r, n, weight);
        assert_true(i < n);
        count[i]++;
    }
    for (size_t i = 0; i < n; i++)
        probability[i] = weight[i] / sum;
    law_check_counts(law, n, count, probability);
}

static void indices_follow_their_weights(void **state)
{
    (void)state;
    double many[MAX_CELLS];
    for (size_t i = 0; i < MAX_CELLS; i++)
        many[i] = 1 + sin((double)i);
    check("categorical, two cells", 1, 2, (const double[]){1, 3});
    check("categorical, zero weights", 2, 6, (const double[]){0, 1, 0, 2, 7, 0});
    check("categorical, tiny weights", 3, 3, (const double[]){1e-300, 2e-300, 3e-300});
    check("categorical, large weights", 4, 3, (const double[]){1e300, 2e300, 3e300});
    check("categorical, many cells", 5, MAX_CELLS, many);
}

static void the_only_positive_weight_is_always_drawn(void **state)
{
    (void)state;
    gb_random r = law_stream(6);
    for (int d = 0; d < 1000; d++) {
        assert_int_equal(gb_random_categorical(&r, 3, (const double[]){0, 5e-324, 0}), 1);
        assert_int_equal(gb_random_categorical(&r, 1, (const double[]){2}), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(indices_follow_their_weights),
        cmocka_unit_test(the_only_positive_weight_is_always_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
