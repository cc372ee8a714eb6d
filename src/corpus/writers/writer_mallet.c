/* corpus/writers/writer_mallet.c - name, label and words between blanks; "?" for a missing label. */
#include "corpus/writers/writer.h"

extern const gb_writer_ops gb_writer_mallet;

static bool class_fits(gb_view name)
{
    return !gb_view_has_blank(name) && name.text[0] != ',';
}

static bool id_fits(gb_view id)
{
    return !gb_view_has_blank(id);
}

/* The reader passes over commas before the text. */
static const char *word_fault(gb_view word)
{
    return word.text[0] == ',' ? "begins with a comma" : NULL;
}

static gb_status write_all(gb_writer *w, gb_error *err)
{
    (void)err;
    for (uint64_t d = 0; d < w->corpus->n_docs; d++) {
        gb_writer_without_blanks(w, gb_writer_id(w, d));
        (void)putc('\t', w->out);
        if (!gb_writer_label(w, d))
            (void)putc('?', w->out);
        (void)putc('\t', w->out);
        gb_writer_text(w, d);
        (void)putc('\n', w->out);
    }
    return GB_OK;
}

const gb_writer_ops gb_writer_mallet = {
    .name = "mallet",
    .extensions = "mallet",
    .has_text = true,
    .has_ids = true,
    .class_fits = class_fits,
    .id_fits = id_fits,
    .word_fault = word_fault,
    .write = write_all,
};
