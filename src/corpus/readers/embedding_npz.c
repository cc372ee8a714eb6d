/* corpus/readers/embedding_npz.c - arrays as numpy.savez() writes them: a zip archive of .npy files.
 *
 * The embeddings are its only array of two dimensions, or the one that is called "embeddings".  An array "ids" of one
 * dimension, of texts or whole numbers, says whose each row is. */
#include "base/memory.h"
#include "corpus/readers/npz.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_ID_BYTES = 1 << 16 };

/* ---- ids ---- */

/* One character in UTF-8.  @return bytes; 0: it is none */
static size_t encode(uint32_t c, char out[static 4])
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return 0;
    const size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 63));
    out[0] = (char)((0xf00u >> n & 0xf0u) | c);
    return n;
}

/* Texts of a fixed number of characters or bytes, filled up with NUL. */
static gb_status add_text(gb_embedding_file *file, const unsigned char *bytes, size_t n_bytes, bool is_wide,
                          gb_bytes *text, gb_error *err)
{
    gb_status st = GB_OK;
    char utf8[4];
    text->length = 0;
    for (size_t i = 0; i < n_bytes; i += is_wide ? 4 : 1) {
        uint32_t c = bytes[i];
        if (is_wide)
            c |= (uint32_t)bytes[i + 1] << 8 | (uint32_t)bytes[i + 2] << 16 | (uint32_t)bytes[i + 3] << 24;
        utf8[0] = (char)c;
        const size_t n = is_wide ? encode(c, utf8) : 1;
        GB_TRY(gb_bytes_add(text, n == 0 ? "\xff" : utf8, n == 0 ? 1 : n, err)); /* no text: refused below */
    }
    while (text->length > 0 && text->data[text->length - 1] == '\0')
        text->length--;
    GB_TRY(gb_embedding_add_id(file, (gb_view){text->data, text->length}, err));
done:
    return st;
}

static gb_status add_number(gb_embedding_file *file, const unsigned char *bytes, size_t size, bool is_signed,
                            gb_error *err)
{
    char digits[24];
    uint64_t x = 0;
    for (size_t i = 0; i < size; i++)
        x |= (uint64_t)bytes[i] << (8 * i);
    const bool is_negative = is_signed && bytes[size - 1] > 127;
    if (is_negative)
        x = ~x + 1;
    if (is_negative && size < sizeof x)
        x &= ((uint64_t)1 << (8 * size)) - 1;
    const int n = snprintf(digits, sizeof digits, "%s%" PRIu64, is_negative ? "-" : "", x);
    return gb_embedding_add_id(file, (gb_view){digits, (size_t)n}, err);
}

/* Bytes of an id of that type; 0: it can be none. */
static size_t id_size(const char *type)
{
    uint64_t n = 0;
    const char kind = type[0] == '\0' ? '\0' : type[1];
    if (type[0] == '>' || kind == '\0' || strchr("USiu", kind) == NULL || !gb_view_to_u64(gb_view_of(type + 2), &n) ||
        n == 0 || n > MOST_ID_BYTES / 4)
        return 0;
    if (kind == 'U')
        return (size_t)n * 4;
    return kind == 'S' || n == 1 || n == 2 || n == 4 || n == 8 ? (size_t)n : 0;
}

static gb_status add_id(gb_embedding_file *file, const char *type, const unsigned char *bytes, size_t size,
                        gb_bytes *text, gb_error *err)
{
    if (type[1] == 'U' || type[1] == 'S')
        return add_text(file, bytes, size, type[1] == 'U', text, err);
    return add_number(file, bytes, size, type[1] == 'i', err);
}

