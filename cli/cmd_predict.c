/* cli/cmd_predict.c - model and documents to predicted labels, one row per document. */
#include "apply.h"
#include "table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct writer {
    cli_table *table;
    bool scores;
    bool topics_alone;
    uint64_t n_top;      /* classes that are listed, the most probable first; 0: all have columns */
    uint64_t *order;     /* room for all classes of a response */
    cli_view *predicted; /* room for all classes of a response */
    bool *has_class;     /* likewise */
} writer;

/* ---- columns ---- */

/* With one response its columns have plain names; with several they begin with the field: "genre.predicted". */
static gb_status add_column(const gb_model *model, writer *w, uint64_t response, const char *start, const char *name,
                            gb_error *err)
{
    if (gb_model_n_responses(model) == 1)
        return cli_table_column(w->table, start, name, err);
    char *prefix = NULL;
    if (asprintf(&prefix, "%s.%s", gb_model_field(model, response), start) < 0)
        return cli_no_memory("a table", err);
    gb_status st = cli_table_column(w->table, prefix, name, err);
    free(prefix);
    return st;
}

static bool is_number(const gb_model *model, uint64_t response)
{
    return gb_model_n_classes(model, response) == 0;
}

/* Columns p_...: only of what may be called a probability.  The model's are for its whole scores, not for a part of them. */
static bool shows_probabilities(const gb_model *model, const writer *w, uint64_t response)
{
    return !w->topics_alone && !is_number(model, response) && gb_model_has_probabilities(model, response);
}

/* Classes without probabilities are told by their scores. */
static bool shows_scores(const gb_model *model, const writer *w, uint64_t response)
{
    return w->scores || (!is_number(model, response) && !shows_probabilities(model, w, response));
}

/* How many classes are listed; 0: none, as where ordinal categories share one score. */
static uint64_t n_listed(const gb_model *model, const writer *w, uint64_t response)
{
    const uint64_t n = gb_model_n_classes(model, response);
    const bool has_weights =
        shows_probabilities(model, w, response) || gb_model_n_outputs_of(model, response) >= n || n == 2;
    return !has_weights ? 0 : w->n_top < n ? w->n_top : n;
}

static gb_status add_listed(const gb_model *model, writer *w, uint64_t r, gb_error *err)
{
    gb_status st = GB_OK;
    char number[24];
    for (uint64_t i = 1; st == GB_OK && i <= n_listed(model, w, r); i++) {
        (void)snprintf(number, sizeof number, "%" PRIu64, i);
        CLI_TRY(add_column(model, w, r, "top_", number, err));
        CLI_TRY(add_column(model, w, r, shows_probabilities(model, w, r) ? "p_top_" : "score_top_", number, err));
    }
done:
    return st;
}

static gb_status add_response(const gb_model *model, writer *w, uint64_t r, gb_error *err)
{
    static const char *const of_number[] = {"mean", "sd", "q05", "q95"};
    gb_status st;
    const uint64_t n_classes = gb_model_n_classes(model, r), first = gb_model_first_output(model, r);
    const uint64_t n_outputs = gb_model_n_outputs_of(model, r);
    CLI_TRY(add_column(model, w, r, "", "predicted", err));
    for (size_t i = 0; is_number(model, r) && i < (w->topics_alone ? 1 : sizeof of_number / sizeof of_number[0]); i++)
        CLI_TRY(add_column(model, w, r, "", of_number[i], err));
    if (n_listed(model, w, r) > 0)
        return add_listed(model, w, r, err);
    for (uint64_t c = 0; shows_probabilities(model, w, r) && c < n_classes; c++)
        CLI_TRY(add_column(model, w, r, "p_", gb_model_class(model, r, c), err));
    for (uint64_t l = 0; shows_scores(model, w, r) && l < n_outputs; l++)
        CLI_TRY(add_column(model, w, r, n_outputs == 1 ? "score" : "score_",
                           n_outputs == 1 ? "" : gb_model_output(model, first + l), err));
    for (uint64_t l = 0; w->scores && l < n_outputs; l++)
        CLI_TRY(add_column(model, w, r, n_outputs == 1 ? "score_error" : "score_error_",
                           n_outputs == 1 ? "" : gb_model_output(model, first + l), err));
done:
    return st;
}

