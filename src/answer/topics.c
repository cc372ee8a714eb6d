/* answer/topics.c - what topics are about: their words, how much of the documents they have, how good they are, the classes that they raise. */
#include "answer/questions.h"
#include "answer/scores.h"
#include "answer/topic_documents.h"
#include "answer/topic_labels.h"
#include "answer/topic_quality.h"
#include "answer/verdict.h"
#include "apply/topic_documents.h"
#include "diagnose/recurrence.h"
#include "gibbous/effects.h"
#include "gibbous/topic_names.h"
#include "gibbous/topic_unions.h"
#include "model/cross_fitted.h"
#include "model/empty_topics.h"
#include "model/seed_shares.h"
#include "model/topic_unions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 10, MOST_CLASSES = 3 };

enum {
    CLASS,
    TOPIC,
    NAME,
    SHARE,
    MEAN_SHARE,
    MEAN_SHARE_Q05,
    MEAN_SHARE_Q95,
    CHAINS,
    SEED_SHARE,
    EXCLUSIVITY,
    UMASS,
    NPMI,
    CV,
    TOPIC_WORDS,
    LABEL,
    CLASSES,
    DOCUMENTS,
    EMPTY,
    N_COLUMNS
};

static const gb_column columns[N_COLUMNS] =
    {[CLASS] = {"class", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "class whose topic it is"},
     [TOPIC] = {"topic", "topic", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                "number of the topic; of topics that count as one, their numbers with + between"},
     [NAME] = {"name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name that somebody gave the topic"},
     [SHARE] = {"share", "share", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4f", "share of tokens",
                "part of the training tokens that the topic has"},
     [MEAN_SHARE] = {"mean_share", "mean share", GB_CELL_REAL, GB_PLACE_DATA, "%.4f", "share of a document",
                     "share that a training document has of the topic, mean over documents and draws"},
     [MEAN_SHARE_Q05] = {"mean_share_q05", "5%", GB_CELL_REAL, GB_PLACE_DATA, "%.4f", "share of a document",
                         "in 5 percent of the draws the mean over documents is smaller"},
     [MEAN_SHARE_Q95] = {"mean_share_q95", "95%", GB_CELL_REAL, GB_PLACE_DATA, "%.4f", "share of a document",
                         "in 95 percent of the draws the mean over documents is smaller"},
     [CHAINS] = {"chains", "chains", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                 "in how many chains the topic was found: of the run, or of the short ones before it"},
     [SEED_SHARE] = {"seed_share", "in seeds", GB_CELL_REAL, GB_PLACE_COLUMN, "%.3f", "",
                     "part of the topic's training tokens that are its seed words"},
     [EXCLUSIVITY] = {"exclusivity", "exclusivity", GB_CELL_REAL, GB_PLACE_COLUMN, "%.3f", "",
                      "how much the most probable words are the topic's own: 1 if no other topic has them"},
     [UMASS] = {"umass", "umass", GB_CELL_REAL, GB_PLACE_COLUMN, "%.3f", "",
                "coherence: how often the most probable words occur in the same documents"},
     [NPMI] = {"npmi", "npmi", GB_CELL_REAL, GB_PLACE_COLUMN, "%.3f", "",
               "coherence from -1 to 1: how much more often the most probable words occur together than by chance"},
     [CV] = {"c_v", "c_v", GB_CELL_REAL, GB_PLACE_COLUMN, "%.3f", "",
             "coherence up to 1: whether the most probable words occur together with the same of them"},
     [TOPIC_WORDS] = {"words", "words", GB_CELL_TEXT, GB_PLACE_END, NULL, "", "words of the topic"},
     [LABEL] = {"label", "label", GB_CELL_TEXT, GB_PLACE_DATA, NULL, "",
                "words that tell the topic from all others: its short name where nobody gave it one"},
     [CLASSES] =
         {"classes", "classes", GB_CELL_LIST, GB_PLACE_BELOW, NULL, "",
          "classes whose scores the topic raises most, and numbers that it changes most, with its coefficient in the "
          "training; of a cross-fitted model with its effect, if the interval does not contain 0"},
     [DOCUMENTS] = {"documents", "documents", GB_CELL_LIST, GB_PLACE_DATA, NULL, "",
                    "ids of the documents with the largest shares of the topic"},
     [EMPTY] = {
         "empty", "", GB_CELL_FLAG, GB_PLACE_DATA, NULL, "",
         "whether the topic has no or nearly no tokens: then nothing else is said of it, and it counts in no mean"}};

