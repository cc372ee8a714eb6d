/* model/topic_names.c - names that users give topics; they say what a topic is about and change nothing else. */
#include "gibbous/topic_names.h"
#include "base/memory.h"
#include "base/text.h"
#include "model/model.h"
#include "model/topic_names.h"

#include <inttypes.h>
#include <string.h>

static const char what[] = "names of topics";

/* ---- asking ---- */

bool gb_model_has_topic_names(const gb_model *m)
{
    return m->topic_names != NULL;
}

const char *gb_model_topic_name(const gb_model *m, uint64_t topic)
{
    const char *name = json_string_value(json_array_get(m->topic_names, topic));
    return name == NULL ? "" : name;
}

/* ---- in the description of a model ---- */

bool gb_topic_names_are_sound(const json_t *names, size_t n_topics)
{
    size_t i;
    json_t *name;
    if (!json_is_array(names) || json_array_size(names) != n_topics)
        return false;
    json_array_foreach(names, i, name)
    {
        if (!json_is_string(name) || strlen(json_string_value(name)) != json_string_length(name))
            return false;
    }
    return true;
}

/* ---- giving names ---- */

gb_status gb_topic_name_check(uint64_t topic, const char *name, gb_error *err)
{
    if (!gb_text_is_utf8(name, strlen(name)))
        return gb_fail(err, GB_EFORMAT, "the name of topic %" PRIu64 " is not UTF-8", topic + 1);
    if (gb_text_has_controls(name, strlen(name)))
        return gb_fail(err, GB_EFORMAT, "the name of topic %" PRIu64 " has control characters", topic + 1);
    return GB_OK;
}

static bool has_any(const json_t *names)
{
    bool has = false;
    for (size_t k = 0; k < json_array_size(names); k++)
        has |= json_string_length(json_array_get(names, k)) > 0;
    return has;
}

gb_status gb_model_copy(const gb_model *m, gb_model **out, gb_error *err)
{
    void *bytes = NULL;
    size_t n_bytes;
    gb_status st = gb_model_to_bytes(m, &bytes, &n_bytes, err);
    if (st == GB_OK)
        st = gb_model_from_bytes(bytes, n_bytes, out, err);
    gb_free(bytes);
    return st;
}

gb_status gb_model_name_topics(const gb_model *m, const char *const *name, gb_model **out, gb_error *err)
{
    gb_status st;
    gb_model *named = NULL;
    json_t *names = json_array();
    for (size_t k = 0; k < m->n_topics; k++) {
        const char *text = name[k] != NULL ? name[k] : gb_model_topic_name(m, k);
        GB_TRY(gb_topic_name_check(k, text, err));
        if (json_array_append_new(names, json_string(text)) != 0) {
            st = gb_fail_memory(err, 0, what);
            goto done;
        }
    }
    GB_TRY(gb_model_copy(m, &named, err));
    json_decref(named->topic_names);
    named->topic_names = has_any(names) ? json_incref(names) : NULL;
    GB_TRY(gb_model_check_format(named, err));
    *out = named;
    named = NULL;
done:
    json_decref(names);
    gb_model_free(named);
    return st;
}
