/* cli/help.c - usage, help of a verb, and the option table as JSON, all from options.def. */
#include "json.h"
#include "options.h"
#include "verbs.h"

#include <inttypes.h>
#include <string.h>

enum {
    WIDTH = 80,
    HELP_COLUMN = 29,
    N_EXAMPLES = sizeof((cli_verb *)NULL)->example / sizeof((cli_verb *)NULL)->example[0]
};

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
static void describe_value(const gb_option *o, cli_help which, char *out, size_t size)
{
    char range[300] = "";
    size_t used = 0;
    if (which == CLI_HELP_ALL && (o->kind == GB_OPTION_INT || o->kind == GB_OPTION_REAL))
        (void)snprintf(range, sizeof range, "%s to %s", o->low, o->high);
    for (const char *at = o->choices; *at != '\0' && used + 3 < sizeof range; at++) {
        range[used++] = *at == '|' ? ',' : *at;
        if (*at == '|')
            range[used++] = ' ';
    }
    const bool has_default = *o->default_value != '\0' && o->kind != GB_OPTION_FLAG &&
                             (which == CLI_HELP_ALL || strcmp(o->default_value, "auto") != 0);
    const char *between = *range != '\0' && has_default ? "; " : "";
    out[0] = '\0';
    if (*range != '\0' || has_default)
        (void)snprintf(out, size, " (%s%s%s%s)", range, between, has_default ? "default " : "",
                       has_default ? o->default_value : "");
}

/* Whether a condition is of an option; a fact has dashes for blanks. */
static bool is_of_option(const char *condition)
{
    char name[100];
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(condition, " ,;"), condition);
    return gb_option_find(name) != NULL;
}

/* Add " response hinge or probit" for the conditions of a rule that ask for something. */
static void add_conditions(const char *rule, size_t length, char *out, size_t size)
{
    for (size_t at = 0; at < length;) {
        size_t n = strcspn(rule + at, ",;");
        n = at + n > length ? length - at : n;
        const bool is_fact = !is_of_option(rule + at);
        if (strncmp(rule + at, "not ", 4) != 0)
            for (size_t i = 0; i < n && strlen(out) + 5 < size; i++) {
                const char c = rule[at + i], * or = c == '|' ? " or " : (char[]){is_fact && c == '-' ? ' ' : c, '\0'};
                (void)strcat(out, i == 0 ? (*out == '\0' ? "; needs " : " and ") : "");
                (void)strcat(out, or);
            }
        at += n + strlen(", ");
    }
}

/* What an option needs, as far as it is of that verb and of all values: "; needs response hinge". */
static void describe_needs(const gb_option *o, const cli_verb *verb, char *out, size_t size)
{
    out[0] = '\0';
    for (const char *rule = o->needs; *rule != '\0';) {
        const size_t n = strcspn(rule, ";");
        const char *colon = memchr(rule, ':', n), *end = rule + n;
        const char *verb_at = colon == NULL ? NULL : strstr(rule, verb->name);
        if (colon == NULL)
            add_conditions(rule, n, out, size);
        else if (strncmp(rule, "in ", 3) == 0 && verb_at != NULL && verb_at < colon)
            add_conditions(colon + 2, (size_t)(end - colon - 2), out, size);
        rule = end + (*end == ';' ? strlen("; ") : 0);
    }
}

static void print_option(FILE *stream, const gb_option *o, const cli_verb *verb, cli_help which)
{
    char name[200], value[600], needs[400], text[1600];
    char letter[] = {' ', ' ', ' ', ' ', '\0'};
    const size_t n = which == CLI_HELP_ALL ? strlen(o->help) : strcspn(o->help, ";"); /* the first clause */
    if (o->letter != 0)
        memcpy(letter, (char[]){'-', o->letter, ',', ' '}, 4);
    const int at = snprintf(name, sizeof name, "  %s--%s%s%s%s", letter, o->kind == GB_OPTION_SWITCH ? "[no-]" : "",
                            o->name, *o->argument != '\0' ? " " : "", o->argument);
    describe_value(o, which, value, sizeof value);
    describe_needs(o, verb, needs, sizeof needs);
    (void)snprintf(text, sizeof text, "%.*s%s%s", (int)n, o->help, value, needs);
    (void)fputs(name, stream);
    print_wrapped(stream, text, (size_t)at, HELP_COLUMN);
}

