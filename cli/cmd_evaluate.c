/* cli/cmd_evaluate.c - how good a model is on documents that it has not seen. */
#include "apply.h"
#include "baseline.h"
#include "hold_out.h"
#include "likelihood_rows.h"
#include "progress.h"
#include "scores_output.h"
#include "topics_alone.h"
#include "verbs.h"

#include <string.h>

/* What is added up over batches, and where rows go. */
typedef struct job {
    const cli_call *call;
    gb_evaluation *evaluation;
    cli_baseline baseline; /* of linear models, with --baseline-on */
    cli_topics_alone alone;
    cli_table *table; /* NULL without --output */
} job;

static gb_status add_batch(const cli_batch *batch, void *user, gb_error *err)
{
    job *j = user;
    gb_held_out *likelihood = NULL;
    gb_status st;
    if (gb_evaluation_has_likelihood(j->evaluation)) {
        CLI_TRY(gb_held_out_create(gb_corpus_n_docs(batch->docs), &likelihood, err));
        CLI_TRY(gb_held_out_likelihood(batch->model, batch->docs, batch->first_row, j->call->settings, cli_goes_on,
                                       NULL, likelihood, err));
    }
    CLI_TRY(gb_evaluation_add(j->evaluation, batch->docs, batch->prediction, likelihood, batch->n_unknown, err));
    CLI_TRY(cli_baseline_add(&j->baseline, batch, err));
    CLI_TRY(cli_alone_add(&j->alone, batch, err));
    const gb_subject subject = {
        .size = sizeof subject, .likelihood = likelihood, .scored = batch->docs, .n_unknown = batch->n_unknown};
    st = cli_likelihood_rows(j->call, j->table, &subject, batch->first_row == 0, err);
done:
    gb_held_out_free(likelihood);
    return st;
}

/* Options that only a training looks at.  A configuration file may have them for other runs. */
static gb_status refuse_training_options(const cli_call *call, gb_error *err)
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
    job j = {.call = call};
    gb_model *model = NULL;
    uint64_t n_docs, n_prior;
    gb_status st;
    CLI_TRY(refuse_training_options(call, err));
    CLI_TRY(cli_read_model(call, &model, err));
    CLI_TRY(gb_evaluation_create(model, call->settings, &j.evaluation, err));
    CLI_TRY(gb_evaluation_request_fields(j.evaluation, call->settings, err));
    CLI_TRY(cli_likelihood_open(call, gb_evaluation_has_likelihood(j.evaluation), &j.table, err));
    CLI_TRY(cli_baseline_open(call, model, &j.baseline, err));
    CLI_TRY(cli_alone_open(call, model, &j.alone, err));
    CLI_TRY(
        cli_apply(call, model, gb_evaluation_n_responses(j.evaluation) > 0, add_batch, &j, &n_docs, &n_prior, err));
    if (n_docs == 0) {
        st = cli_fail(err, GB_EFORMAT, "%s: no documents", cli_input_name(call->argument[0]));
        goto done;
    }
    CLI_TRY(gb_evaluation_finish(j.evaluation, err));
    CLI_TRY(cli_baseline_finish(&j.baseline, err));
    CLI_TRY(cli_alone_finish(&j.alone, err));
    if (j.table != NULL) {
        st = cli_table_commit(j.table, err);
        j.table = NULL;
        CLI_TRY(st);
    }
    const gb_subject subject = {.size = sizeof subject,
                                .model = model,
                                .evaluation = j.evaluation,
                                .linear = j.baseline.evaluation,
                                .topics_alone = j.alone.evaluation};
    st = cli_print_scores(call, &subject, err);
done:
    cli_table_discard(j.table);
    gb_evaluation_free(j.evaluation);
    cli_baseline_close(&j.baseline);
    cli_alone_close(&j.alone);
    gb_model_free(model);
    return st;
}

gb_status cli_evaluate(cli_call *call, gb_error *err)
{
    const bool holds_out = cli_int(call, "folds") > 0 || cli_count(call, "hold-out-group") > 0;
    return holds_out ? cli_hold_out(call, err) : evaluate_model(call, err);
}
