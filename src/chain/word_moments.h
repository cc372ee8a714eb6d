/* chain/word_moments.h - what is kept of the coefficients of words over the kept draws of a chain: a mean and a spread of each.
 *
 * There may be a million of them, so draws do not have them all; see docs/format.md. */
#ifndef GB_CHAIN_WORD_MOMENTS_H
#define GB_CHAIN_WORD_MOMENTS_H

#include "base/arrays.h"
#include "design/design.h"

enum { GB_WORDS_DRAWN, GB_WORDS_LAST_DRAWN, GB_WORDS_EXPECTED, GB_WORDS_LAST_EXPECTED, GB_N_WORD_COUNTS };

/** State of a chain: running sums, so that a run that is resumed goes on with them. */
typedef struct gb_word_moments {
    size_t n_outputs, n_words; /* n_words 0: words have no coefficients */
    size_t first;              /* features before the words */
    bool shrinks;              /* the prior has a share of shrinkage of each coefficient */
    uint32_t *count;           /* draws and the sweep of the last one; the same of expected coefficients */
    float *mean, *square;      /* n_outputs x n_words: of draws; sum of squared distances from the mean */
    float *expected;           /* likewise: mean of what is expected given all else */
    float *shrinkage;          /* likewise: mean share of shrinkage; only if the prior shrinks */
} gb_word_moments;

gb_word_moments gb_word_moments_size(const gb_layout *layout, size_t n_outputs, bool shrinks);

/** A gb_list_arrays. */
void gb_word_moments_list(void *moments, const gb_array_visitor *v);

/** Add the draw of a sweep, unless it is the last that was added.
 * @param eta        n_outputs x n_features
 * @param shrinkage  n_outputs x n_shrunken; only read if the prior shrinks */
void gb_word_moments_add(gb_word_moments *moments, uint32_t sweep, size_t n_features, const double *eta,
                         size_t n_shrunken, const double *shrinkage);

/** Add what is expected of them after a sweep (coefficient/word_means.h), unless it is the last that was added.
 * @param expected  n_outputs x n_words */
void gb_word_moments_add_expected(gb_word_moments *moments, uint32_t sweep, const double *expected);

#endif
