/* The file layout: what is written can be read, and nothing else can.
 *
 * Hostile files are put together here by hand, with a correct checksum, so that each is refused for the
 * reason it was made for. */
#include "base/hash.h"
#include "helper_documents.h"

#include "base/memory.h"
#include "store/store.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define BEGIN "{\"__metadata__\":{\"checksum\":\"00000000000000000000000000000000\",\"gibbous\":\"corpus 1\"}"

/* ---- helpers ---- */

typedef struct bytes {
    unsigned char *at;
    size_t n;
} bytes;

static bytes read_bytes(const char *path)
{
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    bytes b = {malloc((size_t)info.st_size + 1), (size_t)info.st_size};
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_int_equal(fread(b.at, 1, b.n, f), b.n);
    fclose(f);
    return b;
}

/* A file with that header and `n_data` bytes 1, 2, 3, ... after it; the checksum at its place is made right.
 */
static void write_by_hand(const char *path, const char *json, size_t n_data)
{
    size_t head = (8 + strlen(json) + 63) / 64 * 64, n = head + n_data;
    unsigned char *at = malloc(n);
    uint64_t length = head - 8;
    memcpy(at, &length, 8);
    memset(at + 8, ' ', head - 8);
    memcpy(at + 8, json, strlen(json));
    for (size_t i = 0; i < n_data; i++)
        at[head + i] = (unsigned char)(i + 1);
    if (n >= 69 && memcmp(at + 8, BEGIN, 61) == 0) {
        char digits[33];
        XXH128_hash_t hash = XXH3_128bits(at, n);
        snprintf(digits, sizeof digits, "%016llx%016llx", (unsigned long long)hash.high64,
                 (unsigned long long)hash.low64);
        memcpy(at + 37, digits, 32);
    }
    write_bytes(path, at, n);
    free(at);
}

static void assert_refused(const char *path, const char *kind, gb_status status, const char *message)
{
    gb_store *s = NULL;
    gb_error err;
    assert_int_equal(gb_store_open(&s, path, kind, &err), status);
    assert_null(s);
    assert_string_equal(err.message, message);
    assert_int_equal(gb_store_open(&s, path, kind, NULL), status);
}

static void refuse_header(const char *json, size_t n_data, const char *message)
{
    write_by_hand("x.gbc", json, n_data);
    assert_refused("x.gbc", "corpus", GB_EFORMAT, message);
    unlink("x.gbc");
}

static const uint32_t words[5] = {3, 1, 4, 1, 5};
static const double shares[2][3] = {{0.5, 0.25, 0.25}, {1, 0, 0}};

/* Two texts, two arrays and an empty one. */
static gb_status save_example(const char *path, bool force, gb_error *err)
{
    gb_status st = GB_OK;
    gb_store_writer *w = NULL;
    GB_TRY(gb_store_create(&w, "corpus", err));
    GB_TRY(gb_store_text(w, "note", "sunny \"\xc3\xa9t\xc3\xa9\"\n", err));
    GB_TRY(gb_store_text(w, "empty", "", err));
    GB_TRY(gb_store_array(w, "word", GB_U32, 1, (uint64_t[]){5}, words, err));
    GB_TRY(gb_store_array(w, "none", GB_U64, 1, (uint64_t[]){0}, NULL, err));
    GB_TRY(gb_store_array(w, "share", GB_F64, 2, (uint64_t[]){2, 3}, shares, err));
    GB_TRY(gb_store_save(w, path, force, err));
done:
    gb_store_writer_free(w);
    return st;
}

static gb_store *open_example(void)
{
    gb_store *s = NULL;
    gb_error err;
    assert_int_equal(save_example("x.gbc", true, &err), GB_OK);
    assert_int_equal(gb_store_open(&s, "x.gbc", "corpus", &err), GB_OK);
    return s;
}

