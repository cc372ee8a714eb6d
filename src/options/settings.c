/* options/settings.c - the options of a run: defaults, the one place where values are checked, and values as texts. */
#include "options/settings.h"

#include "base/memory.h"
#include "base/size.h"
#include "base/text.h"
#include "options/beta.h"
#include "options/option_table.h"
#include "options/variance.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The value of an option.  The option's kind says which of the members it has. */
typedef struct setting {
    bool is_set;  /* by the caller: command line, config file or gb_settings_set() */
    bool is_auto; /* INT and REAL: the program decides */
    bool yes;
    int64_t whole;
    double real;
    char number[GB_REAL_SIZE]; /* INT and REAL: the value as text */
    char *text;                /* TEXT and CHOICE: never NULL */
    gb_text_list list;
} setting;

struct gb_settings {
    setting *value;       /* by option */
    struct gb_team *team; /* gb_settings_use_team(); borrowed */
};

/* ---- one function per kind of value ---- */

/* By default the program decides, and so it does when told "auto". */
static bool decides(const gb_option *option)
{
    return strcmp(option->default_value, "auto") == 0;
}

static gb_status wrong_value(const gb_option *option, const char *expected, const char *value, gb_error *err)
{
    char shown[GB_QUOTE_SIZE];
    gb_text_quote(value, strlen(value), shown);
    const char *automatic = option->kind != GB_OPTION_CHOICE && decides(option) ? "auto or " : "";
    return gb_fail(err, GB_EARGUMENT, "`%s` must be %s%s, not %s", option->name, automatic, expected, shown);
}

static gb_status out_of_range(const gb_option *option, const char *value, gb_error *err)
{
    char shown[GB_QUOTE_SIZE]; /* a number needs no quotation marks */
    gb_text_quote(value, strlen(value), shown);
    return gb_fail(err, GB_EARGUMENT, "`%s` must be %sbetween %s and %s, not %.*s", option->name,
                   decides(option) ? "auto or " : "", option->low, option->high, (int)strlen(shown) - 2, shown + 1);
}

static gb_status set_int(setting *v, const gb_option *option, const char *value, gb_error *err)
{
    int64_t number = 0, low = INT64_MIN, high = INT64_MAX;
    const gb_number kind = gb_text_to_int(value, &number);
    if (kind == GB_NUMBER_BAD)
        return wrong_value(option, "a whole number", value, err);
    (void)gb_text_to_int(option->low, &low);
    (void)gb_text_to_int(option->high, &high);
    if (kind == GB_NUMBER_HUGE || number < low || number > high)
        return out_of_range(option, value, err);
    v->whole = number;
    (void)snprintf(v->number, sizeof v->number, "%" PRId64, number);
    return GB_OK;
}

static gb_status set_real(setting *v, const gb_option *option, const char *value, gb_error *err)
{
    double number = 0, low = -HUGE_VAL, high = HUGE_VAL;
    const gb_number kind = gb_text_to_real(value, &number);
    if (kind == GB_NUMBER_BAD)
        return wrong_value(option, "a number", value, err);
    (void)gb_text_to_real(option->low, &low);
    (void)gb_text_to_real(option->high, &high);
    if (kind == GB_NUMBER_HUGE || number < low || number > high)
        return out_of_range(option, value, err);
    v->real = number;
    gb_text_from_real(number, v->number);
    return GB_OK;
}

/* A number, or auto where the option's default is auto. */
static gb_status set_number(setting *v, const gb_option *option, const char *value, gb_error *err)
{
    const bool is_auto = decides(option) && strcmp(value, "auto") == 0;
    const gb_status st = is_auto                         ? GB_OK
                         : option->kind == GB_OPTION_INT ? set_int(v, option, value, err)
                                                         : set_real(v, option, value, err);
    if (st == GB_OK)
        v->is_auto = is_auto;
    return st;
}

