/* answer/evaluation.c - how good predictions are, by scores: of a model, of all parts of a cross-validation together, and of each part. */
#include "evaluation/evaluation.h"
#include "answer/questions.h"
#include "answer/scores.h"
#include "base/text.h"
#include "evaluation/score_table.h"
#include "folds/cross_validation.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { PART, FIELD, METHOD, SCORE, VALUE, SE, LINEAR, LINEAR_SE, TOPICS_ALONE, IS_COUNT, MEANING, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [PART] = {"part", "%s: ", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "",
              "part that was held out: number of the fold, or field and value"},
    [FIELD] = {"field", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "",
               "field with the true values, or held_out for the likelihood of held-out words"},
    [METHOD] = {"method", " (%s)", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "how the likelihood is estimated"},
    [SCORE] = {"score", "", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name of the score, see docs/outputs"},
    [VALUE] = {"value", "value", GB_CELL_REAL, GB_PLACE_COLUMN, NULL, "",
               "the score, of the documents of all parts together"},
    [SE] = {"se", "se", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "",
            "standard error: over samples of the documents, or of the groups that are held out"},
    [LINEAR] = {"linear", "linear", GB_CELL_REAL, GB_PLACE_COLUMN, NULL, "",
                "the same score of a linear model of the words"},
    [LINEAR_SE] = {"linear_se", "se", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "",
                   "standard error of the linear model's score"},
    [TOPICS_ALONE] = {"topics_alone", "topics alone", GB_CELL_REAL, GB_PLACE_COLUMN, NULL, "",
                      "the same score of the topics alone, without words and embeddings"},
    [IS_COUNT] = {"is_count", "", GB_CELL_FLAG, GB_PLACE_DATA, NULL, "",
                  "whether the score is a number of documents, words or classes"},
    [MEANING] = {"meaning", "", GB_CELL_TEXT, GB_PLACE_END, NULL, "", "what the score says"}};

static const char *const meanings[][2] = {
    {"n", "documents that were compared"},
    {"n_unlabelled", "documents without a true value"},
    {"n_unknown", "documents with a class that the model does not have"},
    {"n_no_class", "documents that were given no class"},
    {"n_missed", "classes that some documents have and that none was given"},
    {"accuracy", "share of documents that are predicted right"},
    {"exact_match", "share of documents whose labels are all predicted right, and no others"},
    {"baseline", "accuracy of always answering the largest class of the training, or if the model does not know it "
                 "of these documents"},
    {"macro_f1", "F1, mean over classes"},
    {"micro_f1", "F1 over all decisions"},
    {"hamming_loss", "share of wrong decisions, over documents and classes; small is good"},
    {"log_loss", "mean of -log of the probability that the truth was given; small is good"},
    {"brier", "squared error of probabilities; small is good"},
    {"ece", "how far probabilities are from what comes true, on average; small is good"},
    {"auc", "how often a document of the positive class scores above another one"},
    {"mae", "mean absolute error; small is good"},
    {"kappa", "agreement beyond chance, weighted by squared distance"},
    {"r2", "share of the variance that is explained"},
    {"rmse", "root of the mean squared error; small is good"},
    {"coverage_90", "share of true values inside their 90 % intervals"}};

static const char *const likelihood_meanings[][2] = {
    {"n", "documents"},
    {"n_empty", "documents without a word that is estimated"},
    {"n_tokens", "words whose probability is estimated"},
    {"n_unknown", "words that the model does not know"},
    {"n_rough", "documents whose estimate has a large Monte Carlo error"},
    {"log_likelihood", "mean over these words of the logarithm of their probability"},
    {"se", "standard error of log_likelihood over documents"},
    {"mc_se", "standard error of log_likelihood by simulation"},
    {"perplexity", "exp(-log_likelihood); small is good"}};

static const char *find_meaning(const char *name, bool is_likelihood)
{
    const size_t n =
        is_likelihood ? sizeof likelihood_meanings / sizeof *likelihood_meanings : sizeof meanings / sizeof *meanings;
    for (size_t i = 0; i < n; i++) {
        const char *const *row = is_likelihood ? likelihood_meanings[i] : meanings[i];
        if (strcmp(row[0], name) == 0)
            return row[1];
    }
    return "";
}

