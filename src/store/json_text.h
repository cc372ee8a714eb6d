/* store/json_text.h - JSON from text and to text, by Jansson, without losing what Jansson loses when memory runs out. */
#ifndef GB_STORE_JSON_TEXT_H
#define GB_STORE_JSON_TEXT_H

#include "base/status.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/** True when the JSON text nests at most `max_depth` deep and has at most `max_values` values; looks at
 * brackets and commas only.  Called before parsing, so that a small file cannot make the parser use much
 * memory. */
bool gb_json_is_modest(const char *text, size_t length, size_t max_depth, size_t max_values);

/** Bytes of memory that the values of a JSON text take, at most; looks at brackets, commas and quotes only, and needs no memory itself. */
uint64_t gb_json_memory(const char *text, size_t length);

/** Parse a JSON text.
 *
 * When memory runs out, Jansson's own parser may call a good text invalid, leave out some of it, or abort.
 *
 * @param flags   Jansson's; JSON_REJECT_DUPLICATES is always among them
 * @param out     receives the value; NULL on failure
 * @param reason  receives what is wrong with the text; may be NULL
 * @return GB_OK, GB_EFORMAT (without a message: callers know what the text is) or GB_ENOMEM */
gb_status gb_json_parse(const char *text, size_t length, size_t flags, json_t **out, json_error_t *reason,
                        gb_error *err);

/** The value as compact JSON, NUL-terminated; free it with gb_free(); `length` may be NULL.  Unlike json_dumps(), which may leave out a key
 * when memory runs out, this fails.
 *
 * @param flags  Jansson's, JSON_COMPACT aside */
gb_status gb_json_text(const json_t *value, size_t flags, char **out, size_t *length, gb_error *err);

/** As json_unpack().
 * @return GB_OK, GB_EFORMAT (without a message: something is missing or of another type) or GB_ENOMEM */
gb_status gb_json_unpack(const json_t *value, gb_error *err, const char *format, ...);

#endif
