/* corpus/data/input.c - the bytes of an input, unpacked, as lines of checked UTF-8.
 *
 * libarchive unpacks (corpus/data/archive.h).  Its gzip compares neither checksum nor length, so gzip is
 * unpacked in front of it (base/inflate.h).  A short file that is text from its first byte to its
 * last is read without it, since a folder may hold very many of them. */
#include "corpus/data/input.h"

#include "base/inflate.h"
#include "base/memory.h"
#include "base/system.h"
#include "corpus/data/archive.h"
#include "corpus/data/encoding.h"
#include "corpus/data/foreign.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { BLOCK = 1 << 18, MESSAGE = 800, PAUSE = 100 /* milliseconds */, STANDARD_INPUT = 0 };

struct gb_input {
    gb_read_watch *watch; /* borrowed; may be NULL */
    gb_archive *archive;  /* NULL for a short text, which is in the buffer as a whole */
    bool text_begun;      /* the one file that a short text has, or a stream */
    bool is_stream; /* a pipe, a terminal or a socket with text, which is read as it comes, without libarchive */
    int fd;
    bool owns_fd;
    int64_t origin;     /* where the descriptor stood: for libarchive, the beginning of the file */
    bool at_end;        /* of the current file */
    bool archive_ended; /* libarchive says so once */
    char *path;
    char *member; /* NULL outside of archives */
    char *name;
    char *block;    /* as read; NULL for a short text */
    bool has_first; /* the block is the first, which libarchive has not had yet */
    size_t n_first;
    gb_inflate *inflate; /* what gzip packed; else NULL */
    gb_status fault;     /* of it, with what it said */
    gb_error said;
    uint64_t n_packed; /* bytes read for it */
    uint64_t n_given;  /* bytes that libarchive was given */
    uint64_t n_to_use; /* of them, up to the last that is not zero */
    char *buffer;
    size_t capacity, begin, end;
    char *encoding;      /* of files without a mark; NULL: UTF-8 */
    gb_decoder *decoder; /* of the current file; NULL: it is UTF-8 */
    const char *decoded_from;
    char *raw; /* a block for it; NULL before the first */
    bool has_bad_bytes;
    uint64_t n_held;           /* bytes of memory for a long line, by the watch */
    uint64_t line, n_unpacked; /* bytes of all files */
};

/* ---- messages ------------------------------------------------------------------------------------------ */

