/* Targets, covariates, exposures and document weights out of every format. */
#include "helper_documents.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/readers/stream.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The numbers of a field with blanks between, - for a missing one; in static memory. */
static const char *numbers_of(const gb_corpus *c, size_t field)
{
    static char out[4096];
    char number[GB_REAL_SIZE];
    size_t length = 0;
    assert_true(field < c->n_numbers);
    out[0] = '\0';
    for (uint64_t d = 0; d < c->n_docs; d++) {
        double value = c->numbers[field].value[d];
        gb_text_from_real(isnan(value) ? 0 : value, number);
        length += (size_t)snprintf(out + length, sizeof out - length, "%s%s", d == 0 ? "" : " ",
                                   isnan(value) ? "-" : number);
        assert_true(length < sizeof out);
    }
    return out;
}

/* Fields and roles in one line: "genre:label year:covariate | score:response". */
static const char *fields_of(const gb_corpus *c)
{
    static const char *const roles[] = {"response", "covariate", "exposure", "weight"};
    static char out[1024];
    size_t length = 0;
    out[0] = '\0';
    for (size_t i = 0; i < c->n_labels; i++)
        length += (size_t)snprintf(out + length, sizeof out - length, "%s:%s%s ", c->labels[i].name,
                                   roles[c->labels[i].role], c->labels[i].several ? "s" : "");
    length += (size_t)snprintf(out + length, sizeof out - length, "|");
    for (size_t i = 0; i < c->n_numbers; i++)
        length += (size_t)snprintf(out + length, sizeof out - length, " %s:%s", c->numbers[i].name,
                                   roles[c->numbers[i].role]);
    assert_true(length < sizeof out);
    return out;
}

static gb_corpus *films(const char *path)
{
    return corpus_of(path, "label", "genre", "labels", "tags", "target", "score", "target", "votes", "covariates",
                     "year,director,companies:list", "covariates", "code:factor", "exposure", "readers",
                     "document-weight", "weight", NULL);
}

static void assert_films(const gb_corpus *c)
{
    assert_string_equal(fields_of(c), "genre:response tags:responses director:covariate companies:covariates "
                                      "code:covariate | score:response votes:response year:covariate "
                                      "readers:exposure weight:weight");
    assert_string_equal(classes_of(c, 0), "comedy drama -");
    assert_string_equal(classes_of(c, 1), "x,y {} -");
    assert_string_equal(classes_of(c, 2), "Varda Ozu -");
    assert_string_equal(classes_of(c, 3), "a,b {} -");
    assert_string_equal(classes_of(c, 4), "7 8 -");
    assert_string_equal(numbers_of(c, 0), "7.5 -0.125 -");
    assert_string_equal(numbers_of(c, 1), "1000 - 3");
    assert_string_equal(numbers_of(c, 2), "1962 1953 -");
    assert_string_equal(numbers_of(c, 3), "0.5 100 -");
    assert_string_equal(numbers_of(c, 4), "0 2 -");
}

static const char *const films_csv = "id,text,genre,tags,score,votes,year,director,companies,code,readers,weight\n"
                                     "1,cat,comedy,\"y,x\", 7.5 ,1e3,1962,Varda,\"b,a\",7,0.5,0\n"
                                     "2,dog,drama,\",\",-.125,NA,1953,Ozu,\",\",8,100,+2\n"
                                     "3,cat,,,?,3,NA,?,NA,,,\n";

static void tables_have_fields_of_every_kind(void **state)
{
    (void)state;
    char tsv[1024];
    write_file("a.csv", films_csv);
    gb_corpus *c = films("a.csv");
    assert_films(c);
    gb_corpus_free(c);
    write_file("a.tsv", "id\ttext\tgenre\ttags\tscore\tvotes\tyear\tdirector\tcompanies\tcode\treaders\tweight\n"
                        "1\tcat\tcomedy\ty,x\t7.5\t1e3\t1962\tVarda\tb,a\t7\t0.5\t0\n"
                        "2\tdog\tdrama\t,\t-.125\tNA\t1953\tOzu\t,\t8\t100\t2\n"
                        "3\tcat\t\t\t?\t3\tNA\t?\tNA\t\t\t\n");
    c = films("a.tsv");
    assert_films(c);
    gb_corpus_free(c);
    (void)snprintf(tsv, sizeof tsv, "5\tcat\t1\n6\tdog\tu\n");
    write_file("b.tsv", tsv);
    c = corpus_of("b.tsv", "text", "#2", "target", "#1", "covariates", "#3", NULL);
    assert_string_equal(fields_of(c), "#3:covariate | #1:response");
    assert_string_equal(numbers_of(c, 0), "5 6");
    gb_corpus_free(c);
}

