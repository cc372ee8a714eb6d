/* token/dense_avx2.c - the dense kernel for AVX2. */
#if defined(__x86_64__)
#define GB_DENSE_DRAW  gb_dense_draw_avx2
#define GB_SPARSE_DRAW gb_sparse_draw_avx2
#include "token/dense_kernel.h"
#else
typedef int gb_no_avx2;
#endif
