/* plan/response_defaults.c - what each response takes where the user says nothing. */
#include "plan/response_defaults.h"

#include <math.h>

/* ---- words beside topics ---- */

/* By (3) of response/hinge.c omega is about c / |zeta|, and C squared hinges have the curvature 2 C.  With scores that vary by about u around 0, |zeta| is about
 * (ell^2 + u)^(1/2), so that
 *
 *     u = 2 C |zeta| / c,     u^2 = a^2 (ell^2 + u)     with a = 2 C / c */
static double words_of_hinge(const gb_response *response, double penalty, double error)
{
    const double a = 2 * penalty / response->cost, ell = response->margin;
    (void)error;
    return a * (a + sqrt(a * a + 4 * ell * ell)) / 2;
}

/* Where scores are near 0 omega is about c / 4, with labels as good as a number of 2 or -2: u = 8 C / c would weigh words as C squared
 * hinges do.  Beside topics twice that is better (docs/measured/accuracy.md). */
static double words_of_logistic(const gb_response *response, double penalty, double error)
{
    (void)error;
    return 16 * penalty / response->cost;
}

/* C = u / (2 rho2), and a new document's error is rho2 and what its words would add, about u.  With cost 1 the response is a likelihood,
 * in which u and rho2 are better drawn together. */
static double words_of_number(const gb_response *response, double penalty, double error)
{
    return response->cost == 1 ? 0 : error * 2 * penalty / (1 + 2 * penalty) / response->cost;
}

/* ---- the table ---- */

static const gb_response_defaults hinge = {
    .cost = 32, .variance = 0.01, .reach = 8, .scores_in_margins = true, .word_variance = words_of_hinge};
static const gb_response_defaults logistic = {
    .cost = 256, .variance = 0.01, .reach = 25, .word_variance = words_of_logistic};
static const gb_response_defaults probit = {.cost = 1, .variance = 1};
static const gb_response_defaults gaussian = {
    .cost = 1,
    .variance = 10,
    .samples_variance = true,
    .trial = {{.cost = 1}, {.cost = 4, .variance = 0.1}, {.cost = 16, .variance = 0.03}},
    .word_variance = words_of_number};
static const gb_response_defaults insensitive = {
    .cost = 16, .variance = 0.1, .trial = {{.cost = 1}, {.cost = 4}, {.cost = 16}}, .word_variance = words_of_number};
static const gb_response_defaults negative_binomial = {.cost = 1, .variance = 1};
static const gb_response_defaults ordinal = {.cost = 1, .variance = 10};

/* In the order of the table of responses. */
#define ADDRESS_OF(identifier, name, targets) &(identifier),
static const gb_response_defaults *const defaults[] = {GB_RESPONSES(ADDRESS_OF)};
#undef ADDRESS_OF

const gb_response_defaults *gb_response_defaults_of(const gb_response_ops *ops)
{
    size_t i = 0;
    while (gb_response_at(i) != ops)
        i++;
    return defaults[i];
}

/* ---- costs and variances ---- */

/* Of several classes a document has, each score has a yes and a no of its own; of one class only, a yes stands against all other
 * classes' no, and the more there are the more it has to count. */
double gb_response_cost_for(const gb_response_ops *ops, size_t n_classes, bool several, bool has_words)
{
    const gb_response_defaults *by_default = gb_response_defaults_of(ops);
    if (by_default->reach == 0)
        return by_default->cost;
    if (has_words && n_classes <= 2 && !several) /* words tell two classes apart; topics need not be bent to it */
        return 1;
    return several ? 5 : fmin(fmax(2 * (double)n_classes, 4), 40);
}

/* Scores of the same size in units of 1/c: neither a larger nor a smaller cost asks for what coefficients cannot reach. */
double gb_response_variance_for(const gb_response_ops *ops, double cost)
{
    const double most = 10;
    const gb_response_defaults *by_default = gb_response_defaults_of(ops);
    return by_default->reach == 0 ? by_default->variance : fmin(by_default->reach / (cost * cost), most);
}

double gb_covariate_variance_for(double cost)
{
    return 1 / cost;
}

gb_status gb_response_choose(const char *name, double cost, double margin, double epsilon, gb_response *out,
                             gb_error *err)
{
    const gb_response_ops *ops = gb_response_find(name);
    if (ops == NULL)
        return gb_fail(err, GB_EARGUMENT, "`response` has no \"%s\"", name);
    *out = (gb_response){.ops = ops,
                         .cost = cost > 0 ? cost : gb_response_defaults_of(ops)->cost,
                         .margin = margin,
                         .epsilon = epsilon};
    return GB_OK;
}
