/* Covariates and numbers of a corpus: what the builder makes of them, and the corpus file. */
#include "helper_documents.h"

#include "base/memory.h"
#include "corpus/data/corpus_file.h"
#include "store/store.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define OK(call) assert_int_equal(call, GB_OK)

static gb_corpus_builder *new_builder(void)
{
    gb_corpus_builder *b = NULL;
    OK(gb_corpus_builder_create(&b, NULL));
    return b;
}

static gb_corpus *finish(gb_corpus_builder *b)
{
    gb_corpus *c = NULL;
    gb_error err = {0};
    gb_status st = gb_corpus_builder_finish(b, NULL, NULL, &c, &err);
    assert_string_equal(err.message, "");
    OK(st);
    gb_corpus_builder_free(b);
    return c;
}

static void set_class(gb_corpus_builder *b, size_t field, const char *name)
{
    if (name != NULL)
        OK(gb_corpus_builder_class(b, field, name, strlen(name), NULL));
}

static void assert_numbers(const gb_numbers *numbers, const char *name, gb_role role, size_t n,
                           const double *expected)
{
    assert_string_equal(numbers->name, name);
    assert_int_equal(numbers->role, role);
    for (size_t d = 0; d < n; d++)
        if (isnan(expected[d]))
            assert_true(isnan(numbers->value[d]));
        else
            assert_true(numbers->value[d] == expected[d]);
}

/* ---- the builder --------------------------------------------------------------------------------------- */

/* Three documents, the last without anything; fields of every kind and role. */
static gb_corpus *example(void)
{
    size_t mood, price, director, year, companies, venue, views, importance;
    gb_corpus_builder *b = new_builder();
    OK(gb_corpus_builder_labels(b, "mood", false, &mood, NULL));
    OK(gb_corpus_builder_numbers(b, "price", GB_ROLE_RESPONSE, &price, NULL));
    OK(gb_corpus_builder_factor(b, "director", false, &director, NULL));
    OK(gb_corpus_builder_covariate(b, "year", &year, NULL));
    OK(gb_corpus_builder_factor(b, "companies", true, &companies, NULL));
    OK(gb_corpus_builder_group(b, "venue", &venue, NULL));
    OK(gb_corpus_builder_numbers(b, "views", GB_ROLE_EXPOSURE, &views, NULL));
    OK(gb_corpus_builder_numbers(b, "importance", GB_ROLE_WEIGHT, &importance, NULL));
    assert_int_equal(price, 0);
    assert_int_equal(importance, 2);
    for (int d = 0; d < 3; d++) {
        OK(gb_corpus_builder_document(b, NULL, 0, NULL));
        set_class(b, mood, d == 0 ? "low" : d == 1 ? "high" : NULL);
        set_class(b, director, d == 0 ? "Varda" : d == 1 ? "Ozu" : NULL);
        set_class(b, venue, d == 0 ? "2" : d == 1 ? "10" : NULL);
        set_class(b, year, d == 0 ? "1962" : d == 1 ? "-1.5e1" : NULL);
        if (d == 0) {
            set_class(b, companies, "b");
            set_class(b, companies, "a");
        } else if (d == 1) {
            OK(gb_corpus_builder_labelled(b, companies, NULL));
        }
        if (d == 2)
            continue;
        OK(gb_corpus_builder_number(b, price, d == 0 ? 0.1 : -DBL_MAX, NULL));
        OK(gb_corpus_builder_number(b, views, d == 0 ? 1000 : 0.5, NULL));
        OK(gb_corpus_builder_number(b, importance, d == 0 ? 0 : 2, NULL));
    }
    return finish(b);
}

static void assert_example(const gb_corpus *c)
{
    static const struct {
        const char *name, *classes;
        gb_role role;
        bool several;
    } labels[] = {{"mood", "low high -", GB_ROLE_RESPONSE, false},
                  {"director", "Varda Ozu -", GB_ROLE_COVARIATE, false},
                  {"companies", "a,b {} -", GB_ROLE_COVARIATE, true},
                  {"venue", "2 10 -", GB_ROLE_GROUP, false}};
    assert_int_equal(c->n_labels, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(c->labels[i].name, labels[i].name);
        assert_string_equal(classes_of(c, i), labels[i].classes);
        assert_int_equal(c->labels[i].role, labels[i].role);
        assert_int_equal(c->labels[i].several, labels[i].several);
    }
    assert_int_equal(c->n_numbers, 4);
    assert_numbers(&c->numbers[0], "price", GB_ROLE_RESPONSE, 3, (double[]){0.1, -DBL_MAX, (double)NAN});
    assert_numbers(&c->numbers[1], "year", GB_ROLE_COVARIATE, 3, (double[]){1962, -15, (double)NAN});
    assert_numbers(&c->numbers[2], "views", GB_ROLE_EXPOSURE, 3, (double[]){1000, 0.5, (double)NAN});
    assert_numbers(&c->numbers[3], "importance", GB_ROLE_WEIGHT, 3, (double[]){0, 2, (double)NAN});
}

