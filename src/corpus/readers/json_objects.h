/* corpus/readers/json_objects.h - the JSON objects of an input, one after the other.
 *
 * An object is on a line of its own (JSON Lines), on several lines, or one of several on a line; or all of them are in one list, which is
 * the whole input. */
#ifndef GB_CORPUS_READERS_JSON_OBJECTS_H
#define GB_CORPUS_READERS_JSON_OBJECTS_H

#include "corpus/readers/json_line.h"

/** Start from {.input = ...}, borrowed until it is freed. */
typedef struct gb_json_objects {
    gb_input *input;
    gb_json_line line; /* the fields of the current object */
    gb_view rest;      /* of the current line of the input, behind the current object */
    gb_view text;      /* of the current object */
    size_t n_before;   /* bytes of its first line before it */
    uint64_t first_line;
    gb_bytes gathered; /* an object on several lines */
    uint64_t n_held;   /* bytes of memory for it, by the watch */
    uint64_t n_objects;
    bool has_begun, is_list, is_closed, takes_comma;
} gb_json_objects;

/** Read the next object into o->line; *end is true when there is none.
 * @return GB_OK, GB_EFORMAT with a message that names file, line and byte, or what reading and memory give */
gb_status gb_json_objects_next(gb_json_objects *o, bool *end, gb_error *err);
void gb_json_objects_free(gb_json_objects *o);

#endif
