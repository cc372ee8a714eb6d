/* The Dirichlet document prior: its log probability, and learning alpha. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
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

static gb_prior make_prior(bool optimise)
{
    static const double start[N_TOPICS] = {1, 1, 1, 1};
    gb_prior prior;
    assert_int_equal(gb_prior_create(&prior, gb_prior_find("dirichlet"), N_TOPICS, start, optimise, NULL), GB_OK);
    return prior;
}

static double log_p(const gb_prior *prior, const sample *s)
{
    return prior->ops->log_probability(prior, &s->z);
}

static void learning_alpha_ends_where_the_derivative_is_zero(void **unused)
{
    (void)unused;
    sample *s = draw_sample();
    gb_prior prior = make_prior(true);
    double before = log_p(&prior, s);
    for (int sweep = 0; sweep < 400; sweep++) {
        prior.ops->update(&prior, &s->z, true);
        const double after = log_p(&prior, s);
        assert_true(after >= before - 1e-6); /* every step climbs */
        before = after;
    }
    for (size_t k = 0; k < 3; k++) {
        const double alpha = prior.alpha[k], h = 1e-4 * alpha;
        prior.alpha[k] = alpha + h;
        const double above = log_p(&prior, s);
        prior.alpha[k] = alpha - h;
        const double below = log_p(&prior, s);
        prior.alpha[k] = alpha;
        assert_true(fabs((above - below) / (2 * h)) < 0.5); /* curvature is in the hundreds */
        assert_true(fabs(alpha / true_alpha[k] - 1) < 0.1); /* four standard errors */
    }
    assert_true(prior.alpha[3] == 1e-8); /* a topic that no token uses */
    gb_prior_clear(&prior);
    free_sample(s);
}

static void alpha_stays_after_burn_in_and_when_it_is_given(void **unused)
{
    (void)unused;
    sample *s = draw_sample();
    for (int optimise = 0; optimise <= 1; optimise++) {
        gb_prior prior = make_prior(optimise);
        prior.ops->update(&prior, &s->z, !optimise);
        for (size_t k = 0; k < N_TOPICS; k++)
            assert_true(prior.alpha[k] == 1);
        gb_prior_clear(&prior);
    }
    free_sample(s);
}

/* The chain rule: p(Z) is the product of Polya urn steps. */
static void the_log_probability_is_that_of_a_polya_urn(void **unused)
{
    (void)unused;
    sample *s = draw_sample();
    gb_prior prior = make_prior(false);
    for (size_t k = 0; k < N_TOPICS; k++)
        prior.alpha[k] = 0.3 + 0.2 * (double)k;
    double expected = 0;
    for (size_t d = 0; d < N_DOCS; d++) {
        double n[N_TOPICS] = {0}, seen = 0;
        for (uint64_t i = s->start[d]; i < s->start[d + 1]; i++, seen++) {
            expected += log((n[s->topic[i]] + prior.alpha[s->topic[i]]) / (seen + 2.4));
            n[s->topic[i]]++;
        }
    }
    assert_true(fabs(log_p(&prior, s) - expected) < 1e-8 * fabs(expected));
    gb_prior_clear(&prior);
    free_sample(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(learning_alpha_ends_where_the_derivative_is_zero),
        cmocka_unit_test(alpha_stays_after_burn_in_and_when_it_is_given),
        cmocka_unit_test(the_log_probability_is_that_of_a_polya_urn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
