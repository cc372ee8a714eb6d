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

#endif
