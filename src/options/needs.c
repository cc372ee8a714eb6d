/* options/needs.c - what goes with an option: reads the column `needs` of options.def and makes the messages. */
#include "options/needs.h"

#include "options/settings.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* What the rules are asked of. */
typedef struct call {
    const gb_settings *settings;
    const char *scope;
    const gb_fact *fact;
    uint64_t n_facts;
    const gb_option *of_fields; /* the option that is checked, if its values name fields; else NULL */
} call;

/* A piece of the column. */
typedef struct piece {
    const char *text;
    size_t length;
} piece;

/* OPEN: decided later, by the program or by a grid of values. */
typedef enum answer { NO, YES, OPEN } answer;

/* ---- pieces ---- */

static bool is(piece p, const char *text)
{
    return strlen(text) == p.length && memcmp(p.text, text, p.length) == 0;
}

static bool begins(piece p, const char *text)
{
    return p.length >= strlen(text) && memcmp(p.text, text, strlen(text)) == 0;
}

static piece after(piece p, size_t n)
{
    return (piece){p.text + n, p.length - n};
}

/* Take what stands before the separator, or all, off the beginning. */
static piece cut(piece *rest, const char *separator)
{
    const size_t n = strlen(separator);
    piece first = *rest;
    for (size_t i = 0; i + n <= rest->length; i++) {
        if (memcmp(rest->text + i, separator, n) == 0) {
            first.length = i;
            *rest = after(*rest, i + n);
            return first;
        }
    }
    *rest = after(*rest, rest->length);
    return first;
}

static bool has(piece list, const char *separator, const char *text)
{
    while (list.length > 0)
        if (is(cut(&list, separator), text))
            return true;
    return false;
}

/* Whether the name of a part stands at the beginning of "PART=X,...". */
static bool begins_part(piece parts, piece name)
{
    return parts.length > name.length && memcmp(parts.text, name.text, name.length) == 0 &&
           parts.text[name.length] == '=';
}

/* ---- answers ---- */

static bool is_off(const char *value)
{
    static const char *const off[] = {"", "no", "none", "auto"};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++)
        if (strcmp(value, off[i]) == 0)
            return true;
    return false;
}

/* The option of that name, or NULL. */
static const gb_option *find(piece name)
{
    const gb_option *option;
    for (uint64_t i = 0; (option = gb_option_at(i)) != NULL; i++)
        if (is(name, option->name))
            return option;
    return NULL;
}

static bool is_in_grid(const gb_settings *settings, piece name)
{
    for (uint64_t i = 0; i < gb_settings_n_values(settings, "grid"); i++) {
        const char *entry = gb_settings_get(settings, "grid", i);
        if (strncmp(entry, name.text, name.length) == 0 && entry[name.length] == '=')
            return true;
    }
    return false;
}

/* Set, and not to what says that the option is not wanted. */
static bool is_set(const gb_settings *settings, const gb_option *option)
{
    if (!gb_settings_is_set(settings, option->name) || gb_settings_n_values(settings, option->name) == 0)
        return false;
    const char *value = gb_settings_get(settings, option->name, 0);
    const bool is_zero = strcmp(value, "0") == 0 && strcmp(option->default_value, "0") == 0;
    return option->kind == GB_OPTION_SWITCH || (!is_zero && !is_off(value));
}

/* Candidates of a selection have the values of the grid, a run that is resumed those of its checkpoint, and a corpus may have embeddings and
 * covariates. */
static bool is_decided_elsewhere(const gb_settings *settings, const gb_option *option)
{
    const bool may_be_of_corpus = strcmp(option->name, "embeddings") == 0 || strcmp(option->name, "covariates") == 0,
               is_of_corpus = may_be_of_corpus && !gb_settings_is_set(settings, option->name);
    return is_of_corpus || is_in_grid(settings, (piece){option->name, strlen(option->name)}) ||
           (gb_settings_has(settings, "resume") && !gb_settings_is_set(settings, option->name));
}

/* What is neither an option nor an argument is a fact in words. */
static bool is_in_words(piece name)
{
    return find(name) == NULL && name.length > 0 && islower((unsigned char)name.text[0]);
}

/* Whether the option that is checked is for this field: "FIELD=...", or a value for all. */
static bool is_for_field(const call *c, const char *field)
{
    const bool is_list = c->of_fields->kind == GB_OPTION_LIST; /* with one field to an item */
    for (uint64_t i = 0; i < gb_settings_n_values(c->settings, c->of_fields->name); i++) {
        const char *value = gb_settings_get(c->settings, c->of_fields->name, i);
        for (piece rest = {value, strlen(value)}; rest.length > 0;) {
            const piece item = is_list ? rest : cut(&rest, ",");
            if (begins_part(item, (piece){field, strlen(field)}) || memchr(item.text, '=', item.length) == NULL)
                return true;
            if (is_list)
                break;
        }
    }
    return false;
}

