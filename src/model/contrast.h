/* model/contrast.h - effects relative to the average document, from draws of coefficients and of topic shares.
 *
 * Shares of topics add up to 1, as do the levels of a factor: a number added to the coefficients of all topics and taken
 * from the intercept changes no score.  So what is reported does not depend on it. */
#ifndef GB_MODEL_CONTRAST_H
#define GB_MODEL_CONTRAST_H

#include "design/coding.h"
#include "gibbous/effects.h"
#include "model/word_effects.h"

#define GB_UNMATCHED_TOPIC UINT32_MAX

/** Draws of one output's coefficients, one row of pointers for each.  Everything is borrowed. */
typedef struct gb_effect_draws {
    size_t n_draws, n_topics, n_columns;
    size_t n_words; /* the last columns, which are words */
    bool intercept;
    const double *const *eta;   /* [draw]: topics, columns that are no words, then the intercept if there is one */
    const double *const *share; /* [draw]: mean shares of the topics over the documents */
    const uint32_t *const
        *topic; /* [draw][k]: the draw's own number of topic k, or GB_UNMATCHED_TOPIC; a row that is NULL, or no
                                       rows at all: k */
    const double *const *shrinkage; /* [draw]: of topics and columns that are no words; NULL: none */
    const gb_word_draw *word;       /* [draw]: coefficients of words, one row; without codes the draw lacks them */
    const double *word_average;     /* [draw]: what words add to the score of the average document */
    const gb_word_effects
        *words; /* over all draws, of an output of the model; the effects of words are made of these */
    uint64_t output;
    const gb_coding *coding; /* of the columns; NULL without */
    double centre, scale;    /* of the target: the effects are those of y = centre + scale x score */
} gb_effect_draws;

/** Features of one kind, a mean of which is looked at: topics, or columns at n_topics and above. */
typedef struct gb_feature_set {
    size_t n;
    const uint64_t *feature;
} gb_feature_set;

/**
 * Posteriors of features first .. first + n - 1: topics and levels less their mean over the documents, a number or an item of
 * a list for one more, and (feature n_topics + n_columns) the value of the average document.
 *
 * @return GB_OK or GB_ENOMEM
 *
 * In a draw without topic k its effect is not used, and counted in n_unused.  A feature of no draw has NaN everywhere.  Words have a
 * mean and a standard deviation over all draws, and quantiles of the normal law that has them.
 */
gb_status gb_effects_of_draws(const gb_effect_draws *draws, size_t first, size_t n, gb_effect *out, gb_error *err);

/** The values behind gb_effects_of_draws(): the `n` of one draw; NaN for a topic or a word that it does not have. */
void gb_effect_values(const gb_effect_draws *draws, size_t first, size_t n, size_t draw, double *out);

/**
 * Posterior of the mean over set a, each feature with its share of the documents as weight, minus that over b; an empty b is
 * the average document.  Draws that lack one of the topics are not used.
 *
 * @return GB_OK, GB_EARGUMENT (the features are not all topics or all levels of one field) or GB_ENOMEM
 */
gb_status gb_contrast_of_draws(const gb_effect_draws *draws, gb_feature_set a, gb_feature_set b, gb_effect *out,
                               gb_error *err);

/** The score of the average document in a draw, before centre and scale. */
double gb_average_score(const gb_effect_draws *draws, size_t draw);

#endif
