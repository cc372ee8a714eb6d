/* cli/report_documents.c - the documents of a report: predictions, how good they are, and texts with the topics of words. */
#include "answer.h"
#include "apply.h"
#include "baseline.h"
#include "json.h"
#include "progress.h"
#include "report_data.h"
#include "report_json.h"
#include "report_why.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A page has room for so much: documents in its list, bytes of the text of a document, and of all. */
enum { MAX_LISTED = 20000, MAX_TEXT = 4000, MAX_ALL_TEXT = 6000000, MAX_SHARES = 6 };
static const double LEAST_SHARE = 0.02;

/* A document of the list. */
typedef struct document {
    json_t *json, *text; /* text: see cut_text() */
    size_t n_bytes;      /* of the text */
    double interest;     /* texts of the most interesting ones are shown if there is no room for all */
} document;

typedef struct job {
    cli_call *call;
    const gb_model *model;
    gb_evaluation *evaluation; /* NULL: nothing to compare with */
    cli_baseline baseline;
    double *share; /* n_topics: of a document, as the page lists topics */
    document *listed;
    size_t n_listed, room;
    uint64_t n_true; /* values to compare with */
} job;

/* ---- truths ---------------------------------------------------------------------------------------- */

/* What a document is said to have in one field. */
typedef struct truth {
    bool is_known;
    double number;
    uint64_t first; /* the model's first class of it; UINT64_MAX if the model has none of them */
    json_t *classes;
} truth;

static uint64_t model_class(const gb_model *model, uint64_t r, const gb_corpus *docs, uint64_t field, uint32_t class)
{
    size_t length;
    const char *name = gb_corpus_class(docs, field, class, &length);
    for (uint64_t c = 0; c < gb_model_n_classes(model, r); c++) {
        const char *own = gb_model_class(model, r, c);
        if (strlen(own) == length && memcmp(own, name, length) == 0)
            return c;
    }
    return UINT64_MAX;
}

static truth truth_of(const gb_model *model, uint64_t r, const gb_corpus *docs, uint64_t field, uint64_t d)
{
    truth t = {.number = (double)NAN, .first = UINT64_MAX, .classes = json_array()};
    const double *numbers = gb_corpus_numbers(docs, field);
    const uint32_t *class;
    uint64_t n;
    if (numbers != NULL) {
        t.number = numbers[d];
        t.is_known = !isnan(t.number);
        (void)json_array_append_new(t.classes, cli_report_real(t.number, CLI_LONG));
    } else if (gb_corpus_classes_of(docs, field, d, &class, &n)) {
        t.is_known = true;
        for (uint64_t i = 0; i < n; i++) {
            const uint64_t c = model_class(model, r, docs, field, class[i]);
            t.first = c < t.first ? c : t.first;
            (void)json_array_append_new(t.classes, json_integer(c == UINT64_MAX ? -1 : (json_int_t)c));
        }
    }
    return t;
}

/* ---- one document ---------------------------------------------------------------------------------- */

static json_t *guess_of(const cli_batch *b, uint64_t r, uint64_t d)
{
    const gb_response_prediction *p = &b->prediction->response[r];
    json_t *guess = json_array();
    bool *has_class = NULL;
    if (p->n_classes == 0)
        (void)json_array_append_new(guess, cli_report_real(p->mean[d], CLI_LONG));
    else if (cli_alloc(&has_class, p->n_classes, sizeof *has_class, "a document", NULL) == GB_OK)
        gb_prediction_classes(b->model, b->prediction, r, d, has_class);
    else
        cli_json_lose();
    for (uint64_t c = 0; has_class != NULL && c < p->n_classes; c++)
        if (has_class[c])
            (void)json_array_append_new(guess, json_integer((json_int_t)c));
    gb_free(has_class);
    return guess;
}

/* The score behind the prediction: of the predicted class, of the positive one, or of the level. */
static double score_of(const cli_batch *b, uint64_t r, uint64_t d)
{
    const gb_response_prediction *p = &b->prediction->response[r];
    const uint64_t first = gb_model_first_output(b->model, r), n = gb_model_n_outputs_of(b->model, r);
    const uint64_t at = n > 1 && p->predicted[d] < n ? p->predicted[d] : 0;
    return b->prediction->score[d * b->prediction->n_outputs + first + at];
}

