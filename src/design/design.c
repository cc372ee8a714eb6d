/* design/design.c - blocks one after the other. */
#include "design/design.h"

static void add_block(gb_layout *layout, gb_block_kind kind, size_t n)
{
    if (n == 0)
        return;
    layout->block[layout->n_blocks++] = (gb_block){kind, layout->n_features, n};
    layout->n_features += n;
}

gb_layout gb_layout_of(const size_t n[static GB_N_BLOCK_KINDS])
{
    gb_layout layout = {.n_blocks = 0};
    for (gb_block_kind kind = 0; kind < GB_N_BLOCK_KINDS; kind++)
        add_block(&layout, kind, n[kind]);
    return layout;
}

gb_layout gb_layout_make(size_t n_topics, size_t n_covariates, size_t n_words, bool constant)
{
    const size_t n[GB_N_BLOCK_KINDS] = {[GB_TOPICS_BLOCK] = n_topics,
                                        [GB_COVARIATES_BLOCK] = n_covariates,
                                        [GB_WORDS_BLOCK] = n_words,
                                        [GB_CONSTANT_BLOCK] = constant ? 1 : 0};
    return gb_layout_of(n);
}

static size_t n_columns(const gb_sparse_columns *x)
{
    return x == NULL ? 0 : x->n_columns;
}

gb_design gb_design_make(const gb_proportions *z, const gb_sparse_columns *covariates, const gb_sparse_columns *words,
                         bool constant)
{
    return (gb_design){.n_docs = z->n_docs,
                       .layout = gb_layout_make(z->n_topics, n_columns(covariates), n_columns(words), constant),
                       .z = z,
                       .x = {[GB_COVARIATES_BLOCK] = n_columns(covariates) == 0 ? NULL : covariates,
                             [GB_WORDS_BLOCK] = n_columns(words) == 0 ? NULL : words}};
}

void gb_design_add_embedding(gb_design *design, const gb_dense_columns *x)
{
    size_t n[GB_N_BLOCK_KINDS] = {0};
    if (x->n_columns == 0)
        return;
    for (size_t b = 0; b < design->layout.n_blocks; b++)
        n[design->layout.block[b].kind] = design->layout.block[b].n;
    n[GB_EMBEDDING_BLOCK] = x->n_columns;
    design->layout = gb_layout_of(n);
    design->dense = x;
}

const gb_block *gb_layout_block_of(const gb_layout *layout, size_t feature)
{
    const gb_block *block = layout->block;
    while (feature >= block->first + block->n)
        block++;
    return block;
}

const gb_block *gb_layout_find(const gb_layout *layout, gb_block_kind kind)
{
    for (size_t b = 0; b < layout->n_blocks; b++)
        if (layout->block[b].kind == kind)
            return &layout->block[b];
    return NULL;
}

size_t gb_layout_n_compared(const gb_layout *layout)
{
    const size_t n = layout->n_blocks - (gb_layout_find(layout, GB_CONSTANT_BLOCK) == NULL ? 0 : 1);
    return n > 1 ? n : 0;
}

const char *gb_block_kind_name(gb_block_kind kind)
{
    static const char *const name[GB_N_BLOCK_KINDS] = {[GB_TOPICS_BLOCK] = "topics",
                                                       [GB_COVARIATES_BLOCK] = "covariates",
                                                       [GB_EMBEDDING_BLOCK] = "embedding",
                                                       [GB_WORDS_BLOCK] = "words",
                                                       [GB_CONSTANT_BLOCK] = "constant"};
    return name[kind];
}

size_t gb_layout_n_shrunken(const gb_layout *layout)
{
    const gb_block *constant = gb_layout_find(layout, GB_CONSTANT_BLOCK);
    return constant == NULL ? layout->n_features : constant->first;
}

/* ---- documents ---- */

static size_t count(const gb_design *design, gb_block_kind kind, uint64_t d)
{
    switch (kind) {
    case GB_TOPICS_BLOCK:
        return gb_proportions_of(design->z, d).n;
    case GB_CONSTANT_BLOCK:
        return 1;
    case GB_EMBEDDING_BLOCK:
        return design->dense->n_columns;
    default:
        return (size_t)(design->x[kind]->doc_start[d + 1] - design->x[kind]->doc_start[d]);
    }
}

size_t gb_design_count(const gb_design *design, uint64_t d)
{
    size_t n = 0;
    for (size_t b = 0; b < design->layout.n_blocks; b++)
        n += count(design, design->layout.block[b].kind, d);
    return n;
}

static size_t topics(const gb_proportions *z, uint64_t d, uint32_t *feature, double *value)
{
    const gb_document_topics t = gb_proportions_of(z, d);
    const double length = gb_proportions_length(z, d);
    for (size_t i = 0; i < t.n; i++) {
        feature[i] = t.topic[i];
        value[i] = t.count[i] / length;
    }
    return t.n;
}

static size_t columns(const gb_sparse_columns *x, size_t first, uint64_t d, uint32_t *feature, double *value)
{
    const uint64_t start = x->doc_start[d];
    const size_t n = (size_t)(x->doc_start[d + 1] - start);
    for (size_t i = 0; i < n; i++) {
        feature[i] = (uint32_t)first + x->column[start + i];
        value[i] = x->value[start + i];
    }
    return n;
}

static size_t dense(const gb_dense_columns *x, size_t first, uint64_t d, uint32_t *feature, double *value)
{
    const float *row = gb_dense_columns_row(x, d);
    for (size_t j = 0; j < x->n_columns; j++) {
        feature[j] = (uint32_t)(first + j);
        value[j] = row[j];
    }
    return x->n_columns;
}

size_t gb_design_row(const gb_design *design, uint64_t d, uint32_t *feature, double *value)
{
    size_t n = 0;
    for (size_t b = 0; b < design->layout.n_blocks; b++) {
        const gb_block *block = &design->layout.block[b];
        switch (block->kind) {
        case GB_TOPICS_BLOCK:
            n += topics(design->z, d, feature + n, value + n);
            break;
        case GB_CONSTANT_BLOCK:
            feature[n] = (uint32_t)block->first;
            value[n++] = 1;
            break;
        case GB_EMBEDDING_BLOCK:
            n += dense(design->dense, block->first, d, feature + n, value + n);
            break;
        default:
            n += columns(design->x[block->kind], block->first, d, feature + n, value + n);
        }
    }
    return n;
}

size_t gb_design_longest_row(const gb_design *design)
{
    size_t longest = 0;
    for (uint64_t d = 0; d < design->n_docs; d++) {
        const size_t n = gb_design_count(design, d);
        longest = n > longest ? n : longest;
    }
    return longest;
}
