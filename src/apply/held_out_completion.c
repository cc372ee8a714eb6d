/* apply/held_out_completion.c - completion: half of a document's tokens are known, the others are scored. */
#include "apply/held_out.h"

#include "apply/new_document.h"
#include "base/memory.h"

/* Of the pass that comes. */
static double unit_of(const gb_particle *p)
{
    const gb_prior_ops *ops = p->run->application.prior.ops;
    return p->pass == 0 ? gb_prior_first_unit(ops) : ops->unit;
}

/* Add theta^ given the known half as it is now. */
static void add_proportions(gb_particle *p)
{
    const gb_held_out_run *r = p->run;
    const double unit = r->application.prior.ops->unit;
    double sum = unit * (double)p->length;
    for (size_t k = 0; k < r->application.model->n_topics; k++)
        sum += p->base[k];
    for (size_t k = 0; k < r->application.model->n_topics; k++)
        p->theta[k] += (p->base[k] + unit * p->count[k]) / sum / r->n_sweeps;
}

static void score_other_half(const gb_particle *p)
{
    const gb_held_out_run *r = p->run;
    const uint32_t *word = GB_FROM(r->word, r->application.docs->doc_start[p->d] + p->length);
    double *sum = GB_FROM(r->sum, r->scored_at[p->d] * r->n_samples + p->item % r->n_samples);
    const uint64_t n = r->scored_at[p->d + 1] - r->scored_at[p->d];
    for (uint64_t i = 0; i < n; i++)
        sum[i * r->n_samples] += gb_held_out_word_probability(r, p->theta, word[i]);
}

static void adopt_topics(gb_particle *p)
{
    const gb_prior_document document = gb_particle_document(p, p->length);
    gb_new_document_adopt(&p->run->application.prior, &document, p->numbers, p->base);
}

/* After a pass, or without tokens in place of one: false after the last one. */
static bool end_sweep(gb_particle *p)
{
    const gb_held_out_run *r = p->run;
    const uint32_t n_before = 1 + r->n_burn_in, pass = p->pass++;
    if (pass == 0)
        adopt_topics(p);
    gb_particle_redraw_base(p, p->length);
    if (pass >= n_before)
        add_proportions(p);
    return p->pass < n_before + r->n_sweeps;
}

static bool next_completion(gb_token_lane *f)
{
    gb_particle *p = f->memory;
    gb_held_out_run *r = p->run;
    while (gb_application_goes_on(&r->application, p->worker) && (p->is_open || p->item < p->last)) {
        if (!p->is_open) {
            const uint64_t d = p->item / r->n_samples;
            gb_particle_open(p, d, gb_held_out_known(r, d), gb_held_out_key(r, p->item % r->n_samples, 0), false);
            p->is_open = true;
        } else if (!end_sweep(p)) {
            score_other_half(p);
            p->is_open = false;
            p->item += GB_MAX_TOKEN_LANES;
            continue;
        }
        if (p->length == 0) /* the prior's proportions */
            continue;
        gb_particle_describe_pass(f, p, unit_of(p),
                                  (gb_tokens){.count = p->length,
                                              .word = GB_FROM(r->word, r->application.docs->doc_start[p->d]),
                                              .topic = p->topic});
        return true;
    }
    return false;
}

static gb_status complete_documents(void *context, uint64_t first, uint64_t last, size_t worker, gb_error *err)
{
    gb_held_out_run *r = context;
    const gb_coefficients no_coefficients = {0};
    gb_token_lane lane[GB_MAX_TOKEN_LANES];
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++) {
        gb_particle *p = &r->worker[worker].particle[i];
        p->run = r;
        p->worker = worker;
        p->item = (size_t)first * r->n_samples + i;
        p->last = (size_t)last * r->n_samples;
        p->is_open = false;
        lane[i] = gb_particle_lane(r, p, next_completion);
        lane[i].memory = p;
    }
    const gb_status st = r->draw_tokens(lane, GB_MAX_TOKEN_LANES, &no_coefficients, err);
    return st == GB_OK && !gb_application_goes_on(&r->application, worker) ? gb_application_stopped(err) : st;
}

const gb_held_out_method gb_held_out_completion = {.name = "completion",
                                                   .default_samples = 2,
                                                   .n_particles = GB_MAX_TOKEN_LANES,
                                                   .is_completion = true,
                                                   .documents = complete_documents};
