/* model/parameters.c - names and shapes of what is kept of every kept sweep. */
#include "model/parameters.h"

#include "base/bounds.h"
#include "options/beta.h"
#include "wording/wording.h"

#include <stdint.h>

const char *const gb_parameter_names[GB_PRIOR] = {[GB_LOG_JOINT] = "log_joint",
                                                  [GB_ETA] = "eta",
                                                  [GB_OWN] = "own_parameters",
                                                  [GB_SHRINKAGE] = "shrinkage",
                                                  [GB_SCORE] = "score",
                                                  [GB_SHARE] = "mean_share",
                                                  [GB_LOSS] = "loss",
                                                  [GB_SAMPLE_SCORE] = "sample_score",
                                                  [GB_BLOCK_SHARE] = "block_share",
                                                  [GB_WORD_AVERAGE] = "word_average",
                                                  [GB_BETA] = "beta",
                                                  [GB_WORDING] = "wording_concentration"};

static void add(gb_parameters *p, const char *name, size_t n_rows, size_t n_columns)
{
    const size_t size = (n_rows == 0 ? 1 : n_rows) * n_columns;
    p->of[p->n++] =
        (gb_parameter){.name = name, .n_rows = n_rows, .n_columns = n_columns, .size = size, .offset = p->n_numbers};
    p->n_numbers += size;
}

/* A matrix, which without rows is nothing at all. */
static void add_matrix(gb_parameters *p, const char *name, size_t n_rows, size_t n_columns)
{
    add(p, name, n_rows, n_rows == 0 ? 0 : n_columns);
}

/* At most 160 kB of a draw. */
enum { MOST_SAMPLED = 200, MOST_SAMPLED_SCORES = 20000 };

size_t gb_sample_size(uint64_t n_docs, size_t n_outputs)
{
    const size_t affordable = n_outputs == 0 ? 0 : MOST_SAMPLED_SCORES / n_outputs;
    const size_t wanted = affordable < MOST_SAMPLED ? affordable : MOST_SAMPLED;
    return n_docs < wanted ? (size_t)n_docs : wanted;
}

uint64_t gb_sample_document(uint64_t n_docs, size_t n_sampled, size_t i)
{
    return n_docs / n_sampled * i + n_docs % n_sampled * i / n_sampled;
}

gb_parameters gb_parameters_make(const gb_parameter_sizes *s, const gb_prior_setup *prior)
{
    gb_parameters p = {0};
    const gb_prior_values values = prior->ops->shape(prior);
    add(&p, gb_parameter_names[GB_LOG_JOINT], 0, 1);
    add_matrix(&p, gb_parameter_names[GB_ETA], s->n_outputs, s->n_topics + s->n_columns + (s->intercept ? 1 : 0));
    add(&p, gb_parameter_names[GB_OWN], 0, s->n_own);
    add_matrix(&p, gb_parameter_names[GB_SHRINKAGE], s->shrinks ? s->n_outputs : 0, s->n_topics + s->n_columns);
    add_matrix(&p, gb_parameter_names[GB_SCORE], s->n_outputs, 2);
    add(&p, gb_parameter_names[GB_SHARE], 0, s->n_topics);
    add(&p, gb_parameter_names[GB_LOSS], 0, s->n_losses);
    add_matrix(&p, gb_parameter_names[GB_SAMPLE_SCORE], s->n_outputs == 0 ? 0 : s->n_sampled, s->n_outputs);
    add_matrix(&p, gb_parameter_names[GB_BLOCK_SHARE], s->n_blocks == 0 ? 0 : s->n_outputs, s->n_blocks);
    add(&p, gb_parameter_names[GB_WORD_AVERAGE], 0, s->has_words ? s->n_outputs : 0);
    add(&p, gb_parameter_names[GB_BETA], 0, s->samples_beta ? 1 : 0);
    add(&p, gb_parameter_names[GB_WORDING], 0, s->has_wordings ? s->n_topics : 0);
    for (size_t i = 0; i < values.n_tables; i++)
        add(&p, values.table[i].name, values.table[i].n_rows, values.table[i].n_columns);
    return p;
}

gb_prior_values gb_parameters_prior(const gb_parameters *p, const double *const *value)
{
    gb_prior_values values = {.n_tables = p->n - GB_PRIOR};
    for (size_t i = 0; i < values.n_tables; i++)
        values.table[i] = (gb_prior_table){.name = p->of[GB_PRIOR + i].name,
                                           .n_rows = p->of[GB_PRIOR + i].n_rows,
                                           .n_columns = p->of[GB_PRIOR + i].n_columns,
                                           .value = (double *)(uintptr_t)value[GB_PRIOR + i]}; /* a view: read only */
    return values;
}

static bool all_are_shares(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (!(x[i] >= 0 && x[i] <= 1))
            return false;
    return true;
}

gb_status gb_parameters_check(const gb_parameters *p, const gb_prior_setup *prior, const double *const *value,
                              gb_error *err)
{
    const gb_prior_values values = gb_parameters_prior(p, value);
    if (!gb_are_bounded(p->of[GB_ETA].size, value[GB_ETA]))
        return gb_fail(err, GB_EFORMAT, "a coefficient is not a number, or too large");
    if (!all_are_shares(p->of[GB_SHRINKAGE].size, value[GB_SHRINKAGE]))
        return gb_fail(err, GB_EFORMAT, "a share of shrinkage is not between 0 and 1");
    if (!gb_are_bounded(p->of[GB_SCORE].size, value[GB_SCORE]))
        return gb_fail(err, GB_EFORMAT, "the mean or the spread of scores is not a number, or too large");
    if (!gb_are_bounded(p->of[GB_BLOCK_SHARE].size, value[GB_BLOCK_SHARE]))
        return gb_fail(err, GB_EFORMAT, "a share of the variance of scores is not a number, or too large");
    if (!gb_are_bounded(p->of[GB_WORD_AVERAGE].size, value[GB_WORD_AVERAGE]))
        return gb_fail(err, GB_EFORMAT, "the score of the average document is not a number, or too large");
    if (p->of[GB_BETA].size > 0 && !gb_beta_is_possible(*value[GB_BETA]))
        return gb_fail(err, GB_EFORMAT, "beta is out of range");
    for (size_t k = 0; k < p->of[GB_WORDING].size; k++)
        if (!(value[GB_WORDING][k] >= GB_LEAST_CONCENTRATION && value[GB_WORDING][k] <= GB_MOST_CONCENTRATION))
            return gb_fail(err, GB_EFORMAT, "a concentration of words by group is out of range");
    if (!all_are_shares(p->of[GB_SHARE].size, value[GB_SHARE]))
        return gb_fail(err, GB_EFORMAT, "a share of a topic is not between 0 and 1");
    return prior->ops->check(prior, &values, err);
}
