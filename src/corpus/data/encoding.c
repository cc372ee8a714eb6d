/* corpus/data/encoding.c - texts that are not UTF-8: what they become, and what they look like.
 *
 * iconv() turns them into UTF-8.  Its tables may be files that it opens when they are needed first, so a process that cannot open files
 * any more has to have opened a decoder before. */
#include "corpus/data/encoding.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/texts.h"

#include <errno.h>
#include <iconv.h>
#include <string.h>
#include <strings.h>
#include <utf8proc.h>

/* Of one character that is cut, and more: the longest that any encoding has. */
enum { MAX_CUT = 32, MAX_NAME = 63 };

struct gb_decoder {
    iconv_t converter;
    bool is_open;
    char cut[MAX_CUT];
    size_t n_cut;
    uint64_t n_good; /* bytes */
};

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcasecmp(name, *list) == 0)
            return true;
    return false;
}

bool gb_encoding_is_utf8(const char *encoding)
{
    static const char *const names[] = {"", "auto", "utf-8", "utf8", "utf-8-sig", "ascii", "us-ascii", NULL};
    return is_one_of(encoding, names);
}

/* ---- decoding ------------------------------------------------------------------------------------------ */

static bool try_name(gb_decoder *d, const char *name)
{
    d->converter = iconv_open("UTF-8", name);
    d->is_open = d->converter != (iconv_t)-1;
    return d->is_open;
}

gb_status gb_decoder_open(gb_decoder **out, const char *encoding, gb_error *err)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.:+()";
    char short_name[MAX_NAME + 1];
    size_t length = 0;
    gb_decoder *d = NULL;
    gb_status st = gb_alloc(&d, 1, sizeof *d, "an encoding", err);
    if (st != GB_OK)
        return st;
    const size_t n = strlen(encoding);
    for (const char *at = encoding; n <= MAX_NAME && *at != '\0'; at++)
        if (*at != '-' && *at != '_')
            short_name[length++] = *at;
    short_name[length] = '\0';
    errno = 0;
    if (n <= MAX_NAME && strspn(encoding, letters) == n && (try_name(d, encoding) || try_name(d, short_name))) {
        *out = d;
        return GB_OK;
    }
    if (errno == ENOMEM)
        st = gb_fail_memory(err, sizeof *d, "an encoding");
    else
        st = gb_fail(err, GB_EARGUMENT,
                     "`encoding` \"%.*s\": there is no such encoding here; iconv -l lists those that there are",
                     gb_text_shown(encoding, n), encoding);
    gb_free(d);
    return st;
}

void gb_decoder_close(gb_decoder *d)
{
    if (d == NULL)
        return;
    if (d->is_open)
        (void)iconv_close(d->converter);
    gb_free(d);
}

/* @param n  bytes; receives how many are left */
static gb_status convert(gb_decoder *d, const char *bytes, size_t *n, char **buffer, size_t *capacity, size_t *end,
                         gb_error *err)
{
    enum { ROOM = 64 };
    char *from = (char *)(uintptr_t)bytes; /* which iconv() does not change */
    for (;;) {
        const gb_status st = gb_grow(buffer, capacity, *end + *n + ROOM, 1, "a line of input", err);
        if (st != GB_OK)
            return st;
        char *to = *buffer + *end;
        size_t room = *capacity - *end;
        const size_t before = *n;
        const size_t result = iconv(d->converter, *n == 0 ? NULL : &from, n, &to, &room);
        d->n_good += before - *n;
        *end = *capacity - room;
        if (result != (size_t)-1 || errno == EINVAL)
            return GB_OK;
        if (errno != E2BIG)
            return GB_EFORMAT;
    }
}

/* The character that the bytes before have begun. */
static gb_status complete_cut(gb_decoder *d, const char **bytes, size_t *n, char **buffer, size_t *capacity,
                              size_t *end, gb_error *err)
{
    while (d->n_cut > 0 && *n > 0) {
        if (d->n_cut == MAX_CUT)
            return GB_EFORMAT;
        d->cut[d->n_cut++] = *(*bytes)++;
        --*n;
        size_t left = d->n_cut;
        const gb_status st = convert(d, d->cut, &left, buffer, capacity, end, err);
        if (st != GB_OK)
            return st;
        memmove(d->cut, d->cut + d->n_cut - left, left);
        d->n_cut = left;
    }
    return GB_OK;
}

