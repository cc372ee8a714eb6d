/* test_json_line.c - fields of JSON objects: what Jansson takes is read with the same meaning, and what nobody asks for does no harm. */
#include "helper_documents.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/readers/json_objects.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- comparing ----------------------------------------------------------------------------------------- */

static bool is_same_text(gb_view v, const char *text, size_t length)
{
    return v.length == length && (length == 0 || memcmp(v.text, text, length) == 0);
}

static bool is_same(const gb_json_line *j, const gb_json_value *a, json_t *b, bool with_items)
{
    double x;
    char digits[32];
    switch (json_typeof(b)) {
    case JSON_STRING:
        return a->kind == GB_JSON_TEXT && is_same_text(a->text, json_string_value(b), json_string_length(b));
    case JSON_INTEGER:
        (void)snprintf(digits, sizeof digits, "%lld", (long long)json_integer_value(b));
        return a->kind == GB_JSON_WHOLE && gb_view_is(a->text, digits);
    case JSON_REAL:
        return a->kind == GB_JSON_REAL && gb_view_to_real(a->text, &x) && x == json_real_value(b);
    case JSON_TRUE:
    case JSON_FALSE:
        return a->kind == GB_JSON_NAME && gb_view_is(a->text, json_is_true(b) ? "true" : "false");
    case JSON_NULL:
        return a->kind == GB_JSON_NULL;
    case JSON_OBJECT:
        return a->kind == GB_JSON_OBJECT;
    case JSON_ARRAY:
        break;
    }
    if (a->kind != GB_JSON_LIST || a->count != (with_items ? json_array_size(b) : 0))
        return false;
    for (size_t i = 0; i < a->count; i++)
        if (!is_same(j, &j->item[a->first + i], json_array_get(b, i), false))
            return false;
    return true;
}

/* True when Jansson takes the line; then all of its fields are read, with the same values. */
static bool compare(const char *text, size_t length)
{
    gb_json_line j = {0};
    json_t *object = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL), *value;
    const char *key;
    size_t number, used;
    gb_json_fault fault;
    char *line = malloc(length + 1); /* so that reading behind the end is seen */
    assert_non_null(line);
    memcpy(line, text, length);
    json_object_foreach(object, key, value) assert_int_equal(gb_json_line_want(&j, key, &number, NULL), GB_OK);
    const gb_status st = gb_json_line_read(&j, (gb_view){line, length}, &used, &fault, NULL);
    assert_true(used <= length);
    if (json_is_object(object)) {
        assert_int_equal(st, GB_OK);
        json_object_foreach(object, key, value)
        {
            assert_int_equal(gb_json_line_want(&j, key, &number, NULL), GB_OK);
            assert_true(is_same(&j, &j.field[number].value, value, true));
        }
    }
    gb_json_line_free(&j);
    free(line);
    json_decref(object);
    return st == GB_OK;
}

/* ---- objects of a file --------------------------------------------------------------------------------- */

enum { A, B };
static gb_json_objects objects;

/* Ask a file for its first object's "a" and "b". */
static gb_status first_of(const char *text, gb_error *err)
{
    bool end = false;
    size_t number;
    gb_json_objects_free(&objects);
    gb_input_close(objects.input);
    objects = (gb_json_objects){0};
    write_file("x.json", text);
    assert_int_equal(gb_input_open(&objects.input, "x.json", NULL, NULL), GB_OK);
    assert_int_equal(gb_json_line_want(&objects.line, "a", &number, NULL), GB_OK);
    assert_int_equal(gb_json_line_want(&objects.line, "b", &number, NULL), GB_OK);
    return gb_json_objects_next(&objects, &end, err);
}

static const gb_json_value *asked(int number)
{
    return &objects.line.field[number].value;
}

static int close_objects(void **state)
{
    gb_json_objects_free(&objects);
    gb_input_close(objects.input);
    return leave_folder(state);
}

/* ---- tests --------------------------------------------------------------------------------------------- */

