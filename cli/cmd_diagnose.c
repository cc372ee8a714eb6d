/* cli/cmd_diagnose.c - whether the chains of a model, or of a run that goes on, have run long enough. */
#include "answer.h"
#include "terminal.h"

enum { VERDICT, DIAGNOSIS, TRACES, N_QUESTIONS };

static const char *const question[N_QUESTIONS] = {"verdict", "diagnosis", "traces"};

static gb_status print_text(const cli_call *call, gb_table *const *answer, gb_error *err)
{
    gb_status st = GB_OK;
    for (size_t q = 0; q < N_QUESTIONS && st == GB_OK; q++) {
        if (q == TRACES && (cli_flag(call, "quiet") || gb_table_n_rows(answer[q]) == 0))
            continue;
        if (q > 0)
            (void)fputc('\n', cli_out());
        st = cli_print_answer(cli_out(), answer[q], CLI_ALL_ROWS, err);
    }
    return st;
}

/* Not if it is not known. */
static bool holds(const gb_table *verdict)
{
    const uint64_t *holds = gb_table_counts(verdict, cli_find_column(verdict, "holds"));
    return gb_table_n_rows(verdict) == 0 || holds[0] != 0;
}

/* ---- the verb -------------------------------------------------------------------------------------- */

static gb_status check_settings(cli_call *call, gb_error *err)
{
    gb_status st = GB_OK;
    if (call->n_arguments > 0)
        CLI_TRY(gb_settings_set(call->settings, "model", call->argument[0], err));
done:
    return st;
}

static gb_status make(const cli_call *call, gb_model **model, gb_diagnosis **out, gb_error *err)
{
    const char *checkpoint = cli_text(call, "checkpoint");
    if (*checkpoint != '\0')
        return cli_input(gb_diagnosis_create_from_checkpoint(checkpoint, out, err), err);
    const gb_status st = cli_read_model(call, model, err);
    return st == GB_OK ? gb_diagnosis_create(*model, GB_DIAGNOSE_ALL, out, err) : st;
}

gb_status cli_diagnose(cli_call *call, gb_error *err)
{
    gb_status st;
    gb_model *model = NULL;
    gb_diagnosis *diagnosis = NULL;
    gb_table *answer[N_QUESTIONS] = {NULL};
    CLI_TRY(check_settings(call, err));
    CLI_TRY(make(call, &model, &diagnosis, err));
    const gb_subject subject = {.size = sizeof subject, .model = model, .diagnosis = diagnosis};
    for (size_t q = 0; q < N_QUESTIONS; q++)
        CLI_TRY(gb_answer(question[q], &subject, call->settings, &answer[q], err));
    CLI_TRY(cli_is_set(call, "table") ? cli_write_table(call, answer[DIAGNOSIS], err)
            : cli_flag(call, "json")  ? cli_print_json_answers(N_QUESTIONS, question, answer, err)
                                      : print_text(call, answer, err));
    call->has_findings = cli_flag(call, "strict") && !holds(answer[VERDICT]);
done:
    for (size_t q = 0; q < N_QUESTIONS; q++)
        gb_table_free(answer[q]);
    gb_diagnosis_free(diagnosis);
    gb_model_free(model);
    return st;
}