static gb_status read_ids(gb_npz *a, gb_embedding_file *file, gb_error *err)
{
    gb_status st;
    gb_npy_header header;
    unsigned char *bytes = NULL;
    gb_bytes text = {0};
    GB_TRY(gb_npy_read_header(file->path, &a->source, &header, err));
    const size_t size = id_size(header.type);
    if (size == 0 || header.n_dimensions != 1) {
        st = gb_fail(err, GB_EFORMAT,
                     "%s: array \"ids\" of type %s with %zu dimension%s, expected one of texts or whole numbers "
                     "(save it with astype(str))",
                     file->path, header.type, header.n_dimensions, header.n_dimensions == 1 ? "" : "s");
        goto done;
    }
    GB_TRY(gb_alloc(&bytes, size, 1, "ids", err));
    for (uint64_t i = 0; i < header.shape[0]; i++) {
        st = gb_byte_source_read(&a->source, bytes, size, err);
        GB_TRY(gb_embedding_place(file->path, st, err));
        GB_TRY(add_id(file, header.type, bytes, size, &text, err));
    }
done:
    gb_free(bytes);
    gb_free(text.data);
    return st;
}

/* ---- which array ---- */

typedef struct choice {
    char name[GB_NPZ_NAME_ROOM]; /* of the embeddings; "" yet */
    size_t n_tables;
    bool is_named;
} choice;

static void consider(choice *c, const char *name, const gb_npy_header *header)
{
    if (header->n_dimensions != 2)
        return;
    c->n_tables++;
    c->is_named = c->is_named || strcmp(name, "embeddings") == 0;
    if (c->n_tables == 1 || strcmp(name, "embeddings") == 0)
        memcpy(c->name, name, strlen(name) + 1);
}

static gb_status choose_array(const char *path, choice *c, gb_error *err)
{
    gb_status st;
    gb_npz a;
    gb_npy_header header;
    bool found;
    GB_TRY(gb_npz_open(&a, path, err));
    for (;;) {
        GB_TRY(gb_npz_next(&a, &found, err));
        if (!found)
            break;
        GB_TRY(gb_npy_read_header(path, &a.source, &header, err));
        consider(c, a.name, &header);
    }
    if (c->n_tables == 0)
        st = gb_fail(err, GB_EFORMAT, "%s: no array of two dimensions: a row for each document", path);
    else if (c->n_tables > 1 && !c->is_named)
        st = gb_fail(err, GB_EFORMAT,
                     "%s: %zu arrays of two dimensions; the embeddings should be called \"embeddings\"", path,
                     c->n_tables);
done:
    gb_npz_close(&a);
    return st;
}

/* ---- the file ---- */

static bool looks_like(const unsigned char *head, size_t n)
{
    return n >= 4 && head[0] == 'P' && head[1] == 'K' && (head[2] == 3 || head[2] == 5);
}

static gb_status read_table(gb_npz *a, gb_embedding_file *file, gb_error *err)
{
    gb_status st;
    gb_npy_header header;
    gb_float_table table;
    char where[2 * GB_NPZ_NAME_ROOM];
    (void)snprintf(where, sizeof where, "%s: array \"%.*s\"", file->path, gb_text_shown(a->name, strlen(a->name)),
                   a->name);
    GB_TRY(gb_npy_read_header(where, &a->source, &header, err));
    GB_TRY(gb_npy_table(where, &header, &table, err));
    GB_TRY(gb_embedding_read_values(file, a->name, &table, &a->source, err));
done:
    return st;
}

static gb_status read_npz(gb_embedding_file *file, gb_error *err)
{
    gb_status st;
    gb_npz a = {.archive = NULL};
    choice c = {.n_tables = 0};
    bool found;
    GB_TRY(choose_array(file->path, &c, err));
    GB_TRY(gb_npz_open(&a, file->path, err));
    for (;;) {
        GB_TRY(gb_npz_next(&a, &found, err));
        if (!found)
            break;
        if (strcmp(a.name, c.name) == 0 && file->value == NULL)
            GB_TRY(read_table(&a, file, err));
        else if (strcmp(a.name, "ids") == 0 && file->ids == NULL)
            GB_TRY(read_ids(&a, file, err));
    }
done:
    gb_npz_close(&a);
    return st;
}

const gb_embedding_format gb_embedding_npz = {.name = "npz", .looks_like = looks_like, .read = read_npz};
