/* bench/speed/exchange.c - text files of documents and assignments. */
#include "exchange.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gb_status cannot(const char *what, const char *path, gb_error *err)
{
    return gb_fail(err, GB_EIO, "%s: cannot %s: %s", path, what, strerror(errno));
}

/* `topic` is NULL for documents alone. */
static gb_status write_lines(const gb_corpus *corpus, const uint16_t *topic, const char *path, gb_error *err)
{
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return cannot("open", path, err);
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        for (uint64_t i = corpus->doc_start[d]; i < corpus->doc_start[d + 1]; i++) {
            (void)fprintf(f, i == corpus->doc_start[d] ? "%u" : " %u", (unsigned)corpus->word[i]);
            if (topic != NULL)
                (void)fprintf(f, ":%u", (unsigned)topic[i]);
        }
        (void)fputc('\n', f);
    }
    const bool failed = ferror(f) != 0;
    return fclose(f) != 0 || failed ? cannot("write", path, err) : GB_OK;
}

gb_status bench_tokens_write(const gb_corpus *corpus, const char *path, gb_error *err)
{
    return write_lines(corpus, NULL, path, err);
}

gb_status bench_assignment_write(const gb_corpus *corpus, const uint16_t *topic, const char *path, gb_error *err)
{
    return write_lines(corpus, topic, path, err);
}

/* A number and the character that ends it. */
static bool read_number(char **at, uint64_t below, uint64_t *out)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    *out = strtoull(*at, &end, 10);
    *at = end;
    return *out < below;
}

static bool read_pairs(char *at, uint64_t n_words, size_t n_topics, uint64_t n, uint32_t *word, uint16_t *topic)
{
    uint64_t w = 0, k = 0;
    for (uint64_t i = 0; i < n; i++) {
        at += strspn(at, " ");
        if (!read_number(&at, n_words, &w) || *at++ != ':' || !read_number(&at, n_topics, &k))
            return false;
        word[i] = (uint32_t)w;
        topic[i] = (uint16_t)k;
    }
    return at[strspn(at, " \n")] == '\0';
}

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The same words in whatever order; `sorted` has room for both lists. */
static bool same_words(const uint32_t *a, const uint32_t *b, uint64_t n, uint32_t *sorted)
{
    if (n == 0)
        return true;
    memcpy(sorted, a, n * sizeof *sorted);
    memcpy(sorted + n, b, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_number);
    qsort(sorted + n, n, sizeof *sorted, by_number);
    return memcmp(sorted, sorted + n, n * sizeof *sorted) == 0;
}

gb_status bench_assignment_read(const gb_corpus *corpus, size_t n_topics, const char *path, uint32_t *word,
                                uint16_t *topic, gb_error *err)
{
    gb_status st;
    char *line = NULL;
    size_t size = 0;
    uint32_t *sorted = NULL;
    FILE *f = fopen(path, "r");
    if (f == NULL)
        return cannot("open", path, err);
    GB_TRY(gb_alloc(&sorted, 2 * corpus->n_tokens, sizeof *sorted, "words of a document", err));
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const uint64_t start = corpus->doc_start[d], n = corpus->doc_start[d + 1] - start;
        const bool is_read = getline(&line, &size, f) >= 0;
        if (!is_read || !read_pairs(line, corpus->n_words, n_topics, n, word + start, topic + start) ||
            !same_words(corpus->word + start, word + start, n, sorted))
            GB_TRY(gb_fail(err, GB_EFORMAT, "%s:%llu: not the words of that document, each with its topic", path,
                           (unsigned long long)d + 1));
    }
done:
    (void)fclose(f);
    free(line);
    gb_free(sorted);
    return st;
}
