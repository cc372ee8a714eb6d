/* prior/psi_avx2.c - topic weights of documents for avx2. */
#if defined(__x86_64__)
#define GB_PSI_KERNEL gb_psi_avx2
#include "prior/psi_kernel.h"
#else
typedef int gb_no_psi_avx2;
#endif
