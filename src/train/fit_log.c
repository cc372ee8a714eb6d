/* train/fit_log.c - a file with a line for every fit of a selection. */
#include "train/fit_log.h"

#include "base/memory.h"
#include "store/json_text.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct gb_fit_log {
    char *path;
    int file; /* -1: not open */
    json_t *known;
    pthread_mutex_t lock;
};

/* ---- reading --------------------------------------------------------------------------------------- */

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
    return gb_fail(err, GB_EFORMAT,
                   "%s:%zu: expected a fit that a selection wrote, one JSON object with key and scores", path,
                   number);
}

/* @param whole  receives the bytes up to the end of the last line */
static gb_status read_lines(FILE *file, const char *path, json_t *known, off_t *whole, gb_error *err)
{
    gb_status st = GB_OK;
    char *line = NULL;
    size_t room = 0;
    ssize_t length = 0;
    for (size_t number = 1; st == GB_OK && (length = getline(&line, &room, file)) > 0; number++) {
        if (line[length - 1] != '\n')
            break;
        st = take_line(known, path, line, (size_t)length, number, err);
        *whole += length;
    }
    if (st == GB_OK && length < 0 && !feof(file))
        st = errno == ENOMEM ? gb_fail_memory(err, 0, "the results")
                             : gb_fail(err, GB_EIO, "%s: cannot read: %s", path, strerror(errno));
    free(line);
    return st;
}

/* A file whose only line has no end may be anybody's. */
static gb_status check_begin(const char *path, FILE *file, off_t whole, gb_error *err)
{
    static const char begin[] = "{\"key\":";
    char text[sizeof begin] = "";
    if (whole > 0)
        return GB_OK;
    rewind(file);
    const size_t n = fread(text, 1, sizeof begin - 1, file);
    if (memcmp(text, begin, n) == 0)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT,
                   "%s:1: expected a fit that a selection wrote, one JSON object with key and scores", path);
}

static gb_status read_file(gb_fit_log *log, gb_error *err)
{
    off_t whole = 0;
    FILE *file = fopen(log->path, "re");
    if (file == NULL && errno == ENOENT)
        return GB_OK;
    if (file == NULL)
        return gb_fail(err, GB_EIO, "%s: cannot open: %s", log->path, strerror(errno));
    gb_status st = read_lines(file, log->path, log->known, &whole, err);
    if (st == GB_OK)
        st = check_begin(log->path, file, whole, err);
    const bool is_torn = st == GB_OK && fseeko(file, 0, SEEK_END) == 0 && ftello(file) > whole;
    if (is_torn && truncate(log->path, whole) != 0)
        st = gb_fail(err, GB_EIO, "%s: cannot write: %s", log->path, strerror(errno));
    (void)fclose(file);
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
    if (log->file >= 0)
        (void)close(log->file);
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

static gb_status cannot_write(const gb_fit_log *log, gb_error *err)
{
    return gb_fail(err, GB_EIO, "%s: cannot write: %s", log->path, strerror(errno));
}

gb_status gb_fit_log_begin(gb_fit_log *log, gb_error *err)
{
    if (*log->path == '\0')
        return GB_OK;
    log->file = open(log->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    return log->file < 0 ? cannot_write(log, err) : GB_OK;
}

/* With the lock held.  Pipes cannot be synchronised. */
static gb_status write_line(gb_fit_log *log, const char *line, size_t length, gb_error *err)
{
    for (size_t at = 0; at < length;) {
        const ssize_t n = write(log->file, line + at, length - at);
        if (n < 0 && errno != EINTR)
            return cannot_write(log, err);
        at += n < 0 ? 0 : (size_t)n;
    }
    return fdatasync(log->file) != 0 && errno != EINVAL ? cannot_write(log, err) : GB_OK;
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
