/* tests/laws/test_law_covariance.c - the inverse Wishart law, and mean and covariance given observations. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include "base/memory.h"
#include "prior/covariance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Q = 4, N = 50000 };

/* S = F F' with F lower triangular. */
static void make_scale(double s[Q * Q])
{
    static const double f[Q][Q] = {{2, 0, 0, 0}, {-1, 0.5, 0, 0}, {0.3, 0.8, 1.5, 0}, {0, -0.6, 0.2, 0.1}};
    for (size_t i = 0; i < Q; i++)
        for (size_t j = 0; j < Q; j++) {
            s[i * Q + j] = 0;
            for (size_t k = 0; k < Q; k++)
                s[i * Q + j] += f[i][k] * f[j][k];
        }
}

static gb_covariance make(size_t q)
{
    gb_covariance c;
    assert_int_equal(gb_covariance_create(&c, q, NULL), GB_OK);
    return c;
}

/* P(X < x), X = scale / (2 Gamma(degrees / 2)), of log X. */
typedef struct one_dimension {
    double scale, degrees;
} one_dimension;

static double log_inverse_gamma_cdf(double log_x, const void *parameters)
{
    const one_dimension *p = parameters;
    return 1 - law_gamma_cdf(0.5 * p->degrees, log(0.5 * p->scale) - log_x);
}

static void of_order_one_it_is_inverse_gamma(void **state)
{
    (void)state;
    static const one_dimension laws[] = {{1, 0.05}, {3, 1}, {0.2, 2.5}, {1e6, 30}, {7, 1e5}};
    double *x = law_room(N);
    gb_covariance c = make(1);
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        gb_random r = law_stream(k);
        for (size_t i = 0; i < N; i++) {
            double scale = laws[k].scale;
            assert_int_equal(gb_covariance_draw(&c, &scale, laws[k].degrees, &r, NULL), GB_OK);
            x[i] = log(c.sigma[0]);
            assert_true(fabs(c.log_determinant - x[i]) < 1e-9 * (1 + fabs(x[i])));
        }
        law_check_cdf("inverse Wishart of order 1", N, x, log_inverse_gamma_cdf, &laws[k]);
    }
    gb_covariance_clear(&c);
    free(x);
}

/* Leading blocks: Sigma_11 (1 x 1) ~ IW(S_11, n - q + 1); and 1 / (Q)_ii ~ IW of order 1 with scale 1 / (S^{-1})_ii and n
 * degrees.  Here for every i, by the parts that gb_covariance keeps. */
static void diagonals_have_their_laws(void **state)
{
    (void)state;
    static const double all_degrees[] = {Q - 1 + 0.02, Q, Q + 1.5, 40, 3000};
    double s[Q * Q], scale[Q * Q];
    make_scale(s);
    gb_covariance c = make(Q), exact = make(Q);
    memcpy(exact.sigma, s, sizeof s);
    assert_int_equal(gb_covariance_set(&exact, NULL), GB_OK); /* its precision is S^{-1} */
    double *x = law_room(2 * Q * N);
    for (size_t k = 0; k < sizeof all_degrees / sizeof all_degrees[0]; k++) {
        const double degrees = all_degrees[k];
        gb_random r = law_stream(10 + k);
        for (size_t i = 0; i < N; i++) {
            memcpy(scale, s, sizeof s);
            assert_int_equal(gb_covariance_draw(&c, scale, degrees, &r, NULL), GB_OK);
            for (size_t j = 0; j < Q; j++) {
                x[j * N + i] = log(c.sigma[j * Q + j]);
                x[(Q + j) * N + i] = -log(c.precision[j * Q + j]);
            }
        }
        for (size_t j = 0; j < Q; j++) {
            char name[80];
            snprintf(name, sizeof name, "inverse Wishart, %g degrees, coordinate %zu", degrees, j);
            const one_dimension variance = {s[j * Q + j], degrees - Q + 1},
                                conditional = {1 / exact.precision[j * Q + j], degrees};
            law_check_cdf(name, N, x + j * N, log_inverse_gamma_cdf, &variance);
            law_check_cdf(name, N, x + (Q + j) * N, log_inverse_gamma_cdf, &conditional);
        }
    }
    free(x);
    gb_covariance_clear(&exact);
    gb_covariance_clear(&c);
}

/* E Sigma^{-1} = n S^{-1};  E Sigma = S / (n - q - 1). */
static void means_are_right(void **state)
{
    (void)state;
    const double degrees = 14.5; /* four moments of Sigma */
    double s[Q * Q], scale[Q * Q];
    make_scale(s);
    gb_covariance c = make(Q), exact = make(Q);
    memcpy(exact.sigma, s, sizeof s);
    assert_int_equal(gb_covariance_set(&exact, NULL), GB_OK);
    double *x = law_room(2 * Q * Q * N);
    gb_random r = law_stream(30);
    for (size_t i = 0; i < N; i++) {
        memcpy(scale, s, sizeof s);
        assert_int_equal(gb_covariance_draw(&c, scale, degrees, &r, NULL), GB_OK);
        for (size_t j = 0; j < Q * Q; j++) {
            x[j * N + i] = c.sigma[j];
            x[(Q * Q + j) * N + i] = c.precision[j];
        }
    }
    for (size_t j = 0; j < Q * Q; j++) {
        law_check_mean("inverse Wishart", "mean", N, x + j * N, NULL, s[j] / (degrees - Q - 1));
        law_check_mean("inverse Wishart", "mean precision", N, x + (Q * Q + j) * N, NULL,
                       degrees * exact.precision[j]);
    }
    free(x);
    gb_covariance_clear(&exact);
    gb_covariance_clear(&c);
}

