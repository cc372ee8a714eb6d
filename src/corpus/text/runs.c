/* corpus/text/runs.c - words that are runs of characters of a kind.
 *
 * A text is first turned into two rows of bits, one for the bytes where a word may begin (A) and one for those by which
 * it may go on (B).  The words then lie between bits, and to find them takes no branch for each character. */
#include "corpus/text/runs.h"

#include "base/memory.h"
#include "corpus/text/pattern.h"

#include <string.h>
#include <utf8proc.h>

/* What is known of a character; 0: not asked yet. */
enum { KNOWN = 1, FIRST = 2, NEXT = 4 };

#define NONE SIZE_MAX
enum { PAGE = 256, N_PAGES = 0x110000 / PAGE, BITS = 64 };

/* The ASCII characters of a kind as ranges, each bound in all eight bytes. */
enum { MAX_RANGES = 8 };
typedef struct ascii_set {
    size_t n_ranges; /* MAX_RANGES + 1: more than there is room for */
    uint64_t first[MAX_RANGES], behind[MAX_RANGES];
} ascii_set;

struct gb_runs {
    gb_pattern *first, *next; /* of one character each */
    bool needs_next;          /* AB+ */
    uint8_t ascii[128];
    ascii_set firsts, nexts;
    bool has_ranges, is_one_set; /* firsts and nexts are the same */
    uint8_t *page[N_PAGES];      /* of PAGE characters each; NULL: none of them has come up */
    gb_view text;
    size_t at;
    uint64_t *begins, *goes_on; /* a bit for each byte of the text; goes_on: for all bytes of the character */
    size_t begins_capacity, goes_on_capacity;
    bool is_plain; /* the words of this text are its runs of B, since each of them begins with A and A goes on */
    size_t block;  /* plain: the next one */
    uint64_t starts, ends; /* plain: bits of the block before it, where runs begin and behind their ends */
    size_t open;           /* plain: where a run began that a block before has; else NONE */
};

void gb_runs_free(gb_runs *r)
{
    if (r == NULL)
        return;
    gb_pattern_free(r->first);
    gb_pattern_free(r->next);
    for (size_t i = 0; i < N_PAGES; i++)
        gb_free(r->page[i]);
    gb_free(r->begins);
    gb_free(r->goes_on);
    gb_free(r);
}

/* ---- the form of a pattern ----------------------------------------------------------------------------- */

/* Length of \p{Name} at the start, or 0. */
static size_t property_length(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_";
    if (text[0] != '\\' || (text[1] != 'p' && text[1] != 'P') || text[2] != '{')
        return 0;
    size_t name = strspn(text + 3, letters);
    return name > 0 && text[3 + name] == '}' ? name + 4 : 0;
}

/* Length of \x{200C} at the start, or 0. */
static size_t code_length(const char *text)
{
    if (text[1] != 'x' || text[2] != '{')
        return 0;
    const size_t digits = strspn(text + 3, "0123456789ABCDEFabcdef");
    return digits > 0 && digits <= 6 && text[3 + digits] == '}' ? digits + 4 : 0;
}

/* Length of what stands for one character after a backslash, the same inside and outside of brackets; or 0. */
static size_t escape_length(const char *text)
{
    if (text[0] != '\\' || text[1] == '\0')
        return 0;
    const size_t code = code_length(text);
    return strchr("wWdDsS", text[1]) != NULL ? 2 : code > 0 ? code : property_length(text);
}

/* Length of [...] at the start, or 0.  Of the constructs inside, those that this does not know begin with a bracket
 * or a backslash; a bracket that closes may stand for itself only at the very beginning, which is left out too. */
static size_t bracket_length(const char *text)
{
    size_t i = text[0] != '[' ? 0 : text[1] == '^' ? 2 : 1;
    if (i == 0 || text[i] == ']')
        return 0;
    while (text[i] != ']') {
        size_t escape = escape_length(text + i);
        if (text[i] == '\0' || text[i] == '[' || (text[i] == '\\' && escape == 0))
            return 0;
        i += escape == 0 ? 1 : escape;
    }
    return i + 1;
}

/* Length of what stands for exactly one character, or 0. */
static size_t atom_length(const char *text)
{
    size_t escape = escape_length(text);
    return escape > 0 ? escape : bracket_length(text);
}

