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
    /** True if that probability is the model's own, false if it is only a rescaled score (hinge). */
    bool calibrated;
};

/** The response with that name, or NULL; "none" has no row. */
const gb_response_ops *gb_response_find(const char *name);

extern const gb_response_ops gb_response_hinge, gb_response_logistic;

#endif
