/* token/dense_avx512.c - the dense kernel for AVX-512. */
#if defined(__x86_64__)
#define GB_DENSE_DRAW  gb_dense_draw_avx512
#define GB_SPARSE_DRAW gb_sparse_draw_avx512
#include "token/dense_kernel.h"
#else
typedef int gb_no_avx512;
#endif
