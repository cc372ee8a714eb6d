/* Patterns of one character without PCRE2: the same characters as with it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corpus/text/one_character.h"
#include "corpus/text/pattern.h"

#include <utf8proc.h>

static bool pcre_has(gb_pattern *pattern, int32_t c)
{
    char text[4];
    size_t start, end;
    const utf8proc_ssize_t n = utf8proc_encode_char(c, (utf8proc_uint8_t *)text);
    gb_pattern_begin(pattern, (size_t)n);
    assert_int_equal(gb_pattern_find(pattern, (gb_view){text, (size_t)n}, 0, &start, &end, NULL), GB_OK);
    return start == 0;
}

/* Every seventh character, and all of the first: of those that both libraries know, which may have different versions of Unicode. */
static void check(const char *expression)
{
    enum { BEGINNING = 0x3000, STEP = 7, SURROGATES = 0xD800, BEHIND = 0xE000, END = 0x110000 };
    gb_pattern *pattern = NULL, *unknown = NULL;
    assert_true(gb_one_character_is_known(expression));
    assert_int_equal(gb_pattern_create(&pattern, expression, NULL), GB_OK);
    assert_int_equal(gb_pattern_create(&unknown, "\\p{Cn}", NULL), GB_OK);
    for (int32_t c = 0; c < END; c += c < BEGINNING ? 1 : STEP) {
        if (c >= SURROGATES && c < BEHIND)
            continue;
        if (utf8proc_category(c) != UTF8PROC_CATEGORY_CN && !pcre_has(unknown, c))
            assert_int_equal(gb_one_character_has(expression, c), pcre_has(pattern, c));
    }
    gb_pattern_free(pattern);
    gb_pattern_free(unknown);
}

static void a_kind_of_characters_is_what_pcre2_calls_it(void **unused)
{
    (void)unused;
    check("\\p{L}");
    check("\\P{Lu}");
    check("\\w");
    check("\\D");
    check("\\s");
    check("\\x{200C}");
    check("[\\p{L}\\p{M}\\x{200C}\\x{200D}]");
    check("[^a-z\\d_-]");
    check("[\\p{L}\\p{N}_'-]");
    check("[.+*(]");
}

static void other_patterns_are_not_known(void **unused)
{
    (void)unused;
    static const char *const other[] = {"",     "a",           "\\p{L}+", "\\p{Han}", "\\p{X}", "[a",
                                        "[]a]", "[[:alpha:]]", "\\b",     "(a)",      "[\\b]",  "\\x{41"};
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        assert_false(gb_one_character_is_known(other[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_of_characters_is_what_pcre2_calls_it),
        cmocka_unit_test(other_patterns_are_not_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
