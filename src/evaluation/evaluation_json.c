/* evaluation/evaluation_json.c - an evaluation with its documents as JSON, for fits that are kept in a file. */
#include "base/memory.h"
#include "evaluation/evaluation_private.h"
#include "evaluation/pool.h"
#include "plan/target.h"

#include <math.h>

static const char what[] = "the documents that were scored";

static json_t *truth_to_json(const gb_truth *t)
{
    return json_pack("{s:s, s:s, s:I, s:I, s:I, s:I, s:o}", "field", t->field, "task", gb_task_name(t->task),
                     "unknown_label", (json_int_t)t->unknown_label, "n_classes", (json_int_t)t->n_classes,
                     "n_unlabelled", (json_int_t)t->n_unlabelled, "n_unknown", (json_int_t)t->n_unknown, "documents",
                     gb_records_to_json(&t->kept));
}

json_t *gb_evaluation_to_json(const gb_evaluation *e)
{
    json_t *truths = json_array();
    for (size_t i = 0; truths != NULL && i < e->n_truths; i++)
        if (json_array_append_new(truths, truth_to_json(&e->truth[i])) != 0) {
            json_decref(truths);
            return NULL;
        }
    return json_pack("{s:o, s:b, s:I, s:I, s:o}", "responses", truths, "has_likelihood", e->has_likelihood, "n_docs",
                     (json_int_t)e->n_docs, "n_unknown", (json_int_t)e->n_unknown, "likelihood",
                     gb_records_to_json(&e->kept));
}

static gb_status fail_fit(gb_error *err)
{
    return gb_fail(err, GB_EFORMAT, "a fit in the file of `results` has damaged documents");
}

static bool read_count(const json_t *object, const char *name, uint64_t *out)
{
    const json_t *value = json_object_get(object, name);
    *out = json_is_integer(value) && json_integer_value(value) >= 0 ? (uint64_t)json_integer_value(value) : 0;
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static gb_status check_records(const gb_truth *t, const gb_records *kept, uint64_t n_docs, gb_error *err)
{
    for (size_t i = 0; i < kept->n; i++) {
        const size_t n = gb_records_length(kept, i);
        const double *value = kept->value + kept->start[i];
        const bool is_sound = t != NULL ? gb_truth_is_sound(t, n, value)
                                        : n == 3 && value[0] >= 0 && value[0] < 1e15 && isfinite(value[1]);
        if (kept->row[i] >= n_docs || !is_sound)
            return fail_fit(err);
    }
    return GB_OK;
}

static gb_status read_truth(const json_t *object, uint64_t n_docs, gb_truth *t, gb_error *err)
{
    gb_status st;
    uint64_t n_classes, unknown_label;
    gb_task_kind task;
    const char *field = json_string_value(json_object_get(object, "field")),
               *name = json_string_value(json_object_get(object, "task"));
    if (field == NULL || name == NULL || !gb_task_find(name, &task) || !read_count(object, "n_classes", &n_classes) ||
        n_classes > UINT32_MAX || !read_count(object, "unknown_label", &unknown_label) ||
        !read_count(object, "n_unlabelled", &t->n_unlabelled) || !read_count(object, "n_unknown", &t->n_unknown))
        return fail_fit(err);
    GB_TRY(gb_truth_start_blank(t, field, task, (gb_unknown_label)unknown_label, n_classes, NULL, err));
    GB_TRY(gb_records_from_json(json_object_get(object, "documents"), &t->kept, err));
    st = check_records(t, &t->kept, n_docs, err);
done:
    return st;
}

gb_status gb_evaluation_from_json(const json_t *object, uint64_t n_docs, gb_evaluation **out, gb_error *err)
{
    gb_status st;
    gb_evaluation *e = NULL;
    const json_t *truths = json_object_get(object, "responses");
    const size_t n = json_array_size(truths);
    GB_TRY(gb_alloc(&e, 1, sizeof *e, what, err));
    GB_TRY(gb_alloc(&e->truth, n, sizeof *e->truth, what, err));
    if (!json_is_array(truths) || !read_count(object, "n_docs", &e->n_docs) ||
        !read_count(object, "n_unknown", &e->n_unknown)) {
        st = fail_fit(err);
        goto done;
    }
    e->has_likelihood = json_is_true(json_object_get(object, "has_likelihood"));
    for (size_t i = 0; i < n; i++) {
        e->n_truths = i + 1;
        GB_TRY(read_truth(json_array_get(truths, i), n_docs, &e->truth[i], err));
    }
    GB_TRY(gb_records_from_json(json_object_get(object, "likelihood"), &e->kept, err));
    GB_TRY(check_records(NULL, &e->kept, n_docs, err));
    *out = e;
    e = NULL;
done:
    gb_evaluation_free(e);
    return st;
}
