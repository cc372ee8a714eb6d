/* test_languages.c - stems, and words of writing without spaces: what libstemmer and ICU do.  Skipped in a build without them. */
#include "helper_documents.h"

#include "base/memory.h"
#include "corpus/readers/other_words.h"
#include "corpus/readers/stream.h"
#include "corpus/text/breaks.h"
#include "corpus/text/prepare.h"
#include "corpus/text/stem.h"
#include "corpus/text/stopwords.h"
#include "plan/seeds.h"

#include <stdlib.h>
#include <string.h>

/* ---- what was built in --------------------------------------------------------------------------------- */

static void need_stems(void)
{
    gb_stemmer *s = NULL;
    gb_error err = {0};
    if (gb_stemmer_create(&s, "english", &err) == GB_OK) {
        gb_stemmer_free(s);
        return;
    }
    assert_string_equal(err.message,
                        "`stem` \"english\": this gibbous was built without libstemmer; install libstemmer-dev "
                        "and build it again");
    skip();
}

static void need_breaks(void)
{
    gb_breaks *b = NULL;
    gb_error err = {0};
    if (gb_breaks_create(&b, &err) == GB_OK) {
        gb_breaks_free(b);
        return;
    }
    assert_string_equal(
        err.message, "`word-breaks` icu: this gibbous was built without ICU; install libicu-dev and build it again");
    skip();
}

/* A document as a model of the corpus reads it from a text file. */
static const char *read_again(const gb_corpus *c, const char *path, uint64_t document)
{
    gb_settings *settings = settings_of(NULL);
    gb_stream *s = NULL;
    gb_corpus *again = NULL;
    uint64_t *n_unknown = NULL;
    assert_int_equal(gb_stream_open(&s, path, settings, &c->vocabulary, c->preparation, NULL, NULL), GB_OK);
    assert_int_equal(gb_stream_next(s, 100, &again, &n_unknown, NULL), GB_OK);
    const char *words = words_of(again, document);
    gb_free(n_unknown);
    gb_corpus_free(again);
    gb_stream_close(s);
    gb_settings_free(settings);
    return words;
}

/* ---- stop words ---------------------------------------------------------------------------------------- */

static void every_language_with_stems_has_stop_words(void **state)
{
    (void)state;
    static const char *const stems[] = {"arabic",  "armenian",  "basque",     "catalan",  "danish",  "dutch",
                                        "english", "estonian",  "finnish",    "french",   "german",  "greek",
                                        "hindi",   "hungarian", "indonesian", "irish",    "italian", "lithuanian",
                                        "nepali",  "norwegian", "portuguese", "romanian", "russian", "serbian",
                                        "spanish", "swedish",   "tamil",      "turkish",  "yiddish", "polish",
                                        "chinese", "japanese",  "persian"};
    for (size_t i = 0; i < sizeof stems / sizeof *stems; i++) {
        gb_settings *settings = settings_of("stopwords", stems[i], NULL);
        gb_prepare *p = NULL;
        assert_int_equal(gb_prepare_from_settings(&p, settings, NULL, NULL), GB_OK);
        json_t *made = gb_prepare_to_json(p, "text");
        const size_t n = json_array_size(json_object_get(made, "stopwords"));
        if (n < 150)
            fail_msg("%s has %zu stop words", stems[i], n);
        json_decref(made);
        gb_prepare_free(p);
        gb_settings_free(settings);
    }
}

/* A word that the pattern divides would drop nothing. */
static void texts_can_have_every_stop_word(void **state)
{
    (void)state;
    gb_settings *settings = settings_of(NULL);
    gb_prepare *p = NULL;
    assert_int_equal(gb_prepare_from_settings(&p, settings, NULL, NULL), GB_OK);
    for (const gb_stopword_list *list = gb_stopword_lists; list->language != NULL; list++)
        for (size_t i = 0; list->words[i] != NULL; i++) {
            const gb_view word = gb_view_of(list->words[i]);
            size_t n_characters = 0;
            gb_view found, folded;
            char copy[128];
            for (size_t k = 0; k < word.length; k++)
                n_characters += (word.text[k] & 0xC0) != 0x80;
            if (n_characters < 2)
                continue;
            assert_int_equal(gb_prepare_fold(p, word, &folded, NULL), GB_OK);
            assert_true(folded.length < sizeof copy);
            memcpy(copy, folded.text, folded.length);
            const size_t length = folded.length;
            assert_int_equal(gb_prepare_begin(p, word, NULL), GB_OK);
            assert_int_equal(gb_prepare_next(p, &found, NULL), GB_OK);
            if (found.text == NULL || found.length != length || memcmp(found.text, copy, length) != 0)
                fail_msg("%s: \"%s\" is not a word", list->language, list->words[i]);
        }
    gb_prepare_free(p);
    gb_settings_free(settings);
}

