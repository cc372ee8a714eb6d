/* store/layout.h - what writer and reader of the file layout share. */
#ifndef GB_STORE_LAYOUT_H
#define GB_STORE_LAYOUT_H

#include "base/hash.h"
#include "store/store.h"

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays are stored as they lie in memory");

/* How every header begins, so the checksum's digits lie at a fixed place and a file can be recognised. */
#define GB_HEADER_BEGIN "{\"__metadata__\":{\"checksum\":\""

/* Names that begin so are fillers between and behind arrays: a reader of safetensors allows no holes. */
#define GB_PADDING "padding"

#define GB_MAX_HEADER ((size_t)256 << 20)

enum {
    GB_STORE_ALIGNMENT = 64,
    GB_LENGTH_BYTES = 8,
    GB_CHECKSUM_DIGITS = 32,
    GB_CHECKSUM_OFFSET = GB_LENGTH_BYTES + sizeof GB_HEADER_BEGIN - 1,
    /* header, array, its shape or offsets */
    GB_HEADER_DEPTH = 3,
    GB_HEADER_VALUES = 1 << 18
};

/** As safetensors writes it: "U8" ... "F64". */
const char *gb_dtype_name(gb_dtype type);
/** Bytes of one element. */
size_t gb_dtype_size(gb_dtype type);
bool gb_dtype_from_name(const char *name, gb_dtype *type);

/** Version of the layout of that kind of file that this program writes and reads; 0 for an unknown kind. */
unsigned gb_store_version(const char *kind);

/** True for names of arrays and texts: 1 to 64 letters, digits, '_', '.' and '-', so messages can show them.
 */
bool gb_store_name_is_valid(const char *name);

/** Bytes of an array of that shape; false when the product does not fit. */
bool gb_array_bytes(gb_dtype type, size_t n_dimensions, const uint64_t *shape, uint64_t *n_bytes);

/** The smallest file that gb_store_check_memory() allows so much memory. */
uint64_t gb_store_least_size(uint64_t n_bytes, unsigned share);

/** Up to so many bytes of a file, from where it is; fewer at its end, or when it cannot be read. */
size_t gb_store_read_begin(int descriptor, char *bytes, size_t room);

/** The digits of a checksum and a NUL. */
void gb_checksum_digits(XXH128_hash_t hash, char digits[static GB_CHECKSUM_DIGITS + 1]);

#endif
