/* store/record_log.c - records appended to a file.
 *
 * A record is put together in memory and written by one call at a place that is known, so threads need to agree on the
 * place only, and a failed write leaves nothing that a later one would not overwrite. */
#include "store/record_log.h"

#include "base/memory.h"
#include "base/output.h"
#include "base/system.h"
#include "store/json_text.h"
#include "store/layout.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gb_record_log {
    char *path;  /* "" or a folder with '/': without a name */
    char *shown; /* in messages */
    int descriptor;
    char *temporary;     /* its name until it is kept; NULL: it has the other, or none */
    int place;           /* the file that has the other name till then, locked; or -1 */
    bool place_is_new;   /* it was made for this log */
    uint64_t first, end; /* where the first record begins, and the next will */
    char *map;           /* NULL: none */
    size_t map_size;
    char *buffer; /* the record that is put together */
    size_t capacity;
    pthread_mutex_t mutex; /* of `end` and `buffer` */
};

enum { HEAD = 16, STEP = 8, HEADER_STEP = 64 };

static const char begin_of_header[] = "{\"gibbous\":\"draws 1\"";

static size_t rounded_up(size_t n, size_t step)
{
    return (n + step - 1) / step * step;
}

static gb_status fail_io(const gb_record_log *log, const char *what, gb_error *err)
{
    return gb_fail(err, GB_EIO, "%s: cannot %s: %s", log->shown, what, strerror(errno));
}

/* ---- header ---- */

/* Length and text, filled up with spaces. */
static gb_status render_header(const json_t *header, char **out, size_t *n_bytes, gb_error *err)
{
    gb_status st;
    char *text = NULL, *head = NULL;
    size_t length = 0;
    GB_TRY(gb_json_text(header, 0, &text, &length, err));
    const size_t padded = rounded_up(GB_LENGTH_BYTES + length, HEADER_STEP);
    const uint64_t stored = padded - GB_LENGTH_BYTES;
    GB_TRY(gb_alloc(&head, padded, 1, "a file header", err));
    memset(head, ' ', padded);
    memcpy(head, &stored, sizeof stored);
    memcpy(head + GB_LENGTH_BYTES, text, length);
    *out = head;
    *n_bytes = padded;
done:
    gb_free(text);
    return st;
}

/* @return -1 with errno if it cannot be read, else whether it does */
static int begins_like_a_log(int descriptor)
{
    char begin[GB_LENGTH_BYTES + sizeof begin_of_header];
    const size_t n = sizeof begin_of_header - 1;
    const int64_t got = gb_file_read_at(descriptor, begin, GB_LENGTH_BYTES + n, 0);
    if (got < 0)
        return -1;
    return (size_t)got == GB_LENGTH_BYTES + n && memcmp(begin + GB_LENGTH_BYTES, begin_of_header, n) == 0;
}

static gb_status write_at(const gb_record_log *log, int descriptor, const char *bytes, size_t n, uint64_t offset,
                          gb_error *err)
{
    return gb_file_write_at(descriptor, bytes, n, offset) ? GB_OK : fail_io(log, "write", err);
}

/* ---- opening ---- */

static bool has_name(const gb_record_log *log)
{
    const size_t length = strlen(log->path);
    return length > 0 && log->path[length - 1] != '/';
}

static gb_status set_path(gb_record_log *log, const char *path, gb_error *err)
{
    gb_status st;
    static const char nameless[] = "a temporary file of draws in ";
    GB_TRY(gb_copy_text(&log->path, path, strlen(path), err));
    const char *begin = has_name(log) ? "" : nameless, *end = has_name(log) ? path : gb_temporary_folder(path);
    size_t length = strlen(end);
    while (!has_name(log) && length > 1 && end[length - 1] == '/')
        length--;
    const size_t room = strlen(begin) + length + 1;
    GB_TRY(gb_alloc(&log->shown, room, 1, "a file name", err));
    (void)snprintf(log->shown, room, "%s%.*s", begin, (int)length, end);
done:
    return st;
}

static gb_status make_log(gb_record_log **out, const char *path, gb_error *err)
{
    gb_status st;
    gb_record_log *log = NULL;
    GB_TRY(gb_alloc(&log, 1, sizeof *log, "a file of draws", err));
    log->descriptor = log->place = -1;
    if (pthread_mutex_init(&log->mutex, NULL) != 0) {
        gb_free(log);
        return gb_fail_memory(err, 0, "a file of draws");
    }
    *out = log;
    st = set_path(log, path, err);
done:
    return st;
}

