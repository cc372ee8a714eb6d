/* model/acceptance.c - how often a Metropolis-Hastings sampler accepted what it proposed. */
#include "model/model.h"

#include <math.h>

uint64_t gb_model_n_proposals(const gb_model *model)
{
    return json_object_size(model->acceptance);
}

static json_t *shares_of(const gb_model *model, uint64_t proposal, const char **name)
{
    uint64_t i = 0;
    const char *key;
    json_t *shares;
    json_object_foreach(model->acceptance, key, shares)
    {
        if (i++ == proposal) {
            *name = key;
            return shares;
        }
    }
    return NULL;
}

const char *gb_model_proposal(const gb_model *model, uint64_t proposal)
{
    const char *name = NULL;
    (void)shares_of(model, proposal, &name);
    return name;
}

uint64_t gb_model_n_acceptances(const gb_model *model)
{
    const char *name;
    return json_array_size(shares_of(model, 0, &name));
}

double gb_model_acceptance(const gb_model *model, uint64_t proposal, uint64_t chain)
{
    const char *name;
    const json_t *share = json_array_get(shares_of(model, proposal, &name), chain);
    return json_is_number(share) ? json_number_value(share) : NAN;
}
