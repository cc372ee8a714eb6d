/* corpus/text/pattern.h - finds the words of a text by a regular expression. */
#ifndef GB_CORPUS_TEXT_PATTERN_H
#define GB_CORPUS_TEXT_PATTERN_H

#include "corpus/data/view.h"

typedef struct gb_pattern gb_pattern;

/** @return GB_OK, GB_EARGUMENT (a message with the position of the fault) or GB_ENOMEM */
gb_status gb_pattern_create(gb_pattern **out, const char *expression, gb_error *err);
void gb_pattern_free(gb_pattern *p);

/** A new text of so many bytes.  All calls of gb_pattern_find() until the next text share what it may cost. */
void gb_pattern_begin(gb_pattern *p, size_t n_bytes);

/** The first match of at least one character at `from` or later, in valid UTF-8: text[*start .. *end).  *start is
 * SIZE_MAX when there is none.
 * @return GB_OK, GB_EARGUMENT (the text has cost too much since gb_pattern_begin()) or GB_ENOMEM */
gb_status gb_pattern_find(gb_pattern *p, gb_view text, size_t from, size_t *start, size_t *end, gb_error *err);

#endif
