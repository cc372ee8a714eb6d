/* model/group_effects.h - topic shares of groups of documents, their differences, and what a document of a group may be about.
 *
 * Of topics that count as one, the first has the posterior of the sum; the others have the posterior that each has alone. */
#ifndef GB_MODEL_GROUP_EFFECTS_H
#define GB_MODEL_GROUP_EFFECTS_H

#include "gibbous/effects.h"

/** Find a group by its name; `group` receives its number.  @return false if there is none */
bool gb_model_find_group(const gb_model *model, const char *name, uint64_t *group);
/** Number of a group's training documents; 0 for a group that only the graph has. */
uint64_t gb_model_group_n_docs(const gb_model *model, uint64_t group);
/** The field of clusters (`cluster`) that intervals of groups allow for; NULL: they take documents as independent. */
const char *gb_model_cluster_field(const gb_model *model);
/** Number of clusters among a group's training documents; 0 without clusters. */
uint64_t gb_model_group_n_clusters(const gb_model *model, uint64_t group);

/**
 * The topic shares of groups: the expected share of each topic in a document of the group.
 *
 * @param first, n  groups first .. first + n - 1
 * @param n_threads 0: all processors that the process may use
 * @param out       receives n x n_topics posteriors, from the draws of the first chain; n_unused counts the draws of others
 * @return GB_OK, GB_ENOMEM or GB_ENUMERIC
 *
 * The expectation is over documents that the group could have under the parameters of a draw.  So a group without documents has
 * shares too, with a wider spread.  With clusters, the spread is that of clusters which are independent; of a group
 * with documents of one cluster only, all is NaN but the mean.  They are computed by quadrature, to about 1e-6; under a full covariance by simulation of
 * 4096 documents, the same for all groups.  Of topics that count as one, the first has the posterior of the sum of their shares.
 * Memory: 8 bytes for each draw, group and topic, but at most 32 MiB or what one group needs.
 */
gb_status gb_model_group_shares(const gb_model *model, uint64_t first, uint64_t n, uint64_t n_threads, gb_effect *out,
                                gb_error *err);
/** The topic shares of group a minus the topic shares of group b.  @param out  receives n_topics posteriors
 * @return GB_OK, GB_ENOMEM or GB_ENUMERIC */
gb_status gb_model_group_contrast(const gb_model *model, uint64_t a, uint64_t b, gb_effect *out, gb_error *err);

/** What a document of a group may be about, before its words are known. */
typedef struct gb_group_prediction {
    uint64_t n_topics, n_words, n_outputs;
    gb_effect *share; /* n_topics: of one document; `mean` is exact, the rest is from n_draws simulated documents */
    uint64_t *word;   /* n_words: most probable first */
    double *probability; /* n_words: of these words, for one token */
    gb_effect *score; /* n_outputs: the expected score, or number in its units, over the draws; numeric covariates at
                     their mean in training, no levels */
} gb_group_prediction;

/**
 * Predict a document of a group from the prior alone.
 *
 * @param group    may be a group without documents
 * @param n_words  number of words wanted; the answer has fewer if the model has fewer
 * @param out      receives the answer, free it with gb_group_prediction_free(); untouched on failure
 * @return GB_OK, GB_ENOMEM or GB_ENUMERIC
 *
 * Shares are from the draws of the first chain, words and scores from all chains.  Random numbers follow from the model's seed.
 */
gb_status gb_model_predict_group(const gb_model *model, uint64_t group, uint64_t n_words, gb_group_prediction **out,
                                 gb_error *err);
/** Free a group prediction with all its arrays; accepts NULL. */
void gb_group_prediction_free(gb_group_prediction *prediction);

#endif