/* Regular, and no other run has it. */
static gb_status check_file(const gb_record_log *log, int descriptor, gb_error *err)
{
    gb_path_info info;
    if (!gb_file_look(descriptor, &info) || info.kind != GB_IS_FILE)
        return gb_fail(err, GB_EIO, "%s: not a regular file", log->shown);
    if (!gb_file_lock(descriptor) && errno == EWOULDBLOCK)
        return gb_fail(err, GB_EARGUMENT, "%s: another run is writing to it", log->shown);
    return GB_OK;
}

/* What the log will replace: a log, or nothing yet. */
static gb_status check_place(const gb_record_log *log, bool force, gb_error *err)
{
    gb_path_info info;
    uint64_t length = 0;
    const int is_log = begins_like_a_log(log->place);
    if (is_log < 0 || !gb_file_look(log->place, &info) || gb_file_read_at(log->place, &length, sizeof length, 0) < 0)
        return fail_io(log, "read", err);
    if (info.n_bytes == 0)
        return GB_OK;
    if (is_log == 0)
        return gb_fail(err, GB_EARGUMENT, "%s: exists already, and is no file of draws", log->shown);
    if (!force && info.n_bytes - GB_LENGTH_BYTES > length)
        return gb_fail(err, GB_EARGUMENT, "%s: exists already, with draws; give `force` to overwrite it", log->shown);
    return GB_OK;
}

static gb_status open_place(gb_record_log *log, bool force, gb_error *err)
{
    gb_status st;
    const int how = GB_OPEN_BOTH | GB_OPEN_NO_WAIT;
    log->place = gb_file_open(log->path, how | GB_OPEN_NEW, 0666);
    log->place_is_new = log->place >= 0;
    if (log->place < 0 && errno == EEXIST)
        log->place = gb_file_open(log->path, how | (force ? GB_OPEN_CREATE : 0), 0666); /* a link may lead nowhere */
    if (log->place < 0)
        return fail_io(log, "write", err);
    GB_TRY(check_file(log, log->place, err));
    GB_TRY(check_place(log, force, err));
done:
    return st;
}

static gb_status open_new(gb_record_log *log, bool force, gb_error *err)
{
    gb_status st = GB_OK;
    if (has_name(log)) {
        GB_TRY(open_place(log, force, err));
        GB_TRY(gb_open_beside(log->path, GB_OPEN_BOTH, &log->temporary, &log->descriptor, err));
    } else
        log->descriptor = gb_open_without_name(log->path);
    if (log->descriptor < 0)
        return fail_io(log, "write", err);
    GB_TRY(check_file(log, log->descriptor, err));
done:
    return st;
}

gb_status gb_record_log_create(gb_record_log **out, const char *path, bool force, const json_t *header, gb_error *err)
{
    gb_status st;
    gb_record_log *log = NULL;
    char *head = NULL;
    size_t n_bytes;
    GB_TRY(make_log(&log, path, err));
    GB_TRY(open_new(log, force, err));
    GB_TRY(render_header(header, &head, &n_bytes, err));
    if (log->place_is_new) /* what a kill leaves is a log without records */
        GB_TRY(write_at(log, log->place, head, n_bytes, 0, err));
    GB_TRY(write_at(log, log->descriptor, head, n_bytes, 0, err));
    log->first = log->end = n_bytes;
    *out = log;
    log = NULL;
done:
    gb_free(head);
    gb_record_log_close(log);
    return st;
}

gb_status gb_record_log_keep(gb_record_log *log, gb_error *err)
{
    if (log->temporary == NULL)
        return GB_OK;
    if (!gb_path_rename(log->temporary, log->path))
        return fail_io(log, "write", err);
    gb_file_close(log->place);
    log->place = -1;
    gb_free(log->temporary);
    log->temporary = NULL;
    return GB_OK;
}

