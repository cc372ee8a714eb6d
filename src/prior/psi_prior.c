/* prior/psi_prior.c - the state of priors with log weights: psi of each document, its base weights, and the means and
 * covariance that are learned.
 *
 * One update: psi | topics (psi.c), then means | psi, then precisions or the covariance | psi, means.  Each is a draw given
 * everything else, so their order is free; weights are made from psi when it is drawn, since tokens come next. */
#include "prior/psi_prior.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/text.h"
#include "corpus/data/texts.h"
#include "corpus/readers/table.h"
#include "math/special.h"
#include "prior/covariance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DOCS_PER_TASK = 256, N_LANES = 8 };

#define GB_PSI_LEAST 1e-300 /* weight of a topic, for its logarithm */

static const char what[] = "topic weights";

/* ---- setup ---- */

enum { MEAN, SPREAD, EVOLUTION };

/* Sets of precisions: one for each topic, or one for all. */
static size_t n_sets(const gb_prior_setup *setup)
{
    return ((const gb_psi_setup *)setup->own)->means.per_topic ? gb_psi_n_free(setup) : 1;
}

/* "group_mean"; then "precision" of documents around their means, or "covariance"; with edges "evolution_precision". */
gb_prior_values gb_psi_shape(const gb_prior_setup *setup)
{
    const gb_psi_setup *own = setup->own;
    const size_t n = gb_psi_n_free(setup);
    gb_prior_values values = {.n_tables = own->n_types > 0 ? 3 : 2};
    values.table[MEAN] = (gb_prior_table){.name = "group_mean", .n_rows = own->n_groups, .n_columns = n};
    if (own->is_full)
        values.table[SPREAD] = (gb_prior_table){.name = "covariance", .n_rows = n, .n_columns = n};
    else
        values.table[SPREAD] = (gb_prior_table){.name = "precision", .n_columns = n_sets(setup)};
    if (own->n_types > 0)
        values.table[EVOLUTION] =
            (gb_prior_table){.name = "evolution_precision", .n_rows = n_sets(setup), .n_columns = own->n_types};
    return values;
}

static void free_types(gb_psi_setup *own)
{
    for (size_t i = 0; own->type != NULL && i < own->n_types; i++)
        gb_free(own->type[i]);
    gb_free(own->type);
}

void gb_psi_clear_own(void *setup)
{
    gb_psi_setup *own = setup;
    gb_groups_free(own->groups);
    gb_graph_free(own->graph);
    gb_free(own->group_of);
    gb_free(own->group_size);
    free_types(own);
    gb_free(own);
}

/* By gb_psi_update. */
static const char *const update_names[GB_N_PSI_UPDATES] = {"interval", "polya-gamma", "auto"};

static bool find_update(const char *name, gb_psi_update *out)
{
    for (int i = 0; i < GB_N_PSI_UPDATES; i++)
        if (strcmp(update_names[i], name) == 0) {
            *out = (gb_psi_update)i;
            return true;
        }
    return false;
}

gb_status gb_psi_configure(const gb_settings *settings, gb_prior_setup *out, gb_error *err)
{
    gb_psi_setup *own = NULL;
    gb_status st = gb_alloc(&own, 1, sizeof *own, what, err);
    if (st != GB_OK)
        return st;
    const gb_precision sampled = {.value = 1, .shape = 1, .rate = 1};
    *own = (gb_psi_setup){.is_full = strcmp(settings->covariance, "full") == 0,
                          .n_groups = 1,
                          .means = {.evolution = sampled,
                                    .observation = sampled,
                                    .level_precision = settings->level_precision,
                                    .level_mean = settings->level_mean}};
    (void)find_update(settings->psi_update, &own->update); /* one of the choices */
    out->own = own;
    return GB_OK;
}

gb_status gb_psi_copy_types(gb_psi_setup *own, size_t n_types, char *const *type, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&own->type, n_types, sizeof *own->type, what, err));
    for (; own->n_types < n_types; own->n_types++)
        GB_TRY(gb_copy_text(&own->type[own->n_types], type[own->n_types], strlen(type[own->n_types]), err));
