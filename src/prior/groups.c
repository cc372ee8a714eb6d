/* prior/groups.c - groups of documents, named by one or several fields. */
#include "prior/groups.h"

#include "base/memory.h"
#include "corpus/data/name.h"
#include "corpus/data/texts.h"
#include "corpus/data/words.h"

#include <string.h>

struct gb_groups {
    size_t n_fields;
    char **field;
    char *title;
    gb_words *names;
};

/* ---- the set ------------------------------------------------------------------------------------------- */

static gb_status make_title(gb_groups *g, gb_error *err)
{
    gb_status st = GB_OK;
    gb_bytes title = {0};
    for (size_t i = 0; i < g->n_fields; i++) {
        GB_TRY(gb_bytes_add(&title, "|", i == 0 ? 0 : 1, err));
        GB_TRY(gb_bytes_add(&title, g->field[i], strlen(g->field[i]), err));
    }
    GB_TRY(gb_bytes_add(&title, "", 1, err));
    g->title = title.data;
    title.data = NULL;
done:
    gb_free(title.data);
    return st;
}

gb_status gb_groups_create(gb_groups **out, size_t n_fields, const char *const *field, gb_error *err)
{
    gb_status st;
    gb_groups *g = NULL;
    GB_TRY(gb_alloc(&g, 1, sizeof *g, "groups", err));
    GB_TRY(gb_alloc(&g->field, n_fields, sizeof g->field[0], "fields of groups", err));
    for (; g->n_fields < n_fields; g->n_fields++)
        GB_TRY(gb_copy_text(&g->field[g->n_fields], field[g->n_fields], strlen(field[g->n_fields]), err));
    GB_TRY(make_title(g, err));
    GB_TRY(gb_words_create(&g->names, err));
    *out = g;
    g = NULL;
done:
    gb_groups_free(g);
    return st;
}

void gb_groups_free(gb_groups *g)
{
    if (g == NULL)
        return;
    for (size_t i = 0; i < g->n_fields; i++)
        gb_free(g->field[i]);
    gb_free(g->field);
    gb_free(g->title);
    gb_words_free(g->names);
    gb_free(g);
}

/* One value for each field, none of them empty.  With a single field "|" is a character like any other. */
static bool has_all_values(const gb_groups *g, gb_view name)
{
    size_t n = 1, length = 0;
    for (size_t i = 0; i < name.length; i++) {
        const bool is_end = g->n_fields > 1 && name.text[i] == '|';
        if (is_end && length == 0)
            return false;
        n += is_end;
        length = is_end ? 0 : length + 1;
    }
    return length > 0 && (g->n_fields <= 1 || n == g->n_fields);
}

/* Add a group whose values have their one name each. */
static gb_status add_named(gb_groups *g, gb_view name, uint32_t *number, gb_error *err)
{
    const char *fault = gb_text_fault(name.text, name.length);
    if (fault != NULL)
        return gb_fail(err, GB_EFORMAT, "the name of a group %s", fault);
    if (!has_all_values(g, name))
        return gb_fail(err, GB_EFORMAT, "\"%.*s\" is no group, expected %s", GB_SHOWN(name),
                       g->n_fields > 1 ? g->title : "a name");
    if (gb_groups_count(g) >= GB_MAX_GROUPS && gb_words_find(g->names, name) == GB_NO_WORD)
        return gb_fail(err, GB_EFORMAT, "more than %d groups", (int)GB_MAX_GROUPS);
    return gb_words_add(g->names, name, number, err);
}

