/* model/cross_fitted.h - effects by cross-fitting, as a model keeps them. */
#ifndef GB_MODEL_CROSS_FITTED_H
#define GB_MODEL_CROSS_FITTED_H

#include "gibbous/cross_fit.h"
#include "model/model.h"

enum { GB_FOLD_WORDS = 20 }; /* of a fold's topic that are kept */

/** Numbers of an effect, in files. */
enum {
    GB_CROSS_MEAN,
    GB_CROSS_SD,
    GB_CROSS_Q05,
    GB_CROSS_MEDIAN,
    GB_CROSS_Q95,
    GB_CROSS_P_POSITIVE,
    GB_CROSS_N_DRAWS,
    GB_CROSS_N_FOLDS,
    GB_CROSS_BETWEEN,
    GB_CROSS_RELIABILITY,
    GB_CROSS_N_NUMBERS
};

/** Numbers of the effect of a word. */
enum { GB_CROSS_WORD_MEAN, GB_CROSS_WORD_SD, GB_CROSS_WORD_BETWEEN, GB_CROSS_N_WORD_NUMBERS };

/** An own parameter of a regression. */
typedef struct gb_cross_parameter {
    uint64_t response, place; /* see gb_model_own_parameter() */
    char *name;
} gb_cross_parameter;

typedef struct gb_cross_fitted {
    size_t n_folds, n_topics, n_features,
        n_outputs;  /* features: topics, columns that are no words, the average document */
    size_t n_words; /* with coefficients */
    size_t n_responses, n_own;
    bool is_view;    /* `value` to `word_folds` belong to the model's file */
    char **response; /* n_responses: names of the regressions */
    gb_cross_parameter *own;
    /* rows: outputs x features, then own parameters */
    double
        *value; /* (1 + n_folds) x rows x GB_CROSS_N_NUMBERS: pooled, then of each fold, by the topics of the fold */
    uint64_t *topic;      /* n_folds x n_topics: the model's number of a fold's topic, or UINT64_MAX */
    uint64_t *word;       /* n_folds x n_topics x GB_FOLD_WORDS: the model's numbers; UINT64_MAX after the last one */
    uint64_t *n_docs;     /* n_folds */
    float *word_value;    /* n_outputs x n_words x GB_CROSS_N_WORD_NUMBERS: pooled */
    uint32_t *word_folds; /* n_outputs x n_words: folds that have the word */
    float *of_folds;      /* n_folds x n_outputs x n_words x 2: mean and standard deviation, until they are pooled */
} gb_cross_fitted;

/** Room for the effects of a model's outputs, all NaN and of no fold.
 * @param out  receives them, free them with gb_cross_fitted_free(); untouched on failure */
gb_status gb_cross_fitted_create(const gb_model *model, size_t n_folds, size_t n_own, gb_cross_fitted **out,
                                 gb_error *err);
void gb_cross_fitted_free(gb_cross_fitted *c);

static inline size_t gb_cross_fitted_n_rows(const gb_cross_fitted *c)
{
    return c->n_outputs * c->n_features + c->n_own;
}

/** Whether a topic that so many of the folds have is called the same everywhere: in two folds or more, and in half of them. */
static inline bool gb_recurs_in_folds(uint64_t n, uint64_t n_folds)
{
    return n >= 2 && 2 * n >= n_folds;
}

/** The numbers of a row.  @param layer  0: pooled; 1 + f: fold f */
double *gb_cross_fitted_row(const gb_cross_fitted *c, size_t layer, size_t row);
void gb_cross_fitted_put(const gb_cross_fitted *c, size_t layer, size_t row, const gb_cross_effect *e);
gb_cross_effect gb_cross_fitted_get(const gb_cross_fitted *c, size_t layer, size_t row);

/** Room for what a fold finds of a word: mean and standard deviation, NaN until it is put there. */
static inline float *gb_cross_fitted_fold_word(const gb_cross_fitted *c, size_t fold, size_t output, size_t word)
{
    return c->of_folds + ((fold * c->n_outputs + output) * c->n_words + word) * 2;
}

/** Memory for it.  @return GB_OK or GB_ENOMEM */
gb_status gb_cross_fitted_begin_folds(gb_cross_fitted *c, gb_error *err);
/** After they were pooled. */
void gb_cross_fitted_forget_folds(gb_cross_fitted *c);

/** Their part of a model's description; NULL when memory runs out. */
json_t *gb_cross_fitted_to_json(const gb_cross_fitted *c);
/** The opposite, for arrays of a file; nothing is trusted.
 * @return GB_OK, GB_ENOMEM, or GB_EFORMAT with a message that says what is wrong */
gb_status gb_cross_fitted_from_json(const gb_model *model, const json_t *description, gb_cross_fitted **out,
                                    gb_error *err);
/** Their arrays; a gb_list_arrays. */
void gb_cross_fitted_list(void *c, const gb_array_visitor *v);
/** What is wrong with numbers from a file, or NULL.  @param n_words  of the model */
const char *gb_cross_fitted_fault(const gb_cross_fitted *c, uint64_t n_words);

/** Number of documents that effects were estimated on in a fold. */
uint64_t gb_model_fold_n_docs(const gb_model *model, uint64_t fold);

/** Name of the regression that explains the field of a response: its own response, or the likelihood that takes its place. */
const char *gb_model_cross_response(const gb_model *model, uint64_t response);

/**
 * Effects of all features of an output, pooled over folds.
 *
 * @param out  receives gb_model_n_effects() effects: topics by their numbers in the model, columns, the average document
 * @return GB_OK or GB_EARGUMENT (no such output; a model without folds)
 */
gb_status gb_model_cross_effects(const gb_model *model, uint64_t output, gb_cross_effect *out, gb_error *err);

/** The same in one fold.  Topics have the numbers of the fold's own model. */
gb_status gb_model_fold_effects(const gb_model *model, uint64_t fold, uint64_t output, gb_cross_effect *out,
                                gb_error *err);

/** The topic of the model that is a topic of a fold; UINT64_MAX if there is none. */
uint64_t gb_model_fold_topic(const gb_model *model, uint64_t fold, uint64_t topic);

/** The most probable words of a fold's topic, as numbers of the model's words.
 * @return how many `word` has received: n, or fewer if so many were not kept */
uint64_t gb_model_fold_topic_words(const gb_model *model, uint64_t fold, uint64_t topic, uint64_t n, uint64_t *word);

/** Number of own parameters of the regressions, of all responses together. */
uint64_t gb_model_n_cross_parameters(const gb_model *model);

/**
 * An own parameter of a regression, pooled over folds.
 *
 * @param response     receives the response that it belongs to
 * @param name, place  as in gb_model_own_parameter()
 * @return GB_OK or GB_EARGUMENT (no such parameter)
 */
gb_status gb_model_cross_parameter(const gb_model *model, uint64_t index, uint64_t *response, const char **name,
                                   uint64_t *place, gb_cross_effect *out, gb_error *err);

#endif
