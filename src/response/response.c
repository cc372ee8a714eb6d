/* response/response.c - the table of responses: adding one is a file and a row here. */
#include "response/response.h"

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
    *out = (gb_response){.ops = ops,
                         .cost = cost > 0 ? cost : ops->default_cost,
                         .margin = margin,
                         .epsilon = epsilon,
                         .nuisance = ops->default_nuisance};
    return GB_OK;
}

void gb_response_independent_classes(const gb_response *response, size_t n, const double *score, double *weight)
{
    for (size_t l = 0; l < n; l++)
        weight[l] = response->ops->probability(response, score[l]);
}
