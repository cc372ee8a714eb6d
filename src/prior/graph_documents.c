/* prior/graph_documents.c - log weights of documents whose group may be a new one.
 *
 * A document of a group that the graph has is as under any prior with log weights.  One of a new group has a mean and a spread
 * of its own, so it is handed on with a prior whose law is its own. */
#include "prior/new_groups.h"
#include "prior/psi_state.h"

#include <math.h>

enum { N_LANES = 8 };

/* The precision of one document's psi, where that is full. */
static size_t n_scratch_of_psi(const gb_prior_setup *setup)
{
    return (gb_psi_scratch(gb_psi_n_free(setup)) + N_LANES - 1) / N_LANES * N_LANES;
}

static size_t n_scratch(const gb_prior_setup *setup)
{
    const size_t n_free = gb_psi_n_free(setup),
                 full = ((const gb_psi_setup *)setup->own)->is_full ? n_free * n_free : 0;
    return n_scratch_of_psi(setup) + full;
}

static bool is_new(const gb_prior *prior, uint32_t group)
{
    return prior->new_groups != NULL && group >= ((const gb_psi_setup *)prior->setup->own)->n_groups;
}

/* The prior of documents of one new group: its group 0. */
typedef struct own_prior {
    gb_psi_state state;
    gb_prior prior;
    double widening;
} own_prior;

static void open_own(own_prior *out, const gb_prior *prior, uint32_t group)
{
    const size_t i = group - ((const gb_psi_setup *)prior->setup->own)->n_groups;
    const gb_new_group_law law = gb_new_groups_law(prior->new_groups, i);
    out->state = *(const gb_psi_state *)prior->state;
    out->state.law.mean = law.mean;
    if (law.precision != NULL)
        out->state.law.precision = law.precision;
    out->widening = law.precision != NULL ? 1 : law.widening;
    out->prior = *prior;
    out->prior.state = &out->state;
}

static void begin(const gb_prior *prior, const gb_prior_document *document)
{
    own_prior own;
    gb_prior_document as_first = *document;
    if (!is_new(prior, document->group)) {
        gb_psi_document_ops.begin(prior, document);
        return;
    }
    as_first.group = 0;
    open_own(&own, prior, document->group);
    gb_psi_document_ops.begin(&own.prior, &as_first);
}

/* With the full precision of the group, in the scratch memory. */
static void open_widened(own_prior *out, const gb_prior *prior, uint32_t group, double *scratch)
{
    const size_t n_free = gb_psi_n_free(prior->setup);
    double *full = scratch + n_scratch_of_psi(prior->setup);
    open_own(out, prior, group);
    for (size_t i = 0; out->state.law.full != NULL && i < n_free * n_free; i++)
        full[i] = out->state.law.full[i] / out->widening;
    if (out->state.law.full != NULL)
        out->state.law.full = full;
}

static void redraw_new(const gb_prior *prior, const gb_prior_document *document, double *scratch)
{
    own_prior own;
    gb_prior_document as_first = *document;
    as_first.group = 0;
    open_widened(&own, prior, document->group, scratch);
    gb_psi_document_ops.redraw(&own.prior, 1, &as_first, scratch);
}

/* Documents of groups that there are go on together, as many as follow one another. */
static void redraw(const gb_prior *prior, size_t n, const gb_prior_document *document, double *scratch)
{
    for (size_t first = 0, last; first < n; first = last) {
        last = first + 1;
        if (is_new(prior, document[first].group)) {
            redraw_new(prior, &document[first], scratch);
            continue;
        }
        while (last < n && !is_new(prior, document[last].group))
            last++;
        gb_psi_document_ops.redraw(prior, last - first, document + first, scratch);
    }
}

static void settle(const gb_prior *prior, const gb_prior_document *document, const double *expected, double *unit,
                   double *scratch)
{
    own_prior own;
    gb_prior_document as_first = *document;
    if (!is_new(prior, document->group)) {
        gb_psi_document_ops.settle(prior, document, expected, unit, scratch);
        return;
    }
    as_first.group = 0;
    open_widened(&own, prior, document->group, scratch);
    gb_psi_document_ops.settle(&own.prior, &as_first, expected, unit, scratch);
}

static void draw_shares(const gb_prior *prior, uint32_t group, gb_random *random, double *share)
{
    own_prior own;
    const size_t n_free = gb_psi_n_free(prior->setup);
    if (!is_new(prior, group)) {
        gb_psi_document_ops.draw_shares(prior, group, random, share);
        return;
    }
    open_own(&own, prior, group);
    gb_psi_draw(&own.state.law, random, 0, share);
    for (size_t t = 0; t < n_free; t++)
        share[t] = own.state.law.mean[t] + sqrt(own.widening) * (share[t] - own.state.law.mean[t]);
    gb_psi_log_shares(&own.state.law, share, share);
    for (size_t k = 0; k < prior->n_topics; k++)
        share[k] = exp(share[k]);
}

static size_t n_numbers(const gb_prior_setup *setup)
{
    return gb_psi_document_ops.n_numbers(setup);
}

static void adopt(const gb_prior *prior, const gb_prior_document *document)
{
    gb_psi_document_ops.adopt(prior, document);
}

static void expect(const gb_prior *prior, uint32_t group, size_t n_scores, const double *eta, double *room,
                   double *share, double *answer)
{
    own_prior own;
    if (!is_new(prior, group)) {
        gb_psi_document_ops.expect(prior, group, n_scores, eta, room, share, answer);
        return;
    }
    open_own(&own, prior, group);
    gb_psi_expect(&own.state.law, 0, sqrt(own.widening), n_scores, eta, room, share, answer);
}

const gb_prior_document_ops gb_graph_document_ops = {.n_numbers = n_numbers,
                                                     .n_scratch = n_scratch,
                                                     .begin = begin,
                                                     .adopt = adopt,
                                                     .redraw = redraw,
                                                     .settle = settle,
                                                     .expect = expect,
                                                     .draw_shares = draw_shares};
