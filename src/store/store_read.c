/* store/store_read.c - maps a file and believes nothing in it that has not been checked.
 *
 * Order of the checks: header, kind and version, then the arrays, then the checksum.  So a truncated or later
 * file is called that, and "does not match" remains for damage that nothing else explains.  Fillers between
 * arrays are plain arrays: together all must cover the file without hole or overlap, so no byte escapes
 * description.
 *
 * If another process shortens the file while it is mapped, reading ends in SIGBUS; our own writers never do
 * that, they rename. */
#include "base/memory.h"
#include "base/system.h"
#include "store/json_text.h"
#include "store/layout.h"
#include "store/store.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdint.h>
#include <string.h>

typedef struct extent {
    const char *name;
    gb_dtype type;
    size_t n_dimensions;
    uint64_t shape[GB_MAX_DIMENSIONS];
    uint64_t begin, end; /* from the end of the header */
} extent;

struct gb_store {
    char *path;
    const char *map; /* NULL for none */
    size_t size, data_offset;
    bool is_copy; /* in memory of its own: there is no file to read it from again */
    json_t *header;
};

/* ---- file ---- */

/* Bytes between two questions whether to go on. */
static const size_t CHUNK = (size_t)1 << 20;

/* Not blocking, so that a pipe without a writer cannot make us wait; for files it makes no difference. */
static int open_file(const char *path, gb_path_info *info)
{
    int descriptor = gb_file_open(path, GB_OPEN_READ | GB_OPEN_NO_WAIT, 0);
    if (descriptor >= 0 && !gb_file_look(descriptor, info)) {
        gb_file_close(descriptor);
        return -1;
    }
    return descriptor;
}

static gb_status fail_not_ours(const gb_store *s, gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "%s: not a gibbous file (expected an 8-byte header length and a JSON header)",
                   s->path);
}

/* From the file, which may change meanwhile: the checks see what was read. */
static gb_status fill(gb_store *s, char *bytes, int descriptor, gb_watch *watch, gb_error *err)
{
    size_t at = 0;
    while (at < s->size) {
        const size_t room = s->size - at < CHUNK ? s->size - at : CHUNK,
                     n = gb_store_read_begin(descriptor, bytes + at, room);
        at += n;
        if (n < room)
            return gb_fail(err, GB_EIO, "%s: cannot read: it has become shorter, or the disk fails", s->path);
        if (watch != NULL && !gb_watch_look(watch, 0))
            return gb_fail(err, GB_ESTOP, "%s: stopped before it was read", s->path);
    }
    return GB_OK;
}

/* Memory mapped like a file, so that it is as well aligned. */
static gb_status copy_file(gb_store *s, int descriptor, gb_watch *watch, gb_error *err)
{
    void *map = gb_map_memory(s->size);
    if (map == NULL)
        return gb_fail_memory(err, s->size, "the bytes of a file");
    s->map = map;
    s->is_copy = true;
    return fill(s, map, descriptor, watch, err);
}

static gb_status map_file(gb_store *s, int descriptor, gb_error *err)
{
    void *map = gb_map_file(descriptor, s->size, false);
    if (map == NULL)
        return gb_fail(err, GB_EIO, "%s: cannot map: %s", s->path, strerror(errno));
    s->map = map;
    return GB_OK;
}

static gb_status load_file(gb_store *s, bool copies, gb_watch *watch, gb_error *err)
{
    gb_status st = GB_OK;
    gb_path_info info;
    int descriptor = open_file(s->path, &info);
    if (descriptor < 0)
        return gb_fail(err, GB_EIO, "%s: cannot open: %s", s->path, strerror(errno));
    if (info.kind == GB_IS_FOLDER)
        st = gb_fail(err, GB_EIO, "%s: cannot open: %s", s->path, strerror(EISDIR));
    else if (info.kind != GB_IS_FILE)
        st = gb_fail(err, GB_EIO, "%s: cannot open: not a regular file", s->path);
    else if (info.n_bytes == 0)
        st = fail_not_ours(s, err);
    else {
        s->size = (size_t)info.n_bytes;
        st = copies ? copy_file(s, descriptor, watch, err) : map_file(s, descriptor, err);
    }
    gb_file_close(descriptor);
    return st;
}

