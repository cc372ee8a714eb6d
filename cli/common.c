/* cli/common.c - what the verbs of the command line share. */
#include "common.h"
#include "progress.h"
#include "verbs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- settings -------------------------------------------------------------------------------------- */

const char *cli_text(const cli_call *call, const char *name)
{
    return gb_settings_get(call->settings, name, 0);
}

int64_t cli_int(const cli_call *call, const char *name)
{
    return strtoll(cli_text(call, name), NULL, 10);
}

double cli_real(const cli_call *call, const char *name)
{
    return strtod(cli_text(call, name), NULL);
}

bool cli_flag(const cli_call *call, const char *name)
{
    return strcmp(cli_text(call, name), "yes") == 0;
}

bool cli_is_set(const cli_call *call, const char *name)
{
    return gb_settings_is_set(call->settings, name);
}

uint64_t cli_count(const cli_call *call, const char *name)
{
    return gb_settings_n_values(call->settings, name);
}

const char *cli_item(const cli_call *call, const char *name, uint64_t index)
{
    return gb_settings_get(call->settings, name, index);
}

/* ---- documents ------------------------------------------------------------------------------------- */

cli_view cli_id(const gb_corpus *docs, uint64_t d)
{
    cli_view id;
    id.bytes = gb_corpus_id(docs, d, &id.length);
    return id;
}

/* ---- notes ----------------------------------------------------------------------------------------- */

void cli_note(const cli_call *call, const char *format, ...)
{
    if (cli_flag(call, "quiet"))
        return;
    char line[2000];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    (void)fprintf(stderr, "%s\n", gb_text_clean(line));
}

/* The length of an option's name, if one stands between backquotes at the beginning of the text, as a word of its own; else 0. */
static size_t quoted_option(const char *text)
{
    char name[40];
    const size_t length = strcspn(text + 1, "`");
    if (text[length + 1] == '\0' || length == 0 || length >= sizeof name ||
        strchr(" ,;:?)", text[length + 2]) == NULL)
        return 0;
    memcpy(name, text + 1, length);
    name[length] = '\0';
    return gb_option_find(name) == NULL ? 0 : length;
}

/* The length of a text in double quotes, which is the user's, at the beginning of the text; else 0.  A quote inside it does not
 * end it. */
static size_t quoted_text(const char *text)
{
    for (const char *end = strchr(text + 1, '"'); end != NULL; end = strchr(end + 1, '"'))
        if (strchr(" ,;:?)", end[1]) != NULL)
            return (size_t)(end - text) + 1;
    return 0;
}

char *cli_add_dashes(char *message)
{
    for (char *at = message; *at != '\0';) {
        const bool begins = at == message || strchr(" (", at[-1]) != NULL;
        const size_t quoted = begins && *at == '"' ? quoted_text(at) : 0;
        const size_t length = begins && *at == '`' ? quoted_option(at) : 0;
        if (length > 0) {
            memmove(at + 2, at + 1, length);
            memcpy(at, "--", 2);
        }
        at += quoted > 0 ? quoted : length > 0 ? length + 2 : 1;
    }
    return message;
}

void cli_note_settings(const cli_call *call)
{
    if (!cli_flag(call, "verbose") || cli_flag(call, "quiet"))
        return;
    const gb_option *option;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++) {
        if (!cli_takes(call->verb, option) || strcmp(option->name, "config") == 0)
            continue;
        for (uint64_t j = 0; j < cli_count(call, option->name); j++)
            if (*cli_item(call, option->name, j) != '\0')
                (void)fprintf(stderr, "%s = %s\n", option->name, cli_item(call, option->name, j));
    }
}

static const int of_machine[] = {EMFILE, ENFILE, EIO};
enum { N_OF_MACHINE = sizeof of_machine / sizeof *of_machine };

bool cli_is_of_machine(int number)
{
    for (size_t i = 0; i < N_OF_MACHINE; i++)
        if (of_machine[i] == number)
            return true;
    return false;
}

/* Whether a message ends with the reason of that error. */
static bool gives_reason(const char *message, int number)
{
    const char *reason = strerror(number);
    const size_t n = strlen(message), length = strlen(reason);
    return n > length + 2 && memcmp(message + n - length - 2, ": ", 2) == 0 &&
           strcmp(message + n - length, reason) == 0;
}

/* The library says only in words why it could not read. */
gb_status cli_input(gb_status st, gb_error *err)
{
    if (st != GB_EIO)
        return st;
    for (size_t i = 0; i < N_OF_MACHINE; i++)
        if (gives_reason(err->message, of_machine[i]))
            return st;
    err->status = GB_EFORMAT;
    return GB_EFORMAT;
}

/* Not opened: a pipe's reader would take what follows for its end, and a tape would be wound. */
static gb_status check_device(const char *path, const struct stat *info, gb_error *err)
{
    const int error = S_ISSOCK(info->st_mode) ? ENXIO : access(path, W_OK) != 0 ? errno : 0;
    return error == 0 ? GB_OK : cli_fail(err, GB_EIO, "%s: cannot write: %s", path, strerror(error));
}