done:
    return st;
}

gb_status gb_psi_start(gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    const gb_psi_setup *own = out->own;
    const size_t n = gb_psi_n_free(out);
    GB_TRY(gb_prior_values_create(out, &out->start, err));
    for (size_t i = 0; i < gb_prior_table_size(&out->start.table[MEAN]); i++)
        out->start.table[MEAN].value[i] = own->means.level_mean;
    for (size_t t = 0; t < n && own->is_full; t++)
        out->start.table[SPREAD].value[t * n + t] = 1;
    for (size_t t = 0; t < n_sets(out) && !own->is_full; t++)
        out->start.table[SPREAD].value[t] = own->means.observation.value;
    for (size_t i = 0; own->n_types > 0 && i < gb_prior_table_size(&out->start.table[EVOLUTION]); i++)
        out->start.table[EVOLUTION].value[i] = own->means.evolution.value;
done:
    return st;
}

/* ---- a covariance that is given ---- */

static gb_status read_row(gb_table *table, const char *path, size_t n, double *row, gb_error *err)
{
    for (size_t j = 0; j < n; j++) {
        const gb_view cell = gb_view_trim(gb_table_cell(table, j));
        if (!gb_view_to_real(cell, &row[j]))
            return gb_fail(err, GB_EFORMAT, "%s:%llu: \"%.*s\" is not a finite number", path,
                           (unsigned long long)gb_table_line(table), GB_SHOWN(cell));
    }
    return GB_OK;
}

/* K - 1 rows of K - 1 numbers. */
static gb_status read_matrix(const char *path, size_t n, double *matrix, gb_error *err)
{
    gb_status st;
    gb_input *input = NULL;
    gb_table *table = NULL;
    char extension[16], last[24];
    size_t column, n_rows = 0;
    bool end = false;
    gb_file_extension(path, extension);
    (void)snprintf(last, sizeof last, "#%zu", n);
    GB_TRY(gb_input_open(&input, path, err));
    GB_TRY(gb_table_open(&table, input, strcmp(extension, "tsv") == 0 ? GB_TABLE_TSV : GB_TABLE_CSV, false, err));
    GB_TRY(gb_table_column(table, last, true, &column, err));
    for (;; n_rows++) {
        GB_TRY(gb_table_next(table, &end, err));
        if (end || n_rows == n)
            break;
        GB_TRY(read_row(table, path, n, matrix + n_rows * n, err));
    }
    GB_TRY(gb_input_expect_last(input, err));
    if (!end || n_rows < n)
        st = gb_fail(err, GB_EFORMAT, "%s: expected %zu rows of %zu numbers, one for each topic but the last", path,
                     n, n);
done:
    gb_table_close(table);
    gb_input_close(input);
    return st;
}

static bool is_symmetric(size_t n, const double *matrix)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            if (matrix[i * n + j] != matrix[j * n + i])
                return false;
    return true;
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

gb_status gb_psi_set_covariance(const char *text, gb_prior_setup *out, gb_error *err)
{
    gb_psi_setup *own = out->own;
    const size_t n = gb_psi_n_free(out);
    double variance, *sigma = out->start.table[SPREAD].value;
    own->covariance_is_fixed = strcmp(text, "sample") != 0;
    if (!own->covariance_is_fixed)
        return GB_OK;
    if (gb_text_to_real(text, &variance) == GB_NUMBER_OK) {
        if (!(variance >= 1e-9 && variance <= 1e9))
            return gb_fail(err, GB_EARGUMENT, "--psi-covariance must be from 1e-9 to 1e9, not %s", text);
        for (size_t t = 0; t < n; t++)
            sigma[t * n + t] = variance;
        return GB_OK;
    }
    gb_status st = read_matrix(text, n, sigma, err);
    if (st == GB_OK && !(is_symmetric(n, sigma) && is_positive_definite(n, sigma)))
        st = gb_fail(err, GB_EFORMAT, "%s: a covariance must be symmetric and positive definite", text);
    return st;
}

