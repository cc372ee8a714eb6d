/* coefficient/gram_avx2.c - the inner loop of the block draw for avx2. */
#if defined(__x86_64__)
#define GB_GRAM_KERNEL gb_gram_avx2
#include "coefficient/gram_kernel.h"
#else
typedef int gb_no_gram_avx2;
#endif
