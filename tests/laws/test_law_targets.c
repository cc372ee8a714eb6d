/* tests/laws/test_law_targets.c - targets drawn from a score against the mean, variance and distribution function that
 * their response states, and a response's own parameter against its exact conditional. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "helper_laws.h"

#include "response/response.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const gb_response numbers[] = {{.ops = &gb_response_gaussian, .cost = 1, .own = (double[]){1}},
                                      {.ops = &gb_response_gaussian, .cost = 40, .own = (double[]){1e-6}},
                                      {.ops = &gb_response_gaussian, .cost = 0.1, .own = (double[]){300}},
                                      {.ops = &gb_response_insensitive, .cost = 1, .epsilon = 0},
                                      {.ops = &gb_response_insensitive, .cost = 1, .epsilon = 0.5},
                                      {.ops = &gb_response_insensitive, .cost = 250, .epsilon = 1e-3},
                                      {.ops = &gb_response_insensitive, .cost = 0.01, .epsilon = 1e-9},
                                      {.ops = &gb_response_insensitive, .cost = 3, .epsilon = 1e4}};
enum { N_NUMBERS = sizeof numbers / sizeof numbers[0] };

typedef struct at_score {
    const gb_response *response;
    double score;
} at_score;

static double stated_cdf(double y, const void *parameters)
{
    const at_score *p = parameters;
    return p->response->ops->number->distribution(p->response, y, p->score);
}

/* The sample's own second moment about the stated mean, with its standard error. */
static void check_variance(const char *law, size_t n, const double *x, double mean, double variance)
{
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        const double excess = (x[i] - mean) * (x[i] - mean) / variance - 1;
        sum += excess;
        squares += excess * excess;
    }
    law_check_z(law, "variance", sum / sqrt(squares));
}

static void numbers_have_their_stated_law(void **state)
{
    (void)state;
    static const double scores[] = {0, -2.5, 700};
    double *x = law_room(LAW_DRAWS);
    for (size_t k = 0; k < N_NUMBERS; k++) {
        for (size_t j = 0; j < 3; j++) {
            const at_score p = {&numbers[k], scores[j]};
            const double mean = p.response->ops->number->mean(p.response, p.score);
            char law[80];
            snprintf(law, sizeof law, "%s %zu at score %g", p.response->ops->name, k, p.score);
            gb_random r = law_stream(10 * k + j);
            for (size_t i = 0; i < LAW_DRAWS; i++)
                x[i] = p.response->ops->simulate(p.response, p.score, &r);
            law_check_mean(law, "mean", LAW_DRAWS, x, NULL, mean);
            check_variance(law, LAW_DRAWS, x, mean, p.response->ops->number->variance(p.response, p.score));
            law_check_cdf(law, LAW_DRAWS, x, stated_cdf, &p);
        }
    }
    free(x);
}

/* Cell k of count k, the last for all from N_CELLS - 1 on; their probabilities from those of the likelihood. */
enum { N_CELLS = 3000 };

static void check_counts(const gb_response *response, double score, uint64_t item)
{
    double *count = calloc(N_CELLS, sizeof *count), *p = law_room(N_CELLS), *x = law_room(LAW_DRAWS), below = 0;
    char law[80];
    assert_non_null(count);
    snprintf(law, sizeof law, "negative binomial, r %g, score %g", response->own[0], score);
    for (size_t k = 0; k + 1 < N_CELLS; k++) {
        p[k] = exp(response->ops->log_likelihood(response, (double)k, score));
        below += p[k];
    }
    p[N_CELLS - 1] = fmax(1 - below, 0);
    gb_random r = law_stream(item);
    for (size_t i = 0; i < LAW_DRAWS; i++) {
        x[i] = response->ops->simulate(response, score, &r);
        assert_true(x[i] >= 0 && x[i] == floor(x[i]));
        count[x[i] < N_CELLS - 1 ? (size_t)x[i] : N_CELLS - 1]++;
    }
    law_check_counts(law, N_CELLS, count, p);
    const double mean = response->ops->number->mean(response, score);
    law_check_mean(law, "mean", LAW_DRAWS, x, NULL, mean);
    check_variance(law, LAW_DRAWS, x, mean, response->ops->number->variance(response, score));
    free(x);
    free(p);
    free(count);
}