/* Mapped like a file, so that it is as well aligned. */
static gb_status copy_bytes(gb_store *s, const void *bytes, size_t n_bytes, gb_error *err)
{
    if (n_bytes == 0)
        return fail_not_ours(s, err);
    void *map = gb_map_memory(n_bytes);
    if (map == NULL)
        return gb_fail_memory(err, n_bytes, "the bytes of a file");
    memcpy(map, bytes, n_bytes);
    s->map = map;
    s->size = n_bytes;
    s->is_copy = true;
    return GB_OK;
}

static uint64_t header_length(const char *bytes)
{
    uint64_t length;
    memcpy(&length, bytes, sizeof length);
    return length;
}

static bool begins_like_ours(const char *bytes, size_t n_bytes)
{
    return n_bytes >= GB_CHECKSUM_OFFSET && header_length(bytes) <= GB_MAX_HEADER &&
           memcmp(bytes + GB_LENGTH_BYTES, GB_HEADER_BEGIN, strlen(GB_HEADER_BEGIN)) == 0;
}

size_t gb_store_read_begin(int descriptor, char *bytes, size_t room)
{
    size_t n = 0;
    while (n < room) {
        const int64_t now = gb_file_read(descriptor, bytes + n, room - n);
        if (now <= 0)
            break;
        n += (size_t)now;
    }
    return n;
}

bool gb_store_sniff(const char *path)
{
    char begin[GB_CHECKSUM_OFFSET];
    gb_path_info info;
    int descriptor = open_file(path, &info);
    if (descriptor < 0)
        return false;
    /* Bytes read from a pipe would be missing for the next reader. */
    bool ours = info.kind == GB_IS_FILE && gb_store_read_begin(descriptor, begin, sizeof begin) == sizeof begin &&
                begins_like_ours(begin, sizeof begin);
    gb_file_close(descriptor);
    return ours;
}

/* ---- memory ---- */

/* Of 8 parts. */
enum { HEADER_SHARE = 2 };

gb_status gb_store_check_memory(const gb_store *s, uint64_t n_bytes, unsigned share, const char *what, gb_error *err)
{
    if (gb_store_least_size(n_bytes, share) <= s->size)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "%s: %s would take %" PRIu64 " bytes of memory, too much for a file of %zu",
                   s->path, what, n_bytes, s->size);
}

/* ---- header ---- */

static gb_status parse_header(gb_store *s, gb_error *err)
{
    if (!begins_like_ours(s->map, s->size))
        return fail_not_ours(s, err);
    size_t length = (size_t)header_length(s->map);
    if (length > s->size - GB_LENGTH_BYTES)
        return gb_fail(err, GB_EFORMAT, "%s: truncated: the header needs %zu bytes, the file ends at %zu", s->path,
                       GB_LENGTH_BYTES + length, s->size);
    s->data_offset = GB_LENGTH_BYTES + length;
    if (s->data_offset % GB_STORE_ALIGNMENT != 0)
        return gb_fail(err, GB_EFORMAT, "%s: damaged header: its end at %zu is not a multiple of %d", s->path,
                       s->data_offset, GB_STORE_ALIGNMENT);
    const char *text = s->map + GB_LENGTH_BYTES;
    if (!gb_json_is_modest(text, length, GB_HEADER_DEPTH, GB_HEADER_VALUES))
        return gb_fail(err, GB_EFORMAT, "%s: damaged header: nested deeper than %d or more than %d values", s->path,
                       GB_HEADER_DEPTH, GB_HEADER_VALUES);
    gb_status st = gb_store_check_memory(s, gb_json_memory(text, length), HEADER_SHARE, "the header", err);
    if (st != GB_OK)
        return st;
    json_error_t error;
    st = gb_json_parse(text, length, 0, &s->header, &error, err);
    /* The parser's own message quotes the file, which may hold anything; its place is enough. */
    if (st == GB_EFORMAT)
        return gb_fail(err, GB_EFORMAT, "%s: damaged header: not valid JSON at byte %d", s->path,
                       GB_LENGTH_BYTES + error.position);
    return st;
}

