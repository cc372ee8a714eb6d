/* cli/main.c - the verbs, and what becomes of their status. */
#include "common.h"
#include "json.h"
#include "named_files.h"
#include "options.h"
#include "overwrite.h"
#include "progress.h"
#include "sandbox.h"
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static const cli_verb verbs[] = {
    {"import",
     GB_VERB_IMPORT,
     1,
     SIZE_MAX,
     "INPUT... -o FILE",
     "turn texts, tables or counts into a corpus file",
     {"gibbous import reviews.csv --text body --label stars -o reviews.gbc",
      "gibbous import mail/ --stopwords en --min-df 5 -o mail.gbc"},
     cli_import},
    {"convert",
     GB_VERB_CONVERT,
     1,
     SIZE_MAX,
     "INPUT... -o FILE",
     "write documents in another format",
     {"gibbous convert reviews.csv --text body --label stars -o reviews.svmlight",
      "gibbous convert old.mtx --vocabulary words.txt -o old.gbc"},
     cli_convert},
    {"info",
     GB_VERB_INFO,
     1,
     1,
     "FILE",
     "show what is in a corpus, a model or a checkpoint",
     {"gibbous info reviews.gbc", "gibbous info reviews.gibbous --json"},
     cli_info},
    {"train",
     GB_VERB_TRAIN,
     1,
     1,
     "INPUT -m FILE",
     "fit a model to documents",
     {"gibbous train reviews.gbc -k 40 -m reviews.gibbous",
      "gibbous train news.jsonl --label section --response logistic --seed 7 -m news.gibbous"},
     cli_train},
    {"predict",
     GB_VERB_PREDICT,
     1,
     1,
     "INPUT -m FILE",
     "predict the labels of new documents",
     {"gibbous predict new.csv --text body -m reviews.gibbous -o answers.csv",
      "zcat new.jsonl.gz | gibbous predict - -m news.gibbous --table jsonl"},
     cli_predict},
    {"infer",
     GB_VERB_INFER,
     1,
     1,
     "INPUT -m FILE",
     "find the topic shares of new documents",
     {"gibbous infer new.csv --text body -m reviews.gibbous -o shares.csv",
      "gibbous infer new.jsonl -m news.gibbous --table jsonl --seed 7"},
     cli_infer},
    {"evaluate",
     GB_VERB_EVALUATE,
     1,
     1,
     "INPUT -m FILE|--folds N",
     "score predictions and held-out likelihood",
     {"gibbous evaluate test.csv --text body --label stars -m reviews.gibbous",
      "gibbous evaluate news.jsonl --folds 10 -k 40 --response none --held-out left-to-right"},
     cli_evaluate},
    {"select",
     GB_VERB_SELECT,
     1,
     1,
     "INPUT --OPTION A,B,...",
     "choose the number of topics and other settings",
     {"gibbous select reviews.gbc -k 20,50,100 --cost 1,8 --results tried.jsonl",
      "gibbous select papers.jsonl --response none -k 25,50,100,200 --halving documents"},
     cli_select},
    {"topics",
     GB_VERB_TOPICS,
     0,
     1,
     "-m FILE",
     "show the words and classes of each topic",
     {"gibbous topics -m reviews.gibbous", "gibbous topics -m reviews.gibbous --words 20 --table csv -o topics.csv"},
     cli_topics},
    {"effects",
     GB_VERB_EFFECTS,
     0,
     1,
     "[DOCUMENTS] -m FILE",
     "show effects of topics and covariates, and shares of groups",
     {"gibbous effects -m reviews.gibbous",
      "gibbous effects others.csv -m reviews.gibbous --table csv -o effects.csv"},
     cli_effects},
    {"ask",
     GB_VERB_ASK,
     0,
     2,
     "[QUESTION [DOCUMENTS]] [-m FILE]",
     "answer a question about a model; without one, list the questions",
     {"gibbous ask", "gibbous ask changes -m new.gibbous --earlier old.gibbous"},
     cli_ask},
    {"explain",
     GB_VERB_EXPLAIN,
     1,
     1,
     "DOCUMENTS -m FILE",
     "show what topics and words add to a score",
     {"gibbous explain new.csv --text body -m reviews.gibbous",
      "gibbous explain new.jsonl -m news.gibbous --table csv -o parts.csv"},
     cli_explain},
    {"diagnose",
     GB_VERB_DIAGNOSE,
     0,
     1,
     "-m FILE|--checkpoint FILE",
     "say whether a run was long enough",
     {"gibbous diagnose -m reviews.gibbous", "gibbous diagnose --checkpoint reviews.gbk --strict"},
     cli_diagnose},
    {"report",
     GB_VERB_REPORT,
     0,
     1,
     "[DOCUMENTS] -m FILE",
     "make a page about a model that any browser shows",
     {"gibbous report -m reviews.gibbous -o reviews.html",
      "gibbous report test.csv -m reviews.gibbous -o reviews.html"},
     cli_report},
    {"export",
     GB_VERB_EXPORT,
     1,
     1,
     "DOCUMENTS -m FILE -o FILE",
     "write a model with documents for another program",
     {"gibbous export reviews.gbc -m reviews.gibbous -o ldavis.json",
      "gibbous export reviews.gbc -m reviews.gibbous --to mallet-state -o state.gz"},
     cli_export},
    {"simulate",
     GB_VERB_SIMULATE,
     0,
     0,
     "-o FILE",
     "draw a corpus from the priors or from a model",
     {"gibbous simulate -k 20 --documents 5000 --seed 7 -o drawn.jsonl",
      "gibbous simulate -m reviews.gibbous --documents 1000 -o drawn.gbc"},
     cli_simulate},
};

