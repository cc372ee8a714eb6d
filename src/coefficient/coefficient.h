/* coefficient/coefficient.h - priors on the coefficients, and their draws.
 *
 * A coefficient prior hands out one precision per coefficient; a draw needs nothing else of it. */
#ifndef GB_COEFFICIENT_COEFFICIENT_H
#define GB_COEFFICIENT_COEFFICIENT_H

#include "base/cpu.h"
#include "base/status.h"
#include "counts/proportions.h"
#include "random/random.h"
#include "response/response.h"

#include <stdbool.h>

typedef struct gb_coefficient_prior_ops gb_coefficient_prior_ops;

typedef struct gb_coefficient_prior {
    const gb_coefficient_prior_ops *ops;
    double variance; /* of topic coefficients */
    double intercept_variance;
} gb_coefficient_prior;

struct gb_coefficient_prior_ops {
    const char *name;
    /** Precision of each coefficient of one output: n_topics values, then the intercept's if there is one. */
    void (*precision)(const gb_coefficient_prior *prior, size_t n_topics, bool intercept, double *precision);
    /** log p(eta) of one output. */
    double (*log_density)(const gb_coefficient_prior *prior, size_t n_topics, bool intercept, const double *eta);
};

const gb_coefficient_prior_ops *gb_coefficient_prior_find(const char *name);

extern const gb_coefficient_prior_ops gb_coefficient_normal;

/** What a draw of coefficients reads. */
typedef struct gb_regression {
    const gb_proportions *z; /* zbar, the topic features */
    size_t n_outputs;
    bool intercept;            /* one more feature, constant 1, last */
    const gb_score_term *term; /* n_docs x n_outputs */
    const gb_coefficient_prior *prior;
    gb_key key;
    uint32_t sweep;
    size_t n_threads;
    gb_isa isa;
} gb_regression;

/**
 * Draw all coefficients of every output given everything else, as one block:
 *     Lambda_l = P + sum_d omega_dl f_d f_d',   h_l = sum_d kappa_dl f_d
 *     eta_l ~ N(Lambda_l^{-1} h_l, Lambda_l^{-1})
 * with features f_d = (zbar_d, 1) (Zhu and others 2014, section 4.2, for any response).
 *
 * @param in   what is given
 * @param eta  receives n_outputs x n_features, features = topics, then the intercept
 * @return GB_OK, GB_ENOMEM or GB_ENUMERIC (names the output)
 * Cost: sum over documents of (topics in the document)^2 n_outputs / 2, and n_features^3 n_outputs / 3.
 */
gb_status gb_draw_coefficients(const gb_regression *in, double *eta, gb_error *err);

#endif
