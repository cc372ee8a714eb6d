/* corpus/readers/reader_npz.c - a sparse matrix as scipy.sparse.save_npz() writes it: a row for each document, a column for each word.
 *
 * The archive has the arrays format (csr or csc), shape, indptr, indices and data, in any order.  They are read as they come, so that
 * memory grows with the numbers that are really there; only then are they compared with each other. */
#include "corpus/readers/reader.h"

#include "base/memory.h"
#include "base/size.h"
#include "corpus/readers/entries.h"
#include "corpus/readers/npz.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FORMAT_ROOM = 8, AT_ONCE = 4096, MOST_SIZE = 8 };

typedef enum npz_array { SHAPE, INDPTR, INDICES, DATA, N_ARRAYS } npz_array;

static const char *const array_names[N_ARRAYS] = {"shape", "indptr", "indices", "data"};

typedef struct numbers {
    uint64_t *value;
    size_t n, capacity;
    bool is_there;
} numbers;

typedef struct npz_reader {
    gb_reader_context *context;
    uint64_t most_bytes, n_bytes; /* of memory, and how much of it the arrays take */
    char format[FORMAT_ROOM];
    numbers array[N_ARRAYS];
    gb_entries entries;
    uint64_t document; /* the next one */
} npz_reader;

extern const gb_reader_ops gb_reader_npz;

static const char *path_of(const npz_reader *r)
{
    return r->context->path;
}

/* ---- arrays -------------------------------------------------------------------------------------------- */

/* "<i8" and its like.  @return bytes of a number; 0: not of numbers */
static size_t size_of_type(const char *type)
{
    uint64_t n = 0;
    if (type[0] == '\0' || strchr("<>=|", type[0]) == NULL || type[1] == '\0' || strchr("iufb", type[1]) == NULL ||
        !gb_view_to_u64(gb_view_of(type + 2), &n))
        return 0;
    const bool is_known = type[1] == 'f'   ? n == 2 || n == 4 || n == 8
                          : type[1] == 'b' ? n == 1
                                           : n == 1 || n == 2 || n == 4 || n == 8;
    return is_known ? (size_t)n : 0;
}

/* @param bytes  little-endian.  @return false if it is not a whole number from 0 on */
static bool whole_number(char kind, const unsigned char *bytes, size_t size, uint64_t *out)
{
    *out = 0;
    if (kind == 'f') {
        const double value = gb_float_value(size == 2 ? GB_FLOAT_16 : size == 4 ? GB_FLOAT_32 : GB_FLOAT_64, bytes);
        if (!(value >= 0 && value <= 0x1p52) || value != floor(value))
            return false;
        *out = (uint64_t)value;
        return true;
    }
    for (size_t i = 0; i < size; i++)
        *out |= (uint64_t)bytes[i] << (8 * i);
    return kind != 'i' || bytes[size - 1] < 128;
}

/* A small archive can be made to unpack to more than any memory has. */
static gb_status check_room(npz_reader *r, uint64_t packed, size_t n, gb_error *err)
{
    const uint64_t free_bytes = (uint64_t)64 << 20,
                   factor = (uint64_t)gb_settings_int(r->context->settings, "unpack-factor");
    r->n_bytes += n * sizeof(uint64_t);
    if (r->n_bytes > free_bytes && (r->n_bytes - free_bytes) / MOST_SIZE / factor > packed)
        return gb_fail(err, GB_EFORMAT,
                       "%s: unpacks to more than %" PRIu64 " times its size; `unpack-factor` allows more", path_of(r),
                       factor);
    if (r->n_bytes <= r->most_bytes)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "`memory-limit` %s: %s: its arrays need more",
                   gb_settings_text(r->context->settings, "memory-limit"), path_of(r));
}

static gb_status take_numbers(npz_reader *r, const char *type, size_t size, size_t n, unsigned char *bytes,
                              npz_array which, uint64_t packed, gb_error *err)
{
    gb_status st;
    numbers *to = &r->array[which];
    GB_TRY(check_room(r, packed, n, err));
    GB_TRY(gb_grow(&to->value, &to->capacity, to->n + n, sizeof *to->value, "a matrix", err));
    for (size_t i = 0; i < n; i++, to->n++) {
        unsigned char *number = bytes + i * size;
        for (size_t b = 0; type[0] == '>' && b < size / 2; b++) {
            const unsigned char kept = number[b];
            number[b] = number[size - 1 - b];
            number[size - 1 - b] = kept;
        }
        if (!whole_number(type[1], number, size, &to->value[to->n]))
            return gb_fail(err, GB_EFORMAT, "%s: array \"%s\": number %zu is not a whole number from 0 on",
                           path_of(r), array_names[which], to->n + 1);
    }
done:
    return st;
}

