/* answer/questions.h - every question once, in the order in which they are listed. */
#ifndef GB_ANSWER_QUESTIONS_H
#define GB_ANSWER_QUESTIONS_H

#include "answer/question.h"

/* clang-format off */
#define GB_QUESTIONS(X) \
    X(topics) \
    X(topic_words) \
    X(topic_documents) \
    X(topic_shares) \
    X(document_texts) \
    X(correlations) \
    X(similarities) \
    X(prompts) \
    X(effects) \
    X(contrasts) \
    X(groups) \
    X(group_contrasts) \
    X(group_prediction) \
    X(prevalence) \
    X(prevalence_contrasts) \
    X(prevalence_permutations) \
    X(wordings) \
    X(content) \
    X(evolution) \
    X(changes) \
    X(explanation) \
    X(explanation_words) \
    X(explanation_topic_words) \
    X(nearest_documents) \
    X(evaluation) \
    X(parts) \
    X(subgroups) \
    X(predictions) \
    X(classes) \
    X(calibration) \
    X(confusion) \
    X(likelihood) \
    X(selection) \
    X(selection_scores) \
    X(description) \
    X(suspects) \
    X(verdict) \
    X(stop_words) \
    X(diagnosis) \
    X(traces)
/* clang-format on */

#define GB_DECLARE_QUESTION(name) extern const gb_question_row gb_question_##name;
GB_QUESTIONS(GB_DECLARE_QUESTION)
#undef GB_DECLARE_QUESTION

#endif
