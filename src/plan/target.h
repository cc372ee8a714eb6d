/* plan/target.h - one response of a model: a field of the documents, and how it depends on the scores. */
#ifndef GB_PLAN_TARGET_H
#define GB_PLAN_TARGET_H

#include "gibbous/model.h"
#include "response/count_law.h"
#include "response/level_law.h"
#include "response/response.h"

#include <jansson.h>

/** The task of that name. */
bool gb_task_find(const char *name, gb_task_kind *out);
/** The option that names a field for this task: "label", "labels" or "target". */
const char *gb_task_field_option(gb_task_kind task);
/** Scores of a response with that many classes. */
size_t gb_task_n_outputs(gb_task_kind task, size_t n_classes);
/** True if each class has an output of its own. */
static inline bool gb_task_has_output_per_class(gb_task_kind task)
{
    return task == GB_TASK_MULTICLASS || task == GB_TASK_MULTILABEL;
}

enum { GB_SPREAD_SD, GB_SPREAD_Q05, GB_SPREAD_Q95, GB_SPREAD_REST, GB_SPREAD_MOST, GB_N_SPREADS };

/** A response, its field and its classes; all texts are owned. */
typedef struct gb_target {
    gb_response response; /* outputs first_output .. first_output + n_outputs - 1 of the model */
    gb_task_kind task;
    char *field;
    size_t n_classes;     /* 0 for a number */
    char **class_name;    /* binary: the negative one first; ordinal: the lowest first */
    double centre, scale; /* of a number: y is coded as (y - centre) / scale */
    bool weighs_classes;  /* classes had weights in training */
    /* calibration of scores that are no probabilities: P(y = +1) = 1 / (1 + exp(-(slope s + shift))); NULL without */
    double *calibration; /* n_outputs x 2 */
    double
        power; /* of one class of several: P(class) is proportional to the curve's value to that power; 0: the power 1 */
    double length; /* of a calibration: scores are multiplied by gb_target_score_weight() before */
    double *
        share; /* n_outputs: of a calibration, share of the held-out labels that each output's class has; NULL without */
    double *
        cut_off; /* n_outputs: several labels, predicted if their probability is above it; NULL: if the score is above 0 */
    /* of a number: standard deviation, 5 % and 95 % quantiles of new values around their predicted mean, in coded units, by held-out
     * targets, where the words leave nothing open of the score; 0: by the response's own law.  With the variance v left open all
     * are sqrt(1 + v / rest) times as large; rest 0: whatever v is.  `most`: v of a document without words */
    double spread[GB_N_SPREADS];
    gb_count_law law;       /* of a count: of new ones, by held-out counts; none: the response's own */
    gb_level_law level_law; /* of a level: of short texts, by held-out levels; none: as of others */
    double *own; /* response.own: what was given for its own parameters, or where a chain starts with them */
} gb_target;

/** True if the model itself gives classes probabilities: a likelihood that labels were not weighed up or down in. */
bool gb_target_is_likelihood(const gb_target *target);
/** True for classes that have probabilities only by a curve fitted to held-out labels. */
static inline bool gb_target_needs_curve(const gb_target *target)
{
    return target->response.ops->target == GB_TARGET_CLASS && !gb_target_is_likelihood(target);
}
/** True for a number: topics that adapt to those of the training make its noise too small, if it has one. */
static inline bool gb_target_needs_spread(const gb_target *target)
{
    return target->response.ops->target == GB_TARGET_NUMBER;
}
/** True for a number whose response says how far new values are from their mean: neither a loss nor targets that count several times. */
static inline bool gb_target_has_noise(const gb_target *target)
{
    const gb_response *r = &target->response;
    return r->ops->target == GB_TARGET_NUMBER && r->ops->natural == NULL && r->cost == 1;
}
/** True for a count, whose dispersion in the training says little about new documents. */
static inline bool gb_target_needs_law(const gb_target *target)
{
    return target->response.ops->target == GB_TARGET_COUNT;
}
/** True for a level, of which the first words of a text make the model too sure. */
static inline bool gb_target_needs_level_law(const gb_target *target)
{
    return target->response.ops->target == GB_TARGET_LEVEL;
}
/** True if something about new documents is to be learned from targets held out of the training. */
static inline bool gb_target_needs_held_out(const gb_target *target)
{
    return gb_target_needs_curve(target) || gb_target_needs_spread(target) || gb_target_needs_law(target) ||
           gb_target_needs_level_law(target);
}
/** True if probabilities are averaged over draws; false if they are those of the mean score. */
static inline bool gb_target_averages_probabilities(const gb_target *target)
{
    return gb_response_is_calibrated(target->response.ops) && target->calibration == NULL;
}

/** What a score counts in a calibration, of a document with so many tokens: all of it with length 0, else less, and little of a short one.
 * See evaluation/calibration.c. */
static inline double gb_target_score_weight(double length, uint64_t n_tokens)
{
    return ((double)n_tokens + 1) / ((double)n_tokens + 1 + length);
}

void gb_target_clear(gb_target *target);
/** @param out  cleared on failure; free it with gb_target_clear() */
gb_status gb_target_copy(const gb_target *target, gb_target *out, gb_error *err);

/** Make room for the own parameters of the response and set them to where a chain starts. */
gb_status gb_target_start_own(gb_target *target, gb_error *err);

/** Name of one of the target's outputs: its class; binary: the positive class; numbers and levels: the field. */
const char *gb_target_output_name(const gb_target *target, size_t output);

/** As a JSON object; NULL when memory runs out. */
json_t *gb_target_to_json(const gb_target *target);
/** Nothing in `object` is trusted.  @return GB_OK, GB_ENOMEM, or GB_EFORMAT with what is wrong */
gb_status gb_target_from_json(const json_t *object, gb_target *out, gb_error *err);

#endif
