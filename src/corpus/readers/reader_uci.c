/* corpus/readers/reader_uci.c - bags of words as triples "document word count", all counted from 1, documents ascending.
 *
 * Two layouts: with three lines before the triples (documents D, words W, triples NNZ), and without them.  With them
 * all three numbers are checked; without them the documents end with the last triple, or with the last row of the
 * metadata.  A document without triples is an empty one. */
#include "corpus/readers/reader.h"

#include "base/memory.h"

#include <string.h>

enum { ITEMS = 3 };

typedef struct uci {
    gb_reader_context *context;
    bool has_header, has_triple, at_end;      /* triple: the first one of a later document has been read */
    uint64_t n_documents, n_words, n_triples; /* the header's, or bounds */
    uint64_t triples_seen, document;          /* of the document given last */
    uint64_t triple[2];                       /* document, word; zeros before the first */
    uint32_t count;
} uci;

extern const gb_reader_ops gb_reader_uci;

/* Split at blanks; returns how many items there are, at most ITEMS + 1. */
static size_t split(gb_view line, gb_view item[ITEMS])
{
    size_t n = 0;
    for (gb_view next_item = gb_take_item(&line); next_item.length > 0; next_item = gb_take_item(&line)) {
        if (n == ITEMS)
            return ITEMS + 1;
        item[n++] = next_item;
    }
    return n;
}

static bool sniff(gb_view first_line)
{
    gb_view item[ITEMS];
    uint64_t value;
    size_t n = split(first_line, item);
    if (n != 1 && n != ITEMS)
        return false;
    for (size_t i = 0; i < n; i++)
        if (!gb_view_to_u64(item[i], &value))
            return false;
    return true;
}

/* ---- header -------------------------------------------------------------------------------------------- */

static gb_status read_header_number(uci *u, const char *what, uint64_t most, uint64_t *out, gb_error *err)
{
    gb_view line, item[ITEMS];
    bool end = false;
    gb_status st = gb_input_line(u->context->input, &line, &end, err);
    if (st != GB_OK)
        return st;
    if (end)
        return gb_fail(err, GB_EFORMAT, "%s: ends within the three lines of the header",
                       gb_input_name(u->context->input));
    if (split(line, item) != 1 || !gb_view_to_u64(item[0], out))
        return gb_input_fail(u->context->input, err, "\"%.*s\" is not the number of %s", GB_SHOWN(line), what);
    if (*out > most)
        return gb_input_fail(u->context->input, err, "%llu %s, at most %llu are possible", (unsigned long long)*out,
                             what, (unsigned long long)most);
    return GB_OK;
}

static gb_status read_header(uci *u, gb_error *err)
{
    gb_status st;
    GB_TRY(read_header_number(u, "documents", UINT64_MAX - 1, &u->n_documents, err));
    GB_TRY(read_header_number(u, "words", UINT32_MAX - 1, &u->n_words, err));
    uint64_t n_names = u->context->names.count;
    if (n_names > 0 && n_names != u->n_words) {
        st = gb_input_fail(u->context->input, err, "%llu words, but %s has %llu", (unsigned long long)u->n_words,
                           u->context->vocabulary, (unsigned long long)n_names);
        goto done;
    }
    GB_TRY(read_header_number(u, "triples", UINT64_MAX - 1, &u->n_triples, err));
done:
    return st;
}

static gb_status open_uci(void **state, gb_reader_context *context, gb_error *err)
{
    gb_status st;
    uci *u = NULL;
    gb_view line, item[ITEMS];
    bool end = false;
    GB_TRY(gb_reader_no_fields(context, err));
    GB_TRY(gb_alloc(&u, 1, sizeof *u, "a reader", err));
    u->context = context;
    u->n_documents = context->n_documents;
    u->n_words = context->names.count == 0 ? UINT32_MAX - 1 : context->names.count;
    GB_TRY(gb_input_peek(context->input, &line, &end, err));
    u->has_header = !end && split(line, item) == 1;
    if (u->has_header)
        GB_TRY(read_header(u, err));
    *state = u;
    u = NULL;
done:
    gb_free(u);
    return st;
}

/* ---- triples ------------------------------------------------------------------------------------------- */

