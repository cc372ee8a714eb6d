/* run/score_blocks.c - how much of the differences between scores is topics, covariates, words.
 *
 * The mean of a block's parts cancels in (1): sum_d s_dlb (s_dl - mean_l) is all it takes.
 *   Cost: one pass over the features of all documents. */
#include "run/score_blocks.h"

#include "base/memory.h"
#include "team/sums.h"

#include <string.h>

static const char what[] = "the parts of scores";

typedef struct parts {
    const gb_chain *chain;
    const gb_design *design;
    const double *score; /* n_outputs x 2 */
    size_t n_blocks;
    uint32_t *feature; /* of a document */
    double *value;
    double *part; /* n_outputs: of a block */
} parts;

/* What a block gives the scores of a document, times how far these are from their means. */
static void add_block(const parts *p, uint64_t d, size_t block, size_t n_features, const uint32_t *feature,
                      const double *value, double *sum)
{
    const size_t n = p->chain->spec->n_outputs;
    const double *score = p->chain->score + d * n;
    memset(p->part, 0, n * sizeof *p->part);
    for (size_t i = 0; i < n_features; i++) {
        const double *eta = p->chain->eta_by_feature + feature[i] * n;
        for (size_t l = 0; l < n; l++)
            p->part[l] += value[i] * eta[l];
    }
    for (size_t l = 0; l < n; l++)
        sum[l * p->n_blocks + block] += p->part[l] * (score[l] - p->score[2 * l]);
}

/* Features are in the order of the blocks, the constant last. */
static void add_documents(const void *context, uint64_t first, uint64_t last, double *sum)
{
    const parts *p = context;
    const gb_layout *layout = &p->design->layout;
    for (uint64_t d = first; d < last; d++) {
        const size_t n = gb_design_row(p->design, d, p->feature, p->value);
        for (size_t block = 0, i = 0; block < p->n_blocks; block++) {
            const size_t end = layout->block[block].first + layout->block[block].n, begin = i;
            while (i < n && p->feature[i] < end)
                i++;
            add_block(p, d, block, i - begin, p->feature + begin, p->value + begin, sum);
        }
    }
}

static void divide_by_variances(const parts *p, double *share)
{
    const double n_docs = (double)p->chain->here->n_all_docs;
    for (size_t l = 0; l < p->chain->spec->n_outputs; l++) {
        const double variance = p->score[2 * l + 1] * p->score[2 * l + 1];
        for (size_t b = 0; b < p->n_blocks; b++)
            share[l * p->n_blocks + b] = variance > 0 ? share[l * p->n_blocks + b] / n_docs / variance : 0;
    }
}

gb_status gb_score_blocks(const gb_chain *c, const double *score, double **out, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n_outputs = c->spec->n_outputs;
    const gb_design design = gb_chain_design(c);
    parts p = {.chain = c, .design = &design, .score = score, .n_blocks = gb_layout_n_compared(&design.layout)};
    double *share = NULL;
    if (n_outputs == 0 || p.n_blocks == 0)
        return GB_OK;
    const size_t longest = gb_design_longest_row(&design);
    GB_TRY(gb_alloc(&share, n_outputs * p.n_blocks, sizeof *share, what, err));
    GB_TRY(gb_alloc(&p.feature, longest, sizeof *p.feature, what, err));
    GB_TRY(gb_alloc(&p.value, longest, sizeof *p.value, what, err));
    GB_TRY(gb_alloc(&p.part, n_outputs, sizeof *p.part, what, err));
    GB_TRY(gb_sum_documents(&c->portion, c->corpus->n_docs, add_documents, &p, n_outputs * p.n_blocks, share, err));
    divide_by_variances(&p, share);
    *out = share;
    share = NULL;
done:
    gb_free(share);
    gb_free(p.feature);
    gb_free(p.value);
    gb_free(p.part);
    return st;
}
