/* prior/prior.h - document priors: how topics are shared out within a document.
 *
 * A document prior hands out one weight per topic; a token takes topic k with probability proportional to
 *     weight_k x (word factor) x (response factor),   weight_k = base_k + unit n_dk^{-n}                   (1)
 * Dirichlet: base = alpha, unit = 1 (proportions integrated out).  Priors that keep their proportions as a
 * state (uniform; logistic-normal, graph) have unit = 0.  Samplers see base and unit and nothing else of a prior.
 *
 * Three things make up a prior.  The setup: what is decided before a chain runs, shared by all chains and kept in the
 * model.  The values: parameters that a chain learns, a few tables of numbers, one copy in every draw of the model.  The
 * state: what a chain keeps for its documents, or an application for the document at hand.  docs/adding-a-prior.md shows
 * how to add a prior. */
#ifndef GB_PRIOR_PRIOR_H
#define GB_PRIOR_PRIOR_H

#include "base/arrays.h"
#include "base/text.h"
#include "base/watch.h"
#include "corpus/data/corpus.h"
#include "counts/proportions.h"
#include "design/sparse_columns.h"
#include "options/priors.h"
#include "options/settings.h"
#include "prior/groups.h"
#include "prior/notes.h"
#include "random/random.h"
#include "team/portion.h"

#include <stdbool.h>

typedef struct gb_prior_ops gb_prior_ops;
struct gb_new_groups;     /* prior/new_groups.h */
struct gb_new_groups_how; /* likewise */
struct gb_formula;        /* design/formula.h */

/** A parameter: a row-major table of numbers. */
typedef struct gb_prior_table {
    const char *name;         /* in files and draws: "alpha" */
    size_t n_rows, n_columns; /* n_rows 0: a list of n_columns numbers */
    double *value;
} gb_prior_table;

enum { GB_PRIOR_MAX_TABLES = 4 };

/** All parameters that are learned. */
typedef struct gb_prior_values {
    size_t n_tables;
    gb_prior_table table[GB_PRIOR_MAX_TABLES];
} gb_prior_values;

/** What is decided before a chain runs. */
typedef struct gb_prior_setup {
    const gb_prior_ops *ops;
    size_t n_topics;
    size_t n_named;        /* the first topics, whose learned alpha is held near that of the others */
    gb_prior_values start; /* where chains start; none in a model */
    void *own;             /* of the prior */
} gb_prior_setup;

/** A prior at work: of a chain, or without documents and portion of a draw that is applied to new documents.  On several
 * ranks its state is for the documents of this rank, and its values are the same everywhere: whatever is drawn for all
 * documents follows from sums over all of them, gb_team_add_rows() or gb_team_sum(), and from numbers named without a rank. */
typedef struct gb_prior {
    const gb_prior_ops *ops;
    const gb_prior_setup *setup; /* borrowed */
    size_t n_topics;
    const gb_portion *portion; /* which documents are here; borrowed; NULL: all */
    uint64_t n_docs;           /* here */
    size_t n_threads;
    gb_isa isa;
    gb_prior_values values;
    void *state;                            /* of the prior */
    const struct gb_new_groups *new_groups; /* of the documents that it is applied to; borrowed; NULL: none */
} gb_prior;

/** What an update may use. */
typedef struct gb_prior_sweep {
    gb_proportions *z;     /* counted by document if the prior asks for that; its tally is the prior's to make */
    const uint16_t *topic; /* of all tokens, for the tally */
    gb_key key;
    uint32_t sweep;
    bool in_burn_in; /* steps that only a burn-in may take are allowed */
    gb_watch *watch; /* asked by what takes long, which ends with GB_ESTOP when it says so; NULL: nobody is asked */
} gb_prior_sweep;

/** A document that is not one of the chain's. */
typedef struct gb_prior_document {
    uint32_t group;
    gb_key key;
    uint32_t sweep;
    uint64_t row;          /* names its random numbers, with the sweep */
    const uint32_t *count; /* n_topics: n_dk */
    uint64_t length;       /* N_d */
    double *numbers;       /* n_numbers(): what the prior keeps of it */
    double *base;          /* n_topics: its base weights, written by begin() and redraw() */
} gb_prior_document;

