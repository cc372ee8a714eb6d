/* test_runs.c - words as runs of characters: what the regular expression finds, for every character there is. */
#include "helper_documents.h"

#include "base/memory.h"
#include "corpus/data/fold.h"
#include "corpus/data/input.h"
#include "corpus/text/pattern.h"
#include "corpus/text/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <utf8proc.h>

static const char *const simple[] = {
    "\\p{L}[\\p{L}\\p{M}]+",
    "\\p{L}[\\p{L}\\p{M}\\x{200C}\\x{200D}]+",
    "\\w+",
    "\\w\\w+",
    "[a-z]+",
    "[A-Za-z][A-Za-z0-9_]*",
    "[^\\s,.]+",
    "\\S+",
    "[\\p{Greek}x]+",
    "\\P{L}\\d+",
    "[\xC3\xA4-\xC3\xBC\\d'-]+",
    "\\p{Lu}\\p{Ll}*",
    "\\D\\W+",
    "\\b\\w+\\b",
    "\\b\\w\\w+\\b",
    "[\\x{41}\\x{E9}-\\x{1FFF}]+",
};
enum { N_SIMPLE = sizeof simple / sizeof simple[0] };

static const char *const others[] = {
    "",
    "a+",
    "\\w",
    "\\w{2,}",
    "\\w+?",
    "\\w++",
    "\\b\\w+",
    "\\b[a-z]+\\b",
    "(\\w)+",
    "\\w+\\w+",
    "[[:alpha:]]+",
    "[]a]+",
    "[^]a]+",
    "[\\b]+",
    "\\R+",
    "\\X+",
    "[a\\]]+",
    "\\w\\d\\s+",
    "(?i)[a-z]+",
    "[a-z]+|b",
    "\\p{L}\\p{L}",
    "[\\x41]+",
    "^\\w+",
    "\\p{L}+$",
    "[a",
    "\\pL+",
    ".+",
    "[\\Qa\\E]+",
    "\\p{^L}+",
    "[\\p{L}\\p{M}]",
    "\\",
    "[a-z]+(?=\\s)",
    "\\p{L",
};
enum { N_OTHERS = sizeof others / sizeof others[0] };

/* ---- comparing ----------------------------------------------------------------------------------------- */

typedef struct both {
    gb_pattern *pattern;
    gb_runs *runs;
} both;

static both open_both(const char *pattern)
{
    both b = {0};
    assert_int_equal(gb_pattern_create(&b.pattern, pattern, NULL), GB_OK);
    assert_int_equal(gb_runs_create(&b.runs, pattern, NULL), GB_OK);
    assert_non_null(b.runs);
    return b;
}

static void close_both(both b)
{
    gb_pattern_free(b.pattern);
    gb_runs_free(b.runs);
}

/* Returns the number of words. */
static size_t assert_same_words(both b, gb_view text)
{
    size_t start, end = 0, n = 0;
    assert_int_equal(gb_runs_begin(b.runs, text, NULL), GB_OK);
    gb_pattern_begin(b.pattern, text.length);
    for (;; n++) {
        gb_view word = gb_runs_next(b.runs);
        assert_int_equal(gb_pattern_find(b.pattern, text, end, &start, &end, NULL), GB_OK);
        if (start == SIZE_MAX) {
            assert_null(word.text);
            return n;
        }
        assert_ptr_equal(word.text, text.text + start);
        assert_int_equal(word.length, end - start);
    }
}

