/* cli/cmd_evaluate.c - how good a model is on documents that it has not seen. */
#include "hold_out.h"
#include "scored.h"
#include "scores_output.h"
#include "verbs.h"

#include <string.h>

gb_status cli_refuse_training_options(const cli_call *call, gb_error *err)
{
    const uint32_t fits = CLI_TRAIN | CLI_EVALUATE;
    gb_status st = GB_OK;
    const gb_option *option;
    for (uint64_t i = 0; *cli_text(call, "config") == '\0' && (option = gb_option_at(i)) != NULL; i++)
        if ((cli_verbs_of(option) & (fits | CLI_PREDICT)) == fits)
            CLI_TRY(gb_settings_check(call->settings, option->name, "folds or hold-out-group", NULL, 0, NULL, err));
done:
    return st;
}

/* ---- the verb -------------------------------------------------------------------------------------- */

static gb_status evaluate_model(cli_call *call, gb_error *err)
{
    cli_scored j = {.call = call};
    gb_model *model = NULL;
    gb_status st;
    CLI_TRY(cli_refuse_training_options(call, err));
    CLI_TRY(cli_read_model(call, &model, err));
    CLI_TRY(cli_score(&j, model, err));
    if (j.table != NULL) {
        st = cli_table_commit(j.table, err);
        j.table = NULL;
        CLI_TRY(st);
    }
    const gb_subject subject = {
        .size = sizeof subject, .model = model, .evaluation = j.evaluation, .linear = j.baseline.evaluation};
    st = cli_print_scores(call, &subject, err);
done:
    cli_scored_close(&j);
    gb_model_free(model);
    return st;
}

gb_status cli_evaluate(cli_call *call, gb_error *err)
{
    return cli_holds_out(call) ? cli_hold_out(call, err) : evaluate_model(call, err);
}
