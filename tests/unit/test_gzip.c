/* What gzip packed: several members are one input, and whatever was changed on the way is noticed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/inflate.h"
#include "corpus/data/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { MOST = 1 << 20, TAR_BLOCK = 512 };

static char path[] = "/tmp/gibbous-gzip-XXXXXX";
static int descriptor;

typedef struct bytes {
    unsigned char at[MOST];
    size_t n;
} bytes;

static bytes file; /* as it is read */
static char text[MOST];

static void add_bytes(const void *from, size_t n)
{
    assert_true(n <= MOST - file.n);
    memcpy(file.at + file.n, from, n);
    file.n += n;
}

/* A member of gzip behind what is there. */
static void pack(const void *from, size_t n, int level)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (unsigned char *)(uintptr_t)from;
    z.avail_in = (uInt)n;
    z.next_out = file.at + file.n;
    z.avail_out = (uInt)(MOST - file.n);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    file.n = MOST - z.avail_out;
    assert_int_equal(deflateEnd(&z), Z_OK);
}

/* Lines of text, of which no two are the same. */
static size_t make_text(size_t n_lines, unsigned seed)
{
    size_t n = 0;
    for (size_t i = 0; i < n_lines; i++)
        n += (size_t)sprintf(text + n, "line %zu of %u: apple pear plum\n", i, seed * 7919 + (unsigned)(i * i));
    return n;
}

static void write_file(void)
{
    assert_int_equal(pwrite(descriptor, file.at, file.n, 0), file.n);
    assert_int_equal(ftruncate(descriptor, (off_t)file.n), 0);
}

/* All lines of all files, each with its line feed.  @return as the input does */
static gb_status read_all(char *out, size_t *n, gb_error *err)
{
    gb_status st;
    gb_input *in = NULL;
    gb_view line;
    bool end, found = true;
    *n = 0;
    write_file();
    st = gb_input_open(&in, path, NULL, err);
    while (st == GB_OK && found) {
        while ((st = gb_input_line(in, &line, &end, err)) == GB_OK && !end) {
            assert_true(*n + line.length + 1 < MOST);
            memcpy(out + *n, line.text, line.length);
            out[*n + line.length] = '\n';
            *n += line.length + 1;
        }
        if (st == GB_OK)
            st = gb_input_next_file(in, &found, err);
    }
    gb_input_close(in);
    return st;
}

static void expect_text(size_t n_expected)
{
    static char found[MOST];
    size_t n;
    gb_error err = {0};
    assert_int_equal(read_all(found, &n, &err), GB_OK);
    assert_int_equal(n, n_expected);
    assert_memory_equal(found, text, n);
}

static void expect_damage(const char *message)
{
    static char found[MOST];
    size_t n;
    gb_error err = {0};
    assert_int_equal(read_all(found, &n, &err), GB_EFORMAT);
    assert_non_null(strstr(err.message, "damaged or cut short"));
    assert_non_null(strstr(err.message, message));
}

static void packed_lines_are_read(void **unused)
{
    (void)unused;
    for (int level = 0; level <= 9; level += 3) {
        const size_t n = make_text(10000, (unsigned)level);
        file.n = 0;
        pack(text, n, level);
        expect_text(n);
    }
}

static void members_are_one_input(void **unused)
{
    (void)unused;
    const size_t n = make_text(3000, 1);
    file.n = 0;
    for (size_t i = 0; i < n; i += 1000) /* within lines */
        pack(text + i, n - i < 1000 ? n - i : 1000, 6);
    pack(text, 0, 6);
    expect_text(n);
    add_bytes("\0\0\0\0\0\0\0", 7); /* of the last block of a tape */
    expect_text(n);
}

static void a_changed_checksum_or_length_is_noticed(void **unused)
{
    (void)unused;
    const size_t n = make_text(500, 2);
    file.n = 0;
    pack(text, n, 6);
    for (size_t i = file.n - 8; i < file.n; i++) {
        file.at[i] ^= 1;
        expect_damage(i < file.n - 4 ? "incorrect data check" : "incorrect length check");
        file.at[i] ^= 1;
    }
    expect_text(n);
}

/* In a stored text a changed bit is a changed letter; in a packed one it may be. */
static void every_changed_bit_is_noticed_or_changes_nothing(void **unused)
{
    static char found[MOST];
    (void)unused;
    for (int level = 0; level <= 9; level += 9) {
        const size_t n = make_text(6, 3);
        size_t n_found, n_noticed = 0, n_same = 0;
        file.n = 0;
        pack(text, n, level);
        for (size_t bit = 16; bit < 8 * file.n; bit++) { /* without the first two bytes it is no gzip */
            gb_error err = {0};
            file.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
            const gb_status st = read_all(found, &n_found, &err);
            file.at[bit / 8] ^= (unsigned char)(1 << bit % 8);
            n_noticed += st == GB_EFORMAT;
            n_same += st == GB_OK;
            if (st == GB_OK) {
                assert_int_equal(n_found, n);
                assert_memory_equal(found, text, n);
            }
        }
        assert_int_equal(n_noticed + n_same, 8 * file.n - 16);
        assert_true(n_same <= 8 * 8); /* the time, the system and the like */
    }
}

