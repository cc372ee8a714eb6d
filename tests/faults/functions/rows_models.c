/* rows_models.c - functions of model.h, draws.h, effects.h, topic_names.h, topic_unions.h and diagnose.h on models that are there. */
#include "rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MANY = 512 };

/* ---- files ---- */

static void see_made_model(gb_model *model)
{
    see_made(model);
    see_model(model);
    gb_model_free(model);
}

static void model_read(void)
{
    gb_model *model = NULL;
    TRY(gb_model_read("model.gib", NULL, NULL, &model, ERR));
    see_made_model(model);
}

static void model_read_copy(void)
{
    gb_model *model = NULL;
    TRY(gb_model_read_copy("model.gib", NULL, NULL, &model, ERR));
    see_made_model(model);
}

static void model_from_bytes(void)
{
    void *bytes = NULL;
    size_t n_bytes = 0;
    gb_model *model = NULL;
    must(gb_model_to_bytes(ground.grouped, &bytes, &n_bytes, ERR));
    TRY(gb_model_from_bytes(bytes, n_bytes, &model, ERR));
    see_made_model(model);
    gb_free(bytes);
}

static void model_to_bytes(void)
{
    void *bytes = NULL;
    size_t n_bytes = 0;
    TRY(gb_model_to_bytes(ground.grouped, &bytes, &n_bytes, ERR));
    see_made(bytes);
    see_bytes(bytes, n_bytes);
    gb_free(bytes);
}

static void model_write(void)
{
    TRY(gb_model_write(ground.model, "out.gib", true, NULL, NULL, ERR));
    see_file("out.gib");
}

/* A file's draws in another order are copied, and written so. */
static void choose_chain(void)
{
    gb_model *model = NULL;
    must(gb_model_read("model.gib", NULL, NULL, &model, ERR));
    const uint64_t other = 1 - gb_model_topic_chain(model);
    RETRY(gb_model_choose_chain(model, other, ERR));
    NUMBER(gb_model_topic_chain(model));
    see_made_model(model);
}

static void file_kind(void)
{
    NUMBER(gb_file_kind_of("model.gib"));
    NUMBER(gb_file_kind_of("train.jsonl"));
}

/* ---- what is in a model ---- */

static void model_questions(void)
{
    const gb_model *m = ground.model;
    NUMBER(gb_model_n_topics(m));
    NUMBER(gb_model_n_words(m));
    NUMBER(gb_model_n_draws(m));
    NUMBER(gb_model_n_topic_draws(m));
    NUMBER(gb_model_n_snapshots(m));
    NUMBER(gb_model_n_outputs(m));
    TEXT(gb_model_output(m, 1));
    TEXT(gb_model_word(m, 2));
    TEXT(gb_model_settings(m));
    NUMBER(gb_model_seed(m));
    NUMBER(gb_model_n_training_docs(m));
    NUMBER(gb_model_n_training_tokens(m));
    NUMBER(gb_model_is_one_vs_rest(m));
    NUMBER(gb_model_n_burn_ins(m));
    NUMBER(gb_model_burn_in(m, 0));
    NUMBER(gb_model_burn_in_is_found(m, 0));
    NUMBER(gb_model_n_proposals(m));
    TEXT(gb_model_proposal(m, 0));
    NUMBER(gb_model_n_acceptances(m));
    NUMBER(gb_model_acceptance(m, 0, 0));
    NUMBER(gb_model_topic_share(m, 1));
    NUMBER(gb_model_coefficient(m, 0, 1));
}

static void response_questions(void)
{
    const gb_model *m = ground.model;
    NUMBER(gb_model_n_responses(m));
    TEXT(gb_model_field(m, 0));
    TEXT(gb_model_response(m, 0));
    TEXT(gb_model_score_scale(m, 0));
    TEXT(gb_task_name(gb_model_task(m, 0)));
    NUMBER(gb_model_task(m, 0));
    NUMBER(gb_model_has_probabilities(m, 0));
    NUMBER(gb_model_is_calibrated(m, 0));
    QUIET(gb_model_lacks_probabilities(m, 0));
    NUMBER(gb_model_is_likelihood(m, 0));
    NUMBER(gb_model_interval_source(m, 0));
    NUMBER(gb_model_cut_off(m, 0, 0));
    NUMBER(gb_model_first_output(m, 0));
    NUMBER(gb_model_n_outputs_of(m, 0));
    NUMBER(gb_model_has_class_scores(m, 0));
    NUMBER(gb_model_n_classes(m, 0));
    TEXT(gb_model_class(m, 0, 1));
    NUMBER(gb_model_needed_field(m, 0, NULL, NULL, NULL));
    NUMBER(gb_model_has_pseudo_posterior(m));
    NUMBER(gb_model_n_own_parameters(m, 0));
    NUMBER(gb_model_n_folds(m));
}