/* Cut a pattern into its atoms A and B; false when it has another form. */
static bool cut(const char *pattern, gb_view *first, gb_view *next, bool *needs_next)
{
    *first = (gb_view){pattern, atom_length(pattern)};
    if (first->length == 0)
        return false;
    const char *rest = pattern + first->length;
    *next = *first;
    *needs_next = false;
    if (strcmp(rest, "+") == 0)
        return true;
    *next = (gb_view){rest, atom_length(rest)};
    rest += next->length;
    *needs_next = *rest == '+';
    return next->length > 0 && (strcmp(rest, "+") == 0 || strcmp(rest, "*") == 0);
}

/* With boundaries around it a run of \w is the same, since it begins and ends at them anyway. */
static const char *without_boundaries(const char *pattern)
{
    if (strcmp(pattern, "\\b\\w+\\b") == 0)
        return "\\w+";
    return strcmp(pattern, "\\b\\w\\w+\\b") == 0 ? "\\w\\w+" : pattern;
}

static gb_status compile(gb_pattern **out, gb_view atom, gb_error *err)
{
    char *text = NULL;
    gb_status st;
    GB_TRY(gb_copy_text(&text, atom.text, atom.length, err));
    GB_TRY(gb_pattern_create(out, text, err));
done:
    gb_free(text);
    return st;
}

/* ---- what a character is ------------------------------------------------------------------------------- */

static gb_status ask(gb_runs *r, gb_view character, uint8_t *kind, gb_error *err)
{
    gb_status st;
    size_t start, end;
    *kind = KNOWN;
    gb_pattern_begin(r->first, character.length);
    gb_pattern_begin(r->next, character.length);
    GB_TRY(gb_pattern_find(r->first, character, 0, &start, &end, err));
    *kind |= start == 0 ? FIRST : 0;
    GB_TRY(gb_pattern_find(r->next, character, 0, &start, &end, err));
    *kind |= start == 0 ? NEXT : 0;
done:
    return st;
}

/* The character at text[at], which is not ASCII. */
static gb_status look_up(gb_runs *r, gb_view text, size_t at, uint8_t *kind, size_t *length, gb_error *err)
{
    gb_status st = GB_OK;
    utf8proc_int32_t point = 0;
    size_t room = text.length - at < 4 ? text.length - at : 4;
    utf8proc_ssize_t n = utf8proc_iterate((const utf8proc_uint8_t *)text.text + at, (utf8proc_ssize_t)room, &point);
    if (n <= 0)
        return gb_fail(err, GB_EFORMAT, "not valid UTF-8");
    uint8_t **page = &r->page[point / PAGE];
    if (*page == NULL)
        GB_TRY(gb_alloc(page, PAGE, 1, "kinds of characters", err));
    *length = (size_t)n;
    *kind = (*page)[point % PAGE];
    if (*kind == 0) {
        GB_TRY(ask(r, (gb_view){text.text + at, *length}, kind, err));
        (*page)[point % PAGE] = *kind;
    }
done:
    return st;
}

static gb_status ask_for_ascii(gb_runs *r, gb_error *err)
{
    gb_status st = GB_OK;
    for (int c = 0; c < 128; c++)
        GB_TRY(ask(r, (gb_view){(char[]){(char)c}, 1}, &r->ascii[c], err));
done:
    return st;
}

static const uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;

static ascii_set ranges_of(const uint8_t *ascii, uint8_t kind)
{
    ascii_set set = {.n_ranges = 0};
    for (uint64_t c = 0; c < 128; c++) {
        const bool is_in = (ascii[c] & kind) != 0, was_in = c > 0 && (ascii[c - 1] & kind) != 0;
        if (is_in && !was_in && set.n_ranges++ < MAX_RANGES)
            set.first[set.n_ranges - 1] = ones * c;
        if (is_in && set.n_ranges <= MAX_RANGES)
            set.behind[set.n_ranges - 1] = ones * (c + 1);
    }
    return set;
}

static void find_ranges(gb_runs *r)
{
    r->firsts = ranges_of(r->ascii, FIRST);
    r->nexts = ranges_of(r->ascii, NEXT);
    r->has_ranges = r->firsts.n_ranges <= MAX_RANGES && r->nexts.n_ranges <= MAX_RANGES;
    r->is_one_set = memcmp(&r->firsts, &r->nexts, sizeof r->firsts) == 0;
}

