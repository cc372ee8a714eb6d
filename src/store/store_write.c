/* store/store_write.c - writes the file layout.
 *
 * The checksum lies in the header but covers the arrays too, so everything is walked twice: once for the
 * checksum, once to write.  That keeps the output a plain stream, which may also be a pipe. */
#include "base/memory.h"
#include "base/output.h"
#include "base/text.h"
#include "store/json_text.h"
#include "store/layout.h"
#include "store/store.h"

#include <jansson.h>
#include <stdint.h>
#include <string.h>

_Static_assert(GB_STORE_CHECKSUM_SIZE == GB_CHECKSUM_DIGITS + 1, "digits and a NUL");

typedef struct pending {
    char *name;
    gb_dtype type;
    size_t n_dimensions;
    uint64_t shape[GB_MAX_DIMENSIONS];
    const void *data;          /* NULL: in pieces */
    void *owned;               /* the same; NULL: borrowed */
    gb_array listed;           /* where it lies, if it is in pieces or its rows do not follow each other */
    uint64_t n_bytes, padding; /* padding lies before the array */
} pending;

struct gb_store_writer {
    json_t *metadata;
    json_t *names; /* of the arrays, as keys */
    pending *array;
    size_t n_arrays, capacity;
    uint64_t end;   /* of the arrays so far */
    uint64_t least; /* bytes that the file is to have */
};

static gb_status fail_header_memory(gb_error *err)
{
    return gb_fail(err, GB_ENOMEM, "out of memory: the header of a file");
}

gb_status gb_store_create(gb_store_writer **out, const char *kind, gb_error *err)
{
    gb_status st = GB_OK;
    gb_store_writer *w = NULL;
    const unsigned version = gb_store_version(kind);
    if (version == 0)
        return gb_fail(err, GB_EARGUMENT, "unknown kind of file \"%s\"", kind);
    GB_TRY(gb_alloc(&w, 1, sizeof *w, "a file header", err));
    char zeros[GB_CHECKSUM_DIGITS + 1];
    memset(zeros, '0', GB_CHECKSUM_DIGITS);
    zeros[GB_CHECKSUM_DIGITS] = '\0';
    w->metadata = json_object();
    w->names = json_object();
    if (w->names == NULL || json_object_set_new(w->metadata, "checksum", json_string(zeros)) != 0 ||
        json_object_set_new(w->metadata, "gibbous", json_sprintf("%s %u", kind, version)) != 0)
        st = fail_header_memory(err);
    if (st == GB_OK) {
        *out = w;
        w = NULL;
    }
done:
    gb_store_writer_free(w);
    return st;
}

gb_status gb_store_text(gb_store_writer *w, const char *name, const char *text, gb_error *err)
{
    if (!gb_store_name_is_valid(name) || json_object_get(w->metadata, name) != NULL)
        return gb_fail(err, GB_EARGUMENT, "text \"%s\": the name is taken or not allowed", name);
    if (json_object_set_new(w->metadata, name, json_string(text)) != 0)
        return gb_text_is_utf8(text, strlen(text)) ? fail_header_memory(err)
                                                   : gb_fail(err, GB_EARGUMENT, "text \"%s\": not UTF-8", name);
    return GB_OK;
}

static gb_status add(gb_store_writer *w, const char *name, pending a, const uint64_t *shape, gb_error *err)
{
    gb_status st = GB_OK;
    if (!gb_store_name_is_valid(name) || strncmp(name, GB_PADDING, strlen(GB_PADDING)) == 0 ||
        json_object_get(w->names, name) != NULL)
        return gb_fail(err, GB_EARGUMENT, "array \"%s\": the name is taken or not allowed", name);
    if (a.n_dimensions < 1 || a.n_dimensions > GB_MAX_DIMENSIONS ||
        !gb_array_bytes(a.type, a.n_dimensions, shape, &a.n_bytes))
        return gb_fail(err, GB_EARGUMENT, "array \"%s\": the shape is not allowed", name);
    memcpy(a.shape, shape, a.n_dimensions * sizeof shape[0]);
    if (a.n_bytes > 0)
        a.padding = (GB_STORE_ALIGNMENT - w->end % GB_STORE_ALIGNMENT) % GB_STORE_ALIGNMENT;
    if (a.n_bytes > (uint64_t)INT64_MAX / 2 - a.padding - w->end)
        return gb_fail(err, GB_EARGUMENT, "array \"%s\": the file would be too large", name);
    if (json_object_set_new(w->names, name, json_true()) != 0)
        return fail_header_memory(err);
    GB_TRY(gb_grow(&w->array, &w->capacity, w->n_arrays + 1, sizeof a, "a file header", err));
    GB_TRY(gb_copy_text(&a.name, name, strlen(name), err));
    w->array[w->n_arrays++] = a;
    w->end += a.padding + a.n_bytes;
done:
    return st;
}

