/* corpus/writers/writer_ldac.c - "N word:count word:count ...", words from 0. */
#include "corpus/writers/writer.h"

#include <inttypes.h>

extern const gb_writer_ops gb_writer_ldac;

static gb_status write_all(gb_writer *w, gb_error *err)
{
    (void)err;
    for (uint64_t d = 0; d < w->corpus->n_docs; d++) {
        const size_t n = gb_writer_counts(w, d);
        (void)fprintf(w->out, "%zu", n);
        for (size_t i = 0; i < n; i++)
            (void)fprintf(w->out, " %" PRIu32 ":%" PRIu32, w->word[i], w->count[i]);
        (void)putc('\n', w->out);
    }
    return GB_OK;
}

const gb_writer_ops gb_writer_ldac = {.name = "ldac", .extensions = "ldac", .write = write_all};
