/* cli/cmd_evaluate.c - predictions against known labels. */
#include "apply.h"

#include "base/memory.h"
#include "base/text.h"
#include "evaluation/scores.h"
#include "response/response.h"

#include <inttypes.h>
#include <math.h>
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
    gb_status st = gb_alloc(&e->class, e->n_classes, sizeof *e->class, "the classes", err);
    if (st != GB_OK)
        return st;
    for (uint32_t c = 0; c < e->n_classes; c++) {
        const char *name = gb_model_class(model, c);
        e->class[c] = (named_class){name, strlen(name), c};
    }
    qsort(e->class, e->n_classes, sizeof *e->class, by_name);
    return GB_OK;
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

static void set_score(json_t *object, const char *name, double value)
{
    if (!isnan(value))
        (void)json_object_set_new(object, name, json_real(value));
}

static json_t *summary_to_json(const evaluation *e, const gb_score_summary *r)
{
    json_t *object = json_pack("{s:I, s:I}", "n", (json_int_t)r->n, "n_unlabelled", (json_int_t)e->n_unlabelled);
    set_score(object, "accuracy", r->accuracy);
    set_score(object, "macro_f1", r->macro_f1);
    set_score(object, "micro_f1", r->micro_f1);
    set_score(object, "hamming_loss", r->hamming_loss);
    set_score(object, "log_loss", r->log_loss);
    set_score(object, "brier", r->brier);
    set_score(object, "auc", r->auc);
    return object;
}

static json_t *classes_to_json(const evaluation *e, const gb_model *model)
{
    json_t *classes = json_object();
    for (uint64_t c = 0; c < e->n_classes; c++) {
        gb_class_score s = gb_scores_class(e->scores, c);
        (void)json_object_set_new(classes, gb_model_class(model, c),
                                  json_pack("{s:f, s:f, s:f, s:I}", "precision", s.precision, "recall", s.recall,
                                            "f1", s.f1, "n", (json_int_t)s.support));
    }
    return classes;
}

static bool has_confusion(const evaluation *e)
{
    return e->task != GB_SCORES_MULTILABEL && e->n_classes <= GB_CONFUSION_CLASSES;
}

/* Rows are true classes, columns predicted ones, both in the order of "classes". */
static json_t *confusion_to_json(const evaluation *e)
{
    json_t *rows = json_array();
    for (uint64_t t = 0; t < e->n_classes; t++) {
        json_t *row = json_array();
        for (uint64_t p = 0; p < e->n_classes; p++)
            (void)json_array_append_new(row, json_integer((json_int_t)gb_scores_confusion(e->scores, t, p)));
        (void)json_array_append_new(rows, row);
    }
    return rows;
}

static gb_status print_json(const evaluation *e, const gb_model *model, gb_error *err)
{
    gb_score_summary r = gb_scores_summary(e->scores);
    json_t *object = summary_to_json(e, &r);
    if (object != NULL) {
        (void)json_object_set_new(object, "classes", classes_to_json(e, model));
        if (has_confusion(e))
            (void)json_object_set_new(object, "confusion", confusion_to_json(e));
    }
    gb_status st = cli_print_json(object, err);
    json_decref(object);
    return st;
}

static void print_summary(const evaluation *e)
{
    gb_score_summary r = gb_scores_summary(e->scores);
    json_t *object = summary_to_json(e, &r);
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value)
    {
        if (json_is_integer(value))
            (void)printf("%-14s %8" JSON_INTEGER_FORMAT "\n", name, json_integer_value(value));
        else
            (void)printf("%-14s %8.4f\n", name, json_real_value(value));
    }
    json_decref(object);
}

static void print_classes(const evaluation *e, const gb_model *model, int width)
{
    (void)printf("\n%-*s  precision  recall      f1        n\n", width, "class");
    for (uint64_t c = 0; c < e->n_classes; c++) {
        gb_class_score s = gb_scores_class(e->scores, c);
        (void)printf("%-*s  %9.4f  %6.4f  %6.4f %8" PRIu64 "\n", width, gb_model_class(model, c), s.precision,
                     s.recall, s.f1, s.support);
    }
}

static void print_confusion(const evaluation *e, const gb_model *model, int width)
{
    (void)printf("\nrows: true class; columns: predicted, in the same order\n");
    for (uint64_t t = 0; t < e->n_classes; t++) {
        (void)printf("%-*s ", width, gb_model_class(model, t));
        for (uint64_t p = 0; p < e->n_classes; p++)
            (void)printf(" %5" PRIu64, gb_scores_confusion(e->scores, t, p));
        (void)fputc('\n', stdout);
    }
}

static void print_table(const evaluation *e, const gb_model *model)
{
    size_t width = strlen("class");
    for (uint64_t c = 0; c < e->n_classes; c++)
        width = e->class[c].length > width && e->class[c].length < 40 ? e->class[c].length : width;
    print_summary(e);
    print_classes(e, model, (int)width);
    if (has_confusion(e))
        print_confusion(e, model, (int)width);
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
    if (call->settings->json)
        GB_TRY(print_json(&e, model, err));
    else
        print_table(&e, model);
done:
    gb_scores_free(e.scores);
    gb_free(e.true_class);
    gb_free(e.class);
    gb_model_free(model);
    return st;
}
