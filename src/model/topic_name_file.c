/* model/topic_name_file.c - files of names of topics: tables, and what language models answer to `gibbous topics --prompts`.
 *
 * An answer is JSON (an object of names by topics, or objects with "topic" and "name" in an array or one per line), or lines such as
 *
 *   3: Name      - **Topic 3**: "Name"      3. Name      3+7: Name
 *
 * It may stand between lines of three backquotes, and lines that do not begin with a topic are passed over: models like to talk. */
#include "base/memory.h"
#include "corpus/readers/table.h"
#include "gibbous/topic_names.h"
#include "gibbous/topic_unions.h"
#include "model/model.h"
#include "model/topic_names.h"
#include "store/json_text.h"

#include <ctype.h>
#include <string.h>

enum { MOST_DEPTH = 5, MOST_BYTES = 1 << 26 };

typedef struct name_file {
    const gb_model *model;
    gb_input *input;
    gb_table_file *table;
    size_t topic, name; /* columns */
    char **text;        /* n_topics; NULL: the file does not name it */
    size_t n_named;
} name_file;

/* ---- one topic ---- */

gb_status gb_topic_number(gb_view text, size_t n_topics, size_t *out, gb_error *err)
{
    double topic;
    text = gb_view_trim(text);
    if (!gb_view_to_real(text, &topic) || !(topic >= 1) || topic > (double)n_topics || topic != (double)(size_t)topic)
        return gb_fail(err, GB_EFORMAT, "the topic \"%.*s\" is not a number from 1 to %zu", GB_SHOWN(text), n_topics);
    *out = (size_t)topic - 1;
    return GB_OK;
}

/* "5", or the topics of a union, "3+7": the first of them. */
static gb_status find_topic(const gb_model *m, gb_view text, size_t *out, gb_error *err)
{
    gb_status st = GB_OK;
    size_t n = 0, topic = 0;
    text = gb_view_trim(text);
    for (const char *at = text.text, *end = text.text + text.length; st == GB_OK; at++) {
        const char *plus = memchr(at, '+', (size_t)(end - at));
        const size_t length = (size_t)((plus == NULL ? end : plus) - at);
        st = gb_topic_number((gb_view){at, length}, m->n_topics, &topic, err);
        if (st != GB_OK)
            return st;
        if (n++ == 0)
            *out = topic;
        else if (gb_model_topic_union(m, topic) != gb_model_topic_union(m, *out))
            return gb_fail(err, GB_EFORMAT, "the topics \"%.*s\" are no union of the model", GB_SHOWN(text));
        if (plus == NULL)
            break;
        at = plus;
    }
    return st;
}

static gb_status name_topic(name_file *f, gb_view topic, gb_view name, gb_error *err)
{
    size_t k = 0;
    gb_status st = find_topic(f->model, topic, &k, err);
    if (st != GB_OK)
        return st;
    name = gb_view_trim(name);
    if (f->text[k] != NULL)
        return gb_fail(err, GB_EFORMAT, "topic %zu is named twice", k + 1);
    st = gb_copy_text(&f->text[k], name.text, name.length, err);
    if (st != GB_OK)
        return st;
    f->n_named++;
    if (strlen(f->text[k]) != name.length)
        return gb_fail(err, GB_EFORMAT, "the name of topic %zu has control characters", k + 1);
    return gb_topic_name_check(k, f->text[k], err);
}

/* ---- a table ---- */

static gb_status read_table(name_file *f, gb_table_kind kind, gb_error *err)
{
    gb_status st;
    bool end = false;
    const gb_table_form form = {kind, true, NULL, 2, (const char *const[]){"topic", "name"}};
    GB_TRY(gb_table_file_open(&f->table, f->input, &form, err));
    GB_TRY(gb_table_file_column(f->table, "topic", true, &f->topic, err));
    GB_TRY(gb_table_file_column(f->table, "name", true, &f->name, err));
    for (;;) {
        GB_TRY(gb_table_file_next(f->table, &end, err));
        if (end)
            break;
        st = name_topic(f, gb_table_file_cell(f->table, f->topic), gb_table_file_cell(f->table, f->name), err);
        GB_TRY(gb_table_file_place(f->table, st, err));
    }
done:
    return st;
}

/* ---- JSON ---- */

/* The number in "3", "topic 3", "Topic_3". */
static gb_view number_of(gb_view key)
{
    static const char word[] = "topic";
    key = gb_view_trim(key);
    size_t n = 0;
    while (n < sizeof word - 1 && n < key.length && tolower((unsigned char)key.text[n]) == word[n])
        n++;
    if (n < sizeof word - 1)
        return key;
    while (n < key.length && (key.text[n] == ' ' || key.text[n] == '_' || key.text[n] == '-' || key.text[n] == '#'))
        n++;
    return (gb_view){key.text + n, key.length - n};
}

static gb_status name_by_json(name_file *f, gb_view topic, const json_t *name, gb_error *err)
{
    if (json_is_object(name))
        name = json_object_get(name, "name");
    if (!json_is_string(name))
        return gb_fail(err, GB_EFORMAT, "the name of topic \"%.*s\" is not a text", GB_SHOWN(topic));
    return name_topic(f, number_of(topic), (gb_view){json_string_value(name), json_string_length(name)}, err);
}

