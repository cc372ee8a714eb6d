/* corpus/readers/reader_mtx.c - Matrix Market: a row for each document, a column for each word, both counted from 1.
 *
 *   %%MatrixMarket matrix coordinate integer|real|pattern general
 *   % comments
 *   documents words entries
 *   document word count                 once for each entry, in any order; an entry of a pattern has no count, which is 1
 *
 * Entries in any order are all read before the first document.  Real numbers are taken if they are whole, as gensim writes them. */
#include "corpus/readers/reader.h"

#include "base/memory.h"
#include "corpus/readers/entries.h"

#include <string.h>
#include <strings.h>

enum { ITEMS = 3 };

typedef struct mtx {
    gb_reader_context *context;
    size_t n_items; /* of an entry: 3, or 2 of a pattern */
    uint64_t n_documents, n_words, n_entries;
    gb_entries entries;
    uint64_t document; /* the next one */
} mtx;

extern const gb_reader_ops gb_reader_mtx;

static bool sniff(gb_view first_line)
{
    static const char banner[] = "%%MatrixMarket";
    const gb_view item = gb_take_item(&first_line);
    return item.length == sizeof banner - 1 && strncasecmp(item.text, banner, item.length) == 0;
}

static bool is_word(gb_view item, const char *word)
{
    return item.length == strlen(word) && strncasecmp(item.text, word, item.length) == 0;
}

/* ---- header -------------------------------------------------------------------------------------------- */

static gb_status read_banner(mtx *m, gb_error *err)
{
    gb_status st;
    gb_view line, item[5];
    bool end = false;
    GB_TRY(gb_input_line(m->context->input, &line, &end, err));
    for (size_t i = 0; i < 5; i++)
        item[i] = gb_take_item(&line);
    const bool is_pattern = is_word(item[3], "pattern");
    m->n_items = is_pattern ? 2 : ITEMS;
    if (end || !is_word(item[0], "%%MatrixMarket") || !is_word(item[1], "matrix") ||
        !is_word(item[2], "coordinate") ||
        (!is_pattern && !is_word(item[3], "integer") && !is_word(item[3], "real")) || !is_word(item[4], "general"))
        st = gb_input_fail_at(
            m->context->input, 1, err,
            "expected \"%%%%MatrixMarket matrix coordinate integer general\", or real or pattern for "
            "integer");
done:
    return st;
}

/* The next line that is neither blank nor a comment, as items; *n is 0 at the end of the file. */
static gb_status read_items(const mtx *m, gb_view item[ITEMS], size_t *n, gb_error *err)
{
    gb_view line;
    bool end = false;
    for (*n = 0; *n == 0;) {
        const gb_status st = gb_input_line(m->context->input, &line, &end, err);
        if (st != GB_OK || end)
            return st;
        for (gb_view i = gb_take_item(&line); i.length > 0 && i.text[0] != '%' && *n <= ITEMS;
             i = gb_take_item(&line)) {
            if (*n < ITEMS)
                item[*n] = i;
            (*n)++;
        }
    }
    return GB_OK;
}

static gb_status read_sizes(mtx *m, gb_error *err)
{
    static const char *const what[ITEMS] = {"documents", "words", "entries"};
    const uint64_t most[ITEMS] = {UINT32_MAX - 1, UINT32_MAX - 1, UINT64_MAX - 1}, n_names = m->context->names.count;
    uint64_t *size[ITEMS] = {&m->n_documents, &m->n_words, &m->n_entries};
    gb_view item[ITEMS];
    size_t n = 0;
    gb_status st;
    GB_TRY(read_items(m, item, &n, err));
    if (n != ITEMS)
        return gb_input_fail(m->context->input, err, "expected three numbers: documents, words, entries");
    for (size_t i = 0; i < ITEMS; i++)
        if (!gb_view_to_u64(item[i], size[i]) || *size[i] > most[i])
            return gb_input_fail(m->context->input, err, "\"%.*s\" is not the number of %s", GB_SHOWN(item[i]),
                                 what[i]);
    if (n_names > 0 && n_names != m->n_words)
        return gb_input_fail(m->context->input, err, "%llu words, but %s has %llu", (unsigned long long)m->n_words,
                             m->context->vocabulary, (unsigned long long)n_names);
done:
    return st;
}

