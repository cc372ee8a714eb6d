/* The Dirichlet document prior: its log probability, and learning alpha. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "gibbous/gibbous.h"
#include "prior/prior.h"
#include "random/random.h"

#include <math.h>

enum { N_DOCS = 2000, N_TOPICS = 4, LENGTH = 60 };

/* Documents of 0 to 60 tokens whose topics are drawn from Dir(alpha); topic 3 is never used. */
static const double true_alpha[3] = {0.2, 0.6, 1.5};

typedef struct sample {
    uint64_t start[N_DOCS + 1];
    uint16_t topic[N_DOCS * LENGTH];
    gb_proportions z;
} sample;

static sample *draw_sample(void)
{
    sample *s = NULL;
    assert_int_equal(gb_alloc(&s, 1, sizeof *s, "a test", NULL), GB_OK);
    gb_random r = gb_random_open(gb_key_make(3, 0), 0, GB_DRAW_TEST, 0);
    for (size_t d = 0; d < N_DOCS; d++) {
        double theta[3];
        const uint64_t length = gb_random_below(&r, LENGTH + 1);
        gb_random_dirichlet(&r, 3, true_alpha, theta);
        s->start[d + 1] = s->start[d] + length;
        for (uint64_t i = s->start[d]; i < s->start[d + 1]; i++)
            s->topic[i] = (uint16_t)gb_random_categorical(&r, 3, theta);
    }
    assert_int_equal(gb_proportions_create(&s->z, N_DOCS, N_TOPICS, s->start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_tally(&s->z, s->topic, NULL), GB_OK);
    return s;
}

static void free_sample(sample *s)
{
    gb_proportions_clear(&s->z);
    gb_free(s);
}

/* All alpha 1, learned or not, on those documents; also clear the setup. */
static gb_prior make_prior(const char *alpha, gb_prior_setup *setup)
{
    gb_prior prior;
    gb_settings *settings = NULL;
    const gb_corpus corpus = {.n_docs = N_DOCS};
    assert_int_equal(gb_settings_create(&settings, NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "topics", "4", NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "alpha", alpha, NULL), GB_OK);
    assert_int_equal(gb_prior_setup_resolve(settings, &corpus, setup, NULL), GB_OK);
    gb_settings_free(settings);
    assert_int_equal(gb_prior_create(&prior, setup, NULL, NULL, N_DOCS, 1, GB_ISA_PLAIN, NULL), GB_OK);
    for (size_t k = 0; k < N_TOPICS; k++)
        prior.values.table[0].value[k] = 1;
    return prior;
}

static void update(gb_prior *prior, sample *s, bool in_burn_in)
{
    const gb_prior_sweep sweep = {.z = &s->z, .topic = s->topic, .in_burn_in = in_burn_in};
    assert_int_equal(prior->ops->update(prior, &sweep, NULL), GB_OK);
}

static double log_p(gb_prior *prior, const sample *s)
{
    double log_p = 0;
    assert_int_equal(prior->ops->log_probability(prior, &s->z, &log_p, NULL), GB_OK);
    return log_p;
}

static void learning_alpha_ends_where_the_derivative_is_zero(void **unused)
{
    (void)unused;
    sample *s = draw_sample();
    gb_prior_setup setup;
    gb_prior prior = make_prior("optimise", &setup);
    double before = log_p(&prior, s);
    for (int sweep = 0; sweep < 400; sweep++) {
        update(&prior, s, true);
        const double after = log_p(&prior, s);
        assert_true(after >= before - 1e-6); /* every step climbs */
        before = after;
    }
    for (size_t k = 0; k < 3; k++) {
        const double alpha = prior.values.table[0].value[k], h = 1e-4 * alpha;
        prior.values.table[0].value[k] = alpha + h;
        const double above = log_p(&prior, s);
        prior.values.table[0].value[k] = alpha - h;
        const double below = log_p(&prior, s);
        prior.values.table[0].value[k] = alpha;
        assert_true(fabs((above - below) / (2 * h)) < 0.5); /* curvature is in the hundreds */
        assert_true(fabs(alpha / true_alpha[k] - 1) < 0.1); /* four standard errors */
    }
    assert_true(prior.values.table[0].value[3] == 1e-8); /* a topic that no token uses */
    gb_prior_clear(&prior);
    gb_prior_setup_clear(&setup);
    free_sample(s);
}

static void alpha_stays_after_burn_in_and_when_it_is_given(void **unused)
{
    (void)unused;
    sample *s = draw_sample();
    for (int optimise = 0; optimise <= 1; optimise++) {
        gb_prior_setup setup;
        gb_prior prior = make_prior(optimise ? "optimise" : "1", &setup);
        update(&prior, s, !optimise);
        for (size_t k = 0; k < N_TOPICS; k++)
            assert_true(prior.values.table[0].value[k] == 1);
        gb_prior_clear(&prior);
        gb_prior_setup_clear(&setup);
    }
    free_sample(s);
}

/* Left to themselves alphas become 0.2, 0.6, 1.5 and, of the topic that no token uses, 0. */
static void named_topics_keep_an_alpha_near_that_of_the_others(void **unused)
{
    (void)unused;
    sample *s = draw_sample();
    for (size_t n_named = 1; n_named <= N_TOPICS; n_named++) {
        gb_prior_setup setup;
        gb_prior prior = make_prior("optimise", &setup);
        const double *alpha = prior.values.table[0].value;
        double mean = 0;
        setup.n_named = n_named;
        for (int sweep = 0; sweep < 400; sweep++)
            update(&prior, s, true);
        for (size_t k = 0; k < N_TOPICS; k++)
            mean += alpha[k] / N_TOPICS;
        for (size_t k = 0; k < n_named; k++)
            assert_true(alpha[k] > 0.2 * mean);
        if (n_named == 1)
            assert_true(fabs(alpha[0] - 0.2) < 0.02 && alpha[3] == 1e-8); /* nothing in its way */
        if (n_named == 3)
            assert_true(alpha[0] > 0.02 && alpha[2] < 1); /* the only other topic is not in use */
        if (n_named == N_TOPICS)
            assert_true(alpha[3] > 0.05 && alpha[2] > 1);

        gb_prior_clear(&prior);
        gb_prior_setup_clear(&setup);
    }
    free_sample(s);
}

static void update_in(gb_prior *prior, sample *s, uint32_t number)
{
    const gb_prior_sweep sweep = {.z = &s->z, .topic = s->topic, .key = gb_key_make(5, 0), .sweep = number};
    assert_int_equal(prior->ops->update(prior, &sweep, NULL), GB_OK);
}

/* In kept sweeps; near what the documents were drawn with, and spread as the curvature of the log probability says. */
static void sampled_alpha_moves_around_the_truth_in_kept_sweeps(void **unused)
{
    (void)unused;
    enum { SWEEPS = 400 };
    sample *s = draw_sample();
    gb_prior_setup setup;
    gb_prior prior = make_prior("sample", &setup);
    double mean[N_TOPICS] = {0}, square[N_TOPICS] = {0};
    for (uint32_t i = 1; i <= 50 + SWEEPS; i++) {
        update_in(&prior, s, i);
        for (size_t k = 0; k < N_TOPICS && i > 50; k++) {
            const double alpha = prior.values.table[0].value[k];
            mean[k] += alpha / SWEEPS;
            square[k] += alpha * alpha / SWEEPS;
        }
    }
    for (size_t k = 0; k < 3; k++) {
        const double spread = sqrt(square[k] - mean[k] * mean[k]), h = 1e-3 * mean[k];
        for (size_t j = 0; j < N_TOPICS; j++)
            prior.values.table[0].value[j] = mean[j];
        const double middle = log_p(&prior, s);
        prior.values.table[0].value[k] = mean[k] + h;
        const double above = log_p(&prior, s);
        prior.values.table[0].value[k] = mean[k] - h;
        const double curvature = (2 * middle - above - log_p(&prior, s)) / (h * h);
        assert_true(fabs(mean[k] / true_alpha[k] - 1) < 0.1);
        assert_true(spread > 0.8 / sqrt(curvature) && spread < 0.15 * mean[k]);
    }
    assert_true(mean[3] > 0 && mean[3] < 0.002); /* no token: about one over the documents' sum of log q */
    gb_prior_clear(&prior);
    gb_prior_setup_clear(&setup);
    free_sample(s);
}

/* In the region that learned alpha is held in; it would leave it at once. */
static void sampled_alpha_of_named_topics_stays_within_bounds(void **unused)
{
    (void)unused;
    sample *s = draw_sample();
    for (size_t n_named = 1; n_named <= N_TOPICS; n_named++) {
        gb_prior_setup setup;
        gb_prior prior = make_prior("sample", &setup);
        const double *alpha = prior.values.table[0].value;
        double least = INFINITY;
        setup.n_named = n_named;
        for (uint32_t i = 1; i <= 300; i++) {
            double mean = 0, others = 0;
            update_in(&prior, s, i);
            for (size_t k = 0; k < N_TOPICS; k++) {
                mean += alpha[k] / N_TOPICS;
                others += k >= n_named ? alpha[k] / (double)(N_TOPICS - n_named) : 0;
            }
            for (size_t k = 0; k < n_named; k++) {
                assert_true(alpha[k] >= 0.25 * mean * (1 - 1e-9));
                assert_true(n_named == N_TOPICS || alpha[k] <= fmax(mean, others) * (1 + 1e-9));
                least = fmin(least, alpha[k] / mean);
            }
        }
        assert_true(n_named < N_TOPICS || least < 0.3); /* it goes where it may */
        gb_prior_clear(&prior);
        gb_prior_setup_clear(&setup);
    }
    free_sample(s);
}

/* Two named topics of four and few tokens, against draws from the prior within its bounds, weighted. */
static void sampled_alpha_of_named_topics_has_its_posterior(void **unused)
{
    (void)unused;
    enum { DRAWS = 400000, SWEEPS = 100000, BATCHES = 50 };
    static const uint64_t start[] = {0, 4, 7, 9};
    static const uint16_t topic[] = {0, 0, 1, 3, 2, 2, 0, 1, 2};
    gb_proportions z;
    gb_prior_setup setup;
    gb_prior prior = make_prior("gamma:1.3,1", &setup);
    double *alpha = prior.values.table[0].value, expected[N_TOPICS] = {0}, total = 0, square[N_TOPICS] = {0},
           sum[N_TOPICS] = {0};
    gb_random r = gb_random_open(gb_key_make(3, 0), 0, GB_DRAW_TEST, 1);
    gb_prior few;
    setup.n_named = 2;
    assert_int_equal(gb_proportions_create(&z, 3, N_TOPICS, start, 1, NULL), GB_OK);
    assert_int_equal(gb_proportions_tally(&z, topic, NULL), GB_OK);
    gb_prior_clear(&prior);
    assert_int_equal(gb_prior_create(&few, &setup, NULL, NULL, 3, 1, GB_ISA_PLAIN, NULL), GB_OK);
    alpha = few.values.table[0].value;
    for (size_t i = 0; i < DRAWS; i++) {
        double mean = 0, log_w = 0;
        for (size_t k = 0; k < N_TOPICS; k++)
            mean += (alpha[k] = gb_random_gamma(&r, 1.3)) / N_TOPICS;
        const double most = fmax(mean, (alpha[2] + alpha[3]) / 2);
        if (fmin(alpha[0], alpha[1]) < 0.25 * mean || fmax(alpha[0], alpha[1]) > most)
            continue;
        assert_int_equal(few.ops->log_probability(&few, &z, &log_w, NULL), GB_OK);
        for (size_t k = 0; k < N_TOPICS; k++) /* without the density of log alpha */
            log_w -= 1.3 * log(alpha[k]) - alpha[k];
        total += exp(log_w);
        for (size_t k = 0; k < N_TOPICS; k++)
            expected[k] += exp(log_w) * alpha[k];
    }
    for (size_t k = 0; k < N_TOPICS; k++)
        alpha[k] = 1;
    for (uint32_t b = 0; b < BATCHES; b++) {
        double batch[N_TOPICS] = {0};
        for (uint32_t i = 0; i < SWEEPS / BATCHES; i++) {
            const gb_prior_sweep sweep = {
                .z = &z, .topic = topic, .key = gb_key_make(5, 0), .sweep = b * (SWEEPS / BATCHES) + i + 1};
            assert_int_equal(few.ops->update(&few, &sweep, NULL), GB_OK);
            for (size_t k = 0; k < N_TOPICS; k++)
                batch[k] += alpha[k] / (SWEEPS / BATCHES);
        }
        for (size_t k = 0; k < N_TOPICS; k++) {
            sum[k] += batch[k] / BATCHES;
            square[k] += batch[k] * batch[k] / BATCHES;
        }
    }
    for (size_t k = 0; k < N_TOPICS; k++) {
        const double error = sqrt((square[k] - sum[k] * sum[k]) / (BATCHES - 1));
        assert_true(fabs(sum[k] - expected[k] / total) < 4.5 * error + 0.01); /* the second: of the weighted draws */
    }
    gb_prior_clear(&few);
    gb_proportions_clear(&z);
    gb_prior_setup_clear(&setup);
}

/* The chain rule: p(Z) is the product of Polya urn steps. */
static void the_log_probability_is_that_of_a_polya_urn(void **unused)
{
    (void)unused;
    sample *s = draw_sample();
    gb_prior_setup setup;
    gb_prior prior = make_prior("1", &setup);
    for (size_t k = 0; k < N_TOPICS; k++)
        prior.values.table[0].value[k] = 0.3 + 0.2 * (double)k;
    double expected = 0;
    for (size_t d = 0; d < N_DOCS; d++) {
        double n[N_TOPICS] = {0}, seen = 0;
        for (uint64_t i = s->start[d]; i < s->start[d + 1]; i++, seen++) {
            expected += log((n[s->topic[i]] + prior.values.table[0].value[s->topic[i]]) / (seen + 2.4));
            n[s->topic[i]]++;
        }
    }
    assert_true(fabs(log_p(&prior, s) - expected) < 1e-8 * fabs(expected));
    gb_prior_clear(&prior);
    gb_prior_setup_clear(&setup);
    free_sample(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning_alpha_ends_where_the_derivative_is_zero),
        cmocka_unit_test(named_topics_keep_an_alpha_near_that_of_the_others),
        cmocka_unit_test(sampled_alpha_moves_around_the_truth_in_kept_sweeps),
        cmocka_unit_test(sampled_alpha_of_named_topics_stays_within_bounds),
        cmocka_unit_test(sampled_alpha_of_named_topics_has_its_posterior),
        cmocka_unit_test(alpha_stays_after_burn_in_and_when_it_is_given),
        cmocka_unit_test(the_log_probability_is_that_of_a_polya_urn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
