/* options/settings.c - the options of a run: the table, defaults, the one place where values are checked. */
#include "options/settings.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const gb_option table[] = {
#define GB_OPTION(field, name, letter, kind, value, low, high, argument, group, verbs, help)                         \
    {name,                                                                                                           \
     value,                                                                                                          \
     low,                                                                                                            \
     high,                                                                                                           \
     argument,                                                                                                       \
     help,                                                                                                           \
     letter,                                                                                                         \
     GB_OPTION_##kind,                                                                                               \
     GB_GROUP_##group,                                                                                               \
     (int)(verbs),                                                                                                   \
     offsetof(struct gb_settings, field)},
#include "options/options.def"
#undef GB_OPTION
};

enum { N_OPTIONS = sizeof table / sizeof table[0] };

const gb_option *gb_option_table(size_t *count)
{
    *count = N_OPTIONS;
    return table;
}

const gb_option *gb_option_find(const char *name)
{
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

/* Where the value of an option lives; the kind says what the pointer points to. */
static void *field_of(const gb_settings *settings, const gb_option *option)
{
    return (char *)(uintptr_t)settings + option->offset;
}

/* ---- one function per kind of value ---------------------------------------------------------------- */

static gb_status wrong_value(const gb_option *option, const char *expected, const char *value, gb_error *err)
{
    char shown[GB_QUOTE_SIZE];
    gb_text_quote(value, strlen(value), shown);
    return gb_fail(err, GB_EARGUMENT, "--%s must be %s, not %s", option->name, expected, shown);
}

static gb_status out_of_range(const gb_option *option, const char *value, gb_error *err)
{
    char shown[GB_QUOTE_SIZE]; /* a number needs no quotation marks */
    gb_text_quote(value, strlen(value), shown);
    return gb_fail(err, GB_EARGUMENT, "--%s must be between %s and %s, not %.*s", option->name, option->low,
                   option->high, (int)strlen(shown) - 2, shown + 1);
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
        return gb_fail(err, GB_EARGUMENT, "--%s must not be empty", option->name);
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
    if (is_choice(option->low, value))
        return set_text(field, option, value, err);
    char expected[400] = "one of ";
    size_t used = strlen(expected);
    for (const char *at = option->low; *at != '\0' && used + 3 < sizeof expected; at++) {
        expected[used++] = *at == '|' ? ',' : *at;
        if (*at == '|')
            expected[used++] = ' ';
    }
    expected[used] = '\0';
    return wrong_value(option, expected, value, err);
}

static gb_status apply(gb_settings *settings, const gb_option *option, const char *value, gb_error *err)
{
    void *field = field_of(settings, option);
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
    return gb_fail(err, GB_EARGUMENT, "--%s has no kind", option->name);
}

/* ---- the public functions -------------------------------------------------------------------------- */

gb_status gb_settings_create(gb_settings **out, gb_error *err)
{
    gb_settings *settings = NULL;
    gb_status st;
    GB_TRY(gb_alloc(&settings, 1, sizeof *settings, "the settings", err));
    GB_TRY(gb_alloc(&settings->is_set, N_OPTIONS, sizeof *settings->is_set, "the settings", err));
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (table[i].kind != GB_OPTION_LIST)
            GB_TRY(apply(settings, &table[i], table[i].default_value, err));
    *out = settings;
    settings = NULL;
done:
    gb_settings_free(settings);
    return st;
}

static gb_status no_such_option(const char *name, gb_error *err)
{
    const char *names[N_OPTIONS];
    for (size_t i = 0; i < N_OPTIONS; i++)
        names[i] = table[i].name;
    const char *nearest = gb_text_nearest(name, N_OPTIONS, names);
    char shown[GB_QUOTE_SIZE];
    gb_text_quote(name, strlen(name), shown);
    int length = (int)strlen(shown) - 2;
    if (nearest == NULL)
        return gb_fail(err, GB_EARGUMENT, "no option --%.*s", length, shown + 1);
    return gb_fail(err, GB_EARGUMENT, "no option --%.*s; did you mean --%s?", length, shown + 1, nearest);
}

gb_status gb_settings_set(gb_settings *settings, const char *name, const char *value, gb_error *err)
{
    const gb_option *option = gb_option_find(name);
    if (option == NULL)
        return no_such_option(name, err);
    gb_status st = apply(settings, option, value, err);
    if (st == GB_OK)
        settings->is_set[option - table] = true;
    return st;
}

const char *gb_settings_text(const gb_settings *settings, const char *name)
{
    const char *text;
    memcpy(&text, (const char *)settings + gb_option_find(name)->offset, sizeof text);
    return text;
}

bool gb_settings_is_set(const gb_settings *settings, const char *name)
{
    const gb_option *option = gb_option_find(name);
    return option != NULL && settings->is_set[option - table];
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
    for (size_t i = 0; i < N_OPTIONS; i++) {
        void *field = field_of(settings, &table[i]);
        if (table[i].kind == GB_OPTION_TEXT || table[i].kind == GB_OPTION_CHOICE)
            gb_free(*(char **)field);
        else if (table[i].kind == GB_OPTION_LIST)
            free_list(field);
    }
    gb_free(settings->is_set);
    gb_free(settings);
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

/* JSON is UTF-8; the name of a file may be any bytes, then those that are not UTF-8 become "?". */
static json_t *text_to_json(const char *text)
{
    size_t length = strlen(text);
    if (gb_text_is_utf8(text, length))
        return json_stringn_nocheck(text, length);
    char *ascii = NULL;
    if (gb_copy_text(&ascii, text, length, NULL) != GB_OK)
        return NULL;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)ascii[i] >= 0x80)
            ascii[i] = '?';
    json_t *result = json_stringn_nocheck(ascii, length);
    gb_free(ascii);
    return result;
}

