/* test_encodings.c - texts that are not UTF-8: read by a mark or by the option, and named when neither says what they are. */
#include "helper_documents.h"

#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char encoded[1 << 20];

/* Write a text in an encoding, behind a mark. */
static void write_encoded(const char *path, const char *encoding, const char *mark, size_t n_mark, const char *text)
{
    iconv_t converter = iconv_open(encoding, "UTF-8");
    assert_true(converter != (iconv_t)-1);
    char *from = (char *)(uintptr_t)text, *to = encoded + n_mark;
    size_t n = strlen(text), room = sizeof encoded - n_mark;
    memcpy(encoded, mark, n_mark);
    assert_true(iconv(converter, &from, &n, &to, &room) != (size_t)-1);
    assert_true(iconv(converter, NULL, NULL, &to, &room) != (size_t)-1);
    assert_int_equal(iconv_close(converter), 0);
    write_bytes(path, encoded, sizeof encoded - room);
}

static const char table[] = "id,text,y\r\nu,\"Sch\xC3\xB6ner Caf\xC3\xA9,\r\nna\xC3\xAFve\",a\r\nv,Stra\xC3\x9F"
                            "e,b\r\n";

static void assert_table(const char *path, const char *encoding)
{
    gb_corpus *c = corpus_of(path, "label", "y", "encoding", encoding, NULL);
    assert_int_equal(c->n_docs, 2);
    assert_string_equal(words_of(c, 0), "sch\xC3\xB6ner caf\xC3\xA9 na\xC3\xAFve");
    assert_string_equal(classes_of(c, 0), "a b");
    gb_corpus_free(c);
}

static void a_mark_decides(void **state)
{
    static const struct {
        const char *encoding, *mark;
        size_t n;
    } marks[] = {{"UTF-8", "\xEF\xBB\xBF", 3},
                 {"UTF-16LE", "\xFF\xFE", 2},
                 {"UTF-16BE", "\xFE\xFF", 2},
                 {"UTF-32LE", "\xFF\xFE\0\0", 4},
                 {"UTF-32BE", "\0\0\xFE\xFF", 4}};
    (void)state;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        write_encoded("a.csv", marks[i].encoding, marks[i].mark, marks[i].n, table);
        assert_table("a.csv", "auto");
        assert_table("a.csv", "windows-1251"); /* the mark is surer */
    }
}

static void encodings_can_be_given(void **state)
{
    static const char *const names[][2] = {
        {"ISO-8859-1", "latin-1"}, {"ISO-8859-1", "latin1"},   {"CP1252", "windows-1252"},
        {"CP1252", "cp1252"},      {"ISO-8859-15", "latin-9"}, {"UTF-16LE", "utf-16"},
        {"UTF-16BE", "UTF-16"},    {"UTF-16BE", "utf-16be"},   {"MACINTOSH", "macintosh"},
        {"UTF-8", "utf-8-sig"},    {"UTF-7", "utf-7"},         {"ISO-8859-1", "ISO_8859-1"}};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        write_encoded("a.csv", names[i][0], "", 0, table);
        assert_table("a.csv", names[i][1]);
    }
    static const char *const bad[] = {"nonsense", "latin-1//TRANSLIT", "a b", "../x"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char message[200];
        (void)snprintf(message, sizeof message,
                       "`encoding` \"%s\": there is no such encoding here; iconv -l lists those that there are",
                       bad[i]);
        assert_fails(GB_EARGUMENT, message, "a.csv", "encoding", bad[i]);
    }
}

/* Of several blocks, whose ends cut characters, and of states that the end of the text leaves open. */
static void long_texts_are_decoded_in_blocks(void **state)
{
    static const char *const encodings[] = {"UTF-16LE", "SHIFT_JIS", "ISO-2022-JP", "GB18030"};
    enum { ROWS = 12000 };
    char *text = malloc((size_t)ROWS * 40);
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < sizeof encodings / sizeof encodings[0]; i++) {
        size_t n = i; /* other places for the ends of blocks */
        memset(text, ' ', n);
        for (int row = 0; row < ROWS; row++)
            n += (size_t)sprintf(text + n, "{\"text\": \"\xE6\x97\xA5\xE6\x9C\xAC %d\"}\n", row);
        (void)strcpy(text + n, "{\"text\": \"\xE6\x97\xA5\xE6\x9C\xAC\"}");
        write_encoded("a.jsonl", encodings[i], "", 0, text);
        gb_corpus *c = corpus_of("a.jsonl", "encoding", encodings[i], NULL);
        assert_int_equal(c->n_docs, ROWS + 1);
        assert_string_equal(vocabulary_of(c), "\xE6\x97\xA5\xE6\x9C\xAC");
        assert_int_equal(c->n_tokens, ROWS + 1);
        gb_corpus_free(c);
    }
    free(text);
}

