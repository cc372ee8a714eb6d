/* corpus/data/select.h - which words of a training corpus stay: limits on how many documents a word is in, and on how many
 * words there are. */
#ifndef GB_CORPUS_DATA_SELECT_H
#define GB_CORPUS_DATA_SELECT_H

#include "corpus/data/words.h"
#include "options/settings.h"

/** A number of documents, given as a count or as a share of all. */
typedef struct gb_limit {
    bool is_share;
    double value;
} gb_limit;

typedef struct gb_limits {
    gb_limit min_df, max_df, phrase_min_df;
    uint64_t max_vocabulary; /* 0: no limit */
} gb_limits;

typedef enum gb_word_order { GB_ORDER_KEEP, GB_ORDER_BYTES, GB_ORDER_NUMBERS } gb_word_order;

enum gb_drop { GB_DROP_MIN_DF, GB_DROP_MAX_DF, GB_DROP_MAX_VOCABULARY, GB_N_DROPS };

typedef struct gb_word_selection {
    uint32_t *kept; /* the old numbers in their new order */
    size_t n_kept;
    uint32_t *map; /* old number -> new one, or UINT32_MAX */
    uint64_t n_dropped[GB_N_DROPS], n_tokens_dropped[GB_N_DROPS];
} gb_word_selection;

/** Read --min-df, --max-df, --phrase-min-df and --max-vocabulary: "5" is a count, "0.05" and "1.0" are shares. */
gb_status gb_limits_read(gb_limits *out, const gb_settings *settings, gb_error *err);
/** The smallest number of documents, of so many, with which a phrase stays and is no rare word. */
uint64_t gb_limits_phrase_documents(const gb_limits *limits, uint64_t n_documents);

/** Choose among the words of the documents in a builder, and order them; words that never occur go without being
 * counted as dropped. */
gb_status gb_select_words(gb_word_selection *out, const gb_words *words, const gb_corpus_builder *documents,
                          const gb_limits *limits, gb_word_order order, gb_error *err);
void gb_word_selection_free(gb_word_selection *s);

#endif