/* ---- round trip ---- */

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    const char *text;
    const void *data;
    uint64_t shape[3];
    gb_store *s = open_example();
    assert_string_equal(gb_store_path(s), "x.gbc");
    assert_int_equal(gb_store_get_text(s, "note", &text, NULL), GB_OK);
    assert_string_equal(text, "sunny \"\xc3\xa9t\xc3\xa9\"\n");
    assert_int_equal(gb_store_get_text(s, "empty", &text, NULL), GB_OK);
    assert_string_equal(text, "");
    assert_int_equal(gb_store_get_array(s, "word", GB_U32, 1, shape, &data, NULL), GB_OK);
    assert_int_equal(shape[0], 5);
    assert_memory_equal(data, words, sizeof words);
    assert_int_equal(gb_store_get_array(s, "share", GB_F64, 2, shape, &data, NULL), GB_OK);
    assert_int_equal(shape[0], 2);
    assert_int_equal(shape[1], 3);
    assert_memory_equal(data, shares, sizeof shares);
    assert_int_equal((uintptr_t)data % 64, 0);
    assert_int_equal(gb_store_get_array(s, "none", GB_U64, 1, shape, &data, NULL), GB_OK);
    assert_int_equal(shape[0], 0);
    assert_int_equal((uintptr_t)data % 64, 0);
    gb_store_close(s);
    gb_store_close(NULL);
    unlink("x.gbc");
}

static void a_file_without_arrays_works(void **state)
{
    (void)state;
    gb_store_writer *w;
    gb_store *s;
    assert_int_equal(gb_store_create(&w, "model", NULL), GB_OK);
    assert_int_equal(gb_store_save(w, "x.gibbous", false, NULL), GB_OK);
    gb_store_writer_free(w);
    assert_int_equal(gb_store_open(&s, "x.gibbous", "model", NULL), GB_OK);
    assert_false(gb_store_has_array(s, "word"));
    gb_store_close(s);
    unlink("x.gibbous");
}

/* Reading may take 4 times the file and 64 MiB, and one eighth of that for one thing: a small file becomes larger if it has to. */
static void a_file_is_as_large_as_its_reading_needs(void **state)
{
    static const uint64_t needs[] = {0, 1, 8 << 20, (8 << 20) + 1, 9 << 20, 24 << 20};
    (void)state;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++)
        for (unsigned share = 1; share <= 2; share++) {
            gb_store_writer *w;
            gb_store *s;
            const uint16_t three[3] = {1, 2, 3};
            const void *array;
            void *whole;
            size_t n_bytes;
            uint64_t n;
            assert_int_equal(gb_store_create(&w, "model", NULL), GB_OK);
            gb_store_make_room(w, share * needs[i], share);
            gb_store_make_room(w, 1000, share);
            assert_int_equal(gb_store_array(w, "three", GB_U16, 1, &(uint64_t){3}, three, NULL), GB_OK);
            assert_int_equal(gb_store_to_bytes(w, &whole, &n_bytes, NULL), GB_OK);
            assert_int_equal(gb_store_save(w, "x.gibbous", false, NULL), GB_OK);
            gb_store_writer_free(w);
            bytes file = read_bytes("x.gibbous");
            assert_int_equal(file.n, n_bytes);
            assert_memory_equal(file.at, whole, n_bytes);
            const uint64_t beyond = needs[i] > 8 << 20 ? needs[i] - (8 << 20) : 0;
            assert_in_range(file.n, 2 * beyond, 2 * beyond + 4096);
            assert_int_equal(gb_store_open(&s, "x.gibbous", "model", NULL), GB_OK);
            assert_int_equal(gb_store_check_memory(s, share * needs[i], share, "it", NULL), GB_OK);
            assert_int_equal(gb_store_get_array(s, "three", GB_U16, 1, &n, &array, NULL), GB_OK);
            assert_memory_equal(array, three, sizeof three);
            gb_store_close(s);
            gb_free(whole);
            free(file.at);
            unlink("x.gibbous");
        }
}

static void equal_contents_give_equal_bytes(void **state)
{
    (void)state;
    assert_int_equal(save_example("a", false, NULL), GB_OK);
    assert_int_equal(save_example("b", false, NULL), GB_OK);
    bytes a = read_bytes("a"), b = read_bytes("b");
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.at, b.at, a.n);
    free(a.at);
    free(b.at);
    unlink("a");
    unlink("b");
}

