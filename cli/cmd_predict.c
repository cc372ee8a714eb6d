/* cli/cmd_predict.c - model and documents to predicted labels, one row per document. */
#include "apply.h"
#include "table.h"

#include "base/memory.h"

#include <string.h>

typedef struct writer {
    cli_table *table;
    bool scores;
    cli_text *predicted; /* room for all classes of a document */
} writer;

static gb_status add_columns(const gb_model *model, writer *w, gb_error *err)
{
    uint64_t n_classes = gb_model_n_classes(model), n_outputs = gb_model_n_outputs(model);
    gb_status st;
    GB_TRY(cli_table_column(w->table, "", "id", err));
    GB_TRY(cli_table_column(w->table, "", "predicted", err));
    for (uint64_t c = 0; c < n_classes; c++)
        GB_TRY(cli_table_column(w->table, "p_", gb_model_class(model, c), err));
    for (uint64_t c = 0; w->scores && c < n_outputs; c++)
        GB_TRY(cli_table_column(w->table, n_outputs == 1 ? "score" : "score_",
                                n_outputs == 1 ? "" : gb_model_class(model, c), err));
    GB_TRY(cli_table_column(w->table, "", "n_known", err));
    GB_TRY(cli_table_column(w->table, "", "n_unknown", err));
    GB_TRY(cli_table_column(w->table, "", "note", err));
done:
    return st;
}

static cli_text class_name(const gb_model *model, uint64_t class)
{
    const char *name = gb_model_class(model, class);
    return (cli_text){name, strlen(name)};
}

static void write_predicted(const cli_batch *batch, writer *w, uint64_t d)
{
    const gb_prediction *p = batch->prediction;
    if (p->predicted[d] != UINT64_MAX) {
        cli_text name = class_name(batch->model, p->predicted[d]);
        cli_table_text(w->table, name.bytes, name.length);
        return;
    }
    size_t n = 0;
    for (uint64_t c = 0; c < p->n_classes; c++)
        if (p->score[d * p->n_outputs + c] > 0)
            w->predicted[n++] = class_name(batch->model, c);
    cli_table_list(w->table, n, w->predicted);
}

static gb_status write_batch(const cli_batch *batch, void *user, gb_error *err)
{
    (void)err; /* write errors show when the table is committed */
    writer *w = user;
    const gb_prediction *p = batch->prediction;
    const gb_texts *ids = &batch->docs->ids;
    for (uint64_t d = 0; d < p->n_docs; d++) {
        cli_table_text(w->table, ids->bytes + ids->start[d], ids->start[d + 1] - ids->start[d]);
        write_predicted(batch, w, d);
        for (uint64_t c = 0; c < p->n_classes; c++)
            cli_table_real(w->table, p->probability[d * p->n_classes + c]);
        for (uint64_t c = 0; w->scores && c < p->n_outputs; c++)
            cli_table_real(w->table, p->score[d * p->n_outputs + c]);
        cli_table_count(w->table, p->n_known[d]);
        cli_table_count(w->table, batch->n_unknown[d]);
        cli_table_text(w->table, "prior", p->n_known[d] == 0 ? strlen("prior") : 0);
    }
    return GB_OK;
}

gb_status cli_predict(cli_call *call, gb_error *err)
{
    const gb_settings *s = call->settings;
    gb_model *model = NULL;
    writer w = {.scores = s->scores};
    uint64_t n_docs, n_prior;
    gb_status st;
    GB_TRY(cli_read_model(call, &model, err));
    if (gb_model_n_outputs(model) == 0) {
        st = gb_fail(err, GB_EARGUMENT,
                     "%s: a model without a response predicts nothing; gibbous infer gives topic shares", s->model);
        goto done;
    }
    GB_TRY(gb_alloc(&w.predicted, gb_model_n_classes(model), sizeof *w.predicted, "a row", err));
    GB_TRY(cli_table_open(&w.table, s->output, s->force, s->table, err));
    GB_TRY(add_columns(model, &w, err));
    cli_table_header(w.table);
    GB_TRY(cli_apply(call, model, write_batch, &w, &n_docs, &n_prior, err));
    st = cli_table_commit(w.table, err);
    w.table = NULL;
    if (st == GB_OK)
        cli_note_rows(call, n_docs, n_prior);
done:
    cli_table_discard(w.table);
    gb_free(w.predicted);
    gb_model_free(model);
    return st;
}
