/* cli/memory.h - memory and failures of the command's own code. */
#ifndef GB_CLI_MEMORY_H
#define GB_CLI_MEMORY_H

#include <gibbous/gibbous.h>

#include <stddef.h>

/** Record a failure: one line without a full stop.  Returns the status. */
gb_status cli_fail(gb_error *err, gb_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* As gb_fail() in base/status.h: for the static analyzer. */
#ifdef __clang_analyzer__
#define cli_fail(err, status, ...) ((void)(cli_fail)(err, status, __VA_ARGS__), (status))
#endif

/** `count` zeroed elements, to be freed with gb_free(); `what` is named when memory runs out. */
gb_status cli_alloc(void *out, size_t count, size_t size, const char *what, gb_error *err);

/** Make room for `need` elements in a growing array, to be freed with gb_free(); `*room` elements fit. */
gb_status cli_grow(void *array, size_t *room, size_t need, size_t size, const char *what, gb_error *err);

/** A copy of `length` bytes with a NUL after them, to be freed with gb_free(). */
gb_status cli_copy_text(char **out, const char *text, size_t length, gb_error *err);

gb_status cli_no_memory(const char *what, gb_error *err);

/* On failure: leave the enclosing function through its one exit, the label `done`.  Needs a local `st`. */
#define CLI_TRY(call)                                                                                                \
    do {                                                                                                             \
        st = (call);                                                                                                 \
        if (st != GB_OK)                                                                                             \
            goto done;                                                                                               \
    } while (0)

#endif