static void the_file_is_laid_out_as_documented(void **state)
{
    (void)state;
    static const char expected[] =
        "{\"__metadata__\":{\"checksum\":\"00000000000000000000000000000000\",\"gibbous\":\"corpus 1\","
        "\"note\":\"sunny \\\"\xc3\xa9t\xc3\xa9\\\"\\n\",\"empty\":\"\"},"
        "\"word\":{\"dtype\":\"U32\",\"shape\":[5],\"data_offsets\":[0,20]},"
        "\"none\":{\"dtype\":\"U64\",\"shape\":[0],\"data_offsets\":[20,20]},"
        "\"padding2\":{\"dtype\":\"U8\",\"shape\":[44],\"data_offsets\":[20,64]},"
        "\"share\":{\"dtype\":\"F64\",\"shape\":[2,3],\"data_offsets\":[64,112]}}";
    uint64_t length;
    char digits[33];
    assert_int_equal(save_example("x.gbc", false, NULL), GB_OK);
    bytes b = read_bytes("x.gbc");
    memcpy(&length, b.at, 8);
    assert_int_equal((length + 8) % 64, 0);
    assert_int_equal(b.n, 8 + length + 112);
    memcpy(digits, b.at + 37, 32);
    digits[32] = '\0';
    memset(b.at + 37, '0', 32);
    assert_memory_equal(b.at + 8, expected, sizeof expected - 1);
    for (size_t i = 8 + sizeof expected - 1; i < 8 + length; i++)
        assert_int_equal(b.at[i], ' ');
    XXH128_hash_t hash = XXH3_128bits(b.at, b.n);
    char right[33];
    snprintf(right, sizeof right, "%016llx%016llx", (unsigned long long)hash.high64, (unsigned long long)hash.low64);
    assert_string_equal(digits, right);
    free(b.at);
    unlink("x.gbc");
}

static void asking_for_the_wrong_thing_is_an_error(void **state)
{
    (void)state;
    gb_error err;
    const char *text;
    const void *data;
    uint64_t shape[3];
    gb_store *s = open_example();
    assert_int_equal(gb_store_get_text(s, "missing", &text, &err), GB_EFORMAT);
    assert_string_equal(err.message, "x.gbc: text \"missing\" is missing");
    assert_int_equal(gb_store_get_array(s, "missing", GB_U8, 1, shape, &data, &err), GB_EFORMAT);
    assert_string_equal(err.message, "x.gbc: array \"missing\" is missing");
    assert_int_equal(gb_store_get_array(s, "__metadata__", GB_U8, 1, shape, &data, &err), GB_EFORMAT);
    assert_int_equal(gb_store_get_array(s, "word", GB_U64, 1, shape, &data, &err), GB_EFORMAT);
    assert_string_equal(err.message, "x.gbc: array \"word\" is U32 with 1 dimensions, expected U64 with 1");
    assert_int_equal(gb_store_get_array(s, "word", GB_U32, 2, shape, &data, &err), GB_EFORMAT);
    assert_true(gb_store_has_array(s, "word"));
    assert_false(gb_store_has_array(s, "missing"));
    assert_false(gb_store_has_array(s, "__metadata__"));
    gb_store_close(s);
    unlink("x.gbc");
}

static void a_writer_refuses_what_could_not_be_read(void **state)
{
    (void)state;
    gb_store_writer *w = NULL;
    const uint64_t big[] = {UINT64_MAX / 4, 3}, one = 1;
    assert_int_equal(gb_store_create(&w, "poem", NULL), GB_EARGUMENT);
    assert_null(w);
    assert_int_equal(gb_store_create(&w, "model", NULL), GB_OK);
    assert_int_equal(gb_store_text(w, "gibbous", "poem 1", NULL), GB_EARGUMENT);
    assert_int_equal(gb_store_text(w, "note", "\xff", NULL), GB_EARGUMENT);
    assert_int_equal(gb_store_text(w, "no\nte", "", NULL), GB_EARGUMENT);
    assert_int_equal(gb_store_array(w, "a", GB_U8, 2, big, "x", NULL), GB_EARGUMENT);
    assert_int_equal(gb_store_array(w, "a", GB_U8, 0, big, "x", NULL), GB_EARGUMENT);
    assert_int_equal(gb_store_array(w, "a", GB_U8, 4, big, "x", NULL), GB_EARGUMENT);
    assert_int_equal(gb_store_array(w, "__metadata__ ", GB_U8, 1, &one, "x", NULL), GB_EARGUMENT);
    assert_int_equal(gb_store_array(w, "padding", GB_U8, 1, &one, "x", NULL), GB_EARGUMENT);
    assert_int_equal(gb_store_array(w, "a", GB_U8, 1, &one, "x", NULL), GB_OK);
    assert_int_equal(gb_store_array(w, "a", GB_U8, 1, &one, "x", NULL), GB_EARGUMENT);
    gb_store_writer_free(w);
    gb_store_writer_free(NULL);
}

/* ---- damage ---- */

