/* cli/main.c - a call of a verb, and what becomes of its status. */
#include "common.h"
#include "json.h"
#include "memory_limit.h"
#include "named_files.h"
#include "options.h"
#include "overwrite.h"
#include "progress.h"
#include "sandbox.h"
#include "terminal.h"
#include "verbs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* Verbs that work on several ranks: a set of them. */
static const uint32_t VERBS_WITH_RANKS = CLI_TRAIN | CLI_PREDICT | CLI_INFER | CLI_EVALUATE;

/* diagnose --strict */
enum { FINDINGS_STATUS = 4 };

static int exit_status(gb_status st)
{
    switch (st) {
    case GB_OK:
        return 0;
    case GB_EARGUMENT:
        return 2;
    case GB_EFORMAT:
        return 3;
    case GB_ENOMEM:
    case GB_EIO:
    case GB_ENUMERIC:
    case GB_ERANK:
        break;
    case GB_ESTOP:
        return cli_stop_status();
    }
    return 1;
}

/* All ranks have the same command line, so they refuse the same one. */
static gb_status refuse_ranks(const cli_call *call, gb_error *err)
{
    if (gb_team_size(call->team) == 1)
        return GB_OK;
    if ((call->verb->bit & VERBS_WITH_RANKS) == 0)
        return cli_fail(err, GB_EARGUMENT, "%s runs on one process; start it without mpirun or srun",
                        call->verb->name);
    for (size_t i = 0; i < call->n_arguments; i++)
        if (strcmp(call->argument[i], "-") == 0)
            return cli_fail(err, GB_EARGUMENT,
                            "only one of several processes has a standard input; name a file that all can read");
    return GB_OK;
}

/* A training and a selection keep what they have done. */
static bool only_prints(const cli_call *call)
{
    const bool has_output = cli_takes(call->verb, gb_option_find("output"));
    return (call->verb->bit & (CLI_TRAIN | CLI_SELECT)) == 0 &&
           (!has_output || cli_to_stdout(cli_text(call, "output")));
}

/* What a signal should know before the first handler is set. */
static gb_status prepare_for_signals(const cli_call *call, gb_error *err)
{
    cli_file_list inputs = {.n = 0}, outputs = {.n = 0};
    const uint32_t bit = call->verb->bit;
    if (cli_takes(call->verb, gb_option_find("output"))) {
        cli_remove_on_signal(cli_text(call, "output"));
        if (bit != CLI_SELECT) /* which says so when it is about to write */
            cli_may_wait_for_reader(cli_text(call, "output"));
    }
    const gb_status st = cli_find_files(call, &inputs, &outputs, err);
    for (size_t i = 0; i < inputs.n; i++)
        cli_watch_input(inputs.file[i].path);
    cli_clear_files(&inputs);
    cli_clear_files(&outputs);
    cli_end_on_signals(gb_team_size(call->team) == 1, only_prints(call));
    return st;
}

static gb_status run_verb(const cli_verb *verb, gb_team *team, int argc, char **argv, bool *has_findings,
                          gb_error *err)
{
    cli_call call = {.verb = verb, .team = team};
    cli_help help = CLI_NO_HELP;
    int keeper = -1;
    gb_status st;
    CLI_TRY(gb_settings_create(&call.settings, err));
    CLI_TRY(cli_parse_options(&call, argc, argv, &help, err));
    if (help != CLI_NO_HELP) {
        cli_print_help(stdout, verb, help);
        goto done;
    }
    CLI_TRY(refuse_ranks(&call, err));
    gb_settings_use_team(call.settings, team);
    if (gb_team_rank(team) > 0) /* rank 0 tells the user */
        CLI_TRY(gb_settings_set(call.settings, "quiet", "yes", err));
    CLI_TRY(cli_check_standard_input(&call, err));
    CLI_TRY(cli_refuse_overwriting(&call, err));
    CLI_TRY(prepare_for_signals(&call, err));
    CLI_TRY(cli_open_text(err));
    CLI_TRY(cli_limit_memory(&call, err));
    CLI_TRY(cli_close_sandbox(&call, &keeper, err));
    CLI_TRY(verb->run(&call, err));
    *has_findings = call.has_findings;
done:
    cli_end_sandbox(keeper);
    cli_close_text();
    for (size_t i = 0; i < call.n_arguments; i++)
        gb_free(call.argument[i]);
    gb_free(call.argument);
    gb_settings_free(call.settings);
    return st;
}

