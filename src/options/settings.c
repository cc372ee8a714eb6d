/* options/settings.c - the options of a run: defaults, the one place where values are checked, and values as texts. */
#include "options/settings.h"

#include "base/memory.h"
#include "base/text.h"
#include "options/option_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where the value of an option lives; the kind says what the pointer points to. */
static void *field_of(const gb_settings *settings, const gb_option_row *row)
{
    return (char *)(uintptr_t)settings + row->offset;
}

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

static gb_status set_int(int64_t *field, const gb_option *option, const char *value, gb_error *err)
{
    int64_t number = 0, low = INT64_MIN, high = INT64_MAX;
    gb_number kind = gb_text_to_int(value, &number);
    if (kind == GB_NUMBER_BAD)
        return wrong_value(option, "a whole number", value, err);
    (void)gb_text_to_int(option->low, &low);
    (void)gb_text_to_int(option->high, &high);
    if (kind == GB_NUMBER_HUGE || number < low || number > high)
        return out_of_range(option, value, err);
    *field = number;
    return GB_OK;
}

static gb_status set_real(double *field, const gb_option *option, const char *value, gb_error *err)
{
    double number = 0, low = -HUGE_VAL, high = HUGE_VAL;
    gb_number kind = gb_text_to_real(value, &number);
    if (kind == GB_NUMBER_BAD)
        return wrong_value(option, "a number", value, err);
    (void)gb_text_to_real(option->low, &low);
    (void)gb_text_to_real(option->high, &high);
    if (kind == GB_NUMBER_HUGE || number < low || number > high)
        return out_of_range(option, value, err);
    *field = number;
    return GB_OK;
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

/* "auto", or the way in which it is held, which was how users wrote it once. */
static bool is_automatic(const gb_option_row *row, const char *value)
{
    return row->automatic != NULL && (strcmp(value, "auto") == 0 || strcmp(value, row->automatic) == 0);
}

/* Held as a number or text that is no value of the user's. */
static gb_status set_automatic(void *field, const gb_option_row *row, gb_error *err)
{
    int64_t whole = 0;
    double number = 0;
    switch (row->option.kind) {
    case GB_OPTION_INT:
        (void)gb_text_to_int(row->automatic, &whole);
        memcpy(field, &whole, sizeof whole);
        return GB_OK;
    case GB_OPTION_REAL:
        (void)gb_text_to_real(row->automatic, &number);
        memcpy(field, &number, sizeof number);
        return GB_OK;
    default:
        return set_text(field, &row->option, row->automatic, err);
    }
}

static gb_status apply(gb_settings *settings, const gb_option_row *row, const char *value, gb_error *err)
{
    void *field = field_of(settings, row);
    const gb_option *option = &row->option;
    if (is_automatic(row, value))
        return set_automatic(field, row, err);
    switch (option->kind) {
    case GB_OPTION_INT:
        return set_int(field, option, value, err);
    case GB_OPTION_REAL:
        return set_real(field, option, value, err);
    case GB_OPTION_TEXT:
        return set_text(field, option, value, err);
    case GB_OPTION_LIST:
        return add_text(field, option, value, err);
    case GB_OPTION_FLAG:
    case GB_OPTION_SWITCH:
        return set_bool(field, option, value, err);
    case GB_OPTION_CHOICE:
        return set_choice(field, option, value, err);
    }
    return gb_fail(err, GB_EARGUMENT, "`%s` has no kind", option->name);
}

/* ---- values as texts ---- */

/* Numbers are written down when they are set, for gb_settings_get(). */
static void write_number(gb_settings *settings, uint64_t i)
{
    const gb_option_row *row = gb_option_row_at(i);
    const void *field = field_of(settings, row);
    if (row->option.kind == GB_OPTION_INT)
        (void)snprintf(settings->number[i], GB_REAL_SIZE, "%" PRId64, *(const int64_t *)field);
    else if (row->option.kind == GB_OPTION_REAL)
        gb_text_from_real(*(const double *)field, settings->number[i]);
}

/* The value of an option that is not a list, as it is held. */
static const char *held_text(const gb_settings *settings, uint64_t i)
{
    const gb_option_row *row = gb_option_row_at(i);
    const void *field = field_of(settings, row);
    switch (row->option.kind) {
    case GB_OPTION_INT:
    case GB_OPTION_REAL:
        return settings->number[i];
    case GB_OPTION_FLAG:
    case GB_OPTION_SWITCH:
        return *(const bool *)field ? "yes" : "no";
    default:
        return *(char *const *)field;
    }
}

uint64_t gb_settings_n_values(const gb_settings *settings, const char *name)
{
    uint64_t i;
    if (!gb_option_index(name, &i))
        return 0;
    const gb_option_row *row = gb_option_row_at(i);
    return row->option.kind == GB_OPTION_LIST ? ((const gb_text_list *)field_of(settings, row))->count : 1;
}

const char *gb_settings_get(const gb_settings *settings, const char *name, uint64_t index)
{
    uint64_t i;
    if (!gb_option_index(name, &i) || index >= gb_settings_n_values(settings, name))
        return NULL;
    const gb_option_row *row = gb_option_row_at(i);
    if (row->option.kind == GB_OPTION_LIST)
        return ((const gb_text_list *)field_of(settings, row))->item[index];
    const char *text = held_text(settings, i);
    return is_automatic(row, text) ? "auto" : text;
}

/* ---- the public functions ---- */

gb_status gb_settings_create(gb_settings **out, gb_error *err)
{
    const uint64_t n = gb_option_count();
    gb_settings *settings = NULL;
    gb_status st;
    GB_TRY(gb_alloc(&settings, 1, sizeof *settings, "the settings", err));
    GB_TRY(gb_alloc(&settings->is_set, n, sizeof *settings->is_set, "the settings", err));
    GB_TRY(gb_alloc(&settings->number, n, sizeof *settings->number, "the settings", err));
    for (uint64_t i = 0; i < n; i++) {
        const gb_option_row *row = gb_option_row_at(i);
        if (row->option.kind != GB_OPTION_LIST)
            GB_TRY(apply(settings, row, row->option.default_value, err));
        write_number(settings, i);
    }
    *out = settings;
    settings = NULL;
done:
    gb_settings_free(settings);
    return st;
}

gb_status gb_settings_copy(const gb_settings *from, gb_settings **out, gb_error *err)
{
    gb_status st;
    gb_settings *copy = NULL;
    GB_TRY(gb_settings_create(&copy, err));
    for (uint64_t i = 0; i < gb_option_count(); i++) {
        const char *name = gb_option_at(i)->name;
        for (uint64_t v = 0; from->is_set[i] && v < gb_settings_n_values(from, name); v++)
            GB_TRY(gb_settings_set(copy, name, gb_settings_get(from, name, v), err));
    }
    copy->team = from->team;
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
    gb_status st = apply(settings, gb_option_row_at(i), value, err);
    if (st != GB_OK)
        return st;
    write_number(settings, i);
    settings->is_set[i] = true;
    return GB_OK;
}

gb_status gb_settings_unset(gb_settings *settings, const char *name, gb_error *err)
{
    uint64_t i = 0;
    (void)gb_option_index(name, &i);
    const gb_status st = gb_settings_set(settings, name, gb_option_row_at(i)->option.default_value, err);
    settings->is_set[i] = false;
    return st;
}

const char *gb_settings_text(const gb_settings *settings, const char *name)
{
    uint64_t i = 0;
    (void)gb_option_index(name, &i);
    return held_text(settings, i);
}

bool gb_settings_is_set(const gb_settings *settings, const char *name)
{
    uint64_t i;
    return gb_option_index(name, &i) && settings->is_set[i];
}

static void free_list(gb_text_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        gb_free(list->item[i]);
    free(list->item);
}

void gb_settings_free(gb_settings *settings)
{
    if (settings == NULL)
        return;
    for (uint64_t i = 0; i < gb_option_count(); i++) {
        const gb_option_row *row = gb_option_row_at(i);
        void *field = field_of(settings, row);
        if (row->option.kind == GB_OPTION_TEXT || row->option.kind == GB_OPTION_CHOICE)
            gb_free(*(char **)field);
        else if (row->option.kind == GB_OPTION_LIST)
            free_list(field);
    }
    gb_free(settings->is_set);
    gb_free(settings->number);
    gb_free(settings);
}
