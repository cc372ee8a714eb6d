/* apply/draw_topics.c - a topic for each token of new documents. */
#include "apply/export.h"
#include "apply/new_topics.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { TOKENS_PER_TASK = 1 << 14 };

typedef struct topic_run {
    gb_application application;
    gb_new_topics topics;
    uint16_t *out;
} topic_run;

/* Topics have numbers of their own in each chain. */
static bool is_of_first_chain(const topic_run *r)
{
    return r->application.draw->chain == r->application.model->draw[0].chain;
}

static gb_status begin_draw(void *context, gb_error *err)
{
    topic_run *r = context;
    (void)err;
    gb_new_topics_begin(&r->topics);
    return GB_OK;
}

/* A word's place among the words of the document, equal ones in the order of the text. */
typedef struct place {
    uint32_t word, at;
} place;

static int compare_places(const void *a, const void *b)
{
    const place *x = a, *y = b;
    return x->word != y->word ? (x->word > y->word) - (x->word < y->word) : (x->at > y->at) - (x->at < y->at);
}

/* Topics of all documents, whose words were in the order of the vocabulary, go to the words as they stand in the text. */
static gb_status put_in_text_order(const gb_corpus *docs, uint64_t longest, uint16_t *topic, gb_error *err)
{
    gb_status st;
    place *sorted = NULL;
    uint16_t *drawn = NULL;
    GB_TRY(gb_alloc(&sorted, longest, sizeof *sorted, "topics of new documents", err));
    GB_TRY(gb_alloc(&drawn, longest, sizeof *drawn, "topics of new documents", err));
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const uint32_t *word = docs->word + docs->doc_start[d];
        uint16_t *of_doc = topic + (docs->doc_start[d] - docs->doc_start[0]);
        const size_t n = (size_t)(docs->doc_start[d + 1] - docs->doc_start[d]);
        for (size_t i = 0; i < n; i++) {
            sorted[i] = (place){word[i], (uint32_t)i};
            drawn[i] = of_doc[i];
        }
        qsort(sorted, n, sizeof *sorted, compare_places);
        for (size_t i = 0; i < n; i++)
            of_doc[sorted[i].at] = drawn[i];
    }
done:
    gb_free(sorted);
    gb_free(drawn);
    return st;
}

/* Each sample replaces the one before it: the last stays. */
static void keep(void *context, uint64_t d, const uint16_t *topic, uint32_t sweep, size_t worker)
{
    topic_run *r = context;
    const uint64_t *start = r->application.docs->doc_start;
    (void)sweep;
    (void)worker;
    memcpy(r->out + (start[d] - start[0]), topic, (size_t)(start[d + 1] - start[d]) * sizeof *topic);
}

static gb_status draw_documents(void *context, uint64_t first, uint64_t last, size_t worker, gb_error *err)
{
    topic_run *r = context;
    return is_of_first_chain(r) ? gb_new_topics_draw(&r->topics, first, last, worker, keep, r, err) : GB_OK;
}

gb_status gb_draw_topics(const gb_model *model, const gb_corpus *docs, uint64_t first_row,
                         const gb_settings *settings, gb_on_apply *on_progress, void *user, uint16_t *topic,
                         gb_error *err)
{
    gb_status st;
    topic_run r = {.out = topic};
    const gb_apply_call call = {.model = model,
                                .docs = docs,
                                .first_row = first_row,
                                .settings = settings,
                                .on_progress = on_progress,
                                .user = user};
    if (gb_model_is_one_vs_rest(model))
        return gb_fail(err, GB_EARGUMENT,
                       "a model of `strategy` one-vs-rest has topics for each class, and none that tokens have");
    GB_TRY(gb_application_open(&r.application, &call, GB_BATCH_COUNTS, TOKENS_PER_TASK, err));
    GB_TRY(gb_new_topics_create(&r.topics, &r.application, err));
    GB_TRY(gb_for_each_draw(&r.application, begin_draw, draw_documents, &r, err));
    GB_TRY(put_in_text_order(docs, r.application.longest, topic, err));
done:
    gb_new_topics_clear(&r.topics);
    gb_application_clear(&r.application);
    return st;
}
