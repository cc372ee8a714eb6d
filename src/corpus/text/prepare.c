/* corpus/text/prepare.c - how text becomes words: folding, word breaks, the token pattern, stop words, stems and phrases. */
#include "corpus/text/prepare.h"

#include "base/memory.h"
#include "base/system.h"
#include "corpus/data/bags.h"
#include "corpus/data/fold.h"
#include "corpus/text/breaks.h"
#include "corpus/text/find_phrases.h"
#include "corpus/text/known.h"
#include "corpus/text/languages.h"
#include "corpus/text/merge_stems.h"
#include "corpus/text/pattern.h"
#include "corpus/text/runs.h"
#include "corpus/text/stem.h"
#include "corpus/text/stopwords.h"
#include "corpus/text/word_list.h"
#include "store/json_text.h"

#include <stdio.h>
#include <string.h>

/* The newer one where it is needed: older programs then refuse to make other words than these. */
enum { VERSION = 1, VERSION_OF_SHAPES = 2 };

/* Words that the pattern divides. */
typedef struct divided {
    uint64_t n;
    char *first; /* NULL: none */
} divided;

struct gb_prepare {
    char *token_pattern;
    bool is_of_file;     /* and so no option of this call */
    gb_runs *runs;       /* of a simple pattern; else NULL */
    gb_pattern *pattern; /* of another; else NULL */
    gb_fold fold;
    json_t *stop_words; /* array of texts, folded, sorted, all different */
    uint64_t n_given;   /* stop words of files and of arrays, which the program does not know */
    divided stop, only; /* those of them, and those of a list of the only words, that the pattern divides */
    bool has_breaks;
    char *stem;          /* language; NULL: none */
    size_t ngrams;       /* words of a phrase at most, when phrases are to be found; else 1 */
    double phrase_score; /* of such a phrase at least */
    json_t *phrases;     /* array of texts, sorted: words with tabs between them; NULL: there are none */
    json_t *bags;        /* array of texts, all different; NULL: there are none */
    const char *bag;     /* of texts that come; NULL: none */
    gb_bytes in_bag;     /* words with the bag before them */
    gb_breaks *breaks;   /* NULL: no text has come yet */
    gb_known *known;     /* NULL: words come out as they are */
    bool is_special;     /* any of the above matters to gb_prepare_next() */
    gb_view whole;       /* folded */
    gb_view text;        /* the part of it in which words are looked for */
    size_t at;
    const char *end; /* of the word before; NULL: none */
    bool is_joined;
};

void gb_prepare_free(gb_prepare *p)
{
    if (p == NULL)
        return;
    gb_free(p->token_pattern);
    gb_pattern_free(p->pattern);
    gb_runs_free(p->runs);
    gb_fold_free(&p->fold);
    json_decref(p->stop_words);
    gb_free(p->stop.first);
    gb_free(p->only.first);
    gb_free(p->stem);
    json_decref(p->phrases);
    json_decref(p->bags);
    gb_free(p->in_bag.data);
    gb_breaks_free(p->breaks);
    gb_known_free(p->known);
    gb_free(p);
}

/* Of a pattern that is none, or too costly: a file that has it is at fault, and no option, whose name the message begins with. */
static gb_status blame_file(gb_status st, gb_error *err)
{
    static const char option[] = "`token-pattern`";
    char message[sizeof err->message];
    if (st != GB_EARGUMENT || err == NULL)
        return st == GB_EARGUMENT ? GB_EFORMAT : st;
    memcpy(message, err->message, sizeof message);
    const size_t n = strncmp(message, option, sizeof option - 1) == 0 ? sizeof option - 1 : 0;
    return gb_fail(err, GB_EFORMAT, "the pattern that words were made by%.*s", (int)(sizeof message - n) - 1,
                   message + n);
}

static gb_status create(gb_prepare **out, bool lowercase, const char *token_pattern, gb_error *err)
{
    gb_status st;
    gb_prepare *p = NULL;
    GB_TRY(gb_alloc(&p, 1, sizeof *p, "text preparation", err));
    p->fold.lowercase = lowercase;
    p->fold.is_text = true;
    p->text = (gb_view){"", 0};
    p->ngrams = 1;
    GB_TRY(gb_copy_text(&p->token_pattern, token_pattern, strlen(token_pattern), err));
    GB_TRY(gb_runs_create(&p->runs, token_pattern, err));
    if (p->runs == NULL)
        GB_TRY(gb_pattern_create(&p->pattern, token_pattern, err));
    p->stop_words = json_array();
    if (p->stop_words == NULL) {
        st = gb_fail(err, GB_ENOMEM, "out of memory: stop words");
        goto done;
    }
    *out = p;
    p = NULL;
done:
    gb_prepare_free(p);
    return st;
}

