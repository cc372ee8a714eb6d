/* model/topic_unions.c - topics that count as one, and topics that are left out of lists.
 *
 * Of a draw, with p_k the mean share of topic k over the documents, a union U has
 *   share  sum_U p_k        words  sum_U p_k phi_kw / sum_U p_k        effect  sum_U p_k eta_k / sum_U p_k - sum_j p_j eta_j
 * The score of a document is sum_k zbar_k eta_k; moving share from everything in proportion to U in proportion changes it by that effect. */
#include "gibbous/topic_unions.h"

#include "base/memory.h"
#include "corpus/readers/table.h"
#include "gibbous/topic_names.h"
#include "model/effects.h"
#include "model/topic_names.h"
#include "model/topic_unions.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char what[] = "unions of topics";

/* ---- asking ---- */

bool gb_model_has_topic_unions(const gb_model *m)
{
    return m->topic_unions != NULL;
}

uint64_t gb_model_topic_union(const gb_model *m, uint64_t topic)
{
    return m->topic_unions == NULL || topic >= m->n_topics ? topic : m->union_first[topic];
}

uint64_t gb_model_topics_of_union(const gb_model *m, uint64_t topic, uint64_t *topics)
{
    const uint64_t first = gb_model_topic_union(m, topic);
    const bool is_alone = m->topic_unions == NULL || first == GB_LEFT_OUT;
    uint64_t n = 0;
    if (is_alone)
        topics[n++] = topic;
    for (uint64_t k = first; !is_alone && k < m->n_topics; k = m->union_next[k])
        topics[n++] = k;
    return n;
}

const char *gb_model_union_name(const gb_model *m, uint64_t topic)
{
    const uint64_t first = gb_model_topic_union(m, topic);
    if (m->topic_unions == NULL || first == GB_LEFT_OUT)
        return gb_model_topic_name(m, topic);
    for (uint64_t k = first; k < m->n_topics; k = m->union_next[k])
        if (*gb_model_topic_name(m, k) != '\0')
            return gb_model_topic_name(m, k);
    return "";
}

/* ---- in the description of a model ---- */

bool gb_topic_unions_are_sound(const json_t *unions, size_t n_topics)
{
    size_t k;
    json_t *first;
    bool has_any = false;
    if (!json_is_array(unions) || json_array_size(unions) != n_topics)
        return false;
    json_array_foreach(unions, k, first)
    {
        const json_int_t i = json_integer_value(first);
        if (!json_is_integer(first) || i < -1 || i > (json_int_t)k ||
            (i >= 0 && json_integer_value(json_array_get(unions, (size_t)i)) != i))
            return false;
        has_any = has_any || i >= 0;
    }
    return has_any;
}

/* From behind, so that what follows the first of a union is the one that was put before all others of it. */
static void link_topics(gb_model *m, const json_t *unions)
{
    for (size_t k = 0; k < m->n_topics; k++)
        m->union_next[k] = m->n_topics;
    for (size_t k = m->n_topics; k-- > 0;) {
        const json_int_t first = json_integer_value(json_array_get(unions, k));
        m->union_first[k] = first < 0 ? GB_LEFT_OUT : (uint64_t)first;
        if (first < 0 || (uint64_t)first == k)
            continue;
        m->union_next[k] = m->union_next[first];
        m->union_next[first] = k;
    }
}

gb_status gb_model_set_unions(gb_model *m, json_t *unions, gb_error *err)
{
    gb_status st = GB_OK;
    json_decref(m->topic_unions);
    m->topic_unions = json_incref(unions);
    if (unions == NULL)
        return GB_OK;
    if (m->union_first == NULL)
        GB_TRY(gb_alloc(&m->union_first, m->n_topics, sizeof *m->union_first, what, err));
    if (m->union_next == NULL)
        GB_TRY(gb_alloc(&m->union_next, m->n_topics, sizeof *m->union_next, what, err));
    link_topics(m, unions);
done:
    return st;
}

