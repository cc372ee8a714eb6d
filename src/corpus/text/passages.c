/* corpus/text/passages.c - sentences of a text that have some of its tokens, as people read them.
 *
 * Nothing remembers where in a text a token was.  It is found again: the text is cut into sentences, each is turned into words as the whole
 * was, and those that the vocabulary has are compared with the tokens.  No phrase reaches over the end of a sentence. */
#include "corpus/text/passages.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/words.h"
#include "corpus/text/prepare.h"

#include <string.h>

enum { LONG = 240 }; /* bytes of a passage */

struct gb_passages {
    gb_prepare *prepare;
    gb_words *words;
};

static const char what[] = "passages of documents";

gb_status gb_passages_create(gb_passages **out, const gb_texts *vocabulary, const json_t *preparation, gb_error *err)
{
    gb_status st;
    gb_passages *p = NULL;
    GB_TRY(gb_alloc(&p, 1, sizeof *p, what, err));
    GB_TRY(gb_prepare_from_json(&p->prepare, preparation, err));
    GB_TRY(gb_words_create(&p->words, err));
    GB_TRY(gb_prepare_mark_stop_words(p->prepare, p->words, err));
    GB_TRY(gb_words_add_vocabulary(p->words, vocabulary, err));
    GB_TRY(gb_prepare_know(p->prepare, vocabulary, err));
    *out = p;
    p = NULL;
done:
    gb_passages_free(p);
    return st;
}

void gb_passages_free(gb_passages *p)
{
    if (p == NULL)
        return;
    gb_prepare_free(p->prepare);
    gb_words_free(p->words);
    gb_free(p);
}

/* ---- reading ---- */

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ' || c == 0x7F;
}

/* Bytes of a tag or a comment that begins here; 0: it is none. */
static size_t tag_length(gb_view text)
{
    enum { MOST = 400 };
    const char second = text.length > 1 ? text.text[1] : ' ';
    const bool is_name = (second | 32) >= 'a' && (second | 32) <= 'z';
    if (text.text[0] != '<' || (!is_name && second != '/' && second != '!'))
        return 0;
    for (size_t i = 2; i < text.length && i < MOST && text.text[i] != '<'; i++)
        if (text.text[i] == '>')
            return i + 1;
    return 0;
}

/* Bytes of a character that a terminal would obey, above those of ASCII. */
static size_t control_length(gb_view text)
{
    const unsigned char *byte = (const unsigned char *)text.text;
    return text.length > 1 && byte[0] == 0xC2 && byte[1] >= 0x80 && byte[1] < 0xA0 ? 2 : 0;
}

static const struct {
    const char *name, *text;
} entities[] = {{"&amp;", "&"}, {"&lt;", "<"},   {"&gt;", ">"},  {"&quot;", "\""},
                {"&#39;", "'"}, {"&apos;", "'"}, {"&nbsp;", " "}};

/* Bytes of a name of a character that begins here, and the character; 0: it is none. */
static size_t entity_length(gb_view text, char *out)
{
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
        const size_t length = strlen(entities[i].name);
        if (length <= text.length && memcmp(text.text, entities[i].name, length) == 0) {
            *out = entities[i].text[0];
            return length;
        }
    }
    return 0;
}

gb_status gb_text_for_reading(gb_view text, char **out, gb_error *err)
{
    size_t n = 0, length;
    const gb_status st = gb_alloc(out, text.length + 1, 1, what, err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < text.length; i += length) {
        const gb_view rest = {text.text + i, text.length - i};
        char c = text.text[i];
        length = 1;
        const size_t tag = c == '<' ? tag_length(rest) : 0, entity = c == '&' ? entity_length(rest, &c) : 0;
        const size_t control = control_length(rest);
        if (tag > 0 || control > 0 || is_blank(c)) {
            length = tag > 0 ? tag : control > 0 ? control : entity > 0 ? entity : 1;
            if (n > 0 && (*out)[n - 1] != ' ')
                (*out)[n++] = ' ';
            continue;
        }
        length = entity > 0 ? entity : 1;
        (*out)[n++] = c;
    }
    while (n > 0 && (*out)[n - 1] == ' ')
        n--;
    (*out)[n] = '\0';
    return GB_OK;
}

/* ---- cutting ---- */

static bool begins_with(gb_view text, const char *prefix)
{
    const size_t length = strlen(prefix);
    return text.length >= length && memcmp(text.text, prefix, length) == 0;
}

/* Bytes of what ends a sentence, if it begins here: a stop with the quotes and brackets behind it before a blank or a tag, a stop of a script without
 * blanks, or an empty line. */
static size_t end_length(gb_view rest)
{
    static const char *const stops[] = {"\xE3\x80\x82", "\xEF\xBC\x81", "\xEF\xBC\x9F"}; /* of Chinese and Japanese */
    static const char *const closing[] = {"\"", "'", ")", "]", "\xE2\x80\x9D", "\xE2\x80\x99", "\xC2\xBB"};
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++)
        if (begins_with(rest, stops[i]))
            return strlen(stops[i]);
    if (begins_with(rest, "\n\n") || begins_with(rest, "\n\r\n"))
        return 1;
    const bool is_dots = begins_with(rest, "\xE2\x80\xA6");
    if (!is_dots && strchr(".!?", rest.text[0]) == NULL)
        return 0;
    size_t n = is_dots ? 3 : 1;
    for (size_t i = 0; i < sizeof closing / sizeof closing[0]; i++)
        while (begins_with((gb_view){rest.text + n, rest.length - n}, closing[i]))
            n += strlen(closing[i]);
    return n == rest.length || is_blank(rest.text[n]) || rest.text[n] == '<' ? n : 0;
}

