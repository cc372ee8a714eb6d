/* test_json_text.c - a JSON text is parsed as it is, or not at all: whatever it is, and whichever allocation fails. */
#include "base/memory.h"
#include "store/json_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- allocations of Jansson that fail ---- */

static long n_left = -1; /* allocations until one fails; below 0: none does */

static void *allocate(size_t n)
{
    return n_left >= 0 && n_left-- == 0 ? NULL : malloc(n);
}

static int watch(void **state)
{
    (void)state;
    json_set_alloc_funcs(allocate, free);
    return 0;
}

static void every_failed_allocation_is_noticed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{\"__metadata__\":{\"checksum\":\"0123456789012345678901234567890123456789\"},\"shape\":[12,"
        "34567890123456789]}",
        "[[\"a rather long name of a group\",\"another one "
        "\\u00e9\\ud83d\\ude00\\n\",0.12345678901234567,\"cites\"]]",
        "{\"a key that does not fit into sixteen bytes\":{},\"b\":[],\"c\":[true,false,null,-0,-0.0,1e5,-12.5E-3]}"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        json_t *whole = NULL, *value = NULL;
        size_t n_failed = 0;
        assert_int_equal(gb_json_parse(texts[i], strlen(texts[i]), 0, &whole, NULL, NULL), GB_OK);
        for (long at = 0;; at++) {
            n_left = at;
            const gb_status st = gb_json_parse(texts[i], strlen(texts[i]), 0, &value, NULL, NULL);
            const bool has_failed = n_left < 0;
            n_left = -1;
            assert_true(st == GB_OK ? json_equal(whole, value) : st == GB_ENOMEM);
            assert_true((st == GB_OK) == (value != NULL));
            n_failed += st != GB_OK;
            json_decref(value);
            if (!has_failed)
                break;
        }
        assert_true(n_failed > 5);
        json_decref(whole);
    }
}

/* ---- texts that are nearly JSON ---- */

static uint32_t number; /* of a sequence */

static uint32_t next(uint32_t below)
{
    number = number * 1664525U + 1013904223U;
    return (number >> 8) % below;
}

static void a_bad_text_is_never_blamed_on_memory(void **state)
{
    (void)state;
    static const char object[] =
        "{\"a\": [1, 2.5e-3, \"x\\u00e9\\n\\ud83d\\ude00\"], \"b\": {\"c\": null, \"d\": [true, []], \"e\": {}}}";
    static const char array[] = "[-0, 0.5, -1.25E+2, 10, \"\\\"\\\\\\/\", {\"k\": -3}]";
    static const char *const bases[] = {object, array, "\"text\"", "17", " [ ] ", "{}"};
    static const char letters[] = "{}[]\",:\\u0e+-.19tfn d8\n\x01\xc3";
    size_t n_good = 0, n_bad = 0;
    for (int i = 0; i < 200000; i++) {
        char text[128];
        const char *base = bases[next(sizeof bases / sizeof bases[0])];
        size_t length = strlen(base);
        memcpy(text, base, length);
        for (uint32_t k = next(4); k > 0 && length > 1; k--) {
            const uint32_t at = next((uint32_t)length);
            if (next(3) == 0) {
                memmove(text + at, text + at + 1, length - at - 1);
                length--;
            } else {
                text[at] = letters[next(sizeof letters - 1)];
            }
        }
        json_t *value = NULL;
        const size_t flags = next(2) == 0 ? JSON_DECODE_ANY : 0;
        const gb_status st = gb_json_parse(text, length, flags, &value, NULL, NULL);
        json_t *expected = json_loadb(text, length, flags | JSON_REJECT_DUPLICATES, NULL);
        assert_int_equal(st, expected == NULL ? GB_EFORMAT : GB_OK);
        assert_true(st != GB_OK || json_equal(value, expected));
        n_good += st == GB_OK;
        n_bad += st != GB_OK;
        json_decref(expected);
        json_decref(value);
    }
    assert_true(n_good > 10000 && n_bad > 10000);
}

/* ---- values of other types ---- */

static void a_member_of_another_type_is_told_from_want_of_memory(void **state)
{
    (void)state;
    json_t *value = NULL;
    json_int_t n = 0;
    const char *name = NULL;
    assert_int_equal(gb_json_parse("{\"n\":3,\"name\":\"x\"}", 18, 0, &value, NULL, NULL), GB_OK);
    assert_int_equal(gb_json_unpack(value, NULL, "{s:I, s:s}", "n", &n, "name", &name), GB_OK);
    assert_int_equal(n, 3);
    assert_int_equal(gb_json_unpack(value, NULL, "{s:s}", "n", &name), GB_EFORMAT);
    assert_int_equal(gb_json_unpack(value, NULL, "{s:s}", "m", &name), GB_EFORMAT);
    n_left = 0;
    assert_int_equal(gb_json_unpack(value, NULL, "{s:I}", "n", &n), GB_ENOMEM);
    n_left = -1;
    json_decref(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_failed_allocation_is_noticed),
                                       cmocka_unit_test(a_bad_text_is_never_blamed_on_memory),
                                       cmocka_unit_test(a_member_of_another_type_is_told_from_want_of_memory)};
    return cmocka_run_group_tests(tests, watch, NULL);
}
