/* tests/unit/test_response_numbers.c - what responses to numbers and counts say of a new target. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plan/response_defaults.h"
#include "response/response.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Likelihoods of cost 1; the insensitive one is a density of y at any cost. */
static const gb_response numbers[] = {{.ops = &gb_response_gaussian, .cost = 1, .own = (double[]){0.3}},
                                      {.ops = &gb_response_gaussian, .cost = 1, .own = (double[]){5}},
                                      {.ops = &gb_response_insensitive, .cost = 1, .epsilon = 0},
                                      {.ops = &gb_response_insensitive, .cost = 2.5, .epsilon = 0.7},
                                      {.ops = &gb_response_insensitive, .cost = 0.4, .epsilon = 0.01}};
enum { N_NUMBERS = sizeof numbers / sizeof numbers[0] };

static double total_of(const gb_response *response)
{
    return response->ops == &gb_response_insensitive ? 2 * response->epsilon + 1 / response->cost : 1;
}

/* Integrals of the likelihood: its total, mean, variance and distribution function are those that are stated. */
static void stated_moments_and_distribution_are_those_of_the_likelihood(void **state)
{
    (void)state;
    const double score = 0.8, reach = 60, step = 1e-4;
    for (size_t k = 0; k < N_NUMBERS; k++) {
        const gb_response *r = &numbers[k];
        double total = 0, first = 0, second = 0, worst = 0;
        for (size_t i = 0; i < (size_t)(2 * reach / step); i++) {
            const double x = -reach + ((double)i + 0.5) * step;
            const double p = step * exp(r->ops->log_likelihood(r, score + x, score)) / total_of(r);
            total += p;
            first += p * x;
            second += p * x * x;
            worst = fmax(worst, fabs(total - r->ops->number->distribution(r, score + x + step / 2, score)));
        }
        assert_true(fabs(total - 1) < 1e-7 && worst < 1e-4 * step + 1e-7);
        assert_true(fabs(score + first - r->ops->number->mean(r, score)) < 1e-7);
        assert_true(fabs(second / r->ops->number->variance(r, score) - 1) < 1e-6);
    }
}

static void distributions_of_numbers_rise_from_0_to_1(void **state)
{
    (void)state;
    static const double scores[] = {0, 1, -700, 700, 1e200};
    for (size_t k = 0; k < N_NUMBERS; k++) {
        for (size_t j = 0; j < sizeof scores / sizeof scores[0]; j++) {
            const gb_response *r = &numbers[k];
            double last = 0;
            for (double x = -50; x <= 50; x += 0.01) {
                const double p = r->ops->number->distribution(r, scores[j] + x, scores[j]);
                assert_true(p >= last - 1e-15 && p <= 1);
                last = p;
            }
            assert_true(r->ops->number->distribution(r, -INFINITY, scores[j]) == 0);
            assert_true(r->ops->number->distribution(r, INFINITY, scores[j]) == 1);
            assert_true(r->ops->number->distribution(r, scores[j], scores[j]) == 0.5);
            assert_true(r->ops->number->mean(r, scores[j]) == scores[j] &&
                        isfinite(r->ops->number->variance(r, scores[j])));
        }
    }
}

/* The cost of a Gaussian weighs training targets and says nothing of new ones; that of the insensitive is its scale. */
static void cost_is_the_scale_of_the_insensitive_alone(void **state)
{
    (void)state;
    gb_response gaussian = numbers[0], insensitive = numbers[2];
    gaussian.cost = 50;
    insensitive.cost = 50;
    assert_true(gaussian.ops->number->variance(&gaussian, 0) == numbers[0].ops->number->variance(&numbers[0], 0));
    assert_true(gaussian.ops->number->distribution(&gaussian, 0.4, 0) ==
                numbers[0].ops->number->distribution(&numbers[0], 0.4, 0));
    assert_true(fabs(insensitive.ops->number->variance(&insensitive, 0) * 2500 - 0.5) < 1e-12);
}

/* ---- counts ---- */

static const double dispersions[] = {0.05, 0.7, 1, 6.5, 300};
enum { N_DISPERSIONS = sizeof dispersions / sizeof dispersions[0] };

static gb_response count_response(const double *dispersion)
{
    return (gb_response){.ops = &gb_response_negative_binomial, .cost = 1, .own = dispersion};
}

static void stated_moments_and_distribution_of_counts_are_sums_of_the_likelihood(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_DISPERSIONS; i++) {
        for (double s = -9; s <= 3; s += 1.5) {
            const gb_response r = count_response(&dispersions[i]);
            const double mean = r.ops->number->mean(&r, s);
            double total = 0, first = 0, second = 0;
            for (double y = 0; y < 60000; y++) {
                const double p = exp(r.ops->log_likelihood(&r, y, s));
                total += p;
                first += p * y;
                second += p * (y - mean) * (y - mean);
                if (y > mean && p < 1e-18)
                    break;
                assert_true(fabs(total - r.ops->number->distribution(&r, y, s)) < 1e-11);
            }
            assert_true(fabs(total - 1) < 1e-11 && fabs(first / mean - 1) < 1e-9);
            assert_true(fabs(second / r.ops->number->variance(&r, s) - 1) < 1e-9);
            assert_true(r.ops->number->distribution(&r, 3.7, s) == r.ops->number->distribution(&r, 3, s));
            assert_true(r.ops->number->distribution(&r, -0.1, s) == 0 &&
                        r.ops->number->distribution(&r, INFINITY, s) == 1);
        }
    }
}

