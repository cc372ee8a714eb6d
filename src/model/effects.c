/* model/effects.c - what a model says of each coefficient, in the units of its field.
 *
 * Inside, targets and numeric covariates are centred and scaled: y = a + b t and x_j = a_j + b_j u_j.  So the effect of
 * topic k on y is b times its effect on the score t, and of x_j b / b_j times; model/contrast.c has the rest.  A class
 * output has a = 0, b = 1, a level a_j = 0, b_j = 1. */
#include "model/effects.h"

#include "base/memory.h"
#include "gibbous/draws.h"
#include "model/contrast.h"
#include "model/match.h"

#include <float.h>
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
    const size_t n_covariates = m->n_columns - gb_coding_words(m->coding)->n;
    return column < n_covariates ? gb_coding_column_name(m->coding, column) : m->word[column - n_covariates];
}

uint64_t gb_model_n_embedding_columns(const gb_model *m)
{
    return m->coding == NULL ? 0 : gb_coding_embedding(m->coding)->n;
}

uint64_t gb_model_n_word_columns(const gb_model *m)
{
    return m->coding == NULL ? 0 : gb_coding_words(m->coding)->n;
}

/* Cut points say where the average document is, see gb_model_own_parameter(). */
static bool has_constant(const gb_target *target)
{
    return target->response.ops == NULL || target->response.ops->target != GB_TARGET_LEVEL;
}

uint64_t gb_model_n_effects(const gb_model *m, uint64_t output)
{
    if (output >= m->n_outputs)
        return 0;
    return m->n_topics + m->n_columns + (has_constant(part_of(m, output)) ? 1 : 0);
}

uint64_t gb_model_n_topic_draws(const gb_model *m)
{
    uint64_t n = 0;
    while (n < m->n_kept && m->kept[n].chain == m->kept[0].chain)
        n++;
    return n;
}

double gb_model_expected(const gb_model *m, const gb_draw *draw, uint64_t output, const double *share)
{
    const gb_target *target = part_of(m, output);
    const double *eta = draw->eta + (output - draw->first_output) * gb_model_n_features(m);
    const size_t n_columns = gb_model_n_drawn_columns(m);
    double sum = m->intercept ? eta[m->n_topics + n_columns] : 0;
    for (size_t k = 0; k < m->n_topics; k++)
        sum += eta[k] * share[k];
    for (size_t j = 0; j < n_columns; j++)
        if (gb_coding_columns_of(m->coding, j).kind == GB_COLUMNS_NUMBER)
            sum += eta[m->n_topics + j] * gb_coding_column_mean(m->coding, j); /* 0 if it was standardised */
    return target_centre(target) + target_scale(target) * sum;
}

/* ---- all draws ---- */

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of sorted values: at the position p (n - 1), between two of them in proportion. */
double gb_sorted_quantile(const double *value, uint64_t n, double p)
{
    const double at = p * (double)(n - 1), below = floor(at);
    const uint64_t i = (uint64_t)below;
    return i + 1 < n ? value[i] + (at - below) * (value[i + 1] - value[i]) : value[n - 1];
}

/* Standard deviation of n > 1 values; in units of the largest difference where squares have no place in a double, as those of the
 * coefficient of a covariate that is tiny. */
