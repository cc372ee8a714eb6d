/* cli/cmd_explain.c - why documents have their scores. */
#include "apply.h"
#include "explain.h"
#include "progress.h"
#include "terminal.h"
#include "topic_unions.h"

#include <math.h>
#include <string.h>

enum { BATCH_DOCS = 2048, WORDS_OF_TOPIC = 3 };

/* Numbers of an explanation that are in memory together, about. */
static const uint64_t MOST_NUMBERS = UINT64_C(1) << 24;

typedef struct explainer {
    const cli_call *call;
    const gb_model *model;
    uint64_t n_explained;
    uint64_t *output; /* n_explained; NULL: those that are predicted */
    cli_neighbours near;
    char **topic_words, **title;
    gb_out_file *file; /* text, or else: */
    cli_table *table;
} explainer;

/* ---- words of topics ---- */

static uint64_t n_outputs_with_topics(const gb_model *model)
{
    return gb_model_is_one_vs_rest(model) ? gb_model_n_outputs(model) : 1;
}

const char *cli_words_of_topic(const cli_explained *x, uint64_t output, uint64_t topic)
{
    const uint64_t own = gb_model_is_one_vs_rest(x->model) ? output : 0;
    return x->topic_words[own * gb_model_n_topics(x->model) + topic];
}

static gb_status find_topic_words(explainer *x, gb_error *err)
{
    gb_status st;
    const uint64_t n_topics = gb_model_n_topics(x->model);
    uint64_t *word = NULL, n_found;
    double *probability = NULL;
    CLI_TRY(cli_alloc(&x->topic_words, n_outputs_with_topics(x->model) * n_topics, sizeof(char *),
                      "the words of topics", err));
    CLI_TRY(cli_alloc(&word, n_topics * WORDS_OF_TOPIC, sizeof *word, "the words of topics", err));
    CLI_TRY(cli_alloc(&probability, n_topics * WORDS_OF_TOPIC, sizeof *probability, "the words of topics", err));
    CLI_TRY(cli_alloc(&x->title, n_topics, sizeof *x->title, "the words of topics", err));
    for (uint64_t k = 0; k < n_topics; k++)
        CLI_TRY(cli_union_title(x->model, k, &x->title[k], err));
    for (uint64_t l = 0; l < n_outputs_with_topics(x->model); l++) {
        n_found = WORDS_OF_TOPIC;
        if (gb_model_has_topic_unions(x->model))
            CLI_TRY(gb_model_rank_union_words(x->model, "probability", NAN, WORDS_OF_TOPIC, word, probability,
                                              &n_found, err));
        else
            CLI_TRY(gb_model_words_of_topics(x->model, l, WORDS_OF_TOPIC, word, probability, &n_found, err));
        for (uint64_t k = 0; k < n_topics; k++)
            CLI_TRY(cli_join_words(x->model, word + k * n_found, n_found, &x->topic_words[l * n_topics + k], err));
    }
done:
    gb_free(word);
    gb_free(probability);
    return st;
}

/* ---- which scores ---- */

/* The outputs that a class names: in a binary task both classes have the same one.  @return how many */
static uint64_t find_class(const gb_model *model, const char *name, uint64_t *output)
{
    uint64_t n = 0;
    for (uint64_t r = 0; r < gb_model_n_responses(model); r++) {
        const uint64_t first = gb_model_first_output(model, r), n_outputs = gb_model_n_outputs_of(model, r);
        for (uint64_t c = 0; c < gb_model_n_classes(model, r); c++)
            if (strcmp(gb_model_class(model, r, c), name) == 0)
                output[n++] = first + (n_outputs == 1 ? 0 : c);
    }
    return n;
}

