/* Coefficients of words over all draws: their running means and squares, chains put together, and what a model makes of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/word_effects.h"

#include "random/random.h"

#include <math.h>
#include <string.h>

enum { L = 2, TOPICS = 3, WORDS = 4, F = TOPICS + WORDS + 1, SHRUNKEN = F - 1, DRAWS = 7 };

static const double ROUNDING = 1e-5; /* of single precision, in seven steps of numbers about 1 */

static void assert_near(double x, double expected, double tolerance)
{
    if (!(fabs(x - expected) <= tolerance))
        fail_msg("%.17g is not %.17g", x, expected);
}

typedef struct draws {
    double eta[DRAWS][L * F], shrinkage[DRAWS][L * SHRUNKEN], expected[DRAWS][L * WORDS];
} draws;

static void make_draws(draws *d)
{
    gb_random r = gb_random_open(gb_key_make(3, 0), 1, 0, 0);
    double *all[] = {d->eta[0], d->shrinkage[0], d->expected[0]};
    const size_t n[] = {DRAWS * L * F, DRAWS * L * SHRUNKEN, DRAWS * L * WORDS};
    for (size_t a = 0; a < 3; a++)
        for (size_t i = 0; i < n[a]; i++)
            all[a][i] = a == 1 ? gb_random_uniform(&r) : 1 + gb_random_normal(&r);
}

/* Draws first .. end - 1 as a chain, one with expected values. */
static gb_word_moments chain_of(const draws *d, size_t first, size_t end)
{
    const gb_layout layout = gb_layout_make(TOPICS, 0, WORDS, true);
    gb_word_moments m = gb_word_moments_size(&layout, L, true);
    assert_int_equal(m.n_words, WORDS);
    assert_int_equal(gb_arrays_allocate(gb_word_moments_list, &m, "a test", NULL), GB_OK);
    for (size_t i = first; i < end; i++) {
        gb_word_moments_add(&m, (uint32_t)i + 1, F, d->eta[i], SHRUNKEN, d->shrinkage[i]);
        gb_word_moments_add_expected(&m, (uint32_t)i + 1, d->expected[i]);
    }
    return m;
}

static gb_words_so_far so_far(const gb_word_moments *m)
{
    return (gb_words_so_far){.n_draws = m->count[GB_WORDS_DRAWN],
                             .n_expected = m->count[GB_WORDS_EXPECTED],
                             .mean = m->mean,
                             .square = m->square,
                             .expected = m->expected,
                             .shrinkage = m->shrinkage};
}

static void chains_together_have_the_moments_of_all_their_draws(void **state)
{
    (void)state;
    draws d;
    make_draws(&d);
    gb_word_effects e = {.n_outputs = L, .n_words = WORDS, .shrinks = true};
    assert_int_equal(gb_arrays_allocate(gb_word_effects_list, &e, "a test", NULL), GB_OK);
    const size_t begin[] = {0, 1, 5, DRAWS}; /* chains of 1, 4 and 2 draws */
    for (size_t c = 0; c < 3; c++) {
        gb_word_moments m = chain_of(&d, begin[c], begin[c + 1]);
        const gb_words_so_far chain = so_far(&m);
        gb_word_effects_add(&e, 0, L, &chain);
        gb_arrays_free(gb_word_moments_list, &m);
    }
    gb_word_effects_finish(&e);
    for (size_t l = 0; l < L; l++)
        for (size_t w = 0; w < WORDS; w++) {
            double mean = 0, square = 0, expected = 0, shrinkage = 0;
            for (size_t i = 0; i < DRAWS; i++) {
                mean += d.eta[i][l * F + TOPICS + w] / DRAWS;
                expected += d.expected[i][l * WORDS + w] / DRAWS;
                shrinkage += d.shrinkage[i][l * SHRUNKEN + TOPICS + w] / DRAWS;
            }
            for (size_t i = 0; i < DRAWS; i++)
                square += (d.eta[i][l * F + TOPICS + w] - mean) * (d.eta[i][l * F + TOPICS + w] - mean);
            const gb_effect effect = gb_word_effect(&e, l, w, 2);
            assert_int_equal(effect.n_draws, DRAWS);
            assert_near(effect.mean, 2 * mean, ROUNDING);
            assert_near(effect.sd, 2 * sqrt(square / (DRAWS - 1)), ROUNDING);
            assert_near(effect.shrinkage, shrinkage, ROUNDING);
            assert_near(e.expected[l * WORDS + w], expected, ROUNDING);
        }
    gb_arrays_free(gb_word_effects_list, &e);
}

