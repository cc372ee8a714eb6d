/* test_prepare.c - from text to words: folding, the token pattern, stop words, and which words stay. */
#include "helper_documents.h"

#include "base/memory.h"
#include "corpus/data/fold.h"
#include "corpus/text/prepare.h"
#include "corpus/text/stopwords.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

/* ---- folding ------------------------------------------------------------------------------------------- */

static const char *folded(bool lowercase, const char *text)
{
    static char copy[4096];
    gb_fold fold = {.lowercase = lowercase};
    gb_view out;
    assert_int_equal(gb_fold_text(&fold, gb_view_of(text), &out, NULL), GB_OK);
    assert_true(out.length < sizeof copy);
    memcpy(copy, out.text, out.length);
    copy[out.length] = '\0';
    gb_fold_free(&fold);
    return copy;
}

static void upper_and_lower_case_are_folded_together(void **state)
{
    (void)state;
    assert_string_equal(folded(true, "AZaz[@`{ \xC3\x84\xC3\xA4"), "azaz[@`{ \xC3\xA4\xC3\xA4");
    assert_string_equal(folded(true, "Stra\xC3\x9F"
                                     "e \xCE\xA3\xCF\x82"),
                        "strasse \xCF\x83\xCF\x83");
    assert_string_equal(folded(false, "Az\xC3\x84"), "Az\xC3\x84");
    assert_string_equal(folded(true, ""), "");
}

static void accents_are_joined_with_their_letters(void **state)
{
    (void)state;
    assert_string_equal(folded(false, "cafe\xCC\x81s"), "caf\xC3\xA9s");
    assert_string_equal(folded(true, "CAFE\xCC\x81S"), "caf\xC3\xA9s");
    assert_string_equal(folded(false, "\xCC\x81"
                                      "e"),
                        "\xCC\x81"
                        "e");
}

/* The stretches that fold.c cuts a text into give what utf8proc gives for the whole. */
static void folding_by_stretches_equals_folding_the_whole(void **state)
{
    static const char *const pieces[] = {"a",
                                         "E",
                                         "\xCC\x81",
                                         "\xCC\xA3",
                                         "\xC3\x84",
                                         "\xE1\x84\x80",
                                         "\xE1\x85\xA1",
                                         " ",
                                         "\xE1\x86\xA8",
                                         "\xC3\x9F",
                                         "\xC7\x84",
                                         "\xCD\x85",
                                         "\xF0\x90\x90\x80"};
    const size_t n_pieces = sizeof pieces / sizeof pieces[0];
    uint64_t x = 1;
    (void)state;
    for (int round = 0; round < 5000; round++) {
        char text[256] = "";
        for (int i = 0; i < 12; i++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            strcat(text, pieces[(x >> 33) % n_pieces]);
        }
        utf8proc_uint8_t *whole = NULL;
        assert_true(utf8proc_map((const utf8proc_uint8_t *)text, 0, &whole,
                                 UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD) >= 0);
        assert_string_equal(folded(true, text), (const char *)whole);
        free(whole);
    }
}

/* ---- pattern ------------------------------------------------------------------------------------------- */

static const char *words_by(const char *pattern, const char *text)
{
    static char joined[4096];
    gb_settings *settings = settings_of("token-pattern", pattern, NULL);
    gb_prepare *p = NULL;
    gb_view word;
    assert_int_equal(gb_prepare_from_settings(&p, settings, NULL, NULL), GB_OK);
    assert_int_equal(gb_prepare_begin(p, gb_view_of(text), NULL), GB_OK);
    joined[0] = '\0';
    for (;;) {
        assert_int_equal(gb_prepare_next(p, &word, NULL), GB_OK);
        if (word.text == NULL)
            break;
        strncat(joined, "|", 2);
        strncat(joined, word.text, word.length);
    }
    gb_prepare_free(p);
    gb_settings_free(settings);
    return joined;
}

