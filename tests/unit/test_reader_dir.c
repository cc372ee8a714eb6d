/* test_reader_dir.c - folders and archives of text files. */
#include "helper_documents.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Each case makes the folder again. */
static void make_link(const char *target, const char *path)
{
    assert_true(symlink(target, path) == 0 || errno == EEXIST);
}

static void make_folder(void)
{
    (void)mkdir("docs", 0755);
    (void)mkdir("docs/cats", 0755);
    (void)mkdir("docs/cats/old", 0755);
    (void)mkdir("docs/dogs", 0755);
    (void)mkdir("docs/.git", 0755);
    write_file("docs/dogs/a.txt", "Big dog\nsmall dog\n");
    write_file("docs/cats/b.txt", "\xEF\xBB\xBF"
                                  "cat\r\nkitten");
    write_packed("docs/cats/old/c.txt.gz", "gzip", "old cat\n");
    write_file("docs/readme", "");
    write_file("docs/.hidden", "hidden\n");
    write_file("docs/.git/x", "hidden\n");
    write_file("secret", "secret words\n");
    make_link("../secret", "docs/link");
    make_link("/", "docs/root");
}

static void files_are_documents_and_folders_are_classes(void **state)
{
    (void)state;
    make_folder();
    gb_corpus *c = corpus_of("docs", NULL);
    assert_string_equal(ids_of(c), "cats/b.txt cats/old/c.txt.gz dogs/a.txt readme");
    assert_string_equal(classes_of(c, 0), "cats cats dogs -");
    assert_string_equal(c->labels[0].name, "folder");
    assert_string_equal(words_of(c, 0), "cat kitten");
    assert_string_equal(words_of(c, 1), "old cat");
    assert_string_equal(words_of(c, 2), "big dog small dog");
    assert_string_equal(words_of(c, 3), "");
    assert_int_equal(note_of(c, "skipped_files"), 2);
    gb_corpus_free(c);
    c = corpus_of("./docs//", "label", "folder", NULL);
    assert_string_equal(ids_of(c), "cats/b.txt cats/old/c.txt.gz dogs/a.txt readme");
    gb_corpus_free(c);
}

static void labels_can_come_from_metadata(void **state)
{
    (void)state;
    make_folder();
    write_file("m.csv", "id,y\ndogs/a.txt,1\nreadme,2\n");
    gb_corpus *c = corpus_of("docs", "metadata", "m.csv", "label", "y", NULL);
    assert_int_equal(c->n_labels, 1);
    assert_string_equal(classes_of(c, 0), "- - 1 2");
    gb_corpus_free(c);
    assert_fails(GB_EARGUMENT, "docs: no label field \"y\"; a folder has the field \"folder\"", "docs", "label", "y");
}

static void archives_are_read_like_folders(void **state)
{
    static const char *const formats[] = {"ustar", "zip"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        write_archive("docs.archive", formats[i], "dogs/a.txt", "big dog\n", "./cats/b.txt", "cat", ".x", "no",
                      "__MACOSX/y", "no", "c", "", NULL);
        gb_corpus *c = corpus_of("docs.archive", "format", "dir", NULL);
        assert_string_equal(ids_of(c), "dogs/a.txt cats/b.txt c");
        assert_string_equal(classes_of(c, 0), "dogs cats -");
        assert_string_equal(words_of(c, 0), "big dog");
        gb_corpus_free(c);
    }
}

static void faults_name_the_file(void **state)
{
    (void)state;
    (void)mkdir("bad", 0755);
    assert_fails(GB_EFORMAT, "bad: no documents", "bad");
    write_file("bad/a", "fine\nnot \xff");
    assert_fails(GB_EFORMAT, "bad/a:2: byte 5 is not valid UTF-8; `encoding` windows-1252 may read it", "bad");
    write_file("bad/a", "fine\n");
    write_file("bad/b\xff", "fine\n");
    assert_fails(GB_EFORMAT, "bad: the name of a file is not valid UTF-8 (document 2)", "bad");
    write_file("plain", "text\n");
    assert_fails(GB_EARGUMENT, "plain: neither a folder nor a zip or tar archive, as `format` dir needs", "plain",
                 "format", "dir");
    assert_fails(GB_EIO, "none: No such file or directory", "none", "format", "dir");
}

/* Files are read in blocks of 256 KiB; one that fits into a block is read in another way. */
static void files_of_all_sizes_are_read_to_their_end(void **state)
{
    enum { BLOCK = 1 << 18 };
    static const size_t sizes[] = {4, 400, BLOCK - 4, BLOCK, BLOCK + 4, 2 * BLOCK, 2 * BLOCK + 4, 5 * BLOCK};
    char *text = malloc(5 * BLOCK);
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < 5 * BLOCK; i += 4)
        memcpy(text + i, i % 64 == 0 ? "dog\n" : "dog ", 4);
    (void)mkdir("sizes", 0755);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        write_bytes("sizes/a", text, sizes[i]);
        gb_corpus *c = corpus_of("sizes", NULL);
        assert_int_equal(c->n_tokens, sizes[i] / 4);
        assert_int_equal(c->n_words, 1);
        gb_corpus_free(c);
    }
    free(text);
}

/* The first bytes alone are not what makes a packed file. */
static void texts_may_begin_like_packed_files(void **state)
{
    (void)state;
    (void)mkdir("begin", 0755);
    write_file("begin/a", "BZh dogs");
    write_file("begin/b", "BZ");
    write_file("begin/c", "PK dogs\n");
    write_file("begin/d", "ustar dogs\n");
    write_packed("begin/e", "bzip2", "cat\n");
    write_packed("begin/f", "zstd", "kitten\n");
    gb_corpus *c = corpus_of("begin", NULL);
    assert_int_equal(c->n_docs, 6);
    assert_string_equal(vocabulary_of(c), "bz bzh cat dogs kitten pk ustar");
    gb_corpus_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_documents_and_folders_are_classes),
        cmocka_unit_test(labels_can_come_from_metadata),
        cmocka_unit_test(archives_are_read_like_folders),
        cmocka_unit_test(faults_name_the_file),
        cmocka_unit_test(files_of_all_sizes_are_read_to_their_end),
        cmocka_unit_test(texts_may_begin_like_packed_files),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
