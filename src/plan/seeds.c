/* plan/seeds.c - a list of seed words, of a file or as JSON, found in a corpus's vocabulary. */
#include "plan/seeds.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/fold.h"
#include "corpus/data/input.h"
#include "corpus/data/words.h"
#include "corpus/text/prepare.h"
#include "store/json_text.h"

#include <math.h>
#include <string.h>

static const char *const what = "seed words";
static const double MOST_TOKENS = 1e9; /* of one word in one topic */
static const gb_keyword_law usual_law = {.beta = 0.5, .from_keywords = 1, .from_all = 1};

typedef struct reading {
    gb_seeds seeds;
    gb_words *names; /* of the topics so far */
    gb_words *words; /* the vocabulary */
    uint64_t *total; /* n_words: f_w */
    uint64_t n_docs;
    size_t *last_name; /* n_words: the topic that had the word last, plus 1 */
    bool *is_keyword;  /* n_words: of any topic */
    size_t n_before;   /* seeds of the topics before the last one */
    gb_fold fold;
    gb_prepare *prepare; /* as the corpus had its words made: knows which stands for a stem */
    bool has_stems;      /* so several seed words may be one */
    double strength;     /* of words without one of their own; 0: they are keywords */
    size_t n_topics;
} reading;

static gb_status open_reading(reading *r, const gb_corpus *corpus, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_words_create(&r->names, err));
    GB_TRY(gb_words_create(&r->words, err));
    GB_TRY(gb_words_add_vocabulary(r->words, &corpus->vocabulary, err));
    GB_TRY(gb_prepare_from_json(&r->prepare, corpus->preparation, err));
    GB_TRY(gb_prepare_know(r->prepare, &corpus->vocabulary, err));
    r->has_stems = json_object_get(corpus->preparation, "stem") != NULL;
    GB_TRY(gb_alloc(&r->total, corpus->n_words, sizeof *r->total, what, err));
    GB_TRY(gb_alloc(&r->last_name, corpus->n_words, sizeof *r->last_name, what, err));
    GB_TRY(gb_alloc(&r->is_keyword, corpus->n_words, sizeof *r->is_keyword, what, err));
    gb_corpus_count_words(corpus, r->total);
    r->seeds.law = usual_law;
    r->n_docs = corpus->n_docs;
done:
    return st;
}

/* ---- topics and words, wherever they come from ---- */

static gb_status begin_topic(reading *r, gb_view name, gb_error *err)
{
    gb_status st;
    gb_seeds *s = &r->seeds;
    uint32_t number;
    name = gb_view_trim(name);
    if (name.length == 0)
        return gb_fail(err, GB_EFORMAT, "expected the name of a topic before the colon");
    if (gb_text_has_controls(name.text, name.length))
        return gb_fail(err, GB_EFORMAT, "the name of a topic has control characters");
    if (gb_words_find(r->names, name) != GB_NO_WORD)
        return gb_fail(err, GB_EFORMAT, "the topic \"%.*s\" is named twice", GB_SHOWN(name));
    if (s->n_topics == r->n_topics)
        return gb_fail(err, GB_EFORMAT, "more named topics than the %zu topics of the model (`topics`)", r->n_topics);
    GB_TRY(gb_words_add(r->names, name, &number, err));
    GB_TRY(gb_grow(&s->name, &s->name_capacity, s->n_topics + 1, sizeof *s->name, what, err));
    GB_TRY(gb_grow(&s->n_tokens, &s->token_capacity, s->n_topics + 1, sizeof *s->n_tokens, what, err));
    GB_TRY(gb_copy_text(&s->name[s->n_topics], name.text, name.length, err));
    s->n_tokens[s->n_topics++] = 0;
    r->n_before = s->n;
done:
    return st;
}

static gb_status note_unknown(gb_seeds *s, gb_view word, gb_error *err)
{
    gb_status st = GB_OK;
    if (s->n_unknown < GB_UNKNOWN_SEEDS)
        GB_TRY(gb_copy_text(&s->unknown[s->n_unknown], word.text, word.length, err));
    s->n_unknown++;
done:
    return st;
}

