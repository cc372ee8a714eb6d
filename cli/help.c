/* cli/help.c - usage, help of a verb, and the option table as JSON, all from options.def. */
#include "json.h"
#include "options.h"

#include <string.h>

enum { WIDTH = 80, HELP_COLUMN = 29 };

#define ALL_VERBS UINT32_MAX

/* ---- help ------------------------------------------------------------------------------------------ */

/* Print words from `column` on, wrapped at WIDTH; the cursor stands at `at`. */
static void print_wrapped(FILE *stream, const char *text, size_t at, size_t column)
{
    if (at + 2 > column) { /* no room beside the option */
        (void)fputc('\n', stream);
        at = 0;
    }
    (void)fprintf(stream, "%*s", (int)(column - at), "");
    at = column;
    for (const char *word = text; *word != '\0';) {
        size_t length = strcspn(word, " ");
        if (at > column && at + 1 + length > WIDTH) {
            (void)fprintf(stream, "\n%*s", (int)column, "");
            at = column;
        } else if (at > column) {
            (void)fputc(' ', stream);
            at++;
        }
        (void)fwrite(word, 1, length, stream);
        at += length;
        word += length + (word[length] == ' ');
    }
    (void)fputc('\n', stream);
}

/* "(2 to 65535; default 50)", "(dirichlet, uniform; default dirichlet)", "" when there is nothing to say. */
static void describe_value(const gb_option *o, char *out, size_t size)
{
    char range[300] = "";
    size_t used = 0;
    if (o->kind == GB_OPTION_INT || o->kind == GB_OPTION_REAL)
        (void)snprintf(range, sizeof range, "%s to %s", o->low, o->high);
    for (const char *at = o->choices; *at != '\0' && used + 3 < sizeof range; at++) {
        range[used++] = *at == '|' ? ',' : *at;
        if (*at == '|')
            range[used++] = ' ';
    }
    bool has_default = *o->default_value != '\0' && o->kind != GB_OPTION_FLAG;
    const char *between = *range != '\0' && has_default ? "; " : "";
    out[0] = '\0';
    if (*range != '\0' || has_default)
        (void)snprintf(out, size, " (%s%s%s%s)", range, between, has_default ? "default " : "",
                       has_default ? o->default_value : "");
}

static void print_option(FILE *stream, const gb_option *o)
{
    char name[200], value[600], text[1200];
    char letter[] = {' ', ' ', ' ', ' ', '\0'};
    if (o->letter != 0)
        memcpy(letter, (char[]){'-', o->letter, ',', ' '}, 4);
    int at = snprintf(name, sizeof name, "  %s--%s%s%s%s", letter, o->kind == GB_OPTION_SWITCH ? "[no-]" : "",
                      o->name, *o->argument != '\0' ? " " : "", o->argument);
    describe_value(o, value, sizeof value);
    (void)snprintf(text, sizeof text, "%s%s", o->help, value);
    (void)fputs(name, stream);
    print_wrapped(stream, text, (size_t)at, HELP_COLUMN);
}

static void print_group(FILE *stream, gb_option_group group, uint32_t verb)
{
    const gb_option *option;
    bool begun = false;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++) {
        if (option->group != group || (option->verbs & verb) == 0)
            continue;
        if (!begun)
            (void)fprintf(stream, "\n%s:\n", gb_option_group_name(group));
        begun = true;
        print_option(stream, option);
    }
}

/* Of one verb, or of all. */
static void print_exit_statuses(FILE *stream, uint32_t verbs)
{
    static const struct {
        const char *status, *meaning;
        uint32_t verbs;
    } line[] = {
        {"0", "done", ALL_VERBS},
        {"1", "failed while running", ALL_VERBS},
        {"2", "wrong use: an unknown option, a bad value, an output that exists", ALL_VERBS},
        {"3", "bad data: the message names file and line", ALL_VERBS},
        {"4", "with --strict: there is a finding", GB_VERB_DIAGNOSE},
        {"75", "stopped, with what is needed to go on (--resume or --results)", GB_VERB_TRAIN | GB_VERB_SELECT},
        {"129", "stopped by SIGHUP: the terminal was closed", ALL_VERBS},
        {"130, 143", "stopped by SIGINT (Ctrl-C) or SIGTERM", ALL_VERBS},
        {"141", "nobody reads its standard output any more", ALL_VERBS},
        {"152", "stopped by SIGXCPU: the limit of processor time", ALL_VERBS},
    };
    (void)fputs("\nExit status:\n", stream);
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++)
        if ((line[i].verbs & verbs) != 0)
            (void)fprintf(stream, "  %-10s %s\n", line[i].status, line[i].meaning);
}

