/* cli/options.c - the arguments of a verb.  popt finds options and values; what a value means is decided by
 * gb_settings_set() alone. */
#include "options.h"
#include "verbs.h"

#include <popt.h>
#include <stdlib.h>
#include <string.h>

/* What popt returns for an option: its number in the table plus one of these. */
enum { VAL_HELP = 1, VAL_HELP_ALL, VAL_GIVEN = 1000, VAL_NEGATED = 2000 };

typedef struct parser {
    const cli_verb *verb;
    struct poptOption *popt; /* ended by a row of zeros */
    char **negated;          /* "no-x", one per switch, NULL-terminated */
    bool *given;             /* by option: the command line has it */
    poptContext context;
} parser;

/* ---- the rows for popt ----------------------------------------------------------------------------- */

/* The option that popt means by that value. */
static const gb_option *option_of(int val)
{
    return gb_option_at((uint64_t)(val >= VAL_NEGATED ? val - VAL_NEGATED : val - VAL_GIVEN));
}

static bool takes_value(const gb_option *option)
{
    return option->kind != GB_OPTION_FLAG && option->kind != GB_OPTION_SWITCH;
}

static gb_status add_negated(parser *p, uint64_t option, size_t n_negated, struct poptOption *row, gb_error *err)
{
    char name[100];
    (void)snprintf(name, sizeof name, "no-%s", gb_option_at(option)->name);
    gb_status st = cli_copy_text(&p->negated[n_negated], name, strlen(name), err);
    if (st == GB_OK)
        *row = (struct poptOption){
            .longName = p->negated[n_negated], .argInfo = POPT_ARG_NONE, .val = VAL_NEGATED + (int)option};
    return st;
}

static gb_status make_rows(parser *p, gb_error *err)
{
    gb_status st;
    size_t n = 0, n_negated = 0;
    const gb_option *o;
    CLI_TRY(cli_alloc(&p->popt, 2 * cli_n_options() + 3, sizeof *p->popt, "the option table", err));
    CLI_TRY(cli_alloc(&p->negated, cli_n_options() + 1, sizeof *p->negated, "the option table", err));
    CLI_TRY(cli_alloc(&p->given, cli_n_options(), sizeof *p->given, "the option table", err));
    p->popt[n++] = (struct poptOption){.longName = "help", .shortName = 'h', .val = VAL_HELP};
    p->popt[n++] = (struct poptOption){.longName = "help-all", .val = VAL_HELP_ALL};
    for (uint64_t i = 0; (o = gb_option_at(i)) != NULL; i++) {
        if (!cli_takes(p->verb, o))
            continue;
        p->popt[n++] = (struct poptOption){.longName = o->name,
                                           .shortName = o->letter,
                                           .argInfo = takes_value(o) ? POPT_ARG_STRING : POPT_ARG_NONE,
                                           .val = VAL_GIVEN + (int)i};
        if (o->kind == GB_OPTION_SWITCH)
            CLI_TRY(add_negated(p, i, n_negated++, &p->popt[n++], err));
    }
done:
    return st;
}

static void parser_free(parser *p)
{
    for (size_t i = 0; p->negated != NULL && p->negated[i] != NULL; i++)
        gb_free(p->negated[i]);
    gb_free(p->negated);
    gb_free(p->given);
    gb_free(p->popt);
    if (p->context != NULL)
        (void)poptFreeContext(p->context);
}

/* ---- messages -------------------------------------------------------------------------------------- */

void cli_verb_names(uint32_t verbs, char *out, size_t size)
{
    size_t n_verbs, n_named = 0, n_wanted = 0, used = 0;
    const cli_verb *verb = cli_verb_table(&n_verbs);
    for (size_t i = 0; i < n_verbs; i++)
        n_wanted += (verbs & verb[i].bit) != 0;
    out[0] = '\0';
    for (size_t i = 0; i < n_verbs && used < size; i++) {
        if ((verbs & verb[i].bit) == 0)
            continue;
        const char *comma = n_named == 0 ? "" : n_named + 1 == n_wanted ? " and " : ", ";
        used += (size_t)snprintf(out + used, size - used, "%s%s", comma, verb[i].name);
        n_named++;
    }
}

/* The part of a quoted text between the quotation marks: names of options are shown bare. */
static const char *bare(const char *text, size_t length, char out[static GB_QUOTE_SIZE])
{
    gb_text_quote(text, length, out);
    out[strlen(out) - 1] = '\0';
    return out + 1;
}

static gb_status mistyped(const parser *p, const char *name, gb_error *err)
{
    enum { MANY = 200 };
    const char *names[MANY];
    char shown[GB_QUOTE_SIZE];
    size_t n = 0;
    for (const struct poptOption *row = p->popt; row->longName != NULL && n < MANY; row++)
        names[n++] = row->longName;
    const char *nearest = gb_text_nearest(name, n, names);
    const char *typed = bare(name, strlen(name), shown);
    if (nearest == NULL)
        return cli_fail(err, GB_EARGUMENT, "no option --%s; gibbous %s --help-all lists them", typed, p->verb->name);
    return cli_fail(err, GB_EARGUMENT, "no option --%s; did you mean --%s?", typed, nearest);
}

