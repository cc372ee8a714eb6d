/* store/json_text.c - JSON from text and to text. */
#include "store/json_text.h"

#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

bool gb_json_is_modest(const char *text, size_t length, size_t max_depth, size_t max_values)
{
    size_t depth = 0, values = 0;
    bool in_text = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (c == '"')
            in_text = !in_text;
        else if (in_text)
            i += c == '\\';
        else if (c == '{' || c == '[') {
            values++;
            if (++depth > max_depth)
                return false;
        } else if (c == ',')
            values++;
        else if ((c == '}' || c == ']') && depth > 0)
            depth--;
        if (values > max_values)
            return false;
    }
    return true;
}

/* What Jansson and malloc() take: a number and its place in a list, a string, and an empty list or object. */
enum { NUMBER_BYTES = 48, STRING_BYTES = 80, BRACKET_BYTES = 320 };

uint64_t gb_json_memory(const char *text, size_t length)
{
    uint64_t n_bytes = length + NUMBER_BYTES;
    bool in_text = false;
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        if (c == '"') {
            n_bytes += in_text ? 0 : STRING_BYTES;
            in_text = !in_text;
        } else if (in_text)
            i += c == '\\';
        else
            n_bytes += c == ',' ? NUMBER_BYTES : c == '{' || c == '[' ? BRACKET_BYTES : 0;
    }
    return n_bytes;
}

/* ---- parsing ----
 * When memory runs out, Jansson's parser calls a good text invalid, leaves characters out and says nothing, or aborts.  So values are made
 * here, and Jansson is left with the texts that this does not take, to say what is wrong with them. */

enum { DEEPEST = 2048, LONGEST_NUMBER = 63 }; /* depth: as Jansson */

typedef struct parser {
    const char *at, *end;
    char *buffer; /* as long as the text: keys of the open objects, then the string at hand */
    size_t used, depth;
    gb_error *err;
} parser;

static gb_status no_memory(parser *p)
{
    return gb_fail_memory(p->err, 0, "a JSON text");
}

