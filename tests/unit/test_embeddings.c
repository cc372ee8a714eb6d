/* Files of embeddings: numbers of every type and order, ids, and files that are damaged or lie. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "corpus/readers/embedding_file.h"
#include "corpus/readers/embeddings.h"

#include <archive.h>
#include <archive_entry.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "embeddings.tmp", ids_path[] = "embeddings.tmp.ids";

/* ---- files ---- */

static void write_file(const char *name, const void *bytes, size_t n)
{
    FILE *f = fopen(name, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* An array of NumPy in memory.  @return bytes */
static size_t npy(unsigned char *out, const char *header, const void *data, size_t n_bytes)
{
    const size_t n = strlen(header);
    memcpy(out, "\x93NUMPY\1\0", 8);
    out[8] = (unsigned char)(n & 255);
    out[9] = (unsigned char)(n >> 8);
    memcpy(out + 10, header, n);
    memcpy(out + 10 + n, data, n_bytes);
    return 10 + n + n_bytes;
}

static void write_npy(const char *header, const void *data, size_t n_bytes)
{
    unsigned char bytes[4096];
    write_file(path, bytes, npy(bytes, header, data, n_bytes));
}

static void write_part(struct archive *a, const char *name, const unsigned char *bytes, size_t n)
{
    struct archive_entry *entry = archive_entry_new();
    archive_entry_set_pathname(entry, name);
    archive_entry_set_size(entry, (la_int64_t)n);
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    assert_int_equal(archive_write_header(a, entry), ARCHIVE_OK);
    assert_int_equal(archive_write_data(a, bytes, n), n);
    archive_entry_free(entry);
}

/* An archive with the embeddings and, unless `ids` is NULL, ids. */
static void write_npz(const char *name, const char *header, const void *data, size_t n_bytes, const char *ids,
                      const void *id, size_t n_id_bytes)
{
    unsigned char bytes[4096];
    struct archive *a = archive_write_new();
    assert_int_equal(archive_write_set_format_zip(a), ARCHIVE_OK);
    assert_int_equal(archive_write_open_filename(a, path), ARCHIVE_OK);
    if (ids != NULL)
        write_part(a, "ids.npy", bytes, npy(bytes, ids, id, n_id_bytes));
    write_part(a, name, bytes, npy(bytes, header, data, n_bytes));
    assert_int_equal(archive_write_free(a), ARCHIVE_OK);
}

static void write_safetensors(const char *header, const void *data, size_t n_bytes)
{
    unsigned char bytes[4096] = {0};
    const size_t n = strlen(header);
    bytes[0] = (unsigned char)(n & 255);
    bytes[1] = (unsigned char)(n >> 8);
    memcpy(bytes + 8, header, n);
    memcpy(bytes + 8 + n, data, n_bytes);
    write_file(path, bytes, 8 + n + n_bytes);
}

/* ---- what is read ---- */

static gb_embeddings *open_file(void)
{
    gb_embeddings *e = NULL;
    gb_error err = {.status = GB_OK};
    if (gb_embeddings_open(&e, path, NULL, &err) != GB_OK)
        fail_msg("%s", err.message);
    return e;
}

/* The file is refused with that message after its name. */
static void assert_refused(const char *message)
{
    gb_embeddings *e = NULL;
    gb_error err = {.status = GB_OK};
    assert_int_equal(gb_embeddings_open(&e, path, NULL, &err), GB_EFORMAT);
    assert_null(e);
    assert_int_equal(strncmp(err.message, path, strlen(path)), 0);
    assert_string_equal(err.message + strlen(path), message);
}

static const float *row_of(gb_embeddings *e, uint64_t number, const char *id)
{
    const float *row;
    const gb_raw_document doc = {.has_id = id != NULL, .id = gb_view_of(id == NULL ? "" : id)};
    assert_int_equal(gb_embeddings_find(e, number, &doc, &row, NULL), GB_OK);
    return row;
}

/* Two rows: 1 -2 0.5, then 3 0 -0.25. */
static const double expected[2][3] = {{1, -2, 0.5}, {3, 0, -0.25}};

static void assert_rows(void)
{
    gb_embeddings *e = open_file();
    assert_int_equal(gb_embeddings_width(e), 3);
    for (uint64_t d = 0; d < 2; d++)
        for (size_t j = 0; j < 3; j++)
            assert_true(row_of(e, d + 1, NULL)[j] == expected[d][j]);
    assert_int_equal(gb_embeddings_check_end(e, 2, NULL), GB_OK);
    assert_int_equal(gb_embeddings_check_end(e, 1, NULL), GB_EFORMAT);
    gb_embeddings_close(e);
}

static const float singles[6] = {1, -2, 0.5f, 3, 0, -0.25f};
static const uint16_t halves[6] = {0x3c00, 0xc000, 0x3800, 0x4200, 0x0000, 0xb400};

static void numbers_of_every_type_are_read(void **state)
{
    (void)state;
    const double doubles[6] = {1, -2, 0.5, 3, 0, -0.25};
    write_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", singles, sizeof singles);
    assert_rows();
    write_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3)}", doubles, sizeof doubles);
    assert_rows();
    write_npy("{\"shape\": (2, 3,), \"fortran_order\": False, \"descr\": \"<f2\"}", halves, sizeof halves);
    assert_rows();
}

