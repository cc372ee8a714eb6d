/* test_psi_settle.c - topics of a document whose log weights are integrated out, against sums over all topics of its tokens and integrals. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "gibbous/gibbous.h"
#include "prior/mean_shares.h"
#include "prior/psi_state.h"
#include "token/expected.h"

#include <math.h>
#include <string.h>

enum { MOST_TOPICS = 6, ROOM = 4096 };

typedef struct found {
    double psi[MOST_TOPICS + 8], rate[MOST_TOPICS], slope[MOST_TOPICS];
    double scratch[ROOM] __attribute__((aligned(64)));
} found;

static gb_psi_settling settling_of(const gb_psi_law *law, const double *count, double length, found *f)
{
    return (gb_psi_settling){.law = law,
                             .isa = GB_ISA_PLAIN,
                             .count = count,
                             .length = length,
                             .psi = f->psi,
                             .rate = f->rate,
                             .slope = f->slope,
                             .scratch = f->scratch};
}

/* As often as it takes. */
static void settle(const gb_psi_law *law, const double *count, double length, found *f)
{
    gb_psi_settling s = settling_of(law, NULL, length, f);
    gb_psi_settle(&s);
    s.count = count;
    for (int i = 0; i < 20; i++)
        gb_psi_settle(&s);
}

/* E exp(y) of (2) in psi_settle.c. */
static double rate_of(double n, double mean, double precision)
{
    const double sd = 1 / sqrt(precision), step = 0.001;
    double top = -INFINITY, sum = 0, weighted = 0;
    for (int pass = 0; pass < 2; pass++)
        for (double y = mean - 10 * sd; y < fmax(mean + 10 * sd, 8); y += step) {
            const double h = n * y - exp(y) - precision * (y - mean) * (y - mean) / 2;
            top = pass == 0 ? fmax(top, h) : top;
            sum += pass == 0 ? 0 : exp(h - top);
            weighted += pass == 0 ? 0 : exp(h - top + y);
        }
    return weighted / sum;
}

static void rates_are_those_of_integrals(void **state)
{
    static const double precision[] = {0.05, 0.5, 3, 40}, mean[] = {-5, -1, 0.5, 2};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            const double q[] = {precision[i], precision[i], precision[i]}, m[] = {mean[j], mean[j], mean[3 - j]};
            const double count[] = {0, 3, 12, 5};
            const gb_psi_law law = {.n_free = 3, .mean = m, .precision = q};
            found f;
            settle(&law, count, 20, &f);
            const double log_x = log(f.rate[3]);
            double sum = f.rate[3];
            for (size_t t = 0; t < 3; t++) {
                const double exact = rate_of(count[t], m[t] + log_x, q[t]);
                assert_true(fabs(f.rate[t] / exact - 1) < (count[t] > 0 ? 0.01 : 0.04));
                sum += f.rate[t] - f.slope[t] * count[t] / 20;
            }
            assert_true(fabs(sum - 20) < 0.01 * 20); /* the mode of x */
        }
}

static void steps_come_closer_to_the_mode(void **state)
{
    const double q[] = {0.1, 0.1, 2}, m[] = {-4, 1, 0}, count[] = {0.2, 7, 1.5, 1.3};
    const gb_psi_law law = {.n_free = 3, .mean = m, .precision = q};
    found f;
    double before = INFINITY;
    (void)state;
    gb_psi_settling s = settling_of(&law, NULL, 10, &f);
    gb_psi_settle(&s);
    s.count = count;
    for (int i = 0; i < 6; i++) {
        double off = f.rate[3] - 10;
        gb_psi_settle(&s);
        off += f.rate[0] + f.rate[1] + f.rate[2];
        for (size_t t = 0; t < 3; t++)
            off -= f.slope[t] * count[t] / 10;
        assert_true(fabs(off) <= fmax(before, 0.02));
        before = fabs(off);
    }
    assert_true(before < 0.02);
}

static void weights_that_hardly_vary_are_fixed_shares(void **state)
{
    const double q[] = {1e7, 1e7}, m[] = {-1, 1.5}, count[] = {4, 1, 15};
    const gb_psi_law law = {.n_free = 2, .mean = m, .precision = q};
    found f;
    (void)state;
    settle(&law, count, 20, &f);
    for (size_t t = 0; t < 2; t++)
        assert_true(fabs(f.rate[t] / f.rate[2] / exp(m[t]) - 1) < 1e-4);
}

