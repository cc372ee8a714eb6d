/* cli/scored.c - a model on documents with known labels, and what its scores are shown beside. */
#include "scored.h"

#include "answer.h"
#include "progress.h"

static gb_status add_batch(const cli_batch *batch, void *user, gb_error *err)
{
    cli_scored *j = user;
    gb_held_out *likelihood = NULL;
    gb_status st;
    CLI_TRY(gb_evaluate(j->evaluation, batch->docs, batch->n_unknown, batch->first_row, j->call->settings,
                        cli_goes_on, NULL, NULL, &likelihood, err));
    CLI_TRY(cli_baseline_add(&j->baseline, batch, err));
    const gb_subject subject = {
        .size = sizeof subject, .likelihood = likelihood, .scored = batch->docs, .n_unknown = batch->n_unknown};
    st = cli_ask_rows(j->call, j->table, "likelihood", &subject, err);
done:
    gb_held_out_free(likelihood);
    return st;
}

/* Of likelihoods; none without --output. */
static gb_status open_table(cli_scored *j, gb_error *err)
{
    if (*cli_text(j->call, "output") == '\0')
        return GB_OK;
    return gb_evaluation_has_likelihood(j->evaluation)
               ? cli_table_open_output(&j->table, j->call, err)
               : cli_fail(err, GB_EARGUMENT,
                          "--output writes likelihoods; choose a way to estimate them: --held-out METHOD");
}

gb_status cli_score(cli_scored *j, const gb_model *model, gb_error *err)
{
    uint64_t n_docs, n_prior;
    gb_status st;
    CLI_TRY(gb_evaluation_create(model, j->call->settings, &j->evaluation, err));
    CLI_TRY(gb_evaluation_request_fields(j->evaluation, j->call->settings, err));
    if (!j->asks)
        CLI_TRY(open_table(j, err));
    CLI_TRY(cli_baseline_open(j->call, model, &j->baseline, err));
    CLI_TRY(cli_apply(j->call, model, false, add_batch, j, &n_docs, &n_prior, err));
    if (n_docs == 0)
        CLI_TRY(cli_fail(err, GB_EFORMAT, "%s: no documents", cli_input_name(j->call->argument[0])));
    CLI_TRY(gb_evaluation_finish(j->evaluation, err));
    st = cli_baseline_finish(&j->baseline, err);
done:
    return st;
}

void cli_scored_close(cli_scored *j)
{
    cli_table_discard(j->table);
    gb_evaluation_free(j->evaluation);
    cli_baseline_close(&j->baseline);
}
