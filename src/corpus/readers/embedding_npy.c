/* corpus/readers/embedding_npy.c - an array as NumPy saves it.
 *
 *   6 bytes "\x93NUMPY"; version, 2 bytes; length of the header, 2 bytes (version 1) or 4; the header, a Python dictionary
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (10, 300), }; the numbers
 *
 * (numpy.lib.format.)  Of the dictionary exactly these three keys are taken, in any order. */
#include "base/memory.h"
#include "corpus/readers/embedding_file.h"

#include <inttypes.h>
#include <string.h>

static const char magic[] = "\x93NUMPY";

enum { MAGIC = sizeof magic - 1, MOST_HEADER = 1 << 16 };

/* ---- the dictionary ---- */

/* What is left of its text. */
typedef struct cursor {
    const char *at, *end;
} cursor;

static void pass_blanks(cursor *c)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t'))
        c->at++;
}

static bool take(cursor *c, char wanted)
{
    pass_blanks(c);
    if (c->at == c->end || *c->at != wanted)
        return false;
    c->at++;
    return true;
}

static bool take_word(cursor *c, const char *word)
{
    const size_t n = strlen(word);
    pass_blanks(c);
    if ((size_t)(c->end - c->at) < n || memcmp(c->at, word, n) != 0)
        return false;
    c->at += n;
    return true;
}

/* A text in quotes, without escapes. */
static bool take_text(cursor *c, char *out, size_t room)
{
    size_t n = 0;
    pass_blanks(c);
    const char quote = c->at < c->end ? *c->at : '\0';
    if (quote != '\'' && quote != '"')
        return false;
    for (c->at++; c->at < c->end && *c->at != quote; c->at++) {
        if (n + 1 == room)
            return false;
        out[n++] = *c->at;
    }
    out[n] = '\0';
    return c->at < c->end && *c->at++ == quote;
}

static bool take_number(cursor *c, uint64_t *out)
{
    uint64_t x = 0;
    pass_blanks(c);
    const char *first = c->at;
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++) {
        if (x > (UINT64_MAX - 9) / 10)
            return false;
        x = 10 * x + (uint64_t)(*c->at - '0');
    }
    *out = x;
    return c->at > first;
}

/* (10, 300), (10,) or () */
static bool take_shape(cursor *c, gb_npy_header *out)
{
    if (!take(c, '('))
        return false;
    while (!take(c, ')')) {
        if (out->n_dimensions == GB_NPY_MOST_DIMENSIONS || !take_number(c, &out->shape[out->n_dimensions++]))
            return false;
        if (!take(c, ','))
            return take(c, ')');
    }
    return true;
}

static bool take_entry(cursor *c, gb_npy_header *out, unsigned *seen)
{
    enum { DESCR = 1, ORDER = 2, SHAPE = 4 };
    char key[16];
    if (!take_text(c, key, sizeof key) || !take(c, ':'))
        return false;
    const unsigned which = strcmp(key, "descr") == 0           ? DESCR
                           : strcmp(key, "fortran_order") == 0 ? ORDER
                           : strcmp(key, "shape") == 0         ? SHAPE
                                                               : 0;
    if (which == 0 || (*seen & which) != 0)
        return false;
    *seen |= which;
    if (which == DESCR)
        return take_text(c, out->type, sizeof out->type);
    if (which == SHAPE)
        return take_shape(c, out);
    out->by_column = take_word(c, "True");
    return out->by_column || take_word(c, "False");
}

static bool parse(const char *text, size_t n, gb_npy_header *out)
{
    cursor c = {text, text + n};
    unsigned seen = 0;
    *out = (gb_npy_header){.by_column = false};
    if (!take(&c, '{'))
        return false;
    while (!take(&c, '}')) {
        if (!take_entry(&c, out, &seen))
            return false;
        if (!take(&c, ','))
            return take(&c, '}') && seen == 7;
    }
    return seen == 7;
}

/* ---- the header ---- */

