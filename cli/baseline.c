/* cli/baseline.c - linear models beside a model that is evaluated. */
#include "baseline.h"

#include "memory_limit.h"
#include "progress.h"
#include "reading.h"

/* ---- documents to fit ------------------------------------------------------------------------------ */

/* A corpus file needs no options that say how another file is read. */
static gb_status settings_to_read(const cli_call *call, const char *path, gb_settings **out, gb_error *err)
{
    static const char *const of_other_files[] = {"metadata", "vocabulary"};
    gb_status st = gb_settings_copy(call->settings, out, err);
    if (st != GB_OK || gb_file_kind_of(path) != GB_FILE_CORPUS)
        return st;
    st = gb_settings_set(*out, "format", "corpus", err);
    for (size_t i = 0; i < sizeof of_other_files / sizeof of_other_files[0] && st == GB_OK; i++)
        st = gb_settings_set(*out, of_other_files[i], "", err);
    return st;
}

static gb_status stopped(gb_error *err)
{
    return cli_fail(err, GB_ESTOP, "stopped before the first document; nothing was written");
}

/* ---- evaluation ------------------------------------------------------------------------------------ */

gb_status cli_baseline_open(const cli_call *call, const gb_model *model, cli_baseline *b, gb_error *err)
{
    gb_status st;
    gb_corpus *training = NULL;
    gb_settings *settings = NULL;
    const char *path = cli_text(call, "baseline-on");
    if (*path == '\0')
        return GB_OK;
    cli_catch_signals();
    CLI_TRY(settings_to_read(call, path, &settings, err));
    CLI_TRY(cli_read_documents(settings, model, path, &training, NULL, err));
    CLI_TRY(gb_linear_fit(model, training, call->settings, cli_goes_on, NULL, &b->linear, err));
    CLI_TRY(gb_evaluation_create(model, call->settings, &b->evaluation, err));
    gb_evaluation_of_linear(b->evaluation);
done:
    gb_corpus_free(training);
    gb_settings_free(settings);
    return st == GB_ESTOP ? stopped(err) : st;
}

gb_status cli_baseline_add(cli_baseline *b, const cli_batch *batch, gb_error *err)
{
    gb_status st;
    gb_prediction *prediction = NULL;
    if (b->linear == NULL)
        return GB_OK;
    CLI_TRY(gb_prediction_create(batch->model, gb_corpus_n_docs(batch->docs), &prediction, err));
    CLI_TRY(gb_linear_predict(b->linear, batch->docs, prediction, err));
    CLI_TRY(gb_evaluation_add(b->evaluation, batch->docs, prediction, NULL, batch->n_unknown, err));
done:
    gb_prediction_free(prediction);
    return st;
}

gb_status cli_baseline_finish(cli_baseline *b, gb_error *err)
{
    return b->evaluation == NULL ? GB_OK : gb_evaluation_finish(b->evaluation, err);
}

void cli_baseline_close(cli_baseline *b)
{
    gb_linear_free(b->linear);
    gb_evaluation_free(b->evaluation);
}
