/* corpus/text/passages.h - sentences of a text that have some of its tokens, as people read them. */
#ifndef GB_CORPUS_TEXT_PASSAGES_H
#define GB_CORPUS_TEXT_PASSAGES_H

#include "base/status.h"
#include "corpus/data/corpus.h"

#include <jansson.h>

typedef struct gb_passages gb_passages;

/** @param vocabulary   of the tokens
 *  @param preparation  how texts became these tokens; both are borrowed until it is freed */
gb_status gb_passages_create(gb_passages **out, const gb_texts *vocabulary, const json_t *preparation, gb_error *err);
void gb_passages_free(gb_passages *p);

/** The sentences in which the first to the last of some tokens stand, if they are no longer than a reader wants; else as much of them.  What
 * is left out is "...".  Without markup and line breaks.
 *
 * @param text      of a document
 * @param token     n_tokens: of the same document
 * @param first, n  the tokens of the passage, n > 0
 * @param out       receives a text, free it with gb_free(), or NULL: other tokens come out of this text
 * @return GB_OK, GB_ENOMEM or GB_EARGUMENT (words cannot be found in the text) */
gb_status gb_passages_find(gb_passages *p, gb_view text, const uint32_t *token, uint64_t n_tokens, uint64_t first,
                           uint64_t n, char **out, gb_error *err);

/** Part of a text between blanks, in which n tokens from number `first` on stand; n is 0 for words that are no tokens. */
typedef gb_status gb_on_piece(void *user, gb_view piece, uint64_t first, uint64_t n, gb_error *err);

/** All of a text in pieces, to its end.
 *
 * @param found  receives whether the tokens come out of this text, one in most pieces; else there is no call
 * @return as gb_passages_find(), or what `on_piece` returns other than GB_OK, which ends it */
gb_status gb_passages_divide(gb_passages *p, gb_view text, const uint32_t *token, uint64_t n_tokens,
                             gb_on_piece *on_piece, void *user, bool *found, gb_error *err);

/** A text on one line, without the markup of pages.  @param out  free it with gb_free() */
gb_status gb_text_for_reading(gb_view text, char **out, gb_error *err);

#endif
