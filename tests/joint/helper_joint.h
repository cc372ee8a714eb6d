/* helper_joint.h - what both sides of the joint table share: tiny models, and the quantities compared.
 *
 * A row describes a model on a corpus of at most eight tokens.  The exact side (helper_exact.c) sums over all
 * topic assignments and integrates the coefficients; the chain side (helper_chain.c) runs the sampler.  Both
 * hand what they know given an assignment to joint_quantities(), so they compare the same things in the same
 * order.  Nothing here and in helper_exact.c calls the library. */
#ifndef HELPER_JOINT_H
#define HELPER_JOINT_H

#include "helper_psi.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    MAX_DOCS = 4,
    MAX_TOKENS = 8,
    MAX_TOPICS = 3,
    MAX_COVARIATES = 8,
    MAX_FEATURES = MAX_TOPICS + MAX_COVARIATES + 1,
    MAX_OUTPUTS = 3,
    MAX_OWN = 2,
    MAX_QUANTITIES = 220,
    NAME_SIZE = 80
};

typedef enum joint_prior { PRIOR_SYMMETRIC, PRIOR_VECTOR, PRIOR_UNIFORM, N_PRIORS, PRIOR_PSI = N_PRIORS } joint_prior;
typedef enum joint_response {
    RESPONSE_NONE,
    RESPONSE_HINGE,
    RESPONSE_LOGISTIC,
    RESPONSE_PROBIT,
    RESPONSE_INSENSITIVE,
    RESPONSE_GAUSSIAN,
    RESPONSE_NEGATIVE_BINOMIAL,
    RESPONSE_ORDINAL
} joint_response;
typedef enum joint_task {
    TASK_BINARY,
    TASK_MULTICLASS,
    TASK_MULTILABEL,
    N_TASKS,
    TASK_NUMBER = N_TASKS,
    TASK_TWO_LEVELS,
    TASK_THREE_LEVELS
} joint_task;

typedef struct joint_corpus {
    const char *name;
    size_t n_docs, n_words, length[MAX_DOCS];
    unsigned word[MAX_TOKENS];
    /* per task and document the classes, a letter each; "" is labelled with no class, NULL not labelled */
    const char *label[N_TASKS][MAX_DOCS];
    double number[MAX_DOCS], count[MAX_DOCS];                           /* targets; NaN: missing */
    double weight[MAX_DOCS], exposure[MAX_DOCS], measurement[MAX_DOCS]; /* the last is a covariate */
    char level[MAX_DOCS];                                               /* of a factor: 'u' or 'v' */
    double beta;                                                        /* 0: JOINT_BETA */
} joint_corpus;

extern const joint_corpus corpus_full, /* lengths 3, 3, 2 */
    corpus_short,                      /* lengths 3, 1, 3 */
    corpus_hollow,                     /* lengths 3, 0, 3; a word that never occurs */
    corpus_partial,                    /* lengths 2, 1, 2, 2; the third document has no label */
    corpus_partial_hollow;             /* lengths 3, 2, 0, 2; the last document has no label */

typedef enum joint_sampler { SAMPLER_BLOCK, SAMPLER_COORDINATE, SAMPLER_MIXED, SAMPLER_CONJUGATE } joint_sampler;

/** What a row may have besides; any number of them. */
typedef enum joint_with {
    WITH_DOCUMENT_WEIGHTS = 1,
    WITH_CLASS_WEIGHTS = 2,
    WITH_EXPOSURE = 4,
    WITH_NUMBER = 8,                /* covariate: a column of numbers */
    WITH_FACTOR = 16,               /* covariate: a factor with two levels, a column each */
    WITH_OWN = 32,                  /* noise variance, dispersion or cut points sampled */
    WITH_VARIANCE = 64,             /* variance of the topics' coefficients sampled, one per output; normal prior */
    WITH_WORDS = 128,               /* words as columns, by TF-IDF, with a given variance */
    WITH_WORD_VARIANCE = 256,       /* the same with their variance sampled, one per output; normal prior */
    WITH_EMBEDDING = 512,           /* two columns of an embedding, with a given variance */
    WITH_EMBEDDING_VARIANCE = 1024, /* the same with its variance sampled, one per output; normal prior */
    WITH_SEEDS = 2048,              /* words that the first two topics are to be about, one of them in both */
    WITH_KEYWORDS = 4096, /* words that the first two topics have a law of their own for, one of them in both */
    WITH_BAGS = 8192 /* every other word is in the second of two bags, each with its own distribution in a topic */
} joint_with;

