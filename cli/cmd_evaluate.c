/* cli/cmd_evaluate.c - how good a model is on documents that it has not seen. */
#include "evaluation.h"
#include "hold_out.h"

#include "base/memory.h"

/* With --model: what is added up over batches, and where rows go. */
typedef struct job {
    cli_evaluation evaluation;
    cli_table *table; /* NULL without --output */
} job;

static gb_status add_batch(const cli_batch *batch, void *user, gb_error *err)
{
    job *j = user;
    gb_held_out *likelihood = NULL;
    gb_status st = cli_evaluation_add(&j->evaluation, batch, &likelihood, err);
    if (st == GB_OK && j->table != NULL)
        cli_likelihood_rows(j->table, NULL, batch->docs, batch->n_unknown, likelihood);
    gb_held_out_free(likelihood);
    return st;
}

/* Options that only a training looks at.  A configuration file may have them for other runs. */
static gb_status refuse_training_options(const cli_call *call, gb_error *err)
{
    const uint32_t fits = GB_VERB_TRAIN | GB_VERB_EVALUATE;
    const gb_option *option;
    for (uint64_t i = 0; *call->settings->config == '\0' && (option = gb_option_at(i)) != NULL; i++)
        if ((option->verbs & (fits | GB_VERB_PREDICT)) == fits && gb_settings_is_set(call->settings, option->name))
            return gb_fail(err, GB_EARGUMENT,
                           "--%s is for a training, and --model has had its own; leave one of them out",
                           option->name);
    return GB_OK;
}

static gb_status open_table(const cli_call *call, cli_table **out, gb_error *err)
{
    const gb_settings *s = call->settings;
    if (*s->output == '\0')
        return gb_settings_is_set(s, "table") ? gb_fail(err, GB_EARGUMENT, "--table needs --output FILE") : GB_OK;
    return cli_table_open(out, s->output, s->force, s->table, err);
}

static gb_status evaluate_model(cli_call *call, gb_error *err)
{
    job j = {.table = NULL};
    gb_model *model = NULL;
    uint64_t n_docs, n_prior;
    gb_status st;
    GB_TRY(refuse_training_options(call, err));
    GB_TRY(cli_read_model(call, &model, err));
    GB_TRY(cli_evaluation_start(&j.evaluation, call, model, true, err));
    if (!j.evaluation.has_likelihood && *call->settings->output != '\0') {
        st = cli_no_likelihoods(err);
        goto done;
    }
    GB_TRY(open_table(call, &j.table, err));
    if (j.table != NULL)
        GB_TRY(cli_likelihood_columns(j.table, false, err));
    GB_TRY(cli_apply(call, model, j.evaluation.n > 0, add_batch, &j, &n_docs, &n_prior, err));
    GB_TRY(cli_evaluation_check(&j.evaluation, err));
    if (j.table != NULL) {
        st = cli_table_commit(j.table, err);
        j.table = NULL;
        GB_TRY(st);
    }
    GB_TRY(cli_evaluation_print(&j.evaluation, err));
done:
    cli_table_discard(j.table);
    cli_evaluation_clear(&j.evaluation);
    gb_model_free(model);
    return st;
}

gb_status cli_evaluate(cli_call *call, gb_error *err)
{
    const gb_settings *s = call->settings;
    const bool has_folds = s->folds > 0, has_groups = s->hold_out_group.count > 0;
    if (has_folds && has_groups)
        return gb_fail(err, GB_EARGUMENT,
                       "--folds and --hold-out-group are two ways to hold documents out; choose one");
    if ((has_folds || has_groups) && *s->model != '\0')
        return gb_fail(err, GB_EARGUMENT, "--%s trains models of its own; leave --model out",
                       has_folds ? "folds" : "hold-out-group");
    if (has_folds || has_groups)
        return cli_hold_out(call, err);
    if (*s->model == '\0')
        return gb_fail(err, GB_EARGUMENT,
                       "evaluate needs a model, --model FILE, or documents to hold out: --folds N");
    return evaluate_model(call, err);
}
