/* answer/calibration.c - whether probabilities say how often predictions come true. */
#include "answer/questions.h"
#include "answer/scores.h"

enum { FIELD, EVENT, LOW, HIGH, N_EVENTS, PROBABILITY, SHARE, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [FIELD] = {"field", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "field with the true values"},
    [EVENT] = {"event", ": probability of %s, and share of documents that have it", GB_CELL_TEXT, GB_PLACE_HEADING,
               NULL, "", "whose probability: of the predicted class, or of each class in turn"},
    [LOW] = {"low", "from", GB_CELL_REAL, GB_PLACE_COLUMN, "%.1f", "probability", "lowest probability of the row"},
    [HIGH] = {"high", "to", GB_CELL_REAL, GB_PLACE_COLUMN, "%.1f", "probability", "highest probability of the row"},
    [N_EVENTS] = {"n", "n", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "predictions", "probabilities between these"},
    [PROBABILITY] = {"mean_probability", "mean", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "probability",
                     "mean of these probabilities"},
    [SHARE] = {"share", "share", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "share of predictions",
               "how many of them came true; calibrated probabilities have the same mean"}};

/* All bins, also those without a prediction, so that answers about several models have the same length. */
static void put_bins(gb_table *t, const gb_model *model, const gb_truth *truth)
{
    (void)model;
    const gb_reliability *reliability = gb_scores_reliability(truth->scores);
    for (size_t b = 0; reliability != NULL && b < GB_RELIABILITY_BINS; b++) {
        const gb_reliability_bin bin = gb_reliability_of_bin(reliability, b);
        gb_table_begin_row(t, (double)bin.n);
        gb_put_text(t, FIELD, truth->field);
        gb_put_text(t, EVENT, truth->task == GB_TASK_MULTILABEL ? "each class" : "the predicted class");
        gb_put_real(t, LOW, bin.low);
        gb_put_real(t, HIGH, bin.high);
        gb_put_count(t, N_EVENTS, bin.n);
        gb_put_real(t, PROBABILITY, bin.mean_probability);
        gb_put_real(t, SHARE, bin.share);
    }
}

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    gb_table_add_all(t, N_COLUMNS, columns, NULL);
    gb_put_classified(t, asked->subject->evaluation, put_bins);
    (void)err;
    return GB_OK;
}

const gb_question_row gb_question_calibration = {
    {"calibration", "how often predictions came true, by their probability", GB_NEEDS_EVALUATION, ""}, answer};