static gb_status choose_outputs(explainer *x, gb_error *err)
{
    gb_status st;
    const uint64_t n = cli_count(x->call, "of"), n_outputs = gb_model_n_outputs(x->model);
    uint64_t *found = NULL;
    x->n_explained = gb_model_n_responses(x->model);
    if (n == 0)
        return GB_OK;
    CLI_TRY(cli_alloc(&x->output, n_outputs, sizeof *x->output, "scores", err));
    CLI_TRY(cli_alloc(&found, n_outputs + gb_model_n_responses(x->model), sizeof *found, "scores", err));
    x->n_explained = 0;
    for (uint64_t i = 0; i < n; i++) {
        const char *name = cli_item(x->call, "of", i);
        uint64_t n_found = find_class(x->model, name, found);
        if (n_found == 0 && strcmp(name, "all") == 0)
            for (; n_found < n_outputs; n_found++)
                found[n_found] = n_found;
        if (n_found == 0) {
            char shown[GB_QUOTE_SIZE];
            gb_text_quote(name, strlen(name), shown);
            st = cli_fail(err, GB_EARGUMENT, "--of %s: not a class of the model; expected a class, or all", shown);
            goto done;
        }
        for (uint64_t j = 0; j < n_found; j++) {
            uint64_t k = 0;
            while (k < x->n_explained && x->output[k] != found[j])
                k++;
            if (k == x->n_explained)
                x->output[x->n_explained++] = found[j];
        }
    }
done:
    gb_free(found);
    return st;
}

static void set_outputs(const explainer *x, const gb_prediction *p, uint64_t first, gb_explanation *e)
{
    if (x->output == NULL)
        gb_explanation_choose(x->model, p, first, e);
    for (uint64_t i = 0; x->output != NULL && i < e->n_docs * e->n_explained; i++)
        e->output[i] = x->output[i % e->n_explained];
}

/* ---- nearest documents ---- */

static gb_status add_documents(explainer *x, const gb_corpus *docs, size_t *room, size_t *room_of_ids, gb_error *err)
{
    gb_status st;
    cli_neighbours *n = &x->near;
    const uint64_t n_docs = gb_corpus_n_docs(docs), n_topics = gb_model_n_topics(x->model);
    CLI_TRY(cli_grow(&n->share, room, (n->n_docs + n_docs) * n_topics, sizeof *n->share, "documents", err));
    CLI_TRY(cli_grow(&n->id, room_of_ids, n->n_docs + n_docs, sizeof *n->id, "documents", err));
    CLI_TRY(gb_infer(x->model, docs, n->n_docs, x->call->settings, cli_goes_on, NULL, n->share + n->n_docs * n_topics,
                     err));
    for (uint64_t d = 0; d < n_docs; d++) {
        const cli_view id = cli_id(docs, d);
        char *copy = NULL;
        CLI_TRY(cli_alloc(&copy, id.length + 1, 1, "documents", err));
        memcpy(copy, id.bytes, id.length);
        n->id[n->n_docs++] = copy;
    }
done:
    return st;
}

static gb_status read_neighbours(explainer *x, gb_error *err)
{
    gb_status st;
    gb_documents *documents = NULL;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    size_t room = 0, room_of_ids = 0;
    const char *path = cli_text(x->call, "nearest-in");
    CLI_TRY(cli_input(gb_documents_open(x->model, path, x->call->settings, NULL, NULL, &documents, err), err));
    for (;;) {
        CLI_TRY(cli_input(gb_documents_next(documents, BATCH_DOCS, &docs, &n_unknown, err), err));
        if (docs == NULL)
            break;
        CLI_TRY(add_documents(x, docs, &room, &room_of_ids, err));
        gb_corpus_free(docs);
        gb_free(n_unknown);
        docs = NULL;
        n_unknown = NULL;
    }
    x->near.n_best = (uint64_t)cli_int(x->call, "nearest");
    if (x->near.n_best > x->near.n_docs)
        x->near.n_best = x->near.n_docs;
done:
    gb_corpus_free(docs);
    gb_free(n_unknown);
    gb_documents_close(documents);
    return st;
}