static gb_status read_numbers(npz_reader *r, gb_npz *archive, npz_array which, gb_error *err)
{
    gb_status st;
    gb_npy_header header;
    unsigned char bytes[AT_ONCE * MOST_SIZE];
    GB_TRY(gb_npy_read_header(path_of(r), &archive->source, &header, err));
    const size_t size = size_of_type(header.type);
    if (size == 0 || header.n_dimensions != 1 || r->array[which].is_there)
        return gb_fail(err, GB_EFORMAT, "%s: array \"%s\" should be there once, with one dimension and numbers",
                       path_of(r), array_names[which]);
    r->array[which].is_there = true;
    for (uint64_t left = header.shape[0]; left > 0;) {
        const size_t n = left < AT_ONCE ? (size_t)left : AT_ONCE;
        st = gb_byte_source_read(&archive->source, bytes, n * size, err);
        GB_TRY(gb_embedding_place(path_of(r), st, err));
        GB_TRY(take_numbers(r, header.type, size, n, bytes, which, archive->n_bytes, err));
        GB_TRY(gb_read_watch_ask(r->context->watch, err));
        left -= n;
    }
done:
    return st;
}

/* One text of a few characters, of 1 or 4 bytes each. */
static gb_status read_format(npz_reader *r, gb_npz *archive, gb_error *err)
{
    gb_status st;
    gb_npy_header header;
    uint64_t n = 0;
    char bytes[4 * FORMAT_ROOM];
    size_t length = 0;
    GB_TRY(gb_npy_read_header(path_of(r), &archive->source, &header, err));
    const char kind = header.type[0] == '\0' ? '\0' : header.type[1];
    if ((kind != 'S' && kind != 'U') || !gb_view_to_u64(gb_view_of(header.type + 2), &n) || n >= FORMAT_ROOM)
        return gb_fail(err, GB_EFORMAT, "%s: array \"format\" should be \"csr\" or \"csc\"", path_of(r));
    n *= kind == 'U' ? 4 : 1;
    st = gb_byte_source_read(&archive->source, bytes, (size_t)n, err);
    GB_TRY(gb_embedding_place(path_of(r), st, err));
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != '\0' && length + 1 < FORMAT_ROOM)
            r->format[length++] = bytes[i];
done:
    return st;
}

static gb_status read_array(npz_reader *r, gb_npz *archive, gb_error *err)
{
    for (npz_array which = 0; which < N_ARRAYS; which++)
        if (strcmp(archive->name, array_names[which]) == 0)
            return read_numbers(r, archive, which, err);
    return strcmp(archive->name, "format") == 0 ? read_format(r, archive, err) : GB_OK;
}

static gb_status read_archive(npz_reader *r, gb_error *err)
{
    gb_status st;
    gb_npz archive = {.archive = NULL};
    bool found;
    GB_TRY(gb_npz_open(&archive, path_of(r), err));
    for (;;) {
        GB_TRY(gb_npz_next(&archive, &found, err));
        if (!found)
            break;
        GB_TRY(read_array(r, &archive, err));
    }
done:
    gb_npz_close(&archive);
    return st;
}

/* ---- from arrays to entries ---------------------------------------------------------------------------- */

static gb_status check_shape(const npz_reader *r, gb_error *err)
{
    const uint64_t *shape = r->array[SHAPE].value, n_names = r->context->names.count;
    if (r->array[SHAPE].n != 2 || shape[0] >= UINT32_MAX || shape[1] >= UINT32_MAX)
        return gb_fail(err, GB_EFORMAT, "%s: array \"shape\" should be the numbers of documents and words",
                       path_of(r));
    if (n_names > 0 && n_names != shape[1])
        return gb_fail(err, GB_EFORMAT, "%s: %" PRIu64 " words, but %s has %" PRIu64, path_of(r), shape[1],
                       r->context->vocabulary, n_names);
    return GB_OK;
}