static gb_status set_bool(bool *field, const gb_option *option, const char *value, gb_error *err)
{
    bool yes = strcmp(value, "yes") == 0;
    if (!yes && strcmp(value, "no") != 0)
        return wrong_value(option, "yes or no", value, err);
    *field = yes;
    return GB_OK;
}

/* Names of files are the system's own bytes; everything else is stored in models and compared with texts. */
static gb_status check_text(const gb_option *option, const char *value, gb_error *err)
{
    if (strstr(option->argument, "FILE") == NULL && !gb_text_is_utf8(value, strlen(value)))
        return wrong_value(option, "valid UTF-8", value, err);
    return GB_OK;
}

static gb_status set_text(char **field, const gb_option *option, const char *value, gb_error *err)
{
    gb_status st = check_text(option, value, err);
    char *copy = NULL;
    if (st == GB_OK)
        st = gb_copy_text(&copy, value, strlen(value), err);
    if (st != GB_OK)
        return st;
    gb_free(*field);
    *field = copy;
    return GB_OK;
}

/* In one spelling. */
static gb_status set_variances(char **field, const gb_option *option, const char *value, gb_error *err)
{
    char text[GB_VARIANCES_SIZE];
    gb_variances variances;
    const gb_status st = gb_variances_read(value, &variances, err);
    if (st != GB_OK)
        return st;
    gb_variances_print(&variances, text);
    return set_text(field, option, text, err);
}

/* Likewise. */
static gb_status set_beta(char **field, const gb_option *option, const char *value, gb_error *err)
{
    char text[GB_REAL_SIZE];
    gb_beta beta;
    const gb_status st = gb_beta_read(value, 0, &beta, err);
    if (st != GB_OK || beta.is_auto || beta.is_sampled)
        return st == GB_OK ? set_text(field, option, value, err) : st;
    gb_text_from_real(beta.value, text);
    return set_text(field, option, text, err);
}

static gb_status add_text(gb_text_list *list, const gb_option *option, const char *value, gb_error *err)
{
    char *copy = NULL, **items;
    gb_status st = check_text(option, value, err);
    if (st != GB_OK)
        return st;
    if (*value == '\0')
        return gb_fail(err, GB_EARGUMENT, "`%s` must not be empty", option->name);
    GB_TRY(gb_copy_text(&copy, value, strlen(value), err));
    items = realloc(list->item, (list->count + 1) * sizeof *items);
    if (items == NULL) {
        st = gb_fail_memory(err, (list->count + 1) * sizeof *items, "a list of options");
        goto done;
    }
    list->item = items;
    list->item[list->count++] = copy;
    copy = NULL;
done:
    gb_free(copy);
    return st;
}

/* Is the value one of "a|b|c"? */
static bool is_choice(const char *choices, const char *value)
{
    size_t length = strlen(value);
    for (const char *at = choices; *at != '\0';) {
        size_t n = strcspn(at, "|");
        if (n == length && memcmp(at, value, n) == 0)
            return true;
        at += n + (at[n] == '|');
    }
    return false;
}

static gb_status set_choice(char **field, const gb_option *option, const char *value, gb_error *err)
{
    if (is_choice(option->choices, value))
        return set_text(field, option, value, err);
    char expected[400] = "one of ";
    size_t used = strlen(expected);
    for (const char *at = option->choices; *at != '\0' && used + 3 < sizeof expected; at++) {
        expected[used++] = *at == '|' ? ',' : *at;
        if (*at == '|')
            expected[used++] = ' ';
    }
    expected[used] = '\0';
    return wrong_value(option, expected, value, err);
}