/* [true values or null, predicted ones, probability of the prediction, of the truth, score, 5 % and 95 % quantiles] */
static json_t *describe_prediction(const cli_batch *b, uint64_t r, uint64_t d, const truth *t, double *interest)
{
    const gb_response_prediction *p = &b->prediction->response[r];
    const bool is_number = p->n_classes == 0, has_p = !is_number && gb_model_has_probabilities(b->model, r);
    const bool is_one = !is_number && p->predicted[d] != UINT64_MAX;
    const double guessed = has_p && is_one ? p->probability[d * p->n_classes + p->predicted[d]] : (double)NAN;
    const double of_truth =
        has_p && is_one && t->first < p->n_classes ? p->probability[d * p->n_classes + t->first] : (double)NAN;
    json_t *guess = guess_of(b, r, d);
    const bool is_wrong =
        is_number ? t->number < p->q05[d] || t->number > p->q95[d] : t->is_known && !json_equal(guess, t->classes);
    if (is_wrong)
        *interest = fmax(*interest, 2 + (isnan(guessed) ? 0 : guessed));
    return json_pack("[o?, o, o, o, o, o, o]", t->is_known ? json_incref(t->classes) : json_null(), guess,
                     cli_report_real(guessed, CLI_SHORT), cli_report_real(of_truth, CLI_SHORT),
                     cli_report_real(is_number ? (double)NAN : score_of(b, r, d), CLI_SHORT),
                     cli_report_real(is_number ? p->q05[d] : (double)NAN, CLI_SHORT),
                     cli_report_real(is_number ? p->q95[d] : (double)NAN, CLI_SHORT));
}

static bool find_truth_field(const job *j, uint64_t r, const gb_corpus *docs, uint64_t *field)
{
    for (uint64_t i = 0; j->evaluation != NULL && i < gb_evaluation_n_responses(j->evaluation); i++)
        if (gb_evaluation_response(j->evaluation, i) == r)
            return gb_corpus_find_field(docs, gb_evaluation_field(j->evaluation, i), field);
    return false;
}

static json_t *describe_predictions(job *j, const cli_batch *b, uint64_t d, double *interest)
{
    json_t *list = json_array();
    for (uint64_t r = 0; r < gb_model_n_responses(b->model); r++) {
        uint64_t field;
        truth t = {.number = (double)NAN, .first = UINT64_MAX};
        if (find_truth_field(j, r, b->docs, &field))
            t = truth_of(b->model, r, b->docs, field, d);
        j->n_true += t.is_known;
        (void)json_array_append_new(list, describe_prediction(b, r, d, &t, interest));
        json_decref(t.classes);
    }
    return list;
}

/* Shares of topics that count as one add up in the first of them; topics that are left out have none. */
static void unite_shares(const gb_model *model, const double *share, double *united)
{
    const uint64_t n = gb_model_n_topics(model);
    memset(united, 0, n * sizeof *united);
    for (uint64_t k = 0; k < n; k++) {
        const uint64_t first = gb_model_topic_union(model, k);
        if (first != GB_LEFT_OUT)
            united[first] += share[k];
    }
}

/* Those that are worth a look. */
static size_t find_shares(const double *share, uint64_t n_topics, uint32_t *topic)
{
    size_t n = 0;
    for (uint64_t k = 0; k < n_topics; k++)
        if (share[k] >= LEAST_SHARE / 2)
            topic[n++] = (uint32_t)k;
    return n;
}

/* The largest shares of a document.  @param topic  room for n_topics */
static json_t *describe_shares(const double *share, uint64_t n_topics, uint32_t *topic)
{
    json_t *list = json_array();
    const size_t n = find_shares(share, n_topics, topic);
    double last = INFINITY;
    for (size_t i = 0; i < MAX_SHARES; i++) {
        size_t best = SIZE_MAX;
        for (size_t m = 0; m < n; m++)
            if (share[topic[m]] < last && (best == SIZE_MAX || share[topic[m]] > share[topic[best]]))
                best = m;
        if (best == SIZE_MAX || share[topic[best]] < LEAST_SHARE)
            break;
        last = share[topic[best]];
        (void)json_array_append_new(list, json_pack("[I, o]", (json_int_t)topic[best], cli_report_real(last, 3)));
    }
    return list;
}

/* The next document of the answer "texts", [part, its topic (-1: none), part, ...]: as many parts as the page has room for. */
static json_t *cut_text(const gb_table *texts, uint64_t *row, size_t *n_bytes)
{
    json_t *list = json_array();
    const uint64_t id = cli_find_column(texts, "document"), text = cli_find_column(texts, "text"),
                   topic = cli_find_column(texts, "topic");
    const uint64_t d = gb_table_counts(texts, id)[*row];
    bool is_cut = false;
    *n_bytes = 0;
    for (; *row < gb_table_n_rows(texts) && gb_table_counts(texts, id)[*row] == d; (*row)++) {
        const char *part = gb_table_text(texts, *row, text, 0), *of = gb_table_text(texts, *row, topic, 0);
        is_cut |= *n_bytes >= MAX_TEXT;
        if (is_cut)
            continue;
        *n_bytes += strlen(part) + 1;
        (void)json_array_append_new(list, json_string(part));
        (void)json_array_append_new(list, json_integer(*of == '\0' ? -1 : strtol(of, NULL, 10) - 1));
    }
    if (is_cut) {
        (void)json_array_append_new(list, json_string("..."));
        (void)json_array_append_new(list, json_integer(-1));
    }
    return list;
}

