/* cli/text_file.h - a text that is read as a whole. */
#ifndef GB_CLI_TEXT_FILE_H
#define GB_CLI_TEXT_FILE_H

#include "memory.h"

/** More than any file of options, or what a selection has printed, has. */
#define CLI_MOST_TEXT ((size_t)16 << 20)

/** Read a file up to its end, or to the block with its first zero byte: devices and pipes may have no end.
 * @param text  with a NUL behind it, to be freed with gb_free()
 * @return GB_OK, GB_EFORMAT (it cannot be read, or is longer than CLI_MOST_TEXT) or GB_ENOMEM */
gb_status cli_read_text(const char *path, char **text, size_t *length, gb_error *err);

#endif
