/* cli/cmd_train.c - documents to a model. */
#include "answer.h"
#include "common.h"
#include "dry_run.h"
#include "memory_limit.h"
#include "named_files.h"
#include "overwrite.h"
#include "progress.h"
#include "reading.h"
#include "terminal.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where checkpoints go; "" without. */
static const char *checkpoint_of(const cli_call *call)
{
    return *cli_text(call, "resume") != '\0' ? cli_text(call, "resume") : cli_text(call, "checkpoint");
}

/* Whether there is something to continue from: a run may be stopped before it has written its first checkpoint. */
static bool has_checkpoint(const cli_call *call)
{
    return *checkpoint_of(call) != '\0' && gb_file_kind_of(checkpoint_of(call)) == GB_FILE_CHECKPOINT;
}

/* A run that is resumed may replace the model that it wrote when it was stopped: one of the same documents and settings. */
static gb_status is_model_of_this_run(const cli_call *call, const gb_plan *plan, bool *is_ours, gb_error *err)
{
    gb_model *model = NULL;
    *is_ours = false;
    if (*cli_text(call, "resume") == '\0')
        return GB_OK;
    const gb_status st = gb_model_read(cli_text(call, "model"), cli_on_file, NULL, &model, err);
    if (st != GB_OK)
        return st == GB_ENOMEM ? st : GB_OK; /* none, or another file */
    *is_ours = gb_plan_may_have_made(plan, model);
    gb_model_free(model);
    return GB_OK;
}

/* What is found out on held-out labels comes before everything that follows from it. */
static gb_status choose_cost(const cli_call *call, const gb_corpus *corpus, gb_error *err)
{
    char *told = NULL;
    cli_progress shown = cli_progress_start(cli_flag(call, "quiet"));
    shown.is_trial = true;
    cli_catch_signals();
    gb_status st = gb_train_choose_cost(corpus, call->settings, cli_progress_sweep, &shown, &told, err);
    cli_progress_end(&shown);
    st = cli_agree_to_stop(call, st, err);
    if (st == GB_OK && told != NULL)
        cli_note(call, "%s", told);
    gb_free(told);
    return st;
}

/* Decide everything, say what is decided, and whether the model file may be replaced. */
static gb_status decide(const cli_call *call, const gb_corpus *corpus, bool *force, gb_error *err)
{
    gb_plan *plan = NULL;
    char *decided = NULL;
    bool stops, is_ours;
    gb_status st;
    CLI_TRY(gb_plan_create(corpus, call->settings, &plan, err));
    CLI_TRY(is_model_of_this_run(call, plan, &is_ours, err));
    *force = cli_flag(call, "force") || is_ours;
    CLI_TRY(cli_share_signals(call, &stops, err));
    if (stops) {
        st = cli_fail(err, GB_ESTOP, "stopped after the input was read");
        goto done;
    }
    if (*cli_text(call, "resume") != '\0' && !*force)
        CLI_TRY(cli_check_target(call, cli_text(call, "model"), err));
    CLI_TRY(gb_plan_describe(plan, &decided, err));
    cli_note(call, "gibbous %s: %s", gb_version(), decided);
done:
    gb_free(decided);
    gb_plan_free(plan);
    return st;
}

/* Ranks learn which signal has stopped a training, and whether it can go on. */
static gb_status tell_stop(const cli_call *call, gb_error *err)
{
    bool has_signal; /* else the time was up */
    const gb_status st = cli_share_signals(call, &has_signal, err);
    if (st != GB_OK)
        return st;
    if (has_checkpoint(call))
        cli_stopped_with_checkpoint();
    return GB_ESTOP; /* the library has said where the run had come to */
}

