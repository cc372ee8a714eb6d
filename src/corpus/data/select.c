/* corpus/data/select.c - which words of a training corpus stay. */
#include "corpus/data/select.h"

#include "base/memory.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>

/* A share of a count of documents is rounded: 0.07 of 100 has to be 7. */
static const double ROUNDING = 1e-9;

static gb_status read_limit(gb_limit *out, const char *option, const char *text, gb_error *err)
{
    uint64_t count;
    *out = (gb_limit){.is_share = false};
    if (gb_view_to_u64(gb_view_of(text), &count)) {
        out->value = (double)count;
        return GB_OK;
    }
    out->is_share = true;
    if (gb_text_to_real(text, &out->value) != GB_NUMBER_OK || out->value < 0 || out->value > 1)
        return gb_fail(err, GB_EARGUMENT, "`%s` \"%s\": expected a count such as 5, or a share such as 0.01", option,
                       text);
    return GB_OK;
}

gb_status gb_limits_read(gb_limits *out, const gb_settings *settings, gb_error *err)
{
    gb_status st;
    out->max_vocabulary = (uint64_t)gb_settings_int(settings, "max-vocabulary");
    GB_TRY(read_limit(&out->min_df, "min-df", gb_settings_text(settings, "min-df"), err));
    GB_TRY(read_limit(&out->max_df, "max-df", gb_settings_text(settings, "max-df"), err));
    GB_TRY(read_limit(&out->phrase_min_df, "phrase-min-df", gb_settings_text(settings, "phrase-min-df"), err));
done:
    return st;
}

static double in_documents(gb_limit limit, uint64_t n_documents)
{
    return limit.is_share ? limit.value * (double)n_documents : limit.value;
}

static double least_documents(gb_limit limit, uint64_t n_documents)
{
    return in_documents(limit, n_documents) - ROUNDING * (double)n_documents;
}

uint64_t gb_limits_phrase_documents(const gb_limits *limits, uint64_t n_documents)
{
    const double least =
        fmax(least_documents(limits->phrase_min_df, n_documents), least_documents(limits->min_df, n_documents));
    return least >= 0x1p63 ? UINT64_MAX : least <= 1 ? 1 : (uint64_t)ceil(least);
}

/* ---- counting ------------------------------------------------------------------------------------------ */

/* How often a word occurs, and in how many documents. */
typedef struct word_use {
    uint64_t n_tokens, n_documents;
    uint64_t last_document; /* counted from 1 */
} word_use;

static gb_status count_uses(word_use **out, size_t n_words, const gb_corpus_builder *documents, gb_error *err)
{
    uint64_t n_documents = gb_corpus_builder_n_docs(documents);
    word_use *use = NULL;
    gb_status st = gb_alloc(&use, n_words, sizeof use[0], "word counts", err);
    if (st != GB_OK)
        return st;
    for (uint64_t d = 0; d < n_documents; d++) {
        size_t n;
        const uint32_t *word = gb_corpus_builder_words_of(documents, d, &n);
        for (size_t i = 0; i < n; i++) {
            word_use *u = &use[word[i]];
            u->n_tokens++;
            u->n_documents += u->last_document != d + 1;
            u->last_document = d + 1;
        }
    }
    *out = use;
    return GB_OK;
}

/* ---- sorting ------------------------------------------------------------------------------------------- */

typedef struct item {
    uint64_t first; /* eight bytes of the text as a number: most texts differ in them */
    uint64_t n_tokens;
    uint32_t number;
} item;

static uint64_t first_bytes(gb_view text)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < 8; i++)
        bytes = bytes << 8 | (i < text.length ? (unsigned char)text.text[i] : 0);
    return bytes;
}

static int compare_bytes(const void *left, const void *right, void *words)
{
    const item *a = left, *b = right;
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    const gb_view one = gb_words_text(words, a->number), other = gb_words_text(words, b->number);
    return gb_text_compare(one.text, one.length, other.text, other.length);
}

