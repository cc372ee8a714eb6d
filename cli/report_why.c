/* cli/report_why.c - why documents have their scores, for a report. */
#include "report_why.h"

#include "explain.h"
#include "progress.h"
#include "report_json.h"

#include <math.h>

/* Documents that are explained at a time: an explanation has a number for each of their words and topics. */
enum { SLICE = 64, N_PARTS = 6, N_WORDS = 8 };

/* ---- parts ----------------------------------------------------------------------------------------- */

/* The places of the largest numbers, largest first; @return how many are not 0. */
static size_t largest(uint64_t n, const double *value, size_t n_best, uint64_t *best)
{
    size_t n_found = 0;
    for (uint64_t i = 0; i < n; i++) {
        size_t at = n_found;
        if (value[i] == 0 || isnan(value[i]))
            continue;
        for (; at > 0 && fabs(value[best[at - 1]]) < fabs(value[i]); at--)
            if (at < n_best)
                best[at] = best[at - 1];
        if (at < n_best)
            best[at] = i;
        n_found += n_found < n_best;
    }
    return n_found;
}

/* [[what, part], ...], the largest; `rest` receives the others together. */
static json_t *parts(uint64_t n, const double *value, size_t n_best, double *rest)
{
    uint64_t best[N_WORDS];
    json_t *list = json_array();
    *rest = 0;
    for (uint64_t i = 0; i < n; i++)
        *rest += value[i];
    const size_t n_found = largest(n, value, n_best, best);
    for (size_t i = 0; i < n_found; i++) {
        *rest -= value[best[i]];
        (void)json_array_append_new(
            list, json_pack("[I, o]", (json_int_t)best[i], cli_report_real(value[best[i]], CLI_SHORT)));
    }
    return list;
}

/* What each word of a document adds: its share of the topics' parts, and its own coefficient. */
static void sum_words(const gb_explanation *e, uint64_t d, uint64_t o, double *out)
{
    const uint64_t width = e->n_topics + 1;
    for (uint64_t i = e->word_start[d]; i < e->word_start[d + 1]; i++) {
        const double *topic = e->word_topic + (i * e->n_explained + o) * width;
        double sum = e->word_effect[i * e->n_explained + o];
        for (uint64_t k = 0; k < width; k++)
            sum += topic[k];
        out[i - e->word_start[d]] = sum;
    }
}

static json_t *name_fields(const gb_model *model, json_t *places)
{
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(places); i++) {
        const json_t *pair = json_array_get(places, i);
        const char *name = "";
        (void)gb_model_needed_field(model, (uint64_t)json_integer_value(json_array_get(pair, 0)), &name, NULL, NULL);
        (void)json_array_append_new(list, json_pack("[s, O]", name, json_array_get(pair, 1)));
    }
    json_decref(places);
    return list;
}

static json_t *name_words(const gb_model *model, const uint32_t *word, json_t *places)
{
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(places); i++) {
        const json_t *pair = json_array_get(places, i);
        const json_int_t at = json_integer_value(json_array_get(pair, 0));
        (void)json_array_append_new(list,
                                    json_pack("[s, O]", gb_model_word(model, word[at]), json_array_get(pair, 1)));
    }
    json_decref(places);
    return list;
}

static double own_words(const gb_explanation *e, uint64_t d, uint64_t o)
{
    double sum = e->absent[d * e->n_explained + o];
    for (uint64_t i = e->word_start[d]; i < e->word_start[d + 1]; i++)
        sum += e->word_effect[i * e->n_explained + o];
    return sum;
}

/* Topics that are left out are among the others.  @return their parts together */
static double leave_out(const gb_model *model, uint64_t n_topics, double *topic)
{
    double sum = 0;
    for (uint64_t k = 0; k < n_topics; k++)
        if (gb_model_topic_union(model, k) == GB_LEFT_OUT) {
            sum += topic[k];
            topic[k] = 0;
        }
    return sum;
}