static json_t *metadata(const gb_store *s)
{
    return json_object_get(s->header, "__metadata__");
}

static gb_status check_metadata(const gb_store *s, gb_error *err)
{
    /* So there are that many bytes in the file, too: check_checksum() relies on it. */
    if (json_string_length(json_object_get(metadata(s), "checksum")) != GB_CHECKSUM_DIGITS)
        return gb_fail(err, GB_EFORMAT, "%s: damaged header: the checksum should have %d digits", s->path,
                       GB_CHECKSUM_DIGITS);
    const char *name;
    json_t *value;
    json_object_foreach(
        metadata(s), name,
        value) if (!json_is_string(value) ||
                   !gb_store_name_is_valid(
                       name)) return gb_fail(err, GB_EFORMAT,
                                             "%s: damaged header: __metadata__ should hold named texts", s->path);
    return GB_OK;
}

/* "corpus 1": small letters, a space, at most nine digits. */
static gb_status check_kind(const gb_store *s, const char *kind, gb_error *err)
{
    const char *text = json_string_value(json_object_get(metadata(s), "gibbous"));
    size_t letters = text == NULL ? 0 : strspn(text, "abcdefghijklmnopqrstuvwxyz");
    size_t digits = letters == 0 || text[letters] != ' ' ? 0 : strspn(text + letters + 1, "0123456789");
    if (letters > 16 || digits < 1 || digits > 9 || text[letters + 1 + digits] != '\0')
        return gb_fail(err, GB_EFORMAT, "%s: damaged header: \"gibbous\" should be kind and version", s->path);
    if (strlen(kind) != letters || memcmp(text, kind, letters) != 0)
        return gb_fail(err, GB_EFORMAT, "%s: a gibbous %.*s, expected a %s", s->path, (int)letters, text, kind);
    unsigned long version = strtoul(text + letters + 1, NULL, 10);
    const unsigned known = gb_store_version(kind);
    if (version != known)
        return gb_fail(err, GB_EFORMAT, "%s: written by %s version of gibbous (%s %lu, this program reads %s %u)",
                       s->path, version > known ? "a later" : "another", kind, version, kind, known);
    return GB_OK;
}

/* ---- arrays ---- */

static bool read_numbers(const json_t *list, uint64_t *number, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const json_t *item = json_array_get(list, i);
        if (!json_is_integer(item) || json_integer_value(item) < 0)
            return false;
        number[i] = (uint64_t)json_integer_value(item);
    }
    return true;
}

static bool parse_extent(const char *name, const json_t *entry, extent *out)
{
    const char *type = json_string_value(json_object_get(entry, "dtype"));
    const json_t *shape = json_object_get(entry, "shape");
    const json_t *offsets = json_object_get(entry, "data_offsets");
    uint64_t place[2], n_bytes;
    extent e = {.name = name, .n_dimensions = json_array_size(shape)};
    if (json_object_size(entry) != 3 || type == NULL || !gb_dtype_from_name(type, &e.type))
        return false;
    if (e.n_dimensions < 1 || e.n_dimensions > GB_MAX_DIMENSIONS || !read_numbers(shape, e.shape, e.n_dimensions))
        return false;
    if (json_array_size(offsets) != 2 || !read_numbers(offsets, place, 2) || place[0] > place[1])
        return false;
    e.begin = place[0];
    e.end = place[1];
    *out = e;
    return gb_array_bytes(e.type, e.n_dimensions, e.shape, &n_bytes) && n_bytes == e.end - e.begin;
}

static int compare_extents(const void *left, const void *right)
{
    const extent *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->end < b->end ? -1 : a->end > b->end;
}

