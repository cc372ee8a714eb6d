/* corpus/text/passages.c - sentences of a text that have some of its tokens, as people read them.
 *
 * Nothing remembers where in a text a token was.  It is found again: the text is cut into sentences, each is turned into words as the whole
 * was, and those that the vocabulary has are compared with the tokens.  No phrase reaches over the end of a sentence.
 *
 * Nor does a text say where a bag begins: with bags the tokens are looked for one after the other, and other words are passed over. */
#include "corpus/text/passages.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/bags.h"
#include "corpus/data/words.h"
#include "corpus/text/phrases.h"
#include "corpus/text/prepare.h"

#include <string.h>

enum { LONG = 240 }; /* bytes of a passage */

struct gb_passages {
    gb_prepare *prepare;
    gb_words *words;
    const gb_texts *vocabulary; /* borrowed */
    gb_bags bags;
    bool has_phrases;
};

static const char what[] = "passages of documents";

gb_status gb_passages_create(gb_passages **out, const gb_texts *vocabulary, const json_t *preparation, gb_error *err)
{
    gb_status st;
    gb_passages *p = NULL;
    GB_TRY(gb_alloc(&p, 1, sizeof *p, what, err));
    GB_TRY(gb_prepare_from_json(&p->prepare, preparation, err));
    p->vocabulary = vocabulary;
    GB_TRY(gb_bags_make(&p->bags, preparation, vocabulary, err));
    p->has_phrases = json_object_get(preparation, "phrases") != NULL;
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
    gb_bags_clear(&p->bags);
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

/* Blanks and tags with which a text begins. */
static size_t leading_blanks(gb_view text, bool *has_tag)
{
    size_t i = 0, tag = 0;
    *has_tag = false;
    for (; i<text.length; i += tag> 0 ? tag : 1) {
        tag = tag_length((gb_view){text.text + i, text.length - i});
        *has_tag |= tag > 0;
        if (tag == 0 && !is_blank(text.text[i]))
            break;
    }
    return i;
}

/* The next sentence, or with `by_blanks` the next piece between blanks, or tags in a row. */
static gb_view next_piece(gb_view rest, bool by_blanks)
{
    bool is_tag;
    size_t i = leading_blanks(rest, &is_tag);
    if (by_blanks && is_tag)
        return (gb_view){rest.text, i};
    while (i < rest.length) {
        const gb_view at = {rest.text + i, rest.length - i};
        const size_t tag = tag_length(at), end = tag > 0 || at.text[0] == '\0' ? 0 : end_length(at);
        if (by_blanks && (tag > 0 || is_blank(at.text[0])))
            return (gb_view){rest.text, i};
        if (!by_blanks && end > 0)
            return (gb_view){rest.text, i + end};
        i += tag > 0 ? tag : 1;
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

/* Whether a word without its bag is the next token. */
static bool is_next_token(const gb_passages *p, const comparison *c, gb_view word)
{
    if (c->at == c->n_tokens)
        return false;
    const uint32_t token = c->token[c->at];
    const gb_view wanted = gb_bag_word(&p->bags, token, gb_texts_view(p->vocabulary, token));
    return wanted.length == word.length && memcmp(wanted.text, word.text, word.length) == 0;
}

static gb_status compare(gb_passages *p, gb_view piece, comparison *c, gb_error *err)
{
    gb_status st;
    gb_view word;
    GB_TRY(gb_prepare_begin(p->prepare, piece, err));
    for (;;) {
        GB_TRY(gb_prepare_next(p->prepare, &word, err));
        if (word.text == NULL)
            break;
        if (p->bags.of_word != NULL) {
            c->at += is_next_token(p, c, word);
            continue;
        }
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
    if (p->bags.of_word != NULL && c.at < end)
        out->length = 0;
done:
    return st;
}

/* ---- dividing ---- */

/* The next n pieces between blanks, or all that are left. */
static gb_view next_pieces(gb_view rest, int n)
{
    gb_view all = {rest.text, 0};
    for (int i = 0; i < n && all.length < rest.length; i++)
        all.length += next_piece((gb_view){rest.text + all.length, rest.length - all.length}, true).length;
    return all;
}

/* The pieces with which a phrase begins that is the next token: as few as have it; 0: there is none. */
static gb_status find_phrase(gb_passages *p, gb_view rest, const comparison *c, int *n, gb_error *err)
{
    gb_status st = GB_OK;
    *n = 0;
    for (int i = 2; i <= GB_MOST_PHRASE_WORDS; i++) {
        comparison tried = *c;
        GB_TRY(compare(p, next_pieces(rest, i), &tried, err));
        if (!tried.is_other && tried.at == c->at + 1) {
            *n = i;
            break;
        }
    }
done:
    return st;
}

/* The next piece between blanks whose tokens are those that come next; the words of a phrase are one.  `c` goes on behind it. */
static gb_status next_part(gb_passages *p, gb_view rest, comparison *c, gb_view *out, gb_error *err)
{
    gb_status st;
    comparison tried = *c;
    int n = 0, n_behind = 0;
    *out = next_pieces(rest, 1);
    GB_TRY(compare(p, *out, &tried, err));
    if (tried.is_other || (tried.at == c->at && p->has_phrases && c->at < c->n_tokens)) {
        const gb_view behind = {rest.text + out->length, rest.length - out->length};
        GB_TRY(find_phrase(p, rest, c, &n, err));
        if (n > 0 && !tried.is_other) { /* is it a word before a phrase, or before another word? */
            comparison next = *c;
            GB_TRY(find_phrase(p, behind, c, &n_behind, err));
            GB_TRY(compare(p, next_pieces(behind, 1), &next, err));
            n = n_behind == n - 1 || (!next.is_other && next.at > c->at) ? 0 : n;
        }
    }
    if (n > 0) {
        *out = next_pieces(rest, n);
        tried = *c;
        tried.at++;
    }
    *c = tried;
done:
    return st;
}

/* Whether a sentence between blanks has the tokens that it has as a whole, up to `end`, and not many in a piece. */
static gb_status is_divisible(gb_passages *p, gb_view sentence, comparison c, uint64_t end, bool *out, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view part;
    uint64_t n_parts = 0;
    const uint64_t n = end - c.at;
    for (gb_view rest = sentence; rest.length > 0 && !c.is_other; n_parts++) {
        GB_TRY(next_part(p, rest, &c, &part, err));
        rest = (gb_view){part.text + part.length, rest.length - part.length};
    }
    *out = !c.is_other && c.at == end && n <= 2 * n_parts;
done:
    return st;
}

static gb_status divide_sentence(gb_passages *p, gb_view sentence, comparison c, uint64_t end, gb_on_piece *on_piece,
                                 void *user, gb_error *err)
{
    gb_status st = GB_OK;
    bool is_fine;
    gb_view part;
    GB_TRY(is_divisible(p, sentence, c, end, &is_fine, err));
    if (!is_fine)
        return on_piece(user, sentence, c.at, 0, err);
    for (gb_view rest = sentence; rest.length > 0;) {
        const uint64_t first = c.at;
        GB_TRY(next_part(p, rest, &c, &part, err));
        GB_TRY(on_piece(user, part, first, c.at - first, err));
        rest = (gb_view){part.text + part.length, rest.length - part.length};
    }
done:
    return st;
}

gb_status gb_passages_divide(gb_passages *p, gb_view text, const uint32_t *token, uint64_t n_tokens,
                             gb_on_piece *on_piece, void *user, bool *found, gb_error *err)
{
    gb_status st = GB_OK;
    comparison c = {.token = token, .n_tokens = n_tokens};
    for (int round = 0; round < 2; round++) { /* are they the same?  Then piece by piece */
        c.at = 0;
        for (gb_view rest = text; rest.length > 0 && !c.is_other;) {
            const gb_view sentence = next_piece(rest, false);
            comparison whole = c;
            GB_TRY(compare(p, sentence, &whole, err));
            if (round == 1 && !whole.is_other)
                GB_TRY(divide_sentence(p, sentence, c, whole.at, on_piece, user, err));
            c = whole;
            rest = (gb_view){sentence.text + sentence.length, rest.length - sentence.length};
        }
        *found = !c.is_other && c.at == n_tokens;
        if (!*found)
            break;
    }
done:
    return st;
}

/* ---- passages ---- */

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
