/* cli/cmd_topics.c - topics: their words, how good they are, the classes that they count most for, which go together, and questions to a
 * language model for their names. */
#include "answer.h"
#include "progress.h"
#include "reading.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is asked --------------------------------------------------------------------------------- */

static bool writes_prompts(const cli_call *call)
{
    return *cli_text(call, "prompts") != '\0';
}

/* ---- answers --------------------------------------------------------------------------------------- */

/* Topics; as text, their documents have a table of their own. */
static gb_status show_topics(const cli_call *call, const gb_subject *subject, gb_error *err)
{
    gb_status st;
    gb_table *answer[2] = {NULL, NULL};
    gb_subject of_topics = *subject;
    const bool has_both = subject->documents != NULL && !cli_is_set(call, "table");
    if (has_both)
        of_topics.documents = NULL;
    CLI_TRY(cli_input(gb_answer("topics", &of_topics, call->settings, &answer[0], err), err));
    if (has_both)
        CLI_TRY(gb_answer("topic-documents", subject, call->settings, &answer[1], err));
    CLI_TRY(cli_show_answers(call, has_both ? 2 : 1, answer, err));
done:
    gb_table_free(answer[0]);
    gb_table_free(answer[1]);
    return st;
}

static bool is_jsonl(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".jsonl") == 0 || strcmp(dot, ".ndjson") == 0);
}

/* Columns of the answer. */
enum { TOPIC, TASK, DATA };

/* One prompt for all topics. */
static gb_status put_prompt(const cli_call *call, const gb_table *t, gb_error *err)
{
    gb_out_file *output = NULL;
    const gb_status st = gb_out_file_open(&output, cli_text(call, "prompts"), cli_flag(call, "force"), err);
    if (st != GB_OK)
        return st;
    (void)fputs(gb_table_text(t, 0, TASK, 0), gb_out_file_stream(output));
    for (uint64_t row = 0; row < gb_table_n_rows(t); row++)
        (void)fputs(gb_table_text(t, row, DATA, 0), gb_out_file_stream(output));
    return gb_out_file_commit(output, err);
}

/* One for each topic. */
static gb_status put_prompts(const cli_call *call, const gb_table *t, gb_error *err)
{
    cli_table *table = NULL;
    gb_status st;
    CLI_TRY(cli_table_open(&table, cli_text(call, "prompts"), cli_flag(call, "force"), "jsonl", err));
    CLI_TRY(cli_table_column(table, "", "topic", err));
    CLI_TRY(cli_table_column(table, "", "prompt", err));
    for (uint64_t row = 0; row < gb_table_n_rows(t); row++) {
        const char *topic = gb_table_text(t, row, TOPIC, 0);
        char *prompt = NULL;
        if (asprintf(&prompt, "%s%s", gb_table_text(t, row, TASK, 0), gb_table_text(t, row, DATA, 0)) < 0) {
            st = cli_no_memory("a prompt", err);
            goto done;
        }
        cli_table_text(table, topic, strlen(topic));
        cli_table_text(table, prompt, strlen(prompt));
        free(prompt);
    }
    st = cli_table_commit(table, err);
    table = NULL;
done:
    cli_table_discard(table);
    return st;
}

static gb_status write_prompts(const cli_call *call, const gb_subject *subject, gb_error *err)
{
    gb_status st;
    gb_table *answer = NULL;
    const char *path = cli_text(call, "prompts");
    if (!cli_to_stdout(path))
        CLI_TRY(cli_check_target(call, path, err));
    CLI_TRY(gb_answer("prompts", subject, call->settings, &answer, err));
    CLI_TRY(is_jsonl(path) ? put_prompts(call, answer, err) : put_prompt(call, answer, err));
    if (!cli_to_stdout(path))
        cli_note(call, "wrote %s (%" PRIu64 " prompt%s); gibbous edit --names FILE reads the answers", path,
                 gb_table_n_rows(answer), cli_plural(gb_table_n_rows(answer)));
done:
    gb_table_free(answer);
    return st;
}

static gb_status show_answer(const cli_call *call, const gb_model *model, gb_error *err)
{
    static const char *const correlations = "correlations";
    gb_status st;
    gb_corpus *documents = NULL;
    const char *path = cli_text(call, "documents-in");
    if (*path != '\0' || *cli_text(call, "reference") != '\0')
        cli_catch_signals();
    if (*path != '\0')
        CLI_TRY(cli_read_documents(call->settings, model, path, &documents, NULL, err));
    const gb_subject subject = {.size = sizeof subject,
                                .model = model,
                                .documents = documents,
                                .on_read = cli_on_read,
                                .on_apply = cli_goes_on};
    st = writes_prompts(call)             ? write_prompts(call, &subject, err)
         : cli_flag(call, "correlations") ? cli_show_answers_to(call, 1, &correlations, &subject, err)
                                          : show_topics(call, &subject, err);
done:
    gb_corpus_free(documents);
    return st;
}

gb_status cli_topics(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    gb_status st;
    if (call->n_arguments > 0)
        CLI_TRY(gb_settings_set(call->settings, "model", call->argument[0], err));
    CLI_TRY(cli_read_model(call, &model, err));
    CLI_TRY(show_answer(call, model, err));
done:
    gb_model_free(model);
    return st;
}

gb_status cli_print_topics(const cli_call *call, FILE *stream, const gb_model *model, gb_error *err)
{
    const gb_subject subject = {.size = sizeof subject, .model = model};
    gb_table *answer = NULL;
    gb_status st = gb_answer("topics", &subject, call->settings, &answer, err);
    if (st == GB_OK)
        st = cli_print_answer(stream, answer, CLI_ALL_ROWS, err);
    gb_table_free(answer);
    return st;
}
