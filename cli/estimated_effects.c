/* cli/estimated_effects.c - effects DOCUMENTS: effects on labelled documents that the training did not see. */
#include "estimated_effects.h"

#include "progress.h"
#include "reading.h"

#include <string.h>

bool cli_has_documents(const cli_call *call)
{
    return call->n_arguments > 0 && *cli_text(call, "model") != '\0';
}

gb_status cli_estimate(const cli_call *call, const gb_model *model, gb_estimate **out, gb_error *err)
{
    gb_corpus *docs = NULL;
    gb_status st;
    cli_progress shown = cli_progress_start(cli_flag(call, "quiet"));
    cli_remove_on_signal(cli_text(call, "output"));
    cli_catch_signals();
    CLI_TRY(gb_estimate_request_fields(model, call->settings, err));
    CLI_TRY(cli_read_documents(call->settings, model, call->argument[0], &docs, NULL, err));
    st = gb_estimate_create(model, docs, call->settings, cli_progress_apply, &shown, out, err);
    cli_progress_end(&shown);
    if (st == GB_ESTOP)
        st = cli_fail(err, st, "stopped before the effects were estimated; nothing was written");
done:
    gb_corpus_free(docs);
    return st;
}

/* ---- for a page ------------------------------------------------------------------------------------ */

/* Multiplications, of which a processor does about 5e9 in a second. */
static const double MOST_WORK = 3e11;

/* Of 2150 sweeps for each chain, which draw the coefficients of each score from all documents. */
static double work_of(const gb_model *model, const gb_corpus *docs)
{
    const double k = (double)gb_model_n_topics(model), n = (double)gb_corpus_n_docs(docs),
                 n_scores = (double)gb_model_n_outputs(model),
                 n_chains = (double)gb_model_n_draws(model) / (double)gb_model_n_topic_draws(model),
                 words = gb_model_n_word_columns(model) > 0 ? 10 * (double)gb_corpus_n_tokens(docs) : 0;
    return 2150 * n_scores * n_chains * (n * k * k / 2 + k * k * k / 3 + words);
}

/* A page has the fields that the model predicts, so others cannot be explained there. */
static bool names_other_field(const cli_call *call, const gb_model *model)
{
    static const char *const option[] = {"label", "labels", "target"};
    for (size_t i = 0; i < sizeof option / sizeof *option; i++)
        for (uint64_t j = 0; j < cli_count(call, option[i]); j++) {
            bool is_known = false;
            for (uint64_t r = 0; r < gb_model_n_responses(model); r++)
                is_known |= strcmp(gb_model_field(model, r), cli_item(call, option[i], j)) == 0;
            if (!is_known)
                return true;
        }
    return false;
}

/* What the model does not allow is no error of a page. */
static gb_status forgive(const cli_call *call, gb_status st, gb_error *why, gb_error *err)
{
    if (st == GB_OK)
        return st;
    if (st != GB_EARGUMENT && st != GB_EFORMAT) {
        *err = *why;
        return st;
    }
    cli_note(call, "the page shows effects in the training, for %s", cli_add_dashes(why->message));
    return GB_OK;
}

static gb_status estimate_few(const cli_call *call, const gb_settings *settings, const gb_model *model,
                              gb_estimate **out, gb_error *err)
{
    gb_corpus *docs = NULL;
    gb_error why = {.status = GB_OK};
    cli_progress shown = cli_progress_start(cli_flag(call, "quiet"));
    gb_status st = cli_read_documents(settings, model, call->argument[0], &docs, NULL, &why);
    if (st == GB_OK && work_of(model, docs) > MOST_WORK)
        st =
            cli_fail(&why, GB_EARGUMENT, "others would take long on these documents; gibbous effects %.100s has them",
                     call->argument[0]);
    if (st == GB_OK)
        st = gb_estimate_create(model, docs, settings, cli_progress_apply, &shown, out, &why);
    cli_progress_end(&shown);
    gb_corpus_free(docs);
    return forgive(call, st, &why, err);
}

gb_status cli_estimate_for_page(const cli_call *call, const gb_model *model, gb_estimate **out, gb_error *err)
{
    gb_settings *settings = NULL;
    gb_status st = GB_OK;
    *out = NULL;
    if (call->n_arguments == 0 || strcmp(call->argument[0], "-") == 0 || gb_model_n_outputs(model) == 0 ||
        gb_model_n_folds(model) > 0 || names_other_field(call, model))
        return st;
    CLI_TRY(gb_settings_copy(call->settings, &settings, err));
    CLI_TRY(gb_estimate_request_fields(model, settings, err));
    CLI_TRY(estimate_few(call, settings, model, out, err));
done:
    gb_settings_free(settings);
    return st;
}
