#include "ask_model.h"
#include "apply/export.h"
#include "model/topic_unions.h"

#include "fixed.h"

#include <float.h>
#include <inttypes.h>

/* Larger answers are not asked for: memory is another matter (unit/test_small_files). */
enum { MOST = 1 << 12, N_BEST = 3 };

typedef struct asked {
    const gb_model *model;
    gb_corpus *docs; /* in the model's vocabulary */
    uint64_t n_docs, n_tokens;
    gb_settings *settings;
    uint64_t n_topics, n_outputs; /* no more than MOST */
} asked;

static uint64_t at_most(uint64_t n, uint64_t most)
{
    return n < most ? n : most;
}

/* Room for n answers, n not above MOST x MOST. */
static void *room(uint64_t n, size_t size)
{
    void *out = calloc(n + 1, size);
    if (out == NULL)
        abort();
    return out;
}

/* ---- what the model is ---- */

static void ask_texts(const asked *a)
{
    const gb_model *m = a->model;
    size_t n = strlen(gb_model_settings(m)) + strlen(gb_model_group_field(m));
    for (uint64_t l = 0; l < a->n_outputs; l++)
        n += strlen(gb_model_output(m, l));
    for (uint64_t r = 0; r < gb_model_n_responses(m); r++) {
        n += strlen(gb_model_field(m, r)) + strlen(gb_model_response(m, r)) +
             strlen(gb_task_name(gb_model_task(m, r)));
        for (uint64_t c = 0; c < gb_model_n_classes(m, r); c++) {
            n += strlen(gb_model_class(m, r, c));
            (void)gb_model_cut_off(m, r, c);
        }
    }
    for (uint64_t j = 0; j < gb_model_n_columns(m); j++)
        n += strlen(gb_model_column(m, j));
    for (uint64_t g = 0; g < gb_model_n_groups(m); g++)
        n += strlen(gb_model_group(m, g));
    for (uint64_t f = 0; gb_model_needed_field(m, f, NULL, NULL, NULL); f++) {
        const char *name;
        gb_role role;
        gb_field_kind kind;
        if (gb_model_needed_field(m, f, &name, &role, &kind))
            n += strlen(name);
    }
    for (uint64_t w = 0; w < gb_model_n_words(m); w++)
        n += strlen(gb_model_word(m, w));
    for (uint64_t p = 0; p < gb_model_n_proposals(m); p++)
        for (uint64_t c = 0; c < gb_model_n_acceptances(m); c++)
            n += gb_model_acceptance(m, p, c) > 0;
    for (uint64_t c = 0; c < gb_model_n_burn_ins(m); c++)
        n += gb_model_burn_in(m, c) + gb_model_burn_in_is_found(m, c);
    if (n == SIZE_MAX) /* so that it is computed */
        abort();
}

static void ask_draws(const asked *a)
{
    const gb_model *m = a->model;
    double sum = 0;
    for (uint64_t d = 0; d < gb_model_n_draws(m); d++) {
        gb_draw_place place;
        (void)gb_model_draw(m, d, &place);
        for (uint64_t p = 0; p < gb_model_n_draw_parameters(m); p++) {
            gb_draw_parameter of;
            const double *value = gb_model_draw_value(m, d, p);
            if (value != NULL && gb_model_draw_parameter(m, p, &of) && of.n_columns > 0)
                sum += value[0] + value[(of.n_rows > 0 ? of.n_rows : 1) * of.n_columns - 1];
        }
    }
    if (sum == -DBL_MAX) /* so that it is computed */
        abort();
    uint64_t *topic = room(a->n_topics, sizeof *topic);
    for (uint64_t c = 0; c < 3; c++)
        (void)gb_model_topics_of_chain(m, 0, c, topic, NULL);
    free(topic);
}

/* ---- effects ---- */