/* A fact of that name that counts for the option. */
static bool counts(const call *c, uint64_t i, piece name)
{
    const gb_fact *fact = &c->fact[i];
    return is(name, fact->name) && (fact->field == NULL || c->of_fields == NULL || is_for_field(c, fact->field));
}

static answer is_given(const call *c, piece name)
{
    bool is_known = false;
    for (uint64_t i = 0; i < c->n_facts; i++) {
        if (!counts(c, i, name))
            continue;
        is_known = true;
        if (!is_off(c->fact[i].value))
            return YES;
    }
    const gb_option *option = find(name);
    if (is_known || option == NULL) /* of an argument: the call has none */
        return !is_known && is_in_words(name) ? OPEN : NO;
    if (is_decided_elsewhere(c->settings, option))
        return OPEN;
    return is_set(c->settings, option) ? YES : NO;
}

static answer is_one_of(const call *c, piece name, piece values)
{
    bool is_known = false;
    for (uint64_t i = 0; i < c->n_facts; i++) {
        if (!counts(c, i, name))
            continue;
        is_known = true;
        if (has(values, "|", c->fact[i].value))
            return YES;
    }
    const gb_option *option = find(name);
    if (is_known || option == NULL)
        return !is_known && is_in_words(name) ? OPEN : NO;
    const char *value = gb_settings_get(c->settings, option->name, 0);
    if (is_decided_elsewhere(c->settings, option) || strcmp(value, "auto") == 0 || strpbrk(value, "=,") != NULL)
        return OPEN;
    return has(values, "|", value) ? YES : NO;
}

/* "response hinge|probit" or "seeds" */
static answer holds(const call *c, piece one)
{
    const piece name = cut(&one, " ");
    return one.length == 0 ? is_given(c, name) : is_one_of(c, name, one);
}

/* ---- messages ---- */

static void put(char *out, size_t size, piece p)
{
    const size_t used = strlen(out);
    (void)snprintf(out + used, size - used, "%.*s", (int)p.length, p.text);
}

static void put_text(char *out, size_t size, const char *text)
{
    put(out, size, (piece){text, strlen(text)});
}

/* An option, an argument, or a fact in words. */
static void put_name(char *out, size_t size, piece name)
{
    const size_t used = strlen(out);
    const char *format = find(name) != NULL ? "`%.*s`" : is_in_words(name) ? "%.*s" : "the argument %.*s";
    (void)snprintf(out + used, size - used, format, (int)name.length, name.text);
    for (char *at = out + used; is_in_words(name) && *at != '\0'; at++)
        *at = *at == '-' ? ' ' : *at;
}

/* "a, b or c" */
static void put_list(char *out, size_t size, piece list)
{
    for (bool is_first = true; list.length > 0; is_first = false) {
        const piece one = cut(&list, "|");
        put_text(out, size, is_first ? "" : list.length > 0 ? ", " : " or ");
        put(out, size, one);
    }
}

/* An option as it is typed: `response` hinge or probit, `seeds` FILE. */
static void put_condition(char *out, size_t size, piece one, bool with_argument)
{
    const piece name = cut(&one, " ");
    const gb_option *option = find(name);
    put_name(out, size, name);
    if (one.length > 0) {
        put_text(out, size, " ");
        put_list(out, size, one);
    } else if (with_argument && option != NULL && *option->argument != '\0') {
        put_text(out, size, " ");
        put(out, size, (piece){option->argument, strcspn(option->argument, "|")});
    }
}

/* What the value is in place of those that a condition wants: facts, or the setting. */
static void put_value(const call *c, char *out, size_t size, piece name)
{
    size_t n = 0;
    for (uint64_t i = 0; i < c->n_facts; i++) {
        if (!counts(c, i, name) ||
            (i > 0 && is(name, c->fact[i - 1].name) && strcmp(c->fact[i].value, c->fact[i - 1].value) == 0))
            continue;
        put_text(out, size, n++ == 0 ? ", not " : " and ");
        put_text(out, size, c->fact[i].value);
    }
    if (n > 0 || find(name) == NULL)
        return;
    put_text(out, size, ", not ");
    put_text(out, size, gb_settings_get(c->settings, find(name)->name, 0));
}

static gb_status lacks(const call *c, const char *subject, piece condition, gb_error *err)
{
    char text[300] = "";
    piece rest = condition, first = cut(&rest, " or ");
    put_condition(text, sizeof text, first, true);
    const piece name = cut(&first, " ");
    if (rest.length == 0 && first.length > 0)
        put_value(c, text, sizeof text, name);
    while (rest.length > 0) {
        const piece next = cut(&rest, " or ");
        put_text(text, sizeof text, rest.length > 0 ? ", " : " or ");
        put_condition(text, sizeof text, next, true);
    }
    return gb_fail(err, GB_EARGUMENT, "%s needs %s", subject, text);
}

