/* libraries.c - for the memory sanitizer: what libraries that are not instrumented write.
 *
 * The linker lets calls of them go through these functions (--wrap), which mark what was written into our memory.  Memory that libraries
 * have of malloc() counts as written: that is why poison_in_malloc and poison_in_free, which would show in the next block there, are off.  Our own is written by gb_alloc() in any case, and what gb_grow() adds to an
 * array is marked as not written there (base/memory.c). */
#define PCRE2_CODE_UNIT_WIDTH 8

#include <jansson.h>
#include <pcre2.h>
#include <popt.h>
#include <sanitizer/msan_interface.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#ifdef GIBBOUS_HAS_ICU
#include <unicode/ubrk.h>
#endif
#include <utf8proc.h>

const char *__msan_default_options(void);
const char *__msan_default_options(void)
{
    return "poison_in_malloc=0:poison_in_free=0";
}

/* A new block may lie where an array had elements that were not written. */
void __sanitizer_malloc_hook(const volatile void *block, size_t size);
void __sanitizer_malloc_hook(const volatile void *block, size_t size)
{
    __msan_unpoison(block, size);
}

/* What libraries keep on the stack lies where functions of ours had what they may not have written: it is marked as written before they
 * are called, since they pass it to functions of the C library, which are watched. */
__attribute__((noinline)) static void clear_stack(size_t depth)
{
    const char *top = __builtin_frame_address(0); /* where their frames will begin, too */
    __msan_unpoison(top - depth, depth);
}

enum { DEPTH = 60 * 1024 }; /* from 64 KiB on the sanitizer maps memory anew instead of writing to it */

/* A function that writes nothing of ours. */
#define CLEAR_STACK_FOR(type, name, parameters, arguments)                                                           \
    type __real_##name parameters;                                                                                   \
    type __wrap_##name parameters;                                                                                   \
    type __wrap_##name parameters                                                                                    \
    {                                                                                                                \
        clear_stack(DEPTH);                                                                                          \
        return __real_##name arguments;                                                                              \
    }

/* ---- Jansson ---- */

CLEAR_STACK_FOR(json_t *, json_loads, (const char *text, size_t flags, json_error_t *error), (text, flags, error))
CLEAR_STACK_FOR(char *, json_dumps, (const json_t *value, size_t flags), (value, flags))
CLEAR_STACK_FOR(size_t, json_dumpb, (const json_t *value, char *out, size_t n, size_t flags), (value, out, n, flags))
CLEAR_STACK_FOR(int, json_dumpf, (const json_t *value, FILE *file, size_t flags), (value, file, flags))
CLEAR_STACK_FOR(int, json_dump_callback, (const json_t *value, json_dump_callback_t call, void *data, size_t flags),
                (value, call, data, flags))

static size_t size_of(char format)
{
    return format == 'i' || format == 'b' ? sizeof(int) : sizeof(void *);
}

/* Flat objects: "{s:I, s:s}". */
static void mark_unpacked(const char *format, va_list arguments)
{
    bool is_key = true;
    for (; *format != '\0'; format++) {
        if (strchr("{}:, ?!", *format) != NULL)
            continue;
        void *at = va_arg(arguments, void *);
        if (!is_key)
            __msan_unpoison(at, size_of(*format));
        is_key = !is_key;
    }
}

int __real_json_vunpack_ex(json_t *value, json_error_t *error, size_t flags, const char *format, va_list arguments);
int __wrap_json_vunpack_ex(json_t *value, json_error_t *error, size_t flags, const char *format, va_list arguments);
int __wrap_json_vunpack_ex(json_t *value, json_error_t *error, size_t flags, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    clear_stack(DEPTH);
    const int failed = __real_json_vunpack_ex(value, error, flags, format, arguments);
    if (error != NULL)
        __msan_unpoison(error, sizeof *error);
    mark_unpacked(format, again);
    va_end(again);
    return failed;
}

json_t *__real_json_loadb(const char *text, size_t n, size_t flags, json_error_t *error);
json_t *__wrap_json_loadb(const char *text, size_t n, size_t flags, json_error_t *error);
json_t *__wrap_json_loadb(const char *text, size_t n, size_t flags, json_error_t *error)
{
    clear_stack(DEPTH);
    json_t *value = __real_json_loadb(text, n, flags, error);
    if (error != NULL)
        __msan_unpoison(error, sizeof *error);
    return value;
}

