/* model/word_effects.c - the coefficients of words over all draws.
 *
 * Chains a and b with n_a and n_b draws, means m_a and m_b and sums of squared distances from them q_a and q_b have together
 *
 *   m = m_a + (m_b - m_a) n_b / n,    q = q_a + q_b + (m_b - m_a)^2 n_a n_b / n,    n = n_a + n_b               (1)
 *
 *   Chan, Golub, LeVeque 1983, The American Statistician 37. */
#include "model/word_effects.h"

#include "math/special.h"

#include <math.h>

/* ---- adding up ---- */

void gb_word_effects_list(void *effects, const gb_array_visitor *v)
{
    gb_word_effects *e = effects;
    const uint64_t n = e->n_words == 0 ? 0 : e->n_outputs, n_words = e->n_words;
#define IN_FILE(array_name, pointer, ...)                                                                            \
    GB_ARRAY_WITH(v, .name = (array_name), GB_AT(pointer), .axis = GB_REPLICATED, .is_view = e->is_view,             \
                  GB_SHAPE(__VA_ARGS__))
    IN_FILE("word_draws", e->n_draws, n);
    GB_ARRAY(v, "words_expected", e->n_expected, GB_DERIVED, GB_REPLICATED, e->is_view ? 0 : n);
    IN_FILE("word_mean", e->mean, n, n_words);
    IN_FILE("word_sd", e->sd, n, n_words);
    IN_FILE("word_expected", e->expected, n, n_words);
    IN_FILE("word_shrinkage", e->shrinkage, e->shrinks ? n : 0, n_words);
#undef IN_FILE
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
    const size_t n_words = e->n_words;
    const double n_more = (double)chain->n_draws, n_more_expected = (double)chain->n_expected;
    for (size_t l = first; l < first + n; l++) {
        const size_t at = l * n_words, from = (l - first) * n_words;
        const double share = n_more / ((double)e->n_draws[l] + n_more);
        add_squares(n_words, (double)e->n_draws[l], n_more, chain, from, e->mean + at, e->sd + at);
        add_mean(n_words, share, chain->mean + from, e->mean + at);
        if (n_more_expected > 0)
            add_mean(n_words, n_more_expected / ((double)e->n_expected[l] + n_more_expected), chain->expected + from,
                     e->expected + at);
        if (e->shrinkage != NULL)
            add_mean(n_words, share, chain->shrinkage + from, e->shrinkage + at);
        e->n_draws[l] += chain->n_draws;
        e->n_expected[l] += chain->n_expected;
    }
}

/* From sums of squares. */
void gb_word_effects_finish(gb_word_effects *e)
{
    for (size_t l = 0; l < e->n_outputs; l++) {
        const double n = (double)e->n_draws[l];
        for (size_t j = l * e->n_words; j < (l + 1) * e->n_words; j++)
            e->sd[j] = n > 1 ? (float)sqrt(e->sd[j] / (n - 1)) : NAN;
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
                       .p_positive = spread > 0 ? 0.5 * gb_erfc(-mean / spread / sqrt(2))
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

/* ---- from a file ---- */

const char *gb_word_effects_fault(const gb_word_effects *e)
{
    bool all = true;
    for (size_t l = 0; l < e->n_outputs && all && e->n_words > 0; l++) {
        all = e->n_draws[l] > 0;
        for (size_t i = l * e->n_words; i < (l + 1) * e->n_words && all; i++)
            all = isfinite(e->mean[i]) && isfinite(e->expected[i]) &&
                  (e->n_draws[l] == 1 ? isnan(e->sd[i]) : isfinite(e->sd[i]) && e->sd[i] >= 0) &&
                  (e->shrinkage == NULL || (e->shrinkage[i] >= 0 && e->shrinkage[i] <= 1.001F)); /* rounded */
    }
    return all ? NULL : "an effect of a word is out of range";
}
