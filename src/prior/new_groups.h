/* prior/new_groups.h - groups of new documents that the graph does not have: a year after the last, a venue nobody saw.
 *
 * The mean of such a group has a law given the means of the groups that there are:
 *   extend  the graph goes on: see new_groups.c for each shape
 *   level   a group like any other: around the average of the groups that have training documents, with their spread
 * A document is taken alone, as everywhere in an application, so the mean is integrated out: psi is normal around the mean's
 * mean, with the variance of the mean added to the variance of a document.  No random number is drawn. */
#ifndef GB_PRIOR_NEW_GROUPS_H
#define GB_PRIOR_NEW_GROUPS_H

#include "prior/prior.h"

typedef enum gb_new_groups_rule {
    GB_NEW_GROUPS_REFUSE,
    GB_NEW_GROUPS_EXTEND,
    GB_NEW_GROUPS_LEVEL
} gb_new_groups_rule;

/** What is to be done, and the value of --graph in training; for a regression on metadata, impute and unknown-level. */
typedef struct gb_new_groups_how {
    gb_new_groups_rule rule;
    const char *graph;
    const gb_settings *settings;
    uint64_t first_row; /* documents before the first one, for messages */
} gb_new_groups_how;

/** The new groups of a batch of documents, and their laws under one draw after another. */
typedef struct gb_new_groups gb_new_groups;

/** The law of a document of a new group.  With a full covariance, its covariance is `widening` times the covariance of a
 * document around the mean of its group. */
typedef struct gb_new_group_law {
    const double *mean;      /* n_free */
    const double *precision; /* n_free; NULL with a full covariance */
    double widening;
} gb_new_group_law;

/**
 * The group of each document of a corpus, of a prior whose `own` is a gb_psi_setup.  New groups have numbers from the number
 * of groups on.
 *
 * @param out    receives the new groups, NULL if there are none; free them with gb_new_groups_free()
 * @param group  receives a number for each document
 * @return GB_OK, GB_EARGUMENT (a rule that the graph does not allow), GB_EFORMAT (a document without a group, or with one that
 *         is refused or cannot be placed; it is named) or GB_ENOMEM
 */
gb_status gb_new_groups_find(gb_new_groups **out, const gb_prior_setup *setup, const gb_new_groups_how *how,
                             const gb_corpus *corpus, uint32_t *group, gb_error *err);
void gb_new_groups_free(gb_new_groups *g);

/** Make the laws suit the values of a prior that is applied, and make the prior know the groups. */
gb_status gb_new_groups_set(gb_new_groups *g, gb_prior *prior, gb_error *err);

/** Of new group number i, from 0. */
gb_new_group_law gb_new_groups_law(const gb_new_groups *g, size_t i);

#endif
