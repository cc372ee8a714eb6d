/* design/scores_plain.c - scores of documents for any processor. */
#define GB_SCORES gb_scores_plain
#include "design/scores_kernel.h"
