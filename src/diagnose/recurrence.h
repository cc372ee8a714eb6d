/* diagnose/recurrence.h - what several chains of a model have in common: topics, and what these do to scores. */
#ifndef GB_DIAGNOSE_RECURRENCE_H
#define GB_DIAGNOSE_RECURRENCE_H

#include "model/model.h"

/** In how many chains a topic of the leading one is, itself included.  Of a chain that started from what short chains have in common, in how many of
 * these, which had found the topic for themselves.
 * @param output    whose topic it is, where each class has its own; else 0
 * @param n_chains  receives of how many
 * @return GB_OK or GB_ENOMEM */
gb_status gb_topic_recurs(const gb_model *model, size_t output, size_t topic, size_t *n, size_t *n_chains,
                          gb_error *err);

/** Of how many chains a topic that can be reported is: of all, or of seven of eight short chains
 * (docs/measured/verdict.md). */
size_t gb_enough_chains(const gb_model *model, size_t n_chains);

/** All topics; where each class has its own, those of all classes. */
typedef struct gb_recurrence {
    size_t n_chains;             /* 1: there is nothing to compare */
    bool are_of_short_chains;    /* before the run, see gb_topic_recurs(), else its own */
    size_t n_empty, n_named;     /* n_named: not empty, with seed words, which bring them into every chain */
    size_t n_topics;             /* the others: */
    size_t n_enough;             /* chains: gb_enough_chains() */
    size_t n_all, n_some, n_one; /* in so many chains, in some others, in no other */
    double share;                /* of all tokens, those of topics in so many; NaN where each class has its own */
    double
        spread; /* standard deviation of such a topic's share over chains by its mean, median over topics; NaN: none */
} gb_recurrence;

/** @return GB_OK or GB_ENOMEM */
gb_status gb_recurrence_find(const gb_model *model, gb_recurrence *out, gb_error *err);

/** What topics that recur do to the scores of a response. */
typedef struct gb_effect_agreement {
    size_t n_topics; /* that recur */
    size_t
        n_agree; /* of these: in all chains the same class has the largest coefficient, or the one coefficient has the same sign, and
                      * its mean is above its standard deviation over chains */
    double spread; /* of such coefficients, as in gb_recurrence; NaN: there are none */
} gb_effect_agreement;

/** @return GB_OK or GB_ENOMEM */
gb_status gb_effects_agree(const gb_model *model, size_t response, gb_effect_agreement *out, gb_error *err);

#endif
