/* prior/group_means_parts.h - shared by the files that draw group means and their precisions; private to them. */
#ifndef GB_PRIOR_GROUP_MEANS_PARTS_H
#define GB_PRIOR_GROUP_MEANS_PARTS_H

#include "math/sparse_ldl.h"
#include "prior/group_means.h"

/** What is known of a component of the graph. */
typedef struct gb_component {
    uint32_t n_groups, start; /* its groups are member[start] ... */
    bool has_documents;
} gb_component;

/** A of one set of precisions, factored: see group_means.c. */
typedef struct gb_group_factor {
    gb_ldl *ldl;
    double *made_of;    /* n_types + 1: evolution precisions and k_o, or NaN */
    double *level_path; /* n_groups, by place: a of (5) */
    double *level_gain; /* n_components: b of (5) */
} gb_group_factor;

/** Two sums over documents of a group. */
typedef struct gb_group_sums {
    double first, second;
} gb_group_sums;

/** The documents of this rank that are of one part and one group: those from `start` on in work.doc, until the next cell. */
typedef struct gb_group_cell {
    uint64_t start;
    size_t first_task, last_task; /* of group_shift.c, that have some of them */
    uint32_t group;
} gb_group_cell;

/** Scratch memory of group_shift.c; without documents, none. */
typedef struct gb_group_shift {
    double *total;       /* n_docs: sum of the weights of a document */
    double *odds;        /* n_docs, by groups: theta / (1 - theta) of the topic at hand */
    double *count;       /* n_groups x n_free: tokens */
    gb_group_sums *part; /* of task i and cell j, those that meet: part[i + j] */
    gb_group_sums *sum;  /* n_groups */
    double *now, *next, *mode, *noise, *tilt, *curvature, *vector, *factor; /* n_groups */
} gb_group_shift;

/** Documents of a task of it. */
enum { GB_SHIFT_DOCS_PER_TASK = 1024 };

struct gb_group_means_work {
    size_t n_threads, n_factors;
    uint32_t *group_of; /* n_docs */
    uint64_t *doc;      /* n_docs: by parts, in each by groups, in their order */
    size_t most_cells, n_cells;
    gb_group_cell *cell; /* n_cells + 1: in that order, the last one empty */
    size_t *cells_end;   /* where the cells of each part end */
    int64_t *size;       /* n_groups: documents of all ranks */
    gb_component *component;
    uint32_t *member;        /* n_groups; by components, ascending in each */
    uint32_t *component_at;  /* n_groups; by place */
    gb_group_factor *factor; /* one, or one for each thread (per_topic) */
    double **scratch;        /* for each thread: n_groups + n_components vectors of GB_LDL_LANES, n_free and more */
    gb_group_shift shift;
    uint32_t shift_period; /* sweeps from one to the next */
    double log_weights;    /* log |reduced Laplacian| with all precisions 1 if it is a power product (8), else NaN */
    gb_watch *watch;       /* of the sweep at hand; borrowed */
};

/** Whether a factor may be made, which takes a second where thousands of groups have edges in all directions.
 * @return GB_OK or GB_ESTOP */
gb_status gb_group_means_look(const gb_group_means *m, size_t worker, gb_error *err);

/** The numbers that the list of arrays needs, without memory: for estimates of it. */
void gb_group_means_size(gb_group_means *out, struct gb_group_means_work *work, const gb_graph *graph,
                         const gb_portion *portion, uint64_t n_docs, size_t n_free,
                         const gb_group_means_settings *settings, size_t n_threads);

/** Documents in the order of their groups: work.group_of to work.size.  @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_group_means_sort(gb_group_means *m, const uint32_t *group_of, gb_error *err);

/** Sums over the documents of a cell, into numbers that are 0. */
typedef void gb_cell_sum(const void *context, const gb_group_cell *cell, double *sum);
/** Sums over the documents of each group, on all ranks.
 * @param out  receives n_groups x width numbers; 0 in groups without documents
 * @return GB_OK, GB_ENOMEM or GB_ERANK */
gb_status gb_group_means_sum(const gb_group_means *m, size_t width, gb_cell_sum *of_cell, const void *context,
                             double *out, gb_error *err);

/** Rank of sum_r k_r Lap_r: groups less components. */
size_t gb_group_means_rank(const gb_group_means *m);

/**
 * Factor k_o diag(n_g) + sum_r k_r Lap_r of a set of precisions into factor number `f`, with an anchor where that is
 * singular.
 *
 * @param evolution  n_types numbers
 * @param observation  k_o; 0: as without documents
 * @param log_reduced  receives log |reduced Laplacian| if observation is 0; may be NULL
 * @return false if it is not positive definite
 */
bool gb_group_means_factor(const gb_group_means *m, gb_group_factor *f, const double *evolution, double observation,
                           double *log_reduced);

/** The same with a number for each group in place of k_o n_g: above 0 in groups with documents.  Not remembered. */
bool gb_group_means_factor_for(const gb_group_means *m, gb_group_factor *f, const double *evolution,
                               const double *curvature);

/** Sweeps from one shift to the next: a shift costs no more than a few redraws of psi, shared out. */
uint32_t gb_group_shift_period(const gb_group_means *m);

/** x = C^{-1} x. */
void gb_whiten(size_t n, const double *factor, double *x);

/** k_r of a set of precisions; NULL without edges, when there is no array to point into. */
static inline double *gb_group_means_evolution(const gb_group_means *m, size_t set)
{
    return m->graph->n_types == 0 ? NULL : m->evolution + set * m->graph->n_types;
}

#endif
