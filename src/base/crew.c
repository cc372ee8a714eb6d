/* base/crew.c - threads that wait for work.
 *
 * Taking a task: the ticket is one atomic number, the call's number above and what is taken below: how many tasks, or (with as
 * many tasks as workers) which ones, a bit each.  All bits set: nothing is to be had.  A worker reads the ticket, then the
 * call's description, and takes a task by exchanging the ticket it read for the next one.  Between two calls the ticket is
 * closed before the description changes, so a worker that read something of another call has read a ticket that is gone, and
 * takes nothing.
 *
 * Waiting: a thread looks at the ticket for a while before it sleeps, since waking a sleeper costs some ten microseconds.  On a
 * busy machine looking is waste: others wait for the processor.  So a thread looks for LONGEST_LOOK while its waits have been
 * shorter than that, and half as long after each that was not. */
#include "base/crew.h"

#include "base/memory.h"
#include "base/system.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { CALL_SHIFT = 32, MOST_BITS = 32 };
static const uint64_t CLOSED = 0xffffffff;
static const int64_t LONGEST_LOOK = 50000; /* nanoseconds: about what sleeping and waking costs */

typedef void gb_crew_task(void *context, size_t task, size_t worker);

/* How long a thread looks before it sleeps, in nanoseconds. */
typedef struct patience {
    int64_t longest, look;
} patience;

typedef struct member {
    gb_crew *crew;
    size_t number;
    pthread_t thread;
    patience patience;
} member;

struct gb_crew {
    size_t size, n_members; /* the members are workers 1..n_members */
    member *member;
    patience patience; /* of worker 0 */
    /* one call */
    _Alignas(64) atomic_uint_least64_t ticket;
    atomic_size_t n_tasks, n_workers;
    gb_crew_task *_Atomic run;
    void *_Atomic context;
    _Alignas(64) atomic_size_t n_done;
    /* sleeping */
    _Alignas(64) pthread_mutex_t lock;
    pthread_cond_t called, done;
    size_t n_asleep;
    atomic_bool is_over;
};

/* ---- waiting ---- */