/* ---- classes --------------------------------------------------------------------------------------- */

/* A class with the coefficient that a topic has in its score. */
typedef struct raised {
    const char *class;
    double coefficient, size;
} raised;

typedef struct raised_classes {
    raised one[MOST_CLASSES];
    size_t n;
} raised_classes;

/* Insert into the few of largest size, which are kept in falling order; sizes that are not above 0 are left out. */
static void add_class(raised_classes *r, const char *class, double coefficient, double size)
{
    size_t i = r->n;
    if (!(size > 0) || (i == MOST_CLASSES && size <= r->one[i - 1].size))
        return;
    if (i < MOST_CLASSES)
        r->n++;
    else
        i--;
    for (; i > 0 && r->one[i - 1].size < size; i--)
        r->one[i] = r->one[i - 1];
    r->one[i] = (raised){class, coefficient, size};
}

/* Of a union the mean, weighted by shares of the tokens. */
static double coefficient_of(const gb_model *model, uint64_t output, uint64_t n, const uint64_t *topics, double share)
{
    double sum = 0;
    if (n == 1 || !(share > 0))
        return gb_model_coefficient(model, output, topics[0]);
    for (uint64_t i = 0; i < n; i++)
        sum += gb_model_topic_share(model, topics[i]) * gb_model_coefficient(model, output, topics[i]);
    return sum / share;
}

/* A large score means its class.  The one score of a binary task means class 1 if it is positive and class 0 if it is negative; the score of
 * a number or of levels means more of it or less. */
static void add_score(raised_classes *r, const gb_model *model, uint64_t output, double coefficient)
{
    const uint64_t response = gb_response_of_output(model, output);
    const double size = fabs(coefficient);
    if (!gb_model_has_class_scores(model, response))
        add_class(r, gb_model_field(model, response), coefficient, size);
    else if (gb_model_task(model, response) == GB_TASK_BINARY)
        add_class(r, gb_model_class(model, response, coefficient > 0), size, size);
    else
        add_class(r, gb_model_class(model, response, output - gb_model_first_output(model, response)), coefficient,
                  coefficient);
}

