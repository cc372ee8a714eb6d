/* coefficient/gram_plain.c - the inner loop of the block draw for any processor. */
#define GB_GRAM_ROW gb_gram_row_plain
#include "coefficient/gram_kernel.h"