/** What a prior with groups of documents knows of them. */
typedef struct gb_prior_group_ops {
    /** The groups; may give NULL: all documents are of one, without a name. */
    const gb_groups *(*groups)(const gb_prior_setup *setup);
    /** Training documents of each. */
    const uint64_t *(*sizes)(const gb_prior_setup *setup);
    /** The field that names clusters of training documents, and how many each group has; NULL: documents are independent.  If there are
     * clusters, the values have a table "cluster_factor", see prior/group_clusters.h. */
    const char *(*clusters)(const gb_prior_setup *setup, const uint64_t **n_clusters);
    /** The group of one of the chain's documents. */
    uint32_t (*of_document)(const gb_prior *prior, uint64_t doc);
    /** The group of each document of a corpus, also of groups that are not there: see gb_new_groups_find(). */
    gb_status (*find)(struct gb_new_groups **out, const gb_prior_setup *setup, const struct gb_new_groups_how *how,
                      const gb_corpus *corpus, uint32_t *group, gb_error *err);
    /** Make new groups suit the values of a prior that is applied, and make the prior know them. */
    gb_status (*set_new)(struct gb_new_groups *groups, gb_prior *prior, gb_error *err);
    /** The formula by which every document has a mean, being a group of its own; NULL: there is none.  May be NULL. */
    const struct gb_formula *(*formula)(const gb_prior_setup *setup);
    /** Expected topic shares of documents with these columns of the formula, averaged over the rows of each set, which have as many rows;
     * n_sets x n_topics numbers.  Levels of random effects are new ones.  NULL without formula. */
    gb_status (*shares_of_rows)(const gb_prior_setup *setup, const gb_prior_values *values, size_t n_sets,
                                const gb_sparse_columns *set, double *share, gb_error *err);
    /** Expected topic shares of documents of n groups, n x n_topics numbers. */
    gb_status (*shares)(const gb_prior_setup *setup, const gb_prior_values *values, size_t n, const uint32_t *group,
                        size_t n_threads, double *share, gb_error *err);
} gb_prior_group_ops;

/** How a prior deals with documents that are not a chain's, its parameters given. */
typedef struct gb_prior_document_ops {
    /** Numbers that a document keeps between draws of its topics, a multiple of 8; NULL: none, its base weights stay. */
    size_t (*n_numbers)(const gb_prior_setup *setup);
    /** Numbers of scratch memory for redraw(), aligned to 64 bytes; NULL: none. */
    size_t (*n_scratch)(const gb_prior_setup *setup);
    /** Start a document: its numbers and base weights.  The counts are not read. */
    void (*begin)(const gb_prior *prior, const gb_prior_document *document);
    /** Make numbers and base weights suit the first topics, which were drawn with unit 1 and the base of begin(); NULL for a
     * prior that begins with its own unit. */
    void (*adopt)(const gb_prior *prior, const gb_prior_document *document);
    /** Redraw the numbers of n documents given their counts, and their base weights with them; NULL without numbers.
     * All have one key and one sweep.  Some at once are faster than one after the other, with the same outcome. */
    void (*redraw)(const gb_prior *prior, size_t n, const gb_prior_document *document, double *scratch);
    /** What a token's topic depends on where expected counts stand for those of all tokens: topic k with a probability proportional to
     * (base_k - unit_k r) phi_kw, r what the token itself counts in expected_k.  NULL: base weights and unit with them.
     * @param expected  n_topics numbers; NULL: before the first token
     * @param unit      receives n_topics numbers above 0; document->base the others, document->numbers what the next call reads */
    void (*settle)(const gb_prior *prior, const gb_prior_document *document, const double *expected, double *unit,
                   double *scratch);
    /** Expected topic shares of a document of a group of which nothing is known, and how they vary together.
     * @param eta     n_topics x n_scores: coefficients, those of a topic together
     * @param room    2 n_topics + n_scores numbers
     * @param share   receives n_topics numbers
     * @param answer  receives n_topics x n_scores numbers: the covariance of the shares, times the coefficients */
    void (*expect)(const gb_prior *prior, uint32_t group, size_t n_scores, const double *eta, double *room,
                   double *share, double *answer);
    /** Topic shares of a document of a group, drawn from the prior. */
    void (*draw_shares)(const gb_prior *prior, uint32_t group, gb_random *random, double *share);
} gb_prior_document_ops;

