/* corpus/readers/reader_jsonl.c - JSON Lines: one JSON object per line, a document each.
 *
 * Blank lines are passed over.  A key that comes twice in an object is an error, since nobody can say which one
 * counts. */
#include "corpus/readers/json_line.h"
#include "corpus/readers/reader.h"

#include "base/memory.h"
#include "base/text.h"

#include <string.h>

typedef struct jsonl {
    gb_reader_context *context;
    gb_json_line line; /* the current document; its texts are lent out */
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
    gb_json_line_free(&j->line);
    gb_free(j);
}

static gb_status read_object(jsonl *j, bool *end, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view line;
    do {
        GB_TRY(gb_input_line(j->context->input, &line, end, err));
    } while (!*end && gb_view_trim(line).length == 0);
    if (!*end)
        GB_TRY(gb_json_line_read(&j->line, line, j->context->input, err));
done:
    return st;
}

/* True for a decimal fraction of at most 15 digits and of the common size without zeros at its end: it is written as
 * it is read. */
static bool is_plain_fraction(gb_view text)
{
    size_t sign = text.text[0] == '-', length = text.length - sign;
    const char *digits = text.text + sign;
    return length <= 16 && digits[length - 1] != '0' && (digits[0] != '0' || (length > 2 && digits[2] != '0')) &&
           memchr(digits, '.', length) != NULL && memchr(digits, 'e', length) == NULL;
}

/* The text of a string, number, true or false.  NULL text: another kind of value. */
static gb_view scalar(const gb_json_value *value, char number[GB_REAL_SIZE])
{
    double real;
    switch (value->kind) {
    case GB_JSON_TEXT:
    case GB_JSON_NAME:
    case GB_JSON_WHOLE:
        return value->text;
    case GB_JSON_REAL:
        if (is_plain_fraction(value->text) || !gb_view_to_real(value->text, &real))
            return value->text;
        gb_text_from_real(real, number);
        return gb_view_of(number);
    default:
        return (gb_view){NULL, 0};
    }
}

static gb_status read_text(jsonl *j, gb_raw_document *doc, gb_error *err)
{
    const char *name = j->context->text;
    const gb_json_value *value = gb_json_line_find(&j->line, name);
    if (value == NULL || value->kind == GB_JSON_NULL)
        return gb_input_fail(j->context->input, err, "no field \"%s\"", name);
    if (value->kind != GB_JSON_TEXT)
        return gb_input_fail(j->context->input, err, "the field \"%s\" is not a text", name);
    doc->text = value->text;
    return GB_OK;
}

static gb_status read_id(jsonl *j, gb_raw_document *doc, gb_error *err)
{
    const char *name = j->context->id;
    const gb_json_value *value = gb_json_line_find(&j->line, name);
    if (value == NULL || value->kind == GB_JSON_NULL) {
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

static gb_status read_list(jsonl *j, gb_raw_document *doc, size_t field, const gb_json_value *list, gb_error *err)
{
    gb_status st = GB_OK;
    char number[GB_REAL_SIZE];
    gb_raw_begin_field(doc, field);
    for (size_t i = list->first; i < list->first + list->count; i++) {
        gb_view name = scalar(&j->line.item[i], number);
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
    const gb_json_value *value = gb_json_line_find(&j->line, f->name);
    f->seen |= value != NULL;
    if (value == NULL || value->kind == GB_JSON_NULL)
        return GB_OK;
    if (value->kind == GB_JSON_LIST && f->kind != GB_KIND_SEVERAL)
        return gb_input_fail(j->context->input, err, "the field \"%s\" is a list; %s", f->name, gb_field_on_list(f));
    if (value->kind == GB_JSON_LIST)
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
