/* corpus/readers/reader_jsonl.c - JSON Lines: one JSON object per line, a document each; or a list of such objects.
 *
 * Blank lines are passed over.  A field that is asked for and comes twice in an object is an error, since nobody can say which one
 * counts. */
#include "corpus/readers/json_objects.h"
#include "corpus/readers/reader.h"

#include "base/memory.h"
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct jsonl {
    gb_reader_context *context;
    gb_json_objects objects; /* the current document; its texts are lent out */
    size_t *text_fields;     /* numbers of the fields that are asked for */
    size_t id_field, *fields;
    gb_bytes text; /* of several fields */
    char id[GB_REAL_SIZE];
} jsonl;

extern const gb_reader_ops gb_reader_jsonl;

static bool sniff(gb_view first_line)
{
    gb_view line = gb_view_trim(first_line);
    if (line.length > 0 && line.text[0] == '[')
        line = gb_view_trim((gb_view){line.text + 1, line.length - 1});
    else if (line.length == 0)
        return false;
    return line.length == 0 || line.text[0] == '{';
}

static void close_jsonl(void *state)
{
    jsonl *j = state;
    gb_json_objects_free(&j->objects);
    gb_free(j->text_fields);
    gb_free(j->fields);
    gb_free(j->text.data);
    gb_free(j);
}

static gb_status open_jsonl(void **state, gb_reader_context *context, gb_error *err)
{
    gb_status st;
    jsonl *j = NULL;
    GB_TRY(gb_alloc(&j, 1, sizeof *j, "a reader", err));
    j->context = context;
    j->objects = (gb_json_objects){.input = context->input};
    gb_json_line *line = &j->objects.line;
    GB_TRY(gb_alloc(&j->text_fields, context->texts.n, sizeof j->text_fields[0], "fields", err));
    GB_TRY(gb_alloc(&j->fields, context->n_fields, sizeof j->fields[0], "fields", err));
    for (size_t i = 0; i < context->texts.n; i++)
        GB_TRY(gb_json_line_want(line, context->texts.field[i].name, &j->text_fields[i], err));
    GB_TRY(gb_json_line_want(line, context->id, &j->id_field, err));
    for (size_t f = context->first_field; f < context->n_fields; f++)
        GB_TRY(gb_json_line_want(line, context->fields[f].name, &j->fields[f], err));
    *state = j;
    j = NULL;
done:
    if (j != NULL)
        close_jsonl(j);
    return st;
}

/* In a list all may be on one line; then the number of the document says more. */
static gb_status __attribute__((format(printf, 3, 4))) fail(const jsonl *j, gb_error *err, const char *format, ...)
{
    char message[800];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (!j->objects.is_list)
        return gb_input_fail(j->context->input, err, "%s", message);
    return gb_input_fail(j->context->input, err, "document %llu: %s", (unsigned long long)j->objects.n_objects,
                         message);
}

#define OF_PANDAS "pandas writes a document per line with to_json(orient=\"records\", lines=True)"

/* Where `name` stands behind a dot at the end of one of the names; NULL: nowhere. */
static const char *find_inner(const char *names, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = strstr(names, name); at != NULL; at = strstr(at + 1, name))
        if (at > names && at[-1] == '.' && (at[length] == ',' || at[length] == '\0'))
            return at;
    return NULL;
}

/* One object may hold all documents, or the field is in an object of the document. */
static gb_status fail_absent(jsonl *j, const char *name, gb_error *err)
{
    const char *names = gb_json_line_names(&j->objects.line, j->objects.text), *inner = find_inner(names, name),
               *begin = inner, *list_end = NULL;
    char remedy[200] = "";
    if (strcmp(names, "columns, index, data") == 0)
        (void)snprintf(remedy, sizeof remedy, "; " OF_PANDAS);
    for (; begin != NULL && begin > names && begin[-1] != ' '; begin--)
        if (list_end == NULL && begin[-1] == ']')
            list_end = begin;
    if (list_end != NULL)
        (void)snprintf(remedy, sizeof remedy, "; jq -c '.%.*s' makes a line of each document",
                       (int)(list_end - begin), begin);
    else if (inner != NULL && find_inner(inner, name) != NULL)
        (void)snprintf(remedy, sizeof remedy, "; if each of them is a document, jq -c '.[]' makes a line of it");
    return fail(j, err, "no field \"%s\"; the fields are %s%s", name, names, remedy);
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

static const gb_json_value *value_of(const jsonl *j, size_t field)
{
    return &j->objects.line.field[field].value;
}

/* ---- text ---------------------------------------------------------------------------------------------- */

/* A list has the words of the document. */
static gb_status read_tokens(jsonl *j, gb_raw_document *doc, const char *name, const gb_json_value *list,
                             gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = list->first; i < list->first + list->count; i++) {
        const gb_json_value *item = &j->objects.line.item[i];
        if (item->kind == GB_JSON_LIST || item->kind == GB_JSON_OBJECT)
            return fail(j, err, "the field \"%s\" holds %s in its list; it takes a text, or a list of words", name,
                        item->kind == GB_JSON_LIST ? "a list" : "an object");
        if (item->kind != GB_JSON_NULL && item->kind != GB_JSON_NAN)
            GB_TRY(gb_raw_add_token(doc, item->text, 1, err));
    }
done:
    return st;
}

