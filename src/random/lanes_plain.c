/* random/lanes_plain.c - laws of many numbers at once for any processor. */
#define GB_LANES gb_lanes_plain
#include "random/lanes_kernel.h"