/** How tokens are drawn. */
typedef struct joint_tokens {
    const char *sampler, *steps, *proposals, *compose; /* options --sampler, --mh-...; NULL without */
} joint_tokens;

typedef struct joint_row {
    joint_prior prior;
    joint_response response;
    double cost;
    double parameter; /* margin, epsilon, noise variance, dispersion or first cut point, as the response has it */
    joint_task task;
    int blocks; /* B; 0: topics are sampled */
    size_t n_topics;
    bool intercept;
    const joint_corpus *corpus;
    bool horseshoe; /* coefficient prior; two topics, no covariates.  Otherwise normal */
    int sampler;    /* of coefficients: joint_sampler */
    unsigned with;  /* joint_with */
    /* a second response, to the numbers of the same documents; the same in topics, coefficients and covariates */
    const struct joint_row *also;
    const joint_tokens *tokens; /* NULL: as the library chooses */
    const psi_prior *psi;       /* with PRIOR_PSI */
    const char *psi_update;
} joint_row;

/* Parameters that all rows share; each differs from 1, so that a use in the wrong place shows. */
#define JOINT_BETA               0.6
#define JOINT_VARIANCE           1.3
#define JOINT_INTERCEPT_VARIANCE 0.8
#define JOINT_COVARIATE_VARIANCE 0.5
#define JOINT_WORD_VARIANCE      0.7
#define JOINT_EMBEDDING_VARIANCE 0.9
/* of keywords, and of the switch between them and all words */
#define JOINT_KEYWORD_BETA  0.5
#define JOINT_FROM_KEYWORDS 1.5
#define JOINT_FROM_ALL      1.0

double joint_alpha(const joint_row *row, size_t topic);
/** How strong a seed the word is in the topic; 0: it is none. */
double joint_seed_strength(const joint_row *row, size_t topic, size_t word);
/** beta without seeds. */
double joint_plain_beta(const joint_row *row);
/** What that makes of beta: more by so many whole tokens. */
double joint_beta(const joint_row *row, size_t topic, size_t word);
/** The bag of a word: 0 or 1; 0 without. */
size_t joint_bag(const joint_row *row, size_t word);
/** The keywords of a topic; at most two. */
enum { MAX_KEYWORDS = 2 };
size_t joint_keywords(const joint_row *row, size_t topic, unsigned keyword[MAX_KEYWORDS]);
size_t joint_n_outputs(const joint_row *row);
/** The response that an output belongs to, the row's own or the second; *output becomes its number there. */
const joint_row *joint_part_of(const joint_row *row, size_t *output);
size_t joint_n_tokens(const joint_row *row);
size_t joint_n_covariates(const joint_row *row);
enum { JOINT_EMBEDDING_WIDTH = 2 };
/** Number j of a document's embedding, as it is given to the library. */
double joint_embedding(const joint_row *row, size_t doc, size_t j);
/** Value of covariate p of a document; the embedding and the words are the last covariates. */
double joint_covariate(const joint_row *row, size_t doc, size_t p);
/** Of the regression of the log weights' means; none without one. */
psi_columns joint_columns(const joint_row *row);
/** Prior variances, if `hidden` is the one that is sampled. */
double joint_topic_variance(const joint_row *row, double hidden);
/** Where the cost is not 1, the variance of covariates is the default, 1 / cost. */
bool joint_covariate_variance_is_given(const joint_row *row);
double joint_covariate_variance(const joint_row *row, size_t p, double hidden);
/** Scale of the prior InvGamma(1, scale) of a sampled variance. */
double joint_variance_scale(const joint_row *row);
/** Weight of class a, b, c in rows that have class weights. */
extern const double joint_class_weight[3];
void joint_row_name(const joint_row *row, char *out, size_t size);

