/* corpus/data/words.h - numbers for words: a set that gives each new text the next number, from 0. */
#ifndef GB_CORPUS_DATA_WORDS_H
#define GB_CORPUS_DATA_WORDS_H

#include "corpus/data/corpus.h"
#include "corpus/data/view.h"

typedef struct gb_words gb_words;

#define GB_NO_WORD   UINT32_MAX       /* not in the set */
#define GB_STOP_WORD (UINT32_MAX - 1) /* a stop word: in the set, without a number */

enum { GB_MANY_WORDS = 64, GB_WORD_BYTES = 16 };

gb_status gb_words_create(gb_words **out, gb_error *err);
void gb_words_free(gb_words *w);

/** Make a text that is not in the set yet a stop word; one that is in it is left as it is. */
gb_status gb_words_add_stop_word(gb_words *w, gb_view text, gb_error *err);
/** The number of a text, which is added if it is new (copied). */
gb_status gb_words_add(gb_words *w, gb_view text, uint32_t *number, gb_error *err);
/** The same for GB_MANY_WORDS texts or fewer at once, which is quicker: their places are fetched side by side.
 *  @param is_padded  from the beginning of each text on, GB_WORD_BYTES can be read, whatever they are */
gb_status gb_words_add_many(gb_words *w, const gb_view *text, size_t n, bool is_padded, uint32_t *number,
                            gb_error *err);
/** Add the words of a model, which get the numbers that they have there; the set has stop words at most.  @return GB_OK, GB_ENOMEM, or
 * GB_EFORMAT if a word is a stop word or stands in the vocabulary twice: the words after it would get other numbers */
gb_status gb_words_add_vocabulary(gb_words *w, const gb_texts *vocabulary, gb_error *err);
/** The number of a text, or GB_NO_WORD. */
uint32_t gb_words_find(gb_words *w, gb_view text);
void gb_words_find_many(gb_words *w, const gb_view *text, size_t n, bool is_padded, uint32_t *number);

/** Bytes of memory. */
uint64_t gb_words_bytes(const gb_words *w);
/** Numbers given so far; stop words have none. */
uint32_t gb_words_count(const gb_words *w);
/** A NUL follows the text. */
gb_view gb_words_text(const gb_words *w, uint32_t number);
/** Have it on its way into the cache. */
void gb_words_fetch(const gb_words *w, uint32_t number);
/** How many different stop words gb_words_add() and gb_words_find() have met. */
uint64_t gb_words_stop_words_met(const gb_words *w);

#endif