static void parts_of_a_covariance_agree(void **state)
{
    (void)state;
    double scale[Q * Q];
    make_scale(scale);
    gb_covariance c = make(Q), same = make(Q);
    gb_random r = law_stream(40);
    assert_int_equal(gb_covariance_draw(&c, scale, 9, &r, NULL), GB_OK);
    memcpy(same.sigma, c.sigma, Q * Q * sizeof *c.sigma);
    assert_int_equal(gb_covariance_set(&same, NULL), GB_OK);
    assert_true(fabs(same.log_determinant - c.log_determinant) < 1e-10);
    for (size_t i = 0; i < Q; i++)
        for (size_t j = 0; j < Q; j++) {
            double product = 0, square = 0;
            for (size_t k = 0; k < Q; k++) {
                product += c.sigma[i * Q + k] * c.precision[k * Q + j];
                square += c.root[i * Q + k] * c.root[j * Q + k];
            }
            assert_true(fabs(product - (i == j)) < 1e-10);
            assert_true(fabs(square - c.sigma[i * Q + j]) < 1e-12);
            assert_true(c.sigma[i * Q + j] == c.sigma[j * Q + i]);
            assert_true(c.precision[i * Q + j] == c.precision[j * Q + i]);
            assert_true(j <= i || c.root[i * Q + j] == 0);
            assert_true(fabs(same.precision[i * Q + j] - c.precision[i * Q + j]) <
                        1e-9 * (1 + fabs(c.precision[i * Q + j])));
            assert_true(fabs(same.root[i * Q + j] - c.root[i * Q + j]) < 1e-10);
        }
    gb_covariance_clear(&same);
    gb_covariance_clear(&c);
}

static void what_is_not_positive_definite_is_an_error(void **state)
{
    (void)state;
    gb_error err;
    gb_covariance c = make(2);
    gb_random r = law_stream(41);
    memcpy(c.sigma, (double[]){1, 2, 2, 1}, 4 * sizeof(double));
    assert_int_equal(gb_covariance_set(&c, &err), GB_ENUMERIC);
    double scale[] = {1, 2, 2, 1}, unknown[] = {1, NAN, NAN, 1};
    assert_int_equal(gb_covariance_draw(&c, scale, 5, &r, &err), GB_ENUMERIC);
    assert_int_equal(gb_covariance_draw(&c, unknown, 5, &r, &err), GB_ENUMERIC);
    gb_covariance_clear(&c);
}

/* ---- sums ---- */

static void scatter_is_the_sum_of_products(void **state)
{
    (void)state;
    static const size_t orders[] = {1, 2, 15, 16, 17, 40};
    enum { ROWS = 300, LARGEST = 40 };
    static double x[ROWS * LARGEST], mean[2 * LARGEST], first[LARGEST * LARGEST], s[LARGEST * LARGEST];
    static uint32_t group[ROWS];
    gb_random r = law_stream(50);
    for (size_t i = 0; i < ROWS * LARGEST; i++)
        x[i] = gb_random_normal(&r);
    for (size_t i = 0; i < 2 * LARGEST; i++)
        mean[i] = gb_random_normal(&r);
    for (size_t i = 0; i < ROWS; i++)
        group[i] = (uint32_t)gb_random_below(&r, 2);
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++) {
        const size_t q = orders[k];
        gb_deviations in = {q, ROWS, x, mean, group, 1, GB_ISA_PLAIN, NULL};
        assert_int_equal(gb_scatter(&in, first, NULL), GB_OK);
        for (size_t i = 0; i < q; i++)
            for (size_t j = 0; j < q; j++) {
                double sum = 0;
                for (size_t d = 0; d < ROWS; d++)
                    sum += (x[d * q + i] - mean[group[d] * q + i]) * (x[d * q + j] - mean[group[d] * q + j]);
                assert_true(fabs(sum - first[i * q + j]) < 1e-9);
            }
        for (int isa = 0; isa < GB_N_ISAS; isa++)
            for (in.n_threads = 1; in.n_threads < 5; in.n_threads++) {
                in.isa = (gb_isa)isa;
                if (!gb_isa_available(in.isa))
                    continue;
                assert_int_equal(gb_scatter(&in, s, NULL), GB_OK);
                assert_memory_equal(s, first, q * q * sizeof *s);
            }
    }
}

