/* The augmentation of responses to numbers against the densities it belongs to, coded here from the model alone.
 *
 * Insensitive: with the two variables xi_1, xi_2 of a target the augmented density is
 *     h(xi_1; Delta - eps) h(xi_2; -Delta - eps),   h(xi; x) = (2 pi xi^3)^{-1/2} exp(-(1 + c x xi)^2 / (2 xi))     (1)
 * Its integral has to be the pseudo-likelihood, draws have to follow it, and at fixed variables it has to be
 * exp(kappa s - omega s^2 / 2) in the score.  Gaussian: the likelihood itself has to be that.
 *
 * Negative binomial: with the variable lambda of a target the augmented density is
 *     (Gamma(y + r) / (Gamma(r) y!))^c 2^-b exp(c (y - r) s / 2 - lambda s^2 / 2) PG(lambda; b, 0),   b = c (y + r)  (2)
 */
#include "helper_polya_gamma.h"
#include "random/random.h"
#include "response/response.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N_AUGMENTATIONS = 50000, N_FUNCTIONS = 3, LOG_POINTS = 6000 };

static const gb_response gaussians[] = {{.ops = &gb_response_gaussian, .cost = 1, .own = (double[]){1}},
                                        {.ops = &gb_response_gaussian, .cost = 3.5, .own = (double[]){0.04}},
                                        {.ops = &gb_response_gaussian, .cost = 0.2, .own = (double[]){17}}},
                         insensitives[] = {{.ops = &gb_response_insensitive, .cost = 1, .epsilon = 0.3},
                                           {.ops = &gb_response_insensitive, .cost = 0.6, .epsilon = 1.7},
                                           {.ops = &gb_response_insensitive, .cost = 6, .epsilon = 0.05},
                                           {.ops = &gb_response_insensitive, .cost = 2, .epsilon = 0}};
enum { N_GAUSSIAN = 3, N_INSENSITIVE = 4 };
static const double distances[] = {-3.1, -0.4, 0, 0.02, 0.3, 1.7, 2.6}; /* y - s; two are some response's eps */
enum { N_DISTANCES = sizeof distances / sizeof distances[0] };
static const double SCORE = 0.37;

static gb_random open_stream(uint32_t number)
{
    return gb_random_open(gb_key_make(20240609, 0), number, GB_DRAW_TEST, 0);
}

static gb_score_term term_of(const gb_response *response, double y, double weight, double score, gb_random *r)
{
    gb_score_term term;
    const gb_random_streams streams = gb_random_split(r, 1, gb_isa_best());
    response->ops->augment(response, 1, &y, weight == 1 ? NULL : &weight, &score, &streams, &term);
    return term;
}

/* log of what a term says about score s against score t. */
static double claimed_log_ratio(const gb_score_term *term, double s, double t)
{
    return (s - t) * (term->slope + term->omega * (term->centre - (s + t) / 2));
}

/* ---- insensitive ---- */

static double log_h(double c, double x, double xi)
{
    const double q = 1 + c * x * xi;
    return -log(2 * M_PI) / 2 - 1.5 * log(xi) - q * q / (2 * xi);
}

static void functions_of(double x, double *f)
{
    f[0] = exp(-x);
    f[1] = x / (1 + x);
    f[2] = exp(-1 / x);
}

/* Integral of h over xi, and the means of the functions; the heavy tail there is at x = 0 is added in closed form. */
static double integrate(double c, double x, double *f)
{
    const double low = 1e-4, high = 1e18, step = (log(high) - log(low)) / LOG_POINTS;
    double total = 0, value[N_FUNCTIONS];
    memset(f, 0, N_FUNCTIONS * sizeof *f);
    for (size_t i = 0; i <= LOG_POINTS; i++) {
        const double xi = low * exp(step * (double)i), w = step * xi * exp(log_h(c, x, xi));
        functions_of(xi, value);
        total += w;
        for (size_t j = 0; j < N_FUNCTIONS; j++)
            f[j] += w * value[j];
    }
    for (size_t j = 0; j < N_FUNCTIONS; j++)
        f[j] /= total;
    return total + (fabs(x) < 1e-15 ? 2 / sqrt(2 * M_PI * high) : 0);
}

