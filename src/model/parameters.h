/* model/parameters.h - the numbers that are kept of every kept sweep, whatever the model: their names and shapes.
 *
 * A row holds the numbers of one sweep, one parameter after the other.  A file of draws holds rows; a model file holds an
 * array for each parameter, the draw first. */
#ifndef GB_MODEL_PARAMETERS_H
#define GB_MODEL_PARAMETERS_H

#include "prior/prior.h"

enum {
    GB_LOG_JOINT,
    GB_ETA,       /* outputs x features: topics, columns that are no words, then the intercept */
    GB_OWN,       /* own parameters of all responses: rho2, r, ... */
    GB_SHRINKAGE, /* outputs x (topics + columns that are no words), 0 to 1; empty under a prior that does not shrink */
    GB_SCORE,     /* outputs x 2: mean and standard deviation of the scores of the training documents */
    GB_SHARE,     /* topics: mean share over the training documents with words */
    GB_LOSS,      /* responses of a draw: losses, see gb_chain_summary() */
    GB_SAMPLE_SCORE, /* documents of the sample (gb_sample_document()) x outputs: their scores */
    GB_BLOCK_SHARE,  /* outputs x blocks beside the constant: shares of the variance of the scores, see
                        run/score_blocks.h; empty with one block */
    GB_WORD_AVERAGE, /* outputs: what words add to the score of the average document; empty without their coefficients */
    GB_BETA,         /* beta; empty unless it is sampled */
    GB_WORDING,      /* topics: b of wording/wording.h; empty without groups that word topics differently */
    GB_PRIOR,        /* the first table of the document prior */
    GB_MAX_PARAMETERS = GB_PRIOR + GB_PRIOR_MAX_TABLES
};

/** Their names in files, but for those of the document prior. */
extern const char *const gb_parameter_names[GB_PRIOR];

typedef struct gb_parameter {
    const char *name;         /* in files */
    size_t n_rows, n_columns; /* of a draw; n_rows 0: a list of n_columns numbers */
    size_t size, offset;      /* numbers; where they begin in a row */
    const double *stacked;    /* of all draws, if they are in one array; else NULL */
} gb_parameter;

typedef struct gb_parameters {
    size_t n, n_numbers; /* n_numbers: length of a row */
    gb_parameter of[GB_MAX_PARAMETERS];
} gb_parameters;

/** What decides the shapes. */
typedef struct gb_parameter_sizes {
    size_t n_outputs;                                       /* of a draw */
    size_t n_topics, n_columns, n_own, n_losses, n_sampled; /* n_columns: without words */
    size_t n_blocks; /* whose shares of the variance of scores are kept; 0: none */
    bool intercept, shrinks, has_words, samples_beta, has_wordings;
} gb_parameter_sizes;

/** Training documents whose scores are kept in every draw, to see whether chains agree on them: at most 200, and fewer if there are
 * many outputs. */
size_t gb_sample_size(uint64_t n_docs, size_t n_outputs);
/** Document i of the sample: they are spread evenly. */
uint64_t gb_sample_document(uint64_t n_docs, size_t n_sampled, size_t i);

gb_parameters gb_parameters_make(const gb_parameter_sizes *sizes, const gb_prior_setup *prior);

/** GB_EFORMAT if numbers that were read from a file cannot be parameters of the model; the message says why.
 * @param value  of each parameter, may be NULL for an empty one */
gb_status gb_parameters_check(const gb_parameters *parameters, const gb_prior_setup *prior,
                              const double *const *value, gb_error *err);

/** The values of the document prior, as views. */
gb_prior_values gb_parameters_prior(const gb_parameters *parameters, const double *const *value);

#endif