/* ---- stop words ---------------------------------------------------------------------------------------- */

static gb_status next_match(gb_prepare *p, gb_view *word, gb_error *err);

static gb_status add_stop_word(gb_prepare *p, gb_view word, gb_error *err)
{
    gb_view folded;
    gb_status st = gb_fold_text(&p->fold, word, &folded, err);
    if (st != GB_OK)
        return st;
    if (json_array_append_new(p->stop_words, json_stringn(folded.text, folded.length)) != 0)
        return gb_fail(err, GB_ENOMEM, "out of memory: stop words");
    return GB_OK;
}

/* A word that the pattern never gives, such as "don't", is never met.  Single letters are never words by default, and nobody minds. */
static gb_status note_if_divided(gb_prepare *p, gb_view word, divided *out, gb_error *err)
{
    gb_status st;
    gb_view found = {NULL, 0};
    size_t n_characters = 0;
    for (size_t i = 0; i < word.length; i++)
        n_characters += ((unsigned char)word.text[i] & 0xC0) != 0x80;
    if (n_characters < 2 || p->has_breaks)
        return GB_OK;
    GB_TRY(gb_prepare_begin(p, word, err));
    GB_TRY(next_match(p, &found, err));
    if (found.text != NULL && found.length == p->whole.length)
        return GB_OK;
    if (out->n++ == 0)
        GB_TRY(gb_copy_text(&out->first, word.text, word.length, err));
done:
    return st;
}

static gb_status add_given_word(gb_prepare *p, gb_view word, gb_error *err)
{
    p->n_given++;
    const gb_status st = add_stop_word(p, word, err);
    return st == GB_OK ? note_if_divided(p, word, &p->stop, err) : st;
}

static bool note_divided(const divided *d, const char *number, const char *example, json_t *notes)
{
    return d->n == 0 || (json_object_set_new(notes, number, json_integer((json_int_t)d->n)) == 0 &&
                         json_object_set_new(notes, example, json_string(d->first)) == 0);
}

gb_status gb_prepare_notes(const gb_prepare *p, const gb_words *words, json_t *notes, gb_error *err)
{
    const json_int_t n_met = (json_int_t)gb_words_stop_words_met(words);
    if ((p->n_given > 0 &&
         (json_object_set_new(notes, "stop_words_given", json_integer((json_int_t)p->n_given)) != 0 ||
          json_object_set_new(notes, "stop_words_met", json_integer(n_met)) != 0)) ||
        !note_divided(&p->stop, "stop_words_divided", "stop_word_divided", notes) ||
        !note_divided(&p->only, "known_words_divided", "known_word_divided", notes))
        return gb_fail(err, GB_ENOMEM, "out of memory: notes");
    return GB_OK;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(json_string_value(*(json_t *const *)a), json_string_value(*(json_t *const *)b));
}

/* Make the list sorted and its words different. */
static gb_status sort_stop_words(gb_prepare *p, gb_error *err)
{
    gb_status st;
    json_t **word = NULL, *sorted = json_array();
    size_t n = json_array_size(p->stop_words);
    bool failed = sorted == NULL;
    GB_TRY(gb_alloc(&word, n, sizeof(json_t *), "stop words", err));
    for (size_t i = 0; i < n; i++)
        word[i] = json_array_get(p->stop_words, i);
    if (n > 0)
        qsort(word, n, sizeof(json_t *), compare_texts);
    for (size_t i = 0; i < n && !failed; i++)
        if (i == 0 || compare_texts(&word[i - 1], &word[i]) != 0)
            failed = json_array_append(sorted, word[i]) != 0;
    if (failed) {
        st = gb_fail(err, GB_ENOMEM, "out of memory: stop words");
        goto done;
    }
    json_decref(p->stop_words);
    p->stop_words = sorted;
    sorted = NULL;
done:
    json_decref(sorted);
    gb_free(word);
    return st;
}

static const gb_stopword_list *find_language(gb_view name)
{
    const char *code = gb_language_code(name);
    for (const gb_stopword_list *list = gb_stopword_lists; code != NULL && list->language != NULL; list++)
        if (strcmp(list->language, code) == 0)
            return list;
    return NULL;
}

