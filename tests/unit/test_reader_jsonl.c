/* test_reader_jsonl.c - JSON Lines, and what all text formats share: packing, UTF-8, long lines, pipes. */
#include "helper_documents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void words_ids_and_labels_are_read(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"id\": \"x\", \"text\": \"Two dogs, two cats\", \"label\": \"pets\"}\n"
                          "{\"id\": 7, \"text\": \"cats\", \"label\": 1.0, \"extra\": [1, {}]}\n");
    gb_corpus *c = corpus_of("a.jsonl", "label", "label", NULL);
    assert_string_equal(words_of(c, 0), "two dogs two cats");
    assert_string_equal(words_of(c, 1), "cats");
    assert_string_equal(vocabulary_of(c), "cats dogs two");
    assert_string_equal(ids_of(c), "x 7");
    assert_string_equal(classes_of(c, 0), "pets 1");
    assert_string_equal(c->labels[0].name, "label");
    assert_false(c->labels[0].several);
    assert_int_equal(note_of(c, "tokens_read"), 5);
    gb_corpus_free(c);
}

static void missing_labels_stay_missing(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"ab\"}\n{\"text\": \"ab\", \"y\": null}\n{\"text\": \"ab\", \"y\": \"\"}\n"
                          "{\"text\": \"ab\", \"y\": \"NA\"}\n{\"text\": \"ab\", \"y\": \"?\"}\n"
                          "{\"text\": \"ab\", \"y\": \" z \"}\n{\"text\": \"ab\", \"y\": true}\n");
    gb_corpus *c = corpus_of("a.jsonl", "label", "y", NULL);
    assert_string_equal(classes_of(c, 0), "- - - - - z true");
    assert_string_equal(ids_of(c), "1 2 3 4 5 6 7");
    gb_corpus_free(c);
}

/* However a number is written, its class is the shortest text of its value. */
static void numbers_are_classes_by_their_value(void **state)
{
    static const char *const cases[][2] = {
        {"7.25", "7.25"},
        {"-0.5", "-0.5"},
        {"7.0", "7"},
        {"7.50", "7.5"},
        {"0.05", "0.05"},
        {"0.00001", "1e-05"},
        {"-0.0", "0"},
        {"-0", "0"},
        {"1e3", "1000"},
        {"123456789012345678", "123456789012345678"},
        {"0.1000000000000000055", "0.1"},
        {"12345678901234567890.5", "1.2345678901234567e+19"},
        {"999999999999999.5", "999999999999999.5"},
        {"0.30000000000000004", "0.30000000000000004"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        (void)snprintf(text, sizeof text, "{\"text\": \"ab\", \"y\": %s, \"l\": [%s]}\n", cases[i][0], cases[i][0]);
        write_file("a.jsonl", text);
        gb_corpus *c = corpus_of("a.jsonl", "label", "y", "labels", "l", NULL);
        assert_string_equal(classes_of(c, 0), cases[i][1]);
        assert_string_equal(classes_of(c, 1), cases[i][1]);
        gb_corpus_free(c);
    }
}

static void several_labels_come_as_list_or_separated(void **state)
{
    (void)state;
    write_file("a.jsonl",
               "{\"text\": \"ab\", \"t\": [\"b\", \"a\", \"b\", 3]}\n{\"text\": \"ab\", \"t\": []}\n"
               "{\"text\": \"ab\", \"t\": \"c; a\"}\n{\"text\": \"ab\"}\n{\"text\": \"ab\", \"t\": \"\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "labels", "t", "label-separator", ";", NULL);
    assert_string_equal(classes_of(c, 0), "3,a,b {} a,c - -");
    assert_true(c->labels[0].several);
    gb_corpus_free(c);
}

static void several_label_fields_keep_their_order(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"ab\", \"t\": \"u,v\", \"y\": 1, \"x\": 2}\n");
    gb_corpus *c = corpus_of("a.jsonl", "labels", "t", "label", "y", "label", "x", NULL);
    assert_string_equal(classes_of(c, 0), "1");
    assert_string_equal(classes_of(c, 1), "2");
    assert_string_equal(classes_of(c, 2), "u,v");
    gb_corpus_free(c);
}

static void empty_documents_are_kept(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"\"}\n\n{\"text\": \"dog\"}\n{\"text\": \"1 2 3\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", NULL);
    assert_int_equal(c->n_docs, 3);
    assert_string_equal(words_of(c, 0), "");
    assert_string_equal(words_of(c, 1), "dog");
    assert_int_equal(note_of(c, "empty_documents"), 2);
    gb_corpus_free(c);
}

