/* tests/laws/test_law_polya_gamma.c - the Polya-Gamma law against three references that share nothing with the
 * sampler: its cumulants, its Laplace transform inverted numerically, and the sum of gammas that defines it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct law {
    double b, z;
    char name[60];
} law;

static law make_law(double b, double z)
{
    law l = {.b = b, .z = z};
    snprintf(l.name, sizeof l.name, "PG(%g, %g)", b, z);
    return l;
}

static double *draw(const law *l, uint64_t item, size_t n)
{
    double *x = law_room(n), *b = law_room(n), *z = law_room(n);
    gb_random r = law_stream(item);
    const gb_random_streams s = gb_random_split(&r, n, gb_isa_best());
    for (size_t i = 0; i < n; i++) {
        b[i] = l->b;
        z[i] = l->z;
    }
    gb_random_polya_gammas(&s, 0, n, b, z, x);
    for (size_t i = 0; i < n; i++)
        if (!(x[i] > 0 && isfinite(x[i])))
            fail_msg("%s: drew %g", l->name, x[i]);
    free(b);
    free(z);
    return x;
}

static double scale(double z, double k)
{
    return 1 / (2 * M_PI * M_PI * (k - 0.5) * (k - 0.5) + z * z / 2);
}

/* k_n = (n - 1)! b sum over k of scale^n; the mean in closed form, its sum converges slowly. */
static double cumulant(const law *l, int n)
{
    if (n == 1)
        return l->z == 0 ? l->b / 4 : l->b * tanh(l->z / 2) / (2 * l->z);
    double sum = 0;
    for (int k = 20000; k > 0; k--)
        sum += pow(scale(l->z, k), n);
    return tgamma(n) * l->b * sum;
}

static void check_moments(const law *l, size_t n, const double *x)
{
    double mean = cumulant(l, 1), k2 = cumulant(l, 2), k3 = cumulant(l, 3), k4 = cumulant(l, 4);
    law_check_moments(l->name, n, x, mean, k2, k4);
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - mean;
        sum += d * d * d - k3;
    }
    double sixth = cumulant(l, 6) + 15 * k4 * k2 + 10 * k3 * k3 + 15 * k2 * k2 * k2;
    law_check_z(l->name, "third moment", sum / sqrt((double)n * (sixth - k3 * k3)));
}

/* log E exp(-t X) = b (log cosh(z / 2) - log cosh(s)),  s^2 = z^2 / 4 + t / 2,  for complex t off the poles. */
static double complex log_transform(const law *l, double complex t)
{
    double half = fabs(l->z) / 2;
    double complex s = csqrt(half * half + t / 2);
    /* log cosh s = s + log(1 + exp(-2 s)) - log 2; s - half without cancellation */
    return -l->b * (t / 2 / (s + half) + clog(1 + cexp(-2 * s)) - log1p(exp(-2 * half)));
}

static void check_transform(const law *l, size_t n, const double *x)
{
    static const double multiples[] = {0.1, 1, 3};
    for (size_t j = 0; j < sizeof multiples / sizeof multiples[0]; j++) {
        double t = multiples[j] / cumulant(l, 1), mean = exp(creal(log_transform(l, t)));
        double variance = exp(creal(log_transform(l, 2 * t))) - mean * mean, sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += exp(-t * x[i]) - mean;
        law_check_z(l->name, "Laplace transform", sum / sqrt((double)n * variance));
    }
}

/* The distribution function from the characteristic function phi (Gil-Pelaez 1951), by the midpoint rule:
 *     F(x) = 1/2 - sum over k >= 0 of Im(phi(h (k + 1/2)) exp(-i h (k + 1/2) x)) / (pi (k + 1/2))
 * up to probabilities beyond x +- 2 pi / h. */
typedef struct inversion {
    double h;
    size_t n;
    double complex *phi; /* divided by pi (k + 1/2) */
} inversion;

static inversion invert(const law *l, double range)
{
    enum { MAX_TERMS = 400000 };
    inversion inv = {.h = 2 * M_PI / range, .phi = malloc(MAX_TERMS * sizeof *inv.phi)};
    assert_non_null(inv.phi);
    double size = 1;
    while (size > 1e-8) {
        double k = (double)inv.n + 0.5;
        double complex phi = cexp(log_transform(l, -I * inv.h * k));
        size = cabs(phi);
        assert_true(inv.n < MAX_TERMS);
        inv.phi[inv.n++] = phi / (M_PI * k);
    }
    return inv;
}