static gb_status fail_stop_words(const char *name, gb_error *err)
{
    gb_bytes languages = {0};
    gb_status st = GB_OK;
    for (const gb_stopword_list *list = gb_stopword_lists; list->language != NULL; list++) {
        GB_TRY(gb_bytes_add(&languages, ", ", languages.length == 0 ? 0 : 2, err));
        GB_TRY(gb_bytes_add(&languages, list->language, strlen(list->language), err));
    }
    GB_TRY(gb_bytes_add(&languages, "", 1, err));
    st = gb_fail(err, GB_EARGUMENT, "`stopwords` \"%s\": neither a file nor one of %s", name, languages.data);
done:
    gb_free(languages.data);
    return st;
}

/* ["the", "of"] */
static gb_status add_words_in_place(gb_prepare *p, const char *text, gb_error *err)
{
    json_t *words = NULL;
    gb_status st = gb_json_parse(text, strlen(text), 0, &words, NULL, err);
    const size_t n = json_array_size(words);
    for (size_t i = 0; st == GB_OK && i < n; i++) {
        const json_t *word = json_array_get(words, i);
        const gb_view view = {json_string_value(word), json_string_length(word)};
        st = view.length == 0 ? GB_EFORMAT : add_given_word(p, view, err);
    }
    json_decref(words);
    if (st == GB_EFORMAT)
        return gb_fail(err, GB_EARGUMENT, "`stopwords` begins with [ but is not a JSON array of words");
    return st != GB_OK ? st : sort_stop_words(p, err);
}

/* A word of a list is a string of Jansson, and a place in its array. */
enum { STOP_WORD_BYTES = 96 };

static gb_status add_words_of_file(gb_prepare *p, const char *path, gb_read_watch *watch, gb_error *err)
{
    uint64_t n_bytes = 0, n_counted = 0;
    gb_texts file = {0};
    gb_status st;
    GB_TRY(gb_word_list_read(path, GB_LIST_WORDS, watch, &file, err));
    for (uint64_t i = 0; i < file.count; i++) {
        const gb_view word = gb_texts_view(&file, i);
        n_bytes += STOP_WORD_BYTES + word.length;
        GB_TRY(gb_read_watch_hold(watch, path, n_bytes, &n_counted, err));
        GB_TRY(add_given_word(p, word, err));
    }
done:
    gb_word_list_free(&file);
    return st;
}

/* A language or a file. */
static gb_status add_list(gb_prepare *p, const char *name, gb_read_watch *watch, gb_error *err)
{
    const gb_stopword_list *list = find_language(gb_view_of(name));
    gb_status st = GB_OK;
    if (list == NULL && !gb_path_look(name, true, NULL))
        return fail_stop_words(name, err);
    if (list == NULL)
        return add_words_of_file(p, name, watch, err);
    for (size_t i = 0; st == GB_OK && list->words[i] != NULL; i++)
        st = add_stop_word(p, gb_view_of(list->words[i]), err);
    return st;
}

gb_status gb_prepare_add_stop_words(gb_prepare *p, const char *lists, gb_read_watch *watch, gb_error *err)
{
    gb_status st = GB_OK;
    char *copy = NULL, *rest, *name;
    if (lists[0] == '[')
        return add_words_in_place(p, lists, err);
    if (lists[0] == '\0')
        return GB_OK;
    GB_TRY(gb_copy_text(&copy, lists, strlen(lists), err));
    rest = copy;
    if (gb_path_look(lists, true, NULL)) /* a file, with commas in its name perhaps */
        rest = NULL;
    if (rest == NULL)
        GB_TRY(add_list(p, lists, watch, err));
    while (rest != NULL && (name = strsep(&rest, ",")) != NULL)
        if (*name != '\0')
            GB_TRY(add_list(p, name, watch, err));
    GB_TRY(sort_stop_words(p, err));
done:
    gb_free(copy);
    return st;
}

/* A stop word is one in every bag. */
static gb_status mark_in_bags(const gb_prepare *p, gb_view word, gb_words *words, gb_error *err)
{
    gb_status st = GB_OK;
    gb_bytes name = {0};
    size_t i;
    const json_t *bag;
    json_array_foreach(p->bags, i, bag)
    {
        name.length = 0;
        GB_TRY(gb_bytes_add(&name, json_string_value(bag), json_string_length(bag), err));
        GB_TRY(gb_bytes_add(&name, GB_BAG_MARK, strlen(GB_BAG_MARK), err));
        GB_TRY(gb_bytes_add(&name, word.text, word.length, err));
        GB_TRY(gb_words_add_stop_word(words, (gb_view){name.data, name.length}, err));
    }
done:
    gb_free(name.data);
    return st;
}

gb_status gb_prepare_mark_stop_words(const gb_prepare *p, gb_words *words, gb_error *err)
{
    gb_status st = GB_OK;
    size_t i;
    const json_t *word;
    json_array_foreach(p->stop_words, i, word)
    {
        const gb_view text = {json_string_value(word), json_string_length(word)};
        GB_TRY(p->bags == NULL ? gb_words_add_stop_word(words, text, err) : mark_in_bags(p, text, words, err));
    }
done:
    return st;
}