struct gb_prior_ops {
    const char *name;
    double unit;         /* of (1) */
    bool base_is_shared; /* base weights are the same for all documents */
    bool by_document; /* update() and log_probability() read counts by document; else log_probability() the tally */
    const gb_prior_group_ops *groups; /* NULL: documents have no groups */
    const gb_prior_document_ops *documents;

    /* ---- setup ---- */

    /** From options and training documents; fills `own` and creates `start`.
     * @param corpus  NULL: there are none, as for simulated ones
     * @param out     ops and n_topics are set; cleared by the caller on failure */
    gb_status (*configure)(const gb_settings *settings, const gb_corpus *corpus, gb_prior_setup *out, gb_error *err);
    /** The option that the user left open and whose value is decided now; returns its name and writes its value, or returns
     * NULL.  May be NULL. */
    const char *(*decided)(const gb_prior_setup *setup, const gb_settings *settings, char value[static GB_REAL_SIZE]);
    /* The next three are NULL for a prior that has no `own`. */
    /** What a model keeps of the setup.  @return GB_OK or GB_ENOMEM */
    gb_status (*describe)(const gb_prior_setup *setup, gb_notes *out, gb_error *err);
    /** The opposite; nothing in the notes is trusted.  @return GB_OK, GB_EFORMAT or GB_ENOMEM */
    gb_status (*from_notes)(const gb_notes *notes, gb_prior_setup *out, gb_error *err);
    void (*clear_own)(void *own);
    /** Names and sizes of the parameters, without values. */
    gb_prior_values (*shape)(const gb_prior_setup *setup);
    /** GB_EFORMAT if values that were read from a file cannot be parameters of this prior; the message says why. */
    gb_status (*check)(const gb_prior_setup *setup, const gb_prior_values *values, gb_error *err);
    /** Base weights added up, for the number of topics that a document may have; infinite: nearly as many as it can. */
    double (*concentration)(const gb_prior_setup *setup);

    /* ---- a chain ---- */

    /* The first four are NULL for a prior that keeps nothing but its values. */
    /** Make the state; the values are there.  Memory comes from gb_prior_allocate(), which reads the list. */
    gb_status (*create)(gb_prior *prior, gb_error *err);
    /** List the arrays of the state.  Without a state (prior->state NULL) those that there would be, for estimates. */
    void (*list)(gb_prior *prior, const gb_array_visitor *visitor);
    /** Free what the state has and the list has not, before the arrays of the list go; NULL: nothing. */
    void (*free_state)(gb_prior *prior);
    /** Values and saved arrays were set from a file: make everything else suit them. */
    gb_status (*restore)(gb_prior *prior, gb_error *err);
    /** Base weights of one of the chain's documents, n_topics values: written to `room`, or elsewhere. */
    const double *(*base)(const gb_prior *prior, uint64_t doc, double *room);
    /** Make the state and the values suit the topics that a chain starts with, which were drawn as if proportions were
     * Dirichlet(gb_prior_start_weight()); NULL for a prior whose own weights these were drawn with. */
    gb_status (*adopt_start)(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err);
    /** Redraw the prior's own part of the state given the topics. */
    gb_status (*update)(gb_prior *prior, const gb_prior_sweep *sweep, gb_error *err);
    /** log p(Z, state, values): given the counts, by document or as a tally. */
    gb_status (*log_probability)(gb_prior *prior, const gb_proportions *z, double *out, gb_error *err);
};

/** Dirichlet parameters, added up, of proportions that no chain has drawn yet. */
#define GB_PRIOR_START_SUM 10.0

/** One of them, if all are alike. */
static inline double gb_prior_start_weight(size_t n_topics)
{
    return GB_PRIOR_START_SUM / (double)n_topics;
}

/** Unit of (1) for the first topics of a document outside a chain. */
static inline double gb_prior_first_unit(const gb_prior_ops *ops)
{
    return ops->documents->adopt == NULL ? ops->unit : 1;
}

const gb_prior_ops *gb_prior_find(const char *name);

/**
 * The setup that options and a corpus ask for.
 *
 * @param corpus  NULL: there are no documents
 * @param out     clear it with gb_prior_setup_clear(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (options of another prior), GB_EFORMAT or GB_ENOMEM
 */
