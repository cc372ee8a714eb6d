/* evaluation/linear_targets.c - a response as numbers and yes-no questions for linear models. */
#include "evaluation/linear_targets.h"

#include "base/memory.h"
#include "plan/class_index.h"

#include <math.h>
#include <string.h>

size_t gb_linear_n_problems(const gb_target *t)
{
    return gb_task_has_output_per_class(t->task) ? t->n_classes : t->task == GB_TASK_ORDINAL ? t->n_classes - 1 : 1;
}

/* ---- the field ------------------------------------------------------------------------------------- */

static const gb_labels *find_labels(const gb_corpus *docs, const gb_target *t)
{
    for (size_t i = 0; i < docs->n_labels && t->task != GB_TASK_REGRESSION; i++)
        if (strcmp(docs->labels[i].name, t->field) == 0)
            return &docs->labels[i];
    return NULL;
}

static const gb_numbers *find_numbers(const gb_corpus *docs, const gb_target *t)
{
    for (size_t i = 0; i < docs->n_numbers && t->task == GB_TASK_REGRESSION; i++)
        if (strcmp(docs->numbers[i].name, t->field) == 0)
            return &docs->numbers[i];
    return NULL;
}

bool gb_linear_has_field(const gb_corpus *docs, const gb_target *t)
{
    return find_labels(docs, t) != NULL || find_numbers(docs, t) != NULL;
}

static gb_status map_classes(gb_linear_targets *t, gb_error *err)
{
    gb_status st;
    const gb_texts *classes = &t->labels->classes;
    gb_class_index index = {0};
    GB_TRY(gb_class_index_create(t->target->n_classes, t->target->class_name, &index, err));
    GB_TRY(gb_alloc(&t->class_at, classes->count, sizeof *t->class_at, "the classes", err));
    for (uint64_t c = 0; c < classes->count; c++)
        t->class_at[c] = gb_class_index_find(&index, gb_texts_view(classes, c));
done:
    gb_class_index_clear(&index);
    return st;
}

static bool has_value(const gb_linear_targets *t, uint64_t doc)
{
    if (t->numbers != NULL)
        return !isnan(t->numbers->value[doc]);
    return t->labels->labelled[doc] &&
           (t->target->task == GB_TASK_MULTILABEL || gb_linear_class(t, doc) != GB_NO_CLASS);
}

static gb_status find_docs(gb_linear_targets *t, const gb_corpus *docs, gb_error *err)
{
    double sum = 0;
    gb_status st = gb_alloc(&t->doc, docs->n_docs, sizeof *t->doc, "the documents with a value", err);
    for (uint64_t d = 0; st == GB_OK && d < docs->n_docs; d++) {
        if (!has_value(t, d))
            continue;
        t->doc[t->n_docs++] = d;
        sum += t->numbers == NULL ? 0 : t->numbers->value[d];
    }
    if (st == GB_OK && t->n_docs == 0)
        st = gb_fail(err, GB_EFORMAT, "%s: no document has a value in field \"%s\"", gb_corpus_path(docs),
                     t->target->field);
    if (st == GB_OK)
        t->centre = sum / (double)t->n_docs;
    return st;
}

gb_status gb_linear_targets_find(const gb_corpus *docs, const gb_target *target, gb_linear_targets *out,
                                 gb_error *err)
{
    gb_status st;
    gb_linear_targets t = {
        .target = target, .labels = find_labels(docs, target), .numbers = find_numbers(docs, target)};
    if (t.labels != NULL)
        GB_TRY(map_classes(&t, err));
    GB_TRY(find_docs(&t, docs, err));
    *out = t;
    t = (gb_linear_targets){.target = NULL};
done:
    gb_linear_targets_clear(&t);
    return st;
}

void gb_linear_targets_clear(gb_linear_targets *t)
{
    gb_free(t->class_at);
    gb_free(t->doc);
}

/* ---- values ---------------------------------------------------------------------------------------- */

uint32_t gb_linear_class(const gb_linear_targets *t, uint64_t doc)
{
    const uint64_t first = t->labels->doc_start[doc];
    return first < t->labels->doc_start[doc + 1] ? t->class_at[t->labels->class_of[first]] : GB_NO_CLASS;
}

bool gb_linear_has_class(const gb_linear_targets *t, uint64_t doc, size_t class)
{
    for (uint64_t i = t->labels->doc_start[doc]; i < t->labels->doc_start[doc + 1]; i++)
        if (t->class_at[t->labels->class_of[i]] == class)
            return true;
    return false;
}

double gb_linear_value(const gb_linear_targets *t, size_t problem, uint64_t doc)
{
    bool yes = false;
    switch (t->target->task) {
    case GB_TASK_REGRESSION:
        return t->numbers->value[doc] - t->centre;
    case GB_TASK_BINARY:
        yes = gb_linear_class(t, doc) == 1;
        break;
    case GB_TASK_ORDINAL:
        yes = gb_linear_class(t, doc) > problem;
        break;
    case GB_TASK_MULTICLASS:
    case GB_TASK_MULTILABEL:
        yes = gb_linear_has_class(t, doc, problem);
        break;
    case GB_TASK_NONE:
        break;
    }
    return yes ? 1 : -1;
}

uint64_t gb_linear_decide(const gb_target *t, const double *score)
{
    const size_t n = gb_linear_n_problems(t);
    uint64_t best = 0, n_yes = 0;
    for (size_t p = 0; p < n; p++) {
        n_yes += score[p] > 0;
        best = score[p] > score[best] ? p : best;
    }
    return t->task == GB_TASK_MULTICLASS ? best : n_yes; /* binary and levels: how many boundaries it is above */
}
