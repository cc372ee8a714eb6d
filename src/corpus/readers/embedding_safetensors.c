/* corpus/readers/embedding_safetensors.c - tensors as the safetensors library writes them.
 *
 *   length of the header, 8 bytes; the header, {"NAME": {"dtype": "F32", "shape": [10, 300], "data_offsets": [BEGIN, END]}, ...}
 *   with offsets from the end of the header; the numbers, little-endian
 *
 * The embeddings are its only tensor of two dimensions, or the one that is called "embeddings". */
#include "base/memory.h"
#include "corpus/readers/embedding_file.h"
#include "store/json_text.h"

#include <errno.h>
#include <string.h>

enum { LENGTH = 8, MOST_HEADER = 1 << 24, MAX_DEPTH = 4, MAX_VALUES = 1 << 18 };

static bool looks_like(const unsigned char *head, size_t n)
{
    return n > LENGTH && head[LENGTH] == '{';
}

static gb_status read_header(const char *path, gb_byte_source *source, uint64_t *begin, json_t **out, gb_error *err)
{
    gb_status st;
    unsigned char bytes[LENGTH];
    uint64_t length = 0;
    char *text = NULL;
    st = gb_byte_source_read(source, bytes, LENGTH, err);
    GB_TRY(gb_embedding_place(path, st, err));
    for (size_t i = 0; i < LENGTH; i++)
        length |= (uint64_t)bytes[i] << (8 * i);
    if (length > source->most || length > MOST_HEADER) {
        st = gb_fail(err, GB_EFORMAT, "%s: a header of %llu bytes, expected at most %llu", path,
                     (unsigned long long)length,
                     (unsigned long long)(source->most < MOST_HEADER ? source->most : MOST_HEADER));
        goto done;
    }
    GB_TRY(gb_alloc(&text, (size_t)length + 1, 1, "embeddings", err));
    st = gb_byte_source_read(source, text, (size_t)length, err);
    GB_TRY(gb_embedding_place(path, st, err));
    st = gb_json_is_modest(text, (size_t)length, MAX_DEPTH, MAX_VALUES)
             ? gb_json_parse(text, (size_t)length, 0, out, NULL, err)
             : GB_EFORMAT;
    if (st == GB_EFORMAT || (st == GB_OK && !json_is_object(*out)))
        st = gb_fail(err, GB_EFORMAT, "%s: the header is not a JSON object of tensors", path);
    *begin = LENGTH + length;
done:
    gb_free(text);
    return st;
}

static bool get_count(const json_t *array, size_t i, uint64_t *out)
{
    const json_t *value = json_array_get(array, i);
    const json_int_t x = json_integer_value(value);
    *out = x < 0 ? 0 : (uint64_t)x;
    return json_is_integer(value) && x >= 0;
}

static bool find_kind(const json_t *type, gb_float_kind *out)
{
    static const struct {
        const char *name;
        gb_float_kind kind;
    } kinds[] = {{"F16", GB_FLOAT_16}, {"BF16", GB_FLOAT_B16}, {"F32", GB_FLOAT_32}, {"F64", GB_FLOAT_64}};
    for (size_t i = 0; json_is_string(type) && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(json_string_value(type), kinds[i].name) == 0) {
            *out = kinds[i].kind;
            return true;
        }
    return false;
}

/* The tensor of two dimensions. */
static gb_status choose_tensor(const char *path, json_t *header, const char **name, gb_error *err)
{
    const char *key;
    json_t *entry;
    size_t n = 0;
    bool is_named = false;
    json_object_foreach(header, key, entry)
    {
        if (strcmp(key, "__metadata__") == 0 || json_array_size(json_object_get(entry, "shape")) != 2)
            continue;
        n++;
        is_named = is_named || strcmp(key, "embeddings") == 0;
        *name = n == 1 ? key : *name;
    }
    if (is_named)
        *name = "embeddings";
    if (n == 0)
        return gb_fail(err, GB_EFORMAT, "%s: no tensor of two dimensions: a row for each document", path);
    if (n > 1 && !is_named)
        return gb_fail(err, GB_EFORMAT,
                       "%s: %zu tensors of two dimensions; the embeddings should be called \"embeddings\"", path, n);
    return GB_OK;
}

/* @param begin  receives where its numbers begin, counted from the end of the header; source->most is their number of bytes then */
static gb_status find_tensor(const char *path, const json_t *entry, gb_byte_source *source, uint64_t *begin,
                             gb_float_table *out, gb_error *err)
{
    uint64_t end;
    const json_t *shape = json_object_get(entry, "shape"), *offsets = json_object_get(entry, "data_offsets");
    *out = (gb_float_table){.by_column = false};
    if (!find_kind(json_object_get(entry, "dtype"), &out->kind))
        return gb_fail(err, GB_EFORMAT, "%s: the tensor should have the dtype F16, BF16, F32 or F64", path);
    if (!get_count(shape, 0, &out->n_rows) || !get_count(shape, 1, &out->n_columns) ||
        !get_count(offsets, 0, begin) || !get_count(offsets, 1, &end) || *begin > end || end > source->most)
        return gb_fail(err, GB_EFORMAT, "%s: the tensor should have a shape, and data_offsets within the file", path);
    source->most = end - *begin;
    return GB_OK;
}

static gb_status read_safetensors(gb_embedding_file *file, gb_error *err)
{
    gb_status st;
    FILE *f = NULL;
    gb_byte_source source;
    gb_float_table table;
    json_t *header = NULL;
    uint64_t data = 0, begin = 0;
    const char *name = "";
    GB_TRY(gb_byte_source_open(file->path, &f, &source, err));
    GB_TRY(read_header(file->path, &source, &data, &header, err));
    GB_TRY(choose_tensor(file->path, header, &name, err));
    GB_TRY(find_tensor(file->path, json_object_get(header, name), &source, &begin, &table, err));
    if (fseeko(f, (off_t)(data + begin), SEEK_SET) != 0)
        st = gb_fail(err, GB_EIO, "cannot read %s: %s", file->path, strerror(errno));
    else
        st = gb_embedding_read_values(file, name, &table, &source, err);
done:
    json_decref(header);
    if (f != NULL)
        (void)fclose(f);
    return st;
}

const gb_embedding_format gb_embedding_safetensors = {
    .name = "safetensors", .looks_like = looks_like, .read = read_safetensors};
