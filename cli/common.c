/* cli/common.c - what the verbs of the command line share. */
#include "common.h"

#include "base/output.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/random.h>

void cli_note(const cli_call *call, const char *format, ...)
{
    if (call->settings->quiet)
        return;
    va_list arguments;
    va_start(arguments, format);
    (void)vfprintf(stderr, format, arguments);
    va_end(arguments);
    (void)fputc('\n', stderr);
}

void cli_note_settings(const cli_call *call)
{
    if (!call->settings->verbose || call->settings->quiet)
        return;
    json_t *object = gb_settings_to_json(call->settings, call->verb->bit);
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        for (size_t i = 0; i < json_array_size(value); i++)
            (void)fprintf(stderr, "%s = %s\n", name, json_string_value(json_array_get(value, i)));
        if (json_is_string(value) && *json_string_value(value) != '\0' && strcmp(name, "config") != 0)
            (void)fprintf(stderr, "%s = %s\n", name, json_string_value(value));
    }
    json_decref(object);
}

gb_status cli_input(gb_status st, gb_error *err)
{
    if (st != GB_EIO)
        return st;
    err->status = GB_EFORMAT;
    return GB_EFORMAT;
}

gb_status cli_check_target(const cli_call *call, const char *path, gb_error *err)
{
    gb_out_file *output = NULL;
    gb_status st = gb_out_file_open(&output, path, call->settings->force, err);
    if (st == GB_OK)
        gb_out_file_discard(output);
    return st;
}

gb_status cli_choose_seed(cli_call *call, gb_error *err)
{
    if (call->settings->seed >= 0)
        return GB_OK;
    uint32_t seed; /* short enough to be typed again */
    if (getentropy(&seed, sizeof seed) != 0)
        return gb_fail(err, GB_EIO, "no seed from the system: %s", strerror(errno));
    char text[16];
    (void)snprintf(text, sizeof text, "%" PRIu32, seed);
    return gb_settings_set(call->settings, "seed", text, err);
}

gb_status cli_read_model(const cli_call *call, gb_model **out, gb_error *err)
{
    if (*call->settings->model == '\0')
        return gb_fail(err, GB_EARGUMENT, "%s needs a model: --model FILE", call->verb->name);
    return cli_input(gb_model_read(call->settings->model, out, err), err);
}

size_t cli_width(const char *text)
{
    size_t n = 0;
    for (; *text != '\0'; text++)
        n += ((unsigned char)*text & 0xC0) != 0x80; /* bytes that do not continue a character */
    return n;
}

const char *cli_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

bool cli_to_stdout(const char *path)
{
    return *path == '\0' || strcmp(path, "-") == 0;
}

gb_status cli_print_json(const json_t *object, gb_error *err)
{
    if (object == NULL)
        return gb_fail_memory(err, 0, "JSON");
    errno = 0;
    if (json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9)) != 0 || fputc('\n', stdout) == EOF)
        return gb_fail(err, GB_EIO, "standard output: cannot write: %s", strerror(errno));
    return GB_OK;
}