gb_status gb_store_array(gb_store_writer *w, const char *name, gb_dtype type, size_t n_dimensions,
                         const uint64_t *shape, const void *data, gb_error *err)
{
    return add(w, name, (pending){.type = type, .n_dimensions = n_dimensions, .data = data}, shape, err);
}

gb_status gb_store_take_array(gb_store_writer *w, const char *name, gb_dtype type, size_t n_dimensions,
                              const uint64_t *shape, void *data, gb_error *err)
{
    const gb_status st = gb_store_array(w, name, type, n_dimensions, shape, data, err);
    if (st == GB_OK)
        w->array[w->n_arrays - 1].owned = data;
    else
        gb_free(data);
    return st;
}

typedef struct listing {
    gb_store_writer *writer;
    gb_error *err;
    gb_status st;
} listing;

static void add_listed(void *context, const gb_array *array)
{
    listing *l = context;
    if (l->st != GB_OK || array->life != GB_STATE || (gb_array_count(array) == 0 && !array->is_always))
        return;
    pending a = {.type = array->type, .n_dimensions = array->n_dimensions, .listed = *array};
    if (array->piece == NULL && array->stride == 0)
        a.data = gb_array_first(array);
    l->st = add(l->writer, array->name, a, array->shape, l->err);
}

gb_status gb_store_list(gb_store_writer *w, gb_list_arrays *list, const void *component, gb_error *err)
{
    listing l = {.writer = w, .err = err, .st = GB_OK};
    gb_arrays_visit(list, component, &(gb_array_visitor){add_listed, &l});
    return l.st;
}

size_t gb_store_n_entries(const gb_store_writer *w)
{
    return w->n_arrays;
}

gb_store_entry gb_store_entry_at(const gb_store_writer *w, size_t i)
{
    const pending *a = &w->array[i];
    return (gb_store_entry){.name = a->name,
                            .type = a->type,
                            .n_dimensions = a->n_dimensions,
                            .shape = a->shape,
                            .data = a->data,
                            .n_bytes = a->n_bytes};
}

void gb_store_make_room(gb_store_writer *w, uint64_t n_bytes, unsigned share)
{
    const uint64_t least = gb_store_least_size(n_bytes, share);
    w->least = least > w->least ? least : w->least;
}

/* Zeros behind the arrays. */
static uint64_t n_behind(const gb_store_writer *w)
{
    return w->least > w->end ? w->least - w->end : 0;
}

/* ---- header ---- */

static int add_entry(json_t *header, const char *name, gb_dtype type, size_t n_dimensions, const uint64_t *shape,
                     uint64_t begin, uint64_t end)
{
    json_t *lengths = json_array();
    int failed = lengths == NULL;
    for (size_t i = 0; i < n_dimensions && !failed; i++)
        failed = json_array_append_new(lengths, json_integer((json_int_t)shape[i]));
    if (failed) {
        json_decref(lengths);
        return failed;
    }
    json_t *entry = json_pack("{s:s, s:o, s:[I, I]}", "dtype", gb_dtype_name(type), "shape", lengths, "data_offsets",
                              (json_int_t)begin, (json_int_t)end);
    return json_object_set_new(header, name, entry);
}

static json_t *make_header(const gb_store_writer *w)
{
    json_t *header = json_object();
    int failed = json_object_set(header, "__metadata__", w->metadata);
    uint64_t end = 0;
    for (size_t i = 0; i < w->n_arrays && !failed; i++) {
        const pending *a = &w->array[i];
        if (a->padding > 0) {
            char name[sizeof GB_PADDING + 24];
            (void)snprintf(name, sizeof name, GB_PADDING "%zu", i);
            failed = add_entry(header, name, GB_U8, 1, &a->padding, end, end + a->padding);
            end += a->padding;
        }
        failed = failed || add_entry(header, a->name, a->type, a->n_dimensions, a->shape, end, end + a->n_bytes);
        end += a->n_bytes;
    }
    const uint64_t behind = n_behind(w);
    if (behind > 0 && !failed)
        failed = add_entry(header, GB_PADDING "_behind", GB_U8, 1, &behind, end, end + behind);
    if (failed) {
        json_decref(header);
        return NULL;
    }
    return header;
}

