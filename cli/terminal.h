/* cli/terminal.h - texts of others on a terminal. */
#ifndef GB_CLI_TERMINAL_H
#define GB_CLI_TERMINAL_H

#include "common.h"

/** True if results go to a terminal that shows colours, and the user has not set NO_COLOR (https://no-color.org).
 * @param path  of the option output */
bool cli_has_colours(const char *path);

/** Print a text of others: control characters, malformed bytes and marks that change the direction of text as "?", and of a text longer
 * than `most` characters its beginning and "...".  @return the characters printed */
size_t cli_put_text(FILE *stream, const char *bytes, size_t length, size_t most);

/** The same into memory; the caller frees it with gb_free(). */
gb_status cli_clean_text(const char *bytes, size_t length, size_t most, char **out, gb_error *err);

#endif