static void other_names_of_fields_can_be_given(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"key\": \"k\", \"body\": \"dog\"}\n{\"key\": \"k\", \"body\": \"cat\"}\n");
    gb_corpus *c = corpus_of("a.jsonl", "text", "body", "id", "key", NULL);
    assert_string_equal(ids_of(c), "k k");
    assert_int_equal(note_of(c, "duplicate_ids"), 1);
    gb_corpus_free(c);
}

static void byte_order_mark_and_crlf_are_no_text(void **state)
{
    (void)state;
    write_file("a.jsonl", "\xEF\xBB\xBF{\"text\": \"dog\"}\r\n{\"text\": \"cat\"}\r\n");
    gb_corpus *c = corpus_of("a.jsonl", NULL);
    assert_string_equal(vocabulary_of(c), "cat dog");
    gb_corpus_free(c);
}

static void packed_files_read_the_same(void **state)
{
    static const char *const filters[] = {"gzip", "xz", "zstd", "bzip2"};
    static const char *const names[] = {"a.jsonl.gz", "a.jsonl.xz", "a.jsonl.zst", "a.jsonl.bz2"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        write_packed(names[i], filters[i], "{\"text\": \"dog\"}\n{\"text\": \"cat\"}\n");
        gb_corpus *c = corpus_of(names[i], NULL);
        assert_string_equal(words_of(c, 1), "cat");
        gb_corpus_free(c);
    }
}

static char *long_text(size_t n_lines)
{
    char *text = malloc(n_lines * 64 + 1);
    size_t length = 0;
    assert_non_null(text);
    for (size_t i = 0; i < n_lines; i++)
        length += (size_t)sprintf(text + length, "{\"text\": \"dog %zu\", \"x\": %zu}\n", i * 7919 % 1000, i);
    return text;
}

static void cut_packed_files_are_errors(void **state)
{
    static const char *const filters[] = {"gzip", "xz", "zstd", "bzip2"};
    (void)state;
    char *text = long_text(20000);
    for (size_t i = 0; i < 4; i++) {
        write_packed("b.jsonl", filters[i], text);
        cut_file("b.jsonl", 2000);
        assert_fails(GB_EFORMAT, "b.jsonl: damaged or cut short (...", "b.jsonl");
    }
    free(text);
}

static void archives_of_one_file_are_unpacked(void **state)
{
    (void)state;
    write_archive("a.zip", "zip", "folder/b.jsonl", "{\"text\": \"dog\"}\n", NULL);
    write_archive("a.tar", "ustar", "./b.jsonl", "{\"text\": \"dog\"}\n", ".hidden", "no", NULL);
    gb_corpus *c = corpus_of("a.zip", NULL);
    assert_string_equal(words_of(c, 0), "dog");
    gb_corpus_free(c);
    c = corpus_of("a.tar", NULL);
    assert_string_equal(words_of(c, 0), "dog");
    gb_corpus_free(c);
    write_archive("c.zip", "zip", "b.jsonl", "{\"body\": 1}\n", NULL);
    assert_fails(GB_EFORMAT, "c.zip/b.jsonl:1: no field \"text\"; the fields are body", "c.zip");
    write_archive("c.tar", "ustar", "b.jsonl", "{\"text\": \"dog\"}\n", "c.jsonl", "{\"text\": \"cat\"}\n", NULL);
    assert_fails(GB_EFORMAT, "c.tar: holds more than one file; `format` dir reads each of them as a document",
                 "c.tar");
}

static void read_standard_input(void)
{
    gb_corpus *c = corpus_of("-", NULL);
    assert_int_equal(c->n_docs, 2);
    assert_string_equal(words_of(c, 1), "cat");
    gb_corpus_free(c);
}

static void fail_on_standard_input(void)
{
    assert_fails(GB_EFORMAT, "standard input:2: not valid JSON at byte 1: this is no object, which begins with {",
                 "-");
}

static void a_pipe_is_read_as_it_comes(void **state)
{
    (void)state;
    with_input("{\"text\": \"dog\"}\n{\"text\": \"cat\"}\n", read_standard_input);
    with_input("{\"text\": \"dog\"}\n[]\n", fail_on_standard_input);
}

static void long_lines_are_read(void **state)
{
    (void)state;
    size_t n = 3000000;
    char *text = malloc(n + 32);
    assert_non_null(text);
    size_t length = (size_t)sprintf(text, "{\"text\": \"");
    for (; length < n; length += 4)
        memcpy(text + length, "dog ", 4);
    memcpy(text + length, "\"}\n", 3);
    write_bytes("a.jsonl", text, length + 3);
    gb_corpus *c = corpus_of("a.jsonl", NULL);
    assert_int_equal(c->n_tokens, 749998);
    assert_int_equal(c->n_words, 1);
    gb_corpus_free(c);
    free(text);
}

