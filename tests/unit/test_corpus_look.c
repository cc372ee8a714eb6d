/* tests/unit/test_corpus_look.c - what callers may ask a corpus, and what they get beyond its bounds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus/data/corpus.h"
#include "gibbous/gibbous.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const input =
    "{\"id\": \"x\", \"text\": \"bee ant bee\", \"one\": \"b\", \"many\": [\"q\", \"p\"], \"y\": 2.5}\n"
    "{\"id\": \"\", \"text\": \"\", \"one\": null, \"many\": [], \"y\": null}\n"
    "{\"id\": \"z\", \"text\": \"cow\", \"one\": \"a\", \"y\": -1}\n";

static int read_input(void **state)
{
    char path[] = "/tmp/look-XXXXXX.jsonl";
    gb_settings *settings = NULL;
    gb_error err = {0};
    const int fd = mkstemps(path, 6);
    assert_true(fd >= 0 && write(fd, input, strlen(input)) == (ssize_t)strlen(input) && close(fd) == 0);
    assert_int_equal(gb_settings_create(&settings, NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "label", "one", NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "labels", "many", NULL), GB_OK);
    assert_int_equal(gb_settings_set(settings, "covariates", "y", NULL), GB_OK);
    if (gb_corpus_read(path, settings, NULL, NULL, (gb_corpus **)state, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_settings_free(settings);
    (void)unlink(path);
    return 0;
}

static int free_corpus(void **state)
{
    gb_corpus_free(*state);
    return 0;
}

static void assert_text(const char *text, size_t length, const char *expected)
{
    assert_non_null(text);
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(text, expected, length);
}

static void words_ids_and_tokens_are_those_of_the_input(void **state)
{
    const gb_corpus *c = *state;
    const char *text;
    size_t length;
    uint64_t n;
    assert_int_equal(gb_corpus_n_docs(c), 3);
    text = gb_corpus_word(c, 1, &length);
    assert_text(text, length, "bee");
    text = gb_corpus_id(c, 0, &length);
    assert_text(text, length, "x");
    text = gb_corpus_id(c, 1, &length);
    assert_text(text, length, "2");
    const uint32_t *token = gb_corpus_tokens(c, 0, &n);
    assert_int_equal(n, 3);
    assert_true(token[0] == 1 && token[1] == 0 && token[2] == 1);
    uint32_t word[3], count[3];
    assert_int_equal(gb_corpus_counts(c, 0, word, count), 2);
    assert_true(word[0] == 0 && count[0] == 1 && word[1] == 1 && count[1] == 2);
    assert_null(gb_corpus_tokens(c, 1, &n));
    assert_int_equal(n, 0);
    assert_int_equal(gb_corpus_counts(c, 1, word, count), 0);
}

/* From one token to thousands, of words with numbers of one byte to four. */
static void words_are_counted_in_order(void **state)
{
    (void)state;
    enum { MOST = 3000, N_WORDS = 17000000 };
    static const uint64_t lengths[] = {1, 2, 23, 24, 25, 60, 999, MOST};
    static const uint32_t n_words[] = {3, 256, 257, 70000, N_WORDS};
    static uint32_t token[MOST], word[MOST], count[MOST];
    uint64_t start[2] = {0}, seed = 1;
    for (size_t v = 0; v < sizeof n_words / sizeof *n_words; v++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            uint64_t n_counted = 0;
            const gb_corpus c = {
                .n_docs = 1, .n_words = N_WORDS, .n_tokens = lengths[k], .doc_start = start, .word = token};
            start[1] = lengths[k];
            for (uint64_t i = 0; i < lengths[k]; i++) {
                seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                token[i] = (uint32_t)((seed >> 33) % n_words[v]);
            }
            const uint64_t n = gb_corpus_counts(&c, 0, word, count);
            for (uint64_t i = 0; i < n; i++) {
                uint32_t expected = 0;
                for (uint64_t t = 0; t < lengths[k]; t++)
                    expected += token[t] == word[i];
                assert_true(i == 0 || word[i - 1] < word[i]);
                assert_int_equal(count[i], expected);
                n_counted += count[i];
            }
            assert_int_equal(n_counted, lengths[k]);
        }
}