/** What an output sees of a document besides its score. */
typedef struct joint_target {
    double y;      /* +1 or -1, a number, or a level 1, 2, 3; NaN: missing */
    double weight; /* multiplies the cost */
    double offset; /* is added to the score */
} joint_target;

joint_target joint_target_of(const joint_row *row, size_t doc, size_t output);

/** Expectations of one output given an assignment; a state of the chain is one with no spread.  Doubles only. */
typedef struct score_law {
    double evidence;               /* integral of prior times pseudo-likelihoods over the coefficients */
    double s[MAX_DOCS];            /* E s_d, without the offset */
    double ss[MAX_DOCS][MAX_DOCS]; /* E s_d s_e */
    double positive[MAX_DOCS];     /* P(s_d > 0) */
    double square;                 /* E sum_k eta_k^2, topics only */
    double b, bb;                  /* E of the intercept and of its square */
    double g[MAX_COVARIATES], gg[MAX_COVARIATES]; /* likewise of the covariates' coefficients */
    /* bounded functions, for priors under which moments need not exist */
    double t[MAX_DOCS], tt[MAX_DOCS][MAX_DOCS]; /* E tanh(s_d), E tanh(s_d) tanh(s_e) */
    double small;                               /* E sum_k 1 / (1 + eta_k^2), topics only */
    double tb;                                  /* E tanh(b) */
    double own[2];                              /* E of joint_own_functions() */
    double log_variance, small_variance;        /* E log v, E 1 / (1 + v) of the coefficients' variance v */
} score_law;

/**
 * The quantities of a row given an assignment; expectations do not change when topics are renamed, except the
 * topic counts, which only rows with unequal alpha have.
 *
 * @param z     topics of the tokens
 * @param law   one per output
 * @param psi   with PRIOR_PSI
 * @param x     receives the values; may be NULL
 * @param name  receives what they are; may be NULL
 * @return how many there are
 */
size_t joint_quantities(const joint_row *row, const unsigned char *z, const score_law *law, const psi_law *psi,
                        double *x, char (*name)[NAME_SIZE]);

/* ---- exact side ---- */

