/* cli/terminal.c - texts of others on a terminal. */
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES_PER_CHARACTER = 4 };

static bool begins_character(char c)
{
    return ((unsigned char)c & 0xC0) != 0x80;
}

/* Bytes of the first `most` characters. */
static size_t bytes_of(const char *bytes, size_t length, size_t most)
{
    size_t n = 0, at = 0;
    for (; at < length; at++) {
        n += begins_character(bytes[at]);
        if (n > most)
            break;
    }
    return at;
}

static char *clean_beginning(const char *bytes, size_t length, size_t most, char *out)
{
    const size_t n = bytes_of(bytes, length, most);
    memcpy(out, bytes, n);
    out[n] = '\0';
    for (size_t i = 0; i < n; i++) /* a text may hold the byte 0 */
        out[i] = out[i] == '\0' ? '?' : out[i];
    gb_text_clean(out);
    if (n < length)
        memcpy(out + strlen(out), "...", sizeof "...");
    return out;
}

size_t cli_put_text(FILE *stream, const char *bytes, size_t length, size_t most)
{
    char beginning[(size_t)BYTES_PER_CHARACTER * 256 + sizeof "..."];
    clean_beginning(bytes, length, most < 256 ? most : 256, beginning);
    (void)fputs(beginning, stream);
    return cli_width(beginning);
}

gb_status cli_clean_text(const char *bytes, size_t length, size_t most, char **out, gb_error *err)
{
    const gb_status st = cli_alloc(out, length + sizeof "...", 1, "a text", err);
    if (st == GB_OK)
        clean_beginning(bytes, length, most, *out);
    return st;
}

/* ---- a stream that cleans ---- */

enum { AT_ONCE = 1024, LONGEST_CHARACTER = 4 };

static int failure; /* errno of the first write of a text to standard output that failed: a stream forgets it */

typedef struct cleaning {
    FILE *to;
    char held[LONGEST_CHARACTER]; /* the beginning of a character */
    size_t n_held;
} cleaning;

/* Bytes at the end that begin a character whose rest is not there. */
static size_t n_incomplete(const char *bytes, size_t n)
{
    for (size_t back = 1; back < LONGEST_CHARACTER && back <= n; back++) {
        const unsigned char c = (unsigned char)bytes[n - back];
        const size_t needed = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc0 ? 2 : 1;
        if (begins_character((char)c))
            return needed > back ? back : 0;
    }
    return 0;
}

/* @param bytes  room for one more */
static bool put_clean(FILE *to, char *bytes, size_t n)
{
    for (size_t at = 0; at < n;) {
        const char *end = memchr(bytes + at, '\n', n - at);
        const size_t length = (end == NULL ? n : (size_t)(end - bytes)) - at;
        for (size_t i = at; i < at + length; i++)
            bytes[i] = bytes[i] == '\0' ? '?' : bytes[i];
        bytes[at + length] = '\0';
        if (fputs(gb_text_clean(bytes + at), to) == EOF || (end != NULL && putc('\n', to) == EOF))
            return false;
        at += length + 1;
    }
    return true;
}

static ssize_t clean_bytes(void *context, const char *bytes, size_t n)
{
    cleaning *c = context;
    char part[LONGEST_CHARACTER + AT_ONCE + 1];
    for (size_t at = 0; at < n;) {
        const size_t taken = n - at < AT_ONCE ? n - at : AT_ONCE;
        memcpy(part, c->held, c->n_held);
        memcpy(part + c->n_held, bytes + at, taken);
        const size_t there = c->n_held + taken, incomplete = n_incomplete(part, there);
        c->n_held = incomplete;
        memcpy(c->held, part + there - incomplete, incomplete);
        errno = 0;
        if (!put_clean(c->to, part, there - incomplete)) {
            failure = failure == 0 && c->to == stdout ? errno : failure;
            return 0; /* a failure, to the stream */
        }
        at += taken;
    }
    return (ssize_t)n;
}

static int end_cleaning(void *context)
{
    cleaning *c = context;
    for (size_t i = 0; i < c->n_held; i++)
        (void)putc('?', c->to);
    free(c);
    return 0;
}

gb_status cli_clean_stream(FILE *to, FILE **out, gb_error *err)
{
    cleaning *c = calloc(1, sizeof *c);
    FILE *stream =
        c == NULL ? NULL : fopencookie(c, "w", (cookie_io_functions_t){.write = clean_bytes, .close = end_cleaning});
    if (stream == NULL) {
        free(c);
        return cli_no_memory("an output", err);
    }
    c->to = to;
    *out = stream;
    return GB_OK;
}

static FILE *text;

FILE *cli_out(void)
{
    return text;
}

int cli_out_error(void)
{
    return failure;
}

gb_status cli_open_text(gb_error *err)
{
    return cli_clean_stream(stdout, &text, err);
}

void cli_close_text(void)
{
    if (text != NULL)
        (void)fclose(text);
    text = NULL;
}
