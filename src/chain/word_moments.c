/* chain/word_moments.c - running means and squares (Welford 1962), one number after the other.
 *
 *   mean_n = mean_{n-1} + (x_n - mean_{n-1}) / n,    square_n = square_{n-1} + (x_n - mean_{n-1}) (x_n - mean_n)
 *
 * in single precision: each step rounds to 6e-8 of the value, a draw's noise is much of it. */
#include "chain/word_moments.h"

gb_word_moments gb_word_moments_size(const gb_layout *layout, size_t n_outputs, bool shrinks)
{
    const gb_block *words = gb_layout_find(layout, GB_WORDS_BLOCK);
    if (words == NULL || n_outputs == 0)
        return (gb_word_moments){0};
    return (gb_word_moments){.n_outputs = n_outputs, .n_words = words->n, .first = words->first, .shrinks = shrinks};
}

void gb_word_moments_list(void *moments, const gb_array_visitor *v)
{
    gb_word_moments *m = moments;
    const uint64_t n = m->n_words;
    if (n == 0)
        return;
    GB_STATE_ARRAY(v, "word_counts", m->count, GB_REPLICATED, GB_ANY_VALUE, GB_N_WORD_COUNTS);
    GB_STATE_ARRAY(v, "word_means", m->mean, GB_REPLICATED, GB_FINITE, m->n_outputs, n);
    GB_STATE_ARRAY(v, "word_squares", m->square, GB_REPLICATED, GB_NOT_NEGATIVE, m->n_outputs, n);
    GB_STATE_ARRAY(v, "word_expected", m->expected, GB_REPLICATED, GB_FINITE, m->n_outputs, n);
    if (m->shrinks)
        GB_STATE_ARRAY(v, "word_shrinkage", m->shrinkage, GB_REPLICATED, GB_NOT_NEGATIVE, m->n_outputs, n);
}

static void move_mean(size_t n, const double *x, double n_draws, float *mean)
{
    for (size_t j = 0; j < n; j++)
        mean[j] = (float)(mean[j] + (x[j] - mean[j]) / n_draws);
}

static void add_draw(size_t n, const double *x, double n_draws, float *mean, float *square)
{
    for (size_t j = 0; j < n; j++) {
        const double before = x[j] - mean[j], after = before - before / n_draws;
        mean[j] = (float)(mean[j] + before / n_draws);
        square[j] = (float)(square[j] + before * after);
    }
}

/* False if it was the last one. */
static bool count(uint32_t *n, uint32_t *last, uint32_t sweep)
{
    if (*n > 0 && *last == sweep)
        return false;
    ++*n;
    *last = sweep;
    return true;
}

void gb_word_moments_add(gb_word_moments *m, uint32_t sweep, size_t n_features, const double *eta, size_t n_shrunken,
                         const double *shrinkage)
{
    if (m->n_words == 0 || !count(&m->count[GB_WORDS_DRAWN], &m->count[GB_WORDS_LAST_DRAWN], sweep))
        return;
    const double n_draws = m->count[GB_WORDS_DRAWN];
    for (size_t l = 0; l < m->n_outputs; l++) {
        const size_t at = l * m->n_words;
        add_draw(m->n_words, eta + l * n_features + m->first, n_draws, m->mean + at, m->square + at);
        if (m->shrinks)
            move_mean(m->n_words, shrinkage + l * n_shrunken + m->first, n_draws, m->shrinkage + at);
    }
}

void gb_word_moments_add_expected(gb_word_moments *m, uint32_t sweep, const double *expected)
{
    if (m->n_words == 0 || !count(&m->count[GB_WORDS_EXPECTED], &m->count[GB_WORDS_LAST_EXPECTED], sweep))
        return;
    move_mean(m->n_outputs * m->n_words, expected, m->count[GB_WORDS_EXPECTED], m->expected);
}