static gb_status apply(setting *v, const gb_option *option, const char *value, gb_error *err)
{
    switch (option->kind) {
    case GB_OPTION_INT:
    case GB_OPTION_REAL:
        return set_number(v, option, value, err);
    case GB_OPTION_TEXT:
        return strcmp(option->name, "variance") == 0 ? set_variances(&v->text, option, value, err)
               : strcmp(option->name, "beta") == 0   ? set_beta(&v->text, option, value, err)
                                                     : set_text(&v->text, option, value, err);
    case GB_OPTION_LIST:
        return add_text(&v->list, option, value, err);
    case GB_OPTION_FLAG:
    case GB_OPTION_SWITCH:
        return set_bool(&v->yes, option, value, err);
    case GB_OPTION_CHOICE:
        return set_choice(&v->text, option, value, err);
    }
    return gb_fail(err, GB_EARGUMENT, "`%s` has no kind", option->name);
}

/* ---- values ---- */

/* The option must exist. */
static const setting *find(const gb_settings *settings, const char *name)
{
    uint64_t i = 0;
    const bool found = gb_option_index(name, &i);
    assert(found);
    (void)found;
    return &settings->value[i];
}

int64_t gb_settings_int(const gb_settings *settings, const char *name)
{
    return gb_settings_int_or(settings, name, 0);
}

int64_t gb_settings_int_or(const gb_settings *settings, const char *name, int64_t automatic)
{
    const setting *v = find(settings, name);
    return v->is_auto ? automatic : v->whole;
}

double gb_settings_real(const gb_settings *settings, const char *name)
{
    return gb_settings_real_or(settings, name, NAN);
}

double gb_settings_real_or(const gb_settings *settings, const char *name, double automatic)
{
    const setting *v = find(settings, name);
    return v->is_auto ? automatic : v->real;
}

bool gb_settings_yes(const gb_settings *settings, const char *name)
{
    return find(settings, name)->yes;
}

const gb_text_list *gb_settings_list(const gb_settings *settings, const char *name)
{
    return &find(settings, name)->list;
}

const char *gb_settings_text(const gb_settings *settings, const char *name)
{
    return gb_settings_get(settings, name, 0);
}

bool gb_settings_has(const gb_settings *settings, const char *name)
{
    return *gb_settings_get(settings, name, 0) != '\0';
}

bool gb_settings_are(const gb_settings *settings, const char *name, const char *text)
{
    return strcmp(gb_settings_get(settings, name, 0), text) == 0;
}

struct gb_team *gb_settings_team(const gb_settings *settings)
{
    return settings->team;
}

uint64_t gb_settings_n_values(const gb_settings *settings, const char *name)
{
    uint64_t i;
    if (!gb_option_index(name, &i))
        return 0;
    return gb_option_at(i)->kind == GB_OPTION_LIST ? settings->value[i].list.count : 1;
}

const char *gb_settings_get(const gb_settings *settings, const char *name, uint64_t index)
{
    uint64_t i;
    if (!gb_option_index(name, &i) || index >= gb_settings_n_values(settings, name))
        return NULL;
    const setting *v = &settings->value[i];
    switch (gb_option_at(i)->kind) {
    case GB_OPTION_LIST:
        return v->list.item[index];
    case GB_OPTION_INT:
    case GB_OPTION_REAL:
        return v->is_auto ? "auto" : v->number;
    case GB_OPTION_FLAG:
    case GB_OPTION_SWITCH:
        return v->yes ? "yes" : "no";
    case GB_OPTION_TEXT:
    case GB_OPTION_CHOICE:
        break;
    }
    return v->text;
}

static void free_list(gb_text_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        gb_free(list->item[i]);
    free(list->item);
}

/* ---- the public functions ---- */

gb_status gb_settings_create(gb_settings **out, gb_error *err)
{
    const uint64_t n = gb_option_count();
    gb_settings *settings = NULL;
    gb_status st;
    GB_TRY(gb_alloc(&settings, 1, sizeof *settings, "the settings", err));
    GB_TRY(gb_alloc(&settings->value, n, sizeof *settings->value, "the settings", err));
    for (uint64_t i = 0; i < n; i++) {
        const gb_option *option = gb_option_at(i);
        if (option->kind != GB_OPTION_LIST)
            GB_TRY(apply(&settings->value[i], option, option->default_value, err));
    }
    *out = settings;
    settings = NULL;
done:
    gb_settings_free(settings);
    return st;
}