/* ---- UTF-8 ---- */

enum { MOST_BYTES = 4 }; /* of a character */

utf8proc_ssize_t __real_utf8proc_iterate(const utf8proc_uint8_t *text, utf8proc_ssize_t n, utf8proc_int32_t *point);
utf8proc_ssize_t __wrap_utf8proc_iterate(const utf8proc_uint8_t *text, utf8proc_ssize_t n, utf8proc_int32_t *point);
utf8proc_ssize_t __wrap_utf8proc_iterate(const utf8proc_uint8_t *text, utf8proc_ssize_t n, utf8proc_int32_t *point)
{
    __msan_check_mem_is_initialized(text, n < 0 ? 0 : n > MOST_BYTES ? MOST_BYTES : (size_t)n);
    const utf8proc_ssize_t used = __real_utf8proc_iterate(text, n, point);
    __msan_unpoison(point, sizeof *point);
    return used;
}

utf8proc_ssize_t __real_utf8proc_encode_char(utf8proc_int32_t point, utf8proc_uint8_t *out);
utf8proc_ssize_t __wrap_utf8proc_encode_char(utf8proc_int32_t point, utf8proc_uint8_t *out);
utf8proc_ssize_t __wrap_utf8proc_encode_char(utf8proc_int32_t point, utf8proc_uint8_t *out)
{
    const utf8proc_ssize_t n = __real_utf8proc_encode_char(point, out);
    __msan_unpoison(out, (size_t)n);
    return n;
}

utf8proc_ssize_t __real_utf8proc_decompose(const utf8proc_uint8_t *text, utf8proc_ssize_t n, utf8proc_int32_t *out,
                                           utf8proc_ssize_t room, utf8proc_option_t options);
utf8proc_ssize_t __wrap_utf8proc_decompose(const utf8proc_uint8_t *text, utf8proc_ssize_t n, utf8proc_int32_t *out,
                                           utf8proc_ssize_t room, utf8proc_option_t options);
utf8proc_ssize_t __wrap_utf8proc_decompose(const utf8proc_uint8_t *text, utf8proc_ssize_t n, utf8proc_int32_t *out,
                                           utf8proc_ssize_t room, utf8proc_option_t options)
{
    const utf8proc_ssize_t used = __real_utf8proc_decompose(text, n, out, room, options);
    __msan_unpoison(out, sizeof *out * (size_t)(used < 0 ? 0 : used < room ? used : room));
    return used;
}

/* In place: numbers become bytes and a NUL. */
utf8proc_ssize_t __real_utf8proc_reencode(utf8proc_int32_t *points, utf8proc_ssize_t n, utf8proc_option_t options);
utf8proc_ssize_t __wrap_utf8proc_reencode(utf8proc_int32_t *points, utf8proc_ssize_t n, utf8proc_option_t options);
utf8proc_ssize_t __wrap_utf8proc_reencode(utf8proc_int32_t *points, utf8proc_ssize_t n, utf8proc_option_t options)
{
    const utf8proc_ssize_t n_bytes = __real_utf8proc_reencode(points, n, options);
    __msan_unpoison(points, n_bytes < 0 ? 0 : (size_t)n_bytes + 1);
    return n_bytes;
}

/* ---- word breaks ---- */

#ifdef GIBBOUS_HAS_ICU
/* ICU's names are macros that add its version: they are expanded before CLEAR_STACK_FOR() makes other names of them. */
#define CLEAR_STACK_FOR_ICU(type, name, parameters, arguments) CLEAR_STACK_FOR(type, name, parameters, arguments)
CLEAR_STACK_FOR_ICU(UBreakIterator *, ubrk_open,
                    (UBreakIteratorType kind, const char *locale, const UChar *text, int32_t n, UErrorCode *code),
                    (kind, locale, text, n, code))
CLEAR_STACK_FOR_ICU(int32_t, ubrk_first, (UBreakIterator * iterator), (iterator))
CLEAR_STACK_FOR_ICU(int32_t, ubrk_next, (UBreakIterator * iterator), (iterator))
#endif

/* ---- regular expressions ---- */

