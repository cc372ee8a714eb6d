/* corpus/text/known.c - words of a text in the form that a vocabulary has. */
#include "corpus/text/known.h"

#include "base/memory.h"
#include "corpus/text/phrases.h"
#include "corpus/text/stem.h"

#include <string.h>

/* A word of the text, before it is known whether a phrase begins with it. */
typedef struct waiting {
    gb_view text;
    uint32_t number; /* GB_NO_WORD: in no phrase */
    bool is_joined;
} waiting;

struct gb_known {
    gb_stemmer *stemmer;  /* NULL: words are their own stems */
    gb_words *stop_words; /* with a stemmer only */
    gb_words *stems;      /* of the words that were added */
    gb_words *words;      /* by the number of the stem: what it becomes; NULL without a stemmer */
    gb_phrases phrases;
    gb_bytes text; /* of the phrases, one behind the other */
    size_t *start; /* by phrase, one more after the end */
    size_t n_starts, capacity;
    waiting queue[GB_MOST_PHRASE_WORDS];
    size_t n_waiting;
    bool is_at_end;
    gb_bytes name;
};

void gb_known_free(gb_known *k)
{
    if (k == NULL)
        return;
    gb_stemmer_free(k->stemmer);
    gb_words_free(k->stop_words);
    gb_words_free(k->stems);
    gb_words_free(k->words);
    gb_phrases_free(&k->phrases);
    gb_free(k->text.data);
    gb_free(k->start);
    gb_free(k->name.data);
    gb_free(k);
}

static gb_status create_stemmer(gb_known *k, const char *language, const json_t *stop_words, gb_error *err)
{
    gb_status st;
    size_t i;
    const json_t *word;
    GB_TRY(gb_stemmer_create(&k->stemmer, language, err));
    GB_TRY(gb_words_create(&k->stop_words, err));
    GB_TRY(gb_words_create(&k->words, err));
    json_array_foreach(stop_words, i, word)
    {
        const gb_view text = {json_string_value(word), json_string_length(word)};
        GB_TRY(gb_words_add_stop_word(k->stop_words, text, err));
    }
done:
    return st;
}

gb_status gb_known_create(gb_known **out, const char *language, const json_t *stop_words, gb_error *err)
{
    gb_status st;
    gb_known *k = NULL;
    GB_TRY(gb_alloc(&k, 1, sizeof *k, "known words", err));
    GB_TRY(gb_words_create(&k->stems, err));
    GB_TRY(gb_grow(&k->start, &k->capacity, 1, sizeof k->start[0], "phrases", err));
    k->start[0] = 0;
    if (language != NULL)
        GB_TRY(create_stemmer(k, language, stop_words, err));
    *out = k;
    k = NULL;
done:
    gb_known_free(k);
    return st;
}

/* ---- adding -------------------------------------------------------------------------------------------- */

static gb_status stem_of(gb_known *k, gb_view word, gb_view *stem, gb_error *err)
{
    *stem = word;
    return k->stemmer == NULL ? GB_OK : gb_stem(k->stemmer, word, stem, err);
}

static gb_status add(gb_known *k, gb_view word, uint32_t *number, gb_error *err)
{
    gb_status st;
    gb_view stem;
    uint32_t same;
    const uint32_t n_before = gb_words_count(k->stems);
    GB_TRY(stem_of(k, word, &stem, err));
    GB_TRY(gb_words_add(k->stems, stem, number, err));
    if (k->words != NULL && *number == n_before)
        GB_TRY(gb_words_add(k->words, word, &same, err)); /* words with different stems differ: the same number */
done:
    return st;
}

gb_status gb_known_add_word(gb_known *k, gb_view word, gb_error *err)
{
    uint32_t number;
    return k->stemmer == NULL ? GB_OK : add(k, word, &number, err);
}

/* What the word becomes. */
static gb_view shown(const gb_known *k, uint32_t number)
{
    return gb_words_text(k->words != NULL ? k->words : k->stems, number);
}

static gb_status add_text(gb_known *k, const uint32_t *word, size_t n, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t i = 0; i < n; i++) {
        const gb_view text = shown(k, word[i]);
        if (i > 0)
            GB_TRY(gb_bytes_add(&k->text, GB_PHRASE_MARK, strlen(GB_PHRASE_MARK), err));
        GB_TRY(gb_bytes_add(&k->text, text.text, text.length, err));
    }
    GB_TRY(gb_grow(&k->start, &k->capacity, k->n_starts + 2, sizeof k->start[0], "phrases", err));
    k->start[++k->n_starts] = k->text.length;
done:
    return st;
}

