/* corpus/readers/embedding_values.c - from the bytes of a file of embeddings to checked numbers. */
#include "base/memory.h"
#include "base/system.h"
#include "corpus/data/name.h"
#include "corpus/readers/embedding_file.h"

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const what = "embeddings";

/* ---- bytes ---- */

gb_status gb_read_some(FILE *file, void *to, size_t n, size_t *n_read, gb_error *err)
{
    *n_read = 0;
    for (;;) {
        *n_read += fread((char *)to + *n_read, 1, n - *n_read, file);
        if (*n_read == n || !ferror(file))
            return GB_OK;
        if (errno != EINTR)
            return gb_fail(err, GB_EIO, "cannot read: %s", strerror(errno));
        clearerr(file);
    }
}

static gb_status read_file(void *context, void *to, size_t n, gb_error *err)
{
    size_t n_read;
    const gb_status st = gb_read_some(context, to, n, &n_read, err);
    return st == GB_OK && n_read < n ? gb_fail(err, GB_EFORMAT, "the file ends too early") : st;
}

gb_status gb_byte_source_open(const char *path, FILE **file, gb_byte_source *out, gb_error *err)
{
    gb_path_info info;
    FILE *f = fopen(path, "rb");
    if (f == NULL)
        return gb_fail(err, GB_EIO, "cannot read %s: %s", path, strerror(errno));
    if (!gb_file_look(fileno(f), &info) || info.kind != GB_IS_FILE) {
        (void)fclose(f);
        return gb_fail(err, GB_EARGUMENT, "`embeddings` \"%s\": expected a file", path);
    }
    *file = f;
    *out = (gb_byte_source){.context = f, .read = read_file, .most = info.n_bytes, .is_exact = true};
    return GB_OK;
}

gb_status gb_byte_source_read(gb_byte_source *source, void *to, size_t n, gb_error *err)
{
    if (n > source->most)
        return gb_fail(err, GB_EFORMAT, "the file ends too early");
    const gb_status st = source->read(source->context, to, n, err);
    source->most -= n;
    return st;
}

gb_status gb_embedding_place(const char *where, gb_status st, gb_error *err)
{
    char message[sizeof err->message];
    if (err == NULL || (st != GB_EFORMAT && st != GB_EIO))
        return st;
    memcpy(message, err->message, sizeof message);
    return gb_fail(err, st, "%s: %s", where, message);
}

/* ---- numbers ---- */

size_t gb_float_size(gb_float_kind kind)
{
    static const size_t sizes[GB_N_FLOAT_KINDS] = {2, 2, 4, 8};
    return sizes[kind];
}

static uint64_t little_endian(const unsigned char *bytes, size_t n)
{
    uint64_t x = 0;
    for (size_t i = 0; i < n; i++)
        x |= (uint64_t)bytes[i] << (8 * i);
    return x;
}

/* IEEE 754: sign, 5 bits of exponent, 10 of fraction. */
static double half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31;
    const double fraction = bits & 1023, sign = bits >> 15 != 0 ? -1 : 1;
    if (exponent == 31)
        return bits << 6 & 0xffff ? (double)NAN : sign * (double)INFINITY;
    return sign * (exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25));
}

static double single_value(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double gb_float_value(gb_float_kind kind, const unsigned char *bytes)
{
    const uint64_t bits = little_endian(bytes, gb_float_size(kind));
    double x;
    switch (kind) {
    case GB_FLOAT_16:
        return half_value((uint16_t)bits);
    case GB_FLOAT_B16:
        return single_value((uint32_t)bits << 16);
    case GB_FLOAT_32:
        return single_value((uint32_t)bits);
    default:
        memcpy(&x, &bits, sizeof x);
        return x;
    }
}

/* ---- tables ---- */

/* " array \"x\":" or nothing. */
#define ARRAY_ROOM 96

static const char *array_text(const char *name, char out[static ARRAY_ROOM])
{
    out[0] = '\0';
    if (*name != '\0')
        (void)snprintf(out, ARRAY_ROOM, " array \"%.*s\":", gb_text_shown(name, strlen(name)), name);
    return out;
}

static gb_status check_table(const gb_embedding_file *file, const char *array, const gb_float_table *t,
                             const gb_byte_source *source, gb_error *err)
{
    const uint64_t size = gb_float_size(t->kind);
    if (t->n_columns == 0 || t->n_columns > GB_MOST_EMBEDDING_COLUMNS)
        return gb_fail(err, GB_EFORMAT, "%s:%s %" PRIu64 " numbers in a row, expected 1 to %d", file->path, array,
                       t->n_columns, GB_MOST_EMBEDDING_COLUMNS);
    if (t->n_rows == 0)
        return gb_fail(err, GB_EFORMAT, "%s:%s no rows", file->path, array);
    if (t->n_rows > source->most / size / t->n_columns)
        return gb_fail(err, GB_EFORMAT,
                       "%s:%s %" PRIu64 " rows of %" PRIu64 " numbers of %" PRIu64 " bytes are more than the %" PRIu64
                       " bytes that there are",
                       file->path, array, t->n_rows, t->n_columns, size, source->most);
    if (source->is_exact && t->n_rows * t->n_columns * size != source->most)
        return gb_fail(err, GB_EFORMAT,
                       "%s:%s %" PRIu64 " bytes for %" PRIu64 " rows of %" PRIu64 " numbers of %" PRIu64 " bytes",
                       file->path, array, source->most, t->n_rows, t->n_columns, size);
    return GB_OK;
}

static void swap(unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size / 2; i++) {
        const unsigned char b = bytes[i];
        bytes[i] = bytes[size - 1 - i];
        bytes[size - 1 - i] = b;
    }
}

