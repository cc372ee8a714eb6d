/* model/old_words.h - models from before coefficients of words were kept apart (model/word_effects.h): all their draws have them all,
 * in double precision.  When such a file is read they are brought into the form of now. */
#ifndef GB_MODEL_OLD_WORDS_H
#define GB_MODEL_OLD_WORDS_H

#include "model/model.h"

/** What is kept in the form of now. */
typedef struct gb_old_words gb_old_words;

/** True if the file has the coefficients of words so. */
bool gb_old_words_are_in(const gb_model *model, const gb_store *store);

/** Bytes of memory that the form of now takes. */
uint64_t gb_old_words_bytes(const gb_model *model);

/**
 * Bring the parameters of all draws into the form of now.
 *
 * @param model  its parameters are those of the file, read and checked
 * @param sizes  of the parameters now
 * @return GB_OK, GB_EFORMAT (the message says why) or GB_ENOMEM
 */
gb_status gb_old_words_take(gb_model *model, const gb_store *store, const gb_parameter_sizes *sizes, gb_error *err);

void gb_old_words_free(gb_old_words *words);

#endif