/* ---- settings and JSON --------------------------------------------------------------------------------- */

static const char *default_pattern(void)
{
    const gb_option *option = gb_option_find("token-pattern");
    return option == NULL ? "" : option->default_value;
}

/* The default leaves single letters out; a single Chinese character that ICU cuts out is a word. */
static const char *pattern_of(const gb_settings *settings)
{
    const bool has_breaks = gb_settings_are(settings, "word-breaks", "icu");
    return has_breaks && strcmp(gb_settings_text(settings, "token-pattern"), default_pattern()) == 0
               ? "\\p{L}[\\p{L}\\p{M}\\x{200C}\\x{200D}]+|\\p{Han}"
               : gb_settings_text(settings, "token-pattern");
}

/* What was not built in is said before any document is read. */
static gb_status check_built_in(const gb_prepare *p, gb_error *err)
{
    gb_status st = GB_OK;
    gb_stemmer *stemmer = NULL;
    gb_breaks *breaks = NULL;
    if (p->stem != NULL)
        GB_TRY(gb_stemmer_create(&stemmer, p->stem, err));
    if (p->has_breaks)
        GB_TRY(gb_breaks_create(&breaks, err));
done:
    gb_stemmer_free(stemmer);
    gb_breaks_free(breaks);
    return st;
}

static void note_special(gb_prepare *p)
{
    p->is_special = p->has_breaks || p->known != NULL || p->ngrams > 1 || p->bags != NULL;
}

/* The name as the preparation has it; NULL: there is no such bag. */
static const char *find_bag(const gb_prepare *p, const char *bag)
{
    for (size_t i = 0; i < json_array_size(p->bags); i++)
        if (strcmp(json_string_value(json_array_get(p->bags, i)), bag) == 0)
            return json_string_value(json_array_get(p->bags, i));
    return NULL;
}

/* What stands for a stem, and which words are a phrase, is found in words without bags. */
static gb_status read_bags(gb_prepare *p, const gb_settings *settings, gb_error *err)
{
    gb_text_fields texts = {.n = 0};
    gb_status st;
    GB_TRY(gb_text_fields_read(gb_settings_text(settings, "text"), &texts, err));
    if (!texts.has_bags)
        goto done;
    if (p->stem != NULL || p->ngrams > 1) {
        st = gb_fail(err, GB_EARGUMENT,
                     "`%s` does not go with bags (`text` %s); `text` FIELD,FIELD joins the texts instead",
                     p->stem != NULL ? "stem" : "ngrams", gb_settings_text(settings, "text"));
        goto done;
    }
    p->bags = json_array();
    for (size_t i = 0; i < texts.n && st == GB_OK; i++)
        if (p->bags == NULL || (find_bag(p, texts.field[i].bag) == NULL &&
                                json_array_append_new(p->bags, json_string(texts.field[i].bag)) != 0))
            st = gb_fail_memory(err, 0, "the bags of words");
done:
    gb_text_fields_clear(&texts);
    return st;
}

gb_status gb_prepare_from_settings(gb_prepare **out, const gb_settings *settings, gb_read_watch *watch, gb_error *err)
{
    gb_prepare *p = NULL;
    gb_status st;
    GB_TRY(create(&p, gb_settings_yes(settings, "lowercase"), pattern_of(settings), err));
    p->has_breaks = gb_settings_are(settings, "word-breaks", "icu");
    GB_TRY(gb_prepare_add_stop_words(p, gb_settings_text(settings, "stopwords"), watch, err));
    if (gb_settings_has(settings, "stem"))
        GB_TRY(gb_copy_text(&p->stem, gb_settings_text(settings, "stem"), strlen(gb_settings_text(settings, "stem")),
                            err));
    p->ngrams = (size_t)gb_settings_int(settings, "ngrams");
    p->phrase_score = gb_settings_real(settings, "phrase-score");
    GB_TRY(read_bags(p, settings, err));
    GB_TRY(check_built_in(p, err));
    note_special(p);
    *out = p;
    p = NULL;
done:
    gb_prepare_free(p);
    return st;
}

static bool are_texts(const json_t *array)
{
    size_t i;
    const json_t *text;
    json_array_foreach(array, i, text) if (!json_is_string(text) || json_string_length(text) == 0) return false;
    return true;
}

