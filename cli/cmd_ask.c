/* cli/cmd_ask.c - any question of the library, by its name. */
#include "answer.h"
#include "explain.h"
#include "hold_out.h"
#include "progress.h"
#include "reading.h"
#include "scored.h"
#include "terminal.h"

#include <string.h>

static void list_questions(void)
{
    const gb_question *question;
    for (uint64_t i = 0; (question = gb_question_at(i)) != NULL; i++)
        (void)fprintf(cli_out(), "%-18s %s\n", question->name, question->help);
}

static const gb_question *find(const char *name)
{
    const gb_question *question;
    for (uint64_t i = 0; (question = gb_question_at(i)) != NULL; i++)
        if (strcmp(question->name, name) == 0)
            return question;
    return NULL;
}

/* What a question is about. */
typedef struct gathered {
    gb_model *model, *earlier;
    gb_diagnosis *diagnosis;
    gb_corpus *documents, *among;
    uint64_t *n_unknown;
    gb_prediction *prediction;
    gb_explanation *explanation;
    gb_table *topics; /* whose words are beside the parts of explanations */
    gb_held_out *likelihood;
    cli_scored scored, scored_earlier;
    gb_cross_validation *validation;
    gb_selection *selection;
} gathered;

static void clear(gathered *g)
{
    gb_diagnosis_free(g->diagnosis);
    gb_corpus_free(g->documents);
    gb_corpus_free(g->among);
    gb_prediction_free(g->prediction);
    gb_explanation_free(g->explanation);
    gb_table_free(g->topics);
    gb_free(g->n_unknown);
    gb_held_out_free(g->likelihood);
    cli_scored_close(&g->scored);
    cli_scored_close(&g->scored_earlier);
    gb_cross_validation_free(g->validation);
    gb_selection_free(g->selection);
    gb_model_free(g->model);
    gb_model_free(g->earlier);
}

static gb_status predict(const cli_call *call, gathered *g, gb_error *err)
{
    gb_status st;
    CLI_TRY(gb_prediction_create(g->model, gb_corpus_n_docs(g->documents), &g->prediction, err));
    st = gb_predict(g->model, g->documents, 0, call->settings, cli_goes_on, NULL, g->prediction, err);
done:
    return st;
}

/* Why the documents have their scores, with the words of topics. */
static gb_status explain(const cli_call *call, gathered *g, gb_error *err)
{
    gb_corpus *view = NULL;
    gb_status st;
    CLI_TRY(cli_words_of_topics(call->settings, g->model, &g->topics, err));
    const cli_batch batch = {.model = g->model, .docs = g->documents, .prediction = g->prediction};
    st = cli_explain_some(call->settings, &batch, 0, gb_corpus_n_docs(g->documents), &view, &g->explanation, err);
done:
    gb_corpus_free(view);
    return st;
}

static gb_status read_earlier(const cli_call *call, gb_model **out, gb_error *err)
{
    const char *path = cli_text(call, "earlier");
    return *path == '\0' ? GB_OK : cli_input(gb_model_read(path, NULL, NULL, out, err), err);
}

static gb_status estimate_likelihood(const cli_call *documents, gathered *g, gb_error *err)
{
    gb_status st;
    CLI_TRY(gb_held_out_create(gb_corpus_n_docs(g->documents), &g->likelihood, err));
    st =
        gb_held_out_likelihood(g->model, g->documents, 0, documents->settings, cli_goes_on, NULL, g->likelihood, err);
done:
    return st;
}

