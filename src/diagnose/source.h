/* diagnose/source.h - the draws that are diagnosed: of a model, or of a run that goes on. */
#ifndef GB_DIAGNOSE_SOURCE_H
#define GB_DIAGNOSE_SOURCE_H

#include "model/model.h"

typedef struct gb_diagnose_source {
    const gb_model *model; /* NULL: a run that goes on */
    const gb_parameters *parameters;
    const gb_kept *kept;                                           /* chain after chain */
    size_t n_kept, n_outputs, n_draw_outputs, n_topics, n_columns; /* n_columns: that draws have, so without words */
    size_t n_fixed_columns;                                        /* of an embedding, the last of them */
    bool intercept;
    /* traces: as in gb_model */
    size_t n_traces, trace_width;
    const uint64_t *trace_sweeps;
    const uint64_t *trace_late; /* NULL: no chain has late labels */
    const double *trace;
} gb_diagnose_source;

gb_diagnose_source gb_source_of_model(const gb_model *model);

/** A parameter of a draw; NULL if the draws do not have it. */
const double *gb_source_value(const gb_diagnose_source *source, size_t draw, size_t parameter);

/** The coefficients of an output in a draw: of topics, columns, and the intercept if there is one. */
const double *gb_source_coefficients(const gb_diagnose_source *source, size_t draw, size_t output);

/** The mean of coefficients over the topics of the average document; 0 if the draws have no shares. */
double gb_source_average(const gb_diagnose_source *source, size_t draw, const double *eta);

/** A value of document priors that is diagnosed. */
typedef struct gb_diagnosed_value {
    const char *name, *title;
} gb_diagnosed_value;

/** @return NULL for a name that is not among them */
const gb_diagnosed_value *gb_diagnosed_value_find(const char *name);

/** Chains that can be compared: all of them, or with one-vs-rest those of a class. */
typedef struct gb_family {
    size_t first_output;
    size_t n_chains, n_draws; /* n_draws: of each chain, its last ones */
    size_t *first;            /* n_chains: the first of these draws */
} gb_family;

typedef struct gb_families {
    size_t n;
    gb_family *of;
    size_t *first; /* memory of all `first` */
} gb_families;

/** Free it with gb_families_clear().  @return GB_OK or GB_ENOMEM */
gb_status gb_families_find(const gb_diagnose_source *source, gb_families *out, gb_error *err);
void gb_families_clear(gb_families *families);

/** The draws of a run that goes on. */
typedef struct gb_run_draws gb_run_draws;
/** @return GB_OK, GB_EFORMAT, GB_EIO or GB_ENOMEM */
gb_status gb_run_draws_read(const char *checkpoint, gb_run_draws **out, gb_diagnose_source *source, gb_error *err);
void gb_run_draws_free(gb_run_draws *r);

#endif
