/* cli/reading.c - inputs read by the command: progress is shown, and a signal stops it. */
#include "reading.h"

#include "json.h"
#include "progress.h"

#include <inttypes.h>
#include <string.h>

bool cli_on_read(const gb_read_progress *progress, void *user)
{
    if (progress->n_docs > 0)
        cli_work_begins();
    if (user != NULL)
        cli_progress_documents(user, progress->n_docs);
    return !cli_stop_requested();
}

static uint64_t number_in(const json_t *notes, const char *name)
{
    const json_int_t n = json_integer_value(json_object_get(notes, name));
    return n > 0 ? (uint64_t)n : 0;
}

/* What a reader has done that the user may not expect. */
static void note_input(const cli_call *call, const char *path, const json_t *notes)
{
    const uint64_t n_missing = number_in(notes, "values_read_as_missing"),
                   n_docs = number_in(notes, "documents_without_metadata_row"),
                   n_rows = number_in(notes, "metadata_rows_without_document");
    if (n_missing > 0)
        cli_note(call, "%s: %" PRIu64 " value%s like NaN, None, null or N/A %s taken as missing",
                 cli_input_name(path), n_missing, cli_plural(n_missing), n_missing == 1 ? "is" : "are");
    if (n_docs + n_rows > 0)
        cli_note(
            call,
            "%s: %" PRIu64 " document%s without a row in %s, and %" PRIu64 " row%s without a document, by their ids",
            cli_input_name(path), n_docs, cli_plural(n_docs), cli_text(call, "metadata"), n_rows, cli_plural(n_rows));
}

/* Of what was read now; notes of a corpus file were shown when it was made. */
static gb_status note_reading(const cli_call *call, uint64_t n, const char *const *path, const gb_corpus *corpus,
                              gb_error *err)
{
    char *text = NULL;
    json_t *notes = NULL;
    gb_status st = GB_OK;
    CLI_TRY(gb_corpus_notes(corpus, &text, err));
    notes = cli_json_of(text);
    CLI_TRY(cli_json_check(notes, err));
    const json_t *source = json_object_get(notes, "source"), *inputs = json_object_get(source, "inputs");
    for (uint64_t i = 0; i < n; i++) {
        char number[24];
        (void)snprintf(number, sizeof number, "%" PRIu64, i + 1);
        if (strcmp(path[i], "-") == 0 || gb_file_kind_of(path[i]) != GB_FILE_CORPUS)
            note_input(call, path[i], n == 1 ? source : json_object_get(inputs, number));
    }
done:
    json_decref(notes);
    gb_free(text);
    return st;
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
    if (st == GB_OK) {
        cli_note_mixed_levels(call, corpus);
        st = note_reading(call, n, path, corpus, err);
    }
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
