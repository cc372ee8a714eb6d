/* cli/topics_alone.c - how good a model with words or embeddings is by its topics alone. */
#include "topics_alone.h"

#include "progress.h"

gb_status cli_alone_open(const cli_call *call, const gb_model *model, cli_topics_alone *a, gb_error *err)
{
    gb_status st = GB_OK;
    if (gb_model_n_word_columns(model) + gb_model_n_embedding_columns(model) == 0)
        return GB_OK;
    CLI_TRY(gb_settings_copy(call->settings, &a->settings, err));
    CLI_TRY(gb_settings_set(a->settings, "topics-alone", "yes", err));
    CLI_TRY(gb_settings_set(a->settings, "held-out", "none", err)); /* the same without and with them */
    CLI_TRY(gb_evaluation_create(model, a->settings, &a->evaluation, err));
done:
    return st;
}

gb_status cli_alone_add(cli_topics_alone *a, const cli_batch *batch, gb_error *err)
{
    gb_status st;
    gb_prediction *prediction = NULL;
    if (a->evaluation == NULL || batch->prediction == NULL)
        return GB_OK;
    CLI_TRY(gb_prediction_create(batch->model, gb_corpus_n_docs(batch->docs), &prediction, err));
    CLI_TRY(gb_predict(batch->model, batch->docs, batch->first_row, a->settings, cli_goes_on, NULL, prediction, err));
    CLI_TRY(gb_evaluation_add(a->evaluation, batch->docs, prediction, NULL, batch->n_unknown, err));
done:
    gb_prediction_free(prediction);
    return st;
}

gb_status cli_alone_finish(cli_topics_alone *a, gb_error *err)
{
    return a->evaluation == NULL ? GB_OK : gb_evaluation_finish(a->evaluation, err);
}

void cli_alone_close(cli_topics_alone *a)
{
    gb_evaluation_free(a->evaluation);
    gb_settings_free(a->settings);
}
