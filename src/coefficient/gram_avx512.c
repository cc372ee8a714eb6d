/* coefficient/gram_avx512.c - the inner loop of the block draw for avx512. */
#if defined(__x86_64__)
#define GB_GRAM_KERNEL gb_gram_avx512
#include "coefficient/gram_kernel.h"
#else
typedef int gb_no_gram_avx512;
#endif
