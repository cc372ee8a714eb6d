/* helper_psi.h - the exact side of document priors with log weights psi, and what a chain's state says of them.
 *
 * Three documents.  With two topics psi_d is one number; psi of all documents and the means of their groups are jointly
 * normal given the precisions, so the integrals run over psi (a lattice of three axes) and over what is sampled.  With three
 * topics the mean is fixed: documents are independent given the covariance, and each has a lattice of two axes. */
#ifndef HELPER_PSI_H
#define HELPER_PSI_H

#include <stdbool.h>
#include <stddef.h>

enum { PSI_DOCS = 3, PSI_GROUPS = 4, PSI_TYPES = 2, PSI_EDGES = 4, PSI_HYPER = 6 };

typedef struct psi_edge {
    unsigned from, to, type;
    double weight;
} psi_edge;

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
    double evolution, observation; /* 0: sampled, Gamma(3, 2) */
} psi_prior;

/* Given assignments: how much they weigh, and what is expected. */
typedef struct psi_law {
    double evidence;
    double share[PSI_DOCS][3], square[PSI_DOCS][3]; /* theta_dk and its square */
    double product[PSI_DOCS][PSI_DOCS];             /* theta_d1 theta_e1 */
    double mean[PSI_GROUPS];                        /* of groups, first coordinate; two topics only */
    double hyper[PSI_HYPER]; /* log and 1 / (1 + x) of each precision or variance that is sampled */
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
    PSI_VARIANCE  /* precision taken for variance */
} psi_fault;

/** All laws of a corpus with these lengths; free with free(). */
typedef struct psi_table psi_table;
psi_table *psi_exact(const psi_prior *prior, psi_fault fault, size_t n_topics, const size_t *length);
/** The law given the topics of tokens. */
const psi_law *psi_law_of(const psi_table *table, const unsigned char *z);

/** A state of a chain. */
typedef struct psi_state {
    double psi[PSI_DOCS][2], mean[PSI_GROUPS][2], sigma[2][2]; /* sigma: as it is, of diagonal priors too */
    double evolution[PSI_TYPES];
} psi_state;

/** The same quantities of a state. */
void psi_law_of_state(const psi_prior *prior, size_t n_topics, const psi_state *state, psi_law *law);

/** log p(Z, psi, means, precisions) of a state. */
double psi_log_density(const psi_prior *prior, size_t n_topics, const size_t *length, const unsigned char *z,
                       const psi_state *state);

size_t psi_n_hyper(const psi_prior *prior, size_t n_topics);

#endif