/* What ranks send.  All ranks call it, and rank 0 says it. */
static gb_status note_traffic(const cli_call *call, const cli_progress *shown, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n_ranks = gb_team_size(call->team);
    double sum = 0, most = 0;
    if (n_ranks == 1 || !cli_flag(call, "verbose"))
        return st;
    for (size_t r = 0; r < n_ranks; r++) {
        double mb = shown->n_counted == 0 ? 0 : 1e-6 * (double)shown->bytes_sent / (double)shown->n_counted;
        CLI_TRY(gb_team_broadcast(call->team, r, &mb, sizeof mb, err));
        sum += mb;
        most = fmax(most, mb);
    }
    cli_note(call, "%zu ranks: %.4g MB sent per sweep, at most %.4g MB by one", n_ranks, sum, most);
done:
    return st;
}

/* What a training has made: its model, and the file of --draws until both get their names together. */
typedef struct made {
    gb_model *model;       /* NULL: none */
    gb_out_file *draws;    /* NULL: none was asked for, or it is lost */
    bool is_written;       /* the model has its name already, and gets effects in addition */
    char beside[PATH_MAX]; /* where the model is if it could not have its name; "": nowhere */
} made;

/* @param begin_with  topics that chains begin with; NULL: without */
static gb_status train(const cli_call *call, const gb_corpus *corpus, const gb_model *begin_with, made *out,
                       gb_error *err)
{
    cli_progress shown = cli_progress_start(cli_flag(call, "quiet"));
    const gb_status st =
        gb_train_from(corpus, call->settings, begin_with, cli_progress_sweep, &shown, &out->model, &out->draws, err);
    cli_progress_end(&shown);
    if (st == GB_OK)
        return note_traffic(call, &shown, err);
    return st == GB_ESTOP ? tell_stop(call, err) : st;
}

/* Topics that the trainings of --cross-fit begin with. */
static gb_status find_words_topics(const cli_call *call, const gb_corpus *corpus, gb_model **out, gb_error *err)
{
    cli_progress shown = cli_progress_start(cli_flag(call, "quiet"));
    cli_note(call, "topics from words alone, with which all trainings begin");
    const gb_status st = gb_cross_fit_begin(corpus, call->settings, cli_progress_sweep, &shown, out, err);
    cli_progress_end(&shown);
    return st == GB_ESTOP ? tell_stop(call, err) : st;
}

/* What a run that ended early has left: the last message of the program. */
static gb_status tell_end(const cli_call *call, const gb_model *model, const char *path, gb_status stopped,
                          gb_error *err)
{
    char why[sizeof err->message], left[300] = "no model was written, for no draw was kept so far", hint[1000] = "";
    memcpy(why, err->message, sizeof why);
    why[sizeof why - 1] = '\0';
    if (model != NULL)
        (void)snprintf(left, sizeof left, "wrote %.200s with the %" PRIu64 " draw%s kept so far", path,
                       gb_model_n_draws(model), cli_plural(gb_model_n_draws(model)));
    if (stopped == GB_ESTOP && has_checkpoint(call))
        (void)snprintf(hint, sizeof hint,
                       "; the run is kept in %.200s, go on with: gibbous train %.200s --resume %.200s -m %.200s",
                       checkpoint_of(call), call->argument[0], checkpoint_of(call), cli_text(call, "model"));
    return cli_fail(err, stopped, "%.300s; %s%s", why, left, hint);
}

/* How often proposals were accepted, on average over chains. */
static void note_acceptance(const cli_call *call, const gb_model *model)
{
    char line[100] = "";
    size_t n = 0;
    const uint64_t n_chains = gb_model_n_acceptances(model);
    for (uint64_t i = 0; i < gb_model_n_proposals(model); i++) {
        double sum = 0, n_proposing = 0;
        for (uint64_t c = 0; c < n_chains; c++) {
            const double share = gb_model_acceptance(model, i, c);
            sum +=
                isnan(share) ? 0 : share; /* a chain that was stopped before its first sweep has proposed nothing */
            n_proposing += !isnan(share);
        }
        n += (size_t)snprintf(line + n, n < sizeof line ? sizeof line - n : 0, "%s%s %.3f", n > 0 ? ", " : "",
                              gb_model_proposal(model, i), sum / n_proposing);
    }
    if (n > 0)
        cli_note(call, "accepted of the topics proposed: %s", line);
}