static void the_first_line_tells_the_format(void **state)
{
    (void)state;
    write_file("data.txt", " {\"text\": \"dog\"}\n");
    gb_corpus *c = corpus_of("data.txt", NULL);
    assert_string_equal(json_string_value(json_object_get(c->source, "format")), "jsonl");
    gb_corpus_free(c);
    write_file("data", "plain text\n");
    assert_fails(
        GB_EARGUMENT,
        "data: neither the name nor the first line tells the format; give `format` jsonl, csv, tsv, dir, mallet, "
        "fasttext, svmlight, vw, uci, ldac, mtx or npz",
        "data");
    write_file("data", "");
    assert_fails(GB_EFORMAT, "data: no documents", "data");
}

static void bad_json_names_file_and_line(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"dog\"}\n{\"text\": \"dog\"\n");
    assert_fails(GB_EFORMAT, "a.jsonl:2: not valid JSON: the object that begins here is never closed", "a.jsonl");
    write_file("a.jsonl", "{\"text\": \"a\", \"text\": \"b\"}\n");
    assert_fails(GB_EFORMAT, "a.jsonl:1: not valid JSON at byte 15: this field comes twice", "a.jsonl");
    write_file("a.jsonl", "{\"text\": \"a\", \"y\": \"a\\u0000b\"}\n");
    assert_int_equal(read_failing("a.jsonl:1: the field \"y\" holds \\u0000 or half of a surrogate pair", "a.jsonl",
                                  "label", "y", NULL),
                     GB_EFORMAT);
    write_file("a.jsonl", "[{\"text\": \"a\"},{\"text\": {\"0\": \"a\"}}]\n");
    assert_fails(GB_EFORMAT,
                 "a.jsonl:1: document 2: the field \"text\" is an object, not a text; `text` text.NAME takes a field "
                 "in it; pandas writes a document per line "
                 "with to_json(orient=\"records\", lines=True)",
                 "a.jsonl");
}

/* As pandas, Python's json, MongoDB, Twitter's archives and others write them. */
static void texts_come_in_many_kinds(void **state)
{
    (void)state;
    write_file("a.json",
               "[\n{\"text\": null, \"y\": NaN},\n{\"text\": NaN, \"y\": null},\n"
               "{\"text\": \"a dog\\u0000cat \\ud83d\", \"y\": \"u\", \"id\": 12345678901234567890},\n"
               "{\"id\": NaN, \"text\": [\"New York\", \"Dog\", \"\", 7, null, \"dog\"], \"y\": \"v\"}\n]\n");
    gb_corpus *c = corpus_of("a.json", "label", "y", "stopwords", "[\"dog\"]", NULL);
    assert_int_equal(c->n_docs, 4);
    assert_string_equal(words_of(c, 2), "cat");
    assert_string_equal(words_of(c, 3), "New York 7");
    assert_string_equal(ids_of(c), "1 2 12345678901234567890 4");
    assert_string_equal(classes_of(c, 0), "- - u v");
    assert_int_equal(note_of(c, "values_read_as_missing"), 1);
    gb_corpus_free(c);
}

static void several_fields_make_one_text(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"title\": \"Big dogs\", \"body\": \"Cats\", \"tags\": [\"B b\"]}\n"
                          "{\"body\": \"cats\", \"title\": null, \"tags\": []}\n");
    gb_corpus *c = corpus_of("a.jsonl", "text", "title, body,tags", NULL);
    assert_string_equal(words_of(c, 0), "big dogs cats B b");
    assert_string_equal(words_of(c, 1), "cats");
    gb_corpus_free(c);
    assert_int_equal(read_failing("a.jsonl:1: no field \"abstract\"; the fields are title, body, tags", "a.jsonl",
                                  "text", "title,abstract", NULL),
                     GB_EFORMAT);
    assert_int_equal(
        read_failing("`text` \"title,,body\": a field without a name", "a.jsonl", "text", "title,,body", NULL),
        GB_EARGUMENT);
}