static gb_status add_columns(const gb_model *model, writer *w, gb_error *err)
{
    gb_status st;
    CLI_TRY(cli_table_column(w->table, "", "id", err));
    for (uint64_t r = 0; r < gb_model_n_responses(model); r++)
        CLI_TRY(add_response(model, w, r, err));
    CLI_TRY(cli_table_column(w->table, "", "n_known", err));
    CLI_TRY(cli_table_column(w->table, "", "n_unknown", err));
    CLI_TRY(cli_table_column(w->table, "", "note", err));
done:
    return st;
}

/* ---- rows ---- */

static cli_view class_name(const gb_model *model, uint64_t response, uint64_t class)
{
    const char *name = gb_model_class(model, response, class);
    return (cli_view){name, strlen(name)};
}

/* What classes are ordered by: probabilities, or the scores of those that have one each. */
static double weight_of(const cli_batch *batch, const writer *w, uint64_t r, uint64_t d, uint64_t c)
{
    const gb_prediction *all = batch->prediction;
    const gb_response_prediction *p = &all->response[r];
    if (shows_probabilities(batch->model, w, r))
        return p->probability[d * p->n_classes + c];
    const uint64_t first = gb_model_first_output(batch->model, r), n = gb_model_n_outputs_of(batch->model, r);
    const double *score = all->score + d * all->n_outputs + first;
    return n > 1 ? score[c] : c == 1 ? score[0] : -score[0];
}

static void write_listed(const cli_batch *batch, writer *w, uint64_t r, uint64_t d)
{
    const uint64_t n_classes = batch->prediction->response[r].n_classes, n = n_listed(batch->model, w, r);
    for (uint64_t c = 0; c < n_classes; c++)
        w->order[c] = c;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t best = i;
        for (uint64_t j = i + 1; j < n_classes; j++)
            if (weight_of(batch, w, r, d, w->order[j]) > weight_of(batch, w, r, d, w->order[best]))
                best = j;
        const uint64_t class = w->order[best];
        memmove(w->order + i + 1, w->order + i, (best - i) * sizeof *w->order);
        w->order[i] = class;
        const cli_view name = class_name(batch->model, r, class);
        cli_table_text(w->table, name.bytes, name.length);
        cli_table_real(w->table, weight_of(batch, w, r, d, class));
    }
}

static void write_classes(const cli_batch *batch, writer *w, uint64_t r, uint64_t d)
{
    const gb_prediction *all = batch->prediction;
    const gb_response_prediction *p = &all->response[r];
    if (p->predicted[d] != UINT64_MAX) {
        cli_view name = class_name(batch->model, r, p->predicted[d]);
        cli_table_text(w->table, name.bytes, name.length);
    } else {
        size_t n = 0;
        gb_prediction_classes(batch->model, all, r, d, w->has_class);
        for (uint64_t c = 0; c < p->n_classes; c++)
            if (w->has_class[c])
                w->predicted[n++] = class_name(batch->model, r, c);
        cli_table_list(w->table, n, w->predicted);
    }
    if (n_listed(batch->model, w, r) > 0) {
        write_listed(batch, w, r, d);
        return;
    }
    for (uint64_t c = 0; shows_probabilities(batch->model, w, r) && c < p->n_classes; c++)
        cli_table_real(w->table, p->probability[d * p->n_classes + c]);
}