static gb_status check_shapes(const json_t *o, gb_error *err)
{
    const json_t *breaks = json_object_get(o, "word_breaks"), *stem = json_object_get(o, "stem"),
                 *phrases = json_object_get(o, "phrases"), *bags = json_object_get(o, "bags");
    if (breaks != NULL && (!json_is_string(breaks) || strcmp(json_string_value(breaks), "icu") != 0))
        return gb_fail(err, GB_EFORMAT, "unknown word breaks of the text preparation");
    if ((stem != NULL && (!json_is_string(stem) || json_string_length(stem) == 0)) ||
        (phrases != NULL && !json_is_array(phrases)) || (bags != NULL && json_array_size(bags) == 0))
        return gb_fail(err, GB_EFORMAT, "incomplete description of the text preparation");
    if (!are_texts(bags))
        return gb_fail(err, GB_EFORMAT, "a bag of the text preparation is not a text");
    return are_texts(phrases) ? GB_OK : gb_fail(err, GB_EFORMAT, "a phrase of the text preparation is not a text");
}

static gb_status check_json(const json_t *o, gb_error *err)
{
    json_int_t version = json_integer_value(json_object_get(o, "version"));
    const json_t *words = json_object_get(o, "stopwords");
    if (version != VERSION && version != VERSION_OF_SHAPES)
        return gb_fail(err, GB_EFORMAT, "text preparation of version %lld, this program knows version %d and before",
                       (long long)version, VERSION_OF_SHAPES);
    if (!json_is_boolean(json_object_get(o, "lowercase")) || !json_is_string(json_object_get(o, "token_pattern")) ||
        !json_is_array(words))
        return gb_fail(err, GB_EFORMAT, "incomplete description of the text preparation");
    if (!are_texts(words))
        return gb_fail(err, GB_EFORMAT, "a stop word of the text preparation is not a text");
    return version == VERSION ? GB_OK : check_shapes(o, err);
}

static gb_status read_shapes(gb_prepare *p, const json_t *o, gb_error *err)
{
    gb_status st = GB_OK;
    const json_t *stem = json_object_get(o, "stem"), *phrases = json_object_get(o, "phrases"),
                 *bags = json_object_get(o, "bags");
    p->has_breaks = json_object_get(o, "word_breaks") != NULL;
    if (stem != NULL)
        GB_TRY(gb_copy_text(&p->stem, json_string_value(stem), json_string_length(stem), err));
    if (phrases != NULL && (p->phrases = json_copy((json_t *)(uintptr_t)phrases)) == NULL)
        st = gb_fail(err, GB_ENOMEM, "out of memory: phrases");
    if (bags != NULL && (p->bags = json_copy((json_t *)(uintptr_t)bags)) == NULL)
        st = gb_fail_memory(err, 0, "the bags of words");
    note_special(p);
done:
    return st;
}

gb_status gb_prepare_from_json(gb_prepare **out, const json_t *preparation, gb_error *err)
{
    gb_status st;
    gb_prepare *p = NULL;
    if (json_object_get(preparation, "version") == NULL)
        return create(out, true, default_pattern(), err);
    GB_TRY(check_json(preparation, err));
    GB_TRY(blame_file(create(&p, json_is_true(json_object_get(preparation, "lowercase")),
                             json_string_value(json_object_get(preparation, "token_pattern")), err),
                      err));
    p->is_of_file = true;
    if (json_array_extend(p->stop_words, json_object_get(preparation, "stopwords")) != 0) {
        st = gb_fail(err, GB_ENOMEM, "out of memory: stop words");
        goto done;
    }
    if (json_integer_value(json_object_get(preparation, "version")) == VERSION_OF_SHAPES)
        GB_TRY(read_shapes(p, preparation, err));
    *out = p;
    p = NULL;
done:
    gb_prepare_free(p);
    return st;
}

/* A member that only some objects have: json_pack() would take one that memory ran out for as one that is not wanted. */
static bool add(json_t *object, const char *name, json_t *value)
{
    return json_object_set_new(object, name, value) == 0;
}

json_t *gb_prepare_to_json(const gb_prepare *p, const char *words)
{
    const bool has_shapes = p->has_breaks || p->stem != NULL || p->phrases != NULL || p->bags != NULL;
    json_t *o =
        json_pack("{s:i, s:s, s:b, s:s, s:O}", "version", has_shapes ? VERSION_OF_SHAPES : VERSION, "words", words,
                  "lowercase", (int)p->fold.lowercase, "token_pattern", p->token_pattern, "stopwords", p->stop_words);
    if ((p->has_breaks && !add(o, "word_breaks", json_string("icu"))) ||
        (p->stem != NULL && !add(o, "stem", json_string(p->stem))) ||
        (p->phrases != NULL && !add(o, "phrases", json_incref(p->phrases))) ||
        (p->bags != NULL && !add(o, "bags", json_incref(p->bags)))) {
        json_decref(o);
        return NULL;
    }
    return o;
}

