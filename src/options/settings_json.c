/* options/settings_json.c - settings as a JSON object, as models store them. */
#include "options/settings.h"

#include "base/memory.h"
#include "base/text.h"
#include "options/option_table.h"

#include <string.h>

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

static json_t *list_to_json(const gb_settings *settings, const char *name)
{
    json_t *array = json_array();
    for (uint64_t i = 0; array != NULL && i < gb_settings_n_values(settings, name); i++) {
        if (json_array_append_new(array, text_to_json(gb_settings_get(settings, name, i))) != 0) {
            json_decref(array);
            array = NULL;
        }
    }
    return array;
}

json_t *gb_settings_value_to_json(const gb_settings *settings, const char *name)
{
    return gb_option_find(name)->kind == GB_OPTION_LIST ? list_to_json(settings, name)
                                                        : text_to_json(gb_settings_get(settings, name, 0));
}

json_t *gb_settings_to_json(const gb_settings *settings)
{
    json_t *object = json_object();
    const gb_option_row *row;
    for (uint64_t i = 0; object != NULL && (row = gb_option_row_at(i)) != NULL; i++) {
        const gb_option *option = &row->option;
        if (!row->is_resumed)
            continue;
        if (json_object_set_new(object, option->name, gb_settings_value_to_json(settings, option->name)) != 0) {
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