static void counts_have_their_stated_law(void **state)
{
    (void)state;
    static const double dispersions[] = {0.3, 1, 4.5, 80}, scores[] = {-4, -1.2, 0, 1.5, 3};
    for (size_t i = 0; i < 4; i++) {
        const gb_response response = {
            .ops = &gb_response_negative_binomial, .cost = 1, .own = (double[]){dispersions[i]}};
        for (size_t j = 0; j < 5; j++)
            check_counts(&response, scores[j], 100 + 10 * i + j);
    }
}

/* ---- rho2 ---- */

struct inverse_gamma {
    double shape, scale;
};

static double log_inverse_gamma_cdf(double log_x, const void *parameters)
{
    const struct inverse_gamma *p = parameters;
    return 1 - law_gamma_cdf(p->shape, log(p->scale) - log_x);
}

/* Targets, scores and weights of documents in an output that is not alone; some documents have no target. */
enum { N_DOCS = 12, STRIDE = 3 };
typedef struct documents {
    double y[N_DOCS * STRIDE], score[N_DOCS * STRIDE], weight[N_DOCS * STRIDE], offset[N_DOCS];
} documents;

static documents make_documents(bool counts)
{
    documents d;
    for (size_t i = 0; i < N_DOCS * STRIDE; i++) {
        d.y[i] = (i / STRIDE) % 5 == 2 ? NAN : counts ? (double)((7 * i) % 11) : (double)((7 * i) % 11) / 4 - 1;
        d.score[i] = (double)((5 * i) % 13) / 6 - 1;
        d.weight[i] = 0.5 + (double)(i % 4);
        d.offset[i / STRIDE] = (double)(i / STRIDE % 3) / 2;
    }
    return d;
}

/* (a + c W / 2, b + c S / 2): W and S the sums of weights and of weighted squares. */
static void check_noise_variance(uint64_t item, double cost, bool weighted, bool with_offset)
{
    documents d = make_documents(false);
    const gb_scored_targets targets = {.n_docs = N_DOCS,
                                       .stride = STRIDE,
                                       .y = d.y + 1,
                                       .score = d.score + 1,
                                       .weight = weighted ? d.weight + 1 : NULL,
                                       .offset = with_offset ? d.offset : NULL};
    struct inverse_gamma law = {1, 0.5}; /* the prior */
    for (size_t i = 0; i < N_DOCS; i++) {
        const size_t at = i * STRIDE + 1;
        if (isnan(d.y[at]))
            continue;
        const double residual = d.y[at] - (d.score[at] + (with_offset ? d.offset[i] : 0));
        const double w = cost * (weighted ? d.weight[at] : 1);
        law.shape += w / 2;
        law.scale += w * residual * residual / 2;
    }
    double variance = 123;
    const gb_response response = {.ops = &gb_response_gaussian, .cost = cost, .own = &variance};
    gb_random r = law_stream(item);
    double *x = law_room(LAW_DRAWS);
    for (size_t i = 0; i < LAW_DRAWS; i++) {
        response.ops->own->draw(&response, &targets, &r, &variance, NULL);
        x[i] = log(variance);
    }
    law_check_cdf("noise variance", LAW_DRAWS, x, log_inverse_gamma_cdf, &law);
    free(x);
}

static void noise_variance_has_its_conditional(void **state)
{
    (void)state;
    check_noise_variance(200, 1, false, false);
    check_noise_variance(201, 2.5, false, true);
    check_noise_variance(202, 0.3, true, false);
    check_noise_variance(203, 7, true, true);
}

/* Without a target the prior is left: its density in log rho2, by differences of the distribution function. */
static void log_own_is_the_density_of_the_prior(void **state)
{
    (void)state;
    const struct inverse_gamma prior = {1, 0.5};
    const double h = 1e-4;
    for (double log_rho2 = -2; log_rho2 < 8; log_rho2 += 0.25) {
        const gb_response response = {.ops = &gb_response_gaussian, .cost = 3, .own = (double[]){exp(log_rho2)}};
        const double density =
            (log_inverse_gamma_cdf(log_rho2 + h, &prior) - log_inverse_gamma_cdf(log_rho2 - h, &prior)) / (2 * h);
        assert_true(fabs(exp(response.ops->own->log_density(&response)) / density - 1) < 1e-5);
    }
}

