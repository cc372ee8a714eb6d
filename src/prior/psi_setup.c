/* prior/psi_setup.c - what is decided about log weights before a chain runs: groups, graph, which parameters are fixed, and
 * the tables of those that are learned. */
#include "prior/psi_prior.h"

#include "base/bounds.h"
#include "base/memory.h"
#include "prior/covariance.h"

#include <math.h>
#include <string.h>

static const char what[] = "topic weights";

/* ---- tables of values ---- */

/* Sets of precisions: one for each topic, or one for all. */
size_t gb_psi_n_sets(const gb_prior_setup *setup)
{
    return ((const gb_psi_setup *)setup->own)->means.per_topic ? gb_psi_n_free(setup) : 1;
}

/* "group_mean", or "prevalence" by columns; then "observation_precision" of documents around their means, or "covariance"; with edges
 * "evolution_precision", with a regression "prevalence_variance"; with clusters "cluster_factor". */
gb_prior_values gb_psi_shape(const gb_prior_setup *setup)
{
    const gb_psi_setup *own = setup->own;
    const size_t n = gb_psi_n_free(setup);
    const gb_prevalence_parts *parts = own->regression == NULL ? NULL : &own->regression->parts;
    gb_prior_values values = {.n_tables = own->n_types > 0 || (parts != NULL && parts->n > 0) ? 3 : 2};
    values.table[GB_PSI_MEAN] = (gb_prior_table){.name = "group_mean", .n_rows = own->n_groups, .n_columns = n};
    if (parts != NULL)
        values.table[GB_PSI_MEAN] =
            (gb_prior_table){.name = "prevalence", .n_rows = parts->n_columns, .n_columns = n};
    if (parts != NULL && parts->n > 0)
        values.table[GB_PSI_VARIANCE] =
            (gb_prior_table){.name = "prevalence_variance", .n_rows = parts->n, .n_columns = n};
    if (own->is_full)
        values.table[GB_PSI_SPREAD] = (gb_prior_table){.name = "covariance", .n_rows = n, .n_columns = n};
    else
        values.table[GB_PSI_SPREAD] =
            (gb_prior_table){.name = "observation_precision", .n_columns = gb_psi_n_sets(setup)};
    if (own->n_types > 0)
        values.table[GB_PSI_EVOLUTION] = (gb_prior_table){
            .name = "evolution_precision", .n_rows = gb_psi_n_sets(setup), .n_columns = own->n_types};
    if (own->clusters != NULL)
        values.table[values.n_tables++] =
            (gb_prior_table){.name = "cluster_factor", .n_rows = own->n_groups, .n_columns = setup->n_topics};
    return values;
}

double *gb_psi_cluster_factors(const gb_prior_setup *setup, const gb_prior_values *values)
{
    return ((const gb_psi_setup *)setup->own)->clusters == NULL ? NULL : values->table[values->n_tables - 1].value;
}

/* Log weights are differences from the largest: beyond, they would lose too many digits.  No training comes near, since precisions
 * and the mean of means are bounded. */
static const double LARGEST_MEAN = 1e9;

static bool all_positive(const gb_prior_table *table)
{
    for (size_t i = 0; i < gb_prior_table_size(table); i++)
        if (!(table->value[i] > 0))
            return false;
    return true;
}

gb_status gb_psi_check(const gb_prior_setup *setup, const gb_prior_values *values, gb_error *err)
{
    const gb_psi_setup *own = setup->own;
    const gb_prior_table *table = values->table;
    for (size_t i = 0; i < values->n_tables; i++)
        for (size_t j = 0; j < gb_prior_table_size(&table[i]); j++)
            if (!(fabs(table[i].value[j]) <= (i == GB_PSI_MEAN ? LARGEST_MEAN : GB_LARGEST)))
                return gb_fail(err, GB_EFORMAT, "a parameter of the document prior is not a number, or too large");
    if ((!own->is_full && !all_positive(&table[GB_PSI_SPREAD])) ||
        ((own->n_types > 0 || own->regression != NULL) && values->n_tables > GB_PSI_EVOLUTION &&
         !all_positive(&table[GB_PSI_EVOLUTION])))
        return gb_fail(err, GB_EFORMAT, "a precision is not a positive number");
    if (own->clusters != NULL && !all_positive(&table[values->n_tables - 1]))
        return gb_fail(err, GB_EFORMAT, "a factor of clusters is not a positive number");
    return own->is_full ? gb_psi_check_covariance(gb_psi_n_free(setup), table[GB_PSI_SPREAD].value, err) : GB_OK;
}

/* ---- making ---- */

