/* answer/topic_quality.h - exclusivity, coherence and diversity of a model's topics. */
#ifndef GB_ANSWER_TOPIC_QUALITY_H
#define GB_ANSWER_TOPIC_QUALITY_H

#include "answer/topic_labels.h"

/** Of each topic a number; NaN where it does not apply: of words that no document has, of topics that are not listed or empty, of the exclusivity
 * of topics that count as one. */
typedef struct gb_topic_quality {
    uint64_t n_listed, n_top;                /* topics that are listed and not empty, and words of each */
    uint64_t n_docs;                         /* in which words were counted */
    double *exclusivity, *umass, *npmi, *cv; /* n_topics; the last three NULL without gb_has_reference() */
    double diversity;
} gb_topic_quality;

/** The options that are read. */
#define GB_TOPIC_QUALITY_OPTIONS "reference coherence-words coherence-window format text unpack-factor threads"

/** Whether there are documents in which words are counted: the option `reference`, or those of the subject among which to look. */
bool gb_has_reference(const gb_asked *asked);

/** @param labels   of the topics of the first chain
 *  @param quality  clear it with gb_topic_quality_clear(), also on failure
 *  @return GB_OK, GB_EARGUMENT, GB_EFORMAT, GB_EIO, GB_ESTOP or GB_ENOMEM */
gb_status gb_topic_quality_find(gb_topic_quality *quality, const gb_asked *asked, const gb_topic_labels *labels,
                                gb_error *err);
void gb_topic_quality_clear(gb_topic_quality *quality);
/** Say the means over the topics. */
void gb_note_topic_quality(gb_table *table, const gb_topic_quality *quality, const gb_topic_labels *labels,
                           const char *reference);

#endif
