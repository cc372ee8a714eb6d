/* answer/counterparts.h - which topic of one model is which topic of another: any two models, whatever their words and numbers of topics. */
#ifndef GB_ANSWER_COUNTERPARTS_H
#define GB_ANSWER_COUNTERPARTS_H

#include "answer/topic_labels.h"

/** Not a topic: the other model has none that is near enough. */
#define GB_NO_COUNTERPART UINT64_MAX

/** Topics that are listed, by the numbers of the first of a union. */
typedef struct gb_counterparts {
    uint64_t n_topics, n_earlier;
    uint64_t *earlier; /* n_topics: the topic of the earlier model, or GB_NO_COUNTERPART */
    double *agreement; /* n_topics: the Bhattacharyya coefficient of the pair, 0 to 1; NaN without one */
    uint64_t *later;   /* n_earlier: the other way round */
} gb_counterparts;

/**
 * @param labels, earlier  of the first chains, with all words of the models
 * @param out              clear it with gb_counterparts_clear(), also on failure
 * @return GB_OK or GB_ENOMEM
 *
 * The Hellinger distance of two topics is sqrt(1 - sum over w of sqrt(p_w q_w)), over the words that both models have, by their spelling.  Topics are
 * paired so that the sum of squared distances is the smallest; a pair counts if its distance is below half of the median distance between
 * different topics of the earlier model.
 */
gb_status gb_counterparts_find(const gb_topic_labels *labels, const gb_topic_labels *earlier, gb_counterparts *out,
                               gb_error *err);
void gb_counterparts_clear(gb_counterparts *counterparts);

#endif
