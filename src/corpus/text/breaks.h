/* corpus/text/breaks.h - a text cut into words by the rules of Unicode and the dictionaries of ICU, for writing without spaces. */
#ifndef GB_CORPUS_TEXT_BREAKS_H
#define GB_CORPUS_TEXT_BREAKS_H

#include "corpus/data/view.h"

typedef struct gb_breaks gb_breaks;

/** @return GB_OK, GB_ENOMEM, or GB_EARGUMENT: built without ICU, or ICU lacks its data */
gb_status gb_breaks_create(gb_breaks **out, gb_error *err);
void gb_breaks_free(gb_breaks *b);

/** Begin a text (valid UTF-8, which must stay); gb_breaks_next() then gives its pieces. */
gb_status gb_breaks_begin(gb_breaks *b, gb_view text, gb_error *err);
/** The next piece that is a word, a number or the like, no space or punctuation; its text is NULL at the end. */
gb_view gb_breaks_next(gb_breaks *b);

#endif
