/* wording/mean.c - means of the words at the nodes of a tree, given customers. */
#include "wording/mean.h"

#include "base/memory.h"

#include <string.h>

gb_status gb_wording_draw_open(gb_wording_draw *d, gb_error *err)
{
    const uint32_t n_nodes = gb_wording_n_nodes(d->of);
    const gb_status st = gb_alloc(&d->total, n_nodes * d->n_topics, sizeof *d->total, "words by group", err);
    for (uint32_t n = 0; n < n_nodes && st == GB_OK; n++)
        for (uint64_t i = d->start[n * d->n_words]; i < d->start[(n + 1) * d->n_words]; i++)
            d->total[n * d->n_topics + d->topic[i]] += d->count[i];
    return st;
}

void gb_wording_draw_close(gb_wording_draw *d)
{
    gb_free(d->total);
    d->total = NULL;
}

void gb_wording_draw_count(const gb_wording_draw *d, uint64_t word, double *count)
{
    const uint32_t n_nodes = gb_wording_n_nodes(d->of);
    memset(count, 0, n_nodes * d->n_topics * sizeof *count);
    for (uint32_t n = 0; n < n_nodes; n++)
        for (uint64_t i = d->start[n * d->n_words + word]; i < d->start[n * d->n_words + word + 1]; i++)
            count[n * d->n_topics + d->topic[i]] = d->count[i];
}

void gb_wording_draw_means(const gb_wording_draw *d, uint64_t word, double *phi)
{
    const uint32_t n_nodes = gb_wording_n_nodes(d->of);
    gb_wording_draw_count(d, word, phi);
    for (uint32_t n = n_nodes; n-- > 0;)
        for (size_t k = 0; k < d->n_topics; k++) {
            const bool is_root = n + 1 == n_nodes;
            const double b = d->concentration[k], all = d->total[n * d->n_topics + k];
            double *p = &phi[n * d->n_topics + k];
            *p = is_root ? (*p + d->beta) / (all + d->beta * (double)d->n_words)
                         : (*p + b * phi[gb_wording_parent(d->of, n) * d->n_topics + k]) / (all + b);
        }
}
