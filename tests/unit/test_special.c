/* tests/unit/test_special.c - special functions against values of 20 digits and against their identities. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/special.h"
#include "random/random.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fmax(1, fabs(expected))))
        fail_msg("%.17g, expected %.17g", value, expected);
}

static void assert_close(double value, double expected)
{
    if (!(fabs(value - expected) <= 4 * DBL_EPSILON * fabs(expected)))
        fail_msg("%.17g, expected %.17g", value, expected);
}

static void digamma_has_its_values(void **state)
{
    (void)state;
    static const double known[][2] = {
        {1e-10, -10000000000.5772153},
        {0.01, -100.56088545786867242},
        {0.1, -10.423754940411076232},
        {0.5, -1.9635100260214234794},
        {1.0, -0.57721566490153286061},
        {1.25, -0.22745353337626540809},
        {1.4616321449683622, -9.2412655217294275168e-17},
        {2.0, 0.42278433509846713939},
        {3.7, 1.1671535393615114409},
        {9.5, 2.1977378764029495332},
        {10.0, 2.2517525890667211076},
        {100.0, 4.6001618527380874002},
        {1000000.0, 13.815510057964190771},
        {1000000000000000.0, 34.53877639491068476},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        assert_near(gb_digamma(known[i][0]), known[i][1], 2e-15);
}

static void digamma_is_nan_outside_its_range(void **state)
{
    (void)state;
    assert_true(isnan(gb_digamma(0)));
    assert_true(isnan(gb_digamma(-1e300)));
    assert_true(isnan(gb_digamma(NAN)));
}

static void digamma_is_the_derivative_of_log_gamma(void **state)
{
    (void)state;
    const double h = 1e-5;
    for (double x = 0.1; x < 1000; x *= 1.7)
        assert_near((gb_log_gamma(x + h) - gb_log_gamma(x - h)) / (2 * h), gb_digamma(x), 2e-6);
}

static void log_gamma_has_its_values(void **state)
{
    (void)state;
    assert_near(gb_log_gamma(1), 0, 0);
    assert_close(gb_log_gamma(0.5), 0.57236494292470008707);
    assert_close(gb_log_gamma(11), 15.104412573075515295);
    assert_close(gb_log_gamma(1e-300), 690.77552789821370521);
}

/* All intervals of both functions, and what is next to their ends. */
static const double ends[] = {0x1p-71, 0x1p-60, 0x1p-30, 0.23, 0.232, 0.25, 0.73,  0.732, 0.84, 0.844,
                              0.89,    0.91,    1.22,    1.24, 1.26,  1.73, 1.732, 1.99,  2,    2.85,
                              2.86,    3.01,    4.02,    5.03, 6.04,  7.05, 7.99,  8.01,  26,   29};

static double between_ends(gb_random *r)
{
    const uint64_t i = gb_random_below(r, sizeof ends / sizeof ends[0] - 1);
    return ends[i] + (ends[i + 1] - ends[i]) * gb_random_uniform(r);
}

static void erfc_and_log_gamma_are_near_those_of_the_c_library(void **state)
{
    (void)state;
    gb_random r = gb_random_open(gb_key_make(1, 0), 0, GB_DRAW_TEST, 0);
    for (int i = 0; i < 100000; i++) {
        const double x = between_ends(&r);
        if (erfc(x) >= DBL_MIN) /* below, numbers have fewer digits */
            assert_close(gb_erfc(x), erfc(x));
        assert_close(gb_erfc(-x), erfc(-x));
        assert_near(gb_log_gamma(x), lgamma(x), 1e-15);
    }
    for (double x = 30; x < 1e300; x *= 1.9)
        assert_close(gb_log_gamma(x), lgamma(x));
    assert_true(gb_erfc(INFINITY) == 0 && gb_erfc(-INFINITY) == 2 && isnan(gb_erfc(NAN)) && gb_erfc(0) == 1);
    assert_true(gb_log_gamma(0) == INFINITY && gb_log_gamma(INFINITY) == INFINITY && isnan(gb_log_gamma(NAN)));
}

