/* corpus/readers/json_line.c - of a JSON object, the fields that somebody asks for. */
#include "corpus/readers/json_line.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>
#include <utf8proc.h>

enum { TEXT_ROOM = 8 /* the encoder writes four bytes */ };

typedef struct scanner {
    const char *begin, *at, *end;
    gb_json_line *j;
    gb_view outer;     /* of the objects around, "a.b."; the beginning of a name that is asked for */
    const char *fault; /* NULL at a failure: the end was reached, or no memory */
    gb_status status;  /* not GB_OK: no memory */
    gb_error *err;
} scanner;

void gb_json_line_free(gb_json_line *j)
{
    gb_free(j->field);
    gb_free(j->item);
    gb_free(j->decoded.data);
    gb_free(j->names.data);
    *j = (gb_json_line){0};
}

gb_status gb_json_line_want(gb_json_line *j, const char *name, size_t *number, gb_error *err)
{
    for (*number = 0; *number < j->n_fields; ++*number)
        if (gb_view_is(j->field[*number].name, name))
            return GB_OK;
    gb_status st = gb_grow(&j->field, &j->fields_capacity, j->n_fields + 1, sizeof j->field[0], "fields", err);
    if (st == GB_OK)
        j->field[j->n_fields++] = (gb_json_field){.name = gb_view_of(name)};
    return st;
}

/* ---- characters ---------------------------------------------------------------------------------------- */

static bool fail(scanner *s, const char *fault)
{
    s->fault = s->at == s->end ? NULL : fault;
    return false;
}

static void skip_blanks(scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r'))
        s->at++;
}

static bool next_is(const scanner *s, char c)
{
    return s->at < s->end && *s->at == c;
}

/* The next character, if it is this one. */
static bool take(scanner *s, char c)
{
    if (!next_is(s, c))
        return false;
    s->at++;
    return true;
}

/* ---- texts --------------------------------------------------------------------------------------------- */

/* The quote that ends a text; NULL if none does. */
static const char *find_quote(const char *at, const char *end)
{
    const char *from = at;
    for (;;) {
        const char *quote = from == end ? NULL : memchr(from, '"', (size_t)(end - from)), *escape = quote;
        if (quote == NULL)
            return NULL;
        while (escape > at && escape[-1] == '\\')
            escape--;
        if ((quote - escape) % 2 == 0)
            return quote;
        from = quote + 1;
        at = from; /* a quote behind a backslash is no backslash */
    }
}

/* At its quote.  A text that does not end is a fault, since none goes on behind a line. */
static bool take_text(scanner *s, gb_view *out)
{
    if (!next_is(s, '"'))
        return fail(s, next_is(s, '\'') ? "a text is in single quotes, as Python prints it; json.dumps() writes JSON"
                                        : "a quote is missing");
    const char *begin = s->at + 1, *quote = find_quote(begin, s->end);
    if (quote == NULL) {
        s->fault = "the quote of a text is never closed";
        return false;
    }
    *out = (gb_view){begin, (size_t)(quote - begin)};
    s->at = quote + 1;
    return true;
}

static bool hex_of(const char *at, const char *end, utf8proc_int32_t *out)
{
    *out = 0;
    if (end - at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char c = *at++;
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return false;
        *out = 16 * *out + digit;
    }
    return true;
}

/* After \u: one character, out of two escapes when it needs them. */
static bool decode_point(const char **at, const char *end, gb_bytes *to, bool *is_mended)
{
    utf8proc_int32_t point, low;
    if (!hex_of(*at, end, &point))
        return false;
    *at += 4;
    if (point >= 0xd800 && point <= 0xdbff && end - *at >= 6 && (*at)[0] == '\\' && (*at)[1] == 'u' &&
        hex_of(*at + 2, end, &low) && low >= 0xdc00 && low <= 0xdfff) {
        point = 0x10000 + (point - 0xd800) * 0x400 + (low - 0xdc00);
        *at += 6;
    }
    if (point == 0 || (point >= 0xd800 && point <= 0xdfff)) {
        *is_mended = true;
        point = 0xfffd;
    }
    to->length += (size_t)utf8proc_encode_char(point, (utf8proc_uint8_t *)to->data + to->length);
    return true;
}

