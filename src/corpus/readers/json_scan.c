/* corpus/readers/json_scan.c - the quick way through a line of JSON.
 *
 * Every function returns false for what it is not sure of: faults, and things that are rare.  Nothing is lost with that,
 * since Jansson reads such a line from its beginning. */
#include "base/memory.h"
#include "corpus/readers/json_line.h"

#include <string.h>
#include <utf8proc.h>

enum {
    MAX_DEPTH = 64,
    MAX_KEYS = 64,    /* of one object: each is compared with all before it */
    MAX_WHOLE = 18,   /* digits that surely fit into 64 bits */
    MAX_NUMBER = 100, /* digits that are far from the largest double */
    TEXT_ROOM = 8     /* the encoder writes four bytes */
};

typedef struct scanner {
    const char *at, *end;
    gb_json_line *j;
    size_t depth;
    gb_status status; /* not GB_OK: no memory */
    gb_error *err;
} scanner;

static bool scan_value(scanner *s, bool keep, gb_json_value *out);

/* ---- characters ---------------------------------------------------------------------------------------- */

static void skip_blanks(scanner *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\n' || *s->at == '\r'))
        s->at++;
}

/* The next character, if it is this one. */
static bool take(scanner *s, char c)
{
    if (s->at == s->end || *s->at != c)
        return false;
    s->at++;
    return true;
}

static bool next_is(const scanner *s, char c)
{
    return s->at < s->end && *s->at == c;
}

/* ---- texts --------------------------------------------------------------------------------------------- */

/* From `at` on, the first quote, backslash or control character; eight bytes at once. */
static const char *find_special(const char *at, const char *end)
{
    const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
    for (; end - at >= 8; at += 8) {
        uint64_t block;
        memcpy(&block, at, 8);
        uint64_t quote = block ^ (ones * '"'), backslash = block ^ (ones * '\\');
        uint64_t hit =
            ((quote - ones) & ~quote) | ((backslash - ones) & ~backslash) | ((block - ones * 0x20) & ~block);
        if ((hit & highs) != 0)
            break;
    }
    while (at < end && *at != '"' && *at != '\\' && (unsigned char)*at >= 0x20)
        at++;
    return at;
}

