/* prior/uniform.c - every document uses all topics alike: theta_dk = 1/K fixed, so the document factor of a
 * token is the same for every topic.  The baseline "GibbsUniform" of Mimno, Wallach and McCallum 2008,
 * section 6. */
#include "prior/prior.h"

#include <math.h>
#include <string.h>

static gb_status configure(const gb_settings *settings, const gb_corpus *corpus, gb_prior_setup *out, gb_error *err)
{
    (void)settings, (void)corpus, (void)out, (void)err;
    return GB_OK;
}

static gb_prior_values shape(const gb_prior_setup *setup)
{
    (void)setup;
    return (gb_prior_values){.n_tables = 0};
}

static gb_status check(const gb_prior_setup *setup, const gb_prior_values *values, gb_error *err)
{
    (void)setup, (void)values, (void)err;
    return GB_OK;
}

static double concentration(const gb_prior_setup *setup)
{
    (void)setup;
    return INFINITY;
}

static void fill(const gb_prior *prior, double value, double *out)
{
    for (size_t k = 0; k < prior->n_topics; k++)
        out[k] = value;
}

static const double *base(const gb_prior *prior, uint64_t doc, double *room)
{
    (void)doc;
    fill(prior, 1, room);
    return room;
}

static gb_status update(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    (void)prior, (void)sweep, (void)err;
    return GB_OK;
}

static gb_status log_probability(gb_prior *prior, const gb_proportions *z, double *out, gb_error *err)
{
    int64_t n_tokens = (int64_t)z->n_tokens;
    const gb_status st = gb_team_sum(gb_portion_team(prior->portion), &n_tokens, 1, err);
    *out = -(double)n_tokens * log((double)prior->n_topics);
    return st;
}

static void begin(const gb_prior *prior, const gb_prior_document *document)
{
    fill(prior, 1, document->base);
}

static void expect(const gb_prior *prior, uint32_t group, size_t n_scores, const double *eta, double *room,
                   double *share, double *answer)
{
    (void)group, (void)eta, (void)room;
    fill(prior, 1 / (double)prior->n_topics, share);
    if (n_scores > 0)
        memset(answer, 0, prior->n_topics * n_scores * sizeof *answer);
}

static void draw_shares(const gb_prior *prior, uint32_t group, gb_random *random, double *share)
{
    (void)group, (void)random;
    fill(prior, 1 / (double)prior->n_topics, share);
}

static const gb_prior_document_ops documents = {.begin = begin, .expect = expect, .draw_shares = draw_shares};

const gb_prior_ops gb_prior_uniform = {.name = "uniform",
                                       .unit = 0,
                                       .base_is_shared = true,
                                       .configure = configure,
                                       .shape = shape,
                                       .check = check,
                                       .concentration = concentration,
                                       .base = base,
                                       .update = update,
                                       .log_probability = log_probability,
                                       .documents = &documents};