/* In units of the field, for numbers: parts times `scale`; the average has its centre too. */
static json_t *describe(const gb_model *model, const gb_explanation *e, uint64_t d, uint64_t o, double *room)
{
    const uint64_t i = d * e->n_explained + o, n_words = e->word_start[d + 1] - e->word_start[d];
    double rest_of_topics, rest_of_fields, rest_of_words;
    sum_words(e, d, o, room);
    json_t *words = parts(n_words, room, N_WORDS, &rest_of_words);
    const double left_out = leave_out(model, e->n_topics, e->topic + i * (e->n_topics + 1));
    json_t *topics = parts(e->n_topics, e->topic + i * (e->n_topics + 1), N_PARTS, &rest_of_topics);
    const double *covariate = e->n_fields > 0 ? e->covariate + i * e->n_fields : NULL;
    json_t *fields = parts(e->n_fields, covariate, N_PARTS, &rest_of_fields);
    return json_pack(
        "{s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "output", (json_int_t)e->output[i],
        "score", cli_report_real(e->score[i], CLI_LONG), "average", cli_report_real(e->average[i], CLI_LONG),
        "topics", topics, "other_topics", cli_report_real(rest_of_topics + left_out, CLI_LONG), "other_chains",
        cli_report_real(e->topic[i * (e->n_topics + 1) + e->n_topics], CLI_LONG), "fields",
        name_fields(model, fields), "other_fields", cli_report_real(rest_of_fields, CLI_LONG), "embedding",
        cli_report_real(e->embedding[i], CLI_LONG), "own_words", cli_report_real(own_words(e, d, o), CLI_LONG),
        "words", name_words(model, e->word + e->word_start[d], words), "centre",
        cli_report_real(e->centre[i], CLI_LONG), "scale", cli_report_real(e->scale[i], CLI_LONG));
}

/* ---- documents ------------------------------------------------------------------------------------- */

static gb_status explain_slice(const cli_call *call, const cli_batch *b, uint64_t first, uint64_t last, json_t **list,
                               gb_error *err)
{
    gb_corpus *docs = NULL;
    gb_explanation *e = NULL;
    double *room = NULL;
    uint64_t longest = 0;
    const uint64_t n_responses = gb_model_n_responses(b->model);
    gb_status st;
    CLI_TRY(gb_corpus_view_create(b->docs, first, last, &docs, err));
    CLI_TRY(gb_explanation_create(b->model, docs, n_responses, 0, &e, err));
    gb_explanation_choose(b->model, b->prediction, first, e);
    for (uint64_t d = 0; d < last - first; d++) {
        const uint64_t n = e->word_start[d + 1] - e->word_start[d];
        longest = n > longest ? n : longest;
    }
    CLI_TRY(cli_alloc(&room, longest, sizeof *room, "the words of a document", err));
    CLI_TRY(gb_explain(b->model, docs, b->first_row + first, call->settings, cli_goes_on, NULL, e, err));
    for (uint64_t d = 0; d < last - first; d++) {
        list[first + d] = json_array();
        for (uint64_t r = 0; r < n_responses; r++)
            (void)json_array_append_new(list[first + d], describe(b->model, e, d, r, room));
    }
done:
    gb_free(room);
    gb_explanation_free(e);
    gb_corpus_free(docs);
    return st;
}

gb_status cli_report_why(const cli_call *call, const cli_batch *batch, uint64_t n, json_t ***out, gb_error *err)
{
    json_t **list = NULL;
    gb_status st = cli_alloc(&list, n, sizeof *list, "the explanations", err);
    for (uint64_t first = 0; first < n && st == GB_OK; first += SLICE)
        st = explain_slice(call, batch, first, first + SLICE < n ? first + SLICE : n, list, err);
    if (st == GB_OK) {
        *out = list;
        return st;
    }
    for (uint64_t d = 0; list != NULL && d < n; d++)
        json_decref(list[d]);
    gb_free(list);
    return st;
}
