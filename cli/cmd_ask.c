/* cli/cmd_ask.c - any question of the library, by its name. */
#include "answer.h"
#include "explain.h"
#include "progress.h"
#include "reading.h"
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

static gb_status add_batch(const cli_batch *batch, void *user, gb_error *err)
{
    return gb_evaluation_add(user, batch->docs, batch->prediction, NULL, batch->n_unknown, err);
}

/* Scores of a model on the documents of the call, without a likelihood of words.  @param out  NULL without documents or a model */
static gb_status evaluate(const cli_call *call, const gb_model *model, gb_evaluation **out, gb_error *err)
{
    gb_evaluation *evaluation = NULL;
    gb_settings *settings = NULL;
    uint64_t n_docs, n_prior;
    gb_status st;
    if (model == NULL || call->n_arguments < 2 || gb_model_n_outputs(model) == 0)
        return GB_OK;
    CLI_TRY(gb_settings_copy(call->settings, &settings, err));
    CLI_TRY(gb_settings_set(settings, "held-out", "none", err));
    CLI_TRY(gb_evaluation_create(model, settings, &evaluation, err));
    CLI_TRY(gb_evaluation_request_fields(evaluation, settings, err));
    const cli_call documents = {.verb = call->verb,
                                .settings = settings,
                                .team = call->team,
                                .argument = call->argument + 1,
                                .n_arguments = 1};
    CLI_TRY(cli_apply(&documents, model, true, add_batch, evaluation, &n_docs, &n_prior, err));
    CLI_TRY(gb_evaluation_finish(evaluation, err));
    *out = evaluation;
    evaluation = NULL;
done:
    gb_evaluation_free(evaluation);
    gb_settings_free(settings);
    return st;
}

/* Why the documents have their scores, with the words of topics. */
static gb_status explain(const cli_call *call, const gb_model *model, const gb_corpus *docs, gb_table **topics,
                         gb_explanation **out, gb_error *err)
{
    gb_prediction *prediction = NULL;
    gb_corpus *view = NULL;
    gb_status st;
    if (model == NULL || docs == NULL || gb_model_n_outputs(model) == 0)
        return GB_OK;
    const uint64_t n = gb_corpus_n_docs(docs);
    CLI_TRY(cli_words_of_topics(call->settings, model, topics, err));
    CLI_TRY(gb_prediction_create(model, n, &prediction, err));
    CLI_TRY(gb_predict(model, docs, 0, call->settings, cli_goes_on, NULL, prediction, err));
    const cli_batch batch = {.model = model, .docs = docs, .prediction = prediction};
    st = cli_explain_some(call->settings, &batch, 0, n, &view, out, err);
done:
    gb_corpus_free(view);
    gb_prediction_free(prediction);
    return st;
}

static gb_status read_earlier(const cli_call *call, gb_model **out, gb_error *err)
{
    const char *path = cli_text(call, "earlier");
    return *path == '\0' ? GB_OK : cli_input(gb_model_read(path, NULL, NULL, out, err), err);
}

gb_status cli_ask(cli_call *call, gb_error *err)
{
    gb_model *model = NULL, *earlier = NULL;
    gb_diagnosis *diagnosis = NULL;
    gb_corpus *documents = NULL, *among = NULL;
    gb_explanation *explanation = NULL;
    gb_table *topics = NULL;
    gb_evaluation *evaluation = NULL, *earlier_evaluation = NULL;
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
    CLI_TRY(cli_read_model(call, &model, err));
    CLI_TRY(read_earlier(call, &earlier, err));
    if ((question->needs & GB_NEEDS_DIAGNOSIS) != 0)
        CLI_TRY(gb_diagnosis_create(model, GB_DIAGNOSE_ALL, &diagnosis, err));
    if ((question->needs & (GB_NEEDS_DOCUMENTS | GB_NEEDS_PAIRS)) != 0 && call->n_arguments > 1)
        CLI_TRY(cli_read_documents(call, model, call->argument[1], &documents, err));
    if ((question->needs & GB_NEEDS_AMONG) != 0 && *cli_text(call, "nearest-in") != '\0')
        CLI_TRY(cli_read_documents(call, model, cli_text(call, "nearest-in"), &among, err));
    if ((question->needs & GB_NEEDS_EXPLANATION) != 0)
        CLI_TRY(explain(call, model, documents, &topics, &explanation, err));
    if ((question->needs & (GB_NEEDS_EVALUATION | GB_NEEDS_SCORES | GB_NEEDS_EARLIER)) != 0) {
        CLI_TRY(evaluate(call, model, &evaluation, err));
        CLI_TRY(evaluate(call, earlier, &earlier_evaluation, err));
    }
    const gb_subject subject = {.size = sizeof subject,
                                .model = model,
                                .earlier = earlier,
                                .documents = documents,
                                .among = among,
                                .explanation = explanation,
                                .topics = topics,
                                .diagnosis = diagnosis,
                                .evaluation = evaluation,
                                .earlier_evaluation = earlier_evaluation};
    st = cli_show_answers_to(call, 1, &name, &subject, err);
done:
    gb_diagnosis_free(diagnosis);
    gb_corpus_free(documents);
    gb_corpus_free(among);
    gb_explanation_free(explanation);
    gb_table_free(topics);
    gb_evaluation_free(evaluation);
    gb_evaluation_free(earlier_evaluation);
    gb_model_free(model);
    gb_model_free(earlier);
    return st;
}
