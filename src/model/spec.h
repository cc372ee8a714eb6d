/* model/spec.h - a checked description of a model: every axis chosen, every default decided.  No running
 * state. */
#ifndef GB_MODEL_SPEC_H
#define GB_MODEL_SPEC_H

#include "base/settings.h"
#include "coefficient/coefficient.h"
#include "corpus/corpus.h"
#include "counts/topics.h"
#include "prior/prior.h"
#include "response/response.h"
#include "token/token.h"

/** How labels become the outputs of a response.  A class output has y = +1 for the class, -1 otherwise. */
typedef enum gb_task {
    GB_TASK_NONE,
    GB_TASK_BINARY,     /* two classes, one output: +1 for the positive class */
    GB_TASK_MULTICLASS, /* one output per class, topics shared; one class per document */
    GB_TASK_MULTILABEL  /* one output per class; any number of classes per document */
} gb_task_kind;

typedef struct gb_spec {
    /* document prior and topics */
    size_t n_topics;
    const gb_prior_ops *prior;
    double *alpha; /* n_topics; owned */
    bool optimise_alpha;
    double beta;
    /* response */
    gb_task_kind task;
    size_t field;     /* label field of the corpus */
    size_t n_classes; /* 0 without a response */
    size_t n_outputs;
    size_t positive; /* binary: class number in the corpus that is +1 */
    gb_response response;
    double *coefficient_variance; /* n_outputs; owned */
    gb_coefficient_prior coefficient;
    bool intercept;
    /* sampler */
    const gb_coefficient_sampler *coefficient_sampler;
    size_t coefficient_steps;
    const gb_token_sampler *sampler;
    gb_treatment treatment;
    size_t n_blocks;
    uint64_t n_sweeps, burn_in, thin, n_chains, seed;
    size_t n_threads;
    gb_isa isa;
} gb_spec;

const char *gb_task_name(gb_task_kind task);
bool gb_task_find(const char *name, gb_task_kind *out);

/**
 * Decide everything that depends on the corpus.
 *
 * @param out  receives the description; clear it with gb_spec_clear(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (options that do not go together), GB_EFORMAT (labels do not suit the task),
 * GB_ENOMEM
 */
gb_status gb_spec_resolve(const gb_corpus *corpus, const gb_settings *settings, gb_spec *out, gb_error *err);
void gb_spec_clear(gb_spec *spec);

/** K values of alpha from the option's text: "" (10/K each), one number, K numbers, or "optimise" (sets
 * *optimise). */
gb_status gb_alpha_parse(const char *text, size_t n_topics, double *alpha, bool *optimise, gb_error *err);

/** Labels of document d as the response wants them: +1, -1, or NaN if missing; n_outputs values. */
void gb_spec_code_labels(const gb_spec *spec, const gb_corpus *corpus, uint64_t d, double *y);

/** Features of an output: topics, and the intercept if there is one. */
static inline size_t gb_spec_n_features(const gb_spec *spec)
{
    return spec->n_topics + (spec->intercept ? 1 : 0);
}

#endif
