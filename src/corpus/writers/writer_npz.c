/* corpus/writers/writer_npz.c - a CSR matrix as scipy.sparse.load_npz() reads it: a zip archive of .npy files. */
#include "corpus/writers/writer.h"

#include "base/memory.h"

#include <archive.h>
#include <archive_entry.h>
#include <string.h>

extern const gb_writer_ops gb_writer_npz;

enum { AT_ONCE = 4096, MODE = 0644 };
/* 1 January 1980, the first day that zip knows: equal corpora give equal bytes. */
static const time_t DAY_ONE = 315532800;

typedef struct npz_writer {
    const gb_writer *w;
    struct archive *archive;
    uint64_t n_entries;
} npz_writer;

static gb_status fail(const npz_writer *z, gb_error *err)
{
    const char *text = archive_error_string(z->archive);
    return gb_fail(err, GB_EIO, "%s: %s", z->w->path, text == NULL ? "cannot be written" : text);
}

static gb_status put(const npz_writer *z, const void *bytes, size_t n, gb_error *err)
{
    return n == 0 || archive_write_data(z->archive, bytes, n) == (la_ssize_t)n ? GB_OK : fail(z, err);
}

/* Begin an array of that type; its numbers follow. */
static gb_status begin_array(const npz_writer *z, const char *name, const char *descr, size_t size,
                             size_t n_dimensions, uint64_t n, gb_error *err)
{
    gb_status st = GB_OK;
    char *head = NULL;
    size_t length = 0;
    FILE *memory = open_memstream(&head, &length);
    struct archive_entry *entry = archive_entry_new();
    if (memory != NULL) {
        gb_npy_write_header(memory, descr, n_dimensions, &n);
        if (fclose(memory) != 0)
            length = 0;
    }
    if (entry == NULL || length == 0) {
        st = gb_fail_memory(err, 0, "an archive");
        goto done;
    }
    archive_entry_set_pathname(entry, name);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, MODE);
    archive_entry_set_mtime(entry, DAY_ONE, 0);
    archive_entry_set_size(entry, (int64_t)(length + n * size));
    if (archive_write_header(z->archive, entry) != ARCHIVE_OK)
        st = fail(z, err);
    else
        st = put(z, head, length, err);
done:
    archive_entry_free(entry);
    gb_free(head);
    return st;
}

static gb_status write_starts(npz_writer *z, gb_error *err)
{
    gb_status st;
    const uint64_t n_docs = z->w->corpus->n_docs;
    int64_t start = 0;
    GB_TRY(begin_array(z, "indptr.npy", "<i8", sizeof start, 1, n_docs + 1, err));
    GB_TRY(put(z, &start, sizeof start, err));
    for (uint64_t d = 0; d < n_docs; d++) {
        start += (int64_t)gb_writer_counts(z->w, d);
        GB_TRY(put(z, &start, sizeof start, err));
    }
    z->n_entries = (uint64_t)start;
done:
    return st;
}

/* The words of all documents, or their counts. */
static gb_status write_entries(const npz_writer *z, const char *name, const uint32_t *numbers, gb_error *err)
{
    gb_status st;
    GB_TRY(begin_array(z, name, "<i4", sizeof *numbers, 1, z->n_entries, err));
    for (uint64_t d = 0; d < z->w->corpus->n_docs; d++) {
        const size_t n = gb_writer_counts(z->w, d);
        GB_TRY(put(z, numbers, n * sizeof *numbers, err));
    }
done:
    return st;
}

static gb_status write_arrays(npz_writer *z, gb_error *err)
{
    gb_status st;
    const int64_t shape[2] = {(int64_t)z->w->corpus->n_docs, (int64_t)z->w->corpus->n_words};
    GB_TRY(write_starts(z, err));
    GB_TRY(write_entries(z, "indices.npy", z->w->word, err));
    GB_TRY(begin_array(z, "format.npy", "|S3", 3, 0, 1, err));
    GB_TRY(put(z, "csr", 3, err));
    GB_TRY(begin_array(z, "shape.npy", "<i8", sizeof shape[0], 1, 2, err));
    GB_TRY(put(z, shape, sizeof shape, err));
    GB_TRY(write_entries(z, "data.npy", z->w->count, err));
done:
    return st;
}

static gb_status write_all(gb_writer *w, gb_error *err)
{
    npz_writer z = {.w = w, .archive = archive_write_new()};
    gb_status st;
    if (z.archive == NULL)
        return gb_fail_memory(err, 0, "an archive");
    if (archive_write_set_format_zip(z.archive) != ARCHIVE_OK ||
        archive_write_add_filter_none(z.archive) != ARCHIVE_OK ||
        archive_write_open_FILE(z.archive, w->out) != ARCHIVE_OK)
        st = fail(&z, err);
    else
        st = write_arrays(&z, err);
    if (st == GB_OK && archive_write_close(z.archive) != ARCHIVE_OK)
        st = fail(&z, err);
    (void)archive_write_free(z.archive);
    return st;
}

const gb_writer_ops gb_writer_npz = {.name = "npz", .extensions = "npz", .write = write_all};
