/* gibbous.h - supervised topic models with exact, reproducible Markov chain Monte Carlo.
 *
 * The only header a program includes.  Reading order: status and errors, settings, corpus, training, models,
 * prediction.  Every object is opaque, made by a function whose last but one argument receives it, and freed
 * by the matching *_free(), which accepts NULL.  The library never prints, never exits and keeps no global
 * state; functions on different objects may run at the same time. */
#ifndef GIBBOUS_H
#define GIBBOUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GB_API __attribute__((visibility("default")))
#else
#define GB_API
#endif

/* ---- status and errors
 * --------------------------------------------------------------------------------------- */

#define GB_STATUS_LIST(X)                                                                                            \
    X(OK, 0, "ok")                                                                                                   \
    X(ENOMEM, 1, "out of memory")                                                                                    \
    X(EIO, 2, "read or write failed")                                                                                \
    X(EFORMAT, 3, "malformed input")                                                                                 \
    X(EARGUMENT, 4, "wrong use")                                                                                     \
    X(ENUMERIC, 5, "a quantity became NaN or infinite")                                                              \
    X(ESTOP, 6, "stopped by the caller")

typedef enum gb_status {
#define GB_STATUS_ENUM(name, value, text) GB_##name = value,
    GB_STATUS_LIST(GB_STATUS_ENUM)
#undef GB_STATUS_ENUM
} gb_status;

/** A message for the user, in the caller's memory: one line without a full stop.  Every function that takes a
 * gb_error accepts NULL for it and leaves it alone on success. */
typedef struct gb_error {
    gb_status status;
    char message[1000];
} gb_error;

/** A few words for a status code; never NULL. */
GB_API const char *gb_status_text(gb_status status);

/** Version of the library, "major.minor.patch". */
GB_API const char *gb_version(void);

/* ---- settings
 * ------------------------------------------------------------------------------------------------ */

/** The options of a run, by the names of the command line without dashes ("topics", "cost", ...). */
typedef struct gb_settings gb_settings;

/** All options at their defaults.  @return GB_OK or GB_ENOMEM */
GB_API gb_status gb_settings_create(gb_settings **out, gb_error *err);

/**
 * Set one option.  A list option ("label", "labels", "target", "covariates") grows by one value per call.
 *
 * @param name   long option name without dashes; unknown names are an error that names the nearest one
 * @param value  as on the command line; "yes" or "no" for switches; copied
 * @return GB_OK, GB_EARGUMENT (unknown name, value not of the option's kind or outside its range) or
 * GB_ENOMEM; on failure the settings are unchanged
 */
GB_API gb_status gb_settings_set(gb_settings *settings, const char *name, const char *value, gb_error *err);

GB_API void gb_settings_free(gb_settings *settings);

/* ---- corpus
 * -------------------------------------------------------------------------------------------------- */

/** Documents, words and labels in memory or mapped from a corpus file; never changes once built. */
typedef struct gb_corpus gb_corpus;

/**
 * Read a corpus.
 *
 * @param path      a file, a folder, or "-" for standard input; compressed files are unpacked
 * @param settings  the options of the groups data and words (docs/options)
 * @param out       receives the corpus, free it with gb_corpus_free(); untouched on failure
 * @return GB_OK, GB_EIO, GB_EFORMAT (message names file and line), GB_EARGUMENT or GB_ENOMEM
 *
 * Cost: one pass over the input; memory 4 bytes per token and 8 per document, and the vocabulary.
 */
GB_API gb_status gb_corpus_read(const char *path, const gb_settings *settings, gb_corpus **out, gb_error *err);

/** Write a corpus file (docs/format), beside its target and renamed; an existing file is an error unless
 * `force`. The same corpus always gives the same bytes. */
GB_API gb_status gb_corpus_write(const gb_corpus *corpus, const char *path, bool force, gb_error *err);

