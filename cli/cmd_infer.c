/* cli/cmd_infer.c - model and documents to topic shares, one row per document. */
#include "apply.h"
#include "table.h"

#include <inttypes.h>

static gb_status add_columns(const gb_model *model, cli_table *table, gb_error *err)
{
    gb_status st;
    CLI_TRY(cli_table_column(table, "", "id", err));
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++) {
        char number[24];
        (void)snprintf(number, sizeof number, "%" PRIu64, k + 1);
        CLI_TRY(cli_table_column(table, "topic_", number, err));
    }
    CLI_TRY(cli_table_column(table, "", "n_known", err));
    CLI_TRY(cli_table_column(table, "", "n_unknown", err));
done:
    return st;
}

static gb_status write_batch(const cli_batch *batch, void *user, gb_error *err)
{
    (void)err; /* write errors show when the table is committed */
    cli_table *table = user;
    const gb_prediction *p = batch->prediction;
    for (uint64_t d = 0; d < p->n_docs; d++) {
        const cli_view id = cli_id(batch->docs, d);
        cli_table_text(table, id.bytes, id.length);
        for (uint64_t k = 0; k < p->n_topics; k++)
            cli_table_real(table, p->share[d * p->n_topics + k]);
        cli_table_count(table, p->n_known[d]);
        cli_table_count(table, batch->n_unknown[d]);
    }
    return GB_OK;
}

gb_status cli_infer(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    cli_table *table = NULL;
    uint64_t n_docs, n_prior;
    gb_status st;
    CLI_TRY(cli_read_model(call, &model, err));
    CLI_TRY(cli_table_open_output(&table, call, err));
    CLI_TRY(add_columns(model, table, err));
    CLI_TRY(cli_apply(call, model, true, write_batch, table, &n_docs, &n_prior, err));
    st = cli_table_commit(table, err);
    table = NULL;
    if (st == GB_OK)
        cli_note_rows(call, n_docs, n_prior);
done:
    cli_table_discard(table);
    gb_model_free(model);
    return st;
}