static uint64_t next_random(uint64_t *x)
{
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return *x >> 33;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

/* Each character in all places: alone, before a letter, after one and between two. */
static void every_character_is_of_the_same_kind(void **state)
{
    (void)state;
    gb_bytes text = {0};
    for (utf8proc_int32_t point = 1; point < 0x110000; point++) {
        utf8proc_uint8_t bytes[4];
        size_t n = utf8proc_codepoint_valid(point) ? (size_t)utf8proc_encode_char(point, bytes) : 0;
        const gb_view parts[] = {{(char *)bytes, n}, {" x", 2}, {(char *)bytes, n}, {"x \xC3\xA4", 4},
                                 {(char *)bytes, n}, {",1", 2}, {(char *)bytes, n}, {"1\n", 2}};
        for (size_t i = 0; n > 0 && i < sizeof parts / sizeof parts[0]; i++)
            assert_int_equal(gb_bytes_add(&text, parts[i].text, parts[i].length, NULL), GB_OK);
    }
    for (size_t i = 0; i < N_SIMPLE; i++) {
        both b = open_both(simple[i]);
        assert_true(assert_same_words(b, (gb_view){text.data, text.length}) > 1000);
        close_both(b);
    }
    gb_free(text.data);
}

/* Short texts of all ASCII characters and a few others, so that words end and begin everywhere, also at the ends. */
static void random_texts_give_the_same_words(void **state)
{
    static const char *const pieces[] = {"\xC3\xA4",
                                         "\xCC\x81",
                                         "\xE2\x80\x94",
                                         "\xF0\x9F\x98\x80",
                                         "\xD0\xBC",
                                         "\xC2\xA0",
                                         "\xE4\xB8\xAD",
                                         "\xF0\x90\x90\x80",
                                         "\xE0\xB8\xB4",
                                         "a",
                                         "Z",
                                         "7"};
    uint64_t x = 3;
    size_t n_words = 0;
    (void)state;
    for (size_t i = 0; i < N_SIMPLE; i++) {
        both b = open_both(simple[i]);
        for (int round = 0; round < 4000; round++) {
            char text[1024];
            size_t length = 0, n_pieces = next_random(&x) % 200;
            for (size_t p = 0; p < n_pieces; p++) {
                const char *piece = pieces[next_random(&x) % (sizeof pieces / sizeof pieces[0])];
                char ascii[2] = {(char)(1 + next_random(&x) % 127), '\0'};
                if (next_random(&x) % 2 == 0)
                    piece = ascii;
                memcpy(text + length, piece, strlen(piece));
                length += strlen(piece);
            }
            char *exact = malloc(length + 1); /* so that reading behind the end is seen */
            assert_non_null(exact);
            memcpy(exact, text, length);
            n_words += assert_same_words(b, (gb_view){exact, length});
            free(exact);
        }
        close_both(b);
    }
    assert_true(n_words > 200000);
}

static void a_word_may_be_long(void **state)
{
    (void)state;
    size_t n = 3000000;
    char *text = malloc(n);
    assert_non_null(text);
    memset(text, 'w', n);
    for (size_t i = 0; i < N_SIMPLE; i++) {
        both b = open_both(simple[i]);
        assert_true(assert_same_words(b, (gb_view){text, n}) <= 1);
        close_both(b);
    }
    free(text);
}

static void other_patterns_are_left_to_the_regular_expression(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_OTHERS; i++) {
        gb_runs *runs = NULL;
        assert_int_equal(gb_runs_create(&runs, others[i], NULL), GB_OK);
        assert_null(runs);
    }
}

/* Folded as for a corpus, and as it is. */
static size_t compare_file(both b, const char *path)
{
    gb_input *in = NULL;
    gb_fold fold = {.lowercase = true};
    gb_view line, folded;
    bool end = false;
    size_t n = 0;
    assert_int_equal(gb_input_open(&in, path, NULL, NULL), GB_OK);
    for (;;) {
        assert_int_equal(gb_input_line(in, &line, &end, NULL), GB_OK);
        if (end)
            break;
        n += assert_same_words(b, line);
        assert_int_equal(gb_fold_text(&fold, line, &folded, NULL), GB_OK);
        (void)assert_same_words(b, folded);
    }
    gb_fold_free(&fold);
    gb_input_close(in);
    return n;
}

static void real_texts_give_the_same_words(void **state)
{
    static const char *const files[] = {"20news/20news_bydate_test.jsonl.gz", "acl_abstracts/acl_abstracts.jsonl.gz",
                                        "movies_tmdb/tmdb_5000.jsonl.gz"};
    const char *folder = getenv("GIBBOUS_DATA");
    (void)state;
    if (folder == NULL)
        skip();
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[4096];
        (void)snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        if (access(path, R_OK) != 0)
            continue;
        for (size_t k = 0; k < 3; k++) {
            both b = open_both(simple[k]);
            assert_true(compare_file(b, path) > 100000);
            close_both(b);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_character_is_of_the_same_kind),
        cmocka_unit_test(random_texts_give_the_same_words),
        cmocka_unit_test(a_word_may_be_long),
        cmocka_unit_test(other_patterns_are_left_to_the_regular_expression),
        cmocka_unit_test(real_texts_give_the_same_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
