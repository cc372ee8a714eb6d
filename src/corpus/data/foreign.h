/* corpus/data/foreign.h - files that are no text, known by their first bytes, and what makes text of them. */
#ifndef GB_CORPUS_DATA_FOREIGN_H
#define GB_CORPUS_DATA_FOREIGN_H

#include <stddef.h>

enum { GB_FOREIGN_BYTES = 96 };

/** "is a ... file; ..." for a file that this program does not read, else NULL.
 *  @param head  its first bytes, GB_FOREIGN_BYTES or all of them */
const char *gb_foreign_file(const char *head, size_t n);
/** The same of the first line of a text that is not what its name says. */
const char *gb_foreign_text(const char *line, size_t n);

#endif