/** Errors that a sampler could have, put into the exact side instead: the table must then fail. */
typedef enum joint_fault {
    FAULT_NONE,
    FAULT_LENGTH_MINUS_ONE,      /* the response sees counts over N_d - 1 */
    FAULT_HALF_HINGE,            /* exp(-c max(0, zeta)) */
    FAULT_MARGIN_ONE,            /* ell = 1 whatever was asked for */
    FAULT_POWER_ONE,             /* c = 1 whatever was asked for */
    FAULT_WRONG_SIDE,            /* probit: truncated to the side of 0 where the label is not */
    FAULT_OMEGA_FORGOTTEN,       /* probit: a factor exp(a s) in place of exp(a s - s^2 / 2) */
    FAULT_OMEGA_HALVED,          /* probit: a normal with variance 2 */
    FAULT_ONE_SIDE,              /* insensitive: one inverse Gaussian, so no loss for scores that are too large */
    FAULT_NO_INSENSITIVITY,      /* insensitive: epsilon = 0 */
    FAULT_DEVIATION_IS_VARIANCE, /* gaussian: rho in place of rho^2 */
    FAULT_NOISE_SHAPE,          /* gaussian: rho^2 | rest ~ InvGamma(a + D / 2, ...) whatever c and the weights are */
    FAULT_POLYA_GAMMA_OF_COUNT, /* negative binomial: PG(y, s) in place of PG(y + r, s) */
    FAULT_ALL_TABLES,           /* negative binomial: y_d tables in place of CRT(y_d, r) */
    FAULT_CUT_PRIOR,            /* ordinal: cut points with variance 5 in place of 25 */
    FAULT_NO_LOW_END,           /* ordinal: the latent number below the upper cut point only */
    FAULT_NO_OFFSET,            /* exposure ignored */
    FAULT_WEIGHTS_IGNORED,      /* of documents and classes */
    FAULT_COVARIATES_IGNORED,   /* by the response: the coefficients keep their prior */
    FAULT_COVARIATES_COST_ONE,  /* their variance is 1 where it is 1 / cost */
    FAULT_COVARIATES_AS_TOPICS, /* covariates have the variance of the topics */
    FAULT_VARIANCE_SHAPE,       /* sampled variance: InvGamma(a + K, ...) in place of InvGamma(a + K / 2, ...) */
    FAULT_NO_BLOCK_MASS,        /* each word block normalised on its own */
    FAULT_BETA_SUM_OF_TOPICS,   /* K beta in place of V beta */
    FAULT_BAGS_TOGETHER,        /* one distribution over the words of both bags */
    FAULT_BAGS_BETA_SUM,        /* V beta of all words in each bag */
    FAULT_SEEDS_IGNORED,        /* beta for all words */
    FAULT_SEEDS_FOR_ALL,        /* seeds of a topic in the prior of all */
    FAULT_KEYWORDS_IGNORED,     /* topics draw from all words alone */
    FAULT_SWITCH_GIVEN,         /* pi = g1 / (g1 + g2) */
    FAULT_SWITCHED_COUNTED,     /* tokens from keywords are in the counts of all words too */
    FAULT_MEAN_ALPHA,           /* every alpha_k the mean of them */
    FAULT_TOTAL_ALPHA,          /* alpha taken for the total: alpha / K for each topic */
    FAULT_UNIFORM_COUNTS,       /* the uniform prior replaced by a Dirichlet with alpha = 1 */
    FAULT_MISSING_IS_NEGATIVE,  /* a document without a label taken for a negative one, without a number for 0 */
    FAULT_EMPTY_LEFT_OUT,       /* labels of empty documents ignored */
    FAULT_VARIANCE_IS_PRECISION, /* 1 / nu^2 in place of nu^2 */
    FAULT_ONE_VARIANCE,          /* the intercept has the variance of the topics */
    FAULT_OWN_CLASS_ONLY,        /* outputs of the other classes ignored */
    FAULT_TOPICS_IGNORE_LABELS,  /* assignments without the response, coefficients fitted to them */
    FAULT_SECOND_IGNORED,        /* assignments without the second response */
    FAULT_NO_GLOBAL_SCALE,       /* horseshoe: precision 1 / lam^2 */
    FAULT_SCALES_FIXED,          /* horseshoe: lam = tau = 1 always */
    FAULT_PSI_SIGN,              /* graph: means of neighbours pushed apart */
    FAULT_PSI_RANK,              /* graph: rank G in place of G - ncc */
    FAULT_PSI_SHORT,             /* log weights: N_d - 1 tokens in place of N_d */
    FAULT_PSI_NO_LEVEL,          /* log weights: hardly a level prior */
    FAULT_PSI_VARIANCE,          /* log weights: precision in place of variance */
    FAULT_PSI_NO_COLUMN,         /* regression: means do not see the last column */
    FAULT_PSI_ONE_LEVEL,         /* regression: each document is a level of its own */
    FAULT_PSI_ONE_SIDED,         /* regression: the last topic has no psi where all should be alike */
    FAULT_PSI_FIXED_AS_ONE,      /* regression: fixed effects have variance 1 */
    FAULT_PSI_WIDE,              /* regression: a half-Cauchy law four times as wide */
    FAULT_SCALE_SHAPE            /* horseshoe: tau^2 ~ InvGamma(p, ...) in place of InvGamma((p + 1) / 2, ...) */
} joint_fault;

/** The target as a faulty sampler would see it. */
joint_target joint_target_with_fault(const joint_row *row, joint_fault fault, size_t doc, size_t output);

/** Parameters that may be sampled; what is not has its given value. */
typedef struct joint_hidden {
    double own[MAX_OWN]; /* noise variance or dispersion; or one or two cut points */
    double variance;     /* of the topics' coefficients */
} joint_hidden;

/** log of the pseudo-likelihood of a target given the score (without offset); 0 for a missing one. */
double joint_log_likelihood(const joint_row *row, joint_fault fault, const joint_target *target, const double *own,
                            double s);

/** Where the logarithm of that has kinks as a function of the score: at most two places. */
size_t joint_kinks(const joint_row *row, joint_fault fault, const joint_target *target, double *kink);