static void ask_effects(const asked *a)
{
    for (uint64_t l = 0; l < a->n_outputs; l++) {
        const uint64_t n = gb_model_n_effects(a->model, l);
        if (n > MOST)
            continue;
        gb_effect *effect = room(n, sizeof *effect);
        (void)gb_model_effects(a->model, l, effect, NULL);
        free(effect);
    }
}

static void ask_effect_draws(const asked *a)
{
    const uint64_t n = gb_model_n_effects(a->model, 0), n_draws = gb_model_n_draws(a->model);
    if (n > MOST || n_draws > MOST)
        return;
    double *value = room(n * n_draws, sizeof *value);
    (void)gb_model_effect_draws(a->model, 0, 0, n, value, NULL);
    for (uint64_t r = 0; r < gb_model_n_responses(a->model); r++)
        for (uint64_t i = 0; i < gb_model_n_own_parameters(a->model, r); i++)
            (void)gb_model_own_parameter_draws(a->model, r, i, value, NULL);
    free(value);
}

static void ask_parts(const asked *a)
{
    gb_effect e;
    for (uint64_t l = 0; l < a->n_outputs; l++)
        for (uint64_t b = 0; b < gb_model_n_blocks(a->model); b++)
            (void)gb_model_block_share(a->model, l, b, &e, NULL);
    for (uint64_t r = 0; r < gb_model_n_responses(a->model); r++)
        for (uint64_t i = 0; i < gb_model_n_own_parameters(a->model, r); i++) {
            const char *name;
            uint64_t place;
            (void)gb_model_own_parameter(a->model, r, i, &name, &place, &e, NULL);
        }
    for (uint64_t k = 0; k < a->n_topics; k++)
        (void)gb_model_topic_share(a->model, k);
}

static void ask(const asked *a, const char *question, const char *option, const char *value)
{
    const gb_subject subject = {.size = sizeof subject, .model = a->model};
    gb_settings *settings = NULL;
    gb_table *table = NULL;
    if (gb_settings_create(&settings, NULL) == GB_OK && gb_settings_set(settings, option, value, NULL) == GB_OK)
        (void)gb_answer(question, &subject, settings, &table, NULL);
    gb_table_free(table);
    gb_settings_free(settings);
}

static void ask_contrasts(const asked *a)
{
    char text[64];
    if (a->n_outputs > MOST)
        return;
    (void)snprintf(text, sizeof text, "1,%" PRIu64, a->n_topics);
    ask(a, "contrasts", "contrast", text);
    (void)snprintf(text, sizeof text, "%" PRIu64, a->n_topics + 1);
    ask(a, "contrasts", "contrast", text);
}

static void ask_group_shares(const asked *a)
{
    const uint64_t n = gb_model_n_groups(a->model);
    if (n == 0 || n * a->n_topics * gb_model_n_draws(a->model) > 64) /* seconds under sanitizers */
        return;
    ask(a, "groups", "words", "2");
    ask(a, "groups", "trend", "1");
    ask(a, "group-contrasts", "words", "2");
}

static void ask_group_prediction(const asked *a)
{
    if (gb_model_n_groups(a->model) > 0 && gb_model_n_draws(a->model) < 64)
        ask(a, "group-prediction", "prior-predictive", gb_model_group(a->model, gb_model_n_groups(a->model) - 1));
}

/* ---- topics ---- */

static void ask_words_of_topics(const asked *a)
{
    static const char *const by[] = {"probability", "frex", "lift", "relevance", "score"};
    uint64_t *word = room(a->n_topics * N_BEST, sizeof *word), *n_found = room(a->n_topics, sizeof *n_found);
    double *probability = room(a->n_topics * N_BEST, sizeof *probability);
    for (uint64_t l = 0; l < (a->n_outputs > 0 ? a->n_outputs : 1); l++)
        (void)gb_model_words_of_topics(a->model, l, N_BEST, word, probability, n_found, NULL);
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        (void)gb_model_rank_words(a->model, 0, by[i], 0.5, N_BEST, word, probability, n_found, NULL);
    free(word);
    free(n_found);
    free(probability);
}

