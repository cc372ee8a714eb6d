/* token/dense.h - the versions of the dense and sparse kernels; the same bits from each. */
#ifndef GB_TOKEN_DENSE_H
#define GB_TOKEN_DENSE_H

#include "token/token.h"

gb_draw_tokens gb_dense_draw_plain, gb_dense_draw_avx2, gb_dense_draw_avx512;
gb_draw_tokens gb_sparse_draw_plain, gb_sparse_draw_avx2, gb_sparse_draw_avx512;

#endif