static double inverted_cdf(double x, const void *parameter)
{
    const inversion *inv = parameter;
    /* (c, s) turns by the angle h x from term to term; written out, as complex products check for infinities. */
    double turn_c = cos(inv->h * x), turn_s = -sin(inv->h * x);
    double c = cos(inv->h * x / 2), s = -sin(inv->h * x / 2);
    double sum = 0;
    for (size_t k = 0; k < inv->n; k++) {
        sum += creal(inv->phi[k]) * s + cimag(inv->phi[k]) * c;
        double next = c * turn_c - s * turn_s;
        s = c * turn_s + s * turn_c;
        c = next;
    }
    return fmax(0.5 - sum, 0);
}

static void check_inverted(const law *l, size_t n, double *x)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, x[i]);
    inversion inv = invert(l, 2 * largest);
    law_check_cdf(l->name, n, x, inverted_cdf, &inv);
    free(inv.phi);
}

static void draw_has_its_law(void **state)
{
    (void)state;
    /* The last rows lie beside the borders between one piece, two pieces and the series. */
    static const double shapes[] = {0.3, 1, 1.7, 2.5, 8, 25, 256}, tilts[] = {0, 0.1, -1, 8, 100};
    static const double borders[][2] = {{2, 0}, {2.01, 0}, {4, 0.6}, {4, 0.7}, {25, 2.5}, {25, 2.6}, {25, 3.3}};
    enum { N_SHAPES = 7, N_TILTS = 5, N_BORDERS = 7 };
    for (size_t k = 0; k < N_SHAPES * N_TILTS + N_BORDERS; k++) {
        law l = k < N_SHAPES * N_TILTS
                    ? make_law(shapes[k / N_TILTS], tilts[k % N_TILTS])
                    : make_law(borders[k - N_SHAPES * N_TILTS][0], borders[k - N_SHAPES * N_TILTS][1]);
        double *x = draw(&l, k, LAW_DRAWS);
        check_moments(&l, LAW_DRAWS, x);
        check_transform(&l, LAW_DRAWS, x);
        check_inverted(&l, LAW_DRAWS, x);
        free(x);
    }
}

/* The characteristic function dies out too slowly to be inverted, and most of the law lies near b^2. */
static void small_shapes_have_their_transform(void **state)
{
    (void)state;
    enum { DRAWS = 100000 };
    static const double shapes[] = {1e-3, 0.01, 0.1}, tilts[] = {0, 3, 1000};
    for (size_t k = 0; k < 9; k++) {
        law l = make_law(shapes[k / 3], tilts[k % 3]);
        double *x = draw(&l, 100 + k, DRAWS);
        check_transform(&l, DRAWS, x);
        for (double t = 1; t < 1e9; t *= 10) {
            double mean = exp(creal(log_transform(&l, t))), sum = 0;
            double variance = exp(creal(log_transform(&l, 2 * t))) - mean * mean;
            for (size_t i = 0; i < DRAWS; i++)
                sum += exp(-t * x[i]) - mean;
            if (DRAWS * fmin(mean, 1 - mean) > 100)
                law_check_z(l.name, "Laplace transform", sum / sqrt(DRAWS * variance));
        }
        free(x);
    }
}

/* The definition: a thousand gammas over their scales, and the mean of the gammas left out. */
static void draw_is_the_sum_of_gammas(void **state)
{
    (void)state;
    enum { TERMS = 1000, SUMS = 2000 };
    static const double laws[][2] = {{1, 1}, {2.5, 0}, {8, 3}, {0.3, 10}};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        law l = make_law(laws[k][0], laws[k][1]);
        double *x = draw(&l, 200 + k, LAW_DRAWS), *y = law_room(SUMS);
        double rest = cumulant(&l, 1);
        for (int i = 1; i <= TERMS; i++)
            rest -= l.b * scale(l.z, i);
        gb_random r = law_stream(300 + k);
        for (size_t i = 0; i < SUMS; i++) {
            y[i] = rest;
            for (int j = 1; j <= TERMS; j++)
                y[i] += scale(l.z, j) * gb_random_gamma(&r, l.b);
        }
        law_check_same(l.name, LAW_DRAWS, x, SUMS, y);
        free(y);
        free(x);
    }
}

