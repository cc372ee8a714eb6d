/* gibbous/status.h - version, status codes, errors, and memory that the library hands out. */
#ifndef GIBBOUS_STATUS_H
#define GIBBOUS_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define GB_API __attribute__((visibility("default")))
#else
#define GB_API
#endif

/* ---- version ---- */

#define GB_VERSION_MAJOR 0
#define GB_VERSION_MINOR 1
#define GB_VERSION_PATCH 0
/** The version of these headers as one number, to compare with: 10203 is 1.2.3. */
#define GB_VERSION (GB_VERSION_MAJOR * 10000 + GB_VERSION_MINOR * 100 + GB_VERSION_PATCH)

/** Version of the library that is linked, "major.minor.patch"; may differ from the version of the headers. */
GB_API const char *gb_version(void);

/* ---- status and errors ---- */

/** The status codes: name, value and what it means. */
#define GB_STATUS_LIST(X)                                                                                            \
    X(OK, 0, "ok")                                                                                                   \
    X(ENOMEM, 1, "out of memory")                                                                                    \
    X(EIO, 2, "read or write failed")                                                                                \
    X(EFORMAT, 3, "malformed input")                                                                                 \
    X(EARGUMENT, 4, "wrong use")                                                                                     \
    X(ENUMERIC, 5, "a quantity became NaN or infinite")                                                              \
    X(ESTOP, 6, "stopped by the caller")                                                                             \
    X(ERANK, 7, "another rank has failed")

typedef enum gb_status {
#define GB_STATUS_ENUM(name, value, text) GB_##name = value,
    GB_STATUS_LIST(GB_STATUS_ENUM)
#undef GB_STATUS_ENUM
} gb_status;

/** What went wrong, in the caller's memory; the message is for the user, one line without a full stop.  Options have the names of
 * gb_settings_set() and stand in backquotes: `burn-in` must be below `sweeps`.  Every function that takes a gb_error accepts NULL for it, and leaves it unchanged on success. */
typedef struct gb_error {
    gb_status status;
    char message[1000];
} gb_error;

/* ---- memory ---- */

/** Free memory that the library handed out where a function says "free with gb_free()"; accepts NULL. */
GB_API void gb_free(void *block);

#ifdef __cplusplus
}
#endif

#endif