static int64_t nanoseconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void pause_a_moment(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Look until the condition holds or patience is at an end; says whether it holds. */
static bool look(bool (*is_met)(const gb_crew *crew, uint64_t with), const gb_crew *crew, uint64_t with,
                 int64_t until)
{
    const int moments = 32; /* between two looks at the clock */
    do {
        for (int i = 0; i < moments; i++) {
            if (is_met(crew, with))
                return true;
            pause_a_moment();
        }
    } while (nanoseconds() < until);
    return is_met(crew, with);
}

static void learn(patience *p, int64_t waited)
{
    p->look = waited < p->longest ? p->longest : p->look / 2;
}

static uint64_t call_of(uint64_t ticket)
{
    return ticket >> CALL_SHIFT;
}

static bool has_new_call(const gb_crew *crew, uint64_t seen)
{
    return call_of(atomic_load_explicit(&crew->ticket, memory_order_acquire)) != seen;
}

static bool is_done(const gb_crew *crew, uint64_t n_tasks)
{
    return atomic_load_explicit(&crew->n_done, memory_order_acquire) == n_tasks;
}

static void wait_for_call(gb_crew *crew, uint64_t seen, patience *p)
{
    const int64_t begin = nanoseconds();
    if (!look(has_new_call, crew, seen, begin + p->look)) {
        (void)pthread_mutex_lock(&crew->lock);
        crew->n_asleep++;
        while (!has_new_call(crew, seen))
            (void)pthread_cond_wait(&crew->called, &crew->lock);
        crew->n_asleep--;
        (void)pthread_mutex_unlock(&crew->lock);
    }
    learn(p, nanoseconds() - begin);
}

static void wait_until_done(gb_crew *crew, size_t n_tasks)
{
    if (is_done(crew, n_tasks))
        return;
    const int64_t begin = nanoseconds();
    if (!look(is_done, crew, n_tasks, begin + crew->patience.look)) {
        (void)pthread_mutex_lock(&crew->lock);
        while (!is_done(crew, n_tasks))
            (void)pthread_cond_wait(&crew->done, &crew->lock);
        (void)pthread_mutex_unlock(&crew->lock);
    }
    learn(&crew->patience, nanoseconds() - begin);
}

/* ---- working ---- */

/* The ticket after worker takes a task of it, and the task; CLOSED if there is none for it. */
static uint64_t next_ticket(uint64_t ticket, size_t n_tasks, size_t n_workers, size_t worker, size_t *task)
{
    const uint64_t taken = ticket & CLOSED;
    if (taken == CLOSED || worker >= n_workers)
        return CLOSED;
    if (n_tasks != n_workers || n_tasks > MOST_BITS) {
        *task = (size_t)taken;
        return taken < n_tasks ? ticket + 1 : CLOSED;
    }
    for (size_t i = 0; i < n_tasks; i++) {
        *task = (worker + i) % n_tasks;
        if ((taken >> *task & 1) == 0)
            return ticket | (uint64_t)1 << *task;
    }
    return CLOSED;
}

static void end_task(gb_crew *crew, size_t n_tasks)
{
    if (atomic_fetch_add_explicit(&crew->n_done, 1, memory_order_acq_rel) + 1 < n_tasks)
        return;
    (void)pthread_mutex_lock(&crew->lock);
    (void)pthread_cond_signal(&crew->done);
    (void)pthread_mutex_unlock(&crew->lock);
}

/* Take tasks until there are none; gives the number of the last call seen. */
static uint64_t work(gb_crew *crew, size_t worker)
{
    for (;;) {
        uint64_t ticket = atomic_load_explicit(&crew->ticket, memory_order_acquire);
        const size_t n_tasks = atomic_load_explicit(&crew->n_tasks, memory_order_acquire);
        const size_t n_workers = atomic_load_explicit(&crew->n_workers, memory_order_acquire);
        gb_crew_task *run = atomic_load_explicit(&crew->run, memory_order_acquire);
        void *context = atomic_load_explicit(&crew->context, memory_order_acquire);
        size_t task = 0;
        const uint64_t next = next_ticket(ticket, n_tasks, n_workers, worker, &task);
        if (next == CLOSED)
            return call_of(ticket);
        if (!atomic_compare_exchange_strong_explicit(&crew->ticket, &ticket, next, memory_order_acq_rel,
                                                     memory_order_relaxed))
            continue;
        run(context, task, worker);
        end_task(crew, n_tasks);
    }
}

static void *live(void *context)
{
    member *m = context;
    uint64_t seen = 0;
    while (!atomic_load_explicit(&m->crew->is_over, memory_order_acquire)) {
        wait_for_call(m->crew, seen, &m->patience);
        seen = work(m->crew, m->number);
    }
    return NULL;
}

/* ---- one call ---- */

static uint64_t number_of_last_call(const gb_crew *crew)
{
    return call_of(atomic_load_explicit(&crew->ticket, memory_order_relaxed));
}

static void call(gb_crew *crew, uint64_t number)
{
    (void)pthread_mutex_lock(&crew->lock);
    atomic_store_explicit(&crew->ticket, number << CALL_SHIFT, memory_order_release);
    if (crew->n_asleep > 0)
        (void)pthread_cond_broadcast(&crew->called);
    (void)pthread_mutex_unlock(&crew->lock);
}

void gb_crew_run(gb_crew *crew, size_t n_tasks, size_t n_workers,
                 void (*run)(void *context, size_t task, size_t worker), void *context)
{
    const uint64_t number = number_of_last_call(crew) + 1;
    atomic_store_explicit(&crew->n_tasks, n_tasks, memory_order_release);
    atomic_store_explicit(&crew->n_workers, n_workers, memory_order_release);
    atomic_store_explicit(&crew->run, run, memory_order_release);
    atomic_store_explicit(&crew->context, context, memory_order_release);
    atomic_store_explicit(&crew->n_done, 0, memory_order_release);
    call(crew, number);
    (void)work(crew, 0);
    wait_until_done(crew, n_tasks);
    atomic_store_explicit(&crew->ticket, number << CALL_SHIFT | CLOSED, memory_order_release);
}

/* ---- beginning and end ---- */

static void start_members(gb_crew *crew)
{
    gb_signals signals;
    gb_signals_hold(&signals); /* they are for the program's own threads */
    for (size_t i = 0; i + 1 < crew->size; i++) {
        crew->member[i] = (member){.crew = crew, .number = i + 1, .patience = crew->patience};
        if (pthread_create(&crew->member[i].thread, NULL, live, &crew->member[i]) != 0)
            break;
        crew->n_members++;
    }
    gb_signals_release(&signals);
}

gb_crew *gb_crew_create(size_t n)
{
    gb_crew *crew = NULL;
    if (gb_alloc(&crew, 1, sizeof *crew, "threads", NULL) != GB_OK)
        return NULL;
    crew->size = n;
    const int64_t longest = n <= gb_machine_processors() ? LONGEST_LOOK : 0;
    crew->patience = (patience){.longest = longest, .look = longest};
    atomic_init(&crew->ticket, CLOSED);
    (void)pthread_mutex_init(&crew->lock, NULL);
    (void)pthread_cond_init(&crew->called, NULL);
    (void)pthread_cond_init(&crew->done, NULL);
    if (gb_alloc(&crew->member, n, sizeof *crew->member, "threads", NULL) == GB_OK)
        start_members(crew);
    if (crew->n_members > 0)
        return crew;
    gb_crew_free(crew);
    return NULL;
}

size_t gb_crew_size(const gb_crew *crew)
{
    return crew->size;
}

void gb_crew_free(gb_crew *crew)
{
    if (crew == NULL)
        return;
    atomic_store_explicit(&crew->n_workers, 0, memory_order_release); /* a last call, for nobody */
    atomic_store_explicit(&crew->is_over, true, memory_order_release);
    call(crew, number_of_last_call(crew) + 1);
    for (size_t i = 0; i < crew->n_members; i++)
        (void)pthread_join(crew->member[i].thread, NULL);
    (void)pthread_cond_destroy(&crew->done);
    (void)pthread_cond_destroy(&crew->called);
    (void)pthread_mutex_destroy(&crew->lock);
    gb_free(crew->member);
    gb_free(crew);
}
