/* response/level_law.h - what the scores of short texts say of levels, by levels that were held out of the training.
 *
 * Of whole texts the model's own probabilities of levels come true.  Of the first words of a text it is too sure: their mean is more
 * extreme than that of the text, and their topics are known worse. */
#ifndef GB_RESPONSE_LEVEL_LAW_H
#define GB_RESPONSE_LEVEL_LAW_H

#include "base/status.h"
#include "response/response.h"

#include <stddef.h>
#include <stdint.h>

/** A law without shares, all zeros, stands for none. */
typedef struct gb_level_law {
    double *share;    /* of the held-out labels, of each level; owned */
    double centre;    /* of scores of whole texts, gb_response_pooled_score(): their mean */
    double variance;  /* and their variance */
    double log_whole; /* and the mean of log(1 + words) */
    double length;    /* how soon scores go towards the centre where words are few */
    double open;      /* how soon levels are less certain there */
} gb_level_law;

/** Held-out levels. */
typedef struct gb_new_levels {
    size_t n;
    double *y;          /* 1, 2, ...; NaN: missing, left out */
    double *score;      /* gb_response_pooled_score() */
    uint64_t *n_tokens; /* known words */
} gb_new_levels;

/**
 * Fit a law.
 *
 * @param cut  the same texts cut to few words, without those that have no more
 * @param law  receives it; none if fewer than 20 levels are there; clear it with gb_level_law_clear()
 * @return GB_OK or GB_ENOMEM
 *
 * Cost: some ten passes over whole texts for each level, a hundred over those that are cut.
 */
gb_status gb_level_law_fit(size_t n_levels, const gb_new_levels *whole, const gb_new_levels *cut, gb_level_law *law,
                           gb_error *err);
void gb_level_law_clear(gb_level_law *law);

/** What a score is to be for a text with so many known words, under the own parameters that `response` has.
 * @param variance  receives what is open of it
 * @return the score as it is, and 0, if there is no law */
double gb_level_law_score(const gb_level_law *law, const gb_response *response, double score, uint64_t n_tokens,
                          double *variance);

#endif
