/* corpus/data/archive.c - the files of an archive, and bytes that others than gzip packed, where libarchive was there when this was built. */
#include "corpus/data/archive.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>

#ifdef GIBBOUS_HAS_ARCHIVE
#include <archive.h>
#include <archive_entry.h>

struct gb_archive {
    gb_archive_source source;
    struct archive *archive;
    struct archive_entry *entry; /* of ours: archive_read_new() does not say when it could not make its own */
    bool is_open, lacked_memory; /* which libarchive does not always say */
};

/* Before and after a call of libarchive. */
static void expect_memory(void)
{
    errno = 0;
}

static void note_memory(gb_archive *a)
{
    a->lacked_memory = a->lacked_memory || errno == ENOMEM;
}

/* ---- opening ---- */

static void set_error(struct archive *archive, const char *why)
{
    const int code = why == NULL ? errno : EILSEQ;
    archive_set_error(archive, code, "%s", why == NULL ? strerror(code) : why);
}

static la_ssize_t give(struct archive *archive, void *user, const void **block)
{
    gb_archive *a = user;
    const char *why = NULL;
    const int64_t n = a->source.give(a->source.context, block, &why);
    if (n < 0)
        set_error(archive, why);
    return (la_ssize_t)n;
}

static la_int64_t seek(struct archive *archive, void *user, la_int64_t offset, int whence)
{
    gb_archive *a = user;
    const int64_t place = a->source.seek(a->source.context, offset, whence);
    if (place < 0)
        set_error(archive, NULL);
    return place < 0 ? ARCHIVE_FATAL : place;
}

/* Not archive_read_open_fd(), nor archive_read_open(): they do not look whether there was memory for their own list of inputs. */
static bool open_bytes(gb_archive *a)
{
    struct archive *archive = a->archive;
    return archive_read_support_filter_xz(archive) == ARCHIVE_OK &&
           archive_read_support_filter_zstd(archive) == ARCHIVE_OK &&
           archive_read_support_filter_bzip2(archive) == ARCHIVE_OK &&
           archive_read_support_format_zip(archive) == ARCHIVE_OK &&
           archive_read_support_format_tar(archive) == ARCHIVE_OK &&
           archive_read_support_format_empty(archive) == ARCHIVE_OK &&
           archive_read_support_format_raw(archive) == ARCHIVE_OK &&
           archive_read_set_format_option(archive, "tar", "read_concatenated_archives", "1") == ARCHIVE_OK &&
           archive_read_set_callback_data(archive, a) == ARCHIVE_OK &&
           archive_read_set_read_callback(archive, give) == ARCHIVE_OK &&
           (a->source.seek == NULL || archive_read_set_seek_callback(archive, seek) == ARCHIVE_OK) &&
           archive_read_open1(archive) == ARCHIVE_OK;
}

gb_status gb_archive_open(gb_archive **out, const gb_archive_source *source, gb_error *err)
{
    gb_archive *a = NULL;
    const gb_status st = gb_alloc(&a, 1, sizeof *a, "unpacking", err);
    if (st != GB_OK)
        return st;
    a->source = *source;
    a->archive = archive_read_new();
    a->entry = a->archive == NULL ? NULL : archive_entry_new2(a->archive);
    if (a->entry == NULL) {
        gb_archive_close(a);
        return gb_fail_memory(err, sizeof *a, "unpacking");
    }
    *out = a;
    return GB_OK;
}

void gb_archive_close(gb_archive *a)
{
    if (a == NULL)
        return;
    archive_entry_free(a->entry);
    if (a->archive != NULL)
        archive_read_free(a->archive);
    gb_free(a);
}

/* ---- files ---- */

gb_archive_found gb_archive_next(gb_archive *a)
{
    int code = ARCHIVE_FATAL;
    expect_memory();
    if (!a->is_open)
        a->is_open = open_bytes(a);
    if (a->is_open)
        code = archive_read_next_header2(a->archive, a->entry);
    note_memory(a);
    if (code == ARCHIVE_EOF)
        return GB_ARCHIVE_END;
    return code == ARCHIVE_OK || code == ARCHIVE_WARN ? GB_ARCHIVE_FILE : GB_ARCHIVE_FAILED;
}

int64_t gb_archive_read(gb_archive *a, void *to, size_t n)
{
    expect_memory();
    const la_ssize_t got = archive_read_data(a->archive, to, n);
    note_memory(a);
    return got < 0 ? -1 : (int64_t)got;
}

static int format_of(const gb_archive *a)
{
    return archive_format(a->archive) & ARCHIVE_FORMAT_BASE_MASK;
}

bool gb_archive_has_members(const gb_archive *a)
{
    return format_of(a) == ARCHIVE_FORMAT_ZIP || format_of(a) == ARCHIVE_FORMAT_TAR;
}

const char *gb_archive_member(const gb_archive *a)
{
    const char *path = archive_entry_pathname_utf8(a->entry);
    if (path == NULL)
        path = archive_entry_pathname(a->entry);
    return archive_entry_filetype(a->entry) == AE_IFREG ? path : NULL;
}

int64_t gb_archive_member_bytes(const gb_archive *a)
{
    return archive_entry_size_is_set(a->entry) ? archive_entry_size(a->entry) : -1;
}