/* "9" before "10": numbers without leading zeros. */
static int compare_numbers(const void *left, const void *right, void *words)
{
    const item *a = left, *b = right;
    const size_t one = gb_words_text(words, a->number).length, other = gb_words_text(words, b->number).length;
    if (one != other)
        return one < other ? -1 : 1;
    return compare_bytes(left, right, words);
}

static int compare_given(const void *left, const void *right, void *words)
{
    (void)words;
    const item *a = left, *b = right;
    return (a->number > b->number) - (a->number < b->number);
}

static int compare_frequency(const void *left, const void *right, void *words)
{
    const item *a = left, *b = right;
    if (a->n_tokens != b->n_tokens)
        return a->n_tokens > b->n_tokens ? -1 : 1;
    return compare_bytes(left, right, words);
}

static void sort(item *items, size_t n, int (*compare)(const void *, const void *, void *), const gb_words *words)
{
    if (n > 0)
        qsort_r(items, n, sizeof items[0], compare, (void *)(uintptr_t)words); /* which comparing does not change */
}

/* ---- choosing ------------------------------------------------------------------------------------------ */

static void drop(gb_word_selection *s, enum gb_drop reason, uint64_t n_tokens)
{
    s->n_dropped[reason]++;
    s->n_tokens_dropped[reason] += n_tokens;
}

static size_t take_by_documents(gb_word_selection *s, item *items, const gb_words *words, const word_use *use,
                                uint64_t n_documents, const gb_limits *limits)
{
    size_t n = 0;
    double least = least_documents(limits->min_df, n_documents);
    double most = in_documents(limits->max_df, n_documents) + ROUNDING * (double)n_documents;
    for (uint32_t w = 0; w < gb_words_count(words); w++) {
        double df = (double)use[w].n_documents;
        if (use[w].n_documents == 0)
            continue;
        if (df < least)
            drop(s, GB_DROP_MIN_DF, use[w].n_tokens);
        else if (df > most)
            drop(s, GB_DROP_MAX_DF, use[w].n_tokens);
        else
            items[n++] = (item){first_bytes(gb_words_text(words, w)), use[w].n_tokens, w};
    }
    return n;
}

static size_t take_most_frequent(gb_word_selection *s, item *items, size_t n, const gb_words *words, uint64_t most)
{
    if (most == 0 || n <= most)
        return n;
    sort(items, n, compare_frequency, words);
    for (size_t i = (size_t)most; i < n; i++)
        drop(s, GB_DROP_MAX_VOCABULARY, items[i].n_tokens);
    return (size_t)most;
}

gb_status gb_select_words(gb_word_selection *out, const gb_words *words, const gb_corpus_builder *documents,
                          const gb_limits *limits, gb_word_order order, gb_error *err)
{
    gb_status st;
    item *items = NULL;
    word_use *use = NULL;
    gb_word_selection s = {0};
    uint32_t count = gb_words_count(words);
    GB_TRY(count_uses(&use, count, documents, err));
    GB_TRY(gb_alloc(&items, count, sizeof items[0], "the choice of words", err));
    GB_TRY(gb_alloc(&s.map, count, sizeof s.map[0], "the choice of words", err));
    size_t n = take_by_documents(&s, items, words, use, gb_corpus_builder_n_docs(documents), limits);
    n = take_most_frequent(&s, items, n, words, limits->max_vocabulary);
    sort(items, n,
         order == GB_ORDER_KEEP    ? compare_given
         : order == GB_ORDER_BYTES ? compare_bytes
                                   : compare_numbers,
         words);
    GB_TRY(gb_alloc(&s.kept, n, sizeof s.kept[0], "the choice of words", err));
    for (uint32_t w = 0; w < count; w++)
        s.map[w] = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        s.kept[i] = items[i].number;
        s.map[items[i].number] = (uint32_t)i;
    }
    s.n_kept = n;
    *out = s;
    s = (gb_word_selection){0};
done:
    gb_free(items);
    gb_free(use);
    gb_word_selection_free(&s);
    return st;
}

void gb_word_selection_free(gb_word_selection *s)
{
    gb_free(s->kept);
    gb_free(s->map);
    *s = (gb_word_selection){0};
}
