/* design/scores_kernel.h - scores.h, included once per instruction set with GB_SCORES naming the function.
 *
 * Outputs are taken a few vectors at a time, so that their sums stay in registers while a document's features are
 * visited: the constant, then block after block, in that order for each output. */
#include "design/scores.h"
#include "simd/inline.h"
#include "simd/registers.h"

#include <string.h>

enum { QUAD = 4, MOST_QUADS = 6, LANES = sizeof(v4) / sizeof(double), PER_QUAD = QUAD / LANES };

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

ALWAYS_INLINE void add_topics(v4 *sum, const size_t quads, const gb_scoring *s, uint64_t d, const double *eta)
{
    const gb_document_topics t = gb_proportions_of(s->design->z, d);
    const double length = gb_proportions_length(s->design->z, d);
    for (size_t i = 0; i < t.n; i++)
        add_feature(sum, quads, t.count[i] / length, eta + t.topic[i] * s->n_outputs);
}

ALWAYS_INLINE void add_columns(v4 *sum, const size_t quads, const gb_scoring *s, const gb_sparse_columns *x,
                               uint64_t d, const double *eta)
{
    for (uint64_t i = x->doc_start[d], end = x->doc_start[d + 1]; i < end; i++)
        add_feature(sum, quads, x->value[i], eta + x->column[i] * s->n_outputs);
}

ALWAYS_INLINE void add_dense(v4 *sum, const size_t quads, const gb_scoring *s, uint64_t d, const double *eta)
{
    const gb_dense_columns *x = s->design->dense;
    const float *row = gb_dense_columns_row(x, d);
    for (size_t j = 0; j < x->n_columns; j++)
        add_feature(sum, quads, row[j], eta + j * s->n_outputs);
}

/* Outputs l..l + 4 quads - 1 of document d. */
ALWAYS_INLINE void score_quads(const gb_scoring *s, uint64_t d, size_t l, const size_t quads, double *score)
{
    const gb_layout *layout = &s->design->layout;
    const gb_block *last = &layout->block[layout->n_blocks - 1];
    v4 sum[MOST_QUADS * PER_QUAD] = {{0}};
    if (last->kind == GB_CONSTANT_BLOCK)
        add_feature(sum, quads, 1, s->eta + last->first * s->n_outputs + l);
    for (const gb_block *b = layout->block; b <= last; b++) {
        const double *eta = s->eta + b->first * s->n_outputs + l;
        if (b->kind == GB_TOPICS_BLOCK)
            add_topics(sum, quads, s, d, eta);
        else if (b->kind == GB_EMBEDDING_BLOCK)
            add_dense(sum, quads, s, d, eta);
        else if (b->kind != GB_CONSTANT_BLOCK)
            add_columns(sum, quads, s, s->design->x[b->kind], d, eta);
    }
    memcpy(score + l, sum, quads * PER_QUAD * sizeof *sum);
}

/* The same for one output. */
static double score_one(const gb_scoring *s, uint64_t d, size_t l)
{
    const gb_layout *layout = &s->design->layout;
    const gb_block *last = &layout->block[layout->n_blocks - 1];
    const gb_document_topics t = gb_proportions_of(s->design->z, d);
    const double length = gb_proportions_length(s->design->z, d);
    const size_t n = s->n_outputs;
    double sum = last->kind == GB_CONSTANT_BLOCK ? s->eta[last->first * n + l] : 0;
    for (const gb_block *b = layout->block; b <= last; b++) {
        const double *eta = s->eta + b->first * n + l;
        const gb_sparse_columns *x = s->design->x[b->kind];
        const float *row = b->kind == GB_EMBEDDING_BLOCK ? gb_dense_columns_row(s->design->dense, d) : NULL;
        for (size_t j = 0; row != NULL && j < b->n; j++)
            sum += eta[j * n] * (double)row[j];
        for (size_t i = 0; b->kind == GB_TOPICS_BLOCK && i < t.n; i++)
            sum += eta[t.topic[i] * n] * t.count[i] / length;
        for (uint64_t i = x == NULL ? 0 : x->doc_start[d]; x != NULL && i < x->doc_start[d + 1]; i++)
            sum += eta[x->column[i] * n] * x->value[i];
    }
    return sum;
}

static void score_document(const gb_scoring *s, uint64_t d, double *score)
{
    const size_t n = s->n_outputs;
    const size_t at_once = (size_t)MOST_QUADS * QUAD;
    size_t l = 0;
    for (; l + at_once <= n; l += at_once)
        score_quads(s, d, l, MOST_QUADS, score);
    switch ((n - l) / QUAD) {
    case 5:
        score_quads(s, d, l, 5, score);
        break;
    case 4:
        score_quads(s, d, l, 4, score);
        break;
    case 3:
        score_quads(s, d, l, 3, score);
        break;
    case 2:
        score_quads(s, d, l, 2, score);
        break;
    case 1:
        score_quads(s, d, l, 1, score);
        break;
    default:
        break;
    }
    for (l += (n - l) / QUAD * QUAD; l < n; l++)
        score[l] = score_one(s, d, l);
}

void GB_SCORES(const gb_scoring *s, uint64_t first, uint64_t last, double *score)
{
    for (uint64_t d = first; d < last; d++)
        score_document(s, d, score + d * s->n_outputs);
}
