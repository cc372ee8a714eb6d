/* model/training_documents.h - which documents a model was trained on, by their words.
 *
 * A model keeps a digest of the words of each training document.  It has as few bits as tell documents apart: of new ones about 1 in 16,384
 * is taken for a training document (more if there are more than 262,144 of these).  With more bits somebody who tries all combinations of
 * a few words could read short documents from them. */
#ifndef GB_MODEL_TRAINING_DOCUMENTS_H
#define GB_MODEL_TRAINING_DOCUMENTS_H

#include "model/model.h"

/** Keep the digests of the documents of a training.  @return GB_OK or GB_ENOMEM */
gb_status gb_model_note_documents(gb_model *model, const gb_corpus *corpus, gb_error *err);

/** Whether a model knows which documents it was trained on.  Files of earlier versions do not say it. */
bool gb_model_knows_training_docs(const gb_model *model);

/** Which documents have the words of a training document, in any order.  A document without words has not.
 *
 * @param docs    in the model's vocabulary
 * @param n_seen  receives how many; 0 if the model says nothing of its documents
 * @param out     receives n_docs, free it with gb_free(); untouched on failure
 * @return GB_OK or GB_ENOMEM */
gb_status gb_model_find_seen(const gb_model *model, const gb_corpus *docs, uint64_t *n_seen, bool **out,
                             gb_error *err);

#endif
