/* cli/cmd_train.c - documents to a model. */
#include "common.h"
#include "progress.h"
#include "reading.h"

#include <inttypes.h>
#include <stdio.h>

static gb_status train(cli_call *call, const gb_corpus *corpus, gb_model **out, gb_error *err)
{
    cli_progress shown = cli_progress_start(cli_flag(call, "quiet"));
    cli_catch_signals();
    gb_status st = gb_train(corpus, call->settings, cli_progress_sweep, &shown, out, err);
    cli_progress_end(&shown);
    if (st == GB_ESTOP)
        return cli_fail(err, GB_ESTOP, "stopped after sweep %" PRIu64 " of %" PRIu64 "; no model was written",
                        shown.sweep, shown.n_sweeps);
    return st;
}

/* How often proposals were accepted, on average over chains. */
static void note_acceptance(const cli_call *call, const gb_model *model)
{
    char line[100] = "";
    size_t n = 0;
    const uint64_t n_chains = gb_model_n_acceptances(model);
    for (uint64_t i = 0; i < gb_model_n_proposals(model); i++) {
        double sum = 0;
        for (uint64_t c = 0; c < n_chains; c++)
            sum += gb_model_acceptance(model, i, c);
        n += (size_t)snprintf(line + n, n < sizeof line ? sizeof line - n : 0, "%s%s %.3f", n > 0 ? ", " : "",
                              gb_model_proposal(model, i), sum / (double)n_chains);
    }
    if (n > 0)
        cli_note(call, "accepted of the topics proposed: %s", line);
}

static void note_written(cli_call *call, const gb_model *model, const char *path)
{
    const uint64_t n_draws = gb_model_n_draws(model), n_snapshots = gb_model_n_snapshots(model);
    char with_topics[64] = "";
    if (n_snapshots < n_draws)
        (void)snprintf(with_topics, sizeof with_topics, ", %" PRIu64 " with topics", n_snapshots);
    cli_note(call, "wrote %s (%" PRIu64 " draw%s%s); next: gibbous topics -m %s", path, n_draws, cli_plural(n_draws),
             with_topics, path);
}

gb_status cli_train(cli_call *call, gb_error *err)
{
    const char *path = cli_text(call, "model");
    char *decided = NULL;
    gb_corpus *corpus = NULL;
    gb_model *model = NULL;
    gb_status st;
    if (cli_to_stdout(path))
        return cli_fail(err, GB_EARGUMENT, "train needs a model file to write: --model FILE");
    CLI_TRY(cli_check_target(call, path, err));
    CLI_TRY(cli_choose_seed(call, err));
    CLI_TRY(cli_read_corpus(call, call->argument[0], &corpus, err));
    CLI_TRY(gb_train_describe(corpus, call->settings, &decided, err));
    cli_note(call, "gibbous %s: %s", gb_version(), decided);
    cli_note_settings(call);
    CLI_TRY(train(call, corpus, &model, err));
    note_acceptance(call, model);
    if (cli_is_set(call, "words") && !cli_flag(call, "quiet"))
        CLI_TRY(cli_print_topics(stderr, model, (uint64_t)cli_int(call, "words"), err));
    CLI_TRY(gb_model_write(model, path, cli_flag(call, "force"), err));
    note_written(call, model, path);
done:
    gb_free(decided);
    gb_model_free(model);
    gb_corpus_free(corpus);
    return st;
}
