/* model/word_effects.h - the coefficients of words: over all draws a mean and a spread of each, and whole draws of a few.
 *
 * All coefficients of all draws would be most of a model by far: 50,000 words, 20 classes and 50 draws are 400 MB.  Predictions
 * need what is expected of each (apply/predict_words.c) and some draws that were made together, those of the snapshots; an
 * effect needs a mean and a standard deviation.  A coefficient of a snapshot is kept as
 *
 *     mean + sd * unit * (code - 128),     code 1 .. 255, unit: that of its score in this snapshot                  (1)
 *
 * which is off by half a unit at most: a 254th of the distance, in standard deviations, of the word that is farthest from its mean. */
#ifndef GB_MODEL_WORD_EFFECTS_H
#define GB_MODEL_WORD_EFFECTS_H

#include "chain/word_moments.h"
#include "gibbous/effects.h"

/** Of a chain, up to a draw: as in gb_word_moments. */
typedef struct gb_words_so_far {
    uint64_t n_draws, n_expected;
    const float *mean, *square, *expected, *shrinkage; /* n_outputs of a draw x words; shrinkage: NULL without */
} gb_words_so_far;

/** Of all draws of a model. */
typedef struct gb_word_effects {
    size_t n_outputs, n_words;
    bool shrinks, is_view; /* there is a share of shrinkage of each; arrays belong to the model's file */
    uint64_t *n_draws;     /* n_outputs; NULL: words have no coefficients */
    uint64_t *n_expected;  /* likewise, draws whose expected values were taken; only while draws are added */
    float *mean, *sd, *expected, *shrinkage; /* n_outputs x n_words; sd: NaN for one draw; shrinkage: NULL without */
} gb_word_effects;

/** A gb_list_arrays. */
void gb_word_effects_list(void *effects, const gb_array_visitor *v);
/** Add the draws of a chain, which has outputs first .. first + n - 1. */
void gb_word_effects_add(gb_word_effects *effects, size_t first, size_t n, const gb_words_so_far *chain);
/** After the last chain. */
void gb_word_effects_finish(gb_word_effects *effects);
/** What is wrong with numbers from a file, or NULL. */
const char *gb_word_effects_fault(const gb_word_effects *effects);

/** The coefficients of a snapshot. */
typedef struct gb_word_draw {
    const uint8_t *code; /* n_outputs of a draw x n_words; NULL: words have no coefficients */
    const float *unit;   /* n_outputs of a draw */
} gb_word_draw;

enum { GB_WORD_AT_MEAN = 128 };

/** Write coefficients of outputs first .. first + n - 1 as (1).
 * @param word  n x n_words */
void gb_word_effects_encode(const gb_word_effects *effects, size_t first, size_t n, const float *word, uint8_t *code,
                            float *unit);

/** (1) of output `first` + `row`, which is row `row` of the draw. */
static inline double gb_word_coefficient(const gb_word_effects *e, const gb_word_draw *draw, size_t first, size_t row,
                                         size_t word)
{
    const size_t at = (first + row) * e->n_words + word;
    const int off = draw->code[row * e->n_words + word] - GB_WORD_AT_MEAN;
    return off == 0 ? (double)e->mean[at] : e->mean[at] + (double)e->sd[at] * draw->unit[row] * off;
}

/** The effect of a word: mean and standard deviation over all draws, and quantiles of the normal law that has them. */
gb_effect gb_word_effect(const gb_word_effects *effects, size_t output, size_t word, double scale);

/** Quantiles and p_positive of a normal law; everything but the mean is NaN or the mean if there is no standard deviation. */
gb_effect gb_normal_effect(double mean, double sd);

#endif
