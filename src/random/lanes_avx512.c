/* random/lanes_avx512.c - laws of many numbers at once for avx512. */
#if defined(__x86_64__)
#define GB_LANES gb_lanes_avx512
#include "random/lanes_kernel.h"
#else
typedef int gb_no_lanes_avx512;
#endif
