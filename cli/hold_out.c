/* cli/hold_out.c - evaluate by cross-validation. */
#include "hold_out.h"

#include "answer.h"
#include "memory_limit.h"
#include "progress.h"
#include "reading.h"
#include "scores_output.h"

#include <inttypes.h>

typedef gb_cross_validation validation;

static gb_status describe(const cli_call *call, const validation *v, gb_error *err)
{
    char *decided = NULL;
    const uint64_t n = gb_cross_validation_n_parts(v);
    gb_status st = gb_cross_validation_describe(v, &decided, err);
    if (st == GB_OK)
        cli_note(call,
                 "gibbous %s: %" PRIu64 " training%s, each without one part of the documents; with all of them: %s",
                 gb_version(), n, cli_plural(n), decided);
    gb_free(decided);
    return st;
}

bool cli_holds_out(const cli_call *call)
{
    return cli_int(call, "folds") > 0 || cli_count(call, "hold-out-group") > 0;
}

gb_status cli_open_validation(cli_call *call, gb_cross_validation **out, gb_error *err)
{
    gb_status st;
    CLI_TRY(cli_choose_seed(call, err));
    cli_catch_signals();
    st = cli_input(gb_cross_validation_read(call->argument[0], call->settings, cli_on_read, NULL, out, err), err);
done:
    return st;
}

gb_status cli_run_validation(const cli_call *call, gb_cross_validation *v, gb_error *err)
{
    cli_end_memory_limit();
    gb_status st = describe(call, v, err);
    if (st != GB_OK)
        return st;
    cli_progress shown = cli_progress_start(cli_flag(call, "quiet"));
    cli_catch_signals();
    st = gb_cross_validation_run(v, cli_progress_sweep, &shown, err);
    cli_progress_end(&shown);
    return st;
}

gb_status cli_hold_out(cli_call *call, gb_error *err)
{
    validation *v = NULL;
    cli_table *table = NULL;
    gb_status st;
    CLI_TRY(cli_open_validation(call, &v, err));
    if (*cli_text(call, "output") != '\0')
        CLI_TRY(cli_table_open_output(&table, call, err));
    CLI_TRY(cli_run_validation(call, v, err));
    const gb_subject subject = {.size = sizeof subject, .validation = v};
    CLI_TRY(cli_ask_rows(call, table, gb_cross_validation_has_likelihood(v) ? "likelihood" : "predictions", &subject,
                         err));
    if (table != NULL) {
        st = cli_table_commit(table, err);
        table = NULL;
        CLI_TRY(st);
        if (!cli_to_stdout(cli_text(call, "output")))
            cli_note(call, "wrote %s", cli_text(call, "output"));
    }
    st = cli_print_scores(call, &subject, err);
done:
    cli_table_discard(table);
    gb_cross_validation_free(v);
    return st;
}
