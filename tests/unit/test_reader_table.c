/* test_reader_table.c - CSV and TSV, and the metadata beside documents. */
#include "helper_documents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void columns_are_found_by_name(void **state)
{
    (void)state;
    write_file("a.csv", "id,stars,text\nx,5,Good dog\ny,NA,\"bad, \"\"dog\"\"\"\n");
    gb_corpus *c = corpus_of("a.csv", "label", "stars", NULL);
    assert_string_equal(words_of(c, 0), "good dog");
    assert_string_equal(words_of(c, 1), "bad dog");
    assert_string_equal(ids_of(c), "x y");
    assert_string_equal(classes_of(c, 0), "5 -");
    gb_corpus_free(c);
}

static void columns_by_number_mean_no_header(void **state)
{
    (void)state;
    write_file("a.csv", "5,good dog\n1,bad dog\n");
    gb_corpus *c = corpus_of("a.csv", "text", "#2", "label", "#1", NULL);
    assert_int_equal(c->n_docs, 2);
    assert_string_equal(words_of(c, 0), "good dog");
    assert_string_equal(classes_of(c, 0), "5 1");
    assert_string_equal(ids_of(c), "1 2");
    gb_corpus_free(c);
    assert_fails(GB_EFORMAT, "a.csv:1: no column #3; there are 2", "a.csv", "text", "#3");
    assert_fails(GB_EFORMAT, "a.csv:1: no column \"text\": a column is given as #1, #2, ..., so there is no header",
                 "a.csv", "label", "#1");
}

static void quoted_cells_may_hold_line_ends(void **state)
{
    (void)state;
    write_file("a.csv", "text,y\n\"one\ntwo\r\nthree\",a\n\nfour,b\n");
    gb_corpus *c = corpus_of("a.csv", "label", "y", NULL);
    assert_string_equal(words_of(c, 0), "one two three");
    assert_string_equal(classes_of(c, 0), "a b");
    gb_corpus_free(c);
    write_file("a.csv", "text,y\n\"one\ntwo\n\",a\nfour\n");
    assert_fails(GB_EFORMAT, "a.csv:5: 1 cell, expected 2 as in the header", "a.csv");
    write_file("a.csv", "text,y\n\"one\ntwo\n\",a,b\nfour,b\n");
    assert_fails(GB_EFORMAT, "a.csv:2: 3 cells, expected 2 as in the header", "a.csv");
}

static void byte_order_mark_and_crlf_are_no_text(void **state)
{
    (void)state;
    write_file("a.csv", "\xEF\xBB\xBFtext,y\r\ndog,a\r\ncat,b\r\n");
    gb_corpus *c = corpus_of("a.csv", "label", "y", NULL);
    assert_string_equal(classes_of(c, 0), "a b");
    gb_corpus_free(c);
    write_file("a.tsv", "\xEF\xBB\xBFtext\ty\r\ndog\ta\r\ncat\tb\r\n");
    c = corpus_of("a.tsv", "label", "y", NULL);
    assert_string_equal(classes_of(c, 0), "a b");
    gb_corpus_free(c);
}

static void several_labels_are_separated_within_a_cell(void **state)
{
    (void)state;
    write_file("a.csv", "text,t\ndog,\"b, a\"\ncat,\nbird,?\nfish,\"c,,c\"\n");
    gb_corpus *c = corpus_of("a.csv", "labels", "t", NULL);
    assert_string_equal(classes_of(c, 0), "a,b - - c");
    gb_corpus_free(c);
}

static void packed_tables_read_the_same(void **state)
{
    (void)state;
    write_packed("a.csv.gz", "gzip", "text\n\"a dog\"\n");
    gb_corpus *c = corpus_of("a.csv.gz", NULL);
    assert_string_equal(words_of(c, 0), "dog");
    gb_corpus_free(c);
    write_packed("a.TSV.zst", "zstd", "text\na dog\n");
    c = corpus_of("a.TSV.zst", NULL);
    assert_string_equal(words_of(c, 0), "dog");
    gb_corpus_free(c);
}

static void tabs_tell_a_tsv_by_its_first_line(void **state)
{
    (void)state;
    write_file("a.txt", "text\ty\ndog\t1\n");
    gb_corpus *c = corpus_of("a.txt", NULL);
    assert_string_equal(json_string_value(json_object_get(c->source, "format")), "tsv");
    gb_corpus_free(c);
}

