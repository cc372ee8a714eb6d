/* base/inflate.c - bytes unpacked that gzip packed, where zlib was there when this was built.  It compares the checksum and the length at the end of each member. */
#include "base/inflate.h"

#include "base/memory.h"

enum { MAGIC_0 = 0x1f, MAGIC_1 = 0x8b };

bool gb_inflate_knows(const void *bytes, size_t n)
{
    const unsigned char *b = bytes;
    return n >= 2 && b[0] == MAGIC_0 && b[1] == MAGIC_1;
}

#ifdef GIBBOUS_HAS_ZLIB
#include <limits.h>
#include <string.h>
#include <zlib.h>

enum { ROOM = 1 << 16, WINDOW_BITS = 15, GZIP_BITS = 16 };

struct gb_inflate {
    z_stream z;
    bool in_member; /* some bytes of a member were taken, and its end was not */
    bool in_zeros;  /* after the last member: what fills up the last block of a tape or a device */
    bool at_end;    /* nothing more will be put */
    unsigned char room[ROOM];
};

gb_status gb_inflate_begin(gb_inflate **out, gb_error *err)
{
    gb_inflate *f = NULL;
    const gb_status st = gb_alloc(&f, 1, sizeof *f, "unpacking", err);
    if (st != GB_OK)
        return st;
    if (inflateInit2(&f->z, WINDOW_BITS + GZIP_BITS) != Z_OK) {
        gb_free(f);
        return gb_fail_memory(err, ROOM, "unpacking");
    }
    f->in_member = true;
    *out = f;
    return GB_OK;
}

void gb_inflate_free(gb_inflate *f)
{
    if (f == NULL)
        return;
    (void)inflateEnd(&f->z);
    gb_free(f);
}

bool gb_inflate_is_hungry(const gb_inflate *f)
{
    return f->z.avail_in == 0 && !f->at_end;
}

void gb_inflate_put(gb_inflate *f, const void *bytes, size_t n)
{
    f->z.next_in = (unsigned char *)(uintptr_t)bytes; /* which zlib does not change */
    f->z.avail_in = (uInt)(n < UINT_MAX ? n : UINT_MAX);
    f->at_end = n == 0;
}

/* Between two members, or after the last.  @return GB_EFORMAT for bytes that are neither a member nor zeros */
static gb_status begin_member(gb_inflate *f, gb_error *err)
{
    while (f->z.avail_in > 0 && f->z.next_in[0] == 0) {
        f->in_zeros = true;
        f->z.next_in++;
        f->z.avail_in--;
    }
    if (f->z.avail_in == 0)
        return GB_OK;
    if (f->in_zeros || f->z.next_in[0] != MAGIC_0)
        return gb_fail(err, GB_EFORMAT, "bytes after its end that gzip did not write");
    (void)inflateReset(&f->z);
    f->in_member = true;
    return GB_OK;
}

static gb_status unpack_some(gb_inflate *f, gb_error *err)
{
    const int code = inflate(&f->z, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR)
        return gb_fail_memory(err, ROOM, "unpacking");
    if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR)
        return gb_fail(err, GB_EFORMAT, "%s", f->z.msg == NULL ? "it cannot be unpacked" : f->z.msg);
    f->in_member = code != Z_STREAM_END;
    return GB_OK;
}

gb_status gb_inflate_take(gb_inflate *f, const void **bytes, size_t *n, gb_error *err)
{
    gb_status st = GB_OK;
    f->z.next_out = f->room;
    f->z.avail_out = ROOM;
    /* what zlib holds back for want of room comes without new bytes; its end may need one more call */
    do
        st = f->in_member ? unpack_some(f, err) : begin_member(f, err);
    while (st == GB_OK && f->z.avail_out > 0 && f->z.avail_in > 0);
    *bytes = f->room;
    *n = ROOM - f->z.avail_out;
    if (st == GB_OK && *n == 0 && f->at_end && f->in_member)
        st = gb_fail(err, GB_EFORMAT, "truncated gzip input");
    return st;
}

#else

gb_status gb_inflate_begin(gb_inflate **out, gb_error *err)
{
    (void)out;
    return gb_fail(err, GB_EFORMAT, "packed by gzip, which this gibbous, built without zlib, does not unpack");
}

/* There is none. */
void gb_inflate_free(gb_inflate *f)
{
    (void)f;
}

bool gb_inflate_is_hungry(const gb_inflate *f)
{
    (void)f;
    return true;
}

void gb_inflate_put(gb_inflate *f, const void *bytes, size_t n)
{
    (void)f;
    (void)bytes;
    (void)n;
}

gb_status gb_inflate_take(gb_inflate *f, const void **bytes, size_t *n, gb_error *err)
{
    (void)f;
    (void)bytes;
    *n = 0;
    (void)err;
    return GB_OK;
}

#endif
