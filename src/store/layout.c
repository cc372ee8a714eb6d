/* store/layout.c - what writer and reader of the file layout share. */
#include "store/layout.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
} dtypes[] = {[GB_U8] = {"U8", 1},   [GB_U16] = {"U16", 2}, [GB_U32] = {"U32", 4}, [GB_U64] = {"U64", 8},
              [GB_F32] = {"F32", 4}, [GB_F64] = {"F64", 8}, [GB_I32] = {"I32", 4}, [GB_I64] = {"I64", 8}};

const char *gb_dtype_name(gb_dtype type)
{
    return dtypes[type].name;
}

size_t gb_dtype_size(gb_dtype type)
{
    return dtypes[type].size;
}

bool gb_dtype_from_name(const char *name, gb_dtype *type)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof dtypes[0]; i++)
        if (strcmp(dtypes[i].name, name) == 0) {
            *type = (gb_dtype)i;
            return true;
        }
    return false;
}

unsigned gb_store_version(const char *kind)
{
    static const struct {
        const char *name;
        unsigned version;
    } kinds[] = {{"corpus", 1}, {"shards", 2}, {"model", 2}, {"checkpoint", 1}, {"chain", 1}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].version;
    return 0;
}

bool gb_store_name_is_valid(const char *name)
{
    size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-");
    return length >= 1 && length <= 64 && name[length] == '\0';
}

bool gb_array_bytes(gb_dtype type, size_t n_dimensions, const uint64_t *shape, uint64_t *n_bytes)
{
    uint64_t product = gb_dtype_size(type);
    for (size_t i = 0; i < n_dimensions; i++)
        if (__builtin_mul_overflow(product, shape[i], &product))
            return false;
    *n_bytes = product;
    return product <= PTRDIFF_MAX;
}

uint64_t gb_store_least_size(uint64_t n_bytes, unsigned share)
{
    static const uint64_t free_bytes = (uint64_t)64 << 20;
    const uint64_t part = n_bytes / share; /* one of the 8 of 4 times the size and the free bytes */
    return part <= free_bytes / 8 ? 0 : 2 * (part - free_bytes / 8);
}

void gb_checksum_digits(XXH128_hash_t hash, char digits[static GB_CHECKSUM_DIGITS + 1])
{
    (void)snprintf(digits, GB_CHECKSUM_DIGITS + 1, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64,
                   (uint64_t)hash.low64);
}
