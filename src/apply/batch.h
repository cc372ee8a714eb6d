/* apply/batch.h - the words of some new documents: few of the vocabulary, numbered anew so that their rows of phi fit into
 * little memory. */
#ifndef GB_APPLY_BATCH_H
#define GB_APPLY_BATCH_H

#include "model/model.h"

typedef struct gb_batch {
    const gb_model *model;  /* borrowed */
    const gb_draw *draw;    /* the one that phi is of */
    size_t n_local, stride; /* stride: n_topics rounded up to whole vectors */
    uint32_t *global_of;    /* n_local: words of the vocabulary, ascending */
    uint32_t *word;         /* n_tokens: local numbers */
    float *phi;             /* n_local x stride: topic-word probabilities, padding 0 */
} gb_batch;

/** @param out  clear it with gb_batch_clear(), also on failure */
gb_status gb_batch_create(gb_batch *out, const gb_model *model, const gb_corpus *docs, gb_error *err);
void gb_batch_clear(gb_batch *batch);

/** Make phi that of a draw: phi_kw = (n_kw + beta) / (n_k + V beta). */
gb_status gb_batch_fill(gb_batch *batch, const gb_draw *draw, size_t n_threads, gb_error *err);

#endif
