/* cli/evaluation.c - predictions against known labels, and how probable the words are: of one model. */
#include "evaluation.h"

#include "base/memory.h"
#include "base/text.h"
#include "scores_output.h"

#include <math.h>
#include <string.h>

/* A class of the model; sorted by name to be found. */
typedef struct named_class {
    const char *name;
    size_t length;
    uint32_t number;
} named_class;

struct cli_truth {
    uint64_t response;
    const char *field;
    bool is_number;
    gb_scores_task task;
    bool has_probability; /* the response has a likelihood, so its probabilities mean something */
    named_class *class;
    const char **class_name; /* in the order of the model */
    uint64_t n_classes;
    uint32_t *true_class; /* room for all classes of a document */
    uint64_t n_unlabelled;
    gb_scores *scores;
    gb_number_scores numbers;
};

typedef struct cli_truth truth;
typedef cli_evaluation evaluation;

/* ---- labels of the data as classes of the model ---------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const named_class *x = a, *y = b;
    int order = memcmp(x->name, y->name, x->length < y->length ? x->length : y->length);
    return order != 0 ? order : (x->length > y->length) - (x->length < y->length);
}

static gb_status list_classes(const gb_model *model, truth *e, gb_error *err)
{
    e->n_classes = gb_model_n_classes(model, e->response);
    gb_status st;
    GB_TRY(gb_alloc(&e->class, e->n_classes, sizeof *e->class, "the classes", err));
    GB_TRY(gb_alloc(&e->class_name, e->n_classes, sizeof *e->class_name, "the classes", err));
    for (uint32_t c = 0; c < e->n_classes; c++) {
        e->class_name[c] = gb_model_class(model, e->response, c);
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

static gb_status find_classes(const evaluation *e, truth *t, const cli_batch *batch, const gb_labels *labels,
                              uint64_t d, size_t *n_true, gb_error *err)
{
    *n_true = 0;
    for (uint64_t i = labels->doc_start[d]; i < labels->doc_start[d + 1]; i++) {
        const uint64_t *start = labels->classes.start + labels->class_of[i];
        named_class wanted = {labels->classes.bytes + start[0], start[1] - start[0], 0};
        const named_class *found = bsearch(&wanted, t->class, t->n_classes, sizeof wanted, by_name);
        if (found == NULL)
            return unknown_label(e, batch, d, &wanted, err);
        t->true_class[(*n_true)++] = found->number;
    }
    if (*n_true > 1 && t->task != GB_SCORES_MULTILABEL)
        return too_many_labels(e, batch, d, *n_true, err);
    return GB_OK;
}

static gb_status add_classes(const evaluation *e, truth *t, const cli_batch *batch, gb_error *err)
{
    gb_status st = GB_OK;
    const gb_prediction *all = batch->prediction;
    const gb_response_prediction *p = &all->response[t->response];
    const uint64_t first = gb_model_first_output(batch->model, t->response);
    const gb_labels *labels = NULL;
    for (size_t i = 0; i < batch->docs->n_labels; i++) /* a corpus file may have others */
        if (strcmp(batch->docs->labels[i].name, t->field) == 0)
            labels = &batch->docs->labels[i];
    if (labels == NULL)
        return gb_fail(err, GB_EFORMAT, "%s: no label field %s", e->call->argument[0], t->field);
    for (uint64_t d = 0; d < all->n_docs; d++) {
        size_t n_true;
        GB_TRY(find_classes(e, t, batch, labels, d, &n_true, err));
        if (!labels->labelled[d] || (n_true == 0 && t->task != GB_SCORES_MULTILABEL)) {
            t->n_unlabelled++;
            continue;
        }
        GB_TRY(gb_scores_add(t->scores, n_true, t->true_class, p->predicted[d],
                             all->score + d * all->n_outputs + first,
                             t->has_probability ? p->probability + d * p->n_classes : NULL, err));
    }
done:
    return st;
}