static gb_status read_text(jsonl *j, gb_raw_document *doc, size_t number, gb_error *err)
{
    gb_status st = GB_OK;
    const char *name = j->context->texts.field[number].name;
    const gb_json_value *value = value_of(j, j->text_fields[number]);
    doc->bag = j->context->texts.field[number].bag;
    switch (value->kind) {
    case GB_JSON_ABSENT:
        return fail_absent(j, name, err);
    case GB_JSON_NULL:
    case GB_JSON_NAN:
        return GB_OK;
    case GB_JSON_LIST:
        return read_tokens(j, doc, name, value, err);
    case GB_JSON_OBJECT:
        return fail(j, err,
                    "the field \"%s\" is an object, not a text; `text` %s.NAME takes a field in it; " OF_PANDAS, name,
                    name);
    default:
        break;
    }
    if (j->context->texts.n == 1 && !j->context->texts.has_bags) {
        doc->text = value->text;
        return GB_OK;
    }
    GB_TRY(gb_bytes_add(&j->text, GB_BETWEEN_TEXTS, j->text.length == 0 ? 0 : strlen(GB_BETWEEN_TEXTS), err));
    GB_TRY(gb_bytes_add(&j->text, value->text.text, value->text.length, err));
    doc->text = (gb_view){j->text.data, j->text.length};
    if (doc->bag != NULL)
        GB_TRY(gb_raw_add_part(doc, doc->bag, j->text.length, err));
done:
    return st;
}

/* ---- values -------------------------------------------------------------------------------------------- */

static gb_status check_whole(jsonl *j, const char *name, const gb_json_value *value, gb_error *err)
{
    return !value->is_mended ? GB_OK
                             : fail(j, err, "the field \"%s\" holds \\u0000 or half of a surrogate pair", name);
}

static gb_status read_id(jsonl *j, gb_raw_document *doc, gb_error *err)
{
    const char *name = j->context->id;
    const gb_json_value *value = value_of(j, j->id_field);
    if (value->kind <= GB_JSON_NAN) {
        if (value->kind != GB_JSON_ABSENT || strcmp(name, "id") == 0)
            return GB_OK;
        return fail_absent(j, name, err);
    }
    doc->id = scalar(value, j->id);
    doc->has_id = doc->id.text != NULL;
    if (!doc->has_id)
        return fail(j, err, "the field \"%s\" is neither a text nor a number", name);
    return check_whole(j, name, value, err);
}

static gb_status read_list(jsonl *j, gb_raw_document *doc, size_t field, const gb_json_value *list, gb_error *err)
{
    gb_status st = GB_OK;
    char number[GB_REAL_SIZE];
    gb_raw_begin_field(doc, field);
    for (size_t i = list->first; i < list->first + list->count; i++) {
        const gb_json_value *item = &j->objects.line.item[i];
        gb_view name = scalar(item, number);
        if (name.text == NULL)
            return fail(j, err, "the field \"%s\" holds something that is neither a text nor a number",
                        j->context->fields[field].name);
        GB_TRY(check_whole(j, j->context->fields[field].name, item, err));
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
    const gb_json_value *value = value_of(j, j->fields[field]);
    f->seen |= value->kind != GB_JSON_ABSENT;
    doc->n_none += value->kind == GB_JSON_NAN;
    if (value->kind <= GB_JSON_NAN)
        return GB_OK;
    if (value->kind == GB_JSON_LIST && f->kind != GB_KIND_SEVERAL)
        return fail(j, err, "the field \"%s\" is a list; %s", f->name, gb_field_on_list(f));
    if (value->kind == GB_JSON_LIST)
        return read_list(j, doc, field, value, err);
    gb_view cell = scalar(value, number);
    if (cell.text == NULL)
        return fail(j, err, "the field \"%s\" is an object; %s.NAME is a field in it", f->name, f->name);
    const gb_status st = check_whole(j, f->name, value, err);
    return st == GB_OK ? gb_raw_set_cell(doc, field, f->kind, cell, j->context->separator, err) : st;
}

/* Names of the fields, if a field that was asked for is not among them. */
static gb_status note_first(jsonl *j, gb_error *err)
{
    gb_reader_context *c = j->context;
    bool any = false;
    for (size_t f = c->first_field; f < c->n_fields; f++)
        any |= !c->fields[f].seen;
    if (!any || j->objects.n_objects != 1)
        return GB_OK;
    const char *names = gb_json_line_names(&j->objects.line, j->objects.text);
    return gb_copy_text(&c->first_names, names, strlen(names), err);
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    jsonl *j = state;
    gb_status st;
    GB_TRY(gb_json_objects_next(&j->objects, end, err));
    if (*end)
        return GB_OK;
    j->text.length = 0;
    for (size_t i = 0; i < j->context->texts.n; i++)
        GB_TRY(read_text(j, doc, i, err));
    GB_TRY(read_id(j, doc, err));
    for (size_t f = j->context->first_field; f < j->context->n_fields; f++)
        GB_TRY(read_field(j, doc, f, err));
    st = note_first(j, err);
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
