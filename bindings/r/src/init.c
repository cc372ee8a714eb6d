/* init.c - the functions that R calls, by name. */
#include "calls.h"

#include <R_ext/Rdynload.h>
#include <R_ext/Visibility.h>

/* clang-format off */
#define CALL(name, n) {#name, (DL_FUNC)name, n}

static const R_CallMethodDef calls[] = {
    CALL(gbr_is_alive, 1),
    CALL(gbr_options, 0),
    CALL(gbr_nearest, 2),
    CALL(gbr_settings_new, 0),
    CALL(gbr_settings_set, 4),
    CALL(gbr_settings_check, 2),
    CALL(gbr_settings_get, 2),
    CALL(gbr_settings_is_set, 2),
    CALL(gbr_settings_resume, 2),
    CALL(gbr_settings_fields, 1),
    CALL(gbr_corpus, 2),
    CALL(gbr_corpus_read, 2),
    CALL(gbr_corpus_write, 3),
    CALL(gbr_corpus_facts, 1),
    CALL(gbr_corpus_tokens, 1),
    CALL(gbr_documents, 2),
    CALL(gbr_documents_of_corpus, 2),
    CALL(gbr_documents_read, 3),
    CALL(gbr_n_unknown, 1),
    CALL(gbr_value_names, 1),
    CALL(gbr_train, 5),
    CALL(gbr_train_describe, 2),
    CALL(gbr_hold_out, 2),
    CALL(gbr_simulate, 2),
    CALL(gbr_validation, 3),
    CALL(gbr_selection, 3),
    CALL(gbr_model_read, 1),
    CALL(gbr_model_write, 3),
    CALL(gbr_model_bytes, 1),
    CALL(gbr_model_of_bytes, 1),
    CALL(gbr_file_kind, 1),
    CALL(gbr_model_facts, 1),
    CALL(gbr_model_words, 1),
    CALL(gbr_topic_distributions, 1),
    CALL(gbr_rank_words, 4),
    CALL(gbr_topic_shares, 1),
    CALL(gbr_name_topics, 2),
    CALL(gbr_draw_places, 1),
    CALL(gbr_effect_draws, 2),
    CALL(gbr_parameter_draws, 2),
    CALL(gbr_check_use, 3),
    CALL(gbr_predict, 4),
    CALL(gbr_prediction_values, 2),
    CALL(gbr_infer, 4),
    CALL(gbr_likelihood, 4),
    CALL(gbr_evaluation, 2),
    CALL(gbr_evaluate, 4),
    CALL(gbr_explanation, 5),
    CALL(gbr_diagnosis, 1),
    CALL(gbr_request_fields, 2),
    CALL(gbr_estimate, 4),
    CALL(gbr_export, 6),
    CALL(gbr_questions, 0),
    CALL(gbr_answer, 4),
    CALL(gbr_table, 3),
    {NULL, NULL, 0}
};
/* clang-format on */

void attribute_visible R_init_gibbous(DllInfo *dll)
{
    R_registerRoutines(dll, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(dll, FALSE);
    R_forceSymbols(dll, TRUE);
}
