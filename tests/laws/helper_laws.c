/* tests/laws/helper_laws.c - checks of random variates against their law. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include <math.h>
#include <stdlib.h>

gb_random law_stream(uint64_t item)
{
    return gb_random_open(gb_key_make(20240229, 1), 0, GB_DRAW_TEST, item);
}

double *law_room(size_t n)
{
    double *room = malloc(n * sizeof *room);
    assert_non_null(room);
    return room;
}

law_table law_table_make(double low, double per_unit, size_t n)
{
    const law_table table = {.low = low, .per_unit = per_unit, .n = n, .cdf = law_room(n)};
    for (size_t i = 0; i < n; i++)
        table.cdf[i] = 0;
    return table;
}

double law_table_point(const law_table *table, size_t i)
{
    return table->low + (double)i / table->per_unit;
}

void law_table_add_up(law_table *table)
{
    double sum = 0, last = 0;
    for (size_t i = 0; i < table->n; i++) {
        const double here = table->cdf[i];
        sum += (here + last) / 2;
        last = here;
        table->cdf[i] = sum;
    }
    for (size_t i = 0; i < table->n; i++)
        table->cdf[i] /= sum;
}

double law_table_cdf(double x, const void *parameters)
{
    const law_table *table = parameters;
    const double place = fmin(fmax((x - table->low) * table->per_unit, 0), (double)table->n - 1.001);
    const size_t i = (size_t)place;
    return table->cdf[i] + (place - (double)i) * (table->cdf[i + 1] - table->cdf[i]);
}

double law_table_quantile(const law_table *table, double u)
{
    const double *cdf = table->cdf;
    size_t low = 0, high = table->n - 1;
    while (high - low > 1) {
        const size_t middle = (low + high) / 2;
        if (cdf[middle] < u)
            low = middle;
        else
            high = middle;
    }
    return law_table_point(table, low) + (u - cdf[low]) / (cdf[high] - cdf[low]) / table->per_unit;
}

void law_check_z(const char *law, const char *statistic, double z)
{
    if (!(fabs(z) < LAW_LIMIT))
        fail_msg("%s: %s is off by %.2f standard errors", law, statistic, z);
}

void law_check_mean(const char *law, const char *statistic, size_t n, const double *x, double (*f)(double),
                    double mean)
{
    double sum = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        double d = (f == NULL ? x[i] : f(x[i])) - mean;
        sum += d;
        square += d * d;
    }
    double count = (double)n;
    double variance = square / count - (sum / count) * (sum / count);
    law_check_z(law, statistic, sum / sqrt(count * variance));
}

void law_check_moments(const char *law, size_t n, const double *x, double mean, double variance,
                       double fourth_cumulant)
{
    double first = 0, second = 0;
    for (size_t i = 0; i < n; i++) {
        double d = x[i] - mean;
        first += d;
        second += d * d - variance;
    }
    double count = (double)n;
    law_check_z(law, "mean", first / sqrt(count * variance));
    law_check_z(law, "variance", second / sqrt(count * (fourth_cumulant + 2 * variance * variance)));
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* P(sqrt(n) D > d) = 2 exp(-2 d^2) falls to the probability of five standard errors at d = 2.744. */
static void check_distance(const char *law, double d)
{
    law_check_z(law, "distribution function", d / 2.744 * LAW_LIMIT);
}

void law_check_cdf(const char *law, size_t n, double *x, law_cdf *cdf, const void *parameters)
{
    enum { POINTS = 400 };
    qsort(x, n, sizeof *x, compare);
    double count = (double)n, distance = 0;
    for (size_t j = 0; j < POINTS; j++) {
        size_t i = (2 * j + 1) * n / (2 * POINTS);
        double f = cdf(x[i], parameters);
        if (!(f >= 0 && f <= 1 + 1e-9))
            fail_msg("%s: the distribution function at %g is %g", law, x[i], f);
        distance = fmax(distance, fabs(f - ((double)i + 0.5) / count));
    }
    check_distance(law, distance * sqrt(count));
}

void law_check_same(const char *law, size_t n, double *x, size_t m, double *y)
{
    qsort(x, n, sizeof *x, compare);
    qsort(y, m, sizeof *y, compare);
    double size_x = (double)n, size_y = (double)m, distance = 0;
    for (size_t i = 0, j = 0; i < n && j < m;) {
        if (x[i] <= y[j])
            i++;
        else
            j++;
        distance = fmax(distance, fabs((double)i / size_x - (double)j / size_y));
    }
    check_distance(law, distance * sqrt(size_x * size_y / (size_x + size_y)));
}

void law_check_counts(const char *law, size_t n_cells, const double *count, const double *probability)
{
    double n = 0, total = 0;
    for (size_t i = 0; i < n_cells; i++) {
        n += count[i];
        total += probability[i];
        if (probability[i] <= 0 && count[i] > 0)
            fail_msg("%s: cell %zu of probability 0 was drawn", law, i);
    }
    if (fabs(total - 1) > 1e-6)
        fail_msg("%s: the cell probabilities of the test sum to %.9g", law, total);
    double chi_square = 0, freedom = -1, observed = 0, expected = 0;
    for (size_t i = 0; i < n_cells; i++) {
        observed += count[i];
        expected += n * probability[i];
        total -= probability[i];
        if (expected < 20 || (n * total < 20 && i + 1 < n_cells))
            continue;
        chi_square += (observed - expected) * (observed - expected) / expected;
        freedom++;
        observed = expected = 0;
    }
    /* Wilson & Hilferty: the cube root of chi-square is nearly normal. */
    double spread = 2 / (9 * freedom);
    law_check_z(law, "chi-square of the counts", (cbrt(chi_square / freedom) - 1 + spread) / sqrt(spread));
}

double law_log_normal_cdf(double x)
{
    if (x > -25)
        return log(0.5 * erfc(-x * M_SQRT1_2));
    double square = x * x; /* Mills' ratio, continued fraction */
    double ratio = -x;
    for (int k = 20; k > 0; k--)
        ratio = -x + k / ratio;
    return -0.5 * square - 0.5 * log(2 * M_PI) - log(ratio);
}

/* x^a exp(-x) / Gamma(a) */
static double gamma_factor(double a, double log_x)
{
    int sign;
    return exp(a * log_x - exp(log_x) - lgamma_r(a, &sign));
}

static double gamma_series(double a, double log_x)
{
    double x = exp(log_x), term = 1, sum = 1;
    for (double k = 1; term > 1e-16 * sum; k++) {
        term *= x / (a + k);
        sum += term;
    }
    int sign;
    return sum * exp(a * log_x - x - lgamma_r(a + 1, &sign));
}

/* Lentz's evaluation of the continued fraction of the upper incomplete gamma function. */
static double gamma_fraction(double a, double log_x)
{
    double b = exp(log_x) + 1 - a, c = INFINITY, d = 1 / b, product = d;
    for (double k = 1, change = 0; fabs(change - 1) > 1e-15; k++) {
        double numerator = k * (a - k);
        b += 2;
        d = 1 / (numerator * d + b);
        c = b + numerator / c;
        change = c * d;
        product *= change;
    }
    return gamma_factor(a, log_x) * product;
}

double law_gamma_cdf(double a, double log_x)
{
    return exp(log_x) < a + 1 ? gamma_series(a, log_x) : 1 - gamma_fraction(a, log_x);
}
