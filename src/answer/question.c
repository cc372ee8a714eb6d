/* answer/question.c - the questions, and how they are asked. */
#include "answer/question.h"

#include "answer/questions.h"
#include "base/text.h"
#include "evaluation/evaluation.h"
#include "folds/cross_validation.h"
#include "folds/selection.h"
#include "gibbous/options.h"
#include "model/model.h"
#include "model/prevalence.h"
#include "model/topic_covariance.h"

#include <math.h>
#include <string.h>

static const gb_question_row *const rows[] = {
#define GB_QUESTION(name) &gb_question_##name,
    GB_QUESTIONS(GB_QUESTION)
#undef GB_QUESTION
};

enum { N_QUESTIONS = sizeof rows / sizeof *rows };

const gb_question *gb_question_at(uint64_t index)
{
    return index < N_QUESTIONS ? &rows[index]->question : NULL;
}

static const gb_question_row *find(const char *name)
{
    for (size_t i = 0; i < N_QUESTIONS; i++)
        if (strcmp(rows[i]->question.name, name) == 0)
            return rows[i];
    return NULL;
}

/* ---- what it needs --------------------------------------------------------------------------------- */

static bool has_run(const gb_selection *selection)
{
    return selection != NULL && gb_selection_scores(selection, 0) != NULL;
}

static uint32_t find_scores(const gb_subject *s)
{
    const gb_cross_validation *v = s->validation;
    const bool has_evaluation = s->evaluation != NULL && gb_evaluation_scores(s->evaluation) != NULL,
               has_validation = v != NULL && gb_cross_validation_scores(v) != NULL,
               has_likelihood = (s->likelihood != NULL && s->scored != NULL) ||
                                (has_validation && gb_cross_validation_has_likelihood(v));
    return (has_evaluation ? GB_NEEDS_EVALUATION : 0U) | (has_validation ? GB_NEEDS_VALIDATION : 0U) |
           (has_validation || (s->prediction != NULL && s->model != NULL) ? GB_NEEDS_PREDICTION : 0U) |
           (has_evaluation || has_validation ? GB_NEEDS_SCORES : 0U) | (has_likelihood ? GB_NEEDS_LIKELIHOOD : 0U);
}

static uint32_t find_subgroups(const gb_subject *s)
{
    const gb_evaluation *e =
        s->validation == NULL ? s->evaluation : gb_cross_validation_part_evaluation(s->validation, 0);
    return e != NULL && gb_evaluation_n_subgroup_fields(e) > 0 ? GB_NEEDS_SUBGROUPS : 0U;
}

static uint32_t find_wordings(const gb_model *m)
{
    const gb_wording_shape *shape = m == NULL ? NULL : m->wording.shape;
    return shape == NULL ? 0U : GB_NEEDS_WORDINGS | (shape->is_ordered ? GB_NEEDS_EVOLUTION : 0U);
}

static uint32_t find_needs(const gb_subject *s)
{
    const gb_model *m = s->model;
    const bool has_response = m != NULL && (s->estimate != NULL || gb_model_n_outputs(m) > 0);
    return (m != NULL ? GB_NEEDS_MODEL : 0U) | (has_response ? GB_NEEDS_RESPONSE : 0U) |
           (m != NULL && gb_model_n_groups(m) > 0 ? GB_NEEDS_GROUPS : 0U) |
           (s->earlier != NULL ? GB_NEEDS_EARLIER : 0U) | (s->documents != NULL ? GB_NEEDS_DOCUMENTS : 0U) |
           (s->diagnosis != NULL ? GB_NEEDS_DIAGNOSIS : 0U) | (has_run(s->selection) ? GB_NEEDS_SELECTION : 0U) |
           find_scores(s) | find_subgroups(s) |
           (s->documents != NULL || (m != NULL && gb_model_has_topic_covariance(m)) ? GB_NEEDS_PAIRS : 0U) |
           (m != NULL || s->documents != NULL || s->checkpoint != NULL ? GB_NEEDS_CONTENT : 0U) |
           (s->explanation != NULL ? GB_NEEDS_EXPLANATION : 0U) | (s->among != NULL ? GB_NEEDS_AMONG : 0U) |
           (m != NULL && gb_model_formula(m) != NULL ? GB_NEEDS_PREVALENCE : 0U) | find_wordings(m);
}

