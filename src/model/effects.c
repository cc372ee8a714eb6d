/* model/effects.c - what a model says of each coefficient, in the units of its field.
 *
 * Inside, targets and numeric covariates are centred and scaled: with y = a + b t and x_j = a_j + b_j u_j,
 *
 *   t = sum_k eta_k zbar_k + sum_j eta_j u_j + eta_0
 *   y = sum_k b eta_k zbar_k + sum_j (b eta_j / b_j) x_j + [ a + b (eta_0 - sum_j eta_j a_j / b_j) ]     (1)
 *
 * so that each draw of eta gives a draw of the effects.  A class output has a = 0, b = 1, a level a_j = 0, b_j = 1. */
#include "model/effects.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const gb_target *part_of(const gb_model *m, uint64_t output)
{
    size_t r = 0;
    while (output >= m->target[r].response.first_output + m->target[r].response.n_outputs)
        r++;
    return &m->target[r];
}

static bool is_number(const gb_target *target)
{
    return target->task == GB_TASK_REGRESSION;
}

static double target_centre(const gb_target *target)
{
    return is_number(target) ? target->centre : 0;
}

static double target_scale(const gb_target *target)
{
    return is_number(target) ? target->scale : 1;
}

uint64_t gb_model_n_columns(const gb_model *m)
{
    return m->n_columns;
}

const char *gb_model_column(const gb_model *m, uint64_t column)
{
    if (column >= m->n_columns)
        return NULL;
    return gb_coding_column_name(m->coding, column);
}

static bool has_constant(const gb_model *m, const gb_target *target)
{
    bool has = m->intercept || target_centre(target) != 0;
    for (size_t j = 0; j < m->n_columns && !has; j++)
        has = gb_coding_column_centre(m->coding, j) != 0;
    return has;
}

uint64_t gb_model_n_effects(const gb_model *m, uint64_t output)
{
    if (output >= m->n_outputs)
        return 0;
    return m->n_topics + m->n_columns + (has_constant(m, part_of(m, output)) ? 1 : 0);
}

uint64_t gb_model_n_topic_draws(const gb_model *m)
{
    uint64_t n = 0;
    while (n < m->n_kept && m->kept[n].chain == m->kept[0].chain)
        n++;
    return n;
}

/* ---- one draw ---- */

/* The last term of (1). */
static double constant(const gb_model *m, const gb_target *target, const double *eta)
{
    double sum = m->intercept ? eta[m->n_topics + m->n_columns] : 0;
    for (size_t j = 0; j < m->n_columns; j++)
        sum -= eta[m->n_topics + j] * (gb_coding_column_centre(m->coding, j) / gb_coding_column_scale(m->coding, j));
    return target_centre(target) + target_scale(target) * sum;
}

static double effect_of(const gb_model *m, const gb_target *target, const double *eta, size_t feature)
{
    if (feature == m->n_topics + m->n_columns)
        return constant(m, target, eta);
    const double scale = feature < m->n_topics ? 1 : gb_coding_column_scale(m->coding, feature - m->n_topics);
    return target_scale(target) * eta[feature] / scale;
}

double gb_model_expected(const gb_model *m, const gb_draw *draw, uint64_t output, const double *share)
{
    const gb_target *target = part_of(m, output);
    const double *eta = draw->eta + (output - draw->first_output) * gb_model_n_features(m);
    double sum = m->intercept ? eta[m->n_topics + m->n_columns] : 0;
    for (size_t k = 0; k < m->n_topics; k++)
        sum += eta[k] * share[k];
    return target_centre(target) + target_scale(target) * sum;
}

/* ---- all draws ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted values: at the position p (n - 1), between two of them in proportion. */
static double quantile(const double *value, uint64_t n, double p)
{
    const double at = p * (double)(n - 1), below = floor(at);
    const uint64_t i = (uint64_t)below;
    return i + 1 < n ? value[i] + (at - below) * (value[i + 1] - value[i]) : value[n - 1];
}

/* Sorts the values, so that sums and quantiles do not depend on the order of the draws.  Sums are of differences from
 * the first, so that equal values have that mean and no spread. */
