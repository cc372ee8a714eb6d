/* cli/json.h - JSON that is complete or not printed. */
#ifndef CLI_JSON_H
#define CLI_JSON_H

#include "memory.h"

#include <jansson.h>
#include <stdio.h>

/** Note from now on when Jansson gets no memory: an object is then without what could not be put into it, and few of its functions
 * say so.  Called once, before the first object is made. */
void cli_json_watch(void);

/** Note that something had no memory on its way into an object. */
void cli_json_lose(void);

/** @return GB_OK, or GB_ENOMEM if `object` is NULL or memory was once missing */
gb_status cli_json_check(const json_t *object, gb_error *err);

/** Parse a JSON text.
 * @param out  receives the value; NULL on failure
 * @param why  receives what is wrong with the text; may be NULL
 * @return GB_OK, GB_EFORMAT (without a message) or GB_ENOMEM, which is noted */
gb_status cli_json_parse(const char *text, size_t length, json_t **out, json_error_t *why, gb_error *err);

/** The value of a text that the library has made; NULL, which is noted, when memory runs out. */
json_t *cli_json_of(const char *text);

/** Print an object and a line feed.
 * @param flags  Jansson's
 * @return GB_OK, GB_ENOMEM (nothing is printed) or GB_EIO */
gb_status cli_json_write(const json_t *object, FILE *stream, size_t flags, gb_error *err);

/** Digits of a number in tables and JSON: 9, and 15 from a million on, so that its fraction is seen; or by a spread, NaN without one. */
int cli_digits(double value, double spread);
/** The same to standard output, on one line, numbers with the digits that one of them needs. */
gb_status cli_print_json(const json_t *object, gb_error *err);

/** Write a text as a JSON string; it needs no memory.
 * @param bytes  UTF-8 */
void cli_json_put_text(FILE *stream, const char *bytes, size_t length);

#endif
