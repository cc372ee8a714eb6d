/* base/memory.c - allocation that checks the product of count and size, and growing arrays. */
#include "base/memory.h"

#include "base/system.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define NOT_WRITTEN(memory, n_bytes) __msan_poison(memory, n_bytes)
#endif
#endif
#ifndef NOT_WRITTEN
#define NOT_WRITTEN(memory, n_bytes) ((void)0)
#endif

enum { ALIGNMENT = 64 };

/* Blocks of this size and more lie on large pages where the system has them: kernels that jump between rows of a table
 * would wait for the translation of addresses. */
static const size_t LARGE_PAGE = (size_t)1 << 21;

/* A pointer is stored through `void *` arguments with memcpy, so callers may pass the address of any object
 * pointer without breaking the aliasing rules. */
gb_status gb_alloc(void *out, size_t count, size_t size, const char *purpose, gb_error *err)
{
    void *block = NULL;
    if (count != 0 && size != 0) {
        if (count > (SIZE_MAX - ALIGNMENT) / size)
            return gb_fail_memory(err, SIZE_MAX, purpose);
        const bool is_large = count * size >= 2 * LARGE_PAGE;
        const size_t alignment = is_large ? LARGE_PAGE : ALIGNMENT;
        const size_t n_bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        block = gb_memory_allocate(alignment, n_bytes);
        if (block == NULL)
            return gb_fail_memory(err, n_bytes, purpose);
        if (is_large)
            gb_memory_prefer_large_pages(block, n_bytes / LARGE_PAGE * LARGE_PAGE);
        memset(block, 0, n_bytes);
    }
    memcpy(out, &block, sizeof block);
    return GB_OK;
}

void gb_free(void *block)
{
    gb_memory_release(block);
}

gb_status gb_grow(void *array, size_t *capacity, size_t need, size_t size, const char *purpose, gb_error *err)
{
    if (need <= *capacity)
        return GB_OK;
    size_t room = *capacity < 16 ? 16 : *capacity;
    while (room < need) {
        if (room > SIZE_MAX / 2)
            return gb_fail_memory(err, SIZE_MAX, purpose);
        room *= 2;
    }
    if (room > SIZE_MAX / size)
        return gb_fail_memory(err, SIZE_MAX, purpose);
    void *old;
    memcpy(&old, array, sizeof old);
    void *block = gb_memory_resize(old, room * size);
    if (block == NULL)
        return gb_fail_memory(err, room * size, purpose);
    NOT_WRITTEN((char *)block + *capacity * size, (room - *capacity) * size);
    memcpy(array, &block, sizeof block);
    *capacity = room;
    return GB_OK;
}

void gb_copy_bytes(void *to, const void *from, size_t n_bytes)
{
    if (n_bytes > 0)
        memcpy(to, from, n_bytes);
}

gb_status gb_copy_text(char **out, const char *text, size_t length, gb_error *err)
{
    char *copy = gb_memory_resize(NULL, length + 1); /* a text that is there is shorter than SIZE_MAX */
    if (copy == NULL)
        return gb_fail_memory(err, length + 1, "a text");
    memcpy(copy, text, length);
    copy[length] = '\0';
    *out = copy;
    return GB_OK;
}
