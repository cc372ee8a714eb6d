/* base/inflate.h - bytes unpacked that gzip packed, with the checksum and the length of each member checked. */
#ifndef GB_BASE_INFLATE_H
#define GB_BASE_INFLATE_H

#include "base/status.h"

#include <stdbool.h>

typedef struct gb_inflate gb_inflate;

/** Whether bytes are the beginning of a gzip file.  No text in UTF-8 begins like that. */
bool gb_inflate_knows(const void *bytes, size_t n);

/** @param out  free it with gb_inflate_free() */
gb_status gb_inflate_begin(gb_inflate **out, gb_error *err);
/** Accepts NULL. */
void gb_inflate_free(gb_inflate *f);

/** True when all that was put has been taken: put the next bytes. */
bool gb_inflate_is_hungry(const gb_inflate *f);
/** @param bytes  packed, borrowed until it is hungry again; none (n = 0) is the end of the file */
void gb_inflate_put(gb_inflate *f, const void *bytes, size_t n);
/** Unpack some; *n is 0 when it is hungry, or at the end of the file.  Members follow each other as if they were one.
 * @param bytes  where they are, until the next call
 * @return GB_OK, GB_ENOMEM, or GB_EFORMAT with what is wrong: damage, a file that ends within a member, and anything but
 *         members and zeros after the first */
gb_status gb_inflate_take(gb_inflate *f, const void **bytes, size_t *n, gb_error *err);

#endif
