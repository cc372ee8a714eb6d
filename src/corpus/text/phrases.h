/* corpus/text/phrases.h - a set of phrases, each of two words or more, and where a text has them.
 *
 * Words are numbers here.  A text is divided from its beginning to its end: at each word the longest phrase that begins there is
 * taken, and the search goes on behind it; so no token is in two phrases. */
#ifndef GB_CORPUS_TEXT_PHRASES_H
#define GB_CORPUS_TEXT_PHRASES_H

#include "corpus/data/pairs.h"

#include <stddef.h>

enum {
    GB_MOST_PHRASE_WORDS = 5,    /* as the option ngrams says */
    GB_MOST_PHRASES = 500 * 1000 /* what the description in a file can hold (corpus_file.c) */
};

/** What stands between the words of a phrase in the vocabulary. */
#define GB_PHRASE_MARK "_"

/** Start from {0}; release with gb_phrases_free(). */
typedef struct gb_phrases {
    /* of n words: (number at n - 1, last word), where at 1 a word is its own number */
    gb_pairs begin[GB_MOST_PHRASE_WORDS + 1];
    uint32_t *
        phrase[GB_MOST_PHRASE_WORDS + 1]; /* by number at n: the phrase, or GB_NO_PAIR if longer ones only begin so */
    size_t capacity[GB_MOST_PHRASE_WORDS + 1];
    uint32_t count;
} gb_phrases;

/** Add a phrase of 2 to GB_MOST_PHRASE_WORDS words.  A new one gets the next number, from 0.  @return GB_OK, GB_ENOMEM, or
 * GB_EFORMAT if it is one too many */
gb_status gb_phrases_add(gb_phrases *p, const uint32_t *word, size_t n, uint32_t *phrase, gb_error *err);
/** Take a phrase out that was added; the others keep their numbers. */
void gb_phrases_remove(gb_phrases *p, const uint32_t *word, size_t n);
/** The longest phrase with which word[0], word[1], ... word[n - 1] begin.  @return its length, or 0 */
size_t gb_phrases_match(const gb_phrases *p, const uint32_t *word, size_t n, uint32_t *phrase);
void gb_phrases_free(gb_phrases *p);

#endif
