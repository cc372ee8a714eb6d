/* model/burn_in.c - what is known of the chains before their first draw: how long burn-in was, where they found that out themselves, and
 * which topics short chains had that were pooled. */
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

bool gb_pooled_is_sound(const json_t *pooled, size_t n_topics)
{
    const json_t *found = json_object_get(pooled, "found");
    const json_int_t n_chains = json_integer_value(json_object_get(pooled, "chains"));
    if (n_chains < 1 || json_array_size(found) != n_topics)
        return false;
    for (size_t k = 0; k < n_topics; k++) {
        const json_int_t n = json_integer_value(json_array_get(found, k));
        if (n < 0 || n > n_chains)
            return false;
    }
    return true;
}

uint64_t gb_model_n_pooled(const gb_model *model)
{
    return (uint64_t)json_integer_value(json_object_get(model->pooled, "chains"));
}

uint64_t gb_model_n_found(const gb_model *model, uint64_t topic)
{
    return (uint64_t)json_integer_value(json_array_get(json_object_get(model->pooled, "found"), topic));
}
