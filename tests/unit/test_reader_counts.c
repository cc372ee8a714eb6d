/* test_reader_counts.c - the formats that count words: svmlight and uci. */
#include "helper_documents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- svmlight ------------------------------------------------------------------------------------------ */

static void svmlight_words_are_named_by_their_index(void **state)
{
    (void)state;
    write_file("a.svm", "+1 10:1 2:2 # ten and two\n\n# comment\n-1 9:1 2:0\n? 2:1\n3:1\n4\n");
    gb_corpus *c = corpus_of("a.svm", NULL);
    assert_string_equal(vocabulary_of(c), "2 3 9 10");
    assert_string_equal(words_of(c, 0), "10 2 2");
    assert_string_equal(words_of(c, 1), "9");
    assert_string_equal(words_of(c, 4), "");
    assert_string_equal(classes_of(c, 0), "1 -1 - - 4");
    assert_string_equal(c->labels[0].name, "label");
    gb_corpus_free(c);
}

static void svmlight_words_are_named_by_the_vocabulary(void **state)
{
    (void)state;
    write_file("a.svm", "1 3:1 1:1\n0 3:2\n");
    write_file("v.txt", "zebra\nunused\nApple\n\n");
    gb_corpus *c = corpus_of("a.svm", "vocabulary", "v.txt", "label", "y", NULL);
    assert_string_equal(vocabulary_of(c), "zebra Apple");
    assert_string_equal(words_of(c, 0), "Apple zebra");
    assert_string_equal(c->labels[0].name, "y");
    gb_corpus_free(c);
}

static void svmlight_takes_several_labels(void **state)
{
    (void)state;
    write_packed("a.svm.gz", "gzip", "b,a,b 1:1\r\n1:1\r\n");
    gb_corpus *c = corpus_of("a.svm.gz", "labels", "t", NULL);
    assert_string_equal(classes_of(c, 0), "a,b -");
    gb_corpus_free(c);
    assert_fails(GB_EFORMAT, "a.svm.gz:1: several values \"b,a,b\"; `labels` takes lists", "a.svm.gz", "label", "t");
    assert_fails(GB_EARGUMENT,
                 "a.svm.gz: this format has one field, not \"y\" and \"t\"; `metadata` names a table with more",
                 "a.svm.gz", "label", "y", "labels", "t");
}

static void svmlight_is_known_by_its_first_line(void **state)
{
    (void)state;
    write_file("data", "spam 1:1 7:2\n");
    gb_corpus *c = corpus_of("data", NULL);
    assert_string_equal(json_string_value(json_object_get(c->source, "format")), "svmlight");
    gb_corpus_free(c);
}

static void bad_svmlight_lines_are_named(void **state)
{
    static const char *const lines[][2] = {
        {"1 0:1\n", "a.svm:2: index 0, but words are counted from 1; `zero-based` reads files that count from 0"},
        {"1 2:1.5\n", "a.svm:2: the count \"1.5\" is not a whole number from 0 on"},
        {"1 2:-1\n", "a.svm:2: the count \"-1\" is not a whole number from 0 on"},
        {"1 2:\n", "a.svm:2: the count \"\" is not a whole number from 0 on"},
        {"1 2:4000000000\n",
         "a.svm:2: the count \"4000000000\" is larger than 16777216, the most for one word of a document"},
        {"1 2:99999999999999999999\n", "a.svm:2: the count \"99999999999999999999\" is larger than 16777216, the "
                                       "most for one word of a document"},
        {"1 5000000000:1\n", "a.svm:2: index 5000000000, at most 4294967294 is possible"},
        {"1 sid:3 2:1\n", "a.svm:2: the index \"sid\" is not a whole number from 1 on"},
        {"1 2:1 x\n", "a.svm:2: \"x\" is not of the form index:count"},
        {"1 \xff:1\n", "a.svm:2: byte 3 is not valid UTF-8; `encoding` windows-1252 may read it"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "1 1:1\n%s", lines[i][0]);
        write_file("a.svm", text);
        assert_fails(GB_EFORMAT, lines[i][1], "a.svm");
    }
    write_file("v.txt", "one\ntwo\n");
    write_file("a.svm", "1 1:1 3:1\n");
    assert_fails(GB_EFORMAT, "a.svm:1: index 3, but v.txt has 2 words", "a.svm", "vocabulary", "v.txt");
}

