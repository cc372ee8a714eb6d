/* Tasks on threads: each is done once, by a worker that exists, and the first failure is the one that is told. */
#include "base/parallel.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { MOST_TASKS = 1000, MOST_THREADS = 40 };

typedef struct tally {
    atomic_size_t times[MOST_TASKS];
    atomic_size_t n_wrong;
    size_t n_threads;
    pthread_t caller;
} tally;

static gb_status count_task(void *context, size_t task, size_t worker, gb_error *err)
{
    tally *t = context;
    (void)err;
    atomic_fetch_add(&t->times[task], 1);
    if (worker >= t->n_threads || (worker == 0) != (pthread_equal(pthread_self(), t->caller) != 0))
        atomic_fetch_add(&t->n_wrong, 1);
    return GB_OK;
}

static void assert_each_once(size_t n_tasks, size_t n_threads)
{
    tally t = {.n_threads = n_threads, .caller = pthread_self()};
    assert_int_equal(gb_parallel_for(n_tasks, n_threads, count_task, &t, NULL), GB_OK);
    assert_int_equal(t.n_wrong, 0);
    for (size_t i = 0; i < MOST_TASKS; i++)
        assert_int_equal(t.times[i], i < n_tasks);
}

static const size_t N_TASKS[] = {0, 1, 2, 3, 7, 8, 31, 32, 33, 40, 500, 1000};
static const size_t N_THREADS[] = {1, 2, 3, 7, 32, 40};

static void every_task_is_done_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof N_TASKS / sizeof *N_TASKS; i++)
        for (size_t j = 0; j < sizeof N_THREADS / sizeof *N_THREADS; j++)
            assert_each_once(N_TASKS[i], N_THREADS[j]);
}

static void a_pool_serves_calls_of_all_sizes(void **state)
{
    (void)state;
    gb_pool pool, inner;
    gb_pool_open(&pool);
    for (size_t round = 0; round < 20; round++) {
        gb_pool_open(&inner); /* does nothing */
        for (size_t i = 0; i < sizeof N_TASKS / sizeof *N_TASKS; i++)
            for (size_t j = 0; j < sizeof N_THREADS / sizeof *N_THREADS; j++)
                assert_each_once(N_TASKS[i], N_THREADS[j]);
        gb_pool_close(&inner);
    }
    gb_pool_close(&pool);
    assert_each_once(10, 3);
}

/* Many short calls one after the other: a thread that comes late must not meet tasks of the next call. */
static void late_threads_do_no_harm(void **state)
{
    (void)state;
    gb_pool pool;
    gb_pool_open(&pool);
    for (size_t round = 0; round < 3000; round++) {
        const size_t n_tasks = round % 7 + 2, n_threads = round % 3 + 2;
        assert_each_once(n_tasks, n_threads);
    }
    gb_pool_close(&pool);
}

/* Tasks that are done before the next begins have handed over what they wrote. */
static gb_status add_previous(void *context, size_t task, size_t worker, gb_error *err)
{
    uint64_t(*row)[64] = context;
    (void)worker, (void)err;
    row[1][task] = row[0][task] + row[0][(task + 1) % 64];
    return GB_OK;
}

static void a_call_sees_what_the_one_before_it_wrote(void **state)
{
    (void)state;
    static uint64_t alone[101][64], together[101][64];
    alone[0][5] = together[0][5] = 1;
    gb_pool pool;
    gb_pool_open(&pool);
    for (size_t i = 0; i < 100; i++) {
        assert_int_equal(gb_parallel_for(64, 1, add_previous, alone + i, NULL), GB_OK);
        assert_int_equal(gb_parallel_for(64, 4, add_previous, together + i, NULL), GB_OK);
    }
    gb_pool_close(&pool);
    assert_memory_equal(alone, together, sizeof alone);
}

static gb_status fail_from_17(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)context, (void)worker;
    return task < 17 ? GB_OK : gb_fail(err, task % 2 == 0 ? GB_EIO : GB_ENUMERIC, "task %zu", task);
}

