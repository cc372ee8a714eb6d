/* corpus/readers/json_line.c - one line of JSON as the members of an object. */
#include "corpus/readers/json_line.h"

#include "base/memory.h"
#include "base/text.h"
#include "store/json_text.h"

#include <stdio.h>
#include <string.h>

void gb_json_line_free(gb_json_line *j)
{
    gb_free(j->member);
    gb_free(j->item);
    gb_free(j->decoded.data);
    json_decref(j->object);
    *j = (gb_json_line){0};
}

/* ---- by Jansson ---------------------------------------------------------------------------------------- */

/* Jansson's own text, except where it would speak of flags of its functions. */
static gb_status fail_json(const gb_input *input, const json_error_t *e, gb_error *err)
{
    if (json_error_code(e) == json_error_null_character || json_error_code(e) == json_error_null_byte_in_key)
        return gb_input_fail(input, err, "a text holds \\u0000");
    return gb_input_fail(input, err, "not valid JSON: %s", e->text);
}

/* The texts of numbers go into j->decoded, which has room for them. */
static gb_json_value number_of(gb_json_line *j, const json_t *from)
{
    char *text = j->decoded.data + j->decoded.length;
    gb_json_value value = {.kind = json_is_integer(from) ? GB_JSON_WHOLE : GB_JSON_REAL};
    if (json_is_integer(from))
        (void)snprintf(text, GB_REAL_SIZE, "%" JSON_INTEGER_FORMAT, json_integer_value(from));
    else
        gb_text_from_real(json_real_value(from), text);
    value.text = gb_view_of(text);
    j->decoded.length += value.text.length;
    return value;
}

/* A list is without its items. */
static gb_json_value value_of(gb_json_line *j, const json_t *from)
{
    switch (json_typeof(from)) {
    case JSON_STRING:
        return (gb_json_value){.kind = GB_JSON_TEXT, .text = {json_string_value(from), json_string_length(from)}};
    case JSON_INTEGER:
    case JSON_REAL:
        return number_of(j, from);
    case JSON_TRUE:
        return (gb_json_value){.kind = GB_JSON_NAME, .text = gb_view_of("true")};
    case JSON_FALSE:
        return (gb_json_value){.kind = GB_JSON_NAME, .text = gb_view_of("false")};
    case JSON_ARRAY:
        return (gb_json_value){.kind = GB_JSON_LIST};
    case JSON_OBJECT:
        return (gb_json_value){.kind = GB_JSON_OBJECT};
    default:
        return (gb_json_value){.kind = GB_JSON_NULL};
    }
}

/* All that the object needs, so that nothing moves while it is filled in. */
static gb_status make_room(gb_json_line *j, gb_error *err)
{
    gb_status st;
    const char *key;
    json_t *value;
    size_t n_members = json_object_size(j->object), n_items = 0;
    json_object_foreach(j->object, key, value) n_items += json_array_size(value);
    size_t n_bytes = (n_members + n_items) * GB_REAL_SIZE;
    GB_TRY(gb_grow(&j->member, &j->members_capacity, n_members, sizeof j->member[0], "a line of JSON", err));
    GB_TRY(gb_grow(&j->item, &j->items_capacity, n_items, sizeof j->item[0], "a line of JSON", err));
    GB_TRY(gb_grow(&j->decoded.data, &j->decoded.capacity, n_bytes, 1, "a line of JSON", err));
done:
    return st;
}

static void fill_in(gb_json_line *j)
{
    const char *key;
    json_t *from, *item;
    size_t i;
    json_object_foreach(j->object, key, from)
    {
        gb_json_value value = value_of(j, from);
        value.first = j->n_items;
        value.count = json_array_size(from);
        json_array_foreach(from, i, item) j->item[j->n_items++] = value_of(j, item);
        j->member[j->n_members++] = (gb_json_member){gb_view_of(key), value};
    }
}

gb_status gb_json_line_parse(gb_json_line *j, gb_view line, const gb_input *input, gb_error *err)
{
    json_error_t e;
    json_decref(j->object);
    j->object = NULL;
    j->n_members = j->n_items = j->decoded.length = 0;
    if (!gb_json_is_modest(line.text, line.length, SIZE_MAX, GB_JSON_LINE_VALUES))
        return gb_input_fail(input, err, "more than %d values in a line of JSON", (int)GB_JSON_LINE_VALUES);
    gb_status st = gb_json_parse(line.text, line.length, JSON_DECODE_ANY, &j->object, &e, err);
    if (st == GB_EFORMAT)
        return fail_json(input, &e, err);
    if (st == GB_OK && !json_is_object(j->object))
        return gb_input_fail(input, err, "not a JSON object");
    if (st == GB_OK)
        st = make_room(j, err);
    if (st == GB_OK)
        fill_in(j);
    return st;
}

/* ---- by either ----------------------------------------------------------------------------------------- */

gb_status gb_json_line_read(gb_json_line *j, gb_view line, const gb_input *input, gb_error *err)
{
    bool done;
    gb_status st = gb_json_line_scan(j, line, &done, err);
    return st != GB_OK || done ? st : gb_json_line_parse(j, line, input, err);
}

const gb_json_value *gb_json_line_find(const gb_json_line *j, const char *key)
{
    for (size_t i = 0; i < j->n_members; i++)
        if (gb_view_is(j->member[i].key, key))
            return &j->member[i].value;
    return NULL;
}
