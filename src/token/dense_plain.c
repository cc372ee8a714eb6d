/* token/dense_plain.c - the dense kernel for any processor. */
#define GB_DENSE_DRAW  gb_dense_draw_plain
#define GB_SPARSE_DRAW gb_sparse_draw_plain
#include "token/dense_kernel.h"
