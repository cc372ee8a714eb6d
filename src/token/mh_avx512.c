/* token/mh_avx512.c - the Metropolis-Hastings kernel for AVX-512. */
#if defined(__x86_64__)
#define GB_MH_DRAW gb_mh_draw_avx512
#include "token/mh_kernel.h"
#else
typedef int gb_no_mh_avx512;
#endif
