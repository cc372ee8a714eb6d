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

const gb_own_parameter *gb_response_own_parameter(const gb_response_ops *ops, size_t i)
{
    const gb_own_parameter *parameter = ops->own == NULL ? NULL : ops->own->parameter;
    return parameter != NULL && i < GB_MAX_OWN_PARAMETERS && parameter[i].name != NULL ? &parameter[i] : NULL;
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
        const double p = response->ops->level_probability(response, level, score, 0);
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
        weight[l] = response->ops->classes->probability(response, score[l]);
}