static double spread_of(const double *value, uint64_t n, double mean)
{
    double squares = 0, unit = fmax(mean - value[0], value[n - 1] - mean);
    for (uint64_t i = 0; i < n; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    if (unit == 0 || (isfinite(squares) && squares >= DBL_MIN))
        return sqrt(squares / (double)(n - 1));
    squares = 0;
    for (uint64_t i = 0; i < n; i++)
        squares += (value[i] - mean) / unit * ((value[i] - mean) / unit);
    return unit * sqrt(squares / (double)(n - 1));
}

/* Sorts the values, so that sums and quantiles do not depend on the order of the draws.  Sums are of differences from
 * the first, so that equal values have that mean and no spread. */
gb_effect gb_effect_of(double *value, uint64_t n)
{
    gb_effect e = {.n_draws = n};
    double sum = 0;
    uint64_t n_positive = 0;
    qsort(value, n, sizeof *value, ascending);
    for (uint64_t i = 0; i < n; i++) {
        sum += value[i] - value[0];
        n_positive += value[i] > 0;
    }
    e.mean = value[0] + sum / (double)n;
    e.sd = n > 1 ? spread_of(value, n, e.mean) : NAN;
    e.q05 = gb_sorted_quantile(value, n, 0.05);
    e.median = gb_sorted_quantile(value, n, 0.5);
    e.q95 = gb_sorted_quantile(value, n, 0.95);
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

/* What gb_effect_draws borrows. */
typedef struct effect_source {
    const double **eta, **share, **shrinkage;
    gb_word_draw *word;   /* NULL: words have no coefficients */
    double *word_average; /* likewise */
    const uint32_t **topic;
    const gb_match *match; /* of the chains, owned by the model; NULL if there is one chain */
    uint32_t *matched;     /* chains of the match x n_topics: rows of `topic` */
} effect_source;

static void clear_source(effect_source *s)
{
    gb_free(s->eta);
    gb_free(s->share);
    gb_free(s->shrinkage);
    gb_free(s->word);
    gb_free(s->word_average);
    gb_free(s->topic);
    gb_free(s->matched);
}

static gb_status make_source(const gb_model *m, effect_source *s, gb_error *err)
{
    gb_status st;
    const char *what = "the draws of a coefficient";
    GB_TRY(gb_alloc(&s->eta, m->n_kept, sizeof *s->eta, what, err));
    GB_TRY(gb_alloc(&s->share, m->n_kept, sizeof *s->share, what, err));
    GB_TRY(gb_alloc(&s->shrinkage, m->n_kept, sizeof *s->shrinkage, what, err));
    GB_TRY(gb_alloc(&s->topic, m->n_kept, sizeof *s->topic, what, err));
    if (m->words.n_draws != NULL) {
        GB_TRY(gb_alloc(&s->word, m->n_kept, sizeof *s->word, what, err));
        GB_TRY(gb_alloc(&s->word_average, m->n_kept, sizeof *s->word_average, what, err));
    }
done:
    return st;
}

static bool has_several_chains(const gb_model *m, uint64_t output)
{
    bool has = false;
    for (size_t i = 0; i < m->n_kept && !has; i++)
        has = speaks_of(m, m->kept[i].first_output, output) && m->kept[i].chain != first_chain(m, output);
    return has;
}

/* Where in each chain the topics of the first one are. */
static gb_status find_matched(const gb_model *m, uint64_t output, effect_source *s, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n = m->n_topics;
    if (!has_several_chains(m, output))
        return GB_OK;
    GB_TRY(gb_model_matched(m, output, &s->match, err));
    GB_TRY(gb_alloc(&s->matched, s->match->n_chains, n * sizeof *s->matched, "the topics of chains", err));
    for (size_t i = 0; i < s->match->n_chains * n; i++)
        s->matched[i] = GB_UNMATCHED_TOPIC;
    for (size_t i = 0; i < s->match->n_chains * n; i++)
        if (s->match->topic[i] != GB_NO_MATCH)
            s->matched[i / n * n + s->match->topic[i]] = (uint32_t)(i % n);
done:
    return st;
}

/* What draw number n of an output, which is kept sweep i, has of words: only snapshots have all coefficients. */
static void add_words(const gb_model *m, const gb_draw *draw, size_t i, size_t row, size_t n, effect_source *s)
{
    size_t snapshot = 0;
    if (s->word == NULL)
        return;
    while (snapshot < m->n_draws && m->kept_at[snapshot] != i)
        snapshot++;
    if (snapshot < m->n_draws) {
        const gb_word_draw *all = &m->draw[snapshot].word_draw;
        s->word[n] = (gb_word_draw){all->code + row * gb_model_n_word_columns(m), all->unit + row};
    }
    s->word_average[n] = draw->word_average[row];
}

/* All draws of an output.  Topics have the numbers of its first chain. */
static gb_status list_draws(const gb_model *m, uint64_t output, effect_source *s, gb_effect_draws *out, gb_error *err)
{
    gb_status st;
    const gb_target *target = part_of(m, output);
    const size_t n_features = gb_model_n_features(m), n_shrunken = m->n_topics + gb_model_n_drawn_columns(m);
    size_t n = 0;
    bool shrinks = true;
    GB_TRY(make_source(m, s, err));
    GB_TRY(find_matched(m, output, s, err));
    for (size_t i = 0; i < m->n_kept; i++) {
        const gb_draw draw = gb_model_kept(m, i);
        if (!speaks_of(m, draw.first_output, output))
            continue;
        const size_t row = output - draw.first_output;
        s->eta[n] = draw.eta + row * n_features;
        s->share[n] = draw.share;
        s->topic[n] = s->match == NULL ? NULL : s->matched + gb_match_chain(s->match, draw.chain) * m->n_topics;
        add_words(m, &draw, i, row, n, s);
        shrinks = shrinks && draw.shrinkage != NULL;
        s->shrinkage[n++] = shrinks ? draw.shrinkage + row * n_shrunken : NULL;
    }
    *out = (gb_effect_draws){.n_draws = n,
                             .n_topics = m->n_topics,
                             .n_columns = m->n_columns,
                             .n_words = (size_t)gb_model_n_word_columns(m),
                             .word = s->word,
                             .word_average = s->word_average,
                             .words = &m->words,
                             .output = output,
                             .intercept = m->intercept,
                             .eta = s->eta,
                             .share = s->share,
                             .topic = s->topic,
                             .shrinkage = shrinks ? s->shrinkage : NULL,
                             .coding = m->coding,
                             .centre = target_centre(target),
                             .scale = target_scale(target)};
done:
    return st;
}

static gb_status find_effects(const gb_model *m, uint64_t output, uint64_t first, uint64_t n, gb_effect *out,
                              gb_error *err)
{
    effect_source s = {0};
    gb_effect_draws draws;
    gb_status st = list_draws(m, output, &s, &draws, err);
    if (st == GB_OK)
        st = gb_effects_of_draws(&draws, first, n, out, err);
    clear_source(&s);
    return st;
}

/* Draws that do not speak of the output have no row in `draws`. */
static void copy_effects(const gb_model *m, uint64_t output, const gb_effect_draws *draws, uint64_t first, uint64_t n,
                         double *out)
{
    size_t row = 0;
    for (size_t i = 0; i < m->n_kept; i++) {
        const bool speaks = speaks_of(m, m->kept[i].first_output, output);
        for (uint64_t j = 0; j < n && !speaks; j++)
            out[i * n + j] = NAN;
        if (speaks)
            gb_effect_values(draws, first, n, row++, out + i * n);
    }
}

/* ---- own parameters of responses ---- */

/* Cut points lie on the scale of the scores, of which the average document is 0. */
static gb_status subtract_average(const gb_model *m, uint64_t output, double *value, gb_error *err)
{
    effect_source s = {0};
    gb_effect_draws draws;
    gb_status st = list_draws(m, output, &s, &draws, err);
    for (size_t i = 0; st == GB_OK && i < draws.n_draws; i++)
        value[i] -= gb_average_score(&draws, i);
    clear_source(&s);
    return st;
}

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

static gb_status no_such_parameter(uint64_t response, uint64_t index, gb_error *err)
{
    return gb_fail(err, GB_EARGUMENT, "response %llu has no own parameter %llu", (unsigned long long)response,
                   (unsigned long long)index);
}

gb_status gb_model_own_parameter_draws(const gb_model *m, uint64_t response, uint64_t index, double *out,
                                       gb_error *err)
{
    uint64_t place;
    if (index >= gb_model_n_own_parameters(m, response))
        return no_such_parameter(response, index, err);
    const gb_target *target = &m->target[response];
    const gb_own_parameter *parameter = own_parameter_at(&target->response, index, &place);
    const double unit = parameter->has_units ? target->scale * target->scale : 1;
    for (size_t i = 0; i < m->n_kept; i++)
        out[i] = unit * gb_model_kept(m, i).own[target->response.first_own + index];
    return parameter->per_boundary ? subtract_average(m, target->response.first_output, out, err) : GB_OK;
}

gb_status gb_model_own_parameter(const gb_model *m, uint64_t response, uint64_t index, const char **name,
                                 uint64_t *place, gb_effect *out, gb_error *err)
{
    gb_status st;
    double *value = NULL;
    if (index >= gb_model_n_own_parameters(m, response))
        return no_such_parameter(response, index, err);
    GB_TRY(gb_alloc(&value, m->n_kept, sizeof *value, "the draws of a parameter", err));
    GB_TRY(gb_model_own_parameter_draws(m, response, index, value, err));
    *name = own_parameter_at(&m->target[response].response, index, place)->name;
    *out = gb_effect_of(value, m->n_kept);
    out->shrinkage = NAN;
done:
    gb_free(value);
    return st;
}

/* ---- shares of the variance of scores ---- */

uint64_t gb_model_n_blocks(const gb_model *m)
{
    return m->parameters.of[GB_BLOCK_SHARE].n_columns;
}

const char *gb_model_block(const gb_model *m, uint64_t block)
{
    const gb_layout layout = gb_model_layout(m);
    return block < gb_model_n_blocks(m) ? gb_block_kind_name(layout.block[block].kind) : NULL;
}

gb_status gb_model_block_share(const gb_model *m, uint64_t output, uint64_t block, gb_effect *out, gb_error *err)
{
    double *value = NULL;
    size_t n = 0;
    if (output >= m->n_outputs || block >= gb_model_n_blocks(m))
        return gb_fail(err, GB_EARGUMENT, "score %llu has no block %llu", (unsigned long long)output,
                       (unsigned long long)block);
    const gb_status st = gb_alloc(&value, m->n_kept, sizeof *value, "the draws of a share", err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < m->n_kept; i++)
        if (speaks_of(m, m->kept[i].first_output, output))
            value[n++] =
                gb_model_kept(m, i).block_share[(output - m->kept[i].first_output) * gb_model_n_blocks(m) + block];
    *out = gb_effect_of(value, n);
    out->shrinkage = NAN;
    gb_free(value);
    return GB_OK;
}

/* ---- words of topics ---- */

/* Topics first .. first + n - 1: add each word's share in a draw to sum[topic][word]. */
static void add_shares(const gb_model *m, const gb_draw *d, size_t first, size_t n, double *sum)
{
    for (uint64_t w = 0; w < m->n_words; w++) {
        const size_t bag = gb_bag_of(&m->bags, w);
        for (uint64_t at = d->word_start[w]; at < d->word_start[w + 1]; at++) {
            const size_t k = d->topic[at];
            if (k >= first && k < first + n)
                sum[(k - first) * m->n_words + w] += d->count[at] / gb_draw_total(m, d, bag, k);
        }
    }
}

/* The part of the shares that all words of a bag have, mean over the draws. */
static double common_share(const gb_model *m, const gb_draw *draw, size_t n_draws, size_t bag, size_t topic)
{
    double sum = 0;
    for (size_t i = 0; i < n_draws; i++)
        sum += gb_draw_beta(m, &draw[i]) / gb_draw_total(m, &draw[i], bag, topic);
    return sum / (double)n_draws;
}

/* Insertion into a short sorted list of up to n; of equals the one that came first comes first. */
static void insert(uint64_t place, double value, uint64_t n, uint64_t *n_found, uint64_t *index, double *most)
{
    if (*n_found == n && (n == 0 || value <= most[n - 1]))
        return;
    uint64_t at = *n_found < n ? (*n_found)++ : n - 1;
    for (; at > 0 && most[at - 1] < value; at--) {
        index[at] = index[at - 1];
        most[at] = most[at - 1];
    }
    index[at] = place;
    most[at] = value;
}

void gb_find_most(const double *value, uint64_t n_values, uint64_t n, uint64_t *index, double *most)
{
    uint64_t found = 0;
    for (uint64_t i = 0; i < n_values; i++)
        insert(i, value[i], n, &found, index, most);
}

/* The snapshots of the first chain that has the coefficients of an output. */
static const gb_draw *first_snapshots(const gb_model *m, uint64_t output, size_t *n)
{
    const gb_draw *draw = m->draw;
    while (m->n_outputs > 0 && !speaks_of(m, draw->first_output, output))
        draw++;
    *n = 0;
    while (draw + *n < m->draw + m->n_draws && draw[*n].chain == draw->chain)
        ++*n;
    return draw;
}

/* Topics first .. first + n - 1 as distributions over words, means over the draws: n x n_words.  Each bag has as much of them as any other. */
static void find_distributions(const gb_model *m, const gb_draw *draw, size_t n_draws, size_t first, size_t n,
                               double *out)
{
    memset(out, 0, n * m->n_words * sizeof *out);
    for (size_t i = 0; i < n_draws; i++)
        add_shares(m, &draw[i], first, n, out);
    for (size_t k = 0; k < n; k++) {
        double common[GB_MOST_BAGS];
        for (size_t bag = 0; bag < m->bags.n; bag++)
            common[bag] = common_share(m, draw, n_draws, bag, first + k);
        for (uint64_t w = 0; w < m->n_words; w++)
            out[k * m->n_words + w] = out[k * m->n_words + w] / (double)n_draws + common[gb_bag_of(&m->bags, w)];
        for (uint64_t w = 0; m->bags.n > 1 && w < m->n_words; w++)
            out[k * m->n_words + w] /= (double)m->bags.n;
    }
}

/* The words of all topics, where all are in one bag.  A topic has few of the words in its snapshots, and all others with the same probability: a table of all topics and
 * words, which a small file could ask for, is not needed. */
typedef struct listing {
    const gb_draw *draw;
    size_t n_draws;
    uint64_t n, *word; /* n_topics x n, and so the probabilities */
    double *probability;
    uint64_t *n_found; /* n_topics */
    double *common;    /* n_topics: of words that a topic has in no snapshot */
    /* of the word at hand */
    double *sum; /* n_topics */
    bool *is_here;
    size_t *topic, n_here; /* those that have it */
    uint64_t *listed;      /* n_words: one more than the topic that has the word in its list */
} listing;

static void clear_listing(listing *l)
{
    gb_free(l->n_found);
    gb_free(l->common);
    gb_free(l->sum);
    gb_free(l->is_here);
    gb_free(l->topic);
    gb_free(l->listed);
}

static gb_status make_listing(const gb_model *m, listing *l, gb_error *err)
{
    gb_status st;
    const char *what = "the words of topics";
    GB_TRY(gb_alloc(&l->n_found, m->n_topics, sizeof *l->n_found, what, err));
    GB_TRY(gb_alloc(&l->common, m->n_topics, sizeof *l->common, what, err));
    GB_TRY(gb_alloc(&l->sum, m->n_topics, sizeof *l->sum, what, err));
    GB_TRY(gb_alloc(&l->is_here, m->n_topics, sizeof *l->is_here, what, err));
    GB_TRY(gb_alloc(&l->topic, m->n_topics, sizeof *l->topic, what, err));
    GB_TRY(gb_alloc(&l->listed, m->n_words, sizeof *l->listed, what, err));
    for (size_t k = 0; k < m->n_topics; k++)
        l->common[k] = common_share(m, l->draw, l->n_draws, 0, k);
done:
    return st;
}

static void add_entries(const gb_model *m, listing *l, const gb_draw *d, uint64_t word)
{
    for (uint64_t at = d->word_start[word]; at < d->word_start[word + 1]; at++) {
        const size_t k = d->topic[at];
        if (d->count[at] == 0)
            continue;
        if (!l->is_here[k])
            l->topic[l->n_here++] = k;
        l->is_here[k] = true;
        l->sum[k] += d->count[at] / gb_draw_total(m, d, 0, k);
    }
}

static void list_word(const gb_model *m, listing *l, uint64_t word)
{
    l->n_here = 0;
    for (size_t i = 0; i < l->n_draws; i++)
        add_entries(m, l, &l->draw[i], word);
    for (size_t i = 0; i < l->n_here; i++) {
        const size_t k = l->topic[i];
        insert(word, l->sum[k] / (double)l->n_draws + l->common[k], l->n, &l->n_found[k], l->word + k * l->n,
               l->probability + k * l->n);
        l->is_here[k] = false;
        l->sum[k] = 0;
    }
}

/* The first of the words that a topic has in no snapshot fill its list. */
static void fill_up(listing *l, size_t topic, uint64_t n)
{
    uint64_t *word = l->word + topic * l->n, found = l->n_found[topic];
    for (uint64_t i = 0; i < found; i++)
        l->listed[word[i]] = topic + 1;
    for (uint64_t w = 0; found < n; w++) {
        if (l->listed[w] == topic + 1)
            continue;
        word[found] = w;
        l->probability[topic * l->n + found++] = l->common[topic];
    }
}

static gb_status find_words(const gb_model *m, uint64_t output, uint64_t n, uint64_t *word, double *probability,
                            uint64_t *n_found, gb_error *err)
{
    listing l = {.n = n, .word = word, .probability = probability};
    l.draw = first_snapshots(m, output, &l.n_draws);
    const gb_status st = make_listing(m, &l, err);
    *n_found = n < m->n_words ? n : m->n_words;
    for (uint64_t w = 0; st == GB_OK && w < m->n_words; w++)
        list_word(m, &l, w);
    for (size_t k = 0; st == GB_OK && k < m->n_topics; k++)
        fill_up(&l, k, *n_found);
    clear_listing(&l);
    return st;
}

/* ---- within the bounds ---- */

static gb_status check_output(const gb_model *m, uint64_t output, gb_error *err)
{
    if (output < m->n_outputs)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "output %llu of %zu", (unsigned long long)output, m->n_outputs);
}

gb_status gb_model_effect(const gb_model *m, uint64_t output, uint64_t feature, gb_effect *out, gb_error *err)
{
    gb_status st = check_output(m, output, err);
    if (st != GB_OK)
        return st;
    if (feature >= gb_model_n_effects(m, output))
        return gb_fail(err, GB_EARGUMENT, "effect %llu of %llu", (unsigned long long)feature,
                       (unsigned long long)gb_model_n_effects(m, output));
    return find_effects(m, output, feature, 1, out, err);
}

gb_status gb_model_effects(const gb_model *m, uint64_t output, gb_effect *out, gb_error *err)
{
    gb_status st = check_output(m, output, err);
    return st == GB_OK ? find_effects(m, output, 0, gb_model_n_effects(m, output), out, err) : st;
}

gb_status gb_model_effect_draws(const gb_model *m, uint64_t output, uint64_t first, uint64_t n, double *out,
                                gb_error *err)
{
    gb_status st;
    effect_source s = {0};
    gb_effect_draws draws;
    const uint64_t n_effects = gb_model_n_effects(m, output);
    GB_TRY(check_output(m, output, err));
    if (first > n_effects || n > n_effects - first)
        return gb_fail(err, GB_EARGUMENT, "effects %llu to %llu of %llu", (unsigned long long)first,
                       (unsigned long long)first + n, (unsigned long long)n_effects);
    GB_TRY(list_draws(m, output, &s, &draws, err));
    copy_effects(m, output, &draws, first, n, out);
done:
    clear_source(&s);
    return st;
}

gb_status gb_model_contrast(const gb_model *m, uint64_t output, uint64_t n_a, const uint64_t *a, uint64_t n_b,
                            const uint64_t *b, gb_effect *out, gb_error *err)
{
    gb_status st;
    effect_source s = {0};
    gb_effect_draws draws;
    GB_TRY(check_output(m, output, err));
    GB_TRY(list_draws(m, output, &s, &draws, err));
    GB_TRY(gb_contrast_of_draws(&draws, (gb_feature_set){n_a, a}, (gb_feature_set){n_b, b}, out, err));
done:
    clear_source(&s);
    return st;
}

gb_status gb_model_words_of_topics(const gb_model *m, uint64_t output, uint64_t n, uint64_t *word,
                                   double *probability, uint64_t *n_found, gb_error *err)
{
    gb_status st = output == 0 ? GB_OK : check_output(m, output, err);
    if (st != GB_OK)
        return st;
    return m->bags.n > 1 ? gb_model_rank_words(m, output, "probability", NAN, n, word, probability, n_found, err)
                         : find_words(m, output, n, word, probability, n_found, err);
}

gb_status gb_model_topic_distributions(const gb_model *m, uint64_t output, double *out, gb_error *err)
{
    size_t n_draws;
    gb_status st = output == 0 ? GB_OK : check_output(m, output, err);
    if (st != GB_OK)
        return st;
    if ((st = gb_model_check_table(m, m->n_topics, m->n_words, "the probabilities of words", err)) != GB_OK)
        return st;
    const gb_draw *draw = first_snapshots(m, output, &n_draws);
    find_distributions(m, draw, n_draws, 0, m->n_topics, out);
    return GB_OK;
}
