/* cli/sparkline.h - a small picture of a series of numbers, one character high. */
#ifndef GB_CLI_SPARKLINE_H
#define GB_CLI_SPARKLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_SPARKS = 40, CLI_SPARKLINE_SIZE = 3 * CLI_SPARKS + 1 };

/** Draw at most CLI_SPARKS characters, each the mean of a part of the values, from the lowest to the highest of these.  What
 * is not a number is a blank.
 * @param is_utf8  Unicode blocks, else ASCII */
void cli_sparkline(uint64_t n, const double *value, bool is_utf8, char out[CLI_SPARKLINE_SIZE]);

/** True if the user's locale says that text is UTF-8. */
bool cli_is_utf8(void);

#endif