static void columns_first_and_the_largest_byte_first_are_read(void **state)
{
    (void)state;
    const float by_column[6] = {1, 3, -2, 0, 0.5f, -0.25f};
    unsigned char swapped[24];
    for (size_t i = 0; i < 24; i++)
        swapped[i] = ((const unsigned char *)singles)[i / 4 * 4 + 3 - i % 4];
    write_npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", by_column, sizeof by_column);
    assert_rows();
    write_npy("{'descr': '>f4', 'fortran_order': False, 'shape': (2, 3), }", swapped, sizeof swapped);
    assert_rows();
}

static void half_precision_is_exact(void **state)
{
    (void)state;
    assert_true(gb_float_value(GB_FLOAT_16, (const unsigned char *)"\x01\x00") == ldexp(1, -24));
    assert_true(gb_float_value(GB_FLOAT_16, (const unsigned char *)"\xff\x83") == -1023 * ldexp(1, -24));
    assert_true(gb_float_value(GB_FLOAT_16, (const unsigned char *)"\xff\x7b") == 65504);
    assert_true(isinf(gb_float_value(GB_FLOAT_16, (const unsigned char *)"\x00\xfc")));
    assert_true(isnan(gb_float_value(GB_FLOAT_16, (const unsigned char *)"\x01\x7c")));
    assert_true(isnan(gb_float_value(GB_FLOAT_16, (const unsigned char *)"\x00\x7e")));
    assert_true(gb_float_value(GB_FLOAT_B16, (const unsigned char *)"\x80\xbf") == -1);
}

static void archives_and_tensors_are_read(void **state)
{
    (void)state;
    const char *header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    write_npz("arr_0.npy", header, singles, sizeof singles, NULL, NULL, 0);
    assert_rows();
    write_safetensors(
        "{\"__metadata__\":{\"a\":\"b\"},\"x\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}}", singles,
        sizeof singles);
    assert_rows();
    write_safetensors("{\"other\":{\"dtype\":\"I8\",\"shape\":[1],\"data_offsets\":[24,25]},"
                      "\"x\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]}}",
                      (const float[7]){1, -2, 0.5f, 3, 0, -0.25f}, 25);
    assert_rows();
}

/* ---- ids ---- */

