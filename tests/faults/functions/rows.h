/* rows.h - the table: rows that call public functions, by their headers. */
#ifndef GB_FAULTS_ROWS_H
#define GB_FAULTS_ROWS_H

#include "trial.h"

/** One row. */
typedef struct fault_row {
    const char *name; /* NULL ends a table */
    void (*call)(void);
    const char *const *not_of; /* as in allocation_faults */
} fault_row;

extern const fault_row rows_of_basics[];    /* status.h, output.h, team.h, options.h */
extern const fault_row rows_of_corpora[];   /* corpus.h */
extern const fault_row rows_of_chains[];    /* plan.h, chain.h */
extern const fault_row rows_of_trainings[]; /* train.h, the builder of model.h */
extern const fault_row rows_of_models[]; /* model.h, draws.h, effects.h, topic_names.h, topic_unions.h, diagnose.h */
extern const fault_row rows_of_documents[];   /* apply.h, predicted_draws.h, explain.h, export.h */
extern const fault_row rows_of_estimates[];   /* estimate.h, cross_fit.h */
extern const fault_row rows_of_scores[];      /* evaluate.h */
extern const fault_row rows_of_answers[];     /* answer.h */
extern const fault_row rows_of_kinds[];       /* models and formats of many kinds */
extern const fault_row rows_of_answers[];     /* answer.h */
extern const fault_row rows_of_validations[]; /* cross_validation.h, select.h */

/* ---- libraries whose own allocations do not fail ---- */

/** It ends the process where it has no memory for the name of an entry. */
extern const char *const libarchive[];
/** Dates of entries in a zip archive let the C library keep the name of the time zone, if it has memory for it. */
extern const char *const libarchive_and_libc[];
/** The address sanitizer asks it for the stack of a thread that begins, and ends the process if it has no memory. */
extern const char *const libc[];
/** It tells, but does not free all that it has begun with. */
extern const char *const libicu[];

/* ---- what rows share; made before the first of them ---- */

/** Settings of pairs name, value, ended by NULL; free them with gb_settings_free(). */
gb_settings *settings_of(const char *name, ...);
/** A few sweeps of two topics, and pairs as settings_of(). */
gb_settings *training_of(const char *name, ...);
void write_text(const char *path, const char *text);

typedef struct fault_ground {
    gb_settings *labels;   /* reads train.jsonl with its labels and covariates */
    gb_settings *reading;  /* the same for `model`, which knows its covariates */
    gb_settings *training; /* a few sweeps of two topics */
    gb_settings *applying; /* one thread, a seed */
    gb_corpus *corpus;     /* three classes, a covariate */
    gb_corpus *numbers;    /* a number, and a group by the year */
    gb_corpus *many;       /* documents for two shards */
    gb_plan *plan;         /* of corpus, one chain */
    gb_model *model;       /* of corpus, two chains */
    gb_model *grouped;     /* of numbers: two chains, means of groups and a full covariance */
    gb_corpus *docs;       /* in the vocabulary of `model` */
    gb_corpus *grouped_docs;
} fault_ground;

extern fault_ground ground;
/** In a new folder; its files: train.jsonl, train.csv, train.jsonl.gz, docs.gbc, model.gib. */
void ground_make(void);
void ground_free(void);

#endif
