/* design/scores_avx2.c - scores of documents for avx2. */
#if defined(__x86_64__)
#define GB_SCORES gb_scores_avx2
#include "design/scores_kernel.h"
#else
typedef int gb_no_scores_avx2;
#endif
