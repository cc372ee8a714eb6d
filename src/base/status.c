/* base/status.c - status codes, their texts, and error messages. */
#include "base/status.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>

const char *gb_status_text(gb_status status)
{
    switch (status) {
#define GB_STATUS_CASE(name, value, text)                                                                            \
    case GB_##name:                                                                                                  \
        return text;
        GB_STATUS_LIST(GB_STATUS_CASE)
#undef GB_STATUS_CASE
    }
    return "unknown status";
}

gb_status(gb_fail)(gb_error *err, gb_status code, const char *format, ...)
{
    if (err != NULL) {
        va_list arguments;
        va_start(arguments, format);
        /* va_start() has made it.  NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
        (void)vsnprintf(err->message, sizeof err->message, format, arguments);
        va_end(arguments);
        (void)gb_text_clean(err->message); /* names of files, fields and classes may hold anything */
        err->status = code;
    }
    return code;
}

gb_status(gb_fail_memory)(gb_error *err, size_t n_bytes, const char *purpose)
{
    return gb_fail(err, GB_ENOMEM, "out of memory: %zu bytes for %s", n_bytes, purpose);
}
