/* engine/new_document.c - what a document prior says of a document that training did not have. */
#include "engine/new_document.h"

static void normalise(size_t n, double *x)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += x[k];
    for (size_t k = 0; k < n; k++)
        x[k] /= sum;
}

/* Base weights next to a unit of 1 are the parameters of a Dirichlet; without counts they are the proportions. */
void gb_new_document_proportions(const gb_prior *prior, uint64_t doc, gb_random *r, double *theta)
{
    prior->ops->base(prior, doc, theta);
    if (prior->ops->unit > 0)
        gb_random_dirichlet(r, prior->n_topics, theta, theta);
    else
        normalise(prior->n_topics, theta);
}

/* No prior of today has a state of a new document: Dirichlet proportions are integrated out, uniform ones fixed. */
void gb_new_document_base(const gb_prior *prior, uint64_t doc, const uint32_t *count, uint64_t length, gb_random *r,
                          double *base)
{
    (void)count, (void)length, (void)r;
    prior->ops->base(prior, doc, base);
}
