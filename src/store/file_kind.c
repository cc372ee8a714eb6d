/* store/file_kind.c - which of our files is it? */
#include "gibbous/model.h"
#include "store/layout.h"

#include <string.h>

/* Right behind the checksum, whose place is fixed, writers put the kind and its version. */
static const char *const after_checksum = "\",\"gibbous\":\"";

enum { KIND_ROOM = 32 };

gb_file_kind gb_file_kind_of(const char *path)
{
    static const char *const names[] = {
        [GB_FILE_CORPUS] = "corpus ", [GB_FILE_MODEL] = "model ", [GB_FILE_CHECKPOINT] = "checkpoint "};
    char bytes[GB_CHECKSUM_OFFSET + GB_CHECKSUM_DIGITS + KIND_ROOM] = {0};
    gb_file_kind kind = GB_FILE_OTHER;
    if (!gb_store_sniff(path)) /* opens no pipe for good */
        return kind;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return kind;
    const char *at = bytes + GB_CHECKSUM_OFFSET + GB_CHECKSUM_DIGITS;
    if (fread(bytes, 1, sizeof bytes - 1, file) > 0 && strncmp(at, after_checksum, strlen(after_checksum)) == 0)
        for (int i = GB_FILE_CORPUS; i <= GB_FILE_CHECKPOINT; i++)
            if (strncmp(at + strlen(after_checksum), names[i], strlen(names[i])) == 0)
                kind = (gb_file_kind)i;
    (void)fclose(file);
    return kind;
}
