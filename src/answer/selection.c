/* answer/selection.c - which of several settings suit the documents: a row for each, and all of their scores. */
#include "folds/selection.h"
#include "answer/questions.h"
#include "answer/scores.h"
#include "evaluation/score_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The columns of the options in which candidates differ. */
static void add_options(gb_table *t, const gb_selection *s)
{
    for (uint64_t i = 0; i < gb_selection_n_options(s); i++) {
        const char *name = gb_selection_option(s, i);
        (void)gb_table_add(t,
                           &(gb_column){name, name, GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "value of the option"});
    }
}

static void put_options(gb_table *t, const gb_selection *s, uint64_t candidate)
{
    for (uint64_t i = 0; i < gb_selection_n_options(s); i++)
        gb_put_text(t, i, gb_selection_value(s, candidate, i));
}

/* ---- a row for each candidate ---------------------------------------------------------------------- */

/* Scores that are shown; all others are in the answer with all scores. */
static const char *const telling[] = {"accuracy",   "exact_match", "macro_f1",    "micro_f1",  "r2",     "mae",
                                      "perplexity", "coherence",   "exclusivity", "stability", "seconds"};

/* The criterion is shown, whatever it is. */
static bool is_shown(const gb_selection *s, uint64_t section, const char *name)
{
    const gb_score_table *scores = gb_selection_scores(s, s->best);
    const bool has_several =
        gb_score_table_find(scores, section, "n_no_class") != NULL; /* else micro F1 is the accuracy */
    for (size_t i = 0; i < sizeof telling / sizeof *telling; i++)
        if (strcmp(telling[i], name) == 0 && (has_several || strcmp(name, "micro_f1") != 0))
            return true;
    return s->section == section && strcmp(s->criterion, name) == 0;
}

static bool is_in_several_sections(const gb_score_table *scores, const char *name)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < gb_score_table_n_sections(scores); i++)
        n += gb_score_table_find(scores, i, name) != NULL;
    return n > 1;
}

static void add_score(gb_table *t, const gb_score_table *scores, uint64_t section, const char *name)
{
    char mean[200], se[220];
    (void)snprintf(mean, sizeof mean, "%.90s%s%.90s",
                   is_in_several_sections(scores, name) ? gb_score_table_section(scores, section) : "",
                   is_in_several_sections(scores, name) ? "." : "", name);
    (void)snprintf(se, sizeof se, "%s_se", mean);
    (void)gb_table_add(
        t,
        &(gb_column){mean, mean, GB_CELL_REAL, GB_PLACE_COLUMN, NULL, "",
                     "the score of the documents of all folds together; of topics and seconds the mean over folds"});
    (void)gb_table_add(t, &(gb_column){se, "se", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "", "standard error"});
}

/* Calls `put` for each score that is shown. */
typedef void put_score(gb_table *t, const gb_selection *s, uint64_t candidate, size_t column, uint64_t section,
                       const char *name);

static size_t for_each_shown(gb_table *t, const gb_selection *s, uint64_t candidate, put_score *put)
{
    const gb_score_table *scores = gb_selection_scores(s, s->best);
    size_t column = gb_selection_n_options(s);
    for (uint64_t i = 0; i < gb_score_table_n_sections(scores); i++)
        for (uint64_t j = 0; j < gb_score_table_n_scores(scores, i); j++) {
            const char *name = gb_score_table_at(scores, i, j)->name;
            if (!is_shown(s, i, name))
                continue;
            put(t, s, candidate, column, i, name);
            column += 2;
        }
    return column;
}

static void name_score(gb_table *t, const gb_selection *s, uint64_t candidate, size_t column, uint64_t section,
                       const char *name)
{
    (void)candidate;
    (void)column;
    add_score(t, gb_selection_scores(s, s->best), section, name);
}

static void put_mean(gb_table *t, const gb_selection *s, uint64_t candidate, size_t column, uint64_t section,
                     const char *name)
{
    const gb_score *score = gb_score_table_find(gb_selection_scores(s, candidate), section, name);
    gb_put_real(t, column, score == NULL ? (double)NAN : score->value);
    gb_put_real(t, column + 1, score == NULL ? (double)NAN : score->standard_error);
}

static void put_verdict(gb_table *t, const gb_selection *s, uint64_t candidate, size_t column)
{
    const uint64_t divisor = gb_selection_divisor(s, candidate);
    char dropped[60];
    (void)snprintf(dropped, sizeof dropped, "dropped: 1/%" PRIu64 " of the work", divisor);
    gb_put_text(t, column,
                divisor > 1                                       ? dropped
                : candidate == s->advised && candidate == s->best ? "best, advised"
                : candidate == s->advised                         ? "advised"
                : candidate == s->best                            ? "best"
                                                                  : "");
}

static gb_status note_work(gb_table *t, const gb_selection *s, gb_error *err)
{
    char *advice = NULL;
    const gb_status st = gb_selection_advice(s, &advice, err);
    if (st != GB_OK)
        return st;
    gb_table_add_note(t, GB_NOTE_BELOW, "%s", advice);
    gb_free(advice);
    if (s->n_known > 0)
        gb_table_add_note(t, GB_NOTE_REMARK, "%" PRIu64 " fit%s from %s", s->n_known, s->n_known == 1 ? "" : "s",
                          gb_settings_text(s->settings, "results"));
    if (s->n_run > 0)
        gb_table_add_note(t, GB_NOTE_REMARK, "%" PRIu64 " fit%s of %.3g s each took %.3g s on %" PRIu64 " thread%s",
                          s->n_run, s->n_run == 1 ? "" : "s", s->work / (double)s->n_run, s->seconds, s->n_threads,
                          s->n_threads == 1 ? "" : "s");
    return st;
}