/* Who asks seldom trains: options of a training are in the longer help. */
static bool is_shown(const gb_option *option, const cli_verb *verb, cli_help which)
{
    const bool trains = (cli_verbs_of(option) & (CLI_TRAIN | CLI_PREDICT)) == CLI_TRAIN;
    return cli_takes(verb, option) &&
           (which != CLI_HELP_COMMON || (cli_is_common(option) && !(trains && verb->bit == CLI_ASK)));
}

static void print_group(FILE *stream, gb_option_group group, const cli_verb *verb, cli_help which)
{
    const gb_option *option;
    bool begun = false;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++) {
        if (option->group != group || !is_shown(option, verb, which))
            continue;
        if (!begun)
            (void)fprintf(stream, "\n%s:\n", gb_option_group_name(group));
        begun = true;
        print_option(stream, option, verb, which);
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
        {"4", "with --strict: there is a finding", CLI_DIAGNOSE},
        {"75", "stopped, with what is needed to go on (--resume or --results)", CLI_TRAIN | CLI_SELECT},
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

static void print_examples(FILE *stream, const cli_verb *verb)
{
    (void)fputs("\nExamples:\n", stream);
    for (size_t i = 0; i < N_EXAMPLES && verb->example[i].command != NULL; i++) {
        if (*verb->example[i].what != '\0')
            (void)fprintf(stream, "  %s:\n  ", verb->example[i].what);
        (void)fprintf(stream, "  %s\n", verb->example[i].command);
    }
}

static uint64_t count_options(const cli_verb *verb)
{
    uint64_t n = 0;
    const gb_option *option;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++)
        n += cli_takes(verb, option) ? 1 : 0;
    return n;
}

void cli_print_help(FILE *stream, const cli_verb *verb, cli_help which)
{
    (void)fprintf(stream, "gibbous %s: %s\n\nUsage: gibbous %s %s [OPTION]...\n", verb->name, verb->help, verb->name,
                  verb->arguments);
    print_examples(stream, verb);
    for (int g = 0; *gb_option_group_name((gb_option_group)g) != '\0'; g++)
        print_group(stream, (gb_option_group)g, verb, which);
    if (which == CLI_HELP_ALL)
        print_exit_statuses(stream, verb->bit);
    else
        (void)fprintf(stream, "\ngibbous %s --help-all shows all %" PRIu64 " options, and the exit statuses.\n",
                      verb->name, count_options(verb));
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
                "MALLET, fastText, svmlight, VW, UCI, lda-c, Matrix Market or SciPy counts, a\n"
                "folder of texts or a corpus file, compressed or not.\n"
                "Results go to standard output or to --output, messages to standard error.\n"
                "\n  gibbous VERB --help   show what a verb needs most, with examples\n"
                "  gibbous VERB --help-all   show all options of a verb\n"
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
    return json_pack("{s:s, s:s#, s:s, s:s, s:s, s:s, s:o, s:s, s:s, s:s, s:o, s:b, s:s}", "name", o->name, "letter",
                     &o->letter, o->letter != 0 ? 1 : 0, "kind", gb_option_kind_name(o->kind), "default",
                     o->default_value, "low", o->low, "high", o->high, "choices", choices_to_json(o), "argument",
                     o->argument, "group", gb_option_group_name(o->group), "needs", o->needs, "verbs",
                     verbs_to_json(cli_verbs_of(o)), "common", cli_is_common(o), "help", o->help);
}

static json_t *examples_to_json(const cli_verb *verb)
{
    json_t *list = json_array();
    for (size_t i = 0; i < N_EXAMPLES && verb->example[i].command != NULL; i++)
        (void)json_array_append_new(list, json_string(verb->example[i].command));
    return list;
}

gb_status cli_dump_options(FILE *stream, gb_error *err)
{
    size_t n_verbs;
    const cli_verb *verb = cli_verb_table(&n_verbs);
    const gb_option *option;
    json_t *verbs = json_array(), *options = json_array();
    for (size_t i = 0; i < n_verbs; i++)
        (void)json_array_append_new(verbs, json_pack("{s:s, s:s, s:s, s:o}", "name", verb[i].name, "arguments",
                                                     verb[i].arguments, "help", verb[i].help, "examples",
                                                     examples_to_json(&verb[i])));
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++)
        (void)json_array_append_new(options, option_to_json(option));
    json_t *all = json_pack("{s:s, s:o, s:o}", "version", gb_version(), "verbs", verbs, "options", options);
    const gb_status st = cli_json_write(all, stream, JSON_INDENT(1), err);
    json_decref(all);
    return st;
}
