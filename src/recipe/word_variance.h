/* recipe/word_variance.h - the variance of word coefficients, found with a linear model of the same words. */
#ifndef GB_RECIPE_WORD_VARIANCE_H
#define GB_RECIPE_WORD_VARIANCE_H

#include "gibbous/chain.h"
#include "plan/spec.h"

/** What the linear models say. */
typedef struct gb_word_choice {
    double penalty; /* C, what its errors cost beside w'w / 2; 0: there was nothing to choose by */
    double idf_power;
    double error; /* of a number: mean squared error with it, in units of the coded target; else 0 */
    uint64_t n_docs;
} gb_word_choice;

/** True if nobody has said what the variance of words is, words have one, and the response has a linear model to take it from,
 * with its cost or, if that is open, with any. */
bool gb_word_variance_is_open(const gb_spec *spec, const gb_settings *settings, bool cost_is_open);

/** For a spec whose variance is open.
 * @param on_sweep  may stop it; NULL: nothing does
 * @return GB_OK, GB_ESTOP or GB_ENOMEM; the result does not depend on the number of threads */
gb_status gb_word_variance_find(const gb_corpus *corpus, const gb_spec *spec, const gb_settings *settings,
                                gb_on_sweep *on_sweep, void *user, gb_word_choice *out, gb_error *err);

/** The variance that weighs words as the linear model does; 0: better drawn. */
double gb_word_variance_of(const gb_word_choice *choice, const gb_response *response);

/** Set the variance of words to that, and "idf-power"; nothing with the penalty 0, nor a variance that is better drawn. */
gb_status gb_word_choice_set(const gb_word_choice *choice, const gb_response *response, gb_settings *settings,
                             gb_error *err);

/** A line for the user, who has these settings now.  @param out  receives it, free it with gb_free() */
gb_status gb_word_choice_tell(const gb_word_choice *choice, const gb_settings *settings, char **out, gb_error *err);

#endif
