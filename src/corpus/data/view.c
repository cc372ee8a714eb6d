/* corpus/data/view.c - small helpers for pieces of text that have a length and no terminating NUL. */
#include "corpus/data/view.h"

#include "base/memory.h"
#include "base/text.h"

#include <string.h>
#include <utf8proc.h>

gb_status gb_bytes_add(gb_bytes *b, const void *data, size_t length, gb_error *err)
{
    if (length == 0)
        return GB_OK;
    if (length > SIZE_MAX - b->length)
        return gb_fail_memory(err, SIZE_MAX, "text");
    gb_status st = gb_grow(&b->data, &b->capacity, b->length + length, 1, "text", err);
    if (st != GB_OK)
        return st;
    memcpy(b->data + b->length, data, length);
    b->length += length;
    return GB_OK;
}

/* Eight bytes at once while they are ASCII and not NUL, else one character. */
size_t gb_text_valid_length(const char *text, size_t length)
{
    const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
    size_t i = 0;
    while (i < length) {
        while (length - i >= 8) {
            uint64_t block;
            memcpy(&block, text + i, 8);
            if (((block | (block - ones)) & highs) != 0) /* a byte above 127, or a zero byte (borrow) */
                break;
            i += 8;
        }
        if (i == length)
            break;
        if ((unsigned char)text[i] < 0x80) {
            if (text[i] == '\0')
                return i;
            i++;
            continue;
        }
        utf8proc_int32_t point;
        size_t room = length - i < 4 ? length - i : 4;
        utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text + i, (utf8proc_ssize_t)room, &point);
        if (n <= 0)
            return i;
        i += (size_t)n;
    }
    return length;
}

gb_view gb_view_of(const char *text)
{
    return (gb_view){text, strlen(text)};
}

bool gb_view_is(gb_view v, const char *text)
{
    return v.length == strlen(text) && (v.length == 0 || memcmp(v.text, text, v.length) == 0);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

gb_view gb_view_trim(gb_view v)
{
    while (v.length > 0 && is_blank(v.text[0])) {
        v.text++;
        v.length--;
    }
    while (v.length > 0 && is_blank(v.text[v.length - 1]))
        v.length--;
    return v;
}

bool gb_view_is_none(gb_view v)
{
    static const char *const names[] = {"NaN", "nan", "None", "null", "NULL", "N/A", "n/a", "#N/A", "<NA>", "NaT"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (gb_view_is(v, names[i]))
            return true;
    return false;
}

bool gb_view_is_in(gb_view v, const char *list)
{
    const gb_view wanted = gb_view_trim(v);
    while (*list != '\0') {
        const char *comma = strchr(list, ',');
        const size_t length = comma == NULL ? strlen(list) : (size_t)(comma - list);
        const gb_view item = gb_view_trim((gb_view){list, length});
        if (item.length > 0 && item.length == wanted.length && memcmp(item.text, wanted.text, item.length) == 0)
            return true;
        list += length + (comma != NULL);
    }
    return false;
}

bool gb_view_is_missing(gb_view v)
{
    return v.length == 0 || gb_view_is(v, "NA") || gb_view_is(v, "?") || gb_view_is_none(v);
}

bool gb_view_to_u64(gb_view v, uint64_t *out)
{
    uint64_t value = 0;
    if (v.length == 0)
        return false;
    for (size_t i = 0; i < v.length; i++) {
        if (v.text[i] < '0' || v.text[i] > '9')
            return false;
        uint64_t digit = (uint64_t)(v.text[i] - '0');
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = value * 10 + digit;
    }
    *out = value;
    return true;
}

bool gb_view_to_real(gb_view v, double *out)
{
    char text[400]; /* a number with more digits than that has been mistaken for one */
    if (v.length == 0 || v.length >= sizeof text || memchr(v.text, '\0', v.length) != NULL)
        return false;
    memcpy(text, v.text, v.length);
    text[v.length] = '\0';
    return gb_text_to_real(text, out) == GB_NUMBER_OK;
}

bool gb_column_number(const char *name, size_t *column)
{
    uint64_t n;
    if (name[0] != '#' || !gb_view_to_u64(gb_view_of(name + 1), &n) || n == 0 || n > 1000000)
        return false;
    *column = (size_t)n - 1;
    return true;
}

static size_t count_digits(gb_view v, size_t at)
{
    size_t n = 0;
    while (at + n < v.length && v.text[at + n] >= '0' && v.text[at + n] <= '9')
        n++;
    return n;
}

/* A mark between thousands beside a decimal comma: its length, 0 for none. */
static size_t thousands_mark(gb_view cell, size_t at)
{
    static const char *const marks[] = {".", " ", "'", "\xC2\xA0", "\xE2\x80\xAF", "\xE2\x80\x89", "\xE2\x80\x99"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const size_t n = strlen(marks[i]);
        if (at + n <= cell.length && memcmp(cell.text + at, marks[i], n) == 0)
            return n;
    }
    return 0;
}

bool gb_view_has_decimal_comma(gb_view cell)
{
    cell = gb_view_trim(cell);
    size_t at = cell.length > 0 && (cell.text[0] == '-' || cell.text[0] == '+');
    size_t n = count_digits(cell, at);
    if (n == 0)
        return false;
    at += n;
    for (size_t width; n <= 3 && (width = thousands_mark(cell, at)) > 0 && count_digits(cell, at + width) == 3;)
        at += width + 3;
    n = at < cell.length && cell.text[at] == ',' ? count_digits(cell, at + 1) : 0;
    return n > 0 && at + 1 + n == cell.length;
}