void cli_print_help(FILE *stream, const cli_verb *verb)
{
    (void)fprintf(stream, "gibbous %s: %s\n\nExamples:\n  %s\n  %s\n\nUsage: gibbous %s %s [OPTION]...\n", verb->name,
                  verb->help, verb->example[0], verb->example[1], verb->name, verb->arguments);
    for (int g = 0; *gb_option_group_name((gb_option_group)g) != '\0'; g++)
        print_group(stream, (gb_option_group)g, verb->bit);
    (void)fputs("  -h, --help", stream);
    print_wrapped(stream, "show this text", strlen("  -h, --help"), HELP_COLUMN);
    print_exit_statuses(stream, verb->bit);
}

void cli_print_usage(FILE *stream)
{
    size_t n_verbs;
    const cli_verb *verb = cli_verb_table(&n_verbs);
    (void)fprintf(stream, "gibbous %s: supervised topic models\n\nUsage: gibbous VERB [INPUT] [OPTION]...\n\n",
                  gb_version());
    for (size_t i = 0; i < n_verbs; i++)
        (void)fprintf(stream, "  %-10s %s\n", verb[i].name, verb[i].help);
    (void)fputs("\nINPUT is a file, a folder, or - for standard input: JSON Lines, CSV, TSV,\n"
                "MALLET, fastText, svmlight, UCI, lda-c, Matrix Market or SciPy counts, a folder\n"
                "of texts or a corpus file, compressed or not.\n"
                "Results go to standard output or to --output, messages to standard error.\n"
                "\n  gibbous VERB --help   show the options of a verb, with examples\n"
                "  gibbous --version     show the version\n",
                stream);
    print_exit_statuses(stream, ALL_VERBS);
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static json_t *verbs_to_json(uint32_t bits)
{
    size_t n_verbs;
    const cli_verb *verb = cli_verb_table(&n_verbs);
    json_t *names = json_array();
    for (size_t i = 0; i < n_verbs; i++)
        if ((bits & verb[i].bit) != 0)
            (void)json_array_append_new(names, json_string(verb[i].name));
    return names;
}

static json_t *choices_to_json(const gb_option *o)
{
    json_t *choices = json_array();
    for (const char *at = o->choices; *at != '\0';) {
        size_t n = strcspn(at, "|");
        (void)json_array_append_new(choices, json_stringn(at, n));
        at += n + (at[n] == '|');
    }
    return choices;
}

static json_t *option_to_json(const gb_option *o)
{
    return json_pack("{s:s, s:s#, s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:o, s:s}", "name", o->name, "letter",
                     &o->letter, o->letter != 0 ? 1 : 0, "kind", gb_option_kind_name(o->kind), "default",
                     o->default_value, "low", o->low, "high", o->high, "choices", choices_to_json(o), "argument",
                     o->argument, "group", gb_option_group_name(o->group), "verbs", verbs_to_json(o->verbs), "help",
                     o->help);
}

gb_status cli_dump_options(FILE *stream, gb_error *err)
{
    size_t n_verbs;
    const cli_verb *verb = cli_verb_table(&n_verbs);
    const gb_option *option;
    json_t *verbs = json_array(), *options = json_array();
    for (size_t i = 0; i < n_verbs; i++)
        (void)json_array_append_new(verbs, json_pack("{s:s, s:s, s:s, s:[s, s]}", "name", verb[i].name, "arguments",
                                                     verb[i].arguments, "help", verb[i].help, "examples",
                                                     verb[i].example[0], verb[i].example[1]));
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++)
        (void)json_array_append_new(options, option_to_json(option));
    json_t *all = json_pack("{s:s, s:o, s:o}", "version", gb_version(), "verbs", verbs, "options", options);
    const gb_status st = cli_json_write(all, stream, JSON_INDENT(1), err);
    json_decref(all);
    return st;
}
