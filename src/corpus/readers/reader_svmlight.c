/* corpus/readers/reader_svmlight.c - bags of words as "label index:count index:count ... # comment", one document per line.
 *
 * Indices count from 1, or from 0 with the option zero-based, and may come in any order.  A line may lack the label (or have "?"), and several labels stand
 * between commas.  A plus sign before a numeric label is left out: +1 and 1 are the same class.  Blank lines and
 * lines of comment are passed over. */
#include "corpus/readers/reader.h"

#include "base/memory.h"

#include <string.h>

typedef struct svmlight {
    gb_reader_context *context;
    uint64_t base; /* number of the first word */
} svmlight;

extern const gb_reader_ops gb_reader_svmlight;

/* The next item of a line, empty at its end or at a comment. */
static gb_view take_item(gb_view *rest)
{
    const gb_view item = gb_take_item(rest);
    return item.length > 0 && item.text[0] == '#' ? (gb_view){item.text, 0} : item;
}

static const char *colon_of(gb_view item)
{
    return item.length == 0 ? NULL : memchr(item.text, ':', item.length);
}

/* Every item but the first is a pair of numbers, and there is one. */
static bool sniff(gb_view first_line)
{
    size_t n_pairs = 0;
    gb_view rest = first_line, item = take_item(&rest);
    if (item.length > 0 && colon_of(item) == NULL)
        item = take_item(&rest);
    for (; item.length > 0; item = take_item(&rest), n_pairs++) {
        uint64_t value;
        const char *colon = colon_of(item);
        if (colon == NULL || !gb_view_to_u64((gb_view){item.text, (size_t)(colon - item.text)}, &value))
            return false;
    }
    return n_pairs > 0;
}

static gb_status open_svmlight(void **state, gb_reader_context *context, gb_error *err)
{
    gb_status st;
    svmlight *s = NULL;
    GB_TRY(gb_reader_one_label(context, "label", err));
    GB_TRY(gb_alloc(&s, 1, sizeof *s, "a reader", err));
    s->context = context;
    s->base = gb_settings_yes(context->settings, "zero-based") ? 0 : 1;
    *state = s;
done:
    return st;
}

static gb_status read_labels(const svmlight *s, gb_view labels, gb_raw_document *doc, gb_error *err)
{
    gb_status st = GB_OK;
    size_t first = s->context->first_field;
    if (s->context->n_fields == first || gb_view_is_missing(labels))
        return GB_OK;
    const gb_field *field = &s->context->fields[first];
    if (field->kind != GB_KIND_SEVERAL && memchr(labels.text, ',', labels.length) != NULL)
        return gb_input_fail(s->context->input, err, "several values \"%.*s\"; %s", GB_SHOWN(labels),
                             gb_field_on_list(field));
    gb_raw_begin_field(doc, first);
    while (labels.length > 0) {
        const char *comma = memchr(labels.text, ',', labels.length);
        size_t length = comma == NULL ? labels.length : (size_t)(comma - labels.text);
        if (length > 0)
            GB_TRY(gb_raw_add_class(doc, first, (gb_view){labels.text, length}, err));
        length += comma != NULL;
        labels = (gb_view){labels.text + length, labels.length - length};
    }
done:
    return st;
}

static gb_status check_index(const svmlight *s, uint64_t index, gb_error *err)
{
    uint64_t n_names = s->context->names.count;
    if (index < s->base)
        return gb_input_fail(s->context->input, err,
                             "index 0, but words are counted from 1; `zero-based` reads files that count from 0");
    if (n_names > 0 && index - s->base >= n_names)
        return gb_input_fail(s->context->input, err, "index %llu, but %s has %llu words", (unsigned long long)index,
                             s->context->vocabulary, (unsigned long long)n_names);
    if (index - s->base >= UINT32_MAX - 1)
        return gb_input_fail(s->context->input, err, "index %llu, at most %u is possible", (unsigned long long)index,
                             UINT32_MAX - 2 + (unsigned)s->base);
    return GB_OK;
}

static gb_status read_pair(const svmlight *s, gb_view item, gb_raw_document *doc, gb_error *err)
{
    gb_status st;
    const gb_input *input = s->context->input;
    uint64_t index;
    uint32_t count;
    const char *colon = colon_of(item);
    if (colon == NULL)
        return gb_input_fail(input, err, "\"%.*s\" is not of the form index:count", GB_SHOWN(item));
    gb_view left = {item.text, (size_t)(colon - item.text)};
    gb_view right = {colon + 1, item.length - left.length - 1};
    if (!gb_view_to_u64(left, &index))
        return gb_input_fail(input, err, "the index \"%.*s\" is not a whole number from %d on", GB_SHOWN(left),
                             (int)s->base);
    GB_TRY(check_index(s, index, err));
    const char *fault = gb_raw_parse_count(right, &count);
    if (fault != NULL)
        return gb_input_fail(input, err, "the count \"%.*s\" %s", GB_SHOWN(right), fault);
    st = gb_input_place(input, err, gb_raw_add_count(doc, (uint32_t)(index - s->base), count, err));
done:
    return st;
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    gb_status st;
    const svmlight *s = state;
    gb_view rest, item;
    do {
        GB_TRY(gb_input_line(s->context->input, &rest, end, err));
        item = take_item(&rest);
    } while (!*end && item.length == 0);
    if (!*end && colon_of(item) == NULL) {
        GB_TRY(read_labels(s, item, doc, err));
        item = take_item(&rest);
    }
    for (; item.length > 0; item = take_item(&rest))
        if (item.length < 4 || memcmp(item.text, "qid:", 4) != 0) /* the query of SVMrank */
            GB_TRY(read_pair(s, item, doc, err));
done:
    return st;
}

static void close_svmlight(void *state)
{
    gb_free(state);
}

const gb_reader_ops gb_reader_svmlight = {
    .name = "svmlight",
    .extensions = "svm svmlight libsvm",
    .vocabulary_names = true,
    .opens_input = true,
    .sniff = sniff,
    .open = open_svmlight,
    .next = next,
    .close = close_svmlight,
};