static bool is_padding(const extent *e)
{
    return strncmp(e->name, GB_PADDING, strlen(GB_PADDING)) == 0;
}

/* `end` is where the array before this one ended. */
static gb_status check_extent(const gb_store *s, const extent *e, uint64_t end, gb_error *err)
{
    uint64_t room = s->size - s->data_offset;
    if (e->end > room)
        return gb_fail(err, GB_EFORMAT,
                       "%s: truncated: array \"%s\" needs %" PRIu64 " bytes at offset %" PRIu64
                       ", the file ends at %zu",
                       s->path, e->name, e->end - e->begin, s->data_offset + e->begin, s->size);
    if (e->begin != end)
        return gb_fail(err, GB_EFORMAT, "%s: damaged header: %s array \"%s\"", s->path,
                       e->begin < end ? "overlap at" : "a hole before", e->name);
    if (e->begin % GB_STORE_ALIGNMENT != 0 && e->begin != e->end && !is_padding(e))
        return gb_fail(err, GB_EFORMAT, "%s: damaged header: array \"%s\" does not begin at a multiple of %d",
                       s->path, e->name, GB_STORE_ALIGNMENT);
    return GB_OK;
}

static gb_status check_coverage(const gb_store *s, extent *array, size_t n_arrays, gb_error *err)
{
    uint64_t end = 0;
    qsort(array, n_arrays, sizeof array[0], compare_extents);
    for (size_t i = 0; i < n_arrays; i++) {
        gb_status st = check_extent(s, &array[i], end, err);
        if (st != GB_OK)
            return st;
        end = array[i].end;
    }
    uint64_t beyond = s->size - s->data_offset - end;
    if (beyond > 0)
        return gb_fail(err, GB_EFORMAT, "%s: damaged: %" PRIu64 " bytes after the last array", s->path, beyond);
    return GB_OK;
}

static gb_status check_arrays(const gb_store *s, gb_error *err)
{
    gb_status st = GB_OK;
    extent *array = NULL;
    size_t n_arrays = 0;
    const char *name;
    json_t *entry;
    GB_TRY(gb_alloc(&array, json_object_size(s->header), sizeof *array, "a file header", err));
    json_object_foreach(s->header, name, entry)
    {
        if (entry == metadata(s))
            continue;
        if (!gb_store_name_is_valid(name)) {
            st = gb_fail(err, GB_EFORMAT, "%s: damaged header: the name of an array is not allowed", s->path);
            goto done;
        }
        if (!parse_extent(name, entry, &array[n_arrays])) {
            st = gb_fail(err, GB_EFORMAT,
                         "%s: damaged header: array \"%s\" should have a dtype, a shape and matching data_offsets",
                         s->path, name);
            goto done;
        }
        n_arrays++;
    }
    GB_TRY(check_coverage(s, array, n_arrays, err));
done:
    gb_free(array);
    return st;
}

static bool add_to_checksum(XXH3_state_t *state, const char *bytes, size_t n_bytes, gb_watch *watch)
{
    bool goes_on = true;
    for (size_t at = 0; at < n_bytes && goes_on; at += CHUNK) {
        (void)XXH3_128bits_update(state, bytes + at, n_bytes - at < CHUNK ? n_bytes - at : CHUNK);
        goes_on = watch == NULL || gb_watch_look(watch, 0);
    }
    return goes_on;
}

