/* gb_random_slice(): it ends, whatever the density is. */
#include "random/random.h"
#include "random/slice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static gb_random numbers(void)
{
    return gb_random_open(gb_key_make(1, 0), 0, GB_DRAW_TEST, 0);
}

static double huge(void *context, double x)
{
    return *(const double *)context - x * x;
}

/* Minus an exponential number it is what it was: no level lies below it. */
static void a_density_without_a_level_below_it_leaves_the_number(void **state)
{
    (void)state;
    double most = 1e300;
    gb_random random = numbers();
    assert_true(gb_random_slice(huge, &most, 0, most, 1, &random) == 0);
    assert_true(gb_random_slice(huge, &most, 5, huge(&most, 5), 1, &random) == 5);
}

static double nowhere(void *context, double x)
{
    (void)context, (void)x;
    return (double)NAN;
}

static void a_density_that_is_never_a_number_leaves_the_number(void **state)
{
    (void)state;
    gb_random random = numbers();
    assert_true(gb_random_slice(nowhere, NULL, 0, 0, 1, &random) == 0);
    assert_true(gb_random_slice(nowhere, NULL, -3, 0, 1, &random) == -3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_density_without_a_level_below_it_leaves_the_number),
        cmocka_unit_test(a_density_that_is_never_a_number_leaves_the_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
