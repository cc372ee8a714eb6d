/* estimate/pool_words.c - the effects of words, pooled over folds: of each a mean and two standard deviations. */
#include "estimate/pool_words.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "estimate/pool.h"

#include <math.h>

enum { WORDS_PER_TASK = 1024 };

typedef struct words {
    const gb_cross_fitted *c;
    gb_fold_posterior *posterior; /* of each thread n_folds */
} words;

/* @param at  output x n_words + word */
static void pool_word(const gb_cross_fitted *c, size_t at, gb_fold_posterior *posterior)
{
    float *pooled = c->word_value + at * GB_CROSS_N_WORD_NUMBERS;
    size_t n = 0;
    for (size_t f = 0; f < c->n_folds; f++) {
        const float *found = gb_cross_fitted_fold_word(c, f, at / c->n_words, at % c->n_words);
        const double sd = found[GB_CROSS_WORD_SD];
        if (!isnan(sd))
            posterior[n++] = (gb_fold_posterior){found[GB_CROSS_WORD_MEAN], sd * sd};
    }
    c->word_folds[at] = (uint32_t)n;
    if (n == 0)
        return;
    const gb_pooled p = gb_pool_moments(posterior, n);
    pooled[GB_CROSS_WORD_MEAN] = (float)p.mean;
    pooled[GB_CROSS_WORD_SD] = (float)p.sd;
    pooled[GB_CROSS_WORD_BETWEEN] = (float)p.between;
}

static gb_status pool_some(void *context, size_t task, size_t worker, gb_error *err)
{
    const words *w = context;
    const size_t n = w->c->n_outputs * w->c->n_words, end = (task + 1) * WORDS_PER_TASK;
    (void)err;
    for (size_t at = task * WORDS_PER_TASK; at < (end < n ? end : n); at++)
        pool_word(w->c, at, w->posterior + worker * w->c->n_folds);
    return GB_OK;
}

gb_status gb_pool_words(gb_cross_fitted *c, size_t n_threads, gb_error *err)
{
    gb_status st;
    const size_t n = c->n_outputs * c->n_words;
    words w = {.c = c};
    if (n == 0)
        return GB_OK;
    GB_TRY(gb_alloc(&w.posterior, n_threads * c->n_folds, sizeof *w.posterior, "the folds", err));
    GB_TRY(gb_parallel_for((n + WORDS_PER_TASK - 1) / WORDS_PER_TASK, n_threads, pool_some, &w, err));
    gb_cross_fitted_forget_folds(c);
done:
    gb_free(w.posterior);
    return st;
}
