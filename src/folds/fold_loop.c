/* folds/fold_loop.c - fits to some of the documents, each looked at on documents that were held out of it. */
#include "folds/fold_loop.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <time.h>

bool gb_fold_loop_goes_on(gb_fold_loop *l)
{
    if (l->ask != NULL && pthread_equal(pthread_self(), l->caller) && !atomic_load(&l->is_stopped) &&
        !l->ask(l->user))
        atomic_store(&l->is_stopped, true);
    return !atomic_load(&l->is_stopped);
}

static void keep_failure(gb_fold_loop *l, size_t fit, const gb_error *error)
{
    (void)pthread_mutex_lock(&l->lock);
    if (fit < l->failed) {
        l->failed = fit;
        l->failure = *error;
    }
    (void)pthread_mutex_unlock(&l->lock);
}

/* A fit after one that has failed need not run.  Fits before it are run: the message comes from the first that fails, whatever the
 * timing. */
static bool is_needed(gb_fold_loop *l, size_t fit)
{
    (void)pthread_mutex_lock(&l->lock);
    const bool needed = fit < l->failed;
    (void)pthread_mutex_unlock(&l->lock);
    return needed;
}

static void run_fit(gb_fold_loop *l, size_t number, const gb_held_part *part)
{
    gb_error inner = {.status = GB_OK}, error = {.status = GB_OK};
    gb_fold fold = {.loop = l, .number = number};
    gb_status st = gb_held_part_split(part, l->corpus, &fold.training, &fold.held_out, &fold.n_unknown, &inner);
    if (st == GB_OK)
        st = l->fit(l->user, &fold, &inner);
    gb_corpus_free(fold.training);
    gb_corpus_free(fold.held_out);
    gb_free(fold.n_unknown);
    if (st != GB_OK) {
        inner.status = st;
        error.status = l->fail(l->user, number, &inner, &error);
        keep_failure(l, number, &error);
    }
}

/* Sleep between two questions: the last fit may keep another thread busy for long. */
static void wait_for_others(gb_fold_loop *l)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    while (atomic_load(&l->n_done) < l->n_fits) {
        (void)gb_fold_loop_goes_on(l);
        (void)nanosleep(&pause, NULL);
    }
}

static gb_status take_fits(void *context, size_t task, size_t worker, gb_error *err)
{
    gb_fold_loop *l = context;
    (void)task, (void)err;
    for (size_t number; (number = atomic_fetch_add(&l->next, 1)) < l->n_fits; atomic_fetch_add(&l->n_done, 1)) {
        const gb_held_part *part = is_needed(l, number) ? l->part(l->user, number) : NULL;
        if (part != NULL)
            run_fit(l, number, part);
    }
    if (worker == 0)
        wait_for_others(l);
    return GB_OK;
}

gb_status gb_for_each_fold(gb_fold_loop *l, gb_error *err)
{
    const gb_error stopped = {.status = GB_ESTOP};
    l->caller = pthread_self();
    l->failed = l->n_fits;
    atomic_store(&l->next, 0);
    atomic_store(&l->n_done, 0);
    (void)pthread_mutex_init(&l->lock, NULL);
    gb_status st = gb_parallel_for(l->n_workers, l->n_workers, take_fits, l, err);
    (void)pthread_mutex_destroy(&l->lock);
    if (st == GB_OK && l->failed < l->n_fits)
        return gb_fail(err, l->failure.status, "%s", l->failure.message);
    if (st == GB_OK && atomic_load(&l->is_stopped)) /* after the last fit, while others were waited for */
        st = l->fail(l->user, l->n_fits, &stopped, err);
    return st;
}
