/* ask_model.h - the questions that a model answers, asked of one that may have been made to do harm. */
#ifndef GB_FUZZ_ASK_MODEL_H
#define GB_FUZZ_ASK_MODEL_H

#include "gibbous/gibbous.h"

/** How many there are: effects, words of topics, predictions, ... */
size_t fuzz_n_questions(void);

/** Ask question number `which` % fuzz_n_questions(); what is answered is not looked at.
 * @param corpus  documents, which need not be of the model's vocabulary */
void fuzz_ask_model(const gb_model *model, const gb_corpus *corpus, size_t which);

#endif
