/* corpus/readers/npz.c - arrays as numpy.savez() writes them: a zip archive of .npy files. */
#include "corpus/readers/npz.h"

#include "base/memory.h"
#include "base/system.h"

#include <errno.h>
#include <string.h>

enum {
    BLOCK = 1 << 16,
    /* a byte of the packed file stands for at most so many: what deflate can do */
    MOST_UNPACKED = 1032
};

static gb_status fail_archive(const gb_npz *a, gb_error *err)
{
    const char *text = gb_archive_says(a->archive);
    if (gb_archive_lacked_memory(a->archive))
        return gb_fail_memory(err, 0, "an archive");
    return gb_fail(err, GB_EFORMAT, "damaged archive: %s", text == NULL ? "it cannot be read" : text);
}

static gb_status read_part(void *context, void *to, size_t n, gb_error *err)
{
    gb_npz *a = context;
    char *at = to;
    while (n > 0) {
        const int64_t got = gb_archive_read(a->archive, at, n);
        if (got < 0)
            return fail_archive(a, err);
        if (got == 0)
            return gb_fail(err, GB_EFORMAT, "array \"%s\" ends too early", a->name);
        at += got;
        n -= (size_t)got;
    }
    return GB_OK;
}

static int64_t give(void *context, const void **block, const char **why)
{
    gb_npz *a = context;
    size_t n;
    (void)why;
    *block = a->block;
    return gb_read_some(a->file, a->block, BLOCK, &n, NULL) == GB_OK ? (int64_t)n : -1;
}

static int64_t seek(void *context, int64_t offset, int whence)
{
    gb_npz *a = context;
    return fseeko(a->file, (off_t)offset, whence) == 0 ? (int64_t)ftello(a->file) : -1;
}

void gb_npz_close(gb_npz *a)
{
    gb_archive_close(a->archive);
    gb_free(a->block);
    if (a->file != NULL)
        (void)fclose(a->file);
    a->archive = NULL;
    a->block = NULL;
    a->file = NULL;
}

gb_status gb_npz_open(gb_npz *a, const char *path, gb_error *err)
{
    gb_path_info info;
    gb_status st;
    *a = (gb_npz){.path = path};
    if (gb_path_look(path, true, &info) && info.kind != GB_IS_FILE) /* whose other end may never be opened */
        return gb_fail(err, GB_EARGUMENT, "%s: expected a file; arrays of numpy do not come through pipes", path);
    a->file = fopen(path, "rb");
    if (a->file == NULL || !gb_file_look(fileno(a->file), &info))
        return gb_fail(err, GB_EIO, "cannot read %s: %s", path, strerror(errno));
    a->n_bytes = info.n_bytes;
    GB_TRY(gb_alloc(&a->block, BLOCK, 1, "an archive", err));
    const gb_archive_source source = {a, give, seek};
    GB_TRY(gb_archive_open(&a->archive, &source, err));
done:
    return st;
}

/* The bytes of an array: as many as the archive says, but not more than it can hold. */
static void begin_array(gb_npz *a)
{
    const uint64_t can_hold = a->n_bytes > UINT64_MAX / MOST_UNPACKED ? UINT64_MAX : a->n_bytes * MOST_UNPACKED;
    const int64_t said = gb_archive_member_bytes(a->archive);
    a->source = (gb_byte_source){.context = a, .read = read_part, .most = can_hold};
    if (said >= 0 && (uint64_t)said <= can_hold) {
        a->source.most = (uint64_t)said;
        a->source.is_exact = true;
    }
}

gb_status gb_npz_next(gb_npz *a, bool *found, gb_error *err)
{
    for (*found = false; !*found;) {
        const gb_archive_found next = gb_archive_next(a->archive);
        if (next == GB_ARCHIVE_END)
            return GB_OK;
        if (next == GB_ARCHIVE_FAILED)
            return gb_embedding_place(a->path, fail_archive(a, err), err);
        if (!gb_archive_has_members(a->archive))
            return gb_fail(err, GB_EFORMAT,
                           "%s: damaged archive: not one of numpy.savez() or scipy.sparse.save_npz()", a->path);
        const char *path = gb_archive_member(a->archive);
        const size_t n = path == NULL ? 0 : strlen(path), ending = strlen(".npy");
        if (n <= ending || n - ending >= GB_NPZ_NAME_ROOM || strcmp(path + n - ending, ".npy") != 0)
            continue;
        memcpy(a->name, path, n - ending);
        a->name[n - ending] = '\0';
        begin_array(a);
        *found = true;
    }
    return GB_OK;
}
