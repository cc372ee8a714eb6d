/* cli/terminal.c - texts of others on a terminal. */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES_PER_CHARACTER = 4 };

bool cli_has_colours(const char *path)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return cli_to_stdout(path) && isatty(STDOUT_FILENO) == 1 && (no_colour == NULL || *no_colour == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

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
