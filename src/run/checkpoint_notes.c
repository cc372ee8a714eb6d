/* run/checkpoint_notes.c - what a checkpoint says about its run. */
#include "base/memory.h"
#include "gibbous/train.h"
#include "store/json_text.h"
#include "store/layout.h"
#include "store/store.h"

#include <jansson.h>
#include <string.h>

/* One number for each chain. */
static gb_status put_numbers(const gb_store *s, const char *array, const char *name, json_t *object, gb_error *err)
{
    uint64_t n;
    const void *values;
    gb_status st = gb_store_get_array(s, array, GB_U64, 1, &n, &values, err);
    if (st != GB_OK)
        return st;
    json_t *list = json_array();
    bool failed = list == NULL;
    for (uint64_t i = 0; i < n && !failed; i++)
        failed = json_array_append_new(list, json_integer((json_int_t)((const uint64_t *)values)[i])) != 0;
    if (failed) {
        json_decref(list);
        return gb_fail_memory(err, 0, "a description");
    }
    return json_object_set_new(object, name, list) == 0 ? GB_OK : gb_fail_memory(err, 0, "a description");
}

static gb_status put_texts(const gb_store *s, json_t *object, gb_error *err)
{
    gb_status st;
    const char *version, *settings;
    GB_TRY(gb_store_get_text(s, "library", &version, err));
    GB_TRY(gb_store_get_text(s, "settings", &settings, err));
    json_t *parsed;
    st = gb_json_parse(settings, strlen(settings), 0, &parsed, NULL, err);
    if (st == GB_ENOMEM)
        return st;
    if (!json_is_object(parsed)) {
        json_decref(parsed);
        return gb_fail(err, GB_EFORMAT, "%s: damaged checkpoint: its settings are not a JSON object",
                       gb_store_path(s));
    }
    const bool failed = json_object_set_new(object, "version", json_string(version)) != 0;
    if (json_object_set_new(object, "settings", parsed) != 0 || failed) /* both take what they are given */
        st = gb_fail_memory(err, 0, "a description");
done:
    return st;
}

gb_status gb_checkpoint_notes(const char *path, char **out, gb_error *err)
{
    gb_status st;
    gb_store *s = NULL;
    json_t *object = json_object();
    GB_TRY(object == NULL ? gb_fail_memory(err, 0, "a description") : GB_OK);
    GB_TRY(gb_store_open(&s, path, "checkpoint", err));
    GB_TRY(put_numbers(s, "sweeps", "sweeps_done", object, err));
    GB_TRY(put_numbers(s, "kept", "draws", object, err));
    GB_TRY(put_texts(s, object, err));
    GB_TRY(gb_json_text(object, 0, out, NULL, err));
done:
    json_decref(object);
    gb_store_close(s);
    return st;
}
