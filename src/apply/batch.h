/* apply/batch.h - the words of some new documents: few of the vocabulary, numbered anew so that what a draw of the model
 * says of them fits into little memory.
 *
 * Where words of topics differ by group, a word of one group is another word than the same word of another group: local numbers are those of
 * pairs, and probabilities take the place of counts, as multiples of 2^-30 (counts of one text of 2^30 words).  So they do where words are in
 * bags, whose topics have different totals: then of the largest probability that a topic has of the word, for only their proportions matter. */
#ifndef GB_APPLY_BATCH_H
#define GB_APPLY_BATCH_H

#include "counts/rows.h"
#include "model/model.h"
#include "token/token.h"

/** What is wanted of a draw. */
typedef enum gb_batch_kind {
    GB_BATCH_PHI,   /* probabilities */
    GB_BATCH_COUNTS /* counts, which token samplers read faster */
} gb_batch_kind;

typedef struct gb_batch {
    gb_batch_kind kind;
    const gb_model *model;  /* borrowed */
    const gb_draw *draw;    /* the one that the tables are of */
    size_t n_local, stride; /* stride: n_topics rounded up to whole vectors */
    uint32_t *global_of;  /* n_local: words of the vocabulary, ascending; times `width`, plus the node of the group */
    uint32_t width;       /* 1 more than there are nodes; 1 without groups */
    bool has_fixed_point; /* probabilities take the place of counts */
    double beta, beta_sum;   /* of the draw: what counts are increased by, and totals */
    gb_wording_draw wording; /* of the draw, with groups */
    uint32_t *
        word; /* n_tokens: what token samplers know words by: local numbers, or handles of rows; those of a document are
                     * in the order of the vocabulary */
    uint64_t *item;     /* n_docs: what random numbers of a document are named by: its words, wherever it stands */
    float *phi;         /* n_local x stride: topic-word probabilities, padding 0 */
    gb_rows rows;       /* n_local: topic-word counts */
    uint64_t *n_tokens; /* n_local: of each word in training */
    int64_t *n_k;       /* n_topics: of the draw */
    double *mass;       /* n_topics: 1 */
} gb_batch;

/** @param settings, first_row  of documents without a group that training had, see gb_wording_find_nodes()
 * @param out  clear it with gb_batch_clear(), also on failure */
gb_status gb_batch_create(gb_batch *out, gb_batch_kind kind, const gb_model *model, const gb_corpus *docs,
                          const gb_settings *settings, uint64_t first_row, gb_error *err);
void gb_batch_clear(gb_batch *batch);

/** Make the tables of a draw: phi_kw = (n_kw + beta) / (n_k + V beta), n_k and V of its bag, or the counts. */
gb_status gb_batch_fill(gb_batch *batch, const gb_draw *draw, size_t n_threads, gb_error *err);

/** The tables as token samplers take them. */
gb_word_block gb_batch_block(gb_batch *batch);

#endif
