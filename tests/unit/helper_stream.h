/* helper_stream.h - random numbers that share no code with the library's. */
#ifndef HELPER_STREAM_H
#define HELPER_STREAM_H

#include <math.h>
#include <stdint.h>

/* In (0, 1). */
static inline double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

static inline double normal(uint64_t *state)
{
    const double r = sqrt(-2 * log(uniform(state)));
    return r * cos(6.283185307179586 * uniform(state));
}

#endif
