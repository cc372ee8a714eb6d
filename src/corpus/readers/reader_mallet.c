/* corpus/readers/reader_mallet.c - lines as `mallet import-file` reads them: name, label, and the rest is the text.
 *
 * A name and a label end at a blank; between them, and before the text, stand any number of blanks and commas.  A line may end after
 * its name or label.  Blank lines are passed over. */
#include "corpus/readers/reader.h"

#include "base/memory.h"

typedef struct mallet {
    gb_reader_context *context;
} mallet;

extern const gb_reader_ops gb_reader_mallet;

static gb_status open_mallet(void **state, gb_reader_context *context, gb_error *err)
{
    gb_status st;
    mallet *m = NULL;
    GB_TRY(gb_reader_one_label(context, "label", err));
    GB_TRY(gb_alloc(&m, 1, sizeof *m, "a reader", err));
    m->context = context;
    *state = m;
done:
    return st;
}

static gb_view without_separators(gb_view v)
{
    size_t n = 0;
    while (n < v.length && (v.text[n] == ' ' || v.text[n] == '\t' || v.text[n] == ','))
        n++;
    return (gb_view){v.text + n, v.length - n};
}

static gb_status read_label(const mallet *m, gb_view label, gb_raw_document *doc, gb_error *err)
{
    const gb_reader_context *c = m->context;
    const size_t first = c->first_field;
    return c->n_fields == first ? GB_OK
                                : gb_raw_set_cell(doc, first, c->fields[first].kind, label, c->separator, err);
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    gb_status st;
    const mallet *m = state;
    gb_view rest;
    do {
        GB_TRY(gb_input_line(m->context->input, &rest, end, err));
        doc->id = gb_take_item(&rest);
    } while (!*end && doc->id.length == 0);
    doc->has_id = true;
    rest = without_separators(rest);
    const gb_view label = gb_take_item(&rest);
    GB_TRY(read_label(m, label, doc, err));
    doc->text = without_separators(rest);
done:
    return st;
}

static void close_mallet(void *state)
{
    gb_free(state);
}

const gb_reader_ops gb_reader_mallet = {
    .name = "mallet",
    .extensions = "mallet",
    .has_text = true,
    .opens_input = true,
    .open = open_mallet,
    .next = next,
    .close = close_mallet,
};