static gb_status add_numbers(const evaluation *e, truth *t, const cli_batch *batch, gb_error *err)
{
    const gb_response_prediction *p = &batch->prediction->response[t->response];
    const gb_numbers *numbers = NULL;
    for (size_t i = 0; i < batch->docs->n_numbers; i++)
        if (strcmp(batch->docs->numbers[i].name, t->field) == 0)
            numbers = &batch->docs->numbers[i];
    if (numbers == NULL)
        return gb_fail(err, GB_EFORMAT, "%s: no target field %s", e->call->argument[0], t->field);
    for (uint64_t d = 0; d < batch->prediction->n_docs; d++) {
        if (isnan(numbers->value[d]))
            t->n_unlabelled++;
        else
            gb_number_scores_add(&t->numbers, numbers->value[d], p->mean[d], p->q05[d], p->q95[d]);
    }
    return GB_OK;
}

gb_status cli_evaluation_add(cli_evaluation *e, const cli_batch *batch, gb_held_out **likelihood, gb_error *err)
{
    gb_status st = GB_OK;
    gb_held_out *h = NULL;
    e->n_docs += batch->docs->n_docs;
    for (uint64_t d = 0; d < batch->docs->n_docs; d++)
        e->n_unknown += batch->n_unknown[d];
    for (size_t i = 0; i < e->n; i++)
        GB_TRY(e->truth[i].is_number ? add_numbers(e, &e->truth[i], batch, err)
                                     : add_classes(e, &e->truth[i], batch, err));
    if (e->has_likelihood)
        GB_TRY(gb_held_out_likelihood(batch->model, batch->docs, batch->first_row, e->call->settings, &h, err));
    for (uint64_t d = 0; h != NULL && d < h->n_docs; d++)
        gb_held_out_scores_add(&e->likelihood, h->n_scored[d], h->log_likelihood[d], h->standard_error[d]);
    *likelihood = h;
done:
    return st;
}

gb_status cli_evaluation_check(const cli_evaluation *e, gb_error *err)
{
    for (size_t i = 0; i < e->n; i++)
        if (e->truth[i].n_unlabelled == e->n_docs)
            return gb_fail(err, GB_EFORMAT, "%s: no document has a value in field \"%s\"", e->call->argument[0],
                           e->truth[i].field);
    if (e->has_likelihood && e->likelihood.n_tokens == 0)
        return gb_fail(err, GB_EFORMAT, "%s: no document has a word that the model knows", e->call->argument[0]);
    return GB_OK;
}

/* ---- output ---------------------------------------------------------------------------------------- */

static cli_scored_response scored(const evaluation *e, const truth *t)
{
    return (cli_scored_response){.name = e->n > 1 || e->has_likelihood ? t->field : NULL,
                                 .n_unlabelled = t->n_unlabelled,
                                 .scores = t->scores,
                                 .task = t->task,
                                 .n_classes = t->n_classes,
                                 .class = t->class_name,
                                 .numbers = t->is_number ? &t->numbers : NULL};
}

const char *cli_held_out_method(const gb_settings *settings)
{
    return strcmp(settings->held_out, "auto") == 0 ? "completion" : settings->held_out;
}

static void set_number(json_t *object, const char *name, double value)
{
    if (!isnan(value))
        (void)json_object_set_new(object, name, json_real(value));
}

static json_t *likelihood_summary(const evaluation *e)
{
    const gb_held_out_scores *s = &e->likelihood;
    const gb_held_out_summary summary = gb_held_out_scores_summary(s);
    json_t *object =
        json_pack("{s:s, s:I, s:I, s:I, s:I, s:I}", "method", cli_held_out_method(e->call->settings), "n",
                  (json_int_t)s->n, "n_empty", (json_int_t)s->n_empty, "n_tokens", (json_int_t)s->n_tokens,
                  "n_unknown", (json_int_t)e->n_unknown, "n_rough", (json_int_t)s->n_rough);
    set_number(object, "log_likelihood", summary.log_likelihood);
    set_number(object, "se", summary.se);
    set_number(object, "mc_se", summary.mc_se);
    set_number(object, "perplexity", summary.perplexity);
    return object;
}

