/* test_reader_npz.c - sparse matrices as SciPy writes them: every type of number, both ways round, and what is wrong with others. */
#include "helper_documents.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <string.h>

/* ---- what is written ---- */

/* An array of the matrix 2 0 1 / 0 3 0: documents "a a c" and "b b b". */
typedef struct array {
    const char *name;
    const char *descr; /* NULL: the array is not there */
    const char *shape;
    double number[8]; /* of descr "<f8" and other types of numbers */
    size_t n;
    const char *text; /* of descr "S" and "U" */
} array;

enum { FORMAT, SHAPE, INDPTR, INDICES, DATA, N_ARRAYS };

static const array csr[N_ARRAYS] = {
    {"format.npy", "|S3", "", {0}, 3, "csr"},        {"shape.npy", "<i8", "2,", {2, 3}, 2, NULL},
    {"indptr.npy", "<i4", "3,", {0, 2, 3}, 3, NULL}, {"indices.npy", "<i4", "3,", {0, 2, 1}, 3, NULL},
    {"data.npy", "<i8", "3,", {2, 1, 3}, 3, NULL},
};

/* The nearest half-precision number of a small whole one. */
static uint64_t half_of(double x)
{
    uint64_t exponent = 15;
    if (x == 0)
        return 0;
    for (; x >= 2; x /= 2)
        exponent++;
    return exponent << 10 | (uint64_t)((x - 1) * 1024);
}

static size_t put_number(unsigned char *out, const char *descr, double x)
{
    const size_t size = (size_t)(descr[2] - '0');
    uint64_t bits = (uint64_t)(int64_t)x;
    const float single = (float)x;
    if (descr[1] == 'f' && size == 2)
        bits = half_of(x);
    else if (descr[1] == 'f' && size == 4) {
        uint32_t word;
        memcpy(&word, &single, sizeof word);
        bits = word;
    } else if (descr[1] == 'f')
        memcpy(&bits, &x, sizeof bits);
    for (size_t i = 0; i < size; i++)
        out[descr[0] == '>' ? size - 1 - i : i] = (unsigned char)(bits >> (8 * i));
    return size;
}

static void put_array(struct archive *a, const array *of)
{
    unsigned char bytes[1024] = "\x93NUMPY\x01\x00";
    const int n = snprintf((char *)bytes + 10, sizeof bytes - 10,
                           "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", of->descr, of->shape);
    size_t length = 10 + (size_t)n;
    bytes[8] = (unsigned char)n;
    if (of->text != NULL && of->descr[1] == 'U')
        for (size_t i = 0; i < of->n; i++, length += 4)
            bytes[length] = (unsigned char)of->text[i];
    else if (of->text != NULL)
        for (size_t i = 0; i < of->n; i++)
            bytes[length++] = (unsigned char)of->text[i];
    else
        for (size_t i = 0; i < of->n; i++)
            length += put_number(bytes + length, of->descr, of->number[i]);
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, of->name);
    archive_entry_set_size(entry, (la_int64_t)length);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(a, bytes, length), length);
    archive_entry_free(entry);
}

static void write_npz(const array *of, size_t n)
{
    struct archive *a = archive_write_new();
    assert_int_equal(archive_write_set_format_zip(a), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(a, "a.npz"), ARCHIVE_OK);
    for (size_t i = 0; i < n; i++)
        if (of[i].descr != NULL)
            put_array(a, &of[i]);
    assert_int_equal(archive_write_free(a), ARCHIVE_OK);
}

/* The matrix with one array that differs. */
static void write_with(size_t which, array other)
{
    array all[N_ARRAYS];
    memcpy(all, csr, sizeof all);
    other.name = csr[which].name;
    all[which] = other;
    write_npz(all, N_ARRAYS);
}

static void assert_is_read(void)
{
    gb_corpus *c = corpus_of("a.npz", "vocabulary", "v.txt", NULL);
    assert_string_equal(vocabulary_of(c), "a b c");
    assert_string_equal(words_of(c, 0), "a a c");
    assert_string_equal(words_of(c, 1), "b b b");
    gb_corpus_free(c);
}