static void json_has_fields_of_every_kind(void **state)
{
    (void)state;
    write_file(
        "a.jsonl",
        "{\"text\": \"cat\", \"genre\": \"comedy\", \"tags\": [\"y\", \"x\"], \"score\": 7.5, \"votes\": 1000, "
        "\"year\": \"1962\", \"director\": \"Varda\", \"companies\": [\"b\", \"a\"], \"code\": 7, "
        "\"readers\": 0.5, \"weight\": 0}\n"
        "{\"text\": \"dog\", \"genre\": \"drama\", \"tags\": [], \"score\": \"-0.125\", \"votes\": null, "
        "\"year\": 1953, \"director\": \"Ozu\", \"companies\": [], \"code\": 8, \"readers\": 1e2, "
        "\"weight\": 2.0}\n"
        "{\"text\": \"cat\", \"votes\": 3, \"director\": null, \"score\": \"NA\", \"readers\": \"?\"}\n");
    gb_corpus *c = films("a.jsonl");
    assert_films(c);
    gb_corpus_free(c);
}

static void metadata_has_fields_of_every_kind(void **state)
{
    (void)state;
    write_file("m.csv", films_csv);
    write_file("docs.jsonl", "{\"id\": 1, \"text\": \"cat\"}\n{\"id\": 2, \"text\": \"dog\"}\n"
                             "{\"id\": 3, \"text\": \"cat\"}\n");
    write_file("docs.svm", "9 1:1\n8 2:1\n7 1:1\n");
    write_file("docs.uci", "1 1 1\n2 2 1\n3 1 1\n");
    static const char *const docs[] = {"docs.jsonl", "docs.svm", "docs.uci"};
    for (size_t i = 0; i < 3; i++) {
        gb_corpus *c = corpus_of(docs[i], "format", docs[i][5] == 'u' ? "uci" : "auto", "metadata", "m.csv", "label",
                                 "genre", "labels", "tags", "target", "score", "target", "votes", "covariates",
                                 "year,director,companies:list,code:factor", "exposure", "readers", "document-weight",
                                 "weight", NULL);
        assert_films(c);
        gb_corpus_free(c);
    }
    assert_fails(GB_EFORMAT, "m.csv:2: the target \"director\": \"Varda\" is not a finite number", "docs.jsonl",
                 "metadata", "m.csv", "target", "director");
    assert_fails(GB_EFORMAT, "m.csv:3: the exposure \"score\": \"-.125\" is not above 0", "docs.jsonl", "metadata",
                 "m.csv", "exposure", "score");
}

static void a_document_without_a_row_misses_its_numbers(void **state)
{
    (void)state;
    write_file("m.csv", "id,y,f\n2,5,u\n");
    write_file("docs.jsonl", "{\"id\": 1, \"text\": \"cat\"}\n{\"id\": 2, \"text\": \"dog\"}\n");
    gb_corpus *c = corpus_of("docs.jsonl", "metadata", "m.csv", "target", "y", "covariates", "f", NULL);
    assert_string_equal(numbers_of(c, 0), "- 5");
    assert_string_equal(classes_of(c, 0), "- u");
    gb_corpus_free(c);
}

