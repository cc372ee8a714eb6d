/* corpus/data/encoding.h - texts that are not UTF-8: what they become, and what they look like. */
#ifndef GB_CORPUS_DATA_ENCODING_H
#define GB_CORPUS_DATA_ENCODING_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gb_decoder gb_decoder;

/** @param encoding  as iconv knows it, also with dashes that it does not have (latin-1)
 *  @return GB_OK, GB_EARGUMENT (no such encoding) or GB_ENOMEM */
gb_status gb_decoder_open(gb_decoder **out, const char *encoding, gb_error *err);
void gb_decoder_close(gb_decoder *d);

/**
 * Turn more bytes into UTF-8, behind what a buffer has; the beginning of a character at their end waits for the next.
 *
 * @param is_last  nothing comes behind them
 * @param bad_at   receives for GB_EFORMAT how many bytes of all so far are good
 * @return GB_OK, GB_EFORMAT without a message, or GB_ENOMEM
 */
gb_status gb_decoder_put(gb_decoder *d, const char *bytes, size_t n, bool is_last, char **buffer, size_t *capacity,
                         size_t *end, uint64_t *bad_at, gb_error *err);

enum { GB_MARK_BYTES = 4 };

/** The encoding that a byte order mark at the beginning tells, and the mark's length; NULL: none.
 *  @param n  GB_MARK_BYTES, or all that there are */
const char *gb_encoding_by_mark(const char *bytes, size_t n, size_t *length);

/** True for the names of UTF-8 and for "auto". */
bool gb_encoding_is_utf8(const char *encoding);

/** What a text looks like that is not UTF-8: the name of an encoding; or NULL if it is mostly UTF-8.
 *  @param bytes  some kilobytes of it, with what is wrong */
const char *gb_likely_encoding(const char *bytes, size_t n);

#endif
