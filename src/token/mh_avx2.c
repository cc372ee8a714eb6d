/* token/mh_avx2.c - the Metropolis-Hastings kernel for AVX2. */
#if defined(__x86_64__)
#define GB_MH_DRAW gb_mh_draw_avx2
#include "token/mh_kernel.h"
#else
typedef int gb_no_mh_avx2;
#endif
