/* fuzz.h - what the harnesses share: bytes as a file, and a file of ours whose checksum is right. */
#ifndef GB_FUZZ_H
#define GB_FUZZ_H

#include "base/hash.h"
#include "store/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FUZZ_PATH = 64 };

/** A file in memory with these bytes, and its path; close it. */
static inline int fuzz_file(const uint8_t *data, size_t size, char path[static FUZZ_PATH])
{
    const int file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size) != (ssize_t)size || lseek(file, 0, SEEK_SET) != 0)
        abort();
    (void)snprintf(path, FUZZ_PATH, "/proc/self/fd/%d", file);
    return file;
}

/** Let the checksum fit, so that what lies behind that check is reached.  @return a copy to be freed */
static inline uint8_t *fuzz_mended(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size + 1);
    char digits[GB_CHECKSUM_DIGITS + 1];
    if (copy == NULL)
        abort();
    memcpy(copy, data, size);
    if (size < GB_CHECKSUM_OFFSET + GB_CHECKSUM_DIGITS)
        return copy;
    memset(copy + GB_CHECKSUM_OFFSET, '0', GB_CHECKSUM_DIGITS);
    gb_checksum_digits(XXH3_128bits(copy, size), digits);
    memcpy(copy + GB_CHECKSUM_OFFSET, digits, GB_CHECKSUM_DIGITS);
    return copy;
}

#endif
