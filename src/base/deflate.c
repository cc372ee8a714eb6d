/* base/deflate.c - bytes packed on their way into a stream, by zlib, where it was there when this was built, which asks for all of its memory at the beginning. */
#include "base/deflate.h"

#include "base/memory.h"

#ifdef GIBBOUS_HAS_ZLIB
#include <zlib.h>

enum { ROOM = 1 << 16, WINDOW_BITS = 15, GZIP_BITS = 16, MEMORY_LEVEL = 8, AT_ONCE = 1 << 30 };

struct gb_deflate {
    z_stream z;
    FILE *stream;
    gb_deflate_sums sums;
    unsigned char room[ROOM];
};

gb_status gb_deflate_begin(gb_deflate **out, gb_deflate_kind kind, FILE *stream, gb_error *err)
{
    gb_deflate *d = NULL;
    const gb_status st = gb_alloc(&d, 1, sizeof *d, "packing", err);
    if (st != GB_OK)
        return st;
    d->stream = stream;
    if (deflateInit2(&d->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED,
                     kind == GB_DEFLATE_GZIP ? WINDOW_BITS + GZIP_BITS : -WINDOW_BITS, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK) {
        gb_free(d);
        return gb_fail_memory(err, ROOM, "packing");
    }
    *out = d;
    return GB_OK;
}

/* All that zlib has to give now. */
static void drain(gb_deflate *d, int flush)
{
    do {
        d->z.next_out = d->room;
        d->z.avail_out = ROOM;
        (void)deflate(&d->z, flush);
        const size_t n = ROOM - d->z.avail_out;
        d->sums.n_packed += n;
        (void)fwrite(d->room, 1, n, d->stream);
    } while (d->z.avail_out == 0);
}

void gb_deflate_write(gb_deflate *d, const void *bytes, size_t n)
{
    const unsigned char *at = bytes;
    while (n > 0) {
        const size_t some = n < AT_ONCE ? n : AT_ONCE;
        d->sums.crc = (uint32_t)crc32(d->sums.crc, at, (uInt)some);
        d->sums.n_bytes += some;
        d->z.next_in = (unsigned char *)(uintptr_t)at; /* which zlib does not change */
        d->z.avail_in = (uInt)some;
        drain(d, Z_NO_FLUSH);
        at += some;
        n -= some;
    }
}

gb_deflate_sums gb_deflate_end(gb_deflate *d)
{
    d->z.avail_in = 0;
    drain(d, Z_FINISH);
    const gb_deflate_sums sums = d->sums;
    gb_deflate_discard(d);
    return sums;
}

void gb_deflate_discard(gb_deflate *d)
{
    if (d == NULL)
        return;
    (void)deflateEnd(&d->z);
    gb_free(d);
}

#else

gb_status gb_deflate_begin(gb_deflate **out, gb_deflate_kind kind, FILE *stream, gb_error *err)
{
    (void)out;
    (void)kind;
    (void)stream;
    return gb_fail(err, GB_EARGUMENT, "this gibbous was built without zlib and packs nothing");
}

/* There is none. */
void gb_deflate_write(gb_deflate *d, const void *bytes, size_t n)
{
    (void)d;
    (void)bytes;
    (void)n;
}

gb_deflate_sums gb_deflate_end(gb_deflate *d)
{
    (void)d;
    return (gb_deflate_sums){0};
}

void gb_deflate_discard(gb_deflate *d)
{
    (void)d;
}

#endif
