/* cli/progress.h - how far a run has come, on standard error; and the request to stop. */
#ifndef GB_CLI_PROGRESS_H
#define GB_CLI_PROGRESS_H

#include <gibbous/gibbous.h>

/** What is shown, and when it was last shown. */
typedef struct cli_progress {
    bool quiet;
    bool terminal;            /* one updating line, else a line every few seconds */
    bool is_trial;            /* of chains that come before those of the run */
    bool open_line;           /* the cursor stands behind an updating line */
    double last_shown;        /* seconds since the run began; negative: nothing shown yet */
    uint64_t sweep, n_sweeps; /* done and wanted, all chains */
    double last_measured;     /* seconds of the run when the numbers below were worked out, after which sweep */
    uint64_t measured_sweep;
    double log_joint, training_error;
    uint64_t n_counted, bytes_sent; /* sweeps of this process, and what this rank has sent to others in them */
    bool wants_checkpoint;          /* until it has been written */
    uint64_t n_checkpoints;
} cli_progress;

cli_progress cli_progress_start(bool quiet);
/** A gb_on_sweep; `user` is a cli_progress. */
bool cli_progress_sweep(const gb_progress *progress, void *user);
/** A gb_on_apply of an estimate, shown on a terminal only; `user` is a cli_progress. */
bool cli_progress_apply(const gb_apply_progress *progress, void *user);
/** A gb_on_selection; `user` is a cli_progress. */
bool cli_progress_selection(const gb_selection_progress *progress, void *user);
/** Documents done so far, of a number that is not known. */
void cli_progress_documents(cli_progress *shown, uint64_t n_docs);
/** Leave the updating line. */
void cli_progress_end(cli_progress *shown);

/* ---- signals ---- */

/** An input that may be mapped: should it become shorter, the message names it.  Call it before cli_end_on_signals(). */
void cli_watch_input(const char *path);
/** From now on SIGINT, SIGTERM, SIGHUP, SIGXCPU (the limit of processor time), SIGUSR1 and SIGUSR2 end the program at once, with status 128 +
 * its number, and SIGQUIT as it always does; a file that becomes larger than allowed, and a pipe that nobody reads, are a failed write: none
 * of them leaves a temporary file.  A signal that the program was started to ignore stays ignored.
 * @param alone        this is the only process of the run
 * @param only_prints  what it finds goes to standard output: once nobody reads that, it ends at once, with the status of SIGPIPE */
void cli_end_on_signals(bool alone, bool only_prints);
/** Whether a standard output that nobody reads is no failure to be told of, but an end with the status of SIGPIPE. */
bool cli_ends_without_reader(void);
/** From now on the first SIGINT, SIGTERM, SIGHUP or SIGXCPU only asks to stop; a second one ends the program at once, with status 128 + its
 * number (not a second SIGXCPU), and so does the first where nobody hears it for a second and no work has begun. */
void cli_catch_signals(void);
/** From now on, if this output is a pipe, the program may wait for its reader: the first signal ends it where nobody hears it for a
 * second, although work has begun. */
void cli_may_wait_for_reader(const char *path);
/** From now on the first signal is answered with a line on standard error, because the work at hand may take a while. */
void cli_announce_stop(void);
/** From now on SIGUSR1 asks for a checkpoint. */
void cli_catch_checkpoint_signal(void);
/** From now on there is something to lose; all that shows progress of more than a file says so, too. */
void cli_work_begins(void);
bool cli_stop_requested(void);
/** The signal that asked for it, on this rank; 0: none. */
int cli_stop_signal(void);
/** This signal has asked another rank. */
void cli_stopped_elsewhere(int number);
/** A gb_on_apply that says stop once that is requested. */
bool cli_goes_on(const gb_apply_progress *progress, void *user);
/** A gb_on_file of the same kind. */
bool cli_on_file(const gb_file_progress *progress, void *user);

/** A signal that ends the program removes the temporary file of this target.  Call it before the file is opened. */
void cli_remove_on_signal(const char *path);

/** A stop was asked for or the time was up, and a checkpoint has been written: the program ends with status 75. */
void cli_stopped_with_checkpoint(void);
/** Exit status of a program that was stopped: 75 with a checkpoint, else 128 + the number of the signal, such as 143 after SIGTERM. */
int cli_stop_status(void);

#endif