/* ---- uniting ---- */

static gb_status check_labels(const gb_model *m, const uint64_t *label, gb_error *err)
{
    bool has_any = false;
    if (gb_model_is_one_vs_rest(m))
        return gb_fail(err, GB_EARGUMENT, "each class has topics of its own, which cannot be united");
    for (size_t k = 0; k < m->n_topics; k++) {
        if (label[k] >= m->n_topics && label[k] != GB_LEFT_OUT)
            return gb_fail(err, GB_EARGUMENT, "topic %zu is put with topic %" PRIu64 " of %zu", k + 1, label[k] + 1,
                           m->n_topics);
        has_any = has_any || label[k] != GB_LEFT_OUT;
    }
    return has_any ? GB_OK : gb_fail(err, GB_EARGUMENT, "every topic would be left out");
}

/* @param first  of each label, the first topic that has it; n_topics: none so far */
static json_int_t first_with(const uint64_t *label, size_t topic, size_t n_topics, uint64_t *first)
{
    if (label[topic] == GB_LEFT_OUT)
        return -1;
    if (first[label[topic]] == n_topics)
        first[label[topic]] = topic;
    return (json_int_t)first[label[topic]];
}

gb_status gb_model_unite_topics(const gb_model *m, const uint64_t *label, gb_model **out, gb_error *err)
{
    gb_status st;
    gb_model *united = NULL;
    bool differs = false;
    uint64_t *first_topic = NULL;
    json_t *unions = json_array();
    GB_TRY(check_labels(m, label, err));
    GB_TRY(gb_alloc(&first_topic, m->n_topics, sizeof *first_topic, what, err));
    for (size_t k = 0; k < m->n_topics; k++)
        first_topic[k] = m->n_topics;
    for (size_t k = 0; k < m->n_topics; k++) {
        const json_int_t first = first_with(label, k, m->n_topics, first_topic);
        differs = differs || first != (json_int_t)k;
        if (json_array_append_new(unions, json_integer(first)) != 0) {
            st = gb_fail_memory(err, 0, what);
            goto done;
        }
    }
    GB_TRY(gb_model_copy(m, &united, err));
    GB_TRY(gb_model_set_unions(united, differs ? unions : NULL, err));
    GB_TRY(gb_model_check_format(united, err));
    *out = united;
    united = NULL;
done:
    json_decref(unions);
    gb_free(first_topic);
    gb_model_free(united);
    return st;
}

/* ---- a file of groups ---- */

typedef struct group_file {
    gb_input *input;
    gb_table_file *table;
    size_t topic, group; /* columns */
    size_t n_topics;
    char **text; /* n_topics; NULL: not in the file */
} group_file;

static gb_status take_row(group_file *f, gb_error *err)
{
    size_t topic = 0;
    const gb_view group = gb_view_trim(gb_table_file_cell(f->table, f->group));
    const gb_status st = gb_topic_number(gb_table_file_cell(f->table, f->topic), f->n_topics, &topic, err);
    if (st != GB_OK)
        return st;
    if (f->text[topic] != NULL)
        return gb_fail(err, GB_EFORMAT, "topic %zu is in two rows", topic + 1);
    return gb_copy_text(&f->text[topic], group.text, group.length, err);
}

static gb_status read_rows(group_file *f, gb_error *err)
{
    gb_status st;
    bool end = false;
    GB_TRY(gb_table_file_column(f->table, "topic", true, &f->topic, err));
    GB_TRY(gb_table_file_column(f->table, "group", true, &f->group, err));
    for (;;) {
        GB_TRY(gb_table_file_next(f->table, &end, err));
        if (end)
            break;
        GB_TRY(gb_table_file_place(f->table, take_row(f, err), err));
    }
    GB_TRY(gb_input_expect_last(f->input, err));
done:
    return st;
}

static size_t first_of_group(const group_file *f, size_t topic)
{
    for (size_t k = 0; k < topic; k++)
        if (f->text[k] != NULL && strcmp(f->text[k], f->text[topic]) == 0)
            return k;
    return topic;
}