gb_status cli_check_target(const cli_call *call, const char *path, gb_error *err)
{
    gb_out_file *output = NULL;
    struct stat info;
    gb_status st;
    if (!cli_to_stdout(path) && stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode))
        return check_device(path, &info, err);
    st = gb_out_file_open(&output, path, cli_flag(call, "force"), err);
    if (st == GB_OK)
        gb_out_file_discard(output);
    return st;
}

gb_status cli_check_output_file(const cli_call *call, gb_error *err)
{
    const char *output = cli_text(call, "output");
    return cli_to_stdout(output)
               ? cli_fail(err, GB_EARGUMENT, "%s needs a file to write: --output FILE", call->verb->name)
               : cli_check_target(call, output, err);
}

gb_status cli_check_format(const cli_call *call, gb_error *err)
{
    const char *output = cli_text(call, "output");
    if (!cli_to_stdout(output))
        return cli_check_target(call, output, err);
    return cli_is_set(call, "to") && strcmp(cli_text(call, "to"), "auto") != 0
               ? GB_OK
               : cli_fail(err, GB_EARGUMENT, "%s needs a format, --to, or a file whose name tells it, --output FILE",
                          call->verb->name);
}

/* ---- ranks ---- */

gb_status cli_share_signals(const cli_call *call, bool *stops, gb_error *err)
{
    *stops = false;
    for (size_t r = 0; r < gb_team_size(call->team); r++) {
        int number = cli_stop_signal();
        const gb_status st = gb_team_broadcast(call->team, r, &number, sizeof number, err);
        if (st != GB_OK)
            return st;
        if (number != 0)
            cli_stopped_elsewhere(number);
        *stops |= number != 0;
    }
    return GB_OK;
}

gb_status cli_agree_to_stop(const cli_call *call, gb_status st, gb_error *err)
{
    gb_status shared;
    bool any = false, has_signal;
    if (st != GB_OK && st != GB_ESTOP)
        return st;
    for (size_t r = 0; r < gb_team_size(call->team); r++) {
        bool stops = st == GB_ESTOP;
        shared = gb_team_broadcast(call->team, r, &stops, sizeof stops, err);
        if (shared != GB_OK)
            return shared;
        any |= stops;
    }
    if (!any)
        return st;
    shared = cli_share_signals(call, &has_signal, err);
    if (shared != GB_OK)
        return shared;
    return st == GB_ESTOP ? st : cli_fail(err, GB_ESTOP, "stopped");
}

gb_status cli_choose_seed(cli_call *call, gb_error *err)
{
    if (strcmp(cli_text(call, "seed"), "auto") != 0)
        return GB_OK;
    uint32_t seed; /* short enough to be typed again */
    if (getentropy(&seed, sizeof seed) != 0)
        return cli_fail(err, GB_EIO, "cannot get a seed from the system: %s", strerror(errno));
    const gb_status st = gb_team_broadcast(call->team, 0, &seed, sizeof seed, err);
    if (st != GB_OK)
        return st;
    char text[16];
    (void)snprintf(text, sizeof text, "%" PRIu32, seed);
    return gb_settings_set(call->settings, "seed", text, err);
}

/* A config file may have options of other verbs, so what it names in vain is not worth a note. */
static gb_status check_settings(const cli_call *call, const gb_model *model, gb_error *err)
{
    const uint32_t score = CLI_PREDICT | CLI_INFER, predict = CLI_EXPLAIN | CLI_EXPORT;
    const gb_use use = (call->verb->bit & score) != 0         ? GB_USE_SCORE
                       : (call->verb->bit & predict) != 0     ? GB_USE_PREDICT
                       : (call->verb->bit & CLI_EFFECTS) != 0 ? GB_USE_ESTIMATE
                                                              : GB_USE_EVALUATE;
    const char *note = "";
    char shown[300];
    if (use == GB_USE_ESTIMATE && call->n_arguments == 0)
        return GB_OK;
    const gb_status st = gb_model_check_settings(model, call->settings, use, &note, err);
    (void)snprintf(shown, sizeof shown, "%s", note);
    if (st == GB_OK && *note != '\0' && *cli_text(call, "config") == '\0' && (call->verb->bit & CLI_REPORT) == 0)
        cli_note(call, "%s", cli_add_dashes(shown));
    return st;
}

gb_status cli_read_model(const cli_call *call, gb_model **out, gb_error *err)
{
    if (*cli_text(call, "model") == '\0')
        return cli_fail(err, GB_EARGUMENT, "%s needs a model: --model FILE", call->verb->name);
    gb_model *model = NULL;
    const gb_status read = gb_model_read(cli_text(call, "model"), cli_on_file, NULL, &model, err);
    gb_status st = cli_agree_to_stop(call, cli_input(read, err), err);
    if (st == GB_OK && cli_takes(call->verb, gb_option_find("chain")) && strcmp(cli_text(call, "chain"), "auto") != 0)
        st = gb_model_choose_chain(model, (uint64_t)cli_int(call, "chain") - 1, err);
    if (st == GB_OK)
        st = check_settings(call, model, err);
    if (st == GB_OK)
        *out = model;
    else
        gb_model_free(model);
    return st;
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

const char *cli_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool cli_to_stdout(const char *path)
{
    return *path == '\0' || strcmp(path, "-") == 0;
}

const char *cli_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}
