/* design/products.c - block after block. */
#include "design/products.h"

#include <string.h>

const gb_products *gb_products_for(gb_isa isa)
{
    return GB_KERNEL_FOR(isa, &gb_products);
}

size_t gb_layout_first_column(const gb_layout *layout)
{
    const gb_block *topics = gb_layout_find(layout, GB_TOPICS_BLOCK);
    return topics == NULL ? 0 : topics->n;
}

size_t gb_layout_n_columns(const gb_layout *layout)
{
    return gb_layout_n_shrunken(layout) - gb_layout_first_column(layout);
}

/* Columns before a block.  Of topics 0. */
static size_t numbers_before(const gb_design *design, const gb_block *block)
{
    return block->kind == GB_TOPICS_BLOCK ? 0 : block->first - gb_layout_first_column(&design->layout);
}

static bool has_embedding(const gb_design *design, const gb_block *block)
{
    return block->kind == GB_EMBEDDING_BLOCK && design->dense != NULL;
}

static void multiply(const gb_design *design, gb_isa isa, bool squared, size_t width, const double *v, uint64_t first,
                     uint64_t last, double *y)
{
    const gb_products *products = gb_products_for(isa);
    memset(y + first * width, 0, (last - first) * width * sizeof *y);
    for (size_t b = 0; b < design->layout.n_blocks; b++) {
        const gb_block *block = &design->layout.block[b];
        const double *of_block = v + numbers_before(design, block) * width;
        if (design->x[block->kind] != NULL)
            (squared ? products->squares : products->times)(design->x[block->kind], width, of_block, first, last, y);
        else if (has_embedding(design, block))
            (squared ? products->dense_squares : products->dense_times)(design->dense, width, of_block, first, last,
                                                                        y);
    }
}

void gb_columns_times(const gb_design *design, gb_isa isa, size_t width, const double *v, uint64_t first,
                      uint64_t last, double *y)
{
    multiply(design, isa, false, width, v, first, last, y);
}

void gb_columns_squares(const gb_design *design, gb_isa isa, size_t width, const double *v, uint64_t first,
                        uint64_t last, double *y)
{
    multiply(design, isa, true, width, v, first, last, y);
}

/* The block's own share of columns first..last-1, its own numbered from 0.  @return false: none */
static bool share_of(const gb_design *design, const gb_block *block, size_t *first, size_t *last)
{
    const size_t at = numbers_before(design, block), end = at + block->n;
    if (*first >= end || *last <= at)
        return false;
    *first = (*first > at ? *first : at) - at;
    *last = (*last < end ? *last : end) - at;
    return true;
}

void gb_columns_transposed(const gb_design *design, gb_isa isa, size_t width, const gb_doc_parts *parts,
                           const double *y, size_t first, size_t last, double *w)
{
    const gb_products *products = gb_products_for(isa);
    for (size_t b = 0; b < design->layout.n_blocks; b++) {
        const gb_block *block = &design->layout.block[b];
        size_t from = first, to = last;
        if (block->kind == GB_TOPICS_BLOCK || !share_of(design, block, &from, &to))
            continue;
        double *of_block = w + numbers_before(design, block) * width;
        if (design->x[block->kind] != NULL)
            products->transposed(design->x[block->kind], width, parts, y, from, to, of_block);
        else if (has_embedding(design, block))
            products->dense_transposed(design->dense, width, parts, y, from, to, of_block);
        else
            memset(of_block + from * width, 0, (to - from) * width * sizeof *w);
    }
}
