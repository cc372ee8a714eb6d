/* answer/group_prediction.c - what a document of a group may be about, before its words are known. */
#include "answer/contrast.h"
#include "answer/doubt.h"
#include "answer/posterior.h"
#include "answer/questions.h"
#include "answer/scores.h"
#include "answer/topic_labels.h"
#include "model/group_effects.h"

#include <string.h>

enum { WORDS = 5, PREDICTED_WORDS = 20 };

enum { GROUP, KIND, FIELD, FEATURE, NAME, MEAN, TOPIC_WORDS = MEAN + GB_N_POSTERIOR_COLUMNS, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [GROUP] = {"group", "a document of %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "group of documents"},
    [KIND] = {"kind", ": each %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "topic, word or score"},
    [FIELD] = {"field", "field", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "field that a score predicts"},
    [FEATURE] = {"feature", "feature", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                 "number of the topic, word, or class that the score speaks for"},
    [NAME] = {"topic_name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name that somebody gave the topic"},
    GB_POSTERIOR_COLUMNS(MEAN, "%.4f", "share of the document, probability of the word, or the score"),
    [TOPIC_WORDS] = {"words", "words", GB_CELL_TEXT, GB_PLACE_END, NULL, "", "words of the topic"}};

typedef struct prediction {
    const gb_model *model;
    uint64_t group;
    gb_topic_labels labels;
    gb_table *table;
} prediction;

static void add_columns(const prediction *p)
{
    gb_column shown[N_COLUMNS];
    bool is_used[N_COLUMNS];
    memcpy(shown, columns, sizeof shown);
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = gb_topic_labels_have_names(&p->labels);
    is_used[MEAN + GB_P_POSITIVE] = false;
    shown[MEAN + GB_SD].place = shown[MEAN + GB_MEDIAN].place = GB_PLACE_DATA;
    gb_table_add_all(p->table, N_COLUMNS, shown, is_used);
}

static void begin_row(const prediction *p, const char *kind, const char *feature, double weight, const gb_effect *e)
{
    gb_table_begin_row(p->table, weight);
    gb_put_text(p->table, GROUP, gb_model_group(p->model, p->group));
    gb_put_text(p->table, KIND, kind);
    gb_put_text(p->table, FEATURE, feature);
    gb_put_posterior(p->table, MEAN, e);
}

static void put_topics(const prediction *p, const gb_effect *share)
{
    for (uint64_t k = 0; k < p->labels.n_topics; k++) {
        if (!gb_topic_is_listed(&p->labels, k))
            continue;
        begin_row(p, "topic", p->labels.title[k], share[k].mean, &share[k]);
        gb_put_text(p->table, NAME, gb_topic_label_name(&p->labels, k));
        gb_put_text(p->table, TOPIC_WORDS, p->labels.words[k]);
    }
}

/* The probability of a word has no interval. */
static void put_words(const prediction *p, const gb_group_prediction *of)
{
    for (uint64_t i = 0; i < of->n_words; i++) {
        const gb_effect e = {
            .mean = of->probability[i], .sd = NAN, .q05 = NAN, .median = NAN, .q95 = NAN, .p_positive = NAN};
        begin_row(p, "word", gb_model_word(p->model, of->word[i]), NAN, &e);
    }
}

static void put_scores(const prediction *p, const gb_group_prediction *of)
{
    for (uint64_t l = 0; l < of->n_outputs; l++) {
        const uint64_t r = gb_response_of_output(p->model, l);
        begin_row(p, "score", gb_model_has_class_scores(p->model, r) ? gb_model_output(p->model, l) : "", NAN,
                  &of->score[l]);
        gb_put_text(p->table, FIELD, gb_model_field(p->model, r));
    }
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    prediction p = {.model = asked->subject->model, .table = table};
    gb_group_prediction *of = NULL;
    if (!gb_asked_is_set(asked, "prior-predictive"))
        return gb_fail(err, GB_EARGUMENT, "`prior-predictive` is missing: the name of a group");
    GB_TRY(gb_read_group(p.model, "prior-predictive", gb_asked_text(asked, "prior-predictive"), &p.group, err));
    GB_TRY(gb_topic_labels_make(&p.labels, asked, p.model, 0, true, WORDS, err));
    GB_TRY(gb_model_predict_group(p.model, p.group, gb_asked_count(asked, "words", PREDICTED_WORDS), &of, err));
    add_columns(&p);
    put_topics(&p, of->share);
    put_words(&p, of);
    put_scores(&p, of);
    if (gb_model_group_n_docs(p.model, p.group) == 0)
        gb_table_add_note(table, GB_NOTE_REMARK,
                          "no training document is of %s, so what is said of it is known by the prior alone",
                          gb_model_group(p.model, p.group));
    gb_note_first_chain(table, p.model, "everything else is from all chains");
    gb_note_topics(table, p.model);
done:
    gb_topic_labels_clear(&p.labels);
    gb_group_prediction_free(of);
    return st;
}

const gb_question_row gb_question_group_prediction = {
    {"group-prediction", "what a document of a group may be about, before its words are known",
     GB_NEEDS_MODEL | GB_NEEDS_GROUPS | GB_NEEDS_OPTIONS, GB_TOPIC_LABEL_OPTIONS " prior-predictive"},
    answer};
