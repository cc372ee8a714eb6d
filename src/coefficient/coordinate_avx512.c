/* coefficient/coordinate_avx512.c - the inner loops of the coordinate draw for avx512. */
#if defined(__x86_64__)
#define GB_COORDINATE_KERNEL gb_coordinate_avx512
#include "coefficient/coordinate_kernel.h"
#else
typedef int gb_no_coordinate_avx512;
#endif