/* The variables of a term, from the ends between which its centre lies; eps > 0. */
static void variables_of(const gb_response *response, const gb_score_term *term, double y, double *xi)
{
    const double sum = term->omega / (response->cost * response->cost), eps = response->epsilon;
    xi[0] = sum * (y + eps - term->centre) / (2 * eps);
    xi[1] = sum * (term->centre - y + eps) / (2 * eps);
}

static void augmented_insensitive_integrates_to_the_insensitive(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < N_INSENSITIVE; i++) {
        for (size_t j = 0; j < N_DISTANCES; j++) {
            const gb_response *r = &insensitives[i];
            double f[N_FUNCTIONS];
            const double integral = integrate(r->cost, distances[j] - r->epsilon, f) *
                                    integrate(r->cost, -distances[j] - r->epsilon, f),
                         phi = exp(r->ops->log_likelihood(r, SCORE + distances[j], SCORE));
            if (!(fabs(integral - phi) < 1e-8 * phi))
                fail_msg("c %g, eps %g, y - s %g: integral %.12g, pseudo-likelihood %.12g", r->cost, r->epsilon,
                         distances[j], integral, phi);
        }
    }
}

/* Means of the functions of either variable, and of products of one of each: the two are independent. */
static void check_draws(const gb_response *response, double distance, uint32_t stream)
{
    enum { N_MEANS = 2 * N_FUNCTIONS + N_FUNCTIONS * N_FUNCTIONS };
    const double y = SCORE + distance;
    double exact[2][N_FUNCTIONS], sum[N_MEANS] = {0}, squares[N_MEANS] = {0};
    (void)integrate(response->cost, distance - response->epsilon, exact[0]);
    (void)integrate(response->cost, distance + response->epsilon, exact[1]); /* h(xi; x) ~ h(xi; -x) in xi */
    gb_random r = open_stream(stream);
    for (size_t i = 0; i < N_AUGMENTATIONS; i++) {
        const gb_score_term term = term_of(response, y, 1, SCORE, &r);
        double xi[2], f[2][N_FUNCTIONS];
        variables_of(response, &term, y, xi);
        functions_of(fmax(xi[0], 1e-300), f[0]);
        functions_of(fmax(xi[1], 1e-300), f[1]);
        for (size_t j = 0; j < N_MEANS; j++) {
            const size_t pair = j - 2 * N_FUNCTIONS; /* used where it is not negative */
            const double one = j < 2 * N_FUNCTIONS
                                   ? f[j / N_FUNCTIONS][j % N_FUNCTIONS] - exact[j / N_FUNCTIONS][j % N_FUNCTIONS]
                                   : f[0][pair / N_FUNCTIONS] * f[1][pair % N_FUNCTIONS] -
                                         exact[0][pair / N_FUNCTIONS] * exact[1][pair % N_FUNCTIONS];
            sum[j] += one;
            squares[j] += one * one;
        }
    }
    for (size_t j = 0; j < N_MEANS; j++)
        if (!(fabs(sum[j]) < 5 * sqrt(squares[j]) + 1e-9 * N_AUGMENTATIONS))
            fail_msg("c %g, eps %g, y - s %g, mean %zu: off by %.2f standard errors", response->cost,
                     response->epsilon, distance, j, sum[j] / sqrt(squares[j]));
}

static void insensitive_draws_have_the_augmented_law(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < N_INSENSITIVE; i++)
        for (uint32_t j = 0; j < N_DISTANCES; j++)
            if (insensitives[i].epsilon > 0)
                check_draws(&insensitives[i], distances[j], 100 * i + j);
}

/* Without a zone: omega = c^2 (xi_1 + xi_2), two hinges that share a target, E exp(-xi) each. */
static void insensitive_draws_without_a_zone_have_the_augmented_law(void **unused)
{
    (void)unused;
    const gb_response *response = &insensitives[N_INSENSITIVE - 1];
    for (uint32_t j = 0; j < N_DISTANCES; j++) {
        const double y = SCORE + distances[j], square = response->cost * response->cost;
        double f[N_FUNCTIONS], sum = 0, squares = 0;
        (void)integrate(response->cost, distances[j], f);
        gb_random r = open_stream(500 + j);
        for (size_t i = 0; i < N_AUGMENTATIONS; i++) {
            const gb_score_term term = term_of(response, y, 1, SCORE, &r);
            const double one = exp(-term.omega / square) - f[0] * f[0];
            assert_true(term.slope == 0 && term.centre == y);
            sum += one;
            squares += one * one;
        }
        assert_true(fabs(sum) < 5 * sqrt(squares) + 1e-9 * N_AUGMENTATIONS);
    }
}

