/* recipe/cost_trials.h - the cost of the labels, found on documents held out. */
#ifndef GB_RECIPE_COST_TRIALS_H
#define GB_RECIPE_COST_TRIALS_H

#include "plan/response_defaults.h"
#include "plan/spec.h"
#include "recipe/word_variance.h"

/** Trials of a response, the smallest cost first. */
typedef struct gb_cost_trials {
    gb_response response;        /* of the training, but for its cost */
    const gb_cost_trial *trial;  /* its row of the defaults */
    const gb_word_choice *words; /* borrowed */
    bool gives_variance;         /* of topics' coefficients, that of the trial */
    size_t n;                    /* done */
    uint64_t n_docs;             /* held out, the same in all */
    double
        *squared[GB_MAX_COST_TRIALS]; /* errors of the documents held out, in units of the target; NaN without one */
    double error[GB_MAX_COST_TRIALS]; /* their means */
    double noise[GB_MAX_COST_TRIALS]; /* what the training takes for the parameter that is given */
    double given;                     /* what the trial took */
    double variance;                  /* of the target, in the documents held out */
} gb_cost_trials;

/** Documents that have a number. */
uint64_t gb_count_known_numbers(const gb_corpus *corpus, size_t field);

/** True if gb_train() finds the cost by trials: of one response, whose topics bend to the labels of all its scores, a cost that nobody has
 * given, and enough numbers. */
bool gb_has_cost_trials(const gb_corpus *corpus, const gb_spec *spec, const gb_settings *settings);

/** Clear it with gb_cost_trials_clear(). */
gb_cost_trials gb_cost_trials_of(const gb_spec *spec, const gb_settings *settings, const gb_word_choice *words);
void gb_cost_trials_clear(gb_cost_trials *trials);
/** How many there are to do. */
size_t gb_cost_trials_count(const gb_cost_trials *trials);

/** The settings of all trials: the user's, as far as the model depends on them, and short.
 * @param out  receives them, free them with gb_settings_free() */
gb_status gb_cost_trials_settings(const gb_settings *settings, gb_settings **out, gb_error *err);
/** The next trial's cost, and what goes with it. */
gb_status gb_cost_trials_set(gb_cost_trials *trials, gb_settings *settings, gb_error *err);
/** How well it predicted.
 * @param target, predicted, sd  of n_docs documents; targets NaN: missing */
gb_status gb_cost_trials_add(gb_cost_trials *trials, uint64_t n_docs, const double *target, const double *predicted,
                             const double *sd, gb_error *err);
/** Set the chosen cost, and what goes with it, for the training.
 * @param told  receives a line for the user, free it with gb_free(); NULL: nobody asks */
gb_status gb_cost_trials_choose(const gb_cost_trials *trials, gb_settings *settings, char **told, gb_error *err);

#endif
