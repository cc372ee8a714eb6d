/* response/response.c - the table of responses, made from the rows of options/responses.h. */
#include "response/response.h"

#include "base/bounds.h"

#include <math.h>
#include <string.h>

#define ADDRESS_OF(identifier, name, targets) &gb_response_##identifier,
static const gb_response_ops *const responses[] = {GB_RESPONSES(ADDRESS_OF)};
#undef ADDRESS_OF

const gb_response_ops *gb_response_find(const char *name)
{
    for (size_t i = 0; i < sizeof responses / sizeof responses[0]; i++)
        if (strcmp(responses[i]->name, name) == 0)
            return responses[i];
    return NULL;
}

const gb_response_ops *gb_response_at(size_t i)
{
    return i < sizeof responses / sizeof responses[0] ? responses[i] : NULL;
}

const gb_response_ops *gb_response_default(gb_target_kind target)
{
    size_t i = 0;
    while (responses[i]->target != target)
        i++;
    return responses[i];
}

const char *gb_target_kind_name(gb_target_kind kind)
{
    static const char *const names[] = {"classes", "numbers", "counts", "levels"};
    return names[kind];
}

gb_status gb_response_choose(const char *name, double cost, double margin, double epsilon, gb_response *out,
                             gb_error *err)
{
    const gb_response_ops *ops = gb_response_find(name);
    if (ops == NULL)
        return gb_fail(err, GB_EARGUMENT, "`response` has no \"%s\"", name);
    if (cost > 0 && ops->no_cost != NULL)
        return gb_fail(err, GB_EARGUMENT, "`cost` does not go with `response` %s: %s", name, ops->no_cost);
    *out =
        (gb_response){.ops = ops, .cost = cost > 0 ? cost : ops->default_cost, .margin = margin, .epsilon = epsilon};
    return GB_OK;
}

/* Of several classes a document has, each score has a yes and a no of its own; of one class only, a yes stands against all other
 * classes' no, and the more there are the more it has to count (docs/measured/defaults.md). */
double gb_response_cost_for(const gb_response_ops *ops, size_t n_classes, bool several, bool has_words)
{
    if (ops->reach == 0)
        return ops->default_cost;
    if (has_words && n_classes <= 2 && !several) /* words tell two classes apart; topics need not be bent to it */
        return 1;
    return several ? 5 : fmin(fmax(2 * (double)n_classes, 4), 40);
}

/* Scores of the same size in units of 1/c: neither a larger nor a smaller cost asks for what coefficients cannot reach. */
double gb_response_variance_for(const gb_response_ops *ops, double cost)
{
    const double most = 10;
    return ops->reach == 0 ? ops->default_variance : fmin(ops->reach / (cost * cost), most);
}

double gb_covariate_variance_for(double cost)
{
    return 1 / cost;
}

const gb_own_parameter *gb_response_own_parameter(const gb_response_ops *ops, size_t i)
{
    return i < GB_MAX_OWN_PARAMETERS && ops->own[i].name != NULL ? &ops->own[i] : NULL;
}

size_t gb_own_parameter_size(const gb_own_parameter *parameter, size_t n_levels)
{
    return parameter->per_boundary ? n_levels - 1 : 1;
}

size_t gb_response_count_own(const gb_response *response)
{
    size_t n = 0;
    const gb_own_parameter *parameter;
    for (size_t i = 0; (parameter = gb_response_own_parameter(response->ops, i)) != NULL; i++)
        n += gb_own_parameter_size(parameter, response->n_levels);
    return n;
}

void gb_response_start_own(const gb_response *response, double *own)
{
    const gb_own_parameter *parameter;
    for (size_t i = 0; (parameter = gb_response_own_parameter(response->ops, i)) != NULL; i++) {
        const size_t n = gb_own_parameter_size(parameter, response->n_levels);
        for (size_t j = 0; j < n; j++)
            *own++ =
                parameter->per_boundary ? parameter->start * ((double)j - 0.5 * (double)(n - 1)) : parameter->start;
    }
}

/* Some are variances: squares of numbers that are bounded. */
static bool can_have(const gb_own_parameter *parameter, size_t n, const double *value)
{
    for (size_t j = 0; j < n; j++) {
        if (!(fabs(value[j]) <= GB_LARGEST * GB_LARGEST) || (parameter->domain == GB_OWN_POSITIVE && !(value[j] > 0)))
            return false;
        if (parameter->domain == GB_OWN_ASCENDING && j > 0 && !(value[j] > value[j - 1]))
            return false;
    }
    return true;
}

const char *gb_response_own_fault(const gb_response *response)
{
    const double *value = response->own;
    const gb_own_parameter *parameter;
    for (size_t i = 0; (parameter = gb_response_own_parameter(response->ops, i)) != NULL; i++) {
        const size_t n = gb_own_parameter_size(parameter, response->n_levels);
        if (!can_have(parameter, n, value))
            return parameter->name;
        value += n;
    }
    return NULL;
}

/* Counts, then where levels end, then each document from behind to the last free place of its level, until levels begin there. */
void gb_sort_by_level(uint64_t n_docs, size_t stride, const double *y, size_t n_levels, uint64_t *by_level,
                      uint64_t *level_start)
{
    memset(level_start, 0, (n_levels + 1) * sizeof *level_start);
    for (uint64_t d = 0; d < n_docs; d++)
        if (!isnan(y[d * stride]))
            level_start[(size_t)y[d * stride] - 1]++;
    for (size_t j = 1; j <= n_levels; j++)
        level_start[j] += level_start[j - 1];
    for (uint64_t d = n_docs; d-- > 0;)
        if (!isnan(y[d * stride]))
            by_level[--level_start[(size_t)y[d * stride] - 1]] = d;
}

size_t gb_response_likely_level(const gb_response *response, double score)
{
    size_t best = 1;
    double largest = -1;
    for (size_t level = 1; level <= response->n_levels; level++) {
        const double p = response->ops->level_probability(response, level, score);
        if (p > largest) {
            largest = p;
            best = level;
        }
    }
    return best;
}

void gb_response_independent_classes(const gb_response *response, size_t n, const double *score, double *weight)
{
    for (size_t l = 0; l < n; l++)
        weight[l] = response->ops->probability(response, score[l]);
}
