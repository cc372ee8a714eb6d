/* cli/cmd_export.c - a model with documents, for another program. */
#include "common.h"
#include "progress.h"
#include "reading.h"

#include <inttypes.h>
#include <string.h>

/* All of them, in the words of the model. */
static gb_status read_documents(const cli_call *call, const gb_model *model, gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_documents *documents = NULL;
    uint64_t *n_unknown = NULL;
    cli_catch_signals();
    CLI_TRY(cli_input(gb_documents_open(model, call->argument[0], call->settings, cli_on_read, NULL, &documents, err),
                      err));
    CLI_TRY(cli_input(gb_documents_next(documents, SIZE_MAX, out, &n_unknown, err), err));
    if (*out == NULL)
        st = cli_fail(err, GB_EFORMAT, "%s: no documents", cli_input_name(call->argument[0]));
done:
    gb_free(n_unknown);
    gb_documents_close(documents);
    return st;
}

static void note_written(const cli_call *call, const gb_corpus *docs)
{
    const char *output = cli_text(call, "output");
    const uint64_t n_docs = gb_corpus_n_docs(docs), n_tokens = gb_corpus_n_tokens(docs);
    cli_note(call, "wrote %s (%" PRIu64 " document%s, %" PRIu64 " token%s)",
             cli_to_stdout(output) ? "to standard output" : output, n_docs, cli_plural(n_docs), n_tokens,
             cli_plural(n_tokens));
}

gb_status cli_export(cli_call *call, gb_error *err)
{
    const char *output = cli_text(call, "output");
    gb_model *model = NULL;
    gb_corpus *docs = NULL;
    gb_status st;
    CLI_TRY(cli_check_format(call, err));
    CLI_TRY(cli_read_model(call, &model, err));
    cli_note_settings(call);
    cli_remove_on_signal(output);
    CLI_TRY(read_documents(call, model, &docs, err));
    CLI_TRY(gb_model_export(model, docs, output, cli_text(call, "to"), call->settings, cli_flag(call, "force"),
                            cli_goes_on, NULL, err));
    note_written(call, docs);
done:
    gb_corpus_free(docs);
    gb_model_free(model);
    return st;
}
