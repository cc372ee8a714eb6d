/* apply/application.h - a model applied to a batch of new documents: the one loop over draws and documents.
 *
 * Prediction and held-out likelihood do the same thing: take each draw of the model in turn, and under it all documents,
 * several at a time.  Documents know nothing of each other, and a document's random numbers are named by its words, so neither
 * threads, nor tasks, nor the other documents, nor where it stands among them change a bit of the outcome.
 *
 * On several ranks each does this with a run of the documents, and what they find is put together at all of them.  All have
 * all documents, because groups and covariates are found out of the whole batch. */
#ifndef GB_APPLY_APPLICATION_H
#define GB_APPLY_APPLICATION_H

#include "apply/batch.h"
#include "base/watch.h"
#include "gibbous/apply.h"
#include "prior/new_groups.h"
#include "team/team.h"

/** What the caller of the library gave. */
typedef struct gb_apply_call {
    const gb_model *model;
    const gb_corpus *docs;
    uint64_t first_row;
    const gb_settings *settings;
    gb_on_apply *on_progress;
    void *user;
    gb_team *team; /* NULL: this rank alone does all documents */
} gb_apply_call;

typedef struct gb_application {
    gb_apply_call call;
    const gb_model *model;
    const gb_corpus *docs;
    uint64_t *rank_start;              /* size of the team + 1: documents of each rank */
    uint64_t first_doc, last_doc;      /* of this rank: first_doc .. last_doc - 1 */
    uint64_t first_row, seed, longest; /* longest: tokens of this rank's longest document */
    size_t n_threads;
    gb_batch batch;
    uint32_t *group; /* n_docs; NULL for a prior without groups */
    gb_new_groups *new_groups;
    /* tasks: documents task_start[i] .. task_start[i + 1] - 1 */
    size_t n_tasks;
    uint64_t *task_start;
    gb_watch watch;
    double started;
    atomic_uint_fast64_t n_docs_done; /* under the draw at hand */
    /* the draw at hand */
    size_t draw_number;
    const gb_draw *draw;
    gb_prior prior;
} gb_application;

/** What is done with a draw before its documents; may fail. */
typedef gb_status gb_apply_begin(void *context, gb_error *err);
/** What is done under a draw with documents first .. last - 1. */
typedef gb_status gb_apply_documents(void *context, uint64_t first, uint64_t last, size_t worker, gb_error *err);

/**
 * @param tokens_per_task  about; a task has at least one document
 * @param out              clear it with gb_application_clear(), also on failure
 * @return GB_OK, GB_EARGUMENT (documents of another vocabulary), GB_EFORMAT (a group that is not there) or GB_ENOMEM
 */
gb_status gb_application_open(gb_application *out, const gb_apply_call *call, gb_batch_kind kind,
                              uint64_t tokens_per_task, gb_error *err);
void gb_application_clear(gb_application *a);

/** The loop over this rank's documents.  @param begin  may be NULL.  @return what they return, or GB_ESTOP */
gb_status gb_for_each_draw(gb_application *a, gb_apply_begin *begin, gb_apply_documents *documents, void *context,
                           gb_error *err);

/** This rank's documents once more, without a draw. */
gb_status gb_for_each_document(gb_application *a, gb_apply_documents *documents, void *context, gb_error *err);

/**
 * How the work of all ranks has ended; all of them call it, however it has ended here.
 *
 * @param here  what has failed at this rank; its status is GB_OK if nothing has
 * @return GB_OK, the failure of the first rank that has one, at all ranks, or GB_ERANK
 */
gb_status gb_application_agree(const gb_application *a, const gb_error *here, gb_error *err);

/** Put together a list by documents, of which each rank has its own documents' elements in place; all get the others'.
 * @param list  NULL: none  @param size  bytes of an element */
gb_status gb_application_gather(const gb_application *a, void *list, size_t size, gb_error *err);

/** What random numbers of a document are named by. */
static inline uint64_t gb_application_item(const gb_application *a, uint64_t d)
{
    return a->batch.item[d];
}

/** Whether the work goes on; to be called at least every tenth of a second. */
static inline bool gb_application_goes_on(gb_application *a, size_t worker)
{
    return gb_watch_look(&a->watch, worker);
}
gb_status gb_application_stopped(gb_error *err);

static inline uint64_t gb_application_length(const gb_application *a, uint64_t d)
{
    return a->docs->doc_start[d + 1] - a->docs->doc_start[d];
}

static inline uint32_t gb_application_group(const gb_application *a, uint64_t d)
{
    return a->group == NULL ? 0 : a->group[d];
}

#endif
