/* apply/held_out_empirical.c - empirical likelihood: the product over words for one theta from the prior is a sample. */
#include "apply/held_out.h"
#include "base/memory.h"

#include <math.h>

/* a' b in sixteen running sums; n is a multiple of 16. */
static double dot(size_t n, const double *a, const double *b)
{
    double sum[GB_LANES] = {0}, total = 0;
    for (size_t k = 0; k < n; k += GB_LANES)
        for (size_t i = 0; i < GB_LANES; i++)
            sum[i] += a[k + i] * b[k + i];
    for (size_t i = 0; i < GB_LANES; i++)
        total += sum[i];
    return total;
}

/* A product of many small numbers: logarithms are taken of long stretches of it. */
typedef struct product {
    double value, log;
} product;

static void multiply(product *p, double factor, uint32_t times)
{
    if (times > 16) {
        p->log += times * log(factor);
        return;
    }
    for (uint32_t i = 0; i < times; i++) {
        p->value *= factor;
        if (p->value < 0x1p-800) {
            p->log += log(p->value);
            p->value = 1;
        }
    }
}

/* Rows of phi of the document's different words, and how often it has them. */
static size_t list_types(const gb_held_out_run *r, uint64_t d, gb_held_out_worker *w)
{
    const uint32_t *word = GB_FROM(r->word, r->application.docs->doc_start[d]);
    const uint64_t length = gb_application_length(&r->application, d);
    const size_t stride = r->application.batch.stride;
    size_t n = 0;
    for (uint64_t i = 0; i < length; i++) {
        if (i > 0 && word[i] == word[i - 1]) {
            w->type_count[n - 1]++;
            continue;
        }
        for (size_t k = 0; k < stride; k++)
            w->type_phi[n * stride + k] = (double)r->application.batch.phi[word[i] * stride + k];
        w->type_count[n++] = 1;
    }
    return n;
}

static void sample_document(gb_held_out_run *r, uint64_t d, size_t n_types, size_t sample, gb_held_out_worker *w)
{
    const gb_application *a = &r->application;
    double *theta = w->particle[0].theta;
    gb_random random =
        gb_random_open(gb_held_out_key(r, sample, 0), 0, GB_DRAW_HELD_PRIOR, gb_application_item(a, d));
    product p = {1, 0};
    a->prior.ops->documents->draw_shares(&a->prior, gb_application_group(a, d), &random, theta);
    for (size_t i = 0; i < n_types; i++)
        multiply(&p, dot(a->batch.stride, theta, w->type_phi + i * a->batch.stride), w->type_count[i]);
    gb_held_out_add(r, d, sample, p.log + log(p.value));
}

static gb_status sample_documents(void *context, uint64_t first, uint64_t last, size_t worker, gb_error *err)
{
    gb_held_out_run *r = context;
    gb_held_out_worker *w = &r->worker[worker];
    for (uint64_t d = first; d < last; d++) {
        const size_t n_types = list_types(r, d, w);
        for (size_t s = 0; s < r->n_samples && n_types > 0; s++) {
            sample_document(r, d, n_types, s, w);
            if (!gb_application_goes_on(&r->application, worker))
                return gb_application_stopped(err);
        }
    }
    return GB_OK;
}

const gb_held_out_method gb_held_out_empirical = {.name = "empirical",
                                                  .default_samples = 100,
                                                  .n_particles = 1,
                                                  .is_empirical = true,
                                                  .documents = sample_documents};
