/* gibbous/model.h - fitted models: read and write them, and read what they contain. */
#ifndef GIBBOUS_MODEL_H
#define GIBBOUS_MODEL_H

#include "gibbous/chain.h"
#include "gibbous/output.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The kind of a file. */
typedef enum gb_file_kind { GB_FILE_OTHER, GB_FILE_CORPUS, GB_FILE_MODEL, GB_FILE_CHECKPOINT } gb_file_kind;
/** The kind of a file by its first bytes; GB_FILE_OTHER if gibbous did not write it or it cannot be read.  A damaged file may
 * still be recognised. */
GB_API gb_file_kind gb_file_kind_of(const char *path);

/** A fitted model: its description, vocabulary, text preparation and retained draws.  A model never changes. */
typedef struct gb_model gb_model;

/** Progress of reading or writing a model file.  Owned by the library; later versions may add members at the end. */
typedef struct gb_file_progress {
    double seconds; /* wall time since the function was called */
} gb_file_progress;

/** Called several times a second while a file is read or written, and at least once before it is complete, on the thread that
 * called the function.  Return false to stop: the function returns GB_ESTOP and leaves no temporary file, and the callback is not called
 * again. */
typedef bool gb_on_file(const gb_file_progress *progress, void *user);

/**
 * Read a model file, which is mapped.
 *
 * @param on_file  may stop it; may be NULL; `user` is given to it
 * @param out      receives the model, free it with gb_model_free(); untouched on failure
 * @return GB_OK, GB_EIO, GB_EFORMAT (not a model, damaged, or of a version that cannot be read), GB_ENOMEM or GB_ESTOP
 */
GB_API gb_status gb_model_read(const char *path, gb_on_file *on_file, void *user, gb_model **out, gb_error *err);
/** gb_model_read() with a copy of the file in memory: what happens to the file afterwards does no harm. */
GB_API gb_status gb_model_read_copy(const char *path, gb_on_file *on_file, void *user, gb_model **out, gb_error *err);
/** Write a model file.  It appears whole or not at all; an existing file is an error unless `force`.  The same model always
 * gives the same bytes.
 *
 * @param on_file  may stop it; may be NULL; `user` is given to it
 * @return GB_OK, GB_EIO, GB_EARGUMENT (the file exists), GB_ENOMEM or GB_ESTOP: a file that was there before is untouched */
GB_API gb_status gb_model_write(const gb_model *model, const char *path, bool force, gb_on_file *on_file, void *user,
                                gb_error *err);
/** gb_model_write() together with the file of its draws, so that a model never lies beside the draws of another run.
 *
 * @param draws  from gb_train_from(); it and `*draws` may be NULL.  On failure `*draws` is freed and set to NULL, with one exception:
 *               if the draws are complete and only the rename has failed, they stay, for gb_out_file_put_beside() */
GB_API gb_status gb_model_write_with(const gb_model *model, const char *path, bool force, gb_out_file **draws,
                                     gb_on_file *on_file, void *user, gb_error *err);

/** The bytes of a model's file, in memory: for programs that keep models elsewhere.
 *
 * @param bytes    receives the bytes, free them with gb_free(); untouched on failure
 * @param n_bytes  receives their number
 * @return GB_OK, GB_EARGUMENT (a model without draws) or GB_ENOMEM */
GB_API gb_status gb_model_to_bytes(const gb_model *model, void **bytes, size_t *n_bytes, gb_error *err);
/** Make a model from the bytes of its file; they are copied.
 *
 * @param out  receives the model, free it with gb_model_free(); untouched on failure
 * @return GB_OK, GB_EFORMAT (not a model, damaged, or of a version that cannot be read) or GB_ENOMEM */
GB_API gb_status gb_model_from_bytes(const void *bytes, size_t n_bytes, gb_model **out, gb_error *err);

/** Free a model; accepts NULL. */
GB_API void gb_model_free(gb_model *model);

/* ---- a model from chains ---- */

/** A model in the making: it collects draws of chains that the caller steps. */
typedef struct gb_model_builder gb_model_builder;

/**
 * Begin a model.
 *
 * @param plan  must not set the options "checkpoint" and "resume"; borrowed: it must live as long as the builder
 * @param out   receives the builder, free it with gb_model_builder_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT, GB_EIO or GB_ENOMEM
 *
 * Draws are kept in a file without a name, in the folder of the option "model" or, without it, in the folder for temporary files.
 */
