/* base/text.c - numbers and names as users write them. */
#include "base/text.h"

#include "base/memory.h"
#include "base/system.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* ---- numbers --------------------------------------------------------------------------------------- */

gb_number gb_text_to_int(const char *text, int64_t *out)
{
    const char *digits = text + (*text == '-' || *text == '+');
    size_t n = strspn(digits, "0123456789");
    if (n == 0 || digits[n] != '\0')
        return GB_NUMBER_BAD;
    errno = 0;
    long long value = strtoll(text, NULL, 10);
    if (errno == ERANGE || value > INT64_MAX || value < INT64_MIN)
        return GB_NUMBER_HUGE;
    *out = value;
    return GB_NUMBER_OK;
}

gb_number gb_text_to_real(const char *text, double *out)
{
    /* strtod() alone would let spaces, hexadecimal, "nan" and "infinity" through */
    if (*text == '\0' || text[strspn(text, "+-.0123456789eE")] != '\0')
        return GB_NUMBER_BAD;
    char *end;
    const double value = gb_number_read(text, &end);
    if (*end != '\0')
        return GB_NUMBER_BAD;
    if (!isfinite(value))
        return GB_NUMBER_HUGE;
    *out = value;
    return GB_NUMBER_OK;
}

void gb_text_from_real(double value, char out[static GB_REAL_SIZE])
{
    for (int digits = 15; digits <= 17; digits++) {
        char *end;
        gb_number_write(GB_REAL_SIZE, out, digits, value);
        if (gb_number_read(out, &end) == value)
            break;
    }
}

/* ---- lists ----------------------------------------------------------------------------------------- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

gb_status gb_text_all_differ(size_t n, const char *const *text, bool *out, gb_error *err)
{
    const char **sorted = NULL;
    size_t i = 1;
    while (i < n && strcmp(text[i - 1], text[i]) < 0)
        i++;
    *out = i >= n;
    if (*out) /* they ascend */
        return GB_OK;
    const gb_status st = gb_alloc(&sorted, n, sizeof *sorted, "a list of names", err);
    if (st != GB_OK)
        return st;
    for (i = 0; i < n; i++)
        sorted[i] = text[i];
    qsort(sorted, n, sizeof *sorted, by_text);
    for (i = 1; i < n && strcmp(sorted[i - 1], sorted[i]) != 0;)
        i++;
    *out = i == n;
    gb_free(sorted);
    return GB_OK;
}

/* ---- messages -------------------------------------------------------------------------------------- */

/* Bytes of the well-formed character at the start of the text, or 0. */
static size_t character_length(const char *text, size_t length)
{
    utf8proc_int32_t point;
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, &point);
    return n > 0 && point >= 0 ? (size_t)n : 0;
}

bool gb_text_is_utf8(const char *text, size_t length)
{
    for (size_t at = 0; at < length;) {
        size_t n = character_length(text + at, length - at);
        if (n == 0)
            return false;
        at += n;
    }
    return true;
}

/* Marks that change the direction of the text after them: what is shown then has another order than what is there. */
static bool is_direction(utf8proc_int32_t point)
{
    return point == 0x061c || point == 0x200e || point == 0x200f || (point >= 0x202a && point <= 0x202e) ||
           (point >= 0x2066 && point <= 0x2069);
}

/* True for the characters that would break or hide a line: C0, DEL, C1, the two separators of Unicode and marks of direction. */
static bool is_control(const char *text, size_t n)
{
    utf8proc_int32_t point;
    (void)utf8proc_iterate((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)n, &point);
    return point < 0x20 || (point >= 0x7f && point < 0xa0) || point == 0x2028 || point == 0x2029 ||
           is_direction(point);
}

void gb_text_quote(const char *text, size_t length, char *out)
{
    const size_t last = GB_QUOTE_SIZE - sizeof "...\"";
    size_t used = 0;
    out[used++] = '"';
    for (size_t at = 0; at < length;) {
        size_t n = character_length(text + at, length - at);
        if (used + (n == 0 ? 1 : n) > last) {
            memcpy(out + used, "...", 3);
            used += 3;
            break;
        }
        if (n == 0 || is_control(text + at, n)) {
            out[used++] = '?';
        } else {
            memcpy(out + used, text + at, n);
            used += n;
        }
        at += n == 0 ? 1 : n;
    }
    out[used++] = '"';
    out[used] = '\0';
}

char *gb_text_clean(char *text)
{
    char *to = text;
    for (const char *at = text, *end = text + strlen(text); at < end;) {
        const size_t n = character_length(at, (size_t)(end - at));
        if (n == 0 || is_control(at, n))
            *to++ = '?';
        else
            for (size_t i = 0; i < n; i++)
                *to++ = at[i];
        at += n == 0 ? 1 : n;
    }
    *to = '\0';
    return text;
}

/* ---- the nearest name ------------------------------------------------------------------------------ */

enum { LONGEST_NAME = 63 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Edits that turn a into b, where swapping two neighbours is one edit (optimal string alignment); three rows
 * of the table are kept.  Both texts have at most LONGEST_NAME bytes. */
static size_t edits(const char *a, const char *b)
{
    size_t rows[3][LONGEST_NAME + 1];
    size_t n = strlen(b);
    for (size_t j = 0; j <= n; j++)
        rows[0][j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t cost = a[i - 1] == b[j - 1] ? 0 : 1;
            row[j] = least(above[j - 1] + cost, least(above[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[strlen(a) % 3][n];
}

const char *gb_text_nearest(const char *word, size_t n, const char *const *candidate)
{
    size_t length = strlen(word);
    if (length == 0 || length > LONGEST_NAME)
        return NULL;
    const char *nearest = NULL;
    size_t fewest = (length + 2) / 3 + 1; /* one edit for up to four letters, two for up to seven, ... */
    for (size_t i = 0; i < n; i++) {
        if (strlen(candidate[i]) > LONGEST_NAME)
            continue;
        size_t distance = edits(word, candidate[i]);
        if (length >= 3 && strncmp(word, candidate[i], length) == 0)
            distance = least(distance, 1);
        if (distance < fewest) {
            fewest = distance;
            nearest = candidate[i];
        }
    }
    return nearest;
}

bool gb_text_has_controls(const char *text, size_t length)
{
    const unsigned char *c = (const unsigned char *)text;
    for (size_t i = 0; i < length; i++)
        if (c[i] < ' ' || c[i] == 127 || (c[i] == 0xC2 && i + 1 < length && c[i + 1] >= 0x80 && c[i + 1] < 0xA0))
            return true;
    return false;
}