static void assert_refused(const char *message)
{
    assert_fails(GB_EFORMAT, message, "a.npz", "vocabulary", "v.txt");
}

/* ---- tests ---- */

static void numbers_may_have_any_type(void **state)
{
    static const char *const types[] = {"|i1", "|u1", "=u2", "<i2", ">i2", "<u4", ">u4", "<i4",
                                        ">i8", "<u8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8"};
    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        array all[N_ARRAYS];
        memcpy(all, csr, sizeof all);
        for (size_t i = SHAPE; i < N_ARRAYS; i++)
            all[i].descr = types[t];
        write_npz(all, N_ARRAYS);
        assert_is_read();
    }
    /* a matrix of what is there and what is not */
    write_with(DATA, (array){NULL, "|b1", "3,", {1, 0, 1}, 3, NULL});
    gb_corpus *c = corpus_of("a.npz", "vocabulary", "v.txt", NULL);
    assert_string_equal(words_of(c, 0), "a");
    assert_string_equal(words_of(c, 1), "b");
    gb_corpus_free(c);
}

static void columns_are_read_as_rows_are(void **state)
{
    static const array csc[N_ARRAYS] = {
        {"data.npy", "<f8", "3,", {2, 3, 1}, 3, NULL},      {"indices.npy", "<i4", "3,", {0, 1, 0}, 3, NULL},
        {"indptr.npy", "<i4", "4,", {0, 1, 2, 3}, 4, NULL}, {"shape.npy", "<i8", "2,", {2, 3}, 2, NULL},
        {"format.npy", "<U3", "", {0}, 3, "csc"},
    };
    const array with_more[] = {{"remark.npy", "<i4", "1,", {7}, 1, NULL}, csc[0], csc[1], csc[2], csc[3], csc[4]};
    (void)state;
    write_npz(csc, N_ARRAYS);
    assert_is_read();
    write_npz(with_more, N_ARRAYS + 1); /* what nobody knows is left alone */
    assert_is_read();
}

