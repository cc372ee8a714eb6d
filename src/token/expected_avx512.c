/* token/expected_avx512.c - expected topics of tokens for AVX-512. */
#if defined(__x86_64__)
#define GB_EXPECT_TOKENS gb_expect_tokens_avx512
#define GB_SETTLE_WORDS  gb_settle_words_avx512
#include "token/expected_kernel.h"
#else
typedef int gb_no_avx512;
#endif