/* ---- mean and covariance given observations ---- */

/* Draw (mean, Sigma) from the prior and observations from them, then redraw: the joint law stays the same: by expectations
 * under the prior of functions of the redrawn values and of the observations. */
static double largest_deviation(double wrong_degrees, double wrong_strength, uint64_t seed)
{
    enum { P = 3, ROWS = 6, TIMES = 20000, FUNCTIONS = 2 + P + P * P };
    const double s0[P * P] = {2, 0.5, 0, 0.5, 1, -0.3, 0, -0.3, 3}, m0[P] = {1, -2, 0.5};
    const double degrees = P + 9.5, strength = 0.7;
    const gb_normal_wishart prior = {s0, degrees + wrong_degrees, m0, strength * wrong_strength};
    double *f = law_room(FUNCTIONS * TIMES), mean[P], x[ROWS * P], scale[P * P];
    gb_covariance c = make(P);
    gb_random r = law_stream(seed);
    for (size_t i = 0; i < TIMES; i++) {
        memcpy(scale, s0, sizeof s0);
        assert_int_equal(gb_covariance_draw(&c, scale, degrees, &r, NULL), GB_OK);
        gb_covariance_draw_normal(&c, m0, 1 / sqrt(strength), &r, mean);
        for (size_t d = 0; d < ROWS; d++)
            gb_covariance_draw_normal(&c, mean, 1, &r, x + d * P);
        const gb_deviations in = {P, ROWS, x, NULL, NULL, 1, gb_isa_best(), NULL};
        assert_int_equal(gb_covariance_redraw(&c, mean, &prior, &in, &r, NULL), GB_OK);
        double to_prior = 0, to_rows = 0;
        for (size_t a = 0; a < P; a++)
            for (size_t b = 0; b < P; b++) {
                f[(2 + P + a * P + b) * TIMES + i] = c.sigma[a * P + b] - s0[a * P + b] / (degrees - P - 1);
                to_prior += (mean[a] - m0[a]) * c.precision[a * P + b] * (mean[b] - m0[b]);
                for (size_t d = 0; d < ROWS; d++)
                    to_rows += (x[d * P + a] - mean[a]) * c.precision[a * P + b] * (x[d * P + b] - mean[b]);
            }
        f[i] = to_prior - P / strength;
        f[TIMES + i] = to_rows - P * ROWS; /* chi-squared(P ROWS) */
        for (size_t a = 0; a < P; a++)
            f[(2 + a) * TIMES + i] = mean[a] - m0[a];
    }
    double largest = 0;
    for (size_t k = 0; k < FUNCTIONS; k++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < TIMES; i++) {
            sum += f[k * TIMES + i];
            squares += f[k * TIMES + i] * f[k * TIMES + i];
        }
        largest = fmax(largest, fabs(sum) / sqrt(squares));
    }
    free(f);
    gb_covariance_clear(&c);
    return largest;
}

static void redrawing_keeps_the_joint_law(void **state)
{
    (void)state;
    law_check_z("mean and covariance", "joint law", largest_deviation(0, 1, 60));
}

static void wrong_priors_are_seen(void **state)
{
    (void)state;
    assert_true(largest_deviation(1, 1, 61) > LAW_LIMIT);
    assert_true(largest_deviation(-1, 1, 62) > LAW_LIMIT);
    assert_true(largest_deviation(0, 1.3, 63) > LAW_LIMIT);
}

static void without_observations_it_is_the_prior(void **state)
{
    (void)state;
    const one_dimension law = {3, 5};
    const double m0 = 2, k0 = 0.5;
    const gb_normal_wishart prior = {&law.scale, law.degrees, &m0, k0};
    double *x = law_room(N), *z = law_room(N);
    gb_covariance c = make(1);
    gb_random r = law_stream(70);
    for (size_t i = 0; i < N; i++) {
        double mean;
        const gb_deviations in = {1, 0, NULL, NULL, NULL, 1, GB_ISA_PLAIN, NULL};
        assert_int_equal(gb_covariance_redraw(&c, &mean, &prior, &in, &r, NULL), GB_OK);
        x[i] = log(c.sigma[0]);
        z[i] = (mean - m0) * sqrt(k0 / c.sigma[0]);
    }
    law_check_cdf("covariance without observations", N, x, log_inverse_gamma_cdf, &law);
    law_check_moments("mean without observations", N, z, 0, 1, 0);
    gb_covariance_clear(&c);
    free(z);
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_order_one_it_is_inverse_gamma),
        cmocka_unit_test(diagonals_have_their_laws),
        cmocka_unit_test(means_are_right),
        cmocka_unit_test(parts_of_a_covariance_agree),
        cmocka_unit_test(what_is_not_positive_definite_is_an_error),
        cmocka_unit_test(scatter_is_the_sum_of_products),
        cmocka_unit_test(redrawing_keeps_the_joint_law),
        cmocka_unit_test(wrong_priors_are_seen),
        cmocka_unit_test(without_observations_it_is_the_prior),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
