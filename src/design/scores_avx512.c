/* design/scores_avx512.c - scores of documents for avx512. */
#if defined(__x86_64__)
#define GB_SCORES gb_scores_avx512
#include "design/scores_kernel.h"
#else
typedef int gb_no_scores_avx512;
#endif