GB_API uint64_t gb_corpus_n_docs(const gb_corpus *corpus);
GB_API uint64_t gb_corpus_n_tokens(const gb_corpus *corpus);
GB_API uint64_t gb_corpus_n_words(const gb_corpus *corpus);
GB_API void gb_corpus_free(gb_corpus *corpus);

/* ---- training
 * ------------------------------------------------------------------------------------------------ */

/** A fitted model: its description, vocabulary, text preparation, and the kept posterior draws. */
typedef struct gb_model gb_model;

struct gb_chain;

/** What a running chain tells about itself, once per sweep. */
typedef struct gb_progress {
    uint64_t chain, n_chains; /* from 0 */
    uint64_t sweep, n_sweeps; /* sweeps done in this chain, and wanted */
    bool in_burn_in;
    double seconds;           /* wall time since training began */
    double tokens_per_second; /* of the last sweep */
    struct gb_chain *state;   /* for the two functions below; valid during the call that receives the progress */
} gb_progress;

/** log p(w, z) + log pseudo-likelihood of the labels + log p(eta) after this sweep; NaN when memory runs out.  Costs up to
 * a tenth of a sweep: call it for what is shown, not for every sweep. */
GB_API double gb_progress_log_joint(const gb_progress *progress);

/** Share of labelled documents (of several labels: of documents and labels) that the scores after this sweep get wrong;
 * NaN without labels.  Costs a pass over the scores. */
GB_API double gb_progress_training_error(const gb_progress *progress);

/** Called after each sweep; return false to stop (gb_train() then returns GB_ESTOP). */
typedef bool gb_on_sweep(const gb_progress *progress, void *user);

/** The settings with everything decided that depends on the corpus: task, classes, alpha, blocks; as
 * gb_train() will use them.  One line of text for the user, e.g. "20 classes (multiclass), hinge c 8, ...".
 * Free with free(). */
GB_API gb_status gb_train_describe(const gb_corpus *corpus, const gb_settings *settings, char **out, gb_error *err);

/**
 * Fit a model.
 *
 * @param settings  options of the groups model, sampler, output (draws) and run
 * @param on_sweep  called after each sweep from the calling thread; may be NULL
 * @param out       receives the model, free it with gb_model_free(); untouched on failure
 * @return GB_OK, GB_EARGUMENT, GB_EFORMAT (labels do not suit the task), GB_ENUMERIC (names sweep and
 * document), GB_ENOMEM, GB_EIO (draws file) or GB_ESTOP
 *
 * The result depends on corpus, settings and seed, never on the number of threads.
 */
GB_API gb_status gb_train(const gb_corpus *corpus, const gb_settings *settings, gb_on_sweep *on_sweep, void *user,
                          gb_model **out, gb_error *err);

/* ---- models
 * -------------------------------------------------------------------------------------------------- */

GB_API gb_status gb_model_read(const char *path, gb_model **out, gb_error *err);
GB_API gb_status gb_model_write(const gb_model *model, const char *path, bool force, gb_error *err);
GB_API void gb_model_free(gb_model *model);

GB_API uint64_t gb_model_n_topics(const gb_model *model);
GB_API uint64_t gb_model_n_words(const gb_model *model);
/** Kept posterior draws, all chains together. */
GB_API uint64_t gb_model_n_draws(const gb_model *model);
/** Those of the first chain, from which topics are shown: they come first.  (One-vs-rest: of the first class.) */
GB_API uint64_t gb_model_n_topic_draws(const gb_model *model);
/** Scores per document, all responses together: 1 for a binary one and a number, one per class otherwise. */
GB_API uint64_t gb_model_n_outputs(const gb_model *model);
/** What an output speaks for: its class (binary: the positive one), or the field of a number; owned by the model. */
GB_API const char *gb_model_output(const gb_model *model, uint64_t output);