static void free_types(gb_psi_setup *own)
{
    for (size_t i = 0; own->type != NULL && i < own->n_types; i++)
        gb_free(own->type[i]);
    gb_free(own->type);
}

void gb_psi_clear_own(void *setup)
{
    gb_psi_setup *own = setup;
    if (own->regression != NULL) {
        gb_formula_free(own->regression->formula);
        gb_prevalence_parts_clear(&own->regression->parts);
        gb_sparse_columns_clear(&own->regression->columns);
        gb_free(own->regression);
    }
    gb_groups_free(own->groups);
    gb_group_clusters_free(own->clusters);
    gb_graph_free(own->graph);
    gb_free(own->group_of);
    gb_free(own->group_size);
    free_types(own);
    gb_free(own);
}

/* By gb_psi_update. */
const char *const gb_psi_update_names[GB_N_PSI_UPDATES] = {"interval", "polya-gamma", "auto"};

bool gb_psi_find_update(const char *name, gb_psi_update *out)
{
    for (int i = 0; i < GB_N_PSI_UPDATES; i++)
        if (strcmp(gb_psi_update_names[i], name) == 0) {
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
    *own = (gb_psi_setup){.is_full = gb_settings_are(settings, "covariance", "full"),
                          .has_horseshoe = gb_settings_are(settings, "prevalence-prior", "horseshoe"),
                          .n_groups = 1,
                          .means = {.evolution = sampled,
                                    .observation = sampled,
                                    .level_precision = gb_settings_real(settings, "level-precision"),
                                    .level_mean = gb_settings_real(settings, "level-mean")}};
    (void)gb_psi_find_update(gb_settings_text(settings, "psi-update"), &own->update); /* one of the choices */
    out->own = own;
    return GB_OK;
}

gb_status gb_psi_take_formula(gb_psi_setup *own, gb_formula *formula, gb_error *err)
{
    gb_status st = gb_alloc(&own->regression, 1, sizeof *own->regression, what, err);
    if (st != GB_OK) {
        gb_formula_free(formula);
        return st;
    }
    own->regression->formula = formula;
    own->is_symmetric = !own->is_full;
    return gb_prevalence_parts_make(&own->regression->parts, gb_formula_n_terms(formula), gb_formula_term(formula, 0),
                                    own->has_horseshoe, err);
}

gb_status gb_psi_copy_types(gb_psi_setup *own, size_t n_types, const char *const *type, gb_error *err)
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
    const size_t n_means = own->regression != NULL ? n : gb_prior_table_size(&out->start.table[GB_PSI_MEAN]);
    for (size_t i = 0; i < n_means; i++) /* of a regression the row of the constant */
        out->start.table[GB_PSI_MEAN].value[i] = own->means.level_mean;
    for (size_t i = 0; own->regression != NULL && i < own->regression->parts.n * n; i++)
        out->start.table[GB_PSI_VARIANCE].value[i] = 1;
    for (size_t t = 0; t < n && own->is_full; t++)
        out->start.table[GB_PSI_SPREAD].value[t * n + t] = 1;
    for (size_t t = 0; t < gb_psi_n_sets(out) && !own->is_full; t++)
        out->start.table[GB_PSI_SPREAD].value[t] = own->means.observation.value;
    for (size_t i = 0; own->n_types > 0 && i < gb_prior_table_size(&out->start.table[GB_PSI_EVOLUTION]); i++)
        out->start.table[GB_PSI_EVOLUTION].value[i] = own->means.evolution.value;
    double *factor = gb_psi_cluster_factors(out, &out->start);
    for (size_t i = 0; factor != NULL && i < own->n_groups * out->n_topics; i++)
        factor[i] = 1;
done:
    return st;
}

double gb_psi_concentration(const gb_prior_setup *setup)
{
    (void)setup;
    return INFINITY;
}

const gb_formula *gb_psi_formula(const gb_prior_setup *setup)
{
    const gb_psi_regression *regression = ((const gb_psi_setup *)setup->own)->regression;
    return regression == NULL ? NULL : regression->formula;
}

const gb_groups *gb_psi_groups(const gb_prior_setup *setup)
{
    return ((const gb_psi_setup *)setup->own)->groups;
}

const uint64_t *gb_psi_group_sizes(const gb_prior_setup *setup)
{
    return ((const gb_psi_setup *)setup->own)->group_size;
}

const char *gb_psi_group_clusters(const gb_prior_setup *setup, const uint64_t **n_clusters)
{
    const gb_group_clusters *c = ((const gb_psi_setup *)setup->own)->clusters;
    if (c == NULL)
        return NULL;
    *n_clusters = c->n_clusters;
    return c->field;
}
