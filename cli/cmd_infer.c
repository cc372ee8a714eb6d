/* cli/cmd_infer.c - model and documents to topic shares, one row per document. */
#include "apply.h"
#include "table.h"
#include "topic_unions.h"

#include <string.h>

typedef struct shares {
    const gb_model *model;
    cli_table *table;
    double *sum; /* of each topic that lists have: the share of its union */
} shares;

static gb_status add_columns(const gb_model *model, cli_table *table, gb_error *err)
{
    gb_status st;
    char *title = NULL;
    CLI_TRY(cli_table_column(table, "", "id", err));
    for (uint64_t k = 0; k < gb_model_n_topics(model); k++) {
        if (!cli_is_listed(model, k))
            continue;
        CLI_TRY(cli_union_title(model, k, &title, err));
        CLI_TRY(cli_table_column(table, "topic_", title, err));
        gb_free(title);
        title = NULL;
    }
    CLI_TRY(cli_table_column(table, "", "n_known", err));
    CLI_TRY(cli_table_column(table, "", "n_unknown", err));
done:
    gb_free(title);
    return st;
}

static void write_shares(const shares *s, uint64_t n_topics, const double *share)
{
    memset(s->sum, 0, n_topics * sizeof *s->sum);
    for (uint64_t k = 0; k < n_topics; k++) {
        const uint64_t first = gb_model_topic_union(s->model, k);
        if (first != GB_LEFT_OUT)
            s->sum[first] += share[k];
    }
    for (uint64_t k = 0; k < n_topics; k++)
        if (cli_is_listed(s->model, k))
            cli_table_real(s->table, s->sum[k]);
}

static gb_status write_batch(const cli_batch *batch, void *user, gb_error *err)
{
    (void)err; /* write errors show when the table is committed */
    const shares *s = user;
    cli_table *table = s->table;
    const gb_prediction *p = batch->prediction;
    for (uint64_t d = 0; d < p->n_docs; d++) {
        const cli_view id = cli_id(batch->docs, d);
        cli_table_text(table, id.bytes, id.length);
        write_shares(s, p->n_topics, p->share + d * p->n_topics);
        cli_table_count(table, p->n_known[d]);
        cli_table_count(table, batch->n_unknown[d]);
    }
    return GB_OK;
}

gb_status cli_infer(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    cli_table *table = NULL;
    double *sum = NULL;
    uint64_t n_docs, n_prior;
    gb_status st;
    CLI_TRY(cli_read_model(call, &model, err));
    CLI_TRY(cli_table_open_output(&table, call, err));
    CLI_TRY(add_columns(model, table, err));
    CLI_TRY(cli_alloc(&sum, gb_model_n_topics(model), sizeof *sum, "shares of topics", err));
    shares s = {.model = model, .table = table, .sum = sum};
    CLI_TRY(cli_apply(call, model, true, write_batch, &s, &n_docs, &n_prior, err));
    st = cli_table_commit(table, err);
    table = NULL;
    if (st == GB_OK) {
        cli_note_rows(call, n_docs, n_prior, "row");
        cli_note_left_out(call, model);
    }
done:
    gb_free(sum);
    cli_table_discard(table);
    gb_model_free(model);
    return st;
}