static void a_full_covariance_that_is_diagonal_gives_the_same(void **state)
{
    const double q[] = {0.3, 1.7}, m[] = {-1, 1}, count[] = {4, 1.5, 0.5}, full[] = {0.3, 0, 0, 1.7};
    const gb_psi_law diagonal = {.n_free = 2, .mean = m, .precision = q},
                     correlated = {.n_free = 2, .mean = m, .full = full};
    found f, g;
    (void)state;
    settle(&diagonal, count, 6, &f);
    settle(&correlated, count, 6, &g);
    for (size_t k = 0; k < 3; k++)
        assert_true(fabs(f.rate[k] - g.rate[k]) < 1e-3 * f.rate[k]);
}

/* ---- documents ---- */

enum { N_TOPICS = 3, STRIDE = 16, WORDS = 3, LENGTH = 5 };

static const char *const prior_options[] = {"prior",    "logistic-normal", "topics",         "3",
                                            "psi-mean", "-1.5,0.4",        "psi-covariance", "4"};

static void open_prior(gb_settings **settings, gb_prior_setup *setup, gb_prior *prior)
{
    assert_int_equal(gb_settings_create(settings, NULL), GB_OK);
    for (size_t i = 0; i < sizeof prior_options / sizeof *prior_options; i += 2)
        assert_int_equal(gb_settings_set(*settings, prior_options[i], prior_options[i + 1], NULL), GB_OK);
    assert_int_equal(gb_prior_setup_resolve(*settings, NULL, setup, NULL), GB_OK);
    assert_int_equal(gb_prior_create(prior, setup, NULL, NULL, 0, 1, GB_ISA_PLAIN, NULL), GB_OK);
}

static const uint32_t text[LENGTH] = {0, 0, 1, 2, 2};
static const double BETA = 0.5;
static const uint32_t seen[WORDS][N_TOPICS] = {{60, 5, 1}, {2, 30, 20}, {3, 20, 50}};

static double phi_of(uint32_t word, size_t k)
{
    double sum = 0;
    for (size_t w = 0; w < WORDS; w++)
        sum += seen[w][k] + BETA;
    return (seen[word][k] + BETA) / sum;
}

/* E prod_k theta_k^n_k by points in both log weights. */
static double probability_of(const uint32_t *count)
{
    const double mean[] = {-1.5, 0.4}, sd = 2, step = 0.1;
    double sum = 0;
    for (double a = -6; a <= 6; a += step)
        for (double b = -6; b <= 6; b += step) {
            const double x = exp(mean[0] + sd * a), y = exp(mean[1] + sd * b), s = 1 + x + y;
            sum += exp(-(a * a + b * b) / 2) * pow(x / s, count[0]) * pow(y / s, count[1]) * pow(1 / s, count[2]);
        }
    return sum;
}

/* Expected shares of topics of the first n tokens, by all 3^n lists of topics. */
static void enumerate(int n, double *share)
{
    double total = 0;
    int n_lists = 1;
    for (int i = 0; i < n; i++)
        n_lists *= N_TOPICS;
    memset(share, 0, N_TOPICS * sizeof *share);
    for (int list = 0; list < n_lists; list++) {
        uint32_t count[N_TOPICS] = {0};
        double p = 1;
        for (int i = 0, left = list; i < n; i++, left /= N_TOPICS) {
            count[left % N_TOPICS]++;
            p *= phi_of(text[i], (size_t)(left % N_TOPICS));
        }
        p *= probability_of(count);
        total += p;
        for (size_t k = 0; k < N_TOPICS; k++)
            share[k] += p * count[k] / n;
    }
    for (size_t k = 0; k < N_TOPICS; k++)
        share[k] /= total;
}