static void skip_space(parser *p)
{
    while (p->at < p->end && (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r'))
        p->at++;
}

static char next_character(const parser *p)
{
    return p->at < p->end ? *p->at : '\0';
}

static bool take(parser *p, char c)
{
    skip_space(p);
    if (next_character(p) != c)
        return false;
    p->at++;
    return true;
}

/* The four digits of \uXXXX; 0, which no text may hold, if it is none. */
static unsigned take_unicode(parser *p)
{
    unsigned value = 0;
    if (p->end - p->at < 6 || p->at[0] != '\\' || p->at[1] != 'u')
        return 0;
    for (int i = 2; i < 6; i++) {
        const int c = tolower((unsigned char)p->at[i]);
        if (!isxdigit(c))
            return 0;
        value = 16 * value + (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    p->at += 6;
    return value;
}

static void put(parser *p, unsigned byte)
{
    p->buffer[p->used++] = (char)(unsigned char)byte;
}

/* In UTF-8, which takes no more bytes than the escape. */
static void put_character(parser *p, unsigned code)
{
    static const unsigned first[] = {0, 0xc0, 0xe0, 0xf0};
    const int n_more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    put(p, first[n_more] | code >> 6 * n_more);
    for (int i = n_more - 1; i >= 0; i--)
        put(p, 0x80 | (code >> 6 * i & 0x3f));
}

static bool take_escape(parser *p)
{
    static const char letter[] = "\"\\/bfnrt", meaning[] = "\"\\/\b\f\n\r\t";
    if (p->end - p->at < 2)
        return false;
    if (p->at[1] != 'u') {
        const char *known = memchr(letter, p->at[1], sizeof letter - 1);
        p->at += 2;
        if (known != NULL)
            put(p, (unsigned char)meaning[known - letter]);
        return known != NULL;
    }
    const unsigned high = take_unicode(p);
    if (high < 0xd800 || high > 0xdfff) {
        put_character(p, high);
        return high != 0;
    }
    const unsigned low = high <= 0xdbff ? take_unicode(p) : 0;
    put_character(p, ((high & 0x3ff) << 10 | (low & 0x3ff)) + 0x10000);
    return low >= 0xdc00 && low <= 0xdfff;
}

/* Put a string, and a NUL, at the end of the buffer. */
static bool take_string(parser *p)
{
    const size_t start = p->used;
    if (!take(p, '"'))
        return false;
    while (p->at < p->end && *p->at != '"') {
        if ((unsigned char)*p->at < 0x20)
            return false;
        if (*p->at != '\\')
            put(p, (unsigned char)*p->at++);
        else if (!take_escape(p))
            return false;
    }
    if (p->at == p->end || !gb_text_is_utf8(p->buffer + start, p->used - start))
        return false;
    p->at++;
    put(p, '\0');
    return true;
}

static gb_status parse_string(parser *p, json_t **out)
{
    const size_t start = p->used;
    const bool is_string = take_string(p);
    if (is_string)
        *out = json_stringn_nocheck(p->buffer + start, p->used - start - 1);
    p->used = start;
    return !is_string ? GB_EFORMAT : *out == NULL ? no_memory(p) : GB_OK;
}

static bool take_digits(parser *p)
{
    const char *start = p->at;
    while (isdigit((unsigned char)next_character(p)))
        p->at++;
    return p->at > start;
}

static bool take_number(parser *p, bool *is_whole)
{
    p->at += next_character(p) == '-';
    if (next_character(p) == '0')
        p->at++;
    else if (!take_digits(p))
        return false;
    const char *end = p->at;
    if (next_character(p) == '.') {
        p->at++;
        if (!take_digits(p))
            return false;
    }
    if (tolower((unsigned char)next_character(p)) == 'e') {
        p->at++;
        p->at += next_character(p) == '+' || next_character(p) == '-';
        if (!take_digits(p))
            return false;
    }
    *is_whole = p->at == end;
    return true;
}

static gb_status parse_number(parser *p, json_t **out)
{
    char text[LONGEST_NUMBER + 1];
    const char *start = p->at;
    bool is_whole;
    double real = 0;
    if (!take_number(p, &is_whole) || p->at - start > LONGEST_NUMBER)
        return GB_EFORMAT;
    memcpy(text, start, (size_t)(p->at - start));
    text[p->at - start] = '\0';
    errno = 0;
    const long long whole = is_whole ? strtoll(text, NULL, 10) : 0;
    if (errno != 0 || (!is_whole && gb_text_to_real(text, &real) != GB_NUMBER_OK))
        return GB_EFORMAT;
    *out = is_whole ? json_integer(whole) : json_real(real);
    return *out == NULL ? no_memory(p) : GB_OK;
}

static gb_status parse_word(parser *p, const char *word, json_t *value, json_t **out)
{
    const size_t length = strlen(word);
    if ((size_t)(p->end - p->at) < length || memcmp(p->at, word, length) != 0)
        return GB_EFORMAT;
    p->at += length;
    *out = value;
    return GB_OK;
}

static gb_status parse_value(parser *p, json_t **out);

static gb_status parse_item(parser *p, json_t *array)
{
    json_t *item = NULL;
    const gb_status st = parse_value(p, &item);
    return st != GB_OK ? st : json_array_append_new(array, item) != 0 ? no_memory(p) : GB_OK;
}

static gb_status parse_member(parser *p, json_t *object)
{
    json_t *value = NULL;
    const size_t key = p->used;
    gb_status st =
        take_string(p) && take(p, ':') && json_object_get(object, p->buffer + key) == NULL ? GB_OK : GB_EFORMAT;
    if (st == GB_OK)
        st = parse_value(p, &value);
    if (st == GB_OK && json_object_set_new_nocheck(object, p->buffer + key, value) != 0)
        st = no_memory(p);
    p->used = key;
    return st;
}

/* What is between two brackets. */
static gb_status parse_several(parser *p, json_t *all, gb_status (*parse_one)(parser *, json_t *), char close)
{
    if (all == NULL)
        return no_memory(p);
    if (take(p, close))
        return GB_OK;
    for (;;) {
        const gb_status st = parse_one(p, all);
        if (st != GB_OK)
            return st;
        if (take(p, close))
            return GB_OK;
        if (!take(p, ','))
            return GB_EFORMAT;
    }
}

static gb_status parse_brackets(parser *p, json_t **out)
{
    const bool is_object = *p->at++ == '{';
    if (p->depth == DEEPEST)
        return GB_EFORMAT;
    p->depth++;
    *out = is_object ? json_object() : json_array();
    const gb_status st = parse_several(p, *out, is_object ? parse_member : parse_item, is_object ? '}' : ']');
    p->depth--;
    if (st != GB_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return st;
}

static gb_status parse_value(parser *p, json_t **out)
{
    skip_space(p);
    switch (next_character(p)) {
    case '{':
    case '[':
        return parse_brackets(p, out);
    case '"':
        return parse_string(p, out);
    case 't':
        return parse_word(p, "true", json_true(), out);
    case 'f':
        return parse_word(p, "false", json_false(), out);
    case 'n':
        return parse_word(p, "null", json_null(), out);
    default:
        return parse_number(p, out);
    }
}

static gb_status parse(const char *text, size_t length, bool any_value, json_t **out, gb_error *err)
{
    parser p = {.at = text, .end = text + length, .err = err};
    gb_status st = gb_alloc(&p.buffer, length, 1, "a JSON text", err);
    if (st != GB_OK)
        return st;
    skip_space(&p);
    const char first = next_character(&p);
    st = any_value || first == '{' || first == '[' ? parse_value(&p, out) : GB_EFORMAT;
    skip_space(&p);
    if (st == GB_OK && p.at < p.end) {
        json_decref(*out);
        *out = NULL;
        st = GB_EFORMAT;
    }
    gb_free(p.buffer);
    return st;
}

gb_status gb_json_parse(const char *text, size_t length, size_t flags, json_t **out, json_error_t *reason,
                        gb_error *err)
{
    json_error_t e = {.text = ""};
    *out = NULL;
    const gb_status st = parse(text, length, (flags & JSON_DECODE_ANY) != 0, out, err);
    if (st == GB_EFORMAT)
        *out = json_loadb(text, length, flags | JSON_REJECT_DUPLICATES, &e);
    if (reason != NULL)
        *reason = e;
    return st == GB_EFORMAT && *out != NULL ? GB_OK : st;
}

/* ---- to text ---- */

gb_status gb_json_text(const json_t *value, size_t flags, char **out, size_t *length, gb_error *err)
{
    size_t n = json_dumpb(value, NULL, 0, flags | JSON_COMPACT);
    char *text = NULL;
    if (n == 0)
        return gb_fail(err, GB_ENOMEM, "out of memory: a JSON text");
    gb_status st = gb_alloc(&text, n + 1, 1, "a JSON text", err);
    if (st != GB_OK)
        return st;
    /* The second pass can run out of memory where the first did not. */
    if (json_dumpb(value, text, n, flags | JSON_COMPACT) != n) {
        gb_free(text);
        return gb_fail(err, GB_ENOMEM, "out of memory: a JSON text");
    }
    *out = text;
    if (length != NULL)
        *length = n;
    return GB_OK;
}

gb_status gb_json_unpack(const json_t *value, gb_error *err, const char *format, ...)
{
    json_error_t e = {.text = ""};
    va_list arguments;
    va_start(arguments, format);
    /* it changes nothing unless the format asks for a reference */
    const int failed = json_vunpack_ex((json_t *)(uintptr_t)value, &e, 0, format, arguments);
    va_end(arguments);
    if (failed == 0)
        return GB_OK;
    return json_error_code(&e) == json_error_out_of_memory ? gb_fail_memory(err, 0, "a JSON value") : GB_EFORMAT;
}
