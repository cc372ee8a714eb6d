/* corpus/text/one_character.h - patterns of one character each, for a build without PCRE2: \p{L}, \P{Lu}, \w, \d, \s, \x{200C}, and sets
 * of those in brackets.  Properties are general categories; scripts are not known. */
#ifndef GB_CORPUS_TEXT_ONE_CHARACTER_H
#define GB_CORPUS_TEXT_ONE_CHARACTER_H

#include <stdbool.h>
#include <stdint.h>

/** Whether the pattern is one of them. */
bool gb_one_character_is_known(const char *pattern);
/** @param pattern  one that is known
 * @return whether the character matches */
bool gb_one_character_has(const char *pattern, int32_t character);

#endif
