/* math/triangles_avx512.c - the loops of cholesky.h for avx512. */
#if defined(__x86_64__)
#define GB_TRIANGLES gb_triangles_avx512
#include "math/triangles_kernel.h"
#else
typedef int gb_no_triangles_avx512;
#endif