gb_status gb_decoder_put(gb_decoder *d, const char *bytes, size_t n, bool is_last, char **buffer, size_t *capacity,
                         size_t *end, uint64_t *bad_at, gb_error *err)
{
    gb_status st;
    size_t left;
    GB_TRY(complete_cut(d, &bytes, &n, buffer, capacity, end, err));
    left = n;
    if (n > 0)
        GB_TRY(convert(d, bytes, &left, buffer, capacity, end, err));
    if (n > 0) {
        if (left > MAX_CUT) {
            st = GB_EFORMAT;
            goto done;
        }
        memcpy(d->cut, bytes + n - left, left);
        d->n_cut = left;
    }
    left = 0;
    if (is_last)
        GB_TRY(d->n_cut > 0 ? GB_EFORMAT : convert(d, NULL, &left, buffer, capacity, end, err));
done:
    *bad_at = d->n_good;
    return st;
}

/* ---- marks --------------------------------------------------------------------------------------------- */

const char *gb_encoding_by_mark(const char *bytes, size_t n, size_t *length)
{
    static const struct {
        const char *mark, *encoding;
        size_t n;
    } marks[] = {{"\xFF\xFE\0\0", "UTF-32LE", 4},
                 {"\0\0\xFE\xFF", "UTF-32BE", 4},
                 {"\xFF\xFE", "UTF-16LE", 2},
                 {"\xFE\xFF", "UTF-16BE", 2},
                 {"\xEF\xBB\xBF", "UTF-8", 3}};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (n >= marks[i].n && memcmp(bytes, marks[i].mark, marks[i].n) == 0) {
            *length = marks[i].n;
            return marks[i].encoding;
        }
    *length = 0;
    return NULL;
}

/* ---- guessing ------------------------------------------------------------------------------------------ */

typedef struct byte_counts {
    size_t n_zeros[2];              /* at even and at odd places */
    size_t n_letters, n_high;       /* of ASCII, and bytes above 127 */
    size_t n_utf8, n_bad;           /* characters of several bytes that are good UTF-8, and bytes that are not */
    size_t n_low_lead;              /* 0x81 to 0x9F before a byte from 0x40 on */
    size_t n_runs, n_odd_runs;      /* of bytes from 0xA1 on, and of these an odd number of them side by side */
    size_t n_leads[256];            /* first bytes of the pairs in such runs */
    size_t n_low_trails, n_no_big5; /* pairs as of Big5 whose second byte is of ASCII; bytes that are no such pair */
    size_t n_central;               /* letters of Central Europe within words, where windows-1252 has other signs */
    size_t n_bytes[256], n_within[256]; /* of each value; of these, those beside an ASCII letter */
} byte_counts;

static bool is_ascii_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static void count_utf8(byte_counts *c, const unsigned char *at, size_t n)
{
    for (size_t i = 0; i < n;) {
        utf8proc_int32_t point;
        const size_t room = n - i < 4 ? n - i : 4;
        const utf8proc_ssize_t length = at[i] < 0x80 ? 1 : utf8proc_iterate(at + i, (utf8proc_ssize_t)room, &point);
        c->n_utf8 += length > 1;
        c->n_bad += length <= 0 && room == 4; /* at the end it may be cut */
        i += length > 0 ? (size_t)length : 1;
    }
}

static void count_pairs(byte_counts *c, const unsigned char *at, size_t n)
{
    size_t run = 0;
    for (size_t i = 0; i < n; i++) {
        if (at[i] >= 0xA1) {
            c->n_leads[at[i]] += run % 2 == 0;
            run++;
        }
        if (run > 0 && (at[i] < 0xA1 || i + 1 == n)) {
            c->n_runs++;
            c->n_odd_runs += run % 2;
            run = 0;
        }
    }
    for (size_t i = 0; i + 1 < n; i++) {
        const unsigned char behind = at[i + 1];
        if (at[i] < 0x80)
            continue;
        if (at[i] < 0xA1 || at[i] > 0xF9 || behind < 0x40 || (behind > 0x7E && behind < 0xA1))
            c->n_no_big5++;
        else {
            c->n_low_trails += behind < 0x80;
            i++;
        }
    }
}

static void count_bytes(byte_counts *c, const unsigned char *at, size_t n)
{
    *c = (byte_counts){.n_high = 0};
    for (size_t i = 0; i < n; i++) {
        const unsigned char b = at[i], before = i > 0 ? at[i - 1] : ' ', behind = i + 1 < n ? at[i + 1] : ' ';
        c->n_zeros[i % 2] += b == 0;
        c->n_letters += is_ascii_letter(b);
        c->n_high += b >= 0x80;
        c->n_bytes[b]++;
        c->n_within[b] += is_ascii_letter(before) || is_ascii_letter(behind);
        c->n_low_lead += b >= 0x81 && b < 0xA0 && behind >= 0x40;
        c->n_central += memchr("\xB3\xB9\xBF\x9C\x9F\x9E\x9A\xEC\xF8\xEA", b, 10) != NULL &&
                        is_ascii_letter(before) && (is_ascii_letter(behind) || b == 0xB3 || b == 0xB9 || b == 0xEA);
    }
    count_utf8(c, at, n);
    count_pairs(c, at, n);
}

