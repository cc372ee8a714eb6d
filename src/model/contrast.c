/* model/contrast.c - effects relative to the average document.
 *
 *   p_k   mean share of topic k over the documents        q_j   mean of column j over the documents, a level's share
 *   topic k:           eta_k - sum_j p_j eta_j                                                          (1)
 *   level l of f:      eta_l - sum_m q_m eta_m / sum_m q_m   over the levels m of the factor f            (2)
 *   average document:  eta_0 + sum_k p_k eta_k + sum_j q_j eta_j                                        (3)
 *   set S:             sum_S p_k eta_k / sum_S p_k, of which (1) takes the mean over all topics away        (4)
 *
 * each in a draw, so that p is from the same draw as eta.  With eta_k + a for all k and eta_0 - a, (1), (3) and differences of
 * (4) are what they were. */
#include "model/contrast.h"

#include "base/memory.h"
#include "model/effects.h"

#include <math.h>

static const char what[] = "the draws of an effect";

enum { FEATURES_AT_A_TIME = 64 }; /* of a draw's coefficients, which lie next to each other */

/* ---- one draw ---- */

static double coded_mean(const gb_effect_draws *d, size_t column)
{
    return gb_coding_column_mean(d->coding, column);
}

/* Columns of which every draw has a coefficient. */
static size_t n_drawn_columns(const gb_effect_draws *d)
{
    return d->n_columns - d->n_words;
}

static size_t first_word(const gb_effect_draws *d)
{
    return d->n_topics + n_drawn_columns(d);
}

static bool has_coefficient(const gb_effect_draws *d, size_t draw, size_t place)
{
    return place < first_word(d) || d->word[draw].code != NULL;
}

static double coefficient(const gb_effect_draws *d, size_t draw, size_t place)
{
    return place < first_word(d) ? d->eta[draw][place]
                                 : gb_word_coefficient(d->words, &d->word[draw], d->output, 0, place - first_word(d));
}

/* The mean over topics in (1). */
static double mean_of_topics(const gb_effect_draws *d, size_t draw)
{
    double sum = 0;
    for (size_t k = 0; k < d->n_topics; k++)
        sum += d->share[draw][k] * d->eta[draw][k];
    return sum;
}

/* The mean over levels in (2); 0 for a column that is no level of a factor. */
static double mean_of_levels(const gb_effect_draws *d, size_t draw, size_t column)
{
    const gb_columns of = gb_coding_columns_of(d->coding, column);
    double sum = 0, weight = 0;
    if (of.kind != GB_COLUMNS_FACTOR)
        return 0;
    for (size_t j = of.first; j < of.first + of.n; j++) {
        sum += coded_mean(d, j) * d->eta[draw][d->n_topics + j];
        weight += coded_mean(d, j);
    }
    return weight > 0 ? sum / weight : 0;
}

double gb_average_score(const gb_effect_draws *d, size_t draw)
{
    const double *eta = d->eta[draw];
    double sum = (d->intercept ? eta[first_word(d)] : 0) + mean_of_topics(d, draw);
    for (size_t j = 0; j < n_drawn_columns(d); j++)
        sum += coded_mean(d, j) * eta[d->n_topics + j];
    return sum + (d->n_words > 0 ? d->word_average[draw] : 0); /* (3) */
}

/* What is taken away from a feature's coefficient. */
static double base_of(const gb_effect_draws *d, size_t draw, size_t feature)
{
    return feature < d->n_topics ? mean_of_topics(d, draw) : mean_of_levels(d, draw, feature - d->n_topics);
}

static double unit_of(const gb_effect_draws *d, size_t feature)
{
    return feature < d->n_topics ? d->scale : d->scale / gb_coding_column_scale(d->coding, feature - d->n_topics);
}