/* Marks are sorted, but not a million at once: that would take hours. */
static void any_number_of_marks_is_folded(void **state)
{
    enum { N = 1000000, MARKS = 4 };
    gb_fold fold = {.lowercase = true};
    gb_view out;
    char *text = malloc(N * MARKS + 2);
    (void)state;
    assert_non_null(text);
    text[0] = 'e';
    for (size_t i = 0; i < N; i++)
        memcpy(text + 1 + i * MARKS, "\xCC\x81\xCC\xA3", MARKS); /* an acute accent, and a dot below */
    text[N * MARKS + 1] = ' ';
    assert_int_equal(gb_fold_text(&fold, (gb_view){text, N * MARKS + 2}, &out, NULL), GB_OK);
    assert_int_equal(out.length, N * MARKS + 2 - 1 - 2 + 3); /* the letter and the first dot are one character */
    assert_memory_equal(out.text, "\xE1\xBA\xB9\xCC\xA3\xCC\xA3", 7);
    assert_int_equal(out.text[out.length - 1], ' ');
    gb_fold_free(&fold);
    free(text);
}

static void the_default_pattern_takes_two_or_more_letters(void **state)
{
    (void)state;
    gb_settings *settings = settings_of(NULL);
    assert_string_equal(words_by(gb_settings_text(settings, "token-pattern"),
                                 "I don't, a1b2 na\xC3\xAFve \xD0\xBC\xD0\xB8\xD1\x80 x"),
                        "|don|na\xC3\xAFve|\xD0\xBC\xD0\xB8\xD1\x80");
    gb_settings_free(settings);
}

static void patterns_may_look_around_and_match_nothing(void **state)
{
    (void)state;
    assert_string_equal(words_by("\\S+", "a,b  c"), "|a,b|c");
    assert_string_equal(words_by("\\d*", "a12 b3"), "|12|3");
    assert_string_equal(words_by("(?<=a)b", "ab bb"), "|b");
    assert_string_equal(words_by("a\\Kb", "ab b ab"), "|b|b");
    assert_string_equal(words_by("x*", ""), "");
}

static void bad_patterns_are_explained(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"dog\"}\n");
    assert_fails(GB_EARGUMENT, "`token-pattern` \"[a-\": character 3: missing terminating ] for character class",
                 "a.jsonl", "token-pattern", "[a-");
    assert_fails(GB_EARGUMENT, "`token-pattern` \"\\C\": character 2: using \\C is disabled by the application",
                 "a.jsonl", "token-pattern", "\\C");
}

static const char too_costly[] =
    "`token-pattern`: too costly for this text: more than 1000000 steps, and 1000 for each byte";

static void costly_patterns_end_with_an_error(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!\"}\n");
    assert_fails(GB_EARGUMENT, too_costly, "a.jsonl", "token-pattern", "(a+)+[bc]");
}

/* With the square of the length: a run that is gone through from each of its characters, once or from within a
 * group, and texts that are compared with each other. */
static void a_long_text_may_not_cost_its_square(void **state)
{
    (void)state;
    enum { LENGTH = 50000 };
    static const char *const patterns[] = {"\\w*+(?:!|\\?)", "(?:\\w*+!|a)*+[bc]", "(a+)(?:!|\\1\\?)"};
    static char text[LENGTH + 20] = "{\"text\": \"";
    const size_t begin = strlen(text);
    memset(text + begin, 'a', LENGTH - begin);
    strcpy(text + LENGTH, "\"}\n");
    write_file("a.jsonl", text);
    for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
        assert_fails(GB_EARGUMENT, too_costly, "a.jsonl", "token-pattern", patterns[i]);
}

/* ---- stop words ---------------------------------------------------------------------------------------- */