gb_status gb_runs_create(gb_runs **out, const char *pattern, gb_error *err)
{
    gb_status st;
    gb_runs *r = NULL;
    gb_view first, next;
    bool needs_next;
    *out = NULL;
    if (!cut(without_boundaries(pattern), &first, &next, &needs_next))
        return GB_OK;
    GB_TRY(gb_alloc(&r, 1, sizeof *r, "a pattern", err));
    r->needs_next = needs_next;
    GB_TRY(compile(&r->first, first, err));
    GB_TRY(compile(&r->next, next, err));
    GB_TRY(ask_for_ascii(r, err));
    find_ranges(r);
    *out = r;
    r = NULL;
done:
    gb_runs_free(r);
    return st;
}

/* ---- bits ---------------------------------------------------------------------------------------------- */

static bool is_ascii(const char *text)
{
    uint64_t all = 0, eight;
    for (size_t i = 0; i < BITS; i += sizeof eight) {
        memcpy(&eight, text + i, sizeof eight);
        all |= eight;
    }
    return (all & highs) == 0;
}

/* The lowest bits of eight bytes side by side, the first byte's lowest: the product moves each to the highest byte. */
static uint64_t gather(uint64_t bytes)
{
    return (bytes & ones) * 0x0102040810204080u >> 56;
}

/* Eight characters at once: a byte with its highest bit set, less a bound, keeps that bit if it is not below the bound. */
static uint64_t mark_set(const ascii_set *set, const char *text)
{
    enum { N = BITS / 8 };
    uint64_t byte[N], hit[N] = {0}, bits = 0;
    memcpy(byte, text, sizeof byte);
    for (size_t k = 0; k < set->n_ranges; k++)
        for (size_t i = 0; i < N; i++)
            hit[i] |= ((byte[i] | highs) - set->first[k]) & ~((byte[i] | highs) - set->behind[k]);
    for (size_t i = 0; i < N; i++)
        bits |= gather(hit[i] >> 7) << 8 * i;
    return bits;
}

/* The bits of 64 ASCII characters. */
static void mark_block(gb_runs *r, size_t at)
{
    if (r->has_ranges) {
        r->begins[at / BITS] = mark_set(&r->firsts, r->text.text + at);
        r->goes_on[at / BITS] = r->is_one_set ? r->begins[at / BITS] : mark_set(&r->nexts, r->text.text + at);
        return;
    }
    const unsigned char *text = (const unsigned char *)r->text.text + at;
    uint64_t begins = 0, goes_on = 0;
    for (size_t i = 0; i < BITS; i += 8) {
        uint64_t kinds = 0;
        for (size_t k = 0; k < 8; k++)
            kinds |= (uint64_t)r->ascii[text[i + k]] << 8 * k;
        begins |= gather(kinds / FIRST) << i;
        goes_on |= gather(kinds / NEXT) << i;
    }
    r->begins[at / BITS] = begins;
    r->goes_on[at / BITS] = goes_on;
}

static gb_status mark_character(gb_runs *r, size_t at, size_t *length, gb_error *err)
{
    unsigned char c = (unsigned char)r->text.text[at];
    uint8_t kind = c < 128 ? r->ascii[c] : 0;
    *length = 1;
    if (c >= 128) {
        gb_status st = look_up(r, r->text, at, &kind, length, err);
        if (st != GB_OK)
            return st;
    }
    if ((kind & FIRST) != 0)
        r->begins[at / BITS] |= (uint64_t)1 << at % BITS;
    for (size_t i = at; i < at + *length && (kind & NEXT) != 0; i++)
        r->goes_on[i / BITS] |= (uint64_t)1 << i % BITS;
    return GB_OK;
}

/* Where runs of B begin, and where they have ended before. */
static uint64_t starts_of(const uint64_t *goes_on, size_t block, uint64_t *ends)
{
    const uint64_t before = goes_on[block] << 1 | (block == 0 ? 0 : goes_on[block - 1] >> (BITS - 1));
    *ends = ~goes_on[block] & before;
    return goes_on[block] & ~before;
}

static bool is_plain(const gb_runs *r, size_t n_blocks)
{
    uint64_t against = 0, ends;
    for (size_t b = 0; b < n_blocks; b++)
        against |= (r->begins[b] & ~r->goes_on[b]) | (starts_of(r->goes_on, b, &ends) & ~r->begins[b]);
    return against == 0;
}