/* As it is written, or else with its case folded, as words of a corpus are by default, or else the word that stands for its stem. */
static gb_status find_word(reading *r, gb_view word, uint32_t *number, gb_error *err)
{
    gb_view folded;
    *number = gb_words_find(r->words, word);
    if (*number != GB_NO_WORD)
        return GB_OK;
    gb_status st;
    GB_TRY(gb_fold_text(&r->fold, word, &folded, err));
    *number = gb_words_find(r->words, folded);
    if (*number != GB_NO_WORD)
        return GB_OK;
    GB_TRY(gb_prepare_name(r->prepare, folded, &folded, err));
    *number = gb_words_find(r->words, folded);
done:
    return st;
}

/* (2) and (3) of chain/seeded_start.c. */
static float said_by(const reading *r, uint32_t number, bool is_keyword)
{
    const double most = 3, per_document = (double)r->total[number] / fmax((double)r->n_docs, 1);
    return (float)(is_keyword ? most * fmin(1, -2 * log1p(-exp(-per_document))) : most);
}

static void note_keyword(reading *r, uint32_t number)
{
    r->seeds.n_keyword_pairs++;
    r->seeds.n_keywords += !r->is_keyword[number];
    r->is_keyword[number] = true;
}

/* A word of the vocabulary, for the topic that was begun last.
 * @param own  its strength; NULL: it has none of its own */
static gb_status add_number(reading *r, uint32_t number, const double *own, gb_error *err)
{
    gb_status st;
    gb_seeds *s = &r->seeds;
    const size_t topic = s->n_topics - 1;
    const gb_view word = gb_words_text(r->words, number);
    const bool is_keyword = own == NULL && !(r->strength > 0);
    const double strength = own != NULL ? *own : r->strength;
    const double tokens = is_keyword ? 0 : fmax(1, round(strength * (double)r->total[number])); /* (1) */
    if (!(strength > 0 || is_keyword) || !(tokens <= MOST_TOKENS))
        return gb_fail(err, GB_EFORMAT,
                       "the strength of \"%.*s\" is %g, expected a number above 0, and at most %.0g "
                       "tokens in all",
                       GB_SHOWN(word), strength, MOST_TOKENS);
    GB_TRY(gb_grow(&s->seed, &s->seed_capacity, s->n + 1, sizeof *s->seed, what, err));
    s->seed[s->n++] = (gb_seed){
        .word = number, .count = (uint32_t)tokens, .topic = (uint16_t)topic, .said = said_by(r, number, is_keyword)};
    s->n_tokens[topic] += (uint64_t)tokens;
    if (is_keyword)
        note_keyword(r, number);
    r->last_name[number] = topic + 1;
done:
    return st;
}

/* stock* is every word of the vocabulary that begins so, and that the topic has not yet. */
static gb_status add_beginning(reading *r, gb_view beginning, const double *own, bool *any, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view folded;
    GB_TRY(gb_fold_text(&r->fold, beginning, &folded, err));
    for (uint32_t w = 0; w < gb_words_count(r->words); w++) {
        const gb_view word = gb_words_text(r->words, w);
        const bool begins_so =
            (word.length >= folded.length && memcmp(word.text, folded.text, folded.length) == 0) ||
            (word.length >= beginning.length && memcmp(word.text, beginning.text, beginning.length) == 0);
        *any |= begins_so;
        if (begins_so && r->last_name[w] != r->seeds.n_topics)
            GB_TRY(add_number(r, w, own, err));
    }
done:
    return st;
}

/* As somebody has written it. */
static gb_status add_word(reading *r, gb_view word, const double *own, gb_error *err)
{
    gb_status st;
    gb_seeds *s = &r->seeds;
    uint32_t number;
    bool any = false;
    GB_TRY(find_word(r, word, &number, err));
    if (number == GB_NO_WORD && word.length > 1 && word.text[word.length - 1] == '*')
        GB_TRY(add_beginning(r, (gb_view){word.text, word.length - 1}, own, &any, err));
    if (number == GB_NO_WORD)
        return any ? GB_OK : note_unknown(s, word, err);
    if (r->last_name[number] == s->n_topics && r->has_stems)
        return GB_OK;
    if (r->last_name[number] == s->n_topics)
        return gb_fail(err, GB_EFORMAT, "the topic \"%s\" has the word \"%.*s\" twice", s->name[s->n_topics - 1],
                       GB_SHOWN(word));
    st = add_number(r, number, own, err);
done:
    return st;
}

