/* recipe/calibrate.h - what documents whose labels were held out say of new ones. */
#ifndef GB_RECIPE_CALIBRATE_H
#define GB_RECIPE_CALIBRATE_H

#include "plan/target.h"

/** Documents whose labels a chain has not seen, or not yet. */
typedef struct gb_held_out_scores {
    size_t n, n_outputs;
    double *y, *score;    /* n x n_outputs; y NaN: missing */
    double *variance;     /* n x n_outputs: of the score given the words, of numbers; NULL: not known */
    double *log_exposure; /* n; NULL: all 0 */
    uint64_t *n_tokens;   /* n */
    /* the same of texts that were cut to their first words, as many as n_cut, or n_tokens: that text was not cut; NULL: none was */
    double *cut_score, *cut_variance;
    uint64_t *n_cut;
    bool are_late; /* the chain was given these labels later; else each fold's had a chain of its own */
} gb_held_out_scores;

/** Give a target what it needs of them: the curves of classes without probabilities of their own, and cut-offs; the spread of numbers;
 * the law of counts.  Too few labels leave it as it is.
 *
 * @param cut_off  the setting
 * @return GB_OK or GB_ENOMEM */
gb_status gb_calibrate_target(const gb_held_out_scores *held_out, const char *cut_off, gb_target *target,
                              gb_error *err);

#endif
