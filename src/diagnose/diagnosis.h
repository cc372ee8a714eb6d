/* diagnose/diagnosis.h - a diagnosis in the making; its parts are each filled by a file of their own. */
#ifndef GB_DIAGNOSE_DIAGNOSIS_H
#define GB_DIAGNOSE_DIAGNOSIS_H

#include "chain/trace.h"
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
    gb_trace_gain gain;
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

struct gb_diagnosis {
    gb_quantity *quantity;
    size_t n_quantities, quantity_capacity;
    gb_trace *trace;
    size_t n_traces;
    double *trace_value; /* of all traces */
    gb_topic_diagnosis *topic;
    size_t n_topics, topic_capacity;
    char **name; /* all names, owned */
    size_t n_names, name_capacity;
    size_t n_chains;
    uint64_t n_tokens; /* of the training; 0 without a model */
};

/** A name that lives as long as the diagnosis: printf() of `format`.  @return GB_OK or GB_ENOMEM */
gb_status gb_diagnosis_name(gb_diagnosis *d, const char **out, gb_error *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/** Quantities that do not depend on the labels of topics.  @return GB_OK or GB_ENOMEM */
gb_status gb_diagnose_quantities(gb_diagnosis *d, const gb_diagnose_source *source, const gb_families *families,
                                 gb_diagnosis_depth depth, gb_error *err);
/** How log joint and losses went.  @return GB_OK or GB_ENOMEM */
gb_status gb_diagnose_traces(gb_diagnosis *d, const gb_diagnose_source *source, gb_error *err);
/** Topics that recur, and their coefficients; needs a model.  @return GB_OK or GB_ENOMEM */
gb_status gb_diagnose_topics(gb_diagnosis *d, const gb_diagnose_source *source, const gb_families *families,
                             gb_error *err);
/** " (field)" where a model has several responses, else "". */
const char *gb_diagnose_suffix(const gb_diagnose_source *source, size_t response, size_t size, char *room);

#endif