static gb_status of_other_verbs(const parser *p, const char *dashes, const char *name, uint32_t verbs, gb_error *err)
{
    char names[200];
    cli_verb_names(verbs, names, sizeof names);
    return cli_fail(err, GB_EARGUMENT, "%s%s is not an option of %s, but of %s", dashes, name, p->verb->name, names);
}

/* A long option that popt does not know: another verb's, or mistyped. */
static gb_status unknown_long(const parser *p, const char *name, size_t length, gb_error *err)
{
    char *copy = NULL;
    gb_status st = cli_copy_text(&copy, name, length, err);
    if (st != GB_OK)
        return st;
    const gb_option *option = gb_option_find(copy);
    if (option == NULL && strncmp(copy, "no-", 3) == 0)
        option = gb_option_find(copy + 3);
    if (option != NULL && !cli_takes(p->verb, option))
        st = of_other_verbs(p, "--", copy, cli_verbs_of(option), err);
    else
        st = mistyped(p, copy, err);
    gb_free(copy);
    return st;
}

static const struct poptOption *find_letter(const parser *p, char letter)
{
    for (const struct poptOption *row = p->popt; row->longName != NULL; row++)
        if (row->shortName == letter)
            return row;
    return NULL;
}

/* A group of letters such as -qz: popt tells the group, the first unknown letter is found here. */
static gb_status unknown_letter(const parser *p, const char *letters, gb_error *err)
{
    char shown[GB_QUOTE_SIZE];
    while (find_letter(p, *letters) != NULL && letters[1] != '\0')
        letters++;
    const gb_option *option;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++)
        if (option->letter == *letters)
            return of_other_verbs(p, "-", (char[]){*letters, '\0'}, cli_verbs_of(option), err);
    return cli_fail(err, GB_EARGUMENT, "no option -%s; gibbous %s --help-all lists them",
                    bare(letters, (unsigned char)*letters < 0x80 ? 1 : strlen(letters), shown), p->verb->name);
}

/* The row that an argument such as --topics or -k names. */
static const struct poptOption *find_row(const parser *p, const char *word)
{
    if (strncmp(word, "--", 2) != 0)
        return find_letter(p, word[strlen(word) - 1]); /* the last of a group is the one that wants a value */
    size_t length = strcspn(word + 2, "=");
    for (const struct poptOption *row = p->popt; row->longName != NULL; row++)
        if (strncmp(row->longName, word + 2, length) == 0 && row->longName[length] == '\0')
            return row;
    return NULL;
}

static gb_status takes_no_value(const struct poptOption *row, gb_error *err)
{
    bool is_switch = row->val >= VAL_GIVEN && row->val < VAL_NEGATED && option_of(row->val)->kind == GB_OPTION_SWITCH;
    return cli_fail(err, GB_EARGUMENT, "--%s takes no value%s%s%s", row->longName, is_switch ? "; --no-" : "",
                    is_switch ? row->longName : "", is_switch ? " is its opposite" : "");
}

static gb_status explain(const parser *p, int code, gb_error *err)
{
    const char *word = poptBadOption(p->context, POPT_BADOPTION_NOALIAS);
    const struct poptOption *row = find_row(p, word);
    if (code == POPT_ERROR_BADOPT && strncmp(word, "--", 2) == 0)
        return unknown_long(p, word + 2, strcspn(word + 2, "="), err);
    if (code == POPT_ERROR_BADOPT)
        return unknown_letter(p, word + 1, err);
    if (code == POPT_ERROR_NOARG && row != NULL)
        return cli_fail(err, GB_EARGUMENT, "--%s needs a value: --%s %s", row->longName, row->longName,
                        option_of(row->val)->argument);
    if (row != NULL)
        return takes_no_value(row, err);
    char shown[GB_QUOTE_SIZE];
    gb_text_quote(word, strlen(word), shown);
    return cli_fail(err, GB_EARGUMENT, "%s: %s", shown, poptStrerror(code));
}

/* ---- parsing --------------------------------------------------------------------------------------- */

/* A second value would win silently; a list takes any number of them. */
static gb_status check_first(parser *p, int val, gb_error *err)
{
    const gb_option *option = option_of(val);
    bool *given = &p->given[(val - VAL_GIVEN) % (VAL_NEGATED - VAL_GIVEN)];
    if (*given && option->kind != GB_OPTION_LIST)
        return cli_fail(err, GB_EARGUMENT, "--%s is given twice", option->name);
    *given = true;
    return GB_OK;
}

static cli_set_value *setter_of(const cli_verb *verb)
{
    return (verb->bit & (CLI_SELECT | CLI_ASK)) != 0 ? gb_selection_set : gb_settings_set;
}

