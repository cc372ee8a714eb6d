/* prior/psi_plain.c - topic weights of documents for any processor. */
#define GB_PSI_KERNEL gb_psi_plain
#include "prior/psi_kernel.h"
