/* corpus/readers/reader_ldac.c - bags of words as lda-c and its relatives read them: "N word:count word:count ...".
 *
 * N is the number of pairs, words are counted from 0, a document per line; "0" is one without words.  Blank lines are passed over. */
#include "corpus/readers/reader.h"

#include "base/memory.h"

#include <string.h>

typedef struct ldac {
    gb_reader_context *context;
} ldac;

extern const gb_reader_ops gb_reader_ldac;

static gb_status open_ldac(void **state, gb_reader_context *context, gb_error *err)
{
    gb_status st;
    ldac *l = NULL;
    GB_TRY(gb_reader_no_fields(context, err));
    GB_TRY(gb_alloc(&l, 1, sizeof *l, "a reader", err));
    l->context = context;
    *state = l;
done:
    return st;
}

static gb_status check_word(const ldac *l, uint64_t word, gb_error *err)
{
    const uint64_t n_names = l->context->names.count;
    if (n_names > 0 && word >= n_names)
        return gb_input_fail(l->context->input, err, "word %llu, but %s has %llu words, and they are counted from 0",
                             (unsigned long long)word, l->context->vocabulary, (unsigned long long)n_names);
    if (word >= UINT32_MAX - 1)
        return gb_input_fail(l->context->input, err, "word %llu, at most %u is possible", (unsigned long long)word,
                             UINT32_MAX - 2);
    return GB_OK;
}

static gb_status read_pair(const ldac *l, gb_view item, gb_raw_document *doc, gb_error *err)
{
    gb_status st;
    const gb_input *input = l->context->input;
    uint64_t word;
    uint32_t count;
    const char *colon = memchr(item.text, ':', item.length);
    if (colon == NULL)
        return gb_input_fail(input, err, "\"%.*s\" is not of the form word:count", GB_SHOWN(item));
    const gb_view left = {item.text, (size_t)(colon - item.text)};
    const gb_view right = {colon + 1, item.length - left.length - 1};
    if (!gb_view_to_u64(left, &word))
        return gb_input_fail(input, err, "the word \"%.*s\" is not a whole number from 0 on", GB_SHOWN(left));
    GB_TRY(check_word(l, word, err));
    const char *fault = gb_raw_parse_count(right, &count);
    if (fault != NULL)
        return gb_input_fail(input, err, "the count \"%.*s\" %s", GB_SHOWN(right), fault);
    st = gb_input_place(input, err, gb_raw_add_count(doc, (uint32_t)word, count, err));
done:
    return st;
}

static gb_status next(void *state, gb_raw_document *doc, bool *end, gb_error *err)
{
    gb_status st;
    const ldac *l = state;
    gb_view rest, item;
    uint64_t said, n_pairs = 0;
    do {
        GB_TRY(gb_input_line(l->context->input, &rest, end, err));
        item = gb_take_item(&rest);
    } while (!*end && item.length == 0);
    if (*end)
        return GB_OK;
    if (!gb_view_to_u64(item, &said))
        return gb_input_fail(l->context->input, err, "\"%.*s\" is not the number of pairs on the line",
                             GB_SHOWN(item));
    for (item = gb_take_item(&rest); item.length > 0; item = gb_take_item(&rest), n_pairs++)
        GB_TRY(read_pair(l, item, doc, err));
    if (n_pairs != said)
        return gb_input_fail(l->context->input, err, "%llu pairs, but the line says %llu",
                             (unsigned long long)n_pairs, (unsigned long long)said);
done:
    return st;
}

static void close_ldac(void *state)
{
    gb_free(state);
}

const gb_reader_ops gb_reader_ldac = {
    .name = "ldac",
    .extensions = "ldac",
    .vocabulary_names = true,
    .opens_input = true,
    .open = open_ldac,
    .next = next,
    .close = close_ldac,
};