GB_API gb_status gb_model_builder_create(const gb_plan *plan, gb_model_builder **out, gb_error *err);
/** Free a builder; accepts NULL. */
GB_API void gb_model_builder_free(gb_model_builder *builder);
/**
 * Add the current state of a chain as a posterior draw.
 *
 * Chains may add draws in any order, each at most one draw after each sweep.  If all chains of the plan add a draw after
 * every sweep that `keeps` of gb_chain_facts names, the model is the one of gb_train(), byte for byte.  Only the acceptance rates
 * (gb_model_acceptance()) may differ: they are taken at the last draw of a chain, not at its end.  A builder may
 * also get other draws.  As in gb_train(), the option "snapshots" decides which draws are stored with topics.  The first draw that a chain
 * adds has topics as well; the model keeps them only if the chain has added fewer or more draws than planned.  Chains from
 * `n_model_chains` of gb_plan_facts on add no draws to the model: their scores serve the calibration.
 *
 * @param chain  a chain of the plan, between two steps; it still belongs to the caller
 * @return GB_OK, GB_EARGUMENT (a chain of another plan or without a sweep, no sweep since its last draw, a finished model),
 * GB_ENUMERIC, GB_EIO or GB_ENOMEM, after which the builder can only be freed
 *
 * Cost: up to a tenth of a sweep for the log joint.
 */
GB_API gb_status gb_model_builder_add(gb_model_builder *builder, gb_chain *chain, gb_error *err);
/** Make the model.  Afterwards the builder can only be freed, also if memory or a file failed; the chains may be stepped further.
 *
 * @param out  receives the model, free it with gb_model_free(); untouched on failure, but set if the status is GB_EIO because
 *             the file of the option "draws" could not be written
 * @return GB_OK, GB_EARGUMENT (no draw; with one-vs-rest topics, a class without one), GB_EIO or GB_ENOMEM */
GB_API gb_status gb_model_builder_finish(gb_model_builder *builder, gb_model **out, gb_error *err);

/* ---- contents of a model ---- */

/** Number of topics. */
GB_API uint64_t gb_model_n_topics(const gb_model *model);
/** Number of words in the vocabulary. */
GB_API uint64_t gb_model_n_words(const gb_model *model);
/** Number of retained draws of all chains.  Each has the parameters: coefficients, parameters of the document prior, ... */
GB_API uint64_t gb_model_n_draws(const gb_model *model);
/** Number of draws of the chain that leads, which come first, see gb_model_topic_chain().  Topics of different chains are not the same topics.  (One-vs-rest: the
 * leading chain of the first class.) */
GB_API uint64_t gb_model_n_topic_draws(const gb_model *model);
/** The chain whose draws come first, from 0 among the chains with draws (one-vs-rest: of the first class): numbers of topics are its
 * topics.  A training lets the chain with the highest mean log joint of its draws lead. */
GB_API uint64_t gb_model_topic_chain(const gb_model *model);
/** Let the draws of another chain come first, so that topics have its numbers (one-vs-rest: the same chain of each class).  Nobody
 * may use the model meanwhile.
 *
 * @param chain  from 0, among the chains with draws
 * @return GB_OK, GB_EARGUMENT (no such chain; the model has names or unions of topics, or cross-fitted effects, which are of the chain
 *         that leads) or GB_ENOMEM; on failure nothing has changed */
GB_API gb_status gb_model_choose_chain(gb_model *model, uint64_t chain, gb_error *err);
/** Number of stored draws with topics, of all chains (option "snapshots").  Predictions and lists of topics use these. */
GB_API uint64_t gb_model_n_snapshots(const gb_model *model);
/** Number of outputs: the scores of a document, for all responses together.  A binary response, a number and ordinal categories have
 * one score, all others one per class. */
GB_API uint64_t gb_model_n_outputs(const gb_model *model);
/** Name of an output: its class (binary: the positive class), or the field if it holds a number or ordinal categories; owned by the model. */
GB_API const char *gb_model_output(const gb_model *model, uint64_t output);

/** Number of responses: fields that the model predicts, numbered from 0; 0 in a model without labels. */
GB_API uint64_t gb_model_n_responses(const gb_model *model);
/** Name of a response's field; owned by the model. */
GB_API const char *gb_model_field(const gb_model *model, uint64_t response);
/** Kind of a response: "hinge", "gaussian", ...; owned by the model. */
GB_API const char *gb_model_response(const gb_model *model, uint64_t response);
/** The unit of a response's scores and of effects on them: "log odds"; "log", for the logarithm of the expected count; or "": a number
 * has the units of its field, other classes and ordinal categories have no unit.  A constant. */
