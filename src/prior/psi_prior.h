/* prior/psi_prior.h - what the priors with log weights psi have in common: logistic-normal and graph.
 *
 * They differ only in what they are made of, which is decided before a chain runs: the groups of documents, the graph of
 * the groups, and which parameters are fixed.  Everything after that is theirs together: psi_setup.c and psi_notes.c (before
 * a chain), psi_state.c, psi_update.c and psi_density.c (a chain), psi_documents.c (other documents). */
#ifndef GB_PRIOR_PSI_PRIOR_H
#define GB_PRIOR_PSI_PRIOR_H

#include "prior/group_clusters.h"
#include "prior/group_means.h"
#include "prior/prevalence.h"
#include "prior/prior.h"
#include "prior/psi.h"

/** Tables of values, see gb_psi_shape(). */
enum { GB_PSI_MEAN, GB_PSI_SPREAD, GB_PSI_EVOLUTION, GB_PSI_VARIANCE = GB_PSI_EVOLUTION };

/** Means that are a regression on metadata. */
typedef struct gb_psi_regression {
    gb_formula *formula; /* owned */
    gb_prevalence_parts parts;
    gb_sparse_columns columns; /* of all documents; only for chains */
} gb_psi_regression;

/** gb_prior_setup.own of these priors. */
typedef struct gb_psi_setup {
    bool is_full;                  /* covariance of the topics; else diagonal */
    bool is_symmetric;             /* all topics alike, see psi.h */
    bool has_horseshoe;            /* of fixed effects, see prevalence.h */
    gb_psi_regression *regression; /* NULL: means are those of groups; owned */
    gb_psi_update update;
    gb_groups *groups; /* of documents; NULL: all are of one group, which has no name */
    uint32_t n_groups;
    uint64_t *group_size;        /* n_groups: training documents of each; NULL without groups */
    gb_group_clusters *clusters; /* NULL: documents are independent */
    size_t n_types;              /* of edges: each has a precision */
    char **type;                 /* n_types names */
    /* only for chains, not in a model: */
    gb_graph *graph;
    uint32_t *group_of;       /* of all documents of the corpus; NULL: all are of group 0 */
    bool mean_is_fixed;       /* at gb_prior_setup.start */
    bool covariance_is_fixed; /* likewise; a full one */
    gb_group_means_settings means;
} gb_psi_setup;

static inline size_t gb_psi_n_free(const gb_prior_setup *setup)
{
    return setup->n_topics - !((const gb_psi_setup *)setup->own)->is_symmetric;
}

/** Sets of precisions: one for each topic, or one for all. */
size_t gb_psi_n_sets(const gb_prior_setup *setup);
/** The table "cluster_factor", n_groups x n_topics numbers; NULL without clusters. */
double *gb_psi_cluster_factors(const gb_prior_setup *setup, const gb_prior_values *values);
/** By gb_psi_update. */
extern const char *const gb_psi_update_names[GB_N_PSI_UPDATES];
bool gb_psi_find_update(const char *name, gb_psi_update *out);
/** @return GB_OK, GB_EFORMAT if n x n symmetric numbers are not positive definite, or GB_ENOMEM */
gb_status gb_psi_check_covariance(size_t n, const double *sigma, gb_error *err);

/* ---- for configure() ---- */

/** out->own, with the options that all these priors have: covariance, update and level. */
gb_status gb_psi_configure(const gb_settings *settings, gb_prior_setup *out, gb_error *err);
/** out->start, when groups, graph and precisions are known: means at the level, precisions where they start, a full
 * covariance at the identity. */
gb_status gb_psi_start(gb_prior_setup *out, gb_error *err);
/** A full covariance, which is at its start: "sample", a variance for all topics, or a file. */
gb_status gb_psi_set_covariance(const char *text, gb_prior_setup *out, gb_error *err);
/** own->regression by that formula, which is taken over even on failure. */
gb_status gb_psi_take_formula(gb_psi_setup *own, gb_formula *formula, gb_error *err);
/** own->type and n_types. */
gb_status gb_psi_copy_types(gb_psi_setup *own, size_t n_types, const char *const *type, gb_error *err);

/* ---- members of gb_prior_ops ---- */

/** Of a regression: psi_rows.c. */
gb_status gb_psi_rows_find(struct gb_new_groups **out, const gb_prior_setup *setup,
                           const struct gb_new_groups_how *how, const gb_corpus *corpus, uint32_t *group,
                           gb_error *err);
gb_status gb_psi_rows_set(struct gb_new_groups *groups, gb_prior *prior, gb_error *err);
const gb_formula *gb_psi_formula(const gb_prior_setup *setup);
gb_status gb_psi_shares_of_rows(const gb_prior_setup *setup, const gb_prior_values *values, size_t n_sets,
                                const gb_sparse_columns *set, double *share, gb_error *err);

gb_status gb_psi_describe(const gb_prior_setup *setup, gb_notes *out, gb_error *err);
gb_status gb_psi_from_notes(const gb_notes *notes, gb_prior_setup *out, gb_error *err);
void gb_psi_clear_own(void *setup);
const gb_groups *gb_psi_groups(const gb_prior_setup *setup);
const uint64_t *gb_psi_group_sizes(const gb_prior_setup *setup);
const char *gb_psi_group_clusters(const gb_prior_setup *setup, const uint64_t **n_clusters);
uint32_t gb_psi_group_of(const gb_prior *prior, uint64_t doc);
gb_status gb_psi_group_shares(const gb_prior_setup *setup, const gb_prior_values *values, size_t n,
                              const uint32_t *group, size_t n_threads, double *share, gb_error *err);
gb_prior_values gb_psi_shape(const gb_prior_setup *setup);
gb_status gb_psi_check(const gb_prior_setup *setup, const gb_prior_values *values, gb_error *err);
double gb_psi_concentration(const gb_prior_setup *setup);
gb_status gb_psi_create(gb_prior *prior, gb_error *err);
void gb_psi_free_state(gb_prior *prior);
void gb_psi_list(gb_prior *prior, const gb_array_visitor *v);
gb_status gb_psi_restore(gb_prior *prior, gb_error *err);
const double *gb_psi_base(const gb_prior *prior, uint64_t doc, double *room);
gb_status gb_psi_adopt_start(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err);
gb_status gb_psi_update_prior(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err);
gb_status gb_psi_log_probability(gb_prior *prior, const gb_proportions *z, double *out, gb_error *err);

extern const gb_prior_document_ops gb_psi_document_ops;
/** The same, and documents may be of new groups. */
extern const gb_prior_document_ops gb_graph_document_ops;

#endif
