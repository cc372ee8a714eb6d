/* evaluation/tfidf.c - documents as vectors of TF-IDF. */
#include "evaluation/tfidf.h"

#include "base/memory.h"

#include <math.h>

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

gb_status gb_tfidf_learn(const gb_corpus *training, double **out, gb_error *err)
{
    gb_status st;
    double *idf = NULL;
    word_counts c = {.word = NULL};
    GB_TRY(make_room(&c, training, err));
    GB_TRY(gb_alloc(&idf, training->n_words, sizeof *idf, "TF-IDF", err));
    for (uint64_t d = 0; d < training->n_docs; d++) {
        const uint64_t n = gb_corpus_counts(training, d, c.word, c.count);
        for (uint64_t i = 0; i < n; i++)
            idf[c.word[i]]++;
    }
    for (uint64_t w = 0; w < training->n_words; w++)
        idf[w] = idf[w] > 0 ? 1 + log((1 + (double)training->n_docs) / (1 + idf[w])) : 0;
    *out = idf;
    idf = NULL;
done:
    clear(&c);
    gb_free(idf);
    return st;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

/* The entries of a document that are not 0, with unit length.  @return their number */
static uint64_t fill_row(uint64_t n, const word_counts *c, const double *idf, uint32_t *column, double *value)
{
    double square = 0;
    uint64_t n_entries = 0;
    for (uint64_t i = 0; i < n; i++) {
        const double x = (1 + log((double)c->count[i])) * idf[c->word[i]];
        if (x == 0)
            continue;
        column[n_entries] = c->word[i];
        value[n_entries++] = x;
        square += x * x;
    }
    for (uint64_t i = 0; i < n_entries; i++)
        value[i] /= sqrt(square);
    return n_entries;
}

static uint64_t count_entries(const gb_corpus *docs, word_counts *c)
{
    uint64_t n = 0;
    for (uint64_t d = 0; d < docs->n_docs; d++)
        n += gb_corpus_counts(docs, d, c->word, c->count);
    return n;
}

gb_status gb_tfidf_rows(const gb_corpus *docs, const double *idf, gb_sparse_rows *out, gb_error *err)
{
    gb_status st;
    gb_sparse_rows rows = {.n_rows = docs->n_docs};
    word_counts c = {.word = NULL};
    GB_TRY(make_room(&c, docs, err));
    const uint64_t n_entries = count_entries(docs, &c);
    GB_TRY(gb_alloc(&rows.start, docs->n_docs + 1, sizeof *rows.start, "TF-IDF", err));
    GB_TRY(gb_alloc(&rows.column, n_entries, sizeof *rows.column, "TF-IDF", err));
    GB_TRY(gb_alloc(&rows.value, n_entries, sizeof *rows.value, "TF-IDF", err));
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const uint64_t n = gb_corpus_counts(docs, d, c.word, c.count), at = rows.start[d];
        rows.start[d + 1] = at + (n == 0 ? 0 : fill_row(n, &c, idf, rows.column + at, rows.value + at));
    }
    *out = rows;
    rows = (gb_sparse_rows){.n_rows = 0};
done:
    clear(&c);
    gb_sparse_rows_clear(&rows);
    return st;
}

void gb_sparse_rows_clear(gb_sparse_rows *rows)
{
    gb_free(rows->start);
    gb_free(rows->column);
    gb_free(rows->value);
}
