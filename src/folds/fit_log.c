/* folds/fit_log.c - a file with a line for every fit of a selection. */
#include "folds/fit_log.h"

#include "base/memory.h"
#include "base/system.h"
#include "store/json_text.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

struct gb_fit_log {
    char *path;
    int file; /* -1: not open */
    json_t *known;
    pthread_mutex_t lock;
};

/* ---- reading --------------------------------------------------------------------------------------- */

static gb_status not_a_fit(const char *path, size_t number, gb_error *err)
{
    return gb_fail(err, GB_EFORMAT,
                   "%s:%zu: expected a fit that a selection wrote, one JSON object with key and scores", path,
                   number);
}

static gb_status cannot_write(const gb_fit_log *log, gb_error *err)
{
    return gb_fail(err, GB_EIO, "%s: cannot write: %s", log->path, strerror(errno));
}

static gb_status take_line(json_t *known, const char *path, const char *line, size_t length, size_t number,
                           gb_error *err)
{
    json_t *fit = NULL;
    const gb_status st = gb_json_parse(line, length, 0, &fit, NULL, err);
    if (st == GB_ENOMEM)
        return st;
    const char *key = json_string_value(json_object_get(fit, "key"));
    if (key != NULL && json_is_array(json_object_get(fit, "scores")))
        return json_object_set_new(known, key, fit) == 0 ? GB_OK : gb_fail_memory(err, 0, "the results");
    json_decref(fit);
    return not_a_fit(path, number, err);
}

/* What was read and is not taken yet. */
typedef struct unread {
    char *bytes;
    size_t n, room;
    size_t n_searched; /* of them, for the end of the first line */
    size_t number;     /* of its first line */
    uint64_t begin;    /* its place in the file */
} unread;

/* A line of a fit has some kilobytes. */
enum { AT_ONCE = 1 << 16, MOST_LINE = 1 << 22 };

static gb_status read_some(int file, const char *path, unread *u, bool *at_end, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_grow(&u->bytes, &u->room, u->n + AT_ONCE, 1, "the results", err));
    const int64_t n = gb_file_read(file, u->bytes + u->n, AT_ONCE);
    if (n < 0)
        return gb_fail(err, GB_EIO, "%s: cannot read: %s", path, strerror(errno));
    *at_end = n == 0;
    if (memchr(u->bytes + u->n, '\0', (size_t)n) != NULL)
        return not_a_fit(path, u->number, err);
    u->n += (size_t)n;
done:
    return st;
}

/* Take the whole lines. */
static gb_status take_lines(json_t *known, const char *path, unread *u, gb_error *err)
{
    gb_status st = GB_OK;
    const char *end;
    size_t n_taken = 0;
    size_t from = u->n_searched;
    for (; st == GB_OK && (end = memchr(u->bytes + from, '\n', u->n - from)) != NULL; u->number++) {
        st = take_line(known, path, u->bytes + n_taken, (size_t)(end - u->bytes) - n_taken, u->number, err);
        from = n_taken = (size_t)(end - u->bytes) + 1;
    }
    u->n -= n_taken;
    u->n_searched = u->n;
    u->begin += n_taken;
    memmove(u->bytes, u->bytes + n_taken, u->n);
    return st == GB_OK && u->n > MOST_LINE ? not_a_fit(path, u->number, err) : st;
}

/* Up to the end, which a device or a pipe may not have.  Text behind the last line that is no beginning of one may be anybody's. */
static gb_status read_lines(json_t *known, int file, const char *path, unread *u, gb_error *err)
{
    static const char begin[] = "{\"key\":";
    gb_status st = GB_OK;
    bool at_end = false;
    for (u->number = 1; st == GB_OK && !at_end;) {
        GB_TRY(read_some(file, path, u, &at_end, err));
        GB_TRY(take_lines(known, path, u, err));
    }
    if (memcmp(u->bytes, begin, u->n < sizeof begin - 1 ? u->n : sizeof begin - 1) != 0)
        st = not_a_fit(path, u->number, err);
done:
    return st;
}

static gb_status read_file(gb_fit_log *log, gb_error *err)
{
    gb_status st;
    unread u = {0};
    const int file = gb_file_open(log->path, GB_OPEN_READ, 0);
    if (file < 0 && errno == ENOENT)
        return GB_OK;
    if (file < 0)
        return gb_fail(err, GB_EIO, "%s: cannot open: %s", log->path, strerror(errno));
    GB_TRY(read_lines(log->known, file, log->path, &u, err));
    if (u.n > 0 && !gb_path_cut(log->path, u.begin))
        st = cannot_write(log, err);
done:
    gb_file_close(file);
    gb_free(u.bytes);
    return st;
}

gb_status gb_fit_log_open(const char *path, gb_fit_log **out, gb_error *err)
{
    gb_status st;
    gb_fit_log *log = NULL;
    GB_TRY(gb_alloc(&log, 1, sizeof *log, "the results", err));
    log->file = -1;
    (void)pthread_mutex_init(&log->lock, NULL);
    GB_TRY(gb_copy_text(&log->path, path, strlen(path), err));
    log->known = json_object();
    if (log->known == NULL)
        st = gb_fail_memory(err, 0, "the results");
    else if (*path != '\0')
        st = read_file(log, err);
    if (st == GB_OK) {
        *out = log;
        log = NULL;
    }
done:
    gb_fit_log_close(log);
    return st;
}

void gb_fit_log_close(gb_fit_log *log)
{
    if (log == NULL)
        return;
    gb_file_close(log->file);
    json_decref(log->known);
    gb_free(log->path);
    (void)pthread_mutex_destroy(&log->lock);
    gb_free(log);
}

json_t *gb_fit_log_find(const gb_fit_log *log, const char *key)
{
    return json_object_get(log->known, key);
}

json_t *gb_fit_log_any(const gb_fit_log *log)
{
    return json_object_iter_value(json_object_iter(log->known));
}

/* ---- writing --------------------------------------------------------------------------------------- */

gb_status gb_fit_log_begin(gb_fit_log *log, gb_error *err)
{
    if (*log->path == '\0')
        return GB_OK;
    log->file = gb_file_open(log->path, GB_OPEN_WRITE | GB_OPEN_APPEND | GB_OPEN_CREATE, 0666);
    return log->file < 0 ? cannot_write(log, err) : GB_OK;
}

/* With the lock held.  Pipes cannot be synchronised. */
static gb_status write_line(gb_fit_log *log, const char *line, size_t length, gb_error *err)
{
    return gb_file_write(log->file, line, length) && gb_file_sync(log->file, false) ? GB_OK : cannot_write(log, err);
}

gb_status gb_fit_log_add(gb_fit_log *log, const json_t *fit, gb_error *err)
{
    if (*log->path == '\0')
        return GB_OK;
    char *line = NULL;
    size_t length;
    gb_status st = gb_json_text(fit, JSON_REAL_PRECISION(17), &line, &length, err);
    if (st != GB_OK)
        return st;
    line[length] = '\n'; /* in place of the NUL */
    (void)pthread_mutex_lock(&log->lock);
    st = write_line(log, line, length + 1, err);
    (void)pthread_mutex_unlock(&log->lock);
    gb_free(line);
    return st;
}
