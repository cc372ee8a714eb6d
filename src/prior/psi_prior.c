/* prior/psi_prior.c - the state of priors with log weights: psi of each document, its base weights, and the means and
 * covariance that are learned.
 *
 * One update: psi | topics (psi.c), then means | psi, then precisions or the covariance | psi, means.  Each is a draw given
 * everything else, so their order is free; weights are made from psi when it is drawn, since tokens come next. */
#include "prior/psi_prior.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "prior/covariance.h"

#include <math.h>
#include <string.h>

enum { DOCS_PER_TASK = 256, N_LANES = 8 };

static const char what[] = "topic weights";

/* ---- setup ---- */

enum { MEAN, SPREAD };

/* "group_mean", then "precision" (the diagonal of Sigma^{-1}) or "covariance". */
gb_prior_values gb_psi_shape(const gb_prior_setup *setup)
{
    const gb_psi_setup *own = setup->own;
    const size_t n = gb_psi_n_free(setup);
    gb_prior_values values = {.n_tables = 2,
                              .table = {[MEAN] = {.name = "group_mean", .n_rows = own->n_groups, .n_columns = n},
                                        [SPREAD] = {.name = "precision", .n_columns = n}}};
    if (own->is_full)
        values.table[SPREAD] = (gb_prior_table){.name = "covariance", .n_rows = n, .n_columns = n};
    return values;
}

void gb_psi_clear_own(void *own)
{
    gb_free(own);
}

static double mean_length(const gb_corpus *corpus)
{
    return corpus == NULL || corpus->n_docs == 0 ? 0 : (double)corpus->n_tokens / (double)corpus->n_docs;
}

gb_status gb_psi_configure(const gb_settings *settings, const gb_corpus *corpus, gb_prior_setup *out, gb_error *err)
{
    gb_psi_setup *own = NULL;
    gb_status st = gb_alloc(&own, 1, sizeof *own, what, err);
    if (st != GB_OK)
        return st;
    *own = (gb_psi_setup){.is_full = strcmp(settings->covariance, "full") == 0,
                          .n_groups = 1,
                          .update = gb_psi_choose(mean_length(corpus), out->n_topics),
                          .level_precision = settings->level_precision,
                          .level_mean = settings->level_mean};
    if (strcmp(settings->psi_update, "auto") != 0)
        own->update = strcmp(settings->psi_update, "interval") == 0 ? GB_PSI_INTERVAL : GB_PSI_POLYA_GAMMA;
    out->own = own;
    return GB_OK;
}

/* One variance for all, or a file; "sample" starts at 1. */
static gb_status set_covariance(const char *text, gb_prior_setup *out, gb_error *err)
{
    gb_psi_setup *own = out->own;
    const size_t n = gb_psi_n_free(out);
    double variance = 1, *spread = out->start.table[SPREAD].value;
    own->covariance_is_fixed = strcmp(text, "sample") != 0;
    const bool is_number = gb_text_to_real(text, &variance) == GB_NUMBER_OK;
    if (own->covariance_is_fixed && (!is_number || !(variance >= 1e-9 && variance <= 1e9))) {
        char quote[GB_QUOTE_SIZE];
        gb_text_quote(text, strlen(text), quote);
        return gb_fail(err, GB_EARGUMENT, "--psi-covariance must be sample, or a number from 1e-9 to 1e9, not %s",
                       quote);
    }
    for (size_t t = 0; t < n; t++) {
        if (own->is_full)
            spread[t * n + t] = variance;
        else
            spread[t] = 1 / variance;
    }
    return GB_OK;
}

gb_status gb_psi_start(const gb_settings *settings, gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_prior_values_create(out, &out->start, err));
    for (size_t i = 0; i < gb_prior_table_size(&out->start.table[MEAN]); i++)
        out->start.table[MEAN].value[i] = settings->level_mean;
    GB_TRY(set_covariance(settings->psi_covariance, out, err));
done:
    return st;
}