/* An encoding, and the most frequent letters of those who write in it. */
typedef struct frequent {
    const char *encoding, *letters;
} frequent;

static size_t count_letters(const size_t n_bytes[256], const char *letters)
{
    size_t n = 0;
    for (const char *letter = letters; *letter != '\0'; letter++)
        n += n_bytes[(unsigned char)*letter];
    return n;
}

/* That whose letters are met most; of several the first. */
static const char *most_letters(const size_t n_bytes[256], const frequent *row, size_t n_rows)
{
    size_t best = 0;
    for (size_t i = 1; i < n_rows; i++)
        if (count_letters(n_bytes, row[i].letters) > count_letters(n_bytes, row[best].letters))
            best = i;
    return row[best].encoding;
}

static size_t count_leads(const byte_counts *c, size_t first, size_t last)
{
    size_t n = 0;
    for (size_t b = first; b <= last; b++)
        n += c->n_leads[b];
    return n;
}

/* Most letters are not Latin. */
static const char *likely_other_script(const byte_counts *c)
{
    static const frequent alphabets[] = {{"windows-1251", "\xEE\xE5\xE0\xE8\xED\xF2\xF1\xF0\xE2\xEB"},
                                         {"koi8-r", "\xCF\xC5\xC1\xC9\xCE\xD4\xD3\xD2\xD7\xCC"},
                                         {"cp866", "\xAE\xA5\xA0\xA8\xAD\xE2\xE1\xE0\xA2\xAB"},
                                         {"windows-1253", "\xE1\xEF\xE9\xE5\xF4\xF3\xED\xF1\xF5\xF0"},
                                         {"windows-1255", "\xE9\xE5\xE4\xEC\xE0\xFA\xF8\xEE\xE1\xF9"},
                                         {"windows-1256", "\xC7\xE1\xED\xE3\xE4\xE6\xD1\xE5\xCA\xC8"},
                                         {"windows-874", "\xD2\xB9\xC3\xCD\xA1\xE0\xA7\xC1\xC2\xE8"}};
    const size_t n_pairs = count_leads(c, 0xA1, 0xFF);
    const char *alphabet = most_letters(c->n_bytes, alphabets, sizeof alphabets / sizeof alphabets[0]);
    if (10 * c->n_low_lead > c->n_high && strcmp(alphabet, "cp866") != 0)
        return "shift_jis";
    if (4 * c->n_leads[0xA4] > n_pairs && 20 * c->n_odd_runs < c->n_runs + 1)
        return "euc-jp"; /* the syllables of Hiragana */
    if (c->n_runs > 2 && 20 * c->n_odd_runs < c->n_runs)
        return 20 * count_leads(c, 0xC9, 0xFF) < n_pairs ? "euc-kr" : "gb18030";
    if (c->n_low_trails > 4 && 50 * c->n_no_big5 < c->n_high)
        return "big5";
    return alphabet;
}

static const char *likely_latin(const byte_counts *c)
{
    static const frequent accents[] = {
        {"windows-1252", "\xE9\xE8\xE0\xE4\xF6\xFC\xDF\xE7\xF1\xE1\xED\xF3\xFA\xE2\xEA\xE5\xF8\xE6\xE3\xEF"},
        {"cp850", "\x82\x8A\x85\x84\x94\x81\xE1\x87\xA4\xA0\xA1\xA2\xA3\x83\x88\x86\x9B\x91\xC6\x8B"},
        {"macintosh", "\x8E\x8F\x88\x8A\x9A\x9F\xA7\x8D\x96\x87\x92\x97\x9C\x89\x90\x8C\xBF\xBE\x8B\x95"},
        {"windows-1254", "\xFD\xF0\xFE\xFC\xF6\xE7\xDD\xDE\xD0\xE2"}};
    const char *likely = most_letters(c->n_within, accents, sizeof accents / sizeof accents[0]);
    return strcmp(likely, "windows-1252") == 0 && 4 * c->n_central > c->n_high ? "windows-1250" : likely;
}

const char *gb_likely_encoding(const char *bytes, size_t n)
{
    byte_counts c;
    count_bytes(&c, (const unsigned char *)bytes, n);
    if (4 * (c.n_zeros[0] + c.n_zeros[1]) > n)
        return "utf-16";
    if (c.n_utf8 > 3 * c.n_bad)
        return NULL;
    return c.n_high > c.n_letters && c.n_high > 4 ? likely_other_script(&c) : likely_latin(&c);
}
