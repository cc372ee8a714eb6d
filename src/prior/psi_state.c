/* prior/psi_state.c - what a chain, or a draw that is applied, keeps of log weights. */
#include "prior/psi_state.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <math.h>
#include <string.h>

static const char what[] = "topic weights";

static gb_prevalence_settings prevalence_settings(const gb_psi_setup *own)
{
    return (gb_prevalence_settings){.level_mean = own->means.level_mean,
                                    .level_precision = own->means.level_precision,
                                    .fixed_variance = GB_PREVALENCE_FIXED_VARIANCE,
                                    .scale = GB_PREVALENCE_SCALE};
}

static void set_size(const gb_prior *prior, gb_prevalence *out)
{
    const gb_psi_setup *own = prior->setup->own;
    const gb_prevalence_settings settings = prevalence_settings(own);
    gb_prevalence_size(out, &settings, &own->regression->parts, &own->regression->columns, prior->portion,
                       prior->n_docs, gb_psi_n_free(prior->setup), prior->n_threads);
}

/* Until its means are made, a chain lists them as they will be; a list to allocate by comes before. */
static void list_means(const gb_prior *prior, const gb_array_visitor *v)
{
    const gb_psi_setup *own = prior->setup->own;
    gb_psi_state *s = prior->state;
    if (own->regression != NULL) {
        gb_prevalence size;
        set_size(prior, &size);
        gb_prevalence_list(s == NULL ? &size : &s->prevalence, v);
    } else if (s != NULL && s->means != NULL) {
        gb_group_means_list(s->means, v);
    } else if (s == NULL) {
        gb_group_means means;
        struct gb_group_means_work work;
        gb_group_means_size(&means, &work, own->graph, prior->portion, prior->n_docs, gb_psi_n_free(prior->setup),
                            &own->means, prior->n_threads);
        gb_group_means_list(&means, v);
    }
}

void gb_psi_list(gb_prior *prior, const gb_array_visitor *v)
{
    const gb_psi_setup *own = prior->setup->own;
    const size_t n = gb_psi_n_free(prior->setup);
    const uint64_t n_docs = prior->n_docs;
    gb_psi_state none = {.covariance.q = own->is_full ? n : 0};
    gb_psi_state *s = prior->state == NULL ? &none : prior->state;
    GB_STATE_ARRAY(v, "psi", s->psi, GB_BY_DOCUMENT, GB_FINITE, n_docs, n);
    GB_ARRAY(v, "document_weights", s->weight, GB_DERIVED, GB_BY_DOCUMENT, n_docs, prior->n_topics);
    GB_ARRAY(v, "psi_scratch", s->scratch, GB_SCRATCH, GB_BY_WORKER, n_docs == 0 ? 0 : prior->n_threads,
             gb_psi_scratch(n));
    GB_ARRAY(v, "psi_sums", s->partial, GB_SCRATCH, GB_BY_DOCUMENT,
             gb_prior_is_of_chain(prior) ? 1 + gb_psi_n_tasks(prior) : 0);
    GB_ARRAY(v, "document_precisions", s->precision, GB_DERIVED, GB_REPLICATED, n);
    gb_covariance_list(&s->covariance, v);
    GB_ARRAY(v, "document_squares", s->square, GB_SCRATCH, GB_REPLICATED, own->regression == NULL ? 0 : n);
    GB_ARRAY(v, "scatter", s->scatter, GB_SCRATCH, GB_REPLICATED, s->covariance.q, s->covariance.q);
    if (gb_prior_is_of_chain(prior))
        list_means(prior, v);
}

/* The groups of the documents that are here; NULL: all are of group 0. */
static const uint32_t *groups_of_documents(const gb_prior *prior)
{
    const gb_psi_setup *own = prior->setup->own;
    return prior->n_docs == 0 || own->group_of == NULL ? NULL : own->group_of + gb_portion_first(prior->portion);
}

/* The law as the values have it. */
gb_status gb_psi_set_law(gb_prior *prior, gb_error *err)
{
    gb_psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    const double *spread = prior->values.table[GB_PSI_SPREAD].value;
    s->law = (gb_psi_law){.n_free = s->n_free, .mean = prior->values.table[GB_PSI_MEAN].value};
    s->law.is_symmetric = own->is_symmetric;
    s->law.group = groups_of_documents(prior);
    if (own->regression != NULL &&
        gb_prior_is_of_chain(prior)) { /* a row for each document; without a chain see psi_rows.c */
        s->law.mean = s->prevalence.mean;
        s->law.group = s->prevalence.row;
    }
    if (own->is_full) {
        s->law.full = s->covariance.precision;
        s->law.root = s->covariance.root;
        memcpy(s->covariance.sigma, spread, s->n_free * s->n_free * sizeof *spread);
        return gb_covariance_set(&s->covariance, err);
    }
    s->law.precision = s->precision;
    for (size_t t = 0; t < s->n_free; t++)
        s->precision[t] = spread[gb_psi_n_sets(prior->setup) == 1 ? 0 : t];
    return GB_OK;
}

