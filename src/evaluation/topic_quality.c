/* evaluation/topic_quality.c - how much topics differ from each other, by their most probable words.
 *
 * A sum of phi_jw over topics j is over the topics that have the word and, for the prior's part, over all:
 *
 *   sum_j phi_jw = sum_{j: n_jw > 0} n_jw / (n_j + V beta) + beta sum_j 1 / (n_j + V beta)                (1)
 *
 * with n_j and V of the word's bag, and each bag with an equal part of phi. */
#include "evaluation/topic_quality.h"

#include "base/memory.h"
#include "evaluation/top_words.h"
#include "model/model.h"

gb_status gb_check_top_words(uint64_t n_words, uint64_t n_topics, uint64_t n_top, const uint64_t *word, gb_error *err)
{
    uint64_t n, n_pairs;
    if (__builtin_mul_overflow(n_topics, n_top, &n) || __builtin_mul_overflow(n, n_top, &n_pairs) || n > UINT32_MAX)
        return gb_fail(err, GB_EARGUMENT, "%llu topics of %llu words each are too many", (unsigned long long)n_topics,
                       (unsigned long long)n_top);
    for (uint64_t i = 0; i < n; i++)
        if (word[i] >= n_words)
            return gb_fail(err, GB_EARGUMENT, "word %llu of topic %llu has number %llu; expected less than %llu",
                           (unsigned long long)(i % n_top + 1), (unsigned long long)(i / n_top),
                           (unsigned long long)word[i], (unsigned long long)n_words);
    return GB_OK;
}

/* sum_j 1 / (n_j + V beta) of a draw. */
static double inverse_sum(const gb_model *m, const gb_draw *d, size_t bag)
{
    double sum = 0;
    for (size_t k = 0; k < m->n_topics; k++)
        sum += 1 / gb_draw_total(m, d, bag, k);
    return sum;
}

/* (1), mean over draws. */
static double over_topics(const gb_model *m, size_t n_draws, const double *inverse, uint64_t word)
{
    const size_t bag = gb_bag_of(&m->bags, word);
    double total = 0;
    for (size_t i = 0; i < n_draws; i++) {
        const gb_draw *d = &m->draw[i];
        double sum = gb_draw_beta(m, d) * inverse[i * m->bags.n + bag];
        for (uint64_t at = d->word_start[word]; at < d->word_start[word + 1]; at++)
            sum += d->count[at] / gb_draw_total(m, d, bag, d->topic[at]);
        total += sum / (double)n_draws;
    }
    return total / (double)m->bags.n;
}

gb_status gb_topic_exclusivity(const gb_model *m, uint64_t n_top, const uint64_t *word, const double *probability,
                               double *out, gb_error *err)
{
    size_t n_draws = 0;
    double *inverse = NULL;
    gb_status st = gb_check_top_words(m->n_words, m->n_topics, n_top, word, err);
    if (st == GB_OK)
        st = gb_alloc(&inverse, m->n_draws * m->bags.n, sizeof *inverse, "the exclusivity of topics", err);
    if (st != GB_OK)
        return st;
    for (; n_draws < m->n_draws && m->draw[n_draws].chain == m->draw[0].chain; n_draws++)
        for (size_t bag = 0; bag < m->bags.n; bag++)
            inverse[n_draws * m->bags.n + bag] = inverse_sum(m, &m->draw[n_draws], bag);
    for (size_t k = 0; k < m->n_topics; k++) {
        out[k] = 0;
        for (size_t i = k * n_top; i < (k + 1) * n_top; i++)
            out[k] += probability[i] / over_topics(m, n_draws, inverse, word[i]) / (double)n_top;
    }
    gb_free(inverse);
    return GB_OK;
}

gb_status gb_topic_diversity(uint64_t n_words, uint64_t n_topics, uint64_t n_top, const uint64_t *word, double *out,
                             gb_error *err)
{
    bool *seen = NULL;
    size_t n_different = 0;
    gb_status st = gb_check_top_words(n_words, n_topics, n_top, word, err);
    if (st == GB_OK)
        st = gb_alloc(&seen, n_words, sizeof *seen, "the diversity of topics", err);
    if (st != GB_OK)
        return st;
    for (size_t i = 0; i < n_topics * n_top; i++) {
        n_different += !seen[word[i]];
        seen[word[i]] = true;
    }
    *out = (double)n_different / (double)(n_topics * n_top); /* NaN without topics */
    gb_free(seen);
    return GB_OK;
}