static void assert_by_id(const char *first, const char *second)
{
    gb_embeddings *e = open_file();
    assert_true(row_of(e, 1, second)[0] == 3);
    assert_true(row_of(e, 2, first)[0] == 1);
    assert_null(row_of(e, 3, "nobody"));
    assert_int_equal(gb_embeddings_check_end(e, 3, NULL), GB_OK);
    gb_embeddings_close(e);
    e = open_file();
    assert_int_equal(gb_embeddings_check_end(e, 3, NULL), GB_EFORMAT); /* no document had an id of the file */
    gb_embeddings_close(e);
}

static void rows_are_found_by_id(void **state)
{
    (void)state;
    const char *header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    const uint32_t wide[6] = {'a', 0, 0, 0xe9, 'b', 0};
    const int64_t whole[2] = {-7, 12};
    write_npz("x.npy", header, singles, sizeof singles, "{'descr': '|S2', 'fortran_order': False, 'shape': (2,), }",
              "ab"
              "c\0",
              4);
    assert_by_id("ab", "c");
    write_npz("x.npy", header, singles, sizeof singles, "{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }",
              wide, sizeof wide);
    assert_by_id("a", "\xc3\xa9"
                      "b");
    write_npz("x.npy", header, singles, sizeof singles, "{'descr': '<i8', 'fortran_order': False, 'shape': (2,), }",
              whole, sizeof whole);
    assert_by_id("-7", "12");
}

static void ids_may_be_in_a_file_of_their_own(void **state)
{
    (void)state;
    write_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", singles, sizeof singles);
    write_file(ids_path, "one\ntwo\n", 8);
    assert_by_id("one", "two");
    write_file(ids_path, "one\n", 4);
    assert_refused(": 1 id for 2 rows");
    write_file(ids_path, "one\none\n", 8);
    assert_refused(".ids: rows 1 and 2 have the same id, \"one\"");
    assert_int_equal(unlink(ids_path), 0);
}

/* ---- what is refused ---- */

static void numbers_that_are_none_are_named(void **state)
{
    (void)state;
    const float bad[6] = {1, 2, 3, 4, (float)INFINITY, 6};
    const double large[2] = {1, -1e300};
    write_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", bad, sizeof bad);
    assert_refused(": row 2, column 2 is not a finite number");
    write_npy("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", bad, sizeof bad);
    assert_refused(": row 1, column 3 is not a finite number");
    write_npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 1), }", large, sizeof large);
    assert_refused(": row 2, column 1: -1e+300 is too large, expected at most 3.40282e+38");
}

/* No memory is asked for: it would be more than any machine has. */
static void sizes_that_the_file_does_not_have_are_refused(void **state)
{
    (void)state;
    write_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 4), }", singles, 24);
    assert_refused(": 4611686018427387904 rows of 4 numbers of 4 bytes are more than the 24 bytes that there are");
    write_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 3), }", singles, 24);
    assert_refused(": 3 rows of 3 numbers of 4 bytes are more than the 24 bytes that there are");
    write_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3), }", singles, 24);
    assert_refused(": 24 bytes for 1 rows of 3 numbers of 4 bytes");
    write_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 4097), }", singles, 24);
    assert_refused(": 4097 numbers in a row, expected 1 to 4096");
    write_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }", singles, 0);
    assert_refused(": no rows");
    write_npz("x.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 3), }", singles, 24, NULL,
              NULL, 0);
    assert_refused(
        ": array \"x\": 99999999999 rows of 3 numbers of 4 bytes are more than the 24 bytes that there are");
    write_safetensors("{\"x\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,2400]}}", singles, 24);
    assert_refused(": the tensor should have a shape, and data_offsets within the file");
    write_safetensors("{\"x\":{\"dtype\":\"F32\",\"shape\":[2,4],\"data_offsets\":[0,24]}}", singles, 24);
    assert_refused(": array \"x\": 2 rows of 4 numbers of 4 bytes are more than the 24 bytes that there are");
}

