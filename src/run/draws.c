/* run/draws.c - one JSON object per kept sweep.  Written by hand, number by number: a document-by-topic
 * matrix as a JSON tree would need many times its memory. */
#include "run/draws.h"

#include "base/memory.h"
#include "chain/collect.h"

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

/* In the order of the corpus. */
static gb_status write_assignments(FILE *f, const gb_chain *c, gb_error *err)
{
    uint16_t *all = NULL;
    const gb_status st = gb_collect_topics(c, &all, err);
    const gb_corpus *corpus = c->here->whole;
    if (st == GB_OK && f != NULL)
        fputs(",\"assignments\":[", f);
    for (uint64_t d = 0; st == GB_OK && f != NULL && d < corpus->n_docs; d++) {
        fputs(d == 0 ? "[" : ",[", f);
        for (uint64_t i = corpus->doc_start[d]; i < corpus->doc_start[d + 1]; i++)
            fprintf(f, i == corpus->doc_start[d] ? "%u" : ",%u", all[i]);
        fputc(']', f);
    }
    if (st == GB_OK && f != NULL)
        fputc(']', f);
    gb_free(all);
    return st;
}

/* What is kept of each document, n numbers, of the documents of all ranks. */
static gb_status write_documents(FILE *f, const gb_chain *c, const char *name, size_t n, const double *here,
                                 gb_error *err)
{
    void *all = NULL;
    const bool is_alone = c->portion.team == NULL;
    const gb_status st = is_alone ? GB_OK : gb_collect_documents(c, here, n * sizeof *here, &all, err);
    if (st == GB_OK && f != NULL)
        write_rows(f, name, c->here->n_all_docs, n, is_alone ? here : all);
    gb_free(all);
    return st;
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

typedef struct documents {
    FILE *f; /* NULL at other ranks than 0 */
    const gb_chain *chain;
    gb_error *err;
    gb_status st;
} documents;

/* What the prior keeps of each document. */
static void write_state_of_documents(void *context, const gb_array *array)
{
    documents *w = context;
    if (w->st == GB_OK && array->life == GB_STATE && array->axis == GB_BY_DOCUMENT && array->n_dimensions == 2 &&
        array->shape[1] > 0)
        w->st = write_documents(w->f, w->chain, array->name, array->shape[1], gb_array_first(array), w->err);
}

static gb_status write_prior(FILE *f, const gb_chain *c, gb_error *err)
{
    documents w = {.f = f, .chain = c, .err = err, .st = GB_OK};
    for (size_t i = 0; f != NULL && i < c->prior.values.n_tables; i++)
        write_table(f, &c->prior.values.table[i]);
    gb_arrays_visit(gb_prior_list, &c->prior, &(gb_array_visitor){write_state_of_documents, &w});
    return w.st;
}

gb_status gb_draws_write(FILE *f, const gb_chain *c, double log_joint, gb_draws_include include, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n_outputs = c->spec->n_outputs;
    if (f != NULL)
        fprintf(f, "{\"chain\":%llu,\"sweep\":%u,\"log_joint\":%.17g", (unsigned long long)c->number, c->sweep,
                log_joint);
    if (include.eta && f != NULL)
        write_rows(f, "eta", n_outputs, gb_spec_n_features(c->spec), c->eta);
    if (include.scores && n_outputs > 0)
        GB_TRY(write_documents(f, c, "scores", n_outputs, c->score, err));
    else if (include.scores && f != NULL)
        write_rows(f, "scores", 0, 0, NULL);
    if (include.prior)
        GB_TRY(write_prior(f, c, err));
    if (include.prior && f != NULL) {
        write_scales(f, &c->scales);
        write_own_parameters(f, c);
    }
    if (include.assignments)
        GB_TRY(write_assignments(f, c, err));
    if (f == NULL)
        return st;
    fputs("}\n", f);
    if (ferror(f))
        return gb_fail(err, GB_EIO, "the draws file: cannot write: %s", strerror(errno));
done:
    return st;
}
