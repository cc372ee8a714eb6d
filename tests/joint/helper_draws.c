/* helper_draws.c - what a draw that a model keeps says of words, from its counts alone. */
#include "helper_draws.h"

static double tokens_of(const gb_draw *d, size_t k, uint32_t w)
{
    for (uint64_t i = d->word_start[w]; i < d->word_start[w + 1]; i++)
        if (d->topic[i] == k)
            return d->count[i];
    return 0;
}

double phi_of_draw(const gb_model *m, const gb_draw *d, size_t k, uint32_t w, bool has_bags)
{
    const uint32_t step = has_bags ? 2 : 1;
    double all = 0;
    for (uint32_t v = w % step; v < gb_model_n_words(m); v += step)
        all += tokens_of(d, k, v) + m->beta;
    return (tokens_of(d, k, w) + m->beta) / all;
}