static gb_status header_length(gb_byte_source *source, size_t *out, gb_error *err)
{
    gb_status st;
    unsigned char head[MAGIC + 2], length[4] = {0};
    GB_TRY(gb_byte_source_read(source, head, sizeof head, err));
    if (memcmp(head, magic, MAGIC) != 0)
        return gb_fail(err, GB_EFORMAT, "not an array of NumPy");
    if (head[MAGIC] < 1 || head[MAGIC] > 3)
        return gb_fail(err, GB_EFORMAT, "version %d of the NumPy format is not known", head[MAGIC]);
    GB_TRY(gb_byte_source_read(source, length, head[MAGIC] == 1 ? 2 : 4, err));
    *out = (size_t)length[0] | (size_t)length[1] << 8 | (size_t)length[2] << 16 | (size_t)length[3] << 24;
    if (*out > MOST_HEADER)
        return gb_fail(err, GB_EFORMAT, "a header of %zu bytes, expected at most %d", *out, MOST_HEADER);
done:
    return st;
}

static gb_status read_header(gb_byte_source *source, gb_npy_header *out, gb_error *err)
{
    gb_status st;
    size_t length = 0;
    char *text = NULL;
    GB_TRY(header_length(source, &length, err));
    GB_TRY(gb_alloc(&text, length + 1, 1, "embeddings", err));
    GB_TRY(gb_byte_source_read(source, text, length, err));
    if (!parse(text, length, out))
        st = gb_fail(err, GB_EFORMAT,
                     "the header should be {'descr': TYPE, 'fortran_order': False or True, 'shape': (...)}");
done:
    gb_free(text);
    return st;
}

gb_status gb_npy_read_header(const char *where, gb_byte_source *source, gb_npy_header *out, gb_error *err)
{
    return gb_embedding_place(where, read_header(source, out, err), err);
}

gb_status gb_npy_table(const char *where, const gb_npy_header *h, gb_float_table *out, gb_error *err)
{
    static const struct {
        const char *text;
        gb_float_kind kind;
    } kinds[] = {{"f2", GB_FLOAT_16}, {"f4", GB_FLOAT_32}, {"f8", GB_FLOAT_64}};
    *out = (gb_float_table){.kind = GB_N_FLOAT_KINDS, .is_swapped = h->type[0] == '>', .by_column = h->by_column};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] && strchr("<>=", h->type[0]) != NULL; i++)
        if (h->type[0] != '\0' && strcmp(h->type + 1, kinds[i].text) == 0)
            out->kind = kinds[i].kind;
    if (out->kind == GB_N_FLOAT_KINDS)
        return gb_fail(err, GB_EFORMAT, "%s: numbers of type %s, expected float16, float32 or float64", where,
                       h->type);
    if (h->n_dimensions != 2)
        return gb_fail(err, GB_EFORMAT, "%s: an array of %zu dimension%s, expected 2: a row for each document", where,
                       h->n_dimensions, h->n_dimensions == 1 ? "" : "s");
    out->n_rows = h->shape[0];
    out->n_columns = h->shape[1];
    return GB_OK;
}

/* ---- the file ---- */

static bool looks_like(const unsigned char *head, size_t n)
{
    return n >= MAGIC && memcmp(head, magic, MAGIC) == 0;
}

static gb_status read_npy(gb_embedding_file *file, gb_error *err)
{
    gb_status st;
    FILE *f = NULL;
    gb_byte_source source;
    gb_npy_header header = {.by_column = false};
    gb_float_table table;
    GB_TRY(gb_byte_source_open(file->path, &f, &source, err));
    GB_TRY(gb_npy_read_header(file->path, &source, &header, err));
    GB_TRY(gb_npy_table(file->path, &header, &table, err));
    GB_TRY(gb_embedding_read_values(file, "", &table, &source, err));
done:
    if (f != NULL)
        (void)fclose(f);
    return st;
}

const gb_embedding_format gb_embedding_npy = {.name = "npy", .looks_like = looks_like, .read = read_npy};