static gb_status check_arrays(const npz_reader *r, gb_error *err)
{
    gb_status st = GB_OK;
    const numbers *a = r->array;
    for (npz_array which = 0; which < N_ARRAYS; which++)
        if (!a[which].is_there)
            return gb_fail(err, GB_EFORMAT, "%s: no array \"%s\"; scipy.sparse.save_npz() writes what is expected",
                           path_of(r), array_names[which]);
    if (strcmp(r->format, "csr") != 0 && strcmp(r->format, "csc") != 0)
        return gb_fail(err, GB_EFORMAT, "%s: a matrix of format \"%.*s\", expected csr or csc", path_of(r),
                       gb_text_shown(r->format, strlen(r->format)), r->format);
    GB_TRY(check_shape(r, err));
    const uint64_t n_lines = a[SHAPE].value[strcmp(r->format, "csc") == 0];
    if (a[INDPTR].n != n_lines + 1 || a[INDPTR].value[0] != 0 || a[INDPTR].value[n_lines] != a[DATA].n ||
        a[INDICES].n != a[DATA].n)
        st = gb_fail(err, GB_EFORMAT, "%s: the sizes of its arrays do not go together", path_of(r));
done:
    return st;
}

static gb_status add_entry(npz_reader *r, uint64_t line, uint64_t i, gb_error *err)
{
    const bool by_word = strcmp(r->format, "csc") == 0;
    const uint64_t *shape = r->array[SHAPE].value, index = r->array[INDICES].value[i],
                   count = r->array[DATA].value[i];
    if (index >= shape[!by_word])
        return gb_fail(err, GB_EFORMAT,
                       "%s: array \"indices\": number %" PRIu64 " is %" PRIu64 ", expected below %" PRIu64,
                       path_of(r), i + 1, index, shape[!by_word]);
    if (count > GB_MAX_COUNT)
        return gb_fail(err, GB_EFORMAT,
                       "%s: array \"data\": number %" PRIu64
                       " is larger than 16777216, the most for one word of a document",
                       path_of(r), i + 1);
    const gb_word_count pair = {(uint32_t)(by_word ? line : index), (uint32_t)count};
    return gb_entries_add(&r->entries, (uint32_t)(by_word ? index : line), pair, err);
}

static gb_status make_entries(npz_reader *r, gb_error *err)
{
    gb_status st = GB_OK;
    const numbers *starts = &r->array[INDPTR];
    for (size_t line = 0; line + 1 < starts->n; line++) {
        if (starts->value[line] > starts->value[line + 1] || starts->value[line + 1] > r->array[DATA].n)
            return gb_fail(err, GB_EFORMAT, "%s: array \"indptr\" should ascend", path_of(r));
        for (uint64_t i = starts->value[line]; i < starts->value[line + 1]; i++)
            GB_TRY(add_entry(r, line, i, err));
    }
    GB_TRY(gb_entries_put_in_order(&r->entries, r->array[SHAPE].value[0], err));
done:
    return st;
}

/* ---- the reader ---------------------------------------------------------------------------------------- */

static void free_arrays(npz_reader *r)
{
    for (npz_array which = 0; which < N_ARRAYS; which++) {
        gb_free(r->array[which].value);
        r->array[which].value = NULL;
    }
}

static void close_npz(void *state)
{
    npz_reader *r = state;
    free_arrays(r);
    gb_entries_clear(&r->entries);
    gb_free(r);
}

static gb_status open_npz(void **state, gb_reader_context *context, gb_error *err)
{
    gb_status st;
    npz_reader *r = NULL;
    GB_TRY(gb_reader_no_fields(context, err));
    if (strcmp(context->path, "-") == 0)
        return gb_fail(err, GB_EARGUMENT, "`format` npz reads a file, not standard input");
    GB_TRY(gb_alloc(&r, 1, sizeof *r, "a reader", err));
    r->context = context;
    GB_TRY(gb_size_from_text(gb_settings_text(context->settings, "memory-limit"), &r->most_bytes, err));
    GB_TRY(gb_entries_begin(&r->entries, context->path, context->settings, err));
    GB_TRY(read_archive(r, err));
    GB_TRY(check_arrays(r, err));
    GB_TRY(make_entries(r, err));
    free_arrays(r);
    *state = r;
    r = NULL;
done:
    if (r != NULL)
        close_npz(r);
    return st;
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    npz_reader *r = state;
    *end = r->document == r->entries.n_documents;
    return *end ? GB_OK : gb_entries_give(&r->entries, r->document++, doc, err);
}

const gb_reader_ops gb_reader_npz = {
    .name = "npz",
    .extensions = "npz",
    .vocabulary_names = true,
    .open = open_npz,
    .next = next,
    .close = close_npz,
};
