/* response/response.h - how labels depend on a document's scores.
 *
 * After its augmentation every response is a Gaussian in the score s of a document and output:
 *
 *     exp( kappa s - omega s^2 / 2 )                                                        (1)
 *
 * A response hands out that factor as a gb_score_term, with kappa = slope + omega centre.  Samplers need
 * kappa - omega s, which loses all digits when omega is huge (a hinge margin met almost exactly); in the form
 *
 *     kappa - omega s = slope + omega (centre - s)                                          (2)
 *
 * it does not.  Samplers see these terms and nothing else of a response. */
#ifndef GB_RESPONSE_RESPONSE_H
#define GB_RESPONSE_RESPONSE_H

#include "base/status.h"
#include "random/random.h"

#include <stdbool.h>

#include <stddef.h>

/** Factor (1) of one document and output; all zero for a missing label. */
typedef struct gb_score_term {
    double slope, omega, centre;
} gb_score_term;

typedef struct gb_response_ops gb_response_ops;

/** A response with its parameters; it has `n_outputs` scores, from `first_output` on. */
typedef struct gb_response {
    const gb_response_ops *ops;
    double cost;   /* c */
    double margin; /* ell; hinge */
    size_t first_output, n_outputs;
} gb_response;

struct gb_response_ops {
    const char *name;    /* as written on the command line */
    double default_cost; /* c unless the user gives one: what predicted best on several corpora */
    const char *no_cost; /* why the response cannot take a cost, for the user; NULL if it can */
    /**
     * Draw the augmentation of one document given its scores and hand out (1) for each output.
     *
     * @param n      outputs
     * @param y      +1 or -1 per output, NaN if missing (then the term is zero and nothing is drawn)
     * @param score  s per output
     */
    void (*augment)(const gb_response *response, size_t n, const double *y, const double *score, gb_random *random,
                    gb_score_term *term);
    /** log of the pseudo-likelihood of y = +1 or -1 given the score, augmentation integrated out. */
    double (*log_likelihood)(const gb_response *response, double y, double score);
    /** Probability of y = +1 that is reported for a score. */
    double (*probability)(const gb_response *response, double score);
    /**
     * Of a document with exactly one of n classes, y = +1 in one output and -1 in the others: what each class weighs,
     * >= 0, given the scores.  The weights are averaged over draws; the probability reported is a weight's share of
     * their sum.  Most responses use gb_response_independent_classes().
     */
    void (*class_weights)(const gb_response *response, size_t n, const double *score, double *weight);
    /** True if that probability is the model's own, false if it is only a rescaled score (hinge). */
    bool calibrated;
};

/** The response with that name, or NULL; "none" has no row. */
const gb_response_ops *gb_response_find(const char *name);

/**
 * A response from what the user gave.
 *
 * @param cost  c; 0 for the response's default
 * @param out   receives it, with n_outputs 0; untouched on failure
 * @return GB_OK, or GB_EARGUMENT for a name that there is not, or a cost where there cannot be one
 */
gb_status gb_response_choose(const char *name, double cost, double margin, gb_response *out, gb_error *err);

/** Class weights: each output's own probability, as if the others were not there. */
void gb_response_independent_classes(const gb_response *response, size_t n, const double *score, double *weight);

extern const gb_response_ops gb_response_hinge, gb_response_logistic, gb_response_probit;

#endif
