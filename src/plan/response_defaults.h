/* plan/response_defaults.h - what each response takes where the user says nothing, found by what predicted best on corpora
 * (docs/measured/defaults.md). */
#ifndef GB_PLAN_RESPONSE_DEFAULTS_H
#define GB_PLAN_RESPONSE_DEFAULTS_H

#include "response/response.h"

/** A cost that may suit a corpus. */
typedef struct gb_cost_trial {
    double cost;
    double variance; /* prior variance of a topic's coefficient that goes with it; 0: as without a trial */
} gb_cost_trial;

enum { GB_MAX_COST_TRIALS = 4 };

typedef struct gb_response_defaults {
    double cost;     /* where there are no classes */
    double variance; /* prior variance of a topic's coefficient */
    double reach;    /* of classes: the cost follows from their number, and c^2 times the variance is this; or 0 */
    bool samples_variance;  /* the variance is sampled unless it is given */
    bool scores_in_margins; /* the margin is the unit of the scores */
    /* costs to choose from on held-out documents (folds/trials.c), ascending, up to the first that is 0; none: the default */
    gb_cost_trial trial[GB_MAX_COST_TRIALS];
    /** The variance of word coefficients that weighs words against the targets as a linear model does that minimises w'w / 2 + C times
     * squared hinges, or squared errors (recipe/word_variance.c); 0: better drawn.  NULL: always drawn.
     * @param penalty  C
     * @param error    of a number: its mean squared error with that C on other documents, in units of the coded target */
    double (*word_variance)(const gb_response *response, double penalty, double error);
} gb_response_defaults;

/** Of a response of the table. */
const gb_response_defaults *gb_response_defaults_of(const gb_response_ops *ops);

/** The cost for this many classes, of which a document has one, or several. */
double gb_response_cost_for(const gb_response_ops *ops, size_t n_classes, bool several, bool has_words);
/** The prior variance of a topic's coefficient that goes with a cost. */
double gb_response_variance_for(const gb_response_ops *ops, double cost);

/** The prior variance of covariates' coefficients that goes with a cost c: 1 / c, since each document counts as c. */
double gb_covariate_variance_for(double cost);

/**
 * A response from what the user gave.
 *
 * @param cost     c; 0 for the response's default
 * @param margin   ell; used by the hinge alone
 * @param epsilon  used by the insensitive response alone
 * @param out      receives it, with n_outputs and n_levels 0 and without own parameters; untouched on failure
 * @return GB_OK, or GB_EARGUMENT for a name that there is not
 */
gb_status gb_response_choose(const char *name, double cost, double margin, double epsilon, gb_response *out,
                             gb_error *err);

#endif