static void documents_of_too_many_words_are_errors(void **state)
{
    (void)state;
    size_t length = 0, n = 129;
    char *text = malloc(n * 16);
    assert_non_null(text);
    for (size_t i = 0; i < n; i++, length += 11)
        memcpy(text + length, "1:16777216 ", 11);
    write_bytes("a.svm", text, length);
    free(text);
    assert_fails(GB_EFORMAT, "a.svm:1: more than 2147483648 words in one document", "a.svm");
}

static void bad_vocabularies_are_named(void **state)
{
    (void)state;
    write_file("a.svm", "1 1:1\n");
    write_file("v.txt", "one\ntwo\none\n");
    assert_fails(GB_EFORMAT, "v.txt:3: the word \"one\" is already on line 1", "a.svm", "vocabulary", "v.txt");
    write_file("v.txt", "one\n\ntwo\n");
    assert_fails(GB_EFORMAT, "v.txt:2: a blank line inside a vocabulary, where every line is a word", "a.svm",
                 "vocabulary", "v.txt");
    write_file("v.txt", "");
    assert_fails(GB_EFORMAT, "v.txt: no words", "a.svm", "vocabulary", "v.txt");
}

/* ---- uci ----------------------------------------------------------------------------------------------- */

static void uci_with_a_header_keeps_empty_documents(void **state)
{
    (void)state;
    write_file("a.uci", "5\n4\n4\n2 3 1\n2 1 2\n4 3 1\n4 4 0\n");
    gb_corpus *c = corpus_of("a.uci", "format", "uci", NULL);
    assert_int_equal(c->n_docs, 5);
    assert_string_equal(vocabulary_of(c), "1 3");
    assert_string_equal(words_of(c, 0), "");
    assert_string_equal(words_of(c, 1), "3 1 1");
    assert_string_equal(words_of(c, 3), "3");
    assert_string_equal(ids_of(c), "1 2 3 4 5");
    assert_int_equal(note_of(c, "empty_documents"), 3);
    gb_corpus_free(c);
}

static void uci_without_a_header_ends_with_its_last_triple(void **state)
{
    (void)state;
    write_packed("train.data.gz", "gzip", "1 2 1\n3 1 1\n");
    write_file("v.txt", "one\ntwo\nthree\n");
    gb_corpus *c = corpus_of("train.data.gz", "vocabulary", "v.txt", NULL);
    assert_int_equal(c->n_docs, 3);
    assert_string_equal(vocabulary_of(c), "one two");
    assert_string_equal(words_of(c, 2), "one");
    gb_corpus_free(c);
}

static void rows_of_the_metadata_are_the_documents_of_uci(void **state)
{
    (void)state;
    write_file("data", "1 2 1\n3 1 1\n");
    write_file("labels", "a\nb\nb\na\n");
    gb_corpus *c = corpus_of("data", "metadata", "labels", "label", "#1", NULL);
    assert_int_equal(c->n_docs, 4);
    assert_string_equal(classes_of(c, 0), "a b b a");
    gb_corpus_free(c);
    write_file("labels", "a\nb\n");
    assert_fails(GB_EFORMAT, "data:2: document 3, but the rows of the metadata are 2", "data", "metadata", "labels",
                 "label", "#1");
}

