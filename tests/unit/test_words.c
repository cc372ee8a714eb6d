/* test_words.c - numbers for words: the order of appearance, however many there are and however they come. */
#include "corpus/data/words.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

enum { N_WORDS = 200000, ROOM = 48 };

/* Word i, of 1 to 40 letters, each i another one. */
static gb_view name(uint32_t i, char text[ROOM])
{
    int n = snprintf(text, ROOM, "%x", i);
    for (uint32_t more = i * 2654435761u % 33; more > 0; more--)
        text[n++] = '-';
    return (gb_view){text, (size_t)n};
}

static void words_are_numbered_as_they_come(void **state)
{
    gb_words *w = NULL;
    uint32_t number;
    char text[ROOM];
    (void)state;
    assert_int_equal(gb_words_create(&w, NULL), GB_OK);
    assert_int_equal(gb_words_find(w, gb_view_of("a")), GB_NO_WORD);
    for (uint32_t i = 0; i < N_WORDS; i++) {
        assert_int_equal(gb_words_find(w, name(i, text)), GB_NO_WORD);
        assert_int_equal(gb_words_add(w, name(i, text), &number, NULL), GB_OK);
        assert_int_equal(number, i);
    }
    for (uint32_t i = 0; i < N_WORDS; i++) {
        gb_view expected = name(i, text), found = gb_words_text(w, i);
        assert_int_equal(gb_words_add(w, expected, &number, NULL), GB_OK);
        assert_int_equal(number, i);
        assert_int_equal(gb_words_find(w, expected), i);
        assert_int_equal(found.length, expected.length);
        assert_memory_equal(found.text, expected.text, expected.length);
    }
    assert_int_equal(gb_words_count(w), N_WORDS);
    gb_words_free(w);
}

/* Groups of every size, in which new words and known ones, stop words and repetitions stand beside each other. */
static void many_at_once_are_as_one_by_one(void **state)
{
    gb_words *one = NULL, *many = NULL;
    uint64_t x = 5;
    (void)state;
    assert_int_equal(gb_words_create(&one, NULL), GB_OK);
    assert_int_equal(gb_words_create(&many, NULL), GB_OK);
    for (int round = 0; round < 20000; round++) {
        char text[GB_MANY_WORDS][ROOM];
        gb_view word[GB_MANY_WORDS];
        uint32_t number[GB_MANY_WORDS], found[GB_MANY_WORDS], same;
        size_t n = (size_t)round % (GB_MANY_WORDS + 1);
        for (size_t i = 0; i < n; i++) {
            x = x * 6364136223846793005u + 1442695040888963407u;
            word[i] = name((uint32_t)(x >> 33) % (uint32_t)(round + 3), text[i]);
        }
        if (round == 100)
            for (size_t i = 0; i < n; i++) {
                assert_int_equal(gb_words_add_stop_word(one, word[i], NULL), GB_OK);
                assert_int_equal(gb_words_add_stop_word(many, word[i], NULL), GB_OK);
            }
        if (round % 2 == 0) {
            gb_words_find_many(many, word, n, round % 3 != 0, found);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(found[i], gb_words_find(one, word[i]));
        }
        assert_int_equal(gb_words_add_many(many, word, n, round % 3 == 0, number, NULL), GB_OK);
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(gb_words_add(one, word[i], &same, NULL), GB_OK);
            assert_int_equal(number[i], same);
        }
    }
    assert_int_equal(gb_words_count(one), gb_words_count(many));
    assert_true(gb_words_count(many) > 10000);
    gb_words_free(one);
    gb_words_free(many);
}

static void stop_words_have_no_number(void **state)
{
    gb_words *w = NULL;
    uint32_t number;
    (void)state;
    assert_int_equal(gb_words_create(&w, NULL), GB_OK);
    assert_int_equal(gb_words_add(w, gb_view_of("dog"), &number, NULL), GB_OK);
    assert_int_equal(gb_words_add_stop_word(w, gb_view_of("the"), NULL), GB_OK);
    assert_int_equal(gb_words_add_stop_word(w, gb_view_of("the"), NULL), GB_OK);
    assert_int_equal(gb_words_add_stop_word(w, gb_view_of("a"), NULL), GB_OK);
    assert_int_equal(gb_words_add_stop_word(w, gb_view_of("dog"), NULL), GB_OK);
    assert_int_equal(gb_words_stop_words_met(w), 0);
    assert_int_equal(gb_words_add(w, gb_view_of("the"), &number, NULL), GB_OK);
    assert_int_equal(number, GB_STOP_WORD);
    assert_int_equal(gb_words_find(w, gb_view_of("the")), GB_STOP_WORD);
    assert_int_equal(gb_words_stop_words_met(w), 1);
    assert_int_equal(gb_words_find(w, gb_view_of("dog")), 0);
    assert_int_equal(gb_words_add(w, gb_view_of("cat"), &number, NULL), GB_OK);
    assert_int_equal(number, 1);
    assert_int_equal(gb_words_count(w), 2);
    gb_words_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_numbered_as_they_come),
        cmocka_unit_test(many_at_once_are_as_one_by_one),
        cmocka_unit_test(stop_words_have_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