static void every_flipped_bit_is_refused(void **state)
{
    (void)state;
    gb_store *s = NULL;
    assert_int_equal(save_example("x.gbc", false, NULL), GB_OK);
    bytes b = read_bytes("x.gbc");
    int file = open("x.gbc", O_WRONLY);
    for (size_t i = 0; i < b.n; i++)
        for (int bit = 0; bit < 8; bit++) {
            unsigned char flipped = (unsigned char)(b.at[i] ^ (1 << bit));
            assert_int_equal(pwrite(file, &flipped, 1, (off_t)i), 1);
            assert_int_equal(gb_store_open(&s, "x.gbc", "corpus", NULL), GB_EFORMAT);
            assert_int_equal(pwrite(file, &b.at[i], 1, (off_t)i), 1);
        }
    close(file);
    assert_int_equal(gb_store_open(&s, "x.gbc", "corpus", NULL), GB_OK);
    gb_store_close(s);
    free(b.at);
    unlink("x.gbc");
}

static void a_file_truncated_at_any_length_is_refused(void **state)
{
    (void)state;
    gb_store *s = NULL;
    gb_error err;
    assert_int_equal(save_example("x.gbc", false, NULL), GB_OK);
    bytes b = read_bytes("x.gbc");
    for (size_t n = b.n; n-- > 0;) {
        assert_int_equal(truncate("x.gbc", (off_t)n), 0);
        assert_int_equal(gb_store_open(&s, "x.gbc", "corpus", &err), GB_EFORMAT);
        assert_non_null(strstr(err.message, n < 37 ? "x.gbc: not a gibbous file" : "x.gbc: truncated: "));
    }
    free(b.at);
    unlink("x.gbc");
}

static void a_truncated_file_is_called_truncated(void **state)
{
    (void)state;
    write_by_hand("x.gbc", BEGIN ",\"word\":{\"dtype\":\"U32\",\"shape\":[100],\"data_offsets\":[0,400]}}", 300);
    assert_refused("x.gbc", "corpus", GB_EFORMAT,
                   "x.gbc: truncated: array \"word\" needs 400 bytes at offset 192, the file ends at 492");
    assert_int_equal(truncate("x.gbc", 100), 0);
    assert_refused("x.gbc", "corpus", GB_EFORMAT,
                   "x.gbc: truncated: the header needs 192 bytes, the file ends at 100");
    unlink("x.gbc");
}

static void bytes_after_the_last_array_are_refused(void **state)
{
    (void)state;
    assert_int_equal(save_example("x.gbc", false, NULL), GB_OK);
    FILE *f = fopen("x.gbc", "ab");
    fputs("abc", f);
    fclose(f);
    assert_refused("x.gbc", "corpus", GB_EFORMAT, "x.gbc: damaged: 3 bytes after the last array");
    unlink("x.gbc");
}

static void a_wrong_checksum_is_called_damage(void **state)
{
    (void)state;
    assert_int_equal(save_example("x.gbc", false, NULL), GB_OK);
    int file = open("x.gbc", O_WRONLY);
    assert_int_equal(lseek(file, -1, SEEK_END) > 0, 1);
    assert_int_equal(write(file, "!", 1), 1);
    close(file);
    assert_refused("x.gbc", "corpus", GB_EFORMAT, "x.gbc: checksum does not match: the file is damaged");
    unlink("x.gbc");
}

/* ---- other files ---- */

static void another_kind_is_refused(void **state)
{
    (void)state;
    gb_store_close(open_example());
    assert_refused("x.gbc", "model", GB_EFORMAT, "x.gbc: a gibbous corpus, expected a model");
    unlink("x.gbc");
}

#define META(text) "{\"__metadata__\":{\"checksum\":\"00000000000000000000000000000000\"" text "}}"

static void another_version_is_refused_by_name(void **state)
{
    (void)state;
    refuse_header(META(",\"gibbous\":\"corpus 2\""), 100,
                  "x.gbc: written by a later version of gibbous (corpus 2, this program reads corpus 1)");
    refuse_header(META(",\"gibbous\":\"corpus 0\""), 0,
                  "x.gbc: written by another version of gibbous (corpus 0, this program reads corpus 1)");
}