gb_status gb_settings_bytes(const gb_settings *settings, const char *name, uint64_t *out, gb_error *err)
{
    const char *value = gb_settings_get(settings, name, 0);
    if (value == NULL)
        return gb_fail(err, GB_EARGUMENT, "there is no option \"%s\"", name);
    return gb_size_from_text(value, out, err);
}

gb_status gb_settings_copy(const gb_settings *from, gb_settings **out, gb_error *err)
{
    gb_status st;
    gb_settings *copy = NULL;
    GB_TRY(gb_settings_create(&copy, err));
    for (uint64_t i = 0; i < gb_option_count(); i++) {
        const char *name = gb_option_at(i)->name;
        for (uint64_t v = 0; from->value[i].is_set && v < gb_settings_n_values(from, name); v++)
            GB_TRY(gb_settings_set(copy, name, gb_settings_get(from, name, v), err));
    }
    copy->team = from->team;
    *out = copy;
    copy = NULL;
done:
    gb_settings_free(copy);
    return st;
}

gb_status gb_settings_for_model(const gb_settings *from, bool (*leaves_out)(const char *), gb_settings **out,
                                gb_error *err)
{
    gb_status st;
    gb_settings *copy = NULL;
    GB_TRY(gb_settings_create(&copy, err));
    for (uint64_t i = 0; i < gb_option_count(); i++) {
        const gb_option_row *row = gb_option_row_at(i);
        const char *name = row->option.name;
        const bool is_kept = (row->is_resumed || strcmp(name, "threads") == 0) && from->value[i].is_set &&
                             (leaves_out == NULL || !leaves_out(name));
        for (uint64_t v = 0; is_kept && v < gb_settings_n_values(from, name); v++)
            GB_TRY(gb_settings_set(copy, name, gb_settings_get(from, name, v), err));
    }
    *out = copy;
    copy = NULL;
done:
    gb_settings_free(copy);
    return st;
}

void gb_settings_use_team(gb_settings *settings, gb_team *team)
{
    settings->team = team;
}

gb_status gb_settings_set(gb_settings *settings, const char *name, const char *value, gb_error *err)
{
    uint64_t i;
    if (!gb_option_index(name, &i))
        return gb_option_unknown(name, err);
    const gb_status st = apply(&settings->value[i], gb_option_at(i), value, err);
    if (st == GB_OK)
        settings->value[i].is_set = true;
    return st;
}

gb_status gb_settings_set_int(gb_settings *settings, const char *name, int64_t value, gb_error *err)
{
    char text[24];
    (void)snprintf(text, sizeof text, "%" PRId64, value);
    return gb_settings_set(settings, name, text, err);
}

gb_status gb_settings_set_real(gb_settings *s, const char *name, double value, gb_error *err)
{
    char text[GB_REAL_SIZE];
    gb_text_from_real(value, text);
    return gb_settings_set(s, name, text, err);
}

gb_status gb_settings_unset(gb_settings *settings, const char *name, gb_error *err)
{
    uint64_t i = 0;
    (void)gb_option_index(name, &i);
    const gb_option *option = gb_option_at(i);
    setting *v = &settings->value[i];
    v->is_set = false;
    if (option->kind != GB_OPTION_LIST)
        return apply(v, option, option->default_value, err);
    free_list(&v->list);
    v->list = (gb_text_list){.count = 0};
    return GB_OK;
}

bool gb_settings_is_set(const gb_settings *settings, const char *name)
{
    uint64_t i;
    return gb_option_index(name, &i) && settings->value[i].is_set;
}

void gb_settings_free(gb_settings *settings)
{
    if (settings == NULL)
        return;
    for (uint64_t i = 0; settings->value != NULL && i < gb_option_count(); i++) {
        setting *v = &settings->value[i];
        gb_free(v->text);
        free_list(&v->list);
    }
    gb_free(settings->value);
    gb_free(settings);
}