static bool scan_hex(scanner *s, utf8proc_int32_t *out)
{
    *out = 0;
    if (s->end - s->at < 4)
        return false;
    for (int i = 0; i < 4; i++) {
        char c = *s->at++;
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

/* After \u: one character, out of two escapes when it needs them.  NUL and halves of pairs are for Jansson. */
static bool scan_code_point(scanner *s, gb_bytes *out)
{
    utf8proc_int32_t point, low;
    if (!scan_hex(s, &point) || point == 0 || (point >= 0xdc00 && point <= 0xdfff))
        return false;
    if (point >= 0xd800 && point <= 0xdbff) {
        if (!take(s, '\\') || !take(s, 'u') || !scan_hex(s, &low) || low < 0xdc00 || low > 0xdfff)
            return false;
        point = 0x10000 + (point - 0xd800) * 0x400 + (low - 0xdc00);
    }
    out->length += (size_t)utf8proc_encode_char(point, (utf8proc_uint8_t *)out->data + out->length);
    return true;
}

/* After a backslash. */
static bool scan_escape(scanner *s, gb_bytes *out)
{
    static const char names[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    if (s->at == s->end || *s->at == '\0')
        return false;
    const char *name = strchr(names, *s->at);
    if (name == NULL)
        return take(s, 'u') && scan_code_point(s, out);
    out->data[out->length++] = meanings[name - names];
    s->at++;
    return true;
}

/* The rest of a text whose first escape is at s->at.  There is room: no text is longer decoded than written. */
static bool scan_decoded(scanner *s, const char *begin, gb_view *out)
{
    gb_bytes *to = &s->j->decoded;
    size_t start = to->length;
    const char *piece = begin;
    for (;;) {
        memcpy(to->data + to->length, piece, (size_t)(s->at - piece));
        to->length += (size_t)(s->at - piece);
        if (s->at == s->end || *s->at == '"')
            break;
        if (!take(s, '\\') || !scan_escape(s, to))
            return false;
        piece = s->at;
        s->at = find_special(s->at, s->end);
    }
    *out = (gb_view){to->data + start, to->length - start};
    return take(s, '"');
}

static bool scan_text(scanner *s, gb_view *out)
{
    if (!take(s, '"'))
        return false;
    const char *begin = s->at;
    s->at = find_special(begin, s->end);
    if (!next_is(s, '"'))
        return scan_decoded(s, begin, out);
    *out = (gb_view){begin, (size_t)(s->at - begin)};
    s->at++;
    return true;
}

/* ---- numbers and names --------------------------------------------------------------------------------- */

static size_t skip_digits(scanner *s)
{
    const char *begin = s->at;
    while (s->at < s->end && *s->at >= '0' && *s->at <= '9')
        s->at++;
    return (size_t)(s->at - begin);
}

/* Neither -0, which is written 0, nor a number that might be too large; exponents are rare. */
static bool scan_number(scanner *s, gb_json_value *out)
{
    const char *begin = s->at;
    bool is_negative = take(s, '-'), is_zero = next_is(s, '0');
    size_t digits = skip_digits(s);
    if (digits == 0 || (is_zero && digits > 1))
        return false;
    out->kind = GB_JSON_WHOLE;
    if (take(s, '.')) {
        out->kind = GB_JSON_REAL;
        if (skip_digits(s) == 0 || s->at - begin > MAX_NUMBER)
            return false;
    } else if (digits > MAX_WHOLE || (is_zero && is_negative))
        return false;
    out->text = (gb_view){begin, (size_t)(s->at - begin)};
    return !next_is(s, 'e') && !next_is(s, 'E');
}

/* What follows a value is looked at by whoever asked for the value. */
static bool scan_name(scanner *s, const char *name, gb_json_kind kind, gb_json_value *out)
{
    size_t length = strlen(name);
    if ((size_t)(s->end - s->at) < length || memcmp(s->at, name, length) != 0)
        return false;
    *out = (gb_json_value){.kind = kind, .text = {s->at, length}};
    s->at += length;
    return true;
}

/* ---- lists and objects --------------------------------------------------------------------------------- */

static bool add_item(scanner *s, gb_json_value item)
{
    gb_json_line *j = s->j;
    if (j->n_items == GB_JSON_LINE_VALUES)
        return false;
    s->status = gb_grow(&j->item, &j->items_capacity, j->n_items + 1, sizeof item, "a line of JSON", s->err);
    if (s->status != GB_OK)
        return false;
    j->item[j->n_items++] = item;
    return true;
}

static bool scan_list(scanner *s, bool keep, gb_json_value *out)
{
    *out = (gb_json_value){.kind = GB_JSON_LIST, .first = s->j->n_items};
    s->at++;
    skip_blanks(s);
    if (take(s, ']'))
        return true;
    do {
        gb_json_value item;
        if (!scan_value(s, false, &item) || (keep && !add_item(s, item)))
            return false;
        out->count += keep;
    } while (take(s, ','));
    return take(s, ']');
}

static bool is_new_key(const gb_json_line *j, size_t first, gb_view key)
{
    if (j->n_members - first >= MAX_KEYS)
        return false;
    for (size_t i = first; i < j->n_members; i++)
        if (j->member[i].key.length == key.length && memcmp(j->member[i].key.text, key.text, key.length) == 0)
            return false;
    return true;
}

/* Keep a key so that the next ones can be compared with it. */
static bool add_key(scanner *s, gb_view key)
{
    gb_json_line *j = s->j;
    s->status =
        gb_grow(&j->member, &j->members_capacity, j->n_members + 1, sizeof j->member[0], "a line of JSON", s->err);
    if (s->status != GB_OK)
        return false;
    j->member[j->n_members++] = (gb_json_member){.key = key};
    return true;
}

/* The members of an object are added; members of objects inside it are appended behind them and removed again. */
static bool scan_members(scanner *s, bool keep)
{
    gb_json_line *j = s->j;
    size_t first = j->n_members;
    s->at++;
    skip_blanks(s);
    if (take(s, '}'))
        return true;
    do {
        gb_view key;
        gb_json_value value;
        size_t member = j->n_members;
        skip_blanks(s);
        if (!scan_text(s, &key) || !is_new_key(j, first, key) || !add_key(s, key))
            return false;
        skip_blanks(s);
        if (!take(s, ':') || !scan_value(s, keep, &value))
            return false;
        j->member[member].value = value;
    } while (take(s, ','));
    return take(s, '}');
}

static bool scan_object(scanner *s, gb_json_value *out)
{
    size_t before = s->j->n_members;
    *out = (gb_json_value){.kind = GB_JSON_OBJECT};
    bool good = scan_members(s, false);
    s->j->n_members = before;
    return good;
}

static bool scan_one(scanner *s, bool keep, gb_json_value *out)
{
    switch (s->at == s->end ? '\0' : *s->at) {
    case '"':
        *out = (gb_json_value){.kind = GB_JSON_TEXT};
        return scan_text(s, &out->text);
    case '[':
        return scan_list(s, keep, out);
    case '{':
        return scan_object(s, out);
    case 't':
        return scan_name(s, "true", GB_JSON_NAME, out);
    case 'f':
        return scan_name(s, "false", GB_JSON_NAME, out);
    case 'n':
        return scan_name(s, "null", GB_JSON_NULL, out);
    default:
        *out = (gb_json_value){.kind = GB_JSON_NULL};
        return scan_number(s, out);
    }
}

/* A value and the blanks around it; `keep` the items if it is a list. */
static bool scan_value(scanner *s, bool keep, gb_json_value *out)
{
    if (s->depth == MAX_DEPTH)
        return false;
    s->depth++;
    skip_blanks(s);
    bool good = scan_one(s, keep, out);
    skip_blanks(s);
    s->depth--;
    return good;
}

gb_status gb_json_line_scan(gb_json_line *j, gb_view line, bool *done, gb_error *err)
{
    scanner s = {.at = line.text, .end = line.text + line.length, .j = j, .err = err};
    j->n_members = j->n_items = j->decoded.length = 0;
    *done = false;
    gb_status st = gb_grow(&j->decoded.data, &j->decoded.capacity, line.length + TEXT_ROOM, 1, "a line of JSON", err);
    if (st != GB_OK)
        return st;
    skip_blanks(&s);
    if (!next_is(&s, '{') || !scan_members(&s, true))
        return s.status;
    skip_blanks(&s);
    *done = s.at == s.end;
    return GB_OK;
}
