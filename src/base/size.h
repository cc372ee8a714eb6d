/* base/size.h - amounts of memory as text. */
#ifndef GB_BASE_SIZE_H
#define GB_BASE_SIZE_H

#include "base/status.h"

#include <stdint.h>

enum { GB_SIZE_TEXT = 32 };

/** "1.2 GiB": two digits, or three before the point. */
void gb_size_to_text(uint64_t n_bytes, char out[static GB_SIZE_TEXT]);

/** Read --memory-limit: a number of bytes, or of K, M, G or T (KiB, ... too); "" is no limit, UINT64_MAX. */
gb_status gb_size_from_text(const char *text, uint64_t *out, gb_error *err);

#endif
