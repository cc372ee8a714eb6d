/* apply/application.c - a model applied to a batch of new documents: the one loop over draws and documents. */
#include "apply/application.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/processors.h"
#include "store/json_text.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

/* ---- progress ---- */

static bool ask(void *context)
{
    gb_application *a = context;
    const gb_apply_progress progress = {.draw = a->draw_number,
                                        .n_draws = a->model->n_draws,
                                        .n_docs = a->last_doc - a->first_doc,
                                        .n_docs_done = atomic_load(&a->n_docs_done),
                                        .seconds = gb_seconds() - a->started};
    return a->call.on_progress(&progress, a->call.user);
}

gb_status gb_application_stopped(gb_error *err)
{
    return gb_fail(err, GB_ESTOP, "stopped before all documents were done");
}

/* ---- tasks ---- */

/* What a document costs: its tokens, and as much as some more. */
enum { TOKENS_PER_DOCUMENT = 8 };

/* Of all documents before d. */
static uint64_t load_before(const gb_application *a, uint64_t d)
{
    return a->docs->doc_start[d] - a->docs->doc_start[0] + d * TOKENS_PER_DOCUMENT;
}

/* Runs of about the same load. */
static gb_status share_out(gb_application *a, gb_error *err)
{
    gb_status st;
    const size_t size = gb_team_size(a->call.team), rank = gb_team_rank(a->call.team);
    const uint64_t n_docs = a->docs->n_docs;
    const double load = (double)load_before(a, n_docs);
    GB_TRY(gb_alloc(&a->rank_start, size + 1, sizeof *a->rank_start, "documents of ranks", err));
    for (size_t r = 1; r < size; r++) {
        uint64_t d = a->rank_start[r - 1];
        while (d < n_docs && (double)load_before(a, d) < load * (double)r / (double)size)
            d++;
        a->rank_start[r] = d;
    }
    a->rank_start[size] = n_docs;
    a->first_doc = a->rank_start[rank];
    a->last_doc = a->rank_start[rank + 1];
done:
    return st;
}

/* Tasks of about equal numbers of tokens, enough of them to keep all threads busy. */
static gb_status cut_tasks(gb_application *a, uint64_t tokens_per_task, gb_error *err)
{
    gb_status st;
    const uint64_t load = load_before(a, a->last_doc) - load_before(a, a->first_doc);
    const uint64_t even = load / (8 * a->n_threads), wanted = even < tokens_per_task ? even : tokens_per_task;
    GB_TRY(gb_alloc(&a->task_start, a->last_doc - a->first_doc + 1, sizeof *a->task_start, "tasks", err));
    a->task_start[0] = a->first_doc;
    for (uint64_t d = a->first_doc, sum = 0; d < a->last_doc; d++) {
        const uint64_t length = gb_application_length(a, d);
        a->longest = length > a->longest ? length : a->longest;
        sum += length + TOKENS_PER_DOCUMENT;
        if (sum < wanted && d + 1 < a->last_doc)
            continue;
        a->task_start[++a->n_tasks] = d + 1;
        sum = 0;
    }
done:
    return st;
}

/* ---- making ---- */

static gb_new_groups_rule rule_of(const char *name)
{
    return strcmp(name, "extend") == 0  ? GB_NEW_GROUPS_EXTEND
           : strcmp(name, "level") == 0 ? GB_NEW_GROUPS_LEVEL
                                        : GB_NEW_GROUPS_REFUSE;
}

static gb_status find_groups(gb_application *a, gb_error *err)
{
    gb_status st;
    const gb_prior_setup *prior = &a->model->prior;
    json_t *settings = NULL;
    if (gb_prior_groups(prior) == NULL && gb_prior_formula(prior) == NULL)
        return GB_OK;
    GB_TRY(gb_alloc(&a->group, a->docs->n_docs, sizeof *a->group, "groups of documents", err));
    GB_TRY(gb_json_parse(a->model->settings, strlen(a->model->settings), 0, &settings, NULL, err));
    const char *graph = json_string_value(json_object_get(settings, "graph"));
    const gb_new_groups_how how = {.rule = rule_of(gb_settings_text(a->call.settings, "new-groups")),
                                   .graph = graph == NULL ? "" : graph,
                                   .settings = a->call.settings,
                                   .first_row = a->first_row};
    GB_TRY(prior->ops->groups->find(&a->new_groups, prior, &how, a->docs, a->group, err));
done:
    json_decref(settings);
    return st;
}

gb_status gb_application_open(gb_application *out, const gb_apply_call *call, gb_batch_kind kind,
                              uint64_t tokens_per_task, gb_error *err)
{
    gb_status st;
    const gb_settings *s = call->settings;
    *out = (gb_application){
        .call = *call,
        .model = call->model,
        .docs = call->docs,
        .first_row = call->first_row,
        .seed = (uint64_t)gb_settings_int_or(s, "seed", (int64_t)call->model->seed),
        .n_threads = gb_threads_for((uint64_t)gb_settings_int_or(s, "threads", 0), 1, 4 * call->docs->n_tokens),
        .started = gb_seconds()};
    gb_watch_start(&out->watch, call->on_progress == NULL ? NULL : ask, out);
    atomic_init(&out->n_docs_done, 0);
    GB_TRY(gb_model_check_words(call->model, call->docs, err));
    GB_TRY(share_out(out, err));
    GB_TRY(cut_tasks(out, tokens_per_task, err));
    GB_TRY(find_groups(out, err));
    GB_TRY(gb_batch_create(&out->batch, kind, out->model, out->docs, s, out->first_row, err));
done:
    return st;
}

void gb_application_clear(gb_application *a)
{
    gb_free(a->group);
    gb_new_groups_free(a->new_groups);
    gb_free(a->rank_start);
    gb_free(a->task_start);
    gb_batch_clear(&a->batch);
    gb_prior_clear(&a->prior);
}

