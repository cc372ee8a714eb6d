/* corpus/data/fold.c - Unicode normal form C, and upper and lower case folded together.
 *
 * utf8proc does the work, but only for the stretches that need it: ASCII is its own normal form and folds byte by
 * byte.  A stretch of other characters takes the ASCII character before it along, because an accent that stands alone
 * joins with that one; what follows the stretch cannot join, since no ASCII character combines to its left.
 *
 * utf8proc sorts the marks of a character by exchanging neighbours, which takes the square of their number.  No writing has more than
 * some ten, and the stream-safe format of Unicode (UAX #15) 30; after MOST_MARKS a stretch ends, and what follows is sorted by itself. */
#include "corpus/data/fold.h"

#include "base/memory.h"

#include <string.h>
#include <utf8proc.h>

static size_t ascii_length(const char *text, size_t length)
{
    enum { N = 8 };
    size_t i = 0;
    for (; length - i >= 8 * N; i += 8 * N) {
        uint64_t block[N], all = 0;
        memcpy(block, text + i, sizeof block);
        for (size_t k = 0; k < N; k++)
            all |= block[k];
        if ((all & 0x8080808080808080u) != 0)
            break;
    }
    while (i < length && (unsigned char)text[i] < 0x80)
        i++;
    return i;
}

enum { MOST_MARKS = 64 };

/* The length up to where more marks than that would follow each other; a mark has two bytes or more. */
static size_t sortable_length(const char *text, size_t length)
{
    size_t n_marks = 0;
    if (length <= 2 * MOST_MARKS)
        return length;
    for (size_t i = 0; i < length;) {
        utf8proc_int32_t point;
        const utf8proc_ssize_t n =
            utf8proc_iterate((const utf8proc_uint8_t *)text + i, (utf8proc_ssize_t)(length - i), &point);
        if (n <= 0) /* no UTF-8: the decomposition says so */
            break;
        n_marks = utf8proc_get_property(point)->combining_class != 0 ? n_marks + 1 : 0;
        if (n_marks > MOST_MARKS)
            return i;
        i += (size_t)n;
    }
    return length;
}

static size_t other_length(const char *text, size_t length)
{
    size_t i = 0;
    while (i < length && (unsigned char)text[i] >= 0x80)
        i++;
    return i;
}

static gb_status add_ascii(gb_fold *fold, const char *text, size_t length, gb_error *err)
{
    if (!fold->lowercase || length == 0)
        return gb_bytes_add(&fold->out, text, length, err);
    const size_t start = fold->out.length;
    const gb_status st = gb_grow(&fold->out.data, &fold->out.capacity, start + length, 1, "text", err);
    if (st != GB_OK)
        return st;
    char *restrict to = fold->out.data + start;
    for (size_t i = 0; i < length; i++)
        to[i] = (char)(text[i] + (text[i] >= 'A' && text[i] <= 'Z' ? 'a' - 'A' : 0));
    fold->out.length += length;
    return GB_OK;
}

enum { SOFT_HYPHEN = 0xAD, JOINER = 0x200D, NON_JOINER = 0x200C };

static bool is_of_word(utf8proc_int32_t point)
{
    const utf8proc_category_t category = utf8proc_category(point);
    return category >= UTF8PROC_CATEGORY_LU && category <= UTF8PROC_CATEGORY_ME;
}

/* A soft hyphen is where a word may be divided, and no part of it.  A joiner says how letters look, and is a part of the word that has it
 * between its letters. */
static utf8proc_ssize_t drop_invisible(int32_t *point, utf8proc_ssize_t n)
{
    utf8proc_ssize_t kept = 0;
    for (utf8proc_ssize_t i = 0; i < n; i++) {
        const bool is_joiner = point[i] == JOINER || point[i] == NON_JOINER;
        if (point[i] == SOFT_HYPHEN ||
            (is_joiner && (kept == 0 || !is_of_word(point[kept - 1]) || i + 1 == n || !is_of_word(point[i + 1]))))
            continue;
        point[kept++] = point[i];
    }
    return kept;
}

static gb_status add_sortable(gb_fold *fold, const char *text, size_t length, gb_error *err)
{
    const utf8proc_option_t options =
        (utf8proc_option_t)(UTF8PROC_STABLE | UTF8PROC_COMPOSE | (fold->lowercase ? UTF8PROC_CASEFOLD : 0));
    gb_status st;
    utf8proc_ssize_t n = 0;
    size_t need = length + 8;
    do {
        /* one more than is used: the encoder writes a NUL */
        GB_TRY(gb_grow(&fold->points, &fold->capacity, need + 1, sizeof fold->points[0], "text", err));
        n = utf8proc_decompose((const utf8proc_uint8_t *)text, (utf8proc_ssize_t)length, fold->points,
                               (utf8proc_ssize_t)fold->capacity - 1, options);
        need = n < 0 ? 0 : (size_t)n;
    } while (need > fold->capacity - 1);
    if (n >= 0 && fold->is_text)
        n = drop_invisible(fold->points, n);
    if (n >= 0)
        n = utf8proc_reencode(fold->points, n, options);
    if (n < 0)
        return gb_fail(err, GB_EFORMAT, "%s", utf8proc_errmsg(n));
    GB_TRY(gb_bytes_add(&fold->out, fold->points, (size_t)n, err));
done:
    return st;
}

static gb_status add_other(gb_fold *fold, const char *text, size_t length, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0, n; i < length; i += n) {
        n = sortable_length(text + i, length - i);
        GB_TRY(add_sortable(fold, text + i, n, err));
    }
done:
    return st;
}

gb_status gb_fold_text(gb_fold *fold, gb_view text, gb_view *out, gb_error *err)
{
    gb_status st = GB_OK;
    fold->out.length = 0;
    for (size_t i = 0; i < text.length;) {
        size_t ascii = ascii_length(text.text + i, text.length - i);
        size_t other = other_length(text.text + i + ascii, text.length - i - ascii);
        size_t taken = other > 0 && ascii > 0;
        GB_TRY(add_ascii(fold, text.text + i, ascii - taken, err));
        if (other > 0)
            GB_TRY(add_other(fold, text.text + i + ascii - taken, other + taken, err));
        i += ascii + other;
    }
    GB_TRY(gb_grow(&fold->out.data, &fold->out.capacity, fold->out.length + GB_FOLD_PADDING, 1, "text", err));
    memset(fold->out.data + fold->out.length, 0, GB_FOLD_PADDING);
    *out = (gb_view){fold->out.length == 0 ? "" : fold->out.data, fold->out.length};
done:
    return st;
}

void gb_fold_free(gb_fold *fold)
{
    gb_free(fold->out.data);
    gb_free(fold->points);
    fold->out = (gb_bytes){0};
    fold->points = NULL;
    fold->capacity = 0;
}
