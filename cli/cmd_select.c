/* cli/cmd_select.c - which of several settings suit the documents. */
#include "answer.h"
#include "hold_out.h"
#include "memory_limit.h"
#include "progress.h"
#include "reading.h"
#include "terminal.h"

#include <inttypes.h>
#include <string.h>

enum { SELECTION, SCORES, N_QUESTIONS };

static const char *const question[N_QUESTIONS] = {"selection", "selection-scores"};

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

gb_status cli_open_selection(cli_call *call, gb_selection **out, gb_error *err)
{
    gb_status st;
    CLI_TRY(choose_seed(call, err));
    cli_catch_signals();
    st = cli_input(gb_selection_read(call->argument[0], call->settings, cli_on_read, NULL, out, err), err);
done:
    return st;
}

static void describe(const cli_call *call, const gb_selection *s)
{
    cli_note(call, "gibbous %s: %" PRIu64 " settings, %" PRIu64 " parts held out in turn%s, seed %s", gb_version(),
             gb_selection_n_candidates(s), gb_selection_n_folds(s),
             gb_selection_n_stages(s) > 1 ? ", the better third going on" : "", cli_text(call, "seed"));
    if (strcmp(cli_text(call, "halving"), "none") != 0 && gb_selection_n_stages(s) == 1)
        cli_note(call, "too few settings or documents for --halving: all are tried at once");
}

gb_status cli_run_selection(const cli_call *call, gb_selection *s, gb_error *err)
{
    const char *results = cli_text(call, "results");
    describe(call, s);
    cli_end_memory_limit();
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
    CLI_TRY(cli_open_selection(call, &s, err));
    CLI_TRY(cli_run_selection(call, s, err));
    const gb_subject subject = {.size = sizeof subject, .selection = s};
    for (size_t q = 0; q < N_QUESTIONS; q++)
        CLI_TRY(gb_answer(question[q], &subject, call->settings, &answer[q], err));
    if (!cli_to_stdout(cli_text(call, "output"))) {
        cli_may_wait_for_reader(cli_text(call, "output"));
        CLI_TRY(cli_write_table(call, answer[SCORES], err));
    }
    cli_note_answer(call, answer[SELECTION], false);
    CLI_TRY(cli_flag(call, "json") ? cli_print_json_answers(N_QUESTIONS, question, answer, err)
                                   : cli_print_answer(cli_out(), answer[SELECTION], CLI_ALL_ROWS, err));
done:
    for (size_t q = 0; q < N_QUESTIONS; q++)
        gb_table_free(answer[q]);
    gb_selection_free(s);
    return st;
}
