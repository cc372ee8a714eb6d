/* folds/fold_loop.h - fits to some of the documents, each looked at on documents that were held out of it. */
#ifndef GB_FOLDS_FOLD_LOOP_H
#define GB_FOLDS_FOLD_LOOP_H

#include "folds/parts.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct gb_fold_loop gb_fold_loop;

/** A fit under way. */
typedef struct gb_fold {
    gb_fold_loop *loop;
    size_t number;                  /* of the fit */
    gb_corpus *training, *held_out; /* freed after the fit; to keep the second, set it to NULL */
    uint64_t *n_unknown;            /* as gb_corpus_split(); likewise */
} gb_fold;

/** The members up to `user` are the caller's to set. */
struct gb_fold_loop {
    const gb_corpus *corpus;
    size_t n_fits, n_workers; /* workers take fits in their order */
    /** What a fit holds out; NULL: there is nothing to do. */
    const gb_held_part *(*part)(void *user, size_t fit);
    /** Train, and look at the documents held out. */
    gb_status (*fit)(void *user, gb_fold *fold, gb_error *err);
    /** Say which fit has failed; with GB_ESTOP, that all were stopped. */
    gb_status (*fail)(void *user, size_t fit, const gb_error *inner, gb_error *err);
    /** Whether to go on: several times a second, on the thread that called, and never again after a no; NULL: yes. */
    bool (*ask)(void *user);
    void *user;
    /* its own */
    pthread_t caller;
    atomic_bool is_stopped;
    atomic_size_t next, n_done; /* fits */
    pthread_mutex_t lock;       /* of the next two */
    size_t failed;              /* the first fit that failed; n_fits: none */
    gb_error failure;
};

/**
 * Do the fits, side by side if there are several workers.
 *
 * @return GB_OK; what `fail` makes of the failure of the first fit that failed, whatever the timing; or of a stop
 */
gb_status gb_for_each_fold(gb_fold_loop *loop, gb_error *err);

/** From inside a fit, on any thread: whether to go on. */
bool gb_fold_loop_goes_on(gb_fold_loop *loop);

#endif
