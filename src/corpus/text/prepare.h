/* corpus/text/prepare.h - how text becomes words: folding, word breaks, the token pattern, stop words, stems and phrases.
 *
 * What it does is kept in the corpus and in the model as a JSON object, and done again to new text:
 *   {"version": 1, "words": "text" or "counts", "lowercase": true, "token_pattern": "...", "stopwords": ["a", ...]}
 * Stop words are stored folded and sorted.  An object without "version" stands for the defaults.  Only with one of the following is
 * the version 2:
 *   "word_breaks": "icu", "stem": "english", "phrases": ["new\tyork", ...], "bags": ["title", "body", ...]
 * The last are the bags (corpus/data/bags.h) that words may be in.
 *
 * Which word stands for a stem, and which phrases there are, depends on all documents.  So while a corpus is read words stay as they are,
 * and gb_prepare_shape() comes at the end; with a vocabulary that is known before, gb_prepare_know() comes first. */
#ifndef GB_CORPUS_TEXT_PREPARE_H
#define GB_CORPUS_TEXT_PREPARE_H

#include "corpus/data/joins.h"
#include "corpus/data/read_watch.h"
#include "corpus/data/select.h"
#include "corpus/data/view.h"
#include "corpus/data/words.h"
#include "options/settings.h"

#include <jansson.h>

typedef struct gb_prepare gb_prepare;

gb_status gb_prepare_from_settings(gb_prepare **out, const gb_settings *settings, gb_read_watch *watch,
                                   gb_error *err);
gb_status gb_prepare_from_json(gb_prepare **out, const json_t *preparation, gb_error *err);
/** Add the stop words of the settings to an existing preparation: of a language, of a file, or a JSON array of them. */
gb_status gb_prepare_add_stop_words(gb_prepare *p, const char *language_or_file, gb_read_watch *watch, gb_error *err);
void gb_prepare_free(gb_prepare *p);

/** A new object, or NULL when memory runs out.  `words` is "text" or "counts". */
json_t *gb_prepare_to_json(const gb_prepare *p, const char *words);
/** Put the stop words into an empty set of words. */
gb_status gb_prepare_mark_stop_words(const gb_prepare *p, gb_words *words, gb_error *err);

/** @return GB_EARGUMENT if what is asked for needs texts: word breaks, stems or phrases.  `path` is of the documents, for the message */
gb_status gb_prepare_check_counts(const gb_prepare *p, const char *path, gb_error *err);

/** Remember a word of a list of the only words if no text has it, since the pattern divides it. */
gb_status gb_prepare_check_known(gb_prepare *p, gb_view word, gb_error *err);
/** Leave in notes what the question "suspects" says of words that were given. */
gb_status gb_prepare_notes(const gb_prepare *p, const gb_words *words, json_t *notes, gb_error *err);

/** From now on words come out as this vocabulary has them: one for all that share a stem, and phrases joined. */
gb_status gb_prepare_know(gb_prepare *p, const gb_texts *vocabulary, gb_error *err);
/** The same for a list of the only words, folded as `words` has them: with the option ngrams, those with GB_PHRASE_MARK inside are the
 * phrases. */
gb_status gb_prepare_know_only(gb_prepare *p, const gb_words *words, gb_error *err);
/** A name of another vocabulary as the known one has it, valid until the next call. */
gb_status gb_prepare_name(gb_prepare *p, gb_view name, gb_view *out, gb_error *err);
/** True if gb_prepare_shape() needs to know which tokens are neighbours. */
bool gb_prepare_needs_joins(const gb_prepare *p);
/** Without gb_prepare_know(), when all documents are there: one word for each stem, then phrases, which are kept from now on.
 *
 * @param joins  of the tokens of the documents; NULL if they were not needed */
gb_status gb_prepare_shape(gb_prepare *p, const gb_limits *limits, const gb_joins *joins, gb_words *words,
                           gb_corpus_builder *documents, gb_read_watch *watch, gb_error *err);

/** Whether each word is in a bag. */
bool gb_prepare_has_bags(const gb_prepare *p);
/** Texts and names that come are of this bag from now on; NULL: of none.
 *  @return GB_OK, or GB_EARGUMENT for a bag that there is not, or none where there are bags */
gb_status gb_prepare_in_bag(gb_prepare *p, const char *bag, gb_error *err);
/** A name as the vocabulary has it in the bag at hand, valid until the next one; as it is without one. */
gb_status gb_prepare_bag_name(gb_prepare *p, gb_view name, gb_view *out, gb_error *err);

/** Begin a text (valid UTF-8) of the bag at hand; gb_prepare_next() then gives its words. */
gb_status gb_prepare_begin(gb_prepare *p, gb_view text, gb_error *err);
/** The next word, valid until the next text; word->text is NULL at the end.  Stop words are not left out here. */
gb_status gb_prepare_next(gb_prepare *p, gb_view *word, gb_error *err);
/** The next words, `most` of them or all that are left.
 *  @param is_joined  receives whether nothing but a space, a hyphen or an apostrophe stands between a word and the one before it; NULL
 *                    unless gb_prepare_needs_joins() */
gb_status gb_prepare_many(gb_prepare *p, gb_view *word, bool *is_joined, size_t most, size_t *n, gb_error *err);
/** True if GB_WORD_BYTES can be read from the beginning of each word on. */
bool gb_prepare_pads(const gb_prepare *p);
/** One word of a list, folded like text; valid until the next fold or text. */
gb_status gb_prepare_fold(gb_prepare *p, gb_view text, gb_view *out, gb_error *err);

#endif
