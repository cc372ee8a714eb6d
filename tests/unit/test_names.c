/* test_names.c - one value has one name, from whatever input it comes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "corpus/data/name.h"
#include "gibbous/gibbous.h"
#include "plan/class_index.h"

#include <stdio.h>
#include <string.h>

static void expect_name(const char *value, const char *name)
{
    char *out = NULL;
    assert_int_equal(gb_value_name(value, strlen(value), &out, NULL), GB_OK);
    assert_string_equal(out, name);
    gb_free(out);
    assert_int_equal(gb_value_name(name, strlen(name), &out, NULL), GB_OK);
    assert_string_equal(out, name);
    gb_free(out);
}

static void a_whole_number_has_one_name(void **state)
{
    (void)state;
    static const char *const same[] = {"1", "1.0", "1.000", "1.", "+1", "+1.0", " 1 ", "1.0\t"};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        expect_name(same[i], "1");
    static const char *const zero[] = {"0", "-0", "0.0", "-0.0", "+0"};
    for (size_t i = 0; i < sizeof zero / sizeof zero[0]; i++)
        expect_name(zero[i], "0");
    expect_name("-1.0", "-1");
    expect_name("12345678901234567890123.0", "12345678901234567890123");
}

/* Names of documents, codes, versions, sections and months. */
static void what_may_mean_something_else_is_kept(void **state)
{
    (void)state;
    static const char *const kept[] = {"007",   "00",   "01.0", "3.10", "3.1", "1e3", "12e3", "1.0.0", "1,0",
                                       "1.0a",  ".0",   ".",    "+",    "-",   "",    "a",    "tRUE",  "truer",
                                       "a 1.0", "1..0", "+a",   "0x10", "1 0", "--1", "+-1"};
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++)
        expect_name(kept[i], kept[i]);
}

static void true_and_false_have_one_name_each(void **state)
{
    (void)state;
    static const char *const yes[] = {"true", "True", "TRUE", " True"};
    static const char *const no[] = {"false", "False", "FALSE", "False "};
    for (size_t i = 0; i < 4; i++) {
        expect_name(yes[i], "true");
        expect_name(no[i], "false");
    }
}

static void composed_and_decomposed_letters_are_the_same(void **state)
{
    (void)state;
    expect_name("\xc3\xa1", "\xc3\xa1");
    expect_name("a\xcc\x81", "\xc3\xa1");
    expect_name("\xe1\x84\x80\xe1\x85\xa1", "\xea\xb0\x80"); /* Hangul */
}

static void blanks_of_any_kind_around_a_value_do_not_count(void **state)
{
    (void)state;
    static const char *const around[] = {
        " ", "\t", "\r\n", "\xc2\xa0", "\xe2\x80\x89", "\xe3\x80\x80", "\xef\xbb\xbf", "  \xc2\xa0 "};
    for (size_t i = 0; i < sizeof around / sizeof around[0]; i++) {
        char text[64];
        (void)snprintf(text, sizeof text, "%sa b%s", around[i], around[i]);
        expect_name(text, "a b");
        expect_name(around[i], "");
    }
}

static void a_value_that_is_no_utf8_has_no_name(void **state)
{
    (void)state;
    char *out = NULL;
    assert_int_equal(gb_value_name("\xff", 1, &out, NULL), GB_EFORMAT);
    assert_int_equal(gb_value_name("a\0b", 3, &out, NULL), GB_EFORMAT);
    assert_null(out);
}

static void a_corpus_from_arrays_has_the_names(void **state)
{
    (void)state;
    static const char *const word[] = {"w"}, *const class[] = {"1.0", " 1", "True", "true", "a\xcc\x81", "\xc3\xa1"};
    static const char *const id[] = {" x", "2.0", "a\xcc\x81", "007", "", "y\n"};
    const uint64_t start[] = {0, 1, 1, 1, 1, 1, 1};
    const uint32_t class_of[] = {0, 1, 2, 3, 4, 5}, entry[] = {0}, once[] = {1};
    gb_corpus_arrays *arrays = NULL;
    gb_settings *settings = NULL;
    gb_corpus *corpus = NULL;
    size_t length;
    assert_int_equal(gb_settings_create(&settings, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_create(&arrays, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_counts(arrays, 6, start, entry, once, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_vocabulary(arrays, 1, word, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_ids(arrays, id, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_classes(arrays, "label", GB_ROLE_RESPONSE, 6, class, class_of, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_classes(arrays, "year", GB_ROLE_GROUP, 6, class, class_of, NULL), GB_OK);
    assert_int_equal(gb_corpus_arrays_classes(arrays, "kind", GB_ROLE_COVARIATE, 6, class, class_of, NULL), GB_OK);
    gb_error err = {0};
    const gb_status st = gb_corpus_from_arrays(arrays, settings, &corpus, &err);
    assert_string_equal(err.message, "");
    assert_int_equal(st, GB_OK);
    for (uint64_t field = 0; field < 3; field++) {
        assert_int_equal(gb_corpus_n_classes(corpus, field), 3);
        assert_memory_equal(gb_corpus_class(corpus, field, 0, &length), "1", 1);
        assert_int_equal(length, 1);
        assert_memory_equal(gb_corpus_class(corpus, field, 1, &length), "true", 4);
        assert_memory_equal(gb_corpus_class(corpus, field, 2, &length), "\xc3\xa1", 2);
    }
    static const char *const wanted[] = {"x", "2", "\xc3\xa1", "007", "5", "y"};
    for (uint64_t d = 0; d < 6; d++) {
        const char *got = gb_corpus_id(corpus, d, &length);
        assert_int_equal(length, strlen(wanted[d]));
        assert_memory_equal(got, wanted[d], length);
    }
    gb_corpus_free(corpus);
    gb_corpus_arrays_free(arrays);
    gb_settings_free(settings);
}

/* Files of earlier versions have classes such as "1.0". */
static void classes_of_old_models_are_found(void **state)
{
    (void)state;
    char one[] = "1.0", yes[] = "True", a[] = "a";
    char *const name[] = {yes, one, a};
    gb_class_index index = {0};
    assert_int_equal(gb_class_index_create(3, name, &index, NULL), GB_OK);
    assert_int_equal(gb_class_index_find(&index, gb_view_of("1")), 1);
    assert_int_equal(gb_class_index_find(&index, gb_view_of("1.0")), 1);
    assert_int_equal(gb_class_index_find(&index, gb_view_of("true")), 0);
    assert_int_equal(gb_class_index_find(&index, gb_view_of("a")), 2);
    assert_int_equal(gb_class_index_find(&index, gb_view_of("b")), GB_NO_CLASS);
    gb_class_index_clear(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_number_has_one_name),
        cmocka_unit_test(what_may_mean_something_else_is_kept),
        cmocka_unit_test(true_and_false_have_one_name_each),
        cmocka_unit_test(composed_and_decomposed_letters_are_the_same),
        cmocka_unit_test(blanks_of_any_kind_around_a_value_do_not_count),
        cmocka_unit_test(a_value_that_is_no_utf8_has_no_name),
        cmocka_unit_test(a_corpus_from_arrays_has_the_names),
        cmocka_unit_test(classes_of_old_models_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
