/* cli/cmd_predict.c - model and documents to predictions or to topic shares, one row per document, as the questions of these names answer. */
#include "answer.h"
#include "apply.h"

#include <string.h>

/* Where rows go, batch by batch. */
typedef struct output {
    const cli_call *call;
    const char *question;
    cli_table *table;
    gb_table *rows; /* of the last batch */
} output;

static gb_status ask(output *o, const gb_subject *subject, gb_error *err)
{
    gb_table_free(o->rows);
    o->rows = NULL;
    return gb_answer(o->question, subject, o->call->settings, &o->rows, err);
}

static gb_status write_batch(const cli_batch *batch, void *user, gb_error *err)
{
    output *o = user;
    gb_status st;
    const gb_subject subject = {.size = sizeof subject,
                                .model = batch->model,
                                .documents = batch->docs,
                                .prediction = batch->prediction,
                                .share = batch->prediction->share,
                                .n_unknown = batch->n_unknown};
    CLI_TRY(ask(o, &subject, err));
    st = cli_write_answer(o->table, o->rows, err);
done:
    return st;
}

/* ---- without documents, the names of the columns --------------------------------------------------- */

static gb_status name_predictions(output *o, const gb_model *model, gb_error *err)
{
    gb_prediction *none = NULL;
    gb_status st;
    CLI_TRY(gb_prediction_create(model, 0, &none, err));
    const gb_subject subject = {.size = sizeof subject, .model = model, .prediction = none};
    CLI_TRY(ask(o, &subject, err));
    st = cli_write_answer(o->table, o->rows, err);
done:
    gb_prediction_free(none);
    return st;
}

static gb_status name_topics(output *o, const gb_model *model, gb_error *err)
{
    gb_table *topics = NULL;
    const gb_subject subject = {.size = sizeof subject, .model = model};
    gb_status st;
    CLI_TRY(gb_answer("topics", &subject, o->call->settings, &topics, err));
    const uint64_t title = cli_find_column(topics, "topic"), class = cli_find_column(topics, "class");
    CLI_TRY(cli_table_column(o->table, "", "id", err));
    for (uint64_t k = 0; k < gb_table_n_rows(topics); k++)
        if (strcmp(gb_table_text(topics, k, class, 0), gb_table_text(topics, 0, class, 0)) == 0)
            CLI_TRY(cli_table_column(o->table, "topic_", gb_table_text(topics, k, title, 0), err));
    CLI_TRY(cli_table_column(o->table, "", "n_known", err));
    CLI_TRY(cli_table_column(o->table, "", "n_unknown", err));
done:
    gb_table_free(topics);
    return st;
}

/* ---- the verbs ------------------------------------------------------------------------------------- */

static gb_status apply(const cli_call *call, gb_model *model, const char *question,
                       gb_status (*name_columns)(output *o, const gb_model *model, gb_error *err), gb_error *err)
{
    output o = {.call = call, .question = question};
    uint64_t n_docs, n_prior;
    gb_status st;
    CLI_TRY(cli_table_open_output(&o.table, call, err));
    CLI_TRY(cli_apply(call, model, true, write_batch, &o, &n_docs, &n_prior, err));
    if (n_docs == 0)
        CLI_TRY(name_columns(&o, model, err));
    st = cli_table_commit(o.table, err);
    o.table = NULL;
    CLI_TRY(st);
    cli_note_rows(call, n_docs, n_prior, "row");
    if (o.rows != NULL)
        cli_note_answer(call, o.rows, false);
done:
    gb_table_free(o.rows);
    cli_table_discard(o.table);
    return st;
}

gb_status cli_predict(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    gb_status st;
    CLI_TRY(cli_read_model(call, &model, err));
    if (gb_model_n_outputs(model) == 0)
        CLI_TRY(cli_fail(err, GB_EARGUMENT,
                         "%s: a model without a response predicts nothing; gibbous infer gives topic shares",
                         cli_text(call, "model")));
    CLI_TRY(apply(call, model, "predictions", name_predictions, err));
done:
    gb_model_free(model);
    return st;
}

gb_status cli_infer(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    gb_status st;
    CLI_TRY(cli_read_model(call, &model, err));
    st = apply(call, model, "topic-shares", name_topics, err);
done:
    gb_model_free(model);
    return st;
}