/* How long burn-in took, where the chains found that out.  A chain that was stopped in it says nothing of that. */
static void note_burn_in(const cli_call *call, const gb_model *model)
{
    const uint64_t n = gb_model_n_burn_ins(model);
    uint64_t least = UINT64_MAX, most = 0, n_ended = 0, n_rising = 0;
    char stopped[120] = "";
    for (uint64_t c = 0; c < n; c++) {
        const uint64_t sweeps = gb_model_burn_in(model, c);
        if (sweeps == 0)
            continue;
        n_ended++;
        least = sweeps < least ? sweeps : least;
        most = sweeps > most ? sweeps : most;
        n_rising += !gb_model_burn_in_is_found(model, c);
    }
    if (n_ended < n)
        (void)snprintf(stopped, sizeof stopped, "; %" PRIu64 " of %" PRIu64 " chains %s stopped before it had ended",
                       n - n_ended, n, n - n_ended == 1 ? "was" : "were");
    if (n_rising > 0)
        cli_note(call,
                 "burn-in ended after %" PRIu64 " sweeps, the most without --sweeps: %" PRIu64 " of %" PRIu64
                 " chain%s still gained%s",
                 most, n_rising, n_ended, cli_plural(n_ended), stopped);
    else if (n_ended > 0 && least == most)
        cli_note(call, "burn-in took %" PRIu64 " sweeps%s", least, stopped);
    else if (n_ended > 0)
        cli_note(call, "burn-in took %" PRIu64 " to %" PRIu64 " sweeps%s", least, most, stopped);
}

static void note_written(cli_call *call, const gb_model *model, const char *path)
{
    const uint64_t n_draws = gb_model_n_draws(model), n_snapshots = gb_model_n_snapshots(model);
    char with_topics[64] = "";
    if (n_snapshots < n_draws)
        (void)snprintf(with_topics, sizeof with_topics, ", %" PRIu64 " with topics", n_snapshots);
    cli_note(call, "wrote %s (%" PRIu64 " draw%s%s); next: gibbous %s -m %s", path, n_draws, cli_plural(n_draws),
             with_topics, gb_model_n_folds(model) > 0 ? "effects" : "topics", path);
}

/* Beside a checkpoint lie its draws, from the beginning of the run.  Only the training opens them, after the documents are read. */
static gb_status check_draws(const char *checkpoint, gb_error *err)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s.draws", checkpoint) >= (int)sizeof path || access(path, R_OK) == 0)
        return GB_OK;
    return cli_unread(path, errno, err);
}

/* Options of a run that is resumed come from its checkpoint, and are needed to read the documents. */
static gb_status prepare(cli_call *call, gb_error *err)
{
    gb_status st = GB_OK;
    cli_catch_checkpoint_signal(); /* it is served once there is a chain */
    if (cli_to_stdout(cli_text(call, "model")) && !cli_flag(call, "dry-run"))
        return cli_fail(err, GB_EARGUMENT, "train needs a model file to write: --model FILE");
    if (*cli_text(call, "resume") != '\0') {
        CLI_TRY(cli_input(gb_settings_resume(call->settings, cli_text(call, "resume"), err), err));
        CLI_TRY(check_draws(cli_text(call, "resume"), err));
        CLI_TRY(cli_refuse_overwriting(call, err)); /* its options name files as well */
    } else
        CLI_TRY(cli_check_target(call, cli_text(call, "model"), err));
    CLI_TRY(cli_check_named_files(call, err));
    CLI_TRY(cli_choose_seed(call, err));
    cli_remove_on_signal(cli_text(call, "model"));
    cli_remove_on_signal(checkpoint_of(call));
    cli_remove_on_signal(cli_text(call, "draws"));
done:
    return st;
}

