/* gibbous/diagnose.h - whether chains have run long enough. */
#ifndef GIBBOUS_DIAGNOSE_H
#define GIBBOUS_DIAGNOSE_H

#include "gibbous/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How well the chains of one number have mixed. */
typedef struct gb_mixing {
    uint64_t n_chains, n_draws; /* n_draws: of each chain */
    double mean, sd;            /* of all draws; sd with their number less 1 in the denominator */
    double r_hat; /* 1: the chains, and the two halves of each chain, agree; above 1.01 or so they do not yet */
    double r_hat_within; /* the same of the two halves of each chain alone, wherever the other chains are */
    double ess_bulk;     /* effective sample size for the centre of the distribution */
    double ess_tail;     /* the smaller one of those for the 5 % and the 95 % quantile */
    double mcse;         /* Monte Carlo standard error of the mean */
} gb_mixing;

/** What a trace says. */
typedef enum gb_trend {
    GB_TREND_UNCLEAR, /* too few independent values to say; the chain may still be moving */
    GB_TREND_LEVEL,   /* no drift that could be told from the chain's own movement */
    GB_TREND_RISING,
    GB_TREND_FALLING
} gb_trend;

/** Whether a trace has levelled off. */
typedef struct gb_levelled {
    gb_trend trend;
    uint64_t n;      /* values that were looked at: the last half of the trace */
    double mean, sd; /* of these; sd: around their straight line */
    double slope;    /* of the line: by how much each value is above the one before */
    double drift;    /* along the line, from its first value to its last one */
    double error;    /* standard error of the drift */
    double size;     /* independent values that they are worth */
    uint64_t since;  /* the number of the first value of the whole trace, from 0, that is as near to `mean` as sd */
} gb_levelled;

/* ---- a whole model ---- */

/** What is known of the chains of a model, or of a run that goes on. */
typedef struct gb_diagnosis gb_diagnosis;

/** How much is looked at. */
typedef enum gb_diagnosis_depth {
    GB_DIAGNOSE_RUN, /* traces, log joint and losses: what the end of a training says */
    GB_DIAGNOSE_ALL
} gb_diagnosis_depth;

/**
 * Diagnose the chains of a model.
 *
 * @param out  receives the diagnosis, free it with gb_diagnosis_free(); it does not need the model any more.  Untouched on failure
 * @return GB_OK or GB_ENOMEM
 *
 * Chains of which one has fewer draws than another count with their last draws, as many as the shortest has.
 *
 * Cost: for each number some passes over its draws; with several chains the match of their topics.
 */
GB_API gb_status gb_diagnosis_create(const gb_model *model, gb_diagnosis_depth depth, gb_diagnosis **out,
                                     gb_error *err);
/**
 * Diagnose a training that goes on, or was stopped, from its checkpoint and the draws beside it; neither is changed.  Names of
 * fields and the topics are known only when there is a model.
 *
 * @return GB_OK, GB_EFORMAT (no checkpoint, or damaged), GB_EIO or GB_ENOMEM
 */
GB_API gb_status gb_diagnosis_create_from_checkpoint(const char *path, gb_diagnosis **out, gb_error *err);
/** Free a diagnosis; accepts NULL. */
GB_API void gb_diagnosis_free(gb_diagnosis *diagnosis);

/** A quantity that does not depend on the labels of topics: one number, or many of a kind. */
typedef struct gb_quantity {
    const char *name; /* "log joint", "scores of 200 documents (rating)" */
    const char
        *group; /* "log joint", "loss", "scores", "topic sizes", "parameter", "covariate", "constant", "prior" */
    uint64_t n_numbers;  /* 1, or the documents, sizes, outputs, ... that it is made of */
    gb_mixing mixing;    /* of the number whose r_hat is the largest */
    double median_r_hat; /* over the numbers */
    double median_ess;   /* likewise, of ess_bulk */
    double limit;        /* r_hat (of scores: its median) above this one is a finding, see docs/diagnose.md */
    bool agrees;         /* it is not */
    double r_hat_within; /* the largest one over the numbers; of scores the median */
    double limit_within;
    bool is_settled; /* r_hat_within is not above limit_within: each chain agrees with itself */
} gb_quantity;

/** Number of quantities. */
GB_API uint64_t gb_diagnosis_n_quantities(const gb_diagnosis *diagnosis);
/** A quantity; owned by the diagnosis; NULL if `index` is out of range. */
GB_API const gb_quantity *gb_diagnosis_quantity(const gb_diagnosis *diagnosis, uint64_t index);

/** The way of one number of a chain from its first sweep on.  Late labels change what the chain fits, so `levelled` leaves out the sweeps
 * from then to the first draw, and lets the values after them have another level than those before; the drift is of both. */
