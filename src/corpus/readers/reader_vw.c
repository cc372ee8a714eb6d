/* corpus/readers/reader_vw.c - lines as Vowpal Wabbit reads them: "label importance 'tag |namespace word word:2 |namespace word".
 *
 * The first item is the label, the second its importance, which is the field of that name for those who ask for it, and the tag is the id; the
 * base is passed over.  The words of all namespaces are the document's,
 * with how often each occurs.  BigARTM writes the same with an id in front and, before the first namespace, words:
 * "id word word:2 |@class word". */
#include "corpus/readers/reader.h"

#include "base/memory.h"
#include "base/system.h"

#include <string.h>

typedef struct vw {
    gb_reader_context *context;
    size_t label, weight; /* numbers of fields; SIZE_MAX: there is none */
    uint64_t n_held;      /* bytes of memory for the words of a line, by the watch */
} vw;

extern const gb_reader_ops gb_reader_vw;

/* What is before the first bar. */
typedef struct head {
    gb_view label, importance, tag; /* empty: there is none */
    bool are_numbers;               /* all items but the tag */
    size_t n_items;                 /* without the tag */
} head;

static bool is_number(gb_view item)
{
    double value;
    return gb_view_to_real(item, &value);
}

/* A tag begins with an apostrophe, or touches the bar behind a label. */
static head cut_head(gb_view text)
{
    head h = {.label = {"", 0}, .importance = {"", 0}, .tag = {"", 0}, .are_numbers = true};
    const bool touches = text.length > 0 && text.text[text.length - 1] != ' ' && text.text[text.length - 1] != '\t';
    gb_view rest = text;
    for (gb_view item = gb_take_item(&rest); item.length > 0; item = gb_take_item(&rest)) {
        const bool is_last = gb_view_trim(rest).length == 0;
        if (item.text[0] == '\'' && is_last)
            h.tag = (gb_view){item.text + 1, item.length - 1};
        else if (is_last && touches && h.n_items > 0 && !is_number(item))
            h.tag = item;
        else {
            if (h.n_items < 2)
                *(h.n_items == 0 ? &h.label : &h.importance) = item;
            h.n_items++;
            h.are_numbers = h.are_numbers && is_number(item);
        }
    }
    return h;
}

static bool sniff(gb_view first_line)
{
    const char *bar = memchr(first_line.text, '|', first_line.length);
    const size_t before = bar == NULL ? 0 : (size_t)(bar - first_line.text);
    if (bar == NULL || (before > 0 && bar[-1] != ' ' && memchr(first_line.text, '\'', before) == NULL))
        return false;
    gb_view rest = {bar + 1, first_line.length - before - 1};
    return cut_head((gb_view){first_line.text, before}).are_numbers && gb_take_item(&rest).length > 0;
}

static gb_status open_vw(void **state, gb_reader_context *context, gb_error *err)
{
    gb_status st;
    vw *v = NULL;
    GB_TRY(gb_alloc(&v, 1, sizeof *v, "a reader", err));
    v->context = context;
    GB_TRY(gb_reader_label_and_weight(context, "label", "importance", &v->label, &v->weight, err));
    *state = v;
    v = NULL;
done:
    gb_free(v);
    return st;
}

static void close_vw(void *state)
{
    vw *v = state;
    (void)gb_read_watch_hold(v->context->watch, v->context->path, 0, &v->n_held, NULL);
    gb_free(v);
}

/* A word takes more memory than it has bytes, and a line may be long. */
static gb_status hold(vw *v, const gb_raw_document *doc, gb_error *err)
{
    enum { FEW = 1 << 16 };
    const uint64_t n_bytes = doc->n_tokens < FEW ? 0 : doc->tokens_capacity * sizeof doc->tokens[0];
    return n_bytes <= v->n_held ? GB_OK
                                : gb_read_watch_hold(v->context->watch, v->context->path, n_bytes, &v->n_held, err);
}