/* Classes that documents have and the advised candidate never answers: accuracy may hide them. */
static void note_missed(gb_table *t, const gb_selection *s)
{
    const gb_score_table *scores = gb_selection_scores(s, s->advised);
    for (uint64_t i = 0; i < gb_score_table_n_sections(scores); i++) {
        const gb_score *missed = gb_score_table_find(scores, i, "n_missed");
        if (missed != NULL && missed->value > 0)
            gb_table_add_note(t, GB_NOTE_REMARK,
                              "field \"%s\": what is advised never predicts %.0f class%s that documents have; "
                              "gibbous evaluate with `folds` and these settings names %s",
                              gb_score_table_section(scores, i), missed->value, missed->value == 1 ? "" : "es",
                              missed->value == 1 ? "it" : "them");
    }
}

static gb_status answer(const gb_asked *asked, gb_table *t, gb_error *err)
{
    const gb_selection *s = asked->subject->selection;
    add_options(t, s);
    (void)for_each_shown(t, s, 0, name_score);
    (void)gb_table_add(t, &(gb_column){"verdict", "", GB_CELL_TEXT, GB_PLACE_END, NULL, "",
                                       "best: by the criterion; advised: fewest topics within one standard error of "
                                       "the best; dropped: by halving, the scores are of a part of the work"});
    for (uint64_t c = 0; c < gb_selection_n_candidates(s); c++) {
        gb_table_begin_row(t, NAN);
        put_options(t, s, c);
        put_verdict(t, s, c, for_each_shown(t, s, c, put_mean));
    }
    gb_note_lost(t, &s->parts);
    note_missed(t, s);
    return note_work(t, s, err);
}

const gb_question_row gb_question_selection = {
    {"selection", "which settings suit the documents", GB_NEEDS_SELECTION, ""}, answer};

/* ---- all scores ------------------------------------------------------------------------------------ */

enum { DIVISOR, SECTION, SCORE, VALUE, SE, FOLD, CANDIDATE, IS_COUNT, IS_CRITERION, IS_SMALLER_BETTER, N_COLUMNS };

/* After the columns of the options. */
static const gb_column columns[N_COLUMNS] = {
    [DIVISOR] = {"divisor", "divisor", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "",
                 "1; 3 or 9 if halving has dropped the candidate: scores are of 1/3 or 1/9 of the work"},
    [SECTION] = {"section", "section", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                 "field, held_out, topics, or fit for the seconds"},
    [SCORE] = {"score", "score", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name of the score, see docs/outputs"},
    [VALUE] = {"value", "value", GB_CELL_REAL, GB_PLACE_COLUMN, NULL, "",
               "the score of the documents of all folds together, or of those of one; of topics and seconds the mean "
               "over folds"},
    [SE] = {"se", "se", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "", "standard error"},
    [FOLD] = {"fold", "fold", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "fold of the score; empty: over all folds"},
    [CANDIDATE] = {"candidate", "candidate", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "", "row of the selection"},
    [IS_COUNT] = {"is_count", "", GB_CELL_FLAG, GB_PLACE_DATA, NULL, "", "whether the score is a number of things"},
    [IS_CRITERION] = {"is_criterion", "", GB_CELL_FLAG, GB_PLACE_DATA, NULL, "",
                      "whether candidates are compared by the score"},
    [IS_SMALLER_BETTER] = {"smaller_is_better", "", GB_CELL_FLAG, GB_PLACE_DATA, NULL, "",
                           "whether a smaller score is better"}};

static void put_scores(gb_table *t, const gb_selection *s, uint64_t candidate, const char *fold,
                       const gb_score_table *scores)
{
    const size_t first = gb_selection_n_options(s);
    for (uint64_t i = 0; scores != NULL && i < gb_score_table_n_sections(scores); i++)
        for (uint64_t j = 0; j < gb_score_table_n_scores(scores, i); j++) {
            const gb_score *score = gb_score_table_at(scores, i, j);
            gb_table_begin_row(t, NAN);
            put_options(t, s, candidate);
            gb_put_count(t, first + DIVISOR, gb_selection_divisor(s, candidate));
            gb_put_text(t, first + SECTION, gb_score_table_section(scores, i));
            gb_put_text(t, first + SCORE, score->name);
            gb_put_real(t, first + VALUE, score->value);
            gb_put_real(t, first + SE, score->standard_error);
            gb_put_text(t, first + FOLD, fold);
            gb_put_count(t, first + CANDIDATE, candidate + 1);
            gb_put_count(t, first + IS_COUNT, score->is_count);
            gb_put_count(t, first + IS_CRITERION, i == s->section && strcmp(score->name, s->criterion) == 0);
            gb_put_count(t, first + IS_SMALLER_BETTER, gb_score_is_loss(score->name));
        }
}

static gb_status answer_scores(const gb_asked *asked, gb_table *t, gb_error *err)
{
    const gb_selection *s = asked->subject->selection;
    add_options(t, s);
    gb_table_add_all(t, N_COLUMNS, columns, NULL);
    for (uint64_t c = 0; c < gb_selection_n_candidates(s); c++) {
        put_scores(t, s, c, "", gb_selection_scores(s, c));
        for (uint64_t f = 0; f < gb_selection_n_folds(s); f++)
            put_scores(t, s, c, gb_selection_fold(s, f), gb_selection_fold_scores(s, c, f));
    }
    (void)err;
    return GB_OK;
}

const gb_question_row gb_question_selection_scores = {
    {"selection-scores", "all scores of settings that were tried, over folds and in each", GB_NEEDS_SELECTION, ""},
    answer_scores};
