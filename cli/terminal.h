/* cli/terminal.h - texts of others on a terminal. */
#ifndef GB_CLI_TERMINAL_H
#define GB_CLI_TERMINAL_H

#include "common.h"

/** Print a text of others: control characters, malformed bytes and marks that change the direction of text as "?", and of a text longer
 * than `most` characters its beginning and "...".  @return the characters printed */
size_t cli_put_text(FILE *stream, const char *bytes, size_t length, size_t most);

/** The same into memory; the caller frees it with gb_free(). */
gb_status cli_clean_text(const char *bytes, size_t length, size_t most, char **out, gb_error *err);

/** A stream for people: what is printed goes to another one, with the characters that cli_put_text() replaces as "?", but for ends of
 * lines.  What could not be written shows in the other stream.
 * @param out  end it with fclose(), before the other; untouched on failure
 * @return GB_OK or GB_ENOMEM */
gb_status cli_clean_stream(FILE *to, FILE **out, gb_error *err);

/** Such a stream to standard output, for verbs that print to nothing else; NULL before cli_open_text(). */
FILE *cli_out(void);
gb_status cli_open_text(gb_error *err);
/** @return errno of the first write there that failed; 0: none has */
int cli_out_error(void);
/** Accepts that it is not open. */
void cli_close_text(void);

#endif