static void effect_questions(void)
{
    const gb_model *m = ground.grouped;
    NUMBER(gb_model_n_columns(ground.model));
    NUMBER(gb_model_n_embedding_columns(m));
    NUMBER(gb_model_n_word_columns(m));
    TEXT(gb_model_column(ground.model, 0));
    NUMBER(gb_model_n_effects(m, 0));
    NUMBER(gb_model_n_blocks(ground.model));
    TEXT(gb_model_block(ground.model, 0));
    NUMBER(gb_model_n_groups(m));
    TEXT(gb_model_group_field(m));
    TEXT(gb_model_group(m, 1));
}

static void draw_questions(void)
{
    gb_draw_place draw;
    gb_draw_parameter parameter;
    NUMBER(gb_model_draw(ground.model, 1, &draw));
    see_number((double)draw.sweep);
    NUMBER(gb_model_n_draw_parameters(ground.model));
    NUMBER(gb_model_draw_parameter(ground.model, 0, &parameter));
    QUIET(gb_model_draw_value(ground.model, 0, 0));
}

static void words_of_topics(void)
{
    uint64_t word[2 * 5], n_found = 0;
    double probability[2 * 5];
    if (TRY(gb_model_words_of_topics(ground.model, 0, 5, word, probability, &n_found, ERR)) == GB_OK) {
        see_words(word, 10);
        see_numbers(probability, 10);
    }
}

static void rank_words(void)
{
    static const char *const by[] = {"probability", "lift", "relevance", "frex"};
    uint64_t word[2 * 5], n_found = 0;
    double probability[2 * 5];
    for (size_t i = 0; i < 4 && trial_is_fine(); i++)
        if (TRY(gb_model_rank_words(ground.model, 0, by[i], NAN, 5, word, probability, &n_found, ERR)) == GB_OK) {
            see_words(word, 10);
            see_numbers(probability, 10);
        }
}

static void topic_distributions(void)
{
    double probability[2 * 64];
    if (gb_model_n_words(ground.model) > 64)
        must(GB_EARGUMENT);
    if (TRY(gb_model_topic_distributions(ground.model, 0, probability, ERR)) == GB_OK)
        see_numbers(probability, 2 * gb_model_n_words(ground.model));
}

/* ---- effects and draws ---- */

static void see_effects(const gb_effect *effect, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        see_number((double)effect[i].n_draws);
        see_number(effect[i].mean);
        see_number(effect[i].sd);
        see_number(effect[i].median);
        see_number(effect[i].q05);
        see_number(effect[i].p_positive);
    }
}

static void model_effect(void)
{
    gb_effect effect[MANY];
    if (TRY(gb_model_effect(ground.model, 1, 0, effect, ERR)) == GB_OK)
        see_effects(effect, 1);
    if (trial_is_fine() && TRY(gb_model_effects(ground.model, 1, effect, ERR)) == GB_OK)
        see_effects(effect, gb_model_n_effects(ground.model, 1));
    if (trial_is_fine() && TRY(gb_model_block_share(ground.model, 1, 0, effect, ERR)) == GB_OK)
        see_effects(effect, 1);
}

static void own_parameter(void)
{
    gb_effect effect;
    const char *name = NULL;
    uint64_t place = 0;
    double draw[16];
    if (TRY(gb_model_own_parameter(ground.grouped, 0, 0, &name, &place, &effect, ERR)) == GB_OK) {
        see_effects(&effect, 1);
        see_text(name);
    }
    if (trial_is_fine() && TRY(gb_model_own_parameter_draws(ground.grouped, 0, 0, draw, ERR)) == GB_OK)
        see_numbers(draw, gb_model_n_draws(ground.grouped));
}

static void model_draws(void)
{
    double draw[MANY];
    uint64_t topic[2];
    if (TRY(gb_model_effect_draws(ground.model, 0, 0, 2, draw, ERR)) == GB_OK)
        see_numbers(draw, 2 * gb_model_n_draws(ground.model));
    if (trial_is_fine() && TRY(gb_model_topics_of_chain(ground.model, 0, 1, topic, ERR)) == GB_OK)
        see_words(topic, 2);
}