static gb_status put_classes(gb_table *table, const raised_classes *r, gb_error *err)
{
    for (size_t i = 0; i < r->n; i++) {
        char *cell = NULL;
        if (asprintf(&cell, "%s %+.4g", r->one[i].class, r->one[i].coefficient) < 0)
            return gb_fail(err, GB_ENOMEM, "out of memory: the classes of a topic");
        gb_put_item(table, CLASSES, cell);
        free(cell);
    }
    return GB_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

typedef struct topics {
    const gb_asked *asked;
    const gb_model *model;
    gb_topic_labels labels, names; /* of the topics at hand */
    gb_topic_quality quality;
    gb_best_documents documents; /* `document` NULL: not asked for */
    uint64_t *united;            /* room for n_topics */
    double *seed_share;          /* n_topics */
    bool has_chains;             /* several have topics */
    gb_table *table;
} topics;

/* Where each class has topics of its own, those of the first class alone have shares, a quality and documents. */
static bool is_first_chain(const topics *t)
{
    return t->labels.output == 0;
}

static gb_status put_chains(const topics *t, uint64_t topic, gb_error *err)
{
    char text[48];
    size_t n, n_chains;
    const gb_status st = gb_topic_recurs(t->model, t->labels.output, topic, &n, &n_chains, err);
    if (st != GB_OK)
        return st;
    (void)snprintf(text, sizeof text, "%zu of %zu", n, n_chains);
    gb_put_text(t->table, CHAINS, text);
    return GB_OK;
}

static gb_status put_shares(const topics *t, uint64_t n, double share, gb_error *err)
{
    gb_effect mean;
    const gb_status st = gb_model_topics_share(t->model, n, t->united, &mean, err);
    if (st != GB_OK)
        return st;
    gb_put_real(t->table, SHARE, share);
    gb_put_count(t->table, EMPTY, gb_share_is_empty(t->model, share));
    gb_put_real(t->table, MEAN_SHARE, mean.mean);
    gb_put_real(t->table, MEAN_SHARE_Q05, mean.q05);
    gb_put_real(t->table, MEAN_SHARE_Q95, mean.q95);
    if (n == 1)
        gb_put_real(t->table, SEED_SHARE, t->seed_share[t->united[0]]);
    return GB_OK;
}

static void put_quality(const topics *t, uint64_t k)
{
    gb_put_real(t->table, EXCLUSIVITY, t->quality.exclusivity[k]);
    if (t->quality.umass != NULL) {
        gb_put_real(t->table, UMASS, t->quality.umass[k]);
        gb_put_real(t->table, NPMI, t->quality.npmi[k]);
        gb_put_real(t->table, CV, t->quality.cv[k]);
    }
}

/* On documents that the topic has not seen; topics that count as one have no effect there, for folds keep no draws to unite them in. */
static double clear_effect(const gb_model *m, uint64_t output, uint64_t topic)
{
    const gb_effect e =
        gb_cross_fitted_get(m->cross_fitted, 0, output * m->cross_fitted->n_features + topic).posterior;
    return e.q05 > 0 || e.q95 < 0 ? e.mean : 0;
}

static gb_status put_raised(const topics *t, uint64_t n, double share, gb_error *err)
{
    raised_classes r = {0};
    const gb_model *m = t->model;
    const bool is_cross_fitted = gb_model_n_folds(m) > 0;
    if (gb_model_is_one_vs_rest(m)) {
        const double coefficient = gb_model_coefficient(m, t->labels.output, t->united[0]);
        add_class(&r, gb_model_output(m, t->labels.output), coefficient, fabs(coefficient));
        return put_classes(t->table, &r, err);
    }
    for (uint64_t l = 0; l < gb_model_n_outputs(m); l++)
        if (!is_cross_fitted)
            add_score(&r, m, l, coefficient_of(m, l, n, t->united, share));
        else if (n == 1)
            add_score(&r, m, l, clear_effect(m, l, t->united[0]));
    return put_classes(t->table, &r, err);
}

static gb_status put_topic(const topics *t, uint64_t k, gb_error *err)
{
    gb_status st;
    const double share = t->labels.share[k];
    const uint64_t n = gb_topics_of_label(&t->labels, k, t->united);
    gb_table_begin_row(t->table, NAN);
    gb_put_text(t->table, TOPIC, t->labels.title[k]);
    gb_put_text(t->table, NAME, gb_topic_label_name(&t->labels, k));
    gb_put_text(t->table, TOPIC_WORDS, t->labels.words[k]);
    gb_put_text(t->table, LABEL, t->names.words[k]);
    if (gb_model_is_one_vs_rest(t->model))
        gb_put_text(t->table, CLASS, gb_model_output(t->model, t->labels.output));
    if (is_first_chain(t)) {
        GB_TRY(put_shares(t, n, share, err));
        put_quality(t, k);
    }
    if (n == 1 && t->has_chains)
        GB_TRY(put_chains(t, t->united[0], err));
    GB_TRY(put_raised(t, n, share, err));
    for (uint64_t i = 0; is_first_chain(t) && gb_best_document(&t->documents, k, i) != GB_NO_DOCUMENT; i++)
        gb_put_document_id(t->table, DOCUMENTS, t->documents.docs, gb_best_document(&t->documents, k, i));
done:
    return st;
}

/* ---- notes ---- */

static void note_classes(const topics *t)
{
    if (gb_model_n_folds(t->model) > 0)
        gb_table_add_note(t->table, GB_NOTE_REMARK,
                          "classes are those that a topic raises on documents that it has not seen, with 95 %% "
                          "probability each");
    else if (gb_model_n_outputs(t->model) > 0)
        gb_table_add_note(t->table, GB_NOTE_REMARK,
                          "coefficients of classes are those of the training, which cannot be told from chance: see "
                          "effects");
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static void add_columns(const topics *t)
{
    bool is_used[N_COLUMNS];
    memset(is_used, true, sizeof is_used);
    is_used[CLASS] = gb_model_is_one_vs_rest(t->model);
    is_used[NAME] = gb_model_has_topic_names(t->model);
    is_used[CHAINS] = t->has_chains;
    is_used[SEED_SHARE] = gb_model_has_seeds(t->model);
    is_used[UMASS] = is_used[NPMI] = is_used[CV] = gb_has_reference(t->asked);
    is_used[CLASSES] = gb_model_n_outputs(t->model) > 0;
    is_used[DOCUMENTS] = t->asked->subject->documents != NULL;
    gb_table_add_all(t->table, N_COLUMNS, columns, is_used);
    for (size_t i = MEAN_SHARE; gb_model_has_topic_unions(t->model) && i <= MEAN_SHARE_Q95; i++)
        gb_table_show(t->table, i);
}

/* With one-vs-rest, of each class. */
static bool has_several_chains(const gb_model *m)
{
    for (size_t i = 1; i < m->n_draws; i++)
        if (m->draw[i].chain != m->draw[i - 1].chain && m->draw[i].first_output == m->draw[i - 1].first_output)
            return true;
    return false;
}

static gb_status put_topics(topics *t, uint64_t output, gb_error *err)
{
    gb_status st;
    gb_topic_labels_clear(&t->labels);
    gb_topic_labels_clear(&t->names);
    GB_TRY(gb_topic_names_make(&t->names, t->model, output, err));
    GB_TRY(gb_topic_labels_make_list(&t->labels, t->asked, t->model, output, WORDS, err));
    if (is_first_chain(t)) {
        GB_TRY(gb_topic_quality_find(&t->quality, t->asked, &t->labels, err));
        gb_note_topic_quality(t->table, &t->quality, &t->labels, gb_asked_text(t->asked, "reference"));
        gb_note_empty_topics(t->table, t->model);
    }
    for (uint64_t k = 0; k < t->labels.n_topics; k++)
        if (gb_topic_is_listed(&t->labels, k))
            GB_TRY(put_topic(t, k, err));
done:
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    topics t = {.asked = asked, .model = asked->subject->model, .table = table};
    const uint64_t n_sets = gb_model_is_one_vs_rest(t.model) ? gb_model_n_outputs(t.model) : 1;
    t.has_chains = has_several_chains(t.model);
    add_columns(&t);
    GB_TRY(gb_alloc(&t.united, gb_model_n_topics(t.model), sizeof *t.united, "the topics", err));
    GB_TRY(gb_alloc(&t.seed_share, gb_model_n_topics(t.model), sizeof *t.seed_share, "the topics", err));
    gb_model_seed_shares(t.model, t.seed_share);
    if (asked->subject->documents != NULL)
        GB_TRY(gb_best_documents_find(&t.documents, asked, 1, err));
    for (uint64_t output = 0; output < n_sets; output++)
        GB_TRY(put_topics(&t, output, err));
    note_classes(&t);
    gb_note_topics(table, t.model);
    GB_TRY(gb_note_recurrence(table, t.model, err));
done:
    gb_topic_labels_clear(&t.labels);
    gb_topic_labels_clear(&t.names);
    gb_topic_quality_clear(&t.quality);
    gb_best_documents_clear(&t.documents);
    gb_free(t.united);
    gb_free(t.seed_share);
    return st;
}

const gb_question_row gb_question_topics = {
    {"topics", "what topics are about, how large and how good they are, and which classes they raise", GB_NEEDS_MODEL,
     GB_TOPIC_LABEL_OPTIONS " " GB_TOPIC_QUALITY_OPTIONS " documents-shown infer-sweeps infer-burn-in seed"},
    answer};