static uint64_t with_bits_of(uint64_t digest, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    digest = (digest ^ bits) * 0x9E3779B97F4A7C15;
    return digest ^ digest >> 29;
}

/* Chains depend on the last bits: here those of x86-64 with glibc 2.36 are written down for all machines. */
static void erfc_and_log_gamma_have_the_same_bits_everywhere(void **state)
{
    (void)state;
    gb_random r = gb_random_open(gb_key_make(2, 0), 0, GB_DRAW_TEST, 0);
    uint64_t digest = 0;
    for (int i = 0; i < 100000; i++) {
        const double x = between_ends(&r);
        digest = with_bits_of(digest, gb_erfc(x));
        digest = with_bits_of(digest, gb_erfc(-x));
        digest = with_bits_of(digest, gb_log_gamma(x));
        digest = with_bits_of(digest, gb_log_gamma(x * 1000));
    }
    if (digest != 0x07d55bd447da626b)
        fail_msg("the bits add up to 0x%016llx", (unsigned long long)digest);
}

static void log_sum_exp_does_not_overflow(void **state)
{
    (void)state;
    assert_close(gb_log_sum_exp(3, (const double[]){0, log(2), log(3)}), log(6));
    assert_close(gb_log_sum_exp(2, (const double[]){1000, 1000}), 1000 + log(2));
    assert_close(gb_log_sum_exp(2, (const double[]){-1e6, -1e6}), -1e6 + log(2));
    assert_close(gb_log_sum_exp(2, (const double[]){-INFINITY, 3}), 3);
    assert_true(gb_log_sum_exp(0, NULL) == -INFINITY);
    assert_true(gb_log_sum_exp(2, (const double[]){-INFINITY, -INFINITY}) == -INFINITY);
    assert_true(gb_log_sum_exp(2, (const double[]){INFINITY, 0}) == INFINITY);
    assert_true(isnan(gb_log_sum_exp(2, (const double[]){NAN, 0})));
}

static void sigmoid_and_its_logarithms_have_their_values(void **state)
{
    (void)state;
    assert_close(gb_sigmoid(0), 0.5);
    assert_close(gb_sigmoid(2), 0.88079707797788244406);
    assert_close(gb_sigmoid(-2), 0.11920292202211755594);
    assert_close(gb_sigmoid(-700), 9.8596765437597708567e-305);
    assert_true(gb_sigmoid(-1000) == 0);
    assert_true(gb_sigmoid(1000) == 1);
    assert_close(gb_log1p_exp(0), M_LN2);
    assert_close(gb_log1p_exp(2), 2.1269280110429724968);
    assert_close(gb_log1p_exp(-40), 4.2483542552915889773e-18);
    assert_close(gb_log1p_exp(1000), 1000);
    assert_true(gb_log1p_exp(-1000) == 0);
    assert_close(gb_log_sigmoid(-1000), -1000);
    assert_close(gb_log_sigmoid(40), -4.2483542552915889773e-18);
    assert_true(isnan(gb_sigmoid(NAN)) && isnan(gb_log_sigmoid(NAN)));
}

static void sigmoid_and_its_logarithms_agree(void **state)
{
    (void)state;
    for (double x = -30; x <= 30; x += 0.37) {
        assert_near(gb_sigmoid(x) + gb_sigmoid(-x), 1, 2 * DBL_EPSILON);
        assert_near(gb_log_sigmoid(x), log(gb_sigmoid(x)), 1e-14);
        assert_near(gb_log1p_exp(x) - gb_log1p_exp(-x), x, 1e-14);
    }
}