static gb_status end_topic(const reading *r, gb_error *err)
{
    const gb_seeds *s = &r->seeds;
    if (s->n == r->n_before)
        return gb_fail(err, GB_EFORMAT, "no seed word of the topic \"%s\" is in the vocabulary of the corpus",
                       s->name[s->n_topics - 1]);
    return GB_OK;
}

/* ---- a file ---- */

static bool is_between(char c)
{
    return c == ' ' || c == '\t' || c == ',';
}

/* WORD or WORD=STRENGTH; a word may have "=" in it if no number follows. */
static gb_status add_piece(reading *r, gb_view piece, gb_error *err)
{
    double strength;
    for (size_t i = piece.length; i > 1; i--)
        if (piece.text[i - 1] == '=') {
            if (!gb_view_to_real((gb_view){piece.text + i, piece.length - i}, &strength))
                break;
            piece.length = i - 1;
            return add_word(r, piece, &strength, err);
        }
    return add_word(r, piece, NULL, err);
}

static gb_status read_line(reading *r, gb_view line, gb_error *err)
{
    gb_status st;
    line = gb_view_trim(line);
    if (line.length == 0 || line.text[0] == '#')
        return GB_OK;
    const char *colon = memchr(line.text, ':', line.length);
    if (colon == NULL)
        return gb_fail(err, GB_EFORMAT, "expected the name of a topic, a colon, and its words");
    GB_TRY(begin_topic(r, (gb_view){line.text, (size_t)(colon - line.text)}, err));
    const char *at = colon + 1, *end = line.text + line.length;
    while (at < end) {
        const char *first = at;
        while (at < end && !is_between(*at))
            at++;
        if (at > first)
            GB_TRY(add_piece(r, (gb_view){first, (size_t)(at - first)}, err));
        at++;
    }
    GB_TRY(end_topic(r, err));
done:
    return st;
}

static gb_status read_file(reading *r, const char *path, gb_error *err)
{
    gb_status st;
    gb_input *input = NULL;
    gb_view line;
    bool end = false;
    GB_TRY(gb_input_open(&input, path, NULL, err));
    for (;;) {
        GB_TRY(gb_input_line(input, &line, &end, err));
        if (end)
            break;
        GB_TRY(gb_input_place(input, err, read_line(r, line, err)));
    }
    GB_TRY(gb_input_expect_last(input, err));
    if (r->seeds.n_topics == 0)
        st = gb_fail(err, GB_EFORMAT, "%s: no topic with seed words", path);
done:
    gb_input_close(input);
    return st;
}

/* ---- JSON ---- */

static gb_status read_words(reading *r, const json_t *words, gb_error *err)
{
    gb_status st = GB_OK;
    const char *name;
    const json_t *value;
    double strength;
    for (size_t i = 0; i < json_array_size(words); i++) {
        value = json_array_get(words, i);
        if (!json_is_string(value))
            return gb_fail(err, GB_EFORMAT, "a word is not a text");
        GB_TRY(add_word(r, (gb_view){json_string_value(value), json_string_length(value)}, NULL, err));
    }
    if (json_is_object(words))
        json_object_foreach((json_t *)(uintptr_t)words, name, value)
        {
            if (!json_is_number(value))
                return gb_fail(err, GB_EFORMAT, "the strength of \"%s\" is not a number", name);
            strength = json_number_value(value);
            GB_TRY(add_word(r, gb_view_of(name), &strength, err));
        }
done:
    return st;
}

static gb_status read_object(reading *r, const json_t *object, gb_error *err)
{
    gb_status st = GB_OK;
    const char *name;
    const json_t *words;
    json_object_foreach((json_t *)(uintptr_t)object, name, words)
    {
        if (!json_is_array(words) && !json_is_object(words))
            return gb_fail(err, GB_EFORMAT, "the words of \"%s\" are neither an array nor an object", name);
        GB_TRY(begin_topic(r, gb_view_of(name), err));
        GB_TRY(read_words(r, words, err));
        GB_TRY(end_topic(r, err));
    }
    if (r->seeds.n_topics == 0)
        return gb_fail(err, GB_EFORMAT, "no topic with seed words");
done:
    return st;
}