static gb_status check_header(gb_record_log *log, const char *head, size_t n_bytes, gb_error *err)
{
    char *found = NULL;
    gb_status st = gb_alloc(&found, n_bytes, 1, "a file header", err);
    if (st != GB_OK)
        return st;
    const int64_t got = gb_file_read_at(log->descriptor, found, n_bytes, 0);
    if (got != (int64_t)n_bytes || memcmp(found, head, n_bytes) != 0) {
        const int is_log = got < 0 ? -1 : begins_like_a_log(log->descriptor);
        st = is_log < 0 ? fail_io(log, "read", err)
                        : gb_fail(err, GB_EFORMAT, "%s: %s", log->shown,
                                  is_log == 1 ? "these draws are of another model" : "not a file of draws");
    }
    gb_free(found);
    return st;
}

gb_status gb_record_log_open(gb_record_log **out, const char *path, const json_t *header, gb_error *err)
{
    gb_status st;
    gb_path_info info;
    gb_record_log *log = NULL;
    char *head = NULL;
    size_t n_bytes;
    GB_TRY(make_log(&log, path, err));
    log->descriptor = gb_file_open(log->path, GB_OPEN_BOTH | GB_OPEN_NO_WAIT, 0);
    if (log->descriptor < 0) {
        st = fail_io(log, "open", err);
        goto done;
    }
    GB_TRY(check_file(log, log->descriptor, err));
    GB_TRY(render_header(header, &head, &n_bytes, err));
    GB_TRY(check_header(log, head, n_bytes, err));
    if (!gb_file_look(log->descriptor, &info)) {
        st = fail_io(log, "read", err);
        goto done;
    }
    log->first = n_bytes;
    log->end = info.n_bytes;
    *out = log;
    log = NULL;
done:
    gb_free(head);
    gb_record_log_close(log);
    return st;
}

enum { MOST_HEADER = 1 << 20 };

/* The header of a file of that size. */
static gb_status read_header(gb_record_log *log, uint64_t size, json_t **out, gb_error *err)
{
    gb_status st;
    uint64_t length = 0;
    char *text = NULL;
    const int is_log = begins_like_a_log(log->descriptor);
    if (is_log < 0 || gb_file_read_at(log->descriptor, &length, sizeof length, 0) < 0)
        return fail_io(log, "read", err);
    if (is_log == 0 || length < sizeof begin_of_header - 1 || length > MOST_HEADER || length + GB_LENGTH_BYTES > size)
        return gb_fail(err, GB_EFORMAT, "%s: not a file of draws", log->shown);
    GB_TRY(gb_alloc(&text, length, 1, "a file header", err));
    const int64_t got = gb_file_read_at(log->descriptor, text, length, GB_LENGTH_BYTES);
    if (got != (int64_t)length) {
        st = got < 0 ? fail_io(log, "read", err) : gb_fail(err, GB_EFORMAT, "%s: was shortened", log->shown);
        goto done;
    }
    st = gb_json_parse(text, length, 0, out, NULL, err);
    log->first = GB_LENGTH_BYTES + length;
    if (st == GB_EFORMAT)
        st = gb_fail(err, GB_EFORMAT, "%s: damaged: its header is not JSON", log->shown);
done:
    gb_free(text);
    return st;
}

gb_status gb_record_log_look(gb_record_log **out, const char *path, json_t **header, gb_error *err)
{
    gb_status st;
    gb_path_info info;
    gb_record_log *log = NULL;
    GB_TRY(make_log(&log, path, err));
    log->descriptor = gb_file_open(path, GB_OPEN_READ | GB_OPEN_NO_WAIT, 0);
    if (log->descriptor < 0 || !gb_file_look(log->descriptor, &info)) {
        st = fail_io(log, "open", err);
        goto done;
    }
    GB_TRY(read_header(log, info.kind == GB_IS_FILE ? info.n_bytes : 0, header, err));
    log->end = info.n_bytes;
    *out = log;
    log = NULL;
done:
    gb_record_log_close(log);
    return st;
}

/* ---- writing ---- */

static gb_status append(gb_record_log *log, size_t n_parts, const gb_record_part *part, gb_record_place *place,
                        gb_error *err)
{
    gb_status st;
    uint64_t length = 0;
    for (size_t i = 0; i < n_parts; i++)
        length += part[i].n;
    const size_t n_bytes = HEAD + rounded_up(length, STEP);
    GB_TRY(gb_grow(&log->buffer, &log->capacity, n_bytes, 1, "a posterior draw", err));
    char *at = log->buffer + HEAD;
    for (size_t i = 0; i < n_parts; at += part[i++].n)
        if (part[i].n > 0)
            memcpy(at, part[i].data, part[i].n);
    memset(at, 0, n_bytes - HEAD - length);
    const uint64_t checksum = XXH3_64bits_withSeed(log->buffer + HEAD, n_bytes - HEAD, length);
    memcpy(log->buffer, &length, sizeof length);
    memcpy(log->buffer + sizeof length, &checksum, sizeof checksum);
    GB_TRY(write_at(log, log->descriptor, log->buffer, n_bytes, log->end, err));
    *place = (gb_record_place){.offset = log->end + HEAD, .checksum = checksum};
    log->end += n_bytes;
done:
    return st;
}