/* The next sentence, or with `by_blanks` the next piece between blanks. */
static gb_view next_piece(gb_view rest, bool by_blanks)
{
    size_t i = 0, n = 0;
    while (i < rest.length && is_blank(rest.text[i]))
        i++;
    for (; i < rest.length && n == 0; i++) {
        const gb_view at = {rest.text + i, rest.length - i};
        n = by_blanks ? is_blank(at.text[0]) : rest.text[i] == '\0' ? 0 : end_length(at);
        if (n > 0)
            return (gb_view){rest.text, i + n};
    }
    return rest;
}

/* ---- finding ---- */

/* Where tokens stand, as far as pieces of the text were compared with them. */
typedef struct comparison {
    const uint32_t *token;
    uint64_t n_tokens, at; /* the next token */
    bool is_other;         /* the text has another word there */
} comparison;

static gb_status compare(gb_passages *p, gb_view piece, comparison *c, gb_error *err)
{
    gb_status st;
    gb_view word;
    GB_TRY(gb_prepare_begin(p->prepare, piece, err));
    for (;;) {
        GB_TRY(gb_prepare_next(p->prepare, &word, err));
        if (word.text == NULL)
            break;
        const uint32_t number = gb_words_find(p->words, word);
        if (number == GB_NO_WORD || number == GB_STOP_WORD)
            continue;
        c->is_other |= c->at == c->n_tokens || c->token[c->at] != number;
        if (c->is_other)
            break;
        c->at++;
    }
done:
    return st;
}

/* From the beginning of the piece with the first token to the end of that with the last; empty if the text has other words.
 * @param at  the token with which the text begins; receives that of the passage */
static gb_status find_pieces(gb_passages *p, gb_view text, bool by_blanks, comparison c, uint64_t first, uint64_t end,
                             gb_view *out, uint64_t *at, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view rest = text;
    *out = (gb_view){text.text, 0};
    while (rest.length > 0 && c.at < end) {
        const gb_view piece = next_piece(rest, by_blanks);
        const uint64_t before = c.at;
        GB_TRY(compare(p, piece, &c, err));
        if (c.is_other) {
            out->length = 0;
            return GB_OK;
        }
        if (before <= first && c.at > first) {
            out->text = piece.text;
            *at = before;
        }
        if (c.at > first)
            out->length = (size_t)(piece.text + piece.length - out->text);
        rest = (gb_view){piece.text + piece.length, rest.length - piece.length};
    }
done:
    return st;
}

/* Without the end of a tag at its beginning and the beginning of one at its end. */
static gb_view without_cut_tags(gb_view part)
{
    size_t first = 0, end = part.length;
    while (first < part.length && part.text[first] != '<' && part.text[first] != '>')
        first++;
    first = first < part.length && part.text[first] == '>' ? first + 1 : 0;
    while (end > first && part.text[end - 1] != '<' && part.text[end - 1] != '>')
        end--;
    const bool is_cut = end > first && part.text[end - 1] == '<' &&
                        (end == part.length || strchr(" 0123456789=", part.text[end]) == NULL);
    end = is_cut ? end - 1 : part.length;
    return (gb_view){part.text + first, end - first};
}

/* Part of a long text, with as much of it around as a reader wants, cut between words, or else between characters. */
static gb_view cut(gb_view text, gb_view part)
{
    size_t first = (size_t)(part.text - text.text), end = first + part.length;
    const size_t spare = part.length < LONG ? LONG - part.length : 0;
    const size_t least = first > spare / 2 ? first - spare / 2 : 0,
                 most = least + LONG < text.length ? least + LONG : text.length;
    size_t at = least;
    while (at > 0 && at < first && !is_blank(text.text[at - 1]))
        at++;
    first = at;
    end = most;
    while (end < text.length && end > first + LONG / 2 && !is_blank(text.text[end]))
        end--;
    while (end < text.length && end > first && ((unsigned char)text.text[end] & 0xC0) == 0x80)
        end--;
    while (first < end && ((unsigned char)text.text[first] & 0xC0) == 0x80)
        first++;
    return without_cut_tags((gb_view){text.text + first, end - first});
}

static gb_status write_passage(gb_view whole, gb_view part, char **out, gb_error *err)
{
    gb_status st;
    char *read = NULL;
    const bool begins = part.text == whole.text, ends = part.text + part.length == whole.text + whole.length;
    GB_TRY(gb_text_for_reading(part, &read, err));
    const size_t length = strlen(read);
    GB_TRY(gb_alloc(out, length + sizeof "... " + sizeof " ...", 1, what, err));
    char *to = *out;
    if (!begins)
        to = stpcpy(to, "... ");
    to = stpcpy(to, read);
    if (!ends)
        (void)stpcpy(to, " ...");
done:
    gb_free(read);
    return st;
}

gb_status gb_passages_find(gb_passages *p, gb_view text, const uint32_t *token, uint64_t n_tokens, uint64_t first,
                           uint64_t n, char **out, gb_error *err)
{
    gb_status st;
    gb_view sentences, words;
    uint64_t begin = 0, end = first + n < n_tokens ? first + n : n_tokens, at = 0;
    *out = NULL;
    const comparison all = {.token = token, .n_tokens = n_tokens};
    GB_TRY(find_pieces(p, text, false, all, first, end, &sentences, &begin, err));
    if (sentences.length == 0)
        return GB_OK;
    words = sentences;
    if (sentences.length > LONG) {
        const comparison rest = {.token = token, .n_tokens = n_tokens, .at = begin};
        GB_TRY(find_pieces(p, sentences, true, rest, first, end, &words, &at, err));
        words = cut(sentences, words.length == 0 ? sentences : words);
    }
    GB_TRY(write_passage(sentences, words, out, err));
done:
    return st;
}
