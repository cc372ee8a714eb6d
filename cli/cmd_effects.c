/* cli/cmd_effects.c - the coefficients of each score: topics with their words, covariates, the constant; and the topic
 * shares of groups of documents. */
#include "answer.h"
#include "common.h"
#include "contrasts.h"
#include "estimated_effects.h"
#include "group_effects.h"
#include "terminal.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { FEW_DRAWS = 40 };

/* What is shown. */
typedef struct parts {
    bool scores, groups, contrasts;
} parts;

/* ---- as text --------------------------------------------------------------------------------------- */

static gb_status write_text(const cli_call *call, const gb_subject *subject, const gb_table *effects, parts shown,
                            gb_error *err)
{
    gb_out_file *output = NULL;
    FILE *stream = NULL;
    gb_status st;
    const gb_model *model = subject->estimate == NULL ? subject->model : gb_estimate_model(subject->estimate);
    CLI_TRY(gb_out_file_open(&output, cli_text(call, "output"), cli_flag(call, "force"), err));
    CLI_TRY(cli_clean_stream(gb_out_file_stream(output), &stream, err));
    if (shown.contrasts)
        CLI_TRY(cli_print_contrasts(call, model, subject->model, stream, err));
    if (shown.scores)
        CLI_TRY(cli_print_answer(stream, effects, (uint64_t)cli_int(call, "rows"), err));
    if (shown.scores && shown.groups)
        (void)fputc('\n', stream);
    if (shown.groups)
        CLI_TRY(cli_print_groups(call, model, stream, err));
    (void)fclose(stream);
    stream = NULL;
    st = gb_out_file_commit(output, err);
    output = NULL;
done:
    if (stream != NULL)
        (void)fclose(stream);
    gb_out_file_discard(output);
    return st;
}

/* ---- the verb -------------------------------------------------------------------------------------- */

static void note_few(const cli_call *call, uint64_t n_draws)
{
    if (n_draws < FEW_DRAWS)
        cli_note(call, "%" PRIu64 " draw%s: quantiles are rough; train with more --sweeps for more", n_draws,
                 cli_plural(n_draws));
}

/* Shares of groups are from the draws of the first chain. */
static void note_first_chain(const cli_call *call, const gb_model *model)
{
    const uint64_t n = gb_model_n_topic_draws(model);
    if (n < gb_model_n_draws(model))
        cli_note(call,
                 "topics of groups are from the %" PRIu64
                 " draws of the first chain, since topics of other chains are not the same%s",
                 n, *cli_text(call, "prior-predictive") != '\0' ? "; everything else is from all chains" : "");
    note_few(call, n);
}

static gb_status check_settings(const cli_call *call, gb_error *err)
{
    if (cli_is_set(call, "rows") && cli_is_set(call, "table"))
        return cli_fail(err, GB_EARGUMENT, "--rows cannot be used with --table, which has all rows");
    if (cli_flag(call, "per-fold") && !cli_is_set(call, "table"))
        return cli_fail(err, GB_EARGUMENT, "--per-fold is for a table: --table csv");
    return cli_check_documents(call, err);
}

static gb_status check_folds(const cli_call *call, const gb_model *model, bool has_documents, parts shown,
                             gb_error *err)
{
    const uint64_t n_folds = has_documents ? 0 : gb_model_n_folds(model);
    if (cli_flag(call, "per-fold") && (n_folds == 0 || !shown.scores))
        return cli_fail(err, GB_EARGUMENT, "--per-fold is for the coefficients of a training with --cross-fit");
    if (n_folds > 0 && shown.contrasts)
        return cli_fail(
            err, GB_EARGUMENT,
            "--contrast needs draws, and --cross-fit keeps none; effects DOCUMENTS has them, on documents "
            "that the training did not see");
    return GB_OK;
}

/* Which of the kinds are shown. */
static gb_status choose_parts(const cli_call *call, const gb_model *model, parts *out, gb_error *err)
{
    *out = (parts){.contrasts = false};
    gb_status st = cli_asks_for_contrasts(call, model, &out->contrasts, err);
    if (st == GB_OK && out->contrasts)
        return cli_check_contrasts(call, model, err);
    if (st == GB_OK)
        st = cli_check_groups(call, model, err);
    if (st != GB_OK)
        return st;
    const char *kind = cli_text(call, "kind");
    out->groups = gb_model_n_groups(model) > 0 && strcmp(kind, "coefficients") != 0;
    out->scores = gb_model_n_outputs(model) > 0 && strcmp(kind, "groups") != 0 && !cli_asks_for_groups(call);
    if (!out->scores && !out->groups)
        return cli_fail(err, GB_EARGUMENT,
                        "%s: a model without a response has no %s; gibbous topics shows its topics",
                        cli_text(call, "model"), strcmp(kind, "all") == 0 ? "effects" : "coefficients");
    if (out->scores && out->groups && cli_is_set(call, "table"))
        return cli_fail(
            err, GB_EARGUMENT,
            "%s has coefficients and groups; choose one of them for the table: --kind coefficients or --kind groups",
            cli_text(call, "model"));
    return GB_OK;
}

/* As a table, or as text. */
static gb_status write(const cli_call *call, const gb_subject *subject, parts shown, gb_error *err)
{
    const gb_model *model = subject->estimate == NULL ? subject->model : gb_estimate_model(subject->estimate);
    gb_table *effects = NULL;
    gb_status st = GB_OK;
    if (shown.scores)
        CLI_TRY(gb_answer("effects", subject, call->settings, &effects, err));
    st = !cli_is_set(call, "table") ? write_text(call, subject, effects, shown, err)
         : shown.contrasts          ? cli_write_contrasts(call, model, err)
         : shown.groups             ? cli_write_groups(call, model, err)
                                    : cli_write_table(call, effects, err);
    if (st == GB_OK && effects != NULL)
        cli_note_answer(call, effects, cli_is_set(call, "table"));
done:
    gb_table_free(effects);
    return st;
}

static void note(const cli_call *call, const gb_model *model, parts shown)
{
    const bool is_file = !cli_to_stdout(cli_text(call, "output"));
    if (shown.groups)
        note_first_chain(call, model);
    if (is_file && shown.groups)
        cli_note(call, "wrote %s (%" PRIu64 " groups)", cli_text(call, "output"), gb_model_n_groups(model));
    else if (is_file)
        cli_note(call, "wrote %s (%" PRIu64 " score%s)", cli_text(call, "output"), gb_model_n_outputs(model),
                 cli_plural(gb_model_n_outputs(model)));
}

gb_status cli_effects(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    gb_estimate *estimate = NULL;
    parts shown;
    gb_status st;
    const bool has_documents = cli_has_documents(call);
    CLI_TRY(check_settings(call, err));
    if (call->n_arguments > 0 && !has_documents)
        CLI_TRY(gb_settings_set(call->settings, "model", call->argument[0], err));
    CLI_TRY(cli_read_model(call, &model, err));
    if (has_documents)
        CLI_TRY(cli_estimate(call, model, &estimate, err));
    const gb_model *of = estimate == NULL ? model : gb_estimate_model(estimate);
    CLI_TRY(choose_parts(call, of, &shown, err));
    CLI_TRY(check_folds(call, model, has_documents, shown, err));
    if (estimate != NULL)
        cli_note_estimate(call, model, estimate);
    const gb_subject subject = {.size = sizeof subject, .model = model, .estimate = estimate};
    CLI_TRY(write(call, &subject, shown, err));
    note(call, of, shown);
done:
    gb_estimate_free(estimate);
    gb_model_free(model);
    return st;
}
