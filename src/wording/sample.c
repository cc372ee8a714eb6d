/* wording/sample.c - draws of some words of a topic at the nodes of a tree. */
#include "wording/sample.h"

#include "base/memory.h"

#include <math.h>

static double customers_of(const gb_wording_draw *d, uint32_t node, uint64_t word, size_t topic)
{
    const uint64_t *start = d->start + node * d->n_words + word;
    for (uint64_t i = start[0]; i < start[1]; i++)
        if (d->topic[i] == topic)
            return d->count[i];
    return 0;
}

gb_status gb_wording_sample_open(gb_wording_sample *s, const gb_wording_draw *draw, size_t topic, size_t n,
                                 const uint64_t *word, gb_error *err)
{
    gb_status st;
    const uint32_t n_nodes = gb_wording_n_nodes(draw->of);
    const char *what = "words by group";
    *s = (gb_wording_sample){.draw = draw, .topic = topic, .n = n};
    GB_TRY(gb_alloc(&s->customers, n_nodes * (n + 1), sizeof *s->customers, what, err));
    GB_TRY(gb_alloc(&s->value, n_nodes * (n + 1), sizeof *s->value, what, err));
    GB_TRY(gb_alloc(&s->shape, n + 1, sizeof *s->shape, what, err));
    for (uint32_t node = 0; node < n_nodes; node++) {
        double *c = s->customers + node * (n + 1);
        c[n] = draw->total[node * draw->n_topics + topic];
        for (size_t i = 0; i < n; i++) {
            c[i] = customers_of(draw, node, word[i], topic);
            c[n] -= c[i];
        }
    }
done:
    return st;
}

void gb_wording_sample_close(gb_wording_sample *s)
{
    gb_free(s->customers);
    gb_free(s->value);
    gb_free(s->shape);
    *s = (gb_wording_sample){0};
}

void gb_wording_sample_next(gb_wording_sample *s, gb_random *random)
{
    const gb_wording_draw *d = s->draw;
    const double least = 1e-300;
    const size_t n = s->n + 1;
    const uint32_t n_nodes = gb_wording_n_nodes(d->of);
    for (uint32_t node = n_nodes; node-- > 0;) {
        const bool is_root = node + 1 == n_nodes;
        const double *c = s->customers + node * n,
                     *parent = is_root ? NULL : s->value + gb_wording_parent(d->of, node) * n;
        for (size_t i = 0; i < n; i++) {
            const double prior = !is_root   ? d->concentration[s->topic] * parent[i]
                                 : i < s->n ? d->beta
                                            : d->beta * (double)(d->n_words - s->n);
            s->shape[i] = fmax(prior + c[i], least);
        }
        gb_random_dirichlet(random, n, s->shape, s->value + node * n);
    }
}