static void stop_words_come_from_a_language_a_file_or_json(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"The dog and THE cat\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "stopwords", "en", NULL);
    assert_string_equal(vocabulary_of(c), "cat dog");
    assert_int_equal(note_of(c, "dropped/stopwords/words"), 2);
    assert_int_equal(note_of(c, "dropped/stopwords/tokens"), 3);
    assert_int_equal(note_of(c, "tokens_read"), 5);
    gb_corpus_free(c);
    write_packed("stop.gz", "gzip", "# my list\nCat\r\n\n  dog \n");
    c = corpus_of("a.jsonl", "stopwords", "stop.gz", NULL);
    assert_string_equal(vocabulary_of(c), "and the");
    gb_corpus_free(c);
    c = corpus_of("a.jsonl", "stopwords", "stop.gz", "lowercase", "no", NULL);
    assert_string_equal(vocabulary_of(c), "THE The and cat");
    gb_corpus_free(c);
    assert_fails(GB_EARGUMENT,
                 "`stopwords` \"xx\": neither a file nor one of ar, ca, da, de, el, en, es, et, eu, fa, fi, fr, ga, "
                 "hi, hu, hy, id, it, ja, lt, ne, nl, no, pl, pt, ro, ru, sr, sv, ta, tr, yi, zh",
                 "a.jsonl", "stopwords", "xx");
    c = corpus_of("a.jsonl", "stopwords", "[\"CAT\", \"the\"]", NULL);
    assert_string_equal(vocabulary_of(c), "and dog");
    gb_corpus_free(c);
    static const char *const wrong[] = {"[", "[1]", "[\"\"]"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_fails(GB_EARGUMENT, "`stopwords` begins with [ but is not a JSON array of words", "a.jsonl",
                     "stopwords", wrong[i]);
}

static void built_in_lists_are_sorted_and_folded(void **state)
{
    (void)state;
    size_t n_lists = 0;
    for (const gb_stopword_list *list = gb_stopword_lists; list->language != NULL; list++, n_lists++) {
        size_t n = 0;
        for (; list->words[n] != NULL; n++) {
            if (n > 0)
                assert_true(strcmp(list->words[n - 1], list->words[n]) < 0);
            if (strstr(list->words[n], "\xC3\x9F") == NULL) /* sharp s folds to ss */
                assert_string_equal(folded(true, list->words[n]), list->words[n]);
        }
        assert_true(n > 100);
    }
    assert_int_equal(n_lists, 33);
}

/* ---- which words stay ---------------------------------------------------------------------------------- */

/* one: 4 documents, two: 2, three: 1 document but three times, four: 1 */
static void write_four_words(void)
{
    write_file("a.jsonl", "{\"text\": \"one three three three\"}\n{\"text\": \"two one two\"}\n"
                          "{\"text\": \"one two four\"}\n{\"text\": \"one one\"}\n");
}

static void words_in_too_few_or_many_documents_go(void **state)
{
    static const char *const cases[][3] = {
        {"1", "1.0", "four one three two"}, {"2", "1.0", "one two"},
        {"0.5", "1.0", "one two"},          {"0.51", "1.0", "one"},
        {"0", "3", "four three two"},       {"1", "0.5", "four three two"},
        {"1", "0.49", "four three"},        {"2", "3", "two"},
    };
    (void)state;
    write_four_words();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_corpus *c = corpus_of("a.jsonl", "min-df", cases[i][0], "max-df", cases[i][1], NULL);
        assert_string_equal(vocabulary_of(c), cases[i][2]);
        assert_int_equal(c->n_docs, 4);
        gb_corpus_free(c);
    }
}

static void the_most_frequent_words_stay(void **state)
{
    (void)state;
    write_four_words();
    gb_corpus *c = corpus_of("a.jsonl", "max-vocabulary", "2", NULL);
    assert_string_equal(vocabulary_of(c), "one three");
    assert_string_equal(words_of(c, 2), "one");
    assert_int_equal(note_of(c, "dropped/max-vocabulary/words"), 2);
    assert_int_equal(note_of(c, "dropped/max-vocabulary/tokens"), 4);
    gb_corpus_free(c);
}

static void a_vocabulary_keeps_only_its_words_in_its_order(void **state)
{
    (void)state;
    write_four_words();
    write_file("v.txt", "Two\nnever\nfour\n");
    gb_corpus *c = corpus_of("a.jsonl", "vocabulary", "v.txt", NULL);
    assert_string_equal(vocabulary_of(c), "two four");
    assert_string_equal(words_of(c, 2), "two four");
    assert_int_equal(note_of(c, "dropped/vocabulary/tokens"), 8);
    gb_corpus_free(c);
}

static void no_word_left_names_the_reasons(void **state)
{
    (void)state;
    write_four_words();
    assert_fails(GB_EFORMAT, "a.jsonl: no word is left; relax `min-df` (drops 3), `max-df` (drops 1)", "a.jsonl",
                 "min-df", "3", "max-df", "3");
    write_file("v.txt", "never\n");
    write_file("s.txt", "one\ntwo\n");
    assert_fails(GB_EFORMAT, "a.jsonl: no word is left; relax `stopwords` (drops 2), `vocabulary` (drops 4 tokens)",
                 "a.jsonl", "stopwords", "s.txt", "vocabulary", "v.txt");
    assert_fails(GB_EFORMAT, "a.jsonl: no words in 4 documents; does `token-pattern` fit?", "a.jsonl",
                 "token-pattern", "\\d+");
}