/* Scores of the same documents. */
typedef struct scored {
    const char *part, *method; /* method: NULL without a likelihood */
    const gb_score_table *model, *linear, *alone;
} scored;

static const gb_score *find_score(const gb_score_table *table, uint64_t section, const char *name)
{
    return table == NULL ? NULL : gb_score_table_find(table, section, name);
}

static void put_other(gb_table *t, size_t column, const gb_score *score)
{
    if (score != NULL)
        gb_put_real(t, column, score->value);
}

static void put_score(gb_table *t, const scored *of, uint64_t section, const gb_score *score)
{
    const bool is_likelihood = of->method != NULL && section + 1 == gb_score_table_n_sections(of->model);
    const gb_score *linear = find_score(of->linear, section, score->name);
    gb_table_begin_row(t, NAN);
    gb_put_text(t, PART, of->part);
    gb_put_text(t, FIELD, gb_score_table_section(of->model, section));
    gb_put_text(t, METHOD, is_likelihood ? of->method : "");
    gb_put_text(t, SCORE, score->name);
    gb_put_real(t, VALUE, score->value);
    gb_put_real(t, SE, score->standard_error);
    put_other(t, LINEAR, linear);
    gb_put_real(t, LINEAR_SE, linear == NULL ? (double)NAN : linear->standard_error);
    put_other(t, TOPICS_ALONE, find_score(of->alone, section, score->name));
    gb_put_count(t, IS_COUNT, score->is_count);
    gb_put_text(t, MEANING, find_meaning(score->name, is_likelihood));
}

static void put_scores(gb_table *t, const scored *of)
{
    for (uint64_t s = 0; s < gb_score_table_n_sections(of->model); s++)
        for (uint64_t i = 0; i < gb_score_table_n_scores(of->model, s); i++)
            put_score(t, of, s, gb_score_table_at(of->model, s, i));
}

static void add_columns(gb_table *t, const scored *of, bool has_parts, bool has_errors)
{
    bool is_used[N_COLUMNS];
    gb_column shown[N_COLUMNS];
    memset(is_used, true, sizeof is_used);
    is_used[PART] = has_parts;
    is_used[METHOD] = of->method != NULL;
    is_used[SE] = has_errors;
    is_used[LINEAR] = of->linear != NULL;
    is_used[LINEAR_SE] = of->linear != NULL && has_errors;
    is_used[TOPICS_ALONE] = of->alone != NULL;
    memcpy(shown, columns, sizeof shown);
    gb_table_add_all(t, N_COLUMNS, shown, is_used);
    if (of->linear != NULL)
        gb_table_add_note(t, GB_NOTE_BELOW,
                          "linear: TF-IDF of the words alone; linear support vector machines, of numbers ridge "
                          "regression");
}

/* ---- classes that are never the answer ---------------------------------------------------------------- */

enum { SHOWN_CLASSES = 5 };

static void note_missed_classes(gb_table *t, const gb_truth *truth)
{
    char list[SHOWN_CLASSES * (GB_QUOTE_SIZE + 2)] = "", *at = list, shown[GB_QUOTE_SIZE];
    uint64_t n = 0;
    for (uint64_t c = 0; c < truth->n_classes; c++) {
        if (!gb_scores_is_missed(truth->scores, c) || n++ >= SHOWN_CLASSES)
            continue;
        gb_text_quote(truth->class_name[c], strlen(truth->class_name[c]), shown);
        at = stpcpy(stpcpy(at, n == 1 ? "" : ", "), shown);
    }
    if (n > SHOWN_CLASSES)
        gb_table_add_note(t, GB_NOTE_REMARK, "field \"%s\": %s and %" PRIu64 " more classes are never predicted",
                          truth->field, list, n - SHOWN_CLASSES);
    else if (n > 0)
        gb_table_add_note(t, GB_NOTE_REMARK, "field \"%s\": %s %s never predicted", truth->field, list,
                          n == 1 ? "is" : "are");
}

static void note_missed(gb_table *t, const gb_evaluation *e)
{
    for (uint64_t i = 0; i < gb_evaluation_n_responses(e); i++)
        if (gb_evaluation_truth(e, i)->scores != NULL)
            note_missed_classes(t, gb_evaluation_truth(e, i));
}