/* Texts of the first n documents of a batch, for the last that are listed. */
static gb_status add_texts(job *j, const cli_batch *b, uint64_t n, gb_error *err)
{
    gb_corpus *docs = NULL;
    gb_table *texts = NULL;
    gb_status st;
    CLI_TRY(gb_corpus_view_create(b->docs, 0, n, &docs, err));
    const gb_subject subject = {
        .size = sizeof subject, .model = j->model, .documents = docs, .share = b->prediction->share};
    CLI_TRY(gb_answer("texts", &subject, j->call->settings, &texts, err));
    for (uint64_t row = 0; row < gb_table_n_rows(texts);) {
        document *doc = &j->listed[j->n_listed - n + gb_table_counts(texts, cli_find_column(texts, "document"))[row]];
        doc->text = cut_text(texts, &row, &doc->n_bytes);
    }
done:
    gb_table_free(texts);
    gb_corpus_free(docs);
    return st;
}

static void add_document(job *j, const cli_batch *b, uint64_t d, uint32_t *topic)
{
    uint64_t n_tokens;
    size_t n_topics;
    const double *share = b->prediction->share + d * b->prediction->n_topics;
    const cli_view id = cli_id(b->docs, d);
    document *doc = &j->listed[j->n_listed++];
    *doc = (document){0};
    (void)gb_corpus_tokens(b->docs, d, &n_tokens);
    unite_shares(j->model, share, j->share);
    json_t *shares = describe_shares(j->share, b->prediction->n_topics, topic);
    n_topics = find_shares(share, b->prediction->n_topics, topic);
    doc->interest = n_topics > 0 ? share[topic[0]] : 0;
    doc->json = json_pack("{s:s#, s:I, s:I, s:o, s:o}", "id", id.bytes, (int)id.length, "n", (json_int_t)n_tokens,
                          "unknown", (json_int_t)b->n_unknown[d], "topics", shares, "predictions",
                          describe_predictions(j, b, d, &doc->interest));
}

static gb_status add_batch(const cli_batch *batch, void *user, gb_error *err)
{
    job *j = user;
    uint32_t *topic = NULL;
    json_t **why = NULL;
    gb_status st;
    const uint64_t n = gb_corpus_n_docs(batch->docs);
    const size_t n_more = j->n_listed + n < MAX_LISTED ? n : MAX_LISTED - j->n_listed;
    CLI_TRY(cli_grow(&j->listed, &j->room, j->n_listed + n_more, sizeof *j->listed, "the documents", err));
    CLI_TRY(cli_alloc(&topic, gb_model_n_topics(j->model), sizeof *topic, "the topics", err));
    if (gb_model_n_responses(j->model) > 0)
        CLI_TRY(cli_report_why(j->call, batch, n_more, &why, err));
    for (uint64_t d = 0; d < n_more; d++) {
        add_document(j, batch, d, topic);
        if (why != NULL)
            (void)json_object_set(j->listed[j->n_listed - 1].json, "why", why[d]);
    }
    if (n_more > 0)
        CLI_TRY(add_texts(j, batch, n_more, err));
    if (j->evaluation != NULL) {
        CLI_TRY(gb_evaluate(j->evaluation, batch->docs, batch->n_unknown, batch->first_row, j->call->settings,
                            cli_goes_on, NULL, batch->prediction, NULL, err));
        CLI_TRY(cli_baseline_add(&j->baseline, batch, err));
    }
done:
    for (uint64_t d = 0; why != NULL && d < n_more; d++)
        json_decref(why[d]);
    gb_free(why);
    gb_free(topic);
    return st;
}

/* ---- texts of all ---------------------------------------------------------------------------------- */

static int most_interesting_first(const void *a, const void *b)
{
    const document *x = *(document *const *)a, *y = *(document *const *)b;
    return x->interest != y->interest ? (x->interest < y->interest) - (x->interest > y->interest) : (x > y) - (x < y);
}

/* Give documents their texts until the page is full. */
static gb_status choose_texts(const job *j, gb_error *err)
{
    document **order = NULL;
    size_t left = MAX_ALL_TEXT;
    gb_status st;
    CLI_TRY(cli_alloc(&order, j->n_listed, sizeof *order, "the documents", err));
    for (size_t d = 0; d < j->n_listed; d++)
        order[d] = &j->listed[d];
    qsort(order, j->n_listed, sizeof *order, most_interesting_first);
    for (size_t i = 0; i < j->n_listed && order[i]->n_bytes <= left; i++) {
        left -= order[i]->n_bytes;
        (void)json_object_set(order[i]->json, "text", order[i]->text == NULL ? json_array() : order[i]->text);
    }
done:
    gb_free(order);
    return st;
}