/* ---- its bytes ---- */

int64_t gb_archive_taken(const gb_archive *a)
{
    return archive_filter_bytes(a->archive, -1);
}

bool gb_archive_is_packed(const gb_archive *a)
{
    return archive_filter_count(a->archive) > 1;
}

/* What a filter of libarchive unpacks for another cannot be counted, nor would a gap in it be noticed by the other. */
bool gb_archive_is_packed_twice(const gb_archive *a)
{
    for (int i = 0; i < archive_filter_count(a->archive) - 2; i++)
        if (archive_filter_code(a->archive, i) == ARCHIVE_FILTER_BZIP2)
            return true;
    return false;
}

/* A tar archive ends with blocks of zeros. */
bool gb_archive_lacks_end(const gb_archive *a)
{
    return format_of(a) == ARCHIVE_FORMAT_TAR &&
           archive_filter_bytes(a->archive, 0) <= archive_read_header_position(a->archive);
}

/* A zip archive has sums and a list of its own, and is not always read to its end. */
bool gb_archive_may_end_early(const gb_archive *a)
{
    return format_of(a) == ARCHIVE_FORMAT_ZIP;
}

/* ---- failures ---- */

int gb_archive_code(const gb_archive *a)
{
    return archive_errno(a->archive);
}

bool gb_archive_lacked_memory(const gb_archive *a)
{
    const char *text = archive_error_string(a->archive);
    return a->lacked_memory || archive_errno(a->archive) == ENOMEM ||
           (text != NULL && strstr(text, "allocate") != NULL);
}

const char *gb_archive_says(const gb_archive *a)
{
    return archive_error_string(a->archive);
}

#else

/* One file, whose bytes come as they are. */
struct gb_archive {
    gb_archive_source source;
    bool has_begun;
    const char *block; /* what is left of it */
    size_t n_left;
    int64_t n_taken;
    int code;
    const char *why;
};

gb_status gb_archive_open(gb_archive **out, const gb_archive_source *source, gb_error *err)
{
    const gb_status st = gb_alloc(out, 1, sizeof **out, "unpacking", err);
    if (st == GB_OK)
        (*out)->source = *source;
    return st;
}

void gb_archive_close(gb_archive *a)
{
    gb_free(a);
}

static bool take(gb_archive *a)
{
    const void *block = NULL;
    const char *why = NULL;
    const int64_t n = a->source.give(a->source.context, &block, &why);
    a->code = why == NULL ? errno : EILSEQ;
    a->why = why;
    a->block = block;
    a->n_left = n < 0 ? 0 : (size_t)n;
    a->n_taken += n < 0 ? 0 : n;
    return n >= 0;
}

/* What only libarchive unpacks. */
static bool is_packed(const gb_archive *a)
{
    static const struct {
        size_t at, n;
        const char *bytes;
    } packed[] = {{0, 4, "PK\3\4"},
                  {0, 3, "BZh"},
                  {0, 6,
                   "\xFD"
                   "7zXZ\0"},
                  {0, 4, "\x28\xB5\x2F\xFD"},
                  {257, 5, "ustar"}};
    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
        if (a->n_left >= packed[i].at + packed[i].n &&
            memcmp(a->block + packed[i].at, packed[i].bytes, packed[i].n) == 0)
            return true;
    return false;
}

gb_archive_found gb_archive_next(gb_archive *a)
{
    if (a->has_begun)
        return GB_ARCHIVE_END;
    a->has_begun = true;
    if (!take(a))
        return GB_ARCHIVE_FAILED;
    if (!is_packed(a))
        return GB_ARCHIVE_FILE;
    a->code = EILSEQ;
    a->why = "this gibbous was built without libarchive and unpacks nothing but gzip";
    return GB_ARCHIVE_FAILED;
}

int64_t gb_archive_read(gb_archive *a, void *to, size_t n)
{
    if (a->n_left == 0 && !take(a))
        return -1;
    const size_t got = n < a->n_left ? n : a->n_left;
    gb_copy_bytes(to, a->block, got);
    a->block = GB_FROM(a->block, got);
    a->n_left -= got;
    return (int64_t)got;
}

bool gb_archive_has_members(const gb_archive *a)
{
    (void)a;
    return false;
}

const char *gb_archive_member(const gb_archive *a)
{
    (void)a;
    return NULL;
}

int64_t gb_archive_member_bytes(const gb_archive *a)
{
    (void)a;
    return -1;
}

int64_t gb_archive_taken(const gb_archive *a)
{
    return a->n_taken;
}

bool gb_archive_is_packed(const gb_archive *a)
{
    (void)a;
    return false;
}

bool gb_archive_is_packed_twice(const gb_archive *a)
{
    (void)a;
    return false;
}

bool gb_archive_lacks_end(const gb_archive *a)
{
    (void)a;
    return false;
}

bool gb_archive_may_end_early(const gb_archive *a)
{
    (void)a;
    return false;
}

int gb_archive_code(const gb_archive *a)
{
    return a->code;
}

bool gb_archive_lacked_memory(const gb_archive *a)
{
    return a->code == ENOMEM;
}

const char *gb_archive_says(const gb_archive *a)
{
    return a->why;
}

#endif