static void a_cut_is_noticed_wherever_it_is(void **unused)
{
    (void)unused;
    const size_t n = make_text(12, 4), half = make_text(6, 4);
    assert_int_equal(make_text(12, 4), n);
    file.n = 0;
    pack(text, half, 6);
    const size_t first = file.n;
    pack(text + half, n - half, 6);
    for (size_t cut = file.n - 1; cut > 1; cut--) {
        file.n = cut;
        if (cut == first)
            expect_text(half); /* a whole file */
        else
            expect_damage("");
    }
}

static void other_bytes_behind_are_noticed(void **unused)
{
    (void)unused;
    static const char *const other[] = {"plain text\n", "\x1f", "\x1f\x8b", "BZh9", "\xff"};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
        const size_t n = make_text(100, 5);
        file.n = 0;
        pack(text, n, 6);
        add_bytes(other[i], strlen(other[i]));
        expect_damage("");
    }
    file.n = 0;
    pack(text, make_text(100, 5), 6);
    add_bytes("\0\0text", 6);
    expect_damage("bytes after its end that gzip did not write");
}

/* The name, the size and the sum of a header of tar. */
static void fill_header(char *block, const char *name, size_t size)
{
    unsigned sum = 0;
    memset(block, 0, TAR_BLOCK);
    (void)strcpy(block, name);
    (void)strcpy(block + 100, "0000644");
    (void)sprintf(block + 124, "%011zo", size);
    (void)strcpy(block + 136, "00000000000");
    memset(block + 148, ' ', 8);
    block[156] = '0';
    memcpy(block + 257, "ustar\00000", 8);
    for (size_t i = 0; i < TAR_BLOCK; i++)
        sum += (unsigned char)block[i];
    (void)sprintf(block + 148, "%06o", sum);
}

/* tar itself has no sum of its texts. */
static void a_changed_text_in_a_packed_archive_is_noticed(void **unused)
{
    (void)unused;
    static char tar[6 * TAR_BLOCK];
    memset(tar, 0, sizeof tar);
    fill_header(tar, "one.txt", 11);
    memcpy(tar + TAR_BLOCK, "apple pear\n", 11);
    fill_header(tar + 2 * TAR_BLOCK, "two.txt", 5);
    memcpy(tar + 3 * TAR_BLOCK, "plum\n", 5);
    file.n = 0;
    pack(tar, sizeof tar, 0); /* stored */
    (void)strcpy(text, "apple pear\nplum\n");
    expect_text(strlen(text));
    for (size_t i = 0; i < file.n; i++)
        if (memcmp(file.at + i, "plum", 4) == 0)
            file.at[i] = 's';
    expect_damage("incorrect data check");
    file.n -= 3;
    expect_damage("");
}

/* As from a pipe: single bytes, which may be the first of two that tell gzip from text. */
static void bytes_may_come_one_by_one(void **unused)
{
    (void)unused;
    gb_inflate *f = NULL;
    const void *out;
    size_t n = make_text(200, 6), n_found = 0, n_some;
    file.n = 0;
    pack(text, n / 2, 6);
    pack(text + n / 2, n - n / 2, 6);
    assert_false(gb_inflate_knows(file.at, 1));
    assert_true(gb_inflate_knows(file.at, 2));
    assert_int_equal(gb_inflate_begin(&f, NULL), GB_OK);
    for (size_t i = 0; i <= file.n; i++) {
        gb_inflate_put(f, file.at + i, i < file.n ? 1 : 0);
        do {
            assert_int_equal(gb_inflate_take(f, &out, &n_some, NULL), GB_OK);
            assert_memory_equal(out, text + n_found, n_some);
            n_found += n_some;
        } while (n_some > 0);
    }
    assert_int_equal(n_found, n);
    gb_inflate_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packed_lines_are_read),
        cmocka_unit_test(members_are_one_input),
        cmocka_unit_test(a_changed_checksum_or_length_is_noticed),
        cmocka_unit_test(every_changed_bit_is_noticed_or_changes_nothing),
        cmocka_unit_test(a_cut_is_noticed_wherever_it_is),
        cmocka_unit_test(other_bytes_behind_are_noticed),
        cmocka_unit_test(a_changed_text_in_a_packed_archive_is_noticed),
        cmocka_unit_test(bytes_may_come_one_by_one),
    };
    descriptor = mkstemp(path);
    if (descriptor < 0)
        return 1;
    const int n_failed = cmocka_run_group_tests(tests, NULL, NULL);
    (void)close(descriptor);
    (void)unlink(path);
    return n_failed;
}
