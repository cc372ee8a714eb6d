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
#include "options/responses.h"
#include "random/random.h"
#include "team/sums.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Factor (1) of one document and output; all zero for a missing label. */
typedef struct gb_score_term {
    double slope, omega, centre;
} gb_score_term;

typedef struct gb_response_ops gb_response_ops;

/** What a response's targets are. */
typedef enum gb_target_kind {
    GB_TARGET_CLASS,  /* one or several outputs, y = +1 or -1 in each */
    GB_TARGET_NUMBER, /* one output, any real y (in training usually standardised) */
    GB_TARGET_COUNT,  /* one output, y = 0, 1, 2, ...; the score is a log rate, so it may have an offset */
    GB_TARGET_LEVEL   /* one output, y = 1, ..., n_levels: classes that have an order */
} gb_target_kind;

/** A response with its parameters; it has `n_outputs` scores, from `first_output` on. */
typedef struct gb_response {
    const gb_response_ops *ops;
    double cost;             /* c */
    double margin;           /* ell; hinge */
    double epsilon;          /* half the width of the zone without loss; insensitive */
    size_t n_levels;         /* J; 0 unless targets are levels */
    const double *own;       /* its own parameters as they are now, one after another: n_own numbers; borrowed */
    bool samples_own;        /* they are drawn, a chain's state; else given */
    size_t first_own, n_own; /* where they are among the own parameters of all responses */
    size_t first_output, n_outputs;
} gb_response;

/** What numbers a parameter may have. */
typedef enum gb_own_domain {
    GB_OWN_POSITIVE, /* above 0 */
    GB_OWN_ASCENDING /* any, each above the one before */
} gb_own_domain;

/** One of the parameters that a response has in addition to coefficients. */
typedef struct gb_own_parameter {
    const char *name;   /* as written in draws: "noise_variance" */
    const char *option; /* gives it, or says "sample"; NULL: always sampled */
    gb_own_domain domain;
    bool per_boundary; /* as many numbers as there are boundaries between levels, n_levels - 1; else one number */
    double start;   /* where a chain starts; several numbers: the step from one to the next, with 0 in their middle */
    bool has_units; /* a variance of the target: given in its units, kept in units of the coded target */
    /* estimated by the mean squared error of new documents: given, as that, with a cost other than 1 that trials chose */
    bool is_error;
} gb_own_parameter;

enum { GB_MAX_OWN_PARAMETERS = 2 };

/** Labels and scores of the documents that are here, in the one output of a response. */
typedef struct gb_scored_targets {
    const gb_portion *portion; /* NULL: all documents, in one part; borrowed */
    uint64_t n_docs;
    size_t stride;        /* y, weight and score of document d are at [d * stride] */
    const double *y;      /* NaN: missing */
    const double *weight; /* of each document, > 0; NULL: all 1 */
    const double *score;
    const double *offset;                   /* known part of the score, to be added; stride 1; NULL: all 0 */
    const uint64_t *by_level, *level_start; /* of levels, by gb_sort_by_level(); else NULL */
} gb_scored_targets;

/** The parameters that a response has of its own (rho2, r), and how they are drawn. */
typedef struct gb_own_parameters {
    gb_own_parameter parameter[GB_MAX_OWN_PARAMETERS]; /* up to the first without a name */
    bool draws_unit_cost_only;                         /* they can be drawn with cost 1 and without weights only */
    /** Redraw them given targets and scores; called right before augment, which uses the new values.
     * @param random  at all ranks in the same state
     * @param own     receives the n_own numbers, at all ranks the same; may be response->own
     * @return GB_OK, GB_ENOMEM or GB_ERANK */
    gb_status (*draw)(const gb_response *response, const gb_scored_targets *targets, gb_random *random, double *own,
                      gb_error *err);
    /** log of their prior density (of the logarithm of a positive parameter). */
    double (*log_density)(const gb_response *response);
} gb_own_parameters;

/** The law of a new number or count given one draw of score and own parameters, for cost 1. */
typedef struct gb_number_law {
    double (*mean)(const gb_response *response, double score);
    double (*variance)(const gb_response *response, double score);
    /** P(Y <= y). */
    double (*distribution)(const gb_response *response, double y, double score);
} gb_number_law;

/** What scores say of classes. */
typedef struct gb_class_law {
    /** Probability of y = +1 that is reported for a score. */
    double (*probability)(const gb_response *response, double score);
    /**
     * Of a document with exactly one of n classes, y = +1 in one output and -1 in the others: what each class weighs,
     * >= 0, given the scores.  The weights are averaged over draws; the probability reported is a weight's share of
     * their sum.  Most responses use gb_response_independent_classes().
     */
    void (*weights)(const gb_response *response, size_t n, const double *score, double *weight);
} gb_class_law;

