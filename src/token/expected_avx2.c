/* token/expected_avx2.c - expected topics of tokens for AVX2. */
#if defined(__x86_64__)
#define GB_EXPECT_TOKENS gb_expect_tokens_avx2
#define GB_SETTLE_WORDS  gb_settle_words_avx2
#include "token/expected_kernel.h"
#else
typedef int gb_no_avx2;
#endif