/* The documents that --estimate-on leaves to the training. */
static gb_status hold_out(const cli_call *call, gb_corpus **corpus, gb_error *err)
{
    gb_corpus *training = NULL;
    if (!(cli_real(call, "estimate-on") > 0))
        return GB_OK;
    const gb_status st = gb_estimate_hold_out(*corpus, call->settings, &training, err);
    if (st != GB_OK)
        return st;
    const uint64_t n = gb_corpus_n_docs(*corpus), n_training = gb_corpus_n_docs(training);
    cli_note(call,
             "trains on %" PRIu64 " of %" PRIu64
             " documents; estimate effects on the others with: gibbous effects %s -m %s",
             n_training, n, call->argument[0], cli_text(call, "model"));
    gb_corpus_free(*corpus);
    *corpus = training;
    return GB_OK;
}

/* What is shown while folds are at work. */
typedef struct fold_report {
    const cli_call *call;
    cli_progress shown;
} fold_report;

static bool on_fold(const gb_fold_progress *p, void *user)
{
    fold_report *report = user;
    cli_progress_end(&report->shown);
    report->shown = cli_progress_start(cli_flag(report->call, "quiet"));
    cli_note(report->call, "fold %" PRIu64 " of %" PRIu64 ": topics from %" PRIu64 " documents, effects on %" PRIu64,
             p->fold + 1, p->n_folds, p->n_training_docs, p->n_held_out);
    return !cli_stop_requested();
}

static bool on_fold_sweep(const gb_progress *p, void *user)
{
    return cli_progress_sweep(p, &((fold_report *)user)->shown);
}

static bool on_fold_estimate(const gb_apply_progress *p, void *user)
{
    return cli_progress_apply(p, &((fold_report *)user)->shown);
}

/* Effects that --cross-fit asks for, which the model keeps. */
static gb_status cross_fit(const cli_call *call, const gb_corpus *corpus, const gb_model *begin_with, gb_model *model,
                           gb_error *err)
{
    fold_report report = {.call = call, .shown = cli_progress_start(cli_flag(call, "quiet"))};
    const gb_status st = gb_cross_fit(corpus, call->settings, begin_with, model,
                                      &(gb_cross_fit_calls){on_fold, on_fold_sweep, on_fold_estimate, &report}, err);
    cli_progress_end(&report.shown);
    return st;
}

/* Where the folder of a model is gone, or cannot be written to: in the one where the command was started, or that of temporary files. */
static gb_status write_elsewhere(const gb_model *model, const char *path, char *name, size_t room)
{
    enum { MOST_NAMES = 9 };
    const char *base = strrchr(path, '/'), *set = getenv("TMPDIR");
    const char *const folder[] = {".", set == NULL || *set == '\0' ? "/tmp" : set};
    gb_status st = GB_EIO;
    base = base == NULL ? path : base + 1;
    for (size_t f = 0; f < sizeof folder / sizeof folder[0] && st != GB_OK; f++) {
        st = GB_EARGUMENT;
        for (int i = 1; i <= MOST_NAMES && st == GB_EARGUMENT; i++) {
            const int length = snprintf(name, room, "%s/%s.%d", folder[f], base, i);
            st = length < (int)room ? gb_model_write(model, name, false, NULL, NULL, NULL) : GB_EIO;
        }
    }
    return st;
}

/* A model that cannot have its name, after hours perhaps, is written under another one beside it, and its draws likewise; the message says
 * which. */
