/* bench/speed/accuracy.c - time to an accuracy.
 *
 * One call of gb_train() tells its time after each sweep.  Predictions are means over kept draws, so a model cut off after
 * its first j draws is the one that training up to there would have given. */
#include "accuracy.h"
#include "gibbous/gibbous.h"

#include "base/memory.h"
#include "model/model.h"

#include <string.h>

typedef struct watch {
    bench_time begin;
    bench_time *after; /* n_sweeps */
} watch;

static bool note_time(const gb_progress *progress, void *user)
{
    watch *w = user;
    w->after[progress->sweep - 1] = bench_since(w->begin);
    return true;
}

static gb_status read_documents(const gb_model *model, const char *path, const gb_settings *settings, gb_corpus **out,
                                gb_error *err)
{
    gb_status st;
    gb_documents *documents = NULL;
    uint64_t *n_unknown = NULL;
    GB_TRY(gb_documents_open(model, path, settings, NULL, NULL, &documents, err));
    GB_TRY(gb_documents_next(documents, UINT64_MAX, out, &n_unknown, err));
    if (*out == NULL)
        st = gb_fail(err, GB_EFORMAT, "%s: no documents", path);
done:
    free(n_unknown);
    gb_documents_close(documents);
    return st;
}

static const gb_labels *find_labels(const gb_corpus *corpus, const char *field)
{
    for (size_t i = 0; i < corpus->n_labels; i++)
        if (strcmp(corpus->labels[i].name, field) == 0)
            return &corpus->labels[i];
    return NULL;
}

static bool is_class(const gb_labels *labels, uint64_t d, const char *name)
{
    const uint32_t c = labels->class_of[labels->doc_start[d]];
    const uint64_t *start = labels->classes.start + c, length = start[1] - start[0];
    return strlen(name) == length && memcmp(labels->classes.bytes + start[0], name, length) == 0;
}

static double share_right(const gb_model *model, const gb_labels *labels, const gb_prediction *p)
{
    uint64_t n = 0, right = 0;
    for (uint64_t d = 0; d < p->n_docs; d++) {
        if (labels->doc_start[d] == labels->doc_start[d + 1])
            continue;
        n++;
        right += is_class(labels, d, gb_model_class(model, 0, p->response[0].predicted[d]));
    }
    return (double)right / (double)n;
}

/* Draws of a model with one chain are in the order of its sweeps. */
static gb_status score_draws(gb_model *model, const gb_corpus *docs, const gb_settings *settings, const watch *w,
                             bench_training *out, gb_error *err)
{
    gb_status st = GB_OK;
    const size_t n = model->n_draws;
    const gb_labels *labels = find_labels(docs, gb_model_field(model, 0));
    if (labels == NULL)
        return gb_fail(err, GB_EFORMAT, "the documents to predict have no field %s", gb_model_field(model, 0));
    for (model->n_draws = 1; model->n_draws <= n; model->n_draws++) {
        gb_prediction *p = NULL;
        GB_TRY(gb_prediction_create(model, docs->n_docs, &p, err));
        GB_TRY(gb_predict(model, docs, 0, settings, NULL, NULL, p, err));
        const uint64_t sweep = model->draw[model->n_draws - 1].sweep;
        out->score[out->n_scores++] =
            (bench_score){.sweep = sweep, .time = w->after[sweep - 1], .accuracy = share_right(model, labels, p)};
        gb_prediction_free(p);
    }
done:
    model->n_draws = n;
    return st;
}

static gb_status check(const gb_model *model, gb_error *err)
{
    if (gb_model_n_responses(model) == 0 || gb_model_n_classes(model, 0) < 2 ||
        gb_model_task(model, 0) == GB_TASK_MULTILABEL)
        return gb_fail(err, GB_EARGUMENT, "an accuracy needs one class per document");
    return GB_OK;
}

gb_status bench_train(const gb_corpus *corpus, const gb_settings *settings, const char *test, bench_training *out,
                      gb_error *err)
{
    gb_status st;
    watch w = {0};
    gb_model *model = NULL;
    gb_corpus *docs = NULL;
    *out = (bench_training){0};
    if (gb_settings_int_or(settings, "chains", 0) != 1)
        return gb_fail(err, GB_EARGUMENT, "time to an accuracy is that of one chain");
    GB_TRY(gb_alloc(&w.after, (size_t)gb_settings_int(settings, "sweeps"), sizeof *w.after, "times", err));
    w.begin = bench_now();
    GB_TRY(gb_train(corpus, settings, note_time, &w, &model, err));
    out->total = bench_since(w.begin);
    out->memory_peak = bench_memory("VmHWM");
    GB_TRY(check(model, err));
    GB_TRY(gb_alloc(&out->score, model->n_draws, sizeof *out->score, "scores", err));
    GB_TRY(read_documents(model, test, settings, &docs, err));
    GB_TRY(score_draws(model, docs, settings, &w, out, err));
done:
    gb_free(w.after);
    gb_corpus_free(docs);
    gb_model_free(model);
    return st;
}

gb_status bench_documents(const gb_corpus *corpus, const gb_spec *spec, const gb_settings *settings, const char *path,
                          gb_corpus **out, gb_error *err)
{
    gb_status st;
    gb_model *model = NULL; /* without a draw: it knows the words */
    GB_TRY(gb_model_create(&model, corpus, spec, settings, err));
    GB_TRY(read_documents(model, path, settings, out, err));
done:
    gb_model_free(model);
    return st;
}

void bench_training_clear(bench_training *training)
{
    gb_free(training->score);
}
