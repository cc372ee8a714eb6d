/* cli/text_file.c - a text that is read as a whole. */
#include "text_file.h"

#include <errno.h>
#include <string.h>

static gb_status cannot(const char *path, const char *what, gb_error *err)
{
    return cli_fail(err, GB_EFORMAT, "%s: cannot %s: %s", path, what, strerror(errno));
}

static gb_status read_blocks(FILE *file, const char *path, char **text, size_t *length, gb_error *err)
{
    enum { AT_ONCE = 1 << 14 };
    gb_status st;
    size_t room = 0, n = AT_ONCE;
    bool has_zero = false;
    for (*length = 0; n == AT_ONCE && !has_zero;) {
        CLI_TRY(cli_grow(text, &room, *length + AT_ONCE + 1, 1, "a file", err));
        n = fread(*text + *length, 1, AT_ONCE, file);
        has_zero = memchr(*text + *length, '\0', n) != NULL;
        *length += n;
        if (*length > CLI_MOST_TEXT)
            return cli_fail(err, GB_EFORMAT, "%s: longer than 16 MiB", path);
    }
    (*text)[*length] = '\0';
    st = ferror(file) ? cannot(path, "read", err) : GB_OK;
done:
    return st;
}

gb_status cli_read_text(const char *path, char **text, size_t *length, gb_error *err)
{
    gb_status st = GB_OK;
    char *found = NULL;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return cannot(path, "open", err);
    CLI_TRY(read_blocks(file, path, &found, length, err));
    *text = found;
    found = NULL;
done:
    (void)fclose(file);
    gb_free(found);
    return st;
}