/* Of one more than are wanted the best, without the document itself. */
static void keep_others(const cli_neighbours *n, const gb_corpus *docs, uint64_t d, uint64_t n_found,
                        const uint64_t *best, const double *affinity)
{
    const cli_view id = cli_id(docs, d);
    uint64_t kept = 0;
    bool is_left_out = n_found == n->n_best; /* other documents may share its id: only one is it */
    for (uint64_t i = 0; i < n_found && kept < n->n_best; i++) {
        const char *other = n->id[best[i]];
        if (!is_left_out && strlen(other) == id.length && memcmp(other, id.bytes, id.length) == 0) {
            is_left_out = true;
            continue;
        }
        n->best[d * n->n_best + kept] = best[i];
        n->affinity[d * n->n_best + kept++] = affinity[i];
    }
}

static gb_status find_nearest(explainer *x, const gb_prediction *p, uint64_t first, const gb_corpus *docs,
                              gb_error *err)
{
    gb_status st;
    cli_neighbours *n = &x->near;
    const uint64_t n_docs = gb_corpus_n_docs(docs), n_found = n->n_best + (n->n_best < n->n_docs ? 1 : 0);
    uint64_t *best = NULL;
    double *affinity = NULL;
    gb_free(n->best);
    gb_free(n->affinity);
    n->best = NULL;
    n->affinity = NULL;
    CLI_TRY(cli_alloc(&n->best, n_docs * n->n_best, sizeof *n->best, "nearest documents", err));
    CLI_TRY(cli_alloc(&n->affinity, n_docs * n->n_best, sizeof *n->affinity, "nearest documents", err));
    if (n->n_best == 0)
        goto done;
    CLI_TRY(cli_alloc(&best, n_docs * n_found, sizeof *best, "nearest documents", err));
    CLI_TRY(cli_alloc(&affinity, n_docs * n_found, sizeof *affinity, "nearest documents", err));
    CLI_TRY(gb_nearest_documents(p->n_topics, n_docs, p->share + first * p->n_topics, n->n_docs, n->share, n_found,
                                 best, affinity, err));
    for (uint64_t d = 0; d < n_docs; d++)
        keep_others(n, docs, d, n_found, best + d * n_found, affinity + d * n_found);
done:
    gb_free(best);
    gb_free(affinity);
    return st;
}

static void clear(explainer *x)
{
    for (uint64_t d = 0; d < x->near.n_docs; d++)
        gb_free(x->near.id[d]);
    gb_free(x->near.id);
    gb_free(x->near.share);
    gb_free(x->near.best);
    gb_free(x->near.affinity);
    for (uint64_t k = 0; x->topic_words != NULL && k < n_outputs_with_topics(x->model) * gb_model_n_topics(x->model);
         k++)
        gb_free(x->topic_words[k]);
    gb_free(x->topic_words);
    for (uint64_t k = 0; x->title != NULL && k < gb_model_n_topics(x->model); k++)
        gb_free(x->title[k]);
    gb_free(x->title);
    gb_free(x->output);
}

/* ---- documents ---- */

static gb_status explain_some(explainer *x, const cli_batch *batch, uint64_t first, uint64_t last, gb_error *err)
{
    gb_status st;
    gb_corpus *docs = NULL;
    gb_explanation *e = NULL;
    const bool has_near = *cli_text(x->call, "nearest-in") != '\0';
    CLI_TRY(gb_corpus_view_create(batch->docs, first, last, &docs, err));
    CLI_TRY(gb_explanation_create(x->model, docs, x->n_explained, (uint64_t)cli_int(x->call, "without"), &e, err));
    set_outputs(x, batch->prediction, first, e);
    CLI_TRY(gb_explain(x->model, docs, batch->first_row + first, x->call->settings, cli_goes_on, NULL, e, err));
    if (has_near)
        CLI_TRY(find_nearest(x, batch->prediction, first, docs, err));
    const cli_explained explained = {.call = x->call,
                                     .model = x->model,
                                     .docs = docs,
                                     .prediction = batch->prediction,
                                     .first = first,
                                     .e = e,
                                     .neighbours = has_near ? &x->near : NULL,
                                     .topic_words = x->topic_words,
                                     .title = x->title};
    st = x->table != NULL ? cli_write_explained(&explained, x->table, err)
                          : cli_print_explained(&explained, gb_out_file_stream(x->file),
                                                cli_has_colours(cli_text(x->call, "output")), err);
done:
    gb_explanation_free(e);
    gb_corpus_free(docs);
    return st;
}

