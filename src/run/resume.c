/* run/resume.c - the settings of a checkpoint. */
#include "run/resume.h"

#include "base/memory.h"
#include "base/text.h"
#include "gibbous/train.h"
#include "options/option_table.h"
#include "store/json_text.h"

#include <inttypes.h>
#include <string.h>

/* Option i if the result of a training depends on it, else NULL. */
static const gb_option *matters(uint64_t i)
{
    const gb_option_row *row = gb_option_row_at(i);
    return row->is_gone_on_with ? &row->option : NULL;
}

/* ---- writing ---- */

static json_t *values_of(const gb_settings *settings, const char *name)
{
    json_t *list = json_array();
    for (uint64_t v = 0; v < gb_settings_n_values(settings, name); v++)
        if (json_array_append_new(list, json_string(gb_settings_get(settings, name, v))) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

json_t *gb_settings_for_checkpoint(const gb_settings *settings, const gb_spec *spec)
{
    json_t *object = json_object();
    bool failed = object == NULL;
    for (uint64_t i = 0; i < gb_option_count(); i++) {
        const gb_option *option = matters(i);
        if (option != NULL && gb_settings_is_set(settings, option->name))
            failed |= json_object_set_new(object, option->name, values_of(settings, option->name)) != 0;
    }
    if (!spec->finds_burn_in)
        failed |=
            json_object_set_new(object, "burn-in", json_pack("[o]", json_sprintf("%" PRIu64, spec->burn_in))) != 0;
    failed |= json_object_set_new(object, "chains", json_pack("[o]", json_sprintf("%" PRIu64, spec->n_chains))) != 0;
    failed |= json_object_set_new(object, "thin", json_pack("[o]", json_sprintf("%" PRIu64, spec->thin))) != 0;
    failed |= json_object_set_new(object, "seed", json_pack("[o]", json_sprintf("%" PRIu64, spec->seed))) != 0;
    if (!spec->finds_burn_in)
        failed |=
            json_object_set_new(object, "sweeps", json_pack("[o]", json_sprintf("%" PRIu64, spec->n_sweeps))) != 0;
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

gb_status gb_settings_check_texts(const gb_settings *settings, gb_error *err)
{
    char quote[GB_QUOTE_SIZE];
    for (uint64_t i = 0; i < gb_option_count(); i++) {
        const gb_option *option = matters(i);
        const uint64_t n = option != NULL ? gb_settings_n_values(settings, option->name) : 0;
        for (uint64_t v = 0; v < n; v++) {
            const char *value = gb_settings_get(settings, option->name, v);
            gb_text_quote(value, strlen(value), quote);
            if (!gb_text_is_utf8(value, strlen(value)))
                return gb_fail(err, GB_EARGUMENT,
                               "%s %s: a checkpoint keeps this setting, so it must be UTF-8; rename the file",
                               option->name, quote);
        }
    }
    return GB_OK;
}

/* ---- reading ---- */

static gb_status fail_other(const gb_store *s, const char *name, const char *had, const char *given, gb_error *err)
{
    if (*had == '\0')
        return gb_fail(err, GB_EFORMAT, "%s: its run had no `%s`; `resume` continues with the same options",
                       gb_store_path(s), name);
    return gb_fail(err, GB_EFORMAT, "%s: its run had `%s` %s, not %s; `resume` continues with the same options",
                   gb_store_path(s), name, had, given);
}

/* A number may be written in several ways. */
static bool same_value(const char *a, const char *b)
{
    double x, y;
    return strcmp(a, b) == 0 ||
           (gb_text_to_real(a, &x) == GB_NUMBER_OK && gb_text_to_real(b, &y) == GB_NUMBER_OK && x == y);
}

static gb_status compare(const gb_settings *settings, const gb_store *s, const char *name, const json_t *values,
                         gb_error *err)
{
    const uint64_t n = gb_settings_n_values(settings, name);
    for (uint64_t v = 0; v < n || v < json_array_size(values); v++) {
        const char *had = json_string_value(json_array_get(values, v));
        const char *given = v < n ? gb_settings_get(settings, name, v) : NULL;
        if (had == NULL || given == NULL || !same_value(had, given))
            return fail_other(s, name, had == NULL ? "" : had, given == NULL ? "less" : given, err);
    }
    return GB_OK;
}

static gb_status take(gb_settings *settings, const gb_store *s, const char *name, const json_t *values, gb_error *err)
{
    for (size_t v = 0; v < json_array_size(values); v++) {
        const char *value = json_string_value(json_array_get(values, v));
        const gb_status st = value == NULL ? GB_EFORMAT : gb_settings_set(settings, name, value, err);
        if (st == GB_ENOMEM)
            return st;
        if (st != GB_OK)
            return gb_fail(err, GB_EFORMAT, "%s: damaged checkpoint: setting %s", gb_store_path(s), name);
    }
    return GB_OK;
}

/* Options that are given must have the values of the run, or the default where the run had it. */
static gb_status adopt(gb_settings *settings, const gb_store *s, const gb_option *option, const json_t *values,
                       gb_error *err)
{
    const bool is_given = gb_settings_is_set(settings, option->name);
    if (!is_given)
        return take(settings, s, option->name, values, err);
    if (strcmp(option->name, "sweeps") == 0 && values != NULL)
        return GB_OK;
    if (values != NULL)
        return compare(settings, s, option->name, values, err);
    const char *given = gb_settings_get(settings, option->name, 0);
    if (option->kind == GB_OPTION_LIST || !same_value(given, option->default_value))
        return fail_other(s, option->name, option->default_value, given, err);
    return GB_OK;
}

gb_status gb_settings_adopt(gb_settings *settings, const gb_store *s, gb_error *err)
{
    gb_status st;
    const char *text, *version;
    json_t *object = NULL;
    GB_TRY(gb_store_get_text(s, "library", &version, err));
    if (strcmp(version, gb_version()) != 0)
        return gb_fail(err, GB_EFORMAT, "%s: written by gibbous %s; only that version can resume it, this is %s",
                       gb_store_path(s), version, gb_version());
    GB_TRY(gb_store_get_text(s, "settings", &text, err));
    st = gb_json_parse(text, strlen(text), 0, &object, NULL, err);
    if (st == GB_ENOMEM)
        goto done;
    if (!json_is_object(object)) {
        st = gb_fail(err, GB_EFORMAT, "%s: damaged checkpoint: its settings are not a JSON object", gb_store_path(s));
        goto done;
    }
    for (uint64_t i = 0; i < gb_option_count(); i++) {
        const gb_option *option = matters(i);
        if (option != NULL)
            GB_TRY(adopt(settings, s, option, json_object_get(object, option->name), err));
    }
done:
    json_decref(object);
    return st;
}

gb_status gb_settings_resume(gb_settings *settings, const char *path, gb_error *err)
{
    gb_store *s = NULL;
    gb_status st = gb_store_open(&s, path, "checkpoint", err);
    if (st == GB_OK)
        st = gb_settings_adopt(settings, s, err);
    gb_store_close(s);
    return st;
}