/* ---- the setup in a model ---- */

static json_t *texts_of(size_t n, char *const *text)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        if (json_array_append_new(list, json_string(text[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *fields_of(const gb_groups *groups)
{
    json_t *list = json_array();
    for (size_t i = 0; groups != NULL && i < gb_groups_n_fields(groups); i++)
        if (json_array_append_new(list, json_string(gb_groups_field(groups, i))) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *names_of(const gb_groups *groups)
{
    json_t *list = json_array();
    for (uint32_t g = 0; groups != NULL && g < gb_groups_count(groups); g++) {
        const gb_view name = gb_groups_name(groups, g);
        if (json_array_append_new(list, json_stringn(name.text, name.length)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *sizes_of(const gb_psi_setup *own)
{
    json_t *list = json_array();
    for (uint32_t g = 0; own->groups != NULL && g < own->n_groups; g++)
        if (json_array_append_new(list, json_integer((json_int_t)own->group_size[g])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

json_t *gb_psi_to_json(const gb_prior_setup *setup)
{
    const gb_psi_setup *own = setup->own;
    return json_pack("{s:s, s:s, s:b, s:o, s:o, s:o, s:o}", "covariance", own->is_full ? "full" : "diagonal",
                     "psi-update", update_names[own->update], "precision_per_topic", own->means.per_topic,
                     "group_fields", fields_of(own->groups), "groups", names_of(own->groups), "group_documents",
                     sizes_of(own), "edge_types", texts_of(own->n_types, own->type));
}

static gb_status damaged(gb_error *err)
{
    return gb_fail(err, GB_EFORMAT,
                   "damaged model file: an entry of the document prior is missing or of another type");
}

/* A list of texts, owned by the list. */
static gb_status read_texts(const json_t *list, const char ***out, gb_error *err)
{
    gb_status st = gb_alloc(out, json_array_size(list), sizeof **out, what, err);
    for (size_t i = 0; st == GB_OK && i < json_array_size(list); i++) {
        (*out)[i] = json_string_value(json_array_get(list, i));
        if ((*out)[i] == NULL || gb_text_fault((*out)[i], strlen((*out)[i])) != NULL)
            return damaged(err);
    }
    return st;
}

static gb_status read_groups(const json_t *fields, const json_t *names, gb_psi_setup *own, gb_error *err)
{
    gb_status st;
    const char **field = NULL, **name = NULL;
    own->n_groups = 1;
    if (json_array_size(fields) == 0 && json_array_size(names) == 0)
        return GB_OK;
    GB_TRY(read_texts(fields, &field, err));
    GB_TRY(read_texts(names, &name, err));
    GB_TRY(gb_groups_create(&own->groups, json_array_size(fields), field, err));
    for (size_t g = 0; g < json_array_size(names); g++) {
        uint32_t number;
        GB_TRY(gb_groups_add(own->groups, (gb_view){name[g], strlen(name[g])}, &number, err));
        if (number != g) {
            st = damaged(err);
            goto done;
        }
    }
    own->n_groups = gb_groups_count(own->groups);
    if (own->n_groups == 0)
        st = damaged(err);
done:
    gb_free(field);
    gb_free(name);
    return st;
}

static gb_status read_sizes(const json_t *list, gb_psi_setup *own, gb_error *err)
{
    gb_status st;
    if (json_array_size(list) != (own->groups == NULL ? 0 : own->n_groups))
        return damaged(err);
    GB_TRY(gb_alloc(&own->group_size, json_array_size(list), sizeof *own->group_size, what, err));
    for (size_t g = 0; g < json_array_size(list); g++) {
        const json_t *size = json_array_get(list, g);
        if (!json_is_integer(size) || json_integer_value(size) < 0)
            return damaged(err);
        own->group_size[g] = (uint64_t)json_integer_value(size);
    }
done:
    return st;
}

static gb_status read_types(const json_t *list, gb_psi_setup *own, gb_error *err)
{
    gb_status st;
    const char **type = NULL;
    GB_TRY(read_texts(list, &type, err));
    GB_TRY(gb_psi_copy_types(own, json_array_size(list), (char *const *)(uintptr_t)type, err));
done:
    gb_free(type);
    return st;
}

gb_status gb_psi_from_json(const json_t *object, gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    gb_psi_setup *own = NULL;
    const char *covariance, *update;
    int per_topic;
    json_t *fields, *names, *sizes, *types;
    if (out->n_topics < 2 ||
        json_unpack((json_t *)(uintptr_t)object, "{s:s, s:s, s:b, s:o, s:o, s:o, s:o}", "covariance", &covariance,
                    "psi-update", &update, "precision_per_topic", &per_topic, "group_fields", &fields, "groups",
                    &names, "group_documents", &sizes, "edge_types", &types) != 0 ||
        !json_is_array(fields) || !json_is_array(names) || !json_is_array(sizes) || !json_is_array(types))
        return damaged(err);
    GB_TRY(gb_alloc(&own, 1, sizeof *own, what, err));
    out->own = own;
    own->is_full = strcmp(covariance, "full") == 0;
    if (!find_update(update, &own->update) || (!own->is_full && strcmp(covariance, "diagonal") != 0))
        return damaged(err);
    own->means.per_topic = per_topic != 0;
    GB_TRY(read_groups(fields, names, own, err));
    GB_TRY(read_sizes(sizes, own, err));
    GB_TRY(read_types(types, own, err));
done:
    return st;
}

static bool all_positive(const gb_prior_table *table)
{
    for (size_t i = 0; i < gb_prior_table_size(table); i++)
        if (!(table->value[i] > 0))
            return false;
    return true;
}

const char *gb_psi_fault(const gb_prior_setup *setup, const gb_prior_values *values)
{
    const gb_psi_setup *own = setup->own;
    for (size_t i = 0; i < values->n_tables; i++)
        for (size_t j = 0; j < gb_prior_table_size(&values->table[i]); j++)
            if (!isfinite(values->table[i].value[j]))
                return "a parameter of the document prior is not a number";
    if (own->is_full && !is_positive_definite(gb_psi_n_free(setup), values->table[SPREAD].value))
        return "a covariance is not positive definite";
    if (!own->is_full && !all_positive(&values->table[SPREAD]))
        return "a precision is not a positive number";
    if (own->n_types > 0 && !all_positive(&values->table[EVOLUTION]))
        return "a precision is not a positive number";
    return NULL;
}

double gb_psi_concentration(const gb_prior_setup *setup)
{
    (void)setup;
    return INFINITY;
}

const gb_groups *gb_psi_groups(const gb_prior_setup *setup)
{
    return ((const gb_psi_setup *)setup->own)->groups;
}

const uint64_t *gb_psi_group_sizes(const gb_prior_setup *setup)
{
    return ((const gb_psi_setup *)setup->own)->group_size;
}

gb_status gb_psi_find_groups(const gb_prior_setup *setup, const gb_corpus *corpus, uint32_t *group, gb_error *err)
{
    return gb_groups_number_documents(gb_psi_groups(setup), corpus, gb_corpus_path(corpus), group, err);
}

/* ---- state ---- */

typedef struct psi_state {
    size_t n_free;
    double *psi;              /* n_docs x n_free */
    double *weight;           /* n_docs x n_topics: base weights */
    double *scratch;          /* n_threads x gb_psi_scratch() */
    double *precision;        /* n_free: of documents around their means, by topic */
    gb_covariance covariance; /* full */
    double *scatter;          /* full: n_free x n_free */
    double *partial;          /* a sum for each task */
    gb_group_means *means;    /* of a chain */
    gb_psi_law law;
} psi_state;

/* The law as the values have it. */
static gb_status set_law(gb_prior *prior, gb_error *err)
{
    psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    const double *spread = prior->values.table[SPREAD].value;
    s->law = (gb_psi_law){.n_free = s->n_free, .mean = prior->values.table[MEAN].value};
    s->law.group = prior->n_docs == 0 ? NULL : own->group_of;
    if (own->is_full) {
        s->law.full = s->covariance.precision;
        s->law.root = s->covariance.root;
        memcpy(s->covariance.sigma, spread, s->n_free * s->n_free * sizeof *spread);
        return gb_covariance_set(&s->covariance, err);
    }
    s->law.precision = s->precision;
    for (size_t t = 0; t < s->n_free; t++)
        s->precision[t] = spread[n_sets(prior->setup) == 1 ? 0 : t];
    return GB_OK;
}

void gb_psi_free_state(void *state)
{
    psi_state *s = state;
    gb_free(s->psi);
    gb_free(s->weight);
    gb_free(s->scratch);
    gb_free(s->precision);
    gb_free(s->scatter);
    gb_free(s->partial);
    gb_covariance_clear(&s->covariance);
    gb_group_means_free(s->means);
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

/* Means and precisions of the groups at the values. */
static gb_status create_means(gb_prior *prior, gb_error *err)
{
    gb_status st;
    psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    uint32_t *zero = NULL;
    if (own->group_of == NULL)
        GB_TRY(gb_alloc(&zero, prior->n_docs, sizeof *zero, what, err));
    GB_TRY(gb_group_means_create(&s->means, own->graph, prior->n_docs, zero != NULL ? zero : own->group_of, s->n_free,
                                 &own->means, prior->n_threads, err));
    const gb_prior_table *table = prior->values.table;
    memcpy(s->means->mean, table[MEAN].value, gb_prior_table_size(&table[MEAN]) * sizeof(double));
    if (!own->is_full)
        memcpy(s->means->observation, table[SPREAD].value, gb_prior_table_size(&table[SPREAD]) * sizeof(double));
    if (own->n_types > 0)
        memcpy(s->means->evolution, table[EVOLUTION].value, gb_prior_table_size(&table[EVOLUTION]) * sizeof(double));
done:
    gb_free(zero);
    return st;
}

static size_t n_tasks(const gb_prior *prior)
{
    return (size_t)((prior->n_docs + DOCS_PER_TASK - 1) / DOCS_PER_TASK);
}

static gb_status create_documents(gb_prior *prior, gb_error *err)
{
    gb_status st;
    psi_state *s = prior->state;
    GB_TRY(gb_alloc(&s->psi, prior->n_docs, s->n_free * sizeof *s->psi, what, err));
    GB_TRY(gb_alloc(&s->weight, prior->n_docs, prior->n_topics * sizeof *s->weight, what, err));
    GB_TRY(gb_alloc(&s->scratch, prior->n_threads, gb_psi_scratch(s->n_free) * sizeof *s->scratch, what, err));
    GB_TRY(gb_alloc(&s->partial, n_tasks(prior), sizeof *s->partial, what, err));
    GB_TRY(create_means(prior, err));
    start_documents(prior);
done:
    return st;
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
    GB_TRY(gb_alloc(&s->precision, n_free, sizeof *s->precision, what, err));
    if (own->is_full) {
        GB_TRY(gb_covariance_create(&s->covariance, n_free, err));
        GB_TRY(gb_alloc(&s->scatter, n_free, n_free * sizeof *s->scatter, what, err));
    }
    GB_TRY(set_law(prior, err));
    if (prior->n_docs > 0)
        GB_TRY(create_documents(prior, err));
done:
    return st;
}

/* What gb_group_means_create() says of itself, with a factor that is no denser than the graph. */
static uint64_t bytes_of_means(const gb_psi_setup *own, uint64_t n_free, uint64_t n_docs, size_t n_threads)
{
    const uint64_t n_edges = own->graph->type_start[own->graph->n_types], n_groups = own->n_groups;
    return n_groups * (n_free * sizeof(double) + 128 * n_threads + 100) + 12 * n_docs + 20 * n_edges +
           12 * (n_groups + n_edges);
}

uint64_t gb_psi_bytes(const gb_prior_setup *setup, uint64_t n_docs, size_t n_threads)
{
    const gb_psi_setup *own = setup->own;
    const uint64_t n_free = gb_psi_n_free(setup);
    const uint64_t of_documents = n_docs * (n_free + setup->n_topics) + n_threads * gb_psi_scratch(n_free);
    return (of_documents + (own->is_full ? 4 * n_free * n_free : 0)) * sizeof(double) + n_docs * sizeof(uint32_t) +
           bytes_of_means(own, n_free, n_docs, n_threads);
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

static uint64_t task_end(const gb_prior *prior, size_t task)
{
    const uint64_t end = ((uint64_t)task + 1) * DOCS_PER_TASK;
    return end < prior->n_docs ? end : prior->n_docs;
}

/* Degrees of freedom of the covariance's prior: its mean is the identity. */
static double first_degrees(size_t n_free)
{
    return (double)n_free + 2;
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

/* Sigma | psi, means: with means that are given, they say nothing of it. */
static gb_status draw_covariance(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st;
    psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    const size_t n = s->n_free;
    double degrees = first_degrees(n) + (double)prior->n_docs;
    memset(s->scatter, 0, n * n * sizeof *s->scatter);
    if (own->mean_is_fixed) {
        const gb_deviations deviations = {.q = n,
                                          .n = prior->n_docs,
                                          .x = s->psi,
                                          .mean = s->law.mean,
                                          .group = s->law.group,
                                          .n_threads = prior->n_threads,
                                          .isa = prior->isa};
        GB_TRY(gb_scatter(&deviations, s->scatter, err));
    } else {
        GB_TRY(gb_group_means_add_scatter(s->means, s->psi, s->scatter, err));
        degrees += (double)own->n_groups;
    }
    for (size_t t = 0; t < n; t++)
        s->scatter[t * n + t] += 1;
    gb_random random = gb_random_open(sweep->key, sweep->sweep, GB_DRAW_COVARIANCE, 0);
    GB_TRY(gb_covariance_draw(&s->covariance, s->scatter, degrees, &random, err));
    memcpy(prior->values.table[SPREAD].value, s->covariance.sigma, n * n * sizeof *s->scatter);
done:
    return st;
}

/* What the means know, into the values. */
static void copy_values(gb_prior *prior)
{
    const psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    gb_prior_table *table = prior->values.table;
    memcpy(table[MEAN].value, s->means->mean, gb_prior_table_size(&table[MEAN]) * sizeof(double));
    if (!own->is_full)
        memcpy(table[SPREAD].value, s->means->observation, gb_prior_table_size(&table[SPREAD]) * sizeof(double));
    if (own->n_types > 0)
        memcpy(table[EVOLUTION].value, s->means->evolution, gb_prior_table_size(&table[EVOLUTION]) * sizeof(double));
}

/* Means, precisions or covariance | psi. */
static gb_status draw_parameters(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st;
    psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    const double *root = own->is_full ? s->covariance.root : NULL;
    if (!own->mean_is_fixed)
        GB_TRY(gb_group_means_draw(s->means, s->psi, root, sweep->key, sweep->sweep, err));
    GB_TRY(gb_group_means_draw_precisions(s->means, s->psi, root, sweep->key, sweep->sweep, err));
    copy_values(prior);
    if (own->is_full && !own->covariance_is_fixed)
        GB_TRY(draw_covariance(prior, sweep, err));
    GB_TRY(set_law(prior, err));
done:
    return st;
}

gb_status gb_psi_update_prior(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st;
    struct redrawing r = {.prior = prior, .sweep = sweep};
    GB_TRY(gb_parallel_for(n_tasks(prior), prior->n_threads, redraw_documents, &r, err));
    GB_TRY(draw_parameters(prior, sweep, err));
done:
    return st;
}

/* psi_dt = log (n_dt + a) / (n_dK + a): the proportions have their mean under Dirichlet parameters a. */
static void settle_document(const gb_prior *prior, const gb_proportions *z, uint64_t d)
{
    const psi_state *s = prior->state;
    const double a = gb_prior_start_weight(prior->n_topics);
    double *psi = s->psi + d * s->n_free;
    const gb_document_topics topics = gb_proportions_of(z, d);
    double last = a;
    if (topics.n > 0 && topics.topic[topics.n - 1] == s->n_free)
        last += topics.count[topics.n - 1];
    for (size_t t = 0; t < s->n_free; t++)
        psi[t] = log(a / last);
    for (size_t i = 0; i < topics.n && topics.topic[i] < s->n_free; i++)
        psi[topics.topic[i]] = log((topics.count[i] + a) / last);
    gb_psi_weights(s->n_free, psi, prior->isa, s->weight + d * prior->n_topics);
}

static gb_status settle_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const struct redrawing *r = context;
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < task_end(r->prior, task); d++)
        settle_document(r->prior, r->sweep->z, d);
    return GB_OK;
}

gb_status gb_psi_adopt_start(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err)
{
    gb_status st;
    struct redrawing r = {.prior = prior, .sweep = sweep};
    GB_TRY(gb_parallel_for(n_tasks(prior), prior->n_threads, settle_documents, &r, err));
    GB_TRY(draw_parameters(prior, sweep, err));
done:
    return st;
}

/* ---- log probability ---- */

struct densities {
    const gb_prior *prior;
    const gb_proportions *z;
};

/* Twice the logarithm of N(x; 0, Q^{-1}) over constants. */
static double log_normal_twice(const psi_state *s, const double *psi, const double *mean)
{
    double sum = 0;
    const size_t n = s->n_free;
    for (size_t t = 0; t < n && s->law.full == NULL; t++) {
        const double x = psi[t] - mean[t];
        sum += log(s->law.precision[t]) - s->law.precision[t] * x * x;
    }
    if (s->law.full == NULL)
        return sum;
    for (size_t t = 0; t < n; t++) {
        double row = 0;
        for (size_t j = 0; j < n; j++)
            row += s->law.full[t * n + j] * (psi[j] - mean[j]);
        sum -= row * (psi[t] - mean[t]);
    }
    return sum - s->covariance.log_determinant;
}

/* log p(z_d | psi_d) + log p(psi_d | mean). */
static double log_of_document(const struct densities *r, uint64_t d)
{
    const psi_state *s = r->prior->state;
    const double *psi = s->psi + d * s->n_free;
    const gb_document_topics topics = gb_proportions_of(r->z, d);
    double largest = 0, sum = 0, total = 0;
    for (size_t t = 0; t < s->n_free; t++)
        largest = fmax(largest, psi[t]);
    for (size_t t = 0; t < s->n_free; t++)
        total += exp(psi[t] - largest);
    total += exp(-largest);
    for (size_t i = 0; i < topics.n; i++)
        sum += topics.count[i] * (topics.topic[i] < s->n_free ? psi[topics.topic[i]] : 0);
    const double *mean = s->law.mean + (s->law.group == NULL ? 0 : s->law.group[d]) * s->n_free;
    return sum - gb_proportions_length(r->z, d) * (largest + log(total)) +
           (log_normal_twice(s, psi, mean) - (double)s->n_free * log(2 * M_PI)) / 2;
}

static gb_status add_documents(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)worker, (void)err;
    const struct densities *r = context;
    const psi_state *s = r->prior->state;
    double sum = 0;
    for (uint64_t d = (uint64_t)task * DOCS_PER_TASK; d < task_end(r->prior, task); d++)
        sum += log_of_document(r, d);
    s->partial[task] = sum;
    return GB_OK;
}

/* log of IW(Sigma; I, first_degrees()). */
static double log_wishart(const psi_state *s)
{
    const double n = (double)s->n_free, degrees = first_degrees(s->n_free);
    double log_p = -degrees * n / 2 * log(2) - n * (n - 1) / 4 * log(M_PI) -
                   (degrees + n + 1) / 2 * s->covariance.log_determinant;
    for (size_t t = 0; t < s->n_free; t++)
        log_p -= gb_log_gamma((degrees - (double)t) / 2) + s->covariance.precision[t * s->n_free + t] / 2;
    return log_p;
}

gb_status gb_psi_log_probability(gb_prior *prior, const gb_proportions *z, double *out, gb_error *err)
{
    gb_status st;
    psi_state *s = prior->state;
    const gb_psi_setup *own = prior->setup->own;
    struct densities r = {.prior = prior, .z = z};
    double sum = gb_group_means_log_prior(s->means, !own->is_full), log_means = 0;
    GB_TRY(gb_parallel_for(n_tasks(prior), prior->n_threads, add_documents, &r, err));
    for (size_t i = 0; i < n_tasks(prior); i++)
        sum += s->partial[i];
    if (!own->mean_is_fixed)
        GB_TRY(gb_group_means_log_density(s->means, own->is_full ? s->covariance.root : NULL, &log_means, err));
    if (own->is_full && !own->covariance_is_fixed)
        sum += log_wishart(s);
    *out = sum + log_means;
done:
    return st;
}

/* ---- other documents ---- */

/* psi of a document, room filled up so that the next document's is aligned. */
size_t gb_psi_n_document_numbers(const gb_prior_setup *setup)
{
    return (gb_psi_n_free(setup) + N_LANES - 1) / N_LANES * N_LANES;
}

size_t gb_psi_n_scratch(const gb_prior_setup *setup)
{
    return gb_psi_scratch(gb_psi_n_free(setup));
}

void gb_psi_begin(const gb_prior *prior, const gb_prior_document *document)
{
    const psi_state *s = prior->state;
    double sum = 0;
    memcpy(document->numbers, s->law.mean + document->group * s->n_free, s->n_free * sizeof *document->numbers);
    gb_psi_weights(s->n_free, document->numbers, prior->isa, document->base);
    for (size_t k = 0; k < prior->n_topics; k++)
        sum += document->base[k];
    for (size_t k = 0; k < prior->n_topics; k++)
        document->base[k] *= GB_PRIOR_START_SUM / sum;
}

/* psi_t = log (n_t + base_t) / (n_K + base_K); a base of 0 is too small for a double, so one of the smallest is in its place. */
void gb_psi_adopt_document(const gb_prior *prior, const gb_prior_document *document)
{
    const size_t n = gb_psi_n_free(prior->setup);
    const double last = log(fmax(document->count[n] + document->base[n], GB_PSI_LEAST));
    for (size_t t = 0; t < n; t++)
        document->numbers[t] = log(fmax(document->count[t] + document->base[t], GB_PSI_LEAST)) - last;
    gb_psi_weights(n, document->numbers, prior->isa, document->base);
}

void gb_psi_redraw_others(const gb_prior *prior, size_t n, const gb_prior_document *document, double *scratch)
{
    enum { AT_ONCE = 32 };
    gb_psi_document psi[AT_ONCE];
    for (size_t done = 0, here; done < n; done += here, document += here) {
        const gb_psi_redrawing how = redrawing_of(prior, document->key, document->sweep, GB_DRAW_INFER_PSI);
        here = n - done < AT_ONCE ? n - done : AT_ONCE;
        for (size_t i = 0; i < here; i++)
            psi[i] = (gb_psi_document){.item = document[i].row,
                                       .group = document[i].group,
                                       .count = document[i].count,
                                       .psi = document[i].numbers};
        gb_psi_redraw_documents(&how, here, psi, scratch);
        for (size_t i = 0; i < here; i++)
            gb_psi_weights(gb_psi_n_free(prior->setup), document[i].numbers, prior->isa, document[i].base);
    }
}

void gb_psi_draw_shares(const gb_prior *prior, uint32_t group, gb_random *random, double *share)
{
    const psi_state *s = prior->state;
    gb_psi_draw(&s->law, random, group, share);
    gb_psi_log_shares(s->n_free, share, share);
    for (size_t k = 0; k < prior->n_topics; k++)
        share[k] = exp(share[k]);
}