gb_status gb_prior_setup_resolve(const gb_settings *settings, const gb_corpus *corpus, gb_prior_setup *out,
                                 gb_error *err);
/** The groups of documents, or NULL. */
static inline const gb_groups *gb_prior_groups(const gb_prior_setup *setup)
{
    return setup->ops->groups == NULL ? NULL : setup->ops->groups->groups(setup);
}
/** The formula of a regression on metadata, or NULL. */
static inline const struct gb_formula *gb_prior_formula(const gb_prior_setup *setup)
{
    const gb_prior_group_ops *groups = setup->ops->groups;
    return groups == NULL || groups->formula == NULL ? NULL : groups->formula(setup);
}
/** A copy for a model: without what is for chains. */
gb_status gb_prior_setup_copy(const gb_prior_setup *setup, gb_prior_setup *out, gb_error *err);
/** Numbers that a document outside a chain keeps, and of scratch memory for a redraw; both may be 0. */
static inline size_t gb_prior_document_numbers(const gb_prior_setup *setup)
{
    return setup->ops->documents->n_numbers == NULL ? 0 : setup->ops->documents->n_numbers(setup);
}
static inline size_t gb_prior_scratch(const gb_prior_setup *setup)
{
    return setup->ops->documents->n_scratch == NULL ? 0 : setup->ops->documents->n_scratch(setup);
}
/** A setup as it was described.  @param out  clear it with gb_prior_setup_clear(); untouched on failure */
gb_status gb_prior_setup_from_notes(const gb_prior_ops *ops, size_t n_topics, const gb_notes *notes,
                                    gb_prior_setup *out, gb_error *err);
void gb_prior_setup_clear(gb_prior_setup *setup);

/** Room for the parameters, all 0. */
gb_status gb_prior_values_create(const gb_prior_setup *setup, gb_prior_values *out, gb_error *err);
void gb_prior_values_copy(const gb_prior_values *from, gb_prior_values *to);
void gb_prior_values_clear(gb_prior_values *values);
uint64_t gb_prior_values_bytes(const gb_prior_setup *setup);
/** A gb_list_arrays. */
void gb_prior_values_list(void *values, const gb_array_visitor *v);
/** The numbers of the table of that name, or NULL. */
const double *gb_prior_values_of(const gb_prior_values *values, const char *name);
static inline size_t gb_prior_table_size(const gb_prior_table *table)
{
    return (table->n_rows == 0 ? 1 : table->n_rows) * table->n_columns;
}

/**
 * A prior at work.  All ranks make theirs at the same time, and call update(), log_probability() and so on together.
 *
 * @param setup      of all documents; borrowed
 * @param values     copied; NULL: where chains start
 * @param portion    borrowed; NULL: all documents are here
 * @param n_docs     of this rank; 0 without a portion: for other documents than a chain's
 */
gb_status gb_prior_create(gb_prior *out, const gb_prior_setup *setup, const gb_prior_values *values,
                          const gb_portion *portion, uint64_t n_docs, size_t n_threads, gb_isa isa, gb_error *err);
/** Whether it is of a chain, whose documents may all be elsewhere. */
static inline bool gb_prior_is_of_chain(const gb_prior *prior)
{
    return prior->n_docs > 0 || prior->portion != NULL;
}
void gb_prior_clear(gb_prior *prior);
/** The same without memory: for estimates of it. */
gb_prior gb_prior_size(const gb_prior_setup *setup, uint64_t n_docs, size_t n_threads);
/** A gb_list_arrays: values and state. */
void gb_prior_list(void *prior, const gb_array_visitor *v);
/** For create(): allocate what is listed and not there yet. */
gb_status gb_prior_allocate(gb_prior *prior, gb_error *err);
/**
 * Check values and state as they were read from a file, and make everything else suit them.
 *
 * @return GB_OK, GB_EFORMAT (values that cannot be) or another failure of the prior's own
 */
gb_status gb_prior_restore(gb_prior *prior, gb_error *err);

#define GB_PRIOR_DECLARED(identifier, name) extern const gb_prior_ops gb_prior_##identifier;
GB_PRIORS(GB_PRIOR_DECLARED, GB_PRIOR_DECLARED)
#undef GB_PRIOR_DECLARED

#endif
