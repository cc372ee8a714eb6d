/* apply/new_document.c - a document that training did not have, as its prior sees it. */
#include "apply/new_document.h"

#include <math.h>

static gb_prior_document with_memory(const gb_prior_document *document, double *numbers, double *base)
{
    gb_prior_document own = *document;
    own.numbers = numbers;
    own.base = base;
    return own;
}

void gb_new_document_begin(const gb_prior *prior, const gb_prior_document *document, double *numbers, double *base)
{
    const gb_prior_document own = with_memory(document, numbers, base);
    prior->ops->documents->begin(prior, &own);
}

void gb_new_document_adopt(const gb_prior *prior, const gb_prior_document *document, double *numbers, double *base)
{
    const gb_prior_document own = with_memory(document, numbers, base);
    if (prior->ops->documents->adopt != NULL)
        prior->ops->documents->adopt(prior, &own);
}

/* The state of the priors that keep one is the logarithms of proportions, less the logarithm of the last topic's. */
void gb_new_document_start(const gb_prior *prior, const gb_prior_document *document, double *numbers, double *base)
{
    const size_t last = prior->n_topics - 1;
    gb_new_document_begin(prior, document, numbers, base);
    if (prior->ops->documents->redraw == NULL)
        return;
    gb_random random = gb_random_open(document->key, document->sweep, GB_DRAW_HELD_PRIOR, document->row);
    prior->ops->documents->draw_shares(prior, document->group, &random, base);
    for (size_t k = 0; k < last; k++)
        numbers[k] = log(fmax(base[k], 1e-300)) - log(fmax(base[last], 1e-300));
}

void gb_new_document_redraw(const gb_prior *prior, const gb_prior_document *document, double *numbers, double *base)
{
    const gb_prior_document own = with_memory(document, numbers, base);
    if (prior->ops->documents->redraw != NULL)
        prior->ops->documents->redraw(prior, 1, &own, numbers + gb_prior_document_numbers(prior->setup));
}
