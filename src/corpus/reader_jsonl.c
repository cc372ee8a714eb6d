/* corpus/reader_jsonl.c - JSON Lines: one JSON object per line, a document each.
 *
 * Jansson reads a line; its UTF-8 has been checked before.  Blank lines are passed over.  A key that comes twice in
 * an object is an error, since nobody can say which one counts. */
#include "corpus/reader.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

typedef struct jsonl {
    gb_reader_context *context;
    json_t *object; /* the current document; its texts are lent out */
    char id[GB_REAL_SIZE];
} jsonl;

extern const gb_reader_ops gb_reader_jsonl;

static bool sniff(gb_view first_line)
{
    gb_view line = gb_view_trim(first_line);
    return line.length > 0 && line.text[0] == '{';
}

static gb_status open_jsonl(void **state, gb_reader_context *context, gb_error *err)
{
    jsonl *j = NULL;
    gb_status st = gb_alloc(&j, 1, sizeof *j, "a reader", err);
    if (st != GB_OK)
        return st;
    j->context = context;
    *state = j;
    return GB_OK;
}

static void close_jsonl(void *state)
{
    jsonl *j = state;
    json_decref(j->object);
    gb_free(j);
}

/* Jansson's own text, except where it would speak of flags of its functions. */
static gb_status fail_json(const gb_input *input, const json_error_t *e, gb_error *err)
{
    if (json_error_code(e) == json_error_null_character || json_error_code(e) == json_error_null_byte_in_key)
        return gb_input_fail(input, err, "a text holds \\u0000");
    if (json_error_code(e) == json_error_out_of_memory)
        return gb_fail(err, GB_ENOMEM, "out of memory: a line of JSON");
    return gb_input_fail(input, err, "not valid JSON: %s", e->text);
}

static gb_status read_object(jsonl *j, bool *end, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view line;
    json_error_t e;
    json_decref(j->object);
    j->object = NULL;
    do {
        GB_TRY(gb_input_line(j->context->input, &line, end, err));
    } while (!*end && gb_view_trim(line).length == 0);
    if (*end)
        return GB_OK;
    j->object = json_loadb(line.text, line.length, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);
    if (j->object == NULL)
        return fail_json(j->context->input, &e, err);
    if (!json_is_object(j->object))
        return gb_input_fail(j->context->input, err, "not a JSON object");
done:
    return st;
}

/* The text of a string, number, true or false.  NULL text: another kind of value. */
static gb_view scalar(const json_t *value, char number[GB_REAL_SIZE])
{
    if (json_is_string(value))
        return (gb_view){json_string_value(value), json_string_length(value)};
    if (json_is_integer(value))
        return (gb_view){number,
                         (size_t)snprintf(number, GB_REAL_SIZE, "%" JSON_INTEGER_FORMAT, json_integer_value(value))};
    if (json_is_real(value)) {
        gb_text_from_real(json_real_value(value), number);
        return gb_view_of(number);
    }
    if (json_is_boolean(value))
        return gb_view_of(json_is_true(value) ? "true" : "false");
    return (gb_view){NULL, 0};
}

static gb_status read_text(jsonl *j, gb_raw_document *doc, gb_error *err)
{
    const char *name = j->context->text;
    const json_t *value = json_object_get(j->object, name);
    if (value == NULL || json_is_null(value))
        return gb_input_fail(j->context->input, err, "no field \"%s\"", name);
    if (!json_is_string(value))
        return gb_input_fail(j->context->input, err, "the field \"%s\" is not a text", name);
    doc->text = scalar(value, NULL);
    return GB_OK;
}

static gb_status read_id(jsonl *j, gb_raw_document *doc, gb_error *err)
{
    const char *name = j->context->id;
    const json_t *value = json_object_get(j->object, name);
    if (value == NULL || json_is_null(value)) {
        if (strcmp(name, "id") == 0)
            return GB_OK;
        return gb_input_fail(j->context->input, err, "no field \"%s\"", name);
    }
    doc->id = scalar(value, j->id);
    doc->has_id = doc->id.text != NULL;
    if (!doc->has_id)
        return gb_input_fail(j->context->input, err, "the field \"%s\" is neither a text nor a number", name);
    return GB_OK;
}

static gb_status read_list(jsonl *j, gb_raw_document *doc, size_t field, const json_t *list, gb_error *err)
{
    gb_status st = GB_OK;
    char number[GB_REAL_SIZE];
    size_t i;
    const json_t *item;
    gb_raw_begin_field(doc, field);
    json_array_foreach(list, i, item)
    {
        gb_view name = scalar(item, number);
        if (name.text == NULL)
            return gb_input_fail(j->context->input, err,
                                 "the field \"%s\" holds something that is neither a text nor a number",
                                 j->context->fields[field].name);
        name = gb_view_trim(name);
        if (name.length > 0)
            GB_TRY(gb_raw_add_class(doc, field, name, err));
    }
done:
    return st;
}

static gb_status read_field(jsonl *j, gb_raw_document *doc, size_t field, gb_error *err)
{
    gb_field *f = &j->context->fields[field];
    char number[GB_REAL_SIZE];
    const json_t *value = json_object_get(j->object, f->name);
    f->seen |= value != NULL;
    if (value == NULL || json_is_null(value))
        return GB_OK;
    if (json_is_array(value) && f->kind != GB_KIND_SEVERAL)
        return gb_input_fail(j->context->input, err, "the field \"%s\" is a list; %s", f->name, gb_field_on_list(f));
    if (json_is_array(value))
        return read_list(j, doc, field, value, err);
    gb_view cell = scalar(value, number);
    if (cell.text == NULL)
        return gb_input_fail(j->context->input, err, "the field \"%s\" is neither a text nor a number", f->name);
    return gb_raw_set_cell(doc, field, f->kind, cell, j->context->separator, err);
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    jsonl *j = state;
    gb_status st;
    GB_TRY(read_object(j, end, err));
    if (*end)
        return GB_OK;
    GB_TRY(read_text(j, doc, err));
    GB_TRY(read_id(j, doc, err));
    for (size_t f = j->context->first_field; f < j->context->n_fields; f++)
        GB_TRY(read_field(j, doc, f, err));
done:
    return st;
}

const gb_reader_ops gb_reader_jsonl = {
    .name = "jsonl",
    .extensions = "jsonl ndjson json",
    .has_text = true,
    .opens_input = true,
    .sniff = sniff,
    .open = open_jsonl,
    .next = next,
    .close = close_jsonl,
};