static void log_normal_cdf_has_its_values(void **state)
{
    (void)state;
    static const double known[][2] = {
        {-1e10, -50000000000000000024.0}, {-1000, -500007.82669481218431}, {-100, -5005.5242086942050886},
        {-38, -726.5572160188201301},     {-25, -316.63940800802025894},   {-20.5, -214.06672896326380017},
        {-20, -203.91715537109726394},    {-19.5, -194.01696577749749941}, {-10, -53.231285150512470578},
        {-5, -15.064998393988725736},     {-1, -1.8410216450092635058},    {-0.1, -0.77615459273027332557},
        {0, -0.69314718055994530942},     {0.1, -0.61650501011502628874},  {1, -0.17275377902344988953},
        {3, -0.0013508099647481937988},   {8, -6.2209605742717860585e-16},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        /* for x > 0 as good as erfc, whose argument is rounded: relative error about x^2 2^-53 */
        const double x = known[i][0], allowed = DBL_EPSILON * (x > 0 ? 4 + x * x : 4);
        if (!(fabs(gb_log_normal_cdf(x) - known[i][1]) <= allowed * fabs(known[i][1])))
            fail_msg("at %g: %.17g, expected %.17g", x, gb_log_normal_cdf(x), known[i][1]);
    }
    assert_true(gb_log_normal_cdf(INFINITY) == 0);
    assert_true(gb_log_normal_cdf(-INFINITY) == -INFINITY);
    assert_true(isnan(gb_log_normal_cdf(NAN)));
}

/* Its derivative is exp(-x^2 / 2) / sqrt(2 pi) / Phi(x); across the joint of the two formulas too. */
static void log_normal_cdf_has_its_derivative(void **state)
{
    (void)state;
    const double h = 1e-4;
    for (double x = -60; x < 6; x += 0.13) {
        const double slope = (gb_log_normal_cdf(x + h) - gb_log_normal_cdf(x - h)) / (2 * h);
        const double exact = exp(-0.5 * x * x - 0.5 * log(2 * M_PI) - gb_log_normal_cdf(x));
        if (!(fabs(slope - exact) < 1e-7 * (1 + fabs(x))))
            fail_msg("at %g: %.12g, expected %.12g", x, slope, exact);
    }
}

