/* model/model.h - a fitted model: what predict needs, and nothing of the run that made it. */
#ifndef GB_MODEL_MODEL_H
#define GB_MODEL_MODEL_H

#include "corpus/data/corpus.h"
#include "gibbous/model.h"
#include "plan/spec.h"

/** One kept posterior draw. Topic-word counts are sparse, by word. */
typedef struct gb_draw {
    uint64_t chain, sweep;
    double log_joint;
    uint64_t *word_start; /* n_words + 1 */
    uint16_t *topic;      /* entries of word w: word_start[w] .. word_start[w + 1] - 1, topics ascending */
    uint32_t *count;      /* n_kw */
    uint64_t *n_k;        /* n_topics; not stored, made from the counts */
    gb_prior_values prior;
    /* outputs that the draw speaks of: all, or with one-vs-rest one */
    size_t first_output, n_outputs;
    double *eta;       /* n_outputs x n_features: topics, columns of covariates, then the intercept */
    double *own;       /* n_own: own parameters of all responses: rho2, r, ... */
    double *shrinkage; /* n_outputs x (n_topics + n_columns), 0 to 1; NULL under a prior that does not shrink */
} gb_draw;

struct gb_model {
    /* description */
    size_t n_topics, n_outputs, n_responses, n_own;
    uint64_t n_words;
    bool intercept;
    double beta;
    gb_prior_setup prior;
    gb_target *target; /* n_responses */
    gb_coding *coding; /* of covariates; NULL without */
    size_t n_columns;  /* of covariates */
    char *exposure;    /* field of the exposure of counts; "" without */
    uint64_t seed, n_training_docs, n_training_tokens;
    char *settings;     /* JSON object: the options that the model depends on, as given or decided */
    json_t *acceptance; /* of the token sampler's proposals: name -> share accepted in each chain; NULL without any */
    json_t *preparation;
    /* texts, each NUL-terminated; start[i] is where text i begins */
    gb_texts vocabulary; /* without the NULs; views into the block below */
    char *word_bytes;
    uint64_t *word_start;
    char **word; /* n_words strings, in word_text */
    char *word_text;
    /* draws */
    size_t n_draws;
    gb_draw *draw;
};

static inline size_t gb_model_n_features(const gb_model *model)
{
    return model->n_topics + model->n_columns + (model->intercept ? 1 : 0);
}

/** A model with the description of a spec and a corpus, and room for draws. */
gb_status gb_model_create(gb_model **out, const gb_corpus *corpus, const gb_spec *spec, const gb_settings *settings,
                          gb_error *err);

/** Bytes of a model with that many draws, each with as many counts of a topic in a word that are not 0. */
uint64_t gb_model_bytes(const gb_corpus *corpus, const gb_spec *spec, uint64_t n_draws, uint64_t n_entries);

/** Room for that many draws, still empty. */
gb_status gb_model_reserve_draws(gb_model *model, size_t n_draws, gb_error *err);

/** Make room in draw `i` for `n_entries` topic-word counts and the coefficients of its outputs (first_output and
 * n_outputs are set before); the caller fills the arrays and then calls gb_draw_count_topics().  Different draws may be
 * made at the same time. */
gb_status gb_model_make_draw(gb_model *model, size_t i, uint64_t n_entries, gb_error *err);

/** Leave out draws that were reserved and never made. */
void gb_model_drop_empty_draws(gb_model *model);

/** Make n_k from the counts. */
void gb_draw_count_topics(gb_draw *draw, uint64_t n_words, size_t n_topics);

/** Make word[] from vocabulary. */
gb_status gb_model_index_words(gb_model *model, gb_error *err);

#endif
