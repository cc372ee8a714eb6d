/* Simulation-based calibration: parameters from the prior, words and targets given them, a chain on these; the rank of
 * what was drawn among draws of the chain must be uniform (Talts and others 2018, arXiv:1804.06788), for quantities
 * that do not depend on the names of the topics, the log likelihood of the targets and the log joint among them.
 *
 * A chi-square test of each quantity's ranks fails at p < 1e-6: with some 25 of them, a false alarm has probability
 * below 1e-4.  The seeds are fixed.  Planted errors in the simulation have to be seen.
 * GIBBOUS_TABLE_VERBOSE=1 prints a line per quantity. */
#include "helper_effort.h"
#include "helper_joint.h"
#include "helper_prior.h"
#include "helper_settings.h"
#include "recipe/sweep.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { N_DRAWS = 15, N_RANKS = N_DRAWS + 1, THIN = 12, BURN_IN = 60, N_QUANTITIES = 8 };
static const double SMALLEST_P = 1e-6;

static const char *const quantity_name[N_QUANTITIES] = {"score of the first document",
                                                        "score of a document without words",
                                                        "sum of squared coefficients of topics",
                                                        "log likelihood of targets",
                                                        "log joint",
                                                        "noise variance, dispersion or distance of cut points",
                                                        "sum of alpha",
                                                        "beta"};

#pragma GCC diagnostic ignored "-Wmissing-field-initializers" /* the last member: a Dirichlet prior */

static const prior_model gaussian = {"gaussian", "gaussian", 1, 0, 2, 0, true, false},
                         logistic = {"logistic", "logistic", 1, 0, 3, 1, false, false},
                         insensitive = {"insensitive", "insensitive", 1.5, 0.4, 2, 1, false, false},
                         counts = {"negative binomial", "negative-binomial", 1, 0, 2, 1, false, true},
                         levels = {"ordinal", "ordinal", 1, 0, 2, 1, false, false},
                         parameters = {.name = "gaussian, alpha and beta",
                                       .response = "gaussian",
                                       .cost = 1,
                                       .n_topics = 3,
                                       .blocks = 2,
                                       .parameters = true},
                         parameters_2 = {.name = "logistic, alpha and beta",
                                         .response = "logistic",
                                         .cost = 1,
                                         .n_topics = 2,
                                         .parameters = true};

static bool has_own(const prior_model *model)
{
    return model == &gaussian || model == &parameters || model == &counts || model == &levels;
}

/* Quantities of the state that a chain is in. */
static void read_quantities(const prior_setup *setup, gb_chain *chain, double *x)
{
    gb_error err = {.status = GB_OK};
    prior_state state;
    prior_read_chain(setup, chain, &state);
    x[0] = state.score[0];
    x[1] = state.score[5];
    x[2] = x[3] = 0;
    for (size_t k = 0; k < setup->model->n_topics; k++)
        x[2] += state.eta[k] * state.eta[k];
    const gb_response *response = &chain->response[0];
    for (size_t d = 0; d < PRIOR_DOCS; d++)
        x[3] += response->ops->log_likelihood(response, state.y[d], state.score[d] + prior_offset(setup->model, d));
    check(gb_chain_log_joint(chain, &x[4], &err), &err);
    x[5] = setup->model == &levels ? state.cut[1] - state.cut[0] : state.own;
    x[6] = 0;
    for (size_t k = 0; k < setup->model->n_topics; k++)
        x[6] += state.alpha[k];
    x[7] = state.beta;
}

static void sweep(gb_chain *chain, size_t n)
{
    gb_error err = {.status = GB_OK};
    for (size_t i = 0; i < n; i++)
        check(gb_recipe_sweep(chain, &err), &err);
}

/* Others do not change in a model. */
static bool has_quantity(const prior_model *model, size_t q)
{
    return q < 5 || (q == 5 ? has_own(model) : model->parameters);
}

/* One replication: adds to the number of times that each rank was seen. */
static void replicate(const prior_setup *setup, prior_fault fault, uint32_t number,
                      size_t seen[N_QUANTITIES][N_RANKS])
{
    gb_random random = gb_random_open(gb_key_make(setup->spec.seed, 0), number, GB_DRAW_TEST, 0);
    prior_state truth;
    double x[N_QUANTITIES], drawn[N_QUANTITIES];
    size_t rank[N_QUANTITIES] = {0};
    prior_draw(setup->model, fault, &random, &truth);
    gb_chain *chain = prior_chain(setup, &truth, number);
    prior_set_chain(setup, chain, &truth);
    read_quantities(setup, chain, x);
    gb_chain_free(chain);
    chain = prior_chain(setup, &truth, number); /* begins anew, knowing nothing of the truth */
    sweep(chain, BURN_IN);
    for (size_t i = 0; i < N_DRAWS; i++) {
        sweep(chain, THIN);
        read_quantities(setup, chain, drawn);
        for (size_t q = 0; q < N_QUANTITIES; q++)
            rank[q] += drawn[q] < x[q];
    }
    gb_chain_free(chain);
    for (size_t q = 0; q < N_QUANTITIES; q++)
        seen[q][rank[q]]++;
}

/* P(X > x) of chi-square with an odd number of degrees of freedom. */
static double chi_square_tail(double x, size_t df)
{
    double sum = 0, term = sqrt(2 * x / M_PI) * exp(-x / 2);
    for (size_t i = 3; i <= df; i += 2) {
        sum += term;
        term *= x / (double)i;
    }
    return erfc(sqrt(x / 2)) + sum;
}

