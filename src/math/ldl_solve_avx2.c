/* math/ldl_solve_avx2.c - solving with a sparse factor for avx2. */
#if defined(__x86_64__)
#define GB_LDL_SOLVE_KERNEL gb_ldl_solve_avx2
#include "math/ldl_solve_kernel.h"
#else
typedef int gb_no_ldl_solve_avx2;
#endif