static void write_beside(const cli_call *call, made *m, gb_error *err)
{
    enum { MOST_NAMES = 9, ROOM = 400 };
    const char *path = cli_text(call, "model");
    char name[PATH_MAX], message[sizeof err->message], draws[PATH_MAX] = "";
    gb_status st = GB_EARGUMENT;
    struct stat info;
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) /* nothing belongs beside a device or a pipe */
        return;
    for (int i = 1; i <= MOST_NAMES && st == GB_EARGUMENT; i++) {
        const int length = snprintf(name, sizeof name, "%s.%d", path, i);
        if (m->draws != NULL && gb_out_file_put_beside(m->draws, (unsigned)i, NULL) == GB_OK)
            (void)snprintf(draws, sizeof draws, ", its draws in %s.%d", cli_text(call, "draws"), i);
        st = length < (int)sizeof name ? gb_model_write_with(m->model, name, false, &m->draws, NULL, NULL, NULL)
                                       : GB_EIO;
    }
    if (st != GB_OK) {
        *draws = '\0';
        st = write_elsewhere(m->model, path, name, sizeof name);
    }
    if (st != GB_OK)
        return;
    memcpy(m->beside, name, sizeof name);
    memcpy(message, err->message, sizeof message);
    (void)snprintf(err->message, sizeof err->message, "%.*s; the model is in %.*s%.*s", ROOM, message, ROOM / 2, name,
                   ROOM / 2, draws);
}

/* A model without the draws that go with it must not get its name: old draws may be there.  @param lost  why they are lost */
static gb_status write_both(const cli_call *call, made *m, bool force, const gb_error *lost, gb_error *err)
{
    /* a model is written to its end if a signal has stopped its run, or if it would be lost otherwise */
    gb_on_file *on_file = cli_stop_requested() || !has_checkpoint(call) ? NULL : cli_on_file;
    if (*cli_text(call, "draws") != '\0' && m->draws == NULL) {
        if (lost->status != GB_EIO)
            return cli_fail(err, GB_EIO, "%.200s: the draws could not be written", cli_text(call, "draws"));
        *err = *lost;
        return GB_EIO;
    }
    cli_may_wait_for_reader(cli_text(call, "model"));
    return gb_model_write_with(m->model, cli_text(call, "model"), force, &m->draws, on_file, NULL, err);
}

/* The folds may take long, and a kill should leave the model.  What fails now will be said when it fails again at the end. */
static void write_early(const cli_call *call, made *m, bool force)
{
    struct stat info;
    const char *path = cli_text(call, "model");
    if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) /* a pipe is written to once */
        return;
    m->is_written = gb_model_write(m->model, path, force, NULL, NULL, NULL) == GB_OK;
}

/* One training, or with --cross-fit several.  @param out  may receive the model of a run that was stopped */
static gb_status fit(const cli_call *call, const gb_corpus *corpus, bool force, made *out, gb_error *err)
{
    gb_model *begin_with = NULL;
    gb_status st = GB_OK;
    const bool has_folds = cli_int(call, "cross-fit") > 0;
    cli_catch_signals();
    cli_work_begins();
    if (!cli_flag(call, "quiet"))
        cli_announce_stop();
    if (has_folds) {
        CLI_TRY(find_words_topics(call, corpus, &begin_with, err));
        cli_note(call, "the model of all documents");
    }
    CLI_TRY(train(call, corpus, begin_with, out, err));
    if (has_folds && gb_team_rank(call->team) == 0)
        write_early(call, out, force);
    if (has_folds)
        CLI_TRY(cross_fit(call, corpus, begin_with, out->model, err));
done:
    gb_model_free(begin_with);
    return st;
}

static gb_status show_topics(const cli_call *call, const gb_model *model, gb_error *err)
{
    FILE *shown = NULL;
    gb_status st = cli_clean_stream(stderr, &shown, err);
    if (st != GB_OK)
        return st;
    st = cli_print_topics(call, shown, model, err);
    (void)fclose(shown);
    return st;
}

/* What holds of the model.  Without memory there is no note. */
static void note_verdict(const cli_call *call, const gb_model *model)
{
    gb_diagnosis *diagnosis = NULL;
    gb_table *verdict = NULL;
    if (cli_flag(call, "quiet") || gb_diagnosis_create(model, GB_DIAGNOSE_ALL, &diagnosis, NULL) != GB_OK)
        return;
    const gb_subject subject = {.size = sizeof subject, .model = model, .diagnosis = diagnosis};
    if (gb_answer("verdict", &subject, call->settings, &verdict, NULL) == GB_OK) {
        char room[CLI_SENTENCE_SIZE];
        for (uint64_t row = 0; row < gb_table_n_rows(verdict); row++)
            cli_note(call, "%s", cli_cell(verdict, row, cli_find_column(verdict, "text"), room));
        cli_note_answer(call, verdict, true);
    }
    gb_table_free(verdict);
    gb_diagnosis_free(diagnosis);
}