static uint32_t missing(const gb_question *question, const gb_subject *subject)
{
    return question->needs & ~((uint32_t)GB_NEEDS_OPTIONS | find_needs(subject));
}

bool gb_question_fits(const gb_question *question, const gb_subject *subject)
{
    return missing(question, subject) == 0;
}

static gb_status check_needs(const gb_question *question, const gb_subject *subject, gb_error *err)
{
    static const char *const name[] = {"a model",
                                       "a model with a response",
                                       "a model with groups of documents: train with `prior` graph and `group`",
                                       "an earlier model",
                                       "documents",
                                       "a diagnosis",
                                       "a finished evaluation",
                                       "a finished selection: `grid`",
                                       "options",
                                       "a finished cross-validation: `folds` or `hold-out-group`",
                                       "a finished evaluation or cross-validation",
                                       "a held-out likelihood",
                                       "documents, or a model with `prior` logistic-normal and `covariance` full",
                                       "a model, documents or a checkpoint",
                                       "an explanation of scores",
                                       "documents among which to look: `nearest-in`",
                                       "documents and a model with a response, or a cross-validation: `folds`",
                                       "a model with a regression on metadata: train with `prevalence`",
                                       "a model with words by group: train with `content` or `evolve`",
                                       "a model whose topics change: train with `evolve`",
                                       "scores by the values of a field: `subgroups`"};
    const uint32_t lacks = missing(question, subject);
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if ((lacks >> i & 1) != 0)
            return gb_fail(err, GB_EARGUMENT, "the question \"%s\" needs %s", question->name, name[i]);
    return GB_OK;
}

/* ---- asking ---------------------------------------------------------------------------------------- */

gb_status gb_answer(const char *name, const gb_subject *subject, const gb_settings *settings, gb_table **out,
                    gb_error *err)
{
    gb_settings *defaults = NULL;
    gb_table *table = NULL;
    gb_status st;
    const gb_question_row *row = find(name);
    if (row == NULL)
        return gb_fail(err, GB_EARGUMENT, "there is no question \"%s\"", name);
    GB_TRY(check_needs(&row->question, subject, err));
    if (settings == NULL)
        GB_TRY(gb_settings_create(&defaults, err));
    GB_TRY(gb_table_create(&table, err));
    const gb_asked asked = {subject, settings == NULL ? defaults : settings};
    GB_TRY(row->answer(&asked, table, err));
    GB_TRY(gb_table_end(table, err));
    *out = table;
    table = NULL;
done:
    gb_table_free(table);
    gb_settings_free(defaults);
    return st;
}

/* ---- options --------------------------------------------------------------------------------------- */

const char *gb_asked_text(const gb_asked *asked, const char *option)
{
    return gb_settings_get(asked->settings, option, 0);
}

uint64_t gb_asked_n(const gb_asked *asked, const char *option)
{
    return gb_settings_n_values(asked->settings, option);
}

const char *gb_asked_item(const gb_asked *asked, const char *option, uint64_t index)
{
    return gb_settings_get(asked->settings, option, index);
}

bool gb_asked_flag(const gb_asked *asked, const char *option)
{
    return strcmp(gb_asked_text(asked, option), "yes") == 0;
}

bool gb_asked_is_set(const gb_asked *asked, const char *option)
{
    return gb_settings_is_set(asked->settings, option);
}

uint64_t gb_asked_count(const gb_asked *asked, const char *option, uint64_t otherwise)
{
    int64_t value = 0;
    if (!gb_asked_is_set(asked, option))
        return otherwise;
    (void)gb_text_to_int(gb_asked_text(asked, option), &value); /* settings hold what fits the option */
    return (uint64_t)value;
}

double gb_asked_real(const gb_asked *asked, const char *option)
{
    double value = NAN;
    (void)gb_text_to_real(gb_asked_text(asked, option), &value); /* "auto" is no number */
    return value;
}