static void quotes_mean_nothing_in_a_tsv(void **state)
{
    (void)state;
    write_file("a.tsv", "id\ttext\n1\t\"one\n2\ttwo \" three\n");
    gb_corpus *c = corpus_of("a.tsv", NULL);
    assert_int_equal(c->n_docs, 2);
    assert_string_equal(words_of(c, 1), "two three");
    gb_corpus_free(c);
}

static void empty_cells_are_empty_documents(void **state)
{
    (void)state;
    write_file("a.tsv", "text\ndog\n\ncat\n");
    gb_corpus *c = corpus_of("a.tsv", NULL);
    assert_int_equal(c->n_docs, 3);
    assert_int_equal(note_of(c, "empty_documents"), 1);
    gb_corpus_free(c);
    write_file("a.csv", "id,text\n,dog\n2,\n\n");
    c = corpus_of("a.csv", NULL);
    assert_string_equal(ids_of(c), "1 2");
    assert_string_equal(words_of(c, 1), "");
    gb_corpus_free(c);
}

static void missing_columns_are_named(void **state)
{
    (void)state;
    write_file("reviews.csv", "id,text,stars\n1,dog,5\n");
    assert_fails(GB_EFORMAT, "reviews.csv:1: no column \"sentiment\"; the columns are id, text, stars", "reviews.csv",
                 "label", "sentiment");
    assert_fails(GB_EFORMAT, "reviews.csv:1: no column \"body\"; the columns are id, text, stars", "reviews.csv",
                 "text", "body");
    assert_fails(GB_EFORMAT, "reviews.csv:1: no column \"key\"; the columns are id, text, stars", "reviews.csv", "id",
                 "key");
    write_file("reviews.csv", "text,text\n1,dog\n");
    assert_fails(GB_EFORMAT, "reviews.csv:1: two columns are named \"text\"", "reviews.csv");
}

static void faults_of_quotes_name_the_line(void **state)
{
    (void)state;
    write_file("a.csv", "text,y\ndog,a\n\"cat,b\nbird,c\n");
    assert_fails(GB_EFORMAT, "a.csv:3: a quote that is opened in this row is never closed", "a.csv");
    write_file("a.csv", "text,y\ndog,a\n\"cat\" x,b\n");
    assert_fails(GB_EFORMAT, "a.csv:3: a quote inside a cell in quotes; it is to be doubled", "a.csv");
    write_file("a.csv", "text,y\n\"a \\\"dog\\\"\",a\n");
    assert_fails(
        GB_EFORMAT,
        "a.csv:2: a quote inside a cell in quotes; it is to be doubled, not to have a backslash (in R, qmethod = "
        "\"double\" does it)",
        "a.csv");
    write_file("a.csv", "text,y\ndog,a\rcat,b\n");
    assert_fails(
        GB_EFORMAT,
        "a.csv:2: a carriage return that ends no line; where they end the lines, as on old Macs, tr '\\r' '\\n' "
        "makes the usual ends of them",
        "a.csv");
    write_file("a.csv", "text,y\n\"dog\"\rcat,b\n");
    assert_fails(GB_EFORMAT, "a.csv:2: a carriage return that ends no line...", "a.csv");
    write_file("a.csv", "text,y\ndog,a\ncat,\"\n\xff\"\n");
    assert_fails(GB_EFORMAT, "a.csv:4: byte 1 is not valid UTF-8; `encoding` windows-1252 may read it", "a.csv");
}

/* Every reader takes it so. */
static void a_quote_within_a_cell_is_a_character(void **state)
{
    (void)state;
    write_file("a.csv", "y,text\na,a 9\" dog\nb, \"cat\" \nc,\"\"\nd,\"\"\"\"\n");
    gb_corpus *c = corpus_of("a.csv", "label", "y", "token-pattern", "[a-z\"]{2,}", NULL);
    assert_string_equal(classes_of(c, 0), "a b c d");
    assert_string_equal(words_of(c, 0), "dog");
    assert_string_equal(words_of(c, 1), "cat");
    assert_string_equal(words_of(c, 2), "");
    gb_corpus_free(c);
}