/* exp(s) is at the ends of the range of a double. */
static void counts_survive_extreme_scores(void **state)
{
    (void)state;
    gb_random random = gb_random_open(gb_key_make(3, 0), 0, GB_DRAW_TEST, 0);
    for (size_t i = 0; i < N_DISPERSIONS; i++) {
        const gb_response r = count_response(&dispersions[i]);
        for (int sign = -1; sign <= 1; sign += 2) {
            const double s = sign * 700;
            assert_true(isfinite(r.ops->number->mean(&r, s)) && r.ops->number->mean(&r, s) > 0);
            for (double y = 0; y < 1e9; y = 10 * y + 1) {
                const double log_p = r.ops->log_likelihood(&r, y, s), p = r.ops->number->distribution(&r, y, s);
                assert_true(isfinite(log_p) && log_p <= 0 && p >= 0 && p <= 1);
                assert_true(p >= exp(log_p) * (1 - 1e-6));
                const double weight = 1;
                gb_score_term term;
                const gb_random_streams streams = gb_random_split(&random, 1, gb_isa_best());
                r.ops->augment(&r, 1, &y, &weight, &s, &streams, &term);
                assert_true(term.omega > 0 && isfinite(term.omega) && isfinite(term.slope));
            }
            const double y = r.ops->simulate(&r, s, &random);
            assert_true(sign < 0 ? y == 0 : y > 1e200 || (dispersions[i] < 0.1 && y >= 0));
        }
        assert_true(r.ops->number->distribution(&r, 5, -700) == 1 && r.ops->number->variance(&r, -700) > 0);
        /* P(Y = 0) = sigma(-s)^r */
        assert_true(fabs(r.ops->log_likelihood(&r, 0, 700) / (-700 * dispersions[i]) - 1) < 1e-14);
    }
}

/* A dispersion fitted to counts that nearly all are 0 or huge still moves among finite values. */
static void a_dispersion_stays_a_positive_number(void **state)
{
    (void)state;
    static const double y[][4] = {{0, 0, 0, 0}, {1e15, 0, 1e9, NAN}, {1, 1, 1, 1}, {0, 1e18, 1e18, 1e18}};
    static const double score[][4] = {
        {0, 0, 0, 0}, {700, -700, 0, 3}, {-700, -700, -700, -700}, {700, 700, 700, 700}};
    gb_random random = gb_random_open(gb_key_make(4, 0), 0, GB_DRAW_TEST, 0);
    for (size_t i = 0; i < 4; i++) {
        double dispersion = 1;
        const gb_response r = count_response(&dispersion);
        const gb_scored_targets targets = {.n_docs = 4, .stride = 1, .y = y[i], .score = score[i]};
        for (size_t sweep = 0; sweep < 2000; sweep++) {
            r.ops->own->draw(&r, &targets, &random, &dispersion, NULL);
            assert_true(dispersion > 0 && isfinite(dispersion) && isfinite(r.ops->own->log_density(&r)));
        }
    }
}

static void a_chosen_response_starts_from_its_defaults(void **state)
{
    (void)state;
    gb_response response;
    gb_error err = {.status = GB_OK};
    assert_int_equal(gb_response_choose("gaussian", 0, 1, 0, &response, &err), GB_OK);
    assert_true(response.cost == gb_response_defaults_of(response.ops)->cost &&
                gb_response_count_own(&response) == 1);
    assert_false(response.samples_own);
    assert_string_equal(gb_response_own_parameter(response.ops, 0)->name, "noise_variance");
    assert_int_equal(gb_response_choose("insensitive", 4, 1, 0.25, &response, &err), GB_OK);
    assert_true(response.cost == 4 && response.epsilon == 0.25 && response.ops->own == NULL);
    assert_int_equal(gb_response_choose("negative-binomial", 0, 1, 0, &response, &err), GB_OK);
    assert_true(response.cost == 1 && gb_response_count_own(&response) == 1 &&
                response.ops->target == GB_TARGET_COUNT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stated_moments_and_distribution_are_those_of_the_likelihood),
        cmocka_unit_test(distributions_of_numbers_rise_from_0_to_1),
        cmocka_unit_test(cost_is_the_scale_of_the_insensitive_alone),
        cmocka_unit_test(stated_moments_and_distribution_of_counts_are_sums_of_the_likelihood),
        cmocka_unit_test(counts_survive_extreme_scores),
        cmocka_unit_test(a_dispersion_stays_a_positive_number),
        cmocka_unit_test(a_chosen_response_starts_from_its_defaults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
