/* corpus/text/known.h - words of a text in the form that a vocabulary has: one word for all that share a stem, and phrases joined.
 *
 * A phrase is known as its words with tabs between them, and comes out with GB_PHRASE_MARK between them. */
#ifndef GB_CORPUS_TEXT_KNOWN_H
#define GB_CORPUS_TEXT_KNOWN_H

#include "corpus/data/view.h"
#include "corpus/data/words.h"

#include <jansson.h>

typedef struct gb_known gb_known;

/** Gives the words of a text, one in each call, NULL at the end; `is_joined`: nothing that divides phrases stands between it and
 * the word before. */
typedef gb_status gb_next_word(void *user, gb_view *word, bool *is_joined, gb_error *err);

/** @param language    of the stems; NULL: words stay as they are
 *  @param stop_words  array of texts: these have no stem; needed with a language only */
gb_status gb_known_create(gb_known **out, const char *language, const json_t *stop_words, gb_error *err);
void gb_known_free(gb_known *k);

/** All words with the stem of this one become this one, unless one of them was added before. */
gb_status gb_known_add_word(gb_known *k, gb_view word, gb_error *err);
/** @return GB_EFORMAT if a phrase is not 2 to GB_MOST_PHRASE_WORDS words with tabs between them */
gb_status gb_known_check_phrase(gb_view phrase, gb_error *err);
/** Add a phrase.  @return GB_OK, GB_ENOMEM, or GB_EFORMAT: it has not between 2 and GB_MOST_PHRASE_WORDS words, or is one too many */
gb_status gb_known_add_phrase(gb_known *k, gb_view phrase, gb_error *err);

/** Begin a text. */
void gb_known_begin(gb_known *k);
/** The next word or phrase of the text that `next` gives, valid as long as that text; word->text is NULL at the end. */
gb_status gb_known_next(gb_known *k, gb_next_word *next, void *user, gb_view *word, gb_error *err);

/** A name from another vocabulary: a word, or a phrase joined by GB_PHRASE_MARK; valid until the next call. */
gb_status gb_known_name(gb_known *k, gb_view name, gb_view *out, gb_error *err);

#endif
