/* corpus/text/find_phrases.h - which words of documents form phrases, and the documents with these phrases as words.
 *
 * A phrase is two words or more that stand side by side in at least `least_documents` documents, and at least `least_score` times
 * as often as by chance.  For n tokens in all, the score of a phrase that is cut in two is
 *
 *   n * tokens(phrase) / (tokens(first part) * tokens(second part)),                                       (1)
 *
 * and the score of the phrase is that of the cut where it is smallest.  For two words this is the score of word2phrase (Mikolov
 * and others, 2013) without its discount.  Only phrases that stay in so many documents after all have been joined, the longest
 * first from left to right, are kept. */
#ifndef GB_CORPUS_TEXT_FIND_PHRASES_H
#define GB_CORPUS_TEXT_FIND_PHRASES_H

#include "corpus/data/joins.h"
#include "corpus/data/read_watch.h"
#include "corpus/data/words.h"
#include "corpus/text/phrases.h"

typedef struct gb_phrase_rule {
    size_t most_words; /* 2 to GB_MOST_PHRASE_WORDS */
    uint64_t least_documents;
    double least_score;
} gb_phrase_rule;

/**
 * Find the phrases of the documents and put them into these as words.
 *
 * @param words   their numbers; gets the phrases
 * @param joins   of the tokens of the documents
 * @param texts   receives an array of all phrases, each the text of its words with tabs between them, in the order of bytes; the caller
 *                owns the reference
 * @return GB_OK, GB_ENOMEM, GB_ESTOP, or GB_EFORMAT: too many phrases
 *
 * Memory: gb_find_phrases_bytes(), and the phrases.  Cost: one pass over the tokens for each of
 * the words that a phrase may have, and more where the counts need more memory at once.
 */
gb_status gb_find_phrases(const gb_phrase_rule *rule, gb_words *words, const gb_joins *joins,
                          gb_corpus_builder *documents, gb_read_watch *watch, json_t **texts, gb_error *err);

/** Bytes that it takes for so many tokens at most, without what it finds: 4 for each, and then 6 for each or 25 MB. */
uint64_t gb_find_phrases_bytes(uint64_t n_tokens);

#endif
