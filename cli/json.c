/* cli/json.c - JSON that is complete or not printed. */
#include "json.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The hooks of Jansson take no argument. */
static atomic_bool has_lost;
static _Thread_local jmp_buf *parsing; /* where a parse ends that gets no memory; NULL: there is none */

void cli_json_lose(void)
{
    atomic_store(&has_lost, true);
}

static void *get_memory(size_t n_bytes)
{
    void *block = malloc(n_bytes);
    if (block == NULL && n_bytes > 0) {
        cli_json_lose();
        if (parsing != NULL)
            longjmp(*parsing, 1);
    }
    return block;
}

void cli_json_watch(void)
{
    json_set_alloc_funcs(get_memory, free);
}

gb_status cli_json_check(const json_t *object, gb_error *err)
{
    return object == NULL || atomic_load(&has_lost) ? cli_no_memory("JSON", err) : GB_OK;
}

/* Without memory Jansson's parser may call a good text invalid, leave out some of it, or abort: so it never sees that there is none.  What it
 * has made until then is left, as the command ends. */
gb_status cli_json_parse(const char *text, size_t length, json_t **out, json_error_t *why, gb_error *err)
{
    jmp_buf end;
    *out = NULL;
    if (setjmp(end) != 0) {
        parsing = NULL;
        return cli_no_memory("a JSON text", err);
    }
    parsing = &end;
    *out = json_loadb(text, length, JSON_REJECT_DUPLICATES, why);
    parsing = NULL;
    return *out == NULL ? GB_EFORMAT : GB_OK;
}

json_t *cli_json_of(const char *text)
{
    json_t *value;
    if (cli_json_parse(text, strlen(text), &value, NULL, NULL) != GB_OK)
        cli_json_lose();
    return value;
}

gb_status cli_json_write(const json_t *object, FILE *stream, size_t flags, gb_error *err)
{
    char *text = json_dumps(object, flags);
    gb_status st = text == NULL ? cli_no_memory("JSON", err) : cli_json_check(object, err);
    errno = 0;
    const bool failed = st == GB_OK && (fputs(text, stream) == EOF || fputc('\n', stream) == EOF);
    if (failed && stream == stdout) /* of another the commit tells */
        st = cli_fail(err, GB_EIO, "standard output: cannot write: %s", strerror(errno));
    free(text);
    return st;
}

int cli_digits(double value, double spread)
{
    const double size = fabs(value);
    if (isfinite(spread) && spread > 0 && size > 0)
        return (int)fmin(fmax(9, ceil(log10(size / spread)) + 4), 17);
    return size < 1e6 ? 9 : 15;
}

/* The most digits that one of its numbers needs. */
static int digits_of(const json_t *value)
{
    int digits = json_is_real(value) ? cli_digits(json_real_value(value), (double)NAN) : 0;
    const char *name;
    json_t *inner;
    size_t i;
    json_object_foreach((json_t *)(uintptr_t)value, name, inner)
    {
        const int here = digits_of(inner);
        digits = here > digits ? here : digits;
    }
    json_array_foreach(value, i, inner)
    {
        const int here = digits_of(inner);
        digits = here > digits ? here : digits;
    }
    return digits;
}

gb_status cli_print_json(const json_t *object, gb_error *err)
{
    const size_t digits = (size_t)digits_of(object);
    return cli_json_write(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(digits), err);
}

void cli_json_put_text(FILE *stream, const char *bytes, size_t length)
{
    (void)fputc('"', stream);
    for (size_t i = 0; i < length; i++) {
        const char c = bytes[i];
        static const char special[] = "\"\\\b\f\n\r\t", letter[] = "\"\\bfnrt";
        const char *found = c == '\0' ? NULL : strchr(special, c);
        if (found != NULL)
            (void)fprintf(stream, "\\%c", letter[found - special]);
        else if ((unsigned char)c < 0x20)
            (void)fprintf(stream, "\\u%04X", (unsigned)(unsigned char)c);
        else
            (void)fputc(c, stream);
    }
    (void)fputc('"', stream);
}
