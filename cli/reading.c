/* cli/reading.c - inputs read by the command: progress is shown, and a signal stops it. */
#include "reading.h"

#include "progress.h"

#include <string.h>

bool cli_on_read(const gb_read_progress *progress, void *user)
{
    if (progress->n_docs > 0)
        cli_work_begins();
    if (user != NULL)
        cli_progress_documents(user, progress->n_docs);
    return !cli_stop_requested();
}

/* Of what is read now: of a corpus file it was said when the file was made. */
static bool any_is_read(uint64_t n, const char *const *path)
{
    for (uint64_t i = 0; i < n; i++)
        if (strcmp(path[i], "-") == 0 || gb_file_kind_of(path[i]) != GB_FILE_CORPUS)
            return true;
    return false;
}

static gb_status read_paths(const cli_call *call, uint64_t n, const char *const *path, bool for_training,
                            gb_corpus **out, gb_error *err)
{
    cli_progress shown = cli_progress_start(cli_flag(call, "quiet"));
    gb_corpus *corpus = NULL;
    cli_catch_signals();
    gb_status st = for_training
                       ? gb_corpus_read_for_training(path[0], call->settings, cli_on_read, &shown, &corpus, err)
                       : gb_corpus_read_several(n, path, call->settings, cli_on_read, &shown, &corpus, err);
    st = cli_input(st, err);
    cli_progress_end(&shown);
    if (st == GB_OK && cli_stop_requested())
        st = cli_fail(err, GB_ESTOP, "stopped after the input was read");
    st = cli_agree_to_stop(call, st, err);
    if (st == GB_OK && any_is_read(n, path))
        cli_note_suspects(call, NULL, corpus, NULL);
    if (st == GB_OK)
        *out = corpus;
    else
        gb_corpus_free(corpus);
    return st;
}

gb_status cli_read_corpus(const cli_call *call, const char *path, gb_corpus **out, gb_error *err)
{
    return read_paths(call, 1, &path, false, out, err);
}

gb_status cli_read_for_training(const cli_call *call, const char *path, gb_corpus **out, gb_error *err)
{
    return read_paths(call, 1, &path, true, out, err);
}

gb_status cli_read_all(const cli_call *call, gb_corpus **out, gb_error *err)
{
    return read_paths(call, call->n_arguments, (const char *const *)call->argument, false, out, err);
}

gb_status cli_read_documents(const gb_settings *settings, const gb_model *model, const char *path, gb_corpus **out,
                             uint64_t **n_unknown, gb_error *err)
{
    gb_documents *documents = NULL;
    uint64_t *own = NULL;
    gb_status st;
    CLI_TRY(cli_input(gb_documents_open(model, path, settings, cli_on_read, NULL, &documents, err), err));
    CLI_TRY(cli_input(gb_documents_next(documents, UINT64_MAX, out, n_unknown == NULL ? &own : n_unknown, err), err));
    if (*out == NULL)
        st = cli_fail(err, GB_EFORMAT, "%s: no documents", cli_input_name(path));
done:
    gb_free(own);
    gb_documents_close(documents);
    return st;
}
