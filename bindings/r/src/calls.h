/* calls.h - functions that R calls, one section a file, and handles that several files make. */
#ifndef GIBBOUS_R_CALLS_H
#define GIBBOUS_R_CALLS_H

#include "glue.h"

SEXP gbr_corpus_handle(SEXP keeps);
SEXP gbr_model_handle(void);

/* handles.c */
SEXP gbr_is_alive(SEXP handle);

/* settings.c */
SEXP gbr_options(void);
SEXP gbr_nearest(SEXP word, SEXP candidates);
SEXP gbr_settings_new(void);
SEXP gbr_settings_set(SEXP settings, SEXP name, SEXP value, SEXP is_grid);
SEXP gbr_settings_check(SEXP settings, SEXP name);
SEXP gbr_settings_get(SEXP settings, SEXP name);
SEXP gbr_settings_is_set(SEXP settings, SEXP name);
SEXP gbr_settings_resume(SEXP settings, SEXP path);
SEXP gbr_settings_fields(SEXP settings);

/* corpus.c */
SEXP gbr_corpus(SEXP inputs, SEXP settings);
SEXP gbr_corpus_read(SEXP path, SEXP settings);
SEXP gbr_corpus_write(SEXP corpus, SEXP path, SEXP force);
SEXP gbr_corpus_facts(SEXP corpus);
SEXP gbr_corpus_tokens(SEXP corpus);
SEXP gbr_documents(SEXP model, SEXP inputs);
SEXP gbr_documents_of_corpus(SEXP model, SEXP corpus);
SEXP gbr_documents_read(SEXP model, SEXP path, SEXP settings);
SEXP gbr_n_unknown(SEXP documents);
SEXP gbr_value_names(SEXP values);

/* train.c */
SEXP gbr_train(SEXP corpus, SEXP settings, SEXP begin_with, SEXP has_folds, SEXP shows);
SEXP gbr_train_describe(SEXP corpus, SEXP settings);
SEXP gbr_hold_out(SEXP corpus, SEXP settings);
SEXP gbr_simulate(SEXP model, SEXP settings);
SEXP gbr_validation(SEXP corpus, SEXP settings, SEXP shows);
SEXP gbr_selection(SEXP corpus, SEXP settings, SEXP shows);

/* model.c */
SEXP gbr_model_read(SEXP path);
SEXP gbr_model_write(SEXP model, SEXP path, SEXP force);
SEXP gbr_model_bytes(SEXP model);
SEXP gbr_model_of_bytes(SEXP bytes);
SEXP gbr_file_kind(SEXP path);
SEXP gbr_model_facts(SEXP model);
SEXP gbr_model_words(SEXP model);
SEXP gbr_topic_distributions(SEXP model);
SEXP gbr_rank_words(SEXP model, SEXP by, SEXP weight, SEXP n);
SEXP gbr_topic_shares(SEXP model);
SEXP gbr_name_topics(SEXP model, SEXP names);
SEXP gbr_draw_places(SEXP model);
SEXP gbr_effect_draws(SEXP model, SEXP output);
SEXP gbr_parameter_draws(SEXP model, SEXP name);

/* apply.c */
SEXP gbr_check_use(SEXP model, SEXP settings, SEXP use);
SEXP gbr_predict(SEXP model, SEXP documents, SEXP settings, SEXP shows);
SEXP gbr_prediction_values(SEXP model, SEXP prediction);
SEXP gbr_infer(SEXP model, SEXP documents, SEXP settings, SEXP shows);
SEXP gbr_likelihood(SEXP model, SEXP documents, SEXP settings, SEXP shows);
SEXP gbr_evaluation(SEXP model, SEXP settings);
SEXP gbr_evaluate(SEXP evaluation, SEXP documents, SEXP settings, SEXP shows);
SEXP gbr_explanation(SEXP model, SEXP documents, SEXP settings, SEXP prediction, SEXP shows);
SEXP gbr_diagnosis(SEXP model);
SEXP gbr_request_fields(SEXP model, SEXP settings);
SEXP gbr_estimate(SEXP model, SEXP documents, SEXP settings, SEXP shows);
SEXP gbr_export(SEXP model, SEXP documents, SEXP path, SEXP format, SEXP settings, SEXP force);

/* answer.c */
SEXP gbr_questions(void);
SEXP gbr_answer(SEXP question, SEXP subject, SEXP settings, SEXP shows);
SEXP gbr_table(SEXP question, SEXP subject, SEXP settings);

#endif