static void damaged_headers_are_refused(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",
        "{",
        "{'descr': '<f4'}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } 'descr'",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (2, 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999, 3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 1, 1)}",
        "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2, 3)}",
        "{'descr': 'a very long name of a type', 'fortran_order': False, 'shape': (2, 3)}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (i == 3)
            continue; /* what follows the dictionary is not looked at */
        write_npy(bad[i], singles, sizeof singles);
        assert_refused(": the header should be {'descr': TYPE, 'fortran_order': False or True, 'shape': (...)}");
    }
    write_npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}", singles, sizeof singles);
    assert_refused(": numbers of type <i4, expected float16, float32 or float64");
    write_npy("{'descr': '', 'fortran_order': False, 'shape': (2, 3)}", singles, sizeof singles);
    assert_refused(": numbers of type , expected float16, float32 or float64");
    write_npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6,)}", singles, sizeof singles);
    assert_refused(": an array of 1 dimension, expected 2: a row for each document");
    write_safetensors("{\"x\":[", singles, sizeof singles);
    assert_refused(": the header is not a JSON object of tensors");
    write_safetensors("{\"x\":{\"dtype\":\"I64\",\"shape\":[2,3],\"data_offsets\":[0,24]}}", singles, sizeof singles);
    assert_refused(": the tensor should have the dtype F16, BF16, F32 or F64");
    write_safetensors("{}", singles, sizeof singles);
    assert_refused(": no tensor of two dimensions: a row for each document");
    write_file(path, "\xff\xff\xff\xff\xff\xff\xff\x7f{", 9);
    assert_refused(": a header of 9223372036854775807 bytes, expected at most 1");
    write_file(path, "word", 4);
    assert_refused(": expected embeddings as .npy, .npz or .safetensors");
    write_file(path, "\x93NUMPY", 6);
    assert_refused(": the file ends too early");
}

static void damaged_archives_are_refused(void **state)
{
    (void)state;
    unsigned char bytes[4096];
    const char *header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    gb_embeddings *e = NULL;
    write_npz("x.npy", header, singles, sizeof singles, "{'descr': '|O', 'fortran_order': False, 'shape': (2,), }",
              "", 0);
    assert_refused(
        ": array \"ids\" of type |O with 1 dimension, expected one of texts or whole numbers (save it with "
        "astype(str))");
    write_npz("x.npy", header, singles, sizeof singles, "{'descr': '|S1', 'fortran_order': False, 'shape': (2,), }",
              "\xff"
              "b",
              2);
    assert_refused(": the id of row 1 is not valid UTF-8");
    write_npz("x.txt", header, singles, sizeof singles, NULL, NULL, 0);
    assert_refused(": no array of two dimensions: a row for each document");
    write_npz("x.npy", header, singles, sizeof singles, NULL, NULL, 0);
    FILE *f = fopen(path, "rb");
    const size_t n = fread(bytes, 1, sizeof bytes, f);
    assert_int_equal(fclose(f), 0);
    for (size_t k = 4; k < n; k += 7) { /* cut short anywhere: refused or read, but never more */
        write_file(path, bytes, k);
        if (gb_embeddings_open(&e, path, NULL, NULL) == GB_OK)
            gb_embeddings_close(e);
    }
}

static int remove_files(void **state)
{
    (void)state;
    (void)unlink(path);
    (void)unlink(ids_path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_every_type_are_read),
        cmocka_unit_test(columns_first_and_the_largest_byte_first_are_read),
        cmocka_unit_test(half_precision_is_exact),
        cmocka_unit_test(archives_and_tensors_are_read),
        cmocka_unit_test(rows_are_found_by_id),
        cmocka_unit_test(ids_may_be_in_a_file_of_their_own),
        cmocka_unit_test(numbers_that_are_none_are_named),
        cmocka_unit_test(sizes_that_the_file_does_not_have_are_refused),
        cmocka_unit_test(damaged_headers_are_refused),
        cmocka_unit_test(damaged_archives_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