/* Where the series is used, its three gamma numbers are drawn from the quarters of a stream: drawn again and taken away
 * they leave the rest, whose skewness could not be seen in the whole. */
static void take_head(const law *l, uint64_t item, double *x)
{
    enum { HEAD = 3 };
    double *shape = law_room(LAW_DRAWS), *g = law_room(LAW_DRAWS);
    gb_random r = law_stream(item);
    const gb_random_streams s = gb_random_split(&r, LAW_DRAWS, gb_isa_best());
    for (size_t i = 0; i < LAW_DRAWS; i++)
        shape[i] = l->b;
    for (int j = 1; j <= HEAD; j++) {
        gb_random_gammas(&s, 0, (uint32_t)(j - 1) * GB_BLOCKS_EACH / 4, LAW_DRAWS, shape, g);
        for (size_t i = 0; i < LAW_DRAWS; i++)
            x[i] -= scale(l->z, j) * g[i];
    }
    free(g);
    free(shape);
}

static void the_rest_of_the_series_has_three_exact_cumulants(void **state)
{
    (void)state;
    enum { HEAD = 3 };
    static const double laws[][2] = {{2.5, 0}, {2.5, 0.099}, {2.5, 0.101}, {4, 0.5}, {25, 2}, {256, 4.8}, {1e6, 13}};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        law l = make_law(laws[k][0], laws[k][1]);
        double cumulants[7] = {0}, second = 0, third = 0;
        for (int n = 1; n <= 6; n++)
            for (int i = 20000; i > HEAD && n > 1; i--)
                cumulants[n] += tgamma(n) * l.b * pow(scale(l.z, i), n);
        cumulants[1] = cumulant(&l, 1);
        for (int i = 1; i <= HEAD; i++)
            cumulants[1] -= l.b * scale(l.z, i);
        double *x = draw(&l, 600 + k, LAW_DRAWS);
        take_head(&l, 600 + k, x);
        const double k2 = cumulants[2], k3 = cumulants[3], k4 = cumulants[4];
        for (size_t i = 0; i < LAW_DRAWS; i++) {
            assert_true(x[i] > 0);
            const double d = x[i] - cumulants[1];
            second += d * d - k2;
            third += d * d * d - k3;
        }
        const double sixth = cumulants[6] + 15 * k4 * k2 + 10 * k3 * k3 + 15 * k2 * k2 * k2;
        law_check_mean(l.name, "mean of the rest", LAW_DRAWS, x, NULL, cumulants[1]);
        law_check_z(l.name, "variance of the rest", second / sqrt(LAW_DRAWS * (k4 + 2 * k2 * k2)));
        law_check_z(l.name, "third moment of the rest", third / sqrt(LAW_DRAWS * (sixth - k3 * k3)));
        free(x);
    }
}

/* Beside the change from Taylor series to closed forms, and where cosh(z) overflows. */
static void extreme_parameters_keep_mean_and_variance(void **state)
{
    (void)state;
    enum { DRAWS = 100000 };
    static const double laws[][2] = {{3, 1e-200}, {3, 1e-9}, {3, 0.0999}, {3, 0.1001}, {1e6, 0},  {1e6, 12},
                                     {1e6, 20},   {1, 800},  {256, 800},  {1e12, 1},   {1e6, 1e6}};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++) {
        law l = make_law(laws[k][0], laws[k][1]);
        double *x = draw(&l, 400 + k, DRAWS);
        double z = l.z, variance = cumulant(&l, 2);
        if (z > 700) /* the sum in cumulant() would need more terms */
            variance = l.b / (2 * z * z * z);
        law_check_moments(l.name, DRAWS, x, cumulant(&l, 1), variance, 0);
        free(x);
    }
}

enum { N_MIXED = 3001 };

