/* edits.h - a file of ours that the harness made, with a few numbers changed: so that every input is nearly a good file, and always one of the
 * present format.
 *
 * An edit is an offset of two bytes, a byte that says how much is written, and what is written. */
#ifndef GB_FUZZ_EDITS_H
#define GB_FUZZ_EDITS_H

#include "fuzz.h"

#include <stdbool.h>

typedef struct fuzz_bytes {
    uint8_t *bytes;
    size_t n;
} fuzz_bytes;

enum { MOST_EDITS = 12, IN_ARRAYS = 0x80, ANYTHING = 8 };

static inline void fuzz_write_number(uint8_t *to, size_t room, uint8_t which)
{
    static const uint64_t numbers[] = {0,
                                       1,
                                       2,
                                       UINT64_MAX,
                                       (uint64_t)1 << 63,
                                       (uint64_t)1 << 32,
                                       (uint64_t)1 << 24,
                                       UINT32_MAX,
                                       INT64_MAX,
                                       0x7ff8000000000000U,  /* not a number */
                                       0x7ff0000000000000U,  /* infinite */
                                       0xbff0000000000000U,  /* -1 */
                                       0x7fefffffffffffffU}; /* the largest */
    const uint64_t number = numbers[which % (sizeof numbers / sizeof *numbers)];
    memcpy(to, &number, room < sizeof number ? room : sizeof number);
}

/** A copy of a good file with the edits that `data` asks for; free its bytes. */
static inline fuzz_bytes fuzz_edited(fuzz_bytes good, const uint8_t *data, size_t size)
{
    fuzz_bytes out = {malloc(good.n), good.n};
    uint64_t header = 0;
    if (out.bytes == NULL)
        abort();
    memcpy(out.bytes, good.bytes, good.n);
    memcpy(&header, good.bytes, good.n < sizeof header ? 0 : sizeof header);
    for (int i = 0; i < MOST_EDITS && size >= 4; i++) {
        const size_t given = (size_t)data[0] | (size_t)data[1] << 8, n = data[2] % (ANYTHING + 1);
        const size_t arrays = sizeof header + header;
        const size_t at =
            (data[2] & IN_ARRAYS) != 0 && arrays < good.n ? arrays + 8 * given % (good.n - arrays) : given % good.n;
        const size_t room = good.n - at;
        if (n == ANYTHING)
            fuzz_write_number(out.bytes + at, room, data[3]);
        else
            for (size_t b = 0; b < n && b < room && 3 + b < size; b++)
                out.bytes[at + b] = data[3 + b];
        const size_t used = n == ANYTHING ? 4 : 3 + n;
        data += used < size ? used : size;
        size -= used < size ? used : size;
    }
    return out;
}

/** The bytes of a file, which must be there. */
static inline fuzz_bytes fuzz_read(const char *path)
{
    enum { MOST = 1 << 20 };
    fuzz_bytes out = {malloc(MOST), 0};
    FILE *file = fopen(path, "rbe");
    if (file == NULL || out.bytes == NULL)
        abort();
    out.n = fread(out.bytes, 1, MOST, file);
    (void)fclose(file);
    return out;
}

static inline void fuzz_write(const char *path, fuzz_bytes content)
{
    FILE *file = fopen(path, "wbe");
    if (file == NULL || fwrite(content.bytes, 1, content.n, file) != content.n || fclose(file) != 0)
        abort();
}

#endif