gb_status gb_record_log_append(gb_record_log *log, size_t n_parts, const gb_record_part *part, gb_record_place *place,
                               gb_error *err)
{
    (void)pthread_mutex_lock(&log->mutex);
    const gb_status st = append(log, n_parts, part, place, err);
    (void)pthread_mutex_unlock(&log->mutex);
    return st;
}

gb_status gb_record_log_truncate(gb_record_log *log, uint64_t offset, gb_error *err)
{
    log->end = offset - HEAD;
    return gb_file_cut(log->descriptor, log->end) ? GB_OK : fail_io(log, "truncate", err);
}

/* Somebody may have removed it, or put another file there: what is appended would be lost with the process. */
static bool has_lost_its_name(const gb_record_log *log)
{
    gb_path_info here, there;
    if (!has_name(log) || !gb_file_look(log->descriptor, &here))
        return false;
    return !gb_path_look(log->temporary == NULL ? log->path : log->temporary, true, &there) ||
           here.device != there.device || here.number != there.number;
}

gb_status gb_record_log_sync(gb_record_log *log, gb_error *err)
{
    if (has_lost_its_name(log))
        return gb_fail(err, GB_EIO, "%s: was removed or replaced while the run wrote to it", log->shown);
    return gb_file_sync(log->descriptor, false) ? GB_OK : fail_io(log, "write", err);
}

/* ---- reading ---- */

gb_status gb_record_log_map(gb_record_log *log, const char **out, gb_error *err)
{
    if (log->map != NULL)
        gb_unmap(log->map, log->map_size);
    log->map = NULL;
    void *map = gb_map_file(log->descriptor, (size_t)log->end, true);
    if (map == NULL)
        return fail_io(log, "map", err);
    log->map = map;
    log->map_size = (size_t)log->end;
    *out = map;
    return GB_OK;
}

void gb_record_log_forget_pages(const gb_record_log *log)
{
    if (log->map != NULL)
        gb_map_forget(log->map, log->map_size);
}

uint64_t gb_record_log_first(const gb_record_log *log)
{
    return log->first + HEAD;
}

const void *gb_record_log_next(const gb_record_log *log, uint64_t *offset, size_t *length)
{
    uint64_t head[2];
    if (*offset > log->map_size)
        return NULL;
    const uint64_t room = log->map_size - *offset;
    memcpy(head, log->map + *offset - HEAD, sizeof head);
    if (head[0] < 1 || head[0] > room || rounded_up(head[0], STEP) > room)
        return NULL;
    const char *content = log->map + *offset;
    if (XXH3_64bits_withSeed(content, rounded_up(head[0], STEP), head[0]) != head[1])
        return NULL;
    *length = head[0];
    *offset += rounded_up(head[0], STEP) + HEAD;
    return content;
}

uint64_t gb_record_log_checksum(const gb_record_log *log, uint64_t offset)
{
    uint64_t head[2];
    memcpy(head, log->map + offset - HEAD, sizeof head);
    return head[1];
}

/* ---- end ---- */

void gb_record_log_close(gb_record_log *log)
{
    if (log == NULL)
        return;
    if (log->map != NULL)
        gb_unmap(log->map, log->map_size);
    if (log->temporary != NULL)
        (void)gb_path_remove(log->temporary);
    if (log->place_is_new && log->place >= 0)
        (void)gb_path_remove(log->path);
    gb_file_close(log->descriptor);
    gb_file_close(log->place);
    (void)pthread_mutex_destroy(&log->mutex);
    gb_free(log->temporary);
    gb_free(log->buffer);
    gb_free(log->shown);
    gb_free(log->path);
    gb_free(log);
}

const char *gb_record_log_path(const gb_record_log *log)
{
    return log->shown;
}