GB_API const char *gb_model_score_scale(const gb_model *model, uint64_t response);
/** What a response predicts. */
typedef enum gb_task_kind {
    GB_TASK_NONE,
    GB_TASK_BINARY,     /* one of two classes, with one score: above 0 for class 1, the positive one */
    GB_TASK_MULTICLASS, /* one class, with one score per class */
    GB_TASK_MULTILABEL, /* any number of classes, with one score per class */
    GB_TASK_REGRESSION, /* a number, with one score */
    GB_TASK_ORDINAL     /* one of several classes in an order, the lowest first, with one score */
} gb_task_kind;
/** "none", "binary", "multiclass", "multilabel", "regression" or "ordinal"; "" for any other number. */
GB_API const char *gb_task_name(gb_task_kind task);
/** What a response predicts. */
GB_API gb_task_kind gb_model_task(const gb_model *model, uint64_t response);
/** True if a response has probabilities of its classes: its law defines them, or they were calibrated on held-out labels.
 * False if they are only rescaled scores, and for numbers. */
GB_API bool gb_model_has_probabilities(const gb_model *model, uint64_t response);
/** Why a response of classes has no probabilities: what kept the training from holding labels out to calibrate scores, as a sentence
 * without a full stop; NULL if it has them, and for numbers. */
GB_API const char *gb_model_lacks_probabilities(const gb_model *model, uint64_t response);
/** True if the probabilities of a response come from curves that were fitted to held-out labels; false if from the model itself, or if
 * it has none. */
GB_API bool gb_model_is_calibrated(const gb_model *model, uint64_t response);
/** True if the factor of a response is a likelihood of its values: the response has a likelihood, its cost is 1, and neither
 * classes nor documents have weights.  Otherwise the posterior is a pseudo-posterior, of a loss (hinge, insensitive) or of a likelihood
 * raised to a power. */
GB_API bool gb_model_is_likelihood(const gb_model *model, uint64_t response);
/** Where the interval of a predicted number or count comes from. */
typedef enum gb_interval_source {
    GB_INTERVAL_NONE,     /* nowhere: classes have no interval */
    GB_INTERVAL_MODEL,    /* the law of the response: a likelihood in which every target counts once */
    GB_INTERVAL_HELD_OUT, /* targets that the training held out */
    /* the law of the response, because no targets were held out, although new values need not follow it: the interval may be too wide or
     * too narrow; of counts it is often too narrow */
    GB_INTERVAL_DOUBTFUL
} gb_interval_source;

/** Where the intervals of a response's predictions come from. */
GB_API gb_interval_source gb_model_interval_source(const gb_model *model, uint64_t response);
/** Several labels: the probability above which a class is predicted (option "cut-off"); NaN without a cut-off. */
GB_API double gb_model_cut_off(const gb_model *model, uint64_t response, uint64_t index);
/** Number of a response's first output. */
GB_API uint64_t gb_model_first_output(const gb_model *model, uint64_t response);
/** Number of outputs of a response, which follow each other: one, or one for each class. */
GB_API uint64_t gb_model_n_outputs_of(const gb_model *model, uint64_t response);
/** True if each score of a response belongs to a class; false for numbers and ordinal categories, whose one score belongs to the field. */
GB_API bool gb_model_has_class_scores(const gb_model *model, uint64_t response);
/** Number of classes of a response: 2 if binary, 0 for a number, the number of categories if ordinal, else its number of scores. */
GB_API uint64_t gb_model_n_classes(const gb_model *model, uint64_t response);
/** Name of a class; owned by the model. */
GB_API const char *gb_model_class(const gb_model *model, uint64_t response, uint64_t index);
/**
 * Name, role and kind of a field that new documents need; each of the three pointers may be NULL.
 *
 * @param name  receives the name, owned by the model
 * @return false if there is no such field
 */
GB_API bool gb_model_needed_field(const gb_model *model, uint64_t field, const char **name, gb_role *role,
                                  gb_field_kind *kind);
/** A word of the vocabulary; owned by the model. */
GB_API const char *gb_model_word(const gb_model *model, uint64_t index);
/** The settings that the model was trained with, as one JSON object; owned by the model. */
GB_API const char *gb_model_settings(const gb_model *model);