/** The mathematics of a response.  What suits it by default stands in plan/response_defaults.c. */
struct gb_response_ops {
    const char *name; /* as written on the command line */
    gb_target_kind target;
    const char *scale;  /* of scores, for the user: "log odds"; NULL: the units of the target, or none */
    bool takes_no_cost; /* nor weights: there is no exact sampler for a power of the likelihood */
    const char
        *natural; /* whose likelihood explains the same targets, for a response that is a loss; NULL: its own */
    /**
     * Draw the augmentation given scores and hand out (1), for n outputs of one document or several.
     *
     * @param y        target per output, NaN if missing (then the term is zero)
     * @param weight   > 0 per output, multiplies the cost; NULL: all 1
     * @param score    s per output, offset included
     * @param streams  random numbers, a stream for each of the n
     */
    void (*augment)(const gb_response *response, size_t n, const double *y, const double *weight, const double *score,
                    const gb_random_streams *streams, gb_score_term *term);
    /** log of the pseudo-likelihood of y given the score, augmentation integrated out, cost included; a weight
     * multiplies it. */
    double (*log_likelihood)(const gb_response *response, double y, double score);
    const gb_own_parameters *own; /* NULL without */
    const gb_class_law *classes;  /* of classes; else NULL */
    const gb_number_law *number;  /* of numbers and counts; else NULL */
    /** A target of one draw of score and own parameters, for cost 1; NULL for classes. */
    double (*simulate)(const gb_response *response, double score, gb_random *random);
    /** P(Y = level), of one draw of own parameters and a score from a normal law; NULL unless targets are levels. */
    double (*level_probability)(const gb_response *response, size_t level, double mean, double variance);
};

/** The response with that name, or NULL; "none" has no row. */
const gb_response_ops *gb_response_find(const char *name);
/** Response number i, from 0; NULL after the last. */
const gb_response_ops *gb_response_at(size_t i);
/** The first of the table for such targets; for classes and numbers it is what "auto" stands for. */
const gb_response_ops *gb_response_default(gb_target_kind target);

/** In the plural: "classes". */
const char *gb_target_kind_name(gb_target_kind kind);
/** True if the values of a field are numbers, false if they are labels. */
static inline bool gb_target_kind_is_number(gb_target_kind kind)
{
    return kind == GB_TARGET_NUMBER || kind == GB_TARGET_COUNT;
}

/** True if the probabilities of classes or levels are the model's own; those of a loss are scores on another scale. */
static inline bool gb_response_is_calibrated(const gb_response_ops *ops)
{
    return ops->natural == NULL && !gb_target_kind_is_number(ops->target);
}

/** Known parts of the documents' scores in a response, from the log exposures (NULL: none): counts have them. */
static inline const double *gb_response_offsets(const gb_response *response, const double *log_exposure)
{
    return response->ops->target == GB_TARGET_COUNT ? log_exposure : NULL;
}

/** What of a score is averaged over draws: of a count the logarithm of its mean without offset, which is better known than intercept and
 * dispersion, because these change together from draw to draw; likewise of a level its distance from the middle cut point. */
static inline double gb_response_pooled_score(const gb_response *response, double score)
{
    if (response->ops->target == GB_TARGET_LEVEL)
        return score - response->own[(response->n_levels - 1) / 2];
    return response->ops->target == GB_TARGET_COUNT ? score + log(response->ops->number->mean(response, 0)) : score;
}

/** What the score of a text with so many known words counts, between 0 and 1: less where they are few, the more so the larger `length`.
 * @param log_whole  of texts whose scores count in full: the mean of log(1 + words) */
static inline double gb_weight_of_length(double length, double log_whole, uint64_t n_tokens)
{
    const double n = (double)n_tokens + 1, whole = exp(log_whole);
    return fmin(n / (n + length) * (whole + length) / whole, 1);
}

/** The known part of document d's score in a response. */
static inline double gb_response_offset(const gb_response *response, const double *log_exposure, uint64_t d)
{
    const double *offset = gb_response_offsets(response, log_exposure);
    return offset == NULL ? 0 : offset[d];
}

/** Number i of the parameters that responses of this kind have of their own; NULL after the last. */
const gb_own_parameter *gb_response_own_parameter(const gb_response_ops *ops, size_t i);
/** How many numbers one of them is. */
size_t gb_own_parameter_size(const gb_own_parameter *parameter, size_t n_levels);
/** How many numbers all of them are; n_levels is known. */
size_t gb_response_count_own(const gb_response *response);
/** Where a chain starts with them. */
void gb_response_start_own(const gb_response *response, double *own);
/** The name of a parameter with a number that it cannot have, or NULL. */
const char *gb_response_own_fault(const gb_response *response);

/** Weight l of an array that may be NULL. */
static inline double gb_weight_of(const double *weight, size_t l)
{
    return weight == NULL ? 1 : weight[l];
}

/** Offset of document d in an array that may be NULL. */
static inline double gb_offset_of(const double *offset, uint64_t d)
{
    return offset == NULL ? 0 : offset[d];
}

/** Documents by their level, which the targets y[d * stride] are: those of level j are by_level[level_start[j - 1]] to
 * by_level[level_start[j] - 1], in their order.
 *
 * @param by_level     receives at most n_docs numbers: documents without a level are left out
 * @param level_start  receives n_levels + 1 numbers */
void gb_sort_by_level(uint64_t n_docs, size_t stride, const double *y, size_t n_levels, uint64_t *by_level,
                      uint64_t *level_start);

/** The most probable level of a score. */
size_t gb_response_likely_level(const gb_response *response, double score);

/** Class weights: each output's own probability, as if the others were not there. */
void gb_response_independent_classes(const gb_response *response, size_t n, const double *score, double *weight);

#define GB_DECLARE_RESPONSE(identifier, name, targets) extern const gb_response_ops gb_response_##identifier;
GB_RESPONSES(GB_DECLARE_RESPONSE)
#undef GB_DECLARE_RESPONSE

#endif
