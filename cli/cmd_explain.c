/* cli/cmd_explain.c - why documents have their scores. */
#include "answer.h"
#include "explain.h"
#include "progress.h"
#include "reading.h"
#include "terminal.h"

#include <string.h>

/* Numbers of an explanation that are in memory together, about; of these the words of topics have a row of a table each. */
static const uint64_t most_numbers = UINT64_C(1) << 22, most_rows = UINT64_C(1) << 19;

typedef struct explainer {
    const cli_call *call;
    const gb_model *model;
    gb_settings *settings; /* of the call, and what text shows of a document */
    gb_table *topics;      /* whose words stand beside topics */
    gb_corpus *among;      /* of --nearest-in, or NULL */
    double *among_share;
    const char *question[3];
    size_t n_questions; /* with a table, 1 */
    bool explains;      /* any but that about nearest documents */
    cli_table *table;   /* or else text: */
    gb_out_file *file;
    FILE *stream;
} explainer;

/* ---- some documents -------------------------------------------------------------------------------- */

gb_status cli_words_of_topics(const gb_settings *settings, const gb_model *model, gb_table **out, gb_error *err)
{
    gb_settings *copy = NULL;
    gb_status st;
    CLI_TRY(gb_settings_copy(settings, &copy, err));
    CLI_TRY(gb_settings_set(copy, "words", "3", err));
    const gb_subject subject = {.size = sizeof subject, .model = model};
    st = gb_answer("topics", &subject, copy, out, err);
done:
    gb_settings_free(copy);
    return st;
}

gb_status cli_explain_some(const gb_settings *settings, const cli_batch *b, uint64_t first, uint64_t last,
                           gb_corpus **out_docs, gb_explanation **out, gb_error *err)
{
    gb_corpus *docs = NULL;
    gb_explanation *e = NULL;
    gb_status st;
    CLI_TRY(gb_corpus_view_create(b->docs, first, last, &docs, err));
    CLI_TRY(gb_explanation_make(b->model, docs, settings, b->prediction, first, &e, err));
    CLI_TRY(gb_explain(b->model, docs, b->first_row + first, settings, cli_goes_on, NULL, e, err));
    *out_docs = docs;
    *out = e;
    docs = NULL;
    e = NULL;
done:
    gb_corpus_free(docs);
    gb_explanation_free(e);
    return st;
}

static gb_status show(const explainer *x, const gb_subject *subject, bool is_first, gb_error *err)
{
    gb_table *answer[CLI_MOST_ANSWERS] = {NULL};
    gb_status st = GB_OK;
    for (size_t i = 0; i < x->n_questions; i++)
        CLI_TRY(gb_answer(x->question[i], subject, x->settings, &answer[i], err));
    if (x->table != NULL) {
        st = cli_write_answer(x->table, answer[0], err);
        goto done;
    }
    if (!is_first)
        (void)fputc('\n', x->stream);
    st = cli_print_answers(x->stream, x->n_questions, (const gb_table *const *)answer, CLI_ALL_ROWS, err);
done:
    for (size_t i = 0; i < x->n_questions; i++)
        gb_table_free(answer[i]);
    return st;
}

static gb_status explain_some(const explainer *x, const cli_batch *batch, uint64_t first, uint64_t last,
                              gb_error *err)
{
    gb_corpus *docs = NULL;
    gb_explanation *e = NULL;
    gb_status st = x->explains ? cli_explain_some(x->settings, batch, first, last, &docs, &e, err)
                               : gb_corpus_view_create(batch->docs, first, last, &docs, err);
    const gb_subject subject = {.size = sizeof subject,
                                .model = x->model,
                                .documents = docs,
                                .explanation = e,
                                .topics = x->topics,
                                .share = batch->prediction->share + first * batch->prediction->n_topics,
                                .among = x->among,
                                .among_share = x->among_share};
    if (st == GB_OK)
        st = show(x, &subject, batch->first_row + first == 0, err);
    gb_explanation_free(e);
    gb_corpus_free(docs);
    return st;
}

static uint64_t most_scores(const explainer *x)
{
    return cli_count(x->call, "of") > 0 ? gb_model_n_outputs(x->model) : gb_model_n_responses(x->model);
}

static gb_status explain_batch(const cli_batch *batch, void *user, gb_error *err)
{
    gb_status st = GB_OK;
    const explainer *x = user;
    const uint64_t most = strcmp(x->question[0], "explanation-topic-words") == 0 ? most_rows : most_numbers;
    const uint64_t n_docs = gb_corpus_n_docs(batch->docs), each = most_scores(x) * (gb_model_n_topics(x->model) + 1);
    for (uint64_t first = 0, last; st == GB_OK && first < n_docs; first = last) {
        uint64_t n_tokens = 0, n_numbers = 0;
        for (last = first; last < n_docs && (last == first || n_numbers < most); last++) {
            (void)gb_corpus_tokens(batch->docs, last, &n_tokens);
            n_numbers += (n_tokens + 1) * each;
        }
        st = explain_some(x, batch, first, last, err);
    }
    return st;
}