static gb_status check_checksum(const gb_store *s, gb_watch *watch, gb_error *err)
{
    char zeros[GB_CHECKSUM_DIGITS], digits[GB_CHECKSUM_DIGITS + 1];
    const size_t after = GB_CHECKSUM_OFFSET + GB_CHECKSUM_DIGITS;
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL)
        return gb_fail(err, GB_ENOMEM, "out of memory: the checksum of %s", s->path);
    memset(zeros, '0', sizeof zeros);
    (void)XXH3_128bits_reset(state);
    (void)XXH3_128bits_update(state, s->map, GB_CHECKSUM_OFFSET);
    (void)XXH3_128bits_update(state, zeros, sizeof zeros);
    const bool goes_on = add_to_checksum(state, s->map + after, s->size - after, watch);
    gb_checksum_digits(XXH3_128bits_digest(state), digits);
    XXH3_freeState(state);
    if (!goes_on)
        return gb_fail(err, GB_ESTOP, "%s: stopped before it was read", s->path);
    if (memcmp(s->map + GB_CHECKSUM_OFFSET, digits, GB_CHECKSUM_DIGITS) != 0)
        return gb_fail(err, GB_EFORMAT, "%s: checksum does not match: the file is damaged", s->path);
    return GB_OK;
}

/* ---- access ---- */

gb_status gb_store_open(gb_store **out, const char *path, const char *kind, gb_error *err)
{
    return gb_store_open_watched(out, path, kind, NULL, err);
}

static gb_status create(gb_store **out, const char *path, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(out, 1, sizeof **out, "a file", err));
    GB_TRY(gb_copy_text(&(*out)->path, path, strlen(path), err));
done:
    return st;
}

static gb_status check(gb_store *s, const char *kind, gb_watch *watch, gb_error *err)
{
    gb_status st;
    GB_TRY(parse_header(s, err));
    GB_TRY(check_metadata(s, err));
    GB_TRY(check_kind(s, kind, err));
    GB_TRY(check_arrays(s, err));
    GB_TRY(check_checksum(s, watch, err));
done:
    return st;
}

static gb_status open_store(gb_store **out, const char *path, const char *kind, bool copies, gb_watch *watch,
                            gb_error *err)
{
    gb_status st;
    gb_store *s = NULL;
    GB_TRY(create(&s, path, err));
    GB_TRY(load_file(s, copies, watch, err));
    GB_TRY(check(s, kind, watch, err));
    *out = s;
    s = NULL;
done:
    gb_store_close(s);
    return st;
}

gb_status gb_store_open_watched(gb_store **out, const char *path, const char *kind, gb_watch *watch, gb_error *err)
{
    return open_store(out, path, kind, false, watch, err);
}

gb_status gb_store_open_copy(gb_store **out, const char *path, const char *kind, gb_watch *watch, gb_error *err)
{
    return open_store(out, path, kind, true, watch, err);
}

gb_status gb_store_open_bytes(gb_store **out, const void *bytes, size_t n_bytes, const char *kind, gb_error *err)
{
    gb_status st;
    gb_store *s = NULL;
    GB_TRY(create(&s, "the bytes", err));
    GB_TRY(copy_bytes(s, bytes, n_bytes, err));
    GB_TRY(check(s, kind, NULL, err));
    *out = s;
    s = NULL;
done:
    gb_store_close(s);
    return st;
}

gb_status gb_store_get_text(const gb_store *s, const char *name, const char **out, gb_error *err)
{
    const char *text = json_string_value(json_object_get(metadata(s), name));
    if (text == NULL)
        return gb_fail(err, GB_EFORMAT, "%s: text \"%s\" is missing", s->path, name);
    *out = text;
    return GB_OK;
}

gb_status gb_store_get_array(const gb_store *s, const char *name, gb_dtype type, size_t n_dimensions, uint64_t *shape,
                             const void **out, gb_error *err)
{
    extent e;
    if (!gb_store_has_array(s, name) || !parse_extent(name, json_object_get(s->header, name), &e))
        return gb_fail(err, GB_EFORMAT, "%s: array \"%s\" is missing", s->path, name);
    if (e.type != type || e.n_dimensions != n_dimensions)
        return gb_fail(err, GB_EFORMAT, "%s: array \"%s\" is %s with %zu dimensions, expected %s with %zu", s->path,
                       name, gb_dtype_name(e.type), e.n_dimensions, gb_dtype_name(type), n_dimensions);
    memcpy(shape, e.shape, n_dimensions * sizeof shape[0]);
    /* An empty array may lie anywhere, even unaligned; the beginning of the map is as good and aligned. */
    *out = e.begin == e.end ? s->map : s->map + s->data_offset + e.begin;
    return GB_OK;
}