/* ---- entries ------------------------------------------------------------------------------------------- */

static gb_status read_index(const mtx *m, gb_view item, const char *what, uint64_t most, uint32_t *out, gb_error *err)
{
    uint64_t value;
    if (!gb_view_to_u64(item, &value) || value == 0)
        return gb_input_fail(m->context->input, err, "\"%.*s\" is not the number of a %s, from 1 on", GB_SHOWN(item),
                             what);
    if (value > most)
        return gb_input_fail(m->context->input, err, "%s %llu, but the header says %llu", what,
                             (unsigned long long)value, (unsigned long long)most);
    *out = (uint32_t)(value - 1);
    return GB_OK;
}

static gb_status add_entry(mtx *m, const gb_view item[ITEMS], gb_error *err)
{
    gb_status st;
    uint32_t document = 0;
    gb_word_count pair = {0, 1};
    GB_TRY(read_index(m, item[0], "document", m->n_documents, &document, err));
    GB_TRY(read_index(m, item[1], "word", m->n_words, &pair.word, err));
    const char *fault = m->n_items == ITEMS ? gb_raw_parse_count(item[2], &pair.count) : NULL;
    if (fault != NULL)
        return gb_input_fail(m->context->input, err, "the count \"%.*s\" %s", GB_SHOWN(item[2]), fault);
    GB_TRY(gb_entries_add(&m->entries, document, pair, err));
done:
    return st;
}

static gb_status read_entries(mtx *m, gb_error *err)
{
    gb_status st;
    gb_view item[ITEMS] = {{.text = NULL}};
    uint64_t n_read = 0;
    size_t n = 0;
    for (;; n_read++) {
        GB_TRY(read_items(m, item, &n, err));
        if (n == 0)
            break;
        if (n != m->n_items)
            return gb_input_fail(m->context->input, err, "expected %s",
                                 m->n_items == ITEMS ? "three numbers: document, word, count"
                                                     : "two numbers: document, word");
        GB_TRY(add_entry(m, item, err));
    }
    if (n_read != m->n_entries)
        return gb_fail(err, GB_EFORMAT, "%s: %llu entries, but the header says %llu",
                       gb_input_name(m->context->input), (unsigned long long)n_read,
                       (unsigned long long)m->n_entries);
    GB_TRY(gb_entries_put_in_order(&m->entries, m->n_documents, err));
done:
    return st;
}

/* ---- the reader ---------------------------------------------------------------------------------------- */

static void close_mtx(void *state)
{
    mtx *m = state;
    gb_entries_clear(&m->entries);
    gb_free(m);
}

static gb_status open_mtx(void **state, gb_reader_context *context, gb_error *err)
{
    gb_status st;
    mtx *m = NULL;
    GB_TRY(gb_reader_no_fields(context, err));
    GB_TRY(gb_alloc(&m, 1, sizeof *m, "a reader", err));
    m->context = context;
    GB_TRY(gb_entries_begin(&m->entries, context->path, context->settings, err));
    GB_TRY(read_banner(m, err));
    GB_TRY(read_sizes(m, err));
    GB_TRY(read_entries(m, err));
    *state = m;
    m = NULL;
done:
    if (m != NULL)
        close_mtx(m);
    return st;
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    mtx *m = state;
    *end = m->document == m->n_documents;
    return *end ? GB_OK : gb_entries_give(&m->entries, m->document++, doc, err);
}

const gb_reader_ops gb_reader_mtx = {
    .name = "mtx",
    .extensions = "mtx",
    .vocabulary_names = true,
    .opens_input = true,
    .sniff = sniff,
    .open = open_mtx,
    .next = next,
    .close = close_mtx,
};
