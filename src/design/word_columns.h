/* design/word_columns.h - the words of documents as columns.
 *
 * With n_dw how often word w occurs in document d, and df_w in how many of the D training documents:
 *
 *     tfidf      x_dw = (1 + log n_dw) idf_w^r / |x_d|,  idf_w = 1 + log((1 + D) / (1 + df_w)), r its power
 *     presence   x_dw = 1 if the word occurs
 *     counts     x_dw = n_dw
 *     shares     x_dw = n_dw / N_d,                      N_d: the tokens of d whose words are not left out
 *
 * A word that no training document has is left out: its weight is 0.  So is, for presence, a word that all have.  A document without
 * words is 0. */
#ifndef GB_DESIGN_WORD_COLUMNS_H
#define GB_DESIGN_WORD_COLUMNS_H

#include "corpus/data/corpus.h"
#include "design/sparse_columns.h"

typedef enum gb_word_value {
    GB_WORD_TFIDF,
    GB_WORD_PRESENCE,
    GB_WORD_COUNTS,
    GB_WORD_SHARES,
    GB_N_WORD_VALUES
} gb_word_value;

/** "tfidf", "presence", "counts", "shares"; GB_N_WORD_VALUES for another name. */
const char *gb_word_value_name(gb_word_value value);
gb_word_value gb_word_value_find(const char *name);

/** The weights of words: idf_w^r of tfidf, else 1; 0 of a word that is left out.
 * @param idf_power  r, of tfidf; with 1 it is what everybody calls TF-IDF
 * @param out        receives n_words numbers, free it with gb_free()
 * @return GB_OK or GB_ENOMEM */
gb_status gb_word_weights(const gb_corpus *training, gb_word_value value, double idf_power, double **out,
                          gb_error *err);

/** The columns of one document that are not 0.
 * @param word, count  its n different words and how often each occurs
 * @param column, value  receive them; room for n
 * @return their number */
uint64_t gb_word_row(gb_word_value kind, const double *weight, uint64_t n, const uint32_t *word,
                     const uint32_t *count, uint32_t *column, double *value);

/** A column for each word.
 *
 * @param docs  in the vocabulary of the training documents
 * @param out   clear it with gb_sparse_columns_clear(); untouched on failure
 * @return GB_OK, GB_EARGUMENT (documents that 32 bits cannot number) or GB_ENOMEM */
gb_status gb_word_columns(const gb_corpus *docs, gb_word_value value, const double *weight, gb_sparse_columns *out,
                          gb_error *err);

#endif