/* What is wrong with an option's own text is wrong use. */
static gb_status read_json(reading *r, const char *text, gb_error *err)
{
    json_t *object;
    gb_status st = gb_json_parse(text, strlen(text), 0, &object, NULL, err);
    if (st == GB_EFORMAT || (st == GB_OK && !json_is_object(object)))
        st = gb_fail(err, GB_EARGUMENT, "`seeds` is not a JSON object of topics and their words");
    else if (st == GB_OK && (st = read_object(r, object, err)) == GB_EFORMAT) {
        gb_error inner = err == NULL ? (gb_error){0} : *err;
        st = gb_fail(err, GB_EARGUMENT, "`seeds`: %s", inner.message);
    }
    json_decref(object);
    return st;
}

/* ---- all of it ---- */

gb_status gb_seeds_read(const char *text, double strength, const gb_corpus *corpus, size_t n_topics, gb_seeds *out,
                        gb_error *err)
{
    gb_status st;
    reading r = {.strength = strength, .n_topics = n_topics, .fold = {.lowercase = true}};
    GB_TRY(open_reading(&r, corpus, err));
    GB_TRY(text[0] == '{' ? read_json(&r, text, err) : read_file(&r, text, err));
    *out = r.seeds;
    r.seeds = (gb_seeds){0};
done:
    gb_seeds_clear(&r.seeds);
    gb_words_free(r.names);
    gb_words_free(r.words);
    gb_free(r.total);
    gb_free(r.last_name);
    gb_free(r.is_keyword);
    gb_fold_free(&r.fold);
    gb_prepare_free(r.prepare);
    return st;
}

void gb_seeds_clear(gb_seeds *s)
{
    for (size_t i = 0; i < s->n_topics; i++)
        gb_free(s->name[i]);
    for (size_t i = 0; i < GB_UNKNOWN_SEEDS; i++)
        gb_free(s->unknown[i]);
    gb_free(s->name);
    gb_free(s->n_tokens);
    gb_free(s->seed);
    *s = (gb_seeds){0};
}

void gb_seeds_count(const gb_seeds *s, uint64_t *total)
{
    for (size_t i = 0; i < s->n; i++)
        total[s->seed[i].word] += s->seed[i].count;
}

/* ---- in a model ---- */

/* @param at  seeds of the topics before; of this topic too, afterwards */
static json_t *words_of(const gb_seeds *s, size_t topic, const gb_texts *vocabulary, size_t *at)
{
    json_t *words = json_object();
    for (; *at < s->n && s->seed[*at].topic == topic && words != NULL; ++*at) {
        const gb_seed *seed = &s->seed[*at];
        const gb_view word = gb_texts_view(vocabulary, seed->word);
        if (json_object_setn_new(words, word.text, word.length, json_integer(seed->count)) != 0) {
            json_decref(words);
            words = NULL;
        }
    }
    return words;
}

json_t *gb_seeds_to_json(const gb_seeds *s, const gb_texts *vocabulary)
{
    size_t at = 0;
    json_t *array = json_array();
    for (size_t k = 0; k < s->n_topics && array != NULL; k++) {
        json_t *topic = json_pack("{s:s, s:I, s:o}", "name", s->name[k], "tokens", (json_int_t)s->n_tokens[k],
                                  "words", words_of(s, k, vocabulary, &at));
        if (json_array_append_new(array, topic) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

bool gb_seeds_from_json(const json_t *array, size_t n_topics, uint64_t *tokens)
{
    memset(tokens, 0, n_topics * sizeof *tokens);
    if (!json_is_array(array) || json_array_size(array) > n_topics)
        return false;
    for (size_t k = 0; k < json_array_size(array); k++) {
        const json_t *topic = json_array_get(array, k), *n = json_object_get(topic, "tokens");
        if (!json_is_string(json_object_get(topic, "name")) || !json_is_integer(n) || json_integer_value(n) < 0)
            return false;
        tokens[k] = (uint64_t)json_integer_value(n);
    }
    return true;
}