enum { N_VERBS = sizeof verbs / sizeof verbs[0] };

/* Verbs that work on several ranks: bits of enum gb_verb. */
static const uint32_t VERBS_WITH_RANKS = GB_VERB_TRAIN | GB_VERB_PREDICT | GB_VERB_INFER | GB_VERB_EVALUATE;

const cli_verb *cli_verb_table(size_t *count)
{
    *count = N_VERBS;
    return verbs;
}

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

static gb_status find_verb(const char *name, const cli_verb **out, gb_error *err)
{
    const char *names[N_VERBS];
    for (size_t i = 0; i < N_VERBS; i++) {
        names[i] = verbs[i].name;
        if (strcmp(name, names[i]) == 0) {
            *out = &verbs[i];
            return GB_OK;
        }
    }
    char shown[GB_QUOTE_SIZE];
    gb_text_quote(name, strlen(name), shown);
    if (*name == '-')
        return cli_fail(err, GB_EARGUMENT, "expected a verb before %s; gibbous --help lists them", shown);
    const char *nearest = gb_text_nearest(name, N_VERBS, names);
    if (nearest == NULL)
        return cli_fail(err, GB_EARGUMENT, "no verb %s; gibbous --help lists them", shown);
    return cli_fail(err, GB_EARGUMENT, "no verb %s; did you mean %s?", shown, nearest);
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
    const bool has_output = (gb_option_find("output")->verbs & call->verb->bit) != 0;
    return (call->verb->bit & (GB_VERB_TRAIN | GB_VERB_SELECT)) == 0 &&
           (!has_output || cli_to_stdout(cli_text(call, "output")));
}

/* What a signal should know before the first handler is set. */
static gb_status prepare_for_signals(const cli_call *call, gb_error *err)
{
    cli_file_list inputs = {.n = 0}, outputs = {.n = 0};
    const uint32_t bit = call->verb->bit;
    if ((gb_option_find("output")->verbs & bit) != 0) {
        cli_remove_on_signal(cli_text(call, "output"));
        if (bit != GB_VERB_SELECT) /* which says so when it is about to write */
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
    bool wants_help = false;
    gb_status st;
    CLI_TRY(gb_settings_create(&call.settings, err));
    CLI_TRY(cli_parse_options(&call, argc, argv, &wants_help, err));
    if (wants_help) {
        cli_print_help(stdout, verb);
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
    CLI_TRY(cli_close_sandbox(&call, err));
    CLI_TRY(verb->run(&call, err));
    *has_findings = call.has_findings;
done:
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
        st = find_verb(name, &verb, err);
    if (verb != NULL)
        cli_print_help(stdout, verb);
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
    gb_status st = find_verb(first, &verb, err);
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
 * of each machine, since the module may be on some of them only */
static bool leave(gb_team *team, gb_status st, const gb_error *err)
{
    size_t local_rank;
    if (team != NULL)
        return gb_team_leave(team, st, err->message);
    (void)gb_team_launched(NULL, &local_rank);
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
        st = run(team, argc, argv, &has_findings, &err);
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
