/* run/run.h - a training under way: the chains of a plan, one after the other or side by side.
 *
 * Worker 0 is the thread that called gb_train(): it alone calls the user, and it waits with open ears when it has no chain
 * left.  What several workers change is behind one lock. */
#ifndef GB_RUN_RUN_H
#define GB_RUN_RUN_H

#include "base/output.h"
#include "base/watch.h"
#include "chain/chain.h"
#include "model/consensus.h"
#include "model/draw_file.h"
#include "plan/fingerprint.h"
#include "run/draws.h"
#include "run/lines.h"
#include "run/schedule.h"

#include <pthread.h>
#include <stdatomic.h>

/** A chain of the plan. */
typedef struct gb_job {
    gb_chain *chain;       /* while it runs, and after a stop */
    size_t team;           /* of ranks that draws it in this run; GB_NO_FIELD: none */
    bool is_elsewhere;     /* another team of ranks has its chain in memory */
    uint64_t n_sweeps;     /* done */
    uint64_t burn_in;      /* of its sweeps; the most, until the chain has found out */
    bool burn_in_is_found; /* it has */
    uint64_t n_kept;       /* draws, or with held-out labels scores, that were kept */
    bool is_done;          /* all sweeps of the plan; its chain is kept until a checkpoint has it */
    FILE *lines;           /* its part of the draws file, until all are there; NULL: straight into the file */
    double *trace;         /* chain/trace.h, once the chain is dropped: n_trace rows */
    size_t n_trace;
    uint64_t late; /* likewise, sweeps that it did before it had the late labels; 0: it has none */
    double *
        late_score; /* n_late x gb_late_width(), of the chain, once it is dropped, if its late labels had come late enough; else NULL */
    uint64_t proposed[GB_MH_N_PROPOSALS], accepted[GB_MH_N_PROPOSALS]; /* by the token sampler, once it has stopped */
} gb_job;

/** What a run knows of its checkpoints. */
typedef struct gb_checkpoint {
    const char *path; /* borrowed from the plan; "" without */
    char *draws_path; /* the kept sweeps lie beside it; NULL without */
    char *lines_path; /* and the lines of the option "draws" */
    gb_interval every;
    gb_store *last; /* with the arrays of chains that are done or not begun again; NULL: nothing is needed of it */
    char corpus[GB_FINGERPRINT_SIZE];
    uint64_t n_written;
    double written_at;       /* or the begin of the run */
    uint64_t n_sweeps_since; /* of all chains, since the last one was written */
    size_t n_done_since;     /* chains */
    gb_error error;          /* if one could not be written */
} gb_checkpoint;

/** See run/teams.h; all 0 for a process alone. */
typedef struct gb_run_teams {
    gb_team *all;     /* borrowed */
    gb_team *own;     /* the ranks that draw chains together with this one; NULL: none */
    gb_team *split;   /* the same if there are several teams, owned */
    size_t n, number; /* teams; which one this rank is in */
} gb_run_teams;

typedef struct gb_run {
    const gb_plan *plan;
    gb_run_teams teams;
    gb_model *model;
    gb_model *init_from;        /* NULL without */
    const gb_model *begin_with; /* whose topics chains begin with: init_from, or a model of the caller; NULL: none */
    uint64_t
        *found; /* n_topics: in how many of the chains that were pooled, see run/pooled_start.c; NULL: none are */
    gb_model *short_chains; /* what chains that begin start from; NULL: nothing */
    gb_consensus *pooled;   /* their topics, for the first chain; without short chains for all */
    gb_draw_file *kept;
    gb_draw_file *outbox; /* where draws are kept instead until rank 0 has taken them; NULL: they go to `kept` */
    gb_checkpoint checkpoint;
    gb_draws_include include;
    gb_out_file *draws;     /* NULL: not asked for */
    gb_lines *lines;        /* its lines, beside the checkpoint; NULL without either, and at other ranks than 0 */
    double *held_out_score; /* n_docs x n_outputs: means over the kept sweeps; NULL without calibration */
    gb_on_sweep *on_sweep;
    void *user;
    double begin, time_limit;
    uint64_t n_resumed;        /* sweeps that were done before, of all chains */
    bool is_stepped_elsewhere; /* run/builder.c: the caller steps the chains, and adds draws as it likes */
    gb_job *job;               /* one for each chain of the plan */
    atomic_bool is_stopped, wants_checkpoint;
    /* behind the lock */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t next, n_running; /* the next chain to start; chains under way */
    size_t n_paused;        /* of these: wait for a checkpoint to be written */
    bool is_pausing;
    size_t failed;  /* the lowest chain that failed; the number of chains if none did */
    gb_error error; /* of that chain */
} gb_run;

/** gb_train_from() with settings as they are: nothing is tried out, and no checkpoint is asked for settings. */
gb_status gb_run_train(const gb_corpus *corpus, const gb_settings *settings, const gb_model *begin_with,
                       gb_on_sweep *on_sweep, void *user, gb_model **out, gb_out_file **draws, gb_error *err);

