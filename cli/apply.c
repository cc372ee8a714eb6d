/* cli/apply.c - a model applied to documents batch by batch. */
#include "apply.h"

#include "progress.h"
#include "reading.h"
#include "verbs.h"

#include <inttypes.h>

enum { BATCH_DOCS = 2048, BATCH_SCORES = 1 << 21 };

/* Rows of many classes are long. */
static uint64_t docs_of_batch(const gb_model *model)
{
    const uint64_t n = BATCH_SCORES / (gb_model_n_outputs(model) + 1);
    return n < 1 ? 1 : n < BATCH_DOCS ? n : BATCH_DOCS;
}

/* Errors of scores are for those who ask for scores. */
static void leave_errors_out(const cli_call *call, gb_prediction *p)
{
    if (cli_flag(call, "scores"))
        return;
    gb_free(p->score_error);
    p->score_error = NULL;
}

static gb_status apply_batch(const cli_call *call, cli_batch *batch, bool predict, cli_on_batch *on_batch, void *user,
                             uint64_t *n_prior, gb_error *err)
{
    gb_prediction *prediction = NULL;
    gb_status st;
    if (predict) {
        CLI_TRY(gb_prediction_create(batch->model, gb_corpus_n_docs(batch->docs), &prediction, err));
        leave_errors_out(call, prediction);
        CLI_TRY(gb_predict(batch->model, batch->docs, batch->first_row, call->settings, cli_goes_on, NULL, prediction,
                           err));
    }
    batch->prediction = prediction;
    for (uint64_t d = 0; d < gb_corpus_n_docs(batch->docs); d++) {
        uint64_t n_tokens;
        (void)gb_corpus_tokens(batch->docs, d, &n_tokens);
        *n_prior += n_tokens == 0;
    }
    CLI_TRY(on_batch(batch, user, err));
    if (cli_to_stdout(cli_text(call, "output"))) /* somebody at the other end of a pipe may wait for it */
        (void)fflush(NULL);
done:
    gb_prediction_free(prediction);
    return st;
}

/* Rows of whole batches are on standard output already; a file appears only when it is complete, and so do scores. */
static gb_status stopped(const cli_call *call, uint64_t n_docs, gb_error *err)
{
    const bool has_rows = call->verb->bit != CLI_EVALUATE && cli_to_stdout(cli_text(call, "output"));
    return cli_fail(err, GB_ESTOP, "stopped after %" PRIu64 " document%s%s", n_docs, cli_plural(n_docs),
                    has_rows ? "" : "; nothing was written");
}

gb_status cli_apply(const cli_call *call, const gb_model *model, bool predict, cli_on_batch *on_batch, void *user,
                    uint64_t *n_docs, uint64_t *n_prior, gb_error *err)
{
    gb_status st;
    gb_documents *documents = NULL;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    cli_progress shown = cli_progress_start(cli_flag(call, "quiet"));
    json_t *said = json_object(); /* fields that something was said of */
    bool stops;
    /* a rank that stopped reading would leave the others alone with the batch */
    gb_on_read *on_read = gb_team_size(call->team) == 1 ? cli_on_read : NULL;
    *n_docs = *n_prior = 0;
    if (gb_team_rank(call->team) == 0)
        cli_remove_on_signal(cli_text(call, "output"));
    cli_catch_signals();
    st = cli_input(gb_documents_open(model, call->argument[0], call->settings, on_read, NULL, &documents, err), err);
    if (st == GB_ESTOP) /* its beginning is read here */
        st = stopped(call, 0, err);
    CLI_TRY(st);
    for (;;) {
        st = cli_input(gb_documents_next(documents, docs_of_batch(model), &docs, &n_unknown, err), err);
        if (st == GB_ESTOP)
            st = stopped(call, *n_docs, err);
        CLI_TRY(st);
        if (docs == NULL)
            break;
        if (gb_team_rank(call->team) == 0)
            cli_note_suspects(call, model, docs, said);
        cli_batch batch = {model, docs, n_unknown, *n_docs, NULL};
        st = apply_batch(call, &batch, predict, on_batch, user, n_prior, err);
        if (st == GB_ESTOP) { /* at all ranks */
            CLI_TRY(cli_share_signals(call, &stops, err));
            st = stopped(call, *n_docs, err);
        }
        CLI_TRY(st);
        *n_docs += gb_corpus_n_docs(docs);
        gb_corpus_free(docs);
        gb_free(n_unknown);
        docs = NULL;
        n_unknown = NULL;
        CLI_TRY(cli_share_signals(call, &stops, err)); /* all ranks stop after the same batch */
        if (stops) {
            st = stopped(call, *n_docs, err);
            goto done;
        }
        cli_progress_documents(&shown, *n_docs);
    }
done:
    cli_progress_end(&shown);
    json_decref(said);
    gb_corpus_free(docs);
    gb_free(n_unknown);
    gb_documents_close(documents);
    return st;
}

void cli_note_rows(const cli_call *call, uint64_t n_docs, uint64_t n_prior, const char *what)
{
    if (n_prior > 0)
        cli_note(call, "%" PRIu64 " of %" PRIu64 " document%s %s no word that the model knows", n_prior, n_docs,
                 cli_plural(n_docs), n_prior == 1 ? "has" : "have");
    if (!cli_to_stdout(cli_text(call, "output")))
        cli_note(call, "wrote %s (%" PRIu64 " %s%s)", cli_text(call, "output"), n_docs, what, cli_plural(n_docs));
}