static void ask_distributions(const asked *a)
{
    const uint64_t n = gb_model_n_words(a->model);
    if (n > MOST)
        return;
    double *out = room(a->n_topics * n, sizeof *out);
    (void)gb_model_topic_distributions(a->model, 0, out, NULL);
    free(out);
}

/* Every question that can be asked of a model and documents. */
static void ask_questions(const asked *a, const gb_model *model)
{
    const gb_subject subject = {.size = sizeof subject, .model = model, .documents = a->docs};
    const gb_question *question;
    for (uint64_t i = 0; (question = gb_question_at(i)) != NULL; i++) {
        gb_table *table = NULL;
        if (gb_question_fits(question, &subject))
            (void)gb_answer(question->name, &subject, a->settings, &table, NULL);
        gb_table_free(table);
    }
}

static void ask_all_questions(const asked *a)
{
    ask_questions(a, a->model);
}

static void ask_unions(const asked *a)
{
    gb_model *united = NULL, *named = NULL;
    uint64_t *label = room(a->n_topics, sizeof *label), *word = room(a->n_topics * N_BEST, sizeof *word),
             *n_found = room(a->n_topics, sizeof *n_found);
    const char **name = room(a->n_topics, sizeof *name);
    double *probability = room(a->n_topics * N_BEST, sizeof *probability);
    for (uint64_t k = 0; k < a->n_topics; k++) {
        label[k] = k / 2;
        name[k] = k % 2 == 0 ? "even" : "";
    }
    if (gb_model_unite_topics(a->model, label, &united, NULL) == GB_OK) {
        (void)gb_model_rank_union_words(united, "probability", 0.5, N_BEST, word, probability, n_found, NULL);
        (void)gb_model_topics_of_union(united, 0, label);
        (void)gb_model_union_name(united, 0);
        ask_questions(a, united);
    }
    if (gb_model_name_topics(a->model, name, &named, NULL) == GB_OK && gb_model_has_topic_names(named))
        (void)gb_model_topic_name(named, 0);
    gb_model_free(united);
    gb_model_free(named);
    free(label);
    free(word);
    free(n_found);
    free(name);
    free(probability);
}

/* ---- chains ---- */

static void ask_diagnosis(const asked *a)
{
    gb_diagnosis *d = NULL;
    if (gb_diagnosis_create(a->model, GB_DIAGNOSE_ALL, &d, NULL) != GB_OK)
        return;
    static const char *const question[] = {"diagnosis", "traces", "verdict"};
    const gb_subject subject = {.size = sizeof subject, .model = a->model, .diagnosis = d};
    for (size_t i = 0; i < sizeof question / sizeof *question; i++) {
        gb_table *table = NULL;
        (void)gb_answer(question[i], &subject, NULL, &table, NULL);
        gb_table_free(table);
    }
    gb_diagnosis_free(d);
}

/* ---- documents ---- */

static void ask_prediction(const asked *a)
{
    gb_prediction *p = NULL;
    gb_evaluation *evaluation = NULL;
    if (gb_prediction_create(a->model, a->n_docs, &p, NULL) == GB_OK &&
        gb_predict(a->model, a->docs, 0, a->settings, NULL, NULL, p, NULL) == GB_OK &&
        gb_evaluation_create(a->model, a->settings, &evaluation, NULL) == GB_OK &&
        gb_evaluation_add(evaluation, a->docs, p, NULL, NULL, NULL) == GB_OK)
        (void)gb_evaluation_finish(evaluation, NULL);
    gb_evaluation_free(evaluation);
    gb_prediction_free(p);
}

static void ask_predicted_draws(const asked *a)
{
    gb_predicted_draws *draws = NULL;
    if (gb_predicted_draws_create(a->model, a->n_docs, 1 << 24, &draws, NULL) == GB_OK)
        (void)gb_predict_draws(a->model, a->docs, 0, a->settings, NULL, NULL, draws, NULL);
    gb_predicted_draws_free(draws);
}