static void bad_bytes_name_file_line_and_byte(void **state)
{
    (void)state;
    write_file("a.jsonl", "\n{\"text\": \"d\xff\"}\n");
    assert_fails(GB_EFORMAT, "a.jsonl:2: byte 12 is not valid UTF-8; `encoding` windows-1252 may read it", "a.jsonl");
    write_file("a.jsonl", "{\"text\": \"caf\xc3\"}");
    assert_fails(GB_EFORMAT, "a.jsonl:1: byte 14 is not valid UTF-8; `encoding` windows-1252 may read it", "a.jsonl");
    write_bytes("a.jsonl", "{\"text\": \"d\0\"}", 14);
    assert_fails(GB_EFORMAT, "a.jsonl:1: byte 12 is NUL", "a.jsonl");
}

static void fields_of_the_wrong_kind_are_errors(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"dog\"}\n{\"body\": \"dog\"}\n");
    assert_fails(GB_EFORMAT, "a.jsonl:2: no field \"text\"; the fields are body", "a.jsonl");
    write_file("a.jsonl", "{\"text\": [[\"a\"]]}\n");
    assert_fails(GB_EFORMAT,
                 "a.jsonl:1: the field \"text\" holds a list in its list; it takes a text, or a list of words",
                 "a.jsonl");
    write_file("a.jsonl", "{\"text\": \"dog\", \"id\": []}\n");
    assert_fails(GB_EFORMAT, "a.jsonl:1: the field \"id\" is neither a text nor a number", "a.jsonl");
    write_file("a.jsonl", "{\"text\": \"dog\", \"y\": [1]}\n");
    assert_fails(GB_EFORMAT, "a.jsonl:1: the field \"y\" is a list; `labels` takes lists", "a.jsonl", "label", "y");
    write_file("a.jsonl", "{\"text\": \"dog\", \"y\": {}}\n");
    assert_fails(GB_EFORMAT, "a.jsonl:1: the field \"y\" is an object; y.NAME is a field in it", "a.jsonl", "label",
                 "y");
    write_file("a.jsonl", "{\"text\": \"dog\", \"y\": [{}]}\n");
    assert_fails(GB_EFORMAT, "a.jsonl:1: the field \"y\" holds something that is neither a text nor a number",
                 "a.jsonl", "labels", "y");
    write_file("a.jsonl", "{\"text\": \"dog\"}\n{\"text\": \"dog\", \"y\": \"a\\u0007b\"}\n");
    assert_fails(GB_EFORMAT, "a.jsonl:2: a class contains a control character", "a.jsonl", "label", "y");
}

static void label_fields_that_no_document_has_are_errors(void **state)
{
    (void)state;
    write_file("a.jsonl", "{\"text\": \"dog\", \"label\": \"x\"}\n");
    assert_fails(GB_EFORMAT, "a.jsonl: no document has a field \"lable\"; the fields are text, label", "a.jsonl",
                 "label", "lable");
    assert_fails(GB_EARGUMENT, "the field \"label\" is given twice", "a.jsonl", "label", "label", "labels", "label");
}

static void files_that_are_not_there_say_so(void **state)
{
    (void)state;
    assert_fails(GB_EIO, "none.jsonl: No such file or directory", "none.jsonl");
    write_file("a.jsonl", "");
    assert_fails(GB_EFORMAT, "a.jsonl: no documents", "a.jsonl");
    assert_fails(GB_EIO, ".: is a folder, not a file", ".", "format", "jsonl");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_ids_and_labels_are_read),
        cmocka_unit_test(missing_labels_stay_missing),
        cmocka_unit_test(numbers_are_classes_by_their_value),
        cmocka_unit_test(several_labels_come_as_list_or_separated),
        cmocka_unit_test(several_label_fields_keep_their_order),
        cmocka_unit_test(empty_documents_are_kept),
        cmocka_unit_test(other_names_of_fields_can_be_given),
        cmocka_unit_test(byte_order_mark_and_crlf_are_no_text),
        cmocka_unit_test(packed_files_read_the_same),
        cmocka_unit_test(cut_packed_files_are_errors),
        cmocka_unit_test(archives_of_one_file_are_unpacked),
        cmocka_unit_test(a_pipe_is_read_as_it_comes),
        cmocka_unit_test(long_lines_are_read),
        cmocka_unit_test(the_first_line_tells_the_format),
        cmocka_unit_test(bad_json_names_file_and_line),
        cmocka_unit_test(texts_come_in_many_kinds),
        cmocka_unit_test(several_fields_make_one_text),
        cmocka_unit_test(bad_bytes_name_file_line_and_byte),
        cmocka_unit_test(fields_of_the_wrong_kind_are_errors),
        cmocka_unit_test(label_fields_that_no_document_has_are_errors),
        cmocka_unit_test(files_that_are_not_there_say_so),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
