/* base/text.h - numbers and names as users write them; independent of the locale of the calling program. */
#ifndef GB_BASE_TEXT_H
#define GB_BASE_TEXT_H

#include "base/status.h"
#include "gibbous/output.h" /* gb_text_quote(), gb_text_nearest() */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum gb_number {
    GB_NUMBER_OK,
    GB_NUMBER_BAD,  /* not a number from the first byte to the last */
    GB_NUMBER_HUGE, /* a number, but too large for the type */
} gb_number;

/** An optional sign and decimal digits, nothing else.  *out is untouched unless the result is GB_NUMBER_OK.
 */
gb_number gb_text_to_int(const char *text, int64_t *out);

/** A decimal number with "." as its point, exponent allowed; no spaces, no hexadecimal, no NaN or infinity.
 */
gb_number gb_text_to_real(const char *text, double *out);

enum { GB_REAL_SIZE = 32 };

/** The shortest decimal text that reads back as the same number. */
void gb_text_from_real(double value, char out[static GB_REAL_SIZE]);

/** Whether no two of n texts are the same, in about n log n steps whatever they are: a hostile file could make all of them fall into one bucket of a
 * hash table.
 *
 * @return GB_OK or GB_ENOMEM */
gb_status gb_text_all_differ(size_t n, const char *const *text, bool *out, gb_error *err);

/** True when the bytes are well-formed UTF-8. */
bool gb_text_is_utf8(const char *text, size_t length);

/** True when UTF-8 has control characters in it, tabs and line ends among them. */
bool gb_text_has_controls(const char *text, size_t length);

#endif
