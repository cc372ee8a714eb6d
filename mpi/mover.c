/* mpi/mover.c - bytes that travel while ranks compute. */
#include "mover.h"

#include "base/memory.h"
#include "waiting.h"

#include <pthread.h>
#include <signal.h>
#include <time.h>

enum { PAUSE = 20000 /* nanoseconds between two looks */ };

struct gb_mpi_mover {
    pthread_mutex_t lock; /* of all below, and of every request under way */
    pthread_cond_t wake;
    gb_mpi_flight *first; /* under way */
    bool ends, has_thread;
    pthread_t thread;
};

/* After a message that failed there is nothing to wait for. */
static bool has_ended(const gb_mpi_flight *flight)
{
    return flight->code != MPI_SUCCESS || flight->n_ended == flight->n_requests;
}

/* Ask for each message in turn: those before it have ended. */
static void ask(gb_mpi_flight *flight)
{
    int is_done = 1;
    while (is_done && !has_ended(flight)) {
        flight->code = MPI_Test(&flight->request[flight->n_ended], &is_done, MPI_STATUS_IGNORE);
        flight->n_ended += is_done != 0;
    }
}

/* Ask for all; take out those that have ended. */
static void move_once(gb_mpi_mover *mover)
{
    for (gb_mpi_flight **at = &mover->first; *at != NULL;) {
        ask(*at);
        if (has_ended(*at))
            *at = (*at)->next;
        else
            at = &(*at)->next;
    }
}

static void *move(void *argument)
{
    gb_mpi_mover *mover = argument;
    const struct timespec pause = {0, PAUSE};
    (void)pthread_mutex_lock(&mover->lock);
    while (!mover->ends) {
        if (mover->first == NULL) {
            (void)pthread_cond_wait(&mover->wake, &mover->lock);
            continue;
        }
        move_once(mover);
        (void)pthread_mutex_unlock(&mover->lock);
        (void)nanosleep(&pause, NULL);
        (void)pthread_mutex_lock(&mover->lock);
    }
    (void)pthread_mutex_unlock(&mover->lock);
    return NULL;
}

/* Signals are for the threads of the program. */
static gb_status start_thread(gb_mpi_mover *mover, gb_error *err)
{
    sigset_t all, old;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old);
    mover->has_thread = pthread_create(&mover->thread, NULL, move, mover) == 0;
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    return mover->has_thread ? GB_OK : gb_fail(err, GB_ENOMEM, "cannot start a thread");
}

gb_status gb_mpi_mover_create(bool has_thread, gb_mpi_mover **out, gb_error *err)
{
    gb_mpi_mover *mover = NULL;
    gb_status st = gb_alloc(&mover, 1, sizeof *mover, "transfers", err);
    if (st != GB_OK)
        return st;
    (void)pthread_mutex_init(&mover->lock, NULL);
    (void)pthread_cond_init(&mover->wake, NULL);
    if (has_thread)
        st = start_thread(mover, err);
    if (st == GB_OK)
        *out = mover;
    else
        gb_mpi_mover_free(mover);
    return st;
}

void gb_mpi_mover_free(gb_mpi_mover *mover)
{
    if (mover == NULL)
        return;
    if (mover->has_thread) {
        (void)pthread_mutex_lock(&mover->lock);
        mover->ends = true;
        (void)pthread_cond_signal(&mover->wake);
        (void)pthread_mutex_unlock(&mover->lock);
        (void)pthread_join(mover->thread, NULL);
    }
    (void)pthread_cond_destroy(&mover->wake);
    (void)pthread_mutex_destroy(&mover->lock);
    gb_free(mover);
}

void gb_mpi_mover_add(gb_mpi_mover *mover, gb_mpi_flight *flight)
{
    (void)pthread_mutex_lock(&mover->lock);
    flight->next = mover->first;
    mover->first = flight;
    (void)pthread_cond_signal(&mover->wake);
    (void)pthread_mutex_unlock(&mover->lock);
}

int gb_mpi_mover_finish(gb_mpi_mover *mover, gb_mpi_flight *flight)
{
    gb_mpi_waiting waiting = {0};
    for (;;) {
        (void)pthread_mutex_lock(&mover->lock);
        move_once(mover);
        const bool is_done = has_ended(flight);
        (void)pthread_mutex_unlock(&mover->lock);
        if (is_done)
            return flight->code;
        gb_mpi_pause(&waiting);
    }
}