static void lists_and_own_words_go_together(void **state)
{
    (void)state;
    write_file("mine.txt", "Goal\n");
    write_file("a.jsonl", "{\"text\": \"the goal und tor\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "stopwords", "en,German,mine.txt", NULL);
    assert_string_equal(vocabulary_of(c), "tor");
    gb_corpus_free(c);
}

static void joiners_stay_and_soft_hyphens_vanish(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 ge\u00adhen b\u00fc\u00adro "
                          "ab\u200d x\u200dx\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", NULL);
    assert_string_equal(words_of(c, 0), "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 gehen b\u00fcro ab xx");
    gb_corpus_free(c);
}

/* ---- stems --------------------------------------------------------------------------------------------- */

static void the_most_frequent_word_stands_for_a_stem(void **state)
{
    (void)state;
    need_stems();
    write_file("a.jsonl", "{\"text\": \"run runs running. Running cats\"}\n{\"text\": \"the cat\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "stem", "en", NULL);
    assert_string_equal(words_of(c, 0), "running running running running cat"); /* cat before cats: once each */
    assert_string_equal(words_of(c, 1), "the cat");
    assert_string_equal(vocabulary_of(c), "cat running the");
    assert_string_equal(json_string_value(json_object_get(c->preparation, "stem")), "en");
    gb_corpus_free(c);
}

static void new_words_join_the_word_of_their_stem(void **state)
{
    (void)state;
    need_stems();
    write_file("a.jsonl", "{\"text\": \"running running runs\"}\n{\"text\": \"cats\"}\n");
    write_file("new.jsonl", "{\"text\": \"RUN cat dog\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "stem", "english", NULL);
    assert_string_equal(read_again(c, "new.jsonl", 0), "running cats");
    assert_string_equal(read_again(c, "a.jsonl", 0), "running running running");
    gb_corpus_free(c);
}

/* mining has the stem mine, hers the stem her */
static void stop_words_are_compared_before_stems_are_made(void **state)
{
    (void)state;
    need_stems();
    write_file("a.jsonl", "{\"text\": \"data mining is mine\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "stem", "en", "stopwords", "[\"mine\", \"is\"]", NULL);
    assert_string_equal(vocabulary_of(c), "data mining");
    assert_string_equal(read_again(c, "a.jsonl", 0), "data mining");
    gb_corpus_free(c);
}

static void limits_count_all_words_of_a_stem(void **state)
{
    (void)state;
    need_stems();
    write_file("a.jsonl", "{\"text\": \"house tree\"}\n{\"text\": \"houses bush\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "stem", "en", "min-df", "2", NULL);
    assert_string_equal(vocabulary_of(c), "house");
    gb_corpus_free(c);
}

static void phrases_are_made_of_stems(void **state)
{
    (void)state;
    need_stems();
    write_file("a.jsonl", "{\"text\": \"neural networks\"}\n{\"text\": \"neural network. networks\"}\n");
    write_file("new.jsonl", "{\"text\": \"Neural networking\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "stem", "en", "ngrams", "2", "phrase-min-df", "2", "phrase-score", "0", NULL);
    assert_string_equal(words_of(c, 0), "neural_networks");
    assert_string_equal(words_of(c, 1), "neural_networks networks");
    assert_string_equal(read_again(c, "new.jsonl", 0), "neural_networks");
    gb_corpus_free(c);
}

static void several_inputs_have_the_words_of_one(void **state)
{
    static const char *const path[] = {"b.jsonl", "c.jsonl"}, *const file[] = {"b.gbc", "c.gbc"};
    (void)state;
    need_stems();
    write_file("a.jsonl", "{\"text\": \"runs runs runs\"}\n{\"text\": \"running running running running\"}\n");
    write_file("b.jsonl", "{\"text\": \"runs runs runs\"}\n");
    write_file("c.jsonl", "{\"text\": \"running running running running\"}\n");
    gb_settings *settings = settings_of("stem", "en", NULL), *none = settings_of(NULL);
    gb_corpus *c = NULL, *one = corpus_of("a.jsonl", "stem", "en", NULL);
    assert_int_equal(gb_corpus_read_several(2, path, settings, NULL, NULL, &c, NULL), GB_OK);
    assert_string_equal(vocabulary_of(c), "running");
    assert_true(json_equal(c->preparation, one->preparation));
    gb_corpus_free(c);
    gb_corpus_free(one);
    for (int i = 0; i < 2; i++) {
        one = corpus_of(path[i], "stem", "en", NULL);
        assert_string_equal(vocabulary_of(one), i == 0 ? "runs" : "running");
        assert_int_equal(gb_corpus_write(one, file[i], true, NULL), GB_OK);
        gb_corpus_free(one);
    }
    assert_int_equal(gb_corpus_read_several(2, file, none, NULL, NULL, &c, NULL), GB_OK);
    assert_string_equal(vocabulary_of(c), "running");
    assert_int_equal(c->n_tokens, 7);
    gb_corpus_free(c);
    gb_settings_free(settings);
    gb_settings_free(none);
}

static void a_corpus_of_other_words_is_understood_by_their_stems(void **state)
{
    (void)state;
    need_stems();
    write_file("a.jsonl", "{\"text\": \"running running networks\"}\n{\"text\": \"big cats, big cats\"}\n"
                          "{\"text\": \"big cats\"}\n");
    write_file("b.jsonl", "{\"text\": \"runs network\"}\n{\"text\": \"big cat\"}\n{\"text\": \"big cat\"}\n");
    gb_corpus *a = corpus_of("a.jsonl", "stem", "en", "ngrams", "2", "phrase-min-df", "2", "phrase-score", "0", NULL);
    gb_corpus *b = corpus_of("b.jsonl", "stem", "en", "ngrams", "2", "phrase-min-df", "2", "phrase-score", "0", NULL);
    gb_corpus *c = NULL;
    uint64_t *n_unknown = NULL;
    assert_string_equal(words_of(b, 1), "big_cat");
    assert_int_equal(gb_corpus_in(b, &a->vocabulary, a->preparation, &c, &n_unknown, NULL), GB_OK);
    assert_string_equal(words_of(c, 0), "running networks");
    assert_string_equal(words_of(c, 1), "big_cats");
    assert_int_equal(n_unknown[0] + n_unknown[1], 0);
    gb_free(n_unknown);
    gb_corpus_free(c);
    assert_int_equal(gb_corpus_write(b, "b.gbc", true, NULL), GB_OK);
    assert_string_equal(read_again(a, "b.gbc", 1), "big_cats");
    gb_corpus_free(b);
    gb_corpus_free(a);
}

static void a_vocabulary_has_its_own_words(void **state)
{
    (void)state;
    need_stems();
    write_file("a.jsonl", "{\"text\": \"he runs, she was running\"}\n");
    write_file("v.txt", "run\nshe\n");
    gb_corpus *c = corpus_of("a.jsonl", "stem", "en", "vocabulary", "v.txt", NULL);
    assert_string_equal(words_of(c, 0), "run she run");
    gb_corpus_free(c);
}

static void seed_words_are_found_by_their_stems(void **state)
{
    (void)state;
    need_stems();
    write_file("a.jsonl", "{\"text\": \"running running runs cats\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "stem", "en", NULL);
    gb_seeds seeds = {0};
    assert_int_equal(gb_seeds_read("{\"sport\": [\"Run\", \"running\", \"jump\"]}", 1, c, 2, &seeds, NULL), GB_OK);
    assert_int_equal(seeds.n, 1);
    assert_int_equal(seeds.n_tokens[0], 3);
    assert_int_equal(seeds.n_unknown, 1);
    assert_string_equal(seeds.unknown[0], "jump");
    gb_seeds_clear(&seeds);
    gb_corpus_free(c);
}

static void languages_are_named_in_the_message(void **state)
{
    gb_corpus *c = NULL;
    gb_error err = {0};
    (void)state;
    need_stems();
    gb_settings *settings = settings_of("stem", "klingon", NULL);
    write_file("a.jsonl", "{\"text\": \"a\"}\n");
    assert_int_equal(gb_corpus_read("a.jsonl", settings, NULL, NULL, &c, &err), GB_EARGUMENT);
    assert_non_null(strstr(err.message, "`stem` \"klingon\": expected one of "));
    assert_non_null(strstr(err.message, ", english, "));
    gb_settings_free(settings);
}

static void other_languages_have_their_own_stems(void **state)
{
    static const char *const cases[][3] = {
        {"de", "H\xC3\xA4user Haus", "haus haus"},
        {"ru", "\xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB0 \xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB8",
         "\xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB0 \xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB0"},
        {"fr", "continue continuer", "continue continue"}};
    char text[200];
    (void)state;
    need_stems();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        (void)snprintf(text, sizeof text, "{\"text\": \"%s\"}\n", cases[i][1]);
        write_file("a.jsonl", text);
        gb_corpus *c = corpus_of("a.jsonl", "stem", cases[i][0], NULL);
        assert_string_equal(words_of(c, 0), cases[i][2]);
        gb_corpus_free(c);
    }
}

/* ---- word breaks --------------------------------------------------------------------------------------- */

static const char *broken(const char *text)
{
    static char copy[500];
    char line[500];
    (void)snprintf(line, sizeof line, "{\"text\": \"%s\"}\n", text);
    write_file("a.jsonl", line);
    gb_corpus *c = corpus_of("a.jsonl", "word-breaks", "icu", NULL);
    (void)snprintf(copy, sizeof copy, "%s", words_of(c, 0));
    assert_string_equal(read_again(c, "a.jsonl", 0), copy);
    gb_corpus_free(c);
    return copy;
}

/* Short sentences whose words no dictionary doubts. */
static void chinese_is_cut_into_words(void **state)
{
    (void)state;
    need_breaks();
    assert_string_equal(broken("我们喜欢音乐。猫喝水"), "我们 喜欢 音乐 猫 喝水");
    assert_string_equal(broken("天气 很好"), "天气 很好");
}

static void japanese_is_cut_into_words(void **state)
{
    (void)state;
    need_breaks();
    assert_string_equal(broken("私は音楽が好きです"), "私 音楽 好き です");
    assert_string_equal(broken("コンピューターと数学"), "コンピューター 数学");
}

static void thai_is_cut_into_words(void **state)
{
    (void)state;
    need_breaks();
    assert_string_equal(broken("ฉันรักภาษาไทย"), "ฉัน รัก ภาษา ไทย");
}

static void other_writing_stays_as_it_is(void **state)
{
    (void)state;
    need_breaks();
    assert_string_equal(broken("Don't look, it's 7 o'clock"), "don look it clock");
    assert_string_equal(broken(""
                               "Straße 数学 x мир"),
                        "strasse 数学 мир");
}

static void words_of_any_writing_form_phrases(void **state)
{
    (void)state;
    need_breaks();
    write_file("a.jsonl", "{\"text\": \"音乐学校\"}\n{\"text\": \"音乐学校很好\"}\n");
    gb_corpus *c =
        corpus_of("a.jsonl", "word-breaks", "icu", "ngrams", "2", "phrase-min-df", "2", "phrase-score", "0", NULL);
    assert_string_equal(words_of(c, 0), "音乐_学校");
    gb_corpus_free(c);
}

static void a_token_pattern_of_the_user_holds_in_each_piece(void **state)
{
    (void)state;
    need_breaks();
    write_file("a.jsonl", "{\"text\": \"abc 音乐 12\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "word-breaks", "icu", "token-pattern", "\\w", NULL);
    assert_string_equal(words_of(c, 0), "a b c 音 乐 1 2");
    gb_corpus_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_language_with_stems_has_stop_words),
        cmocka_unit_test(texts_can_have_every_stop_word),
        cmocka_unit_test(lists_and_own_words_go_together),
        cmocka_unit_test(joiners_stay_and_soft_hyphens_vanish),
        cmocka_unit_test(the_most_frequent_word_stands_for_a_stem),
        cmocka_unit_test(new_words_join_the_word_of_their_stem),
        cmocka_unit_test(stop_words_are_compared_before_stems_are_made),
        cmocka_unit_test(limits_count_all_words_of_a_stem),
        cmocka_unit_test(phrases_are_made_of_stems),
        cmocka_unit_test(several_inputs_have_the_words_of_one),
        cmocka_unit_test(a_corpus_of_other_words_is_understood_by_their_stems),
        cmocka_unit_test(a_vocabulary_has_its_own_words),
        cmocka_unit_test(seed_words_are_found_by_their_stems),
        cmocka_unit_test(languages_are_named_in_the_message),
        cmocka_unit_test(other_languages_have_their_own_stems),
        cmocka_unit_test(chinese_is_cut_into_words),
        cmocka_unit_test(japanese_is_cut_into_words),
        cmocka_unit_test(thai_is_cut_into_words),
        cmocka_unit_test(other_writing_stays_as_it_is),
        cmocka_unit_test(words_of_any_writing_form_phrases),
        cmocka_unit_test(a_token_pattern_of_the_user_holds_in_each_piece),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