/** Responses: fields of the documents that the model answers for, numbered from 0; none in a model without labels. */
GB_API uint64_t gb_model_n_responses(const gb_model *model);
/** Name of a response's field; owned by the model. */
GB_API const char *gb_model_field(const gb_model *model, uint64_t response);
/** Name of the response: "hinge", "gaussian", ... */
GB_API const char *gb_model_response(const gb_model *model, uint64_t response);
/** "binary", "multiclass", "multilabel" or "regression". */
GB_API const char *gb_model_task(const gb_model *model, uint64_t response);
/** True if its probabilities are meant as such: those of the model, or calibrated on held-out labels; false if they are
 * only rescaled scores, and for numbers. */
GB_API bool gb_model_has_probabilities(const gb_model *model, uint64_t response);
/** Its first score. */
GB_API uint64_t gb_model_first_output(const gb_model *model, uint64_t response);
/** 2 for binary, 0 for a number, else as many as its scores. */
GB_API uint64_t gb_model_n_classes(const gb_model *model, uint64_t response);
/** Name of a class; owned by the model. */
GB_API const char *gb_model_class(const gb_model *model, uint64_t response, uint64_t index);
/** Name of a word; owned by the model. */
GB_API const char *gb_model_word(const gb_model *model, uint64_t index);
/** The settings that the model was trained with, as one JSON object; owned by the model. */
GB_API const char *gb_model_settings(const gb_model *model);

/** Seed and number of training documents and tokens. */
GB_API uint64_t gb_model_seed(const gb_model *model);
GB_API uint64_t gb_model_n_training_docs(const gb_model *model);
GB_API uint64_t gb_model_n_training_tokens(const gb_model *model);

/** True if each class has chains of its own, and so topics of its own. */
GB_API bool gb_model_is_one_vs_rest(const gb_model *model);

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

/* ---- effects
 * ------------------------------------------------------------------------------------------------- */

/** Columns that covariates became: one per number and one per level of a factor or list; 0 without covariates. */
GB_API uint64_t gb_model_n_columns(const gb_model *model);
/** Name of a column: "year", "director=Ridley Scott"; owned by the model. */
GB_API const char *gb_model_column(const gb_model *model, uint64_t column);

/** The posterior of one coefficient, from kept draws of the model. */
typedef struct gb_effect {
    uint64_t n_draws;        /* those that it is from */
    uint64_t n_unused;       /* of a topic: draws of other chains, whose topics are not the same */
    double mean, sd;         /* sd: divided by n_draws - 1, NaN for one draw */
    double q05, median, q95; /* between two draws, linear: type 7 of Hyndman and Fan */
    double p_positive;       /* share of draws above 0 */
    double shrinkage;        /* horseshoe: mean share of shrinkage, 0 (left alone) to 1 (held at 0); else NaN */
} gb_effect;

/**
 * Features of an output: its topics, then the columns of covariates, then one more, the constant, if the model has an
 * intercept or if numbers were centred.
 */
GB_API uint64_t gb_model_n_effects(const gb_model *model, uint64_t output);

/**
 * The effect of one feature on the score of an output; of a number on the number itself, as its field has it.
 *
 * @param output   below gb_model_n_outputs()
 * @param feature  below gb_model_n_effects(): topic k, column j at n_topics + j, the constant at n_topics + n_columns
 * @return GB_OK or GB_ENOMEM
 *
 * That of a topic is for a share that goes from 0 to 1, from draws of the first chain (labels of topics may differ between
 * chains); of a number for one more of its unit, of a level for having it, and the constant is what is there when all
 * covariates are 0, from draws of all chains.  So score or number = constant + sum of effect times share or value.
 */
GB_API gb_status gb_model_effect(const gb_model *model, uint64_t output, uint64_t feature, gb_effect *out,
                                 gb_error *err);

/* ---- groups of documents
 * ------------------------------------------------------------------------------------------------- */

/** Groups that the document prior has means for, numbered from 0 in the order of their graph: along a chain, row by row of
 * a grid; 0 for a prior without groups. */