/* {"topic": 3, "name": "..."} */
static gb_status take_entry(name_file *f, const json_t *entry, gb_error *err)
{
    const json_t *topic = json_object_get(entry, "topic");
    char number[24];
    if (json_is_string(topic))
        return name_by_json(f, gb_view_of(json_string_value(topic)), entry, err);
    if (!json_is_integer(topic))
        return gb_fail(err, GB_EFORMAT, "expected objects with \"topic\" and \"name\"");
    (void)snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(topic));
    return name_by_json(f, gb_view_of(number), entry, err);
}

static gb_status take_json(name_file *f, const json_t *value, gb_error *err)
{
    gb_status st = GB_OK;
    const char *key;
    json_t *name;
    if (json_object_size(value) == 1 &&
        (json_is_array(json_object_get(value, "topics")) || json_is_object(json_object_get(value, "topics"))))
        value = json_object_get(value, "topics");
    for (size_t i = 0; i < json_array_size(value); i++)
        GB_TRY(take_entry(f, json_array_get(value, i), err));
    if (json_object_get(value, "topic") != NULL)
        return take_entry(f, value, err);
    json_object_foreach((json_t *)(uintptr_t)value, key, name) GB_TRY(name_by_json(f, gb_view_of(key), name, err));
done:
    return st;
}

static gb_status read_json(name_file *f, gb_view text, gb_error *err)
{
    json_t *value = NULL;
    gb_status st = GB_EFORMAT;
    if (gb_json_is_modest(text.text, text.length, MOST_DEPTH, 8 * f->model->n_topics + 8))
        st = gb_json_parse(text.text, text.length, 0, &value, NULL, err);
    if (st == GB_EFORMAT)
        return gb_fail(err, GB_EFORMAT, "not JSON that names topics, such as {\"3\": \"Name\"}");
    if (st == GB_OK)
        st = take_json(f, value, err);
    json_decref(value);
    return st;
}

/* ---- lines ---- */

static void skip(gb_view *v, const char *characters)
{
    while (v->length > 0 && strchr(characters, v->text[0]) != NULL && v->text[0] != '\0') {
        v->text++;
        v->length--;
    }
}

static bool skip_text(gb_view *v, const char *text)
{
    const size_t n = strlen(text);
    if (v->length < n || memcmp(v->text, text, n) != 0)
        return false;
    v->text += n;
    v->length -= n;
    return true;
}

/* What stands between a topic and its name. */
static bool skip_separator(gb_view *v)
{
    static const char *const between[] = {":", ". ", ")", "|", "=", ",", "\t", "- ", "\xe2\x80\x93", "\xe2\x80\x94"};
    skip(v, " *_");
    for (size_t i = 0; i < sizeof between / sizeof between[0]; i++)
        if (skip_text(v, between[i]))
            return true;
    return false;
}

/* Without marks of emphasis and one pair of quotation marks around it. */
static gb_view bare(gb_view v)
{
    static const char *const pair[][2] = {
        {"\"", "\""}, {"\xe2\x80\x9c", "\xe2\x80\x9d"}, {"'", "'"}, {"\x60", "\x60"}};
    v = gb_view_trim(v);
    if (v.length > 1 && v.text[v.length - 1] == '|')
        v = gb_view_trim((gb_view){v.text, v.length - 1}); /* a row of a table in Markdown */
    while (v.length > 4 && memcmp(v.text, "**", 2) == 0 && memcmp(v.text + v.length - 2, "**", 2) == 0)
        v = gb_view_trim((gb_view){v.text + 2, v.length - 4});
    if (v.length > 2 && memcmp(v.text, "**", 2) == 0)
        v = gb_view_trim((gb_view){v.text + 2, v.length - 2}); /* "**3: Name**" begins before the number */
    if (v.length > 2 && memcmp(v.text + v.length - 2, "**", 2) == 0)
        v = gb_view_trim((gb_view){v.text, v.length - 2});
    for (size_t i = 0; i < sizeof pair / sizeof pair[0]; i++) {
        const size_t a = strlen(pair[i][0]), b = strlen(pair[i][1]);
        if (v.length > a + b && memcmp(v.text, pair[i][0], a) == 0 &&
            memcmp(v.text + v.length - b, pair[i][1], b) == 0)
            return gb_view_trim((gb_view){v.text + a, v.length - a - b});
    }
    return v;
}

static gb_status read_line(name_file *f, gb_view line, gb_error *err)
{
    line = gb_view_trim(line);
    skip(&line, " \t*_-#>|");
    gb_view rest = number_of(line), topic = rest;
    while (rest.length > 0 && (isdigit((unsigned char)rest.text[0]) || rest.text[0] == '+')) {
        rest.text++;
        rest.length--;
    }
    topic.length -= rest.length;
    if (topic.length == 0 || !isdigit((unsigned char)topic.text[0]) || !skip_separator(&rest))
        return GB_OK;
    const gb_view name = bare(rest);
    if (name.length == 0)
        return gb_fail(err, GB_EFORMAT, "no name after the topic \"%.*s\"", GB_SHOWN(topic));
    return name_topic(f, topic, name, err);
}

