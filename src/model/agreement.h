/* model/agreement.h - how far the chains of a training differ in what they predict, as run/agreement.c found at its end. */
#ifndef GB_MODEL_AGREEMENT_H
#define GB_MODEL_AGREEMENT_H

#include "model/model.h"

/** Of words: log likelihood of one half of each of some documents given the other, per token. */
typedef struct gb_words_agreement {
    uint64_t n_documents;
    size_t n_chains;
    double range; /* from the lowest chain to the highest */
    double gain;  /* of the average of all chains over the mean of one */
} gb_words_agreement;

/** Of a response. */
typedef struct gb_labels_agreement {
    uint64_t n_documents;
    bool are_held_out; /* the chains had not seen their labels yet */
    /** The mean over pairs of chains: how many documents both give the same class; of several labels, how many that one of them gives are given by
     * both; of numbers, counts and levels, the correlation of scores. */
    double same;
} gb_labels_agreement;

/** Whether chains are compared by their classes; else by their scores. */
static inline bool gb_agreement_is_of_classes(gb_task_kind task)
{
    return task == GB_TASK_BINARY || task == GB_TASK_MULTICLASS || task == GB_TASK_MULTILABEL;
}

/** @return false: it is not known, or the model has one chain */
bool gb_model_words_agreement(const gb_model *model, gb_words_agreement *out);
bool gb_model_labels_agreement(const gb_model *model, size_t response, gb_labels_agreement *out);

/** False if it cannot be what a model keeps of it. */
bool gb_agreement_is_sound(const json_t *agreement, size_t n_responses);

#endif
