/* cli/cmd_evaluate.c - how good a model is on documents that it has not seen. */
#include "apply.h"
#include "baseline.h"
#include "hold_out.h"
#include "json.h"
#include "likelihood_rows.h"
#include "progress.h"
#include "scores_output.h"
#include "terminal.h"
#include "topics_alone.h"

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
    if (j->table != NULL)
        cli_likelihood_rows(j->table, NULL, batch->docs, batch->n_unknown, likelihood);
done:
    gb_held_out_free(likelihood);
    return st;
}

/* Options that only a training looks at.  A configuration file may have them for other runs. */
static gb_status refuse_training_options(const cli_call *call, gb_error *err)
{
    const uint32_t fits = GB_VERB_TRAIN | GB_VERB_EVALUATE;
    const gb_option *option;
    for (uint64_t i = 0; *cli_text(call, "config") == '\0' && (option = gb_option_at(i)) != NULL; i++)
        if ((option->verbs & (fits | GB_VERB_PREDICT)) == fits && cli_is_set(call, option->name))
            return cli_fail(err, GB_EARGUMENT,
                            "--%s is an option of training, but --model names a trained model; leave one of them out",
                            option->name);
    return GB_OK;
}

/* ---- output ---------------------------------------------------------------------------------------- */

/* One response: its object.  Several: one object with each of theirs, by field.  The likelihood is one more member. */
static gb_status print_json(const gb_evaluation *e, const gb_score_table *linear, const gb_score_table *alone,
                            const gb_model *model, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t n = gb_evaluation_n_responses(e);
    json_t *all = n == 1 ? NULL : json_object();
    for (uint64_t i = 0; i < n; i++) {
        json_t *object = NULL;
        CLI_TRY(cli_response_to_json(e, linear, model, i, &object, err));
        cli_add_alone(object, alone, i);
        if (n == 1)
            all = object;
        else
            (void)json_object_set_new(all, gb_evaluation_field(e, i), object);
    }
    if (gb_evaluation_has_likelihood(e))
        (void)json_object_set_new(all, "held_out",
                                  cli_section_to_json(gb_evaluation_scores(e), n, gb_evaluation_held_out_method(e)));
    st = cli_print_json(all, err);
done:
    json_decref(all);
    return st;
}

static gb_status print_text(const gb_evaluation *e, const gb_score_table *linear, const gb_score_table *alone,
                            const gb_model *model, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t n = gb_evaluation_n_responses(e);
    const bool has_likelihood = gb_evaluation_has_likelihood(e);
    for (uint64_t i = 0; i < n && st == GB_OK; i++) {
        if (n > 1 || has_likelihood)
            (void)fprintf(cli_out(), "%s== %s ==\n", i > 0 ? "\n" : "", gb_evaluation_field(e, i));
        st = cli_print_response(e, linear, model, i, err);
        cli_print_alone(alone, i);
    }
    if (st == GB_OK && has_likelihood) {
        (void)fprintf(cli_out(), "%s== held-out likelihood, %s ==\n", n > 0 ? "\n" : "",
                      gb_evaluation_held_out_method(e));
        cli_print_section(gb_evaluation_scores(e), NULL, n, true);
    }
    if (st == GB_OK && linear != NULL)
        cli_print_what_is_linear();
    return st;
}

static void note_skipped(const cli_call *call, const gb_evaluation *e)
{
    const char *what = cli_text(call, "unknown-label");
    for (uint64_t i = 0; i < gb_evaluation_n_responses(e); i++) {
        const gb_score *score = gb_score_table_find(gb_evaluation_scores(e), i, "n_unknown");
        if (score != NULL && score->value > 0)
            cli_note(call, "%.0f document%s with a label in field \"%s\" that is not a class of the model: %s",
                     score->value, cli_plural((uint64_t)score->value), gb_evaluation_field(e, i),
                     strcmp(what, "skip") == 0 ? "left out" : "counted as wrong");
    }
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
    CLI_TRY(cli_likelihood_open(call, gb_evaluation_has_likelihood(j.evaluation), false, &j.table, err));
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
    note_skipped(call, j.evaluation);
    const gb_score_table *linear = cli_baseline_scores(&j.baseline), *alone = cli_alone_scores(&j.alone);
    CLI_TRY(cli_flag(call, "json") ? print_json(j.evaluation, linear, alone, model, err)
                                   : print_text(j.evaluation, linear, alone, model, err));
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
    const bool has_model = *cli_text(call, "model") != '\0';
    const bool has_folds = cli_int(call, "folds") > 0, has_groups = cli_count(call, "hold-out-group") > 0;
    if (has_folds && has_groups)
        return cli_fail(err, GB_EARGUMENT,
                        "--folds and --hold-out-group are two ways to hold documents out; choose one");
    if (!has_folds && cli_is_set(call, "fold-by"))
        return cli_fail(err, GB_EARGUMENT, "--fold-by needs --folds N");
    if ((has_folds || has_groups) && has_model)
        return cli_fail(err, GB_EARGUMENT, "--%s trains models of its own; leave --model out",
                        has_folds ? "folds" : "hold-out-group");
    if ((has_folds || has_groups) && cli_is_set(call, "baseline-on"))
        return cli_fail(
            err, GB_EARGUMENT,
            "--baseline-on goes with --model; with --%s a linear model is fitted to each training: --baseline",
            has_folds ? "folds" : "hold-out-group");
    if (has_folds || has_groups)
        return cli_hold_out(call, err);
    if (!has_model)
        return cli_fail(err, GB_EARGUMENT,
                        "evaluate needs a model, --model FILE, or documents to hold out: --folds N");
    if (cli_flag(call, "baseline"))
        return cli_fail(err, GB_EARGUMENT,
                        "--baseline needs documents to fit a linear model to; with --model name those that the model "
                        "was trained on: --baseline-on FILE");
    return evaluate_model(call, err);
}
