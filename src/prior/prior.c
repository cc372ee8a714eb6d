/* prior/prior.c - the table of document priors, made from the rows of options/priors.h. */
#include "prior/prior.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

#define ADDRESS_OF(identifier, name) &gb_prior_##identifier,
static const gb_prior_ops *const priors[] = {GB_PRIORS(ADDRESS_OF, ADDRESS_OF)};
#undef ADDRESS_OF

enum { N_PRIORS = sizeof priors / sizeof priors[0] };

const gb_prior_ops *gb_prior_find(const char *name)
{
    for (size_t i = 0; i < N_PRIORS; i++)
        if (strcmp(priors[i]->name, name) == 0)
            return priors[i];
    return NULL;
}

/* ---- setup ---- */

gb_status gb_prior_setup_resolve(const gb_settings *settings, const gb_corpus *corpus, gb_prior_setup *out,
                                 gb_error *err)
{
    gb_status st;
    gb_prior_setup setup = {.ops = gb_prior_find(gb_settings_text(settings, "prior")),
                            .n_topics = (size_t)gb_settings_int(settings, "topics")};
    if (setup.ops == NULL)
        return gb_fail(err, GB_EARGUMENT, "`prior` has no \"%s\"", gb_settings_text(settings, "prior"));
    GB_TRY(setup.ops->configure(settings, corpus, &setup, err));
    *out = setup;
    return GB_OK;
done:
    gb_prior_setup_clear(&setup);
    return st;
}

gb_status gb_prior_setup_from_notes(const gb_prior_ops *ops, size_t n_topics, const gb_notes *notes,
                                    gb_prior_setup *out, gb_error *err)
{
    gb_status st = GB_OK;
    gb_prior_setup setup = {.ops = ops, .n_topics = n_topics};
    if (ops->from_notes != NULL)
        GB_TRY(ops->from_notes(notes, &setup, err));
    *out = setup;
    return GB_OK;
done:
    gb_prior_setup_clear(&setup);
    return st;
}

gb_status gb_prior_setup_copy(const gb_prior_setup *setup, gb_prior_setup *out, gb_error *err)
{
    gb_status st = GB_OK;
    gb_notes notes = {0};
    if (setup->ops->describe != NULL)
        GB_TRY(setup->ops->describe(setup, &notes, err));
    GB_TRY(gb_prior_setup_from_notes(setup->ops, setup->n_topics, &notes, out, err));
done:
    gb_notes_clear(&notes);
    return st;
}

void gb_prior_setup_clear(gb_prior_setup *setup)
{
    gb_prior_values_clear(&setup->start);
    if (setup->own != NULL)
        setup->ops->clear_own(setup->own);
    *setup = (gb_prior_setup){0};
}

/* ---- values ---- */

void gb_prior_values_list(void *values, const gb_array_visitor *v)
{
    gb_prior_values *all = values;
    for (size_t i = 0; i < all->n_tables; i++) {
        gb_prior_table *t = &all->table[i];
        if (t->n_rows == 0)
            GB_STATE_ARRAY(v, t->name, t->value, GB_REPLICATED, GB_FINITE, t->n_columns);
        else
            GB_STATE_ARRAY(v, t->name, t->value, GB_REPLICATED, GB_FINITE, t->n_rows, t->n_columns);
    }
}

gb_status gb_prior_values_create(const gb_prior_setup *setup, gb_prior_values *out, gb_error *err)
{
    gb_prior_values values = setup->ops->shape(setup);
    const gb_status st = gb_arrays_allocate(gb_prior_values_list, &values, "the document prior", err);
    if (st == GB_OK)
        *out = values;
    else
        gb_prior_values_clear(&values);
    return st;
}

void gb_prior_values_copy(const gb_prior_values *from, gb_prior_values *to)
{
    for (size_t i = 0; i < from->n_tables; i++)
        if (gb_prior_table_size(&from->table[i]) > 0)
            memcpy(to->table[i].value, from->table[i].value, gb_prior_table_size(&from->table[i]) * sizeof(double));
}

void gb_prior_values_clear(gb_prior_values *values)
{
    gb_arrays_free(gb_prior_values_list, values);
    *values = (gb_prior_values){0};
}

uint64_t gb_prior_values_bytes(const gb_prior_setup *setup)
{
    gb_prior_values values = setup->ops->shape(setup);
    return gb_arrays_bytes(gb_prior_values_list, &values);
}

const double *gb_prior_values_of(const gb_prior_values *values, const char *name)
{
    for (size_t i = 0; i < values->n_tables; i++)
        if (strcmp(values->table[i].name, name) == 0)
            return values->table[i].value;
    return NULL;
}

/* ---- at work ---- */

gb_prior gb_prior_size(const gb_prior_setup *setup, uint64_t n_docs, size_t n_threads)
{
    return (gb_prior){.ops = setup->ops,
                      .setup = setup,
                      .n_topics = setup->n_topics,
                      .n_docs = n_docs,
                      .n_threads = n_threads,
                      .values = setup->ops->shape(setup)};
}

void gb_prior_list(void *prior, const gb_array_visitor *v)
{
    gb_prior *p = prior;
    gb_prior_values_list(&p->values, v);
    if (p->ops != NULL && p->ops->list != NULL)
        p->ops->list(p, v);
}

gb_status gb_prior_allocate(gb_prior *prior, gb_error *err)
{
    return gb_arrays_allocate(gb_prior_list, prior, "the document prior", err);
}

gb_status gb_prior_create(gb_prior *out, const gb_prior_setup *setup, const gb_prior_values *values,
                          const gb_portion *portion, uint64_t n_docs, size_t n_threads, gb_isa isa, gb_error *err)
{
    gb_status st;
    gb_prior prior = gb_prior_size(setup, n_docs, n_threads);
    prior.portion = portion;
    prior.isa = isa;
    GB_TRY(gb_arrays_allocate(gb_prior_values_list, &prior.values, "the document prior", err));
    gb_prior_values_copy(values == NULL ? &setup->start : values, &prior.values);
    if (prior.ops->create != NULL)
        GB_TRY(prior.ops->create(&prior, err));
    *out = prior;
    return GB_OK;
done:
    gb_prior_clear(&prior);
    return st;
}

void gb_prior_clear(gb_prior *prior)
{
    if (prior->state != NULL) {
        if (prior->ops->free_state != NULL)
            prior->ops->free_state(prior);
        gb_arrays_free(gb_prior_list, prior);
        gb_free(prior->state);
    }
    gb_prior_values_clear(&prior->values);
    *prior = (gb_prior){0};
}

gb_status gb_prior_restore(gb_prior *prior, gb_error *err)
{
    const gb_status st = prior->ops->check(prior->setup, &prior->values, err);
    return st != GB_OK || prior->ops->restore == NULL ? st : prior->ops->restore(prior, err);
}