static void a_strange_kind_is_refused(void **state)
{
    (void)state;
    const char *strange[] = {"",
                             "corpus",
                             "corpus ",
                             "corpus x",
                             "corpus 1 ",
                             "corpus -1",
                             "Corpus 1",
                             "corpus  1",
                             "corpus 1234567890",
                             "abcdefghijklmnopq 1",
                             "\\u001b[31m 1",
                             " 1"};
    char json[300];
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        snprintf(json, sizeof json, META(",\"gibbous\":\"%s\""), strange[i]);
        refuse_header(json, 0, "x.gbc: damaged header: \"gibbous\" should be kind and version");
    }
    refuse_header(META(""), 0, "x.gbc: damaged header: \"gibbous\" should be kind and version");
    refuse_header(META(",\"gibbous\":7"), 0, "x.gbc: damaged header: __metadata__ should hold named texts");
    refuse_header(META(",\"gibbous\":\"corpus 1\",\"a\\n\":\"\""), 0,
                  "x.gbc: damaged header: __metadata__ should hold named texts");
}

static void a_file_of_another_program_is_not_ours(void **state)
{
    (void)state;
    const char *expected = "x.gibbous: not a gibbous file (expected an 8-byte header length and a JSON header)";
    const char *others[] = {"", "a", "text,label\nsunny day,good\n", "{\"text\": \"some line of JSON, long enough\"}",
                            "\x40\0\0\0\0\0\0\0{\"__metadata__\":{\"format\":\"pt\"}}"};
    const size_t sizes[] = {0, 1, 26, 43, 40};
    for (size_t i = 0; i < 5; i++) {
        write_bytes("x.gibbous", others[i], sizes[i]);
        assert_refused("x.gibbous", "model", GB_EFORMAT, expected);
        assert_false(gb_store_sniff("x.gibbous"));
    }
    unlink("x.gibbous");
}

static void a_file_that_cannot_be_opened_says_why(void **state)
{
    (void)state;
    assert_refused("x.gbc", "corpus", GB_EIO, "x.gbc: cannot open: No such file or directory");
    assert_refused(".", "corpus", GB_EIO, ".: cannot open: Is a directory");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_refused("pipe", "corpus", GB_EIO, "pipe: cannot open: not a regular file");
    assert_false(gb_store_sniff("pipe"));
    assert_false(gb_store_sniff("x.gbc"));
    assert_false(gb_store_sniff("."));
    unlink("pipe");
}

static void a_pipe_is_not_read_from_to_recognise_it(void **state)
{
    (void)state;
    char begin[64], back[64] = {0};
    gb_store_close(open_example());
    bytes b = read_bytes("x.gbc");
    memcpy(begin, b.at, sizeof begin);
    free(b.at);
    unlink("x.gbc");
    assert_int_equal(mkfifo("pipe", 0600), 0);
    int pipe = open("pipe", O_RDWR | O_NONBLOCK);
    assert_int_equal(write(pipe, begin, sizeof begin), sizeof begin);
    assert_false(gb_store_sniff("pipe"));
    assert_int_equal(read(pipe, back, sizeof back), sizeof back);
    assert_memory_equal(back, begin, sizeof begin);
    close(pipe);
    unlink("pipe");
}

static void our_files_are_recognised(void **state)
{
    (void)state;
    gb_store_close(open_example());
    assert_true(gb_store_sniff("x.gbc"));
    unlink("x.gbc");
}

/* ---- hostile headers ---- */

#define ARRAY(name, type, shape, begin, end)                                                                         \
    ",\"" name "\":{\"dtype\":\"" type "\",\"shape\":" shape ",\"data_offsets\":[" #begin "," #end "]}"

static void a_file_made_by_hand_is_accepted(void **state)
{
    (void)state;
    gb_store *s = NULL;
    gb_error err;
    write_by_hand("x.gbc",
                  BEGIN ARRAY("b", "U8", "[8]", 64, 72) ARRAY("padding", "U8", "[60]", 4, 64)
                      ARRAY("a", "U32", "[1,1]", 0, 4) "}",
                  72);
    assert_int_equal(gb_store_open(&s, "x.gbc", "corpus", &err), GB_OK);
    gb_store_close(s);
    unlink("x.gbc");
}

static void overlaps_and_holes_are_refused(void **state)
{
    (void)state;
    refuse_header(BEGIN ARRAY("a", "U8", "[64]", 0, 64) ARRAY("b", "U8", "[64]", 0, 64) "}", 64,
                  "x.gbc: damaged header: overlap at array \"b\"");
    refuse_header(BEGIN ARRAY("a", "U8", "[128]", 0, 128) ARRAY("b", "U8", "[64]", 64, 128) "}", 128,
                  "x.gbc: damaged header: overlap at array \"b\"");
    refuse_header(BEGIN ARRAY("a", "U8", "[60]", 0, 60) ARRAY("b", "U8", "[64]", 64, 128) "}", 128,
                  "x.gbc: damaged header: a hole before array \"b\"");
    refuse_header(BEGIN ARRAY("a", "U8", "[64]", 64, 128) "}", 128,
                  "x.gbc: damaged header: a hole before array \"a\"");
    refuse_header(BEGIN "}", 64, "x.gbc: damaged: 64 bytes after the last array");
}

