/* prior/psi_documents.c - log weights of documents outside a chain, parameters given. */
#include "prior/psi_state.h"

#include <math.h>
#include <string.h>

enum { N_LANES = 8 };

#define GB_PSI_LEAST 1e-300 /* weight of a topic, for its logarithm */

/* psi of a document, room filled up so that the next document's is aligned. */
static size_t n_numbers(const gb_prior_setup *setup)
{
    return (gb_psi_n_free(setup) + N_LANES - 1) / N_LANES * N_LANES;
}

static size_t n_scratch(const gb_prior_setup *setup)
{
    return gb_psi_scratch(gb_psi_n_free(setup));
}

static void begin(const gb_prior *prior, const gb_prior_document *document)
{
    const gb_psi_state *s = prior->state;
    double sum = 0;
    memcpy(document->numbers, s->law.mean + document->group * s->n_free, s->n_free * sizeof *document->numbers);
    gb_psi_weights(s->n_free, document->numbers, prior->isa, document->base);
    for (size_t k = 0; k < prior->n_topics; k++)
        sum += document->base[k];
    for (size_t k = 0; k < prior->n_topics; k++)
        document->base[k] *= GB_PRIOR_START_SUM / sum;
}

/* psi_t = log (n_t + base_t) / (n_K + base_K); a base of 0 is too small for a double, so one of the smallest is in its place. */
static void adopt(const gb_prior *prior, const gb_prior_document *document)
{
    const size_t n = gb_psi_n_free(prior->setup);
    const double last = log(fmax(document->count[n] + document->base[n], GB_PSI_LEAST));
    for (size_t t = 0; t < n; t++)
        document->numbers[t] = log(fmax(document->count[t] + document->base[t], GB_PSI_LEAST)) - last;
    gb_psi_weights(n, document->numbers, prior->isa, document->base);
}

static void redraw(const gb_prior *prior, size_t n, const gb_prior_document *document, double *scratch)
{
    enum { AT_ONCE = 32 };
    gb_psi_document psi[AT_ONCE];
    for (size_t done = 0, here; done < n; done += here, document += here) {
        const gb_psi_redrawing how = gb_psi_redrawing_of(prior, document->key, document->sweep, GB_DRAW_INFER_PSI);
        here = n - done < AT_ONCE ? n - done : AT_ONCE;
        for (size_t i = 0; i < here; i++)
            psi[i] = (gb_psi_document){.item = document[i].row,
                                       .group = document[i].group,
                                       .count = document[i].count,
                                       .psi = document[i].numbers};
        gb_psi_redraw_documents(&how, here, psi, scratch);
        for (size_t i = 0; i < here; i++)
            gb_psi_weights(gb_psi_n_free(prior->setup), document[i].numbers, prior->isa, document[i].base);
    }
}

static void draw_shares(const gb_prior *prior, uint32_t group, gb_random *random, double *share)
{
    const gb_psi_state *s = prior->state;
    gb_psi_draw(&s->law, random, group, share);
    gb_psi_log_shares(s->n_free, share, share);
    for (size_t k = 0; k < prior->n_topics; k++)
        share[k] = exp(share[k]);
}

const gb_prior_document_ops gb_psi_document_ops = {.n_numbers = n_numbers,
                                                   .n_scratch = n_scratch,
                                                   .begin = begin,
                                                   .adopt = adopt,
                                                   .redraw = redraw,
                                                   .draw_shares = draw_shares};
