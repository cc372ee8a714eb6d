/* corpus/writers/writer_triples.c - UCI bags of words and Matrix Market: a head, then "document word count", all from 1. */
#include "corpus/writers/writer.h"

#include <inttypes.h>

extern const gb_writer_ops gb_writer_uci, gb_writer_mtx;

static uint64_t count_entries(const gb_writer *w)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < w->corpus->n_docs; d++)
        n += gb_writer_counts(w, d);
    return n;
}

static void write_triples(const gb_writer *w)
{
    for (uint64_t d = 0; d < w->corpus->n_docs; d++) {
        const size_t n = gb_writer_counts(w, d);
        for (size_t i = 0; i < n; i++)
            (void)fprintf(w->out, "%" PRIu64 " %" PRIu32 " %" PRIu32 "\n", d + 1, w->word[i] + 1, w->count[i]);
    }
}

static gb_status write_uci(gb_writer *w, gb_error *err)
{
    (void)err;
    (void)fprintf(w->out, "%" PRIu64 "\n%" PRIu64 "\n%" PRIu64 "\n", w->corpus->n_docs, w->corpus->n_words,
                  count_entries(w));
    write_triples(w);
    return GB_OK;
}

static gb_status write_mtx(gb_writer *w, gb_error *err)
{
    (void)err;
    (void)fprintf(w->out,
                  "%%%%MatrixMarket matrix coordinate integer general\n"
                  "%% documents, words, entries\n%" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
                  w->corpus->n_docs, w->corpus->n_words, count_entries(w));
    write_triples(w);
    return GB_OK;
}

const gb_writer_ops gb_writer_uci = {.name = "uci", .extensions = "uci", .write = write_uci};
const gb_writer_ops gb_writer_mtx = {.name = "mtx", .extensions = "mtx", .write = write_mtx};
