/* coefficient/word_products_avx512.c - words times numbers with AVX-512. */
#if defined(__x86_64__)
#define GB_WORD_PRODUCTS gb_word_products_avx512
#include "coefficient/word_products_kernel.h"
#else
typedef int gb_no_word_products_avx512;
#endif
