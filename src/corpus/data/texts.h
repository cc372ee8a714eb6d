/* corpus/data/texts.h - names inside a corpus: ids, words and classes. */
#ifndef GB_CORPUS_DATA_TEXTS_H
#define GB_CORPUS_DATA_TEXTS_H

#include <stddef.h>

/** What is wrong with a name, as the end of a sentence ("is not valid UTF-8"), or NULL if it may stand in a
 * corpus: UTF-8 without control characters, which would break lines of tables or reach the user's terminal.
 */
const char *gb_text_fault(const char *text, size_t length);

/** Order by bytes, shorter first; negative, zero or positive. */
int gb_text_compare(const char *a, size_t a_length, const char *b, size_t b_length);

/** How many bytes of a name to show in a message: all, or some 60 that do not cut a character. */
int gb_text_shown(const char *text, size_t length);

#endif
