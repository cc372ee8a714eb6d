/* helper_psi.h - the exact side of document priors with log weights psi, and what a chain's state says of them.
 *
 * Regressions on metadata are in helper_prevalence.c, which integrates over psi of all documents for any number of topics.
 *
 * Three documents.  With two topics psi_d is one number; psi of all documents and the means of their groups are jointly
 * normal given the precisions, so the integrals run over psi (a lattice of three axes) and over what is sampled.  With three
 * topics the mean is fixed: documents are independent given the covariance, and each has a lattice of two axes. */
#ifndef HELPER_PSI_H
#define HELPER_PSI_H

#include <stdbool.h>
#include <stddef.h>

enum { PSI_DOCS = 3, PSI_GROUPS = 4, PSI_TYPES = 2, PSI_EDGES = 4, PSI_HYPER = 8 };
enum { PSI_COLUMNS = 4, PSI_PARTS = 1, PSI_FREE = 3, PSI_COEFFICIENTS = PSI_COLUMNS * PSI_FREE, PSI_COUNTS = 16 };

typedef struct psi_edge {
    unsigned from, to, type;
    double weight;
} psi_edge;

/** Means that are a regression on metadata; what is 0 is as the library has it. */
typedef struct psi_regression {
    const char *formula;
    bool has_x, has_level, has_random; /* its terms: measurement, level, (1 | level) */
    bool is_raw;                       /* x as it is, not standardised: put into the columns of the chain */
    bool is_zero;                      /* likewise 0 */
    bool has_horseshoe;                /* of its one fixed effect; without random ones */
    double level_precision, fixed_variance, scale;
    double level_mean;
    double second[2]; /* variances of intercept and others for the second topic, as multiples; exact side alone */
} psi_regression;

/** Columns of the documents of a regression, in the order of the library. */
typedef struct psi_columns {
    size_t n, n_parts;
    int part[PSI_COLUMNS]; /* of one variance each; -1: the constant, -2: fixed */
    double row[PSI_DOCS][PSI_COLUMNS];
} psi_columns;

/** A prior.  Precisions that are 0 are sampled. */
typedef struct psi_prior {
    const char *name;
    bool is_graph, is_full;
    bool mean_is_sampled; /* logistic-normal; a graph's always are */
    bool covariance_is_sampled;
    double mean[2];     /* fixed */
    double sigma[2][2]; /* fixed */
    /* graph */
    size_t n_groups, n_types, n_edges;
    unsigned group[PSI_DOCS];
    psi_edge edge[PSI_EDGES];
    double evolution, observation;    /* 0: sampled, Gamma(3, 2) */
    const psi_regression *regression; /* logistic-normal; with a diagonal covariance all topics are alike */
} psi_prior;

/* Given assignments: how much they weigh, and what is expected. */
typedef struct psi_law {
    double evidence;
    double share[PSI_DOCS][3], square[PSI_DOCS][3]; /* theta_dk and its square */
    double product[PSI_DOCS][PSI_DOCS];             /* theta_d1 theta_e1 */
    double mean[PSI_GROUPS];                        /* of groups, first coordinate; two topics only */
    double hyper[PSI_HYPER]; /* log and 1 / (1 + x) of each precision or variance that is sampled */
    double gamma[PSI_COEFFICIENTS], gamma_square[PSI_COEFFICIENTS]; /* by columns */
    double gamma_product;                                           /* of the first two coordinates, second column */
} psi_law;

#define PSI_LEVEL_PRECISION 0.7
#define PSI_LEVEL_MEAN      0.3
#define PSI_GAMMA_SHAPE     3.0
#define PSI_GAMMA_RATE      2.0

typedef enum psi_fault {
    PSI_RIGHT,
    PSI_SIGN,     /* neighbours are pushed apart: documents of different groups have the opposite covariance */
    PSI_RANK,     /* k_e^(G / 2) in place of k_e^((G - ncc) / 2) */
    PSI_SHORT,    /* the number of tokens is taken for one less */
    PSI_NO_LEVEL, /* the level prior is not there */
    PSI_VARIANCE, /* precision taken for variance */
    /* regressions: */
    PSI_NO_COLUMN,    /* means do not see the last column */
    PSI_ONE_LEVEL,    /* each document is a level of its own of the random effect */
    PSI_ONE_SIDED,    /* of a symmetric law only the first topics have a psi */
    PSI_FIXED_AS_ONE, /* the variance of fixed effects is 1 */
    PSI_WIDE          /* the half-Cauchy law is four times as wide */
} psi_fault;

/** All laws of a corpus with these lengths; free with free(). */
typedef struct psi_table psi_table;
psi_table *psi_exact(const psi_prior *prior, const psi_columns *columns, psi_fault fault, size_t n_topics,
                     const size_t *length);
/** The law given the topics of tokens. */
const psi_law *psi_law_of(const psi_table *table, const unsigned char *z);

/** A state of a chain. */
typedef struct psi_state {
    double psi[PSI_DOCS][PSI_FREE], mean[PSI_GROUPS][2], sigma[PSI_FREE][PSI_FREE]; /* of diagonal priors too */
    double evolution[PSI_TYPES];
    double gamma[PSI_COLUMNS][PSI_FREE], variance[PSI_PARTS][PSI_FREE]; /* of a regression */
    double horseshoe[2][PSI_FREE]; /* lam^2, tau^2, whose product is the variance */
} psi_state;

/** The same quantities of a state. */
void psi_law_of_state(const psi_prior *prior, const psi_columns *columns, size_t n_topics, const psi_state *state,
                      psi_law *law);

/** log p(Z, psi, means, precisions) of a state. */
double psi_log_density(const psi_prior *prior, const psi_columns *columns, size_t n_topics, const size_t *length,
                       const unsigned char *z, const psi_state *state);

size_t psi_n_hyper(const psi_prior *prior, size_t n_topics);
/** Coordinates of psi of a document. */
size_t psi_n_free(const psi_prior *prior, size_t n_topics);

/* ---- shared with helper_prevalence.c ---- */

/** n_dk of the assignments with that number; false for a number that none has. */
bool psi_counts_of(size_t n_topics, size_t number, size_t length, double *n);
/** log IW(sigma; I, n + 2). */
double psi_log_wishart(size_t n, double sigma[4][4]);
double psi_log_gamma_density(double x, double shape, double rate);

void prevalence_exact(const psi_prior *prior, const psi_columns *columns, psi_fault fault, size_t n_topics,
                      const size_t *length, psi_law law[PSI_COUNTS][PSI_COUNTS][PSI_COUNTS]);
void prevalence_law_of_state(const psi_prior *prior, const psi_columns *columns, size_t n_topics,
                             const psi_state *state, psi_law *law);
double prevalence_log_density(const psi_prior *prior, const psi_columns *columns, size_t n_topics,
                              const size_t *length, const unsigned char *z, const psi_state *state);
size_t prevalence_n_hyper(const psi_prior *prior, size_t n_topics);

#endif