static void the_first_column_of_svmlight_can_be_a_number(void **state)
{
    (void)state;
    write_file("a.svm", "+2.5 1:1\n1:1 2:1\n? 1:1\n-1e-3 2:1\n");
    gb_corpus *c = corpus_of("a.svm", "target", "y", NULL);
    assert_string_equal(fields_of(c), "| y:response");
    assert_string_equal(numbers_of(c, 0), "2.5 - - -0.001");
    gb_corpus_free(c);
    c = corpus_of("a.svm", "covariates", "label", NULL);
    assert_string_equal(fields_of(c), "| label:covariate");
    gb_corpus_free(c);
    write_file("a.svm", "1 1:1\nhigh 1:1\n");
    assert_fails(GB_EFORMAT, "a.svm:2: the target \"y\": \"high\" is not a finite number", "a.svm", "target", "y");
    write_file("a.svm", "1,2 1:1\n");
    assert_fails(GB_EFORMAT, "a.svm:1: several values \"1,2\"; a number is expected", "a.svm", "target", "y");
    assert_fails(GB_EARGUMENT,
                 "a.svm: this format has one field, not \"x\" and \"label\"; `metadata` names a table "
                 "with more",
                 "a.svm", "covariates", "x");
}

static void a_folder_can_be_a_number_or_a_covariate(void **state)
{
    (void)state;
    write_archive("a.tar", "ustar", "1/x.txt", "cat", "20/y.txt", "dog", NULL);
    gb_corpus *c = corpus_of("a.tar", "format", "dir", "target", "folder", NULL);
    assert_string_equal(fields_of(c), "| folder:response");
    assert_string_equal(numbers_of(c, 0), "1 20");
    gb_corpus_free(c);
    c = corpus_of("a.tar", "format", "dir", "covariates", "folder:factor", NULL);
    assert_string_equal(fields_of(c), "folder:covariate |");
    gb_corpus_free(c);
}

static void values_that_are_no_numbers_are_named(void **state)
{
    (void)state;
    static const char *const bad[] = {"high",  "1.5,2", "NAN", "inf", "-Infinity",
                                      "1e999", "0x10",  "1 2", "--1", "1.5.2"};
    char text[256], message[256];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        (void)snprintf(text, sizeof text, "text,y\ncat,1\ndog,\"%s\"\n", bad[i]);
        (void)snprintf(message, sizeof message, "a.csv:3: the target \"y\": \"%s\" is not a finite number%s", bad[i],
                       strpbrk(bad[i], "0123456789") == NULL
                           ? ""
                           : "; it has a decimal point, nothing between thousands, and no unit");
        write_file("a.csv", text);
        assert_fails(GB_EFORMAT, message, "a.csv", "target", "y");
    }
    write_file("a.jsonl", "{\"text\": \"cat\", \"y\": 1}\n{\"text\": \"dog\", \"y\": true}\n");
    assert_fails(GB_EFORMAT, "a.jsonl:2: the target \"y\": \"true\" is not a finite number", "a.jsonl", "target",
                 "y");
    write_file("a.csv", "text,y\ncat,0\n");
    assert_fails(GB_EFORMAT, "a.csv:2: the exposure \"y\": \"0\" is not above 0", "a.csv", "exposure", "y");
    write_file("a.csv", "text,y\ncat,-1\n");
    assert_fails(GB_EFORMAT, "a.csv:2: the document weight \"y\": \"-1\" is below 0", "a.csv", "document-weight",
                 "y");
    write_file("a.csv", "text,y\ncat,old\n");
    assert_fails(GB_EFORMAT, "a.csv:2: the covariate \"y\": \"old\" is not a finite number", "a.csv", "covariates",
                 "y:number");
}

static void lists_go_only_where_lists_are_asked_for(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"cat\", \"y\": \"u\"}\n{\"text\": \"dog\", \"y\": [\"u\", \"v\"]}\n");
    assert_fails(GB_EFORMAT, "a.jsonl:2: the field \"y\" is a list; `covariates` FIELD:list takes lists", "a.jsonl",
                 "covariates", "y");
    assert_fails(GB_EFORMAT, "a.jsonl:2: the field \"y\" is a list; `covariates` FIELD:list takes lists", "a.jsonl",
                 "covariates", "y:factor");
    write_file("a.jsonl", "{\"text\": \"dog\", \"y\": [1]}\n");
    assert_fails(GB_EFORMAT, "a.jsonl:1: the field \"y\" is a list; a number is expected", "a.jsonl", "target", "y");
    write_file("a.jsonl", "{\"text\": \"cat\", \"y\": \"u\"}\n{\"text\": \"dog\", \"y\": [\"u\", \"v\"]}\n");
    gb_corpus *c = corpus_of("a.jsonl", "covariates", "y:list", NULL);
    assert_string_equal(classes_of(c, 0), "u u,v");
    gb_corpus_free(c);
    write_file("a.csv", "text,y\ncat,u;v\n");
    c = corpus_of("a.csv", "covariates", "y:list", "label-separator", ";", NULL);
    assert_string_equal(classes_of(c, 0), "u,v");
    gb_corpus_free(c);
}