/** Fineness of the quadrature: panels of width `panel` with `nodes` Gauss-Legendre nodes each. */
typedef struct joint_grid {
    double panel;
    size_t nodes;
} joint_grid;

extern const joint_grid joint_grid_usual;

/** log of the prior density of the logarithms of those parameters that are sampled. */
double joint_log_hidden(const joint_row *row, const joint_hidden *hidden);

enum { MAX_HIDDEN = 2400 };

/** What is compared of own parameters: of noise variance and dispersion v the functions log v and 1 / (1 + v), of cut points
 * the first and the last. */
void joint_own_functions(const joint_row *row, const double *own, double out[2]);

/** Values of sampled own parameters with their weights in an integral over their prior; the given ones with weight 1 if they
 * are not sampled. */
size_t joint_own_values(const joint_row *row, joint_fault fault, joint_grid grid, double (*value)[MAX_OWN],
                        double *weight);
/** Those that are given: of cut points the second lies 1.3 above the first. */
void joint_given_own(const joint_row *row, double own[MAX_OWN]);
/** Likewise of the variance of the topics' coefficients. */
size_t joint_variances(const joint_row *row, joint_fault fault, joint_grid grid, double *value, double *weight);

/** Exact expectations of all quantities. */
void joint_exact(const joint_row *row, joint_fault fault, joint_grid grid, double *mean);

/** Documents and coefficients of one output, the coefficients in units of their prior's standard deviation. */
typedef struct joint_design {
    const joint_row *row;
    joint_fault fault;
    size_t n_docs, n_features;
    double sd[MAX_FEATURES];
    double f[MAX_DOCS][MAX_FEATURES]; /* s_d = f_d' u, u standard normal a priori */
    joint_target target[MAX_DOCS];
    double stretch[MAX_DOCS]; /* what the response sees is stretch s: 1, or a fault */
} joint_design;

void joint_design_make(const joint_row *row, joint_fault fault, unsigned n[MAX_DOCS][MAX_TOPICS], size_t output,
                       const joint_hidden *hidden, joint_design *out);

/** Moments of scores and coefficients from those of u; `positive` and the evidence are left to the caller. */
void joint_law_of_moments(const joint_design *design, const double *mean, double second[MAX_FEATURES][MAX_FEATURES],
                          score_law *law);

/** The law of one output's scores given topic counts n_dk and nothing else: by quadrature under the normal prior, hidden
 * parameters given. */
void joint_score_law(const joint_row *row, joint_fault fault, joint_grid grid, unsigned n[MAX_DOCS][MAX_TOPICS],
                     size_t output, const joint_hidden *hidden, score_law *law);

/** The same for the gaussian response in closed form. */
void joint_gaussian_law(const joint_row *row, joint_fault fault, unsigned n[MAX_DOCS][MAX_TOPICS], size_t output,
                        const joint_hidden *hidden, score_law *law);

/** The same under the horseshoe, with bounded functions only; two topics. */
void joint_horseshoe_law(const joint_row *row, joint_fault fault, joint_grid grid, unsigned n[MAX_DOCS][MAX_TOPICS],
                         size_t output, const joint_hidden *hidden, score_law *law);

/** log p(Z) + log p(W | Z); with PRIOR_PSI log p(W | Z). */
double joint_log_tokens(const joint_row *row, joint_fault fault, const unsigned char *z);

/** The same with the number of tokens of each keyword that its topic drew from its keywords, as one order of them. */
double joint_log_switched_tokens(const joint_row *row, const unsigned char *z,
                                 unsigned switched[MAX_TOPICS][MAX_KEYWORDS]);

/* ---- chain side ---- */

/** Means of all quantities over a chain, and their standard errors by batches. */
typedef struct joint_measurement {
    size_t n;
    double mean[MAX_QUANTITIES], error[MAX_QUANTITIES];
} joint_measurement;

/** Run the sampler; fails the test if the library reports an error, or if the scores or the log joint of the
 * last state are not those of its assignment and coefficients. */
void joint_measure(const joint_row *row, size_t n_sweeps, unsigned seed, joint_measurement *out);

/** (measured - exact) / standard error; a quantity without spread must agree to 1e-6. */
double joint_z(const joint_measurement *measured, const double *exact, size_t i);

#endif
