/* cli/cmd_ask.c - any question of the library, by its name. */
#include "answer.h"
#include "apply.h"
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

/* The documents of the call, in the words of the model.  @param out  NULL without documents */
static gb_status read_documents(const cli_call *call, const gb_model *model, gb_corpus **out, gb_error *err)
{
    gb_documents *documents = NULL;
    uint64_t *n_unknown = NULL;
    gb_status st;
    if (call->n_arguments < 2)
        return GB_OK;
    const char *path = call->argument[1];
    CLI_TRY(cli_input(gb_documents_open(model, path, call->settings, cli_on_read, NULL, &documents, err), err));
    CLI_TRY(cli_input(gb_documents_next(documents, UINT64_MAX, out, &n_unknown, err), err));
    if (*out == NULL)
        st = cli_fail(err, GB_EFORMAT, "%s: no documents", cli_input_name(path));
done:
    gb_free(n_unknown);
    gb_documents_close(documents);
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
    gb_corpus *documents = NULL;
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
    if ((question->needs & (GB_NEEDS_DOCUMENTS | GB_NEEDS_PAIRS)) != 0)
        CLI_TRY(read_documents(call, model, &documents, err));
    if ((question->needs & (GB_NEEDS_EVALUATION | GB_NEEDS_SCORES | GB_NEEDS_EARLIER)) != 0) {
        CLI_TRY(evaluate(call, model, &evaluation, err));
        CLI_TRY(evaluate(call, earlier, &earlier_evaluation, err));
    }
    const gb_subject subject = {.size = sizeof subject,
                                .model = model,
                                .earlier = earlier,
                                .documents = documents,
                                .diagnosis = diagnosis,
                                .evaluation = evaluation,
                                .earlier_evaluation = earlier_evaluation};
    st = cli_show_answers_to(call, 1, &name, &subject, err);
done:
    gb_diagnosis_free(diagnosis);
    gb_corpus_free(documents);
    gb_evaluation_free(evaluation);
    gb_evaluation_free(earlier_evaluation);
    gb_model_free(model);
    gb_model_free(earlier);
    return st;
}