static void augmented_insensitive_is_gaussian_in_the_score(void **unused)
{
    (void)unused;
    gb_random r = open_stream(600);
    for (size_t trial = 0; trial < 3000; trial++) {
        const gb_response *response = &insensitives[trial % (N_INSENSITIVE - 1)];
        const double c = response->cost, eps = response->epsilon;
        const double y = 3 * gb_random_normal(&r), s = 2 * gb_random_normal(&r), t = 2 * gb_random_normal(&r);
        const gb_score_term term = term_of(response, y, 1, s, &r);
        double xi[2];
        variables_of(response, &term, y, xi);
        if (!(fmin(xi[0], xi[1]) > 1e-10 * fmax(xi[0], xi[1]))) /* else one of them cannot be told from the term */
            continue;
        const double log_ratio = log_h(c, y - s - eps, xi[0]) + log_h(c, s - y - eps, xi[1]) -
                                 log_h(c, y - t - eps, xi[0]) - log_h(c, t - y - eps, xi[1]);
        assert_true(fabs(claimed_log_ratio(&term, s, t) - log_ratio) <
                    1e-10 * (1 + term.omega * (1 + s * s + t * t + y * y)));
    }
}

/* The score exactly on, or next to, the end of the zone, whatever the size of the numbers. */
static void insensitive_terms_are_finite_at_the_ends_of_the_zone(void **unused)
{
    (void)unused;
    gb_random r = open_stream(601);
    for (size_t trial = 0; trial < 20000; trial++) {
        const gb_response response = {.ops = &gb_response_insensitive,
                                      .cost = exp(3 * gb_random_normal(&r)),
                                      .epsilon = trial % 3 == 0 ? 0 : exp(5 * gb_random_normal(&r))};
        const double y = trial % 7 == 0 ? 1e300 : exp(10 * gb_random_normal(&r)), end = y - response.epsilon;
        const double s = trial % 2 == 0 ? end : nextafter(end, trial % 4 == 1 ? INFINITY : -INFINITY);
        const gb_score_term term = term_of(&response, y, 1, s, &r);
        assert_true(term.omega > 0 && isfinite(term.omega) && term.slope == 0);
        assert_true(term.centre >= y - response.epsilon && term.centre <= y + response.epsilon);
    }
}

/* ---- gaussian ---- */

static void gaussian_likelihood_is_gaussian_in_the_score(void **unused)
{
    (void)unused;
    gb_random r = open_stream(700);
    for (size_t trial = 0; trial < 1000; trial++) {
        const gb_response *response = &gaussians[trial % N_GAUSSIAN];
        const double y = gb_random_normal(&r), s = gb_random_normal(&r), t = gb_random_normal(&r), w = 2.5;
        const gb_score_term term = term_of(response, y, 1, s, &r), weighted = term_of(response, y, w, s, &r);
        const double log_ratio =
            response->ops->log_likelihood(response, y, s) - response->ops->log_likelihood(response, y, t);
        const double precise = 1e-12 * (1 + term.omega * (y * y + s * s + t * t));
        assert_true(fabs(claimed_log_ratio(&term, s, t) - log_ratio) < precise);
        assert_true(fabs(claimed_log_ratio(&weighted, s, t) - w * log_ratio) < w * precise);
    }
}

/* ---- negative binomial ---- */

typedef struct count_case {
    double c, r, y;
} count_case;

/* b from 0.28 to 6.6: beyond, the series of the density has no digits left. */
static const count_case counts[] = {{1, 0.7, 0}, {1, 1.3, 1}, {1, 2.6, 4}, {0.4, 0.7, 0}, {0.6, 2, 3}, {2.2, 1, 2}};
enum { N_COUNTS = sizeof counts / sizeof counts[0] };
static const double count_scores[] = {-3.2, -0.6, 0, 0.8, 2.4};
enum { N_COUNT_SCORES = sizeof count_scores / sizeof count_scores[0] };

