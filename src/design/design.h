/* design/design.h - what scores are regressed on: a list of blocks of features.
 *
 *     s_dl = sum over blocks b of  sum_j f_dj eta_lj,   j in b
 *
 * A block is the shares of topics, which change with every sweep; columns that are known before a chain begins; or the constant
 * 1.  The coefficients of an output are those of its blocks, block after block, in the order of gb_block_kind.  Whoever draws
 * coefficients, adds up over documents or makes scores goes through the list and asks for features of documents; what
 * they mean matters to priors only. */
#ifndef GB_DESIGN_DESIGN_H
#define GB_DESIGN_DESIGN_H

#include "counts/proportions.h"
#include "design/dense_columns.h"
#include "design/sparse_columns.h"

#include <stdbool.h>

typedef enum gb_block_kind {
    GB_TOPICS_BLOCK,     /* zbar_dk = n_dk / N_d */
    GB_COVARIATES_BLOCK, /* sparse columns */
    GB_EMBEDDING_BLOCK,  /* dense columns */
    GB_WORDS_BLOCK,      /* likewise, of words: so many that they are drawn one by one */
    GB_CONSTANT_BLOCK,   /* 1 in every document, empty ones too */
    GB_N_BLOCK_KINDS
} gb_block_kind;

/** A block's coefficients: first .. first + n - 1 of an output. */
typedef struct gb_block {
    gb_block_kind kind;
    size_t first, n;
} gb_block;

/** The blocks of a model; those without features are not listed. */
typedef struct gb_layout {
    size_t n_features, n_blocks;
    gb_block block[GB_N_BLOCK_KINDS];
} gb_layout;

/** @param n  features of each kind of block */
gb_layout gb_layout_of(const size_t n[static GB_N_BLOCK_KINDS]);
/** Without an embedding. */
gb_layout gb_layout_make(size_t n_topics, size_t n_covariates, size_t n_words, bool constant);

/** The same with the features of documents. */
typedef struct gb_design {
    uint64_t n_docs;
    gb_layout layout;
    const gb_proportions *z;                      /* borrowed, as the columns are */
    const gb_sparse_columns *x[GB_N_BLOCK_KINDS]; /* of each kind of block; NULL: it has no sparse columns */
    const gb_dense_columns *dense;                /* of the embedding; NULL: there is none */
} gb_design;

/** @param covariates, words  NULL: none */
gb_design gb_design_make(const gb_proportions *z, const gb_sparse_columns *covariates, const gb_sparse_columns *words,
                         bool constant);
/** Add an embedding to a design without one; x without columns changes nothing. */
void gb_design_add_embedding(gb_design *design, const gb_dense_columns *x);

/** The block of a feature. */
const gb_block *gb_layout_block_of(const gb_layout *layout, size_t feature);

/** The block of a kind; NULL if there is none. */
const gb_block *gb_layout_find(const gb_layout *layout, gb_block_kind kind);

/** Blocks beside the constant, if there are several, so that one can be compared with another; else 0. */
size_t gb_layout_n_compared(const gb_layout *layout);

/** "topics", "covariates", "embedding", "words", "constant". */
const char *gb_block_kind_name(gb_block_kind kind);

/** Features before the constant, which no prior shrinks. */
size_t gb_layout_n_shrunken(const gb_layout *layout);

/** Features of document d that are not 0, or may not be. */
size_t gb_design_count(const gb_design *design, uint64_t d);
/** They, ascending, and their values.  @return how many: gb_design_count() */
size_t gb_design_row(const gb_design *design, uint64_t d, uint32_t *feature, double *value);
/** The most that a document has. */
size_t gb_design_longest_row(const gb_design *design);

#endif
