/* test_fold_loop.c - the loop under cross-validation, selection, cross-fitting and trials. */
#include "helper_documents.h"

#include "folds/fold_loop.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N_FITS = 12, NONE = -1 };

/* Fit i holds out document i. */
typedef struct fits {
    gb_held_part part[N_FITS];
    gb_fold_loop loop;
    int fails, fails_later; /* fits: the second at once, the first after a while */
    int known;              /* there is nothing to do for it */
    int n_before_stop;      /* questions; NONE: no stop */
    atomic_int n_asked, n_elsewhere, n_done[N_FITS];
    pthread_t caller;
    gb_corpus *kept;
} fits;

static const gb_held_part *part_of(void *user, size_t fit)
{
    fits *f = user;
    return (int)fit == f->known ? NULL : &f->part[fit];
}

static void wait_a_little(void)
{
    (void)nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
}

static gb_status do_fit(void *user, gb_fold *fold, gb_error *err)
{
    fits *f = user;
    const int number = (int)fold->number;
    atomic_fetch_add(&f->n_done[number], 1);
    if (fold->held_out->n_docs != 1 || fold->training->n_docs != f->loop.corpus->n_docs - 1)
        return gb_fail(err, GB_EFORMAT, "other documents");
    if (number == 0 && f->kept == NULL) {
        f->kept = fold->held_out;
        fold->held_out = NULL;
    }
    if (number == f->fails_later)
        wait_a_little();
    if (number == f->fails || number == f->fails_later)
        return gb_fail(err, GB_ENUMERIC, "it fails");
    while (f->n_before_stop != NONE && gb_fold_loop_goes_on(fold->loop))
        wait_a_little();
    return f->n_before_stop == NONE ? GB_OK : gb_fail(err, GB_ESTOP, "stopped");
}

static gb_status fail_fit(void *user, size_t fit, const gb_error *inner, gb_error *err)
{
    (void)user;
    return inner->status == GB_ESTOP ? gb_fail(err, GB_ESTOP, "all were stopped")
                                     : gb_fail(err, inner->status, "fit %zu: %s", fit, inner->message);
}

static bool ask(void *user)
{
    fits *f = user;
    atomic_fetch_add(&f->n_elsewhere, pthread_equal(pthread_self(), f->caller) ? 0 : 1);
    return atomic_fetch_add(&f->n_asked, 1) != f->n_before_stop;
}

static int make(void **state)
{
    fits *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->fails = f->fails_later = f->known = f->n_before_stop = NONE;
    f->caller = pthread_self();
    f->loop =
        (gb_fold_loop){.corpus = simulated_with(settings_of("documents", "20", "length", "10", "seed", "1", NULL)),
                       .n_fits = N_FITS,
                       .n_workers = 3,
                       .part = part_of,
                       .fit = do_fit,
                       .fail = fail_fit,
                       .ask = ask,
                       .user = f};
    for (size_t i = 0; i < N_FITS; i++) {
        f->part[i] = (gb_held_part){.is_held_out = calloc(20, sizeof(bool)), .n_held_out = 1};
        assert_non_null(f->part[i].is_held_out);
        f->part[i].is_held_out[i] = true;
    }
    *state = f;
    return 0;
}

static int clear(void **state)
{
    fits *f = *state;
    for (size_t i = 0; i < N_FITS; i++)
        free(f->part[i].is_held_out);
    gb_corpus_free(f->kept);
    gb_corpus_free((gb_corpus *)(uintptr_t)f->loop.corpus);
    free(f);
    return 0;
}

static void every_fit_is_done_once_but_those_with_nothing_to_do(void **state)
{
    fits *f = *state;
    f->known = 4;
    assert_int_equal(gb_for_each_fold(&f->loop, NULL), GB_OK);
    for (int i = 0; i < N_FITS; i++)
        assert_int_equal(atomic_load(&f->n_done[i]), i == 4 ? 0 : 1);
    assert_int_equal(atomic_load(&f->loop.n_done), N_FITS);
    assert_int_equal(f->kept->n_docs, 1);
}

static void the_first_fit_that_fails_is_told_whatever_the_timing(void **state)
{
    fits *f = *state;
    gb_error err;
    f->fails_later = 1;
    f->fails = 2;
    assert_int_equal(gb_for_each_fold(&f->loop, &err), GB_ENUMERIC);
    assert_string_equal(err.message, "fit 1: it fails");
}

static void a_stop_reaches_all_threads_and_only_the_callers_is_asked(void **state)
{
    fits *f = *state;
    gb_error err;
    f->n_before_stop = 2;
    assert_int_equal(gb_for_each_fold(&f->loop, &err), GB_ESTOP);
    assert_string_equal(err.message, "all were stopped");
    assert_int_equal(atomic_load(&f->n_asked), 3); /* never again after a no */
    assert_int_equal(atomic_load(&f->n_elsewhere), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_fit_is_done_once_but_those_with_nothing_to_do, make, clear),
        cmocka_unit_test_setup_teardown(the_first_fit_that_fails_is_told_whatever_the_timing, make, clear),
        cmocka_unit_test_setup_teardown(a_stop_reaches_all_threads_and_only_the_callers_is_asked, make, clear)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
