/* test_json_line.c - the quick scanner of JSON lines: what it takes, Jansson takes with the same meaning. */
#include "helper_documents.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/readers/json_line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- comparing ----------------------------------------------------------------------------------------- */

static gb_input *input; /* only its name is used */

static int open_input(void **state)
{
    if (enter_folder(state) != 0)
        return -1;
    write_file("x.jsonl", "x\n");
    return gb_input_open(&input, "x.jsonl", NULL, NULL) == GB_OK ? 0 : -1;
}

static int close_input(void **state)
{
    gb_input_close(input);
    return leave_folder(state);
}

static bool is_same_value(const gb_json_value *a, const gb_json_value *b)
{
    double x, y;
    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == GB_JSON_REAL)
        return gb_view_to_real(a->text, &x) && gb_view_to_real(b->text, &y) && x == y && signbit(x) == signbit(y);
    if (a->kind == GB_JSON_TEXT || a->kind == GB_JSON_NAME || a->kind == GB_JSON_WHOLE)
        return a->text.length == b->text.length &&
               (a->text.length == 0 || memcmp(a->text.text, b->text.text, a->text.length) == 0);
    return true;
}

static void assert_same_line(const gb_json_line *a, const gb_json_line *b)
{
    assert_int_equal(a->n_members, b->n_members);
    for (size_t i = 0; i < a->n_members; i++) {
        const gb_json_value *x = &a->member[i].value, *y = &b->member[i].value;
        assert_int_equal(a->member[i].key.length, b->member[i].key.length);
        assert_memory_equal(a->member[i].key.text, b->member[i].key.text, a->member[i].key.length);
        assert_true(is_same_value(x, y));
        for (size_t k = 0; k < x->count; k++)
            assert_true(is_same_value(&a->item[x->first + k], &b->item[y->first + k]));
    }
}

/* True when the scanner has taken the line; then Jansson has to take it as well, and find the same. */
static bool compare(const char *text, size_t length)
{
    gb_json_line scanned = {0}, parsed = {0};
    bool done;
    char *line = malloc(length + 1); /* so that reading behind the end is seen */
    assert_non_null(line);
    memcpy(line, text, length);
    assert_int_equal(gb_json_line_scan(&scanned, (gb_view){line, length}, &done, NULL), GB_OK);
    gb_status st = gb_json_line_parse(&parsed, (gb_view){line, length}, input, NULL);
    if (done) {
        assert_int_equal(st, GB_OK);
        assert_same_line(&scanned, &parsed);
    }
    gb_json_line_free(&scanned);
    gb_json_line_free(&parsed);
    free(line);
    return done;
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static const char *const common[] = {
    "{}",
    " { } ",
    "{\"id\": \"x\", \"text\": \"Two dogs, two cats\", \"label\": \"pets\"}",
    "{\"text\":\"a \\\"b\\\" \\\\ \\/ \\b\\f\\n\\r\\t c\",\"n\":-12,\"x\":0.25,\"z\":0}",
    "{\"y\":-0.5,\"big\":123456789012345678,\"negative\":-123456789012345678}",
    "{\"text\": \"\\u00e4\\u4e2d\\ud83d\\ude00\\uD801\\uDC00\\u0001 \\u007f\", \"k\\u0065y\": true, \"\": false}",
    "{\"text\": \"\xC3\xA4 \xE4\xB8\xAD \xF0\x9F\x98\x80\", \"\xC3\xA4\": null}",
    "{\"labels\": [\"a\", 1, 2.5, true, null, [1, [2]], {\"a\": 1}], \"empty\": [ ], \"after\": [ \"x\" ]}",
    "\t{\t\"a\"\r:\n1 , \"b\" : { \"a\" : { \"a\" : [ ] , \"b\" : 1 } , \"c\" : \"x\" } , \"c\" : \"y\" }\t",
    "{\"a\": \"\", \"b\": 1.000, \"c\": 0.1000000000000000055511151231257827}",
};
enum { N_COMMON = sizeof common / sizeof common[0] };

static void common_lines_are_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_COMMON; i++)
        assert_true(compare(common[i], strlen(common[i])));
}

static void texts_are_decoded(void **state)
{
    gb_json_line j = {0};
    (void)state;
    for (int way = 0; way < 2; way++) {
        bool done = true;
        gb_view line =
            gb_view_of("{\"a\\nb\": \"x\\u00e4\\ud83d\\ude00\\\"\", \"list\": [\"\\t\", 1.50], \"n\": 2.0}");
        if (way == 0)
            assert_int_equal(gb_json_line_scan(&j, line, &done, NULL), GB_OK);
        else
            assert_int_equal(gb_json_line_parse(&j, line, input, NULL), GB_OK);
        assert_true(done);
        const gb_json_value *text = gb_json_line_find(&j, "a\nb"), *list = gb_json_line_find(&j, "list");
        assert_true(gb_view_is(text->text, "x\xC3\xA4\xF0\x9F\x98\x80\""));
        assert_int_equal(list->count, 2);
        assert_true(gb_view_is(j.item[list->first].text, "\t"));
        assert_int_equal(j.item[list->first + 1].kind, GB_JSON_REAL);
        assert_null(gb_json_line_find(&j, "a"));
        gb_json_line_free(&j);
    }
}