static void bad_uci_files_are_named(void **state)
{
    static const char *const files[][2] = {
        {"2\n2\n3\n1 1 1\n2 1 1\n", "a.uci: 2 triples, but the header says 3"},
        {"2\n2\n1\n3 1 1\n", "a.uci:4: document 3, but the header says 2"},
        {"2\n2\n1\n1 3 1\n", "a.uci:4: word 3, but there are 2 words"},
        {"2\n2\n", "a.uci: ends within the three lines of the header"},
        {"2\nx\n", "a.uci:2: \"x\" is not the number of words"},
        {"1 1 1\n1 0 1\n", "a.uci:2: word 0, words are counted from 1"},
        {"0 1 1\n", "a.uci:1: document 0, documents are counted from 1"},
        {"2 1 1\n1 1 1\n", "a.uci:2: document 1 after document 2; they have to ascend"},
        {"1 1\n", "a.uci:1: not three numbers: document, word, count"},
        {"1 1 1 1\n", "a.uci:1: not three numbers: document, word, count"},
        {"1 x 1\n", "a.uci:1: \"x\" is not the number of a word"},
        {"1 1 -2\n", "a.uci:1: the count \"-2\" is not a whole number from 0 on"},
        {"1 1 1\n1 9999999999 1\n", "a.uci:2: word 9999999999, but there are 4294967294 words"},
        {"1 1 1\n99999999999 1 1\n", "a.uci:2: 99999999997 documents without words after document 1"},
        {"99999999999\n1\n1\n1 1 1\n", "a.uci:4: 99999999998 documents without words after document 1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        write_file("a.uci", files[i][0]);
        assert_fails(GB_EFORMAT, files[i][1], "a.uci", "format", "uci");
    }
    write_file("v.txt", "one\ntwo\n");
    write_file("a.uci", "1\n3\n1\n1 1 1\n");
    assert_fails(GB_EFORMAT, "a.uci:2: 3 words, but v.txt has 2", "a.uci", "vocabulary", "v.txt");
    write_file("a.uci", "1 1 1\n1 3 1\n");
    assert_fails(GB_EFORMAT, "a.uci:2: word 3, but v.txt has 2 words", "a.uci", "vocabulary", "v.txt");
    assert_fails(GB_EARGUMENT, "a.uci: this format has no labels; `metadata` names a file with them", "a.uci",
                 "label", "y");
}

/* ---- limits -------------------------------------------------------------------------------------------- */

static void limits_and_stop_words_apply_to_counts(void **state)
{
    (void)state;
    write_file("data", "1 1 9\n1 2 1\n2 3 1\n2 1 1\n3 1 1\n3 4 1\n3 2 1\n");
    write_file("v.txt", "The\ncat\ndog\nsat\n");
    write_file("stop.txt", "# comment\nTHE\n\nof\n");
    gb_corpus *c = corpus_of("data", "vocabulary", "v.txt", "stopwords", "stop.txt", "min-df", "2", NULL);
    assert_string_equal(vocabulary_of(c), "cat");
    assert_int_equal(note_of(c, "dropped/stopwords/words"), 1);
    assert_int_equal(note_of(c, "dropped/stopwords/tokens"), 11);
    assert_int_equal(note_of(c, "dropped/min-df/words"), 2);
    assert_int_equal(note_of(c, "empty_documents"), 1);
    gb_corpus_free(c);
}

/* As scikit-learn's dump_svmlight_file() and other programs write them. */
static void words_may_count_from_zero(void **state)
{
    (void)state;
    write_file("a.svm", "1.0 qid:3 0:2.0 3:1\n-1 1:1e0 3:1.000000 4:0.0\n");
    gb_corpus *c = corpus_of("a.svm", "zero-based", "yes", NULL);
    assert_string_equal(words_of(c, 0), "1 1 4");
    assert_string_equal(words_of(c, 1), "2 4");
    assert_string_equal(classes_of(c, 0), "1 -1");
    gb_corpus_free(c);
    assert_fails(GB_EFORMAT,
                 "a.svm:1: index 0, but words are counted from 1; `zero-based` reads files that count from 0",
                 "a.svm");
    write_file("words.txt", "a\nb\n");
    write_file("a.svm", "0:1\n2:1\n");
    assert_fails(GB_EFORMAT, "a.svm:2: index 2, but words.txt has 2 words", "a.svm", "zero-based", "yes",
                 "vocabulary", "words.txt");
    write_file("a.svm", "1 4294967294:1\n");
    assert_fails(GB_EFORMAT, "a.svm:1: index 4294967294, at most 4294967293 is possible", "a.svm", "zero-based",
                 "yes");
    write_file("a.svm", "1 2:1.5\n");
    assert_fails(GB_EFORMAT, "a.svm:1: the count \"1.5\" is not a whole number from 0 on", "a.svm");
    write_file("a.svm", "1 2:1e30\n");
    assert_fails(GB_EFORMAT,
                 "a.svm:1: the count \"1e30\" is larger than 16777216, the most for one word of a document", "a.svm");
}

static void vowpal_wabbit_is_read(void **state)
{
    (void)state;
    write_file("a.vw", "1 |text Two dogs:2\n\n"
                       "-1 2.0 'id2 |a cats|b dogs:3.0 of:0\n"
                       "-1 0.5 1 tag3|f:2 12:1 a:b:2\n"
                       "| the cats\n"
                       "1 |\n");
    gb_corpus *c = corpus_of("a.vw", "stopwords", "[\"the\"]", NULL);
    assert_string_equal(words_of(c, 0), "Two dogs dogs");
    assert_string_equal(words_of(c, 1), "cats dogs dogs dogs");
    assert_string_equal(words_of(c, 2), "12 a:b a:b");
    assert_string_equal(words_of(c, 3), "cats");
    assert_string_equal(words_of(c, 4), "");
    assert_string_equal(ids_of(c), "1 id2 tag3 4 5");
    assert_string_equal(classes_of(c, 0), "1 -1 -1 - 1");
    gb_corpus_free(c);
    c = corpus_of("a.vw", "target", "y", "stopwords", "[\"the\"]", NULL);
    assert_int_equal(c->n_numbers, 1);
    gb_corpus_free(c);
    write_file("a.vw", "sports |text the game\nnews 'x |text the war\n"); /* --named_labels */
    c = corpus_of("a.vw", NULL);
    assert_string_equal(classes_of(c, 0), "sports news");
    gb_corpus_free(c);
    write_file("a.vw", "doc1 alpha beta:2 |author Ola\ndoc2 |@default_class gamma\ndoc3 delta\n"); /* BigARTM */
    c = corpus_of("a.vw", NULL);
    assert_string_equal(ids_of(c), "doc1 doc2 doc3");
    assert_string_equal(words_of(c, 0), "alpha beta beta Ola");
    assert_string_equal(words_of(c, 2), "delta");
    assert_int_equal(c->n_labels, 0);
    gb_corpus_free(c);
}

static void vowpal_wabbit_is_known_by_its_first_line(void **state)
{
    static const char *const lines[] = {"1 |f a b:2\n", "| a\n", "-1 1.5 'x |f a\n", "'x|f a\n"};
    static const char *const others[] = {"1|good dog\n", "id|text\n", "good | bad\n", "1 |\n"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        write_file("a.txt", lines[i]);
        gb_corpus *c = corpus_of("a.txt", NULL);
        assert_string_equal(json_string_value(json_object_get(c->source, "format")), "vw");
        gb_corpus_free(c);
    }
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        write_file("a.txt", others[i]);
        assert_int_equal(
            read_failing("a.txt: neither the name nor the first line tells the format;...", "a.txt", NULL),
            GB_EARGUMENT);
    }
    write_file("a.vw", "1 |f a:0.5\n");
    assert_fails(GB_EFORMAT, "a.vw:1: the count \"0.5\" of \"a\" is not a whole number from 0 on", "a.vw");
    write_file("a.vw", "1 |f a: b\n");
    assert_fails(GB_EFORMAT, "a.vw:1: the count \"\" of \"a\" is not a whole number from 0 on", "a.vw");
    write_file("a.vw", "1 |f a:16777216 b:16777216\n");
    assert_fails(GB_EFORMAT, "a.vw:1: the first 2 counts are more than 250 on average; `unpack-factor` allows more",
                 "a.vw");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(svmlight_words_are_named_by_their_index),
        cmocka_unit_test(svmlight_words_are_named_by_the_vocabulary),
        cmocka_unit_test(svmlight_takes_several_labels),
        cmocka_unit_test(svmlight_is_known_by_its_first_line),
        cmocka_unit_test(bad_svmlight_lines_are_named),
        cmocka_unit_test(documents_of_too_many_words_are_errors),
        cmocka_unit_test(bad_vocabularies_are_named),
        cmocka_unit_test(uci_with_a_header_keeps_empty_documents),
        cmocka_unit_test(uci_without_a_header_ends_with_its_last_triple),
        cmocka_unit_test(rows_of_the_metadata_are_the_documents_of_uci),
        cmocka_unit_test(bad_uci_files_are_named),
        cmocka_unit_test(limits_and_stop_words_apply_to_counts),
        cmocka_unit_test(words_may_count_from_zero),
        cmocka_unit_test(vowpal_wabbit_is_read),
        cmocka_unit_test(vowpal_wabbit_is_known_by_its_first_line),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
