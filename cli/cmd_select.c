/* cli/cmd_select.c - which of several settings suit the documents. */
#include "common.h"
#include "json.h"
#include "progress.h"
#include "reading.h"
#include "table.h"
#include "terminal.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef gb_selection selection;

/* ---- JSON ------------------------------------------------------------------------------------------ */

static json_t *score_to_json(const gb_score *s, bool has_error)
{
    if (s->is_count)
        return json_integer((json_int_t)s->value);
    if (!has_error)
        return json_real(s->value);
    json_t *error = isnan(s->standard_error) ? json_null() : json_real(s->standard_error);
    return json_pack("{s:f, s:o}", "mean", s->value, "se", error);
}

static json_t *scores_to_json(const gb_score_table *table, bool has_errors)
{
    json_t *sections = json_object();
    for (uint64_t i = 0; i < gb_score_table_n_sections(table); i++) {
        json_t *section = json_object();
        for (uint64_t j = 0; j < gb_score_table_n_scores(table, i); j++) {
            const gb_score *score = gb_score_table_at(table, i, j);
            (void)json_object_set_new(section, score->name, score_to_json(score, has_errors));
        }
        (void)json_object_set_new(sections, gb_score_table_section(table, i), section);
    }
    return sections;
}

static json_t *values_to_json(const selection *s, uint64_t candidate)
{
    json_t *values = json_object();
    for (uint64_t i = 0; i < gb_selection_n_options(s); i++)
        (void)json_object_set_new(values, gb_selection_option(s, i),
                                  json_string(gb_selection_value(s, candidate, i)));
    return values;
}

static json_t *candidate_to_json(const selection *s, uint64_t candidate)
{
    json_t *folds = json_array();
    for (uint64_t i = 0; i < gb_selection_n_folds(s); i++)
        (void)json_array_append_new(folds,
                                    json_pack("{s:s, s:o}", "fold", gb_selection_fold(s, i), "scores",
                                              scores_to_json(gb_selection_fold_scores(s, candidate, i), false)));
    return json_pack("{s:o, s:I, s:o, s:o}", "settings", values_to_json(s, candidate), "divisor",
                     (json_int_t)gb_selection_divisor(s, candidate), "scores",
                     scores_to_json(gb_selection_scores(s, candidate), true), "folds", folds);
}

static gb_status print_json(const selection *s, const char *advice, gb_error *err)
{
    uint64_t section;
    const char *criterion;
    bool is_smaller_better;
    (void)gb_selection_criterion(s, &section, &criterion, &is_smaller_better);
    const char *of = gb_score_table_section(gb_selection_scores(s, gb_selection_best(s)), section);
    json_t *candidates = json_array();
    for (uint64_t i = 0; i < gb_selection_n_candidates(s); i++)
        (void)json_array_append_new(candidates, candidate_to_json(s, i));
    json_t *all = json_pack(
        "{s:o, s:{s:s, s:s, s:b}, s:o, s:o, s:s, s:I, s:I, s:I, s:f, s:f}", "candidates", candidates, "criterion",
        "section", of, "name", criterion, "smaller_is_better", is_smaller_better, "best",
        values_to_json(s, gb_selection_best(s)), "advised", values_to_json(s, gb_selection_advised(s)), "advice",
        advice, "n_run", (json_int_t)gb_selection_n_run(s), "n_known", (json_int_t)gb_selection_n_known(s), "threads",
        (json_int_t)gb_selection_n_threads(s), "work", gb_selection_work(s), "seconds", gb_selection_seconds(s));
    const gb_status st = cli_print_json(all, err);
    json_decref(all);
    return st;
}

/* ---- a file of rows -------------------------------------------------------------------------------- */

static gb_status name_columns(const selection *s, cli_table *table, gb_error *err)
{
    static const char *const names[] = {"divisor", "section", "score", "mean", "se"};
    gb_status st = GB_OK;
    for (uint64_t i = 0; i < gb_selection_n_options(s); i++)
        CLI_TRY(cli_table_column(table, "", gb_selection_option(s, i), err));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        CLI_TRY(cli_table_column(table, "", names[i], err));
done:
    return st;
}

static void put_text(cli_table *table, const char *text)
{
    cli_table_text(table, text, strlen(text));
}

static void write_score(const selection *s, uint64_t candidate, const char *section, const gb_score *score,
                        cli_table *table)
{
    for (uint64_t i = 0; i < gb_selection_n_options(s); i++)
        put_text(table, gb_selection_value(s, candidate, i));
    cli_table_count(table, gb_selection_divisor(s, candidate));
    put_text(table, section);
    put_text(table, score->name);
    cli_table_real(table, score->value);
    cli_table_real(table, score->standard_error);
}

