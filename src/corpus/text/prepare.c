/* corpus/text/prepare.c - how text becomes words: folding, the token pattern, stop words. */
#include "corpus/text/prepare.h"

#include "base/memory.h"
#include "corpus/data/fold.h"
#include "corpus/text/pattern.h"
#include "corpus/text/runs.h"
#include "corpus/text/stopwords.h"
#include "corpus/text/word_list.h"
#include "store/json_text.h"

#include <string.h>
#include <unistd.h>

enum { VERSION = 1 };

struct gb_prepare {
    char *token_pattern;
    gb_pattern *pattern;
    gb_runs *runs; /* finds the same, when the pattern is simple; else NULL */
    gb_fold fold;
    json_t *stop_words; /* array of texts, folded, sorted, all different */
    gb_view text;       /* folded */
    size_t at;
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
    gb_free(p);
}

static gb_status create(gb_prepare **out, bool lowercase, const char *token_pattern, gb_error *err)
{
    gb_status st;
    gb_prepare *p = NULL;
    GB_TRY(gb_alloc(&p, 1, sizeof *p, "text preparation", err));
    p->fold.lowercase = lowercase;
    p->text = (gb_view){"", 0};
    GB_TRY(gb_copy_text(&p->token_pattern, token_pattern, strlen(token_pattern), err));
    GB_TRY(gb_pattern_create(&p->pattern, token_pattern, err));
    GB_TRY(gb_runs_create(&p->runs, token_pattern, err));
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

static const gb_stopword_list *find_language(const char *name)
{
    for (const gb_stopword_list *list = gb_stopword_lists; list->language != NULL; list++)
        if (strcmp(list->language, name) == 0)
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
        st = view.length == 0 ? GB_EFORMAT : add_stop_word(p, view, err);
    }
    json_decref(words);
    if (st == GB_EFORMAT)
        return gb_fail(err, GB_EARGUMENT, "`stopwords` begins with [ but is not a JSON array of words");
    return st != GB_OK ? st : sort_stop_words(p, err);
}

gb_status gb_prepare_add_stop_words(gb_prepare *p, const char *language_or_file, gb_error *err)
{
    gb_status st = GB_OK;
    gb_texts file = {0};
    const gb_stopword_list *list = find_language(language_or_file);
    if (language_or_file[0] == '\0')
        return GB_OK;
    if (language_or_file[0] == '[')
        return add_words_in_place(p, language_or_file, err);
    if (list == NULL && access(language_or_file, F_OK) != 0)
        return fail_stop_words(language_or_file, err);
    if (list == NULL)
        GB_TRY(gb_word_list_read(language_or_file, GB_LIST_WORDS, &file, err));
    for (uint64_t i = 0; i < file.count; i++)
        GB_TRY(add_stop_word(p, gb_texts_view(&file, i), err));
    for (size_t i = 0; list != NULL && list->words[i] != NULL; i++)
        GB_TRY(add_stop_word(p, gb_view_of(list->words[i]), err));
    GB_TRY(sort_stop_words(p, err));
done:
    gb_word_list_free(&file);
    return st;
}

gb_status gb_prepare_mark_stop_words(const gb_prepare *p, gb_words *words, gb_error *err)
{
    gb_status st = GB_OK;
    size_t i;
    const json_t *word;
    json_array_foreach(p->stop_words, i, word)
        GB_TRY(gb_words_add_stop_word(words, (gb_view){json_string_value(word), json_string_length(word)}, err));
done:
    return st;
}

/* ---- settings and JSON --------------------------------------------------------------------------------- */

gb_status gb_prepare_from_settings(gb_prepare **out, const gb_settings *settings, gb_error *err)
{
    gb_prepare *p = NULL;
    gb_status st;
    GB_TRY(create(&p, settings->lowercase, settings->token_pattern, err));
    GB_TRY(gb_prepare_add_stop_words(p, settings->stopwords, err));
    *out = p;
    p = NULL;
done:
    gb_prepare_free(p);
    return st;
}

static const char *default_pattern(void)
{
    const gb_option *option = gb_option_find("token-pattern");
    return option == NULL ? "" : option->default_value;
}

static gb_status check_json(const json_t *o, gb_error *err)
{
    json_int_t version = json_integer_value(json_object_get(o, "version"));
    size_t i;
    const json_t *word, *words = json_object_get(o, "stopwords");
    if (version != VERSION)
        return gb_fail(err, GB_EFORMAT, "text preparation of version %lld, this program knows version %d",
                       (long long)version, VERSION);
    if (!json_is_boolean(json_object_get(o, "lowercase")) || !json_is_string(json_object_get(o, "token_pattern")) ||
        !json_is_array(words))
        return gb_fail(err, GB_EFORMAT, "incomplete description of the text preparation");
    json_array_foreach(words, i, word) if (!json_is_string(word) || json_string_length(word) == 0) return gb_fail(
        err, GB_EFORMAT, "a stop word of the text preparation is not a text");
    return GB_OK;
}

gb_status gb_prepare_from_json(gb_prepare **out, const json_t *preparation, gb_error *err)
{
    gb_status st;
    gb_prepare *p = NULL;
    if (json_object_get(preparation, "version") == NULL)
        return create(out, true, default_pattern(), err);
    GB_TRY(check_json(preparation, err));
    GB_TRY(create(&p, json_is_true(json_object_get(preparation, "lowercase")),
                  json_string_value(json_object_get(preparation, "token_pattern")), err));
    if (json_array_extend(p->stop_words, json_object_get(preparation, "stopwords")) != 0) {
        st = gb_fail(err, GB_ENOMEM, "out of memory: stop words");
        goto done;
    }
    *out = p;
    p = NULL;
done:
    gb_prepare_free(p);
    return st;
}

json_t *gb_prepare_to_json(const gb_prepare *p, const char *words)
{
    return json_pack("{s:i, s:s, s:b, s:s, s:O}", "version", VERSION, "words", words, "lowercase",
                     (int)p->fold.lowercase, "token_pattern", p->token_pattern, "stopwords", p->stop_words);
}

/* ---- words of a text ----------------------------------------------------------------------------------- */

gb_status gb_prepare_begin(gb_prepare *p, gb_view text, gb_error *err)
{
    p->at = 0;
    gb_status st = gb_fold_text(&p->fold, text, &p->text, err);
    return st != GB_OK || p->runs == NULL ? st : gb_runs_begin(p->runs, p->text, err);
}

gb_status gb_prepare_next(gb_prepare *p, gb_view *word, gb_error *err)
{
    size_t start, end;
    if (p->runs != NULL) {
        *word = gb_runs_next(p->runs);
        return GB_OK;
    }
    gb_status st = gb_pattern_find(p->pattern, p->text, p->at, &start, &end, err);
    *word = (gb_view){NULL, 0};
    if (st != GB_OK || start == SIZE_MAX)
        return st;
    *word = (gb_view){p->text.text + start, end - start};
    p->at = end;
    return GB_OK;
}

gb_status gb_prepare_fold(gb_prepare *p, gb_view text, gb_view *out, gb_error *err)
{
    return gb_fold_text(&p->fold, text, out, err);
}