/* The name of a group, made of the names of its values. */
static gb_status name_values(const gb_groups *g, gb_view given, gb_bytes *out, gb_error *err)
{
    gb_status st = GB_OK;
    gb_fold fold = {0};
    gb_view name;
    for (size_t i = 0; i < g->n_fields; i++) {
        const char *bar = i + 1 < g->n_fields ? memchr(given.text, '|', given.length) : NULL;
        const size_t length = bar == NULL ? given.length : (size_t)(bar - given.text);
        GB_TRY(gb_name_of(&fold, (gb_view){given.text, length}, &name, err));
        GB_TRY(gb_bytes_add(out, name.text, name.length, err));
        if (bar == NULL)
            break;
        GB_TRY(gb_bytes_add(out, "|", 1, err));
        given = (gb_view){bar + 1, given.length - length - 1};
    }
done:
    gb_fold_free(&fold);
    return st;
}

gb_status gb_groups_add(gb_groups *g, gb_view given, uint32_t *number, gb_error *err)
{
    gb_status st = GB_OK;
    gb_bytes name = {0};
    if (gb_text_fault(given.text, given.length) == NULL)
        GB_TRY(name_values(g, given, &name, err));
    else /* which is what the message says */
        GB_TRY(gb_bytes_add(&name, given.text, given.length, err));
    st = add_named(g, (gb_view){name.length == 0 ? "" : name.data, name.length}, number, err);
done:
    gb_free(name.data);
    return st;
}

uint32_t gb_groups_find(const gb_groups *g, gb_view name)
{
    return gb_words_find(g->names, g->n_fields > 1 ? name : gb_name_trim(name)); /* GB_NO_WORD is GB_NO_GROUP */
}

uint32_t gb_groups_count(const gb_groups *g)
{
    return gb_words_count(g->names);
}

uint64_t gb_groups_bytes(const gb_groups *g)
{
    return gb_words_bytes(g->names);
}

gb_view gb_groups_name(const gb_groups *g, uint32_t number)
{
    return gb_words_text(g->names, number);
}

size_t gb_groups_n_fields(const gb_groups *g)
{
    return g->n_fields;
}

const char *gb_groups_field(const gb_groups *g, size_t i)
{
    return g->field[i];
}

const char *gb_groups_title(const gb_groups *g)
{
    return g->title;
}

/* ---- the fields of a corpus ---------------------------------------------------------------------------- */

size_t gb_group_fields(const gb_corpus *corpus, size_t room, const char **field)
{
    size_t n = 0;
    for (size_t i = 0; i < corpus->n_labels; i++) {
        if (corpus->labels[i].role != GB_ROLE_GROUP)
            continue;
        if (n < room)
            field[n] = corpus->labels[i].name;
        n++;
    }
    return n;
}

/* Where the set's fields are in a corpus, and the name of its current document. */
typedef struct document_group {
    const gb_corpus *corpus;
    const char *path;
    size_t n_fields;
    const gb_labels **field;
    gb_bytes name;
} document_group;

static void close_documents(document_group *at)
{
    gb_free(at->field);
    gb_free(at->name.data);
}

static const gb_labels *find_field(const gb_corpus *corpus, const char *name)
{
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (corpus->labels[i].role == GB_ROLE_GROUP && strcmp(corpus->labels[i].name, name) == 0)
            return &corpus->labels[i];
    return NULL;
}

static gb_status open_documents(document_group *at, const gb_groups *g, gb_error *err)
{
    gb_status st;
    at->n_fields = g->n_fields;
    GB_TRY(gb_alloc(&at->field, g->n_fields, sizeof(void *), "fields of groups", err));
    for (size_t i = 0; i < g->n_fields; i++) {
        at->field[i] = find_field(at->corpus, g->field[i]);
        if (at->field[i] == NULL)
            return gb_fail(err, GB_EARGUMENT, "%s: no group field \"%s\"; the groups are named by %s (`group`)",
                           at->path, g->field[i], g->title);
    }
done:
    return st;
}

static gb_view value_of(const document_group *at, size_t field, uint64_t d)
{
    const gb_labels *l = at->field[field];
    return gb_texts_view(&l->classes, l->class_of[l->doc_start[d]]);
}