/* Numbers of all kinds beside each other: each has its own law, however its neighbours are drawn. */
static void fill_mixed(double *b, double *z)
{
    static const double shapes[] = {0.3, 1, 1.7, 2.5, 25, 256, 1e6}, tilts[] = {0, 0.05, -1, 3, 5, -6, 8, 100};
    for (size_t i = 0; i < N_MIXED; i++) {
        b[i] = shapes[i * i % 7];
        z[i] = tilts[i % 8];
    }
}

static void a_number_is_drawn_alike_in_any_company(void **state)
{
    (void)state;
    static double b[N_MIXED], z[N_MIXED], x[N_MIXED], y[N_MIXED];
    fill_mixed(b, z);
    for (size_t per_item = 1; per_item <= 20; per_item += 19) {
        gb_random_streams s =
            gb_random_streams_open(gb_key_make(3, 0), 1, GB_DRAW_TEST, 9, 4, per_item, GB_ISA_PLAIN);
        gb_random_polya_gammas(&s, 0, N_MIXED, b, z, x);
        for (int isa = GB_ISA_PLAIN; isa <= (int)gb_isa_best(); isa++) {
            s.isa = (gb_isa)isa;
            for (size_t i = 0, here; i < N_MIXED; i += here) {
                here = 1 + i % 29 < N_MIXED - i ? 1 + i % 29 : N_MIXED - i;
                gb_random_polya_gammas(&s, i, here, b + i, z + i, y + i);
            }
            assert_memory_equal(x, y, sizeof x);
            memset(y, 0, sizeof y);
            gb_random_polya_gammas(&s, 0, N_MIXED, b, z, y);
            assert_memory_equal(x, y, sizeof x);
        }
    }
}

/* The sum of (x - mean) / sd over the mixture. */
static void numbers_beside_each_other_keep_their_moments(void **state)
{
    (void)state;
    enum { TIMES = 40 };
    static double b[N_MIXED], z[N_MIXED], x[N_MIXED];
    double sum = 0, neighbours = 0;
    fill_mixed(b, z);
    for (uint32_t time = 0; time < TIMES; time++) {
        const gb_random_streams s =
            gb_random_streams_open(gb_key_make(4, 0), time, GB_DRAW_TEST, 0, 0, 13, gb_isa_best());
        double before = 0;
        gb_random_polya_gammas(&s, 0, N_MIXED, b, z, x);
        for (size_t i = 0; i < N_MIXED; i++) {
            const law l = {.b = b[i], .z = z[i]};
            static double mean[56], sd[56]; /* the mixture repeats after 56 */
            if (sd[i % 56] == 0) {
                mean[i % 56] = cumulant(&l, 1);
                sd[i % 56] = sqrt(cumulant(&l, 2));
            }
            const double d = (x[i] - mean[i % 56]) / sd[i % 56];
            sum += d;
            neighbours += d * before;
            before = d;
        }
    }
    law_check_z("mixed", "mean", sum / sqrt((double)N_MIXED * TIMES));
    law_check_z("mixed", "neighbours", neighbours / sqrt((double)N_MIXED * TIMES));
}

static double draw_one(double b, double z)
{
    double x;
    gb_random r = law_stream(500);
    const gb_random_streams s = gb_random_split(&r, 1, gb_isa_best());
    gb_random_polya_gammas(&s, 0, 1, &b, &z, &x);
    return x;
}

static void a_sign_of_z_changes_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 100; i++)
        assert_true(draw_one(1 + 0.1 * i, 2) == draw_one(1 + 0.1 * i, -2));
}

static void parameters_that_are_no_number_give_none(void **state)
{
    (void)state;
    assert_true(isnan(draw_one(NAN, 1)));
    assert_true(isnan(draw_one(1, NAN)));
    assert_true(draw_one(1, INFINITY) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draw_has_its_law),
        cmocka_unit_test(small_shapes_have_their_transform),
        cmocka_unit_test(draw_is_the_sum_of_gammas),
        cmocka_unit_test(the_rest_of_the_series_has_three_exact_cumulants),
        cmocka_unit_test(extreme_parameters_keep_mean_and_variance),
        cmocka_unit_test(a_number_is_drawn_alike_in_any_company),
        cmocka_unit_test(numbers_beside_each_other_keep_their_moments),
        cmocka_unit_test(a_sign_of_z_changes_nothing),
        cmocka_unit_test(parameters_that_are_no_number_give_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
