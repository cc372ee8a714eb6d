/* cli/cmd_import.c - documents of any format to a corpus file. */
#include "common.h"
#include "reading.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static void note_written(const cli_call *call, const gb_corpus *corpus, uint64_t n_shards)
{
    const char *path = cli_text(call, "output");
    size_t stem = strlen(path);
    uint64_t n_docs = gb_corpus_n_docs(corpus), n_tokens = gb_corpus_n_tokens(corpus),
             n_words = gb_corpus_n_words(corpus);
    if (stem > 4 && strcmp(path + stem - 4, ".gbc") == 0)
        stem -= 4;
    char shards[40] = "";
    if (n_shards > 0)
        (void)snprintf(shards, sizeof shards, " and %" PRIu64 " shard%s", n_shards, cli_plural(n_shards));
    cli_note(call,
             "wrote %s%s (%" PRIu64 " document%s, %" PRIu64 " token%s, %" PRIu64
             " word%s); next: gibbous train %s -m %.*s.gibbous",
             path, shards, n_docs, cli_plural(n_docs), n_tokens, cli_plural(n_tokens), n_words, cli_plural(n_words),
             path, (int)stem, path);
}

/* An import with another number of shards leaves those that were there, which look as if they belonged to this one.  The files are written:
 * without memory there is no note. */
static void note_other_shards(const cli_call *call, uint64_t n_shards)
{
    const uint64_t most = 512; /* as the option says */
    const char *output = cli_text(call, "output");
    gb_status st = GB_OK;
    for (uint64_t n = 1; n <= most && st == GB_OK; n++) {
        char *path = NULL;
        st = gb_corpus_shard_path(output, 0, n, &path, NULL);
        if (st == GB_OK && n != n_shards && access(path, F_OK) == 0)
            cli_note(call, "%s is of another import, with %" PRIu64 " shard%s; %s does not need it", path, n,
                     cli_plural(n), output);
        gb_free(path);
    }
}

/* Before the inputs are read. */
static gb_status check_targets(const cli_call *call, uint64_t n_shards, gb_error *err)
{
    const char *output = cli_text(call, "output");
    gb_status st;
    CLI_TRY(cli_check_output_file(call, err));
    for (uint64_t i = 0; i < n_shards && st == GB_OK; i++) {
        char *path = NULL;
        st = gb_corpus_shard_path(output, i, n_shards, &path, err);
        if (st == GB_OK)
            st = cli_check_target(call, path, err);
        gb_free(path);
    }
done:
    return st;
}

gb_status cli_import(cli_call *call, gb_error *err)
{
    const char *output = cli_text(call, "output");
    const uint64_t n_shards = (uint64_t)cli_int(call, "shards");
    gb_corpus *corpus = NULL;
    gb_status st;
    CLI_TRY(check_targets(call, n_shards, err));
    cli_note_settings(call);
    CLI_TRY(cli_read_all(call, &corpus, err));
    if (n_shards > 0)
        CLI_TRY(gb_corpus_write_shards(corpus, output, n_shards, cli_flag(call, "force"), err));
    else
        CLI_TRY(gb_corpus_write(corpus, output, cli_flag(call, "force"), err));
    note_written(call, corpus, n_shards);
    note_other_shards(call, n_shards);
done:
    gb_corpus_free(corpus);
    return st;
}
