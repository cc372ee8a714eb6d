/* gibbous/effects.h - posterior intervals of effects and parameters; topic shares of groups of documents. */
#ifndef GIBBOUS_EFFECTS_H
#define GIBBOUS_EFFECTS_H

#include "gibbous/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Number of features beside topics, called columns: one for each numeric covariate, one for each level of a factor or list; then those of
 * embeddings; then, with the option `word-effects`, one for each word of the vocabulary. */
GB_API uint64_t gb_model_n_columns(const gb_model *model);
/** Number of columns of embeddings (option `embeddings`), which stand before those of words. */
GB_API uint64_t gb_model_n_embedding_columns(const gb_model *model);
/** Number of columns of words, which are the last. */
GB_API uint64_t gb_model_n_word_columns(const gb_model *model);
/** Name of a column: "year", "director=Ridley Scott", a word; owned by the model. */
GB_API const char *gb_model_column(const gb_model *model, uint64_t column);

/** The posterior of one number, summarised over the retained draws of the model.  Of the coefficients of words the model keeps only means and
 * standard deviations: their quantiles and p_positive are those of the normal law with these. */
typedef struct gb_effect {
    uint64_t n_draws;        /* draws that were used */
    uint64_t n_unused;       /* draws that were not: of chains that do not have the topic */
    double mean, sd;         /* sd: with n_draws - 1 in the denominator, NaN for one draw */
    double q05, median, q95; /* quantiles, interpolated linearly between draws: type 7 of Hyndman and Fan */
    double p_positive;       /* share of draws above 0 */
    double shrinkage;        /* horseshoe: mean shrinkage, from 0 (none) to 1 (shrunk to 0); else NaN */
} gb_effect;

/** Number of features of an output: its topics, then all columns, then the constant.  Ordinal categories have no constant: their cut
 * points are relative to the average document. */
GB_API uint64_t gb_model_n_effects(const gb_model *model, uint64_t output);

/**
 * The effect of one feature on the score of an output; for a numeric field, on the number itself, in its own units.  Effects
 * are relative to the average training document: one that has the mean shares of topics, and covariates at their means.
 *
 * @param output   below gb_model_n_outputs()
 * @param feature  below gb_model_n_effects(): topic k, column j at n_topics + j, the constant at n_topics + n_columns
 * @return GB_OK or GB_ENOMEM
 *
 * A topic: a document that is about nothing else, minus the average document.  Topics have the numbers of the leading chain; draws of
 * another chain are used if one of its topics has similar words (docs/diagnose.md).  A level of a factor: a document that has it, minus the average
 * document.  An item of a list: a document with it, minus one without.  A numeric covariate: for one unit more.  The
 * constant: the value of the average document.  Shares and means are those of each draw, so that a number added
 * to all topics and subtracted from the intercept changes nothing.
 */
GB_API gb_status gb_model_effect(const gb_model *model, uint64_t output, uint64_t feature, gb_effect *out,
                                 gb_error *err);

/** The effects of all features of an output, as gb_model_effect() gives each, in less time.
 * @param out  receives gb_model_n_effects() posteriors
 * @return GB_OK, GB_EARGUMENT (no such output) or GB_ENOMEM */
GB_API gb_status gb_model_effects(const gb_model *model, uint64_t output, gb_effect *out, gb_error *err);

/**
 * Number of kinds of features of which it is known how much of the scores' variance they are, see gb_model_block_share(); 0 if
 * there is one kind only.
 */
GB_API uint64_t gb_model_n_blocks(const gb_model *model);
/** "topics", "covariates", "embedding", "words"; NULL for no such block. */
GB_API const char *gb_model_block(const gb_model *model, uint64_t block);
/**
 * The share of one kind of features in the variance of an output's scores over the training documents: the covariance of
 * its part of the score with the score, divided by the variance of the score, in each draw.  The shares of all blocks add up to 1; a share
 * below 0 means that the block offsets others.
 *
 * @return GB_OK, GB_EARGUMENT (no such output or block) or GB_ENOMEM
 */
GB_API gb_status gb_model_block_share(const gb_model *model, uint64_t output, uint64_t block, gb_effect *out,
                                      gb_error *err);

/** Number of dispersion and noise parameters of a response (noise variance, dispersion, cut points), each number of a list counted; 0 if it has
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
/** Name of a group: the values of its fields, joined by "|"; owned by the model.  What the model says of groups are the answers to
 * "groups", "group-contrasts" and "group-prediction" (gibbous/answer.h). */
GB_API const char *gb_model_group(const gb_model *model, uint64_t group);

#ifdef __cplusplus
}
#endif

#endif