/* ---- an answer ---- */

static bool is_fence(gb_view line)
{
    line = gb_view_trim(line);
    return line.length >= 3 && memcmp(line.text, "\x60\x60\x60", 3) == 0;
}

static bool begins_json(gb_view line)
{
    line = gb_view_trim(line);
    return line.length > 0 && (line.text[0] == '{' || line.text[0] == '[');
}

/* Lines of one object each, or one value over several lines, which ends with a fence or the file. */
static gb_status add_json(name_file *f, gb_bytes *json, gb_view line, gb_error *err)
{
    gb_status st;
    if (json->length == 0 && line.text[0] == '{' && line.text[line.length - 1] == '}')
        return read_json(f, line, err);
    if (json->length + line.length > MOST_BYTES)
        return gb_fail(err, GB_EFORMAT, "the names of topics are longer than %d bytes", MOST_BYTES);
    GB_TRY(gb_bytes_add(json, line.text, line.length, err));
    GB_TRY(gb_bytes_add(json, "\n", 1, err));
done:
    return st;
}

static gb_status end_json(name_file *f, gb_bytes *json, gb_error *err)
{
    const gb_status st = json->length == 0 ? GB_OK : read_json(f, (gb_view){json->data, json->length}, err);
    json->length = 0;
    return st;
}

static gb_status read_answer(name_file *f, gb_error *err)
{
    gb_status st;
    gb_bytes json = {0};
    gb_view line;
    bool end = false;
    for (;;) {
        GB_TRY(gb_input_line(f->input, &line, &end, err));
        if (end || is_fence(line))
            GB_TRY(gb_input_place(f->input, err, end_json(f, &json, err)));
        else if (json.length > 0 || begins_json(line))
            GB_TRY(gb_input_place(f->input, err, add_json(f, &json, gb_view_trim(line), err)));
        else
            GB_TRY(gb_input_place(f->input, err, read_line(f, line, err)));
        if (end)
            break;
    }
    if (f->n_named == 0)
        st = gb_fail(
            err, GB_EFORMAT,
            "%s: no names of topics; expected a table with the columns topic and name, lines such as 3: Name, "
            "or JSON",
            gb_input_name(f->input));
done:
    gb_free(json.data);
    return st;
}

/* ---- which of both ---- */

static bool has_cell(gb_view line, char separator, const char *name)
{
    while (line.length > 0) {
        const char *end = memchr(line.text, separator, line.length);
        const size_t length = end == NULL ? line.length : (size_t)(end - line.text);
        gb_view cell = gb_view_trim((gb_view){line.text, length});
        if (cell.length > 2 && cell.text[0] == '"')
            cell = (gb_view){cell.text + 1, cell.length - 2};
        if (gb_view_is(cell, name))
            return true;
        line = (gb_view){line.text + length, line.length - length};
        if (line.length > 0)
            line = (gb_view){line.text + 1, line.length - 1};
    }
    return false;
}

/* A file that is called a table is one; any other is if its first line has the two columns. */
static gb_status choose(name_file *f, const char *path, bool *is_table, gb_table_kind *kind, gb_error *err)
{
    gb_view line;
    bool end = false;
    const bool is_csv = gb_table_kind_of(path, GB_TABLE_BLANKS) == GB_TABLE_CSV,
               is_tsv = gb_table_kind_of(path, GB_TABLE_BLANKS) == GB_TABLE_TSV;
    *is_table = is_csv || is_tsv;
    *kind = is_tsv ? GB_TABLE_TSV : GB_TABLE_CSV;
    if (*is_table)
        return GB_OK;
    const gb_status st = gb_input_peek(f->input, &line, &end, err);
    for (size_t i = 0; st == GB_OK && !end && i < 2; i++)
        if (has_cell(line, ",\t"[i], "topic") && has_cell(line, ",\t"[i], "name")) {
            *is_table = true;
            *kind = i == 0 ? GB_TABLE_CSV : GB_TABLE_TSV;
        }
    return st;
}

gb_status gb_model_read_topic_names(const gb_model *m, const char *path, gb_model **out, gb_error *err)
{
    gb_status st;
    name_file f = {.model = m};
    bool is_table = true;
    gb_table_kind kind = GB_TABLE_CSV;
    GB_TRY(gb_alloc(&f.text, m->n_topics, sizeof *f.text, "names of topics", err));
    GB_TRY(gb_input_open(&f.input, path, NULL, err));
    GB_TRY(choose(&f, path, &is_table, &kind, err));
    GB_TRY(is_table ? read_table(&f, kind, err) : read_answer(&f, err));
    GB_TRY(gb_input_expect_last(f.input, err));
    GB_TRY(gb_model_name_topics(m, (const char *const *)f.text, out, err));
done:
    for (size_t k = 0; f.text != NULL && k < m->n_topics; k++)
        gb_free(f.text[k]);
    gb_free(f.text);
    gb_table_file_close(f.table);
    gb_input_close(f.input);
    return st;
}