json_t *cli_evaluation_summary(const cli_evaluation *e)
{
    json_t *all = json_object();
    for (size_t i = 0; i < e->n; i++) {
        const cli_scored_response response = scored(e, &e->truth[i]);
        (void)json_object_set_new(all, e->truth[i].field, cli_scores_summary(&response));
    }
    if (e->has_likelihood)
        (void)json_object_set_new(all, "held_out", likelihood_summary(e));
    return all;
}

/* One response: its object.  Several: an object of theirs, by field.  The likelihood is one more member. */
static gb_status print_json(const evaluation *e, gb_error *err)
{
    json_t *all = e->n == 1 ? NULL : json_object();
    for (size_t i = 0; i < e->n; i++) {
        const cli_scored_response response = scored(e, &e->truth[i]);
        json_t *object = cli_scores_to_json(&response);
        if (e->n == 1)
            all = object;
        else
            (void)json_object_set_new(all, e->truth[i].field, object);
    }
    if (e->has_likelihood)
        (void)json_object_set_new(all, "held_out", likelihood_summary(e));
    gb_status st = cli_print_json(all, err);
    json_decref(all);
    return st;
}

gb_status cli_evaluation_print(const cli_evaluation *e, gb_error *err)
{
    if (e->call->settings->json)
        return print_json(e, err);
    for (size_t i = 0; i < e->n; i++) {
        const cli_scored_response response = scored(e, &e->truth[i]);
        if (i > 0)
            (void)fputc('\n', stdout);
        cli_print_scores(&response);
    }
    if (!e->has_likelihood)
        return GB_OK;
    json_t *summary = likelihood_summary(e);
    (void)printf("%s== held-out likelihood, %s ==\n", e->n > 0 ? "\n" : "", cli_held_out_method(e->call->settings));
    cli_print_summary(summary, true);
    json_decref(summary);
    return GB_OK;
}

gb_status cli_likelihood_columns(cli_table *table, bool has_parts, gb_error *err)
{
    static const char *const names[] = {"id", "n_scored", "n_unknown", "log_likelihood", "mc_se"};
    gb_status st = has_parts ? cli_table_column(table, "", "held_out", err) : GB_OK;
    for (size_t i = 0; st == GB_OK && i < sizeof names / sizeof names[0]; i++)
        st = cli_table_column(table, "", names[i], err);
    if (st == GB_OK)
        cli_table_header(table);
    return st;
}

void cli_likelihood_rows(cli_table *table, const char *part, const gb_corpus *docs, const uint64_t *n_unknown,
                         const gb_held_out *likelihood)
{
    for (uint64_t d = 0; d < docs->n_docs; d++) {
        const bool has_any = likelihood->n_scored[d] > 0;
        if (part != NULL)
            cli_table_text(table, part, strlen(part));
        cli_table_text(table, docs->ids.bytes + docs->ids.start[d], docs->ids.start[d + 1] - docs->ids.start[d]);
        cli_table_count(table, likelihood->n_scored[d]);
        cli_table_count(table, n_unknown[d]);
        cli_table_real(table, has_any ? likelihood->log_likelihood[d] : NAN);
        cli_table_real(table, has_any ? likelihood->standard_error[d] : NAN);
    }
}

/* ---- starting ------------------------------------------------------------------------------------------ */

