/* answer/confusion.c - which class is taken for which. */
#include "answer/questions.h"
#include "answer/scores.h"

enum { FIELD, TRUE_CLASS, PREDICTED, N_DOCS, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [FIELD] = {"field", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "field with the true values"},
    [TRUE_CLASS] = {"true", "true, predicted:", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "class of the documents"},
    [PREDICTED] = {"predicted", "", GB_CELL_TEXT, GB_PLACE_ACROSS, NULL, "", "class that was predicted"},
    [N_DOCS] = {"n", "n", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "documents",
                "documents with this class and prediction"}};

static void put_confusion(gb_table *t, const gb_model *model, const gb_truth *truth)
{
    const uint64_t n = truth->n_classes;
    if (truth->task == GB_TASK_MULTILABEL || n > GB_CONFUSION_CLASSES)
        return;
    for (uint64_t i = 0; i < n * n; i++) {
        const uint64_t count = gb_scores_confusion(truth->scores, i / n, i % n);
        gb_table_begin_row(t, (double)count);
        gb_put_text(t, FIELD, truth->field);
        gb_put_text(t, TRUE_CLASS, gb_model_class(model, truth->response, i / n));
        gb_put_text(t, PREDICTED, gb_model_class(model, truth->response, i % n));
        gb_put_count(t, N_DOCS, count);
    }
}

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    gb_table_add_all(t, N_COLUMNS, columns, NULL);
    gb_put_classified(t, asked->subject->evaluation, put_confusion);
    (void)err;
    return GB_OK;
}

const gb_question_row gb_question_confusion = {
    {"confusion", "which class was predicted for documents of which", GB_NEEDS_EVALUATION, ""}, answer};
