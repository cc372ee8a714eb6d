/* diagnose/diagnosis.c - the diagnosis of a model or of a run. */
#include "diagnose/diagnosis.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---- */

gb_status gb_diagnosis_name(gb_diagnosis *d, const char **out, gb_error *err, const char *format, ...)
{
    va_list arguments;
    char text[400];
    gb_status st;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    GB_TRY(gb_grow(&d->name, &d->name_capacity, d->n_names + 1, sizeof *d->name, "the diagnosis", err));
    GB_TRY(gb_copy_text(&d->name[d->n_names], text, strlen(text), err));
    *out = d->name[d->n_names++];
done:
    return st;
}

const char *gb_diagnose_suffix(const gb_diagnose_source *s, size_t response, size_t size, char *room)
{
    const size_t n = s->model == NULL ? s->parameters->of[GB_LOSS].size : s->model->n_responses;
    *room = '\0';
    if (n > 1 && s->model == NULL)
        (void)snprintf(room, size, " (response %zu)", response + 1);
    else if (n > 1)
        (void)snprintf(room, size, " (%s)", gb_model_field(s->model, response));
    return room;
}

/* ---- making ---- */

static gb_status diagnose(const gb_diagnose_source *s, gb_diagnosis_depth depth, gb_diagnosis **out, gb_error *err)
{
    gb_status st;
    gb_diagnosis *d = NULL;
    gb_families families = {0};
    GB_TRY(gb_alloc(&d, 1, sizeof *d, "the diagnosis", err));
    d->n_tokens = s->model == NULL ? 0 : s->model->n_training_tokens;
    GB_TRY(gb_families_find(s, &families, err));
    for (size_t i = 0; i < families.n; i++)
        d->n_chains = families.of[i].n_chains > d->n_chains ? families.of[i].n_chains : d->n_chains;
    GB_TRY(gb_diagnose_traces(d, s, err));
    if (families.n > 0)
        GB_TRY(gb_diagnose_quantities(d, s, &families, depth, err));
    if (depth == GB_DIAGNOSE_ALL)
        GB_TRY(gb_diagnose_topics(d, s, &families, err));
    *out = d;
    d = NULL;
done:
    gb_families_clear(&families);
    gb_diagnosis_free(d);
    return st;
}

gb_status gb_diagnosis_create(const gb_model *model, gb_diagnosis_depth depth, gb_diagnosis **out, gb_error *err)
{
    const gb_diagnose_source source = gb_source_of_model(model);
    return diagnose(&source, depth, out, err);
}

gb_status gb_diagnosis_create_from_checkpoint(const char *path, gb_diagnosis **out, gb_error *err)
{
    gb_run_draws *draws;
    gb_diagnose_source source;
    gb_status st = gb_run_draws_read(path, &draws, &source, err);
    if (st != GB_OK)
        return st;
    st = diagnose(&source, GB_DIAGNOSE_ALL, out, err);
    gb_run_draws_free(draws);
    return st;
}

void gb_diagnosis_free(gb_diagnosis *d)
{
    if (d == NULL)
        return;
    for (size_t i = 0; i < d->n_names; i++)
        gb_free(d->name[i]);
    gb_free(d->name);
    gb_free(d->quantity);
    gb_free(d->trace);
    gb_free(d->trace_value);
    gb_free(d->topic);
    gb_free(d);
}
