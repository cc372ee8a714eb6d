/* token/token.c - the table of token samplers: adding one is a file and a row here. */
#include "token/token.h"

#include <string.h>

static const gb_token_sampler *const samplers[] = {&gb_token_dense, &gb_token_sparse, &gb_token_mh};

const gb_token_sampler *gb_token_sampler_find(const char *name)
{
    if (strcmp(name, "auto") == 0)
        return &gb_token_dense;
    for (size_t i = 0; i < sizeof samplers / sizeof samplers[0]; i++)
        if (strcmp(samplers[i]->name, name) == 0)
            return samplers[i];
    return NULL;
}
