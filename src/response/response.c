/* response/response.c - the table of responses: adding one is a file and a row here. */
#include "response/response.h"

#include <math.h>
#include <string.h>

static const gb_response_ops *const responses[] = {&gb_response_hinge,       &gb_response_logistic,
                                                   &gb_response_probit,      &gb_response_gaussian,
                                                   &gb_response_insensitive, &gb_response_negative_binomial};

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

const gb_response_ops *gb_response_default(bool is_number)
{
    size_t i = 0;
    while (responses[i]->target != (is_number ? GB_TARGET_NUMBER : GB_TARGET_CLASS))
        i++;
    return responses[i];
}

gb_status gb_response_choose(const char *name, double cost, double margin, double epsilon, gb_response *out,
                             gb_error *err)
{
    const gb_response_ops *ops = gb_response_find(name);
    if (ops == NULL)
        return gb_fail(err, GB_EARGUMENT, "--response has no \"%s\"", name);
    if (cost > 0 && ops->no_cost != NULL)
        return gb_fail(err, GB_EARGUMENT, "--cost does not go with --response %s: %s", name, ops->no_cost);
    *out =
        (gb_response){.ops = ops, .cost = cost > 0 ? cost : ops->default_cost, .margin = margin, .epsilon = epsilon};
    return GB_OK;
}

const gb_own_parameter *gb_response_own_parameter(const gb_response_ops *ops, size_t i)
{
    return i < GB_MAX_OWN_PARAMETERS && ops->own[i].name != NULL ? &ops->own[i] : NULL;
}

size_t gb_response_count_own(const gb_response *response)
{
    size_t n = 0;
    while (gb_response_own_parameter(response->ops, n) != NULL)
        n++;
    return n;
}

void gb_response_start_own(const gb_response *response, double *own)
{
    const gb_own_parameter *parameter;
    for (size_t i = 0; (parameter = gb_response_own_parameter(response->ops, i)) != NULL; i++)
        own[i] = parameter->start;
}

const char *gb_response_own_fault(const gb_response *response)
{
    const gb_own_parameter *parameter;
    for (size_t i = 0; (parameter = gb_response_own_parameter(response->ops, i)) != NULL; i++)
        if (!(response->own[i] > 0) || !isfinite(response->own[i]))
            return parameter->name;
    return NULL;
}

void gb_response_independent_classes(const gb_response *response, size_t n, const double *score, double *weight)
{
    for (size_t l = 0; l < n; l++)
        weight[l] = response->ops->probability(response, score[l]);
}
