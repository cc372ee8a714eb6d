/* store_mutator.h - changes a file of ours as one who knows its structure would: numbers of arrays, shapes, counts that stand in several places,
 * names, whole arrays, what stands in its JSON.  What comes out has a header that fits its arrays, most of the time, so that a fuzzer gets behind
 * the checks of the layout; the checksum is the harness's to mend. */
#ifndef GB_FUZZ_STORE_MUTATOR_H
#define GB_FUZZ_STORE_MUTATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Whether it begins as a file of ours does. */
bool fuzz_is_store(const uint8_t *data, size_t size);

/**
 * Change a file of ours in place.
 *
 * @param max_size  room in `data`
 * @param other     another file, of which it may take arrays; may be NULL
 * @param seed      the same changes for the same seed
 * @return the new size; 0, and nothing has changed, if it cannot be read or the result has no room
 */
size_t fuzz_mutate_store(uint8_t *data, size_t size, size_t max_size, const uint8_t *other, size_t other_size,
                         unsigned seed);

/** Whether it begins as a log of records does. */
bool fuzz_is_log(const uint8_t *data, size_t size);

/** The same for a log of records (store/record_log.h): header, and records that are doubled, dropped, swapped, cut, or have other numbers. */
size_t fuzz_mutate_log(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/** What a harness may have: it changes an input, and returns its new size. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

/** libFuzzer's, or the one of replay.c. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

#endif
