/* gibbous/model.h - fitted models: written, read, looked into. */
#ifndef GIBBOUS_MODEL_H
#define GIBBOUS_MODEL_H

#include "gibbous/chain.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is in a file. */
typedef enum gb_file_kind { GB_FILE_OTHER, GB_FILE_CORPUS, GB_FILE_MODEL, GB_FILE_CHECKPOINT } gb_file_kind;
/** The kind of a file by its first bytes; GB_FILE_OTHER for what is not one of ours or cannot be read.  Says nothing about
 * damage further on. */
GB_API gb_file_kind gb_file_kind_of(const char *path);

/** A fitted model: its description, vocabulary, text preparation, and the kept posterior draws. */
typedef struct gb_model gb_model;

/**
 * Read a model file.
 *
 * @param out  receives the model, free it with gb_model_free(); untouched on failure
 * @return GB_OK, GB_EIO, GB_EFORMAT (not a model, damaged, or of a later version) or GB_ENOMEM
 */
GB_API gb_status gb_model_read(const char *path, gb_model **out, gb_error *err);
/** Write a model file, beside its target and renamed; an existing file is an error unless `force`.  The same model always gives
 * the same bytes.  @return GB_OK, GB_EIO, GB_EARGUMENT (the file exists) or GB_ENOMEM */
GB_API gb_status gb_model_write(const gb_model *model, const char *path, bool force, gb_error *err);
/** Free a model; accepts NULL. */
GB_API void gb_model_free(gb_model *model);

/* ---- made from chains ---- */

/** A model on its way: draws of chains that the caller steps. */
typedef struct gb_model_builder gb_model_builder;

/**
 * Begin a model.
 *
 * @param plan  without `checkpoint` and `resume`; borrowed: it must live as long as the builder
 * @param out   receives the builder, free it with gb_model_builder_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT, GB_EIO (the draws lie in a file without a name, in the folder of the option `model` or in the one of
 * temporary files) or GB_ENOMEM
 */
GB_API gb_status gb_model_builder_create(const gb_plan *plan, gb_model_builder **out, gb_error *err);
/** Accepts NULL. */
GB_API void gb_model_builder_free(gb_model_builder *builder);
/**
 * Add the present state of a chain as a posterior draw.
 *
 * Chains may take turns; each adds at most one draw after each sweep.  A model with the draws of all sweeps of which
 * gb_plan_keeps() is true, from all gb_plan_n_chains() chains, is byte for byte the one of gb_train(); only shares of accepted
 * proposals (gb_model_acceptance()) are those at each chain's last draw, not at its end.  Any other draws make a model too.
 * As in gb_train(), `snapshots` of them have topics, and the first one if planned ones are missing.  Chains from
 * gb_plan_n_model_chains() on give no draw, but scores for the calibration.
 *
 * @param chain  of the plan, between two steps; still the caller's
 * @return GB_OK, GB_EARGUMENT (a chain of another plan or without a sweep, no sweep since its last draw, a finished model),
 * GB_ENUMERIC, GB_EIO or GB_ENOMEM
 *
 * Cost: up to a tenth of a sweep for the log joint.
 */
GB_API gb_status gb_model_builder_add(gb_model_builder *builder, gb_chain *chain, gb_error *err);
/** Make the model, after which the builder can only be freed; the chains may go on.
 *
 * @param out  receives the model, free it with gb_model_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (no draw; with one-vs-rest topics, a class without one), GB_EIO or GB_ENOMEM */
GB_API gb_status gb_model_builder_finish(gb_model_builder *builder, gb_model **out, gb_error *err);

/* ---- what a model says about itself ---- */

/** Number of topics. */
GB_API uint64_t gb_model_n_topics(const gb_model *model);
/** Number of words of the vocabulary. */
GB_API uint64_t gb_model_n_words(const gb_model *model);
/** Kept posterior draws, all chains together: each has the parameters (coefficients, those of the document prior, ...). */
GB_API uint64_t gb_model_n_draws(const gb_model *model);
/** Those of the first chain, which come first: topics are not the same in others.  (One-vs-rest: of the first class.) */
GB_API uint64_t gb_model_n_topic_draws(const gb_model *model);
/** Draws that have topics too, all chains together (option "snapshots"): predictions and lists of topics are from these. */
GB_API uint64_t gb_model_n_snapshots(const gb_model *model);
/** Scores per document, all responses together: 1 for a binary one, a number and levels, one per class otherwise. */
GB_API uint64_t gb_model_n_outputs(const gb_model *model);
/** What an output speaks for: its class (binary: the positive one), or the field of a number or of levels; owned by the model. */
GB_API const char *gb_model_output(const gb_model *model, uint64_t output);

