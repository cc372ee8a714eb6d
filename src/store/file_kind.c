/* store/file_kind.c - which of our files is it? */
#include "base/system.h"
#include "gibbous/model.h"
#include "store/layout.h"

#include <stdio.h>
#include <string.h>

/* Right behind the checksum, whose place is fixed, writers put the kind and its version. */
static const char *const after_checksum = "\",\"gibbous\":\"";

enum { KIND_ROOM = 32 };

/* Kind, a space and the version of a file of ours, as far as they fit; "" for another file. */
static void read_kind(const char *path, char out[static KIND_ROOM])
{
    char bytes[GB_CHECKSUM_OFFSET + GB_CHECKSUM_DIGITS + KIND_ROOM] = {0};
    const size_t length = strlen(after_checksum);
    memset(out, 0, KIND_ROOM);
    if (!gb_store_sniff(path)) /* opens no pipe for good */
        return;
    const int file = gb_file_open(path, GB_OPEN_READ,
                                  0); /* no stream: it would need memory, and nobody hears that there is none */
    if (file < 0)
        return;
    const char *at = bytes + GB_CHECKSUM_OFFSET + GB_CHECKSUM_DIGITS;
    if (gb_store_read_begin(file, bytes, sizeof bytes - 1) > 0 && strncmp(at, after_checksum, length) == 0)
        (void)snprintf(out, KIND_ROOM, "%s", at + length);
    gb_file_close(file);
}

static bool begins(const char *text, const char *kind)
{
    return strncmp(text, kind, strlen(kind)) == 0 && text[strlen(kind)] == ' ';
}

bool gb_store_is(const char *path, const char *kind)
{
    char text[KIND_ROOM];
    read_kind(path, text);
    return begins(text, kind);
}

gb_file_kind gb_file_kind_of(const char *path)
{
    static const struct {
        const char *name;
        gb_file_kind kind;
    } kinds[] = {{"corpus", GB_FILE_CORPUS},
                 {"shards", GB_FILE_CORPUS},
                 {"model", GB_FILE_MODEL},
                 {"checkpoint", GB_FILE_CHECKPOINT}};
    char text[KIND_ROOM];
    read_kind(path, text);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (begins(text, kinds[i].name))
            return kinds[i].kind;
    return GB_FILE_OTHER;
}