static const char *const update_names[] = {"interval", "polya-gamma"};

json_t *gb_psi_to_json(const gb_prior_setup *setup)
{
    const gb_psi_setup *own = setup->own;
    return json_pack("{s:s, s:s, s:I}", "covariance", own->is_full ? "full" : "diagonal", "psi-update",
                     update_names[own->update], "groups", (json_int_t)own->n_groups);
}

gb_status gb_psi_from_json(const json_t *object, gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    gb_psi_setup *own = NULL;
    const char *covariance, *update;
    json_int_t n_groups;
    if (json_unpack((json_t *)(uintptr_t)object, "{s:s, s:s, s:I}", "covariance", &covariance, "psi-update", &update,
                    "groups", &n_groups) != 0 ||
        n_groups < 1 || n_groups >= UINT32_MAX || out->n_topics < 2)
        return gb_fail(err, GB_EFORMAT,
                       "damaged model file: an entry of the document prior is missing or out of range");
    GB_TRY(gb_alloc(&own, 1, sizeof *own, what, err));
    out->own = own;
    own->is_full = strcmp(covariance, "full") == 0;
    own->update = strcmp(update, update_names[GB_PSI_INTERVAL]) == 0 ? GB_PSI_INTERVAL : GB_PSI_POLYA_GAMMA;
    own->n_groups = (uint32_t)n_groups;
    GB_TRY(gb_prior_values_create(out, &out->start, err));
done:
    return st;
}

static bool is_positive_definite(size_t n, const double *sigma)
{
    gb_covariance c;
    if (gb_covariance_create(&c, n, NULL) != GB_OK)
        return false;
    memcpy(c.sigma, sigma, n * n * sizeof *sigma);
    const bool is_good = gb_covariance_set(&c, NULL) == GB_OK;
    gb_covariance_clear(&c);
    return is_good;
}

const char *gb_psi_fault(const gb_prior_setup *setup, const gb_prior_values *values)
{
    const gb_psi_setup *own = setup->own;
    const size_t n = gb_psi_n_free(setup);
    const double *spread = values->table[SPREAD].value;
    for (size_t i = 0; i < values->n_tables; i++)
        for (size_t j = 0; j < gb_prior_table_size(&values->table[i]); j++)
            if (!isfinite(values->table[i].value[j]))
                return "a parameter of the document prior is not a number";
    if (own->is_full)
        return is_positive_definite(n, spread) ? NULL : "a covariance is not positive definite";
    for (size_t t = 0; t < n; t++)
        if (!(spread[t] > 0))
            return "a precision is not a positive number";
    return NULL;
}

double gb_psi_concentration(const gb_prior_setup *setup)
{
    (void)setup;
    return INFINITY;
}

/* ---- state ---- */

typedef struct psi_state {
    size_t n_free;
    double *psi;              /* n_docs x n_free */
    double *weight;           /* n_docs x n_topics: base weights */
    double *scratch;          /* n_threads x gb_psi_scratch() */
    gb_covariance covariance; /* full */
    gb_psi_law law;
} psi_state;

/* The law as the values have it. */
static gb_status set_law(gb_prior *prior, gb_error *err)
{
    psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    s->law.n_free = s->n_free;
    s->law.mean = prior->values.table[MEAN].value;
    if (!own->is_full) {
        s->law.precision = prior->values.table[SPREAD].value;
        return GB_OK;
    }
    memcpy(s->covariance.sigma, prior->values.table[SPREAD].value, s->n_free * s->n_free * sizeof(double));
    s->law.full = s->covariance.precision;
    s->law.root = s->covariance.root;
    return gb_covariance_set(&s->covariance, err);
}

void gb_psi_free_state(void *state)
{
    psi_state *s = state;
    gb_free(s->psi);
    gb_free(s->weight);
    gb_free(s->scratch);
    gb_covariance_clear(&s->covariance);
    gb_free(s);
}

