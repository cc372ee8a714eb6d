/* prior/prior.c - the table of document priors: adding one is a file and a row here. */
#include "prior/prior.h"

#include "base/memory.h"

#include <string.h>

static const gb_prior_ops *const priors[] = {&gb_prior_dirichlet, &gb_prior_uniform};

const gb_prior_ops *gb_prior_find(const char *name)
{
    for (size_t i = 0; i < sizeof priors / sizeof priors[0]; i++)
        if (strcmp(priors[i]->name, name) == 0)
            return priors[i];
    return NULL;
}

gb_status gb_prior_create(gb_prior *out, const gb_prior_ops *ops, size_t n_topics, const double *alpha,
                          bool optimise_alpha, gb_error *err)
{
    *out = (gb_prior){.ops = ops, .n_topics = n_topics, .optimise_alpha = optimise_alpha};
    gb_status st = gb_alloc(&out->alpha, n_topics, sizeof *out->alpha, "the document prior", err);
    if (st == GB_OK)
        memcpy(out->alpha, alpha, n_topics * sizeof *alpha);
    return st;
}

void gb_prior_clear(gb_prior *prior)
{
    gb_free(prior->alpha);
    *prior = (gb_prior){0};
}
