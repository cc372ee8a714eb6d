/* evaluation/truth.c - what is known of the documents for one response, and what its predictions are worth. */
#include "evaluation/truth.h"

#include "base/memory.h"
#include "base/text.h"
#include "corpus/data/corpus.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* ---- starting -------------------------------------------------------------------------------------- */

gb_status gb_truth_start_blank(gb_truth *t, const char *field, gb_task_kind task, gb_unknown_label unknown_label,
                               uint64_t n_classes, char *const *class_name, gb_error *err)
{
    gb_status st;
    t->task = task;
    t->unknown_label = unknown_label;
    t->n_classes = n_classes;
    GB_TRY(gb_copy_text(&t->field, field, strlen(field), err));
    if (task == GB_TASK_REGRESSION)
        goto done;
    if (class_name != NULL)
        GB_TRY(gb_alloc(&t->class_name, n_classes, sizeof *t->class_name, "the classes", err));
    for (uint64_t c = 0; class_name != NULL && c < n_classes; c++)
        GB_TRY(gb_copy_text(&t->class_name[c], class_name[c], strlen(class_name[c]), err));
    GB_TRY(gb_scores_create(&t->scores, task, n_classes, err));
done:
    return st;
}

/* Models with curves of probabilities know how frequent the classes were in the training. */
static void take_known_baseline(const gb_truth *t, const gb_target *target)
{
    uint64_t most = 0;
    if (target->share == NULL || t->task == GB_TASK_MULTILABEL || t->task == GB_TASK_ORDINAL)
        return;
    if (target->response.n_outputs == 1)
        most = target->share[0] > 0.5;
    for (uint64_t l = 1; l < target->response.n_outputs; l++)
        most = target->share[l] > target->share[most] ? l : most;
    gb_scores_set_baseline(t->scores, most);
}

gb_status gb_truth_start(gb_truth *t, const gb_model *model, uint64_t response, const char *field,
                         gb_unknown_label unknown_label, gb_error *err)
{
    gb_status st;
    t->response = response;
    GB_TRY(gb_truth_start_blank(t, field, gb_model_task(model, response), unknown_label,
                                gb_model_n_classes(model, response), model->target[response].class_name, err));
    if (t->task == GB_TASK_REGRESSION)
        goto done;
    t->has_probability = gb_model_has_probabilities(model, response);
    GB_TRY(gb_class_index_create(t->n_classes, t->class_name, &t->classes, err));
    GB_TRY(gb_alloc(&t->is_predicted, t->n_classes, sizeof *t->is_predicted, "the classes", err));
    GB_TRY(gb_alloc(&t->true_class, t->n_classes, sizeof *t->true_class, "the classes", err));
    take_known_baseline(t, &model->target[response]);
done:
    return st;
}

void gb_truth_clear(gb_truth *t)
{
    gb_scores_free(t->scores);
    gb_free(t->true_class);
    gb_free(t->is_predicted);
    gb_class_index_clear(&t->classes);
    for (uint64_t c = 0; t->class_name != NULL && c < t->n_classes; c++)
        gb_free(t->class_name[c]);
    gb_free(t->class_name);
    gb_free(t->field);
    gb_records_clear(&t->kept);
}

/* ---- predictions that a caller may have made ------------------------------------------------------- */

static bool uses_scores(const gb_truth *t)
{
    return t->task == GB_TASK_BINARY || t->task == GB_TASK_MULTILABEL;
}

gb_status gb_truth_check(const gb_truth *t, const gb_prediction *all, gb_error *err)
{
    const gb_response_prediction *p = &all->response[t->response];
    const bool is_number = t->task == GB_TASK_REGRESSION;
    if (p->n_classes != t->n_classes)
        return gb_fail(err, GB_EARGUMENT, "the prediction has %llu classes of field \"%s\", the model has %llu",
                       (unsigned long long)p->n_classes, t->field, (unsigned long long)t->n_classes);
    const char *missing = is_number && p->mean == NULL                   ? "mean"
                          : is_number && p->q05 == NULL                  ? "q05"
                          : is_number && p->q95 == NULL                  ? "q95"
                          : !is_number && p->predicted == NULL           ? "predicted"
                          : uses_scores(t) && all->score == NULL         ? "score"
                          : t->has_probability && p->probability == NULL ? "probability"
                                                                         : NULL;
    return missing == NULL
               ? GB_OK
               : gb_fail(err, GB_EARGUMENT, "field \"%s\": the prediction has no array \"%s\"", t->field, missing);
}