pcre2_code *__real_pcre2_compile_8(PCRE2_SPTR pattern, PCRE2_SIZE n, uint32_t options, int *code, PCRE2_SIZE *at,
                                   pcre2_compile_context *context);
pcre2_code *__wrap_pcre2_compile_8(PCRE2_SPTR pattern, PCRE2_SIZE n, uint32_t options, int *code, PCRE2_SIZE *at,
                                   pcre2_compile_context *context);
pcre2_code *__wrap_pcre2_compile_8(PCRE2_SPTR pattern, PCRE2_SIZE n, uint32_t options, int *code, PCRE2_SIZE *at,
                                   pcre2_compile_context *context)
{
    clear_stack(DEPTH);
    pcre2_code *compiled = __real_pcre2_compile_8(pattern, n, options, code, at, context);
    __msan_unpoison(code, sizeof *code);
    __msan_unpoison(at, sizeof *at);
    return compiled;
}

/* It calls us back for every item of a pattern, with a block that lies not far down. */
int __real_pcre2_match_8(const pcre2_code *code, PCRE2_SPTR text, PCRE2_SIZE n, PCRE2_SIZE from, uint32_t options,
                         pcre2_match_data *data, pcre2_match_context *context);
int __wrap_pcre2_match_8(const pcre2_code *code, PCRE2_SPTR text, PCRE2_SIZE n, PCRE2_SIZE from, uint32_t options,
                         pcre2_match_data *data, pcre2_match_context *context);
int __wrap_pcre2_match_8(const pcre2_code *code, PCRE2_SPTR text, PCRE2_SIZE n, PCRE2_SIZE from, uint32_t options,
                         pcre2_match_data *data, pcre2_match_context *context)
{
    enum { NEAR = 8192 };
    clear_stack(NEAR);
    const int found = __real_pcre2_match_8(code, text, n, from, options, data, context);
    clear_stack(NEAR); /* of what our function has left there */
    return found;
}

int __real_pcre2_get_error_message_8(int code, PCRE2_UCHAR *out, PCRE2_SIZE size);
int __wrap_pcre2_get_error_message_8(int code, PCRE2_UCHAR *out, PCRE2_SIZE size);
int __wrap_pcre2_get_error_message_8(int code, PCRE2_UCHAR *out, PCRE2_SIZE size)
{
    const int n = __real_pcre2_get_error_message_8(code, out, size);
    __msan_unpoison(out, n < 0 ? 0 : (size_t)n + 1);
    return n;
}

/* ---- archives ---- */

struct archive;
struct archive_entry;
CLEAR_STACK_FOR(int, archive_read_next_header2, (struct archive * a, struct archive_entry *entry), (a, entry))
CLEAR_STACK_FOR(const char *, archive_entry_pathname_utf8, (struct archive_entry * entry), (entry))
CLEAR_STACK_FOR(const char *, archive_entry_pathname, (struct archive_entry * entry), (entry))
CLEAR_STACK_FOR(int, archive_write_header, (struct archive * a, struct archive_entry *entry), (a, entry))
CLEAR_STACK_FOR(ssize_t, archive_write_data, (struct archive * a, const void *data, size_t n), (a, data, n))
CLEAR_STACK_FOR(int, archive_write_close, (struct archive * a), (a))
CLEAR_STACK_FOR(int, archive_write_free, (struct archive * a), (a))
ssize_t __real_archive_read_data(struct archive *a, void *out, size_t n);
ssize_t __wrap_archive_read_data(struct archive *a, void *out, size_t n);
ssize_t __wrap_archive_read_data(struct archive *a, void *out, size_t n)
{
    clear_stack(DEPTH);
    const ssize_t got = __real_archive_read_data(a, out, n);
    __msan_unpoison(out, got < 0 ? 0 : (size_t)got);
    return got;
}

/* ---- options ---- */

CLEAR_STACK_FOR(int, poptGetNextOpt, (poptContext context), (context))

/* ---- the system ---- */

int __real_getentropy(void *out, size_t n);
int __wrap_getentropy(void *out, size_t n);
int __wrap_getentropy(void *out, size_t n)
{
    const int failed = __real_getentropy(out, n);
    __msan_unpoison(out, n);
    return failed;
}
