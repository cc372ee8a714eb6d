/* coefficient/coefficient.h - priors on the coefficients, and their draws: two axes.
 *
 * Every prior is normal given its scales, so it hands out one precision per coefficient, and a draw of
 * coefficients needs nothing else of it.  Scales are state of a chain, redrawn given the coefficients. */
#ifndef GB_COEFFICIENT_COEFFICIENT_H
#define GB_COEFFICIENT_COEFFICIENT_H

#include "base/arrays.h"
#include "base/status.h"
#include "design/design.h"
#include "random/random.h"
#include "response/response.h"
#include "simd/isa.h"
#include "team/portion.h"

#include <stdbool.h>

/* ---- priors ---- */

typedef struct gb_coefficient_prior_ops gb_coefficient_prior_ops;

/** A prior with its parameters. */
typedef struct gb_coefficient_prior {
    const gb_coefficient_prior_ops *ops;
    const double *variance;   /* normal: of an output's topic coefficients, n_outputs values; borrowed */
    bool variance_is_sampled; /* normal: a scale of the chain instead, the same for all topics of an output */
    /* of that scale, InvGamma(shape, scale); 0: GB_VARIANCE_SHAPE and GB_VARIANCE_SCALE */
    double variance_shape, variance_scale;
    const double *covariate_variance; /* normal: of the coefficients of covariates, n_outputs values; borrowed */
    double word_variance;             /* normal: of the coefficients of words */
    bool word_variance_is_sampled;    /* normal: a scale of the chain instead, the same for all words of an output */
    double word_square;        /* mean over documents with words: the sum of the squares of their numbers; 0: 1 */
    double embedding_variance; /* normal: of the coefficients of an embedding */
    bool embedding_variance_is_sampled; /* normal: a scale of the chain instead, the same for all its columns */
    const double *intercept_variance;   /* n_outputs; borrowed */
} gb_coefficient_prior;

/** What a chain knows of its prior's scales. */
typedef struct gb_coefficient_scales {
    const gb_coefficient_prior *prior; /* borrowed */
    size_t n_outputs;
    gb_layout layout; /* of an output's coefficients */
    size_t n;         /* scales of an output; 0: the prior has none */
    double *square;   /* n_outputs x n: squares of the scales; owned */
} gb_coefficient_scales;

struct gb_coefficient_prior_ops {
    const char *name;
    /** True if the user chooses the variance of topic coefficients. */
    bool has_variance;
    /** True if every coefficient has a scale of its own, so that its share of shrinkage (shrinkage.h) is kept. */
    bool shrinks;
    /** Scales of an output; may be 0. */
    size_t (*n_scales)(const gb_coefficient_prior *prior, const gb_layout *layout);
    /** The first values of the scales of an output. */
    void (*begin)(const gb_coefficient_prior *prior, const gb_layout *layout, double *square);
    /** The scale that all words of an output share: where it is among its scales; SIZE_MAX: there is none. */
    size_t (*word_scale)(const gb_coefficient_prior *prior, const gb_layout *layout);
    /** log density of the logarithm of its square, before anything is known. */
    double (*log_word_scale_density)(const gb_coefficient_prior *prior, double square);
    /** Precision of each coefficient of an output, block after block. */
    void (*precision)(const gb_coefficient_scales *scales, size_t output, double *precision);
    /** Redraw the scales of an output given its coefficients; called only if there are any. */
    void (*draw_scales)(gb_coefficient_scales *scales, size_t output, const double *eta, gb_random *random);
    /** log p(eta, scales) of an output; for scales the density of their logarithms. */
    double (*log_density)(const gb_coefficient_scales *scales, size_t output, const double *eta);
};

/** The prior with that name, or NULL. */
const gb_coefficient_prior_ops *gb_coefficient_prior_find(const char *name);

extern const gb_coefficient_prior_ops gb_coefficient_normal, gb_coefficient_horseshoe;

/** Sampled variance of an output's topic coefficients: InvGamma(shape, scale) unless the prior says otherwise.  It is worth two coefficients. */
#define GB_VARIANCE_SHAPE 1.0
#define GB_VARIANCE_SCALE 1.0

