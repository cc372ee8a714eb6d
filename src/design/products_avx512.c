/* design/products_avx512.c - columns times numbers with AVX-512. */
#if defined(__x86_64__)
#define GB_PRODUCTS gb_products_avx512
#include "design/products_kernel.h"
#else
typedef int gb_no_products_avx512;
#endif