/* Wrong, or not sure to be right: the scanner says so. */
static void doubtful_lines_are_left_to_jansson(void **state)
{
    static const char *const lines[] = {
        "",
        "[1]",
        "1",
        "\"a\"",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\":1",
        "{\"a\":1,",
        "{\"a\":1,}",
        "{,}",
        "{\"a\":1}}",
        "{\"a\":1} x",
        "{\"a\":1}{}",
        "{'a':1}",
        "{a:1}",
        "{\"a\" 1}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"\\u0061\":2}",
        "{\"b\":{\"a\":1,\"a\":2}}",
        "{\"b\":[{\"a\":1,\"a\":2}]}",
        "{\"a\":\"x}",
        "{\"a\":\"x\\\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":\"\\u0000\"}",
        "{\"a\\u0000\":1}",
        "{\"a\":\"\\ud800\"}",
        "{\"a\":\"\\ud800x\"}",
        "{\"a\":\"\\ud800\\n\"}",
        "{\"a\":\"\\ud800\\ud800\"}",
        "{\"a\":\"\\udc00\"}",
        "{\"a\":\"tab\there\"}",
        "{\"a\":\"new\nline\"}",
        "{\"a\":01}",
        "{\"a\":-}",
        "{\"a\":+1}",
        "{\"a\":.5}",
        "{\"a\":1.}",
        "{\"a\":1.e5}",
        "{\"a\":1e}",
        "{\"a\":1x}",
        "{\"a\":0x10}",
        "{\"a\":tru}",
        "{\"a\":truely}",
        "{\"a\":True}",
        "{\"a\":nul}",
        "{\"a\":nan}",
        "{\"a\":[1,]}",
        "{\"a\":[1 2]}",
        "{\"a\":[1}",
        "{\"a\":[}",
        "{\"a\":99999999999999999999}",
        "{\"a\":1e999}",
    };
    gb_json_line j = {0};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_false(compare(lines[i], strlen(lines[i])));
        assert_int_equal(gb_json_line_read(&j, gb_view_of(lines[i]), input, NULL), GB_EFORMAT);
    }
    gb_json_line_free(&j);
}

static void rare_lines_are_read_by_jansson(void **state)
{
    static const char *const lines[][2] = {
        {"{\"a\": -0}", "0"},
        {"{\"a\": 1e5}", "100000"},
        {"{\"a\": 2.5E-3}", "0.0025"},
        {"{\"a\": 9223372036854775807}", "9223372036854775807"},
    };
    gb_json_line j = {0};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        assert_false(compare(lines[i][0], strlen(lines[i][0])));
        assert_int_equal(gb_json_line_read(&j, gb_view_of(lines[i][0]), input, NULL), GB_OK);
        assert_true(gb_view_is(gb_json_line_find(&j, "a")->text, lines[i][1]));
    }
    gb_json_line_free(&j);
}

/* Deep nesting and many keys: the scanner stops early, the parser has its own limit. */
static void deep_and_wide_lines_are_bounded(void **state)
{
    enum { DEEP = 100000, WIDE = 300 };
    gb_json_line j = {0};
    size_t length;
    bool done;
    char *line = malloc(DEEP * 2 + WIDE * 16);
    (void)state;
    assert_non_null(line);
    length = (size_t)sprintf(line, "{\"a\":");
    memset(line + length, '[', DEEP);
    assert_int_equal(gb_json_line_scan(&j, (gb_view){line, length + DEEP}, &done, NULL), GB_OK);
    assert_false(done);
    assert_int_equal(gb_json_line_read(&j, (gb_view){line, length + DEEP}, input, NULL), GB_EFORMAT);
    length = 0;
    for (int i = 0; i < WIDE; i++)
        length += (size_t)sprintf(line + length, "%s\"k%d\":%d", i == 0 ? "{" : ",", i, i);
    length += (size_t)sprintf(line + length, "}");
    assert_int_equal(gb_json_line_read(&j, (gb_view){line, length}, input, NULL), GB_OK);
    assert_int_equal(j.n_members, WIDE);
    assert_true(gb_view_is(gb_json_line_find(&j, "k299")->text, "299"));
    length += (size_t)sprintf(line + length - 1, ",\"k7\":1}") - 1;
    assert_int_equal(gb_json_line_read(&j, (gb_view){line, length}, input, NULL), GB_EFORMAT);
    gb_json_line_free(&j);
    free(line);
}

static uint64_t next_random(uint64_t *x)
{
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return *x >> 33;
}

/* Lines with some bytes put in, taken out or replaced: many are wrong, some still right. */
static void changed_lines_mean_the_same_to_both(void **state)
{
    static const char alphabet[] = "{}[]:,\"\\ \t0123456789.-+eEutrfalsnd/bx\x01";
    uint64_t x = 11;
    size_t n_taken = 0, n_rounds = 200000;
    (void)state;
    for (size_t round = 0; round < n_rounds; round++) {
        char text[512];
        const char *from = common[next_random(&x) % N_COMMON];
        size_t length = strlen(from), n_changes = 1 + next_random(&x) % 4;
        memcpy(text, from, length + 1);
        for (size_t i = 0; i < n_changes && length > 0; i++) {
            size_t at = next_random(&x) % length, how = next_random(&x) % 3;
            if (how == 0) {
                memmove(text + at, text + at + 1, length - at - 1);
                length--;
                continue;
            }
            if (how == 1)
                memmove(text + at + 1, text + at, length++ - at);
            text[at] = alphabet[next_random(&x) % (sizeof alphabet - 1)];
        }
        if (gb_text_is_utf8(text, length)) /* as every line is that comes from an input */
            n_taken += compare(text, length);
    }
    assert_true(n_taken > n_rounds / 20);
    assert_true(n_taken < n_rounds / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_lines_are_taken),
        cmocka_unit_test(texts_are_decoded),
        cmocka_unit_test(doubtful_lines_are_left_to_jansson),
        cmocka_unit_test(rare_lines_are_read_by_jansson),
        cmocka_unit_test(deep_and_wide_lines_are_bounded),
        cmocka_unit_test(changed_lines_mean_the_same_to_both),
    };
    return cmocka_run_group_tests(tests, open_input, close_input);
}