/** Seed of the training. */
GB_API uint64_t gb_model_seed(const gb_model *model);
/** Number of documents that the model was trained on. */
GB_API uint64_t gb_model_n_training_docs(const gb_model *model);
/** Number of tokens that the model was trained on. */
GB_API uint64_t gb_model_n_training_tokens(const gb_model *model);

/** True if each class has chains of its own, and so topics of its own. */
GB_API bool gb_model_is_one_vs_rest(const gb_model *model);

/** Number of chains that found out themselves how long their burn-in was (option "sweeps" at auto); 0 if it was given. */
GB_API uint64_t gb_model_n_burn_ins(const gb_model *model);
/** Sweeps of burn-in of such a chain; 0 if it was stopped before its burn-in had ended, or out of range. */
GB_API uint64_t gb_model_burn_in(const gb_model *model, uint64_t chain);
/** True if the burn-in of such a chain ended by its rule; false if it ended at the largest number of sweeps, or not at all. */
GB_API bool gb_model_burn_in_is_found(const gb_model *model, uint64_t chain);

/** Number of kinds of proposals of the Metropolis-Hastings sampler in training; 0 if another sampler drew the topics. */
GB_API uint64_t gb_model_n_proposals(const gb_model *model);
/** Name of a kind of proposals: "doc", "word" or "exp"; owned by the model; NULL if out of range. */
GB_API const char *gb_model_proposal(const gb_model *model, uint64_t proposal);
/** Number of chains whose acceptance rates are known. */
GB_API uint64_t gb_model_n_acceptances(const gb_model *model);
/** Acceptance rate: the share of proposals of a kind that a chain accepted; NaN if there were none. */
GB_API double gb_model_acceptance(const gb_model *model, uint64_t proposal, uint64_t chain);

/**
 * The most probable words of all topics: means over the stored draws of the leading chain, because topic numbers mean other topics in
 * other chains.
 *
 * @param output       with one-vs-rest, each output has chains and topics of its own; else 0
 * @param word         receives n_topics x n word numbers
 * @param probability  receives n_topics x n probabilities
 * @param n_found      receives the number of words written: min(n, n_words)
 * @return GB_OK or GB_ENOMEM
 */
GB_API gb_status gb_model_words_of_topics(const gb_model *model, uint64_t output, uint64_t n, uint64_t *word,
                                          double *probability, uint64_t *n_found, gb_error *err);
/**
 * The words that stand for each topic, in an order of choice: "probability", "lift" (phi_kw / p_w; Taddy 2012, AISTATS), "relevance"
 * (x log phi_kw + (1 - x) log lift; Sievert & Shirley 2014, section 3.1) or "frex" (harmonic mean of the ranks of exclusivity, weight x,
 * and of frequency; Bischof & Airoldi 2012, section 2).  Words without a training token come last.  Takes memory for n_topics x n_words
 * doubles.
 *
 * @param weight       x, from 0 to 1; NaN: 0.6 for relevance, 0.5 for frex
 * @param word         receives n_topics x min(n, n_words) word numbers
 * @param probability  receives as many probabilities of these words in their topics
 * @param n_found      receives min(n, n_words)
 * @return GB_OK, GB_EARGUMENT (no such output or order, a weight out of range), GB_EFORMAT (as gb_model_topic_distributions()) or GB_ENOMEM
 */
GB_API gb_status gb_model_rank_words(const gb_model *model, uint64_t output, const char *by, double weight,
                                     uint64_t n, uint64_t *word, double *probability, uint64_t *n_found,
                                     gb_error *err);
/** All topics as distributions over the words, as gb_model_words_of_topics() takes them.
 *
 * @param out  receives n_topics x n_words probabilities; rows add up to 1
 * @return GB_OK, GB_EARGUMENT (no such output) or GB_EFORMAT (the table would take more than 1 GiB and more than 64 times the size of
 * the model's file: a small file can claim any number of topics and words) */
GB_API gb_status gb_model_topic_distributions(const gb_model *model, uint64_t output, double *out, gb_error *err);
/** Share of the training tokens in a topic, mean over the stored draws of the leading chain. */
GB_API double gb_model_topic_share(const gb_model *model, uint64_t topic);
/** Coefficient of a topic in a score, mean over the draws of the leading chain; the number n_topics stands for
 * the intercept. */
GB_API double gb_model_coefficient(const gb_model *model, uint64_t output, uint64_t topic);

#ifdef __cplusplus
}
#endif

#endif