static gb_status check_word(const uci *u, uint64_t word, gb_error *err)
{
    const gb_input *input = u->context->input;
    if (word == 0)
        return gb_input_fail(input, err, "word 0, words are counted from 1");
    if (word <= u->n_words)
        return GB_OK;
    if (u->has_header || u->context->names.count == 0)
        return gb_input_fail(input, err, "word %llu, but there are %llu words", (unsigned long long)word,
                             (unsigned long long)u->n_words);
    return gb_input_fail(input, err, "word %llu, but %s has %llu words", (unsigned long long)word,
                         u->context->vocabulary, (unsigned long long)u->n_words);
}

static gb_status check_gap(const uci *u, uint64_t before, uint64_t gap, gb_error *err)
{
    if (gap <= GB_MAX_GAP || (u->n_documents > 0 && !u->has_header))
        return GB_OK;
    return gb_input_fail(u->context->input, err, "%llu documents without words after document %llu",
                         (unsigned long long)gap, (unsigned long long)before);
}

static gb_status check_document(const uci *u, uint64_t document, gb_error *err)
{
    const gb_input *input = u->context->input;
    uint64_t before = u->triple[0];
    if (document == 0)
        return gb_input_fail(input, err, "document 0, documents are counted from 1");
    if (document < before)
        return gb_input_fail(input, err, "document %llu after document %llu; they have to ascend",
                             (unsigned long long)document, (unsigned long long)before);
    if (u->n_documents > 0 && document > u->n_documents)
        return gb_input_fail(input, err, "document %llu, but %s %llu", (unsigned long long)document,
                             u->has_header ? "the header says" : "the rows of the metadata are",
                             (unsigned long long)u->n_documents);
    return document <= before ? GB_OK : check_gap(u, before, document - before - 1, err);
}

static gb_status parse_triple(uci *u, gb_view line, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_input *input = u->context->input;
    gb_view item[ITEMS];
    uint64_t value[2];
    if (split(line, item) != ITEMS)
        return gb_input_fail(input, err, "not three numbers: document, word, count");
    for (size_t i = 0; i < 2; i++)
        if (!gb_view_to_u64(item[i], &value[i]))
            return gb_input_fail(input, err, "\"%.*s\" is not the number of a %s", GB_SHOWN(item[i]),
                                 i == 0 ? "document" : "word");
    const char *fault = gb_raw_parse_count(item[2], &u->count);
    if (fault != NULL)
        return gb_input_fail(input, err, "the count \"%.*s\" %s", GB_SHOWN(item[2]), fault);
    GB_TRY(check_document(u, value[0], err));
    GB_TRY(check_word(u, value[1], err));
    u->triples_seen++;
    memcpy(u->triple, value, sizeof value);
done:
    return st;
}

static gb_status read_triple(uci *u, gb_error *err)
{
    gb_status st = GB_OK;
    gb_view line;
    bool end = false;
    do {
        GB_TRY(gb_input_line(u->context->input, &line, &end, err));
    } while (!end && gb_view_trim(line).length == 0);
    u->has_triple = !end;
    u->at_end = end;
    if (!end)
        return parse_triple(u, line, err);
    if (u->n_documents > u->triple[0])
        GB_TRY(check_gap(u, u->triple[0], u->n_documents - u->triple[0], err));
    if (u->has_header && u->triples_seen != u->n_triples)
        st = gb_fail(err, GB_EFORMAT, "%s: %llu triples, but the header says %llu", gb_input_name(u->context->input),
                     (unsigned long long)u->triples_seen, (unsigned long long)u->n_triples);
done:
    return st;
}

/* Documents up to the last one get their turn, with or without triples. */
static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    gb_status st = GB_OK;
    uci *u = state;
    if (!u->has_triple && !u->at_end)
        GB_TRY(read_triple(u, err));
    *end = u->at_end && u->document >= u->n_documents;
    if (*end)
        return GB_OK;
    u->document++;
    while (u->has_triple && u->triple[0] == u->document) {
        st = gb_raw_add_count(doc, (uint32_t)(u->triple[1] - 1), u->count, err);
        GB_TRY(gb_input_place(u->context->input, err, st));
        GB_TRY(read_triple(u, err));
    }
done:
    return st;
}

static void close_uci(void *state)
{
    gb_free(state);
}

const gb_reader_ops gb_reader_uci = {
    .name = "uci",
    .extensions = "uci",
    .vocabulary_names = true,
    .opens_input = true,
    .sniff = sniff,
    .open = open_uci,
    .next = next,
    .close = close_uci,
};