/** Responses: fields of the documents that the model answers for, numbered from 0; none in a model without labels. */
GB_API uint64_t gb_model_n_responses(const gb_model *model);
/** Name of a response's field; owned by the model. */
GB_API const char *gb_model_field(const gb_model *model, uint64_t response);
/** Name of the response: "hinge", "gaussian", ... */
GB_API const char *gb_model_response(const gb_model *model, uint64_t response);
/** What is predicted. */
typedef enum gb_task_kind {
    GB_TASK_NONE,
    GB_TASK_BINARY,     /* one of two classes, with one score: above 0 for class 1, the positive one */
    GB_TASK_MULTICLASS, /* one class, with one score per class */
    GB_TASK_MULTILABEL, /* any number of classes, with one score per class */
    GB_TASK_REGRESSION, /* a number, with one score */
    GB_TASK_ORDINAL     /* one of the classes, which have an order, the lowest first, with one score */
} gb_task_kind;
/** "none", "binary", "multiclass", "multilabel", "regression" or "ordinal"; "" for any other number. */
GB_API const char *gb_task_name(gb_task_kind task);
/** What a response predicts. */
GB_API gb_task_kind gb_model_task(const gb_model *model, uint64_t response);
/** True if its probabilities are meant as such: those of the model, or calibrated on held-out labels; false if they are
 * only rescaled scores, and for numbers. */
GB_API bool gb_model_has_probabilities(const gb_model *model, uint64_t response);
/** Its first score. */
GB_API uint64_t gb_model_first_output(const gb_model *model, uint64_t response);
/** Scores of a response, from the first on: one, or one for each class. */
GB_API uint64_t gb_model_n_outputs_of(const gb_model *model, uint64_t response);
/** True if its scores speak for classes; false for numbers and levels, which have one score for the field. */
GB_API bool gb_model_has_class_scores(const gb_model *model, uint64_t response);
/** 2 for binary, 0 for a number, the number of levels for levels, else as many as its scores. */
GB_API uint64_t gb_model_n_classes(const gb_model *model, uint64_t response);
/** Name of a class; owned by the model. */
GB_API const char *gb_model_class(const gb_model *model, uint64_t response, uint64_t index);
/** Name of a word; owned by the model. */
GB_API const char *gb_model_word(const gb_model *model, uint64_t index);
/** The settings that the model was trained with, as one JSON object; owned by the model. */
GB_API const char *gb_model_settings(const gb_model *model);

/** Seed of the training. */
GB_API uint64_t gb_model_seed(const gb_model *model);
/** Number of documents that it was trained on. */
GB_API uint64_t gb_model_n_training_docs(const gb_model *model);
/** Number of tokens that it was trained on. */
GB_API uint64_t gb_model_n_training_tokens(const gb_model *model);

/** True if each class has chains of its own, and so topics of its own. */
GB_API bool gb_model_is_one_vs_rest(const gb_model *model);

/** Kinds of topics that the Metropolis-Hastings sampler proposed in training; 0 if another sampler drew the topics. */
GB_API uint64_t gb_model_n_proposals(const gb_model *model);
/** Name of a kind of proposals: "doc", "word" or "exp"; owned by the model; NULL from gb_model_n_proposals() on. */
GB_API const char *gb_model_proposal(const gb_model *model, uint64_t proposal);
/** Chains whose acceptances are known. */
GB_API uint64_t gb_model_n_acceptances(const gb_model *model);
/** Share of the proposals of a kind that a chain accepted; NaN if there is none. */
GB_API double gb_model_acceptance(const gb_model *model, uint64_t proposal, uint64_t chain);

/**
 * The most probable words of a topic, by the mean over the draws of the first chain (labels of topics may
 * differ between chains).
 *
 * @param n            words wanted
 * @param word         receives n word numbers, most probable first
 * @param probability  receives n probabilities
 * @return how many were written: min(n, n_words)
 */
GB_API uint64_t gb_model_topic_words(const gb_model *model, uint64_t topic, uint64_t n, uint64_t *word,
                                     double *probability);
/**
 * The same for all topics at once, which is much faster where there are many draws; by the first chain that the score of an
 * output has: with one-vs-rest each has chains and topics of its own.
 *
 * @param word         receives n_topics x n word numbers
 * @param probability  receives n_topics x n probabilities
 * @param n_found      receives how many were written per topic: min(n, n_words)
 * @return GB_OK or GB_ENOMEM
 */
GB_API gb_status gb_model_words_of_topics(const gb_model *model, uint64_t output, uint64_t n, uint64_t *word,
                                          double *probability, uint64_t *n_found, gb_error *err);
/** Share of the training tokens in a topic, mean over the draws of the first chain. */
GB_API double gb_model_topic_share(const gb_model *model, uint64_t topic);
/** Coefficient of a topic in a score, mean over the draws of the first chain; topic == n_topics is the
 * intercept. */
GB_API double gb_model_coefficient(const gb_model *model, uint64_t output, uint64_t topic);

#ifdef __cplusplus
}
#endif

#endif
