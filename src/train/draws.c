/* train/draws.c - one JSON object per kept sweep.  Written by hand, number by number: a document-by-topic
 * matrix as a JSON tree would need many times its memory. */
#include "train/draws.h"

#include "base/memory.h"

#include <errno.h>
#include <math.h>
#include <string.h>

gb_status gb_draws_include_parse(const char *text, gb_draws_include *out, gb_error *err)
{
    gb_draws_include include = {0};
    while (*text != '\0') {
        const size_t n = strcspn(text, ",");
        if (n == 3 && strncmp(text, "eta", n) == 0)
            include.eta = true;
        else if (n == 6 && strncmp(text, "scores", n) == 0)
            include.scores = true;
        else if (n == 11 && strncmp(text, "assignments", n) == 0)
            include.assignments = true;
        else if (n == 5 && strncmp(text, "prior", n) == 0)
            include.prior = true;
        else
            return gb_fail(err, GB_EARGUMENT,
                           "`draws-include` must name eta, scores, assignments or prior, separated by "
                           "commas, not \"%.*s\"",
                           (int)n, text);
        text += n + (text[n] == ',');
    }
    *out = include;
    return GB_OK;
}

static void write_numbers(FILE *f, size_t n, const double *x)
{
    fputc('[', f);
    for (size_t i = 0; i < n; i++)
        fprintf(f, i == 0 ? "%.17g" : ",%.17g", x[i]);
    fputc(']', f);
}

static void write_rows(FILE *f, const char *name, uint64_t n_rows, size_t n, const double *x)
{
    fprintf(f, ",\"%s\":[", name);
    for (uint64_t i = 0; i < n_rows; i++) {
        if (i > 0)
            fputc(',', f);
        write_numbers(f, n, x + i * n);
    }
    fputc(']', f);
}

/* One list per output, for priors that have scales. */
static void write_scales(FILE *f, const gb_coefficient_scales *scales)
{
    if (scales->n == 0)
        return;
    fputs(",\"scales\":[", f);
    for (size_t l = 0; l < scales->n_outputs; l++) {
        fputs(l == 0 ? "[" : ",[", f);
        for (size_t i = 0; i < scales->n; i++)
            fprintf(f, i == 0 ? "%.17g" : ",%.17g", sqrt(scales->square[l * scales->n + i]));
        fputc(']', f);
    }
    fputc(']', f);
}

/* "noise_variance_1": of the first response, in the units of its target. */
static void write_own_parameters(FILE *f, const gb_chain *c)
{
    for (size_t r = 0; r < c->spec->n_responses; r++) {
        const double scale = c->spec->response[r].target.scale;
        const gb_response *response = &c->response[r];
        const gb_own_parameter *parameter;
        const double *value = response->own;
        for (size_t i = 0; (parameter = gb_response_own_parameter(response->ops, i)) != NULL; i++) {
            fprintf(f, ",\"%s_%zu\":", parameter->name, r + 1);
            if (parameter->per_boundary)
                write_numbers(f, gb_own_parameter_size(parameter, response->n_levels), value);
            else
                fprintf(f, "%.17g", parameter->has_units ? *value * (scale * scale) : *value);
            value += gb_own_parameter_size(parameter, response->n_levels);
        }
    }
}

static gb_status write_assignments(FILE *f, const gb_chain *c, gb_error *err)
{
    uint64_t longest = 0;
    for (uint64_t d = 0; d < c->corpus->n_docs; d++) {
        const uint64_t n = c->corpus->doc_start[d + 1] - c->corpus->doc_start[d];
        longest = n > longest ? n : longest;
    }
    uint16_t *topic = NULL;
    gb_status st = gb_alloc(&topic, longest, sizeof *topic, "the draws file", err);
    if (st != GB_OK)
        return st;
    fputs(",\"assignments\":[", f);
    for (uint64_t d = 0; d < c->corpus->n_docs; d++) {
        const uint64_t n = c->corpus->doc_start[d + 1] - c->corpus->doc_start[d];
        gb_chain_assignment(c, d, topic);
        fputs(d == 0 ? "[" : ",[", f);
        for (uint64_t i = 0; i < n; i++)
            fprintf(f, i == 0 ? "%u" : ",%u", topic[i]);
        fputc(']', f);
    }
    fputc(']', f);
    gb_free(topic);
    return GB_OK;
}

static void write_table(FILE *f, const gb_prior_table *table)
{
    if (table->n_rows > 0) {
        write_rows(f, table->name, table->n_rows, table->n_columns, table->value);
        return;
    }
    fprintf(f, ",\"%s\":", table->name);
    write_numbers(f, table->n_columns, table->value);
}

/* What the prior keeps of each document. */
static void write_state_of_documents(void *context, const gb_array *array)
{
    if (array->life == GB_STATE && array->axis == GB_BY_DOCUMENT && array->n_dimensions == 2 &&
        gb_array_count(array) > 0)
        write_rows(context, array->name, array->shape[0], array->shape[1], gb_array_first(array));
}

static void write_prior(FILE *f, const gb_prior *prior)
{
    for (size_t i = 0; i < prior->values.n_tables; i++)
        write_table(f, &prior->values.table[i]);
    gb_arrays_visit(gb_prior_list, prior, &(gb_array_visitor){write_state_of_documents, f});
}

gb_status gb_draws_write(FILE *f, const gb_chain *c, double log_joint, gb_draws_include include, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n_outputs = c->spec->n_outputs;
    fprintf(f, "{\"chain\":%llu,\"sweep\":%u,\"log_joint\":%.17g", (unsigned long long)c->number, c->sweep,
            log_joint);
    if (include.eta)
        write_rows(f, "eta", n_outputs, gb_spec_n_features(c->spec), c->eta);
    if (include.scores)
        write_rows(f, "scores", n_outputs == 0 ? 0 : c->corpus->n_docs, n_outputs, c->score);
    if (include.prior) {
        write_prior(f, &c->prior);
        write_scales(f, &c->scales);
        write_own_parameters(f, c);
    }
    if (include.assignments)
        st = write_assignments(f, c, err);
    fputs("}\n", f);
    if (st == GB_OK && ferror(f))
        return gb_fail(err, GB_EIO, "the draws file: cannot write: %s", strerror(errno));
    return st;
}
