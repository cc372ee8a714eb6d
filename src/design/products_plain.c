/* design/products_plain.c - columns times numbers for any processor. */
#define GB_PRODUCTS gb_products_plain
#include "design/products_kernel.h"
