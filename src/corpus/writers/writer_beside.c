/* corpus/writers/writer_beside.c - files beside a format's own, for what it has no place for. */
#include "corpus/writers/writer.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *suffix, *option;
} beside[GB_N_BESIDE] = {
    [GB_BESIDE_VOCABULARY] = {".vocabulary.txt", "vocabulary"},
    [GB_BESIDE_IDS] = {".ids.txt", "document-ids"},
    [GB_BESIDE_FIELDS] = {".fields.tsv", "metadata"},
    [GB_BESIDE_EMBEDDINGS] = {".embeddings.npy", "embeddings"},
};

const char *gb_beside_suffix(gb_beside which)
{
    return beside[which].suffix;
}

const char *gb_beside_option(gb_beside which)
{
    return beside[which].option;
}

static void write_texts(const gb_writer *w, const gb_texts *texts, bool without_blanks)
{
    for (uint64_t i = 0; i < texts->count; i++) {
        if (without_blanks)
            gb_writer_without_blanks(w, gb_texts_view(texts, i));
        else
            gb_writer_view(w, gb_texts_view(texts, i));
        (void)putc('\n', w->out);
    }
}

/* Row by row, without ids: those of a corpus may not be different. */
static void write_fields(const gb_writer *w)
{
    const uint64_t n = gb_corpus_n_fields(w->corpus);
    const char *name = "";
    for (uint64_t f = 0; f < n; f++) {
        (void)gb_corpus_field(w->corpus, f, &name, NULL, NULL);
        (void)fprintf(w->out, "%s%s", f > 0 ? "\t" : "", name);
    }
    (void)putc('\n', w->out);
    for (uint64_t d = 0; d < w->corpus->n_docs; d++)
        for (uint64_t f = 0; f < n; f++) {
            if (!gb_writer_cell(w, f, d))
                (void)fputs("NA", w->out);
            (void)putc(f + 1 == n ? '\n' : '\t', w->out);
        }
}

/* ---- NumPy --------------------------------------------------------------------------------------------- */

enum { MAGIC = 10, DICTIONARY = 160, ALIGNMENT = 64 };

/* The dictionary with blanks up to a multiple of 64 bytes, and a line end. */
static size_t make_dictionary(const char *descr, size_t n_dimensions, const uint64_t *shape,
                              char out[static 2 * DICTIONARY])
{
    int n = snprintf(out, DICTIONARY, "{'descr': '%s', 'fortran_order': False, 'shape': (", descr);
    for (size_t i = 0; i < n_dimensions; i++)
        n += snprintf(out + n, (size_t)(DICTIONARY - n), "%" PRIu64 "%s", shape[i],
                      i + 1 < n_dimensions ? ", "
                      : n_dimensions == 1  ? ","
                                           : "");
    n += snprintf(out + n, (size_t)(DICTIONARY - n), "), }");
    const size_t length = (MAGIC + (size_t)n + ALIGNMENT) / ALIGNMENT * ALIGNMENT - MAGIC;
    memset(out + n, ' ', length - (size_t)n);
    out[length - 1] = '\n';
    return length;
}

size_t gb_npy_header(const char *descr, size_t n_dimensions, const uint64_t *shape,
                     char out[static GB_NPY_HEADER_ROOM])
{
    const size_t length = make_dictionary(descr, n_dimensions, shape, out + MAGIC);
    const unsigned char head[MAGIC] = {
        0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (unsigned char)(length & 255), (unsigned char)(length >> 8)};
    memcpy(out, head, MAGIC);
    return MAGIC + length;
}

static void write_embeddings(const gb_writer *w)
{
    const gb_embedding *e = &w->corpus->embedding;
    const uint64_t shape[2] = {w->corpus->n_docs, e->width};
    char head[GB_NPY_HEADER_ROOM];
    (void)fwrite(head, 1, gb_npy_header("<f4", 2, shape, head), w->out);
    (void)fwrite(e->value, sizeof *e->value, w->corpus->n_docs * e->width, w->out);
}

gb_status gb_beside_write(gb_writer *w, gb_beside which, gb_error *err)
{
    switch (which) {
    case GB_BESIDE_VOCABULARY:
        write_texts(w, &w->corpus->vocabulary, w->ops->has_text);
        break;
    case GB_BESIDE_IDS:
        write_texts(w, &w->corpus->ids, false);
        break;
    case GB_BESIDE_FIELDS:
        write_fields(w);
        return gb_writer_field_options(w, err);
    default:
        write_embeddings(w);
        break;
    }
    return GB_OK;
}
