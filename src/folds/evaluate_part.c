/* folds/evaluate_part.c - a model on documents that were held out of its training. */
#include "folds/evaluate_part.h"

#include "corpus/data/corpus.h"

gb_status gb_evaluate_part(const gb_model *model, const gb_corpus *docs, const uint64_t *n_unknown,
                           uint64_t first_row, const gb_settings *settings, gb_on_apply *on_apply, void *user,
                           gb_held_out **likelihood, gb_evaluation **evaluation, gb_error *err)
{
    gb_status st;
    gb_prediction *prediction = NULL;
    GB_TRY(gb_evaluation_create_all(model, settings, evaluation, err));
    if (gb_evaluation_n_responses(*evaluation) > 0) {
        GB_TRY(gb_prediction_create(model, docs->n_docs, &prediction, err));
        GB_TRY(gb_predict(model, docs, first_row, settings, on_apply, user, prediction, err));
    }
    if (likelihood != NULL) {
        GB_TRY(gb_held_out_create(docs->n_docs, likelihood, err));
        GB_TRY(gb_held_out_likelihood(model, docs, first_row, settings, on_apply, user, *likelihood, err));
    }
    GB_TRY(gb_evaluation_add(*evaluation, docs, prediction, likelihood == NULL ? NULL : *likelihood, n_unknown, err));
    GB_TRY(gb_evaluation_list_scores(*evaluation, err));
done:
    gb_prediction_free(prediction);
    return st;
}