/* Unions that the file takes topics from keep the others, which are known by the first of them. */
static void find_labels(const gb_model *m, const group_file *f, uint64_t *label)
{
    for (size_t k = 0; k < m->n_topics; k++) {
        const uint64_t old = gb_model_topic_union(m, k);
        label[k] = k;
        if (f->text[k] != NULL && *f->text[k] != '\0')
            label[k] = first_of_group(f, k);
        else if (f->text[k] == NULL && old == GB_LEFT_OUT)
            label[k] = GB_LEFT_OUT;
        for (size_t j = 0; f->text[k] == NULL && old != GB_LEFT_OUT && j < k; j++)
            if (f->text[j] == NULL && gb_model_topic_union(m, j) == old) {
                label[k] = label[j];
                break;
            }
    }
}

/* The first topic of each group has its name, the others none. */
static gb_status name_groups(const gb_model *m, group_file *f, gb_model **out, gb_error *err)
{
    for (size_t k = m->n_topics; k-- > 0;)
        if (f->text[k] != NULL && (*f->text[k] == '\0' || first_of_group(f, k) != k)) {
            const bool is_alone = *f->text[k] == '\0';
            gb_free(f->text[k]);
            f->text[k] = NULL;
            if (!is_alone && gb_copy_text(&f->text[k], "", 0, err) != GB_OK)
                return GB_ENOMEM;
        }
    return gb_model_name_topics(m, (const char *const *)f->text, out, err);
}

gb_status gb_model_read_topic_unions(const gb_model *m, const char *path, gb_model **out, gb_error *err)
{
    gb_status st;
    group_file f = {.n_topics = m->n_topics};
    uint64_t *label = NULL;
    gb_model *united = NULL;
    GB_TRY(gb_alloc(&f.text, m->n_topics, sizeof *f.text, what, err));
    GB_TRY(gb_alloc(&label, m->n_topics, sizeof *label, what, err));
    GB_TRY(gb_input_open(&f.input, path, NULL, err));
    const gb_table_form form = {gb_table_kind_of(path, GB_TABLE_CSV), true, NULL, 2,
                                (const char *const[]){"topic", "group"}};
    GB_TRY(gb_table_file_open(&f.table, f.input, &form, err));
    GB_TRY(read_rows(&f, err));
    find_labels(m, &f, label);
    GB_TRY(gb_model_unite_topics(m, label, &united, err));
    GB_TRY(name_groups(united, &f, out, err));
done:
    for (size_t k = 0; f.text != NULL && k < f.n_topics; k++)
        gb_free(f.text[k]);
    gb_free(f.text);
    gb_free(label);
    gb_table_file_close(f.table);
    gb_input_close(f.input);
    gb_model_free(united);
    return st;
}

/* ---- shares ---- */

gb_status gb_model_topics_share(const gb_model *m, uint64_t n, const uint64_t *topic, gb_effect *out, gb_error *err)
{
    const uint64_t n_draws = gb_model_n_topic_draws(m);
    double *value = NULL;
    if (n == 0)
        return gb_fail(err, GB_EARGUMENT, "the share of no topics");
    for (uint64_t i = 0; i < n; i++)
        if (topic[i] >= m->n_topics)
            return gb_fail(err, GB_EARGUMENT, "topic %" PRIu64 " of %zu", topic[i] + 1, m->n_topics);
    const gb_status st = gb_alloc(&value, n_draws, sizeof *value, what, err);
    if (st != GB_OK)
        return st;
    for (uint64_t s = 0; s < n_draws; s++) {
        const gb_draw draw = gb_model_kept(m, s);
        for (uint64_t i = 0; i < n; i++)
            value[s] += draw.share[topic[i]];
    }
    *out = gb_effect_of(value, n_draws);
    out->n_unused = m->n_kept - n_draws;
    out->shrinkage = NAN;
    gb_free(value);
    return GB_OK;
}
