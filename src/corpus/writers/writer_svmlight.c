/* corpus/writers/writer_svmlight.c - "label index:count index:count ...", words from 1; "?" for a missing label. */
#include "corpus/writers/writer.h"

#include <inttypes.h>
#include <string.h>

extern const gb_writer_ops gb_writer_svmlight;

static bool class_fits(gb_view name)
{
    return !gb_view_has_blank(name) && name.text[0] != '#' && name.text[0] != '+' &&
           memchr(name.text, ':', name.length) == NULL && memchr(name.text, ',', name.length) == NULL;
}

static gb_status write_all(gb_writer *w, gb_error *err)
{
    (void)err;
    for (uint64_t d = 0; d < w->corpus->n_docs; d++) {
        const size_t n = gb_writer_counts(w, d);
        if (!gb_writer_label(w, d))
            (void)putc('?', w->out);
        for (size_t i = 0; i < n; i++)
            (void)fprintf(w->out, " %" PRIu32 ":%" PRIu32, w->word[i] + 1, w->count[i]);
        (void)putc('\n', w->out);
    }
    return GB_OK;
}

const gb_writer_ops gb_writer_svmlight = {
    .name = "svmlight",
    .extensions = "svm svmlight libsvm",
    .has_empty_lists = true,
    .class_fits = class_fits,
    .write = write_all,
};
