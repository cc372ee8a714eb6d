/* test_reader_table.c - CSV and TSV, and the metadata beside documents. */
#include "helper_documents.h"

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
    write_file("a.csv", "text,y\ndog,a\nc\"at,b\n");
    assert_fails(GB_EFORMAT, "a.csv:3: a quote inside a cell; such a cell is to be quoted and its quotes doubled",
                 "a.csv");
    write_file("a.csv", "text,y\ndog,a\n\"cat\" x,b\n");
    assert_fails(GB_EFORMAT, "a.csv:3: a quote inside a cell; such a cell is to be quoted and its quotes doubled",
                 "a.csv");
    write_file("a.csv", "text,y\ndog,a\rcat,b\n");
    assert_fails(GB_EFORMAT, "a.csv:2: a carriage return that ends no line", "a.csv");
    write_file("a.csv", "text,y\ndog,a\ncat,\"\n\xff\"\n");
    assert_fails(GB_EFORMAT, "a.csv:4: byte 1 is not valid UTF-8", "a.csv");
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
        cmocka_unit_test(tables_without_rows_have_no_documents),
        cmocka_unit_test(metadata_is_joined_by_id),
        cmocka_unit_test(metadata_without_ids_goes_row_by_row),
        cmocka_unit_test(metadata_that_does_not_fit_is_an_error),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
