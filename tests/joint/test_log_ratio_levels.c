/* The augmentation of the ordinal response against the density that it belongs to, coded here from the model alone: with the
 * latent number a of a document the augmented density is N(a; s, 1) for c_{y-1} < a <= c_y, else 0.  Its integral has to be
 * the likelihood, draws have to follow it, and at a fixed a it has to be exp(kappa s - omega s^2 / 2) in the score. */
#include "random/random.h"
#include "response/response.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { N_AUGMENTATIONS = 50000, N_LEVELS = 4, N_CELLS = 8 };

static const double cut[N_LEVELS - 1] = {-1.2, 0.1, 0.9};
static const double scores[] = {-6, -1.2, 0, 0.5, 4};
enum { N_SCORES = sizeof scores / sizeof scores[0] };

static const gb_response ordinal = {
    .ops = &gb_response_ordinal, .cost = 1, .n_levels = N_LEVELS, .own = cut, .n_own = N_LEVELS - 1};

static double low_end(size_t level)
{
    return level == 1 ? -INFINITY : cut[level - 2];
}

static double high_end(size_t level)
{
    return level == N_LEVELS ? INFINITY : cut[level - 1];
}

/* Simpson's rule for the normal density; ends far out stand for infinite ones. */
static double mass(double low, double high, double s)
{
    const size_t n = 4000;
    low = fmax(low, s - 12);
    high = fmin(high, s + 12);
    double sum = 0;
    for (size_t i = 0; i <= n; i++) {
        const double x = low + (high - low) * (double)i / (double)n - s;
        sum += (i == 0 || i == n ? 1 : i % 2 == 1 ? 4 : 2) * exp(-x * x / 2);
    }
    return high > low ? sum * (high - low) / (double)(3 * n) / sqrt(2 * M_PI) : 0;
}

static gb_score_term term_of(double y, double score, gb_random *r)
{
    gb_score_term term;
    const gb_random_streams streams = gb_random_split(r, 1, gb_isa_best());
    ordinal.ops->augment(&ordinal, 1, &y, NULL, &score, &streams, &term);
    return term;
}

static void the_latent_number_integrates_to_the_likelihood(void **state)
{
    (void)state;
    for (size_t level = 1; level <= N_LEVELS; level++) {
        for (size_t i = 0; i < N_SCORES; i++) {
            const double integral = mass(low_end(level), high_end(level), scores[i]);
            const double stated = exp(ordinal.ops->log_likelihood(&ordinal, (double)level, scores[i]));
            assert_true(fabs(integral - stated) < 1e-9 * stated + 1e-15);
        }
    }
}

static void the_term_is_the_augmented_density_in_the_score(void **state)
{
    (void)state;
    gb_random r = gb_random_open(gb_key_make(20240611, 0), 0, GB_DRAW_TEST, 0);
    for (size_t level = 1; level <= N_LEVELS; level++) {
        for (size_t i = 0; i < N_SCORES; i++) {
            const gb_score_term term = term_of((double)level, scores[i], &r);
            const double a = term.slope + term.omega * term.centre, s = 0.7, t = -1.9;
            assert_true(a > low_end(level) && a <= high_end(level));
            const double claimed = (s - t) * (term.slope + term.omega * (term.centre - (s + t) / 2));
            assert_true(fabs(claimed - ((a - t) * (a - t) - (a - s) * (a - s)) / 2) < 1e-9 * (1 + fabs(a)));
        }
    }
    const gb_score_term missing = term_of(NAN, 0.3, &r);
    assert_true(missing.slope == 0 && missing.omega == 0 && missing.centre == 0);
}

/* Cells of equal width over the part of the level that has most of the mass. */
static void draws_of_the_latent_number_follow_it(void **state)
{
    (void)state;
    gb_random r = gb_random_open(gb_key_make(20240611, 0), 1, GB_DRAW_TEST, 0);
    for (size_t level = 1; level <= N_LEVELS; level++) {
        for (size_t i = 0; i < N_SCORES; i++) {
            const double s = scores[i], low = fmax(low_end(level), fmin(s, high_end(level)) - 2),
                         high = fmin(high_end(level), fmax(s, low) + 2);
            double count[N_CELLS] = {0};
            for (size_t n = 0; n < N_AUGMENTATIONS; n++) {
                const double cell = (term_of((double)level, s, &r).slope - low) / (high - low) * N_CELLS;
                if (cell >= 0 && cell < N_CELLS)
                    count[(size_t)cell]++;
            }
            for (size_t c = 0; c < N_CELLS; c++) {
                const double width = (high - low) / N_CELLS, from = low + (double)c * width;
                const double p = mass(from, from + width, s) / mass(low_end(level), high_end(level), s);
                const double error = sqrt(N_AUGMENTATIONS * p * (1 - p)) + 1;
                if (!(fabs(count[c] - N_AUGMENTATIONS * p) < 5 * error))
                    fail_msg("level %zu, score %g, cell %zu: %g draws, expected %g", level, s, c, count[c],
                             N_AUGMENTATIONS * p);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_latent_number_integrates_to_the_likelihood),
        cmocka_unit_test(the_term_is_the_augmented_density_in_the_score),
        cmocka_unit_test(draws_of_the_latent_number_follow_it),
    };
    return cmocka_run_group_tests_name("log ratio, levels", tests, NULL, NULL);
}
