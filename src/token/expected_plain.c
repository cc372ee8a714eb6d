/* token/expected_plain.c - expected topics of tokens for any processor. */
#define GB_EXPECT_TOKENS gb_expect_tokens_plain
#define GB_SETTLE_WORDS  gb_settle_words_plain
#include "token/expected_kernel.h"