static void an_unaligned_array_is_refused(void **state)
{
    (void)state;
    refuse_header(BEGIN ARRAY("a", "U8", "[8]", 0, 8) ARRAY("b", "U64", "[1]", 8, 16) "}", 16,
                  "x.gbc: damaged header: array \"b\" does not begin at a multiple of 64");
}

static void arrays_beyond_the_file_are_refused(void **state)
{
    (void)state;
    refuse_header(BEGIN ARRAY("a", "U8", "[65]", 0, 65) "}", 64,
                  "x.gbc: truncated: array \"a\" needs 65 bytes at offset 192, the file ends at 256");
    refuse_header(BEGIN ARRAY("a", "U8", "[0]", 128, 128) "}", 64,
                  "x.gbc: truncated: array \"a\" needs 0 bytes at offset 320, the file ends at 256");
    refuse_header(
        BEGIN ARRAY("a", "U8", "[9223372036854775807]", 0, 9223372036854775807) "}", 0,
        "x.gbc: truncated: array \"a\" needs 9223372036854775807 bytes at offset 192, the file ends at 192");
}

static void a_malformed_array_is_refused(void **state)
{
    (void)state;
    const char *entries[] = {
        "{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[0,64]}",
        "{\"dtype\":\"U64\",\"shape\":[64],\"data_offsets\":[0,64]}",
        "{\"dtype\":\"U8\",\"shape\":[-64],\"data_offsets\":[0,64]}",
        "{\"dtype\":\"U8\",\"shape\":[64],\"data_offsets\":[64,0]}",
        "{\"dtype\":\"U8\",\"shape\":[64],\"data_offsets\":[-64,0]}",
        "{\"dtype\":\"U8\",\"shape\":[64],\"data_offsets\":[0,64,64]}",
        "{\"dtype\":\"U8\",\"shape\":[64],\"data_offsets\":[0]}",
        "{\"dtype\":\"U8\",\"shape\":[64],\"data_offsets\":64}",
        "{\"dtype\":\"U8\",\"shape\":[64],\"data_offsets\":[0,64.0]}",
        "{\"dtype\":\"U8\",\"shape\":[64],\"data_offsets\":[0,\"64\"]}",
        "{\"dtype\":\"U8\",\"shape\":[64.0],\"data_offsets\":[0,64]}",
        "{\"dtype\":\"U8\",\"shape\":64,\"data_offsets\":[0,64]}",
        "{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1]}",
        "{\"dtype\":\"U8\",\"shape\":[1,1,1,64],\"data_offsets\":[0,64]}",
        "{\"dtype\":\"U8\",\"shape\":[4294967296,4294967296,1],\"data_offsets\":[0,0]}",
        "{\"dtype\":\"U64\",\"shape\":[2305843009213693952],\"data_offsets\":[0,0]}",
        "{\"dtype\":\"I8\",\"shape\":[64],\"data_offsets\":[0,64]}",
        "{\"dtype\":8,\"shape\":[64],\"data_offsets\":[0,64]}",
        "{\"dtype\":\"U8\",\"shape\":[64],\"data_offsets\":[0,64],\"more\":1}",
        "{\"dtype\":\"U8\",\"shape\":[64]}",
        "{}",
        "[]",
        "null",
        "\"U8\"",
    };
    char json[400];
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        snprintf(json, sizeof json, BEGIN ",\"a\":%s}", entries[i]);
        refuse_header(json, 64,
                      "x.gbc: damaged header: array \"a\" should have a dtype, a shape and matching data_offsets");
    }
    refuse_header(BEGIN ARRAY("\\u001b[2J", "U8", "[64]", 0, 64) "}", 64,
                  "x.gbc: damaged header: the name of an array is not allowed");
    refuse_header(BEGIN ARRAY("", "U8", "[64]", 0, 64) "}", 64,
                  "x.gbc: damaged header: the name of an array is not allowed");
}