static void a_corpus_holds_numbers_and_factors(void **state)
{
    (void)state;
    gb_corpus *c = example();
    assert_example(c);
    gb_corpus_free(c);
}

/* The kind that a covariate of these values gets: 'n' for numbers, 'f' for a factor. */
static char kind_of(const char *const *value, size_t n)
{
    gb_corpus_builder *b = new_builder();
    size_t field;
    OK(gb_corpus_builder_covariate(b, "x", &field, NULL));
    for (size_t d = 0; d < n; d++) {
        OK(gb_corpus_builder_document(b, NULL, 0, NULL));
        set_class(b, field, value[d]);
    }
    gb_corpus *c = finish(b);
    assert_int_equal(c->n_labels + c->n_numbers, 1);
    char kind = c->n_numbers == 1 ? 'n' : 'f';
    gb_corpus_free(c);
    return kind;
}

static void a_covariate_is_a_number_if_all_its_values_are(void **state)
{
    (void)state;
    assert_int_equal(kind_of((const char *[]){"1", "-2.5", "1e3", NULL, "+7"}, 5), 'n');
    assert_int_equal(kind_of((const char *[]){"1", "1", "1"}, 3), 'n');
    assert_int_equal(kind_of((const char *[]){"1", "2", "3 km"}, 3), 'f');
    assert_int_equal(kind_of((const char *[]){"1", "nan"}, 2), 'f');
    assert_int_equal(kind_of((const char *[]){"1", "1e999"}, 2), 'f');
    assert_int_equal(kind_of((const char *[]){"0x10"}, 1), 'f');
    assert_int_equal(kind_of((const char *[]){"true"}, 1), 'f');
    assert_int_equal(kind_of((const char *[]){NULL, NULL}, 2), 'f');
    assert_int_equal(kind_of(NULL, 0), 'f');
}

static void a_number_missing_again_has_the_one_nan(void **state)
{
    (void)state;
    size_t field;
    uint64_t expected, bits, odd = 0xfff8000000001234u;
    double other, one = (double)NAN;
    gb_corpus_builder *b = new_builder();
    memcpy(&other, &odd, sizeof other);
    memcpy(&expected, &one, sizeof expected);
    OK(gb_corpus_builder_numbers(b, "x", GB_ROLE_RESPONSE, &field, NULL));
    OK(gb_corpus_builder_document(b, NULL, 0, NULL));
    OK(gb_corpus_builder_number(b, field, 3, NULL));
    OK(gb_corpus_builder_number(b, field, other, NULL));
    gb_corpus *c = finish(b);
    memcpy(&bits, &c->numbers[0].value[0], sizeof bits);
    assert_int_equal(bits, expected);
    gb_corpus_free(c);
}

