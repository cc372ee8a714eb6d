/* cli/progress.c - how far a run has come, and the request to stop. */
#include "progress.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* ---- signals --------------------------------------------------------------------------------------- */

/* What a handler may look at.  Names are complete before a handler is set, and never change after that. */
enum { MOST_NAMES = 64, NAMES_PER_TARGET = 8 };
static char *temporary[MOST_NAMES];
static size_t n_temporaries;
static volatile sig_atomic_t first_signal, wants_checkpoint, is_announced;
static volatile sig_atomic_t has_begun; /* work of which something would be lost */
static volatile sig_atomic_t is_heard;  /* somebody has asked for the signal */
static volatile sig_atomic_t n_waits;   /* without that, since the signal */
static volatile sig_atomic_t may_wait;  /* for a program that reads a pipe: that is heard nowhere */
static bool is_alone = true;
static bool has_checkpoint;
static int signal_elsewhere; /* of another rank; this one's own may be on its way, and is not the second then */

static void remove_temporaries(void)
{
    for (size_t i = 0; i < n_temporaries; i++)
        (void)unlink(temporary[i]);
}

static void on_end(int number)
{
    remove_temporaries();
    _exit(128 + number);
}

/* With an image of the process, where those are wanted. */
static void on_quit(int number)
{
    remove_temporaries();
    (void)signal(number, SIG_DFL);
    (void)raise(number); /* once this handler has returned */
}

/* A write into a pipe that nobody reads.  If what the call finds goes to standard output, there is nothing left to do, as in
 * `gibbous topics | head`; another write only fails, such as one of a message. */
static void on_lost_reader(int number)
{
    struct pollfd printed = {.fd = STDOUT_FILENO, .events = POLLOUT};
    const int error = errno;
    if (poll(&printed, 1, 0) == 1 && (printed.revents & (POLLERR | POLLHUP)) != 0)
        on_end(number);
    errno = error;
}

/* Before there is anything to lose, the program may wait where nobody asks: for a pipe that no other program opens, say.
 * It ends after a second, in parts that are counted: while the process does not run, all of them are one.
 * setitimer() may be used in a handler on Linux, where it is a system call; POSIX does not list it. */
enum { MOST_WAITS = 10 };

static void set_waits(suseconds_t microseconds)
{
    const struct timeval part = {.tv_usec = microseconds};
    const struct itimerval waits = {.it_value = part, .it_interval = part};
    (void)setitimer(ITIMER_REAL, &waits, NULL);
}

static void on_wait_end(int number)
{
    if (first_signal == 0) /* another program has sent it */
        on_end(number);
    if ((has_begun && !may_wait) || is_heard)
        set_waits(0);
    else if (++n_waits == MOST_WAITS)
        on_end(first_signal);
}

static void wait_for_answer(void)
{
    if (is_alone && (!has_begun || may_wait))
        set_waits(1000000 / MOST_WAITS);
}

static void on_stop(int number)
{
    static const char message[] =
        "gibbous: stopping as soon as the work at hand is done; a second signal ends at once\n";
    if (first_signal == 0) {
        first_signal = number;
        wait_for_answer();
        if (is_announced && write(STDERR_FILENO, message, sizeof message - 1) < 0)
            return; /* nobody listens */
        return;
    }
    if (number != SIGXCPU) /* which comes every second, and from nobody */
        on_end(number);
}

static void on_checkpoint(int number)
{
    (void)number;
    wants_checkpoint = 1;
}

/* ---- inputs that shrink ---- */

static struct {
    char *path, *shown; /* as it is; as a message has it */
    off_t size;
} input[MOST_NAMES];
static size_t n_inputs;

void cli_watch_input(const char *path)
{
    struct stat info;
    if (n_inputs == MOST_NAMES || stat(path, &info) != 0 || !S_ISREG(info.st_mode) ||
        (input[n_inputs].path = strdup(path)) == NULL)
        return;
    if ((input[n_inputs].shown = strdup(path)) == NULL) {
        free(input[n_inputs].path);
        return;
    }
    (void)gb_text_clean(input[n_inputs].shown); /* now: a handler may do little */
    input[n_inputs++].size = info.st_size;
}

