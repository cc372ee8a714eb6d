/* corpus/writers/writer_fasttext.c - "__label__x __label__y some words". */
#include "corpus/writers/writer.h"

#include <string.h>

extern const gb_writer_ops gb_writer_fasttext;

static const char prefix[] = "__label__";

static bool class_fits(gb_view name)
{
    return !gb_view_has_blank(name);
}

static const char *word_fault(gb_view word)
{
    return word.length >= sizeof prefix - 1 && memcmp(word.text, prefix, sizeof prefix - 1) == 0
               ? "looks like a label"
               : NULL;
}

static void write_labels(const gb_writer *w, uint64_t document)
{
    const uint32_t *class = NULL;
    uint64_t n = 0;
    if (w->label == GB_NO_LABEL_FIELD)
        return;
    (void)gb_corpus_classes_of(w->corpus, (uint64_t)w->label, document, &class, &n);
    for (uint64_t i = 0; i < n; i++) {
        size_t length;
        const char *name = gb_corpus_class(w->corpus, (uint64_t)w->label, class[i], &length);
        (void)fprintf(w->out, "%s%.*s ", prefix, (int)length, name);
    }
}

/* A line without anything is passed over by the reader: a missing label keeps it. */
static gb_status write_all(gb_writer *w, gb_error *err)
{
    (void)err;
    for (uint64_t d = 0; d < w->corpus->n_docs; d++) {
        uint64_t n_classes = 0;
        write_labels(w, d);
        if (w->label != GB_NO_LABEL_FIELD)
            (void)gb_corpus_classes_of(w->corpus, (uint64_t)w->label, d, NULL, &n_classes);
        if (n_classes == 0)
            (void)fprintf(w->out, "%s? ", prefix);
        gb_writer_text(w, d);
        (void)putc('\n', w->out);
    }
    return GB_OK;
}

const gb_writer_ops gb_writer_fasttext = {
    .name = "fasttext",
    .extensions = "fasttext",
    .has_text = true,
    .class_fits = class_fits,
    .word_fault = word_fault,
    .write = write_all,
};
