/* answer/topic_wordings.h - draws of the words of a topic in each group of documents, of a model whose groups word topics differently. */
#ifndef GB_ANSWER_TOPIC_WORDINGS_H
#define GB_ANSWER_TOPIC_WORDINGS_H

#include "answer/question.h"
#include "gibbous/effects.h"
#include "model/model.h"

typedef struct gb_topic_wordings {
    const gb_model *model;
    uint32_t n_groups;
    size_t n_draws, n_words; /* n_words: the most frequent of the topic */
    uint64_t *word;
    double *phi;  /* n_draws x n_groups x n_words */
    double *mean; /* n_groups x n_words */
    double *room; /* n_draws */
} gb_topic_wordings;

/** @param out  clear it with gb_topic_wordings_clear(), also on failure  @return GB_OK or GB_ENOMEM */
gb_status gb_topic_wordings_make(gb_topic_wordings *out, const gb_model *model, size_t topic, gb_error *err);
void gb_topic_wordings_clear(gb_topic_wordings *t);

/** Name of a group, valid as long as the model. */
static inline const char *gb_topic_wordings_group(const gb_topic_wordings *t, uint32_t group)
{
    return gb_wording_group(&t->model->wording, group).text; /* a NUL follows */
}

/** log of the probability of a word in one group, less the mean of the same over other groups.
 * @param other  NULL: all but the group; else n_other of them */
gb_effect gb_topic_wordings_log_ratio(gb_topic_wordings *t, size_t word, uint32_t group, size_t n_other,
                                      const uint32_t *other);

#endif
