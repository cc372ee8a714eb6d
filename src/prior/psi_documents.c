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
    gb_psi_weights(&s->law, document->numbers, prior->isa, document->base);
    for (size_t k = 0; k < prior->n_topics; k++)
        sum += document->base[k];
    for (size_t k = 0; k < prior->n_topics; k++)
        document->base[k] *= GB_PRIOR_START_SUM / sum;
}

/* psi_t = log (n_t + base_t) / (n_K + base_K); a base of 0 is too small for a double, so one of the smallest is in its place. */
static void adopt(const gb_prior *prior, const gb_prior_document *document)
{
    const size_t n = gb_psi_n_free(prior->setup), last = prior->n_topics - 1;
    const double reference = log(fmax(document->count[last] + document->base[last], GB_PSI_LEAST));
    for (size_t t = 0; t < n; t++)
        document->numbers[t] = log(fmax(document->count[t] + document->base[t], GB_PSI_LEAST)) - reference;
    gb_psi_weights(&((const gb_psi_state *)prior->state)->law, document->numbers, prior->isa, document->base);
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
            gb_psi_weights(how.law, document[i].numbers, prior->isa, document[i].base);
    }
}

static void settle(const gb_prior *prior, const gb_prior_document *document, const double *expected, double *unit,
                   double *scratch)
{
    const gb_psi_state *s = prior->state;
    gb_psi_settle(&(gb_psi_settling){.law = &s->law,
                                     .isa = prior->isa,
                                     .group = document->group,
                                     .count = expected,
                                     .length = (double)document->length,
                                     .psi = document->numbers,
                                     .rate = document->base,
                                     .slope = unit,
                                     .scratch = scratch});
}

static void draw_shares(const gb_prior *prior, uint32_t group, gb_random *random, double *share)
{
    const gb_psi_state *s = prior->state;
    gb_psi_draw(&s->law, random, group, share);
    gb_psi_log_shares(&s->law, share, share);
    for (size_t k = 0; k < prior->n_topics; k++)
        share[k] = exp(share[k]);
}

/* Documents that are the same for all draws, in pairs of weights on both sides of the mean. */
enum { N_PAIRS = 1024 };

static void add_document(size_t n_topics, size_t n_scores, const double *eta, const double *share, double *score,
                         double *mean, double *answer)
{
    memset(score, 0, n_scores * sizeof *score);
    for (size_t k = 0; k < n_topics; k++)
        for (size_t l = 0; l < n_scores; l++)
            score[l] += share[k] * eta[k * n_scores + l];
    for (size_t k = 0; k < n_topics; k++) {
        mean[k] += share[k] / (2 * N_PAIRS);
        for (size_t l = 0; l < n_scores; l++)
            answer[k * n_scores + l] += share[k] * score[l] / (2 * N_PAIRS);
    }
}

/* With psi spread out by a factor. */
void gb_psi_expect(const gb_psi_law *law, uint32_t group, double factor, size_t n_scores, const double *eta,
                   double *room, double *share, double *answer)
{
    const size_t n = law->n_free, n_topics = gb_psi_n_topics(law);
    const double *mean = law->mean + group * n;
    double *psi = room, *of_document = room + n_topics, *score = room + 2 * n_topics;
    memset(share, 0, n_topics * sizeof *share);
    if (n_scores > 0)
        memset(answer, 0, n_topics * n_scores * sizeof *answer);
    for (uint64_t i = 0; i < N_PAIRS; i++) {
        gb_random random = gb_random_open(gb_key_make(0, 0), 0, GB_DRAW_GROUP_SHARES, i);
        gb_psi_draw(law, &random, group, psi);
        for (int side = -1; side <= 1; side += 2) {
            for (size_t t = 0; t < n; t++)
                of_document[t] = mean[t] + side * factor * (psi[t] - mean[t]);
            gb_psi_log_shares(law, of_document, of_document);
            for (size_t k = 0; k < n_topics; k++)
                of_document[k] = exp(of_document[k]);
            add_document(n_topics, n_scores, eta, of_document, score, share, answer);
        }
    }
    memset(score, 0, n_scores * sizeof *score);
    for (size_t k = 0; k < n_topics; k++)
        for (size_t l = 0; l < n_scores; l++)
            score[l] += share[k] * eta[k * n_scores + l];
    for (size_t k = 0; k < n_topics; k++)
        for (size_t l = 0; l < n_scores; l++)
            answer[k * n_scores + l] -= share[k] * score[l];
}

static void expect(const gb_prior *prior, uint32_t group, size_t n_scores, const double *eta, double *room,
                   double *share, double *answer)
{
    gb_psi_expect(&((const gb_psi_state *)prior->state)->law, group, 1, n_scores, eta, room, share, answer);
}

const gb_prior_document_ops gb_psi_document_ops = {.n_numbers = n_numbers,
                                                   .n_scratch = n_scratch,
                                                   .begin = begin,
                                                   .adopt = adopt,
                                                   .redraw = redraw,
                                                   .settle = settle,
                                                   .expect = expect,
                                                   .draw_shares = draw_shares};