static gb_status explain_batch(const cli_batch *batch, void *user, gb_error *err)
{
    gb_status st = GB_OK;
    explainer *x = user;
    const uint64_t n_docs = gb_corpus_n_docs(batch->docs), each = x->n_explained * (gb_model_n_topics(x->model) + 1);
    for (uint64_t first = 0, last; st == GB_OK && first < n_docs; first = last) {
        uint64_t n_tokens = 0, n_numbers = 0;
        for (last = first; last < n_docs && (last == first || n_numbers < MOST_NUMBERS); last++) {
            (void)gb_corpus_tokens(batch->docs, last, &n_tokens);
            n_numbers += (n_tokens + 1) * each;
        }
        st = explain_some(x, batch, first, last, err);
    }
    return st;
}

/* ---- the verb ---- */

static gb_status check_call(const cli_call *call, const gb_model *model, gb_error *err)
{
    if (gb_model_n_outputs(model) == 0)
        return cli_fail(err, GB_EARGUMENT,
                        "%s: a model without a response has no scores to explain; gibbous infer gives topic shares",
                        cli_text(call, "model"));
    return GB_OK;
}

static gb_status open_output(explainer *x, gb_error *err)
{
    gb_status st;
    const cli_call *call = x->call;
    if (!cli_is_set(call, "table"))
        return gb_out_file_open(&x->file, cli_text(call, "output"), cli_flag(call, "force"), err);
    CLI_TRY(cli_table_open_output(&x->table, call, err));
    CLI_TRY(cli_add_explain_columns(call, gb_model_has_topic_names(x->model), x->table, err));
done:
    return st;
}

static gb_status commit(explainer *x, gb_error *err)
{
    cli_table *table = x->table;
    gb_out_file *file = x->file;
    x->table = NULL;
    x->file = NULL;
    return table != NULL ? cli_table_commit(table, err) : gb_out_file_commit(file, err);
}

gb_status cli_explain(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    explainer x = {.call = call};
    uint64_t n_docs, n_prior;
    gb_status st;
    CLI_TRY(cli_read_model(call, &model, err));
    x.model = model;
    CLI_TRY(check_call(call, model, err));
    CLI_TRY(choose_outputs(&x, err));
    CLI_TRY(open_output(&x, err));
    CLI_TRY(find_topic_words(&x, err));
    if (*cli_text(call, "nearest-in") != '\0')
        CLI_TRY(read_neighbours(&x, err));
    CLI_TRY(cli_apply(call, model, true, explain_batch, &x, &n_docs, &n_prior, err));
    CLI_TRY(commit(&x, err));
    if (n_prior > 0)
        cli_note(call, "%llu of %llu document%s %s no word that the model knows", (unsigned long long)n_prior,
                 (unsigned long long)n_docs, cli_plural(n_docs), n_prior == 1 ? "has" : "have");
    if (!cli_to_stdout(cli_text(call, "output")))
        cli_note(call, "wrote %s (%llu document%s)", cli_text(call, "output"), (unsigned long long)n_docs,
                 cli_plural(n_docs));
done:
    cli_table_discard(x.table);
    gb_out_file_discard(x.file);
    clear(&x);
    gb_model_free(model);
    return st;
}