static const char *const common[] = {
    "{}",
    " { } ",
    "{\"id\": \"x\", \"text\": \"Two dogs, two cats\", \"label\": \"pets\"}",
    "{\"text\":\"a \\\"b\\\" \\\\ \\/ \\b\\f\\n\\r\\t c\",\"n\":-12,\"x\":0.25,\"z\":0}",
    "{\"y\":-0.5,\"big\":9223372036854775807,\"negative\":-123456789012345678,\"n\":-0,\"e\":1e5,\"f\":2.5E-3}",
    "{\"text\": \"\\u00e4\\u4e2d\\ud83d\\ude00\\uD801\\uDC00\\u0001 \\u007f\", \"k\\u0065y\": true, \"\": false}",
    "{\"text\": \"\xC3\xA4 \xE4\xB8\xAD \xF0\x9F\x98\x80\", \"\xC3\xA4\": null}",
    "{\"labels\": [\"a\", 1, 2.5, true, null, [1, [2]], {\"a\": 1}], \"empty\": [ ], \"after\": [ \"x\" ]}",
    "\t{\t\"a\"\r:\n1 , \"b\" : { \"a\" : { \"a\" : [ ] , \"b\" : 1 } , \"c\" : \"x\" } , \"c\" : \"y\" }\t",
    "{\"a\": \"\", \"b\": 1.000, \"c\": 0.1000000000000000055511151231257827, \"d\": \"\\\\\"}",
};
enum { N_COMMON = sizeof common / sizeof common[0] };

static void common_lines_are_taken(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_COMMON; i++)
        assert_true(compare(common[i], strlen(common[i])));
}

/* In a field that nobody asked for, every one of these is passed over. */
static void other_fields_do_no_harm(void **state)
{
    static const char *const values[] = {
        "123456789012345678901234567890",
        "1e400",
        "-1e999",
        "NaN",
        "Infinity",
        "-Infinity",
        "None",
        "01",
        "\"\\u0000\"",
        "\"\\ud800\"",
        "\"\\udc00x\"",
        "\"\\x \\u12\"",
        "\"tab\there\"",
        "{\"k\":1,\"k\":2}",
        "[{\"k\":{\"k\":1,\"k\":NaN}}]",
        "{\"a\":\"inner\",\"z\":\"}]\\\"\"}",
        "\"\\\\\"",
        "[1,]",
    };
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        char line[200];
        (void)snprintf(line, sizeof line, "{\"z\": %s, \"a\": \"x\", \"z\":%s , \"\\ud800\": 1, \"b\": 2}\n",
                       values[i], values[i]);
        assert_int_equal(first_of(line, NULL), GB_OK);
        assert_true(gb_view_is(asked(A)->text, "x"));
        assert_true(gb_view_is(asked(B)->text, "2"));
    }
}

