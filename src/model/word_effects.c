/* model/word_effects.c - the coefficients of words over all draws.
 *
 * Chains a and b with n_a and n_b draws, means m_a and m_b and sums of squared distances from them q_a and q_b have together
 *
 *   m = m_a + (m_b - m_a) n_b / n,    q = q_a + q_b + (m_b - m_a)^2 n_a n_b / n,    n = n_a + n_b               (1)
 *
 *   Chan, Golub, LeVeque 1983, The American Statistician 37. */
#include "model/word_effects.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const char what[] = "the effects of words";

enum { EXPECTED = 2, SHRINKAGE = 3 }; /* places of arrays in own, after means and squares or standard deviations */

/* ---- adding up ---- */

static size_t n_numbers(const gb_word_effects *e)
{
    return e->n_outputs * e->n_words;
}

/* own_counts: draws, then draws whose expected values were taken. */
gb_status gb_word_effects_create(size_t n_outputs, size_t n_words, bool shrinks, gb_word_effects *out, gb_error *err)
{
    gb_status st;
    gb_word_effects e = {.n_outputs = n_outputs, .n_words = n_words};
    const size_t n = n_numbers(&e);
    GB_TRY(gb_alloc(&e.own_counts, 2 * n_outputs, sizeof *e.own_counts, what, err));
    const size_t n_arrays = shrinks ? SHRINKAGE + 1 : SHRINKAGE;
    GB_TRY(gb_alloc(&e.own, n, n_arrays * sizeof *e.own, what, err));
    e.n_draws = e.own_counts;
    e.mean = e.own;
    e.sd = e.own + n;
    e.expected = e.own + EXPECTED * n;
    e.shrinkage = shrinks ? e.own + SHRINKAGE * n : NULL;
    *out = e;
    return GB_OK;
done:
    gb_word_effects_clear(&e);
    return st;
}

void gb_word_effects_clear(gb_word_effects *e)
{
    gb_free(e->own_counts);
    gb_free(e->own);
    *e = (gb_word_effects){0};
}

static void add_mean(size_t n, double share, const float *of_chain, float *mean)
{
    for (size_t j = 0; j < n; j++)
        mean[j] = (float)(mean[j] + share * ((double)of_chain[j] - mean[j]));
}

/* (1) */
static void add_squares(size_t n, double n_before, double n_more, const gb_words_so_far *chain, size_t from,
                        const float *mean, float *square)
{
    for (size_t j = 0; j < n; j++) {
        const double off = (double)chain->mean[from + j] - mean[j];
        square[j] =
            (float)(square[j] + chain->square[from + j] + off * off * n_before * n_more / (n_before + n_more));
    }
}

void gb_word_effects_add(gb_word_effects *e, size_t first, size_t n, const gb_words_so_far *chain)
{
    const size_t all = n_numbers(e), n_words = e->n_words;
    const double n_more = (double)chain->n_draws, n_more_expected = (double)chain->n_expected;
    for (size_t l = first; l < first + n; l++) {
        uint64_t *n_draws = &e->own_counts[l], *n_expected = &e->own_counts[e->n_outputs + l];
        const size_t at = l * n_words, from = (l - first) * n_words;
        const double share = n_more / ((double)*n_draws + n_more);
        add_squares(n_words, (double)*n_draws, n_more, chain, from, e->own + at, e->own + all + at);
        add_mean(n_words, share, chain->mean + from, e->own + at);
        if (n_more_expected > 0)
            add_mean(n_words, n_more_expected / ((double)*n_expected + n_more_expected), chain->expected + from,
                     e->own + EXPECTED * all + at);
        if (e->shrinkage != NULL)
            add_mean(n_words, share, chain->shrinkage + from, e->own + SHRINKAGE * all + at);
        *n_draws += chain->n_draws;
        *n_expected += chain->n_expected;
    }
}

void gb_word_effects_finish(gb_word_effects *e)
{
    float *square = e->own + n_numbers(e);
    for (size_t l = 0; l < e->n_outputs; l++) {
        const double n = (double)e->n_draws[l];
        for (size_t j = 0; j < e->n_words; j++)
            square[l * e->n_words + j] = n > 1 ? (float)sqrt(square[l * e->n_words + j] / (n - 1)) : NAN;
    }
}

/* ---- snapshots ---- */

/* In standard deviations; a word without one has the coefficient of the mean. */
static double distance(const gb_word_effects *e, size_t at, double word)
{
    return e->sd[at] > 0 ? (word - e->mean[at]) / e->sd[at] : 0;
}

static const double MOST_CODE = 127;

void gb_word_effects_encode(const gb_word_effects *e, size_t first, size_t n, const float *word, uint8_t *code,
                            float *unit)
{
    for (size_t row = 0; row < n; row++) {
        const size_t at = (first + row) * e->n_words, from = row * e->n_words;
        double farthest = 0;
        for (size_t j = 0; j < e->n_words; j++)
            farthest = fmax(farthest, fabs(distance(e, at + j, word[from + j])));
        unit[row] = (float)(farthest / MOST_CODE);
        for (size_t j = 0; j < e->n_words; j++) {
            const double off = unit[row] > 0 ? rint(distance(e, at + j, word[from + j]) / unit[row]) : 0;
            code[from + j] = (uint8_t)(GB_WORD_AT_MEAN + (int)fmin(fmax(off, -MOST_CODE), MOST_CODE));
        }
    }
}