/* Where the feature is in a draw; SIZE_MAX: it is not there. */
static size_t place_of(const gb_effect_draws *d, size_t draw, size_t feature)
{
    if (feature >= d->n_topics || d->topic == NULL || d->topic[draw] == NULL)
        return feature;
    const uint32_t topic = d->topic[draw][feature];
    return topic == GB_UNMATCHED_TOPIC ? SIZE_MAX : topic;
}

/* ---- all draws ---- */

static gb_effect summarise(const gb_effect_draws *d, double *value, size_t n, double shrinkage)
{
    gb_effect e = {.mean = NAN, .sd = NAN, .q05 = NAN, .median = NAN, .q95 = NAN, .p_positive = NAN};
    if (n > 0)
        e = gb_effect_of(value, n);
    e.n_unused = d->n_draws - n;
    e.shrinkage = shrinkage / (double)n;
    return e;
}

/* Features whose mean is taken away are together: topics, and the levels of a factor. */
static size_t end_of_kind(const gb_effect_draws *d, size_t feature)
{
    if (feature < d->n_topics)
        return d->n_topics;
    const gb_columns of = gb_coding_columns_of(d->coding, feature - d->n_topics);
    return d->n_topics + of.first + of.n;
}

static void find_words(const gb_effect_draws *d, size_t first, size_t end, gb_effect *out)
{
    for (size_t f = first; f < end; f++)
        out[f - first] = gb_word_effect(d->words, d->output, f - first_word(d), d->scale);
}

/* Of n features that share a base, from `first` on.  @param value  n x n_draws  @param base  n_draws */
static void find_some(const gb_effect_draws *d, size_t first, size_t n, const double *base, double *value,
                      gb_effect *out)
{
    size_t n_used[FEATURES_AT_A_TIME] = {0};
    double shrinkage[FEATURES_AT_A_TIME] = {0};
    for (size_t i = 0; i < d->n_draws; i++)
        for (size_t j = 0; j < n; j++) {
            const size_t place = place_of(d, i, first + j);
            if (place == SIZE_MAX)
                continue;
            value[j * d->n_draws + n_used[j]++] = unit_of(d, first + j) * (d->eta[i][place] - base[i]);
            shrinkage[j] += d->shrinkage == NULL ? NAN : d->shrinkage[i][place];
        }
    for (size_t j = 0; j < n; j++)
        out[j] = summarise(d, value + j * d->n_draws, n_used[j], shrinkage[j]);
}

static gb_effect find_average(const gb_effect_draws *d, double *value)
{
    for (size_t i = 0; i < d->n_draws; i++)
        gb_effect_values(d, d->n_topics + d->n_columns, 1, i, &value[i]);
    return summarise(d, value, d->n_draws, NAN);
}

gb_status gb_effects_of_draws(const gb_effect_draws *d, size_t first, size_t n, gb_effect *out, gb_error *err)
{
    gb_status st;
    const size_t n_coded = d->n_topics + d->n_columns, end = first + n;
    double *value = NULL, *base = NULL;
    GB_TRY(gb_alloc(&value, d->n_draws, FEATURES_AT_A_TIME * sizeof *value, what, err));
    GB_TRY(gb_alloc(&base, d->n_draws, sizeof *base, what, err));
    if (first < n_coded && end > first_word(d)) {
        const size_t begin = first > first_word(d) ? first : first_word(d);
        find_words(d, begin, end < n_coded ? end : n_coded, out + (begin - first));
    }
    for (size_t at = first; at < end && at < first_word(d);) {
        const size_t end_of_base = end_of_kind(d, at) < end ? end_of_kind(d, at) : end;
        for (size_t i = 0; i < d->n_draws; i++)
            base[i] = base_of(d, i, at);
        for (size_t n_here; at < end_of_base; at += n_here) {
            n_here = end_of_base - at < FEATURES_AT_A_TIME ? end_of_base - at : FEATURES_AT_A_TIME;
            find_some(d, at, n_here, base, value, out + (at - first));
        }
    }
    if (n > 0 && end > n_coded)
        out[n_coded - first] = find_average(d, value);
done:
    gb_free(value);
    gb_free(base);
    return st;
}

