/* corpus/readers/json_line.h - of a JSON object, the fields that somebody asks for.
 *
 * All other fields are passed over without a look inside: only quotes and brackets count there.  So a number that no double holds, NaN as
 * Python writes it, \u0000, half of a surrogate pair or a key that comes twice does no harm in them. */
#ifndef GB_CORPUS_READERS_JSON_LINE_H
#define GB_CORPUS_READERS_JSON_LINE_H

#include "corpus/data/input.h"

typedef enum gb_json_kind {
    GB_JSON_ABSENT, /* the object has no such field */
    GB_JSON_NULL,
    GB_JSON_NAN, /* as Python writes it */
    GB_JSON_TEXT,
    GB_JSON_NAME,   /* true or false, also Infinity and -Infinity as Python writes them */
    GB_JSON_WHOLE,  /* a whole number of any size, its text as it is written; -0 is 0 */
    GB_JSON_REAL,   /* any other number, its text as it is written */
    GB_JSON_LIST,   /* of item[first] ... item[first + count - 1]; lists and objects inside are without contents */
    GB_JSON_OBJECT, /* without its contents */
} gb_json_kind;

typedef struct gb_json_value {
    gb_json_kind kind;
    bool is_mended; /* U+FFFD stands for \u0000 or for half of a surrogate pair */
    gb_view text;
    size_t first, count;
} gb_json_value;

typedef struct gb_json_field {
    gb_view name; /* borrowed */
    gb_json_value value;
} gb_json_field;

/** Views are of the object's text or of memory here, valid until the next object.  Start from {0}. */
typedef struct gb_json_line {
    gb_json_field *field;
    gb_json_value *item;
    size_t n_fields, fields_capacity, n_items, items_capacity;
    gb_bytes decoded;
    gb_bytes names; /* of the last object, for messages */
} gb_json_line;

/* Of items that are kept, so that a line takes no many times its length of memory. */
enum { GB_JSON_LINE_VALUES = 1 << 20 };

/** What is wrong with an object, and where. */
typedef struct gb_json_fault {
    const char *text; /* NULL: nothing, but the object does not end here */
    size_t at;
} gb_json_fault;

/** Ask for a field; field[number] has it from the next object on.
 * @param name  borrowed; "a.b" is the field of this name, or b in the object a */
gb_status gb_json_line_want(gb_json_line *j, const char *name, size_t *number, gb_error *err);

/**
 * Read the object at the beginning of a text of valid UTF-8.
 *
 * @param length  receives the length of the object with the blanks before it
 * @return GB_OK, GB_EFORMAT without a message (see *fault), or GB_ENOMEM
 */
gb_status gb_json_line_read(gb_json_line *j, gb_view text, size_t *length, gb_json_fault *fault, gb_error *err);
void gb_json_line_free(gb_json_line *j);

/** The names of the object's fields, "a, b.c, d[].e", shortened; it is read once more.  Valid until the next object. */
const char *gb_json_line_names(gb_json_line *j, gb_view text);

/**
 * Go on within an object or list until it is closed.
 *
 * @param depth  brackets open before and behind; 0 when the last one was closed
 * @return where it went to; NULL: a text does not end, at *fault
 */
const char *gb_json_close(const char *at, const char *end, size_t *depth, const char **fault);

#endif