GB_API uint64_t gb_model_n_groups(const gb_model *model);
/** The fields that name groups, joined by "|": "venue|year"; "" for a prior without groups; owned by the model. */
GB_API const char *gb_model_group_field(const gb_model *model);
/** Name of a group: the values of its fields, joined by "|"; owned by the model. */
GB_API const char *gb_model_group(const gb_model *model, uint64_t group);
/** Find a group by its name.  @return false if there is none */
GB_API bool gb_model_find_group(const gb_model *model, const char *name, uint64_t *group);
/** Training documents of a group; 0 for one that only the graph has. */
GB_API uint64_t gb_model_group_n_docs(const gb_model *model, uint64_t group);

/**
 * The topic shares of groups: what share of a document of the group is expected to be about each topic.
 *
 * @param first, n  groups first .. first + n - 1
 * @param out       receives n x n_topics posteriors, from the draws of the first chain (topics differ between chains); the
 *                  other chains' draws are n_unused
 * @return GB_OK, GB_ENOMEM or GB_ENUMERIC
 *
 * The expectation is over documents that the group may have, with the draw's parameters, so that a group without documents
 * has shares like any other, of a wider spread.  By quadrature, to about 1e-6; under a full covariance by 4096 documents,
 * the same for all groups.  Memory: 8 bytes for each draw, group and topic.
 */
GB_API gb_status gb_model_group_shares(const gb_model *model, uint64_t first, uint64_t n, uint64_t n_threads,
                                       gb_effect *out, gb_error *err);
/** The differences of the shares of two groups, a's minus b's: receives n_topics posteriors. */
GB_API gb_status gb_model_group_contrast(const gb_model *model, uint64_t a, uint64_t b, gb_effect *out,
                                         gb_error *err);

/** What a document of a group may be about, before any of it is read. */
typedef struct gb_group_prediction {
    uint64_t n_topics, n_words, n_outputs;
    gb_effect *share;    /* n_topics: of one document; `mean` is exact, all else from simulated documents (n_draws) */
    uint64_t *word;      /* n_words: most probable first */
    double *probability; /* n_words: of one token */
    gb_effect *score;    /* n_outputs: of the expected score, or number in its units, over the draws; covariates as if
                            left out: numbers at their mean in training, no levels */
} gb_group_prediction;

/**
 * @param group    may be one without documents
 * @param n_words  words wanted; fewer if the model has fewer
 * @param out      receives the answer, free it with gb_group_prediction_free(); untouched on failure
 * @return GB_OK, GB_ENOMEM or GB_ENUMERIC
 *
 * Shares are from the draws of the first chain; words and scores from all.  Random numbers are fixed by the model's seed.
 */
GB_API gb_status gb_model_predict_group(const gb_model *model, uint64_t group, uint64_t n_words,
                                        gb_group_prediction **out, gb_error *err);
GB_API void gb_group_prediction_free(gb_group_prediction *prediction);

/* ---- prediction
 * ---------------------------------------------------------------------------------------------- */

/** New documents, read in batches; their words are turned into the model's by the model's own text
 * preparation. */
typedef struct gb_documents gb_documents;

/**
 * @param path      as for gb_corpus_read()
 * @param settings  options of the group data; word settings come from the model
 * @param model     borrowed until gb_documents_close()
 */
GB_API gb_status gb_documents_open(const gb_model *model, const char *path, const gb_settings *settings,
                                   gb_documents **out, gb_error *err);
/**
 * The next documents, at most `max_docs`; a corpus in the model's vocabulary, to be freed, or NULL at the
 * end.
 *
 * @param n_unknown  receives per document the number of words that the model does not know; free it with
 * free()
 */
GB_API gb_status gb_documents_next(gb_documents *documents, uint64_t max_docs, gb_corpus **out, uint64_t **n_unknown,
                                   gb_error *err);
