/* coefficient/gram_plain.c - the inner loop of the block draw for any processor. */
#define GB_GRAM_KERNEL gb_gram_plain
#include "coefficient/gram_kernel.h"
