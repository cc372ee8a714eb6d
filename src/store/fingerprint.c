/* store/fingerprint.c - the digits of what is added to it. */
#include "store/fingerprint.h"

#include "base/memory.h"
#include "store/layout.h"

gb_status gb_fingerprint_open(XXH3_state_t **out, gb_error *err)
{
    *out = XXH3_createState();
    if (*out == NULL)
        return gb_fail_memory(err, 0, "a fingerprint");
    (void)XXH3_128bits_reset(*out);
    return GB_OK;
}

void gb_fingerprint_add(XXH3_state_t *state, const void *bytes, uint64_t n_bytes)
{
    (void)XXH3_128bits_update(state, &n_bytes, sizeof n_bytes);
    if (n_bytes > 0)
        (void)XXH3_128bits_update(state, bytes, n_bytes);
}

void gb_fingerprint_close(XXH3_state_t *state, char out[static GB_FINGERPRINT_SIZE])
{
    gb_checksum_digits(XXH3_128bits_digest(state), out);
    XXH3_freeState(state);
}