gb_status gb_known_check_phrase(gb_view phrase, gb_error *err)
{
    size_t n_words = 1, length = 0;
    bool is_good = true;
    for (size_t i = 0; i < phrase.length; i++) {
        const bool is_tab = phrase.text[i] == '\t';
        is_good &= !is_tab || length > 0;
        n_words += is_tab;
        length = is_tab ? 0 : length + 1;
    }
    if (is_good && length > 0 && n_words >= 2 && n_words <= GB_MOST_PHRASE_WORDS)
        return GB_OK;
    return gb_fail(err, GB_EFORMAT, "the phrase \"%.*s\" is not 2 to %d words with a tab between them",
                   GB_SHOWN(phrase), GB_MOST_PHRASE_WORDS);
}

gb_status gb_known_add_phrase(gb_known *k, gb_view phrase, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t word[GB_MOST_PHRASE_WORDS], number = 0;
    size_t n = 0;
    GB_TRY(gb_known_check_phrase(phrase, err));
    for (const char *at = phrase.text, *end = at + phrase.length; at <= end; n++) {
        const char *tab = memchr(at, '\t', (size_t)(end - at));
        const gb_view text = {at, (size_t)((tab == NULL ? end : tab) - at)};
        GB_TRY(add(k, text, &word[n], err));
        at += text.length + 1;
    }
    GB_TRY(gb_phrases_add(&k->phrases, word, n, &number, err));
    if (number == k->n_starts)
        GB_TRY(add_text(k, word, n, err));
done:
    return st;
}

/* ---- a text -------------------------------------------------------------------------------------------- */

void gb_known_begin(gb_known *k)
{
    k->n_waiting = 0;
    k->is_at_end = false;
}

/* A stop word stays as it is, so that it is found to be one. */
static gb_status look_up(gb_known *k, waiting *w, gb_error *err)
{
    gb_view stem;
    w->number = GB_NO_WORD;
    if (k->stemmer != NULL && gb_words_find(k->stop_words, w->text) == GB_STOP_WORD)
        return GB_OK;
    const gb_status st = stem_of(k, w->text, &stem, err);
    if (st != GB_OK)
        return st;
    w->number = gb_words_find(k->stems, stem);
    if (w->number != GB_NO_WORD)
        w->text = shown(k, w->number);
    return GB_OK;
}

static gb_status fill(gb_known *k, gb_next_word *next, void *user, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t most = k->phrases.count > 0 ? GB_MOST_PHRASE_WORDS : 1;
    while (!k->is_at_end && k->n_waiting < most) {
        waiting *w = &k->queue[k->n_waiting];
        GB_TRY(next(user, &w->text, &w->is_joined, err));
        k->is_at_end = w->text.text == NULL;
        if (k->is_at_end)
            break;
        GB_TRY(look_up(k, w, err));
        k->n_waiting++;
    }
done:
    return st;
}

/* Of the words that wait, the phrase at their beginning: how many words it takes, or 0. */
static size_t match(const gb_known *k, uint32_t *phrase)
{
    uint32_t word[GB_MOST_PHRASE_WORDS];
    size_t n = 0;
    while (n < k->n_waiting && (n == 0 || k->queue[n].is_joined) && k->queue[n].number != GB_NO_WORD) {
        word[n] = k->queue[n].number;
        n++;
    }
    return gb_phrases_match(&k->phrases, word, n, phrase);
}

gb_status gb_known_next(gb_known *k, gb_next_word *next, void *user, gb_view *word, gb_error *err)
{
    uint32_t phrase = 0;
    const gb_status st = fill(k, next, user, err);
    *word = (gb_view){NULL, 0};
    if (st != GB_OK || k->n_waiting == 0)
        return st;
    size_t n = match(k, &phrase);
    *word = k->queue[0].text;
    if (n > 0)
        *word = (gb_view){k->text.data + k->start[phrase], k->start[phrase + 1] - k->start[phrase]};
    n += n == 0;
    k->n_waiting -= n;
    memmove(k->queue, k->queue + n, k->n_waiting * sizeof k->queue[0]);
    return GB_OK;
}

/* ---- a name -------------------------------------------------------------------------------------------- */

static gb_status add_part(gb_known *k, gb_view part, gb_error *err)
{
    waiting w = {.text = part};
    const gb_status st = look_up(k, &w, err);
    return st != GB_OK ? st : gb_bytes_add(&k->name, w.text.text, w.text.length, err);
}

gb_status gb_known_name(gb_known *k, gb_view name, gb_view *out, gb_error *err)
{
    gb_status st = GB_OK;
    const char mark = GB_PHRASE_MARK[0];
    *out = name;
    if (k->stemmer == NULL)
        return GB_OK;
    k->name.length = 0;
    for (const char *at = name.text, *end = at + name.length; at <= end;) {
        const char *found = memchr(at, mark, (size_t)(end - at));
        const gb_view part = {at, (size_t)((found == NULL ? end : found) - at)};
        GB_TRY(add_part(k, part, err));
        if (found != NULL)
            GB_TRY(gb_bytes_add(&k->name, &mark, 1, err));
        at += part.length + 1;
    }
    *out = (gb_view){k->name.data, k->name.length};
done:
    return st;
}
