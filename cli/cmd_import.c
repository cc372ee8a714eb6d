/* cli/cmd_import.c - documents of any format to a corpus file. */
#include "common.h"
#include "reading.h"

#include <inttypes.h>
#include <string.h>

static void note_written(const cli_call *call, const gb_corpus *corpus)
{
    const char *path = cli_text(call, "output");
    size_t stem = strlen(path);
    uint64_t n_docs = gb_corpus_n_docs(corpus), n_tokens = gb_corpus_n_tokens(corpus),
             n_words = gb_corpus_n_words(corpus);
    if (stem > 4 && strcmp(path + stem - 4, ".gbc") == 0)
        stem -= 4;
    cli_note(call,
             "wrote %s (%" PRIu64 " document%s, %" PRIu64 " token%s, %" PRIu64
             " word%s); next: gibbous train %s -m %.*s.gibbous",
             path, n_docs, cli_plural(n_docs), n_tokens, cli_plural(n_tokens), n_words, cli_plural(n_words), path,
             (int)stem, path);
}

gb_status cli_import(cli_call *call, gb_error *err)
{
    const char *output = cli_text(call, "output");
    gb_corpus *corpus = NULL;
    gb_status st;
    if (cli_to_stdout(output))
        return cli_fail(err, GB_EARGUMENT, "import needs a file to write: --output FILE");
    CLI_TRY(cli_check_target(call, output, err));
    cli_note_settings(call);
    CLI_TRY(cli_read_corpus(call, call->argument[0], &corpus, err));
    CLI_TRY(gb_corpus_write(corpus, output, cli_flag(call, "force"), err));
    note_written(call, corpus);
done:
    gb_corpus_free(corpus);
    return st;
}
