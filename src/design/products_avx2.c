/* design/products_avx2.c - columns times numbers with AVX2. */
#if defined(__x86_64__)
#define GB_PRODUCTS gb_products_avx2
#include "design/products_kernel.h"
#else
typedef int gb_no_products_avx2;
#endif
