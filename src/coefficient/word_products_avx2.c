/* coefficient/word_products_avx2.c - words times numbers with AVX2. */
#if defined(__x86_64__)
#define GB_WORD_PRODUCTS gb_word_products_avx2
#include "coefficient/word_products_kernel.h"
#else
typedef int gb_no_word_products_avx2;
#endif