/* ---- stems and phrases --------------------------------------------------------------------------------- */

gb_status gb_prepare_check_counts(const gb_prepare *p, const char *path, gb_error *err)
{
    const char *option = p->has_breaks     ? "word-breaks"
                         : p->stem != NULL ? "stem"
                         : p->ngrams > 1   ? "ngrams"
                         : p->bags != NULL ? "text"
                                           : NULL;
    return option == NULL ? GB_OK
                          : gb_fail(err, GB_EARGUMENT, "`%s`: %s: counts of words, expected texts", option, path);
}

/* The name that a phrase has in a vocabulary; to be freed with gb_free(). */
static gb_status name_phrase(gb_view phrase, char **out, gb_error *err)
{
    const gb_status st = gb_copy_text(out, phrase.text, phrase.length, err);
    for (size_t i = 0; st == GB_OK && i < phrase.length; i++)
        if ((*out)[i] == '\t')
            (*out)[i] = GB_PHRASE_MARK[0];
    return st;
}

/* Join the phrases in texts that come; of one that the vocabulary has not, its words say more than nothing.
 * @param among  NULL: all of them */
static gb_status know_phrases(gb_prepare *p, gb_words *among, gb_error *err)
{
    gb_status st = GB_OK;
    size_t i;
    const json_t *phrase;
    char *name = NULL;
    json_array_foreach(p->phrases, i, phrase)
    {
        const gb_view text = {json_string_value(phrase), json_string_length(phrase)};
        GB_TRY(gb_known_check_phrase(text, err));
        GB_TRY(name_phrase(text, &name, err));
        if (among == NULL || gb_words_find(among, (gb_view){name, text.length}) != GB_NO_WORD)
            GB_TRY(gb_known_add_phrase(p->known, text, err));
        gb_free(name);
        name = NULL;
    }
    note_special(p);
done:
    gb_free(name);
    return st;
}

gb_status gb_prepare_know(gb_prepare *p, const gb_texts *vocabulary, gb_error *err)
{
    gb_status st;
    gb_words *words = NULL;
    uint32_t number;
    if (p->stem == NULL && json_array_size(p->phrases) == 0)
        return GB_OK;
    GB_TRY(gb_known_create(&p->known, p->stem, p->stop_words, err));
    GB_TRY(gb_words_create(&words, err));
    for (uint64_t i = 0; i < vocabulary->count; i++) {
        const gb_view word = gb_texts_view(vocabulary, i);
        GB_TRY(gb_known_add_word(p->known, word, err));
        if (word.length > 0 && memchr(word.text, GB_PHRASE_MARK[0], word.length) != NULL)
            GB_TRY(gb_words_add(words, word, &number, err));
    }
    GB_TRY(know_phrases(p, words, err));
done:
    gb_words_free(words);
    return st;
}

/* new_york is the phrase of new and york.  Marks at an end, or two together, are part of the word. */
static bool is_phrase(const gb_prepare *p, gb_view word)
{
    const char mark = GB_PHRASE_MARK[0];
    size_t n_words = 1;
    for (size_t i = 0; i < word.length; i++) {
        if (word.text[i] == mark && (i == 0 || i + 1 == word.length || word.text[i - 1] == mark))
            return false;
        n_words += word.text[i] == mark;
    }
    return n_words > 1 && n_words <= p->ngrams;
}

static gb_status list_phrase(gb_prepare *p, gb_view word, gb_error *err)
{
    char *copy = NULL;
    gb_status st = gb_copy_text(&copy, word.text, word.length, err);
    for (size_t i = 0; st == GB_OK && i < word.length; i++)
        if (copy[i] == GB_PHRASE_MARK[0])
            copy[i] = '\t';
    if (st == GB_OK && json_array_append_new(p->phrases, json_stringn(copy, word.length)) != 0)
        st = gb_fail(err, GB_ENOMEM, "out of memory: phrases");
    gb_free(copy);
    return st;
}

gb_status gb_prepare_know_only(gb_prepare *p, const gb_words *words, gb_error *err)
{
    gb_status st;
    if (p->stem == NULL && p->ngrams == 1)
        return GB_OK;
    if (p->ngrams > 1 && (p->phrases = json_array()) == NULL)
        return gb_fail(err, GB_ENOMEM, "out of memory: phrases");
    GB_TRY(gb_known_create(&p->known, p->stem, p->stop_words, err));
    for (uint32_t w = 0; w < gb_words_count(words); w++) {
        GB_TRY(gb_known_add_word(p->known, gb_words_text(words, w), err));
        if (is_phrase(p, gb_words_text(words, w)))
            GB_TRY(list_phrase(p, gb_words_text(words, w), err));
    }
    GB_TRY(know_phrases(p, NULL, err));
done:
    return st;
}

