/* diagnose/diagnosis.h - a diagnosis in the making; its parts are each filled by a file of their own. */
#ifndef GB_DIAGNOSE_DIAGNOSIS_H
#define GB_DIAGNOSE_DIAGNOSIS_H

#include "diagnose/series.h"
#include "diagnose/source.h"
#include "gibbous/diagnose.h"

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
    bool is_empty; /* it has no or nearly no tokens: whether it recurs says nothing */
} gb_topic_diagnosis;

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

struct gb_diagnosis {
    gb_quantity *quantity;
    size_t n_quantities, quantity_capacity;
    gb_trace *trace;
    size_t n_traces;
    double *trace_value; /* of all traces */
    gb_topic_diagnosis *topic;
    size_t n_topics, topic_capacity;
    gb_finding *finding;
    size_t n_findings, finding_capacity;
    char **name; /* all names, owned */
    size_t n_names, name_capacity;
    size_t n_chains;
    uint64_t n_tokens; /* of the training; 0 without a model */
};

/** A name that lives as long as the diagnosis: printf() of `format`.  @return GB_OK or GB_ENOMEM */
gb_status gb_diagnosis_name(gb_diagnosis *d, const char **out, gb_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/**
 * A finding and what to do about it, as a sentence or two; names of options stand in backquotes: "use `sweeps` 200".
 *
 * @param checkpoint  the file of a run that it can make longer, not one that decides its own end; "" or NULL: there is none
 * @param out         receives the text, free it with gb_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (there is no such finding) or GB_ENOMEM */
gb_status gb_diagnosis_finding_text(const gb_diagnosis *diagnosis, uint64_t index, const char *checkpoint, char **out,
                                    gb_error *err);
/** What to do about all findings of a kind together, in one sentence; "" for kinds other than DISAGREE and APART.  Otherwise as
 * gb_diagnosis_finding_text().  @return GB_OK or GB_ENOMEM */
gb_status gb_diagnosis_advice(const gb_diagnosis *diagnosis, gb_finding_kind kind, const char *checkpoint, char **out,
                              gb_error *err);

/** Quantities that do not depend on the labels of topics.  @return GB_OK or GB_ENOMEM */
gb_status gb_diagnose_quantities(gb_diagnosis *d, const gb_diagnose_source *source, const gb_families *families,
                                 gb_diagnosis_depth depth, gb_error *err);
/** How log joint and losses went.  @return GB_OK or GB_ENOMEM */
gb_status gb_diagnose_traces(gb_diagnosis *d, const gb_diagnose_source *source, gb_error *err);
/** Topics that recur, and their coefficients; needs a model.  @return GB_OK or GB_ENOMEM */
gb_status gb_diagnose_topics(gb_diagnosis *d, const gb_diagnose_source *source, const gb_families *families,
                             gb_error *err);
/** What is wrong; last.  @return GB_OK or GB_ENOMEM */
gb_status gb_diagnose_findings(gb_diagnosis *d, gb_error *err);

/** " (field)" where a model has several responses, else "". */
const char *gb_diagnose_suffix(const gb_diagnose_source *source, size_t response, size_t size, char *room);

#endif