static void broken_json_is_refused(void **state)
{
    (void)state;
    const char *broken[] = {
        BEGIN,
        BEGIN "} x",
        BEGIN "}}",
        BEGIN ",}",
        BEGIN ",\"a\":1e999}",
        BEGIN ",\"a\":99999999999999999999}",
        BEGIN ",\"a\":\"\\u0000\"}",
        BEGIN ",\"a\":\"\xff\"}",
        BEGIN ",\"__metadata__\":{}}",
        BEGIN ARRAY("a", "U8", "[64]", 0, 64) ARRAY("a", "U8", "[64]", 0, 64) "}",
    };
    gb_store *s = NULL;
    gb_error err;
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        write_by_hand("x.gbc", broken[i], 64);
        assert_int_equal(gb_store_open(&s, "x.gbc", "corpus", &err), GB_EFORMAT);
        assert_memory_equal(err.message, "x.gbc: damaged header: not valid JSON at byte ", 46);
    }
    unlink("x.gbc");
}

static void a_short_checksum_is_refused(void **state)
{
    (void)state;
    refuse_header("{\"__metadata__\":{\"checksum\":\"0\",\"gibbous\":\"corpus 1\"}}", 0,
                  "x.gbc: damaged header: the checksum should have 32 digits");
    refuse_header("{\"__metadata__\":{\"checksum\":\"", 0, "x.gbc: damaged header: not valid JSON at byte 64");
}

static void a_header_length_that_does_not_align_is_refused(void **state)
{
    (void)state;
    char file[200];
    uint64_t length = sizeof BEGIN;
    memcpy(file, &length, 8);
    memcpy(file + 8, BEGIN "}", length);
    write_bytes("x.gbc", file, 8 + length);
    assert_refused("x.gbc", "corpus", GB_EFORMAT, "x.gbc: damaged header: its end at 93 is not a multiple of 64");
    unlink("x.gbc");
}

static void an_enormous_header_length_is_refused(void **state)
{
    (void)state;
    const uint64_t lengths[] = {UINT64_MAX, UINT64_MAX - 7, (uint64_t)1 << 63, ((uint64_t)256 << 20) + 1};
    assert_int_equal(save_example("x.gbc", false, NULL), GB_OK);
    for (size_t i = 0; i < 4; i++) {
        int file = open("x.gbc", O_WRONLY);
        assert_int_equal(pwrite(file, &lengths[i], 8, 0), 8);
        close(file);
        assert_refused("x.gbc", "corpus", GB_EFORMAT,
                       "x.gbc: not a gibbous file (expected an 8-byte header length and a JSON header)");
        assert_false(gb_store_sniff("x.gbc"));
    }
    unlink("x.gbc");
}

/* BEGIN, then `text` many times. */
static void refuse_repeated(const char *text, size_t times)
{
    size_t n = strlen(text), begin = strlen(BEGIN ",\"a\":");
    char *json = malloc(begin + n * times + 1);
    memcpy(json, BEGIN ",\"a\":", begin);
    for (size_t i = 0; i < times; i++)
        memcpy(json + begin + i * n, text, n);
    json[begin + n * times] = '\0';
    refuse_header(json, 0, "x.gbc: damaged header: nested deeper than 3 or more than 262144 values");
    free(json);
}

static void deep_or_crowded_headers_are_refused(void **state)
{
    (void)state;
    refuse_repeated("[", 1000000);
    refuse_repeated("{\"a\":", 1000000);
    refuse_repeated("0,", 1000000);
    refuse_repeated("{},", 1000000);
    refuse_header(BEGIN ",\"a\":[[[0]]]}", 0,
                  "x.gbc: damaged header: nested deeper than 3 or more than 262144 values");
}

static void brackets_inside_texts_do_not_count_as_nesting(void **state)
{
    (void)state;
    gb_store_writer *w;
    gb_store *s = NULL;
    const char *text = "[[[[{{{{ \\\" ]]]] \\\\\" [[[[ ,";
    assert_int_equal(gb_store_create(&w, "model", NULL), GB_OK);
    assert_int_equal(gb_store_text(w, "note", text, NULL), GB_OK);
    assert_int_equal(gb_store_save(w, "x.gibbous", false, NULL), GB_OK);
    gb_store_writer_free(w);
    assert_int_equal(gb_store_open(&s, "x.gibbous", "model", NULL), GB_OK);
    const char *back;
    assert_int_equal(gb_store_get_text(s, "note", &back, NULL), GB_OK);
    assert_string_equal(back, text);
    gb_store_close(s);
    unlink("x.gibbous");
}

/* ---- saving safely ---- */

