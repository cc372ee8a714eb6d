/* cli/memory.c - memory and failures of the command's own code. */
#include "memory.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

gb_status(cli_fail)(gb_error *err, gb_status status, const char *format, ...)
{
    if (err == NULL)
        return status;
    va_list arguments;
    va_start(arguments, format);
    /* va_start() has made it.  NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(err->message, sizeof err->message, format, arguments);
    va_end(arguments);
    (void)gb_text_clean(err->message);
    err->status = status;
    return status;
}

gb_status cli_no_memory(const char *what, gb_error *err)
{
    return cli_fail(err, GB_ENOMEM, "out of memory for %s", what);
}

/* The address of any object pointer may be passed as `void *`; memcpy keeps to the aliasing rules. */
gb_status cli_alloc(void *out, size_t count, size_t size, const char *what, gb_error *err)
{
    void *block = calloc(count > 0 ? count : 1, size);
    memcpy(out, &block, sizeof block);
    return block == NULL ? cli_no_memory(what, err) : GB_OK;
}

gb_status cli_grow(void *array, size_t *room, size_t need, size_t size, const char *what, gb_error *err)
{
    if (need <= *room)
        return GB_OK;
    void *block;
    memcpy(&block, array, sizeof block);
    const size_t n = need < SIZE_MAX / 2 / size ? 2 * need : need;
    block = reallocarray(block, n, size);
    if (block == NULL)
        return cli_no_memory(what, err);
    memcpy(array, &block, sizeof block);
    *room = n;
    return GB_OK;
}

gb_status cli_copy_text(char **out, const char *text, size_t length, gb_error *err)
{
    *out = strndup(text, length);
    return *out == NULL ? cli_no_memory("a text", err) : GB_OK;
}
