/* fake_team.c - ranks as threads.
 *
 * One mutex guards all that ranks share.  A call of all ranks is a meeting: the last one who comes does the work of all.  A
 * transfer is done by whoever waits, once both ends have begun.  When all ranks that are still here wait, nothing can
 * change, and the run has failed. */
#include "fake_team.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct actor actor;
typedef struct member member;
typedef struct movement movement;

/* All ranks of a run. */
typedef struct world {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t n_changes;
    size_t n_here, n_waiting;
    gb_error error; /* status GB_OK until something fails */
    movement *first;
    size_t n_open;
    const fake_trouble *trouble;
    void (*run)(gb_team *team, void *context);
    void *context;
} world;

typedef enum call_kind { BARRIER, BROADCAST, GATHER, SUM, SPLIT } call_kind;

/* What a rank brings to a meeting. */
typedef struct call {
    call_kind kind;
    const member *who;
    size_t from, n; /* n: bytes or numbers */
    void *data;
    const uint64_t *start;
    size_t part;
    gb_team *made;
} call;

/* What the ranks of one team share. */
typedef struct circle {
    size_t size, n_members;
    uint64_t n_meetings;
    size_t n_arrived;
    call **call;
} circle;

struct member {
    gb_team team;
    actor *actor;
    circle *circle;
};

struct actor {
    world *world;
    member top;
    uint64_t n_calls, random;
    pthread_t thread;
};

/* One end of a transfer. */
struct movement {
    gb_transfer transfer;
    const actor *owner;
    const circle *circle;
    size_t from, to; /* ranks in the circle */
    movement *partner, *next;
    bool is_done;
};

static const gb_team_ops FAKE_OPS;

static void *make(size_t n, size_t size)
{
    void *p = calloc(n, size);
    if (p == NULL)
        abort();
    return p;
}

static uint64_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* ---- what ranks share; the caller has the lock ---- */

static void tell(world *w)
{
    w->n_changes++;
    w->n_waiting = 0;
    pthread_cond_broadcast(&w->changed);
}

static void give_up(world *w, const char *why)
{
    if (w->error.status == GB_OK)
        gb_fail(&w->error, GB_ERANK, "%s", why);
    tell(w);
}

static void wait_for_change(world *w)
{
    const uint64_t n_changes = w->n_changes;
    if (++w->n_waiting == w->n_here)
        give_up(w, "all ranks wait for each other, or for one that has left");
    while (w->n_changes == n_changes)
        pthread_cond_wait(&w->changed, &w->lock);
}

static bool has_failed(const world *w)
{
    return w->error.status != GB_OK;
}

static gb_status state_of(const world *w, gb_error *err)
{
    return has_failed(w) ? gb_fail(err, GB_ERANK, "%s", w->error.message) : GB_OK;
}

/* ---- calls ---- */

static void delay(actor *a, unsigned longest)
{
    if (longest == 0)
        return;
    const uint64_t chance = draw(&a->random);
    const struct timespec pause = {.tv_nsec = (long)(draw(&a->random) % longest) * 1000};
    if (chance % 4 == 0)
        nanosleep(&pause, NULL);
    else if (chance % 4 == 1)
        sched_yield();
}

/* Every call begins here: after it the rank has the lock. */
static void enter(member *m)
{
    actor *a = m->actor;
    const fake_trouble *t = a->world->trouble;
    delay(a, t->longest_delay);
    pthread_mutex_lock(&a->world->lock);
    a->n_calls++;
    if (a->n_calls == t->failing_call && t->failing_rank == a->top.team.rank)
        give_up(a->world, "a call fails, as it was told to");
}

static gb_status leave(member *m, gb_status st)
{
    pthread_mutex_unlock(&m->actor->world->lock);
    return st;
}

/* ---- meetings ---- */