gb_status gb_word_draws_create(size_t n_draws, size_t n_rows, size_t n_words, gb_word_draws *out, gb_error *err)
{
    gb_status st;
    gb_word_draws d = {.code = NULL};
    GB_TRY(gb_alloc(&d.own_code, n_draws * n_rows, n_words * sizeof *d.own_code, what, err));
    GB_TRY(gb_alloc(&d.own_unit, n_draws * n_rows, sizeof *d.own_unit, what, err));
    d.code = d.own_code;
    d.unit = d.own_unit;
    *out = d;
    return GB_OK;
done:
    gb_word_draws_clear(&d);
    return st;
}

void gb_word_draws_clear(gb_word_draws *d)
{
    gb_free(d->own_code);
    gb_free(d->own_unit);
    *d = (gb_word_draws){.code = NULL};
}

/* ---- an effect ---- */

static const double Z95 = 1.6448536269514722; /* 95 % of a standard normal law are below it */

gb_effect gb_normal_effect(double mean, double sd)
{
    const double spread = sd > 0 ? sd : 0;
    return (gb_effect){.mean = mean,
                       .sd = sd,
                       .q05 = mean - Z95 * spread,
                       .median = mean,
                       .q95 = mean + Z95 * spread,
                       .p_positive = spread > 0 ? 0.5 * erfc(-mean / spread / sqrt(2))
                                     : mean > 0 ? 1
                                                : 0,
                       .shrinkage = NAN};
}

gb_effect gb_word_effect(const gb_word_effects *e, size_t output, size_t word, double scale)
{
    const size_t at = output * e->n_words + word;
    gb_effect effect = gb_normal_effect(scale * e->mean[at], scale * e->sd[at]);
    effect.n_draws = e->n_draws[output];
    effect.shrinkage = e->shrinkage == NULL ? NAN : fmin(e->shrinkage[at], 1);
    return effect;
}

/* ---- in a file ---- */

static const char COUNTS[] = "word_draws", MEANS[] = "word_mean", SDS[] = "word_sd", EXPECTEDS[] = "word_expected",
                  SHRINKAGES[] = "word_shrinkage";

gb_status gb_word_effects_write(const gb_word_effects *e, gb_store_writer *w, gb_error *err)
{
    gb_status st;
    const uint64_t n = e->n_outputs, shape[] = {n, e->n_words};
    GB_TRY(gb_store_array(w, COUNTS, GB_U64, 1, &n, e->n_draws, err));
    GB_TRY(gb_store_array(w, MEANS, GB_F32, 2, shape, e->mean, err));
    GB_TRY(gb_store_array(w, SDS, GB_F32, 2, shape, e->sd, err));
    GB_TRY(gb_store_array(w, EXPECTEDS, GB_F32, 2, shape, e->expected, err));
    if (e->shrinkage != NULL)
        GB_TRY(gb_store_array(w, SHRINKAGES, GB_F32, 2, shape, e->shrinkage, err));
done:
    return st;
}

static gb_status misfit(gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "the effects of words do not fit together");
}

static gb_status get(const gb_store *s, const char *name, const gb_word_effects *e, const float **out, gb_error *err)
{
    uint64_t shape[2];
    const void *data;
    const gb_status st = gb_store_get_array(s, name, GB_F32, 2, shape, &data, err);
    if (st != GB_OK)
        return st;
    *out = data;
    return shape[0] == e->n_outputs && shape[1] == e->n_words ? GB_OK : misfit(err);
}

static bool are_in_range(const gb_word_effects *e)
{
    bool all = true;
    for (size_t l = 0; l < e->n_outputs && all; l++) {
        all = e->n_draws[l] > 0;
        for (size_t i = l * e->n_words; i < (l + 1) * e->n_words && all; i++)
            all = isfinite(e->mean[i]) && isfinite(e->expected[i]) &&
                  (e->n_draws[l] == 1 ? isnan(e->sd[i]) : isfinite(e->sd[i]) && e->sd[i] >= 0) &&
                  (e->shrinkage == NULL || (e->shrinkage[i] >= 0 && e->shrinkage[i] <= 1.001F)); /* rounded */
    }
    return all;
}

gb_status gb_word_effects_read(const gb_store *s, size_t n_outputs, size_t n_words, bool shrinks,
                               gb_word_effects *out, gb_error *err)
{
    gb_status st;
    uint64_t n;
    const void *counts;
    gb_word_effects e = {.n_outputs = n_outputs, .n_words = n_words};
    GB_TRY(gb_store_get_array(s, COUNTS, GB_U64, 1, &n, &counts, err));
    if (n != n_outputs)
        return misfit(err);
    e.n_draws = counts;
    GB_TRY(get(s, MEANS, &e, &e.mean, err));
    GB_TRY(get(s, SDS, &e, &e.sd, err));
    GB_TRY(get(s, EXPECTEDS, &e, &e.expected, err));
    if (shrinks)
        GB_TRY(get(s, SHRINKAGES, &e, &e.shrinkage, err));
    if (!are_in_range(&e))
        return gb_fail(err, GB_EFORMAT, "an effect of a word is out of range");
    *out = e;
done:
    return st;
}
