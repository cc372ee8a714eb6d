/* prior/psi_state.h - shared by the files of the priors with log weights; private to them. */
#ifndef GB_PRIOR_PSI_STATE_H
#define GB_PRIOR_PSI_STATE_H

#include "prior/covariance.h"
#include "prior/group_means_parts.h"
#include "prior/psi_prior.h"

/** Work unit of loops over documents; the results do not depend on it but for the sums of the log probability. */
enum { GB_PSI_DOCS_PER_TASK = GB_DOCS_PER_TASK };

/** gb_prior.state */
typedef struct gb_psi_state {
    size_t n_free;
    double *psi;              /* n_docs x n_free */
    double *weight;           /* n_docs x n_topics: base weights */
    double *scratch;          /* n_threads x gb_psi_scratch() */
    double *precision;        /* n_free: of documents around their means, by topic */
    gb_covariance covariance; /* full */
    double *scatter;          /* full: n_free x n_free */
    double *square;           /* n_free: sums of squares around the means of a regression */
    double *partial;          /* room for what a sum begins with, then a sum for each task */
    gb_group_means *means;    /* of a chain, or */
    gb_prevalence prevalence; /* likewise: with a regression */
    uint64_t n_docs_of_all;   /* of a chain, on all ranks */
    gb_psi_law law;
} gb_psi_state;

static inline size_t gb_psi_n_tasks(const gb_prior *prior)
{
    return (size_t)((prior->n_docs + GB_PSI_DOCS_PER_TASK - 1) / GB_PSI_DOCS_PER_TASK);
}

static inline uint64_t gb_psi_task_end(const gb_prior *prior, size_t task)
{
    const uint64_t end = ((uint64_t)task + 1) * GB_PSI_DOCS_PER_TASK;
    return end < prior->n_docs ? end : prior->n_docs;
}

/** The law as the values have it.  @return GB_OK, or GB_ENUMERIC for a covariance that is not positive definite */
gb_status gb_psi_set_law(gb_prior *prior, gb_error *err);
/** Degrees of freedom of the covariance's prior: its mean is the identity. */
double gb_psi_first_degrees(size_t n_free);
/** Redraw the precisions of documents around their means together with psi, which needs new weights after (psi_spread.c). */
gb_status gb_psi_redraw_spread(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err);
/** Whether that is done in this sweep. */
bool gb_psi_spread_is_due(const gb_prior *prior, uint32_t sweep);
/** gb_prior_document_ops.expect, with log weights `factor` times as far from their means. */
void gb_psi_expect(const gb_psi_law *law, uint32_t group, double factor, size_t n_scores, const double *eta,
                   double *room, double *share, double *answer);
/** What redraws of documents need. */
gb_psi_redrawing gb_psi_redrawing_of(const gb_prior *prior, gb_key key, uint32_t sweep, gb_purpose purpose);

#endif
