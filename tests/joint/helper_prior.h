/* helper_prior.h - a tiny model drawn from its prior, words and targets included, and the library's chain on what was
 * drawn: for simulation-based calibration and for Geweke's test.
 *
 *   alpha, beta given, or gamma;  phi_k ~ Dir(beta),  theta_d ~ Dir(alpha) or by log weights,  z ~ theta_d,  w ~ phi_z
 *   coefficients normal, the response's own parameter from its prior,  s_d = eta' zbar_d + gamma x_d + b
 *   y_d ~ p(y | s_d + log exposure_d)
 *
 * Lengths of documents, covariate and exposures are fixed. */
#ifndef HELPER_PRIOR_H
#define HELPER_PRIOR_H

#include "chain/chain.h"
#include "random/random.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PRIOR_DOCS = 8,
    PRIOR_TOKENS = 18,
    PRIOR_WORDS = 5,
    PRIOR_TOPICS = 3,
    PRIOR_EMBEDDING = 2, /* numbers of a document */
    PRIOR_FEATURES = PRIOR_TOPICS + PRIOR_EMBEDDING + PRIOR_WORDS + 2,
    PRIOR_GROUPS = 4
};

/** Document priors; all parameters sampled. */
typedef enum prior_documents {
    PRIOR_DIRICHLET,
    PRIOR_NORMAL, /* logistic-normal, diagonal */
    PRIOR_FULL,   /* logistic-normal, full; three topics */
    PRIOR_GRAPH   /* a chain of four groups */
} prior_documents;

/** A model; each has an intercept. */
typedef struct prior_model {
    const char *name;     /* for messages */
    const char *response; /* as the settings have it */
    double cost, epsilon;
    size_t n_topics;
    int blocks; /* B; 0: topics are sampled */
    bool covariate, exposure;
    prior_documents documents;
    /* the coefficient sampler, with words as columns; NULL: no words.  They are those that the documents had when the model was
     * made: columns are known, whatever words are drawn */
    const char *words;
    bool embedding;
    bool parameters; /* alpha_k ~ Gamma(2, 2) and beta ~ Gamma(2, 3) are sampled */
} prior_model;

/** Errors in what is simulated; the chain does not have them, so the tests must see them. */
typedef enum prior_fault {
    PRIOR_RIGHT,
    PRIOR_LENGTH_MINUS_ONE, /* scores from counts over N_d - 1 */
    PRIOR_NOISE_DOUBLED,    /* targets with twice the noise: variance, scale, half the slope of a label's log odds */
    PRIOR_NO_EXPOSURE,
    PRIOR_NO_COVARIATE,
    PRIOR_NO_WORDS,
    PRIOR_NO_EMBEDDING,
    PRIOR_ALPHA_OFF,  /* chains are told another prior of alpha than it is drawn from */
    PRIOR_BETA_OFF,   /* or of beta */
    PRIOR_WEIGHTS_OFF /* chains are told another level of log weights than the prior has */
} prior_fault;

/** A draw of everything.  Tokens are in the order of documents. */
typedef struct prior_state {
    uint32_t word[PRIOR_TOKENS];
    uint16_t topic[PRIOR_TOKENS];
    double alpha[PRIOR_TOPICS], beta;
    double eta[PRIOR_FEATURES]; /* topics, covariate, embedding, words, intercept */
    double own;                 /* noise variance or dispersion */
    double cut[2];              /* ordinal: cut points */
    double score[PRIOR_DOCS], y[PRIOR_DOCS];
    /* priors with log weights */
    double share[PRIOR_DOCS][PRIOR_TOPICS], mean[PRIOR_GROUPS][PRIOR_TOPICS - 1];
    double spread[3]; /* precisions; of a full covariance: determinant, first variance, 1 + correlation */
} prior_state;

extern const size_t prior_length[PRIOR_DOCS];

void prior_draw(const prior_model *model, prior_fault fault, gb_random *random, prior_state *state);

/** w | z, beta, topics integrated out. */
void prior_draw_words(const prior_model *model, gb_random *random, prior_state *state);

/** y_d | the rest of the state. */
double prior_draw_target(const prior_model *model, prior_fault fault, gb_random *random, const prior_state *state,
                         size_t d);

/** log of the exposure of a document; 0 in models without. */
double prior_offset(const prior_model *model, size_t d);

/** A corpus and a model for chains; words and targets are any and have to be set. */
typedef struct prior_setup {
    const prior_model *model;
    gb_corpus *corpus;
    gb_spec spec;
} prior_setup;

prior_setup prior_setup_make(const prior_model *model, unsigned seed);
/** The same with a fault in what chains are told. */
prior_setup prior_setup_make_faulty(const prior_model *model, prior_fault fault, unsigned seed);
void prior_setup_clear(prior_setup *setup);

/** A chain on the words and targets of a state, with the library's own start. */
gb_chain *prior_chain(const prior_setup *setup, const prior_state *state, uint64_t number);

/** Put the topics, coefficients, scores and the response's own parameter of a state into a chain, and count; enough for
 * gb_chain_log_joint(), not for a sweep. */
void prior_set_chain(const prior_setup *setup, gb_chain *chain, const prior_state *state);

/** The state that a chain is in.  Tokens are as the chain has them: inside a document by word block. */
void prior_read_chain(const prior_setup *setup, const gb_chain *chain, prior_state *state);

/** Draw words given topics and targets given scores, and make the chain's counts and augmentation anew. */
void prior_redraw_data(const prior_setup *setup, prior_fault fault, gb_chain *chain, gb_random *random);

#endif