static json_t *list_to_json(const gb_text_list *list)
{
    json_t *array = json_array();
    for (size_t i = 0; array != NULL && i < list->count; i++) {
        if (json_array_append_new(array, text_to_json(list->item[i])) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

static json_t *value_to_json(const gb_settings *settings, const gb_option *option)
{
    const void *field = field_of(settings, option);
    char text[GB_REAL_SIZE];
    switch (option->kind) {
    case GB_OPTION_INT:
        (void)snprintf(text, sizeof text, "%" PRId64, *(const int64_t *)field);
        return json_string(text);
    case GB_OPTION_REAL:
        gb_text_from_real(*(const double *)field, text);
        return json_string(text);
    case GB_OPTION_FLAG:
    case GB_OPTION_SWITCH:
        return json_string(*(const bool *)field ? "yes" : "no");
    case GB_OPTION_LIST:
        return list_to_json(field);
    case GB_OPTION_TEXT:
    case GB_OPTION_CHOICE:
        break;
    }
    return text_to_json(*(char *const *)field);
}

json_t *gb_settings_to_json(const gb_settings *settings, int verbs)
{
    json_t *object = json_object();
    for (size_t i = 0; object != NULL && i < N_OPTIONS; i++) {
        if ((table[i].verbs & verbs) == 0)
            continue;
        if (json_object_set_new(object, table[i].name, value_to_json(settings, &table[i])) != 0) {
            json_decref(object);
            object = NULL;
        }
    }
    return object;
}

/* One value of the object: a text, or an array of texts for a list. */
static gb_status set_from_json(gb_settings *settings, const char *name, const json_t *value, gb_error *err)
{
    if (json_is_string(value))
        return gb_settings_set(settings, name, json_string_value(value), err);
    if (!json_is_array(value))
        return gb_fail(err, GB_EFORMAT, "setting %s is neither a text nor a list of texts", name);
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *item = json_string_value(json_array_get(value, i));
        if (item == NULL)
            return gb_fail(err, GB_EFORMAT, "setting %s holds something other than texts", name);
        gb_status st = gb_settings_set(settings, name, item, err);
        if (st != GB_OK)
            return st;
    }
    return GB_OK;
}

gb_status gb_settings_from_json(gb_settings *settings, const json_t *object, gb_error *err)
{
    if (!json_is_object(object))
        return gb_fail(err, GB_EFORMAT, "the settings are not a JSON object");
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        gb_status st = set_from_json(settings, name, value, err);
        if (st == GB_EARGUMENT && err != NULL)
            err->status = GB_EFORMAT; /* the text is right as it stands, but it was a file that said it */
        if (st != GB_OK)
            return st == GB_EARGUMENT ? GB_EFORMAT : st;
    }
    return GB_OK;
}

gb_status gb_settings_copy(const gb_settings *from, gb_settings **out, gb_error *err)
{
    gb_status st;
    gb_settings *copy = NULL;
    json_t *object = gb_settings_to_json(from, GB_ALL);
    if (object == NULL)
        return gb_fail_memory(err, 0, "the settings");
    for (size_t i = 0; i < N_OPTIONS; i++)
        if (!from->is_set[i])
            (void)json_object_del(object, table[i].name);
    GB_TRY(gb_settings_create(&copy, err));
    GB_TRY(gb_settings_from_json(copy, object, err));
    *out = copy;
    copy = NULL;
done:
    json_decref(object);
    gb_settings_free(copy);
    return st;
}
