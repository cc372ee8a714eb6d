/* model/burn_in.c - how long burn-in was, where the chains found that out themselves. */
#include "model/model.h"

static json_t *entry(const gb_model *model, const char *name, uint64_t chain)
{
    return json_array_get(json_object_get(model->burn_in, name), chain);
}

uint64_t gb_model_n_burn_ins(const gb_model *model)
{
    return json_array_size(json_object_get(model->burn_in, "sweeps"));
}

uint64_t gb_model_burn_in(const gb_model *model, uint64_t chain)
{
    return (uint64_t)json_integer_value(entry(model, "sweeps", chain));
}

bool gb_model_burn_in_is_found(const gb_model *model, uint64_t chain)
{
    return json_is_true(entry(model, "found", chain));
}
