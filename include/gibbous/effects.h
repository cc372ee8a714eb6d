/* gibbous/effects.h - posterior intervals of coefficients, and topic shares of groups of documents. */
#ifndef GIBBOUS_EFFECTS_H
#define GIBBOUS_EFFECTS_H

#include "gibbous/model.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/** Numbers that are own parameters of a response: noise variance, dispersion, cut points; 0 where it has none. */
GB_API uint64_t gb_model_n_own_parameters(const gb_model *model, uint64_t response);
/**
 * One of these numbers over the draws of all chains, in the units of the field.
 *
 * @param index   from 0
 * @param name    receives the parameter's name as in the draws, "noise_variance"; a constant
 * @param place   receives its number within the parameter, from 0: cut point `place` lies between the classes `place` and
 *                `place` + 1
 * @return GB_OK or GB_ENOMEM
 */
GB_API gb_status gb_model_own_parameter(const gb_model *model, uint64_t response, uint64_t index, const char **name,
                                        uint64_t *place, gb_effect *out, gb_error *err);

/* ---- groups of documents ---- */

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
/** Free a group prediction with all its arrays; accepts NULL. */
GB_API void gb_group_prediction_free(gb_group_prediction *prediction);

#ifdef __cplusplus
}
#endif

#endif
