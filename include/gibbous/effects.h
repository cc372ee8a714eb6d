/* gibbous/effects.h - posterior intervals of effects and parameters; topic shares of groups of documents. */
#ifndef GIBBOUS_EFFECTS_H
#define GIBBOUS_EFFECTS_H

#include "gibbous/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Number of columns beside topics: of covariates one for each number, one for each level of a factor or list; then, with the option
 * `word-effects`, one for each word of the vocabulary; 0 without both. */
GB_API uint64_t gb_model_n_columns(const gb_model *model);
/** Columns of embeddings (option `embeddings`), which stand before those of words. */
GB_API uint64_t gb_model_n_embedding_columns(const gb_model *model);
/** How many of these are words: the last ones. */
GB_API uint64_t gb_model_n_word_columns(const gb_model *model);
/** Name of a column: "year", "director=Ridley Scott", a word; owned by the model. */
GB_API const char *gb_model_column(const gb_model *model, uint64_t column);

/** The posterior of one number, summarised over kept draws of the model.  Of words the model has a mean and a standard deviation over all
 * draws, and quantiles and p_positive are those of the normal law with these. */
typedef struct gb_effect {
    uint64_t n_draws;        /* draws that were used */
    uint64_t n_unused;       /* draws that were not: of chains that do not have the topic */
    double mean, sd;         /* sd: with n_draws - 1 in the denominator, NaN for one draw */
    double q05, median, q95; /* quantiles, interpolated linearly between draws: type 7 of Hyndman and Fan */
    double p_positive;       /* share of draws above 0 */
    double shrinkage;        /* horseshoe: mean shrinkage, from 0 (none) to 1 (shrunk to 0); else NaN */
} gb_effect;

/**
 * Number of features of an output: its topics, then the columns of covariates and words, then the constant; ordered levels have no
 * constant, since their cut points say where the average document is.
 */
GB_API uint64_t gb_model_n_effects(const gb_model *model, uint64_t output);

/**
 * The effect of one feature on the score of an output; for a numeric field, on the number itself, in its own units.  Effects
 * are relative to the average training document: one that has the mean shares of topics, and covariates at their means.
 *
 * @param output   below gb_model_n_outputs()
 * @param feature  below gb_model_n_effects(): topic k, column j at n_topics + j, the constant at n_topics + n_columns
 * @return GB_OK or GB_ENOMEM
 *
 * A topic: a document that is about nothing else, minus the average document.  Topics have the numbers of the first chain; draws
 * of another chain are used where one of its topics is the same by its words (gibbous diagnose says how well chains agree).  A level of a factor: a document that has it, minus the average
 * document.  An item of a list: a document with it, minus one without.  A numeric covariate: for one unit more.  The
 * constant: the value of the average document.  Shares and means are taken
 * in each draw, so that a number which is added to all topics and taken from the intercept changes nothing.
 */
GB_API gb_status gb_model_effect(const gb_model *model, uint64_t output, uint64_t feature, gb_effect *out,
                                 gb_error *err);

/** The effects of all features of an output, as gb_model_effect() gives each, in less time.
 * @param out  receives gb_model_n_effects() posteriors
 * @return GB_OK, GB_EARGUMENT (no such output) or GB_ENOMEM */
GB_API gb_status gb_model_effects(const gb_model *model, uint64_t output, gb_effect *out, gb_error *err);

/**
 * One set of topics, or of levels of a field, minus another.
 *
 * @param a, n_a  features, numbered as in gb_model_effect(): all topics, or all levels of one field; at least one
 * @param b, n_b  the same for what is subtracted; none: the average document
 * @return GB_OK, GB_EARGUMENT (no such output; features that cannot be compared) or GB_ENOMEM
 *
 * The value of a set is the mean of its features, weighted by their shares of the training documents in the draw; so two topics
 * that say the same are one, with the interval of both together.  Draws of chains that lack one of the topics are not used.
 */
GB_API gb_status gb_model_contrast(const gb_model *model, uint64_t output, uint64_t n_a, const uint64_t *a,
                                   uint64_t n_b, const uint64_t *b, gb_effect *out, gb_error *err);

/**
 * Number of kinds of features of which it is known how much of the scores' variance they are, see gb_model_block_share(); 0 if
 * there is one kind only.
 */
GB_API uint64_t gb_model_n_blocks(const gb_model *model);
/** "topics", "covariates", "embedding", "words"; NULL for no such block. */
GB_API const char *gb_model_block(const gb_model *model, uint64_t block);
/**
 * The share of the variance of an output's scores, over the training documents, that one kind of features is: the covariance of
 * its part of the score with the score, divided by the variance of the score, in each draw.  The shares of all blocks add up to 1;
 * one is below 0 where a block takes back what others say too much of.
 *
 * @return GB_OK, GB_EARGUMENT (no such output or block) or GB_ENOMEM
 */