static gb_status check_value(const document_group *at, size_t field, uint64_t d, gb_error *err)
{
    const gb_view id = gb_texts_view(&at->corpus->ids, d);
    if (!at->field[field]->labelled[d])
        return gb_fail(err, GB_EFORMAT, "%s: document \"%.*s\": the group field \"%s\" is missing", at->path,
                       GB_SHOWN(id), at->field[field]->name);
    const gb_view value = value_of(at, field, d);
    if (at->n_fields > 1 && memchr(value.text, '|', value.length) != NULL)
        return gb_fail(err, GB_EFORMAT,
                       "%s: document \"%.*s\": the group field \"%s\" is \"%.*s\"; with several fields \"|\" may "
                       "only stand between them",
                       at->path, GB_SHOWN(id), at->field[field]->name, GB_SHOWN(value));
    return GB_OK;
}

static gb_status name_group(document_group *at, uint64_t d, gb_view *name, gb_error *err)
{
    gb_status st = GB_OK;
    at->name.length = 0;
    for (size_t i = 0; i < at->n_fields; i++) {
        GB_TRY(check_value(at, i, d, err));
        const gb_view value = value_of(at, i, d);
        GB_TRY(gb_bytes_add(&at->name, "|", i == 0 ? 0 : 1, err));
        GB_TRY(gb_bytes_add(&at->name, value.text, value.length, err));
    }
    *name = (gb_view){at->name.length == 0 ? "" : at->name.data, at->name.length};
done:
    return st;
}

/* The number of a group that is not in the set. */
static gb_status number_other(const gb_groups *g, gb_groups *others, gb_view name, uint32_t *number, gb_error *err)
{
    const gb_status st = gb_groups_add(others, name, number, err);
    if (st == GB_OK)
        *number += gb_groups_count(g);
    return st;
}

gb_status gb_groups_number_documents(const gb_groups *g, const gb_corpus *corpus, const char *path, gb_groups *others,
                                     uint32_t *group_of, gb_error *err)
{
    gb_status st;
    gb_view name;
    document_group at = {.corpus = corpus, .path = path};
    GB_TRY(open_documents(&at, g, err));
    for (uint64_t d = 0; d < corpus->n_docs; d++) {
        GB_TRY(name_group(&at, d, &name, err));
        group_of[d] = gb_groups_find(g, name);
        if (group_of[d] == GB_NO_GROUP && others != NULL) {
            GB_TRY(number_other(g, others, name, &group_of[d], err));
        } else if (group_of[d] == GB_NO_GROUP) {
            const gb_view id = gb_texts_view(&corpus->ids, d);
            st = gb_fail(err, GB_EFORMAT, "%s: document \"%.*s\": the group \"%.*s\" is not in the graph", path,
                         GB_SHOWN(id), GB_SHOWN(name));
            goto done;
        }
    }
done:
    close_documents(&at);
    return st;
}

/* ---- the groups that documents have -------------------------------------------------------------------- */

typedef struct value_order {
    const gb_texts *values;
    double *number; /* NULL: by bytes */
} value_order;

static int compare_values(const void *a, const void *b, void *context)
{
    const value_order *order = context;
    const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    if (order->number != NULL && order->number[i] != order->number[j])
        return order->number[i] < order->number[j] ? -1 : 1;
    const gb_view left = gb_texts_view(order->values, i), right = gb_texts_view(order->values, j);
    return gb_text_compare(left.text, left.length, right.text, right.length);
}

/* The place of each value among the sorted ones. */
static gb_status rank_values(const gb_texts *values, uint32_t *rank, gb_error *err)
{
    gb_status st;
    double *number = NULL;
    uint32_t *order = NULL;
    bool are_numbers = true;
    GB_TRY(gb_alloc(&number, values->count, sizeof number[0], "values of groups", err));
    GB_TRY(gb_alloc(&order, values->count, sizeof order[0], "values of groups", err));
    for (uint32_t i = 0; i < values->count; i++) {
        order[i] = i;
        are_numbers = are_numbers && gb_view_to_real(gb_texts_view(values, i), &number[i]);
    }
    if (values->count > 0)
        qsort_r(order, values->count, sizeof order[0], compare_values,
                &(value_order){values, are_numbers ? number : NULL});
    for (uint32_t i = 0; i < values->count; i++)
        rank[order[i]] = i;
done:
    gb_free(number);
    gb_free(order);
    return st;
}

