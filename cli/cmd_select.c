/* cli/cmd_select.c - which of several settings suit the documents. */
#include "answer.h"
#include "json.h"
#include "progress.h"
#include "reading.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SELECTION, SCORES, N_QUESTIONS };

static const char *const question[N_QUESTIONS] = {"selection", "selection_scores"};

/* ---- JSON ------------------------------------------------------------------------------------------ */

/* The values of the options, which come before all other columns. */
static json_t *values_to_json(const gb_table *t, uint64_t row, uint64_t n_options)
{
    json_t *values = json_object();
    for (uint64_t c = 0; c < n_options; c++)
        (void)json_object_set_new(values, gb_table_column(t, c)->name, json_string(gb_table_text(t, row, c, 0)));
    return values;
}

static json_t *score_to_json(const gb_table *t, uint64_t row, bool has_error)
{
    const double mean = gb_table_reals(t, cli_find_column(t, "mean"))[row],
                 se = gb_table_reals(t, cli_find_column(t, "se"))[row];
    if (gb_table_counts(t, cli_find_column(t, "is_count"))[row] == 1)
        return json_integer((json_int_t)mean);
    if (!has_error)
        return json_real(mean);
    return json_pack("{s:f, s:o}", "mean", mean, "se", isnan(se) ? json_null() : json_real(se));
}

static json_t *member(json_t *object, const char *name)
{
    if (json_object_get(object, name) == NULL)
        (void)json_object_set_new(object, name, json_object());
    return json_object_get(object, name);
}

/* The last fold of a candidate; a new one begins where the name changes. */
static json_t *fold_of(json_t *candidate, const char *name)
{
    json_t *folds = json_object_get(candidate, "folds");
    json_t *last = json_array_get(folds, json_array_size(folds) - 1);
    const char *last_name = json_string_value(json_object_get(last, "fold"));
    if (last_name == NULL || strcmp(last_name, name) != 0)
        (void)json_array_append_new(folds, json_pack("{s:s, s:{}}", "fold", name, "scores"));
    return json_array_get(folds, json_array_size(folds) - 1);
}

static void add_score(const gb_table *t, uint64_t row, json_t *candidate)
{
    const char *fold = gb_table_text(t, row, cli_find_column(t, "fold"), 0);
    json_t *of = *fold == '\0' ? candidate : fold_of(candidate, fold);
    json_t *section = member(json_object_get(of, "scores"), gb_table_text(t, row, cli_find_column(t, "section"), 0));
    (void)json_object_set_new(section, gb_table_text(t, row, cli_find_column(t, "score"), 0),
                              score_to_json(t, row, *fold == '\0'));
}

static json_t *candidates_to_json(const gb_table *t)
{
    json_t *list = json_array();
    const uint64_t divisor = cli_find_column(t, "divisor");
    const uint64_t *number = gb_table_counts(t, cli_find_column(t, "candidate"));
    for (uint64_t row = 0; row < gb_table_n_rows(t); row++) {
        if (row == 0 || number[row] != number[row - 1])
            (void)json_array_append_new(
                list, json_pack("{s:o, s:I, s:{}, s:[]}", "settings", values_to_json(t, row, divisor), "divisor",
                                (json_int_t)gb_table_counts(t, divisor)[row], "scores", "folds"));
        add_score(t, row, json_array_get(list, json_array_size(list) - 1));
    }
    return list;
}

static json_t *criterion_to_json(const gb_table *t)
{
    const uint64_t *is_it = gb_table_counts(t, cli_find_column(t, "is_criterion"));
    uint64_t row = 0;
    while (row + 1 < gb_table_n_rows(t) && is_it[row] != 1)
        row++;
    return json_pack("{s:s, s:s, s:b}", "section", gb_table_text(t, row, cli_find_column(t, "section"), 0), "name",
                     gb_table_text(t, row, cli_find_column(t, "score"), 0), "smaller_is_better",
                     gb_table_counts(t, cli_find_column(t, "smaller_is_better"))[row] == 1);
}

