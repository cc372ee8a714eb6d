/* math/triangles_avx2.c - the loops of cholesky.h for avx2. */
#if defined(__x86_64__)
#define GB_TRIANGLES gb_triangles_avx2
#include "math/triangles_kernel.h"
#else
typedef int gb_no_triangles_avx2;
#endif
