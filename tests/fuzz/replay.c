/* replay.c - runs a harness over files, and over each of them cut short and with bytes changed, and changed as the harness itself does it if it
 * can: without libFuzzer, in any build.
 *
 *   fuzz_NAME FILE... */
#include "store_mutator.h"

#include "fuzz.h"

/* One of so many is done (under valgrind). */
#ifndef REPLAY_EACH
#define REPLAY_EACH 1
#endif

enum { MOST_BYTES = 1 << 20, MOST_CHANGED = 1 << 16, CHANGES = 300 / REPLAY_EACH, OWN_CHANGES = 200 / REPLAY_EACH };

/* Some harnesses have none. */
#pragma weak LLVMFuzzerCustomMutator

/* Xorshift: the same changes in every run. */
static uint64_t next_number(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size)
{
    uint64_t state = 88172645463325252U + size;
    (void)max_size;
    if (size > 0)
        data[next_number(&state) % size] = (uint8_t)next_number(&state);
    return size;
}

/* Change after change, beginning anew now and then. */
static size_t replay_own(const uint8_t *seed, size_t size, uint8_t *changed)
{
    size_t n = size;
    if (LLVMFuzzerCustomMutator == NULL || size > MOST_CHANGED)
        return 0;
    for (unsigned i = 0; i < OWN_CHANGES; i++) {
        if (i % 4 == 0) {
            memcpy(changed, seed, size);
            n = size;
        }
        n = LLVMFuzzerCustomMutator(changed, n, MOST_CHANGED, i);
        (void)LLVMFuzzerTestOneInput(changed, n);
    }
    return OWN_CHANGES;
}

static size_t replay(const uint8_t *seed, size_t size, uint8_t *changed)
{
    uint64_t state = 88172645463325252U + size;
    (void)LLVMFuzzerTestOneInput(seed, size);
    for (int i = 0; i < CHANGES && size > 0; i++) {
        memcpy(changed, seed, size);
        const size_t n_changes = 1 + next_number(&state) % 4;
        for (size_t c = 0; c < n_changes; c++)
            changed[next_number(&state) % size] = (uint8_t)next_number(&state);
        (void)LLVMFuzzerTestOneInput(changed, i % 3 == 0 ? next_number(&state) % (size + 1) : size);
    }
    return 1 + (size > 0 ? (size_t)CHANGES : 0) + replay_own(seed, size, changed);
}

int main(int argc, char **argv)
{
    uint8_t *bytes = malloc(MOST_BYTES), *changed = malloc(MOST_BYTES);
    size_t n = 0;
    if (bytes == NULL || changed == NULL)
        return 1;
    for (int i = 1; i < argc; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (f == NULL)
            return 1;
        const size_t size = fread(bytes, 1, MOST_BYTES, f);
        (void)fclose(f);
        n += replay(bytes, size, changed);
    }
    free(bytes);
    free(changed);
    (void)printf("%zu inputs\n", n);
    return n == 0;
}
