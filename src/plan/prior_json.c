/* plan/prior_json.c - the setup of a document prior as JSON. */
#include "plan/prior_json.h"

#include <string.h>

/* ---- writing ---- */

static json_t *item_of(const gb_note *note, size_t i)
{
    return note->kind == GB_NOTE_TEXTS ? json_string(note->texts[i]) : json_integer((json_int_t)note->counts[i]);
}

static json_t *list_of(const gb_note *note)
{
    json_t *list = json_array();
    for (size_t i = 0; list != NULL && i < note->n; i++)
        if (json_array_append_new(list, item_of(note, i)) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *value_of(const gb_note *note)
{
    return note->kind == GB_NOTE_TEXT     ? json_string(note->text)
           : note->kind == GB_NOTE_FLAG   ? json_boolean(note->flag)
           : note->kind == GB_NOTE_OBJECT ? json_incref((json_t *)note->object)
                                          : list_of(note);
}

static json_t *object_of(const gb_notes *notes)
{
    json_t *object = json_object();
    for (size_t i = 0; object != NULL && i < notes->n; i++)
        if (json_object_set_new(object, notes->of[i].name, value_of(&notes->of[i])) != 0) {
            json_decref(object);
            return NULL;
        }
    return object;
}

json_t *gb_prior_setup_to_json(const gb_prior_setup *setup)
{
    gb_notes notes = {0};
    if (setup->ops->describe == NULL)
        return json_null();
    const gb_status st = setup->ops->describe(setup, &notes, NULL);
    json_t *object = st == GB_OK ? object_of(&notes) : NULL;
    gb_notes_clear(&notes);
    return object;
}

/* ---- reading ---- */

static bool all_are(const json_t *list, bool (*is_one)(const json_t *))
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!is_one(json_array_get(list, i)))
            return false;
    return true;
}

/* A text that C can hold. */
static bool is_text(const json_t *value)
{
    return json_is_string(value) && strlen(json_string_value(value)) == json_string_length(value);
}

static bool is_count(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static gb_status add_list(const char *name, const json_t *list, gb_notes *out, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n = json_array_size(list);
    const char **text;
    uint64_t *count;
    if (all_are(list, is_text)) {
        GB_TRY(gb_notes_add_texts(out, name, n, &text, err));
        for (size_t i = 0; i < n; i++)
            text[i] = json_string_value(json_array_get(list, i));
    } else if (all_are(list, is_count)) {
        GB_TRY(gb_notes_add_counts(out, name, n, &count, err));
        for (size_t i = 0; i < n; i++)
            count[i] = (uint64_t)json_integer_value(json_array_get(list, i));
    }
done:
    return st;
}

static void release(void *object)
{
    json_decref(object);
}

/* What is no note is passed over: the prior says what it misses. */
static gb_status notes_of(const json_t *object, gb_notes *out, gb_error *err)
{
    gb_status st = GB_OK;
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, name, value)
    {
        if (out->n == GB_MAX_NOTES)
            break;
        if (is_text(value))
            gb_notes_add_text(out, name, json_string_value(value));
        else if (json_is_boolean(value))
            gb_notes_add_flag(out, name, json_is_true(value));
        else if (json_is_object(value))
            gb_notes_add_object(out, name, json_incref(value), release);
        else if (json_is_array(value))
            GB_TRY(add_list(name, value, out, err));
    }
done:
    return st;
}

gb_status gb_prior_setup_from_json(const gb_prior_ops *ops, size_t n_topics, const json_t *object,
                                   gb_prior_setup *out, gb_error *err)
{
    gb_status st;
    gb_notes notes = {0};
    GB_TRY(notes_of(object, &notes, err));
    GB_TRY(gb_prior_setup_from_notes(ops, n_topics, &notes, out, err));
done:
    gb_notes_clear(&notes);
    return st;
}
