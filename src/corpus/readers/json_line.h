/* corpus/readers/json_line.h - one line of JSON as the members of an object.
 *
 * A line of the common kind is scanned where it lies and only texts with escapes are copied.  Whatever the scanner is
 * not sure of goes to Jansson, which decides and finds the words when the line is wrong: so there is one opinion on
 * what JSON is. */
#ifndef GB_CORPUS_READERS_JSON_LINE_H
#define GB_CORPUS_READERS_JSON_LINE_H

#include "corpus/data/input.h"

#include <jansson.h>

typedef enum gb_json_kind {
    GB_JSON_NULL,
    GB_JSON_TEXT,
    GB_JSON_NAME,   /* true or false */
    GB_JSON_WHOLE,  /* a whole number, its text as Jansson would write it */
    GB_JSON_REAL,   /* any other number, its text as it was read */
    GB_JSON_LIST,   /* of item[first] ... item[first + count - 1]; lists and objects inside are without contents */
    GB_JSON_OBJECT, /* without its contents */
} gb_json_kind;

typedef struct gb_json_value {
    gb_json_kind kind;
    gb_view text;
    size_t first, count;
} gb_json_value;

typedef struct gb_json_member {
    gb_view key;
    gb_json_value value;
} gb_json_member;

/** Views are of the line or of memory here, valid until the next line.  Start from {0}. */
typedef struct gb_json_line {
    gb_json_member *member;
    gb_json_value *item;
    size_t n_members, members_capacity, n_items, items_capacity;
    gb_bytes decoded;
    json_t *object; /* when Jansson has read the line */
} gb_json_line;

/* Of values that are kept, so that a line takes no many times its length of memory: lists in members, and all of a line that Jansson reads. */
enum { GB_JSON_LINE_VALUES = 1 << 20 };

/** Read a line of valid UTF-8.  GB_EFORMAT, in a message of `input`, when it is not one JSON object whose keys are all
 * different (also in objects inside). */
gb_status gb_json_line_read(gb_json_line *j, gb_view line, const gb_input *input, gb_error *err);
/** The same by one of the two ways.  scan() gives false for a line that it leaves to the other. */
gb_status gb_json_line_scan(gb_json_line *j, gb_view line, bool *done, gb_error *err);
gb_status gb_json_line_parse(gb_json_line *j, gb_view line, const gb_input *input, gb_error *err);
void gb_json_line_free(gb_json_line *j);

/** NULL when there is no such member. */
const gb_json_value *gb_json_line_find(const gb_json_line *j, const char *key);

#endif