static gb_status fail_value(const gb_embedding_file *file, const char *array, uint64_t row, uint64_t column,
                            double value, gb_error *err)
{
    const unsigned long long r = row + 1, c = column + 1;
    if (isfinite(value))
        return gb_fail(err, GB_EFORMAT, "%s:%s row %llu, column %llu: %g is too large, expected at most %g",
                       file->path, array, r, c, value, (double)FLT_MAX);
    return gb_fail(err, GB_EFORMAT, "%s:%s row %llu, column %llu is not a finite number", file->path, array, r, c);
}

enum { NUMBERS_AT_ONCE = 8192, MOST_SIZE = 8 };

/* Numbers first .. first + n - 1 of the table, in the order of the file. */
static gb_status take_numbers(gb_embedding_file *file, const char *array, const gb_float_table *t, uint64_t first,
                              size_t n, unsigned char *bytes, gb_error *err)
{
    const size_t size = gb_float_size(t->kind);
    for (size_t i = 0; i < n; i++) {
        const uint64_t at = first + i, row = t->by_column ? at % t->n_rows : at / t->n_columns,
                       column = t->by_column ? at / t->n_rows : at % t->n_columns;
        if (t->is_swapped)
            swap(bytes + i * size, size);
        const double value = gb_float_value(t->kind, bytes + i * size);
        if (!(fabs(value) <= (double)FLT_MAX))
            return fail_value(file, array, row, column, value, err);
        file->value[row * t->n_columns + column] = (float)value;
    }
    return GB_OK;
}

gb_status gb_embedding_read_values(gb_embedding_file *file, const char *name, const gb_float_table *table,
                                   gb_byte_source *source, gb_error *err)
{
    gb_status st;
    char array_room[ARRAY_ROOM];
    unsigned char bytes[NUMBERS_AT_ONCE * MOST_SIZE];
    const char *array = array_text(name, array_room);
    GB_TRY(check_table(file, array, table, source, err));
    const uint64_t n = table->n_rows * table->n_columns;
    GB_TRY(gb_alloc(&file->value, n, sizeof *file->value, what, err));
    for (uint64_t first = 0; first < n; first += NUMBERS_AT_ONCE) {
        const size_t some = n - first < NUMBERS_AT_ONCE ? (size_t)(n - first) : NUMBERS_AT_ONCE;
        st = gb_byte_source_read(source, bytes, some * gb_float_size(table->kind), err);
        if (st != GB_OK)
            return gb_embedding_place(file->path, st, err);
        GB_TRY(take_numbers(file, array, table, first, some, bytes, err));
    }
    file->n_rows = table->n_rows;
    file->width = (size_t)table->n_columns;
done:
    return st;
}

/* ---- ids ---- */

gb_status gb_embedding_add_id(gb_embedding_file *file, gb_view id, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t row;
    gb_fold fold = {0};
    id = gb_name_trim(id);
    if (file->ids == NULL)
        GB_TRY(gb_words_create(&file->ids, err));
    const unsigned long long number = (unsigned long long)gb_words_count(file->ids) + 1;
    const char *fault = id.length == 0 ? "is empty" : gb_text_fault(id.text, id.length);
    if (fault != NULL)
        return gb_fail(err, GB_EFORMAT, "%s: the id of row %llu %s", file->path, number, fault);
    GB_TRY(gb_name_of(&fold, id, &id, err));
    GB_TRY(gb_words_add(file->ids, id, &row, err));
    if ((unsigned long long)row + 1 != number)
        st = gb_fail(err, GB_EFORMAT, "%s: rows %llu and %llu have the same id, \"%.*s\"", file->path,
                     (unsigned long long)row + 1, number, GB_SHOWN(id));
done:
    gb_fold_free(&fold);
    return st;
}