static void write_number(const gb_response_prediction *p, writer *w, uint64_t d)
{
    cli_table_real_within(w->table, p->mean[d], p->sd[d]);
    cli_table_real_within(w->table, p->mean[d], p->sd[d]);
    if (w->topics_alone) /* intervals too are those of whole scores */
        return;
    cli_table_real(w->table, p->sd[d]);
    cli_table_real_within(w->table, p->q05[d], p->sd[d]);
    cli_table_real_within(w->table, p->q95[d], p->sd[d]);
}

static void write_response(const cli_batch *batch, writer *w, uint64_t r, uint64_t d)
{
    const gb_prediction *all = batch->prediction;
    const uint64_t first = gb_model_first_output(batch->model, r);
    const uint64_t end = r + 1 < all->n_responses ? gb_model_first_output(batch->model, r + 1) : all->n_outputs;
    if (is_number(batch->model, r))
        write_number(&all->response[r], w, d);
    else
        write_classes(batch, w, r, d);
    const bool shows = shows_scores(batch->model, w, r) && n_listed(batch->model, w, r) == 0;
    for (uint64_t l = first; shows && l < end; l++)
        cli_table_real(w->table, all->score[d * all->n_outputs + l]);
    for (uint64_t l = first; w->scores && l < end; l++)
        cli_table_real(w->table, all->score_error[d * all->n_outputs + l]);
}

static gb_status write_batch(const cli_batch *batch, void *user, gb_error *err)
{
    (void)err; /* write errors show when the table is committed */
    writer *w = user;
    const gb_prediction *p = batch->prediction;
    for (uint64_t d = 0; d < p->n_docs; d++) {
        const cli_view id = cli_id(batch->docs, d);
        cli_table_text(w->table, id.bytes, id.length);
        for (uint64_t r = 0; r < p->n_responses; r++)
            write_response(batch, w, r, d);
        cli_table_count(w->table, p->n_known[d]);
        cli_table_count(w->table, batch->n_unknown[d]);
        cli_table_text(w->table, "prior", p->n_known[d] == 0 ? strlen("prior") : 0);
    }
    return GB_OK;
}

static gb_status allocate_row(const gb_model *model, writer *w, gb_error *err)
{
    uint64_t most = 0;
    for (uint64_t r = 0; r < gb_model_n_responses(model); r++)
        most = gb_model_n_classes(model, r) > most ? gb_model_n_classes(model, r) : most;
    const gb_status st = cli_alloc(&w->has_class, most, sizeof *w->has_class, "a row", err);
    if (st != GB_OK)
        return st;
    const gb_status of_order = cli_alloc(&w->order, most, sizeof *w->order, "a row", err);
    return of_order == GB_OK ? cli_alloc(&w->predicted, most, sizeof *w->predicted, "a row", err) : of_order;
}

gb_status cli_predict(cli_call *call, gb_error *err)
{
    gb_model *model = NULL;
    writer w = {.scores = cli_flag(call, "scores"),
                .topics_alone = cli_flag(call, "topics-alone"),
                .n_top = (uint64_t)cli_int(call, "top")};
    uint64_t n_docs, n_prior;
    gb_status st;
    CLI_TRY(cli_read_model(call, &model, err));
    if (gb_model_n_outputs(model) == 0) {
        st = cli_fail(err, GB_EARGUMENT,
                      "%s: a model without a response predicts nothing; gibbous infer gives topic shares",
                      cli_text(call, "model"));
        goto done;
    }
    CLI_TRY(allocate_row(model, &w, err));
    CLI_TRY(cli_table_open_output(&w.table, call, err));
    CLI_TRY(add_columns(model, &w, err));
    CLI_TRY(cli_apply(call, model, true, write_batch, &w, &n_docs, &n_prior, err));
    st = cli_table_commit(w.table, err);
    w.table = NULL;
    if (st == GB_OK) {
        cli_note_intervals(call, model);
        cli_note_rows(call, n_docs, n_prior, "row");
    }
done:
    cli_table_discard(w.table);
    gb_free(w.has_class);
    gb_free(w.predicted);
    gb_free(w.order);
    gb_model_free(model);
    return st;
}