gb_status gb_prepare_name(gb_prepare *p, gb_view name, gb_view *out, gb_error *err)
{
    *out = name;
    return p->known == NULL ? GB_OK : gb_known_name(p->known, name, out, err);
}

gb_status gb_prepare_check_known(gb_prepare *p, gb_view word, gb_error *err)
{
    return is_phrase(p, word) || p->bags != NULL ? GB_OK : note_if_divided(p, word, &p->only, err);
}

bool gb_prepare_needs_joins(const gb_prepare *p)
{
    return p->ngrams > 1 && p->known == NULL;
}

gb_status gb_prepare_shape(gb_prepare *p, const gb_limits *limits, const gb_joins *joins, gb_words *words,
                           gb_corpus_builder *documents, gb_read_watch *watch, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_phrase_rule rule = {p->ngrams, gb_limits_phrase_documents(limits, gb_corpus_builder_n_docs(documents)),
                                 p->phrase_score};
    if (p->known != NULL)
        return GB_OK;
    if (p->stem != NULL)
        GB_TRY(gb_merge_stems(p->stem, words, documents, err));
    if (gb_prepare_needs_joins(p) && joins != NULL)
        GB_TRY(gb_find_phrases(&rule, words, joins, documents, watch, &p->phrases, err));
done:
    return st;
}

/* ---- words of a text ----------------------------------------------------------------------------------- */

/* Look for words in this part of the text. */
static gb_status begin_part(gb_prepare *p, gb_view part, gb_error *err)
{
    p->at = 0;
    p->text = part;
    return p->runs == NULL ? GB_OK : gb_runs_begin(p->runs, part, err);
}

gb_status gb_prepare_begin(gb_prepare *p, gb_view text, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_fold_text(&p->fold, text, &p->whole, err));
    p->end = NULL;
    if (p->pattern != NULL)
        gb_pattern_begin(p->pattern, p->whole.length);
    if (p->known != NULL)
        gb_known_begin(p->known);
    if (!p->has_breaks || p->whole.length == 0)
        return begin_part(p, p->whole, err);
    if (p->breaks == NULL)
        GB_TRY(gb_breaks_create(&p->breaks, err));
    GB_TRY(gb_breaks_begin(p->breaks, p->whole, err));
    GB_TRY(begin_part(p, (gb_view){"", 0}, err));
done:
    return st;
}

/* The next match of the pattern in the part. */
static gb_status next_match(gb_prepare *p, gb_view *word, gb_error *err)
{
    size_t start, end;
    if (p->runs != NULL) {
        *word = gb_runs_next(p->runs);
        return GB_OK;
    }
    const gb_status st = gb_pattern_find(p->pattern, p->text, p->at, &start, &end, err);
    *word = (gb_view){NULL, 0};
    if (st != GB_OK)
        return p->is_of_file ? blame_file(st, err) : st;
    if (start == SIZE_MAX)
        return GB_OK;
    *word = (gb_view){p->text.text + start, end - start};
    p->at = end;
    return GB_OK;
}

/* Part after part. */
static gb_status next_in_parts(gb_prepare *p, gb_view *word, gb_error *err)
{
    gb_status st;
    for (;;) {
        GB_TRY(next_match(p, word, err));
        if (word->text != NULL || p->breaks == NULL || p->whole.length == 0)
            return GB_OK;
        const gb_view part = gb_breaks_next(p->breaks);
        if (part.text == NULL)
            return GB_OK;
        GB_TRY(begin_part(p, part, err));
    }
done:
    return st;
}

/* Length of a space, a hyphen or an apostrophe, or 0. */
static size_t joint_length(const char *text, size_t length)
{
    static const char *const joints[] = {
        " ",
        "\t",
        "\n",
        "\r",
        "-",
        "'",
        "\xC2\xA0",
        "\xE2\x80\x90",
        "\xE2\x80\x91",
        "\xE2\x80\x99",
        "\xE3\x80\x80", /* no-break space, U+2010, U+2011, U+2019, U+3000 */
    };
    for (size_t i = 0; i < sizeof joints / sizeof joints[0]; i++) {
        const size_t n = strlen(joints[i]);
        if (n <= length && memcmp(text, joints[i], n) == 0)
            return n;
    }
    return 0;
}

