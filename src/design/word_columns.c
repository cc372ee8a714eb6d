/* design/word_columns.c - the words of documents as columns. */
#include "design/word_columns.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

static const char *const names[GB_N_WORD_VALUES] = {"tfidf", "presence", "counts", "shares"};

const char *gb_word_value_name(gb_word_value value)
{
    return names[value];
}

gb_word_value gb_word_value_find(const char *name)
{
    gb_word_value value = GB_WORD_TFIDF;
    while (value < GB_N_WORD_VALUES && strcmp(names[value], name) != 0)
        value++;
    return value;
}

/* Room for the different words of a document. */
typedef struct word_counts {
    uint32_t *word, *count; /* the longest document's length */
} word_counts;

static gb_status make_room(word_counts *c, const gb_corpus *docs, gb_error *err)
{
    gb_status st;
    uint64_t longest = 0;
    GB_TRY(gb_corpus_check_tokens(docs, err));
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const uint64_t length = docs->doc_start[d + 1] - docs->doc_start[d];
        longest = length > longest ? length : longest;
    }
    GB_TRY(gb_alloc(&c->word, longest, sizeof *c->word, "a document's words", err));
    GB_TRY(gb_alloc(&c->count, longest, sizeof *c->count, "a document's words", err));
done:
    return st;
}

static void clear(word_counts *c)
{
    gb_free(c->word);
    gb_free(c->count);
}

static double weight_of(gb_word_value value, double idf_power, uint64_t n_docs, double n_with)
{
    if (n_with == 0 || (value == GB_WORD_PRESENCE && n_with == (double)n_docs))
        return 0;
    return value == GB_WORD_TFIDF ? pow(1 + log((1 + (double)n_docs) / (1 + n_with)), idf_power) : 1;
}

gb_status gb_word_weights(const gb_corpus *training, gb_word_value value, double idf_power, double **out,
                          gb_error *err)
{
    gb_status st;
    double *weight = NULL;
    word_counts c = {.word = NULL};
    GB_TRY(make_room(&c, training, err));
    GB_TRY(gb_alloc(&weight, training->n_words, sizeof *weight, "weights of words", err));
    for (uint64_t d = 0; d < training->n_docs; d++) {
        const uint64_t n = gb_corpus_counts(training, d, c.word, c.count);
        for (uint64_t i = 0; i < n; i++)
            weight[c.word[i]]++;
    }
    for (uint64_t w = 0; w < training->n_words; w++)
        weight[w] = weight_of(value, idf_power, training->n_docs, weight[w]);
    *out = weight;
    weight = NULL;
done:
    clear(&c);
    gb_free(weight);
    return st;
}

/* ---- columns ---- */

static double value_of(gb_word_value value, uint32_t count, double weight)
{
    switch (value) {
    case GB_WORD_TFIDF:
        return (1 + log((double)count)) * weight;
    case GB_WORD_PRESENCE:
        return weight;
    default:
        return (double)count * weight;
    }
}

/* What the values of a document are divided by: its Euclidean length, or its number of tokens. */
static double length_of(gb_word_value kind, const double *value, uint64_t n)
{
    double sum = 0;
    switch (kind) {
    case GB_WORD_TFIDF:
        for (uint64_t i = 0; i < n; i++)
            sum += value[i] * value[i];
        return sqrt(sum);
    case GB_WORD_SHARES:
        for (uint64_t i = 0; i < n; i++)
            sum += value[i];
        return sum;
    default:
        return 1;
    }
}

uint64_t gb_word_row(gb_word_value kind, const double *weight, uint64_t n, const uint32_t *word,
                     const uint32_t *count, uint32_t *column, double *value)
{
    uint64_t n_entries = 0;
    for (uint64_t i = 0; i < n; i++) {
        const double x = value_of(kind, count[i], weight[word[i]]);
        if (x == 0)
            continue;
        column[n_entries] = word[i];
        value[n_entries++] = x;
    }
    const double length = length_of(kind, value, n_entries);
    for (uint64_t i = 0; i < n_entries; i++)
        value[i] /= length;
    return n_entries;
}

static uint64_t count_entries(const gb_corpus *docs, const double *weight, word_counts *c)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const uint64_t n_here = gb_corpus_counts(docs, d, c->word, c->count);
        for (uint64_t i = 0; i < n_here; i++)
            n += weight[c->word[i]] != 0;
    }
    return n;
}

gb_status gb_word_columns(const gb_corpus *docs, gb_word_value value, const double *weight, gb_sparse_columns *out,
                          gb_error *err)
{
    gb_status st;
    gb_sparse_columns x = {.n_docs = 0};
    word_counts c = {.word = NULL};
    GB_TRY(make_room(&c, docs, err));
    GB_TRY(gb_sparse_columns_allocate(&x, docs->n_docs, docs->n_words, count_entries(docs, weight, &c), err));
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        uint64_t n = gb_corpus_counts(docs, d, c.word, c.count);
        const uint64_t at = x.doc_start[d];
        if (n > 0)
            n = gb_word_row(value, weight, n, c.word, c.count, GB_FROM(x.column, at), GB_FROM(x.value, at));
        x.doc_start[d + 1] = at + n;
    }
    *out = x;
    x = (gb_sparse_columns){.n_docs = 0};
done:
    clear(&c);
    gb_sparse_columns_clear(&x);
    return st;
}