static gb_status clashes(const call *c, const char *subject, piece condition, gb_error *err)
{
    char text[300] = "";
    piece values = condition, one;
    const piece name = cut(&values, " ");
    put_name(text, sizeof text, name);
    while (values.length > 0) { /* the one that is there */
        one = cut(&values, "|");
        if (is_one_of(c, name, one) == YES) {
            put_text(text, sizeof text, " ");
            put(text, sizeof text, one);
        }
    }
    return gb_fail(err, GB_EARGUMENT, "%s does not go with %s", subject, text);
}

/* ---- rules ---- */

static gb_status check_condition(const call *c, const char *subject, piece condition, gb_error *err)
{
    const char *negation = "not ";
    if (begins(condition, negation)) {
        const piece one = after(condition, strlen(negation));
        return holds(c, one) == YES ? clashes(c, subject, one, err) : GB_OK;
    }
    for (piece rest = condition; rest.length > 0;)
        if (holds(c, cut(&rest, " or ")) != NO)
            return GB_OK;
    return lacks(c, subject, condition, err);
}

/* A value, or a part of "PART=X,...", that is on a list; of length 0 if there is none. */
static piece find_value(piece list, const char *value)
{
    const bool has_parts = strchr(value, '=') != NULL;
    while (list.length > 0) {
        const piece one = cut(&list, ", ");
        for (piece rest = {value, strlen(value)}; has_parts && rest.length > 0; (void)cut(&rest, ","))
            if (begins_part(rest, one))
                return one;
        if (!has_parts && is(one, value))
            return one;
    }
    return (piece){"", 0};
}

/* Whether a rule is for this scope and value, which are taken off its beginning.  `of` receives the value, or the part, that it is for. */
static bool applies(const call *c, const char *value, piece *rule, piece *of)
{
    const char *of_scope = "in ", *of_value = "for ", *of_others = "unless ";
    if (begins(*rule, of_scope)) {
        const piece scopes = after(cut(rule, ": "), strlen(of_scope));
        return c->scope != NULL && has(scopes, ", ", c->scope);
    }
    if (begins(*rule, of_value)) {
        *of = find_value(after(cut(rule, ": "), strlen(of_value)), value);
        return of->length > 0;
    }
    if (begins(*rule, of_others)) {
        *of = (piece){value, strlen(value)};
        return find_value(after(cut(rule, ": "), strlen(of_others)), value).length == 0;
    }
    return true;
}

/* A rule without its beginning. */
static gb_status check_rule(const call *c, const char *subject, piece rule, gb_error *err)
{
    gb_status st = GB_OK;
    while (rule.length > 0 && st == GB_OK)
        st = check_condition(c, subject, cut(&rule, ", "), err);
    return st;
}

gb_status gb_settings_check(const gb_settings *settings, const char *subject, const char *needs, const char *scope,
                            uint64_t n_facts, const gb_fact *facts, gb_error *err)
{
    gb_status st = GB_OK;
    call c = {.settings = settings, .scope = scope, .fact = facts, .n_facts = n_facts};
    const gb_option *option = gb_option_find(subject);
    if (option != NULL && !is_set(settings, option))
        return GB_OK;
    const char *value = option == NULL ? "" : gb_settings_get(settings, subject, 0);
    if (strchr(value, '=') != NULL && strstr(option->argument, "FIELD=") != NULL)
        c.of_fields = option;
    for (piece rest = {needs, strlen(needs)}; rest.length > 0 && st == GB_OK;) {
        char name[100] = "";
        piece rule = cut(&rest, "; "), of = {"", 0};
        if (!applies(&c, value, &rule, &of))
            continue;
        const char *between = of.length == 0 ? "" : strchr(value, '=') == NULL ? " " : " of ";
        (void)snprintf(name, sizeof name, option == NULL ? "%s%s%.*s" : "`%s`%s%.*s", subject, between,
                       (int)of.length, of.text);
        st = check_rule(&c, name, rule, err);
    }
    return st;
}

/* ---- all options ---- */

gb_status gb_settings_check_all(const gb_settings *settings, const char *scope, uint64_t n_facts,
                                const gb_fact *facts, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_option *option;
    for (uint64_t i = 0; st == GB_OK && (option = gb_option_at(i)) != NULL; i++)
        st = gb_settings_check(settings, option->name, option->needs, scope, n_facts, facts, err);
    return st;
}

gb_status gb_settings_drop_unmet(gb_settings *settings, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_option *option;
    const gb_fact nothing = {.name = "a-field-to-predict", .value = "no"};
    const bool has_none = strcmp(gb_settings_get(settings, "response", 0), "none") == 0;
    for (uint64_t i = 0; st == GB_OK && (option = gb_option_at(i)) != NULL;) {
        const bool goes =
            gb_settings_check(settings, option->name, option->needs, "train", has_none, &nothing, NULL) == GB_OK;
        if (!goes)
            st = gb_settings_unset(settings, option->name, err);
        i = goes ? i + 1 : 0; /* others may have needed it */
    }
    return st;
}