void gb_effect_values(const gb_effect_draws *d, size_t first, size_t n, size_t draw, double *out)
{
    const size_t n_coded = d->n_topics + d->n_columns;
    size_t end_of_base = first;
    double base = 0;
    for (size_t f = first; f < first + n && f < n_coded; f++) {
        const size_t place = place_of(d, draw, f);
        if (f == end_of_base) {
            end_of_base = end_of_kind(d, f);
            base = base_of(d, draw, f);
        }
        out[f - first] = place == SIZE_MAX || !has_coefficient(d, draw, place)
                             ? NAN
                             : unit_of(d, f) * (coefficient(d, draw, place) - base);
    }
    if (n > 0 && first + n > n_coded)
        out[n_coded - first] = d->centre + d->scale * gb_average_score(d, draw);
}

/* ---- contrasts ---- */

static bool is_one_kind(const gb_effect_draws *d, gb_feature_set set, uint64_t first)
{
    for (size_t i = 0; i < set.n; i++) {
        const uint64_t f = set.feature[i];
        if (f >= d->n_topics + d->n_columns || (f < d->n_topics) != (first < d->n_topics) ||
            (f >= d->n_topics && end_of_kind(d, f) != end_of_kind(d, first)))
            return false;
    }
    return true;
}

static gb_status check_sets(const gb_effect_draws *d, gb_feature_set a, gb_feature_set b, gb_error *err)
{
    if (a.n == 0)
        return gb_fail(err, GB_EARGUMENT, "a contrast of no topics or levels");
    const uint64_t first = a.feature[0];
    if (!is_one_kind(d, a, first) || !is_one_kind(d, b, first) ||
        (first >= d->n_topics && gb_coding_columns_of(d->coding, first - d->n_topics).kind == GB_COLUMNS_NUMBER))
        return gb_fail(err, GB_EARGUMENT, "a contrast needs topics, or levels of one field");
    return GB_OK;
}

static double weight_of(const gb_effect_draws *d, size_t draw, size_t place)
{
    return place < d->n_topics ? d->share[draw][place] : coded_mean(d, place - d->n_topics);
}

/* (4); without any weight all features count alike.  False if the draw lacks one of them. */
static bool mean_of_set(const gb_effect_draws *d, size_t draw, gb_feature_set set, double *out)
{
    double weighted = 0, weight = 0, sum = 0;
    for (size_t i = 0; i < set.n; i++) {
        const size_t place = place_of(d, draw, set.feature[i]);
        if (place == SIZE_MAX || !has_coefficient(d, draw, place))
            return false;
        const double p = weight_of(d, draw, place), eta = coefficient(d, draw, place);
        weighted += p * eta;
        sum += eta;
        weight += p;
    }
    *out = weight > 0 ? weighted / weight : sum / (double)set.n;
    return true;
}

gb_status gb_contrast_of_draws(const gb_effect_draws *d, gb_feature_set a, gb_feature_set b, gb_effect *out,
                               gb_error *err)
{
    gb_status st;
    double *value = NULL;
    size_t n = 0;
    GB_TRY(check_sets(d, a, b, err));
    GB_TRY(gb_alloc(&value, d->n_draws, sizeof *value, what, err));
    for (size_t i = 0; i < d->n_draws; i++) {
        double left, right = 0;
        bool has_all = mean_of_set(d, i, a, &left);
        if (b.n > 0)
            has_all = has_all && mean_of_set(d, i, b, &right);
        else
            right = base_of(d, i, a.feature[0]);
        if (has_all)
            value[n++] = d->scale * (left - right); /* the columns of levels are not scaled */
    }
    *out = summarise(d, value, n, NAN);
done:
    gb_free(value);
    return st;
}
