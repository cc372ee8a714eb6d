/* apply/held_out_left_to_right.c - left to right: particles with weights go through the document. */
#include "apply/held_out.h"

#include "apply/new_document.h"

#include <math.h>
#include <string.h>

/* theta^ of (2) times its divisor; returns that. */
static double weigh_topics(const gb_particle *p, uint64_t n, double *theta)
{
    const gb_held_out_run *r = p->run;
    const double unit = r->application.prior.ops->unit;
    double sum = unit * (double)n;
    for (size_t k = 0; k < r->application.model->n_topics; k++) {
        theta[k] = p->base[k] + unit * p->count[k];
        sum += p->base[k];
    }
    return sum;
}

/* The tokens of the next pass: the one that comes in, then those before it whose turn it is. */
static void list_pass(gb_particle *p)
{
    const uint32_t *word = p->run->word + p->run->application.docs->doc_start[p->d];
    const uint64_t n = p->pass;
    const size_t n_redrawn = n < GB_WINDOW ? (size_t)n : GB_WINDOW;
    p->pass_token[0] = n;
    for (size_t i = 1; i <= n_redrawn; i++) {
        if (p->next_in_turn >= n)
            p->next_in_turn = 0;
        p->pass_token[i] = p->next_in_turn++;
    }
    p->n_in_pass = 1 + n_redrawn;
    for (size_t i = 0; i < p->n_in_pass; i++) {
        p->pass_word[i] = word[p->pass_token[i]];
        p->pass_topic[i] = p->topic[p->pass_token[i]];
    }
}

/* Take the topics of a pass over. */
static void end_pass(gb_particle *p)
{
    for (size_t i = 0; i < p->n_in_pass; i++)
        p->topic[p->pass_token[i]] = p->pass_topic[i];
    p->pass++;
    gb_particle_redraw_base(p, p->pass);
}

/* A lane takes every GB_MAX_TOKEN_LANES-th particle through one pass. */
static bool next_particle(gb_token_lane *f)
{
    gb_held_out_worker *w = f->source;
    if (f->memory != NULL)
        end_pass(f->memory);
    if (f->at >= GB_PARTICLES)
        return false;
    gb_particle *p = &w->particle[f->at];
    f->at += GB_MAX_TOKEN_LANES;
    f->memory = p;
    list_pass(p);
    gb_particle_describe_pass(f, p, p->run->application.prior.ops->unit,
                              (gb_tokens){.count = p->n_in_pass, .word = p->pass_word, .topic = p->pass_topic});
    return true;
}

static gb_status move_particles(gb_held_out_run *r, gb_held_out_worker *w, gb_error *err)
{
    const gb_coefficients no_coefficients = {0};
    gb_token_lane lane[GB_MAX_TOKEN_LANES];
    for (size_t i = 0; i < GB_MAX_TOKEN_LANES; i++) {
        lane[i] = gb_particle_lane(r, &w->particle[i], next_particle);
        lane[i].source = w;
        lane[i].at = i;
    }
    return r->draw_tokens(lane, GB_MAX_TOKEN_LANES, &no_coefficients, err);
}

/* Multiply the weights by (2); returns the mean of (2) under the weights as they were. */
static double weigh_particles(const gb_held_out_run *r, gb_held_out_worker *w)
{
    double sum = 0;
    for (size_t i = 0; i < GB_PARTICLES; i++) {
        gb_particle *p = &w->particle[i];
        const double divisor = weigh_topics(p, p->pass, p->theta);
        const uint32_t word = r->word[r->application.docs->doc_start[p->d] + p->pass];
        w->weight[i] *= gb_held_out_word_probability(r, p->theta, word) / divisor;
        sum += w->weight[i];
    }
    for (size_t i = 0; i < GB_PARTICLES; i++)
        w->weight[i] /= sum;
    return sum;
}

static void copy_particle(const gb_held_out_run *r, const gb_particle *from, gb_particle *to)
{
    memcpy(to->topic, from->topic, from->pass * sizeof *to->topic);
    memcpy(to->count, from->count, r->application.batch.stride * sizeof *to->count);
    memcpy(to->base, from->base, r->application.model->n_topics * sizeof *to->base);
    if (from->numbers != NULL)
        memcpy(to->numbers, from->numbers,
               gb_new_document_numbers(&r->application.model->prior) * sizeof *to->numbers);
}

/* How many of GB_PARTICLES evenly spaced points, the first one at random, fall into each weight. */
static void count_offspring(const gb_held_out_worker *w, double first, size_t n_offspring[GB_PARTICLES])
{
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < GB_PARTICLES; i++) {
        const size_t before = n;
        sum += w->weight[i] * GB_PARTICLES;
        while (n < GB_PARTICLES && (double)n + first < sum)
            n++;
        n_offspring[i] = n - before;
    }
    n_offspring[GB_PARTICLES - 1] += GB_PARTICLES - n; /* the sum has been rounded */
}

/* Draw particles anew by their weights once fewer than half of them matter: 1 / (sum of squares) is how many do. */
static void resample(const gb_held_out_run *r, gb_held_out_worker *w)
{
    double squares = 0;
    for (size_t i = 0; i < GB_PARTICLES; i++)
        squares += w->weight[i] * w->weight[i];
    if (squares * GB_PARTICLES < 2)
        return;
    const gb_particle *p = &w->particle[0];
    gb_random random = gb_random_open(p->key, p->pass, GB_DRAW_RESAMPLE, gb_application_item(&r->application, p->d));
    size_t n_offspring[GB_PARTICLES], from = 0;
    count_offspring(w, gb_random_uniform(&random), n_offspring);
    for (size_t i = 0; i < GB_PARTICLES; i++) {
        w->weight[i] = 1.0 / GB_PARTICLES;
        if (n_offspring[i] > 0)
            continue;
        while (n_offspring[from] < 2)
            from++;
        n_offspring[from]--;
        copy_particle(r, &w->particle[from], &w->particle[i]);
    }
}

/* log of the product over tokens of the mean of (2). */
static gb_status filter_document(gb_held_out_run *r, gb_held_out_worker *w, uint64_t d, size_t sample, size_t number,
                                 gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t length = gb_application_length(&r->application, d);
    double log_product = 0;
    for (size_t i = 0; i < GB_PARTICLES; i++) {
        w->particle[i].run = r;
        w->weight[i] = 1.0 / GB_PARTICLES;
        gb_particle_open(&w->particle[i], d, length, gb_held_out_key(r, sample, i), true);
    }
    for (uint64_t n = 0; st == GB_OK && n < length; n++) {
        log_product += log(weigh_particles(r, w));
        if (n + 1 == length) /* its topic matters to nobody */
            break;
        resample(r, w);
        st = move_particles(r, w, err);
        if (!gb_application_goes_on(&r->application, number))
            return gb_application_stopped(err);
    }
    gb_held_out_add(r, d, sample, log_product);
    return st;
}

static gb_status filter_documents(void *context, uint64_t first, uint64_t last, size_t number, gb_error *err)
{
    gb_status st = GB_OK;
    gb_held_out_run *r = context;
    for (uint64_t d = first; d < last; d++)
        for (size_t s = 0; st == GB_OK && s < r->n_samples; s++)
            st = filter_document(r, &r->worker[number], d, s, number, err);
    return st;
}

const gb_held_out_method gb_held_out_left_to_right = {
    .name = "left-to-right", .default_samples = 2, .n_particles = GB_PARTICLES, .documents = filter_documents};