void gb_psi_free_state(gb_prior *prior)
{
    gb_psi_state *s = prior->state;
    gb_group_means_free(s->means);
    s->means = NULL;
}

static void weigh_documents(const gb_prior *prior)
{
    const gb_psi_state *s = prior->state;
    for (uint64_t d = 0; d < prior->n_docs; d++)
        gb_psi_weights(&s->law, s->psi + d * s->n_free, prior->isa, s->weight + d * prior->n_topics);
}

uint32_t gb_psi_group_of(const gb_prior *prior, uint64_t doc)
{
    const uint32_t *group = ((const gb_psi_state *)prior->state)->law.group;
    return group == NULL ? 0 : group[doc];
}

static void start_documents(const gb_prior *prior)
{
    const gb_psi_state *s = prior->state;
    for (uint64_t d = 0; d < prior->n_docs; d++) {
        const double *mean = s->law.mean + (s->law.group == NULL ? 0 : s->law.group[d]) * s->n_free;
        memcpy(s->psi + d * s->n_free, mean, s->n_free * sizeof *mean);
    }
    weigh_documents(prior);
}

/* Means and precisions of the groups at the values. */
static gb_status set_means(gb_prior *prior, gb_error *err)
{
    gb_psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    const gb_prior_table *table = prior->values.table;
    if (own->regression != NULL)
        return gb_prevalence_set_means(&s->prevalence, table[GB_PSI_MEAN].value, err);
    memcpy(s->means->mean, table[GB_PSI_MEAN].value, gb_prior_table_size(&table[GB_PSI_MEAN]) * sizeof(double));
    if (!own->is_full)
        memcpy(s->means->observation, table[GB_PSI_SPREAD].value,
               gb_prior_table_size(&table[GB_PSI_SPREAD]) * sizeof(double));
    if (own->n_types > 0)
        memcpy(s->means->evolution, table[GB_PSI_EVOLUTION].value,
               gb_prior_table_size(&table[GB_PSI_EVOLUTION]) * sizeof(double));
    return GB_OK;
}

static gb_status create_means(gb_prior *prior, gb_error *err)
{
    gb_status st;
    gb_psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    const uint32_t *group_of = groups_of_documents(prior);
    uint32_t *zero = NULL;
    if (group_of == NULL)
        GB_TRY(gb_alloc(&zero, prior->n_docs, sizeof *zero, what, err));
    GB_TRY(gb_group_means_create(&s->means, own->graph, prior->portion, prior->n_docs,
                                 group_of == NULL ? zero : group_of, s->n_free, &own->means, prior->n_threads, err));
    s->n_docs_of_all = s->means->n_docs_of_all;
done:
    gb_free(zero);
    return st;
}

gb_status gb_psi_create(gb_prior *prior, gb_error *err)
{
    gb_status st;
    gb_psi_state *s = NULL;
    const gb_psi_setup *own = prior->setup->own;
    GB_TRY(gb_alloc(&s, 1, sizeof *s, what, err));
    prior->state = s;
    s->n_free = gb_psi_n_free(prior->setup);
    s->covariance.q = own->is_full ? s->n_free : 0;
    if (own->regression != NULL && gb_prior_is_of_chain(prior))
        set_size(prior, &s->prevalence);
    GB_TRY(gb_prior_allocate(prior, err));
    GB_TRY(gb_psi_set_law(prior, err));
    if (!gb_prior_is_of_chain(prior))
        return GB_OK;
    if (own->regression != NULL) {
        s->n_docs_of_all = own->regression->columns.n_docs;
        GB_TRY(gb_prevalence_begin(&s->prevalence, err));
    } else {
        GB_TRY(create_means(prior, err));
    }
    GB_TRY(set_means(prior, err));
    start_documents(prior);
done:
    return st;
}

gb_status gb_psi_restore(gb_prior *prior, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_psi_set_law(prior, err));
    if (gb_prior_is_of_chain(prior))
        GB_TRY(set_means(prior, err));
    weigh_documents(prior);
done:
    return st;
}

const double *gb_psi_base(const gb_prior *prior, uint64_t doc, double *room)
{
    (void)room;
    return ((const gb_psi_state *)prior->state)->weight + doc * prior->n_topics;
}