static gb_status start_response(truth *t, const gb_model *model, gb_error *err)
{
    gb_status st = GB_OK;
    const char *task = gb_model_task(model, t->response);
    t->is_number = strcmp(task, "regression") == 0;
    if (t->is_number)
        return GB_OK;
    t->task = strcmp(task, "multilabel") == 0 ? GB_SCORES_MULTILABEL
              : strcmp(task, "binary") == 0   ? GB_SCORES_BINARY
                                              : GB_SCORES_MULTICLASS;
    t->has_probability = gb_model_has_probabilities(model, t->response);
    GB_TRY(list_classes(model, t, err));
    GB_TRY(gb_alloc(&t->true_class, t->n_classes, sizeof *t->true_class, "the classes", err));
    GB_TRY(gb_scores_create(&t->scores, t->task, t->n_classes, err));
done:
    return st;
}

static bool is_named(const gb_settings *s, const char *field)
{
    const gb_text_list *const lists[] = {&s->label, &s->labels, &s->target};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (size_t j = 0; j < lists[i]->count; j++)
            if (strcmp(lists[i]->item[j], field) == 0)
                return true;
    return false;
}

/* The model's fields, or those that the user names; a model with one response may find its truth under another name. */
static gb_status choose_fields(evaluation *e, const gb_model *model, bool chooses, gb_error *err)
{
    gb_status st;
    gb_settings *s = e->call->settings;
    const uint64_t n = gb_model_n_responses(model);
    const size_t n_named = chooses ? s->label.count + s->labels.count + s->target.count : 0;
    GB_TRY(gb_alloc(&e->truth, n, sizeof *e->truth, "the scores", err));
    if (n == 1 && n_named > 1)
        return gb_fail(err, GB_EARGUMENT, "evaluate needs one field for a model with one response, not %zu", n_named);
    for (uint64_t r = 0; r < n; r++) {
        const char *field = gb_model_field(model, r);
        if (n == 1 && n_named == 1)
            field = s->label.count > 0    ? s->label.item[0]
                    : s->labels.count > 0 ? s->labels.item[0]
                                          : s->target.item[0];
        else if (n_named > 0 && !is_named(s, field))
            continue;
        truth *t = &e->truth[e->n++];
        t->response = r;
        t->field = field;
        GB_TRY(start_response(t, model, err));
        if (chooses && n_named == 0)
            GB_TRY(gb_settings_set(s,
                                   t->is_number                      ? "target"
                                   : t->task == GB_SCORES_MULTILABEL ? "labels"
                                                                     : "label",
                                   field, err));
    }
    if (e->n == 0 && n_named > 0)
        st = gb_fail(err, GB_EARGUMENT, "%s: none of the fields named is one that the model answers for", s->model);
done:
    return st;
}

bool cli_wants_likelihood(const gb_settings *settings, bool has_response)
{
    const char *held_out = settings->held_out;
    return strcmp(held_out, "auto") == 0 ? !has_response : strcmp(held_out, "none") != 0;
}

gb_status cli_nothing_to_evaluate(gb_error *err)
{
    return gb_fail(err, GB_EARGUMENT, "--held-out none: a model without a response has nothing else to evaluate");
}

gb_status cli_no_likelihoods(gb_error *err)
{
    return gb_fail(err, GB_EARGUMENT,
                   "--output writes likelihoods; choose a way to estimate them: --held-out METHOD");
}

gb_status cli_evaluation_start(cli_evaluation *out, const cli_call *call, const gb_model *model, bool chooses_fields,
                               gb_error *err)
{
    const bool has_response = gb_model_n_outputs(model) > 0;
    *out = (cli_evaluation){.call = call, .has_likelihood = cli_wants_likelihood(call->settings, has_response)};
    if (!has_response && !out->has_likelihood)
        return cli_nothing_to_evaluate(err);
    return choose_fields(out, model, chooses_fields, err);
}

void cli_evaluation_clear(cli_evaluation *e)
{
    for (size_t i = 0; i < e->n; i++) {
        gb_scores_free(e->truth[i].scores);
        gb_free(e->truth[i].true_class);
        gb_free(e->truth[i].class_name);
        gb_free(e->truth[i].class);
    }
    gb_free(e->truth);
}