static void an_existing_file_needs_force(void **state)
{
    (void)state;
    gb_error err;
    write_bytes("x.gbc", "old", 3);
    assert_int_equal(save_example("x.gbc", false, &err), GB_EARGUMENT);
    assert_string_equal(err.message, "x.gbc: exists already; give `force` to overwrite it");
    bytes b = read_bytes("x.gbc");
    assert_int_equal(b.n, 3);
    free(b.at);
    assert_int_equal(count_files(), 1);
    gb_store_close(open_example());
    assert_int_equal(count_files(), 1);
    unlink("x.gbc");
}

static void a_failed_save_leaves_the_old_file_and_no_other(void **state)
{
    (void)state;
    gb_error err;
    struct rlimit before;
    gb_store_close(open_example());
    bytes old = read_bytes("x.gbc");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    for (rlim_t limit = 0; limit < old.n; limit += 50) {
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, before.rlim_max});
        gb_status st = save_example("x.gbc", true, &err);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(st, GB_EIO);
        assert_string_equal(err.message, "x.gbc: cannot write: File too large");
        bytes now = read_bytes("x.gbc");
        assert_int_equal(now.n, old.n);
        assert_memory_equal(now.at, old.at, old.n);
        free(now.at);
        assert_int_equal(count_files(), 1);
    }
    free(old.at);
    unlink("x.gbc");
    assert_int_equal(save_example("none/x.gbc", true, &err), GB_EIO);
    assert_string_equal(err.message, "none/x.gbc: cannot write: No such file or directory");
    assert_int_equal(save_example("/dev/full", false, &err), GB_EIO);
    assert_int_equal(count_files(), 0);
}

static void an_open_store_survives_being_overwritten(void **state)
{
    (void)state;
    uint64_t shape;
    const void *data;
    gb_store *s = open_example();
    assert_int_equal(gb_store_get_array(s, "word", GB_U32, 1, &shape, &data, NULL), GB_OK);
    gb_store_writer *w;
    assert_int_equal(gb_store_create(&w, "corpus", NULL), GB_OK);
    assert_int_equal(gb_store_array(w, "other", GB_U32, 1, &shape, data, NULL), GB_OK);
    assert_int_equal(gb_store_save(w, "x.gbc", true, NULL), GB_OK);
    gb_store_writer_free(w);
    assert_memory_equal(data, words, sizeof words);
    gb_store_close(s);
    unlink("x.gbc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(a_file_without_arrays_works),
        cmocka_unit_test(a_file_is_as_large_as_its_reading_needs),
        cmocka_unit_test(equal_contents_give_equal_bytes),
        cmocka_unit_test(the_file_is_laid_out_as_documented),
        cmocka_unit_test(asking_for_the_wrong_thing_is_an_error),
        cmocka_unit_test(a_writer_refuses_what_could_not_be_read),
        cmocka_unit_test(every_flipped_bit_is_refused),
        cmocka_unit_test(a_file_truncated_at_any_length_is_refused),
        cmocka_unit_test(a_truncated_file_is_called_truncated),
        cmocka_unit_test(bytes_after_the_last_array_are_refused),
        cmocka_unit_test(a_wrong_checksum_is_called_damage),
        cmocka_unit_test(another_kind_is_refused),
        cmocka_unit_test(another_version_is_refused_by_name),
        cmocka_unit_test(a_strange_kind_is_refused),
        cmocka_unit_test(a_file_of_another_program_is_not_ours),
        cmocka_unit_test(a_file_that_cannot_be_opened_says_why),
        cmocka_unit_test(a_pipe_is_not_read_from_to_recognise_it),
        cmocka_unit_test(our_files_are_recognised),
        cmocka_unit_test(a_file_made_by_hand_is_accepted),
        cmocka_unit_test(overlaps_and_holes_are_refused),
        cmocka_unit_test(an_unaligned_array_is_refused),
        cmocka_unit_test(arrays_beyond_the_file_are_refused),
        cmocka_unit_test(a_malformed_array_is_refused),
        cmocka_unit_test(broken_json_is_refused),
        cmocka_unit_test(a_short_checksum_is_refused),
        cmocka_unit_test(a_header_length_that_does_not_align_is_refused),
        cmocka_unit_test(an_enormous_header_length_is_refused),
        cmocka_unit_test(deep_or_crowded_headers_are_refused),
        cmocka_unit_test(brackets_inside_texts_do_not_count_as_nesting),
        cmocka_unit_test(an_existing_file_needs_force),
        cmocka_unit_test(a_failed_save_leaves_the_old_file_and_no_other),
        cmocka_unit_test(an_open_store_survives_being_overwritten),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_empty_folder);
}