/* ---- names and unions of topics ---- */

static void name_topics(void)
{
    static const char *const name[] = {"fruit", "animals"};
    gb_model *named = NULL;
    TRY(gb_model_name_topics(ground.model, name, &named, ERR));
    see_made(named);
    if (named != NULL) {
        NUMBER(gb_model_has_topic_names(named));
        TEXT(gb_model_topic_name(named, 1));
    }
    see_model(named);
    gb_model_free(named);
}

static void read_names(const char *path, const char *text)
{
    gb_model *named = NULL;
    write_text(path, text);
    TRY(gb_model_read_topic_names(ground.model, path, &named, ERR));
    see_made_model(named);
    (void)unlink(path);
}

static void read_topic_names(void)
{
    read_names("names.csv", "topic,name\n1,fruit\n2,animals\n");
}

static void read_names_of_json(void)
{
    read_names("names.json", "{\"1\": \"fruit\", \"2\": \"animals\"}\n");
}

static void read_names_of_lines(void)
{
    read_names("names.txt", "Here they are:\n1: fruit\n- **Topic 2**: animals\n");
}

static void unite_topics(void)
{
    static const uint64_t label[] = {0, 0};
    gb_model *united = NULL;
    TRY(gb_model_unite_topics(ground.model, label, &united, ERR));
    see_made(united);
    if (united != NULL) {
        NUMBER(gb_model_has_topic_unions(united));
        NUMBER(gb_model_topic_union(united, 1));
    }
    see_model(united);
    gb_model_free(united);
}

static void read_topic_unions(void)
{
    gb_model *united = NULL;
    write_text("groups.csv", "topic,group\n1,nature\n2,nature\n");
    TRY(gb_model_read_topic_unions(ground.model, "groups.csv", &united, ERR));
    see_made_model(united);
    (void)unlink("groups.csv");
}

/* ---- diagnose.h ---- */

static void diagnose(const gb_model *model)
{
    static const char *const question[] = {"diagnosis", "traces", "verdict"};
    gb_diagnosis *d = NULL;
    TRY(gb_diagnosis_create(model, GB_DIAGNOSE_ALL, &d, ERR));
    see_made(d);
    const gb_subject subject = {.size = sizeof subject, .model = model, .diagnosis = d};
    for (size_t i = 0; d != NULL && i < sizeof question / sizeof *question && trial_is_fine(); i++)
        see_answer(question[i], &subject);
    QUIET((gb_diagnosis_free(d), 0));
}

static void description(void)
{
    see_answer("description", &(gb_subject){.size = sizeof(gb_subject), .model = ground.model});
    if (trial_is_fine())
        see_answer("description", &(gb_subject){.size = sizeof(gb_subject), .documents = ground.corpus});
}

static void diagnose_classes(void)
{
    diagnose(ground.model);
}

static void diagnose_groups(void)
{
    diagnose(ground.grouped);
}

const fault_row rows_of_models[] = {{"model_read", model_read, NULL},
                                    {"choose_chain", choose_chain, NULL},
                                    {"model_read_copy", model_read_copy, NULL},
                                    {"model_from_bytes", model_from_bytes, NULL},
                                    {"model_to_bytes", model_to_bytes, NULL},
                                    {"model_write", model_write, NULL},
                                    {"file_kind", file_kind, NULL},
                                    {"model_questions", model_questions, NULL},
                                    {"response_questions", response_questions, NULL},
                                    {"effect_questions", effect_questions, NULL},
                                    {"draw_questions", draw_questions, NULL},
                                    {"words_of_topics", words_of_topics, NULL},
                                    {"rank_words", rank_words, NULL},
                                    {"topic_distributions", topic_distributions, NULL},
                                    {"model_effect", model_effect, NULL},
                                    {"own_parameter", own_parameter, NULL},
                                    {"model_draws", model_draws, NULL},
                                    {"name_topics", name_topics, NULL},
                                    {"read_topic_names", read_topic_names, NULL},
                                    {"read_names_of_json", read_names_of_json, NULL},
                                    {"read_names_of_lines", read_names_of_lines, NULL},
                                    {"unite_topics", unite_topics, NULL},
                                    {"read_topic_unions", read_topic_unions, NULL},
                                    {"diagnose_classes", diagnose_classes, NULL},
                                    {"description", description, NULL},
                                    {"diagnose_groups", diagnose_groups, NULL},
                                    {NULL, NULL, NULL}};