static void write_rows(const selection *s, cli_table *table)
{
    for (uint64_t c = 0; c < gb_selection_n_candidates(s); c++) {
        const gb_score_table *scores = gb_selection_scores(s, c);
        for (uint64_t i = 0; i < gb_score_table_n_sections(scores); i++)
            for (uint64_t j = 0; j < gb_score_table_n_scores(scores, i); j++)
                write_score(s, c, gb_score_table_section(scores, i), gb_score_table_at(scores, i, j), table);
    }
}

/* ---- text ------------------------------------------------------------------------------------------ */

/* Scores that are shown; all others are in the file and in JSON. */
static const char *const telling[] = {"accuracy",   "macro_f1",  "micro_f1",    "r2",        "mae",
                                      "perplexity", "coherence", "exclusivity", "stability", "seconds"};

enum { N_TELLING = sizeof telling / sizeof telling[0], CELL = 80 };

/* A column of scores. */
typedef struct column {
    uint64_t section;
    const char *name;
    bool names_section; /* several responses have it */
} column;

/* The criterion is shown too, whatever it is. */
static bool is_shown(const selection *s, uint64_t section, const char *name)
{
    uint64_t of;
    const char *criterion;
    bool is_smaller_better;
    const gb_score_table *scores = gb_selection_scores(s, gb_selection_best(s));
    const bool has_several =
        gb_score_table_find(scores, section, "n_no_class") != NULL; /* else micro F1 is the accuracy */
    for (size_t i = 0; i < N_TELLING; i++)
        if (strcmp(telling[i], name) == 0 && (has_several || strcmp(name, "micro_f1") != 0))
            return true;
    return gb_selection_criterion(s, &of, &criterion, &is_smaller_better) && of == section &&
           strcmp(criterion, name) == 0;
}

static gb_status find_columns(const selection *s, column **out, size_t *n, gb_error *err)
{
    gb_status st;
    const gb_score_table *scores = gb_selection_scores(s, gb_selection_best(s));
    size_t n_scores = 0;
    column *list = NULL;
    *n = 0;
    for (uint64_t i = 0; i < gb_score_table_n_sections(scores); i++)
        n_scores += gb_score_table_n_scores(scores, i);
    CLI_TRY(cli_alloc(&list, n_scores, sizeof *list, "the scores", err));
    for (uint64_t i = 0; i < gb_score_table_n_sections(scores); i++)
        for (uint64_t j = 0; j < gb_score_table_n_scores(scores, i); j++) {
            const gb_score *score = gb_score_table_at(scores, i, j);
            if (is_shown(s, i, score->name))
                list[(*n)++] = (column){.section = i, .name = score->name};
        }
    for (size_t i = 0; i < *n; i++)
        for (size_t j = 0; j < *n; j++)
            list[i].names_section |= i != j && strcmp(list[i].name, list[j].name) == 0;
    *out = list;
done:
    return st;
}

/* Cells of a table, n_rows x n_columns texts; the first row is the head. */
typedef struct cells {
    size_t n_rows, n_columns;
    char (*text)[CELL];
} cells;

static char *cell(const cells *t, size_t row, size_t at)
{
    return t->text[row * t->n_columns + at];
}

static void print_cells(const cells *t)
{
    for (size_t row = 0; row < t->n_rows; row++) {
        for (size_t at = 0; at < t->n_columns; at++) {
            size_t width = 0;
            for (size_t other = 0; other < t->n_rows; other++)
                width = cli_width(cell(t, other, at)) > width ? cli_width(cell(t, other, at)) : width;
            const bool is_last = at + 1 == t->n_columns;
            const char *text = cell(t, row, at);
            if (is_last && *text == '\0')
                continue;
            (void)fprintf(cli_out(), "%s%*s%s", at > 0 ? "  " : "", is_last ? 0 : (int)(width - cli_width(text)), "",
                          text);
        }
        (void)fputc('\n', cli_out());
    }
}

static void fill_head(const selection *s, const column *list, size_t n, const cells *t)
{
    const uint64_t n_options = gb_selection_n_options(s);
    const gb_score_table *scores = gb_selection_scores(s, gb_selection_best(s));
    for (uint64_t i = 0; i < n_options; i++)
        (void)snprintf(cell(t, 0, i), CELL, "%s", gb_selection_option(s, i));
    for (size_t i = 0; i < n; i++) {
        const char *section = gb_score_table_section(scores, list[i].section);
        (void)snprintf(cell(t, 0, n_options + 2 * i), CELL, "%.50s%s%s", list[i].names_section ? section : "",
                       list[i].names_section ? "." : "", list[i].name);
        (void)snprintf(cell(t, 0, n_options + 2 * i + 1), CELL, "se");
    }
}

