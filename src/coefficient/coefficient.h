/* coefficient/coefficient.h - priors on the coefficients, and their draws: two axes.
 *
 * Every prior is normal given its scales, so it hands out one precision per coefficient, and a draw of
 * coefficients needs nothing else of it.  Scales are state of a chain, redrawn given the coefficients. */
#ifndef GB_COEFFICIENT_COEFFICIENT_H
#define GB_COEFFICIENT_COEFFICIENT_H

#include "base/cpu.h"
#include "base/status.h"
#include "counts/proportions.h"
#include "random/random.h"
#include "response/response.h"

#include <stdbool.h>

/* ---- priors ---- */

typedef struct gb_coefficient_prior_ops gb_coefficient_prior_ops;

/** A prior with its parameters. */
typedef struct gb_coefficient_prior {
    const gb_coefficient_prior_ops *ops;
    double variance; /* of topic coefficients; normal */
    double intercept_variance;
} gb_coefficient_prior;

/** What a chain knows of its prior's scales. */
typedef struct gb_coefficient_scales {
    const gb_coefficient_prior *prior; /* borrowed */
    size_t n_outputs, n_topics;
    bool intercept;
    size_t n;       /* scales of an output; 0: the prior has none */
    double *square; /* n_outputs x n: squares of the scales, 1 at first; owned */
} gb_coefficient_scales;

struct gb_coefficient_prior_ops {
    const char *name;
    /** True if the user chooses the variance of topic coefficients. */
    bool has_variance;
    /** Scales of an output with that many topics; NULL: none. */
    size_t (*n_scales)(size_t n_topics);
    /** Precision of each coefficient of an output: n_topics values, then the intercept's if there is one. */
    void (*precision)(const gb_coefficient_scales *scales, size_t output, double *precision);
    /** Redraw the scales of an output given its coefficients; NULL: there are none. */
    void (*draw_scales)(gb_coefficient_scales *scales, size_t output, const double *eta, gb_random *random);
    /** log p(eta, scales) of an output; for scales the density of their logarithms. */
    double (*log_density)(const gb_coefficient_scales *scales, size_t output, const double *eta);
};

/** The prior with that name, or NULL. */
const gb_coefficient_prior_ops *gb_coefficient_prior_find(const char *name);

extern const gb_coefficient_prior_ops gb_coefficient_normal, gb_coefficient_horseshoe;

/** log of the density of N(0, 1 / precision). */
double gb_log_normal_density(double x, double precision);

/** @return GB_OK or GB_ENOMEM */
gb_status gb_coefficient_scales_create(gb_coefficient_scales *out, const gb_coefficient_prior *prior,
                                       size_t n_outputs, size_t n_topics, bool intercept, gb_error *err);
void gb_coefficient_scales_clear(gb_coefficient_scales *scales);

/** Redraw all scales given the coefficients (n_outputs x n_features); nothing to do for a prior without. */
gb_status gb_coefficient_scales_draw(gb_coefficient_scales *scales, const double *eta, gb_key key, uint32_t sweep,
                                     size_t n_threads, gb_error *err);

/* ---- draws of coefficients ---- */

/** What a draw of coefficients reads. */
typedef struct gb_regression {
    const gb_proportions *z; /* zbar, the topic features */
    size_t n_outputs;
    bool intercept;            /* one more feature, constant 1, last */
    const gb_score_term *term; /* n_docs x n_outputs */
    const double *score;       /* n_docs x n_outputs: of the coefficients before the draw */
    const gb_coefficient_scales *scales;
    gb_key key;
    uint32_t sweep;
    size_t n_steps; /* passes of a sampler that goes from coefficient to coefficient */
    size_t n_threads;
    gb_isa isa;
} gb_regression;

/** One way to draw coefficients given everything else. */
typedef struct gb_coefficient_sampler {
    const char *name;
    /** True if more than one step per sweep means something. */
    bool has_steps;
    /**
     * Leave the conditional law of all coefficients as it is:
     *     eta_l ~ N(Lambda_l^{-1} h_l, Lambda_l^{-1})
     *     Lambda_l = P_l + sum_d omega_dl f_d f_d',   h_l = sum_d kappa_dl f_d
     * with features f_d = (zbar_d, 1) (Zhu and others 2014, section 4.2, for any response).
     *
     * @param eta  n_outputs x n_features, features = topics, then the intercept; redrawn in place
     * @return GB_OK, GB_ENOMEM or GB_ENUMERIC (names the output)
     */
    gb_status (*draw)(const gb_regression *regression, double *eta, gb_error *err);
} gb_coefficient_sampler;

/** The sampler with that name ("auto" chooses one for this many topics), or NULL. */
const gb_coefficient_sampler *gb_coefficient_sampler_find(const char *name, size_t n_topics);

extern const gb_coefficient_sampler gb_coefficient_block, /* all coefficients of an output at once */
    gb_coefficient_coordinate;                            /* one coefficient after the other */

#endif
