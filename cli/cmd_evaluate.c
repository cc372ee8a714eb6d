/* cli/cmd_evaluate.c - predictions against known labels. */
#include "apply.h"

#include "base/memory.h"
#include "base/text.h"
#include "response/response.h"
#include "scores_output.h"

#include <string.h>

/* A class of the model; sorted by name to be found. */
typedef struct named_class {
    const char *name;
    size_t length;
    uint32_t number;
} named_class;

typedef struct evaluation {
    const cli_call *call;
    gb_scores_task task;
    bool has_probability; /* the response has a likelihood, so its probabilities mean something */
    named_class *class;
    const char **class_name; /* in the order of the model */
    uint64_t n_classes;
    uint32_t *true_class; /* room for all classes of a document */
    uint64_t n_unlabelled;
    gb_scores *scores;
} evaluation;

/* ---- labels of the data as classes of the model ---------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const named_class *x = a, *y = b;
    int order = memcmp(x->name, y->name, x->length < y->length ? x->length : y->length);
    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

static gb_status list_classes(const gb_model *model, evaluation *e, gb_error *err)
{
    e->n_classes = gb_model_n_classes(model);
    gb_status st;
    GB_TRY(gb_alloc(&e->class, e->n_classes, sizeof *e->class, "the classes", err));
    GB_TRY(gb_alloc(&e->class_name, e->n_classes, sizeof *e->class_name, "the classes", err));
    for (uint32_t c = 0; c < e->n_classes; c++) {
        e->class_name[c] = gb_model_class(model, c);
        e->class[c] = (named_class){e->class_name[c], strlen(e->class_name[c]), c};
    }
    qsort(e->class, e->n_classes, sizeof *e->class, by_name);
done:
    return st;
}

/* The document in quotation marks, for messages. */
static void quote_id(const cli_batch *batch, uint64_t d, char out[static GB_QUOTE_SIZE])
{
    const gb_texts *ids = &batch->docs->ids;
    gb_text_quote(ids->bytes + ids->start[d], ids->start[d + 1] - ids->start[d], out);
}

static gb_status unknown_label(const evaluation *e, const cli_batch *batch, uint64_t d, const named_class *wanted,
                               gb_error *err)
{
    char label[GB_QUOTE_SIZE], id[GB_QUOTE_SIZE];
    gb_text_quote(wanted->name, wanted->length, label);
    quote_id(batch, d, id);
    return gb_fail(err, GB_EFORMAT, "%s: document %s: label %s is not a class of the model", e->call->argument[0], id,
                   label);
}

static gb_status too_many_labels(const evaluation *e, const cli_batch *batch, uint64_t d, size_t n_true,
                                 gb_error *err)
{
    char id[GB_QUOTE_SIZE];
    quote_id(batch, d, id);
    return gb_fail(err, GB_EFORMAT, "%s: document %s has %zu labels, but the model gives one", e->call->argument[0],
                   id, n_true);
}

static gb_status find_classes(const evaluation *e, const cli_batch *batch, const gb_labels *labels, uint64_t d,
                              size_t *n_true, gb_error *err)
{
    *n_true = 0;
    for (uint64_t i = labels->doc_start[d]; i < labels->doc_start[d + 1]; i++) {
        const uint64_t *start = labels->classes.start + labels->class_of[i];
        named_class wanted = {labels->classes.bytes + start[0], start[1] - start[0], 0};
        const named_class *found = bsearch(&wanted, e->class, e->n_classes, sizeof wanted, by_name);
        if (found == NULL)
            return unknown_label(e, batch, d, &wanted, err);
        e->true_class[(*n_true)++] = found->number;
    }
    if (*n_true > 1 && e->task != GB_SCORES_MULTILABEL)
        return too_many_labels(e, batch, d, *n_true, err);
    return GB_OK;
}

/* A corpus file may have more label fields than the one that was asked for. */
static const gb_labels *find_field(const gb_corpus *docs, const char *name)
{
    for (size_t i = 0; i < docs->n_labels; i++)
        if (strcmp(docs->labels[i].name, name) == 0)
            return &docs->labels[i];
    return NULL;
}