static gb_status take_option(parser *p, int val, gb_settings *settings, gb_error *err)
{
    const gb_option *option = option_of(val);
    gb_status st = check_first(p, val, err);
    if (st != GB_OK)
        return st;
    if (val >= VAL_NEGATED)
        return gb_settings_set(settings, option->name, "no", err);
    if (!takes_value(option))
        return gb_settings_set(settings, option->name, "yes", err);
    char *value = poptGetOptArg(p->context);
    if (value == NULL) /* popt has looked whether there is one */
        return cli_no_memory("the arguments", err);
    st = setter_of(p->verb)(settings, option->name, value, err);
    free(value);
    return st;
}

/* Arguments that are neither options nor their values; a value may look like an option that wants one, and then it is too few. */
static size_t count_arguments(const parser *p, int argc, char **argv)
{
    size_t n = 0;
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (strcmp(word, "--") == 0)
            return n + (size_t)(argc - 1 - i);
        const bool is_option = word[0] == '-' && word[1] != '\0';
        const struct poptOption *row = is_option && strchr(word, '=') == NULL ? find_row(p, word) : NULL;
        n += !is_option;
        i += row != NULL && row->argInfo == POPT_ARG_STRING;
    }
    return n;
}

/* The texts belong to popt, so they are copied.  Without memory for them popt drops them and says nothing. */
static gb_status take_arguments(const parser *p, int argc, char **argv, cli_call *call, gb_error *err)
{
    const char **rest = poptGetArgs(p->context);
    size_t n = 0;
    while (rest != NULL && rest[n] != NULL)
        n++;
    if (n < count_arguments(p, argc, argv))
        return cli_no_memory("the arguments", err);
    gb_status st;
    CLI_TRY(cli_alloc(&call->argument, n + 1, sizeof *call->argument, "the arguments", err));
    for (; call->n_arguments < n; call->n_arguments++) {
        const char *text = rest[call->n_arguments];
        CLI_TRY(cli_copy_text(&call->argument[call->n_arguments], text, strlen(text), err));
    }
done:
    return st;
}

static gb_status check_arguments(const cli_call *call, gb_error *err)
{
    const cli_verb *verb = call->verb;
    if (call->n_arguments < verb->min_arguments)
        return cli_fail(err, GB_EARGUMENT, "%s needs %.*s: gibbous %s %s", verb->name,
                        (int)strcspn(verb->arguments, " "), verb->arguments, verb->name, verb->arguments);
    if (call->n_arguments > verb->max_arguments) {
        char shown[GB_QUOTE_SIZE];
        const char *first = call->argument[verb->max_arguments];
        gb_text_quote(first, strlen(first), shown);
        return cli_fail(err, GB_EARGUMENT, "one argument too many, %s: gibbous %s %s", shown, verb->name,
                        verb->arguments);
    }
    return GB_OK;
}

/* ---- what goes together ------------------------------------------------------------------------------- */

/* What the command line gives must go together; a config file may have options of other verbs. */
static gb_status check_needs(const parser *p, const cli_call *call, gb_error *err)
{
    const bool has_model = *cli_text(call, "model") != '\0', has_argument = call->n_arguments > 0;
    const gb_fact facts[] = {{"MODEL", has_argument ? "yes" : "no", NULL},
                             {"DOCUMENTS", has_argument && has_model ? "yes" : "no", NULL},
                             {"the-verb", call->verb->name, NULL}};
    const uint64_t n_facts = sizeof facts / sizeof facts[0];
    const gb_option *option;
    gb_status st = GB_OK;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL && st == GB_OK; i++)
        if (p->given[i])
            st =
                gb_settings_check(call->settings, option->name, option->needs, call->verb->name, n_facts, facts, err);
    return st == GB_OK
               ? gb_settings_check(call->settings, call->verb->name, call->verb->needs, NULL, n_facts, facts, err)
               : st;
}

gb_status cli_parse_options(cli_call *call, int argc, char **argv, cli_help *help, gb_error *err)
{
    parser p = {.verb = call->verb};
    const char *config;
    gb_status st;
    CLI_TRY(make_rows(&p, err));
    (void)unsetenv("POSIXLY_CORRECT"); /* with which popt takes no option behind an argument */
    (void)unsetenv("POSIX_ME_HARDER");
    p.context = poptGetContext(NULL, argc, (const char **)(uintptr_t)argv, p.popt, 0);
    if (p.context == NULL) {
        st = cli_no_memory("the arguments", err);
        goto done;
    }
    for (int val; (val = poptGetNextOpt(p.context)) != -1;) {
        if (val == VAL_HELP || val == VAL_HELP_ALL) {
            *help = val == VAL_HELP ? CLI_HELP_COMMON : CLI_HELP_ALL;
            goto done;
        }
        CLI_TRY(val < 0 ? explain(&p, val, err) : take_option(&p, val, call->settings, err));
    }
    CLI_TRY(take_arguments(&p, argc, argv, call, err));
    CLI_TRY(check_arguments(call, err));
    config = gb_settings_get(call->settings, "config", 0);
    if (*config != '\0')
        CLI_TRY(cli_read_config(config, setter_of(call->verb), call->settings, err));
    CLI_TRY(check_needs(&p, call, err));
done:
    parser_free(&p);
    return st;
}
