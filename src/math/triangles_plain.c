/* math/triangles_plain.c - the loops of cholesky.h for any processor. */
#define GB_TRIANGLES gb_triangles_plain
#include "math/triangles_kernel.h"