/** @return GB_OK, GB_ENOMEM, GB_EARGUMENT or GB_EIO (draws file) */
gb_status gb_run_open(const gb_plan *plan, gb_on_sweep *on_sweep, void *user, gb_run **out, gb_error *err);
void gb_run_close(gb_run *run);

/** Find what the chains of a run start from, if it is known before them and needed (run/pooled_start.c).
 * @return what gb_run_train() returns */
gb_status gb_run_find_start(gb_run *run, gb_error *err);
/** Once the model has its draws: no short chain had the topics that labels have made others of.  @return GB_OK or GB_ENOMEM */
gb_status gb_run_forget_changed(gb_run *run, gb_error *err);
/** Begin a chain that has not started with these topics.  @return as gb_chain_init_from() */
gb_status gb_run_begin_pooled(const gb_run *run, gb_chain *chain, gb_error *err);
gb_status gb_chain_init_pooled(gb_chain *chain, const gb_consensus *pooled, gb_error *err);

/** Run all chains, and write the last checkpoint.
 * @return GB_OK (all sweeps are done), GB_ESTOP, the status of a checkpoint that could not be written, or the failure of the lowest
 * chain that failed */
gb_status gb_run_chains(gb_run *run, gb_error *err);

/** Give a job its part of the draws file, where chains are drawn side by side.  @return GB_OK or GB_EIO */
gb_status gb_run_open_lines(gb_job *job, gb_error *err);
/** Go to the beginning of such a part, which has been written, for reading.  @return GB_OK, or GB_EIO if it is not whole */
gb_status gb_run_read_lines(FILE *lines, gb_error *err);

/** Tell the caller how far the chains are, from outside of them.  @param run  a gb_run  @return whether to go on */
bool gb_run_ask(void *run);

/** Keep the state of a chain: a draw, or with held-out labels its scores. */
gb_status gb_run_keep(gb_run *run, size_t number, gb_error *err);

/* For run/teams.c, which draws chains on ranks. */

/** Make a chain, and bring it to where it was.  @return as gb_chain_create() and gb_checkpoint_load_chain() */
gb_status gb_run_begin_chain(gb_run *run, size_t number, gb_error *err);
/** Whether a chain may be stepped: one that takes over the burn-in of another has to know whether that has ended. */
bool gb_run_may_step(gb_run *run, size_t number);
/** One sweep; a sweep that was finished is kept even if the chain is to stop after it.  @return also GB_ESTOP */
gb_status gb_run_step(gb_run *run, size_t number, size_t worker, gb_error *err);
/** A chain that is stopped leaves topics, if it has kept anything. */
gb_status gb_run_keep_last(gb_run *run, size_t number, gb_error *err);
/** Tell the caller how far chains are that are drawn elsewhere. */
void gb_run_tell_of_others(gb_run *run);
/** Whether the next checkpoint is due by the clock, or by sweeps and chains done. */
bool gb_run_is_time_for_checkpoint(const gb_run *run);
bool gb_run_is_far_enough_for_checkpoint(const gb_run *run);
/** No chain moves.  A run whose checkpoint cannot be written ends with what it has: run->checkpoint.error says why.
 * @return GB_OK if there is a run that can end so */
gb_status gb_run_write_checkpoint(gb_run *run);

/** A watch over files that asks the run's caller: whether to go on, or with `is_finished` only to tell of it, and finish.  No chain may move
 * meanwhile. */
void gb_run_watch(gb_run *run, bool is_finished, gb_watch *out);

/** Proposals of a chain so far: GB_MH_N_PROPOSALS values each. */
void gb_run_rates(const gb_run *run, size_t number, uint64_t *proposed, uint64_t *accepted);

/** Free a chain; its rates and its trace stay. */
void gb_run_drop_chain(gb_run *run, size_t number);

/** Copy a trace into a job, in place of what it had.  @return GB_OK or GB_ENOMEM */
gb_status gb_run_copy_trace(gb_job *job, size_t n_rows, size_t width, const double *trace, gb_error *err);

/** Copy the scores of documents with late labels out of a chain, if there are such; in place of what the job had.
 * @return GB_OK or GB_ENOMEM */
gb_status gb_run_copy_late_scores(gb_job *job, const gb_chain *chain, gb_error *err);

/** The model of the draws so far: *out stays untouched, and GB_OK, when a score has none yet.  *out is set although the status is
 * GB_EIO if only the file of the option "draws" could not be written.
 *
 * @param draws  receives that file, not yet under its name; NULL: it gets its name now */
gb_status gb_run_take_model(gb_run *run, gb_model **out, gb_out_file **draws, gb_error *err);

/** Let the model keep how far the chains agree in what they predict (run/agreement.c); nothing to do with one chain.
 * @return GB_OK or GB_ENOMEM */
gb_status gb_run_compare(gb_run *run, gb_error *err);

/** Fit probabilities to the held-out scores (run/held_out_scores.c); nothing to do without them, or when a chain has kept none. */
gb_status gb_run_calibrate(const gb_run *run, gb_error *err);

#endif