/* Four digits behind the point, or for large numbers as many in all. */
static void put_number(char *out, double value)
{
    if (isnan(value))
        (void)snprintf(out, CELL, "-");
    else
        (void)snprintf(out, CELL, fabs(value) < 10 ? "%.4f" : "%.5g", value);
}

static void fill_row(const selection *s, uint64_t candidate, const column *list, size_t n, const cells *t)
{
    const uint64_t n_options = gb_selection_n_options(s), row = candidate + 1,
                   divisor = gb_selection_divisor(s, candidate);
    const gb_score_table *scores = gb_selection_scores(s, candidate);
    for (uint64_t i = 0; i < n_options; i++)
        (void)snprintf(cell(t, row, i), CELL, "%.70s", gb_selection_value(s, candidate, i));
    for (size_t i = 0; i < n; i++) {
        const gb_score *score = gb_score_table_find(scores, list[i].section, list[i].name);
        put_number(cell(t, row, n_options + 2 * i), score == NULL ? NAN : score->value);
        put_number(cell(t, row, n_options + 2 * i + 1), score == NULL ? NAN : score->standard_error);
    }
    char *note = cell(t, row, t->n_columns - 1);
    if (divisor > 1)
        (void)snprintf(note, CELL, "dropped: 1/%" PRIu64 " of the work", divisor);
    else if (candidate == gb_selection_advised(s))
        (void)snprintf(note, CELL, candidate == gb_selection_best(s) ? "best, advised" : "advised");
    else if (candidate == gb_selection_best(s))
        (void)snprintf(note, CELL, "best");
}

static gb_status print_text(const selection *s, const char *advice, gb_error *err)
{
    gb_status st;
    column *list = NULL;
    cells t = {.n_rows = gb_selection_n_candidates(s) + 1};
    size_t n;
    CLI_TRY(find_columns(s, &list, &n, err));
    t.n_columns = gb_selection_n_options(s) + 2 * n + 1;
    CLI_TRY(cli_alloc(&t.text, t.n_rows * t.n_columns, sizeof *t.text, "the scores", err));
    fill_head(s, list, n, &t);
    for (uint64_t i = 0; i < gb_selection_n_candidates(s); i++)
        fill_row(s, i, list, n, &t);
    print_cells(&t);
    (void)fprintf(cli_out(), "\n%s\n", advice);
done:
    gb_free(t.text);
    gb_free(list);
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

static gb_status run(const cli_call *call, selection *s, gb_error *err)
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

static void note_time(const cli_call *call, const selection *s)
{
    const uint64_t n = gb_selection_n_run(s), n_known = gb_selection_n_known(s);
    if (n_known > 0)
        cli_note(call, "%" PRIu64 " fit%s from %s", n_known, cli_plural(n_known), cli_text(call, "results"));
    if (n > 0)
        cli_note(call, "%" PRIu64 " fit%s of %.3g s each took %.3g s on %" PRIu64 " thread%s", n, cli_plural(n),
                 gb_selection_work(s) / (double)n, gb_selection_seconds(s), gb_selection_n_threads(s),
                 cli_plural(gb_selection_n_threads(s)));
}

static gb_status write_table(const cli_call *call, const selection *s, gb_error *err)
{
    cli_table *table = NULL;
    gb_status st;
    if (cli_to_stdout(cli_text(call, "output")))
        return GB_OK;
    cli_may_wait_for_reader(cli_text(call, "output"));
    CLI_TRY(cli_table_open_output(&table, call, err));
    CLI_TRY(name_columns(s, table, err));
    write_rows(s, table);
    st = cli_table_commit(table, err);
    table = NULL;
done:
    cli_table_discard(table);
    return st;
}

gb_status cli_select(cli_call *call, gb_error *err)
{
    selection *s = NULL;
    char *advice = NULL;
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
    CLI_TRY(gb_selection_advice(s, &advice, err));
    CLI_TRY(write_table(call, s, err));
    note_time(call, s);
    CLI_TRY(cli_flag(call, "json") ? print_json(s, advice, err) : print_text(s, advice, err));
done:
    gb_free(advice);
    gb_selection_free(s);
    return st;
}
