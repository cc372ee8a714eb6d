/* coefficient/word_products_plain.c - words times numbers for any processor. */
#define GB_WORD_PRODUCTS gb_word_products_plain
#include "coefficient/word_products_kernel.h"