gb_status gb_runs_begin(gb_runs *r, gb_view text, gb_error *err)
{
    gb_status st;
    size_t n = text.length / BITS + 1, length; /* one bit at least behind the end */
    r->text = (gb_view){"", 0};
    r->at = 0;
    GB_TRY(gb_grow(&r->begins, &r->begins_capacity, n, sizeof r->begins[0], "words", err));
    GB_TRY(gb_grow(&r->goes_on, &r->goes_on_capacity, n, sizeof r->goes_on[0], "words", err));
    memset(r->begins, 0, n * sizeof r->begins[0]);
    memset(r->goes_on, 0, n * sizeof r->goes_on[0]);
    r->text = text;
    r->block = 0;
    r->starts = r->ends = 0;
    r->open = NONE;
    for (size_t at = 0; at < text.length; at += length) {
        length = BITS;
        if (at % BITS == 0 && text.length - at >= BITS && is_ascii(text.text + at))
            mark_block(r, at);
        else
            GB_TRY(mark_character(r, at, &length, err));
    }
    r->is_plain = is_plain(r, n);
done:
    return st;
}

/* ---- words --------------------------------------------------------------------------------------------- */

/* The first bit from `at` on that is set, or not set (`flip` all ones); `end` when there is none before. */
static size_t find_bit(const uint64_t *bits, uint64_t flip, size_t at, size_t end)
{
    if (at >= end)
        return end;
    uint64_t block = (bits[at / BITS] ^ flip) & ~(uint64_t)0 << at % BITS;
    for (at -= at % BITS; block == 0; block = bits[at / BITS] ^ flip) {
        at += BITS;
        if (at >= end)
            return end;
    }
    at += (size_t)__builtin_ctzll(block);
    return at < end ? at : end;
}

static size_t character_length(unsigned char c)
{
    return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

/* The bits of a block are used up one after the other: what a word costs does not depend on how long it is. */
static size_t many_plain(gb_runs *r, gb_view *word, size_t most)
{
    const char *const text = r->text.text;
    const size_t n_blocks = r->text.length / BITS + 1;
    const bool needs_next = r->needs_next;
    size_t n = 0, block = r->block, open = r->open;
    uint64_t starts = r->starts, ends = r->ends;
    while (n < most) {
        if (ends == 0) {
            open = starts != 0 ? BITS * (block - 1) + (size_t)__builtin_ctzll(starts) : open;
            starts = 0;
            if (block == n_blocks)
                break;
            starts = starts_of(r->goes_on, block++, &ends);
            continue;
        }
        const size_t base = BITS * (block - 1);
        const bool is_open = open != NONE;
        const size_t first = is_open ? open : base + (size_t)__builtin_ctzll(starts);
        const size_t end = base + (size_t)__builtin_ctzll(ends);
        starts &= is_open ? ~(uint64_t)0 : starts - 1;
        ends &= ends - 1;
        open = NONE;
        word[n] = (gb_view){text + first, end - first};
        n += !needs_next || end - first > character_length((unsigned char)text[first]);
    }
    r->block = block;
    r->open = open;
    r->starts = starts;
    r->ends = ends;
    return n;
}

size_t gb_runs_many(gb_runs *r, gb_view *word, size_t most)
{
    if (r->is_plain)
        return many_plain(r, word, most);
    const size_t end = r->text.length;
    const char *const text = r->text.text;
    const uint64_t *const begins = r->begins, *const goes_on = r->goes_on;
    const bool needs_next = r->needs_next;
    size_t n = 0, at = r->at;
    while (n < most) {
        const size_t start = find_bit(begins, 0, at, end);
        if (start == end) {
            at = end;
            break;
        }
        const size_t next = start + character_length((unsigned char)text[start]);
        at = find_bit(goes_on, ~(uint64_t)0, next, end);
        word[n] = (gb_view){text + start, at - start};
        n += !needs_next || at > next; /* without a branch */
    }
    r->at = at;
    return n;
}

gb_view gb_runs_next(gb_runs *r)
{
    gb_view word;
    return gb_runs_many(r, &word, 1) == 1 ? word : (gb_view){NULL, 0};
}