static void make_teams(circle *all)
{
    for (size_t r = 0; r < all->size; r++) {
        circle *c = NULL;
        for (size_t s = 0; s < r; s++)
            if (all->call[s]->part == all->call[r]->part)
                c = ((member *)all->call[s]->made)->circle;
        if (c == NULL)
            c = make(1, sizeof *c);
        member *m = make(1, sizeof *m);
        *m = (member){
            .team = {.ops = &FAKE_OPS, .rank = c->n_members++}, .actor = all->call[r]->who->actor, .circle = c};
        m->actor->world->n_open++;
        all->call[r]->made = &m->team;
    }
    for (size_t r = 0; r < all->size; r++) {
        member *m = (member *)all->call[r]->made;
        if (m->circle->call == NULL)
            m->circle->call = make(m->circle->n_members, sizeof(call *));
        m->circle->size = m->team.size = m->circle->n_members;
    }
}

static void copy(void *to, const void *from, uint64_t n)
{
    if (n > 0 && to != from)
        memcpy(to, from, n);
}

/* As MPI libraries do: what is sent may be written over with itself. */
static void touch(void *bytes, uint64_t n)
{
    volatile char *at = bytes;
    for (uint64_t i = 0; i < n; i++)
        at[i] = at[i];
}

static void gather(circle *c, const call *from, size_t rank)
{
    const uint64_t at = from->start[rank], n = from->start[rank + 1] - at;
    for (size_t r = 0; r < c->size; r++)
        if (r != rank)
            copy((char *)c->call[r]->data + at, (const char *)from->data + at, n);
}

static void sum(circle *c, size_t i)
{
    uint64_t total = 0;
    for (size_t r = 0; r < c->size; r++)
        total += (uint64_t)((const int64_t *)c->call[r]->data)[i];
    for (size_t r = 0; r < c->size; r++)
        ((int64_t *)c->call[r]->data)[i] = (int64_t)total;
}

static void do_call(circle *c)
{
    const call *first = c->call[0];
    if (first->kind == BROADCAST)
        touch(c->call[first->from]->data, first->n);
    if (first->kind == BROADCAST)
        for (size_t r = 0; r < c->size; r++)
            copy(c->call[r]->data, c->call[first->from]->data, first->n);
    if (first->kind == GATHER)
        for (size_t r = 0; r < c->size; r++)
            gather(c, c->call[r], r);
    if (first->kind == SUM)
        for (size_t i = 0; i < first->n; i++)
            sum(c, i);
    if (first->kind == SPLIT)
        make_teams(c);
}

static bool agree(const circle *c)
{
    const call *a = c->call[0];
    for (size_t r = 1; r < c->size; r++) {
        const call *b = c->call[r];
        if (a->kind != b->kind || a->from != b->from || a->n != b->n)
            return false;
        if (a->kind == GATHER && memcmp(a->start, b->start, (c->size + 1) * sizeof *a->start) != 0)
            return false;
    }
    return true;
}

static void finish_meeting(world *w, circle *c)
{
    if (!agree(c)) {
        give_up(w, "ranks are out of step: they make different calls");
        return;
    }
    do_call(c);
    c->n_arrived = 0;
    c->n_meetings++;
    tell(w);
}

static gb_status meet(member *m, call *brought, gb_error *err)
{
    world *w = m->actor->world;
    circle *c = m->circle;
    enter(m);
    brought->who = m;
    const uint64_t meeting = c->n_meetings;
    if (!has_failed(w)) {
        c->call[m->team.rank] = brought;
        if (++c->n_arrived == c->size)
            finish_meeting(w, c);
    }
    while (!has_failed(w) && c->n_meetings == meeting)
        wait_for_change(w);
    return leave(m, c->n_meetings == meeting ? state_of(w, err) : GB_OK);
}

static gb_status fake_barrier(gb_team *team, gb_error *err)
{
    call c = {.kind = BARRIER};
    return meet((member *)team, &c, err);
}

static gb_status fake_broadcast(gb_team *team, size_t from, void *bytes, size_t n_bytes, gb_error *err)
{
    call c = {.kind = BROADCAST, .from = from, .data = bytes, .n = n_bytes};
    return meet((member *)team, &c, err);
}