static void names_of_fields_are_checked(void **state)
{
    (void)state;
    write_file("a.csv", "text,y,a:b,c:list\ncat,1,2,\"3,4\"\n");
    gb_corpus *c = corpus_of("a.csv", "covariates", "a:b,c:list:list", NULL);
    assert_string_equal(fields_of(c), "c:list:covariates | a:b:covariate");
    gb_corpus_free(c);
    assert_fails(GB_EARGUMENT, "the field \"y\" is given twice", "a.csv", "label", "y", "target", "y");
    assert_fails(GB_EARGUMENT, "the field \"y\" is given twice", "a.csv", "covariates", "y,y:factor");
    assert_fails(GB_EARGUMENT, "the field \"y\" is given twice", "a.csv", "exposure", "y", "document-weight", "y");
    assert_fails(GB_EARGUMENT, "`covariates` \"y,\": a field without a name", "a.csv", "covariates", "y,");
    assert_fails(GB_EARGUMENT, "`covariates` \":number\": a field without a name", "a.csv", "covariates", ":number");
    assert_fails(GB_EFORMAT, "a.csv:1: no column \"z\"; the columns are text, y, a:b, c:list", "a.csv", "target",
                 "z");
    write_file("a.jsonl", "{\"text\": \"cat\"}\n");
    assert_fails(GB_EFORMAT, "a.jsonl: no document has a field \"z\"; the fields are text", "a.jsonl", "covariates",
                 "z:number");
}

/* ---- corpus files -------------------------------------------------------------------------------------- */

static void import(const char *from, const char *to)
{
    gb_corpus *c = films(from);
    assert_int_equal(gb_corpus_write(c, to, true, NULL), GB_OK);
    gb_corpus_free(c);
}

static void a_corpus_file_brings_all_its_fields(void **state)
{
    (void)state;
    write_file("a.csv", films_csv);
    import("a.csv", "a.gbc");
    gb_corpus *c = corpus_of("a.gbc", NULL);
    assert_films(c);
    gb_corpus_free(c);
    c = corpus_of("a.gbc", "max-df", "1.0", NULL); /* document by document */
    assert_films(c);
    gb_corpus_free(c);
}

static void fields_of_a_corpus_file_can_be_chosen(void **state)
{
    (void)state;
    static const char *const max_df[] = {"1.0", NULL}; /* document by document, and at once */
    write_file("a.csv", films_csv);
    import("a.csv", "a.gbc");
    for (size_t i = 0; i < 2; i++) {
        const char *last = max_df[i] == NULL ? NULL : "max-df";
        gb_corpus *c = corpus_of("a.gbc", "target", "votes", "target", "score", last, max_df[i], NULL);
        assert_string_equal(fields_of(c), "director:covariate companies:covariates code:covariate | votes:response "
                                          "score:response year:covariate readers:exposure weight:weight");
        assert_string_equal(numbers_of(c, 0), "1000 - 3");
        assert_string_equal(numbers_of(c, 1), "7.5 -0.125 -");
        assert_string_equal(classes_of(c, 0), "Varda Ozu -");
        gb_corpus_free(c);
        c = corpus_of("a.gbc", "covariates", "companies,year:number,code:factor", "labels", "genre", last, max_df[i],
                      NULL);
        assert_string_equal(fields_of(c), "genre:responses companies:covariates code:covariate | year:covariate "
                                          "readers:exposure weight:weight");
        assert_string_equal(classes_of(c, 0), "comedy drama -");
        assert_string_equal(classes_of(c, 1), "a,b {} -");
        assert_string_equal(numbers_of(c, 0), "1962 1953 -");
        gb_corpus_free(c);
    }
}