/* The length and the header as text, filled up with spaces so that the arrays begin aligned. */
static gb_status render_header(const json_t *header, char **out, size_t *n_bytes, gb_error *err)
{
    gb_status st = GB_OK;
    char *text = NULL, *head = NULL;
    size_t length;
    GB_TRY(gb_json_text(header, 0, &text, &length, err));
    size_t padded = (GB_LENGTH_BYTES + length + GB_STORE_ALIGNMENT - 1) / GB_STORE_ALIGNMENT * GB_STORE_ALIGNMENT;
    GB_TRY(gb_alloc(&head, padded, 1, "a file header", err));
    uint64_t stored_length = padded - GB_LENGTH_BYTES;
    memcpy(head, &stored_length, sizeof stored_length);
    memcpy(head + GB_LENGTH_BYTES, text, length);
    memset(head + GB_LENGTH_BYTES + length, ' ', padded - GB_LENGTH_BYTES - length);
    *out = head;
    *n_bytes = padded;
done:
    gb_free(text);
    return st;
}

/* What the reader would refuse must not be written. */
static gb_status check_header(const char *head, size_t n_bytes, gb_error *err)
{
    size_t length = n_bytes - GB_LENGTH_BYTES;
    if (length > GB_MAX_HEADER ||
        !gb_json_is_modest(head + GB_LENGTH_BYTES, length, GB_HEADER_DEPTH, GB_HEADER_VALUES))
        return gb_fail(err, GB_EARGUMENT, "too many arrays or too long texts for one file");
    return GB_OK;
}

/* Length and header as bytes, which the reader would take. */
static gb_status make_head(const gb_store_writer *w, char **head, size_t *n_bytes, gb_error *err)
{
    gb_status st;
    json_t *header = make_header(w);
    if (header == NULL)
        return fail_header_memory(err);
    GB_TRY(render_header(header, head, n_bytes, err));
    GB_TRY(check_header(*head, *n_bytes, err));
done:
    json_decref(header);
    return st;
}

gb_status gb_store_check(const gb_store_writer *w, gb_error *err)
{
    char *head = NULL;
    size_t n_bytes;
    const gb_status st = make_head(w, &head, &n_bytes, err);
    gb_free(head);
    return st;
}

/* ---- arrays ---- */

/* Bytes between two questions whether to go on, and between two syncs. */
static const size_t CHUNK = (size_t)1 << 20, SYNC = (size_t)32 << 20;

/* Where the bytes go: into the checksum, into memory, or into the file. */
typedef struct sink {
    XXH3_state_t *checksum;
    char *memory; /* the end of what is there */
    gb_out_file *file;
    size_t n_unsettled;
    gb_watch *watch; /* NULL: nobody is to be asked */
} sink;

static bool take_chunk(sink *k, const char *bytes, size_t n)
{
    if (k->watch != NULL && !gb_watch_look(k->watch, 0))
        return false;
    if (k->checksum != NULL)
        return XXH3_128bits_update(k->checksum, bytes, n) == XXH_OK;
    if (k->memory != NULL) {
        memcpy(k->memory, bytes, n);
        k->memory += n;
        return true;
    }
    if (fwrite(bytes, 1, n, gb_out_file_stream(k->file)) != n)
        return false;
    k->n_unsettled += n;
    if (k->n_unsettled < SYNC)
        return true;
    k->n_unsettled = 0;
    return gb_out_file_settle(k->file);
}

static bool take(sink *k, const void *bytes, size_t n_bytes)
{
    bool ok = true;
    for (size_t at = 0; at < n_bytes && ok; at += CHUNK)
        ok = take_chunk(k, (const char *)bytes + at, n_bytes - at < CHUNK ? n_bytes - at : CHUNK);
    return ok;
}

static bool walk_array(const pending *a, sink *k)
{
    bool ok = true;
    const gb_array *l = &a->listed;
    if (a->n_bytes == 0 || (l->piece == NULL && l->stride == 0))
        return take(k, a->data, (size_t)a->n_bytes);
    const uint64_t n_pieces = l->piece == NULL ? l->shape[0] : l->n_pieces;
    for (uint64_t i = 0; i < n_pieces && ok; i++) {
        size_t n = (size_t)(a->n_bytes / n_pieces);
        const void *piece = l->piece == NULL ? (const char *)l->first + i * l->stride : l->piece(l, i, &n);
        ok = take(k, piece, n);
    }
    return ok;
}

/* Checksum and file see the same bytes in the same order, because both come from here. */
static bool walk(const gb_store_writer *w, const char *head, size_t n_bytes, sink *k)
{
    static const char zeros[1 << 12];
    bool ok = take(k, head, n_bytes);
    for (size_t i = 0; i < w->n_arrays && ok; i++) {
        const pending *a = &w->array[i];
        ok = (a->padding == 0 || take(k, zeros, (size_t)a->padding)) && walk_array(a, k);
    }
    for (uint64_t n, left = n_behind(w); left > 0 && ok; left -= n) {
        n = left < sizeof zeros ? left : sizeof zeros;
        ok = take(k, zeros, (size_t)n);
    }
    return ok;
}

