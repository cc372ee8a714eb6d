/* corpus/text/stem.h - stems of words, by a Snowball algorithm of libstemmer. */
#ifndef GB_CORPUS_TEXT_STEM_H
#define GB_CORPUS_TEXT_STEM_H

#include "corpus/data/view.h"

typedef struct gb_stemmer gb_stemmer;

/** @param language  "english" or "en", ...
 *  @return GB_OK, GB_ENOMEM, or GB_EARGUMENT: no such language, or built without libstemmer */
gb_status gb_stemmer_create(gb_stemmer **out, const char *language, gb_error *err);
void gb_stemmer_free(gb_stemmer *s);

/** The stem of a folded word, valid until the next call. */
gb_status gb_stem(gb_stemmer *s, gb_view word, gb_view *stem, gb_error *err);

#endif
