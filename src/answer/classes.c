/* answer/classes.c - how well each class is predicted. */
#include "answer/questions.h"
#include "answer/scores.h"

enum { FIELD, CLASS, PRECISION, RECALL, F1, N, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [FIELD] = {"field", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "field with the true values"},
    [CLASS] = {"class", "class", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "the class"},
    [PRECISION] = {"precision", "precision", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "share of documents",
                   "how many of the documents that were predicted to have the class have it"},
    [RECALL] = {"recall", "recall", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "share of documents",
                "how many of the documents that have the class were predicted to have it"},
    [F1] = {"f1", "f1", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "", "harmonic mean of precision and recall"},
    [N] = {"n", "n", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "documents", "documents that have the class"}};

static void put_classes(gb_table *t, const gb_model *model, const gb_truth *truth)
{
    for (uint64_t c = 0; c < truth->n_classes; c++) {
        const gb_class_score score = gb_scores_class(truth->scores, c);
        gb_table_begin_row(t, (double)score.support);
        gb_put_text(t, FIELD, truth->field);
        gb_put_text(t, CLASS, gb_model_class(model, truth->response, c));
        gb_put_real(t, PRECISION, score.precision);
        gb_put_real(t, RECALL, score.recall);
        gb_put_real(t, F1, score.f1);
        gb_put_count(t, N, score.support);
    }
}

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    gb_table_add_all(t, N_COLUMNS, columns, NULL);
    gb_put_classified(t, asked->subject->evaluation, put_classes);
    (void)err;
    return GB_OK;
}

const gb_question_row gb_question_classes = {{"classes", "how well each class is predicted", GB_NEEDS_EVALUATION, ""},
                                             answer};
