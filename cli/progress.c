/* cli/progress.c - how far a run has come, and the request to stop. */
#include "progress.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* ---- signals --------------------------------------------------------------------------------------- */

static volatile sig_atomic_t caught; /* number of the signal; 0: none yet */

/* 128 and the number is what shells report of a program that a signal has ended. */
static void on_signal(int number)
{
    if (caught != 0)
        _exit(128 + number);
    caught = number;
}

void cli_catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(SIGINT, &action, NULL);
    (void)sigaction(SIGTERM, &action, NULL);
}

bool cli_stop_requested(void)
{
    return caught != 0;
}

int cli_stop_status(void)
{
    return caught == 0 ? 1 : 128 + caught;
}

bool cli_goes_on(const gb_apply_progress *progress, void *user)
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
    return (cli_progress){
        .quiet = quiet, .terminal = isatty(STDERR_FILENO) == 1, .last_shown = -INFINITY, .last_measured = -INFINITY};
}

void cli_progress_end(cli_progress *shown)
{
    if (shown->open_line)
        (void)fputc('\n', stderr);
    shown->open_line = false;
}

static bool is_due(cli_progress *shown, double seconds, bool always)
{
    double pause = shown->terminal ? 0.2 : 5.0;
    if (shown->quiet || (!always && seconds - shown->last_shown < pause))
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
    shown->log_joint = gb_progress_log_joint(p);
    shown->training_error = gb_progress_training_error(p);
}

bool cli_progress_sweep(const gb_progress *p, void *user)
{
    cli_progress *shown = user;
    shown->sweep = p->chain * p->n_sweeps + p->sweep;
    shown->n_sweeps = p->n_chains * p->n_sweeps;
    bool last = shown->sweep == shown->n_sweeps;
    if (!is_due(shown, p->seconds, last))
        return !cli_stop_requested();
    char chain[60] = "", error[40] = "", line[300];
    if (p->n_chains > 1)
        (void)snprintf(chain, sizeof chain, "chain %" PRIu64 "/%" PRIu64 "  ", p->chain + 1, p->n_chains);
    measure(shown, p, last);
    if (isfinite(shown->training_error))
        (void)snprintf(error, sizeof error, "  training error %.4f", shown->training_error);
    double left = p->seconds * (double)(shown->n_sweeps - shown->sweep) / (double)shown->sweep;
    duration time = readable(last ? p->seconds : left);
    /* what matters least comes last: a narrow terminal cuts it off */
    (void)snprintf(line, sizeof line,
                   "%ssweep %" PRIu64 "/%" PRIu64 "%s  %s %.0f %s%s  %.3g tokens/s  log joint %.6g", chain, p->sweep,
                   p->n_sweeps, p->in_burn_in ? " (burn-in)" : "", last ? "took" : "left", time.value, time.unit,
                   error, p->tokens_per_second, shown->log_joint);
    put_line(shown, line);
    return !cli_stop_requested();
}

void cli_progress_documents(cli_progress *shown, uint64_t n_docs)
{
    if (isinf(shown->last_shown))
        shown->last_shown = now(); /* a short run shows nothing */
    if (!is_due(shown, now(), false))
        return;
    char line[60];
    (void)snprintf(line, sizeof line, "%" PRIu64 " documents", n_docs);
    put_line(shown, line);
}