static void fields_are_told_with_role_kind_and_values(void **state)
{
    const gb_corpus *c = *state;
    const char *name, *text;
    gb_role role;
    gb_field_kind kind;
    size_t length;
    uint64_t field, n;
    const uint32_t *classes;
    assert_int_equal(gb_corpus_n_fields(c), 3);
    assert_true(gb_corpus_find_field(c, "many", &field));
    assert_true(gb_corpus_field(c, field, &name, &role, &kind));
    assert_string_equal(name, "many");
    assert_true(role == GB_ROLE_RESPONSE && kind == GB_KIND_SEVERAL);
    assert_int_equal(gb_corpus_n_classes(c, field), 2);
    text = gb_corpus_class(c, field, 0, &length);
    assert_text(text, length, "p");
    assert_true(gb_corpus_classes_of(c, field, 0, &classes, &n));
    assert_true(n == 2 && classes[0] == 0 && classes[1] == 1);
    assert_true(gb_corpus_classes_of(c, field, 1, &classes, &n)); /* none of them, and that is known */
    assert_int_equal(n, 0);
    assert_false(gb_corpus_classes_of(c, field, 2, &classes, &n)); /* missing */
    assert_true(gb_corpus_find_field(c, "one", &field));
    assert_true(gb_corpus_field(c, field, NULL, NULL, &kind));
    assert_true(kind == GB_KIND_ONE);
    assert_false(gb_corpus_classes_of(c, field, 1, NULL, NULL));
    assert_true(gb_corpus_find_field(c, "y", &field));
    assert_true(gb_corpus_field(c, field, NULL, &role, &kind));
    assert_true(role == GB_ROLE_COVARIATE && kind == GB_KIND_NUMBER);
    const double *y = gb_corpus_numbers(c, field);
    assert_true(y[0] == 2.5 && isnan(y[1]) && y[2] == -1);
    char *notes = NULL;
    assert_int_equal(gb_corpus_notes(c, &notes, NULL), GB_OK);
    assert_non_null(strstr(notes, "\"format\":\"jsonl\""));
    gb_free(notes);
}

static void beyond_the_bounds_there_is_nothing(void **state)
{
    const gb_corpus *c = *state;
    size_t length = 7;
    uint64_t field, n = 7;
    uint32_t word, count;
    assert_null(gb_corpus_word(c, 3, &length));
    assert_int_equal(length, 0);
    assert_null(gb_corpus_id(c, UINT64_MAX, &length));
    assert_null(gb_corpus_tokens(c, 3, &n));
    assert_int_equal(n, 0);
    assert_int_equal(gb_corpus_counts(c, UINT64_MAX, &word, &count), 0);
    assert_false(gb_corpus_find_field(c, "none", &field));
    assert_false(gb_corpus_field(c, 3, NULL, NULL, NULL));
    assert_false(gb_corpus_field(c, UINT64_MAX, NULL, NULL, NULL));
    assert_null(gb_corpus_numbers(c, 0));
    assert_null(gb_corpus_numbers(c, 3));
    assert_int_equal(gb_corpus_n_classes(c, 2), 0);
    assert_null(gb_corpus_class(c, 0, 2, &length));
    assert_null(gb_corpus_class(c, 9, 0, &length));
    assert_false(gb_corpus_classes_of(c, 0, 3, NULL, NULL));
    assert_false(gb_corpus_classes_of(c, 9, 0, NULL, NULL));
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, read_input, free_corpus)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(words_ids_and_tokens_are_those_of_the_input),
        cmocka_unit_test(words_are_counted_in_order),
        CASE(fields_are_told_with_role_kind_and_values),
        CASE(beyond_the_bounds_there_is_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