static void what_is_asked_for_has_its_value(void **state)
{
    static const struct {
        const char *value;
        gb_json_kind kind;
        const char *text;
        bool is_mended;
    } cases[] = {
        {"123456789012345678901234567890", GB_JSON_WHOLE, "123456789012345678901234567890", false},
        {"-0", GB_JSON_WHOLE, "0", false},
        {"1e400", GB_JSON_REAL, "1e400", false},
        {"NaN", GB_JSON_NAN, "NaN", false},
        {"-Infinity", GB_JSON_NAME, "-Infinity", false},
        {"\"a\\u0000b\"", GB_JSON_TEXT,
         "a\xEF\xBF\xBD"
         "b",
         true},
        {"\"\\ud83dx\"", GB_JSON_TEXT, "\xEF\xBF\xBDx", true},
        {"\"\\ud800\\ud800\\udc00\"", GB_JSON_TEXT, "\xEF\xBF\xBD\xF0\x90\x80\x80", true},
        {"\"\\udc00\"", GB_JSON_TEXT, "\xEF\xBF\xBD", true},
        {"\"tab\there\"", GB_JSON_TEXT, "tab\there", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char line[200];
        (void)snprintf(line, sizeof line, "{\"c\": [1], \"a\": %s}", cases[i].value);
        assert_int_equal(first_of(line, NULL), GB_OK);
        assert_int_equal(asked(A)->kind, cases[i].kind);
        assert_int_equal(asked(A)->is_mended, cases[i].is_mended);
        assert_true(gb_view_is(asked(A)->text, cases[i].text));
        assert_int_equal(asked(B)->kind, GB_JSON_ABSENT);
    }
}

/* A message names line and byte. */
static void faults_have_a_place(void **state)
{
    static const char *const cases[][2] = {
        {"[1]", "x.json:1: not valid JSON at byte 2: this is no object, which begins with {"},
        {"1", "x.json:1: not valid JSON at byte 1: this is no object, which begins with {"},
        {"{", "x.json:1: not valid JSON: the object that begins here is never closed"},
        {"{\"a\"", "x.json:1: not valid JSON: the object that begins here is never closed"},
        {"{\"a\":1,", "x.json:1: not valid JSON: the object that begins here is never closed"},
        {"{\"a\":1,}", "x.json:1: not valid JSON at byte 8: a quote is missing"},
        {"{\"a\":1,\n{\"a\":2}}", "x.json:1: not valid JSON: the object that begins here is never closed"},
        {"{\"a\":[{}\n{\"a\":2}]}", "x.json:1: not valid JSON: the object that begins here is never closed"},
        {"{\"a\":1,\n \"b\":x}",
         "x.json:2: not valid JSON at byte 6: this is no value; a text needs quotes around it"},
        {"\n  {'a':1}",
         "x.json:2: not valid JSON at byte 4: a text is in single quotes, as Python prints it; json.dumps() "
         "writes JSON"},
        {"{\"a\" 1}", "x.json:1: not valid JSON at byte 6: a colon is missing"},
        {"{\"a\":1 \"b\":2}", "x.json:1: not valid JSON at byte 8: a comma or } is missing"},
        {"{\"a\":1,\"a\":2}", "x.json:1: not valid JSON at byte 8: this field comes twice"},
        {"{\"a\":1,\"\\u0061\":2}", "x.json:1: not valid JSON at byte 8: this field comes twice"},
        {"{\"a\":\"x}", "x.json:1: not valid JSON at byte 6: the quote of a text is never closed"},
        {"{\"c\":\"x\\\"}", "x.json:1: not valid JSON at byte 6: the quote of a text is never closed"},
        {"{\"c\":[{\n\"x}", "x.json:2: not valid JSON at byte 1: the quote of a text is never closed"},
        {"{\"a\":\"b\\x\"}", "x.json:1: not valid JSON at byte 8: this is no escape"},
        {"{\"a\":\"\\u12g4\"}", "x.json:1: not valid JSON at byte 7: this is no escape"},
        {"{\"a\":01}", "x.json:1: not valid JSON at byte 6: this is no value; a text needs quotes around it"},
        {"{\"a\":1.}", "x.json:1: not valid JSON at byte 6: this is no value; a text needs quotes around it"},
        {"{\"a\":1e+}", "x.json:1: not valid JSON at byte 6: this is no value; a text needs quotes around it"},
        {"{\"a\":True}", "x.json:1: not valid JSON at byte 6: this is no value; a text needs quotes around it"},
        {"{\"c\":}", "x.json:1: not valid JSON at byte 6: a value is missing, or a text without quotes"},
        {"{\"a\":[1,]}", "x.json:1: not valid JSON at byte 9: this is no value; a text needs quotes around it"},
        {"{\"a\":[1 2]}", "x.json:1: not valid JSON at byte 9: a comma or ] is missing"},
        {"[", "x.json:1: not valid JSON: the list of objects is never closed"},
        {"[,", "x.json:1: not valid JSON at byte 2: this is no object, which begins with {"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_error err = {0};
        assert_int_equal(first_of(cases[i][0], &err), GB_EFORMAT);
        assert_string_equal(err.message, cases[i][1]);
    }
}

/* All first fields, or where it ends badly. */
static void assert_objects(const char *text, const char *expected)
{
    char found[2000] = "";
    bool end = false;
    gb_error err = {0};
    gb_status st = first_of(text, &err);
    while (st == GB_OK && !end) {
        size_t n = strlen(found);
        (void)snprintf(found + n, sizeof found - n, "%.*s ", (int)asked(A)->text.length, asked(A)->text.text);
        st = gb_json_objects_next(&objects, &end, &err);
    }
    size_t n = strlen(found);
    (void)snprintf(found + n, sizeof found - n, "%s", st == GB_OK ? "" : err.message);
    assert_string_equal(found, expected);
}

static void objects_come_in_lines_lists_and_pieces(void **state)
{
    (void)state;
    assert_objects("{\"a\":1}\n\n{\"a\":2}", "1 2 ");
    assert_objects("{\"a\":1}{\"a\":2} {\"a\":3}", "1 2 3 ");
    assert_objects("[{\"a\":1},{\"a\":2}]", "1 2 ");
    assert_objects("[\r\n{\"a\":1}\n,{\"c\":[\n{}],\n\"a\":2},\n{\"a\":\"\\n3\"\n}\n]\n\n", "1 2 \n3 ");
    assert_objects("{\n  \"c\": {\n    \"x\": \"}\"\n  },\n  \"a\": 1\n}\n{\n  \"a\": 2\n}\n", "1 2 ");
    assert_objects("{\"c\":\n{\"x\": [\n{\"y\":\n[\n{}]},\n{}]},\"a\":1}", "1 ");
    assert_objects("[{\"a\":1}", "1 x.json:1: not valid JSON: the list of objects is never closed");
    assert_objects("[{\"a\":1} {\"a\":2}]", "1 x.json:1: not valid JSON at byte 10: a comma or ] is missing");
    assert_objects("[{\"a\":1}]\n{\"a\":2}",
                   "1 x.json:2: not valid JSON at byte 1: something follows the list of objects");
    assert_objects("[{\"a\":1},]", "1 ");
    assert_objects("{\"a\":1},{\"a\":2},\n{\"a\":3},\n", "1 2 3 ");
    assert_objects("\036{\"a\":1}\n\036{\"a\":2}\n", "1 2 ");
    assert_objects("[{\"a\":1},,{\"a\":2}]",
                   "1 x.json:1: not valid JSON at byte 10: this is no object, which begins with {");
    assert_objects("{\"a\":1},,{\"a\":2}",
                   "1 x.json:1: not valid JSON at byte 9: this is no object, which begins with {");
    assert_objects("{\"a\":1},]", "1 x.json:1: not valid JSON at byte 9: this is no object, which begins with {");
    assert_objects("{\"a\":1}}", "1 x.json:1: not valid JSON at byte 8: this is no object, which begins with {");
}

/* Depth costs nothing, and what a list may hold is bounded. */
static void deep_and_wide_objects_are_bounded(void **state)
{
    enum { DEEP = 100000, WIDE = GB_JSON_LINE_VALUES + 1 };
    char *line = malloc(2 * WIDE + 100);
    gb_error err = {0};
    (void)state;
    assert_non_null(line);
    size_t length = (size_t)sprintf(line, "{\"c\":");
    memset(line + length, '[', DEEP);
    memset(line + length + DEEP, ']', DEEP);
    (void)strcpy(line + length + 2 * (size_t)DEEP, ",\"a\":1}");
    assert_int_equal(first_of(line, NULL), GB_OK);
    assert_true(gb_view_is(asked(A)->text, "1"));
    length = (size_t)sprintf(line, "{\"a\":[1");
    for (size_t i = 1; i < WIDE; i++)
        length += (size_t)sprintf(line + length, ",1");
    (void)strcpy(line + length, "]}");
    assert_int_equal(first_of(line, &err), GB_EFORMAT);
    assert_non_null(strstr(err.message, "more than 1048576 values"));
    line[5] = '"';
    line[length] = '"';
    assert_int_equal(first_of(line, NULL), GB_OK);
    free(line);
}

static void names_are_shown(void **state)
{
    (void)state;
    assert_int_equal(
        first_of(
            "{\"c\": {\"x\": 1}, \"a\": 1, \"d\\\"e\": [2], \"f\": [{\"g\": 1, \"h\": [[{\"i\": 1}]]}, {\"j\": 2}]}",
            NULL),
        GB_OK);
    assert_string_equal(gb_json_line_names(&objects.line, objects.text), "c.x, a, d\\\"e, f[].g, f[].h");
    assert_int_equal(first_of("{}", NULL), GB_OK);
    assert_string_equal(gb_json_line_names(&objects.line, objects.text), "");
}

static uint64_t next_random(uint64_t *x)
{
    *x = *x * 6364136223846793005u + 1442695040888963407u;
    return *x >> 33;
}

/* Lines with some bytes put in, taken out or replaced: many are wrong, some still right. */
static void changed_lines_mean_the_same(void **state)
{
    static const char alphabet[] = "{}[]:,\"\\ \t0123456789.-+eEutrfalsnd/bx\x01";
    uint64_t x = 11;
    size_t n_taken = 0, n_rounds = 100000;
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(common_lines_are_taken),
        cmocka_unit_test(other_fields_do_no_harm),
        cmocka_unit_test(what_is_asked_for_has_its_value),
        cmocka_unit_test(faults_have_a_place),
        cmocka_unit_test(objects_come_in_lines_lists_and_pieces),
        cmocka_unit_test(deep_and_wide_objects_are_bounded),
        cmocka_unit_test(names_are_shown),
        cmocka_unit_test(changed_lines_mean_the_same),
    };
    return cmocka_run_group_tests(tests, enter_folder, close_objects);
}