static gb_response count_response(const count_case *k)
{
    return (gb_response){.ops = &gb_response_negative_binomial, .cost = k->c, .own = &k->r};
}

/* Integral of (2) over lambda, and the means of the functions. */
static double integrate_count(const count_case *k, double s, double *f)
{
    const double low = 1e-4, high = 16, step = (log(high) - log(low)) / LOG_POINTS, b = k->c * (k->y + k->r);
    const double log_front =
        k->c * (lgamma(k->y + k->r) - lgamma(k->r) - lgamma(k->y + 1)) - b * M_LN2 + k->c * (k->y - k->r) * s / 2;
    double total = 0, value[N_FUNCTIONS];
    memset(f, 0, N_FUNCTIONS * sizeof *f);
    for (size_t i = 0; i <= LOG_POINTS; i++) {
        const double x = low * exp(step * (double)i);
        const double w = step * x * exp(log_front - x * s * s / 2) * polya_gamma_density(b, x);
        functions_of(x, value);
        total += w;
        for (size_t j = 0; j < N_FUNCTIONS; j++)
            f[j] += w * value[j];
    }
    for (size_t j = 0; j < N_FUNCTIONS; j++)
        f[j] /= total;
    return total;
}

static void augmented_counts_integrate_to_the_power_of_the_negative_binomial(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < N_COUNTS; i++) {
        const gb_response response = count_response(&counts[i]);
        for (size_t j = 0; j < N_COUNT_SCORES; j++) {
            double f[N_FUNCTIONS];
            const double s = count_scores[j], integral = integrate_count(&counts[i], s, f),
                         phi = exp(response.ops->log_likelihood(&response, counts[i].y, s));
            if (!(fabs(integral - phi) < 1e-8 * phi))
                fail_msg("c %g, r %g, y %g, s %g: integral %.12g, pseudo-likelihood %.12g", counts[i].c, counts[i].r,
                         counts[i].y, s, integral, phi);
        }
    }
}

static void count_draws_have_the_augmented_law(void **unused)
{
    (void)unused;
    for (uint32_t i = 0; i < N_COUNTS; i++) {
        const gb_response response = count_response(&counts[i]);
        for (uint32_t j = 0; j < N_COUNT_SCORES; j++) {
            double exact[N_FUNCTIONS], f[N_FUNCTIONS], sum[N_FUNCTIONS] = {0}, squares[N_FUNCTIONS] = {0};
            (void)integrate_count(&counts[i], count_scores[j], exact);
            gb_random r = open_stream(900 + 10 * i + j);
            for (size_t n = 0; n < N_AUGMENTATIONS; n++) {
                const gb_score_term term = term_of(&response, counts[i].y, 1, count_scores[j], &r);
                functions_of(term.omega, f);
                for (size_t m = 0; m < N_FUNCTIONS; m++) {
                    sum[m] += f[m] - exact[m];
                    squares[m] += (f[m] - exact[m]) * (f[m] - exact[m]);
                }
            }
            for (size_t m = 0; m < N_FUNCTIONS; m++)
                assert_true(fabs(sum[m]) < 5 * sqrt(squares[m]) + 1e-9 * N_AUGMENTATIONS);
        }
    }
}

/* Counts up to a million: E omega = b tanh(s / 2) / (2 s); at fixed omega (2) is what the term says. */
static void large_counts_have_the_mean_of_their_augmentation(void **unused)
{
    (void)unused;
    static const count_case large[] = {{1, 4, 30}, {1, 0.2, 999}, {3, 50, 1e6}, {0.01, 1, 700}};
    for (uint32_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        const gb_response response = count_response(&large[i]);
        for (uint32_t j = 0; j < N_COUNT_SCORES; j++) {
            const double s = count_scores[j], b = large[i].c * (large[i].y + large[i].r);
            const double mean = s == 0 ? b / 4 : b * tanh(s / 2) / (2 * s);
            double sum = 0, squares = 0;
            gb_random r = open_stream(1000 + 10 * i + j);
            for (size_t n = 0; n < N_AUGMENTATIONS; n++) {
                const gb_score_term term = term_of(&response, large[i].y, 1, s, &r);
                sum += term.omega / mean - 1;
                squares += (term.omega / mean - 1) * (term.omega / mean - 1);
            }
            assert_true(fabs(sum) < 5 * sqrt(squares));
        }
    }
}

