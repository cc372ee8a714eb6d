/* evaluation/topic_agreement.c - whether two models have the same topics. */
#include "evaluation/topic_agreement.h"

#include "base/memory.h"
#include "math/assignment.h"

#include <math.h>
#include <stdbool.h>

static bool has(const uint32_t *list, size_t n, uint32_t word)
{
    for (size_t i = 0; i < n; i++)
        if (list[i] == word)
            return true;
    return false;
}

/* Words of a topic differ, so each new word adds one to the union unless the other list has it already. */
static double similarity(const uint32_t *a, const uint32_t *b, size_t n_top)
{
    double sum = 0;
    size_t n_common = 0;
    for (size_t t = 0; t < n_top; t++) {
        n_common += a[t] == b[t];
        n_common += has(b, t, a[t]);
        n_common += has(a, t, b[t]);
        sum += (double)n_common / (double)(2 * (t + 1) - n_common);
    }
    return sum / (double)n_top;
}

gb_status gb_topic_agreement(const gb_top_words *a, const gb_top_words *b, double *out, gb_error *err)
{
    gb_status st;
    double *cost = NULL, sum = 0;
    size_t *column = NULL;
    const size_t n = a->n_topics;
    if (n != b->n_topics || a->n_top != b->n_top)
        return gb_fail(err, GB_EARGUMENT, "models with different numbers of topics or words cannot be compared");
    GB_TRY(gb_alloc(&cost, n * n, sizeof *cost, "the match of topics", err));
    GB_TRY(gb_alloc(&column, n, sizeof *column, "the match of topics", err));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            cost[i * n + j] = 1 - similarity(a->word + i * a->n_top, b->word + j * b->n_top, a->n_top);
    GB_TRY(gb_assign(n, cost, column, err));
    for (size_t i = 0; i < n; i++)
        sum += 1 - cost[i * n + column[i]];
    *out = sum / (double)n; /* NaN without topics */
done:
    gb_free(cost);
    gb_free(column);
    return st;
}
