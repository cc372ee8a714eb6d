/* diagnose/diagnosis.h - a diagnosis in the making; its parts are each filled by a file of their own. */
#ifndef GB_DIAGNOSE_DIAGNOSIS_H
#define GB_DIAGNOSE_DIAGNOSIS_H

#include "diagnose/source.h"
#include "gibbous/diagnose.h"

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