/* ---- the loop ---- */

/* Each worker takes one task after the other.  The calling thread, when there are none left, goes on asking its caller until
 * the others have ended theirs: a single long document may be with any of them. */
struct documents_loop {
    gb_application *a;
    gb_apply_documents *documents;
    void *context;
    atomic_size_t next, n_left; /* the next task; tasks that have not ended */
    pthread_mutex_t lock;       /* of the failure of the lowest task so far */
    size_t failed;
    gb_error failure;
};

static void note_failure(struct documents_loop *loop, size_t task, const gb_error *error)
{
    pthread_mutex_lock(&loop->lock);
    if (task < loop->failed) {
        loop->failed = task;
        loop->failure = *error;
    }
    pthread_mutex_unlock(&loop->lock);
}

/* Tasks after one that failed need not run; those before it decide what is reported. */
static bool is_needed(struct documents_loop *loop, size_t task)
{
    pthread_mutex_lock(&loop->lock);
    const bool is = task < loop->failed;
    pthread_mutex_unlock(&loop->lock);
    return is;
}

static void run_task(struct documents_loop *loop, size_t task, size_t worker)
{
    gb_application *a = loop->a;
    gb_error error = {.status = GB_OK};
    const uint64_t first = a->task_start[task], last = a->task_start[task + 1];
    const gb_status st = gb_application_goes_on(a, worker)
                             ? loop->documents(loop->context, first, last, worker, &error)
                             : gb_application_stopped(&error);
    error.status = st;
    if (st != GB_OK)
        note_failure(loop, task, &error);
    atomic_fetch_add(&a->n_docs_done, last - first);
}

static void wait_for_others(struct documents_loop *loop)
{
    const long longest = 5000000; /* nanoseconds */
    struct timespec pause = {.tv_nsec = 20000};
    while (atomic_load(&loop->n_left) > 0 && gb_watch_look(&loop->a->watch, 0)) {
        nanosleep(&pause, NULL);
        pause.tv_nsec = 2 * pause.tv_nsec < longest ? 2 * pause.tv_nsec : longest;
    }
}

static gb_status run_tasks(void *context, size_t runner, size_t worker, gb_error *err)
{
    (void)runner, (void)err;
    struct documents_loop *loop = context;
    for (size_t task; (task = atomic_fetch_add(&loop->next, 1)) < loop->a->n_tasks;) {
        if (is_needed(loop, task))
            run_task(loop, task, worker);
        atomic_fetch_sub(&loop->n_left, 1);
    }
    if (worker == 0 && loop->a->watch.ask != NULL)
        wait_for_others(loop);
    return GB_OK;
}

gb_status gb_for_each_document(gb_application *a, gb_apply_documents *documents, void *context, gb_error *err)
{
    struct documents_loop loop = {.a = a, .documents = documents, .context = context, .failed = SIZE_MAX};
    const size_t n_runners = a->n_threads < a->n_tasks ? a->n_threads : a->n_tasks;
    atomic_init(&loop.next, 0);
    atomic_init(&loop.n_left, a->n_tasks);
    atomic_store(&a->n_docs_done, 0);
    pthread_mutex_init(&loop.lock, NULL);
    gb_status st = gb_parallel_for(n_runners, n_runners, run_tasks, &loop, err);
    pthread_mutex_destroy(&loop.lock);
    if (st == GB_OK && loop.failed != SIZE_MAX) {
        st = loop.failure.status;
        if (err != NULL)
            *err = loop.failure;
    }
    /* the last answer of the caller may have come after all tasks had looked */
    return st == GB_OK && atomic_load(&a->watch.is_stopped) ? gb_application_stopped(err) : st;
}

static gb_status open_draw(gb_application *a, size_t i, gb_error *err)
{
    gb_status st;
    a->draw_number = i;
    a->draw = &a->model->draw[i];
    gb_prior_clear(&a->prior);
    GB_TRY(gb_prior_create(&a->prior, &a->model->prior, &a->draw->prior, NULL, 0, a->n_threads, gb_isa_best(), err));
    if (a->new_groups != NULL)
        GB_TRY(a->prior.ops->groups->set_new(a->new_groups, &a->prior, err));
    GB_TRY(gb_batch_fill(&a->batch, a->draw, a->n_threads, err));
done:
    return st;
}

gb_status gb_for_each_draw(gb_application *a, gb_apply_begin *begin, gb_apply_documents *documents, void *context,
                           gb_error *err)
{
    gb_status st = GB_OK;
    gb_pool pool;
    gb_pool_open(&pool);
    for (size_t i = 0; i < a->model->n_draws; i++) {
        GB_TRY(open_draw(a, i, err));
        if (begin != NULL)
            GB_TRY(begin(context, err));
        GB_TRY(gb_for_each_document(a, documents, context, err));
    }
done:
    gb_pool_close(&pool);
    return st;
}

/* ---- ranks ---- */

gb_status gb_application_agree(const gb_application *a, const gb_error *here, gb_error *err)
{
    gb_status st;
    bool has_failed = here->status != GB_OK;
    GB_TRY(gb_team_any(a->call.team, &has_failed, err));
    for (size_t r = 0; has_failed && r < gb_team_size(a->call.team); r++) {
        gb_error there = *here;
        GB_TRY(gb_team_broadcast(a->call.team, r, &there, sizeof there, err));
        if (there.status != GB_OK)
            return gb_fail(err, there.status, "%s", there.message);
    }
done:
    return st;
}

gb_status gb_application_gather(const gb_application *a, void *list, size_t size, gb_error *err)
{
    return list == NULL ? GB_OK : gb_team_gather(a->call.team, list, size, a->rank_start, err);
}