gb_effect gb_effect_of(double *value, uint64_t n)
{
    gb_effect e = {.n_draws = n};
    double sum = 0, squares = 0;
    uint64_t n_positive = 0;
    qsort(value, n, sizeof *value, ascending);
    for (uint64_t i = 0; i < n; i++) {
        sum += value[i] - value[0];
        n_positive += value[i] > 0;
    }
    e.mean = value[0] + sum / (double)n;
    for (uint64_t i = 0; i < n; i++)
        squares += (value[i] - e.mean) * (value[i] - e.mean);
    e.sd = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
    e.q05 = quantile(value, n, 0.05);
    e.median = quantile(value, n, 0.5);
    e.q95 = quantile(value, n, 0.95);
    e.p_positive = (double)n_positive / (double)n;
    return e;
}

/* ---- which draws ---- */

static bool speaks_of(const gb_model *m, uint64_t first_output, uint64_t output)
{
    return output >= first_output && output - first_output < m->n_draw_outputs;
}

/* The first chain that has the coefficients of an output. */
static uint64_t first_chain(const gb_model *m, uint64_t output)
{
    const gb_kept *kept = m->kept;
    while (!speaks_of(m, kept->first_output, output))
        kept++;
    return kept->chain;
}

/* Values of an effect in the draws, `value`, and the sum of their shares of shrinkage. */
typedef struct series {
    double *value, shrinkage;
    uint64_t n, n_unused;
} series;

static void collect(const gb_model *m, uint64_t output, uint64_t feature, series *out)
{
    const gb_target *target = part_of(m, output);
    const size_t n_features = gb_model_n_features(m), n_shrunken = m->n_topics + m->n_columns;
    const uint64_t chain = first_chain(m, output);
    for (size_t i = 0; i < m->n_kept; i++) {
        const gb_kept *kept = &m->kept[i];
        const bool is_used = feature >= m->n_topics || kept->chain == chain; /* topics differ between chains */
        if (!speaks_of(m, kept->first_output, output))
            continue;
        out->n_unused += !is_used;
        if (!is_used)
            continue;
        const gb_draw draw = gb_model_kept(m, i);
        const size_t row = output - draw.first_output;
        out->value[out->n++] = effect_of(m, target, draw.eta + row * n_features, feature);
        out->shrinkage +=
            draw.shrinkage == NULL || feature >= n_shrunken ? NAN : draw.shrinkage[row * n_shrunken + feature];
    }
}

static gb_status find_effect(const gb_model *m, uint64_t output, uint64_t feature, gb_effect *out, gb_error *err)
{
    series s = {0};
    gb_status st = gb_alloc(&s.value, m->n_kept, sizeof *s.value, "the draws of a coefficient", err);
    if (st != GB_OK)
        return st;
    collect(m, output, feature, &s);
    *out = gb_effect_of(s.value, s.n);
    out->n_unused = s.n_unused;
    out->shrinkage = s.shrinkage / (double)s.n;
    gb_free(s.value);
    return st;
}

/* ---- own parameters of responses ---- */

uint64_t gb_model_n_own_parameters(const gb_model *m, uint64_t response)
{
    return response < m->n_responses ? m->target[response].response.n_own : 0;
}

/* The parameter that a number belongs to; *place: see gb_model_own_parameter(). */
static const gb_own_parameter *own_parameter_at(const gb_response *response, uint64_t index, uint64_t *place)
{
    for (size_t i = 0;; i++) {
        const gb_own_parameter *parameter = gb_response_own_parameter(response->ops, i);
        const size_t n = gb_own_parameter_size(parameter, response->n_levels);
        *place = parameter->per_boundary ? index : UINT64_MAX;
        if (index < n)
            return parameter;
        index -= n;
    }
}

gb_status gb_model_own_parameter(const gb_model *m, uint64_t response, uint64_t index, const char **name,
                                 uint64_t *place, gb_effect *out, gb_error *err)
{
    if (index >= gb_model_n_own_parameters(m, response))
        return gb_fail(err, GB_EARGUMENT, "response %llu has no own parameter %llu", (unsigned long long)response,
                       (unsigned long long)index);
    const gb_target *target = &m->target[response];
    const gb_own_parameter *parameter = own_parameter_at(&target->response, index, place);
    const double unit = parameter->has_units ? target->scale * target->scale : 1;
    double *value = NULL;
    const gb_status st = gb_alloc(&value, m->n_kept, sizeof *value, "the draws of a parameter", err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < m->n_kept; i++)
        value[i] = unit * gb_model_kept(m, i).own[target->response.first_own + index];
    *name = parameter->name;
    *out = gb_effect_of(value, m->n_kept);
    out->shrinkage = NAN;
    gb_free(value);
    return GB_OK;
}

