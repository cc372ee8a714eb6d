/* plan/class_weight.c - what each class weighs in training. */
#include "plan/class_weight.h"
#include "plan/class_index.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/readers/table.h"
#include "store/json_text.h"

#include <jansson.h>
#include <string.h>

static gb_status allocate(gb_spec_response *r, gb_error *err)
{
    gb_status st;
    const size_t n = r->target.n_classes;
    GB_TRY(gb_alloc(&r->class_weight, n, sizeof *r->class_weight, "class weights", err));
    GB_TRY(gb_alloc(&r->rest_weight, n, sizeof *r->rest_weight, "class weights", err));
    for (size_t c = 0; c < n; c++)
        r->class_weight[c] = r->rest_weight[c] = 1;
done:
    return st;
}

static void balance(const gb_labels *labels, uint64_t n_docs, gb_spec_response *r)
{
    double n = 0;
    const size_t n_classes = r->target.n_classes;
    for (size_t c = 0; c < n_classes; c++)
        r->class_weight[c] = 0;
    for (uint64_t d = 0; d < n_docs; d++) {
        n += labels->labelled[d];
        for (uint64_t i = labels->doc_start[d]; i < labels->doc_start[d + 1]; i++)
            r->class_weight[r->class_at[labels->class_of[i]]]++;
    }
    for (size_t c = 0; c < n_classes; c++) {
        const double n_c = r->class_weight[c];
        const bool several = r->target.task == GB_TASK_MULTILABEL;
        r->class_weight[c] = n_c > 0 ? n / ((several ? 2 : (double)n_classes) * n_c) : 1;
        r->rest_weight[c] = several && n_c < n ? n / (2 * (n - n_c)) : 1;
    }
}

/* The classes that are given weights. */
typedef struct given_weights {
    gb_spec_response *response;
    gb_class_index classes;
    bool *is_given; /* of each class: a row had it */
} given_weights;

static gb_status take_row(const gb_table_file *table, const char *path, given_weights *g, gb_error *err)
{
    gb_spec_response *r = g->response;
    const gb_view name = gb_view_trim(gb_table_file_cell(table, 0)),
                  cell = gb_view_trim(gb_table_file_cell(table, 1));
    const unsigned long long line = gb_table_file_line(table);
    char number[64];
    double weight;
    (void)snprintf(number, sizeof number, "%.*s", (int)(cell.length < 63 ? cell.length : 63), cell.text);
    if (gb_text_to_real(number, &weight) != GB_NUMBER_OK || weight < 0)
        return gb_fail(err, GB_EFORMAT, "%s:%llu: the weight \"%.*s\" is not a number from 0 on", path, line,
                       GB_SHOWN(cell));
    const uint32_t c = gb_class_index_find(&g->classes, name);
    if (c == GB_NO_CLASS)
        return gb_fail(err, GB_EFORMAT, "%s:%llu: \"%.*s\" is not a class of field \"%s\"", path, line,
                       GB_SHOWN(name), r->target.field);
    if (g->is_given[c])
        return gb_fail(err, GB_EFORMAT, "%s:%llu: the class \"%.*s\" comes a second time", path, line,
                       GB_SHOWN(name));
    g->is_given[c] = true;
    r->class_weight[c] = weight;
    return GB_OK;
}

static gb_status read_file(const char *path, given_weights *g, gb_error *err)
{
    gb_status st;
    gb_input *input = NULL;
    gb_table_file *table = NULL;
    bool end = false;
    size_t column;
    GB_TRY(gb_alloc(&g->is_given, g->classes.n, sizeof *g->is_given, "class weights", err));
    GB_TRY(gb_input_open(&input, path, NULL, err));
    const gb_table_form form = {gb_table_kind_of(path, GB_TABLE_CSV), false, NULL, 1, (const char *const[]){"#2"}};
    GB_TRY(gb_table_file_open(&table, input, &form, err));
    GB_TRY(gb_table_file_column(table, "#2", true, &column, err));
    for (;;) {
        GB_TRY(gb_table_file_next(table, &end, err));
        if (end)
            break;
        GB_TRY(take_row(table, path, g, err));
    }
    GB_TRY(gb_input_expect_last(input, err));
done:
    gb_table_file_close(table);
    gb_input_close(input);
    return st;
}

static gb_status take_pair(const char *name, const json_t *value, given_weights *g, gb_error *err)
{
    gb_spec_response *r = g->response;
    const uint32_t c = gb_class_index_find(&g->classes, gb_view_of(name));
    if (c == GB_NO_CLASS)
        return gb_fail(err, GB_EARGUMENT, "`class-weight`: \"%s\" is not a class of field \"%s\"", name,
                       r->target.field);
    if (!json_is_number(value) || json_number_value(value) < 0)
        return gb_fail(err, GB_EARGUMENT, "`class-weight`: the weight of \"%s\" is not a number from 0 on", name);
    r->class_weight[c] = json_number_value(value);
    return GB_OK;
}

/* The weights as a JSON object: {"rare": 5}. */
static gb_status read_object(const char *text, given_weights *g, gb_error *err)
{
    const char *name;
    json_t *value, *object;
    gb_status st = gb_json_parse(text, strlen(text), 0, &object, NULL, err);
    if (st == GB_EFORMAT || (st == GB_OK && !json_is_object(object)))
        st = gb_fail(err, GB_EARGUMENT, "`class-weight` is not a JSON object of classes and their weights: %s", text);
    json_object_foreach(object, name, value) if (st == GB_OK) st = take_pair(name, value, g, err);
    json_decref(object);
    return st;
}

static gb_status read_given(const char *option, gb_spec_response *r, gb_error *err)
{
    given_weights g = {.response = r};
    gb_status st = gb_class_index_create(r->target.n_classes, r->target.class_name, &g.classes, err);
    if (st == GB_OK)
        st = option[0] == '{' ? read_object(option, &g, err) : read_file(option, &g, err);
    gb_class_index_clear(&g.classes);
    gb_free(g.is_given);
    return st;
}

gb_status gb_class_weights_choose(const gb_labels *labels, uint64_t n_docs, const char *option,
                                  gb_spec_response *response, gb_error *err)
{
    if (strcmp(option, "none") == 0)
        return GB_OK;
    gb_status st = allocate(response, err);
    if (st != GB_OK)
        return st;
    if (strcmp(option, "balanced") != 0)
        return read_given(option, response, err);
    balance(labels, n_docs, response);
    return GB_OK;
}
