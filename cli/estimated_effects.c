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

/* All documents at once, in the words of the model. */
static gb_status read_documents(const cli_call *call, const gb_model *model, gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_documents *documents = NULL;
    uint64_t *n_unknown = NULL;
    CLI_TRY(gb_estimate_request_fields(model, call->settings, err));
    CLI_TRY(cli_input(gb_documents_open(model, call->argument[0], call->settings, cli_on_read, NULL, &documents, err),
                      err));
    CLI_TRY(cli_input(gb_documents_next(documents, UINT64_MAX, out, &n_unknown, err), err));
    if (*out == NULL)
        st = cli_fail(err, GB_EFORMAT, "%s: no documents", cli_input_name(call->argument[0]));
done:
    gb_free(n_unknown);
    gb_documents_close(documents);
    return st;
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
    CLI_TRY(read_documents(call, model, &docs, err));
    CLI_TRY(find_unseen(call, model, &docs, err));
    st = gb_estimate_create(model, docs, call->settings, cli_progress_apply, &shown, out, err);
    cli_progress_end(&shown);
    if (st == GB_ESTOP)
        st = cli_fail(err, st, "stopped before the effects were estimated; nothing was written");
done:
    gb_corpus_free(docs);
    return st;
}