/* The settings of the candidate whose verdict has a word. */
static json_t *judged(const gb_table *t, uint64_t n_options, const char *word)
{
    uint64_t row = 0;
    while (row + 1 < gb_table_n_rows(t) &&
           strstr(gb_table_text(t, row, cli_find_column(t, "verdict"), 0), word) == NULL)
        row++;
    return values_to_json(t, row, n_options);
}

static json_t *notes_to_json(const gb_table *t)
{
    char note[CLI_SENTENCE_SIZE];
    json_t *list = json_array();
    for (uint64_t i = 0; cli_note_of(t, i, NULL, note); i++)
        (void)json_array_append_new(list, json_string(note));
    return list;
}

static gb_status print_json(const gb_table *selection, const gb_table *scores, gb_error *err)
{
    json_t *notes = notes_to_json(selection);
    const uint64_t n_options = cli_find_column(scores, "divisor");
    json_t *all =
        json_pack("{s:o, s:o, s:o, s:o, s:O?, s:o}", "candidates", candidates_to_json(scores), "criterion",
                  criterion_to_json(scores), "best", judged(selection, n_options, "best"), "advised",
                  judged(selection, n_options, "advised"), "advice", json_array_get(notes, 0), "notes", notes);
    const gb_status st = cli_print_json(all, err);
    json_decref(all);
    return st;
}

/* ---- the verb -------------------------------------------------------------------------------------- */

/* The same fits need the same seed. */
static gb_status choose_seed(cli_call *call, gb_error *err)
{
    gb_status st;
    CLI_TRY(cli_input(gb_selection_take_seed(call->settings, err), err));
    CLI_TRY(cli_choose_seed(call, err));
done:
    return st;
}

static gb_status run(const cli_call *call, gb_selection *s, gb_error *err)
{
    const char *results = cli_text(call, "results");
    cli_progress shown = cli_progress_start(cli_flag(call, "quiet"));
    const gb_status st = gb_selection_run(s, cli_progress_selection, &shown, err);
    cli_progress_end(&shown);
    if (st != GB_ESTOP)
        return st;
    if (*results == '\0')
        return cli_fail(err, st, "stopped; nothing was kept, for there is no --results FILE");
    cli_stopped_with_checkpoint();
    return cli_fail(err, st, "stopped; what is done is in %.300s, and the same command goes on", results);
}

gb_status cli_select(cli_call *call, gb_error *err)
{
    gb_selection *s = NULL;
    gb_table *answer[N_QUESTIONS] = {NULL};
    gb_status st;
    if (!cli_to_stdout(cli_text(call, "output")))
        CLI_TRY(cli_check_target(call, cli_text(call, "output"), err));
    CLI_TRY(choose_seed(call, err));
    cli_catch_signals();
    CLI_TRY(cli_input(gb_selection_read(call->argument[0], call->settings, cli_on_read, NULL, &s, err), err));
    cli_note(call, "gibbous %s: %" PRIu64 " settings, %" PRIu64 " parts held out in turn%s, seed %s", gb_version(),
             gb_selection_n_candidates(s), gb_selection_n_folds(s),
             gb_selection_n_stages(s) > 1 ? ", the better third going on" : "", cli_text(call, "seed"));
    if (strcmp(cli_text(call, "halving"), "none") != 0 && gb_selection_n_stages(s) == 1)
        cli_note(call, "too few settings or documents for --halving: all are tried at once");
    CLI_TRY(run(call, s, err));
    const gb_subject subject = {.size = sizeof subject, .selection = s};
    for (size_t q = 0; q < N_QUESTIONS; q++)
        CLI_TRY(gb_answer(question[q], &subject, call->settings, &answer[q], err));
    if (!cli_to_stdout(cli_text(call, "output"))) {
        cli_may_wait_for_reader(cli_text(call, "output"));
        CLI_TRY(cli_write_table(call, answer[SCORES], err));
    }
    cli_note_answer(call, answer[SELECTION], false);
    CLI_TRY(cli_flag(call, "json") ? print_json(answer[SELECTION], answer[SCORES], err)
                                   : cli_print_answer(cli_out(), answer[SELECTION], CLI_ALL_ROWS, err));
done:
    for (size_t q = 0; q < N_QUESTIONS; q++)
        gb_table_free(answer[q]);
    gb_selection_free(s);
    return st;
}
