/* base/deflate.h - bytes packed on their way into a stream: gzip files, and the parts of zip archives. */
#ifndef GB_BASE_DEFLATE_H
#define GB_BASE_DEFLATE_H

#include "base/status.h"

#include <stdint.h>
#include <stdio.h>

typedef struct gb_deflate gb_deflate;

typedef enum gb_deflate_kind { GB_DEFLATE_GZIP, GB_DEFLATE_RAW } gb_deflate_kind;

/** @param stream  borrowed until the end; its write errors are for its owner to find
 *  @param out     end it with gb_deflate_end(), or gb_deflate_discard() */
gb_status gb_deflate_begin(gb_deflate **out, gb_deflate_kind kind, FILE *stream, gb_error *err);
void gb_deflate_write(gb_deflate *d, const void *bytes, size_t n);

/** What has passed. */
typedef struct gb_deflate_sums {
    uint64_t n_bytes, n_packed;
    uint32_t crc;
} gb_deflate_sums;

/** Write what is left and free it.  @return what has passed */
gb_deflate_sums gb_deflate_end(gb_deflate *d);
/** Free it; accepts NULL. */
void gb_deflate_discard(gb_deflate *d);

#endif