static void start_documents(const gb_prior *prior)
{
    const psi_state *s = prior->state;
    for (uint64_t d = 0; d < prior->n_docs; d++) {
        const double *mean = s->law.mean + (s->law.group == NULL ? 0 : s->law.group[d]) * s->n_free;
        memcpy(s->psi + d * s->n_free, mean, s->n_free * sizeof *mean);
        gb_psi_weights(s->n_free, mean, prior->isa, s->weight + d * prior->n_topics);
    }
}

gb_status gb_psi_create(gb_prior *prior, const uint64_t *doc_start, gb_error *err)
{
    (void)doc_start;
    gb_status st;
    psi_state *s = NULL;
    const size_t n_free = gb_psi_n_free(prior->setup);
    const gb_psi_setup *own = prior->setup->own;
    GB_TRY(gb_alloc(&s, 1, sizeof *s, what, err));
    prior->state = s;
    s->n_free = n_free;
    if (own->is_full)
        GB_TRY(gb_covariance_create(&s->covariance, n_free, err));
    GB_TRY(set_law(prior, err));
    if (prior->n_docs == 0)
        goto done;
    GB_TRY(gb_alloc(&s->psi, prior->n_docs, n_free * sizeof *s->psi, what, err));
    GB_TRY(gb_alloc(&s->weight, prior->n_docs, prior->n_topics * sizeof *s->weight, what, err));
    GB_TRY(gb_alloc(&s->scratch, prior->n_threads, gb_psi_scratch(n_free) * sizeof *s->scratch, what, err));
    start_documents(prior);
done:
    return st;
}

uint64_t gb_psi_bytes(const gb_prior_setup *setup, uint64_t n_docs, size_t n_threads)
{
    const uint64_t n_free = gb_psi_n_free(setup);
    return (n_docs * (n_free + setup->n_topics) + n_threads * gb_psi_scratch(n_free)) * sizeof(double);
}

const double *gb_psi_base(const gb_prior *prior, uint64_t doc, double *room)
{
    (void)room;
    return ((const psi_state *)prior->state)->weight + doc * prior->n_topics;
}

gb_prior_table gb_psi_document_table(const gb_prior *prior)
{
    const psi_state *s = prior->state;
    return (gb_prior_table){.name = "psi", .n_rows = prior->n_docs, .n_columns = s->n_free, .value = s->psi};
}

/* ---- update ---- */

static size_t n_tasks(const gb_prior *prior)
{
    return (size_t)((prior->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK);
}

static uint64_t task_end(const gb_prior *prior, size_t task)
{
    const uint64_t end = ((uint64_t)task + 1) * DOCS_PER_TASK;
    return end < prior->n_docs ? end : prior->n_docs;
}

struct redrawing {
    const gb_prior *prior;
    const gb_prior_sweep *sweep;
};

static gb_psi_redrawing redrawing_of(const gb_prior *prior, gb_key key, uint32_t sweep, gb_purpose purpose)
{
    return (gb_psi_redrawing){.law = &((const psi_state *)prior->state)->law,
                              .update = ((const gb_psi_setup *)prior->setup->own)->update,
                              .key = key,
                              .sweep = sweep,
                              .purpose = purpose,
                              .isa = prior->isa};
}

/* psi | topics, and the base weights. */
static gb_status redraw_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    const struct redrawing *r = context;
    const gb_prior *prior = r->prior;
    const psi_state *s = prior->state;
    const gb_psi_redrawing how = redrawing_of(prior, r->sweep->key, r->sweep->sweep, GB_DRAW_PSI);
    const uint64_t first = (uint64_t)task * DOCS_PER_TASK, last = task_end(prior, task);
    gb_psi_redraw(&how, r->sweep->z, first, last, s->psi, s->scratch + worker * gb_psi_scratch(s->n_free));
    for (uint64_t d = first; d < last; d++) {
        for (size_t t = 0; t < s->n_free; t++)
            if (!isfinite(s->psi[d * s->n_free + t]))
                return gb_fail(err, GB_ENUMERIC, "sweep %u, document %llu, topic %zu: the topic weight is not finite",
                               r->sweep->sweep, (unsigned long long)d + 1, t + 1);
        gb_psi_weights(s->n_free, s->psi + d * s->n_free, prior->isa, s->weight + d * prior->n_topics);
    }
    return GB_OK;
}