/* The distribution function of the quantile is the probability again, and known values. */
static void normal_quantiles_have_their_values(void **state)
{
    (void)state;
    static const double known[][2] = {{0.5, 0},
                                      {0.975, 1.9599639845400545},
                                      {0.1, -1.2815515655446004},
                                      {1e-10, -6.361340902404056},
                                      {1e-300, -37.0471}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        assert_true(fabs(gb_normal_quantile(known[i][0]) - known[i][1]) < (i == 4 ? 1e-4 : 1e-14 * 40));
    for (double p = 0.001; p < 1; p += 0.001)
        assert_true(fabs(0.5 * erfc(-gb_normal_quantile(p) * M_SQRT1_2) - p) < 1e-15);
    assert_true(gb_normal_quantile(0) == -INFINITY && gb_normal_quantile(1) == INFINITY &&
                isnan(gb_normal_quantile(2)));
}

static void log_normal_interval_has_its_values(void **state)
{
    (void)state;
    static const double known[][3] = {
        {-1, 1, -0.38171514630212607227},        {0.5, 0.7, -2.7094428728758040324},
        {-3, 5, -0.0013510970038347109878},      {10, 11, -53.23131022558312486},
        {30, 30.001, -457.8416564778847762},     {-41, -40, -804.60844201375378817},
        {-60, -50, -1254.8313611394199013},      {8, 8.25, -35.149608753870319554},
        {-0.001, 0.001, -7.1335467982935200192}, {1000, 1001, -500007.82669481218431},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const double low = known[i][0], high = known[i][1], allowed = 1e-12 + 1e-11 * fabs(known[i][2]);
        assert_true(fabs(gb_log_normal_interval(low, high) - known[i][2]) < allowed);
        assert_true(fabs(gb_log_normal_interval(-high, -low) - known[i][2]) < allowed);
    }
    for (double x = -50; x < 6; x += 0.37) {
        assert_true(fabs(gb_log_normal_interval(-INFINITY, x) / gb_log_normal_cdf(x) - 1) < 1e-7);
        assert_true(fabs(gb_log_normal_interval(-x, INFINITY) / gb_log_normal_cdf(x) - 1) < 1e-7);
    }
    assert_true(gb_log_normal_interval(-INFINITY, INFINITY) == 0);
}

static void assert_beta(double a, double b, double x, double expected)
{
    const double p = gb_beta_distribution(a, b, log(x), log1p(-x)), q = gb_beta_distribution(b, a, log1p(-x), log(x));
    if (!(fabs(p / expected - 1) < 1e-11 && fabs(p + q - 1) < 1e-12))
        fail_msg("I_%g(%g, %g) = %.17g, expected %.17g", x, a, b, p, expected);
}

static void beta_distribution_has_its_values(void **state)
{
    (void)state;
    assert_beta(0.5, 0.5, 0.3, 0.36901011956554537504);
    assert_beta(2, 3, 0.4, 0.5248);
    assert_beta(1, 1, 0.25, 0.25);
    assert_beta(0.01, 5, 0.001, 0.95279588000707723572);
    assert_beta(5, 0.01, 0.9, 0.0059273690703776452992);
    assert_beta(30, 70, 0.3, 0.51162510455860912129);
    assert_beta(30, 70, 0.5, 0.99997696878517812628);
    assert_beta(1000, 2000, 0.34, 0.78121509116064272515);
    assert_beta(1000, 2000, 0.3, 0.000040738279160507714984);
}

/* I_x(a, b) is exact in closed form for a = 1 and for b = 1; next to 0 it is x^a / (a B(a, b)). */
static void beta_distribution_reaches_both_ends(void **state)
{
    (void)state;
    for (double b = 1e-3; b < 1e7; b *= 7) {
        for (double log_x = -900; log_x < -1e-3; log_x /= 1.3) {
            const double log_rest = log(-expm1(log_x));
            const double one_a = -expm1(b * log_rest), one_b = exp(b * log_x);
            assert_true(fabs(gb_beta_distribution(1, b, log_x, log_rest) - one_a) < 1e-9);
            assert_true(fabs(gb_beta_distribution(b, 1, log_x, log_rest) - one_b) < 1e-9);
        }
    }
    assert_true(gb_beta_distribution(2, 3, -INFINITY, 0) == 0 && gb_beta_distribution(2, 3, 0, -INFINITY) == 1);
    assert_true(fabs(gb_beta_distribution(0.01, 2, -5000, 0) / exp(-50) / 1.01 - 1) < 1e-13);
    assert_true(isnan(gb_beta_distribution(NAN, 1, -1, log1p(-exp(-1)))));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digamma_has_its_values),
        cmocka_unit_test(digamma_is_nan_outside_its_range),
        cmocka_unit_test(digamma_is_the_derivative_of_log_gamma),
        cmocka_unit_test(log_gamma_has_its_values),
        cmocka_unit_test(erfc_and_log_gamma_are_near_those_of_the_c_library),
        cmocka_unit_test(erfc_and_log_gamma_have_the_same_bits_everywhere),
        cmocka_unit_test(log_sum_exp_does_not_overflow),
        cmocka_unit_test(sigmoid_and_its_logarithms_have_their_values),
        cmocka_unit_test(sigmoid_and_its_logarithms_agree),
        cmocka_unit_test(log_normal_cdf_has_its_values),
        cmocka_unit_test(log_normal_cdf_has_its_derivative),
        cmocka_unit_test(normal_quantiles_have_their_values),
        cmocka_unit_test(log_normal_interval_has_its_values),
        cmocka_unit_test(beta_distribution_has_its_values),
        cmocka_unit_test(beta_distribution_reaches_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