/* A model, and what it does with the documents of the call; NULL: there are none. */
static gb_status use_model(const cli_call *call, const cli_call *documents, uint32_t needs, gathered *g,
                           gb_error *err)
{
    const uint32_t predicted = GB_NEEDS_PREDICTION | GB_NEEDS_EXPLANATION,
                   all = GB_NEEDS_DOCUMENTS | GB_NEEDS_PAIRS | GB_NEEDS_LIKELIHOOD | predicted,
                   scores = GB_NEEDS_EVALUATION | GB_NEEDS_SCORES | GB_NEEDS_EARLIER;
    gb_status st;
    CLI_TRY(cli_refuse_training_options(call, err));
    CLI_TRY(cli_read_model(call, &g->model, err));
    CLI_TRY(read_earlier(call, &g->earlier, err));
    if ((needs & GB_NEEDS_DIAGNOSIS) != 0)
        CLI_TRY(gb_diagnosis_create(g->model, GB_DIAGNOSE_ALL, &g->diagnosis, err));
    if (documents == NULL)
        return GB_OK;
    if ((needs & all) != 0)
        CLI_TRY(
            cli_read_documents(call->settings, g->model, documents->argument[0], &g->documents, &g->n_unknown, err));
    if ((needs & GB_NEEDS_AMONG) != 0 && *cli_text(call, "nearest-in") != '\0')
        CLI_TRY(cli_read_documents(call->settings, g->model, cli_text(call, "nearest-in"), &g->among, NULL, err));
    if ((needs & predicted) != 0 && gb_model_n_outputs(g->model) > 0)
        CLI_TRY(predict(call, g, err));
    if ((needs & GB_NEEDS_EXPLANATION) != 0 && g->prediction != NULL)
        CLI_TRY(explain(call, g, err));
    if ((needs & GB_NEEDS_LIKELIHOOD) != 0)
        CLI_TRY(estimate_likelihood(documents, g, err));
    g->scored.call = g->scored_earlier.call = documents;
    if ((needs & scores) != 0)
        CLI_TRY(cli_score(&g->scored, g->model, err));
    if ((needs & scores) != 0 && g->earlier != NULL)
        CLI_TRY(cli_score(&g->scored_earlier, g->earlier, err));
done:
    return st;
}

/* Models that are trained on parts of the documents. */
static gb_status hold_out(cli_call *documents, uint32_t needs, gathered *g, gb_error *err)
{
    gb_status st;
    if ((needs & GB_NEEDS_SELECTION) != 0) {
        CLI_TRY(cli_open_selection(documents, &g->selection, err));
        st = cli_run_selection(documents, g->selection, err);
    } else {
        CLI_TRY(cli_open_validation(documents, &g->validation, err));
        st = cli_run_validation(documents, g->validation, err);
    }
done:
    return st;
}

static gb_status gather(cli_call *call, uint32_t needs, gathered *g, gb_error *err)
{
    cli_call documents = *call;
    documents.argument++;
    documents.n_arguments--;
    if (needs == GB_NEEDS_OPTIONS)
        return GB_OK;
    cli_catch_signals();
    g->scored.asks = g->scored_earlier.asks = true;
    if (documents.n_arguments > 0 && ((needs & GB_NEEDS_SELECTION) != 0 || cli_holds_out(call)))
        return hold_out(&documents, needs, g, err);
    if (documents.n_arguments > 0 && ((needs & GB_NEEDS_CONTENT) != 0 || needs == GB_NEEDS_DOCUMENTS) &&
        *cli_text(call, "model") == '\0')
        return cli_read_corpus(call, documents.argument[0], &g->documents, err);
    return use_model(call, documents.n_arguments > 0 ? &documents : NULL, needs, g, err);
}

gb_status cli_ask(cli_call *call, gb_error *err)
{
    gathered g = {.model = NULL};
    gb_status st;
    if (call->n_arguments == 0) {
        list_questions();
        return GB_OK;
    }
    const char *name = call->argument[0];
    const gb_question *question = find(name);
    if (question == NULL)
        return cli_fail(err, GB_EARGUMENT, "there is no question \"%s\"; gibbous ask lists those that there are",
                        name);
    CLI_TRY(cli_check_target(call, cli_text(call, "output"), err));
    CLI_TRY(gather(call, question->needs, &g, err));
    const gb_subject subject = {.size = sizeof subject,
                                .model = g.model,
                                .earlier = g.earlier,
                                .documents = g.documents,
                                .prediction = g.prediction,
                                .among = g.among,
                                .explanation = g.explanation,
                                .topics = g.topics,
                                .diagnosis = g.diagnosis,
                                .evaluation = g.scored.evaluation,
                                .linear = g.scored.baseline.evaluation,
                                .earlier_evaluation = g.scored_earlier.evaluation,
                                .validation = g.validation,
                                .selection = g.selection,
                                .likelihood = g.likelihood,
                                .scored = g.documents,
                                .n_unknown = g.n_unknown,
                                .on_read = cli_on_read,
                                .on_apply = cli_goes_on};
    st = cli_show_answers_to(call, 1, &name, &subject, err);
done:
    clear(&g);
    return st;
}