static gb_status add_batch(const cli_batch *batch, void *user, gb_error *err)
{
    evaluation *e = user;
    const gb_prediction *p = batch->prediction;
    const gb_settings *s = e->call->settings;
    const char *name = s->label.count > 0 ? s->label.item[0] : s->labels.item[0];
    const gb_labels *labels = find_field(batch->docs, name);
    gb_status st = GB_OK;
    if (labels == NULL)
        return gb_fail(err, GB_EFORMAT, "%s: no label field %s", e->call->argument[0], name);
    for (uint64_t d = 0; d < p->n_docs; d++) {
        size_t n_true;
        GB_TRY(find_classes(e, batch, labels, d, &n_true, err));
        if (!labels->labelled[d] || (n_true == 0 && e->task != GB_SCORES_MULTILABEL)) {
            e->n_unlabelled++;
            continue;
        }
        GB_TRY(gb_scores_add(e->scores, n_true, e->true_class, p->predicted[d], p->score + d * p->n_outputs,
                             e->has_probability ? p->probability + d * p->n_classes : NULL, err));
    }
done:
    return st;
}

/* ---- output ---------------------------------------------------------------------------------------- */

static gb_status print_scores(const evaluation *e, gb_error *err)
{
    const cli_scored_response scored = {.n_unlabelled = e->n_unlabelled,
                                        .scores = e->scores,
                                        .task = e->task,
                                        .n_classes = e->n_classes,
                                        .class = e->class_name};
    if (!e->call->settings->json) {
        cli_print_scores(&scored);
        return GB_OK;
    }
    json_t *object = cli_scores_to_json(&scored);
    gb_status st = cli_print_json(object, err);
    json_decref(object);
    return st;
}

/* ---- the verb -------------------------------------------------------------------------------------- */

static gb_status start(evaluation *e, const gb_model *model, gb_error *err)
{
    const char *task = gb_model_task(model);
    gb_settings *s = e->call->settings;
    gb_status st = GB_OK;
    if (gb_model_n_outputs(model) == 0)
        return gb_fail(err, GB_EARGUMENT, "%s: a model without a response has nothing to evaluate", s->model);
    e->task = strcmp(task, "multilabel") == 0 ? GB_SCORES_MULTILABEL
              : strcmp(task, "binary") == 0   ? GB_SCORES_BINARY
                                              : GB_SCORES_MULTICLASS;
    e->has_probability = gb_response_find(gb_model_response(model))->calibrated;
    if (s->label.count + s->labels.count > 1)
        return gb_fail(err, GB_EARGUMENT, "evaluate needs one label field, not %zu",
                       s->label.count + s->labels.count);
    if (s->label.count + s->labels.count == 0)
        GB_TRY(gb_settings_set(s, e->task == GB_SCORES_MULTILABEL ? "labels" : "label", gb_model_label_field(model),
                               err));
    GB_TRY(list_classes(model, e, err));
    GB_TRY(gb_alloc(&e->true_class, e->n_classes, sizeof *e->true_class, "the classes", err));
    GB_TRY(gb_scores_create(&e->scores, e->task, e->n_classes, err));
done:
    return st;
}

gb_status cli_evaluate(cli_call *call, gb_error *err)
{
    evaluation e = {.call = call};
    gb_model *model = NULL;
    uint64_t n_docs, n_prior;
    gb_status st;
    GB_TRY(cli_read_model(call, &model, err));
    GB_TRY(start(&e, model, err));
    GB_TRY(cli_apply(call, model, add_batch, &e, &n_docs, &n_prior, err));
    if (e.n_unlabelled == n_docs) {
        st = gb_fail(err, GB_EFORMAT, "%s: no labelled document", call->argument[0]);
        goto done;
    }
    GB_TRY(print_scores(&e, err));
done:
    gb_scores_free(e.scores);
    gb_free(e.true_class);
    gb_free(e.class_name);
    gb_free(e.class);
    gb_model_free(model);
    return st;
}