/* There is room: no text is longer decoded than written. */
static bool decode(scanner *s, gb_view text, gb_json_value *out)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    const char *at = text.text, *const end = text.text + text.length, *escape;
    gb_bytes *to = &s->j->decoded;
    const size_t start = to->length;
    while ((escape = at == end ? NULL : memchr(at, '\\', (size_t)(end - at))) != NULL) {
        memcpy(to->data + to->length, at, (size_t)(escape - at));
        to->length += (size_t)(escape - at);
        at = escape + 2; /* the text would not end with a backslash */
        const char *name = escape[1] == '\0' ? NULL : strchr(names, escape[1]);
        if (name != NULL)
            to->data[to->length++] = meanings[name - names];
        else if (escape[1] != 'u' || !decode_point(&at, end, to, &out->is_mended)) {
            s->at = escape;
            return fail(s, "this is no escape");
        }
    }
    memcpy(to->data + to->length, at, (size_t)(end - at));
    to->length += (size_t)(end - at);
    out->text = (gb_view){to->data + start, to->length - start};
    return true;
}

static bool decode_if_needed(scanner *s, gb_view text, gb_json_value *out)
{
    out->text = text;
    return text.length == 0 || memchr(text.text, '\\', text.length) == NULL || decode(s, text, out);
}

/* ---- numbers and names --------------------------------------------------------------------------------- */

static bool is_plain(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
           c == '.';
}

static gb_view take_plain(scanner *s)
{
    const char *begin = s->at;
    while (s->at < s->end && is_plain(*s->at))
        s->at++;
    return (gb_view){begin, (size_t)(s->at - begin)};
}

static size_t count_digits(gb_view v, size_t at)
{
    size_t n = 0;
    while (at + n < v.length && v.text[at + n] >= '0' && v.text[at + n] <= '9')
        n++;
    return n;
}

/* A number as JSON writes it. */
static bool is_number(gb_view v, gb_json_kind *kind)
{
    size_t at = v.length > 0 && v.text[0] == '-', n = count_digits(v, at);
    *kind = GB_JSON_WHOLE;
    if (n == 0 || (n > 1 && v.text[at] == '0'))
        return false;
    at += n;
    if (at < v.length && v.text[at] == '.') {
        *kind = GB_JSON_REAL;
        n = count_digits(v, at + 1);
        at += 1 + n;
        if (n == 0)
            return false;
    }
    if (at < v.length && (v.text[at] == 'e' || v.text[at] == 'E')) {
        *kind = GB_JSON_REAL;
        at++;
        at += at < v.length && (v.text[at] == '-' || v.text[at] == '+');
        n = count_digits(v, at);
        at += n;
        if (n == 0)
            return false;
    }
    return at == v.length;
}

