/* corpus/data/view.h - small helpers for pieces of text that have a length and no terminating NUL. */
#ifndef GB_CORPUS_DATA_VIEW_H
#define GB_CORPUS_DATA_VIEW_H

#include "base/status.h"
#include "corpus/data/texts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A piece of text in somebody else's memory. */
typedef struct gb_view {
    const char *text;
    size_t length;
} gb_view;

/** A growing block of bytes; start from {0}, release with gb_free(b.data). */
typedef struct gb_bytes {
    char *data;
    size_t length, capacity;
} gb_bytes;

gb_status gb_bytes_add(gb_bytes *b, const void *data, size_t length, gb_error *err);

/** Length of the longest valid beginning: all of `length` when the text is UTF-8 without NUL bytes. */
size_t gb_text_valid_length(const char *text, size_t length);

gb_view gb_view_of(const char *text);
bool gb_view_is(gb_view v, const char *text);
/** Without the spaces, tabs and line ends around it. */
gb_view gb_view_trim(gb_view v);
/** True for what programs write for a missing value besides NA: NaN, None, null, N/A and the like. */
bool gb_view_is_none(gb_view v);
/** True for what stands for a missing value: nothing, NA, ? or one of those. */
bool gb_view_is_missing(gb_view v);

/** Whether a list with commas between its items, such as the option missing, has this value; blanks around both do not matter. */
bool gb_view_is_in(gb_view v, const char *list);

/** The two arguments of "%.*s" that show a value, or its beginning, in a message. */
#define GB_SHOWN(v) gb_text_shown((v).text, (v).length), (v).text

/** Digits only; false when it is anything else or does not fit. */
bool gb_view_to_u64(gb_view v, uint64_t *out);

/** A finite decimal number from the first byte to the last, as gb_text_to_real() takes it. */
bool gb_view_to_real(gb_view v, double *out);

/** True for a number with a comma in the place of the decimal point, and points between thousands: -1.234,5. */
bool gb_view_has_decimal_comma(gb_view v);

/** "#3" is column number 2; false for every other name. */
bool gb_column_number(const char *name, size_t *column);

#endif