/* Of new documents about 1 in 16,384 seems to be known. */
static void note_seen(gb_table *t, const gb_evaluation *e)
{
    uint64_t n_docs;
    const uint64_t n_seen = gb_evaluation_n_seen(e, &n_docs);
    if (1000 * n_seen > n_docs)
        gb_table_add_note(t, GB_NOTE_REMARK,
                          "%" PRIu64 " of %" PRIu64
                          " documents have the words of a training document: their scores say "
                          "little about new documents",
                          n_seen, n_docs);
}

/* ---- an evaluation --------------------------------------------------------------------------------- */

static void note_unknown_labels(gb_table *t, const gb_evaluation *e)
{
    for (uint64_t i = 0; i < gb_evaluation_n_responses(e); i++) {
        const gb_score *score = gb_score_table_find(gb_evaluation_scores(e), i, "n_unknown");
        if (score != NULL && score->value > 0)
            gb_table_add_note(t, GB_NOTE_REMARK,
                              "%.0f document%s with a label in field \"%s\" that is not a class of the model: %s",
                              score->value, score->value == 1 ? "" : "s", gb_evaluation_field(e, i),
                              gb_evaluation_truth(e, i)->unknown_label == GB_UNKNOWN_LABEL_SKIP ? "left out"
                                                                                                : "counted as wrong");
    }
}

static const gb_score_table *scores_of(const gb_evaluation *e)
{
    return e == NULL ? NULL : gb_evaluation_scores(e);
}

static void answer_evaluation(const gb_subject *subject, gb_table *t)
{
    const gb_evaluation *e = subject->evaluation;
    const scored all = {.part = "",
                        .method = gb_evaluation_held_out_method(e),
                        .model = gb_evaluation_scores(e),
                        .linear = scores_of(subject->linear),
                        .alone = gb_evaluation_scores_alone(e)};
    add_columns(t, &all, false, false);
    put_scores(t, &all);
    note_seen(t, e);
    note_unknown_labels(t, e);
    note_missed(t, e);
}

/* ---- a cross-validation ---------------------------------------------------------------------------- */

static void answer_validation(const gb_cross_validation *v, gb_table *t)
{
    const uint64_t n = gb_cross_validation_n_parts(v);
    const scored all = {.part = "",
                        .method = gb_cross_validation_held_out_method(v),
                        .model = gb_cross_validation_scores(v),
                        .linear = gb_cross_validation_linear_scores(v)};
    add_columns(t, &all, false, true);
    put_scores(t, &all);
    gb_table_add_note(t, GB_NOTE_BELOW, "%" PRIu64 " part%s held out in turn", n, n == 1 ? "" : "s");
    note_seen(t, gb_cross_validation_evaluation(v));
    note_missed(t, gb_cross_validation_evaluation(v));
    gb_note_lost(t, gb_cross_validation_held_parts(v));
}

static gb_status answer_parts(const gb_asked *asked, gb_table *t, gb_error *err)
{
    const gb_cross_validation *v = asked->subject->validation;
    for (uint64_t i = 0; i < gb_cross_validation_n_parts(v); i++) {
        const scored one = {.part = gb_cross_validation_part(v, i),
                            .method = gb_cross_validation_held_out_method(v),
                            .model = gb_cross_validation_part_scores(v, i),
                            .linear = gb_cross_validation_part_linear_scores(v, i)};
        if (i == 0)
            add_columns(t, &one, true, false);
        put_scores(t, &one);
    }
    (void)err;
    return GB_OK;
}

/* ---- both ------------------------------------------------------------------------------------------ */

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    const gb_subject *s = asked->subject;
    if (s->validation != NULL)
        answer_validation(s->validation, t);
    else
        answer_evaluation(s, t);
    (void)err;
    return GB_OK;
}

const gb_question_row gb_question_evaluation = {
    {"evaluation", "how good predictions are, by scores", GB_NEEDS_SCORES, ""}, answer};

const gb_question_row gb_question_parts = {
    {"parts", "scores of each part of a cross-validation", GB_NEEDS_VALIDATION, ""}, answer_parts};
