/* cli/cmd_effects.c - which questions are asked: effects on scores, topic shares of groups of documents, and contrasts of both. */
#include "answer.h"
#include "common.h"
#include "estimated_effects.h"

#include <string.h>

enum { MOST_QUESTIONS = 3 };

/* What may be shown: as the model has it, and --kind does not exclude it. */
typedef struct parts {
    bool scores, groups, prevalence;
    const char *wordings; /* the question; NULL: none */
} parts;

static bool fits(const char *name, const gb_subject *subject)
{
    const gb_question *q;
    for (uint64_t i = 0; (q = gb_question_at(i)) != NULL && strcmp(q->name, name) != 0; i++)
        ;
    return q != NULL && gb_question_fits(q, subject);
}

static parts find_parts(const cli_call *call, const gb_subject *subject)
{
    const char *kind = cli_text(call, "kind");
    const gb_model *model = subject->model;
    const bool has_documents = subject->estimate != NULL;
    return (parts){.scores = (has_documents || gb_model_n_outputs(model) > 0) && strcmp(kind, "groups") != 0,
                   .groups = !has_documents && gb_model_n_groups(model) > 0 && strcmp(kind, "coefficients") != 0,
                   .prevalence = !has_documents && fits("prevalence", subject) && strcmp(kind, "coefficients") != 0,
                   .wordings = has_documents                ? NULL
                               : fits("evolution", subject) ? "evolution"
                               : fits("content", subject)   ? "content"
                                                            : NULL};
}

/* Without --contrast.  What the model does not have is asked for as well, since the answer says what is missing. */
static size_t choose(const cli_call *call, parts have, const char *question[MOST_QUESTIONS])
{
    size_t n = 0;
    const bool wants_groups = have.groups || strcmp(cli_text(call, "kind"), "groups") == 0;
    if (cli_is_set(call, "prior-predictive"))
        question[n++] = "group-prediction";
    else if (cli_count(call, "at") > 0)
        question[n++] = "prevalence";
    else if (cli_count(call, "trend") > 0)
        question[n++] = "groups";
    else {
        if (have.scores || (!wants_groups && !have.prevalence && have.wordings == NULL))
            question[n++] = "effects";
        if (wants_groups && !have.prevalence)
            question[n++] = "groups";
        if (have.prevalence)
            question[n++] = "prevalence-contrasts";
        if (have.wordings != NULL)
            question[n++] = have.wordings;
    }
    return n;
}

/* Of two groups, unless what is given are none. */
static gb_status ask_for_contrasts(const cli_call *call, const gb_subject *subject, parts have, gb_error *err)
{
    gb_table *answer = NULL;
    const bool is_of_groups = have.groups || have.prevalence || strcmp(cli_text(call, "kind"), "groups") == 0;
    const char *question = have.prevalence ? "prevalence-contrasts" : "group-contrasts";
    gb_status st = is_of_groups ? gb_answer(question, subject, call->settings, &answer, err) : GB_EARGUMENT;
    if (st == GB_EARGUMENT && (have.scores || !is_of_groups))
        st = gb_answer("contrasts", subject, call->settings, &answer, err);
    if (st == GB_OK)
        st = cli_show_answers(call, 1, &answer, err);
    gb_table_free(answer);
    return st;
}

static gb_status ask(const cli_call *call, const gb_subject *subject, gb_error *err)
{
    const parts have = find_parts(call, subject);
    const char *question[MOST_QUESTIONS];
    if (cli_count(call, "contrast") > 0)
        return ask_for_contrasts(call, subject, have, err);
    const size_t n = choose(call, have, question);
    if (n > 1 && cli_is_set(call, "table"))
        return cli_fail(
            err, GB_EARGUMENT,
            "%s has coefficients and groups; choose one of them for the table: --kind coefficients or --kind groups",
            cli_text(call, "model"));
    return cli_show_answers_to(call, n, question, subject, err);
}

gb_status cli_effects(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    gb_estimate *estimate = NULL;
    gb_status st;
    const bool has_documents = cli_has_documents(call);
    if (call->n_arguments > 0 && !has_documents)
        CLI_TRY(gb_settings_set(call->settings, "model", call->argument[0], err));
    CLI_TRY(cli_read_model(call, &model, err));
    if (has_documents)
        CLI_TRY(cli_estimate(call, model, &estimate, err));
    const gb_subject subject = {.size = sizeof subject, .model = model, .estimate = estimate};
    CLI_TRY(ask(call, &subject, err));
done:
    gb_estimate_free(estimate);
    gb_model_free(model);
    return st;
}