static void say(const char *text)
{
    if (write(STDERR_FILENO, text, strlen(text)) < 0)
        return; /* nobody listens */
}

/* A page of a mapped file that is no more. */
static void on_missing_page(int number)
{
    struct stat info;
    size_t i = 0;
    while (i < n_inputs && (stat(input[i].path, &info) != 0 || info.st_size >= input[i].size))
        i++;
    say("gibbous: ");
    say(i < n_inputs ? input[i].shown : "a mapped file");
    say(": was shortened, or could not be read, while it was in use\n");
    remove_temporaries();
    (void)number;
    _exit(3);
}

static void catch_signal(int number, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaddset(&action.sa_mask, SIGINT); /* one after the other */
    (void)sigaddset(&action.sa_mask, SIGTERM);
    (void)sigaddset(&action.sa_mask, SIGHUP);
    (void)sigaddset(&action.sa_mask, SIGXCPU);
    (void)sigaction(number, &action, NULL);
}

static bool is_ignored(int number)
{
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

/* Who started the program may have said that a signal is not for it: nohup does for the end of the terminal, and a shell without job
 * control for Ctrl-C in the background. */
static void catch_unless_ignored(int number, void (*handler)(int))
{
    if (!is_ignored(number))
        catch_signal(number, handler);
}

static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};
enum { N_STOPS = sizeof stops / sizeof *stops };

static bool ends_without_reader; /* as by SIGPIPE */

void cli_end_on_signals(bool alone, bool only_prints)
{
    is_alone = alone;
    (void)atexit(remove_temporaries); /* libarchive ends a process that has no memory for the name of an entry */
    for (size_t i = 0; i < N_STOPS; i++)
        catch_unless_ignored(stops[i], on_end);
    catch_unless_ignored(SIGUSR1, on_end);
    catch_unless_ignored(SIGUSR2, on_end);
    catch_unless_ignored(SIGQUIT, on_quit);
    catch_signal(SIGBUS, on_missing_page);
    ends_without_reader = !is_ignored(SIGPIPE);
    catch_unless_ignored(SIGPIPE, only_prints ? on_lost_reader : SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN); /* a file that becomes too large is a failed write */
}

bool cli_ends_without_reader(void)
{
    return ends_without_reader;
}

void cli_catch_signals(void)
{
    for (size_t i = 0; i < N_STOPS; i++)
        catch_unless_ignored(stops[i], on_stop);
    catch_signal(SIGALRM, on_wait_end);
}

void cli_may_wait_for_reader(const char *path)
{
    struct stat info;
    if (stat(path, &info) == 0 && S_ISFIFO(info.st_mode))
        may_wait = 1;
}

void cli_announce_stop(void)
{
    is_announced = 1;
}

void cli_catch_checkpoint_signal(void)
{
    catch_unless_ignored(SIGUSR1, on_checkpoint);
}

void cli_remove_on_signal(const char *path)
{
    char name[PATH_MAX];
    for (unsigned i = 0; i < NAMES_PER_TARGET && n_temporaries < MOST_NAMES; i++) {
        if (!gb_out_file_temporary(path, i, name, sizeof name) || (temporary[n_temporaries] = strdup(name)) == NULL)
            return;
        n_temporaries++;
    }
}

void cli_work_begins(void)
{
    if (!has_begun)
        has_begun = 1;
}

bool cli_stop_requested(void)
{
    if (first_signal != 0)
        is_heard = 1;
    return first_signal != 0 || signal_elsewhere != 0;
}

int cli_stop_signal(void)
{
    return first_signal;
}

void cli_stopped_elsewhere(int number)
{
    signal_elsewhere = number;
}

void cli_stopped_with_checkpoint(void)
{
    has_checkpoint = true;
}

int cli_stop_status(void)
{
    if (has_checkpoint)
        return 75;
    const int number = first_signal != 0 ? first_signal : signal_elsewhere;
    return number == 0 ? 1 : 128 + number;
}

bool cli_goes_on(const gb_apply_progress *progress, void *user)
{
    (void)progress, (void)user;
    cli_work_begins();
    return !cli_stop_requested();
}