static void augmented_counts_are_gaussian_in_the_score(void **unused)
{
    (void)unused;
    gb_random r = open_stream(1100);
    for (size_t trial = 0; trial < 3000; trial++) {
        const count_case *k = &counts[trial % N_COUNTS];
        const gb_response response = count_response(k);
        const double s = 2 * gb_random_normal(&r), t = 2 * gb_random_normal(&r);
        const gb_score_term term = term_of(&response, k->y, 1, s, &r);
        const double log_ratio = k->c * (k->y - k->r) * (s - t) / 2 - term.omega * (s * s - t * t) / 2;
        assert_true(fabs(claimed_log_ratio(&term, s, t) - log_ratio) < 1e-12 * (1 + term.omega * (s * s + t * t)));
    }
}

/* ---- all ---- */

static void a_missing_number_adds_no_factor(void **unused)
{
    (void)unused;
    const gb_response count = count_response(&counts[1]), *all[] = {&gaussians[1], &insensitives[1], &count};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        gb_random r = open_stream(800);
        const gb_score_term term = term_of(all[i], NAN, 1, 0.3, &r);
        assert_true(term.slope == 0 && term.omega == 0 && term.centre == 0);
    }
}

static void a_weight_is_a_factor_of_the_cost(void **unused)
{
    (void)unused;
    const gb_response count = count_response(&counts[1]),
                      hinge = {.ops = &gb_response_hinge, .cost = 0.5, .margin = 1.5},
                      logistic = {.ops = &gb_response_logistic, .cost = 20},
                      *all[] = {&gaussians[1], &insensitives[1], &insensitives[3], &count, &hinge, &logistic};
    const double weight = 2.25; /* times either cost without rounding */
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        gb_response costly = *all[i];
        costly.cost *= weight;
        gb_random a = open_stream(801), b = open_stream(801);
        for (size_t trial = 0; trial < 100; trial++) {
            const bool class = all[i]->ops->target == GB_TARGET_CLASS;
            const double y = class ? (trial % 2 == 0 ? 1 : -1) : (double)(trial % 4), s = (double)trial / 20;
            const gb_score_term by_weight = term_of(all[i], y, weight, s, &a),
                                by_cost = term_of(&costly, y, 1, s, &b);
            assert_true(by_weight.slope == by_cost.slope && by_weight.omega == by_cost.omega &&
                        by_weight.centre == by_cost.centre);
            const double log_phi = all[i]->ops->log_likelihood(all[i], y, s);
            assert_true(fabs(weight * log_phi - costly.ops->log_likelihood(&costly, y, s)) <
                        1e-11 * (1 + fabs(log_phi)));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(augmented_insensitive_integrates_to_the_insensitive),
        cmocka_unit_test(insensitive_draws_have_the_augmented_law),
        cmocka_unit_test(insensitive_draws_without_a_zone_have_the_augmented_law),
        cmocka_unit_test(augmented_insensitive_is_gaussian_in_the_score),
        cmocka_unit_test(insensitive_terms_are_finite_at_the_ends_of_the_zone),
        cmocka_unit_test(gaussian_likelihood_is_gaussian_in_the_score),
        cmocka_unit_test(augmented_counts_integrate_to_the_power_of_the_negative_binomial),
        cmocka_unit_test(count_draws_have_the_augmented_law),
        cmocka_unit_test(large_counts_have_the_mean_of_their_augmentation),
        cmocka_unit_test(augmented_counts_are_gaussian_in_the_score),
        cmocka_unit_test(a_missing_number_adds_no_factor),
        cmocka_unit_test(a_weight_is_a_factor_of_the_cost),
    };
    return cmocka_run_group_tests_name("log ratio, numbers", tests, NULL, NULL);
}
