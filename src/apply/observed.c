/* apply/observed.c - the values that documents have in the field of a response, as the response takes them. */
#include "apply/predicted_draws.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/name.h"

#include <math.h>
#include <string.h>

static const gb_labels *find_labels(const gb_corpus *docs, const char *field)
{
    for (size_t i = 0; i < docs->n_labels; i++)
        if (strcmp(docs->labels[i].name, field) == 0)
            return &docs->labels[i];
    return NULL;
}

static const gb_numbers *find_numbers(const gb_corpus *docs, const char *field)
{
    for (size_t i = 0; i < docs->n_numbers; i++)
        if (strcmp(docs->numbers[i].name, field) == 0)
            return &docs->numbers[i];
    return NULL;
}

/* ---- numbers ---- */

static void code_numbers(const gb_target *target, const gb_numbers *numbers, uint64_t n_docs, size_t stride,
                         double *y, double *observed)
{
    for (uint64_t d = 0; numbers != NULL && d < n_docs; d++) {
        y[d * stride] = (numbers->value[d] - target->centre) / target->scale;
        if (observed != NULL)
            observed[d] = numbers->value[d];
    }
}

/* ---- classes ---- */

/* The model's number of a class, or n_classes. */
static size_t class_of(const gb_target *target, const gb_texts *classes, uint64_t i)
{
    const gb_view name = gb_texts_view(classes, i);
    size_t c = 0;
    while (c < target->n_classes && !gb_name_is(gb_view_of(target->class_name[c]), name))
        c++;
    return c;
}

/* Of every class of the documents its number in the model. */
static gb_status match_classes(const gb_target *target, const gb_labels *labels, size_t **out, gb_error *err)
{
    size_t *known = NULL;
    const gb_status st = gb_alloc(&known, labels->classes.count, sizeof *known, "the classes", err);
    for (uint64_t i = 0; st == GB_OK && i < labels->classes.count; i++)
        known[i] = class_of(target, &labels->classes, i);
    *out = known;
    return st;
}

static gb_status refuse_label(const gb_corpus *docs, uint64_t d, const gb_texts *classes, uint32_t i, gb_error *err)
{
    char label[GB_QUOTE_SIZE], id[GB_QUOTE_SIZE];
    gb_text_quote(classes->bytes + classes->start[i], classes->start[i + 1] - classes->start[i], label);
    gb_text_quote(docs->ids.bytes + docs->ids.start[d], docs->ids.start[d + 1] - docs->ids.start[d], id);
    return gb_fail(err, GB_EFORMAT, "%s: document %s: label %s is not a class of the model", gb_corpus_path(docs), id,
                   label);
}

static gb_status refuse_several(const gb_corpus *docs, uint64_t d, uint64_t n, gb_error *err)
{
    char id[GB_QUOTE_SIZE];
    gb_text_quote(docs->ids.bytes + docs->ids.start[d], docs->ids.start[d + 1] - docs->ids.start[d], id);
    return gb_fail(err, GB_EFORMAT, "%s: document %s has %llu labels, but the model gives one", gb_corpus_path(docs),
                   id, (unsigned long long)n);
}

/* A class as a response takes it: a level, one sign, or a sign for each output. */
static void code_class(const gb_target *target, size_t class, double *y)
{
    if (target->task == GB_TASK_ORDINAL)
        *y = (double)class + 1;
    else if (target->task == GB_TASK_BINARY)
        *y = class == 1 ? 1 : -1;
    else
        for (size_t l = 0; l < target->response.n_outputs; l++)
            y[l] = l == class ? 1 : -1;
}

static void code_several(const gb_target *target, const size_t *known, const uint32_t *class, uint64_t n, double *y,
                         double *observed)
{
    for (size_t l = 0; l < target->n_classes; l++)
        y[l] = -1;
    for (uint64_t i = 0; i < n; i++)
        y[known[class[i]]] = 1;
    for (size_t l = 0; observed != NULL && l < target->n_classes; l++)
        observed[l] = y[l] > 0;
}

/* Document d, whose values are NaN so far. */
static gb_status code_document(const gb_target *target, const gb_corpus *docs, const gb_labels *labels,
                               const size_t *known, uint64_t d, bool unknown_is_error, double *y, double *observed,
                               gb_error *err)
{
    const uint32_t *class = GB_FROM(labels->class_of, labels->doc_start[d]);
    const uint64_t n = labels->doc_start[d + 1] - labels->doc_start[d];
    if (n > 1 && target->task != GB_TASK_MULTILABEL)
        return refuse_several(docs, d, n, err);
    for (uint64_t i = 0; i < n; i++)
        if (known[class[i]] == target->n_classes)
            return unknown_is_error ? refuse_label(docs, d, &labels->classes, class[i], err) : GB_OK;
    if (!labels->labelled[d])
        return GB_OK;
    if (target->task == GB_TASK_MULTILABEL) {
        code_several(target, known, class, n, y, observed);
    } else if (n == 1) {
        code_class(target, known[*class], y);
        if (observed != NULL)
            *observed = (double)known[*class];
    }
    return GB_OK;
}

gb_status gb_observed_values(const gb_target *target, const gb_corpus *docs, const char *field, bool unknown_is_error,
                             size_t stride, double *y, double *observed, gb_error *err)
{
    gb_status st = GB_OK;
    size_t *known = NULL;
    const size_t n_values = gb_target_n_values(target);
    for (uint64_t d = 0; d < docs->n_docs; d++)
        for (size_t l = 0; l < target->response.n_outputs; l++)
            y[d * stride + l] = NAN;
    for (uint64_t i = 0; observed != NULL && i < docs->n_docs * n_values; i++)
        observed[i] = NAN;
    if (target->task == GB_TASK_REGRESSION) {
        code_numbers(target, find_numbers(docs, field), docs->n_docs, stride, y, observed);
        return GB_OK;
    }
    const gb_labels *labels = find_labels(docs, field);
    if (labels == NULL)
        return GB_OK;
    GB_TRY(match_classes(target, labels, &known, err));
    for (uint64_t d = 0; d < docs->n_docs; d++)
        GB_TRY(code_document(target, docs, labels, known, d, unknown_is_error, y + d * stride,
                             observed == NULL ? NULL : observed + d * n_values, err));
done:
    gb_free(known);
    return st;
}
