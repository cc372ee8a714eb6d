/* base/status.h - how a function of the library reports failure: it fills the caller's gb_error and returns
 * the code.  There is no global "last error". */
#ifndef GB_BASE_STATUS_H
#define GB_BASE_STATUS_H

#include "gibbous/status.h"

/**
 * Record a failure.
 *
 * @param err   where the message goes; may be NULL
 * @param code  what kind of failure; returned unchanged, so `return gb_fail(err, GB_EIO, ...)` reads well
 * @param format  printf format of one line without a full stop; names file, line or option (in backquotes: `sweeps`),
 *                quotes the user's value and says what was expected
 */
gb_status gb_fail(gb_error *err, gb_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4), nonnull(3)));

/** Out of memory, with the number of bytes that could not be had and what they were for. */
gb_status gb_fail_memory(gb_error *err, size_t n_bytes, const char *purpose);

/* The static analyzer sees one source at a time: here, what it has to know of these two. */
#ifdef __clang_analyzer__
#define gb_fail(err, code, ...) ((void)(gb_fail)(err, code, __VA_ARGS__), (code))
#define gb_fail_memory(...)     ((void)(gb_fail_memory)(__VA_ARGS__), GB_ENOMEM)
#endif

/* On failure: leave the enclosing function through its one exit, the label `done`.  Needs a local `st`. */
#define GB_TRY(call)                                                                                                 \
    do {                                                                                                             \
        st = (call);                                                                                                 \
        if (st != GB_OK)                                                                                             \
            goto done;                                                                                               \
    } while (0)

/** A status code in a few words, such as "out of memory"; a constant, never NULL. */
const char *gb_status_text(gb_status status);

#endif