static gb_status add_word(vw *v, gb_view item, gb_raw_document *doc, gb_error *err)
{
    const char *colon = memrchr(item.text, ':', item.length);
    const size_t length = colon == NULL ? item.length : (size_t)(colon - item.text);
    const gb_view value = colon == NULL ? gb_view_of("1") : (gb_view){colon + 1, item.length - length - 1};
    uint32_t count;
    const char *fault = gb_raw_parse_count(value, &count);
    if (fault != NULL)
        return gb_input_fail(v->context->input, err, "the count \"%.*s\" of \"%.*s\" %s", GB_SHOWN(value),
                             GB_SHOWN(((gb_view){item.text, length})), fault);
    const gb_status st = gb_raw_add_token(doc, (gb_view){item.text, length}, count, err);
    return st == GB_OK ? hold(v, doc, err) : gb_input_place(v->context->input, err, st);
}

static gb_status add_words(vw *v, gb_view words, gb_raw_document *doc, gb_error *err)
{
    gb_status st = GB_OK;
    for (gb_view item = gb_take_item(&words); item.length > 0; item = gb_take_item(&words))
        GB_TRY(add_word(v, item, doc, err));
done:
    return st;
}

static gb_status set_field(const vw *v, size_t field, gb_view cell, gb_raw_document *doc, gb_error *err)
{
    const gb_reader_context *c = v->context;
    return cell.length == 0 || field == SIZE_MAX
               ? GB_OK
               : gb_raw_set_cell(doc, field, c->fields[field].kind, cell, c->separator, err);
}

static gb_status set_importance(const vw *v, gb_view importance, gb_raw_document *doc, gb_error *err)
{
    double value = 1;
    if (importance.length > 0 && v->weight == SIZE_MAX && gb_view_to_real(importance, &value) && value != 1)
        v->context->n_unused_weights++;
    return set_field(v, v->weight, importance.length == 0 ? gb_view_of("1") : importance, doc, err);
}

static void set_id(gb_view id, gb_raw_document *doc)
{
    doc->has_id = id.length > 0;
    doc->id = id;
}

/* Behind a bar: the namespace touches it, if there is one. */
static gb_view without_namespace(gb_view words)
{
    if (words.length > 0 && words.text[0] != ' ' && words.text[0] != '\t')
        (void)gb_take_item(&words);
    return words;
}

static gb_status read_line(vw *v, gb_view line, gb_raw_document *doc, gb_error *err)
{
    gb_status st;
    const char *bar = memchr(line.text, '|', line.length);
    gb_view before = {line.text, bar == NULL ? line.length : (size_t)(bar - line.text)};
    const head h = cut_head(before);
    const bool is_artm = bar == NULL || (bar + 1 < line.text + line.length && bar[1] == '@') ||
                         (h.n_items > 1 && !h.are_numbers && h.tag.length == 0);
    if (is_artm) {
        set_id(gb_take_item(&before), doc);
        GB_TRY(add_words(v, before, doc, err));
    } else {
        set_id(h.tag, doc);
        GB_TRY(set_field(v, v->label, h.label, doc, err));
        GB_TRY(set_importance(v, h.importance, doc, err));
    }
    st = GB_OK;
    while (bar != NULL) {
        const char *begin = bar + 1, *end = line.text + line.length;
        bar = begin == end ? NULL : memchr(begin, '|', (size_t)(end - begin));
        const gb_view words = {begin, (size_t)((bar == NULL ? end : bar) - begin)};
        GB_TRY(add_words(v, without_namespace(words), doc, err));
    }
done:
    return st;
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    gb_status st;
    vw *v = state;
    gb_view line;
    do {
        GB_TRY(gb_input_line(v->context->input, &line, end, err));
    } while (!*end && gb_view_trim(line).length == 0);
    if (!*end)
        st = read_line(v, line, doc, err);
done:
    return st;
}

const gb_reader_ops gb_reader_vw = {
    .name = "vw",
    .extensions = "vw",
    .has_text = true,
    .opens_input = true,
    .sniff = sniff,
    .open = open_vw,
    .next = next,
    .close = close_vw,
};
