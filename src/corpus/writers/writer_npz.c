/* corpus/writers/writer_npz.c - a CSR matrix as scipy.sparse.load_npz() reads it: a zip archive of .npy files. */
#include "corpus/writers/writer.h"

#include "base/memory.h"
#include "corpus/writers/zip.h"

extern const gb_writer_ops gb_writer_npz;

/* Begin an array of that type; its numbers follow. */
static gb_status begin_array(gb_zip *zip, const char *name, const char *descr, size_t n_dimensions, uint64_t n,
                             gb_error *err)
{
    char head[GB_NPY_HEADER_ROOM];
    const size_t length = gb_npy_header(descr, n_dimensions, &n, head);
    const gb_status st = gb_zip_begin_file(zip, name, err);
    if (st == GB_OK)
        gb_zip_write(zip, head, length);
    return st;
}

static gb_status write_starts(const gb_writer *w, gb_zip *zip, uint64_t *n_entries, gb_error *err)
{
    int64_t start = 0;
    const gb_status st = begin_array(zip, "indptr.npy", "<i8", 1, w->corpus->n_docs + 1, err);
    if (st != GB_OK)
        return st;
    gb_zip_write(zip, &start, sizeof start);
    for (uint64_t d = 0; d < w->corpus->n_docs; d++) {
        start += (int64_t)gb_writer_counts(w, d);
        gb_zip_write(zip, &start, sizeof start);
    }
    gb_zip_end_file(zip);
    *n_entries = (uint64_t)start;
    return GB_OK;
}

/* The words of all documents, or their counts. */
static gb_status write_entries(const gb_writer *w, gb_zip *zip, const char *name, const uint32_t *numbers,
                               uint64_t n_entries, gb_error *err)
{
    const gb_status st = begin_array(zip, name, "<i4", 1, n_entries, err);
    if (st != GB_OK)
        return st;
    for (uint64_t d = 0; d < w->corpus->n_docs; d++) {
        const size_t n = gb_writer_counts(w, d);
        gb_zip_write(zip, numbers, n * sizeof *numbers);
    }
    gb_zip_end_file(zip);
    return GB_OK;
}

static gb_status write_arrays(const gb_writer *w, gb_zip *zip, gb_error *err)
{
    gb_status st;
    uint64_t n_entries = 0;
    const int64_t shape[2] = {(int64_t)w->corpus->n_docs, (int64_t)w->corpus->n_words};
    GB_TRY(write_starts(w, zip, &n_entries, err));
    GB_TRY(write_entries(w, zip, "indices.npy", w->word, n_entries, err));
    GB_TRY(begin_array(zip, "format.npy", "|S3", 0, 0, err));
    gb_zip_write(zip, "csr", 3);
    gb_zip_end_file(zip);
    GB_TRY(begin_array(zip, "shape.npy", "<i8", 1, 2, err));
    gb_zip_write(zip, shape, sizeof shape);
    gb_zip_end_file(zip);
    GB_TRY(write_entries(w, zip, "data.npy", w->count, n_entries, err));
    GB_TRY(gb_zip_end(zip, err));
done:
    return st;
}

static gb_status write_all(gb_writer *w, gb_error *err)
{
    gb_zip zip = {.stream = w->out};
    const gb_status st = write_arrays(w, &zip, err);
    gb_zip_discard(&zip);
    return st;
}

const gb_writer_ops gb_writer_npz = {.name = "npz", .extensions = "npz", .write = write_all};