static void settle_text(const gb_prior *prior, const gb_prior_setup *setup, int n, double *share)
{
    static const uint64_t total[WORDS] = {66, 52, 73};
    gb_rows rows;
    gb_settling_room room;
    uint32_t word[WORDS];
    float count[WORDS] = {0}, scale[STRIDE] __attribute__((aligned(64))) = {0},
          weight[STRIDE] __attribute__((aligned(64))) = {0}, cells[STRIDE] __attribute__((aligned(64))),
          r[WORDS * STRIDE] __attribute__((aligned(64)));
    double numbers[16], base[N_TOPICS], full_scale[N_TOPICS];
    size_t n_words = 0;
    assert_int_equal(gb_rows_create(&rows, WORDS, total, N_TOPICS, STRIDE, false, NULL), GB_OK);
    assert_int_equal(gb_settling_room_create(&room, setup, NULL), GB_OK);
    for (uint32_t w = 0; w < WORDS; w++)
        for (size_t k = 0; k < N_TOPICS; k++)
            gb_rows_add(&rows, w, k, (int)seen[w][k]);
    for (int i = 0; i < n; i++) {
        if (i == 0 || text[i] != text[i - 1])
            word[n_words++] = rows.handle[text[i]];
        count[n_words - 1]++;
    }
    for (size_t k = 0; k < N_TOPICS; k++)
        full_scale[k] = phi_of(0, k) / (seen[0][k] + BETA);
    const gb_settling s = {.rows = &rows,
                           .beta = (float)BETA,
                           .stride = STRIDE,
                           .n = n_words,
                           .word = word,
                           .count = count,
                           .scale = scale,
                           .weight = weight,
                           .r = r,
                           .cells = cells};
    const gb_prior_document document = {.length = (uint64_t)n, .numbers = numbers, .base = base};
    memset(share, 0, N_TOPICS * sizeof *share);
    gb_settle(&s, gb_settle_words_plain, prior, &document, full_scale, share, &room);
    for (size_t k = 0; k < N_TOPICS; k++)
        share[k] /= n;
    gb_settling_room_clear(&room);
    gb_rows_clear(&rows);
}

static void shares_are_close_to_the_posterior_mean(void **state)
{
    gb_settings *settings = NULL;
    gb_prior_setup setup = {.n_topics = 0};
    gb_prior prior;
    double off = 0;
    (void)state;
    open_prior(&settings, &setup, &prior);
    for (int n = 1; n <= LENGTH; n++) {
        double exact[N_TOPICS], share[N_TOPICS];
        enumerate(n, exact);
        settle_text(&prior, &setup, n, share);
        for (size_t k = 0; k < N_TOPICS; k++) {
            assert_true(fabs(share[k] - exact[k]) < 0.1);
            off += fabs(share[k] - exact[k]) / (LENGTH * N_TOPICS);
        }
    }
    assert_true(off < 0.04);
    gb_prior_clear(&prior);
    gb_prior_setup_clear(&setup);
    gb_settings_free(settings);
}

static void without_words_shares_have_the_moments_of_the_prior(void **state)
{
    const double eta[] = {1, -2, 0.5}, precision[] = {0.25, 0.25}, mean[] = {-1.5, 0.4};
    double share[N_TOPICS], answer[N_TOPICS], room[2 * N_TOPICS + 1], exact[N_TOPICS], more[N_TOPICS],
        square = 0, first = 0, total = 0;
    gb_settings *settings = NULL;
    gb_prior_setup setup = {.n_topics = 0};
    gb_prior prior;
    gb_mean_shares *shares = NULL;
    (void)state;
    open_prior(&settings, &setup, &prior);
    prior.ops->documents->expect(&prior, 0, 1, eta, room, share, answer);
    assert_int_equal(gb_mean_shares_create(&shares, 2, 2, precision, NULL), GB_OK);
    gb_mean_shares_at(shares, mean, more, exact);
    for (size_t k = 0; k < N_TOPICS; k++)
        assert_true(fabs(share[k] - exact[k]) < 0.01);
    for (double a = -6; a <= 6; a += 0.05)
        for (double b = -6; b <= 6; b += 0.05) {
            const double w = exp(-(a * a + b * b) / 2), x = exp(mean[0] + 2 * a), y = exp(mean[1] + 2 * b),
                         score = (eta[0] * x + eta[1] * y + eta[2]) / (1 + x + y);
            total += w;
            first += w * score;
            square += w * score * score;
        }
    const double variance = square / total - first * first / (total * total),
                 given = eta[0] * answer[0] + eta[1] * answer[1] + eta[2] * answer[2];
    assert_true(fabs(given / variance - 1) < 0.05);
    gb_mean_shares_free(shares);
    gb_prior_clear(&prior);
    gb_prior_setup_clear(&setup);
    gb_settings_free(settings);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_those_of_integrals),
        cmocka_unit_test(steps_come_closer_to_the_mode),
        cmocka_unit_test(weights_that_hardly_vary_are_fixed_shares),
        cmocka_unit_test(a_full_covariance_that_is_diagonal_gives_the_same),
        cmocka_unit_test(shares_are_close_to_the_posterior_mean),
        cmocka_unit_test(without_words_shares_have_the_moments_of_the_prior),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