static void bad_limits_are_refused(void **state)
{
    static const char *const bad[] = {"x", "-1", "1.5", "nan", "0x1", "", "1e", "5 "};
    (void)state;
    write_four_words();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char message[200];
        gb_settings *settings = settings_of(NULL);
        gb_corpus *c = NULL;
        gb_error err = {0};
        if (gb_settings_set(settings, "min-df", bad[i], NULL) == GB_OK) {
            (void)snprintf(message, sizeof message,
                           "`min-df` \"%s\": expected a count such as 5, or a share such as 0.01", bad[i]);
            assert_int_equal(gb_corpus_read("a.jsonl", settings, NULL, NULL, &c, &err), GB_EARGUMENT);
            assert_string_equal(err.message, message);
        }
        gb_settings_free(settings);
    }
}

/* ---- the description ----------------------------------------------------------------------------------- */

static void the_description_makes_the_same_words_again(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"The dog2 and CAT\"}\n");
    write_file("s.txt", "THE\nand\nand\n");
    gb_corpus *c = corpus_of("a.jsonl", "stopwords", "s.txt", "token-pattern", "\\w+", NULL);
    char *text = json_dumps(c->preparation, JSON_SORT_KEYS);
    assert_string_equal(text, "{\"lowercase\": true, \"stopwords\": [\"and\", \"the\"], \"token_pattern\": "
                              "\"\\\\w+\", \"version\": 1, \"words\": \"text\"}");
    gb_prepare *p = NULL;
    assert_int_equal(gb_prepare_from_json(&p, c->preparation, NULL), GB_OK);
    json_t *again = gb_prepare_to_json(p, "text");
    assert_true(json_equal(c->preparation, again));
    json_decref(again);
    gb_prepare_free(p);
    free(text);
    gb_corpus_free(c);
}

static void unknown_descriptions_are_refused(void **state)
{
    static const char *const bad[][2] = {
        {"{\"version\": 3}", "text preparation of version 3, this program knows version 2 and before"},
        {"{\"version\": 1}", "incomplete description of the text preparation"},
        {"{\"version\": 1, \"lowercase\": true, \"token_pattern\": \"a\", \"stopwords\": [1]}",
         "a stop word of the text preparation is not a text"},
        {"{\"version\": 2, \"lowercase\": true, \"token_pattern\": \"a\", \"stopwords\": [], \"word_breaks\": \"x\"}",
         "unknown word breaks of the text preparation"},
        {"{\"version\": 2, \"lowercase\": true, \"token_pattern\": \"a\", \"stopwords\": [], \"stem\": 1}",
         "incomplete description of the text preparation"},
        {"{\"version\": 2, \"lowercase\": true, \"token_pattern\": \"a\", \"stopwords\": [], \"phrases\": [\"\"]}",
         "a phrase of the text preparation is not a text"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        gb_prepare *p = NULL;
        gb_error err = {0};
        json_t *o = json_loads(bad[i][0], 0, NULL);
        assert_int_equal(gb_prepare_from_json(&p, o, &err), GB_EFORMAT);
        assert_string_equal(err.message, bad[i][1]);
        json_decref(o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(upper_and_lower_case_are_folded_together),
        cmocka_unit_test(accents_are_joined_with_their_letters),
        cmocka_unit_test(folding_by_stretches_equals_folding_the_whole),
        cmocka_unit_test(any_number_of_marks_is_folded),
        cmocka_unit_test(the_default_pattern_takes_two_or_more_letters),
        cmocka_unit_test(patterns_may_look_around_and_match_nothing),
        cmocka_unit_test(bad_patterns_are_explained),
        cmocka_unit_test(costly_patterns_end_with_an_error),
        cmocka_unit_test(a_long_text_may_not_cost_its_square),
        cmocka_unit_test(stop_words_come_from_a_language_a_file_or_json),
        cmocka_unit_test(built_in_lists_are_sorted_and_folded),
        cmocka_unit_test(words_in_too_few_or_many_documents_go),
        cmocka_unit_test(the_most_frequent_words_stay),
        cmocka_unit_test(a_vocabulary_keeps_only_its_words_in_its_order),
        cmocka_unit_test(no_word_left_names_the_reasons),
        cmocka_unit_test(bad_limits_are_refused),
        cmocka_unit_test(the_description_makes_the_same_words_again),
        cmocka_unit_test(unknown_descriptions_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
