/* math/ldl_solve_plain.c - solving with a sparse factor on any processor. */
#define GB_LDL_SOLVE_KERNEL gb_ldl_solve_plain
#include "math/ldl_solve_kernel.h"
