/* cli/cmd_infer.c - model and documents to topic shares, one row per document. */
#include "answer.h"
#include "apply.h"

#include <string.h>

/* Where rows go, batch by batch. */
typedef struct output {
    const cli_call *call;
    cli_table *table;
    gb_table *rows; /* of the last batch */
} output;

static gb_status write_batch(const cli_batch *batch, void *user, gb_error *err)
{
    output *o = user;
    gb_corpus *docs = NULL;
    gb_status st;
    CLI_TRY(gb_corpus_view_create(batch->docs, 0, gb_corpus_n_docs(batch->docs), &docs, err));
    const gb_subject subject = {.size = sizeof subject,
                                .model = batch->model,
                                .documents = docs,
                                .share = batch->prediction->share,
                                .n_unknown = batch->n_unknown};
    gb_table_free(o->rows);
    o->rows = NULL;
    CLI_TRY(gb_answer("topic-shares", &subject, o->call->settings, &o->rows, err));
    st = batch->first_row == 0 ? cli_write_answer(o->table, o->rows, err) : cli_append_answer(o->table, o->rows, err);
done:
    gb_corpus_free(docs);
    return st;
}

/* As the answer names them, where there are no documents to ask about. */
static gb_status name_columns(const output *o, const gb_model *model, gb_error *err)
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

gb_status cli_infer(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    output o = {.call = call};
    uint64_t n_docs, n_prior;
    gb_status st;
    CLI_TRY(cli_read_model(call, &model, err));
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
    gb_model_free(model);
    return st;
}
