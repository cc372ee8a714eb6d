/* cli/cmd_export.c - a model with documents, for another program. */
#include "common.h"
#include "progress.h"
#include "reading.h"

#include <inttypes.h>
#include <string.h>

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
    cli_catch_signals();
    CLI_TRY(cli_read_documents(call->settings, model, call->argument[0], &docs, NULL, err));
    CLI_TRY(gb_model_export(model, docs, output, cli_text(call, "to"), call->settings, cli_flag(call, "force"),
                            cli_goes_on, NULL, err));
    note_written(call, docs);
done:
    gb_corpus_free(docs);
    gb_model_free(model);
    return st;
}