static gb_status check_class(const gb_truth *t, uint64_t d, uint64_t predicted, gb_error *err)
{
    if (t->task == GB_TASK_MULTILABEL || predicted < t->n_classes)
        return GB_OK;
    return gb_fail(err, GB_EARGUMENT, "field \"%s\": class %llu is predicted for document %llu of the batch, of %llu",
                   t->field, (unsigned long long)predicted, (unsigned long long)d, (unsigned long long)t->n_classes);
}

/* Of document d: absurd coefficients may give some that cannot be ranked, or compared with cut-offs. */
static gb_status check_scores(const gb_truth *t, uint64_t d, uint64_t n, const double *score, gb_error *err)
{
    for (uint64_t i = 0; uses_scores(t) && i < n; i++)
        if (!isfinite(score[i]))
            return gb_fail(err, GB_ENUMERIC, "field \"%s\": a score of document %llu of the batch is not a number",
                           t->field, (unsigned long long)d);
    return GB_OK;
}

static gb_status check_probabilities(const gb_truth *t, uint64_t d, const double *probability, gb_error *err)
{
    for (uint64_t c = 0; t->has_probability && c < t->n_classes; c++)
        if (!(probability[c] >= 0 && probability[c] <= 1)) /* or NaN */
            return gb_fail(err, GB_ENUMERIC,
                           "field \"%s\": a probability of document %llu of the batch is not between 0 and 1",
                           t->field, (unsigned long long)d);
    return GB_OK;
}

/* ---- messages -------------------------------------------------------------------------------------- */

static void quote(const gb_texts *texts, uint64_t i, char out[static GB_QUOTE_SIZE])
{
    gb_text_quote(texts->bytes + texts->start[i], texts->start[i + 1] - texts->start[i], out);
}

static gb_status unknown_label(const gb_corpus *docs, uint64_t d, const gb_texts *classes, uint32_t class,
                               gb_error *err)
{
    char label[GB_QUOTE_SIZE], id[GB_QUOTE_SIZE];
    quote(classes, class, label);
    quote(&docs->ids, d, id);
    return gb_fail(err, GB_EFORMAT, "%s: document %s: label %s is not a class of the model", gb_corpus_path(docs), id,
                   label);
}

static gb_status too_many_labels(const gb_corpus *docs, uint64_t d, uint64_t n, gb_error *err)
{
    char id[GB_QUOTE_SIZE];
    quote(&docs->ids, d, id);
    return gb_fail(err, GB_EFORMAT, "%s: document %s has %llu labels, but the model gives one", gb_corpus_path(docs),
                   id, (unsigned long long)n);
}

/* ---- classes --------------------------------------------------------------------------------------- */

/* The classes of document d; how many of its labels are classes of the model, and how many are not. */
static gb_status find_classes(gb_truth *t, const gb_corpus *docs, const gb_labels *labels, uint64_t d, size_t *n_true,
                              size_t *n_others, gb_error *err)
{
    const uint64_t first = labels->doc_start[d], end = labels->doc_start[d + 1];
    *n_true = *n_others = 0;
    if (end - first > 1 && t->task != GB_TASK_MULTILABEL)
        return too_many_labels(docs, d, end - first, err);
    for (uint64_t i = first; i < end; i++) {
        const uint32_t found = gb_class_index_find(&t->classes, gb_texts_view(&labels->classes, labels->class_of[i]));
        if (found != GB_NO_CLASS)
            t->true_class[(*n_true)++] = found;
        else if (t->unknown_label == GB_UNKNOWN_LABEL_ERROR)
            return unknown_label(docs, d, &labels->classes, labels->class_of[i], err);
        else
            (*n_others)++;
    }
    t->n_unknown += *n_others > 0;
    return GB_OK;
}

static const gb_labels *find_labels(const gb_corpus *docs, const char *field)
{
    for (size_t i = 0; i < docs->n_labels; i++) /* a corpus file may have others */
        if (strcmp(docs->labels[i].name, field) == 0)
            return &docs->labels[i];
    return NULL;
}