static bool read_plain(scanner *s, gb_json_value *out)
{
    static const struct {
        const char *text;
        gb_json_kind kind;
    } names[] = {{"null", GB_JSON_NULL}, {"true", GB_JSON_NAME},     {"false", GB_JSON_NAME},
                 {"NaN", GB_JSON_NAN},   {"Infinity", GB_JSON_NAME}, {"-Infinity", GB_JSON_NAME}};
    const char *begin = s->at;
    out->text = take_plain(s);
    if (is_number(out->text, &out->kind)) {
        if (gb_view_is(out->text, "-0"))
            out->text = gb_view_of("0");
        return true;
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (gb_view_is(out->text, names[i].text)) {
            out->kind = names[i].kind;
            return true;
        }
    if (s->at < s->end) /* else it may be cut */
        s->at = begin;
    return fail(s, next_is(s, '\'') ? "a text is in single quotes, as Python prints it; json.dumps() writes JSON"
                                    : "this is no value; a text needs quotes around it");
}

/* ---- lists and objects --------------------------------------------------------------------------------- */

const char *gb_json_close(const char *at, const char *end, size_t *depth, const char **fault)
{
    while (at < end) {
        const char c = *at++;
        if (c == '"') {
            const char *quote = find_quote(at, end);
            if (quote == NULL) {
                *fault = at - 1;
                return NULL;
            }
            at = quote + 1;
        } else if (c == '{' || c == '[')
            ++*depth;
        else if ((c == '}' || c == ']') && --*depth == 0)
            break;
    }
    return at;
}

static bool skip_nested(scanner *s)
{
    size_t depth = 0;
    const char *fault, *at = gb_json_close(s->at, s->end, &depth, &fault);
    if (at == NULL) {
        s->at = fault;
        s->fault = "the quote of a text is never closed";
        return false;
    }
    s->at = at;
    return depth == 0;
}

static bool skip_value(scanner *s)
{
    gb_view text;
    if (next_is(s, '"'))
        return take_text(s, &text);
    if (next_is(s, '{') || next_is(s, '['))
        return skip_nested(s);
    return take_plain(s).length > 0 || fail(s, "a value is missing, or a text without quotes");
}

static bool read_list(scanner *s, gb_json_value *out);

static bool read_value(scanner *s, bool keep, gb_json_value *out)
{
    gb_view text;
    switch (s->at == s->end ? '\0' : *s->at) {
    case '"':
        out->kind = GB_JSON_TEXT;
        return take_text(s, &text) && decode_if_needed(s, text, out);
    case '[':
        out->kind = GB_JSON_LIST;
        return keep ? read_list(s, out) : skip_nested(s);
    case '{':
        out->kind = GB_JSON_OBJECT;
        return skip_nested(s);
    default:
        return read_plain(s, out);
    }
}

static bool add_item(scanner *s, gb_json_value item)
{
    gb_json_line *j = s->j;
    if (j->n_items == GB_JSON_LINE_VALUES)
        return fail(s, "the object has more than 1048576 values in lists");
    s->status = gb_grow(&j->item, &j->items_capacity, j->n_items + 1, sizeof item, "a line of JSON", s->err);
    if (s->status != GB_OK)
        return false;
    j->item[j->n_items++] = item;
    return true;
}

static bool read_list(scanner *s, gb_json_value *out)
{
    out->first = s->j->n_items;
    s->at++;
    skip_blanks(s);
    if (take(s, ']'))
        return true;
    do {
        gb_json_value item = {.kind = GB_JSON_NULL};
        skip_blanks(s);
        if (!read_value(s, false, &item) || !add_item(s, item))
            return false;
        out->count++;
        skip_blanks(s);
    } while (take(s, ','));
    return take(s, ']') || fail(s, "a comma or ] is missing");
}

/* Whether a name that is asked for is this key of the object or goes on behind it. */
static bool begins_with(const scanner *s, gb_view name, gb_view key)
{
    const size_t n = s->outer.length;
    return name.length >= n + key.length && memcmp(name.text + n, key.text, key.length) == 0 &&
           (n == 0 || memcmp(name.text, s->outer.text, n) == 0);
}

static gb_json_field *find_field(const scanner *s, gb_view key)
{
    for (size_t i = 0; i < s->j->n_fields; i++)
        if (s->j->field[i].name.length == s->outer.length + key.length && begins_with(s, s->j->field[i].name, key))
            return &s->j->field[i];
    return NULL;
}

/* The beginning "key." of a name that is asked for, with the objects around; empty: nothing in the key's value is. */
static gb_view find_inner(const scanner *s, gb_view key)
{
    const size_t n = s->outer.length + key.length;
    for (size_t i = 0; i < s->j->n_fields; i++) {
        const gb_view name = s->j->field[i].name;
        if (name.length > n && name.text[n] == '.' && begins_with(s, name, key))
            return (gb_view){name.text, n + 1};
    }
    return (gb_view){"", 0};
}

static bool read_object(scanner *s);

/* An object with something in it that is asked for: no deeper than there are dots in the name. */
static bool read_inner(scanner *s, gb_view inner)
{
    const gb_view outer = s->outer;
    s->outer = inner;
    const bool is_good = read_object(s);
    s->outer = outer;
    return is_good;
}

static bool read_member(scanner *s)
{
    gb_view key;
    gb_json_value name = {0};
    const char *begin = s->at;
    if (!take_text(s, &key))
        return false;
    const size_t decoded = s->j->decoded.length;
    const bool has_name = decode_if_needed(s, key, &name); /* any other cannot be one that is asked for */
    gb_json_field *field = has_name ? find_field(s, name.text) : NULL;
    const gb_view inner = has_name && field == NULL ? find_inner(s, name.text) : (gb_view){"", 0};
    s->j->decoded.length = decoded;
    s->fault = NULL;
    s->at = key.text + key.length + 1;
    skip_blanks(s);
    if (!take(s, ':'))
        return fail(s, "a colon is missing");
    skip_blanks(s);
    if (inner.length > 0 && next_is(s, '{'))
        return read_inner(s, inner);
    if (field == NULL)
        return skip_value(s);
    if (field->value.kind != GB_JSON_ABSENT) {
        s->at = begin;
        return fail(s, "this field comes twice");
    }
    return read_value(s, true, &field->value);
}

static bool read_object(scanner *s)
{
    skip_blanks(s);
    if (!take(s, '{'))
        return fail(s, "this is no object, which begins with {");
    skip_blanks(s);
    if (take(s, '}'))
        return true;
    do {
        skip_blanks(s);
        if (!read_member(s))
            return false;
        skip_blanks(s);
    } while (take(s, ','));
    return take(s, '}') || fail(s, "a comma or } is missing");
}

gb_status gb_json_line_read(gb_json_line *j, gb_view text, size_t *length, gb_json_fault *fault, gb_error *err)
{
    scanner s = {.begin = text.text, .at = text.text, .end = text.text + text.length, .j = j, .err = err};
    j->n_items = j->decoded.length = 0;
    for (size_t i = 0; i < j->n_fields; i++)
        j->field[i].value = (gb_json_value){.kind = GB_JSON_ABSENT};
    s.status = gb_grow(&j->decoded.data, &j->decoded.capacity, text.length + TEXT_ROOM, 1, "a line of JSON", err);
    if (s.status != GB_OK)
        return s.status;
    const bool is_good = read_object(&s);
    *length = (size_t)(s.at - s.begin);
    *fault = (gb_json_fault){is_good ? NULL : s.fault, *length};
    return s.status != GB_OK || is_good ? s.status : GB_EFORMAT;
}

enum { MOST_NAMES = 300, MOST_DEPTH = 8 };

/* "outer.key"; false when there is no more room. */
static bool add_name(scanner *s, gb_view outer, gb_view key)
{
    gb_bytes *names = &s->j->names;
    const bool is_long = names->length + outer.length + key.length > MOST_NAMES;
    return gb_bytes_add(names, ", ", names->length == 0 ? 0 : 2, NULL) == GB_OK &&
           gb_bytes_add(names, is_long ? "..." : outer.text, is_long ? 3 : outer.length, NULL) == GB_OK && !is_long &&
           gb_bytes_add(names, key.text, key.length, NULL) == GB_OK;
}

static bool list_names(scanner *s, gb_view outer, int depth);

/* Whether a list of objects begins here. */
static bool is_list_of_objects(const scanner *s)
{
    scanner look = *s;
    if (!take(&look, '['))
        return false;
    skip_blanks(&look);
    return next_is(&look, '{');
}

/* The names of an inner object, behind those of the objects around: "key.name"; of the first in a list, "key[].name". */
static bool list_inner(scanner *s, gb_view outer, gb_view key, int depth)
{
    char inner[2 * MOST_NAMES + 4];
    if (key.length > MOST_NAMES || outer.length > MOST_NAMES)
        return add_name(s, outer, key) && skip_value(s);
    scanner first = *s;
    const bool is_list = take(&first, '[');
    const int length = snprintf(inner, sizeof inner, "%.*s%.*s%s.", (int)outer.length, outer.text, (int)key.length,
                                key.text, is_list ? "[]" : "");
    const gb_view names = {inner, (size_t)length};
    if (!is_list)
        return list_names(s, names, depth + 1);
    return list_names(&first, names, depth + 1) && skip_value(s);
}

static bool list_names(scanner *s, gb_view outer, int depth)
{
    gb_view key;
    for (skip_blanks(s); take(s, '{') || take(s, ',');) {
        skip_blanks(s);
        if (next_is(s, '}'))
            break;
        if (!take_text(s, &key))
            return false;
        skip_blanks(s);
        if (!take(s, ':'))
            return false;
        skip_blanks(s);
        const bool has_inner = (next_is(s, '{') || is_list_of_objects(s)) && depth < MOST_DEPTH;
        if (has_inner ? !list_inner(s, outer, key, depth) : !add_name(s, outer, key) || !skip_value(s))
            return false;
        skip_blanks(s);
    }
    return take(s, '}');
}

const char *gb_json_line_names(gb_json_line *j, gb_view text)
{
    scanner s = {.begin = text.text, .at = text.text, .end = text.text + text.length, .j = j};
    j->names.length = 0;
    (void)list_names(&s, (gb_view){"", 0}, 0);
    return gb_bytes_add(&j->names, "", 1, NULL) == GB_OK ? j->names.data : "";
}
