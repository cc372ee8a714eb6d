/* bench/speed/joint.c - log p(w, z) counted anew from assignments; nothing here calls the library's own sums.
 *
 *   log p(z)     = sum_d { log G(a) - log G(N_d + a) + sum_k [ log G(n_dk + alpha_k) - log G(alpha_k) ] },  a = sum_k alpha_k
 *   log p(w | z) = sum_k { log G(V beta) - log G(n_k + V beta) + sum_w [ log G(n_kw + beta) - log G(beta) ] }
 *
 * with G the gamma function.  Cells that are 0 add nothing, so documents and words are visited one after the other
 * with K counts at hand, and no table of topics by words is made. */
#include "joint.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

typedef struct sums {
    size_t n_topics;
    uint32_t *count;   /* n_topics: of the document or word at hand; 0 between them */
    uint64_t *n_k;     /* n_topics */
    uint64_t *begin;   /* n_words + 1: where a word's topics begin */
    uint16_t *by_word; /* n_tokens: topics, word after word */
} sums;

static double log_rising(double n, double a)
{
    return n == 0 ? 0 : lgamma(n + a) - lgamma(a);
}

/* Sum over k of log_rising(n_k, parameter_k) of the counts of a list of topics; `parameter` has K values or one. */
static double log_cells(sums *s, const uint16_t *topic, uint64_t n, const double *parameter, size_t step)
{
    double sum = 0;
    for (uint64_t i = 0; i < n; i++)
        s->count[topic[i]]++;
    for (uint64_t i = 0; i < n; i++) {
        const size_t k = topic[i];
        sum += log_rising(s->count[k], parameter[k * step]);
        s->count[k] = 0; /* seen */
    }
    return sum;
}

static void sort_by_word(sums *s, const gb_corpus *corpus, const uint32_t *word, const uint16_t *topic)
{
    for (uint64_t i = 0; i < corpus->n_tokens; i++) {
        s->begin[word[i] + 1]++;
        s->n_k[topic[i]]++;
    }
    for (uint64_t w = 0; w < corpus->n_words; w++)
        s->begin[w + 1] += s->begin[w];
    for (uint64_t i = corpus->n_tokens; i-- > 0;)
        s->by_word[--s->begin[word[i] + 1]] = topic[i]; /* begin[w + 1] moves down to where w begins */
    memmove(s->begin, s->begin + 1, corpus->n_words * sizeof *s->begin);
    s->begin[corpus->n_words] = corpus->n_tokens;
}

static gb_status allocate(sums *s, const gb_corpus *corpus, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_alloc(&s->count, s->n_topics, sizeof *s->count, "the log joint", err));
    GB_TRY(gb_alloc(&s->n_k, s->n_topics, sizeof *s->n_k, "the log joint", err));
    GB_TRY(gb_alloc(&s->begin, corpus->n_words + 1, sizeof *s->begin, "the log joint", err));
    GB_TRY(gb_alloc(&s->by_word, corpus->n_tokens, sizeof *s->by_word, "the log joint", err));
done:
    return st;
}

gb_status bench_log_joint(const gb_corpus *corpus, const uint32_t *word, const uint16_t *topic, size_t n_topics,
                          const double *alpha, double beta, double *out, gb_error *err)
{
    gb_status st;
    sums s = {.n_topics = n_topics};
    double sum = 0, alpha_sum = 0;
    GB_TRY(allocate(&s, corpus, err));
    for (size_t k = 0; k < n_topics; k++)
        alpha_sum += alpha[k];
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        const uint64_t start = corpus->doc_start[d], n = corpus->doc_start[d + 1] - start;
        sum += log_cells(&s, topic + start, n, alpha, 1) - log_rising((double)n, alpha_sum);
    }
    sort_by_word(&s, corpus, word, topic);
    for (uint64_t w = 0; w < corpus->n_words; w++)
        sum += log_cells(&s, s.by_word + s.begin[w], s.begin[w + 1] - s.begin[w], &beta, 0);
    for (size_t k = 0; k < n_topics; k++)
        sum -= log_rising((double)s.n_k[k], beta * (double)corpus->n_words);
    *out = sum;
done:
    gb_free(s.count);
    gb_free(s.n_k);
    gb_free(s.begin);
    gb_free(s.by_word);
    return st;
}
