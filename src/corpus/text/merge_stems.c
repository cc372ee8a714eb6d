/* corpus/text/merge_stems.c - words with the same stem become one: the most frequent of them, which is easier to read than a stem. */
#include "corpus/text/merge_stems.h"

#include "base/memory.h"
#include "corpus/text/stem.h"

typedef struct merging {
    const gb_words *words;
    gb_stemmer *stemmer;
    gb_words *stems;
    uint64_t *n_tokens; /* by word */
    uint32_t *best;     /* by stem: a word */
    size_t capacity;
    uint32_t *map; /* by word: its stem, then what it becomes */
} merging;

static void count_tokens(merging *m, const gb_corpus_builder *documents)
{
    for (uint64_t d = 0; d < gb_corpus_builder_n_docs(documents); d++) {
        size_t n;
        const uint32_t *word = gb_corpus_builder_words_of(documents, d, &n);
        for (size_t i = 0; i < n; i++)
            m->n_tokens[word[i]]++;
    }
}

static bool is_better(const merging *m, uint32_t a, uint32_t b)
{
    if (m->n_tokens[a] != m->n_tokens[b])
        return m->n_tokens[a] > m->n_tokens[b];
    const gb_view x = gb_words_text(m->words, a), y = gb_words_text(m->words, b);
    return gb_text_compare(x.text, x.length, y.text, y.length) < 0;
}

static gb_status add_word(merging *m, uint32_t word, gb_error *err)
{
    gb_status st;
    gb_view stem;
    uint32_t number = 0;
    const uint32_t n_before = gb_words_count(m->stems);
    GB_TRY(gb_stem(m->stemmer, gb_words_text(m->words, word), &stem, err));
    GB_TRY(gb_words_add(m->stems, stem, &number, err));
    GB_TRY(gb_grow(&m->best, &m->capacity, (size_t)number + 1, sizeof m->best[0], "stems", err));
    if (number == n_before || is_better(m, word, m->best[number]))
        m->best[number] = word;
    m->map[word] = number;
done:
    return st;
}

gb_status gb_merge_stems(const char *language, const gb_words *words, gb_corpus_builder *documents, gb_error *err)
{
    gb_status st;
    merging m = {.words = words};
    const uint32_t n = gb_words_count(words);
    GB_TRY(gb_stemmer_create(&m.stemmer, language, err));
    GB_TRY(gb_words_create(&m.stems, err));
    GB_TRY(gb_alloc(&m.n_tokens, n, sizeof m.n_tokens[0], "stems", err));
    GB_TRY(gb_alloc(&m.map, n, sizeof m.map[0], "stems", err));
    count_tokens(&m, documents);
    for (uint32_t w = 0; w < n; w++)
        GB_TRY(add_word(&m, w, err));
    for (uint32_t w = 0; w < n; w++)
        m.map[w] = m.best[m.map[w]];
    gb_corpus_builder_renumber(documents, m.map);
done:
    gb_stemmer_free(m.stemmer);
    gb_words_free(m.stems);
    gb_free(m.n_tokens);
    gb_free(m.best);
    gb_free(m.map);
    return st;
}
