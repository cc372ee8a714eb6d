/* corpus/readers/reader_fasttext.c - lines as fastText reads them: "__label__x __label__y some text".
 *
 * Any item of a line that begins with "__label__" is a label, wherever it stands; the other items are the text.  Blank lines are passed
 * over. */
#include "corpus/readers/reader.h"

#include "base/memory.h"

#include <string.h>

typedef struct fasttext {
    gb_reader_context *context;
    gb_bytes text; /* of the document at hand */
} fasttext;

extern const gb_reader_ops gb_reader_fasttext;

static const char prefix[] = "__label__";
enum { PREFIX = sizeof prefix - 1 };

static bool is_label(gb_view item)
{
    return item.length >= PREFIX && memcmp(item.text, prefix, PREFIX) == 0;
}

static bool sniff(gb_view first_line)
{
    return is_label(gb_take_item(&first_line));
}

static void close_fasttext(void *state)
{
    fasttext *f = state;
    gb_free(f->text.data);
    gb_free(f);
}

static gb_status open_fasttext(void **state, gb_reader_context *context, gb_error *err)
{
    gb_status st;
    fasttext *f = NULL;
    GB_TRY(gb_reader_one_label(context, "label", err));
    GB_TRY(gb_alloc(&f, 1, sizeof *f, "a reader", err));
    f->context = context;
    *state = f;
done:
    return st;
}

static gb_status add_label(const fasttext *f, gb_view item, gb_raw_document *doc, gb_error *err)
{
    const gb_reader_context *c = f->context;
    const size_t first = c->first_field;
    const gb_view name = {item.text + PREFIX, item.length - PREFIX};
    if (c->n_fields == first)
        return GB_OK;
    if (name.length == 0)
        return gb_input_fail(c->input, err, "a label without a name");
    const gb_field *field = &c->fields[first];
    if (gb_view_is_missing(name))
        return GB_OK;
    if (doc->values[first].labelled && field->kind != GB_KIND_SEVERAL)
        return gb_input_fail(c->input, err, "a second label, \"%.*s\"; %s", GB_SHOWN(name), gb_field_on_list(field));
    if (!doc->values[first].labelled)
        gb_raw_begin_field(doc, first);
    return gb_raw_add_class(doc, first, name, err);
}

static gb_status add_text(fasttext *f, gb_view item, gb_error *err)
{
    const gb_status st = f->text.length == 0 ? GB_OK : gb_bytes_add(&f->text, " ", 1, err);
    return st == GB_OK ? gb_bytes_add(&f->text, item.text, item.length, err) : st;
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    gb_status st;
    fasttext *f = state;
    gb_view rest, item;
    do {
        GB_TRY(gb_input_line(f->context->input, &rest, end, err));
        item = gb_take_item(&rest);
    } while (!*end && item.length == 0);
    f->text.length = 0;
    for (; item.length > 0; item = gb_take_item(&rest))
        GB_TRY(is_label(item) ? add_label(f, item, doc, err) : add_text(f, item, err));
    if (f->text.length > 0)
        doc->text = (gb_view){f->text.data, f->text.length};
done:
    return st;
}

const gb_reader_ops gb_reader_fasttext = {
    .name = "fasttext",
    .extensions = "fasttext",
    .has_text = true,
    .opens_input = true,
    .sniff = sniff,
    .open = open_fasttext,
    .next = next,
    .close = close_fasttext,
};
