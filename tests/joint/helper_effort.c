/* helper_effort.c - see helper_effort.h. */
#include "helper_effort.h"

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BUILT_WITH_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define BUILT_WITH_SANITIZER 1
#endif
#endif
#ifndef BUILT_WITH_SANITIZER
#define BUILT_WITH_SANITIZER 0
#endif

static bool is_on(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0' && strcmp(value, "0") != 0;
}

bool joint_is_sanitized(void)
{
    return BUILT_WITH_SANITIZER || is_on("GIBBOUS_SANITIZED");
}

size_t joint_effort(size_t usual)
{
    size_t n = joint_is_sanitized() ? usual / 10 : usual;
    return is_on("GIBBOUS_LONG_TESTS") ? 15 * n : n;
}

bool joint_is_long(void)
{
    return !joint_is_sanitized() && is_on("GIBBOUS_LONG_TESTS");
}
