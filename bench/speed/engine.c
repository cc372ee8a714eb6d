/* bench/speed/engine.c - the table of engines. */
#include "engine.h"

#include <string.h>

const bench_engine *bench_engine_find(const char *name)
{
    static const bench_engine *const table[] = {&bench_engine_library, &bench_engine_textbook};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i]->name, name) == 0)
            return table[i];
    return NULL;
}