static void bytes_that_do_not_fit_are_counted(void **state)
{
    (void)state;
    write_bytes("a.jsonl", "{\"text\": \"a\"}\n{\"text\": \"\x81\"}\n", 28);
    assert_fails(GB_EFORMAT, "a.jsonl: byte 25 of the file is not valid windows-1252", "a.jsonl", "encoding",
                 "windows-1252");
    write_bytes("a.jsonl", "\xFF\xFE{\0}", 5);
    assert_fails(GB_EFORMAT, "a.jsonl: byte 3 of the file is not valid UTF-16LE", "a.jsonl");
    write_bytes("a.jsonl", "\xFF\xFE{\0\"\0\0\0", 8);
    assert_fails(GB_EFORMAT, "a.jsonl:1: byte 3 is NUL, decoded", "a.jsonl");
}

static void the_likely_encoding_is_named(void **state)
{
    static const struct {
        const char *encoding, *likely, *text;
    } cases[] = {
        {"CP1252", "windows-1252",
         "na\xC3\xAFve caf\xC3\xA9 \xE2\x80\x93 stra\xC3\x9F"
         "e"},
        {"ISO-8859-1", "windows-1252", "\xC3\xA9t\xC3\xA9 en for\xC3\xAAt, l\xC3\xA0-bas"},
        {"CP1250", "windows-1250",
         "By\xC5\x82 to dobry film kt\xC3\xB3ry si\xC4\x99 podoba\xC5\x82, z\xC5\x82"
         "a ksi\xC4\x85\xC5\xBCka"},
        {"CP1251", "windows-1251",
         "\xD0\x9F\xD0\xBB\xD0\xBE\xD1\x85\xD0\xB0\xD1\x8F \xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB0 \xD0\xBE "
         "\xD0\xB2\xD0\xBE\xD0\xB9\xD0\xBD\xD0\xB5"},
        {"KOI8-R", "koi8-r",
         "\xD0\x9F\xD0\xBB\xD0\xBE\xD1\x85\xD0\xB0\xD1\x8F \xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB0 \xD0\xBE "
         "\xD0\xB2\xD0\xBE\xD0\xB9\xD0\xBD\xD0\xB5"},
        {"GB18030", "gb18030",
         "\xE7\x94\xB5\xE5\xBD\xB1 \xE9\x9D\x9E\xE5\xB8\xB8 \xE5\xA5\xBD\xE7\x9C\x8B \xE5\xBE\x88"},
        {"SHIFT_JIS", "shift_jis",
         "\xE3\x81\x93\xE3\x81\xAE\xE6\x98\xA0\xE7\x94\xBB\xE3\x81\xAF\xE3\x81\xA8\xE3\x81\xA6"},
        {"CP850", "cp850",
         "Gr\xC3\xBC\xC3\x9F"
         "e aus M\xC3\xBCnchen, sch\xC3\xB6ner Tag f\xC3\xBCr alle"},
        {"MACINTOSH", "macintosh",
         "Gr\xC3\xBC\xC3\x9F"
         "e aus M\xC3\xBCnchen, sch\xC3\xB6ner Tag f\xC3\xBCr alle, caf\xC3\xA9"},
        {"CP866", "cp866",
         "\xD0\x9F\xD0\xBB\xD0\xBE\xD1\x85\xD0\xB0\xD1\x8F \xD0\xBA\xD0\xBD\xD0\xB8\xD0\xB3\xD0\xB0 \xD0\xBE "
         "\xD0\xB2\xD0\xBE\xD0\xB9\xD0\xBD\xD0\xB5"},
        {"CP1253", "windows-1253",
         "\xCE\x97 \xCF\x84\xCE\xB1\xCE\xB9\xCE\xBD\xCE\xAF\xCE\xB1 \xCE\xAE\xCF\x84\xCE\xB1\xCE\xBD "
         "\xCF\x80\xCE\xBF\xCE\xBB\xCF\x8D \xCE\xBA\xCE\xB1\xCE\xBB\xCE\xAE \xCE\xBA\xCE\xB1\xCE\xB9 "
         "\xCE\xBC\xCE\xBF\xCF\x85 \xCE\xAC\xCF\x81\xCE\xB5\xCF\x83\xCE\xB5"},
        {"CP1254", "windows-1254",
         "Bu film \xC3\xA7ok g\xC3\xBCzel de\xC4\x9Fildi, \xC5\x9F"
         "ark\xC4\xB1lar iyi"},
        {"CP1255", "windows-1255",
         "\xD7\x94\xD7\xA1\xD7\xA8\xD7\x98 \xD7\x94\xD7\x99\xD7\x94 \xD7\x98\xD7\x95\xD7\x91 "
         "\xD7\x9E\xD7\x90\xD7\x95\xD7\x93"},
        {"CP1256", "windows-1256",
         "\xD9\x83\xD8\xA7\xD9\x86 \xD8\xA7\xD9\x84\xD9\x81\xD9\x8A\xD9\x84\xD9\x85 \xD8\xAC\xD9\x8A\xD8\xAF\xD8\xA7 "
         "\xD8\xAC\xD8\xAF\xD8\xA7"},
        {"EUC-JP", "euc-jp",
         "\xE3\x81\x93\xE3\x81\xAE\xE6\x98\xA0\xE7\x94\xBB\xE3\x81\xAF\xE3\x81\xA8\xE3\x81\xA6\xE3\x82\x82\xE8\x89"
         "\xAF\xE3\x81\x8B\xE3\x81\xA3\xE3\x81\x9F"},
        {"EUC-KR", "euc-kr",
         "\xEC\x9D\xB4 \xEC\x98\x81\xED\x99\x94\xEB\x8A\x94 \xEC\x95\x84\xEC\xA3\xBC "
         "\xEC\xA2\x8B\xEC\x95\x98\xEB\x8B\xA4"},
        {"BIG5", "big5",
         "\xE9\x80\x99\xE9\x83\xA8\xE9\x9B\xBB\xE5\xBD\xB1\xE9\x9D\x9E\xE5\xB8\xB8\xE5\xA5\xBD\xE7\x9C\x8B"},
        {"TIS-620", "windows-874",
         "\xE0\xB8\xAB\xE0\xB8\x99\xE0\xB8\xB1\xE0\xB8\x87\xE0\xB9\x80\xE0\xB8\xA3\xE0\xB8\xB7\xE0\xB9\x88\xE0\xB8"
         "\xAD\xE0\xB8\x87\xE0\xB8\x99\xE0\xB8\xB5\xE0\xB9\x89\xE0\xB8\x94\xE0\xB8\xB5\xE0\xB8\xA1\xE0\xB8\xB2\xE0"
         "\xB8\x81"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char message[100], text[300];
        (void)snprintf(text, sizeof text, "text\n\n%s\n", cases[i].text);
        write_encoded("a.tsv", cases[i].encoding, "", 0, text);
        (void)snprintf(message, sizeof message, "; `encoding` %s may read it", cases[i].likely);
        gb_error err = {0};
        gb_settings *settings = settings_of(NULL);
        gb_corpus *c = NULL;
        assert_int_equal(gb_corpus_read("a.tsv", settings, NULL, NULL, &c, &err), GB_EFORMAT);
        assert_non_null(strstr(err.message, "a.tsv:3: byte "));
        assert_non_null(strstr(err.message, message));
        gb_settings_free(settings);
    }
    write_encoded("a.tsv", "UTF-16LE", "", 0, "text\ndog\n");
    assert_fails(GB_EFORMAT, "a.tsv:1: byte 2 is NUL; `encoding` utf-16 may read it", "a.tsv");
    write_file("a.tsv", "text\n\xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9 \xC3\xA9t\xC3\xA9\n\xFF dog\n");
    assert_fails(GB_EFORMAT, "a.tsv:3: byte 1 is not valid UTF-8, but most of the text is; is it damaged?", "a.tsv");
}

static void a_folder_names_all_its_bad_files(void **state)
{
    (void)state;
    assert_int_equal(mkdir("mail", 0755), 0);
    write_file("mail/a.txt", "good caf\xC3\xA9\n");
    for (char name[] = "mail/b.txt"; name[5] < 'j'; name[5]++)
        write_file(name, name[5] % 2 == 0 ? "caf\xE9\n" : "dog\n");
    assert_fails(GB_EFORMAT,
                 "mail/b.txt:1: byte 4 is not valid UTF-8; `encoding` windows-1252 may read it; the same in 3 other "
                 "files: d.txt, f.txt, h.txt",
                 "mail");
    write_archive("mail.zip", "zip", "a.txt", "good\n", "b.txt", "caf\xE9\n", "c/d.txt", "\xE9\n", "e.txt", "dog\n",
                  NULL);
    assert_fails(
        GB_EFORMAT,
        "mail.zip/b.txt:1: byte 4 is not valid UTF-8; `encoding` windows-1252 may read it; the same in 1 other "
        "file: c/d.txt",
        "mail.zip", "format", "dir");
    gb_corpus *c = corpus_of("mail.zip", "format", "dir", "encoding", "windows-1252", NULL);
    assert_int_equal(c->n_docs, 4);
    assert_string_equal(ids_of(c), "a.txt b.txt c/d.txt e.txt");
    gb_corpus_free(c);
    c = corpus_of("mail", "encoding", "windows-1252", NULL);
    assert_int_equal(c->n_docs, 9);
    assert_int_equal(note_of(c, "inputs_like_utf8"), 1);
    gb_corpus_free(c);
}

static void metadata_have_the_same_encoding(void **state)
{
    (void)state;
    write_file("a.csv", "id,text\n1,caf\xE9\n");
    write_file("m.csv", "id,y\n1,stra\xDF"
                        "e\n");
    gb_corpus *c = corpus_of("a.csv", "metadata", "m.csv", "label", "y", "encoding", "latin-1", NULL);
    assert_string_equal(classes_of(c, 0), "stra\xC3\x9F"
                                          "e");
    gb_corpus_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mark_decides),
        cmocka_unit_test(encodings_can_be_given),
        cmocka_unit_test(long_texts_are_decoded_in_blocks),
        cmocka_unit_test(bytes_that_do_not_fit_are_counted),
        cmocka_unit_test(the_likely_encoding_is_named),
        cmocka_unit_test(a_folder_names_all_its_bad_files),
        cmocka_unit_test(metadata_have_the_same_encoding),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