/* Cells before, within and behind several lines and doubled quotes are kept apart. */
static void cells_keep_their_text_over_lines(void **state)
{
    (void)state;
    write_file("a.csv", "id,y,text,z\nu, \"b\"\"b\" ,\"one \"\"two\"\"\n\nthree\"\"\n\",\"c\nd\"\nv,e,\"\n\",\n");
    gb_corpus *c = corpus_of("a.csv", "label", "y", "labels", "z", "label-separator", "\n", NULL);
    assert_string_equal(ids_of(c), "u v");
    assert_string_equal(classes_of(c, 0), "b\"b e");
    assert_string_equal(classes_of(c, 1), "c,d -");
    assert_string_equal(words_of(c, 0), "one two three");
    gb_corpus_free(c);
}

static void separators_are_noticed_by_the_first_line(void **state)
{
    static const char *const tables[] = {
        "id;text;y\nu;one, two;a\nv;three;b\n",
        "id\ttext\ty\nu\tone, two\ta\nv\tthree\tb\n",
        "id|text|y\nu|one, two|a\nv|three|b\n",
        "\"id\";\"text\";\"y\"\r\n\"u\";\"one; two\";\"a\"\r\n\"v\";\"three\";\"b\"\r\n",
        "\xEF\xBB\xBFsep=;\r\nid;text;y\r\nu;one, two;a\r\nv;three;b\r\n",
        "id; text ;a,b,c,d;y\nu;one two;;a\nv;three;;b\n",
        "id,text,a;b;c;d,y\nu,one two,,a\nv,three,,b\n",
        "\"id\"\t\"text\"\t\"y\"\n\"1\"\t\"u\"\t\"one\ttwo\"\t\"a\"\n\"2\"\t\"v\"\t\"three\"\t\"b\"\n", /* R */
    };
    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        write_file(i == 7 ? "a.tsv" : "a.csv", tables[i]);
        gb_corpus *c = corpus_of(i == 7 ? "a.tsv" : "a.csv", "label", "y", NULL);
        assert_string_equal(ids_of(c), "u v");
        assert_string_equal(words_of(c, 0), "one two");
        assert_string_equal(classes_of(c, 0), "a b");
        gb_corpus_free(c);
    }
    write_file("a.csv", "5;good dog\n1;bad, dog\n");
    gb_corpus *c = corpus_of("a.csv", "text", "#2", "label", "#1", NULL);
    assert_string_equal(words_of(c, 0), "good dog");
    gb_corpus_free(c);
    write_file("a.csv", "id;body;stars\n1;dog;5\n");
    assert_fails(GB_EFORMAT, "a.csv:1: no column \"text\"; the columns are id, body, stars", "a.csv");
}

