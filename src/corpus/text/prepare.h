/* corpus/text/prepare.h - how text becomes words: folding, the token pattern, stop words.
 *
 * What it does is kept in the corpus and in the model as a JSON object, and done again to new text:
 *   {"version": 1, "words": "text" or "counts", "lowercase": true, "token_pattern": "...", "stopwords": ["a", ...]}
 * Stop words are stored folded and sorted.  An object without "version" stands for the defaults. */
#ifndef GB_CORPUS_TEXT_PREPARE_H
#define GB_CORPUS_TEXT_PREPARE_H

#include "corpus/data/view.h"
#include "corpus/data/words.h"
#include "options/settings.h"

#include <jansson.h>

typedef struct gb_prepare gb_prepare;

gb_status gb_prepare_from_settings(gb_prepare **out, const gb_settings *settings, gb_error *err);
gb_status gb_prepare_from_json(gb_prepare **out, const json_t *preparation, gb_error *err);
/** Add the stop words of the settings to an existing preparation: of a language, of a file, or a JSON array of them. */
gb_status gb_prepare_add_stop_words(gb_prepare *p, const char *language_or_file, gb_error *err);
void gb_prepare_free(gb_prepare *p);

/** A new object, or NULL when memory runs out.  `words` is "text" or "counts". */
json_t *gb_prepare_to_json(const gb_prepare *p, const char *words);
/** Put the stop words into an empty set of words. */
gb_status gb_prepare_mark_stop_words(const gb_prepare *p, gb_words *words, gb_error *err);

/** Begin a text (valid UTF-8); gb_prepare_next() then gives its words. */
gb_status gb_prepare_begin(gb_prepare *p, gb_view text, gb_error *err);
/** The next word, valid until the next text; word->text is NULL at the end.  Stop words are not left out here. */
gb_status gb_prepare_next(gb_prepare *p, gb_view *word, gb_error *err);
/** One word of a list, folded like text; valid until the next fold or text. */
gb_status gb_prepare_fold(gb_prepare *p, gb_view text, gb_view *out, gb_error *err);

#endif