typedef struct gb_trace {
    const char *name; /* "log joint", "loss (rating)" */
    uint64_t chain;
    uint64_t n_sweeps;  /* of the chain */
    uint64_t n, stride; /* values: after sweeps stride, 2 stride, ... */
    const double *value;
    gb_levelled levelled;
    uint64_t first_kept; /* the sweep of the chain's first draw; 0 if it has none */
    uint64_t late;       /* sweeps before the chain had the late labels (docs/probabilities.md); 0: there are none */
} gb_trace;

/** Number of traces: those of all chains for one number, then those of the next; 0 in a model without traces. */
GB_API uint64_t gb_diagnosis_n_traces(const gb_diagnosis *diagnosis);
/** A trace; owned by the diagnosis; NULL if `index` is out of range. */
GB_API const gb_trace *gb_diagnosis_trace(const gb_diagnosis *diagnosis, uint64_t index);

/** A topic of the first chain in the others. */
typedef struct gb_topic_diagnosis {
    uint64_t output; /* 0; with one-vs-rest the score whose chains these are */
    uint64_t topic;
    uint64_t n_recur, n_chains; /* chains that have it, the first included; all chains */
    gb_mixing
        mixing; /* of its coefficient less the average one in the chains that have it, of the output whose r_hat is the largest;
                       * NaN in a model without outputs */
    double limit; /* as in gb_quantity */
    bool agrees;
} gb_topic_diagnosis;

/** Number of topics that were looked at; 0 without a model. */
GB_API uint64_t gb_diagnosis_n_topics(const gb_diagnosis *diagnosis);
/** A topic; owned by the diagnosis; NULL if `index` is out of range. */
GB_API const gb_topic_diagnosis *gb_diagnosis_topic(const gb_diagnosis *diagnosis, uint64_t index);

/** What is wrong. */
typedef enum gb_finding_kind {
    GB_FINDING_MOVING,  /* a trace still rises or falls */
    GB_FINDING_UNCLEAR, /* too few independent sweeps to say whether a trace has levelled off */
    GB_FINDING_BURN_IN, /* draws were kept before a trace had levelled off */
    GB_FINDING_DISAGREE, /* chains do not agree on a quantity, and the halves of chains do not either: the run was too short */
    GB_FINDING_TOPICS,    /* likewise, on the coefficients of topics */
    GB_FINDING_FEW_DRAWS, /* too few independent draws for an interval */
    GB_FINDING_APART /* chains do not agree on a quantity, but each one does with itself: they found different solutions */
} gb_finding_kind;

/** A finding. */
typedef struct gb_finding {
    gb_finding_kind kind;
    const char *name;  /* of the trace or quantity; "" for topics */
    uint64_t n, n_all; /* MOVING, UNCLEAR, BURN_IN: chains, of how many; TOPICS: topics */
    gb_trend trend;    /* MOVING */
    /** MOVING: by how much it rises or falls in 100 sweeps, the largest of the chains; UNCLEAR: independent values in the last half, 0 for fewer than 20 values; BURN_IN: the sweep; DISAGREE, APART: r_hat;
     * FEW_DRAWS: ess. */
    double value;
    double within; /* DISAGREE, APART: r_hat_within */
} gb_finding;

/** Number of findings; 0: nothing speaks against the run. */
GB_API uint64_t gb_diagnosis_n_findings(const gb_diagnosis *diagnosis);
/** A finding; owned by the diagnosis; NULL if `index` is out of range. */
GB_API const gb_finding *gb_diagnosis_finding(const gb_diagnosis *diagnosis, uint64_t index);
/**
 * A finding and what to do about it, as a sentence or two; names of options stand in backquotes: "use `sweeps` 200".
 *
 * @param checkpoint  the file of a run that it can make longer, not one that decides its own end; "" or NULL: there is none
 * @param out         receives the text, free it with gb_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (there is no such finding) or GB_ENOMEM */
GB_API gb_status gb_diagnosis_finding_text(const gb_diagnosis *diagnosis, uint64_t index, const char *checkpoint,
                                           char **out, gb_error *err);
/** What to do about all findings of a kind together, in one sentence; "" for kinds other than DISAGREE and APART.  Otherwise as
 * gb_diagnosis_finding_text().  @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_diagnosis_advice(const gb_diagnosis *diagnosis, gb_finding_kind kind, const char *checkpoint,
                                     char **out, gb_error *err);
/** Sweeps of the longest chain, burn-in included; 0 if that is not known. */
GB_API uint64_t gb_diagnosis_n_sweeps(const gb_diagnosis *diagnosis);
/** Number of chains whose draws are compared. */
GB_API uint64_t gb_diagnosis_n_chains(const gb_diagnosis *diagnosis);

#ifdef __cplusplus
}
#endif

#endif