/* ---- scores ---------------------------------------------------------------------------------------- */

/* The answers about predictions, with the others. */
static gb_status add_scores(job *j, json_t *tables, gb_error *err)
{
    json_t *more = NULL;
    gb_status st = GB_OK;
    if (j->evaluation == NULL || j->n_true == 0)
        return st;
    CLI_TRY(gb_evaluation_finish(j->evaluation, err));
    CLI_TRY(cli_baseline_finish(&j->baseline, err));
    const gb_subject subject = {
        .size = sizeof subject, .evaluation = j->evaluation, .linear = j->baseline.evaluation};
    CLI_TRY(cli_report_tables(j->call, &subject, &more, err));
    (void)json_object_update(tables, more);
    json_decref(more);
done:
    return st;
}

/* ---- all ------------------------------------------------------------------------------------------- */

static bool names_fields(const cli_call *call)
{
    return cli_count(call, "label") + cli_count(call, "labels") + cli_count(call, "target") > 0;
}

/* Whether the documents have the fields that the model predicts; those that the user names they must have. */
static gb_status have_truth(const cli_call *call, const gb_model *model, const gb_settings *settings, bool *out,
                            gb_error *err)
{
    gb_documents *documents = NULL;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    gb_error why = {.status = GB_OK};
    *out = names_fields(call);
    if (*out || strcmp(call->argument[0], "-") == 0)
        return GB_OK;
    gb_status st = gb_documents_open(model, call->argument[0], settings, NULL, NULL, &documents, &why);
    if (st == GB_OK)
        st = gb_documents_next(documents, 1, &docs, &n_unknown, &why);
    *out = st == GB_OK;
    gb_free(n_unknown);
    gb_corpus_free(docs);
    gb_documents_close(documents);
    if (st == GB_OK || st == GB_EFORMAT ||
        st == GB_EARGUMENT) /* if it is not the field, reading them says what it is */
        return GB_OK;
    return cli_input(cli_fail(err, st, "%s", why.message), err);
}

static gb_status open_evaluation(job *j, gb_error *err)
{
    gb_settings *with_fields = NULL;
    bool has_truth;
    gb_status st;
    CLI_TRY(gb_settings_copy(j->call->settings, &with_fields, err));
    CLI_TRY(gb_evaluation_create(j->model, with_fields, &j->evaluation, err));
    CLI_TRY(gb_evaluation_request_fields(j->evaluation, with_fields, err));
    CLI_TRY(have_truth(j->call, j->model, with_fields, &has_truth, err));
    if (has_truth) {
        CLI_TRY(gb_evaluation_request_fields(j->evaluation, j->call->settings, err));
        CLI_TRY(cli_baseline_open(j->call, j->model, &j->baseline, err));
    } else {
        cli_note(j->call, "%s: no field with true values, so predictions are compared with nothing",
                 j->call->argument[0]);
        gb_evaluation_free(j->evaluation);
        j->evaluation = NULL;
    }
done:
    gb_settings_free(with_fields);
    return st;
}

static json_t *list_documents(const job *j)
{
    json_t *list = json_array();
    for (size_t d = 0; d < j->n_listed; d++)
        (void)json_array_append(list, j->listed[d].json);
    return list;
}

static void clear_job(job *j)
{
    for (size_t d = 0; d < j->n_listed; d++) {
        json_decref(j->listed[d].json);
        json_decref(j->listed[d].text);
    }
    gb_free(j->listed);
    gb_free(j->share);
    gb_evaluation_free(j->evaluation);
    cli_baseline_close(&j->baseline);
}

gb_status cli_report_documents(cli_call *call, const gb_model *model, json_t *tables, json_t **out, gb_error *err)
{
    job j = {.call = call, .model = model};
    uint64_t n_docs, n_prior;
    gb_status st = GB_OK;
    if (call->n_arguments == 0) {
        *out = json_null();
        goto done;
    }
    if (gb_model_n_responses(model) > 0)
        CLI_TRY(open_evaluation(&j, err));
    CLI_TRY(cli_alloc(&j.share, gb_model_n_topics(model), sizeof *j.share, "the topics", err));
    CLI_TRY(gb_settings_set(call->settings, "keep-text", "yes", err));
    CLI_TRY(cli_apply(call, model, true, add_batch, &j, &n_docs, &n_prior, err));
    CLI_TRY(add_scores(&j, tables, err));
    CLI_TRY(choose_texts(&j, err));
    *out = json_pack("{s:s, s:I, s:o}", "file", cli_file_name(call->argument[0]), "n", (json_int_t)n_docs, "docs",
                     list_documents(&j));
done:
    clear_job(&j);
    return st;
}
