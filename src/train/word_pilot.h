/* train/word_pilot.h - the variance of word coefficients where the labels count several times. */
#ifndef GB_TRAIN_WORD_PILOT_H
#define GB_TRAIN_WORD_PILOT_H

#include "gibbous/chain.h"
#include "plan/spec.h"

/** The settings that a model depends on, and the number of threads, for a short training before the real one; free them with
 * gb_settings_free(). */
gb_status gb_pilot_settings(const gb_settings *settings, gb_settings **out, gb_error *err);

/** True if nobody has said what the variance of words is, and words have one. */
bool gb_word_variance_is_open(const gb_spec *spec, const gb_settings *settings);

typedef struct gb_word_pilot {
    uint64_t seed;
    double cost;           /* of the training */
    bool has_trials;       /* several variances are tried, with the response's cost */
    gb_on_sweep *on_sweep; /* may stop it; NULL: nothing does */
    void *user;
    double variance, factor; /* results: what cost 1 learns; the factor that the trials chose, 1 without */
} gb_word_pilot;

/** For a spec whose variance is open.
 * @return GB_OK, GB_ESTOP, or why the chain could not run */
gb_status gb_word_pilot_run(const gb_corpus *corpus, const gb_settings *settings, gb_word_pilot *pilot,
                            gb_error *err);

#endif
