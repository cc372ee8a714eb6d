/* corpus/text/languages.h - the languages that stop words and stems know, by code and by name. */
#ifndef GB_CORPUS_TEXT_LANGUAGES_H
#define GB_CORPUS_TEXT_LANGUAGES_H

#include "corpus/data/view.h"

/** The code of a language: "de" for "de", "German" and "german".
 *
 * @return a constant; NULL if there is no such language */
const char *gb_language_code(gb_view name);

#endif