static gb_status fake_gather(gb_team *team, void *bytes, const uint64_t *start, gb_error *err)
{
    call c = {.kind = GATHER, .data = bytes, .start = start};
    return meet((member *)team, &c, err);
}

static gb_status fake_sum(gb_team *team, int64_t *value, size_t n, gb_error *err)
{
    call c = {.kind = SUM, .data = value, .n = n};
    return meet((member *)team, &c, err);
}

static gb_status fake_split(gb_team *team, size_t part, gb_team **out, gb_error *err)
{
    call c = {.kind = SPLIT, .part = part};
    const gb_status st = meet((member *)team, &c, err);
    if (st == GB_OK)
        *out = c.made;
    return st;
}

/* ---- transfers; the caller of all but the last two has the lock ---- */

static bool have_one_way(const movement *a, const movement *b)
{
    return a->circle == b->circle && a->from == b->from && a->to == b->to && a->transfer.label == b->transfer.label;
}

static void find_partner(world *w, movement *t)
{
    for (movement *o = w->first; o != NULL; o = o->next) {
        if (!have_one_way(o, t))
            continue;
        if (o->transfer.is_sent == t->transfer.is_sent)
            give_up(w, "two transfers under way share a label");
        else if (o->partner == NULL && !o->is_done && t->partner == NULL) {
            o->partner = t;
            t->partner = o;
        }
    }
    if (t->partner != NULL && t->partner->transfer.n_bytes != t->transfer.n_bytes)
        give_up(w, "the ends of a transfer differ in length");
}

static void add_last(world *w, movement *t)
{
    movement **at = &w->first;
    while (*at != NULL)
        at = &(*at)->next;
    *at = t;
    w->n_open++;
}

static movement *new_movement(world *w, const member *m, const gb_transfer *transfer)
{
    const bool is_sent = transfer->is_sent;
    movement *t = make(1, sizeof *t);
    *t = (movement){.transfer = *transfer,
                    .owner = m->actor,
                    .circle = m->circle,
                    .from = is_sent ? m->team.rank : transfer->rank,
                    .to = is_sent ? transfer->rank : m->team.rank};
    find_partner(w, t);
    add_last(w, t);
    return t;
}

static void remove_movement(world *w, movement *t)
{
    movement **at = &w->first;
    while (*at != t)
        at = &(*at)->next;
    *at = t->next;
    if (t->partner != NULL)
        t->partner->partner = NULL;
    free(t);
}

static size_t count_ready(const world *w)
{
    size_t n = 0;
    for (const movement *t = w->first; t != NULL; t = t->next)
        n += t->partner != NULL;
    return n;
}

/* Do one of the transfers of which both ends have begun. */
static bool move_one(world *w, actor *a)
{
    const size_t n = count_ready(w);
    if (n == 0)
        return false;
    size_t skipped = w->trouble->reorders ? draw(&a->random) % n : 0;
    movement *t = w->first;
    while (t->partner == NULL || skipped-- > 0)
        t = t->next;
    movement *o = t->partner;
    const movement *sent = t->transfer.is_sent ? t : o, *received = t->transfer.is_sent ? o : t;
    copy(received->transfer.bytes, sent->transfer.bytes, sent->transfer.n_bytes);
    t->is_done = o->is_done = true;
    t->partner = o->partner = NULL;
    tell(w);
    return true;
}

static gb_status fake_begin_transfer(gb_team *team, const gb_transfer *transfer, void **pending, gb_error *err)
{
    member *m = (member *)team;
    world *w = m->actor->world;
    enter(m);
    if (transfer->rank >= team->size || transfer->rank == team->rank || transfer->label > GB_TEAM_LABELS)
        give_up(w, "a transfer has a wrong rank or label");
    if (has_failed(w))
        return leave(m, state_of(w, err));
    if (!transfer->is_sent && transfer->n_bytes > 0)
        memset(transfer->bytes, 0xa5, transfer->n_bytes);
    *pending = new_movement(w, m, transfer);
    tell(w);
    return leave(m, GB_OK);
}