static gb_status write_model(const cli_call *call, made *m, bool force, const gb_error *lost, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_model *model = m->model;
    note_burn_in(call, model);
    note_acceptance(call, model);
    note_verdict(call, model);
    if (cli_is_set(call, "words") && !cli_flag(call, "quiet"))
        CLI_TRY(show_topics(call, model, err));
    st = write_both(call, m, force, lost, err);
    if (st == GB_EIO || st == GB_EARGUMENT)
        write_beside(call, m, err);
    if (st == GB_ESTOP) {
        cli_stopped_with_checkpoint();
        return cli_fail(err, st, "%.200s: stopped before it was written; go on with --resume %.200s",
                        cli_text(call, "model"), checkpoint_of(call));
    }
done:
    return st;
}

/* Another rank than 0 ends with the status of rank 0: launchers make one of them all. */
static gb_status end_beside_first(const cli_call *call, const gb_model *model, gb_status st)
{
    const bool writes_checkpoints = *checkpoint_of(call) != '\0';
    if (st == GB_ESTOP && writes_checkpoints)
        cli_stopped_with_checkpoint();
    return st == GB_ESTOP && model != NULL && !cli_stop_requested() && !writes_checkpoints ? GB_OK : st;
}

gb_status cli_train(cli_call *call, gb_error *err)
{
    const char *path = cli_text(call, "model");
    bool force = false;
    gb_corpus *corpus = NULL;
    made m = {0};
    gb_status st;
    CLI_TRY(prepare(call, err));
    CLI_TRY(cli_read_for_training(call, call->argument[0], &corpus, err));
    cli_end_memory_limit();
    if (cli_int(call, "cross-fit") > 0)
        CLI_TRY(gb_cross_fit_check(corpus, call->settings, err));
    CLI_TRY(hold_out(call, &corpus, err));
    if (cli_flag(call, "dry-run")) {
        st = cli_dry_run(call, corpus, err);
        goto done;
    }
    CLI_TRY(choose_cost(call, corpus, err));
    CLI_TRY(decide(call, corpus, &force, err));
    cli_note_settings(call);
    st = fit(call, corpus, force, &m, err);
    const gb_model *model = m.model;
    if (gb_team_rank(call->team) > 0) { /* rank 0 writes the model, and says how the training has ended */
        st = end_beside_first(call, model, st);
        goto done;
    }
    if (model != NULL) {
        gb_error failed;
        if (st == GB_OK)
            err->status = GB_OK;
        /* what a failure has left of a run does not replace a model */
        const bool has_failed = st != GB_OK && st != GB_ESTOP;
        const gb_status written = write_model(call, &m, m.is_written || (force && !has_failed), err, &failed);
        if (written != GB_OK && !(has_failed && *m.beside != '\0')) {
            *err = failed;
            st = written;
            goto done;
        }
    }
    if (st != GB_OK && (st == GB_ESTOP || model != NULL)) {
        st = tell_end(call, model, *m.beside == '\0' ? path : m.beside, st, err);
        /* the time that was given is up, and there is nothing to go on from: that is all there was to do */
        if (st == GB_ESTOP && model != NULL && !cli_stop_requested() && !has_checkpoint(call)) {
            cli_note(call, "%s", cli_add_dashes(err->message));
            st = GB_OK;
        }
        goto done;
    }
    CLI_TRY(st);
    note_written(call, model, path);
done:
    gb_out_file_discard(m.draws);
    gb_model_free(m.model);
    gb_corpus_free(corpus);
    return st;
}
