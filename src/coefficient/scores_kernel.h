/* coefficient/scores_kernel.h - scores.h, included once per instruction set with GB_SCORES naming the function.
 *
 * Outputs are taken a few vectors at a time, so that their sums stay in registers while a document's features are
 * visited: intercept, topics, columns, in that order for each output. */
#include "coefficient/scores.h"
#include "simd/inline.h"
#include "simd/registers.h"

#include <string.h>

enum { QUAD = 4, LANES = sizeof(v4) / sizeof(double), PER_QUAD = QUAD / LANES };

ALWAYS_INLINE v4 load(const double *p)
{
    v4 x;
    memcpy(&x, p, sizeof x);
    return x;
}

ALWAYS_INLINE void add_feature(v4 *sum, const size_t quads, double f, const double *eta)
{
    for (size_t i = 0; i < quads * PER_QUAD; i++)
        sum[i] += load(eta + i * LANES) * f;
}

/* Outputs l..l + 4 quads - 1 of document d; `length` is N_d. */
ALWAYS_INLINE void score_quads(const gb_scoring *s, uint64_t d, const gb_document_topics *t, double length, size_t l,
                               const size_t quads, double *score)
{
    const size_t n = s->n_outputs, n_topics = s->z->n_topics;
    const double *eta = s->eta + l;
    v4 sum[6 * PER_QUAD] = {{0}};
    if (s->intercept)
        add_feature(sum, quads, 1, eta + (n_topics + (s->x == NULL ? 0 : s->x->n_columns)) * n);
    for (size_t i = 0; i < t->n; i++)
        add_feature(sum, quads, t->count[i] / length, eta + t->topic[i] * n);
    if (s->x != NULL)
        for (uint64_t i = s->x->doc_start[d]; i < s->x->doc_start[d + 1]; i++)
            add_feature(sum, quads, s->x->value[i], eta + (n_topics + s->x->column[i]) * n);
    memcpy(score + l, sum, quads * PER_QUAD * sizeof *sum);
}

/* The same for one output. */
static double score_one(const gb_scoring *s, uint64_t d, const gb_document_topics *t, double length, size_t l)
{
    const size_t n = s->n_outputs, n_topics = s->z->n_topics;
    const double *eta = s->eta + l;
    double sum = 0;
    if (s->intercept)
        sum += eta[(n_topics + (s->x == NULL ? 0 : s->x->n_columns)) * n];
    for (size_t i = 0; i < t->n; i++)
        sum += eta[t->topic[i] * n] * t->count[i] / length;
    if (s->x != NULL)
        for (uint64_t i = s->x->doc_start[d]; i < s->x->doc_start[d + 1]; i++)
            sum += eta[(n_topics + s->x->column[i]) * n] * s->x->value[i];
    return sum;
}

static void score_document(const gb_scoring *s, uint64_t d, const gb_document_topics *t, double length, double *score)
{
    const size_t n = s->n_outputs;
    size_t l = 0;
    for (; l + 6 * QUAD <= n; l += 6 * QUAD)
        score_quads(s, d, t, length, l, 6, score);
    switch ((n - l) / QUAD) {
    case 5:
        score_quads(s, d, t, length, l, 5, score);
        break;
    case 4:
        score_quads(s, d, t, length, l, 4, score);
        break;
    case 3:
        score_quads(s, d, t, length, l, 3, score);
        break;
    case 2:
        score_quads(s, d, t, length, l, 2, score);
        break;
    case 1:
        score_quads(s, d, t, length, l, 1, score);
        break;
    default:
        break;
    }
    for (l += (n - l) / QUAD * QUAD; l < n; l++)
        score[l] = score_one(s, d, t, length, l);
}

void GB_SCORES(const gb_scoring *s, uint64_t first, uint64_t last, double *score)
{
    for (uint64_t d = first; d < last; d++) {
        const gb_document_topics t = gb_proportions_of(s->z, d);
        score_document(s, d, &t, gb_proportions_length(s->z, d), score + d * s->n_outputs);
    }
}