/* mu_t | psi, then 1 / Sigma_tt | psi, mu: one group. */
static void draw_mean_and_precision(gb_prior *prior, size_t t, gb_random *random)
{
    const psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    double *mean = prior->values.table[MEAN].value + t, *precision = prior->values.table[SPREAD].value + t;
    double sum = 0, squares = 0;
    for (uint64_t d = 0; d < prior->n_docs; d++)
        sum += s->psi[d * s->n_free + t];
    const double total = own->level_precision + (double)prior->n_docs * *precision;
    if (!own->mean_is_fixed)
        *mean = (own->level_precision * own->level_mean + *precision * sum) / total +
                gb_random_normal(random) / sqrt(total);
    for (uint64_t d = 0; d < prior->n_docs; d++) {
        const double x = s->psi[d * s->n_free + t] - *mean;
        squares += x * x;
    }
    if (!own->covariance_is_fixed)
        *precision = gb_random_gamma(random, 1 + (double)prior->n_docs / 2) / (1 + squares / 2);
}

gb_status gb_psi_update_prior(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st;
    struct redrawing r = {.prior = prior, .sweep = sweep};
    GB_TRY(gb_parallel_for(n_tasks(prior), prior->n_threads, redraw_documents, &r, err));
    gb_random random = gb_random_open(sweep->key, sweep->sweep, GB_DRAW_COVARIANCE, 0);
    for (size_t t = 0; t < gb_psi_n_free(prior->setup); t++)
        draw_mean_and_precision(prior, t, &random);
    GB_TRY(set_law(prior, err));
done:
    return st;
}

/* ---- log probability ---- */

gb_status gb_psi_log_probability(gb_prior *prior, const gb_proportions *z, double *out, gb_error *err)
{
    (void)z, (void)err;
    *out = 0;
    (void)prior;
    return GB_OK;
}

/* ---- other documents ---- */

static size_t n_padded(size_t n_free)
{
    return (n_free + N_LANES - 1) / N_LANES * N_LANES;
}

/* psi, then scratch memory. */
size_t gb_psi_n_document_numbers(const gb_prior_setup *setup)
{
    return n_padded(gb_psi_n_free(setup)) + gb_psi_scratch(gb_psi_n_free(setup));
}

void gb_psi_begin(const gb_prior *prior, const gb_prior_document *document, double *numbers, double *base)
{
    const psi_state *s = prior->state;
    memcpy(numbers, s->law.mean + document->group * s->n_free, s->n_free * sizeof *numbers);
    gb_psi_weights(s->n_free, numbers, prior->isa, base);
}

void gb_psi_redraw_one(const gb_prior *prior, const gb_prior_document *document, double *numbers, double *base)
{
    const size_t n_free = gb_psi_n_free(prior->setup);
    const gb_psi_redrawing how = redrawing_of(prior, document->key, document->sweep, GB_DRAW_INFER_PSI);
    const gb_psi_document one = {
        .item = document->row, .group = document->group, .count = document->count, .psi = numbers};
    gb_psi_redraw_documents(&how, 1, &one, numbers + n_padded(n_free));
    gb_psi_weights(n_free, numbers, prior->isa, base);
}

void gb_psi_draw_shares(const gb_prior *prior, uint32_t group, gb_random *random, double *share)
{
    const psi_state *s = prior->state;
    gb_psi_draw(&s->law, random, group, share);
    gb_psi_log_shares(s->n_free, share, share);
    for (size_t k = 0; k < prior->n_topics; k++)
        share[k] = exp(share[k]);
}
