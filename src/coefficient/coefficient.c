/* coefficient/coefficient.c - the two lists, and the scales that a chain keeps for its prior. */
#include "coefficient/parts.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "math/special.h"

#include <math.h>
#include <string.h>

/* ---- priors ---- */

const gb_coefficient_prior_ops *gb_coefficient_prior_find(const char *name)
{
    static const gb_coefficient_prior_ops *const priors[] = {&gb_coefficient_normal, &gb_coefficient_horseshoe};
    for (size_t i = 0; i < sizeof priors / sizeof priors[0]; i++)
        if (strcmp(priors[i]->name, name) == 0)
            return priors[i];
    return NULL;
}

double gb_log_normal_density(double x, double precision)
{
    return (log(precision) - GB_LOG_2PI - precision * x * x) / 2;
}

gb_coefficient_scales gb_coefficient_scales_size(const gb_coefficient_prior *prior, size_t n_outputs,
                                                 gb_layout layout)
{
    return (gb_coefficient_scales){
        .prior = prior, .n_outputs = n_outputs, .layout = layout, .n = prior->ops->n_scales(prior, &layout)};
}

void gb_coefficient_scales_list(void *scales, const gb_array_visitor *v)
{
    gb_coefficient_scales *s = scales;
    GB_STATE_ARRAY(v, "coefficient_scales", s->square, GB_REPLICATED, GB_POSITIVE, s->n_outputs, s->n);
}

gb_status gb_coefficient_scales_create(gb_coefficient_scales *out, const gb_coefficient_prior *prior,
                                       size_t n_outputs, gb_layout layout, gb_error *err)
{
    gb_coefficient_scales scales = gb_coefficient_scales_size(prior, n_outputs, layout);
    gb_status st = gb_arrays_allocate(gb_coefficient_scales_list, &scales, "the coefficients' scales", err);
    if (st != GB_OK)
        return st;
    for (size_t l = 0; l < n_outputs && scales.n > 0; l++)
        prior->ops->begin(prior, &scales.layout, scales.square + l * scales.n);
    *out = scales;
    return GB_OK;
}

void gb_coefficient_scales_clear(gb_coefficient_scales *scales)
{
    gb_arrays_free(gb_coefficient_scales_list, scales);
    *scales = (gb_coefficient_scales){.n = 0};
}

struct scales_draw {
    gb_coefficient_scales *scales;
    const double *eta;
    gb_key key;
    uint32_t sweep;
};

static gb_status draw_output(void *context, size_t output, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    struct scales_draw *draw = context;
    gb_coefficient_scales *scales = draw->scales;
    gb_random random = gb_random_open(draw->key, draw->sweep, GB_DRAW_SCALES, output);
    scales->prior->ops->draw_scales(scales, output, draw->eta + output * scales->layout.n_features, &random);
    return GB_OK;
}

gb_status gb_coefficient_scales_draw(gb_coefficient_scales *scales, const double *eta, gb_key key, uint32_t sweep,
                                     size_t n_threads, gb_error *err)
{
    struct scales_draw draw = {scales, eta, key, sweep};
    if (scales->n == 0)
        return GB_OK;
    return gb_parallel_for(scales->n_outputs, n_threads, draw_output, &draw, err);
}

/* ---- samplers ---- */

/* Where the block is too large, columns of covariates leave it first: there may be thousands, each of few documents. */
const gb_coefficient_sampler *gb_coefficient_sampler_find(const char *name, size_t n_topics, size_t n_columns)
{
    static const gb_coefficient_sampler *const samplers[] = {&gb_coefficient_block, &gb_coefficient_coordinate,
                                                             &gb_coefficient_mixed, &gb_coefficient_conjugate};
    if (strcmp(name, "auto") == 0)
        return n_topics + n_columns + 1 <= GB_MOST_FEATURES_IN_BLOCK ? &gb_coefficient_block
               : n_topics + 1 <= GB_MOST_FEATURES_IN_BLOCK           ? &gb_coefficient_mixed
                                                                     : &gb_coefficient_coordinate;
    for (size_t i = 0; i < sizeof samplers / sizeof samplers[0]; i++)
        if (strcmp(samplers[i]->name, name) == 0)
            return samplers[i];
    return NULL;
}
