/* prior/group_clusters.h - clusters of documents that may be alike, and what that does to the shares of groups.
 *
 * Given the parameters, the documents of a group are independent in the model.  If they come in clusters (passages of a speech,
 * reviews by one person), they say less of the group than as many independent documents: by the ratio of the variance of their
 * mean share when clusters are independent to that when documents are. */
#ifndef GB_PRIOR_GROUP_CLUSTERS_H
#define GB_PRIOR_GROUP_CLUSTERS_H

#include "corpus/data/corpus.h"
#include "counts/proportions.h"
#include "team/portion.h"

typedef struct gb_group_clusters {
    char *field; /* that names them */
    uint32_t n_groups;
    uint64_t *n_clusters; /* n_groups: with at least one word */
    /* only for chains, not in a model: */
    uint64_t n_parts;        /* a part is the documents of a cluster in a group; in the order of groups */
    uint32_t *part_of;       /* of all documents of the corpus; UINT32_MAX: no words */
    uint32_t *group_of_part; /* n_parts */
    uint64_t *size;          /* n_parts: documents */
} gb_group_clusters;

/**
 * The clusters of a corpus.  A document without a value is a cluster of its own.
 *
 * @param group_of  of each document
 * @param out       receives them, free them with gb_group_clusters_free(); NULL if no field has clusters
 * @return GB_OK or GB_ENOMEM
 */
gb_status gb_group_clusters_of_corpus(gb_group_clusters **out, const gb_corpus *corpus, uint32_t n_groups,
                                      const uint32_t *group_of, gb_error *err);
/** Those of a model.  @return GB_OK or GB_ENOMEM */
gb_status gb_group_clusters_create(gb_group_clusters **out, const char *field, uint32_t n_groups,
                                   const uint64_t *n_clusters, gb_error *err);
void gb_group_clusters_free(gb_group_clusters *clusters);

/**
 * By what the variance of the expected share of each topic in each group has to be multiplied: at least 1.  The interval of n - 1
 * degrees of freedom, n clusters, is in it, for quantiles that are 5 % from the ends.  1 in a group of fewer than two clusters, which
 * say nothing of others.
 *
 * @param z       counts by document
 * @param factor  receives n_groups x n_topics numbers, the same on any number of ranks
 * @return GB_OK, GB_ENOMEM or GB_ERANK
 */
gb_status gb_group_clusters_factors(const gb_group_clusters *clusters, const gb_proportions *z,
                                    const gb_portion *portion, double *factor, gb_error *err);

#endif