static void what_is_wrong_with_an_array_is_said(void **state)
{
    static const char *const missing[N_ARRAYS] = {
        "a.npz: a matrix of format \"\", expected csr or csc",
        "a.npz: no array \"shape\"; scipy.sparse.save_npz() writes what is expected",
        "a.npz: no array \"indptr\"; scipy.sparse.save_npz() writes what is expected",
        "a.npz: no array \"indices\"; scipy.sparse.save_npz() writes what is expected",
        "a.npz: no array \"data\"; scipy.sparse.save_npz() writes what is expected",
    };
    static const struct {
        size_t which;
        array other;
        const char *message;
    } cases[] = {
        {FORMAT, {NULL, "|S3", "", {0}, 3, "coo"}, "a.npz: a matrix of format \"coo\", expected csr or csc"},
        {FORMAT, {NULL, "<i4", "", {1}, 1, NULL}, "a.npz: array \"format\" should be \"csr\" or \"csc\""},
        {FORMAT, {NULL, "|S9", "", {0}, 9, "csrcsrcsr"}, "a.npz: array \"format\" should be \"csr\" or \"csc\""},
        {FORMAT, {NULL, "|Sx", "", {0}, 3, "csr"}, "a.npz: array \"format\" should be \"csr\" or \"csc\""},
        {SHAPE,
         {NULL, "<i8", "3,", {2, 3, 1}, 3, NULL},
         "a.npz: array \"shape\" should be the numbers of documents and words"},
        {SHAPE,
         {NULL, "<i8", "2,", {4294967295, 3}, 2, NULL},
         "a.npz: array \"shape\" should be the numbers of documents and words"},
        {SHAPE,
         {NULL, "<i8", "2,", {2, 4294967295}, 2, NULL},
         "a.npz: array \"shape\" should be the numbers of documents and words"},
        {SHAPE, {NULL, "<i8", "2,", {2, 4}, 2, NULL}, "a.npz: 4 words, but v.txt has 3"},
        {SHAPE, {NULL, "<i8", "2,", {3, 3}, 2, NULL}, "a.npz: the sizes of its arrays do not go together"},
        {INDPTR, {NULL, "<i4", "3,", {1, 2, 3}, 3, NULL}, "a.npz: the sizes of its arrays do not go together"},
        {INDPTR, {NULL, "<i4", "3,", {0, 2, 2}, 3, NULL}, "a.npz: the sizes of its arrays do not go together"},
        {INDPTR, {NULL, "<i4", "3,", {0, 4, 3}, 3, NULL}, "a.npz: array \"indptr\" should ascend"},
        {INDICES, {NULL, "<i4", "2,", {0, 2}, 2, NULL}, "a.npz: the sizes of its arrays do not go together"},
        {INDICES,
         {NULL, "<i4", "3,", {0, 3, 1}, 3, NULL},
         "a.npz: array \"indices\": number 2 is 3, expected below 3"},
        {INDICES,
         {NULL, "<i4", "3,", {0, -1, 1}, 3, NULL},
         "a.npz: array \"indices\": number 2 is not a whole number from 0 on"},
        {DATA,
         {NULL, "<f8", "3,", {2, 1.5, 3}, 3, NULL},
         "a.npz: array \"data\": number 2 is not a whole number from 0 on"},
        {DATA,
         {NULL, ">f4", "3,", {2, 1, -3}, 3, NULL},
         "a.npz: array \"data\": number 3 is not a whole number from 0 on"},
        {DATA,
         {NULL, "<f8", "3,", {0x1p60, 1, 3}, 3, NULL},
         "a.npz: array \"data\": number 1 is not a whole number from 0 on"},
        {DATA,
         {NULL, "<i8", "3,", {16777217, 1, 3}, 3, NULL},
         "a.npz: array \"data\": number 1 is larger than 16777216, the most for one word of a document"},
        {DATA,
         {NULL, "<i8", "3,1", {2, 1, 3}, 3, NULL},
         "a.npz: array \"data\" should be there once, with one dimension and numbers"},
        {DATA,
         {NULL, "<i3", "3,", {2, 1, 3}, 3, NULL},
         "a.npz: array \"data\" should be there once, with one dimension and numbers"},
        {DATA,
         {NULL, "|b2", "3,", {1, 1, 1}, 3, NULL},
         "a.npz: array \"data\" should be there once, with one dimension and numbers"},
        {DATA,
         {NULL, "<f1", "3,", {1, 1, 1}, 3, NULL},
         "a.npz: array \"data\" should be there once, with one dimension and numbers"},
        {DATA,
         {NULL, "<c8", "3,", {1, 1, 1}, 3, NULL},
         "a.npz: array \"data\" should be there once, with one dimension and numbers"},
        {DATA,
         {NULL, "?i8", "3,", {2, 1, 3}, 3, NULL},
         "a.npz: array \"data\" should be there once, with one dimension and numbers"},
    };
    (void)state;
    for (size_t i = 0; i < N_ARRAYS; i++) {
        write_with(i, (array){.descr = NULL});
        assert_refused(missing[i]);
    }
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_with(cases[i].which, cases[i].other);
        assert_refused(cases[i].message);
    }
}

static void an_array_is_there_once(void **state)
{
    array all[N_ARRAYS + 1];
    (void)state;
    memcpy(all, csr, sizeof csr);
    all[N_ARRAYS] = csr[DATA];
    write_npz(all, N_ARRAYS + 1);
    assert_refused("a.npz: array \"data\" should be there once, with one dimension and numbers");
}

static int make_words(void **state)
{
    const int failed = enter_folder(state);
    write_file("v.txt", "a\nb\nc\n");
    return failed;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_may_have_any_type),
        cmocka_unit_test(columns_are_read_as_rows_are),
        cmocka_unit_test(what_is_wrong_with_an_array_is_said),
        cmocka_unit_test(an_array_is_there_once),
    };
    return cmocka_run_group_tests(tests, make_words, leave_folder);
}