GB_API void gb_documents_close(gb_documents *documents);

/** What a model says of the field of one response. */
typedef struct gb_response_prediction {
    uint64_t n_classes;  /* 0: a number */
    double *probability; /* n_docs x n_classes; NULL for a number.  Binary: class 1 is the positive one */
    uint64_t *predicted; /* n_docs: the class; UINT64_MAX for several labels, where class c is predicted if its score
                             is above 0; NULL for a number */
    double *mean, *sd;   /* n_docs: of the predictive distribution, in the units of the field; NULL for classes */
    double *q05, *q95;   /* n_docs: its 5 % and 95 % quantiles; NULL for classes */
} gb_response_prediction;

/** What a model says of some documents; row-major arrays. */
typedef struct gb_prediction {
    uint64_t n_docs, n_topics, n_outputs, n_responses;
    double *share; /* n_docs x n_topics: mean topic shares, draws of the first chain; prior mean if empty */
    double *score; /* n_docs x n_outputs: mean score over all draws; NULL without a response.  Of a number in units of
                          its standard deviation in training, unless it was not standardised */
    uint64_t *n_known;                /* n_docs: words that were used; 0: the answer is the prior's */
    gb_response_prediction *response; /* n_responses */
} gb_prediction;

/**
 * Infer topics and predict labels of documents in the model's vocabulary (gb_documents_next()).
 *
 * @param first_row  input row of the first document: random numbers are keyed by the row, so batches of any
 * size give the same bits
 * @param out        receives the prediction, free it with gb_prediction_free()
 *
 * Each kept draw of the model is applied with its own topics and coefficients, the scores are averaged; the
 * topics of a document are drawn without its labels.  Cost: K operations per token, draw and sweep.  Threads
 * as in `settings`.
 */
GB_API gb_status gb_predict(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                            const gb_settings *settings, gb_prediction **out, gb_error *err);
GB_API void gb_prediction_free(gb_prediction *prediction);

/* ---- held-out likelihood
 * ------------------------------------------------------------------------------------ */

/** How probable documents are under a model; see docs/evaluation. */
typedef struct gb_held_out {
    uint64_t n_docs;
    uint64_t *n_scored; /* n_docs: tokens that the next is about; 0: none is known */
    double *
        log_likelihood; /* n_docs: log of the estimated probability of the scored tokens, natural; 0 if there is none */
    double *standard_error; /* n_docs: Monte Carlo error of that; NaN from one sample */
} gb_held_out;

/**
 * Estimate the log probability of documents in the model's vocabulary (gb_documents_next()), without their labels.
 *
 * The probabilities of a document under the kept draws of the model are averaged, then comes the logarithm.
 *
 * @param first_row  input row of the first document, as for gb_predict()
 * @param settings   held-out: "empirical", "left-to-right" or "completion" (also for "auto"); held-out-samples; for
 *                   completion infer-sweeps and infer-burn-in; seed; threads
 * @param out        receives the answer, free it with gb_held_out_free()
 * @return GB_OK, GB_EARGUMENT ("none", or documents of another vocabulary) or GB_ENOMEM
 *
 * Cost, per draw of the model, sample and document of N tokens: empirical N K; left-to-right 256 N K; completion N K per
 * sweep.
 */
GB_API gb_status gb_held_out_likelihood(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                                        const gb_settings *settings, gb_held_out **out, gb_error *err);
GB_API void gb_held_out_free(gb_held_out *held_out);

/* ---- simulation
 * ---------------------------------------------------------------------------------------------- */

/** Draw a corpus: from the model if one is given (its last draw), else from the priors that the settings
 * describe (topics, prior, alpha, beta, response, coefficient-variance and the options of the group
 * simulation). */
GB_API gb_status gb_simulate(const gb_model *model, const gb_settings *settings, gb_corpus **out, gb_error *err);

#ifdef __cplusplus
}
#endif

#endif
