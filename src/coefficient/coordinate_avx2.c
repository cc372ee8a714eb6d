/* coefficient/coordinate_avx2.c - the inner loops of the coordinate draw for avx2. */
#if defined(__x86_64__)
#define GB_COORDINATE_KERNEL gb_coordinate_avx2
#include "coefficient/coordinate_kernel.h"
#else
typedef int gb_no_coordinate_avx2;
#endif