bool cli_on_file(const gb_file_progress *progress, void *user)
{
    (void)progress, (void)user;
    return !cli_stop_requested();
}

/* ---- lines ----------------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

cli_progress cli_progress_start(bool quiet)
{
    return (cli_progress){.quiet = quiet,
                          .terminal = isatty(STDERR_FILENO) == 1,
                          .last_shown = -INFINITY,
                          .last_measured = -INFINITY,
                          .log_joint = NAN,
                          .training_error = NAN};
}

void cli_progress_end(cli_progress *shown)
{
    if (shown->open_line)
        (void)fputc('\n', stderr);
    shown->open_line = false;
}

/* A line waits for the end of a sweep, when its numbers are known, but not for ever. */
enum { PAUSES_IN_SWEEP = 3 };

static bool is_due(cli_progress *shown, double seconds, int n_pauses, bool always)
{
    const double pause = shown->terminal ? 0.2 : 5.0;
    if (shown->quiet || (!always && seconds - shown->last_shown < n_pauses * pause))
        return false;
    shown->last_shown = seconds;
    return true;
}

/* On a terminal the line is cut at its edge: a wrapped line could not be overwritten. */
static void put_line(cli_progress *shown, const char *line)
{
    struct winsize window = {0};
    if (!shown->terminal) {
        (void)fprintf(stderr, "%s\n", line);
        return;
    }
    (void)ioctl(STDERR_FILENO, TIOCGWINSZ, &window);
    int width = window.ws_col > 1 ? window.ws_col - 1 : 79;
    (void)fprintf(stderr, "\r\033[K%.*s", width, line);
    (void)fflush(stderr);
    shown->open_line = true;
}

typedef struct duration {
    double value;
    const char *unit;
} duration;

static duration readable(double seconds)
{
    if (seconds < 120)
        return (duration){seconds, "s"};
    return seconds < 7200 ? (duration){seconds / 60, "min"} : (duration){seconds / 3600, "h"};
}

/* The state of the chain, at most once a second: working it out takes time too. */
static void measure(cli_progress *shown, const gb_progress *p, bool always)
{
    if (!always && p->seconds - shown->last_measured < 1)
        return;
    shown->last_measured = p->seconds;
    shown->measured_sweep = shown->sweep;
    shown->log_joint = gb_progress_log_joint(p);
    shown->training_error = gb_progress_training_error(p);
}

/* SIGUSR1: ask for a checkpoint, and say when it is there.  Trials have none: it waits for the run. */
static void handle_checkpoint(cli_progress *shown, const gb_progress *p)
{
    if (wants_checkpoint && !shown->is_trial) {
        wants_checkpoint = 0;
        shown->wants_checkpoint = gb_progress_request_checkpoint(p);
        if (!shown->wants_checkpoint && !shown->quiet)
            (void)fputs("SIGUSR1: there is no checkpoint to write without --checkpoint FILE\n", stderr);
    }
    if (shown->wants_checkpoint && p->n_checkpoints > shown->n_checkpoints) {
        shown->wants_checkpoint = false;
        cli_progress_end(shown);
        if (!shown->quiet)
            (void)fprintf(stderr, "SIGUSR1: checkpoint written\n");
    }
    shown->n_checkpoints = p->n_checkpoints;
}

/* Time taken or left.  Nothing while no sweep is done. */
static void format_time(const gb_progress *p, bool last, size_t size, char *out)
{
    if (!last && (p->n_done == 0 || p->is_open))
        return;
    const duration time = readable(last ? p->seconds : p->seconds * (double)p->n_left / (double)p->n_done);
    (void)snprintf(out, size, "  %s %.0f %s", last ? "took" : "left", time.value, time.unit);
}

/* Before the end of burn-in is known, nobody knows how many sweeps there will be. */
static void format_sweep(const gb_progress *p, size_t size, char *out)
{
    if (p->is_open)
        (void)snprintf(out, size, "%" PRIu64 " (burn-in)", p->sweep);
    else
        (void)snprintf(out, size, "%" PRIu64 "/%" PRIu64 "%s", p->sweep, p->n_sweeps,
                       p->in_burn_in ? " (burn-in)" : "");
}

