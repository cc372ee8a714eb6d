/* corpus/readers/npz.c - arrays as numpy.savez() writes them: a zip archive of .npy files. */
#include "corpus/readers/npz.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum {
    BLOCK = 1 << 16,
    /* a byte of the packed file stands for at most so many: what deflate can do */
    MOST_UNPACKED = 1032
};

/* After a call of libarchive, before which errno was 0. */
static void note_memory(gb_npz *a)
{
    a->lacked_memory = a->lacked_memory || errno == ENOMEM;
}

static gb_status fail_archive(const gb_npz *a, gb_error *err)
{
    const char *text = archive_error_string(a->archive);
    if (archive_errno(a->archive) == ENOMEM || a->lacked_memory ||
        (text != NULL && (strstr(text, "allocate") != NULL || strstr(text, "memory") != NULL)))
        return gb_fail_memory(err, 0, "an archive");
    return gb_fail(err, GB_EFORMAT, "damaged archive: %s", text == NULL ? "it cannot be read" : text);
}

static gb_status read_part(void *context, void *to, size_t n, gb_error *err)
{
    gb_npz *a = context;
    char *at = to;
    while (n > 0) {
        errno = 0;
        const la_ssize_t got = archive_read_data(a->archive, at, n);
        note_memory(a);
        if (got < 0)
            return fail_archive(a, err);
        if (got == 0)
            return gb_fail(err, GB_EFORMAT, "array \"%s\" ends too early", a->name);
        at += got;
        n -= (size_t)got;
    }
    return GB_OK;
}

void gb_npz_close(gb_npz *a)
{
    archive_entry_free(a->entry);
    a->entry = NULL;
    if (a->archive != NULL)
        archive_read_free(a->archive);
    a->archive = NULL;
}

gb_status gb_npz_open(gb_npz *a, const char *path, gb_error *err)
{
    struct stat info;
    *a = (gb_npz){.path = path};
    if (stat(path, &info) != 0)
        return gb_fail(err, GB_EIO, "cannot read %s", path);
    a->n_bytes = (uint64_t)info.st_size;
    a->archive = archive_read_new();
    a->entry = a->archive == NULL ? NULL : archive_entry_new2(a->archive);
    if (a->entry == NULL)
        return gb_fail_memory(err, 0, "an archive");
    errno = 0;
    const bool is_open = archive_read_support_format_zip(a->archive) == ARCHIVE_OK &&
                         archive_read_open_filename(a->archive, path, BLOCK) == ARCHIVE_OK;
    note_memory(a);
    return is_open ? GB_OK : gb_embedding_place(path, fail_archive(a, err), err);
}

/* The bytes of an array: as many as the archive says, but not more than it can hold. */
static void begin_array(gb_npz *a, struct archive_entry *entry)
{
    const uint64_t can_hold = a->n_bytes > UINT64_MAX / MOST_UNPACKED ? UINT64_MAX : a->n_bytes * MOST_UNPACKED;
    const int64_t said = archive_entry_size_is_set(entry) ? archive_entry_size(entry) : -1;
    a->source = (gb_byte_source){.context = a, .read = read_part, .most = can_hold};
    if (said >= 0 && (uint64_t)said <= can_hold) {
        a->source.most = (uint64_t)said;
        a->source.is_exact = true;
    }
}

gb_status gb_npz_next(gb_npz *a, bool *found, gb_error *err)
{
    for (*found = false; !*found;) {
        errno = 0;
        const int code = archive_read_next_header2(a->archive, a->entry);
        note_memory(a);
        if (code == ARCHIVE_EOF)
            return GB_OK;
        if (code != ARCHIVE_OK && code != ARCHIVE_WARN)
            return gb_embedding_place(a->path, fail_archive(a, err), err);
        const char *path = archive_entry_pathname(a->entry);
        const size_t n = path == NULL ? 0 : strlen(path), ending = strlen(".npy");
        if (n <= ending || n - ending >= GB_NPZ_NAME_ROOM || strcmp(path + n - ending, ".npy") != 0)
            continue;
        memcpy(a->name, path, n - ending);
        a->name[n - ending] = '\0';
        begin_array(a, a->entry);
        *found = true;
    }
    return GB_OK;
}
