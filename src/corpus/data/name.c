/* corpus/data/name.c - the one name of a value.
 *
 * Programs write the same value in several ways: a column of whole numbers with one missing value becomes 1.0, 2.0, ...; true is True
 * in Python, TRUE in R; an accented letter has one or two code points; blanks stand around.  All of these are one class.
 *
 * What may mean something is kept: 007 is a document or a postcode, 12e3 a code, 3.10 another version, section or month than 3.1. */
#include "corpus/data/name.h"

#include "base/memory.h"
#include "gibbous/corpus.h"

#include <string.h>
#include <utf8proc.h>

/* ---- blanks ---- */

/* Bytes of the blank that begins here, or 0. */
static size_t blank_length(const char *text, size_t length)
{
    utf8proc_int32_t point;
    const utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, &point);
    if (n <= 0)
        return 0;
    const bool is_blank =
        (point >= '\t' && point <= '\r') || point == 0xFEFF || utf8proc_category(point) == UTF8PROC_CATEGORY_ZS;
    return is_blank ? (size_t)n : 0;
}

/* Bytes of the blank that ends there, or 0. */
static size_t blank_length_before(const char *text, size_t length)
{
    size_t n = 1;
    while (n < length && n < 4 && ((unsigned char)text[length - n] & 0xC0) == 0x80)
        n++;
    return length > 0 && blank_length(text + length - n, n) == n ? n : 0;
}

static bool is_dark(char c)
{
    return c > ' ' && c < 0x7f;
}

static gb_view without_blanks(gb_view v)
{
    size_t n;
    if (v.length > 0 && is_dark(v.text[0]) && is_dark(v.text[v.length - 1])) /* as most are */
        return v;
    while (v.length > 0 && (n = blank_length(v.text, v.length)) > 0)
        v = (gb_view){v.text + n, v.length - n};
    while ((n = blank_length_before(v.text, v.length)) > 0)
        v.length -= n;
    return v;
}

/* ---- numbers, true and false ---- */

static size_t n_digits(const char *text, size_t length)
{
    size_t n = 0;
    while (n < length && text[n] >= '0' && text[n] <= '9')
        n++;
    return n;
}

/* A whole number such as "+1", "1.0" or "-0" as whole numbers are written; anything else as it is. */
static gb_view plain_number(gb_view v)
{
    const size_t sign = v.length > 0 && (v.text[0] == '-' || v.text[0] == '+');
    const size_t point = sign + n_digits(v.text + sign, v.length - sign);
    size_t end = v.length;
    while (end > point && v.text[end - 1] == '0')
        end--;
    if (end == point + 1 && v.text[point] == '.')
        end = point;
    if (point == sign || end > point || (point > sign + 1 && v.text[sign] == '0'))
        return v;
    if (point == sign + 1 && v.text[sign] == '0')
        return gb_view_of("0");
    const size_t begin = sign > 0 && v.text[0] == '+';
    return (gb_view){v.text + begin, end - begin};
}

static bool is_either(gb_view v, const char *lower, const char *title, const char *upper)
{
    return gb_view_is(v, lower) || gb_view_is(v, title) || gb_view_is(v, upper);
}

gb_view gb_name_trim(gb_view value)
{
    const gb_view v = without_blanks(value);
    if (v.length == 0)
        return v;
    switch (v.text[0]) {
    case 't':
    case 'T':
        return is_either(v, "true", "True", "TRUE") ? gb_view_of("true") : v;
    case 'f':
    case 'F':
        return is_either(v, "false", "False", "FALSE") ? gb_view_of("false") : v;
    default:
        return plain_number(v);
    }
}

/* ---- names ---- */

static bool is_ascii(gb_view v)
{
    for (size_t i = 0; i < v.length; i++)
        if ((unsigned char)v.text[i] >= 0x80)
            return false;
    return true;
}

gb_status gb_name_of(gb_fold *fold, gb_view value, gb_view *name, gb_error *err)
{
    *name = gb_name_trim(value);
    return is_ascii(*name) ? GB_OK : gb_fold_text(fold, *name, name, err);
}

gb_status gb_name_copy(gb_view value, char **out, gb_error *err)
{
    gb_fold fold = {0};
    gb_view name;
    gb_status st = gb_name_of(&fold, value, &name, err);
    if (st == GB_OK)
        st = gb_copy_text(out, name.text, name.length, err);
    gb_fold_free(&fold);
    return st;
}

bool gb_name_is(gb_view name, gb_view value)
{
    const gb_view a = gb_name_trim(name), b = gb_name_trim(value);
    return a.length == b.length && (a.length == 0 || memcmp(a.text, b.text, a.length) == 0);
}

gb_status gb_value_name(const char *text, size_t length, char **out, gb_error *err)
{
    const char *fault = gb_text_valid_length(text, length) == length ? NULL : "is not valid UTF-8";
    if (fault != NULL)
        return gb_fail(err, GB_EFORMAT, "the name of a value %s", fault);
    return gb_name_copy((gb_view){text, length}, out, err);
}