static void quantiles_are_those_of_a_normal_law(void **state)
{
    (void)state;
    uint64_t n = 50;
    float mean = 1, sd = 2, expected = 1;
    const gb_word_effects e = {
        .n_outputs = 1, .n_words = 1, .n_draws = &n, .mean = &mean, .sd = &sd, .expected = &expected};
    const gb_effect effect = gb_word_effect(&e, 0, 0, 1);
    assert_near(effect.q05, 1 - 2 * 1.644854, 1e-5);
    assert_near(effect.median, 1, 1e-9);
    assert_near(effect.q95, 1 + 2 * 1.644854, 1e-5);
    assert_near(effect.p_positive, 0.6914625, 1e-6); /* 0.5 standard deviations above 0 */
    assert_true(isnan(effect.shrinkage));
}

static void a_draw_that_is_kept_again_counts_once(void **state)
{
    (void)state;
    draws d;
    make_draws(&d);
    gb_word_moments m = chain_of(&d, 0, 3), again = chain_of(&d, 0, 3);
    gb_word_moments_add(&again, 3, F, d.eta[2], SHRUNKEN, d.shrinkage[2]);
    gb_word_moments_add_expected(&again, 3, d.expected[2]);
    assert_memory_equal(m.count, again.count, GB_N_WORD_COUNTS * sizeof *m.count);
    assert_memory_equal(m.mean, again.mean, L * WORDS * sizeof *m.mean);
    assert_memory_equal(m.square, again.square, L * WORDS * sizeof *m.square);
    assert_memory_equal(m.expected, again.expected, L * WORDS * sizeof *m.expected);
    gb_arrays_free(gb_word_moments_list, &m);
    gb_arrays_free(gb_word_moments_list, &again);
}

/* Half of a 127th of the farthest distance, for each score. */
static void a_snapshot_keeps_coefficients_to_a_254th_of_the_farthest_one(void **state)
{
    (void)state;
    uint64_t n_draws[L] = {50, 50};
    float mean[L * WORDS] = {1, -2, 0, 3, 1, 1, 1, 1}, sd[L * WORDS] = {1, 0.5F, 0, 2, 1, 1, 1, 1},
                   word[L * WORDS] = {1.3F, -4, 0, 3, 1, 1, 1, 1};
    const gb_word_effects e = {
        .n_outputs = L, .n_words = WORDS, .n_draws = n_draws, .mean = mean, .sd = sd, .expected = mean};
    uint8_t code[L * WORDS];
    float unit[L];
    gb_word_effects_encode(&e, 0, L, word, code, unit);
    const gb_word_draw draw = {code, unit};
    for (size_t l = 0; l < L; l++)
        for (size_t w = 0; w < WORDS; w++) {
            const double farthest = l == 0 ? 4 : 0; /* the second word's, in standard deviations */
            assert_near(gb_word_coefficient(&e, &draw, 0, l, w), word[l * WORDS + w],
                        sd[l * WORDS + w] * farthest / 254 + 1e-6);
        }
}

static void one_draw_has_no_spread(void **state)
{
    (void)state;
    draws d;
    make_draws(&d);
    gb_word_effects e = {.n_outputs = L, .n_words = WORDS, .shrinks = true};
    gb_word_moments m = chain_of(&d, 0, 1);
    const gb_words_so_far chain = so_far(&m);
    assert_int_equal(gb_arrays_allocate(gb_word_effects_list, &e, "a test", NULL), GB_OK);
    gb_word_effects_add(&e, 0, L, &chain);
    gb_word_effects_finish(&e);
    const gb_effect effect = gb_word_effect(&e, 1, 2, 1);
    assert_true(isnan(effect.sd));
    assert_true(effect.q05 == effect.mean && effect.q95 == effect.mean);
    gb_arrays_free(gb_word_moments_list, &m);
    gb_arrays_free(gb_word_effects_list, &e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_together_have_the_moments_of_all_their_draws),
        cmocka_unit_test(quantiles_are_those_of_a_normal_law),
        cmocka_unit_test(a_draw_that_is_kept_again_counts_once),
        cmocka_unit_test(a_snapshot_keeps_coefficients_to_a_254th_of_the_farthest_one),
        cmocka_unit_test(one_draw_has_no_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