/* The ranks of a document's values, field after field. */
typedef struct document_order {
    size_t n_fields;
    const uint32_t *rank; /* n_docs x n_fields */
} document_order;

static int compare_documents(const void *a, const void *b, void *context)
{
    const document_order *order = context;
    const uint32_t *left = order->rank + *(const uint64_t *)a * order->n_fields;
    const uint32_t *right = order->rank + *(const uint64_t *)b * order->n_fields;
    for (size_t i = 0; i < order->n_fields; i++)
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    return 0;
}

static gb_status rank_documents(const document_group *at, uint32_t *rank, gb_error *err)
{
    gb_status st = GB_OK;
    uint32_t *of_value = NULL;
    for (size_t i = 0; i < at->n_fields; i++) {
        const gb_labels *l = at->field[i];
        gb_free(of_value);
        of_value = NULL;
        GB_TRY(gb_alloc(&of_value, l->classes.count, sizeof of_value[0], "values of groups", err));
        GB_TRY(rank_values(&l->classes, of_value, err));
        for (uint64_t d = 0; d < at->corpus->n_docs; d++) {
            GB_TRY(check_value(at, i, d, err));
            rank[d * at->n_fields + i] = of_value[l->class_of[l->doc_start[d]]];
        }
    }
done:
    gb_free(of_value);
    return st;
}

/* Documents in the order of their groups; each new name among them is the next group. */
static gb_status add_sorted(gb_groups *g, document_group *at, gb_error *err)
{
    gb_status st;
    const uint64_t n_docs = at->corpus->n_docs;
    uint32_t *rank = NULL, number;
    uint64_t *order = NULL;
    gb_view name;
    GB_TRY(gb_alloc(&rank, n_docs * at->n_fields, sizeof rank[0], "groups of documents", err));
    GB_TRY(gb_alloc(&order, n_docs, sizeof order[0], "groups of documents", err));
    GB_TRY(rank_documents(at, rank, err));
    document_order by = {at->n_fields, rank};
    for (uint64_t i = 0; i < n_docs; i++)
        order[i] = i;
    if (n_docs > 0)
        qsort_r(order, n_docs, sizeof order[0], compare_documents, &by);
    for (uint64_t i = 0; i < n_docs; i++) {
        if (i > 0 && compare_documents(&order[i - 1], &order[i], &by) == 0)
            continue;
        GB_TRY(name_group(at, order[i], &name, err));
        GB_TRY(gb_groups_add(g, name, &number, err));
    }
done:
    gb_free(rank);
    gb_free(order);
    return st;
}

gb_status gb_groups_of_corpus(gb_groups **out, const gb_corpus *corpus, const char *path, gb_error *err)
{
    gb_status st;
    gb_groups *g = NULL;
    const char **field = NULL;
    document_group at = {.corpus = corpus, .path = path};
    const size_t n_fields = gb_group_fields(corpus, 0, NULL);
    if (n_fields == 0)
        return gb_fail(err, GB_EARGUMENT, "%s: no group field; `group` names the fields that make the groups", path);
    GB_TRY(gb_alloc(&field, n_fields, sizeof field[0], "fields of groups", err));
    (void)gb_group_fields(corpus, n_fields, field);
    GB_TRY(gb_groups_create(&g, n_fields, field, err));
    GB_TRY(open_documents(&at, g, err));
    GB_TRY(add_sorted(g, &at, err));
    *out = g;
    g = NULL;
done:
    close_documents(&at);
    gb_groups_free(g);
    gb_free(field);
    return st;
}
