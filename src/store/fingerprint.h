/* store/fingerprint.h - the digits of what is added to it, one thing after the other (XXH3-128). */
#ifndef GB_STORE_FINGERPRINT_H
#define GB_STORE_FINGERPRINT_H

#include "base/hash.h"
#include "base/status.h"

#include <stdint.h>

enum { GB_FINGERPRINT_SIZE = 33 };

/** @return GB_OK or GB_ENOMEM */
gb_status gb_fingerprint_open(XXH3_state_t **out, gb_error *err);
/** Adds the length too, so that "a", "bc" is not "ab", "c". */
void gb_fingerprint_add(XXH3_state_t *state, const void *bytes, uint64_t n_bytes);
/** The digits and a NUL; the state is freed. */
void gb_fingerprint_close(XXH3_state_t *state, char out[static GB_FINGERPRINT_SIZE]);

#endif
