/* model/topic_names.c - names that users give topics; they say what a topic is about and change nothing else. */
#include "gibbous/topic_names.h"
#include "base/memory.h"
#include "base/text.h"
#include "corpus/readers/table.h"
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

static gb_status check_name(uint64_t topic, const char *name, gb_error *err)
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
        GB_TRY(check_name(k, text, err));
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

/* ---- a file of names ---- */

typedef struct name_file {
    gb_input *input;
    gb_table *table;
    size_t topic, name; /* columns */
    size_t n_topics;
    char **text; /* n_topics; NULL: the file does not name it */
} name_file;

gb_status gb_topic_number(gb_view text, size_t n_topics, size_t *out, gb_error *err)
{
    double topic;
    text = gb_view_trim(text);
    if (!gb_view_to_real(text, &topic) || !(topic >= 1) || topic > (double)n_topics || topic != (double)(size_t)topic)
        return gb_fail(err, GB_EFORMAT, "the topic \"%.*s\" is not a number from 1 to %zu", GB_SHOWN(text), n_topics);
    *out = (size_t)topic - 1;
    return GB_OK;
}

static gb_status name_topic(name_file *f, size_t topic, gb_view name, gb_error *err)
{
    name = gb_view_trim(name);
    if (f->text[topic] != NULL)
        return gb_fail(err, GB_EFORMAT, "topic %zu is named twice", topic + 1);
    const gb_status st = gb_copy_text(&f->text[topic], name.text, name.length, err);
    return st == GB_OK ? check_name(topic, f->text[topic], err) : st;
}

static gb_status take_row(name_file *f, gb_error *err)
{
    size_t topic = 0;
    const gb_status st = gb_topic_number(gb_table_cell(f->table, f->topic), f->n_topics, &topic, err);
    return st == GB_OK ? name_topic(f, topic, gb_table_cell(f->table, f->name), err) : st;
}

static gb_status read_rows(name_file *f, gb_error *err)
{
    gb_status st;
    bool end = false;
    GB_TRY(gb_table_column(f->table, "topic", true, &f->topic, err));
    GB_TRY(gb_table_column(f->table, "name", true, &f->name, err));
    for (;;) {
        GB_TRY(gb_table_next(f->table, &end, err));
        if (end)
            break;
        GB_TRY(gb_table_place(f->table, take_row(f, err), err));
    }
    GB_TRY(gb_input_expect_last(f->input, err));
done:
    return st;
}

gb_status gb_model_read_topic_names(const gb_model *m, const char *path, gb_model **out, gb_error *err)
{
    gb_status st;
    name_file f = {.n_topics = m->n_topics};
    GB_TRY(gb_alloc(&f.text, m->n_topics, sizeof *f.text, what, err));
    GB_TRY(gb_input_open(&f.input, path, NULL, err));
    GB_TRY(gb_table_open(&f.table, f.input, gb_table_kind_of(path, GB_TABLE_CSV), true, err));
    GB_TRY(read_rows(&f, err));
    GB_TRY(gb_model_name_topics(m, (const char *const *)f.text, out, err));
done:
    for (size_t k = 0; f.text != NULL && k < f.n_topics; k++)
        gb_free(f.text[k]);
    gb_free(f.text);
    gb_table_close(f.table);
    gb_input_close(f.input);
    return st;
}