static gb_status print_help(const char *name, gb_error *err)
{
    const cli_verb *verb = NULL;
    gb_status st = GB_OK;
    if (name == NULL)
        cli_print_usage(stdout);
    else
        st = cli_find_verb(name, &verb, err);
    if (verb != NULL)
        cli_print_help(stdout, verb, CLI_HELP_COMMON);
    return st;
}

static void print_version(void)
{
    char library[256];
    gb_error why = {.status = GB_OK};
    const bool has_mpi = gb_team_describe(library, sizeof library, &why) == GB_OK;
    (void)printf("gibbous %s\nseveral ranks: %s%s\n", gb_version(), has_mpi ? "by " : "no; ",
                 has_mpi ? library : why.message);
}

static gb_status run(gb_team *team, int argc, char **argv, bool *has_findings, gb_error *err)
{
    const cli_verb *verb = NULL;
    if (argc < 2)
        return cli_fail(err, GB_EARGUMENT, "expected a verb; gibbous --help lists them");
    const char *first = argv[1];
    if (strcmp(first, "help") == 0 || strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0)
        return print_help(argv[2], err);
    if (strcmp(first, "--dump-options") == 0)
        return cli_dump_options(stdout, err);
    if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
        print_version();
        return GB_OK;
    }
    gb_status st = cli_find_verb(first, &verb, err);
    return st == GB_OK ? run_verb(verb, team, argc - 1, argv + 1, has_findings, err) : st;
}

/* Join the other ranks.  Only rank 0 has a standard output. */
static gb_status join(gb_team **team, gb_error *err)
{
    const gb_status st = gb_team_open(team, err);
    if (st != GB_OK || gb_team_rank(*team) == 0 || freopen("/dev/null", "w", stdout) != NULL)
        return st;
    return cli_fail(err, GB_EIO, "/dev/null: cannot write: %s", strerror(errno));
}

/* Leave the other ranks.  @return whether it is this one that tells the user of a failure; if they never met it is one
 * of each machine, since the module may be on some of them only.  A launcher ends all processes when one has failed, so the others wait for
 * what that one says. */
static bool leave(gb_team *team, gb_status st, const gb_error *err)
{
    size_t local_rank;
    if (team != NULL)
        return gb_team_leave(team, st, err->message);
    (void)gb_team_launched(NULL, &local_rank);
    if (st != GB_OK && local_rank > 0)
        (void)sleep(1);
    return local_rank == 0;
}

/* A file gets the lowest free number: without this, a program that was started with a closed standard stream would print into its own
 * outputs.  What cannot be read or written, as before, is an error. */
static void occupy_standard_streams(void)
{
    static const int mode[] = {O_WRONLY, O_RDONLY, O_RDONLY};
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            (void)open("/dev/null", mode[stream]);
}

int main(int argc, char **argv)
{
    gb_error err = {0};
    bool has_findings = false, has_reader = true;
    gb_team *team = NULL;
    occupy_standard_streams();
    cli_json_watch();
    gb_status st = join(&team, &err);
    if (st == GB_OK)
        st = cli_explain_memory_limit(run(team, argc, argv, &has_findings, &err), &err);
    errno = 0;
    if ((fflush(stdout) != 0 || ferror(stdout)) && st == GB_OK) {
        const int reason = cli_out_error() != 0 ? cli_out_error() : errno;
        has_reader = reason != EPIPE || !cli_ends_without_reader();
        st = cli_fail(&err, GB_EIO, "standard output: cannot write: %s",
                      reason == 0 ? "an earlier write failed" : strerror(reason));
    }
    cli_add_dashes(err.message);
    if (leave(team, st, &err) && st != GB_OK && has_reader)
        (void)fprintf(stderr, "gibbous: %s\n", err.message);
    gb_team_free(team);
    if (!has_reader)
        return 128 + SIGPIPE;
    return st == GB_OK && has_findings ? FINDINGS_STATUS : exit_status(st);
}