/* ---- the verb -------------------------------------------------------------------------------------- */

static const char *question_of(const char *table_of)
{
    static const char *const name[][2] = {
        {"words", "explanation-words"}, {"topic-words", "explanation-topic-words"}, {"nearest", "nearest-documents"}};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if (strcmp(name[i][0], table_of) == 0)
            return name[i][1];
    return "explanation";
}

/* What is asked, and of which settings: scores without words take as long as all the rest. */
static gb_status choose_questions(explainer *x, gb_error *err)
{
    gb_status st;
    const bool is_table = cli_is_set(x->call, "table");
    x->question[x->n_questions++] = is_table ? question_of(cli_text(x->call, "table-of")) : "explanation";
    if (!is_table)
        x->question[x->n_questions++] = "explanation-words";
    if (!is_table && x->among != NULL)
        x->question[x->n_questions++] = "nearest-documents";
    x->explains = strcmp(x->question[0], "nearest-documents") != 0;
    CLI_TRY(gb_settings_copy(x->call->settings, &x->settings, err));
    if (!is_table && !cli_is_set(x->call, "rows"))
        CLI_TRY(gb_settings_set(x->settings, "rows", "8", err));
    if (is_table && strcmp(x->question[0], "explanation-words") != 0)
        CLI_TRY(gb_settings_set(x->settings, "without", "0", err));
    if (strcmp(x->question[0], "explanation") == 0)
        CLI_TRY(cli_words_of_topics(x->settings, x->model, &x->topics, err));
done:
    return st;
}

static gb_status read_neighbours(explainer *x, gb_error *err)
{
    gb_status st = GB_OK;
    const char *path = cli_text(x->call, "nearest-in");
    if (*path == '\0')
        return st;
    CLI_TRY(cli_read_documents(x->call->settings, x->model, path, &x->among, NULL, err));
    CLI_TRY(cli_alloc(&x->among_share, gb_corpus_n_docs(x->among) * gb_model_n_topics(x->model), sizeof(double),
                      "documents", err));
    st = gb_infer(x->model, x->among, 0, x->call->settings, cli_goes_on, NULL, x->among_share, err);
done:
    return st;
}

static gb_status open_output(explainer *x, gb_error *err)
{
    gb_status st;
    const cli_call *call = x->call;
    if (cli_is_set(call, "table"))
        return cli_table_open_output(&x->table, call, err);
    CLI_TRY(gb_out_file_open(&x->file, cli_text(call, "output"), cli_flag(call, "force"), err));
    st = cli_clean_stream(gb_out_file_stream(x->file), &x->stream, err);
done:
    return st;
}

static gb_status commit(explainer *x, gb_error *err)
{
    cli_table *table = x->table;
    gb_out_file *file = x->file;
    if (x->stream != NULL)
        (void)fclose(x->stream);
    x->table = NULL;
    x->file = NULL;
    x->stream = NULL;
    return table != NULL ? cli_table_commit(table, err) : gb_out_file_commit(file, err);
}

static void close_explainer(explainer *x)
{
    if (x->stream != NULL)
        (void)fclose(x->stream);
    cli_table_discard(x->table);
    gb_out_file_discard(x->file);
    gb_table_free(x->topics);
    gb_settings_free(x->settings);
    gb_corpus_free(x->among);
    gb_free(x->among_share);
}

gb_status cli_explain(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    explainer x = {.call = call};
    uint64_t n_docs, n_prior;
    gb_status st;
    CLI_TRY(cli_read_model(call, &model, err));
    x.model = model;
    if (gb_model_n_outputs(model) == 0) {
        st = cli_fail(err, GB_EARGUMENT,
                      "%s: a model without a response has no scores to explain; gibbous infer gives topic shares",
                      cli_text(call, "model"));
        goto done;
    }
    CLI_TRY(open_output(&x, err));
    CLI_TRY(read_neighbours(&x, err));
    CLI_TRY(choose_questions(&x, err));
    CLI_TRY(cli_apply(call, model, true, explain_batch, &x, &n_docs, &n_prior, err));
    if (n_docs == 0) {
        st = cli_fail(err, GB_EFORMAT, "%s: no documents", cli_input_name(call->argument[0]));
        goto done;
    }
    CLI_TRY(commit(&x, err));
    cli_note_rows(call, n_docs, n_prior, "document");
done:
    close_explainer(&x);
    gb_model_free(model);
    return st;
}
