/* answer/classes.c - how well each class is predicted. */
#include "answer/questions.h"
#include "answer/scores.h"
#include "base/text.h"
#include "math/special.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { FIELD, CLASS, PRECISION, RECALL, F1, GIVEN, SHARE, N, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [FIELD] = {"field", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "field with the true values"},
    [CLASS] = {"class", "class", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "the class"},
    [PRECISION] = {"precision", "precision", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "share of documents",
                   "how many of the documents that were predicted to have the class have it"},
    [RECALL] = {"recall", "recall", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "share of documents",
                "how many of the documents that have the class were predicted to have it"},
    [F1] = {"f1", "f1", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "", "harmonic mean of precision and recall"},
    [GIVEN] = {"given", "given", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "probability",
               "mean of the probabilities that the class was given"},
    [SHARE] = {"share", "share", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "share of documents",
               "how many of the documents have the class; calibrated probabilities have the same mean"},
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
        gb_put_real(t, GIVEN, score.given);
        gb_put_real(t, SHARE, score.share);
        gb_put_count(t, N, score.support);
    }
}

/* ---- classes that come true more or less often than was said ---------------------------------------- */

enum { SHOWN_CLASSES = 3 };

/* By more than chance gives for any of the classes in 1 % of cases, and by more than anybody would overlook. */
static bool is_off(const gb_class_score *score, uint64_t n_classes)
{
    const double least = 0.02, bound = gb_normal_quantile(1 - 0.005 / (double)n_classes);
    return fabs(score->share - score->given) > least && fabs(score->deviation) > bound;
}

static void note_off(gb_table *t, const gb_model *model, const gb_truth *truth)
{
    uint64_t n = 0;
    for (uint64_t c = 0; c < truth->n_classes; c++) {
        char shown[GB_QUOTE_SIZE];
        const char *class = gb_model_class(model, truth->response, c);
        const gb_class_score score = gb_scores_class(truth->scores, c);
        if (!is_off(&score, truth->n_classes) || n++ >= SHOWN_CLASSES)
            continue;
        gb_text_quote(class, strlen(class), shown);
        gb_table_add_note(t, GB_NOTE_REMARK,
                          "field \"%s\": class %s was given probability %.2f on average, and %.2f of the documents "
                          "have it: more than chance explains",
                          truth->field, shown, score.given, score.share);
    }
    if (n > SHOWN_CLASSES)
        gb_table_add_note(t, GB_NOTE_REMARK, "field \"%s\": the same of %" PRIu64 " more classes", truth->field,
                          n - SHOWN_CLASSES);
}

/* Linear models and those without a likelihood give no probabilities. */
static bool has_given(const gb_evaluation *e)
{
    for (uint64_t i = 0; i < gb_evaluation_n_responses(e); i++) {
        const gb_truth *truth = gb_evaluation_truth(e, i);
        if (truth->scores != NULL && truth->n_classes > 0 && !isnan(gb_scores_class(truth->scores, 0).given))
            return true;
    }
    return false;
}

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    bool is_used[N_COLUMNS];
    memset(is_used, true, sizeof is_used);
    is_used[GIVEN] = is_used[SHARE] = has_given(asked->subject->evaluation);
    gb_table_add_all(t, N_COLUMNS, columns, is_used);
    gb_put_classified(t, asked->subject->evaluation, put_classes);
    gb_put_classified(t, asked->subject->evaluation, note_off);
    (void)err;
    return GB_OK;
}

const gb_question_row gb_question_classes = {{"classes", "how well each class is predicted", GB_NEEDS_EVALUATION, ""},
                                             answer};
