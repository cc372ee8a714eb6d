/* cli/estimated_effects.c - effects DOCUMENTS: effects on labelled documents that the training did not see. */
#include "estimated_effects.h"

#include "progress.h"
#include "reading.h"

#include <inttypes.h>
#include <string.h>

bool cli_has_documents(const cli_call *call)
{
    return call->n_arguments > 0 && *cli_text(call, "model") != '\0';
}

static gb_status find_unseen(const cli_call *call, const gb_model *model, gb_corpus **docs, gb_error *err)
{
    gb_corpus *unseen = NULL;
    gb_error why;
    const gb_status st = gb_estimate_find_unseen(model, *docs, &unseen, &why);
    if (st != GB_OK)
        return cli_fail(err, st, "%s: %s", call->argument[0], why.message);
    if (unseen == NULL)
        return GB_OK;
    cli_note(call, "estimated on the %" PRIu64 " of %" PRIu64 " documents that the training held out",
             gb_corpus_n_docs(unseen), gb_corpus_n_docs(*docs));
    gb_corpus_free(*docs);
    *docs = unseen;
    return GB_OK;
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
    CLI_TRY(find_unseen(call, model, &docs, err));
    st = gb_estimate_create(model, docs, call->settings, cli_progress_apply, &shown, out, err);
    cli_progress_end(&shown);
    if (st == GB_ESTOP)
        st = cli_fail(err, st, "stopped before the effects were estimated; nothing was written");
done:
    gb_corpus_free(docs);
    return st;
}