/* A blank line divides. */
static bool is_joint(const char *text, size_t length)
{
    size_t n_lines = 0;
    for (size_t i = 0, n; i < length; i += n) {
        n = joint_length(text + i, length - i);
        n_lines += text[i] == '\n';
        if (n == 0 || n_lines > 1)
            return false;
    }
    return true;
}

static gb_status next_with_joint(void *user, gb_view *word, bool *is_joined, gb_error *err)
{
    gb_prepare *p = user;
    const gb_status st = next_in_parts(p, word, err);
    *is_joined = p->is_joined = false;
    if (st != GB_OK || word->text == NULL)
        return st;
    *is_joined = p->is_joined = p->end != NULL && is_joint(p->end, (size_t)(word->text - p->end));
    p->end = word->text + word->length;
    return GB_OK;
}

gb_status gb_prepare_next(gb_prepare *p, gb_view *word, gb_error *err)
{
    bool is_joined;
    if (!p->is_special)
        return next_match(p, word, err);
    if (p->known != NULL)
        return gb_known_next(p->known, next_with_joint, p, word, err);
    return next_with_joint(p, word, &is_joined, err);
}

bool gb_prepare_pads(const gb_prepare *p)
{
    _Static_assert((int)GB_FOLD_PADDING >= (int)GB_WORD_BYTES, "words are pieces of the folded text");
    return !p->is_special && p->runs != NULL;
}

/* Words that come one after the other, in memory of this function. */
static gb_status put_in_bag(gb_prepare *p, gb_view *word, size_t n, gb_error *err)
{
    gb_status st;
    const size_t prefix = strlen(p->bag);
    size_t length = n * (prefix + 1);
    for (size_t i = 0; i < n; i++)
        length += word[i].length;
    GB_TRY(gb_grow(&p->in_bag.data, &p->in_bag.capacity, length + GB_FOLD_PADDING, 1, "the words of a bag", err));
    char *to = p->in_bag.data;
    for (size_t i = 0; i < n; i++) {
        const gb_view from = word[i];
        word[i] = (gb_view){to, prefix + 1 + from.length};
        memcpy(to, p->bag, prefix);
        to[prefix] = GB_BAG_MARK[0];
        gb_copy_bytes(to + prefix + 1, from.text, from.length);
        to += word[i].length;
    }
done:
    return st;
}

gb_status gb_prepare_many(gb_prepare *p, gb_view *word, bool *is_joined, size_t most, size_t *n, gb_error *err)
{
    gb_status st = GB_OK;
    if (gb_prepare_pads(p) && is_joined == NULL) {
        *n = gb_runs_many(p->runs, word, most);
        return GB_OK;
    }
    for (*n = 0; *n < most; ++*n) {
        GB_TRY(gb_prepare_next(p, &word[*n], err));
        if (word[*n].text == NULL)
            break;
        if (is_joined != NULL)
            is_joined[*n] = p->is_joined;
    }
    if (p->bag != NULL)
        GB_TRY(put_in_bag(p, word, *n, err));
done:
    return st;
}

gb_status gb_prepare_fold(gb_prepare *p, gb_view text, gb_view *out, gb_error *err)
{
    return gb_fold_text(&p->fold, text, out, err);
}

/* ---- bags ---------------------------------------------------------------------------------------------- */

bool gb_prepare_has_bags(const gb_prepare *p)
{
    return p->bags != NULL;
}

static gb_status fail_bag(const gb_prepare *p, const char *bag, gb_error *err)
{
    char names[400] = "";
    for (size_t i = 0, at = 0; i < json_array_size(p->bags) && at < sizeof names; i++)
        at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", i == 0 ? "" : ", ",
                               json_string_value(json_array_get(p->bags, i)));
    if (p->bags == NULL)
        return gb_fail(err, GB_EARGUMENT, "`text`: a bag \"%s\", but the words have no bags", bag);
    if (bag != NULL)
        return gb_fail(err, GB_EARGUMENT, "`text`: a bag \"%s\", but the words have the bags %s", bag, names);
    return gb_fail(
        err, GB_EARGUMENT,
        "words have bags (%s), and a text without one has none of them; `text` BAG=FIELD,... says what goes "
        "where",
        names);
}

gb_status gb_prepare_in_bag(gb_prepare *p, const char *bag, gb_error *err)
{
    p->bag = bag == NULL ? NULL : find_bag(p, bag);
    return (bag == NULL) == (p->bags == NULL) && (bag == NULL || p->bag != NULL) ? GB_OK : fail_bag(p, bag, err);
}

gb_status gb_prepare_bag_name(gb_prepare *p, gb_view name, gb_view *out, gb_error *err)
{
    *out = name;
    return p->bag == NULL ? GB_OK : put_in_bag(p, out, 1, err);
}