/** log of the density of N(0, 1 / precision). */
double gb_log_normal_density(double x, double precision);

/** @return GB_OK or GB_ENOMEM */
gb_status gb_coefficient_scales_create(gb_coefficient_scales *out, const gb_coefficient_prior *prior,
                                       size_t n_outputs, gb_layout layout, gb_error *err);
void gb_coefficient_scales_clear(gb_coefficient_scales *scales);
/** The same without memory: for estimates of it. */
gb_coefficient_scales gb_coefficient_scales_size(const gb_coefficient_prior *prior, size_t n_outputs,
                                                 gb_layout layout);
/** A gb_list_arrays. */
void gb_coefficient_scales_list(void *scales, const gb_array_visitor *v);

/** Redraw all scales given the coefficients (n_outputs x n_features); nothing to do for a prior without. */
gb_status gb_coefficient_scales_draw(gb_coefficient_scales *scales, const double *eta, gb_key key, uint32_t sweep,
                                     size_t n_threads, gb_error *err);

/* ---- draws of coefficients ---- */

typedef struct gb_dense_gram gb_dense_gram; /* coefficient/dense_gram.h */

/** What a draw of coefficients reads.  Documents are those that are here; all ranks draw the same coefficients. */
typedef struct gb_regression {
    const gb_portion *portion; /* NULL: all documents, in one part; borrowed */
    const gb_design *design;   /* borrowed */
    size_t n_outputs;
    const gb_score_term *term; /* n_docs x n_outputs */
    const double *score;       /* n_docs x n_outputs: of the coefficients before the draw, all features, no offset */
    const gb_coefficient_scales *scales;
    gb_dense_gram *gram; /* what the block draw keeps of an embedding; NULL: nothing */
    gb_key key;
    uint32_t sweep;
    size_t n_steps; /* passes of a sampler that goes from coefficient to coefficient */
    size_t n_threads;
    gb_isa isa;
} gb_regression;

/** How large a draw of coefficients is. */
typedef struct gb_regression_size {
    uint64_t n_docs, n_entries, n_column_entries; /* entries of topics and of columns */
    gb_layout layout;
    size_t n_outputs;
    size_t n_threads;
    size_t n_parts; /* of the documents that are here */
    bool has_team;
} gb_regression_size;

/** One way to draw coefficients given everything else. */
typedef struct gb_coefficient_sampler {
    const char *name;
    /** True if more than one step per sweep means something. */
    bool has_steps;
    /** True if it goes column by column: covariates are listed by column too (gb_sparse_columns_index()). */
    bool by_column;
    /**
     * Leave the conditional law of all coefficients as it is:
     *     eta_l ~ N(Lambda_l^{-1} h_l, Lambda_l^{-1})
     *     Lambda_l = P_l + sum_d omega_dl f_d f_d',   h_l = sum_d kappa_dl f_d
     * with features f_d = (zbar_d, x_d, 1) (Zhu and others 2014, section 4.2, for any response).
     *
     * @param eta  n_outputs x n_features; redrawn in place
     * @return GB_OK, GB_ENOMEM, GB_ENUMERIC (names the output), GB_ERANK or GB_EARGUMENT (too many features for the
     * sampler)
     */
    gb_status (*draw)(const gb_regression *regression, double *eta, gb_error *err);
    /** Bytes that draw() takes for as long as it runs; about, where that depends on values. */
    uint64_t (*bytes)(const gb_regression_size *size);
} gb_coefficient_sampler;

/** The sampler with that name ("auto" chooses one for so many topics and columns of covariates), or NULL. */
const gb_coefficient_sampler *gb_coefficient_sampler_find(const char *name, size_t n_topics, size_t n_columns);

extern const gb_coefficient_sampler gb_coefficient_block, /* all coefficients of an output at once */
    gb_coefficient_coordinate,                            /* one coefficient after the other */
    gb_coefficient_mixed,     /* columns that few documents have one by one, the rest at once */
    gb_coefficient_conjugate; /* the same columns all at once, by conjugate gradients */

#endif