static void a_noise_variance_without_targets_has_its_prior(void **state)
{
    (void)state;
    const struct inverse_gamma prior = {1, 0.5};
    const gb_scored_targets none = {.n_docs = 1, .stride = 1, .y = &(double){NAN}, .score = &(double){0}};
    double variance = 1;
    const gb_response response = {.ops = &gb_response_gaussian, .cost = 1, .own = &variance};
    gb_random r = law_stream(210);
    double *x = law_room(LAW_DRAWS);
    for (size_t i = 0; i < LAW_DRAWS; i++) {
        response.ops->own->draw(&response, &none, &r, &variance, NULL);
        x[i] = log(variance);
    }
    law_check_cdf("noise variance, prior", LAW_DRAWS, x, log_inverse_gamma_cdf, &prior);
    free(x);
}

/* ---- r ---- */

/* log of the posterior density of x = log r given scores, up to a constant; lambda integrated out. */
static double log_dispersion_density(const gb_scored_targets *t, double x)
{
    const double r = exp(x);
    double sum = x - 0.1 * r; /* the prior, Gamma(1, 0.1), in log r */
    for (size_t d = 0; d < t->n_docs; d++) {
        const double y = t->y[d * t->stride], s = t->score[d * t->stride] + (t->offset != NULL ? t->offset[d] : 0);
        if (!isnan(y))
            sum += lgamma(y + r) - lgamma(r) - r * log1p(exp(s));
    }
    return sum;
}

static law_table dispersion_table(const gb_scored_targets *t)
{
    law_table law = law_table_make(-14, 1000, 24000); /* of log r */
    double largest = -INFINITY;
    for (size_t i = 0; i < law.n; i++) {
        law.cdf[i] = log_dispersion_density(t, law_table_point(&law, i));
        largest = fmax(largest, law.cdf[i]);
    }
    for (size_t i = 0; i < law.n; i++)
        law.cdf[i] = exp(law.cdf[i] - largest);
    law_table_add_up(&law);
    return law;
}

/* One step from an exact draw gives an exact draw; many steps from far away give one too. */
static void check_dispersion(uint64_t item, const gb_scored_targets *targets, double from, size_t n_steps, size_t n)
{
    law_table law = dispersion_table(targets);
    double *x = law_room(n);
    gb_random r = law_stream(item);
    for (size_t i = 0; i < n; i++) {
        double dispersion = from;
        const gb_response response = {.ops = &gb_response_negative_binomial, .cost = 1, .own = &dispersion};
        if (from == 0)
            dispersion = exp(law_table_quantile(&law, gb_random_uniform(&r)));
        for (size_t step = 0; step < n_steps; step++)
            response.ops->own->draw(&response, targets, &r, &dispersion, NULL);
        x[i] = log(dispersion);
    }
    law_check_cdf("dispersion", n, x, law_table_cdf, &law);
    free(x);
    free(law.cdf);
}

static void dispersion_has_its_posterior(void **state)
{
    (void)state;
    documents d = make_documents(true);
    gb_scored_targets targets = {.n_docs = N_DOCS, .stride = STRIDE, .y = d.y + 2, .score = d.score + 2};
    check_dispersion(300, &targets, 0, 1, LAW_DRAWS / 2);
    check_dispersion(301, &targets, 100, 60, LAW_DRAWS / 20);
    targets.offset = d.offset;
    check_dispersion(302, &targets, 0, 1, LAW_DRAWS / 2);
    check_dispersion(303, &targets, 0.001, 60, LAW_DRAWS / 20);
}

static void a_dispersion_without_counts_has_its_prior(void **state)
{
    (void)state;
    const gb_scored_targets none = {.n_docs = 1, .stride = 1, .y = &(double){NAN}, .score = &(double){0}};
    check_dispersion(310, &none, 3, 1, LAW_DRAWS);
    for (double log_r = -3; log_r < 4; log_r += 0.25) {
        const gb_response response = {
            .ops = &gb_response_negative_binomial, .cost = 1, .own = (double[]){exp(log_r)}};
        const double density = 0.1 * exp(log_r - 0.1 * exp(log_r));
        assert_true(fabs(exp(response.ops->own->log_density(&response)) / density - 1) < 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_have_their_stated_law),
        cmocka_unit_test(counts_have_their_stated_law),
        cmocka_unit_test(dispersion_has_its_posterior),
        cmocka_unit_test(a_dispersion_without_counts_has_its_prior),
        cmocka_unit_test(noise_variance_has_its_conditional),
        cmocka_unit_test(log_own_is_the_density_of_the_prior),
        cmocka_unit_test(a_noise_variance_without_targets_has_its_prior),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
