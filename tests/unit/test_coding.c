/* Covariates from fields: every rule of the coding, every error, and the way to JSON and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "design/coding.h"
#include "options/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- corpora ---- */

/* A document: a number (NaN: missing), a level (NULL: missing), a list of letters (NULL: missing). */
typedef struct document {
    const char *id;
    double year;
    const char *director, *companies;
} document;

static const document training[] = {
    {"a", 1990, "Scott", "xy"}, {"b", 2000, "Lynch", ""},    {"c", 2010, "Scott", "x"},
    {"d", 2000, "Allen", "yz"}, {"e", 2000, "Lynch", "xyz"},
};
enum { N_TRAINING = sizeof training / sizeof training[0] };

static gb_corpus *corpus_of(size_t n, const document *documents)
{
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    size_t year, director, companies, label;
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_labels(b, "genre", false, &label, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_factor(b, "director", false, &director, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_factor(b, "companies", true, &companies, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_numbers(b, "year", GB_ROLE_COVARIATE, &year, NULL), GB_OK);
    for (size_t d = 0; d < n; d++) {
        const document *doc = &documents[d];
        assert_int_equal(gb_corpus_builder_document(b, doc->id, strlen(doc->id), NULL), GB_OK);
        assert_int_equal(gb_corpus_builder_class(b, label, "drama", 5, NULL), GB_OK);
        assert_int_equal(gb_corpus_builder_number(b, year, doc->year, NULL), GB_OK);
        if (doc->director != NULL)
            assert_int_equal(gb_corpus_builder_class(b, director, doc->director, strlen(doc->director), NULL), GB_OK);
        if (doc->companies != NULL)
            assert_int_equal(gb_corpus_builder_labelled(b, companies, NULL), GB_OK);
        for (const char *c = doc->companies; c != NULL && *c != '\0'; c++)
            assert_int_equal(gb_corpus_builder_class(b, companies, c, 1, NULL), GB_OK);
    }
    assert_int_equal(gb_corpus_builder_finish(b, NULL, NULL, &corpus, NULL), GB_OK);
    gb_corpus_builder_free(b);
    return corpus;
}

static gb_settings *settings_of(const char *name, const char *value)
{
    gb_settings *settings = NULL;
    assert_int_equal(gb_settings_create(&settings, NULL), GB_OK);
    if (name != NULL)
        assert_int_equal(gb_settings_set(settings, name, value, NULL), GB_OK);
    return settings;
}

/* ---- making and applying ---- */

static gb_coding *make(size_t n, const document *documents, const char *name, const char *value, bool standardise)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = corpus_of(n, documents);
    gb_settings *settings = settings_of(name, value);
    gb_coding *coding = NULL;
    if (gb_coding_make(corpus, settings, standardise, &coding, &err) != GB_OK)
        fail_msg("%s", err.message);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    return coding;
}

/* The values of one document, dense. */
static void apply(const gb_coding *coding, const document *doc, const char *name, const char *value, double *row)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = corpus_of(1, doc);
    gb_settings *settings = settings_of(name, value);
    gb_sparse_columns x;
    if (gb_coding_apply(coding, corpus, settings, 0, &x, &err) != GB_OK)
        fail_msg("%s", err.message);
    assert_int_equal(x.n_docs, 1);
    assert_int_equal(x.n_columns, gb_coding_n_columns(coding));
    for (size_t j = 0; j < x.n_columns; j++)
        row[j] = 0;
    for (uint64_t i = 0; i < x.doc_start[1]; i++) {
        assert_true(x.value[i] != 0 && row[x.column[i]] == 0);
        row[x.column[i]] = x.value[i];
    }
    gb_sparse_columns_clear(&x);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

static void apply_fails(const gb_coding *coding, const document *doc, const char *name, const char *value,
                        const char *message)
{
    gb_error err = {.status = GB_OK};
    gb_corpus *corpus = corpus_of(1, doc);
    gb_settings *settings = settings_of(name, value);
    gb_sparse_columns x = {.n_docs = 77};
    assert_int_equal(gb_coding_apply(coding, corpus, settings, 40, &x, &err), GB_EFORMAT);
    assert_string_equal(err.message, message);
    assert_int_equal(x.n_docs, 77);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

static void has_row(const gb_coding *coding, const document *doc, const char *name, const char *value, size_t n,
                    const double *wanted)
{
    double row[20];
    assert_int_equal(gb_coding_n_columns(coding), n);
    apply(coding, doc, name, value, row);
    for (size_t j = 0; j < n; j++)
        assert_true(fabs(row[j] - wanted[j]) < 1e-12);
}

static void has_names(const gb_coding *coding, size_t n, const char *const *wanted)
{
    assert_int_equal(gb_coding_n_columns(coding), n);
    for (size_t j = 0; j < n; j++)
        assert_string_equal(gb_coding_column_name(coding, j), wanted[j]);
}

/* ---- rules ---- */

static const double SD = 6.3245553203367587; /* of the years: sqrt(200 / 5) */
#define ROW(...) sizeof((double[]){__VA_ARGS__}) / sizeof(double), ((double[]){__VA_ARGS__})

static void every_level_has_a_column_and_labels_have_none(void **state)
{
    (void)state;
    static const char *const names[] = {"year",        "director=Allen", "director=Lynch", "director=Scott",
                                        "companies=x", "companies=y",    "companies=z"};
    gb_coding *coding = make(N_TRAINING, training, NULL, NULL, true);
    has_names(coding, 7, names);
    assert_string_equal(gb_coding_fields(coding), "year:number,director:factor,companies:list");
    has_row(coding, &training[0], NULL, NULL, ROW(-10 / SD, 0, 0, 1, 1, 1, 0));
    has_row(coding, &training[1], NULL, NULL, ROW(0, 0, 1, 0, 0, 0, 0));
    has_row(coding, &training[4], NULL, NULL, ROW(0, 0, 1, 0, 1, 1, 1));
    assert_true(gb_coding_column_centre(coding, 0) == 2000);
    assert_true(fabs(gb_coding_column_scale(coding, 0) - SD) < 1e-12);
    for (size_t j = 1; j < 7; j++)
        assert_true(gb_coding_column_centre(coding, j) == 0 && gb_coding_column_scale(coding, j) == 1);
    gb_coding_free(coding);
}

static void numbers_may_stay_as_they_are(void **state)
{
    (void)state;
    const document missing = {"m", NAN, "Scott", ""};
    gb_coding *coding = make(N_TRAINING, training, NULL, NULL, false);
    has_row(coding, &training[2], NULL, NULL, ROW(2010, 0, 0, 1, 1, 0, 0));
    has_row(coding, &missing, "impute", "mean", ROW(2000, 0, 0, 1, 0, 0, 0));
    assert_true(gb_coding_column_centre(coding, 0) == 0 && gb_coding_column_scale(coding, 0) == 1);
    gb_coding_free(coding);
}

static void missing_numbers_do_not_count_in_mean_and_deviation(void **state)
{
    (void)state;
    document with_gap[N_TRAINING + 1];
    memcpy(with_gap, training, sizeof training);
    with_gap[N_TRAINING] = (document){"f", NAN, "Scott", "x"};
    gb_coding *coding = make(N_TRAINING + 1, with_gap, NULL, NULL, true);
    assert_true(gb_coding_column_centre(coding, 0) == 2000);
    assert_true(fabs(gb_coding_column_scale(coding, 0) - SD) < 1e-12);
    gb_coding_free(coding);
}

static void numbers_of_any_size_have_a_deviation(void **state)
{
    (void)state;
    const document huge[] = {{"a", -1e308, "x", ""}, {"b", 1e308, "x", "c"}, {"c", 1.5e308, "x", ""}};
    const document tiny[] = {{"a", 1e-300, "x", ""}, {"b", 3e-300, "x", "c"}};
    gb_coding *coding = make(3, huge, NULL, NULL, true);
    assert_true(isfinite(gb_coding_column_scale(coding, 0)) && gb_coding_column_scale(coding, 0) > 1e307);
    gb_coding_free(coding);
    coding = make(2, tiny, NULL, NULL, true);
    assert_true(fabs(gb_coding_column_scale(coding, 0) / 1e-300 - 1) < 1e-12);
    apply_fails(coding, &huge[2], NULL, NULL, "document 41 (id \"c\"): covariate \"year\" is too large, 1.5e+308");
    gb_coding_free(coding);
}

static void rare_levels_share_a_column(void **state)
{
    (void)state;
    static const char *const rarer[] = {"year", "companies=x", "companies=y", "companies=(rare)"};
    const document rare = {"r", 2000, "Allen", "z"}, several = {"s", 2000, "Lynch", "xyz"};
    gb_coding *coding = make(N_TRAINING, training, "min-level-count", "2", true);
    static const char *const two[] = {"year",        "director=Lynch", "director=Scott", "director=(rare)",
                                      "companies=x", "companies=y",    "companies=z"};
    has_names(coding, 7, two); /* z has two documents, Allen one */
    has_row(coding, &rare, NULL, NULL, ROW(0, 0, 0, 1, 0, 0, 1));
    gb_coding_free(coding);
    coding = make(N_TRAINING, training, "min-level-count", "3", true);
    has_names(coding, 4, rarer); /* all have a rare director */
    has_row(coding, &rare, NULL, NULL, ROW(0, 0, 0, 1));
    has_row(coding, &several, NULL, NULL, ROW(0, 1, 1, 1));
    gb_coding_free(coding);
    coding = make(N_TRAINING, training, "min-level-count", "100", true);
    assert_int_equal(gb_coding_n_columns(coding), 2);
    has_row(coding, &several, NULL, NULL, ROW(0, 1)); /* two rare levels, one 1 */
    gb_coding_free(coding);
}

static void without_rare_levels_there_is_no_column_for_them(void **state)
{
    (void)state;
    const document even[] = {{"a", 1, "p", "x"}, {"b", 2, "p", "x"}, {"c", 1, "q", "x"}, {"d", 2, "q", "x"}};
    static const char *const names[] = {"year", "director=p", "director=q"};
    gb_coding *coding = make(4, even, "min-level-count", "2", true);
    has_names(coding, 3, names);
    gb_coding_free(coding);
}

static void a_level_called_rare_joins_the_rare_ones(void **state)
{
    (void)state;
    const document odd[] = {
        {"a", 1, "(rare)", ""}, {"b", 2, "(rare)", ""}, {"c", 1, "p", ""}, {"d", 2, "q", ""}, {"e", 2, "q", "x"}};
    static const char *const joined[] = {"year", "director=q", "director=(rare)", "companies=(rare)"};
    static const char *const kept[] = {"year", "director=(rare)", "director=p", "director=q", "companies=x"};
    gb_coding *coding = make(5, odd, "min-level-count", "2", true);
    has_names(coding, 4, joined);
    has_row(coding, &odd[0], NULL, NULL, ROW(-0.6 / sqrt(0.24), 0, 1, 0));
    gb_coding_free(coding);
    coding = make(5, odd, NULL, NULL, true);
    has_names(coding, 5, kept);
    gb_coding_free(coding);
}

static void missing_values_are_errors_or_imputed(void **state)
{
    (void)state;
    const document no_year = {"m1", NAN, "Scott", "x"}, no_director = {"m2", 2010, NULL, "x"},
                   no_companies = {"m3", 2010, "Scott", NULL};
    gb_coding *coding = make(N_TRAINING, training, NULL, NULL, true);
    apply_fails(coding, &no_year, NULL, NULL,
                "document 41 (id \"m1\"): covariate \"year\" is missing; `impute` mean would do without");
    apply_fails(coding, &no_director, NULL, NULL,
                "document 41 (id \"m2\"): covariate \"director\" is missing; `impute` mean would do without");
    apply_fails(coding, &no_companies, "impute", "none",
                "document 41 (id \"m3\"): covariate \"companies\" is missing; `impute` mean would do without");
    has_row(coding, &no_year, "impute", "mean", ROW(0, 0, 0, 1, 1, 0, 0));
    has_row(coding, &no_director, "impute", "mean", ROW(10 / SD, 0, 0, 0, 1, 0, 0));
    has_row(coding, &no_companies, "impute", "mean", ROW(10 / SD, 0, 0, 1, 0, 0, 0));
    gb_coding_free(coding);
}

static void many_missing_values_are_told_in_one_message(void **state)
{
    (void)state;
    const document documents[] = {{"a", NAN, "Scott", "x"},   {"b", 2000, NULL, "x"},  {"c", NAN, NULL, "x"},
                                  {"d", 2000, "Scott", NULL}, {"e", NAN, "Scott", ""}, {"f", 2000, "Scott", "x"},
                                  {"g", 2000, NULL, NULL},    {"h", NAN, "Scott", ""}};
    gb_coding *coding = make(N_TRAINING, training, NULL, NULL, true);
    gb_corpus *corpus = corpus_of(sizeof documents / sizeof documents[0], documents);
    gb_settings *settings = settings_of(NULL, NULL);
    gb_sparse_columns out;
    gb_error err = {0};
    assert_int_equal(gb_coding_apply(coding, corpus, settings, 40, &out, &err), GB_EFORMAT);
    assert_string_equal(err.message,
                        "covariates are missing: \"year\" in 4 documents, \"director\" in 3 documents, "
                        "\"companies\" in 2 documents; the first documents are 41 (id \"a\"), "
                        "42 (id \"b\"), 43 (id \"c\"), 44 (id \"d\"), 45 (id \"e\"); `impute` mean would "
                        "do without");
    gb_settings_free(settings);
    gb_corpus_free(corpus);
    gb_coding_free(coding);
}

/* What training said holds for new documents, unless they say otherwise. */
static void imputing_is_remembered(void **state)
{
    (void)state;
    const document no_year = {"m1", NAN, "Scott", "x"};
    gb_coding *coding = make(N_TRAINING, training, "impute", "mean", true);
    has_row(coding, &no_year, NULL, NULL, ROW(0, 0, 0, 1, 1, 0, 0));
    apply_fails(coding, &no_year, "impute", "none",
                "document 41 (id \"m1\"): covariate \"year\" is missing; `impute` mean would do without");
    gb_coding_free(coding);
}

static void unknown_levels_are_errors_or_nothing(void **state)
{
    (void)state;
    const document new_director = {"n1", 2000, "Varda", "x"}, new_company = {"n2", 2000, "Scott", "xq"};
    gb_coding *coding = make(N_TRAINING, training, "min-level-count", "2", true);
    apply_fails(
        coding, &new_director, NULL, NULL,
        "document 41 (id \"n1\"): covariate \"director\" has the level \"Varda\", which training did not have; "
        "`unknown-level` reference takes the document without it");
    apply_fails(coding, &new_company, NULL, NULL,
                "document 41 (id \"n2\"): covariate \"companies\" has the level \"q\", which training did not have; "
                "`unknown-level` reference takes the document without it");
    has_row(coding, &new_director, "unknown-level", "reference", ROW(0, 0, 0, 0, 1, 0, 0));
    has_row(coding, &new_company, "unknown-level", "reference", ROW(0, 0, 1, 0, 1, 0, 0));
    gb_coding_free(coding);
}

static void lists_constant(const gb_coding *coding, const char *expected)
{
    char *names = NULL;
    assert_int_equal(gb_coding_list_constant(coding, &names, NULL), GB_OK);
    assert_string_equal(names, expected);
    gb_free(names);
}

static gb_coding *by_way_of_json(gb_coding *coding)
{
    gb_coding *again = NULL;
    const gb_sparse_columns none = {.n_docs = 1};
    assert_int_equal(gb_coding_note_means(coding, &none, &none, NULL), GB_OK);
    json_t *object = gb_coding_to_json(coding);
    assert_int_equal(gb_coding_from_json(object, &again, NULL), GB_OK);
    json_decref(object);
    gb_coding_free(coding);
    return again;
}

static void loses(const gb_coding *whole, const gb_coding *part, const char *expected)
{
    char *names = NULL;
    assert_int_equal(gb_coding_list_lost(whole, part, &names, NULL), GB_OK);
    assert_string_equal(names, expected);
    gb_free(names);
}

static void a_part_loses_what_varies_without_it_only(void **state)
{
    (void)state;
    const document part[] = {{"a", 1990, "Scott", "xz"}, {"b", 1990, "Lynch", "z"}, {"d", 1990, "Scott", "xz"}};
    gb_coding *whole = make(N_TRAINING, training, NULL, NULL, true), *some = make(3, part, NULL, NULL, true);
    loses(whole, some, "year, director=Allen, companies=y, companies=z");
    loses(some, whole, "");
    loses(whole, NULL, "");
    gb_coding_free(some);
    gb_coding_free(whole);
    whole = make(N_TRAINING, training, "min-level-count", "2", true);
    some = make(3, part, "min-level-count", "2", true);
    loses(whole, some, "year, director=(rare), companies=y, companies=z"); /* Lynch is rare there */
    gb_coding_free(some);
    gb_coding_free(whole);
}

static void what_does_not_vary_has_no_column(void **state)
{
    (void)state;
    const document constant[] = {{"a", 5, "p", "x"}, {"b", 5, "p", "xy"}, {"c", 5, "p", "x"}};
    const document varied = {"v", 77, "p", "y"}, no_company = {"n", 5, "p", ""};
    gb_coding *coding = make(3, constant, NULL, NULL, true);
    assert_int_equal(gb_coding_n_columns(coding), 1);
    assert_string_equal(gb_coding_column_name(coding, 0), "companies=y");
    lists_constant(coding, "year, director, companies=x");
    coding = by_way_of_json(coding);
    lists_constant(coding, "year, director, companies=x");
    has_row(coding, &varied, NULL, NULL, ROW(1));
    has_row(coding, &no_company, NULL, NULL, ROW(0));
    gb_coding_free(coding);
}

static void rare_levels_that_all_documents_have_are_no_column(void **state)
{
    (void)state;
    const document rare[] = {{"a", 1, "p", "xv"}, {"b", 2, "q", "yv"}, {"c", 3, "r", "zv"}};
    gb_coding *coding = make(3, rare, "min-level-count", "2", false);
    assert_int_equal(gb_coding_n_columns(coding), 1);
    assert_string_equal(gb_coding_column_name(coding, 0), "year");
    lists_constant(coding, "director, companies");
    has_row(coding, &rare[1], NULL, NULL, ROW(2));
    gb_coding_free(coding);
}

static void what_no_document_has_is_no_column(void **state)
{
    (void)state;
    const document zero[] = {{"a", 0, "p", "x"}, {"b", 0, "q", ""}};
    const document no_number[] = {{"a", NAN, "p", "x"}, {"b", NAN, "q", ""}};
    const document nothing[] = {{"a", 1, NULL, ""}, {"b", 2, NULL, ""}};
    gb_coding *coding = make(2, zero, NULL, NULL, true);
    assert_int_equal(gb_coding_n_columns(coding), 3);
    lists_constant(coding, "year");
    gb_coding_free(coding);
    coding = make(2, no_number, "impute", "mean", true);
    assert_int_equal(gb_coding_n_columns(coding), 3);
    lists_constant(coding, "year");
    has_row(coding, &no_number[1], NULL, NULL, ROW(0, 1, 0));
    gb_coding_free(coding);
    coding = make(2, nothing, "impute", "mean", false);
    assert_int_equal(gb_coding_n_columns(coding), 1);
    lists_constant(coding, "director, companies");
    has_row(coding, &nothing[1], NULL, NULL, ROW(2));
    gb_coding_free(coding);
}

/* ---- other corpora ---- */

static void a_corpus_without_covariates_has_an_empty_coding(void **state)
{
    (void)state;
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    gb_coding *coding = NULL;
    gb_sparse_columns x;
    size_t field;
    gb_settings *settings = settings_of(NULL, NULL);
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_labels(b, "genre", false, &field, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_numbers(b, "rating", GB_ROLE_RESPONSE, &field, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_document(b, "a", 1, NULL), GB_OK);
    assert_int_equal(gb_corpus_builder_finish(b, NULL, NULL, &corpus, NULL), GB_OK);
    assert_int_equal(gb_coding_make(corpus, settings, true, &coding, NULL), GB_OK);
    assert_int_equal(gb_coding_n_columns(coding), 0);
    assert_string_equal(gb_coding_fields(coding), "");
    assert_int_equal(gb_coding_apply(coding, corpus, settings, 0, &x, NULL), GB_OK);
    assert_int_equal(x.doc_start[1], 0);
    gb_sparse_columns_clear(&x);
    gb_coding_free(coding);
    gb_corpus_builder_free(b);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
}

/* One document with a single covariate called `name`: a number or a factor or a list. */
static gb_corpus *corpus_with(const char *name, bool number, bool several)
{
    gb_corpus_builder *b = NULL;
    gb_corpus *corpus = NULL;
    size_t field;
    assert_int_equal(gb_corpus_builder_create(&b, NULL), GB_OK);
    assert_int_equal(number ? gb_corpus_builder_numbers(b, name, GB_ROLE_COVARIATE, &field, NULL)
                            : gb_corpus_builder_factor(b, name, several, &field, NULL),
                     GB_OK);
    assert_int_equal(gb_corpus_builder_document(b, "a", 1, NULL), GB_OK);
    assert_int_equal(number ? gb_corpus_builder_number(b, field, 1, NULL)
                            : gb_corpus_builder_class(b, field, "p", 1, NULL),
                     GB_OK);
    assert_int_equal(gb_corpus_builder_finish(b, NULL, NULL, &corpus, NULL), GB_OK);
    gb_corpus_builder_free(b);
    return corpus;
}

static void fields_must_be_there_and_of_the_same_kind(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool number, several;
        const char *message;
    } cases[] = {
        {"month", true, false, "documents have no covariate \"year\", with which the model was trained"},
        {"year", false, false, "covariate \"year\" is a factor here and was a number in training"},
        {"year", false, true, "covariate \"year\" is a list here and was a number in training"},
    };
    gb_coding *coding = make(N_TRAINING, training, NULL, NULL, true), *factor = NULL;
    gb_settings *settings = settings_of(NULL, NULL);
    gb_error err = {.status = GB_OK};
    gb_sparse_columns x;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        gb_corpus *corpus = corpus_with(cases[i].name, cases[i].number, cases[i].several);
        assert_int_equal(gb_coding_apply(coding, corpus, settings, 0, &x, &err), GB_EFORMAT);
        assert_string_equal(err.message, cases[i].message);
        gb_corpus_free(corpus);
    }
    gb_corpus *levels = corpus_with("year", false, false), *number = corpus_with("year", true, false);
    assert_int_equal(gb_coding_make(levels, settings, true, &factor, NULL), GB_OK);
    assert_int_equal(gb_coding_apply(factor, number, settings, 0, &x, &err), GB_EFORMAT);
    assert_string_equal(err.message, "covariate \"year\" is a number here and was a factor in training");
    gb_corpus_free(levels);
    gb_corpus_free(number);
    gb_coding_free(factor);
    gb_coding_free(coding);
    gb_settings_free(settings);
}

/* ---- JSON ---- */

static void a_coding_survives_the_way_through_json(void **state)
{
    (void)state;
    document uneven[N_TRAINING];
    memcpy(uneven, training, sizeof training);
    uneven[0].year = 1990.1; /* mean and deviation need all digits */
    gb_coding *coding = make(N_TRAINING, uneven, "min-level-count", "2", true), *again = NULL;
    gb_corpus *corpus = corpus_of(N_TRAINING, uneven);
    gb_settings *settings = settings_of(NULL, NULL);
    gb_sparse_columns x;
    assert_int_equal(gb_coding_apply(coding, corpus, settings, 0, &x, NULL), GB_OK);
    assert_int_equal(gb_coding_note_means(coding, &x, &(gb_sparse_columns){0}, NULL), GB_OK);
    gb_sparse_columns_clear(&x);
    gb_corpus_free(corpus);
    gb_settings_free(settings);
    json_t *object = gb_coding_to_json(coding);
    char *text = json_dumps(object, JSON_COMPACT);
    json_t *parsed = json_loads(text, 0, NULL);
    double row[20], other[20];
    assert_int_equal(gb_coding_from_json(parsed, &again, NULL), GB_OK);
    assert_string_equal(gb_coding_fields(again), gb_coding_fields(coding));
    assert_int_equal(gb_coding_n_columns(again), gb_coding_n_columns(coding));
    for (size_t j = 0; j < gb_coding_n_columns(coding); j++) {
        assert_string_equal(gb_coding_column_name(again, j), gb_coding_column_name(coding, j));
        assert_true(gb_coding_column_scale(again, j) == gb_coding_column_scale(coding, j));
        assert_true(gb_coding_column_centre(again, j) == gb_coding_column_centre(coding, j));
        assert_true(gb_coding_column_mean(again, j) == gb_coding_column_mean(coding, j));
    }
    for (size_t d = 0; d < N_TRAINING; d++) {
        apply(coding, &uneven[d], NULL, NULL, row);
        apply(again, &uneven[d], NULL, NULL, other);
        assert_memory_equal(row, other, gb_coding_n_columns(coding) * sizeof *row);
    }
    free(text);
    json_decref(parsed);
    json_decref(object);
    gb_coding_free(coding);
    gb_coding_free(again);
}

static void damaged_json_is_refused(void **state)
{
    (void)state;
#define FIELDS(text) "{\"impute\":\"none\",\"fields\":[" text "]}"
#define FACTOR(text) FIELDS("{\"name\":\"f\",\"kind\":\"factor\"," text "}")
#define NUMBER(text) FIELDS("{\"name\":\"n\",\"kind\":\"number\"," text "}")
    static const char *const damaged[] = {
        "{}",
        "[]",
        "{\"impute\":\"none\",\"fields\":{}}",
        "{\"impute\":\"some\",\"fields\":[]}",
        "{\"fields\":[]}",
        FIELDS("3"),
        FIELDS("{}"),
        FIELDS("{\"name\":\"\",\"kind\":\"factor\",\"levels\":[\"a\"],\"rare\":[]}"),
        FIELDS("{\"name\":\"a\\nb\",\"kind\":\"factor\",\"levels\":[\"a\"],\"rare\":[]}"),
        FIELDS("{\"name\":\"f\",\"kind\":\"colour\",\"levels\":[\"a\"],\"rare\":[]}"),
        FIELDS("{\"name\":\"f\",\"levels\":[\"a\"],\"rare\":[]}"),
        FIELDS("{\"name\":\"f\",\"kind\":\"factor\",\"levels\":[\"a\"],\"rare\":[]},"
               "{\"name\":\"f\",\"kind\":\"list\",\"levels\":[\"a\"],\"rare\":[]}"),
        FACTOR("\"levels\":[],\"rare\":[]"),
        FACTOR("\"levels\":[\"a\"]"),
        FACTOR("\"levels\":\"a\",\"rare\":[]"),
        FACTOR("\"levels\":[1],\"rare\":[]"),
        FACTOR("\"levels\":[\"\"],\"rare\":[]"),
        FACTOR("\"levels\":[\"b\",\"a\"],\"rare\":[]"),
        FACTOR("\"levels\":[\"a\",\"a\"],\"rare\":[]"),
        FACTOR("\"levels\":[\"a\",\"b\"],\"rare\":[\"b\"]"),
        FACTOR("\"levels\":[\"(rare)\"],\"rare\":[\"b\"]"),
        FACTOR("\"levels\":[\"a\"],\"rare\":[\"c\",\"b\"]"),
        FACTOR("\"levels\":[\"a\"],\"rare\":[],\"constant\":[\"a\"]"),
        FACTOR("\"levels\":[],\"rare\":[\"a\"],\"constant\":[\"a\"]"),
        FACTOR("\"levels\":[],\"rare\":[],\"constant\":\"a\""),
        NUMBER("\"mean\":0,\"centre\":0"),
        NUMBER("\"mean\":0,\"centre\":0,\"scale\":-1"),
        NUMBER("\"mean\":\"0\",\"centre\":0,\"scale\":1"),
    };
    for (size_t i = 0; i < sizeof damaged / sizeof damaged[0]; i++) {
        gb_error err = {.status = GB_OK};
        gb_coding *coding = NULL;
        json_t *object = json_loads(damaged[i], 0, NULL);
        assert_non_null(object);
        if (gb_coding_from_json(object, &coding, &err) != GB_EFORMAT)
            fail_msg("taken: %s", damaged[i]);
        assert_null(coding);
        assert_memory_equal(err.message, "the model's covariates are damaged: ", 36);
        assert_null(strstr(err.message, "means")); /* which all lack */
        json_decref(object);
    }
    gb_coding *coding = NULL;
    json_t *sound = json_loads(
        "{\"impute\":\"none\",\"fields\":[{\"name\":\"f\",\"kind\":\"factor\",\"levels\":[\"a\",\"c\"],\"rare\":["
        "\"b\"]},"
        "{\"name\":\"n\",\"kind\":\"number\",\"mean\":0,\"centre\":0,\"scale\":1}],\"means\":[0.5,0.25,0.25,0]}",
        0, NULL);
    assert_int_equal(gb_coding_from_json(sound, &coding, NULL),
                     GB_OK); /* what the others would be without the fault */
    assert_int_equal(gb_coding_n_columns(coding), 4);
    gb_coding_free(coding);
    json_decref(sound);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_level_has_a_column_and_labels_have_none),
        cmocka_unit_test(numbers_may_stay_as_they_are),
        cmocka_unit_test(many_missing_values_are_told_in_one_message),
        cmocka_unit_test(missing_numbers_do_not_count_in_mean_and_deviation),
        cmocka_unit_test(numbers_of_any_size_have_a_deviation),
        cmocka_unit_test(rare_levels_share_a_column),
        cmocka_unit_test(without_rare_levels_there_is_no_column_for_them),
        cmocka_unit_test(a_level_called_rare_joins_the_rare_ones),
        cmocka_unit_test(missing_values_are_errors_or_imputed),
        cmocka_unit_test(imputing_is_remembered),
        cmocka_unit_test(unknown_levels_are_errors_or_nothing),
        cmocka_unit_test(a_part_loses_what_varies_without_it_only),
        cmocka_unit_test(what_does_not_vary_has_no_column),
        cmocka_unit_test(rare_levels_that_all_documents_have_are_no_column),
        cmocka_unit_test(what_no_document_has_is_no_column),
        cmocka_unit_test(a_corpus_without_covariates_has_an_empty_coding),
        cmocka_unit_test(fields_must_be_there_and_of_the_same_kind),
        cmocka_unit_test(a_coding_survives_the_way_through_json),
        cmocka_unit_test(damaged_json_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