static gb_status add_classes(gb_truth *t, const gb_model *model, uint64_t first, const gb_corpus *docs,
                             const gb_prediction *all, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_response_prediction *p = &all->response[t->response];
    const double *score = all->score == NULL ? NULL : all->score + gb_model_first_output(model, t->response);
    const gb_labels *labels = find_labels(docs, t->field);
    if (labels == NULL)
        return gb_fail(err, GB_EFORMAT, "%s: no label field %s", gb_corpus_path(docs), t->field);
    for (uint64_t d = 0; d < all->n_docs; d++) {
        size_t n_true, n_others;
        const double *scores = score == NULL ? NULL : score + d * all->n_outputs;
        const double *probability = t->has_probability ? p->probability + d * p->n_classes : NULL;
        GB_TRY(check_scores(t, d, gb_model_n_outputs_of(model, t->response), scores, err));
        GB_TRY(check_probabilities(t, d, probability, err));
        GB_TRY(check_class(t, d, p->predicted[d], err));
        GB_TRY(find_classes(t, docs, labels, d, &n_true, &n_others, err));
        if (n_others > 0 && t->unknown_label == GB_UNKNOWN_LABEL_SKIP)
            continue;
        if (!labels->labelled[d] || (n_true + n_others == 0 && t->task != GB_TASK_MULTILABEL)) {
            t->n_unlabelled++;
            continue;
        }
        if (t->task == GB_TASK_MULTILABEL)
            gb_prediction_classes(model, all, t->response, d, t->is_predicted);
        GB_TRY(gb_scores_add(t->scores, n_true, t->true_class, n_others, p->predicted[d], t->is_predicted, scores,
                             probability, err));
        if (t->keeps)
            GB_TRY(gb_records_add(&t->kept, first + d, gb_scores_last(t->scores)->n, gb_scores_last(t->scores)->value,
                                  err));
    }
done:
    return st;
}

gb_status gb_truth_take_baseline(gb_truth *t, const gb_corpus *training, gb_error *err)
{
    gb_status st;
    uint64_t *count = NULL, most = 0;
    const gb_labels *labels = t->scores == NULL ? NULL : find_labels(training, t->field);
    if (labels == NULL || t->task == GB_TASK_MULTILABEL)
        return GB_OK;
    GB_TRY(gb_alloc(&count, t->n_classes, sizeof *count, "the classes", err));
    for (uint64_t i = labels->doc_start[0]; i < labels->doc_start[training->n_docs]; i++) {
        const uint32_t c = gb_class_index_find(&t->classes, gb_texts_view(&labels->classes, labels->class_of[i]));
        if (c != GB_NO_CLASS)
            count[c]++;
    }
    for (uint64_t c = 1; c < t->n_classes; c++)
        most = count[c] > count[most] ? c : most;
    gb_scores_set_baseline(t->scores, most);
done:
    gb_free(count);
    return st;
}

/* ---- numbers --------------------------------------------------------------------------------------- */

enum { N_NUMBER_RECORD = 4 };

gb_status gb_truth_add_record(gb_truth *t, size_t n, const double *record, uint64_t weight, gb_error *err)
{
    if (t->task != GB_TASK_REGRESSION)
        return gb_scores_add_record(t->scores, n, record, weight, err);
    gb_number_scores_add(&t->numbers, record[0], record[1], record[2], record[3], weight);
    return GB_OK;
}

bool gb_truth_is_sound(const gb_truth *t, size_t n, const double *record)
{
    return t->task == GB_TASK_REGRESSION ? n == N_NUMBER_RECORD && isfinite(record[0]) && isfinite(record[1])
                                         : gb_class_record_is_sound(t->scores, n, record);
}

static gb_status add_numbers(gb_truth *t, uint64_t first, const gb_corpus *docs, const gb_prediction *all,
                             gb_error *err)
{
    gb_status st = GB_OK;
    const gb_response_prediction *p = &all->response[t->response];
    const gb_numbers *numbers = NULL;
    for (size_t i = 0; i < docs->n_numbers; i++)
        if (strcmp(docs->numbers[i].name, t->field) == 0)
            numbers = &docs->numbers[i];
    if (numbers == NULL)
        return gb_fail(err, GB_EFORMAT, "%s: no target field %s", gb_corpus_path(docs), t->field);
    for (uint64_t d = 0; d < all->n_docs; d++) {
        if (!isfinite(p->mean[d]))
            return gb_fail(err, GB_ENUMERIC, "field \"%s\": the mean of document %llu of the batch is not a number",
                           t->field, (unsigned long long)d);
        const double record[N_NUMBER_RECORD] = {numbers->value[d], p->mean[d], p->q05[d], p->q95[d]};
        if (isnan(numbers->value[d])) {
            t->n_unlabelled++;
            continue;
        }
        GB_TRY(gb_truth_add_record(t, N_NUMBER_RECORD, record, 1, err));
        if (t->keeps)
            GB_TRY(gb_records_add(&t->kept, first + d, N_NUMBER_RECORD, record, err));
    }
done:
    return st;
}

gb_status gb_truth_add(gb_truth *t, const gb_model *model, uint64_t first, const gb_corpus *docs,
                       const gb_prediction *prediction, gb_error *err)
{
    return t->task == GB_TASK_REGRESSION ? add_numbers(t, first, docs, prediction, err)
                                         : add_classes(t, model, first, docs, prediction, err);
}
