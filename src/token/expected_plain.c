/* token/expected_plain.c - expected topics of tokens for any processor. */
#define GB_EXPECT_TOKENS gb_expect_tokens_plain
#include "token/expected_kernel.h"