static void ask_explanation(const asked *a)
{
    gb_explanation *e = NULL;
    if (gb_explanation_create(a->model, a->docs, 1, 1, &e, NULL) == GB_OK)
        (void)gb_explain(a->model, a->docs, 0, a->settings, NULL, NULL, e, NULL);
    gb_explanation_free(e);
}

static void ask_likelihood(const asked *a)
{
    static const char *const method[] = {"empirical", "left-to-right", "completion"};
    gb_held_out *h = NULL;
    if (gb_held_out_create(a->n_docs, &h, NULL) != GB_OK)
        abort();
    for (size_t i = 0; i < sizeof method / sizeof *method; i++) {
        gb_settings *s = fuzz_settings("held-out", method[i], "held-out-samples", "2", "infer-sweeps", "2",
                                       "infer-burn-in", "1", "seed", "1", "threads", "1", NULL);
        (void)gb_held_out_likelihood(a->model, a->docs, 0, s, NULL, NULL, h, NULL);
        gb_settings_free(s);
    }
    gb_held_out_free(h);
}

static void ask_topics_of_tokens(const asked *a)
{
    uint16_t *topic = room(a->n_tokens, sizeof *topic);
    (void)gb_draw_topics(a->model, a->docs, 0, a->settings, NULL, NULL, topic, NULL);
    free(topic);
}

static void ask_simulation(const asked *a)
{
    gb_corpus *corpus = NULL;
    gb_settings *s = fuzz_settings("documents", "3", "length", "4", "seed", "1", NULL);
    (void)gb_simulate(a->model, s, NULL, NULL, &corpus, NULL);
    gb_corpus_free(corpus);
    gb_settings_free(s);
}

static void ask_files(const asked *a)
{
    static const char *const format[] = {"ldavis", "mallet-state"};
    char folder[FUZZ_PATH], path[FUZZ_PATH + 8];
    fuzz_folder(folder);
    (void)snprintf(path, sizeof path, "%s/file", folder);
    for (size_t i = 0; i < sizeof format / sizeof *format; i++)
        (void)gb_model_export(a->model, a->docs, path, format[i], a->settings, true, NULL, NULL, NULL);
    (void)unlink(path);
    (void)rmdir(folder);
}

static void (*const question[])(const asked *) = {
    ask_texts,
    ask_draws,
    ask_effects,
    ask_effect_draws,
    ask_parts,
    ask_contrasts,
    ask_group_shares,
    ask_words_of_topics,
    ask_distributions,
    ask_all_questions,
    ask_unions,
    ask_diagnosis,
    ask_prediction,
    ask_predicted_draws,
    ask_explanation,
    ask_likelihood,
    ask_topics_of_tokens,
    ask_simulation,
    ask_files,
    ask_group_prediction,
};

size_t fuzz_n_questions(void)
{
    return sizeof question / sizeof *question;
}

void fuzz_ask_model(const gb_model *model, const gb_corpus *corpus, size_t which)
{
    asked a = {
        .model = model, .n_topics = gb_model_n_topics(model), .n_outputs = at_most(gb_model_n_outputs(model), MOST)};
    uint64_t *n_unknown = NULL;
    if (a.n_topics > MOST || gb_documents_from_corpus(model, corpus, &a.docs, &n_unknown, NULL) != GB_OK)
        return;
    a.settings = fuzz_settings("infer-sweeps", "3", "infer-burn-in", "1", "seed", "1", "threads", "1", NULL);
    a.n_docs = gb_corpus_n_docs(a.docs);
    a.n_tokens = gb_corpus_n_tokens(a.docs);
    question[which % fuzz_n_questions()](&a);
    gb_free(n_unknown);
    gb_corpus_free(a.docs);
    gb_settings_free(a.settings);
}
