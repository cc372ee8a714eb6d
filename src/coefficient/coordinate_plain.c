/* coefficient/coordinate_plain.c - the inner loops of the coordinate draw for any processor. */
#define GB_COORDINATE_KERNEL gb_coordinate_plain
#include "coefficient/coordinate_kernel.h"