static void separators_can_be_given(void **state)
{
    static const char *const cases[][3] = {
        {"a.csv", ":", "id:text\nu:one, two\n"},      {"a.csv", "semicolon", "id;text\nu;\"one, two\"\n"},
        {"a.csv", "::", "id::text\nu::one: \"two\n"}, {"a.csv", "tab", "id\ttext\nu\tone\ntwo\tx\n"},
        {"a.tsv", ";", "id;text\nu;\"one two\n"},     {"a.csv", "\x01", "id\x01text\nu\x01one two\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        write_file(cases[i][0], cases[i][2]);
        gb_corpus *c = corpus_of(cases[i][0], "separator", cases[i][1], NULL);
        assert_string_equal(words_of(c, 0), i == 3 ? "one" : "one two");
        gb_corpus_free(c);
    }
    assert_fails(GB_EARGUMENT, "`separator` \"\"\": up to 15 characters, without quotes and line ends", "a.csv",
                 "separator", "\"");
    write_file("a.jsonl", "{\"text\": \"a\"}\n");
    assert_fails(GB_EARGUMENT, "`separator`: a.jsonl is jsonl, which has no use for it", "a.jsonl", "separator", ";");
    assert_fails(GB_EARGUMENT, "`zero-based`: a.jsonl is jsonl, which has no use for it", "a.jsonl", "zero-based",
                 "yes");
    write_file("a.tsv", "id\ttext\nu\t\"one\ttwo\"\n");
    assert_fails(
        GB_EFORMAT,
        "a.tsv:2: 3 cells, expected 2 as in the header; where cells are in quotes, `format` csv with `separator` "
        "tab reads them",
        "a.tsv");
    gb_corpus *c = corpus_of("a.tsv", "format", "csv", "separator", "tab", NULL);
    assert_string_equal(words_of(c, 0), "one two");
    gb_corpus_free(c);
}

/* One cell too many is a name only in R's tables. */
static void rows_of_another_length_are_errors(void **state)
{
    (void)state;
    write_file("a.csv", "text,y\ngood, really,a\n");
    assert_fails(GB_EFORMAT, "a.csv:2: 3 cells, expected 2 as in the header", "a.csv");
    write_file("a.csv", "text,y\ngood,a,\n");
    assert_fails(GB_EFORMAT,
                 "a.csv:2: 3 cells, expected 2 as in the header; if each row ends with a separator, the header needs "
                 "one at its end",
                 "a.csv");
    write_file("a.csv", "\"text\",\"y\"\n\"1\",\"good\",\"a\"\n\"bad\",\"b\"\n");
    assert_fails(GB_EFORMAT, "a.csv:3: 2 cells, expected 3 as in the header", "a.csv");
}

static void several_columns_make_one_text(void **state)
{
    (void)state;
    write_file("a.csv", "title,body,\"u,v\"\nBig dogs,cats,x\n,birds,yy\n");
    gb_corpus *c = corpus_of("a.csv", "text", "body, title", NULL);
    assert_string_equal(words_of(c, 0), "cats big dogs");
    assert_string_equal(words_of(c, 1), "birds");
    gb_corpus_free(c);
    c = corpus_of("a.csv", "text", "u,v", NULL);
    assert_string_equal(words_of(c, 1), "yy");
    gb_corpus_free(c);
    c = corpus_of("a.csv", "text", "#1,#2", NULL);
    assert_int_equal(c->n_docs, 3);
    assert_string_equal(words_of(c, 1), "big dogs cats");
    gb_corpus_free(c);
    /* no phrase reaches from one to the next */
    write_file("a.csv", "title,body\nred,cat\nred,cat\n");
    c = corpus_of("a.csv", "text", "title,body", "ngrams", "2", "phrase-min-df", "1", "phrase-score", "0", NULL);
    assert_string_equal(vocabulary_of(c), "cat red");
    gb_corpus_free(c);
    assert_fails(GB_EFORMAT, "a.csv:1: no column \"abstract\"; the columns are title, body", "a.csv", "text",
                 "title,abstract");
}

static const double *numbers_of(const gb_corpus *c, const char *name)
{
    uint64_t field;
    assert_true(gb_corpus_find_field(c, name, &field));
    return gb_corpus_numbers(c, field);
}

static void decimal_commas_are_read_where_they_can_be_nothing_else(void **state)
{
    (void)state;
    write_file("a.csv", "text;y;x\ndog;3,5;\"-1.234.567,25\"\ncat;+2;0,5\nbird;;1\n");
    gb_corpus *c = corpus_of("a.csv", "target", "y", "covariates", "x", NULL);
    assert_true(numbers_of(c, "y")[0] == 3.5);
    assert_true(numbers_of(c, "y")[1] == 2);
    assert_true(numbers_of(c, "x")[0] == -1234567.25);
    assert_true(numbers_of(c, "x")[1] == 0.5);
    assert_int_equal(note_of(c, "decimal_commas"), 3);
    assert_string_equal(json_string_value(json_object_get(c->source, "first_decimal_comma")), "3,5");
    gb_corpus_free(c);
    write_file("m.csv", "y;id\n1,5;1\n2,5;2\n3,5;3\n");
    c = corpus_of("a.csv", "target", "y", "metadata", "m.csv", NULL);
    assert_true(numbers_of(c, "y")[2] == 3.5);
    assert_int_equal(note_of(c, "decimal_commas"), 3);
    gb_corpus_free(c);
    write_file("a.csv", "text;y\ndog;1,234,567\n");
    assert_fails(GB_EFORMAT,
                 "a.csv:2: the target \"y\": \"1,234,567\" is not a finite number; it has a decimal point, nothing "
                 "between thousands, and no unit",
                 "a.csv", "target", "y");
    write_file("a.csv", "text;y\ndog;12.34,5\n");
    assert_fails(GB_EFORMAT,
                 "a.csv:2: the target \"y\": \"12.34,5\" is not a finite number; it has a decimal point, nothing "
                 "between thousands, and no unit",
                 "a.csv", "target", "y");
    write_file("a.csv", "text,y\ndog,\"3,500\"\n");
    assert_fails(GB_EFORMAT,
                 "a.csv:2: the target \"y\": \"3,500\" has a comma; a number has a decimal point, and nothing "
                 "between thousands",
                 "a.csv", "target", "y");
    write_file("a.tsv", "text\ty\ndog\t3,5\ncat\t-0,125\n");
    c = corpus_of("a.tsv", "target", "y", NULL);
    assert_true(numbers_of(c, "y")[0] == 3.5);
    assert_true(numbers_of(c, "y")[1] == -0.125);
    assert_int_equal(note_of(c, "decimal_commas"), 2);
    gb_corpus_free(c);
    c = corpus_of("a.tsv", "covariates", "y", NULL); /* may be names, or lists of them */
    assert_null(json_object_get(c->source, "decimal_commas"));
    gb_corpus_free(c);
}

static void thousands_of_columns_are_read(void **state)
{
    enum { N = 5000 };
    (void)state;
    char *text = malloc(3 * N * 8);
    size_t n = 0;
    assert_non_null(text);
    for (int row = 0; row < 3; row++)
        for (int i = 0; i < N; i++)
            n += (size_t)sprintf(text + n, row == 0 ? "c%d%s" : "w%d%s", i, i + 1 < N ? "," : "\n");
    write_bytes("a.csv", text, n);
    gb_corpus *c = corpus_of("a.csv", "text", "c4999", "label", "c2500", "token-pattern", "\\w+", NULL);
    assert_int_equal(c->n_docs, 2);
    assert_string_equal(words_of(c, 1), "w4999");
    assert_string_equal(classes_of(c, 0), "w2500 w2500");
    gb_corpus_free(c);
    free(text);
}

/* The message says how to make text of them. */
static void files_of_other_programs_are_named(void **state)
{
    static const struct {
        const char *name, *says;
        size_t n;
        const char *bytes;
    } cases[] = {
        {"a.parquet", "is a Parquet file;...", 8, "PAR1\x15\x04\xFF\x00"},
        {"a.arrow", "is an Arrow file;...", 10, "ARROW1\0\0\xFF\xFF"},
        {"a.csv", "is a file of Excel, Word or LibreOffice;...", 50,
         "PK\x03\x04\x14\0\6\0\x08\0\0\0\0\0AAAA\0\0\0\0\0\0\0\0\x13\0\0\0[Content_Types].xml\xFF"},
        {"b.csv", "is a file of Excel, Word or LibreOffice;...", 9, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1\0"},
        {"c.txt", "is a PDF file; pdftotext makes a text of it", 12, "%PDF-1.4\n\xE2\xE3\n"},
        {"d.json", "is a page of HTML,...", 16, "<!DOCTYPE html>\n"},
        {"d.dat", "is a page of HTML,...", 16, "<!DOCTYPE html>\n"},
        {"e.csv", "is a pointer of Git LFS; git lfs pull gets the file", 43,
         "version https://git-lfs.github.com/spec/v1\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[200];
        write_bytes(cases[i].name, cases[i].bytes, cases[i].n);
        (void)snprintf(message, sizeof message, "%s: %s", cases[i].name, cases[i].says);
        assert_int_equal(read_failing(message, cases[i].name, NULL), GB_EFORMAT);
    }
}

static void tables_without_rows_have_no_documents(void **state)
{
    (void)state;
    write_file("a.csv", "");
    assert_fails(GB_EFORMAT, "a.csv: no documents", "a.csv");
    write_file("a.csv", "text,y\n");
    assert_fails(GB_EFORMAT, "a.csv: no documents", "a.csv");
}

/* ---- metadata ------------------------------------------------------------------------------------------ */

static void metadata_is_joined_by_id(void **state)
{
    (void)state;
    write_file("a.csv", "id,text\nx,dog\ny,cat\nz,bird\n");
    write_file("m.tsv", "y\tid\nb\ty\na\tx\nc\tw\n");
    gb_corpus *c = corpus_of("a.csv", "metadata", "m.tsv", "label", "y", NULL);
    assert_string_equal(classes_of(c, 0), "a b -");
    assert_int_equal(note_of(c, "metadata_rows_without_document"), 1);
    assert_int_equal(note_of(c, "documents_without_metadata_row"), 1);
    gb_corpus_free(c);
}

static void metadata_without_ids_goes_row_by_row(void **state)
{
    (void)state;
    write_file("a.csv", "id,text\nx,dog\ny,cat\nz,bird\n");
    write_packed("labels.gz", "gzip", "3\n1\n3\n");
    gb_corpus *c = corpus_of("a.csv", "metadata", "labels.gz", "label", "#1", NULL);
    assert_string_equal(classes_of(c, 0), "3 1 3");
    gb_corpus_free(c);
    write_file("labels", "u,v 1\n\tw  2\n? 3\n");
    c = corpus_of("a.csv", "metadata", "labels", "labels", "#1", "label", "#2", NULL);
    assert_string_equal(classes_of(c, 0), "1 2 3");
    assert_string_equal(classes_of(c, 1), "u,v w -");
    gb_corpus_free(c);
}

static void metadata_that_does_not_fit_is_an_error(void **state)
{
    (void)state;
    write_file("a.csv", "id,text\nx,dog\ny,cat\n");
    write_file("m.csv", "y\n1\n2\n3\n");
    assert_fails(GB_EFORMAT, "m.csv: 3 rows for 2 documents", "a.csv", "metadata", "m.csv", "label", "y");
    write_file("m.csv", "y\n1\n");
    assert_fails(GB_EFORMAT, "m.csv: 1 row, and there are more documents than that", "a.csv", "metadata", "m.csv",
                 "label", "y");
    write_file("m.csv", "id,y\nx,1\nx,2\n");
    assert_fails(GB_EFORMAT, "m.csv:3: the id \"x\" comes a second time", "a.csv", "metadata", "m.csv", "label", "y");
    write_file("m.csv", "id,y\nu,1\nv,2\n");
    assert_fails(GB_EFORMAT, "m.csv: no document has one of its ids", "a.csv", "metadata", "m.csv", "label", "y");
    assert_fails(GB_EFORMAT, "m.csv:1: no column \"z\"; the columns are id, y", "a.csv", "metadata", "m.csv", "label",
                 "z");
    assert_fails(
        GB_EARGUMENT,
        "`metadata` \"m.csv\": `label`, `labels`, `target`, `covariates` or `group` says which columns to take",
        "a.csv", "metadata", "m.csv");
    assert_fails(GB_EIO, "none.csv: No such file or directory", "a.csv", "metadata", "none.csv", "label", "y");
    write_file("m.csv", "id,y\n");
    assert_fails(GB_EFORMAT, "m.csv: no rows", "a.csv", "metadata", "m.csv", "label", "y");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_found_by_name),
        cmocka_unit_test(columns_by_number_mean_no_header),
        cmocka_unit_test(quoted_cells_may_hold_line_ends),
        cmocka_unit_test(byte_order_mark_and_crlf_are_no_text),
        cmocka_unit_test(several_labels_are_separated_within_a_cell),
        cmocka_unit_test(packed_tables_read_the_same),
        cmocka_unit_test(tabs_tell_a_tsv_by_its_first_line),
        cmocka_unit_test(quotes_mean_nothing_in_a_tsv),
        cmocka_unit_test(empty_cells_are_empty_documents),
        cmocka_unit_test(missing_columns_are_named),
        cmocka_unit_test(faults_of_quotes_name_the_line),
        cmocka_unit_test(a_quote_within_a_cell_is_a_character),
        cmocka_unit_test(cells_keep_their_text_over_lines),
        cmocka_unit_test(separators_are_noticed_by_the_first_line),
        cmocka_unit_test(separators_can_be_given),
        cmocka_unit_test(rows_of_another_length_are_errors),
        cmocka_unit_test(several_columns_make_one_text),
        cmocka_unit_test(decimal_commas_are_read_where_they_can_be_nothing_else),
        cmocka_unit_test(thousands_of_columns_are_read),
        cmocka_unit_test(files_of_other_programs_are_named),
        cmocka_unit_test(tables_without_rows_have_no_documents),
        cmocka_unit_test(metadata_is_joined_by_id),
        cmocka_unit_test(metadata_without_ids_goes_row_by_row),
        cmocka_unit_test(metadata_that_does_not_fit_is_an_error),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