static gb_status put_checksum(const gb_store_writer *w, char *head, size_t n_bytes, gb_watch *watch, gb_error *err)
{
    char digits[GB_CHECKSUM_DIGITS + 1];
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL)
        return gb_fail(err, GB_ENOMEM, "out of memory: the checksum of a file");
    (void)XXH3_128bits_reset(state);
    (void)walk(w, head, n_bytes, &(sink){.checksum = state, .watch = watch});
    gb_checksum_digits(XXH3_128bits_digest(state), digits);
    XXH3_freeState(state);
    memcpy(head + GB_CHECKSUM_OFFSET, digits, GB_CHECKSUM_DIGITS);
    return GB_OK;
}

/* Head and checksum of what is to be written. */
static gb_status seal(const gb_store_writer *w, char **head, size_t *n_bytes, gb_watch *watch, gb_error *err)
{
    gb_status st = make_head(w, head, n_bytes, err);
    return st != GB_OK ? st : put_checksum(w, *head, *n_bytes, watch, err);
}

gb_status gb_store_put(gb_store_writer *w, gb_out_file *file, char checksum[static GB_STORE_CHECKSUM_SIZE],
                       gb_error *err)
{
    char *head = NULL;
    size_t n_bytes = 0;
    const gb_status st = seal(w, &head, &n_bytes, NULL, err);
    if (st == GB_OK) {
        (void)walk(w, head, n_bytes, &(sink){.file = file});
        memcpy(checksum, head + GB_CHECKSUM_OFFSET, GB_CHECKSUM_DIGITS);
        checksum[GB_CHECKSUM_DIGITS] = '\0';
    }
    gb_free(head);
    return st;
}

gb_status gb_store_to_bytes(gb_store_writer *w, void **bytes, size_t *n_bytes, gb_error *err)
{
    char *head = NULL, *all = NULL;
    size_t n = 0;
    gb_status st;
    GB_TRY(seal(w, &head, &n, NULL, err));
    const size_t whole = n + (size_t)(w->end + n_behind(w));
    GB_TRY(gb_alloc(&all, whole, 1, "the bytes of a file", err));
    (void)walk(w, head, n, &(sink){.memory = all});
    *bytes = all;
    *n_bytes = whole;
done:
    gb_free(head);
    return st;
}

static gb_status fail_stopped(const gb_watch *watch, const char *path, gb_error *err)
{
    return watch == NULL || !atomic_load(&watch->is_stopped)
               ? GB_OK
               : gb_fail(err, GB_ESTOP, "%s: stopped before it was written", path);
}

gb_status gb_store_save(gb_store_writer *w, const char *path, bool force, gb_error *err)
{
    return gb_store_save_with(w, path, force, NULL, NULL, err);
}

gb_status gb_store_save_watched(gb_store_writer *w, const char *path, bool force, gb_watch *watch, gb_error *err)
{
    return gb_store_save_with(w, path, force, NULL, watch, err);
}

gb_status gb_store_save_with(gb_store_writer *w, const char *path, bool force, gb_out_file **second, gb_watch *watch,
                             gb_error *err)
{
    gb_status st = GB_OK;
    gb_out_file *output = NULL;
    char *head = NULL;
    size_t n_bytes = 0;
    GB_TRY(gb_out_file_open(&output, path, force, err));
    GB_TRY(seal(w, &head, &n_bytes, watch, err));
    GB_TRY(fail_stopped(watch, path, err));
    /* A write that fails leaves its mark in the stream; the commit reports it. */
    (void)walk(w, head, n_bytes, &(sink){.file = output, .watch = watch});
    if (watch != NULL)
        (void)gb_watch_ask(watch); /* a last time */
    GB_TRY(fail_stopped(watch, path, err));
    st = second == NULL || *second == NULL ? gb_out_file_commit(output, err)
                                           : gb_out_file_commit_pair(output, second, err);
    output = NULL;
done:
    gb_free(head);
    gb_out_file_discard(output);
    return st;
}

void gb_store_writer_free(gb_store_writer *w)
{
    if (w == NULL)
        return;
    for (size_t i = 0; i < w->n_arrays; i++) {
        gb_free(w->array[i].name);
        gb_free(w->array[i].owned);
    }
    gb_free(w->array);
    json_decref(w->metadata);
    json_decref(w->names);
    gb_free(w);
}