static void show_sweep(cli_progress *shown, const gb_progress *p, bool last)
{
    char chain[60] = "", error[40] = "", joint[40] = "", time[40] = "", sweep[80], line[400];
    if (p->n_chains > 1)
        (void)snprintf(chain, sizeof chain, "chain %" PRIu64 "/%" PRIu64 "  ", p->chain + 1, p->n_chains);
    if (!p->is_partial)
        measure(shown, p, last);
    const bool is_known = !p->is_partial || shown->measured_sweep == shown->sweep;
    if (is_known && isfinite(shown->training_error))
        (void)snprintf(error, sizeof error, "  training error %.4f", shown->training_error);
    if (is_known && isfinite(shown->log_joint))
        (void)snprintf(joint, sizeof joint, "  log joint %.6g", shown->log_joint);
    format_time(p, last, sizeof time, time);
    format_sweep(p, sizeof sweep, sweep);
    /* what matters least comes last: a narrow terminal cuts it off */
    (void)snprintf(line, sizeof line, "%ssweep %s%s%s  %.3g tokens/s%s", chain, sweep, time, error,
                   p->tokens_per_second, joint);
    put_line(shown, line);
}

bool cli_progress_sweep(const gb_progress *p, void *user)
{
    cli_progress *shown = user;
    cli_work_begins();
    shown->sweep = p->chain * p->n_sweeps + p->sweep;
    shown->n_sweeps = p->n_chains * p->n_sweeps;
    shown->n_counted += !p->is_partial;
    shown->bytes_sent += p->bytes_sent;
    handle_checkpoint(shown, p);
    const bool last = shown->sweep == shown->n_sweeps && !p->is_partial && !p->is_open;
    if (shown->sweep == 0 && !shown->terminal && p->seconds < 5)
        return !cli_stop_requested(); /* the first sweep is the first line */
    if (!is_due(shown, p->seconds, shown->sweep > 0 && p->is_partial ? PAUSES_IN_SWEEP : 1, last))
        return !cli_stop_requested();
    if (shown->sweep == 0)
        put_line(shown, "first topics");
    else
        show_sweep(shown, p, last);
    return !cli_stop_requested();
}

void cli_progress_documents(cli_progress *shown, uint64_t n_docs)
{
    if (isinf(shown->last_shown))
        shown->last_shown = now(); /* a short run shows nothing */
    if (!is_due(shown, now(), 1, false))
        return;
    char line[60];
    (void)snprintf(line, sizeof line, "%" PRIu64 " documents", n_docs);
    put_line(shown, line);
}

bool cli_progress_selection(const gb_selection_progress *p, void *user)
{
    cli_progress *shown = user;
    cli_work_begins();
    if (isinf(shown->last_shown))
        shown->last_shown = p->seconds; /* a short run shows nothing */
    if (!is_due(shown, p->seconds, 1, false))
        return !cli_stop_requested();
    char stage[60] = "", line[140];
    if (p->n_stages > 1)
        (void)snprintf(stage, sizeof stage, "stage %" PRIu64 "/%" PRIu64 ", %" PRIu64 " settings: ", p->stage + 1,
                       p->n_stages, p->n_candidates);
    const duration time = readable(p->seconds);
    (void)snprintf(line, sizeof line, "%s%" PRIu64 " of %" PRIu64 " fits  %.0f %s", stage, p->n_done, p->n_fits,
                   time.value, time.unit);
    put_line(shown, line);
    return !cli_stop_requested();
}

bool cli_progress_apply(const gb_apply_progress *p, void *user)
{
    cli_progress *shown = user;
    cli_work_begins();
    if (isinf(shown->last_shown))
        shown->last_shown = now(); /* a short run shows nothing */
    if (shown->terminal && is_due(shown, now(), 1, false)) {
        const double share = p->n_docs == 0 ? 0 : (double)p->n_docs_done / (double)p->n_docs;
        char line[80];
        (void)snprintf(line, sizeof line, "effects: %.0f %% of %" PRIu64 " documents under %" PRIu64 " draws",
                       100 * fmin(1, ((double)p->draw + share) / (double)p->n_draws), p->n_docs, p->n_draws);
        put_line(shown, line);
    }
    return !cli_stop_requested();
}