GB_API gb_status gb_model_block_share(const gb_model *model, uint64_t output, uint64_t block, gb_effect *out,
                                      gb_error *err);

/** Number of a response's own parameters (noise variance, dispersion, cut points), each number of a list counted; 0 if it has
 * none. */
GB_API uint64_t gb_model_n_own_parameters(const gb_model *model, uint64_t response);
/**
 * The posterior of one of these numbers from the draws of all chains, in the units of the field.  Cut points are relative to
 * the score of the average document.
 *
 * @param index   below gb_model_n_own_parameters()
 * @param name    receives the parameter's name as in the draws, such as "noise_variance"; a constant
 * @param place   receives, for a cut point, the number of the class below it (the class above it is the next one); UINT64_MAX for
 *                a parameter that does not lie between classes
 * @return GB_OK, GB_EARGUMENT (a number out of range) or GB_ENOMEM
 */
GB_API gb_status gb_model_own_parameter(const gb_model *model, uint64_t response, uint64_t index, const char **name,
                                        uint64_t *place, gb_effect *out, gb_error *err);

/* ---- groups of documents ---- */

/** Number of groups for which the document prior has means; 0 for a prior without groups.  They are numbered from 0 in the order
 * of the graph: along a chain, or row by row of a grid. */
GB_API uint64_t gb_model_n_groups(const gb_model *model);
/** The fields that name groups, joined by "|": "venue|year"; "" for a prior without groups; owned by the model. */
GB_API const char *gb_model_group_field(const gb_model *model);
/** Name of a group: the values of its fields, joined by "|"; owned by the model. */
GB_API const char *gb_model_group(const gb_model *model, uint64_t group);
/** Find a group by its name; `group` receives its number.  @return false if there is none */
GB_API bool gb_model_find_group(const gb_model *model, const char *name, uint64_t *group);
/** Number of a group's training documents; 0 for a group that only the graph has. */
GB_API uint64_t gb_model_group_n_docs(const gb_model *model, uint64_t group);

/**
 * The topic shares of groups: the expected share of each topic in a document of the group.
 *
 * @param first, n  groups first .. first + n - 1
 * @param n_threads 0: all processors that the process may use
 * @param out       receives n x n_topics posteriors, from the draws of the first chain; n_unused counts the draws of others
 * @return GB_OK, GB_ENOMEM or GB_ENUMERIC
 *
 * The expectation is over documents that the group could have under the parameters of a draw.  So a group without documents has
 * shares too, with a wider spread.  They are computed by quadrature, to about 1e-6; under a full covariance by simulation of
 * 4096 documents, the same for all groups.  Of topics that count as one, the first has the posterior of the sum of their shares.
 * Memory: 8 bytes for each draw, group and topic, but at most 32 MiB or what one group needs.
 */
GB_API gb_status gb_model_group_shares(const gb_model *model, uint64_t first, uint64_t n, uint64_t n_threads,
                                       gb_effect *out, gb_error *err);
/** The topic shares of group a minus the topic shares of group b.  @param out  receives n_topics posteriors
 * @return GB_OK, GB_ENOMEM or GB_ENUMERIC */
GB_API gb_status gb_model_group_contrast(const gb_model *model, uint64_t a, uint64_t b, gb_effect *out,
                                         gb_error *err);

/** What a document of a group may be about, before its words are known. */
typedef struct gb_group_prediction {
    uint64_t n_topics, n_words, n_outputs;
    gb_effect *share; /* n_topics: of one document; `mean` is exact, the rest is from n_draws simulated documents */
    uint64_t *word;   /* n_words: most probable first */
    double *probability; /* n_words: of these words, for one token */
    gb_effect *score; /* n_outputs: the expected score, or number in its units, over the draws; numeric covariates at
                            their mean in training, no levels */
} gb_group_prediction;

/**
 * Predict a document of a group from the prior alone.
 *
 * @param group    may be a group without documents
 * @param n_words  number of words wanted; the answer has fewer if the model has fewer
 * @param out      receives the answer, free it with gb_group_prediction_free(); untouched on failure
 * @return GB_OK, GB_ENOMEM or GB_ENUMERIC
 *
 * Shares are from the draws of the first chain, words and scores from all chains.  Random numbers follow from the model's seed.
 */
GB_API gb_status gb_model_predict_group(const gb_model *model, uint64_t group, uint64_t n_words,
                                        gb_group_prediction **out, gb_error *err);
/** Free a group prediction with all its arrays; accepts NULL. */
GB_API void gb_group_prediction_free(gb_group_prediction *prediction);

#ifdef __cplusplus
}
#endif

#endif