gb_status gb_input_fail_at(const gb_input *in, uint64_t line, gb_error *err, const char *format, ...)
{
    char message[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return gb_fail(err, GB_EFORMAT, "%s:%llu: %s", in->name, (unsigned long long)line, message);
}

gb_status gb_input_fail(const gb_input *in, gb_error *err, const char *format, ...)
{
    char message[MESSAGE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return gb_fail(err, GB_EFORMAT, "%s:%llu: %s", in->name, (unsigned long long)in->line, message);
}

gb_status gb_input_place(const gb_input *in, gb_error *err, gb_status status)
{
    char message[sizeof err->message];
    if (err == NULL || status != GB_EFORMAT)
        return status;
    memcpy(message, err->message, sizeof message);
    return gb_input_fail(in, err, "%s", message);
}

/* Damage of the data is GB_EFORMAT, a failing disk GB_EIO.  @param text  what is wrong in words, or NULL */
static gb_status fail_unpacking(const gb_input *in, int code, const char *text, gb_error *err)
{
    if (in->watch != NULL && atomic_load(&in->watch->watch.is_stopped))
        return gb_read_watch_ask(in->watch, err);
    if (in->fault == GB_ENOMEM)
        return gb_fail_memory(err, BLOCK, "unpacking");
    if (in->fault != GB_OK)
        return gb_fail(err, GB_EFORMAT, "%s: damaged or cut short (%s)", in->name, in->said.message);
    if (code == EIO || code == EISDIR || code == EACCES || code == EBADF)
        return gb_fail(err, GB_EIO, "%s: %s", in->name, text == NULL ? strerror(code) : text);
    if (gb_archive_lacked_memory(in->archive))
        return gb_fail_memory(err, BLOCK, "unpacking");
    return gb_fail(err, GB_EFORMAT, "%s: damaged or cut short (%s)", in->name,
                   text == NULL ? "it cannot be unpacked" : text);
}

static gb_status fail_archive(const gb_input *in, gb_error *err)
{
    const char *text = gb_archive_says(in->archive);
    const bool is_clear =
        text != NULL && strstr(text, "INTERNAL ERROR") == NULL; /* of the library, for some damaged files */
    return fail_unpacking(in, gb_archive_code(in->archive), is_clear ? text : NULL, err);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static gb_status open_fd(gb_input *in, gb_error *err)
{
    if (strcmp(in->path, "-") == 0) {
        const int64_t place = gb_file_seek(STANDARD_INPUT, 0, SEEK_CUR); /* -1: a pipe, which is never moved */
        in->fd = STANDARD_INPUT;
        in->origin = place > 0 ? place : 0;
        return GB_OK;
    }
    in->fd = gb_file_open(in->path, GB_OPEN_READ, 0);
    if (in->fd < 0)
        return gb_fail(err, GB_EIO, "%s: %s", in->name, strerror(errno));
    in->owns_fd = true;
    gb_path_info info;
    if (gb_file_look(in->fd, &info) && info.kind == GB_IS_FOLDER)
        return gb_fail(err, GB_EIO, "%s: is a folder, not a file", in->name);
    return GB_OK;
}

/* Into the buffer, up to the end or to one byte more than BLOCK. */
static gb_status read_start(gb_input *in, size_t size, gb_error *err)
{
    gb_status st = gb_grow(&in->buffer, &in->capacity, size + 1, 1, "a text", err);
    while (st == GB_OK && in->end < size + 1) {
        const int64_t n = gb_file_read(in->fd, in->buffer + in->end, size + 1 - in->end);
        if (n < 0)
            return gb_fail(err, GB_EIO, "%s: %s", in->name, strerror(errno));
        if (n == 0)
            break;
        in->end += (size_t)n;
    }
    return st;
}

/* Neither packed nor an archive.  All that libarchive would unpack has NUL bytes or begins with bytes that are not
 * UTF-8; only bzip2 and the frames that zstd skips can begin with text. */
static bool is_text(const gb_input *in)
{
    return in->end > 0 && gb_text_valid_length(in->buffer, in->end) == in->end &&
           !(in->end >= 3 && memcmp(in->buffer, "BZh", 3) == 0) &&
           !(in->end >= 4 && memcmp(in->buffer + 1, "*M\x18", 3) == 0);
}

/* The same of its first bytes, which may end inside a character. */
static bool begins_text(const char *bytes, size_t n)
{
    const size_t good = gb_text_valid_length(bytes, n);
    return good > 0 && n - good < 4 && memchr(bytes, '\0', n) == NULL && !(n >= 3 && memcmp(bytes, "BZh", 3) == 0) &&
           !(n >= 4 && memcmp(bytes + 1, "*M\x18", 3) == 0);
}

/* Read a short text as a whole; anything else is left at its beginning. */
static gb_status read_short_text(gb_input *in, bool *done, gb_error *err)
{
    gb_path_info info;
    *done = false;
    if (!gb_file_look(in->fd, &info) || info.kind != GB_IS_FILE || info.n_bytes == 0 || info.n_bytes > BLOCK ||
        in->origin != 0)
        return GB_OK;
    gb_status st = read_start(in, (size_t)info.n_bytes, err);
    if (st != GB_OK)
        return st;
    *done = in->end <= (size_t)info.n_bytes && is_text(in);
    if (!*done)
        in->end = 0;
    if (!*done && gb_file_seek(in->fd, 0, SEEK_SET) != 0)
        return gb_fail(err, GB_EIO, "%s: %s", in->name, strerror(errno));
    return GB_OK;
}

/* Not in a pipe, from which nothing can be read twice. */
static gb_status refuse_foreign(const gb_input *in, gb_error *err)
{
    char head[GB_FOREIGN_BYTES];
    const int64_t n = gb_file_read_at(in->fd, head, sizeof head, (uint64_t)in->origin);
    const char *says = n <= 0 ? NULL : gb_foreign_file(head, (size_t)n);
    return says == NULL ? GB_OK : gb_fail(err, GB_EFORMAT, "%s: %s", in->name, says);
}

/* Into the block, behind its first bytes.  A pipe or a terminal may have nothing to read for long: then the caller is
 * asked whether to wait.
 * @return bytes, 0 at the end, -1 (errno; ECANCELED: stopped) */
static int64_t read_behind(gb_input *in, size_t first)
{
    for (;;) {
        if (gb_read_watch_ask(in->watch, NULL) != GB_OK) {
            errno = ECANCELED;
            return -1;
        }
        if (in->watch != NULL && !gb_file_has_input(in->fd, PAUSE))
            continue;
        return gb_file_read(in->fd, in->block + first, BLOCK - first);
    }
}

static int64_t read_packed(gb_input *in)
{
    if (!in->has_first)
        return read_behind(in, 0);
    in->has_first = false;
    return (int64_t)in->n_first;
}

static int64_t read_block(gb_input *in, const void **block)
{
    *block = in->block;
    return read_packed(in);
}

static int64_t read_inflated(gb_input *in, const void **block, const char **why)
{
    size_t n = 0;
    while (in->fault == GB_OK) {
        in->fault = gb_inflate_take(in->inflate, block, &n, &in->said);
        if (in->fault == GB_OK && (n > 0 || !gb_inflate_is_hungry(in->inflate)))
            return (int64_t)n;
        const int64_t n_read = in->fault == GB_OK ? read_packed(in) : 0;
        if (n_read < 0)
            return -1;
        in->n_packed += (uint64_t)n_read;
        gb_inflate_put(in->inflate, in->block, (size_t)n_read);
    }
    *why = in->said.message;
    return -1;
}

static int64_t give(void *context, const void **block, const char **why)
{
    gb_input *in = context;
    const int64_t n = in->inflate == NULL ? read_block(in, block) : read_inflated(in, block, why);
    const char *bytes = *block;
    int64_t n_to_use = n;
    while (n_to_use > 0 && bytes[n_to_use - 1] == '\0')
        n_to_use--;
    if (n_to_use > 0)
        in->n_to_use = in->n_given + (uint64_t)n_to_use;
    in->n_given += n > 0 ? (uint64_t)n : 0;
    return n;
}

/* As a device without an end gives them.  An archive without files has fewer. */
static bool are_many_zeros(const char *bytes, size_t n)
{
    enum { MANY = 1 << 15 };
    return n >= MANY && bytes[0] == '\0' && memcmp(bytes, bytes + 1, n - 1) == 0;
}

/* The first two bytes say whether gzip packed it. */
static gb_status begin_bytes(gb_input *in, gb_error *err)
{
    int64_t n = 1;
    gb_status st = gb_alloc(&in->block, BLOCK, 1, "unpacking", err);
    while (st == GB_OK && n > 0 && in->n_first < 2) {
        n = read_behind(in, in->n_first);
        if (n < 0)
            st = errno == ECANCELED ? gb_read_watch_ask(in->watch, err)
                                    : gb_fail(err, GB_EIO, "%s: %s", in->name, strerror(errno));
        else
            in->n_first += (size_t)n;
    }
    in->has_first = true;
    if (st == GB_OK && are_many_zeros(in->block, in->n_first))
        st = gb_fail(err, GB_EFORMAT, "%s: begins with nothing but zero bytes", in->name);
    if (st == GB_OK && gb_inflate_knows(in->block, in->n_first))
        st = gb_inflate_begin(&in->inflate, err);
    return st;
}

/* libarchive waits for more than a line: whoever writes lines into a pipe and waits for answers would wait for ever. */
static bool is_stream(const gb_input *in)
{
    gb_path_info info;
    return in->inflate == NULL && gb_file_look(in->fd, &info) && info.kind != GB_IS_FILE && info.kind != GB_IS_DISK &&
           begins_text(in->block, in->n_first);
}

/* Standard input may be a file of which another program has read a part. */
static int64_t seek_in_file(void *context, int64_t offset, int whence)
{
    const gb_input *in = context;
    const int64_t place = gb_file_seek(in->fd, whence == SEEK_SET ? in->origin + offset : offset, whence);
    return place < 0 ? -1 : place - in->origin;
}

static gb_status open_archive(gb_input *in, gb_error *err)
{
    gb_path_info info;
    gb_archive_source source = {.context = in, .give = give};
    const gb_status st = begin_bytes(in, err);
    if (st != GB_OK)
        return st;
    in->is_stream = is_stream(in);
    if (in->is_stream)
        return GB_OK;
    if (in->inflate == NULL && gb_file_look(in->fd, &info) && info.kind == GB_IS_FILE)
        source.seek = seek_in_file;
    return gb_archive_open(&in->archive, &source, err);
}

const char *gb_input_shown(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

gb_status gb_input_open(gb_input **out, const char *path, gb_read_watch *watch, gb_error *err)
{
    gb_status st;
    gb_input *in = NULL;
    bool found, is_short_text;
    GB_TRY(gb_alloc(&in, 1, sizeof *in, "an input", err));
    in->fd = -1;
    in->watch = watch;
    GB_TRY(gb_copy_text(&in->path, path, strlen(path), err));
    const char *name = gb_input_shown(path);
    GB_TRY(gb_copy_text(&in->name, name, strlen(name), err));
    GB_TRY(open_fd(in, err));
    GB_TRY(read_short_text(in, &is_short_text, err));
    if (!is_short_text) {
        GB_TRY(refuse_foreign(in, err));
        GB_TRY(open_archive(in, err));
    }
    GB_TRY(gb_input_next_file(in, &found, err));
    *out = in;
    in = NULL;
done:
    gb_input_close(in);
    return st;
}

void gb_input_close(gb_input *in)
{
    if (in == NULL)
        return;
    (void)gb_read_watch_hold(in->watch, in->name, 0, &in->n_held, NULL);
    gb_archive_close(in->archive);
    gb_inflate_free(in->inflate);
    gb_decoder_close(in->decoder);
    gb_free(in->encoding);
    gb_free(in->raw);
    if (in->owns_fd)
        gb_file_close(in->fd);
    gb_free(in->path);
    gb_free(in->member);
    gb_free(in->name);
    gb_free(in->buffer);
    gb_free(in->block);
    gb_free(in);
}

/* ---- files of an archive ------------------------------------------------------------------------------- */

/* Its name, and not that of a file in it. */
static const char *whole(const gb_input *in)
{
    return gb_input_shown(in->path);
}

/* A part of the path that begins with a dot hides the file; "./" does not. */
static bool is_hidden(const char *path)
{
    for (const char *part = path; part != NULL; part = strchr(part, '/')) {
        if (*part == '/')
            part++;
        if (part[0] == '.' && part[1] != '/' && part[1] != '\0')
            return true;
    }
    return strncmp(path, "__MACOSX/", 9) == 0;
}

static gb_status set_member(gb_input *in, bool *found, gb_error *err)
{
    gb_status st = GB_OK;
    gb_bytes name = {0};
    const char *path = gb_archive_member(in->archive);
    *found = path != NULL && !is_hidden(path);
    if (!*found)
        return GB_OK;
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    gb_free(in->member);
    in->member = NULL;
    GB_TRY(gb_copy_text(&in->member, path, strlen(path), err));
    GB_TRY(gb_bytes_add(&name, whole(in), strlen(whole(in)), err));
    GB_TRY(gb_bytes_add(&name, "/", 1, err));
    GB_TRY(gb_bytes_add(&name, path, strlen(path) + 1, err));
    for (char *c = name.data; *c != '\0'; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    gb_free(in->name);
    in->name = name.data;
    name.data = NULL;
done:
    gb_free(name.data);
    return st;
}

/* libarchive ends a file that bzip2 packed, without a word, where what follows does not look like more of it, as where
 * a later stream is damaged or cut.  Zeros there, as on tapes, do no harm. */
static gb_status check_behind(gb_input *in, gb_error *err)
{
    const void *block = NULL;
    const char *why = NULL;
    int64_t n = 1;
    if (!gb_archive_is_packed(in->archive))
        return GB_OK;
    if (gb_archive_is_packed_twice(in->archive))
        return gb_fail(err, GB_EFORMAT, "%s: bzip2 packed it before another packed that; undo one of both",
                       whole(in));
    const int64_t n_used = gb_archive_taken(in->archive);
    while (n > 0 && in->n_to_use <= (uint64_t)n_used)
        n = give(in, &block, &why);
    if (n < 0)
        return fail_unpacking(in, errno, why, err);
    if (in->n_to_use <= (uint64_t)n_used)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "%s: damaged or cut short (bytes after its end)", whole(in));
}

/* Without its end an archive may have been cut between two files, which libarchive does not mind. */
static gb_status check_end(gb_input *in, gb_error *err)
{
    if (gb_archive_may_end_early(in->archive))
        return GB_OK;
    if (!gb_archive_lacks_end(in->archive))
        return check_behind(in, err);
    return gb_fail(err, GB_EFORMAT, "%s: damaged or cut short (the end of the archive is missing)", whole(in));
}

gb_status gb_input_next_file(gb_input *in, bool *found, gb_error *err)
{
    if (in->archive == NULL) {
        *found = !in->text_begun;
        in->begin = *found ? 0 : in->end;
        in->at_end = !in->is_stream || in->text_begun;
        in->text_begun = true;
        return GB_OK;
    }
    *found = false;
    in->begin = in->end = 0;
    in->line = 0;
    in->has_bad_bytes = false;
    gb_decoder_close(in->decoder);
    in->decoder = NULL;
    in->at_end = true;
    while (!*found && !in->archive_ended) {
        const gb_archive_found next = gb_archive_next(in->archive);
        in->archive_ended = next == GB_ARCHIVE_END;
        if (next == GB_ARCHIVE_END && in->fault == GB_OK)
            return check_end(in, err);
        if (next != GB_ARCHIVE_FILE)
            return fail_archive(in, err);
        *found = true;
        if (gb_input_is_archive(in)) {
            gb_status st = set_member(in, found, err);
            if (st != GB_OK)
                return st;
        }
    }
    in->at_end = !*found;
    return GB_OK;
}

bool gb_input_is_archive(const gb_input *in)
{
    return in->archive != NULL && gb_archive_has_members(in->archive);
}

const char *gb_input_member(const gb_input *in)
{
    return in->member;
}

const char *gb_input_name(const gb_input *in)
{
    return in->name;
}

gb_status gb_input_expect_last(gb_input *in, gb_error *err)
{
    bool found = false;
    if (!gb_input_is_archive(in))
        return GB_OK;
    gb_status st = gb_input_next_file(in, &found, err);
    if (st == GB_OK && found)
        st = gb_fail(err, GB_EFORMAT, "%s: holds more than one file; `format` dir reads each of them as a document",
                     whole(in));
    return st;
}

/* ---- lines --------------------------------------------------------------------------------------------- */

/* Unpacked bytes that need no reason. */
static const uint64_t FREE_BYTES = (uint64_t)64 << 20;

/* A small file can be made to unpack to more than any disk or memory has. */
static gb_status check_unpacked(gb_input *in, size_t n, gb_error *err)
{
    const uint64_t factor =
        in->watch == NULL || in->watch->unpack_factor == 0 ? GB_UNPACK_FACTOR : in->watch->unpack_factor;
    const int64_t packed = in->inflate == NULL ? gb_archive_taken(in->archive) : (int64_t)in->n_packed;
    in->n_unpacked += n;
    if (in->n_unpacked <= FREE_BYTES || packed < 0 || (in->n_unpacked - FREE_BYTES) / factor <= (uint64_t)packed)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "%s: unpacks to more than %llu times its size; `unpack-factor` allows more",
                   in->name, (unsigned long long)factor);
}

/* Append one block to buffer[begin .. end). */
/* A long line, and what its text becomes until its words are known: unescaped, and once more in its final encoding. */
static gb_status hold_line(gb_input *in, gb_error *err)
{
    enum { SHORT = 1 << 20, TIMES = 4 };
    const uint64_t n_bytes = in->end < SHORT ? 0 : TIMES * (uint64_t)in->end;
    return n_bytes <= in->n_held ? GB_OK : gb_read_watch_hold(in->watch, in->name, n_bytes, &in->n_held, err);
}

/* More of the current file, of which in->at_end says whether it is all. */
static gb_status decode(gb_input *in, const char *bytes, size_t n, gb_error *err)
{
    uint64_t bad_at = 0;
    const gb_status st =
        gb_decoder_put(in->decoder, bytes, n, in->at_end, &in->buffer, &in->capacity, &in->end, &bad_at, err);
    in->has_bad_bytes = st == GB_EFORMAT;
    if (st != GB_EFORMAT)
        return st;
    return gb_fail(err, st, "%s: byte %llu of the file is not valid %s", in->name, (unsigned long long)bad_at + 1,
                   in->decoded_from);
}

/* What there is by now; 0 at the end. */
static gb_status read_stream(gb_input *in, char *block, int64_t *n, gb_error *err)
{
    *n = read_packed(in);
    if (*n < 0)
        return errno == ECANCELED ? gb_read_watch_ask(in->watch, err)
                                  : gb_fail(err, GB_EIO, "%s: %s", in->name, strerror(errno));
    memcpy(block, in->block, (size_t)*n);
    return GB_OK;
}

static gb_status unpack(gb_input *in, char *block, int64_t *n, gb_error *err)
{
    *n = gb_archive_read(in->archive, block, BLOCK);
    return *n < 0 || in->fault != GB_OK ? fail_archive(in, err) : GB_OK;
}

bool gb_input_would_wait(const gb_input *in)
{
    return in->is_stream && !in->at_end && memchr(in->buffer + in->begin, '\n', in->end - in->begin) == NULL &&
           !gb_file_has_input(in->fd, 0);
}

static gb_status fill(gb_input *in, gb_error *err)
{
    if (in->buffer != NULL && in->begin > 0) {
        memmove(in->buffer, in->buffer + in->begin, in->end - in->begin);
        in->end -= in->begin;
        in->begin = 0;
    }
    gb_status st = hold_line(in, err);
    if (st == GB_OK && in->decoder == NULL)
        st = gb_grow(&in->buffer, &in->capacity, in->end + BLOCK, 1, "a line of input", err);
    if (st != GB_OK)
        return st;
    char *block = in->decoder == NULL ? in->buffer + in->end : in->raw;
    int64_t n;
    if (in->is_stream)
        st = read_stream(in, block, &n, err);
    else
        st = unpack(in, block, &n, err);
    if (st != GB_OK)
        return st;
    in->at_end = n == 0;
    if (in->decoder == NULL)
        in->end += (size_t)n;
    else
        st = decode(in, block, (size_t)n, err);
    if (st == GB_OK && !in->is_stream)
        st = check_unpacked(in, (size_t)n, err);
    if (st == GB_OK && in->at_end && !in->is_stream && !gb_input_is_archive(in))
        st = check_behind(in, err);
    return st != GB_OK ? st : gb_read_watch_ask(in->watch, err);
}

/* The text has characters of several bytes, and all that is known of it is good UTF-8. */
static bool is_like_utf8(const char *text, size_t n)
{
    enum { CUT = 3 };
    const size_t n_good = gb_text_valid_length(text, n);
    size_t at = 0;
    while (at < n_good && (unsigned char)text[at] < 0x80)
        at++;
    return at < n_good && n_good + CUT >= n;
}

/* From here on, what is in the buffer goes through a decoder. */
static gb_status begin_decoding(gb_input *in, const char *encoding, gb_error *err)
{
    gb_status st;
    char *bytes = NULL;
    const size_t n = in->end - in->begin;
    GB_TRY(gb_decoder_open(&in->decoder, encoding, err));
    in->decoded_from = encoding;
    if (in->raw == NULL)
        GB_TRY(gb_alloc(&in->raw, BLOCK, 1, "a block of input", err));
    GB_TRY(gb_copy_text(&bytes, in->buffer + in->begin, n, err));
    if (in->watch != NULL && encoding == in->encoding)
        in->watch->n_like_utf8 += is_like_utf8(bytes, n);
    in->begin = in->end = 0;
    st = decode(in, bytes, n, err);
done:
    gb_free(bytes);
    return st;
}

/* Without a mark, UTF-16 is known by where the zeros of its first character are. */
static const char *byte_order(const gb_input *in, const char *encoding)
{
    const bool is_short = strcasecmp(encoding, "utf-16") == 0 || strcasecmp(encoding, "utf16") == 0;
    if (!is_short || in->end - in->begin < 2)
        return encoding;
    return in->buffer[in->begin] == '\0' ? "UTF-16BE" : "UTF-16LE";
}

/* Before the first line of a file: find out its encoding, and leave out the mark. */
static gb_status begin_text(gb_input *in, gb_error *err)
{
    gb_status st = GB_OK;
    size_t length;
    while (in->end - in->begin < GB_MARK_BYTES && !in->at_end)
        GB_TRY(fill(in, err));
    if (in->decoder != NULL || in->begin > 0 || in->end == 0)
        return GB_OK;
    const char *marked = gb_encoding_by_mark(in->buffer, in->end, &length);
    const char *encoding = marked != NULL ? marked : in->encoding;
    in->begin += length;
    if (encoding != NULL && !gb_encoding_is_utf8(encoding))
        st = begin_decoding(in, byte_order(in, encoding), err);
done:
    return st;
}

gb_status gb_input_set_encoding(gb_input *in, const char *encoding, gb_error *err)
{
    gb_decoder *trial = NULL;
    if (gb_encoding_is_utf8(encoding))
        return GB_OK;
    gb_status st = gb_decoder_open(&trial, encoding, err);
    gb_decoder_close(trial);
    return st == GB_OK ? gb_copy_text(&in->encoding, encoding, strlen(encoding), err) : st;
}

gb_read_watch *gb_input_watch(const gb_input *in)
{
    return in->watch;
}

bool gb_input_has_bad_bytes(const gb_input *in)
{
    return in->has_bad_bytes;
}

/* The bytes up to and with the next LF, or the rest. */
static gb_status find_line(gb_input *in, size_t *length, gb_error *err)
{
    gb_status st = in->line == 0 ? begin_text(in, err) : GB_OK;
    size_t searched = 0;
    while (st == GB_OK) {
        size_t available = in->end - in->begin;
        const char *from = available > searched ? in->buffer + in->begin + searched : NULL;
        const char *line_end = from == NULL ? NULL : memchr(from, '\n', available - searched);
        if (line_end != NULL || in->at_end) {
            *length = line_end == NULL ? available : (size_t)(line_end - in->buffer) + 1 - in->begin;
            return GB_OK;
        }
        if (available > GB_MAX_LINE)
            return gb_input_fail_at(in, in->line + 1, err, "the line is longer than 1 GiB");
        searched = available;
        st = fill(in, err);
    }
    return st;
}

static gb_view without_line_end(const char *text, size_t length)
{
    if (length > 0 && text[length - 1] == '\n')
        length--;
    if (length > 0 && text[length - 1] == '\r')
        length--;
    return (gb_view){text, length};
}

gb_status gb_input_peek(gb_input *in, gb_view *line, bool *end, gb_error *err)
{
    size_t length = 0;
    gb_status st = find_line(in, &length, err);
    if (st != GB_OK)
        return st;
    *end = length == 0;
    *line = *end ? (gb_view){"", 0} : without_line_end(in->buffer + in->begin, length);
    return GB_OK;
}

/* What is in the buffer before and behind the line tells more about the encoding. */
static gb_status fail_bytes(gb_input *in, gb_view line, size_t good, gb_error *err)
{
    enum { MOST = 1 << 15 }; /* even, for the places of zeros */
    const size_t at = (size_t)(line.text - in->buffer), n_before = at < MOST ? at : MOST;
    const size_t n_behind = in->end - at < MOST + good ? in->end - at : MOST + good;
    const char *what = line.text[good] == '\0' ? "is NUL" : "is not valid UTF-8";
    const char *likely = gb_likely_encoding(line.text - n_before, n_before + n_behind);
    in->has_bad_bytes = true;
    if (line.text[good] == '\0' && likely != NULL && strcmp(likely, "utf-16") != 0)
        return gb_input_fail(in, err, "byte %zu %s", good + 1, what);
    if (in->decoder != NULL)
        return gb_input_fail(in, err, "byte %zu %s, decoded", good + 1, what);
    if (likely == NULL)
        return gb_input_fail(in, err, "byte %zu %s, but most of the text is; is it damaged?", good + 1, what);
    return gb_input_fail(in, err, "byte %zu %s; `encoding` %s may read it", good + 1, what, likely);
}

gb_status gb_input_line(gb_input *in, gb_view *line, bool *end, gb_error *err)
{
    size_t length = 0;
    gb_status st = find_line(in, &length, err);
    if (st != GB_OK)
        return st;
    *end = length == 0;
    *line = (gb_view){"", 0};
    if (*end)
        return GB_OK;
    in->line++;
    *line = without_line_end(in->buffer + in->begin, length);
    in->begin += length;
    size_t good = gb_text_valid_length(line->text, line->length);
    return good == line->length ? GB_OK : fail_bytes(in, *line, good, err);
}

uint64_t gb_input_line_number(const gb_input *in)
{
    return in->line;
}

/* ---- names --------------------------------------------------------------------------------------------- */

void gb_file_extension(const char *path, char out[16])
{
    static const char *const packed[] = {"gz", "xz", "zst", "bz2"};
    const char *slash = strrchr(path, '/');
    const char *base = slash == NULL ? path : slash + 1;
    size_t length = strlen(base);
    out[0] = '\0';
    for (int round = 0; round < 2; round++) {
        size_t dot = length;
        while (dot > 0 && base[dot - 1] != '.')
            dot--;
        if (dot == 0 || length - dot >= 16)
            return;
        for (size_t i = dot; i <= length; i++)
            out[i - dot] = i == length ? '\0' : (char)tolower((unsigned char)base[i]);
        bool is_packed = false;
        for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
            is_packed |= strcmp(out, packed[i]) == 0;
        if (!is_packed)
            return;
        out[0] = '\0';
        length = dot - 1;
    }
}