/* Ranks joined two by two when there are few. */
static double p_value(const size_t *seen, size_t n)
{
    const size_t width = n < 20 * N_RANKS ? 2 : 1, n_bins = N_RANKS / width;
    const double expected = (double)n / (double)n_bins;
    double sum = 0;
    for (size_t b = 0; b < n_bins; b++) {
        const double o = (double)(width == 2 ? seen[2 * b] + seen[2 * b + 1] : seen[b]);
        sum += (o - expected) * (o - expected) / expected;
    }
    return chi_square_tail(sum, n_bins - 1);
}

static void describe(const prior_model *model, size_t q, const size_t *seen, double p)
{
    if (getenv("GIBBOUS_TABLE_VERBOSE") == NULL)
        return;
    print_message("             %s, %s: p %.2g, ranks", model->name, quantity_name[q], p);
    for (size_t r = 0; r < N_RANKS; r++)
        print_message(" %zu", seen[r]);
    print_message("\n");
}

/* The smallest p value over the quantities. */
static double smallest_p(const prior_model *model, prior_fault fault, size_t n, unsigned seed, size_t *which)
{
    size_t seen[N_QUANTITIES][N_RANKS] = {{0}};
    prior_setup setup = prior_setup_make_faulty(model, fault, seed);
    double smallest = 1;
    for (size_t i = 0; i < n; i++)
        replicate(&setup, fault, (uint32_t)i, seen);
    prior_setup_clear(&setup);
    for (size_t q = 0; q < N_QUANTITIES; q++) {
        if (!has_quantity(model, q))
            continue;
        const double p = p_value(seen[q], n);
        describe(model, q, seen[q], p);
        if (!(p >= smallest)) {
            smallest = p;
            *which = q;
        }
    }
    return smallest;
}

static size_t n_replications(void)
{
    return joint_effort(100) < 10 ? 10 : joint_effort(100); /* 1000 of the long tests */
}

static void assert_calibrated(const prior_model *model, unsigned seed)
{
    size_t q = 0;
    const double p = smallest_p(model, PRIOR_RIGHT, n_replications(), seed, &q);
    if (!(p > SMALLEST_P))
        fail_msg("%s: the ranks of the %s are not uniform, p = %.2g", model->name, quantity_name[q], p);
}

static void assert_seen(const prior_model *model, prior_fault fault, unsigned seed)
{
    size_t q = 0;
    const double p = smallest_p(model, fault, 400, seed, &q);
    if (!(p < SMALLEST_P))
        fail_msg("%s: the planted error is not seen: p = %.2g (%s)", model->name, p, quantity_name[q]);
}

static void the_gaussian_is_calibrated(void **state)
{
    (void)state;
    assert_calibrated(&gaussian, 11);
}

static void the_logistic_is_calibrated(void **state)
{
    (void)state;
    assert_calibrated(&logistic, 12);
}

static void the_insensitive_is_calibrated(void **state)
{
    (void)state;
    assert_calibrated(&insensitive, 13);
}

static void counts_are_calibrated(void **state)
{
    (void)state;
    assert_calibrated(&counts, 14);
}

static void levels_are_calibrated(void **state)
{
    (void)state;
    assert_calibrated(&levels, 15);
}

static void alpha_and_beta_are_calibrated(void **state)
{
    (void)state;
    assert_calibrated(&parameters, 16);
    assert_calibrated(&parameters_2, 17);
}

static void another_prior_of_alpha_or_beta_is_seen(void **state)
{
    (void)state;
    assert_seen(&parameters, PRIOR_ALPHA_OFF, 25);
    assert_seen(&parameters_2, PRIOR_BETA_OFF, 26);
}

static void a_noise_variance_doubled_is_seen(void **state)
{
    (void)state;
    assert_seen(&gaussian, PRIOR_NOISE_DOUBLED, 21);
}

static void half_the_slope_is_seen_in_the_logistic(void **state)
{
    (void)state;
    assert_seen(&logistic, PRIOR_NOISE_DOUBLED, 22);
}

static void half_the_cost_is_seen_in_the_insensitive(void **state)
{
    (void)state;
    assert_seen(&insensitive, PRIOR_NOISE_DOUBLED, 23);
}

static void exposures_ignored_are_seen(void **state)
{
    (void)state;
    assert_seen(&counts, PRIOR_NO_EXPOSURE, 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gaussian_is_calibrated),
        cmocka_unit_test(the_logistic_is_calibrated),
        cmocka_unit_test(the_insensitive_is_calibrated),
        cmocka_unit_test(counts_are_calibrated),
        cmocka_unit_test(levels_are_calibrated),
        cmocka_unit_test(alpha_and_beta_are_calibrated),
        cmocka_unit_test(another_prior_of_alpha_or_beta_is_seen),
        cmocka_unit_test(a_noise_variance_doubled_is_seen),
        cmocka_unit_test(half_the_slope_is_seen_in_the_logistic),
        cmocka_unit_test(half_the_cost_is_seen_in_the_insensitive),
        cmocka_unit_test(exposures_ignored_are_seen),
    };
    return cmocka_run_group_tests_name("simulation-based calibration", tests, NULL, NULL);
}