static void the_lowest_failure_is_told(void **state)
{
    (void)state;
    for (size_t n_threads = 1; n_threads <= 40; n_threads++) {
        gb_error err = {.status = GB_OK};
        assert_int_equal(gb_parallel_for(40, n_threads, fail_from_17, NULL, &err), GB_ENUMERIC);
        assert_int_equal(err.status, GB_ENUMERIC);
        assert_string_equal(err.message, "task 17");
        assert_int_equal(gb_parallel_for(40, n_threads, fail_from_17, NULL, NULL), GB_ENUMERIC);
    }
}

static gb_status run_more(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)context, (void)task, (void)worker, (void)err;
    tally t = {.n_threads = 3, .caller = pthread_self()};
    gb_pool pool;
    gb_pool_open(&pool);
    for (size_t i = 0; i < 5; i++)
        if (gb_parallel_for(20, 3, count_task, &t, NULL) != GB_OK || t.n_wrong > 0)
            return GB_ENUMERIC;
    gb_pool_close(&pool);
    for (size_t i = 0; i < 20; i++)
        if (t.times[i] != 5)
            return GB_ENUMERIC;
    return GB_OK;
}

static void a_task_may_have_tasks_of_its_own(void **state)
{
    (void)state;
    gb_pool pool;
    gb_pool_open(&pool);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(gb_parallel_for(6, 3, run_more, NULL, NULL), GB_OK);
    gb_pool_close(&pool);
}

static gb_status ask_for_signals(void *context, size_t task, size_t worker, gb_error *err)
{
    atomic_size_t *n_open = context;
    sigset_t blocked;
    (void)task, (void)err;
    (void)pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (worker != 0 && (sigismember(&blocked, SIGINT) != 1 || sigismember(&blocked, SIGTERM) != 1))
        atomic_fetch_add(n_open, 1);
    return GB_OK;
}

static void signals_are_left_to_the_program(void **state)
{
    (void)state;
    atomic_size_t n_open = 0;
    sigset_t blocked;
    for (size_t i = 0; i < 50; i++)
        assert_int_equal(gb_parallel_for(100, 4, ask_for_signals, &n_open, NULL), GB_OK);
    assert_int_equal(n_open, 0);
    (void)pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    assert_int_equal(sigismember(&blocked, SIGINT), 0);
}

/* ---- stopping ---- */

static bool says_stop(void *context)
{
    size_t *n_asked = context;
    return ++*n_asked < 5;
}

static gb_status count_only(void *context, size_t task, size_t worker, gb_error *err)
{
    (void)task, (void)worker, (void)err;
    atomic_fetch_add((atomic_size_t *)context, 1);
    return GB_OK;
}

static void who_is_asked_before_tasks_ends_them(void **state)
{
    (void)state;
    for (size_t n_threads = 1; n_threads <= 4; n_threads += 3) {
        size_t n_asked = 0;
        atomic_size_t n_done = 0;
        gb_watch watch;
        gb_watch_start(&watch, says_stop, &n_asked);
        watch.interval = watch.next = 0; /* asked each time */
        assert_null(gb_parallel_watch(&watch));
        while (n_asked < 5) /* other threads may leave none to the one that asks */
            (void)gb_parallel_for(MOST_TASKS, n_threads, count_only, &n_done, NULL);
        n_done = 0;
        assert_int_equal(gb_parallel_for(MOST_TASKS, n_threads, count_only, &n_done, NULL), GB_ESTOP);
        assert_int_equal(n_done, 0);
        assert_ptr_equal(gb_parallel_watch(NULL), &watch);
        assert_int_equal(gb_parallel_for(MOST_TASKS, n_threads, count_only, &n_done, NULL), GB_OK);
        assert_int_equal(n_done, MOST_TASKS);
        assert_int_equal(n_asked, 5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_is_done_once),         cmocka_unit_test(a_pool_serves_calls_of_all_sizes),
        cmocka_unit_test(late_threads_do_no_harm),         cmocka_unit_test(a_call_sees_what_the_one_before_it_wrote),
        cmocka_unit_test(the_lowest_failure_is_told),      cmocka_unit_test(a_task_may_have_tasks_of_its_own),
        cmocka_unit_test(signals_are_left_to_the_program), cmocka_unit_test(who_is_asked_before_tasks_ends_them),
    };
    return cmocka_run_group_tests_name("tasks on threads", tests, NULL, NULL);
}