gb_status gb_store_find(const gb_store *s, const gb_array *array, const char *misfit, const void **out, gb_error *err)
{
    uint64_t found[GB_MAX_DIMENSIONS];
    const gb_status st = gb_store_get_array(s, array->name, array->type, array->n_dimensions, found, out, err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < array->n_dimensions; i++)
        if (found[i] != array->shape[i])
            return gb_fail(err, GB_EFORMAT, "%s: array \"%s\" has a dimension of %" PRIu64 ", expected %" PRIu64 "%s",
                           s->path, array->name, found[i], array->shape[i], misfit);
    const char *fault = gb_array_fault(array, *out);
    return fault == NULL ? GB_OK : gb_fail(err, GB_EFORMAT, "%s: array \"%s\": %s", s->path, array->name, fault);
}

typedef struct viewing {
    const gb_store *store;
    gb_watch *watch;
    gb_error *err;
    gb_status st;
} viewing;

static void copy_rows(const gb_array *array, const char *data)
{
    const uint64_t n = gb_array_count(array), size = array->size;
    for (uint64_t i = 0; i < n; i++)
        memcpy((char *)array->first + i * array->stride, data + i * size, size);
}

static void view_listed(void *context, const gb_array *array)
{
    viewing *v = context;
    const void *data;
    if (v->st != GB_OK || array->life != GB_STATE || (gb_array_count(array) == 0 && !array->is_always))
        return;
    v->st = gb_store_find(v->store, array, "", &data, v->err);
    if (v->st == GB_OK && !(v->watch == NULL || gb_watch_look(v->watch, 0)))
        v->st = gb_fail(v->err, GB_ESTOP, "%s: stopped before it was read", v->store->path);
    if (v->st != GB_OK)
        return;
    if (array->stride > 0)
        copy_rows(array, data);
    else
        memcpy(array->at, &data, sizeof data);
}

gb_status gb_store_view(const gb_store *s, gb_list_arrays *list, void *component, gb_watch *watch, gb_error *err)
{
    viewing v = {.store = s, .watch = watch, .err = err, .st = GB_OK};
    list(component, &(gb_array_visitor){view_listed, &v});
    return v.st;
}

uint64_t gb_store_length(const gb_store *s, const char *name, size_t dimension)
{
    extent e;
    return gb_store_has_array(s, name) && parse_extent(name, json_object_get(s->header, name), &e) &&
                   dimension < e.n_dimensions
               ? e.shape[dimension]
               : 0;
}

bool gb_store_has_array(const gb_store *s, const char *name)
{
    return strcmp(name, "__metadata__") != 0 && json_object_get(s->header, name) != NULL;
}

gb_status gb_store_copy_arrays(const gb_store *s, const char *prefix, gb_store_writer *w, gb_error *err)
{
    gb_status st = GB_OK;
    const char *name;
    json_t *entry;
    extent e;
    json_object_foreach(s->header, name, entry)
    {
        if (strncmp(name, prefix, strlen(prefix)) != 0 || !parse_extent(name, entry, &e))
            continue;
        GB_TRY(gb_store_array(w, name, e.type, e.n_dimensions, e.shape, s->map + s->data_offset + e.begin, err));
    }
done:
    return st;
}

const char *gb_store_path(const gb_store *s)
{
    return s->path;
}

const char *gb_store_checksum(const gb_store *s)
{
    return json_string_value(json_object_get(metadata(s), "checksum"));
}

void gb_store_forget(const gb_store *s)
{
    if (s->map != NULL && !s->is_copy)
        gb_map_forget((void *)(uintptr_t)s->map, s->size);
}

void gb_store_close(gb_store *s)
{
    if (s == NULL)
        return;
    json_decref(s->header);
    if (s->map != NULL)
        gb_unmap((void *)(uintptr_t)s->map, s->size);
    gb_free(s->path);
    gb_free(s);
}