static void what_a_corpus_file_does_not_have_is_refused(void **state)
{
    (void)state;
    static const char *const max_df[] = {"1.0", NULL};
    write_file("a.csv", films_csv);
    import("a.csv", "a.gbc");
    for (size_t i = 0; i < 2; i++) {
        const char *last = max_df[i] == NULL ? NULL : "max-df";
        assert_fails(GB_EFORMAT, "a.gbc: no target \"z\"", "a.gbc", "target", "z", last, max_df[i]);
        assert_fails(GB_EFORMAT, "a.gbc: no label field \"z\"", "a.gbc", "label", "z", last, max_df[i]);
        assert_fails(GB_EARGUMENT, "a.gbc: the field \"genre\" is stored as label, not as target; import it again",
                     "a.gbc", "target", "genre", last, max_df[i]);
        assert_fails(GB_EARGUMENT,
                     "a.gbc: the field \"score\" is stored as target, not as covariate; import it again", "a.gbc",
                     "covariates", "score", last, max_df[i]);
        assert_fails(GB_EARGUMENT, "a.gbc: the covariate \"year\" is a number there, not a factor; import it again",
                     "a.gbc", "covariates", "year:factor", last, max_df[i]);
        assert_fails(GB_EARGUMENT,
                     "a.gbc: the covariate \"director\" is a factor there, not a number; import it again", "a.gbc",
                     "covariates", "director:number", last, max_df[i]);
        assert_fails(GB_EARGUMENT,
                     "a.gbc: the covariate \"companies\" is a list there, not a factor; import it again", "a.gbc",
                     "covariates", "companies:factor", last, max_df[i]);
        assert_fails(GB_EARGUMENT,
                     "a.gbc: the label field \"tags\" has several classes per document; it takes `labels`", "a.gbc",
                     "label", "tags", last, max_df[i]);
    }
}

static void metadata_replaces_the_fields_of_its_roles(void **state)
{
    (void)state;
    write_file("a.csv", films_csv);
    import("a.csv", "a.gbc");
    write_file("m.csv", "id,y\n1,4\n3,6\n");
    gb_corpus *c = corpus_of("a.gbc", "metadata", "m.csv", "target", "y", NULL);
    assert_string_equal(fields_of(c), "director:covariate companies:covariates code:covariate | y:response "
                                      "year:covariate readers:exposure weight:weight");
    assert_string_equal(numbers_of(c, 0), "4 - 6");
    assert_string_equal(numbers_of(c, 1), "1962 1953 -");
    assert_string_equal(classes_of(c, 1), "a,b {} -");
    gb_corpus_free(c);
    c = corpus_of("a.gbc", "metadata", "m.csv", "covariates", "y", NULL);
    assert_string_equal(fields_of(c), "genre:response tags:responses | y:covariate score:response votes:response "
                                      "readers:exposure weight:weight");
    assert_string_equal(classes_of(c, 1), "x,y {} -");
    assert_string_equal(numbers_of(c, 0), "4 - 6");
    assert_string_equal(numbers_of(c, 4), "0 2 -");
    gb_corpus_free(c);
}

static void metadata_without_a_target_leaves_the_label_of_the_format(void **state)
{
    (void)state;
    write_archive("a.tar", "ustar", "u/x.txt", "cat", "v/y.txt", "dog", NULL);
    write_file("m.csv", "id,year,country\nu/x.txt,1962,F\nv/y.txt,1953,J\n");
    gb_corpus *c = corpus_of("a.tar", "format", "dir", "metadata", "m.csv", "covariates", "year,country", NULL);
    assert_string_equal(fields_of(c), "country:covariate folder:response | year:covariate");
    assert_string_equal(classes_of(c, 0), "F J");
    assert_string_equal(classes_of(c, 1), "u v");
    assert_string_equal(numbers_of(c, 0), "1962 1953");
    gb_corpus_free(c);
    write_file("a.svm", "+1 1:1\n-1 2:1\n");
    write_file("m.tsv", "year\n1962\n1953\n");
    c = corpus_of("a.svm", "metadata", "m.tsv", "covariates", "year", NULL);
    assert_string_equal(fields_of(c), "label:response | year:covariate");
    assert_string_equal(classes_of(c, 0), "1 -1");
    gb_corpus_free(c);
    c = corpus_of("a.svm", "metadata", "m.tsv", "target", "year", NULL);
    assert_string_equal(fields_of(c), "| year:response");
    gb_corpus_free(c);
}

/* ---- streams ------------------------------------------------------------------------------------------- */