static gb_status fake_end_transfer(gb_team *team, void *pending, gb_error *err)
{
    member *m = (member *)team;
    world *w = m->actor->world;
    movement *t = pending;
    enter(m);
    while (!has_failed(w) && !t->is_done)
        if (!move_one(w, m->actor))
            wait_for_change(w);
    remove_movement(w, t);
    w->n_open--;
    return leave(m, state_of(w, err));
}

/* ---- the team itself ---- */

static void fake_abort(gb_team *team, const char *message)
{
    member *m = (member *)team;
    pthread_mutex_lock(&m->actor->world->lock);
    give_up(m->actor->world, message);
    pthread_mutex_unlock(&m->actor->world->lock);
}

static void fake_free(gb_team *team)
{
    member *m = (member *)team;
    world *w = m->actor->world;
    if (m == &m->actor->top)
        return;
    pthread_mutex_lock(&w->lock);
    w->n_open--;
    if (--m->circle->n_members == 0) {
        free(m->circle->call);
        free(m->circle);
    }
    pthread_mutex_unlock(&w->lock);
    free(m);
}

static const gb_team_ops FAKE_OPS = {.name = "fake",
                                     .barrier = fake_barrier,
                                     .broadcast = fake_broadcast,
                                     .gather = fake_gather,
                                     .sum = fake_sum,
                                     .begin_transfer = fake_begin_transfer,
                                     .end_transfer = fake_end_transfer,
                                     .split = fake_split,
                                     .abort = fake_abort,
                                     .free = fake_free};

/* ---- a run ---- */

/* Its transfers are dropped: their bytes may be gone. */
static void depart(actor *a)
{
    world *w = a->world;
    pthread_mutex_lock(&w->lock);
    for (movement *t = w->first, *next; t != NULL; t = next) {
        next = t->next;
        if (t->owner == a)
            remove_movement(w, t);
    }
    w->n_here--;
    tell(w);
    pthread_mutex_unlock(&w->lock);
}

static void *act(void *context)
{
    actor *a = context;
    a->world->run(&a->top.team, a->world->context);
    depart(a);
    return NULL;
}

static void start_actors(world *w, circle *all, actor *a)
{
    for (size_t r = 0; r < all->size; r++) {
        a[r] = (actor){.world = w, .random = (w->trouble->seed + r) * 0x9e3779b97f4a7c15u};
        a[r].top = (member){.team = {.ops = &FAKE_OPS, .rank = r, .size = all->size}, .actor = &a[r], .circle = all};
        if (pthread_create(&a[r].thread, NULL, act, &a[r]) != 0)
            abort();
    }
}

static fake_report run_actors(world *w, size_t n_ranks)
{
    circle all = {.size = n_ranks, .n_members = n_ranks, .call = make(n_ranks, sizeof(call *))};
    actor *a = make(n_ranks, sizeof *a);
    start_actors(w, &all, a);
    for (size_t r = 0; r < n_ranks; r++)
        pthread_join(a[r].thread, NULL);
    const size_t failing = w->trouble->failing_rank;
    const fake_report report = {
        .error = w->error, .n_calls = failing < n_ranks ? a[failing].n_calls : 0, .n_open = w->n_open};
    free(a);
    free(all.call);
    return report;
}

fake_report fake_team_run(size_t n_ranks, const fake_trouble *trouble, void (*run)(gb_team *team, void *context),
                          void *context)
{
    static const fake_trouble NONE = {0};
    fake_report report = {0};
    if (n_ranks == 1) {
        run(NULL, context);
        return report;
    }
    world w = {.trouble = trouble == NULL ? &NONE : trouble, .run = run, .context = context, .n_here = n_ranks};
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.changed, NULL);
    report = run_actors(&w, n_ranks);
    pthread_cond_destroy(&w.changed);
    pthread_mutex_destroy(&w.lock);
    return report;
}