static void bad_numbers_and_calls_out_of_order_are_refused(void **state)
{
    (void)state;
    size_t x, views, weight, other;
    gb_error err;
    gb_corpus_builder *b = new_builder();
    OK(gb_corpus_builder_numbers(b, "x", GB_ROLE_RESPONSE, &x, NULL));
    OK(gb_corpus_builder_numbers(b, "views", GB_ROLE_EXPOSURE, &views, NULL));
    OK(gb_corpus_builder_numbers(b, "w", GB_ROLE_WEIGHT, &weight, NULL));
    assert_int_equal(gb_corpus_builder_number(b, x, 1, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "a number before the first document or of an unknown field");
    assert_int_equal(gb_corpus_builder_numbers(b, "v", GB_ROLE_EXPOSURE, &other, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "\"views\" and \"v\": at most one field can be the exposure");
    assert_int_equal(gb_corpus_builder_numbers(b, "v", GB_ROLE_WEIGHT, &other, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "\"w\" and \"v\": at most one field can be the document weight");
    assert_int_equal(gb_corpus_builder_factor(b, "x", false, &other, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "covariate \"x\": given twice");
    OK(gb_corpus_builder_labels(b, "y", false, &other, NULL));
    assert_int_equal(gb_corpus_builder_numbers(b, "y", GB_ROLE_RESPONSE, &other, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "field of numbers \"y\": given twice");
    OK(gb_corpus_builder_document(b, NULL, 0, NULL));
    assert_int_equal(gb_corpus_builder_numbers(b, "z", GB_ROLE_RESPONSE, &other, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "field of numbers \"z\": declared after the first document");
    assert_int_equal(gb_corpus_builder_number(b, 3, 1, &err), GB_EARGUMENT);
    assert_int_equal(gb_corpus_builder_number(b, x, (double)INFINITY, &err), GB_EFORMAT);
    assert_string_equal(err.message, "field \"x\": inf is not finite");
    assert_int_equal(gb_corpus_builder_number(b, views, 0, &err), GB_EFORMAT);
    assert_string_equal(err.message, "field \"views\": 0 is not above 0");
    assert_int_equal(gb_corpus_builder_number(b, weight, -1, &err), GB_EFORMAT);
    assert_string_equal(err.message, "field \"w\": -1 is below 0");
    gb_corpus_builder_free(b);
}

static void a_second_level_of_a_factor_is_refused(void **state)
{
    (void)state;
    size_t field;
    gb_error err;
    gb_corpus_builder *b = new_builder();
    OK(gb_corpus_builder_factor(b, "director", false, &field, NULL));
    OK(gb_corpus_builder_document(b, "d", 1, NULL));
    set_class(b, field, "Ozu");
    assert_int_equal(gb_corpus_builder_class(b, field, "Varda", 5, &err), GB_EFORMAT);
    assert_string_equal(err.message, "covariate \"director\": document \"d\" has two classes, \"Ozu\" and \"Varda\"; "
                                     "FIELD:list takes several");
    gb_corpus_builder_free(b);
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static void the_file_holds_numbers_and_factors(void **state)
{
    (void)state;
    gb_corpus *c = example(), *back = NULL;
    OK(gb_corpus_write(c, "a.gbc", true, NULL));
    gb_corpus_free(c);
    OK(gb_corpus_open_file("a.gbc", &back, NULL));
    assert_example(back);
    OK(gb_corpus_write(back, "b.gbc", true, NULL));
    gb_corpus_free(back);
    assert_same_files("a.gbc", "b.gbc");
}

/* The texts and numbers of a file with two documents, to be spoilt one by one. */
typedef struct parts {
    const char *labels, *numbers;
    double x[3], v[3];
    uint64_t n_x;
    gb_dtype type;
} parts;

static const parts good = {
    .labels = "[{\"name\":\"f\",\"role\":\"covariate\",\"several\":false}]",
    .numbers = "[{\"name\":\"x\",\"role\":\"response\"},{\"name\":\"v\",\"role\":\"exposure\"}]",
    .x = {1, -2},
    .v = {1, 2},
    .n_x = 2,
    .type = GB_F64,
};

static void put(gb_store_writer *w, const char *name, gb_dtype type, uint64_t n, const void *data)
{
    OK(gb_store_array(w, name, type, 1, &n, data, NULL));
}

static void write_parts(const parts *p, const char *path)
{
    static const uint64_t starts[] = {0, 1, 2}, one_start[] = {0, 1};
    static const uint32_t zeros[] = {0, 0};
    static const uint8_t ones[] = {1, 1};
    gb_store_writer *w = NULL;
    OK(gb_store_create(&w, "corpus", NULL));
    OK(gb_store_text(w, "preparation", "{}", NULL));
    OK(gb_store_text(w, "source", "{}", NULL));
    OK(gb_store_text(w, "labels", p->labels, NULL));
    if (p->numbers != NULL)
        OK(gb_store_text(w, "numbers", p->numbers, NULL));
    put(w, "doc_start", GB_U64, 3, starts);
    put(w, "word", GB_U32, 2, zeros);
    put(w, "id_start", GB_U64, 3, starts);
    put(w, "id_bytes", GB_U8, 2, "12");
    put(w, "word_start", GB_U64, 2, one_start);
    put(w, "word_bytes", GB_U8, 1, "w");
    put(w, "label0_doc_start", GB_U64, 3, starts);
    put(w, "label0_class_of", GB_U32, 2, zeros);
    put(w, "label0_labelled", GB_U8, 2, ones);
    put(w, "label0_class_start", GB_U64, 2, one_start);
    put(w, "label0_class_bytes", GB_U8, 1, "a");
    put(w, "number0_value", p->type, p->n_x, p->x);
    put(w, "number1_value", GB_F64, 2, p->v);
    OK(gb_store_save(w, path, true, NULL));
    gb_store_writer_free(w);
}

static void a_file_of_the_good_parts_is_read(void **state)
{
    (void)state;
    gb_corpus *c = NULL;
    write_parts(&good, "x.gbc");
    OK(gb_corpus_open_file("x.gbc", &c, NULL));
    assert_int_equal(c->labels[0].role, GB_ROLE_COVARIATE);
    assert_numbers(&c->numbers[0], "x", GB_ROLE_RESPONSE, 2, (double[]){1, -2});
    assert_numbers(&c->numbers[1], "v", GB_ROLE_EXPOSURE, 2, (double[]){1, 2});
    gb_corpus_free(c);
}

static void a_file_without_numbers_and_roles_is_read(void **state)
{
    (void)state;
    gb_corpus *c = NULL;
    parts p = good;
    p.numbers = NULL;
    p.labels = "[{\"name\":\"f\",\"several\":false}]";
    write_parts(&p, "x.gbc");
    OK(gb_corpus_open_file("x.gbc", &c, NULL));
    assert_int_equal(c->n_numbers, 0);
    assert_int_equal(c->labels[0].role, GB_ROLE_RESPONSE);
    gb_corpus_free(c);
}

static void assert_refused(const parts *p, const char *message)
{
    gb_corpus *c = NULL;
    gb_error err;
    write_parts(p, "x.gbc");
    assert_int_equal(gb_corpus_open_file("x.gbc", &c, &err), GB_EFORMAT);
    assert_null(c);
    assert_string_equal(err.message, message);
}

/* Spoil one entry of the good parts and expect that message. */
#define REFUSED(message, ...)                                                                                        \
    do {                                                                                                             \
        parts p = good;                                                                                              \
        p.__VA_ARGS__;                                                                                               \
        assert_refused(&p, "x.gbc: " message);                                                                       \
    } while (0)

#define BAD_ENTRY(i)                                                                                                 \
    "text \"numbers\": entry " i " should be a new name, and the role \"response\", \"covariate\", \"prevalence\", " \
    "\"exposure\" or \"weight\" (these two once)"

static void hostile_files_are_refused(void **state)
{
    (void)state;
    REFUSED("array \"number0_value\" has 1 entries, expected 2", n_x = 1);
    REFUSED("array \"number0_value\" has 3 entries, expected 2", n_x = 3);
    REFUSED("array \"number0_value\" is U64 with 1 dimensions, expected F64 with 1", type = GB_U64);
    REFUSED("field \"x\": document 2: inf is not finite", x[1] = (double)INFINITY);
    REFUSED("field \"x\": document 1: -inf is not finite", x[0] = -(double)INFINITY);
    REFUSED("field \"v\": document 1: 0 is not above 0", v[0] = 0);
    REFUSED("text \"numbers\" is not a JSON list", numbers = "{}");
    REFUSED("text \"numbers\" is not JSON, or too large", numbers = "[");
    REFUSED("array \"number2_value\" is missing",
            numbers = "[{\"name\":\"x\",\"role\":\"response\"},{\"name\":\"v\",\"role\":\"exposure\"},"
                      "{\"name\":\"z\",\"role\":\"covariate\"}]");
    REFUSED(BAD_ENTRY("1"), numbers = "[3]");
    REFUSED(BAD_ENTRY("1"), numbers = "[{\"name\":\"x\"}]");
    REFUSED(BAD_ENTRY("1"), numbers = "[{\"name\":\"x\",\"role\":4}]");
    REFUSED(BAD_ENTRY("1"), numbers = "[{\"name\":\"x\",\"role\":\"king\"}]");
    REFUSED(BAD_ENTRY("1"), numbers = "[{\"name\":\"f\",\"role\":\"covariate\"}]");
    REFUSED(BAD_ENTRY("1"), numbers = "[{\"name\":\"a\\n\",\"role\":\"covariate\"}]");
    REFUSED(BAD_ENTRY("2"), numbers = "[{\"name\":\"x\",\"role\":\"weight\"},{\"name\":\"v\",\"role\":\"weight\"}]",
            p.x[1] = 2);
    REFUSED(BAD_ENTRY("2"), numbers = "[{\"name\":\"x\",\"role\":\"weight\"},{\"name\":\"x\",\"role\":\"exposure\"}]",
            p.x[1] = 2);
    REFUSED("text \"labels\": entry 1 should be a response, a covariate, a group or a cluster",
            labels = "[{\"name\":\"f\",\"role\":\"weight\",\"several\":false}]");
    REFUSED("text \"labels\": entry 1 should be a response, a covariate, a group or a cluster",
            labels = "[{\"name\":\"f\",\"role\":1,\"several\":false}]");
    REFUSED("text \"labels\": entry 1 should be a group without \"several\"",
            labels = "[{\"name\":\"f\",\"role\":\"group\",\"several\":true}]");
    REFUSED(BAD_ENTRY("1"), numbers = "[{\"name\":\"x\",\"role\":\"group\"}]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_corpus_holds_numbers_and_factors),
        cmocka_unit_test(a_covariate_is_a_number_if_all_its_values_are),
        cmocka_unit_test(a_number_missing_again_has_the_one_nan),
        cmocka_unit_test(bad_numbers_and_calls_out_of_order_are_refused),
        cmocka_unit_test(a_second_level_of_a_factor_is_refused),
        cmocka_unit_test(the_file_holds_numbers_and_factors),
        cmocka_unit_test(a_file_of_the_good_parts_is_read),
        cmocka_unit_test(a_file_without_numbers_and_roles_is_read),
        cmocka_unit_test(hostile_files_are_refused),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