/* ---- words of topics ---- */

enum { MOST_CELLS = 1 << 23 }; /* sums held at a time */

/* Topics first .. first + n - 1: add each word's share in a draw to sum[topic][word]. */
static void add_shares(const gb_model *m, const gb_draw *d, size_t first, size_t n, double *sum)
{
    const double n_words = (double)m->n_words;
    for (uint64_t w = 0; w < m->n_words; w++) {
        for (uint64_t at = d->word_start[w]; at < d->word_start[w + 1]; at++) {
            const size_t k = d->topic[at];
            if (k >= first && k < first + n)
                sum[(k - first) * m->n_words + w] += d->count[at] / ((double)d->n_k[k] + m->beta * n_words);
        }
    }
}

/* The part of the shares that all words have, mean over the draws. */
static double common_share(const gb_model *m, const gb_draw *draw, size_t n_draws, size_t topic)
{
    double sum = 0;
    for (size_t i = 0; i < n_draws; i++)
        sum += m->beta / ((double)draw[i].n_k[topic] + m->beta * (double)m->n_words);
    return sum / (double)n_draws;
}

/* Insertion into a short sorted list; of equals the lower word number comes first. */
void gb_find_most(const double *value, uint64_t n_values, uint64_t n, uint64_t *index, double *most)
{
    uint64_t found = 0;
    for (uint64_t i = 0; n > 0 && i < n_values; i++) {
        if (found == n && value[i] <= most[n - 1])
            continue;
        uint64_t at = found < n ? found++ : n - 1;
        for (; at > 0 && most[at - 1] < value[i]; at--) {
            index[at] = index[at - 1];
            most[at] = most[at - 1];
        }
        index[at] = i;
        most[at] = value[i];
    }
}

static gb_status find_words(const gb_model *m, uint64_t output, uint64_t n, uint64_t *word, double *probability,
                            uint64_t *n_found, gb_error *err)
{
    const gb_draw *draw = m->draw;
    while (m->n_outputs > 0 && !speaks_of(m, draw->first_output, output))
        draw++;
    const size_t most = m->n_words < MOST_CELLS ? (size_t)(MOST_CELLS / m->n_words) : 1;
    const size_t step = most < m->n_topics ? most : m->n_topics;
    size_t n_draws = 0;
    double *sum = NULL;
    gb_status st = gb_alloc(&sum, step * m->n_words, sizeof *sum, "the words of topics", err);
    if (st != GB_OK)
        return st;
    while (draw + n_draws < m->draw + m->n_draws && draw[n_draws].chain == draw->chain)
        n_draws++;
    for (size_t first = 0; first < m->n_topics; first += step) {
        const size_t n_here = m->n_topics - first < step ? m->n_topics - first : step;
        memset(sum, 0, step * m->n_words * sizeof *sum);
        for (size_t i = 0; i < n_draws; i++)
            add_shares(m, &draw[i], first, n_here, sum);
        for (size_t k = first; k < first + n_here; k++) {
            double *share = sum + (k - first) * m->n_words;
            const double common = common_share(m, draw, n_draws, k);
            for (uint64_t w = 0; w < m->n_words; w++)
                share[w] = share[w] / (double)n_draws + common;
            gb_find_most(share, m->n_words, n, word + k * n, probability + k * n);
        }
    }
    *n_found = n < m->n_words ? n : m->n_words;
    gb_free(sum);
    return GB_OK;
}

/* ---- within the bounds ---- */

gb_status gb_model_effect(const gb_model *m, uint64_t output, uint64_t feature, gb_effect *out, gb_error *err)
{
    if (output >= m->n_outputs)
        return gb_fail(err, GB_EARGUMENT, "output %llu of %zu", (unsigned long long)output, m->n_outputs);
    if (feature >= gb_model_n_effects(m, output))
        return gb_fail(err, GB_EARGUMENT, "effect %llu of %llu", (unsigned long long)feature,
                       (unsigned long long)gb_model_n_effects(m, output));
    return find_effect(m, output, feature, out, err);
}

gb_status gb_model_words_of_topics(const gb_model *m, uint64_t output, uint64_t n, uint64_t *word,
                                   double *probability, uint64_t *n_found, gb_error *err)
{
    if (output > 0 && output >= m->n_outputs)
        return gb_fail(err, GB_EARGUMENT, "output %llu of %zu", (unsigned long long)output, m->n_outputs);
    return find_words(m, output, n, word, probability, n_found, err);
}