static gb_corpus *batch_of(gb_stream *s, size_t n)
{
    gb_corpus *c = NULL;
    uint64_t *unknown = NULL;
    assert_int_equal(gb_stream_next(s, n, &c, &unknown, NULL), GB_OK);
    gb_free(unknown);
    return c;
}

/* What values say a covariate is must not change from batch to batch: it must have a kind. */
static void batches_agree_on_the_kinds_of_fields(void **state)
{
    (void)state;
    write_file("a.csv", "text,y,year,code\ncat,1,1962,7\ndog,,?,8\ncat,3,1950s,9\n");
    gb_corpus *model = corpus_of("a.csv", NULL);
    gb_settings *settings = settings_of("target", "y", "covariates", "year,code:number", NULL);
    gb_stream *s = NULL;
    gb_error err;
    gb_corpus *c = NULL;
    uint64_t *unknown = NULL;
    assert_int_equal(gb_stream_open(&s, "a.csv", settings, &model->vocabulary, model->preparation, NULL, NULL),
                     GB_OK);
    assert_int_equal(gb_stream_next(s, 2, &c, &unknown, &err), GB_EARGUMENT);
    gb_stream_close(s);
    assert_string_equal(err.message, "`covariates` year: the model does not say what it is: year:number, year:factor "
                                     "or year:list does");
    gb_settings_free(settings);
    settings = settings_of("target", "y", "covariates", "year:factor,code:number", NULL);
    assert_int_equal(gb_stream_open(&s, "a.csv", settings, &model->vocabulary, model->preparation, NULL, NULL),
                     GB_OK);
    gb_settings_free(settings);
    c = batch_of(s, 2);
    assert_string_equal(fields_of(c), "year:covariate | y:response code:covariate");
    assert_string_equal(classes_of(c, 0), "1962 -");
    assert_string_equal(numbers_of(c, 0), "1 -");
    assert_string_equal(numbers_of(c, 1), "7 8");
    gb_corpus_free(c);
    c = batch_of(s, 2);
    assert_string_equal(fields_of(c), "year:covariate | y:response code:covariate");
    assert_string_equal(classes_of(c, 0), "1950s");
    assert_string_equal(numbers_of(c, 0), "3");
    gb_corpus_free(c);
    assert_null(batch_of(s, 2));
    gb_stream_close(s);
    gb_corpus_free(model);
}

static void a_corpus_file_streams_with_its_fields(void **state)
{
    (void)state;
    write_file("a.csv", films_csv);
    import("a.csv", "a.gbc");
    gb_corpus *model = corpus_of("a.gbc", NULL);
    gb_settings *settings = settings_of(NULL);
    gb_stream *s = NULL;
    assert_int_equal(gb_stream_open(&s, "a.gbc", settings, &model->vocabulary, model->preparation, NULL, NULL),
                     GB_OK);
    gb_settings_free(settings);
    gb_corpus *c = batch_of(s, 10);
    assert_films(c);
    gb_corpus_free(c);
    gb_stream_close(s);
    gb_corpus_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_fields_of_every_kind),
        cmocka_unit_test(json_has_fields_of_every_kind),
        cmocka_unit_test(metadata_has_fields_of_every_kind),
        cmocka_unit_test(a_document_without_a_row_misses_its_numbers),
        cmocka_unit_test(the_first_column_of_svmlight_can_be_a_number),
        cmocka_unit_test(a_folder_can_be_a_number_or_a_covariate),
        cmocka_unit_test(values_that_are_no_numbers_are_named),
        cmocka_unit_test(lists_go_only_where_lists_are_asked_for),
        cmocka_unit_test(names_of_fields_are_checked),
        cmocka_unit_test(a_corpus_file_brings_all_its_fields),
        cmocka_unit_test(fields_of_a_corpus_file_can_be_chosen),
        cmocka_unit_test(what_a_corpus_file_does_not_have_is_refused),
        cmocka_unit_test(metadata_replaces_the_fields_of_its_roles),
        cmocka_unit_test(metadata_without_a_target_leaves_the_label_of_the_format),
        cmocka_unit_test(batches_agree_on_the_kinds_of_fields),
        cmocka_unit_test(a_corpus_file_streams_with_its_fields),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
