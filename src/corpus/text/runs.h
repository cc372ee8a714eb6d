/* corpus/text/runs.h - words that are runs of characters of a kind, found without a regular expression's machinery.
 *
 * Most token patterns are A+, AB+ or AB*, where A and B each stand for one character: a class in brackets, \p{...} or
 * one of \w \d \s and their opposites.  For these a table of characters is enough.  What belongs to a class is asked
 * of gb_pattern, once for each character, so the words are those that the regular expression would have found. */
#ifndef GB_CORPUS_TEXT_RUNS_H
#define GB_CORPUS_TEXT_RUNS_H

#include "corpus/data/view.h"

typedef struct gb_runs gb_runs;

/** *out is NULL when the pattern, which gb_pattern_create() has taken, is not of this form. */
gb_status gb_runs_create(gb_runs **out, const char *pattern, gb_error *err);
void gb_runs_free(gb_runs *r);

/** Begin a text (valid UTF-8, which must stay); gb_runs_next() then gives its words. */
gb_status gb_runs_begin(gb_runs *r, gb_view text, gb_error *err);
/** The next word; its text is NULL at the end. */
gb_view gb_runs_next(gb_runs *r);
/** The next words, `most` of them or all that are left.  @return how many */
size_t gb_runs_many(gb_runs *r, gb_view *word, size_t most);

#endif
