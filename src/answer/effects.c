/* answer/effects.c - how topics, covariates and words change each score: in the training, by cross-fitting, or on other documents. */
#include "model/effects.h"
#include "answer/doubt.h"
#include "answer/posterior.h"
#include "answer/questions.h"
#include "answer/scores.h"
#include "answer/topic_labels.h"
#include "answer/verdict.h"
#include "gibbous/topic_names.h"
#include "gibbous/topic_unions.h"
#include "model/cross_fitted.h"
#include "model/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 5 };

enum {
    FIELD,
    OUTPUT,
    KIND,
    FEATURE,
    MEAN,
    SHRINKAGE = MEAN + GB_N_POSTERIOR_COLUMNS,
    N_DRAWS,
    TOPIC_WORDS,
    NAME,
    RELIABILITY,
    N_FOLDS,
    BETWEEN,
    FOLD,
    RESPONSE,
    ALONE,
    ALONE_LOW,
    ALONE_HIGH,
    N_COLUMNS
};

static const gb_column columns[N_COLUMNS] = {
    [FIELD] = {"field", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "field that the score predicts"},
    [OUTPUT] = {"output", "=%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "",
                "class that the score speaks for, or the field"},
    [RESPONSE] = {"response", " (%s)", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "response that the effects are of"},
    [KIND] = {"kind", "", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
              "topic, covariate, embedding, word, intercept, parameter of the response, or share of the variance of "
              "the score"},
    [FEATURE] = {"feature", "feature", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                 "number of the topic, or name of the covariate, word, parameter or block; empty for the intercept"},
    GB_POSTERIOR_COLUMNS(MEAN, "%+.4g", "of the score, or of the number that is predicted"),
    [SHRINKAGE] = {"shrinkage", "shrunk", GB_CELL_REAL, GB_PLACE_COLUMN, "%.2f", "",
                   "how much the horseshoe shrinks the coefficient: 0 not at all, 1 to 0"},
    [N_DRAWS] = {"n_draws", "draws", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "draws", "draws that the row is from"},
    [RELIABILITY] = {"reliability", "reliability", GB_CELL_REAL, GB_PLACE_COLUMN, "%.2f", "",
                     "how well words tell the shares of the topic: near 0 they say nothing of them"},
    [ALONE] = {"alone", "alone", GB_CELL_REAL, GB_PLACE_COLUMN, "%+.4g", "of the score",
               "of a covariate, its effect without topics: posterior mean in the same regression on covariates only"},
    [ALONE_LOW] = {"alone_q05", "", GB_CELL_REAL, GB_PLACE_DATA, "%+.4g", "of the score", "5 % quantile of it"},
    [ALONE_HIGH] = {"alone_q95", "", GB_CELL_REAL, GB_PLACE_DATA, "%+.4g", "of the score", "95 % quantile of it"},
    [N_FOLDS] = {"n_folds", "folds", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "folds", "folds that have the topic"},
    [BETWEEN] = {"between_sd", "", GB_CELL_REAL, GB_PLACE_DATA, "%.4g", "of the score",
                 "standard deviation of the effect between folds"},
    [FOLD] = {"fold", "", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "", "fold of the row; empty for all folds together"},
    [NAME] = {"topic_name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name that somebody gave the topic"},
    [TOPIC_WORDS] = {"words", "words", GB_CELL_TEXT, GB_PLACE_END, NULL, "", "words of the topic"}};

/* What is asked for, and the table. */
typedef struct effects {
    const gb_asked *asked;
    const gb_model *model;                 /* whose effects they are */
    const gb_model *trained;               /* whose topics they are: the same, without an estimate */
    const gb_estimate *estimate;           /* NULL: not on other documents */
    uint64_t n_topics, n_columns, n_folds; /* folds whose effects are shown; else 0 */
    uint64_t output;                       /* the one at hand */
    gb_topic_labels labels;                /* of its topics */
    gb_effect *effect;                     /* of its features */
    gb_cross_effect *cross;                /* likewise, with folds */
    uint64_t *topics;                      /* room for n_topics */
    uint64_t n_unused;                     /* rows from fewer draws than there are */
    gb_known_effects known;                /* of others the mean is all that is shown */
    gb_table *table;
} effects;

static bool is_of_training(const effects *e)
{
    return e->estimate == NULL && e->n_folds == 0;
}

/* A row that is not empty but for what it does not have. */
typedef struct row {
    const char *kind, *feature, *words, *name;
    const gb_effect *posterior;
    const double *alone; /* its numbers without topics; NULL: none */
    double weight, reliability, between;
    uint64_t n_folds, fold;
} row;

static void put_row(effects *e, const row *r)
{
    gb_table *t = e->table;
    const uint64_t response = gb_response_of_output(e->model, e->output);
    const bool is_known = strcmp(r->kind, "topic") == 0 ? e->known.of_topics : e->known.of_others;
    const gb_effect known = is_known ? *r->posterior : gb_without_interval(r->posterior);
    gb_table_begin_row(t, r->weight > 0 ? gb_clearness(&known) : r->weight); /* others are not ranked by it */
    gb_put_text(t, FIELD, gb_model_field(e->model, response));
    gb_put_text(t, OUTPUT, gb_model_output(e->model, e->output));
    gb_put_text(t, RESPONSE,
                e->n_folds > 0 ? gb_model_cross_response(e->model, response) : gb_model_response(e->model, response));
    gb_put_text(t, KIND, r->kind);
    gb_put_text(t, FEATURE, r->feature);
    gb_put_posterior(t, MEAN, &known);
    gb_put_real(t, SHRINKAGE, r->posterior->shrinkage);
    gb_put_count(t, N_DRAWS, r->posterior->n_draws);
    gb_put_real(t, RELIABILITY, r->reliability);
    gb_put_real(t, ALONE, r->alone == NULL ? (double)NAN : r->alone[GB_ALONE_MEAN]);
    gb_put_real(t, ALONE_LOW, r->alone == NULL ? (double)NAN : r->alone[GB_ALONE_Q05]);
    gb_put_real(t, ALONE_HIGH, r->alone == NULL ? (double)NAN : r->alone[GB_ALONE_Q95]);
    gb_put_count(t, N_FOLDS, r->n_folds);
    gb_put_real(t, BETWEEN, r->between);
    gb_put_count(t, FOLD, r->fold);
    gb_put_text(t, NAME, r->name == NULL ? "" : r->name);
    gb_put_text(t, TOPIC_WORDS, r->words == NULL ? "" : r->words);
    e->n_unused += r->posterior->n_unused > 0;
}

/* ---- features -------------------------------------------------------------------------------------- */

static const char *kind_of(const effects *e, uint64_t feature)
{
    const uint64_t end = e->n_topics + e->n_columns, first_word = end - gb_model_n_word_columns(e->model),
                   first_of_embedding = first_word - gb_model_n_embedding_columns(e->model);
    return feature < e->n_topics          ? "topic"
           : feature < first_of_embedding ? "covariate"
           : feature < first_word         ? "embedding"
           : feature < end                ? "word"
                                          : "intercept";
}

static const char *name_of(const effects *e, uint64_t feature)
{
    return feature < e->n_topics                  ? e->labels.title[feature]
           : feature < e->n_topics + e->n_columns ? gb_model_column(e->model, feature - e->n_topics)
                                                  : "";
}

static bool is_intercept(const effects *e, uint64_t feature)
{
    return feature >= e->n_topics + e->n_columns;
}

static const double *alone_of(const effects *e, uint64_t feature)
{
    const gb_model *m = e->model;
    return m->alone == NULL || feature < e->n_topics || feature - e->n_topics >= m->n_alone
               ? NULL
               : m->alone + (e->output * m->n_alone + feature - e->n_topics) * GB_ALONE_N_NUMBERS;
}

/* The posterior of several topics together is a contrast with the average document. */
static gb_status put_topic(effects *e, uint64_t k, row *r, gb_error *err)
{
    gb_effect united;
    const uint64_t n = gb_topics_of_label(&e->labels, k, e->topics);
    r->words = e->labels.words[k];
    r->name = gb_topic_label_name(&e->labels, k);
    if (e->estimate != NULL && n == 1)
        r->reliability = gb_estimate_reliability(e->estimate, k);
    if (n > 1) {
        const gb_status st = gb_model_contrast(e->model, e->output, n, e->topics, 0, NULL, &united, err);
        if (st != GB_OK)
            return st;
        r->posterior = &united;
        r->weight = gb_clearness(&united);
    }
    put_row(e, r);
    return GB_OK;
}

static gb_status put_feature(effects *e, uint64_t j, gb_error *err)
{
    const gb_cross_effect *cross = e->n_folds > 0 ? &e->cross[j] : NULL;
    const gb_effect *posterior = cross != NULL ? &cross->posterior : &e->effect[j];
    row r = {.kind = kind_of(e, j),
             .feature = name_of(e, j),
             .posterior = posterior,
             .alone = alone_of(e, j),
             .weight = is_intercept(e, j)                      ? (double)NAN
                       : cross != NULL && isnan(posterior->sd) ? -1 /* it is the clearest of nothing */
                                                               : gb_clearness(posterior),
             .reliability = cross != NULL ? cross->reliability : (double)NAN,
             .between = cross != NULL ? cross->between : (double)NAN,
             .n_folds = cross != NULL ? cross->n_folds : GB_NO_COUNT,
             .fold = GB_NO_COUNT};
    if (j < e->n_topics)
        return gb_topic_is_listed(&e->labels, j) ? put_topic(e, j, &r, err) : GB_OK;
    put_row(e, &r);
    return GB_OK;
}

static gb_status put_features(effects *e, gb_error *err)
{
    gb_status st;
    const uint64_t n = gb_model_n_effects(e->model, e->output);
    GB_TRY(e->n_folds > 0 ? gb_model_cross_effects(e->model, e->output, e->cross, err)
                          : gb_model_effects(e->model, e->output, e->effect, err));
    for (uint64_t j = 0; j < n; j++)
        GB_TRY(put_feature(e, j, err));
done:
    return st;
}

/* ---- parameters of the response, and shares of the variance ---------------------------------------- */

/* A cut point is named after the classes that it divides. */
static gb_status put_parameter(effects *e, uint64_t response, const char *name, uint64_t place,
                               const gb_cross_effect *cross, gb_error *err)
{
    char *between = NULL;
    if (place != UINT64_MAX && asprintf(&between, "%s | %s", gb_model_class(e->model, response, place),
                                        gb_model_class(e->model, response, place + 1)) < 0)
        return gb_fail(err, GB_ENOMEM, "out of memory");
    put_row(e, &(row){.kind = "parameter",
                      .feature = between != NULL ? between : name,
                      .posterior = &cross->posterior,
                      .weight = NAN,
                      .reliability = NAN,
                      .between = cross->between,
                      .n_folds = e->n_folds > 0 ? cross->n_folds : GB_NO_COUNT,
                      .fold = GB_NO_COUNT});
    free(between);
    return GB_OK;
}

static gb_status put_parameters(effects *e, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t r = gb_response_of_output(e->model, e->output);
    const uint64_t n =
        e->n_folds > 0 ? gb_model_n_cross_parameters(e->model) : gb_model_n_own_parameters(e->model, r);
    for (uint64_t i = 0; i < n; i++) {
        gb_cross_effect found = {.between = NAN};
        uint64_t place, of = r;
        const char *name;
        GB_TRY(e->n_folds > 0 ? gb_model_cross_parameter(e->model, i, &of, &name, &place, &found, err)
                              : gb_model_own_parameter(e->model, r, i, &name, &place, &found.posterior, err));
        if (of == r)
            GB_TRY(put_parameter(e, r, name, place, &found, err));
    }
done:
    return st;
}

/* Of a training alone it is known how much of the variance of a score is topics, covariates, ... */
static gb_status put_blocks(effects *e, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t b = 0; is_of_training(e) && b < gb_model_n_blocks(e->model); b++) {
        gb_effect share;
        GB_TRY(gb_model_block_share(e->model, e->output, b, &share, err));
        put_row(e, &(row){.kind = "variance",
                          .feature = gb_model_block(e->model, b),
                          .posterior = &share,
                          .weight = NAN,
                          .reliability = NAN,
                          .between = NAN,
                          .n_folds = GB_NO_COUNT,
                          .fold = GB_NO_COUNT});
    }
done:
    return st;
}

/* ---- effects of single folds ----------------------------------------------------------------------- */

/* A topic of a fold has its number in the model, or, if the model does not have it, "FOLD/NUMBER". */
static gb_status put_fold_topic(effects *e, uint64_t fold, uint64_t k, row *r, gb_error *err)
{
    char number[48], *words = NULL;
    const uint64_t ours = gb_model_fold_topic(e->model, fold, k);
    const uint64_t n = gb_model_fold_topic_words(e->model, fold, k, e->labels.n_words, e->topics);
    if (ours != UINT64_MAX)
        (void)snprintf(number, sizeof number, "%" PRIu64, ours + 1);
    else
        (void)snprintf(number, sizeof number, "%" PRIu64 "/%" PRIu64, fold + 1, k + 1);
    const gb_status st = gb_join_words(e->model, e->topics, n, &words, err);
    r->feature = number;
    r->words = words;
    if (st == GB_OK)
        put_row(e, r);
    gb_free(words);
    return st;
}

static gb_status put_fold(effects *e, uint64_t fold, gb_error *err)
{
    gb_status st;
    GB_TRY(gb_model_fold_effects(e->model, fold, e->output, e->cross, err));
    for (uint64_t j = 0; j < gb_model_n_effects(e->model, e->output); j++) {
        row r = {.kind = kind_of(e, j),
                 .feature = j < e->n_topics ? "" : name_of(e, j),
                 .posterior = &e->cross[j].posterior,
                 .weight = -1,
                 .reliability = e->cross[j].reliability,
                 .between = NAN,
                 .n_folds = e->cross[j].n_folds,
                 .fold = fold + 1};
        if (j < e->n_topics)
            GB_TRY(put_fold_topic(e, fold, j, &r, err));
        else if (strcmp(r.kind, "word") != 0) /* words are pooled only */
            put_row(e, &r);
    }
done:
    return st;
}

/* ---- notes ----------------------------------------------------------------------------------------- */

/* Topics that only some of the chains have. */
static void note_chains(effects *e)
{
    uint64_t n_partly = 0, fewest = UINT64_MAX;
    const bool is_one_vs_rest = gb_model_is_one_vs_rest(e->model);
    for (uint64_t k = 0; k < e->n_topics; k++) {
        n_partly += e->effect[k].n_unused > 0;
        fewest = e->effect[k].n_draws < fewest ? e->effect[k].n_draws : fewest;
    }
    if (n_partly > 0)
        gb_table_add_note(
            e->table, GB_NOTE_REMARK,
            "%" PRIu64 " of %" PRIu64
            " topics%s are not in every chain; their effects are from the draws of the chains that have them",
            n_partly, e->n_topics, is_one_vs_rest ? " of the first class" : "");
    gb_note_few_draws(e->table, fewest);
    if (e->n_unused > 0)
        gb_table_show(e->table, N_DRAWS);
}

/* Topics that only some of the folds have, and topics of folds that are none of the model. */
static void note_folds(effects *e)
{
    uint64_t n_partly = 0, n_nowhere = 0, n_others = 0, n_docs = 0, n_vague = 0;
    for (uint64_t k = 0; k < e->n_topics; k++) {
        n_vague += e->cross[k].n_folds > 0 && !gb_recurs_in_folds(e->cross[k].n_folds, e->n_folds);
        n_partly += e->cross[k].n_folds > 0 && e->cross[k].n_folds < e->n_folds;
        n_nowhere += e->cross[k].n_folds == 0;
    }
    for (uint64_t f = 0; f < e->n_folds; f++) {
        n_docs += gb_model_fold_n_docs(e->model, f);
        for (uint64_t k = 0; k < e->n_topics; k++)
            n_others += gb_model_fold_topic(e->model, f, k) == UINT64_MAX;
    }
    gb_table_add_note(e->table, GB_NOTE_REMARK,
                      "effects on %" PRIu64
                      " documents, each with topics learnt without its fold, pooled over %" PRIu64 " folds",
                      n_docs, e->n_folds);
    gb_note_independent(e->table, e->trained);
    if (n_partly + n_nowhere == 0)
        return;
    gb_table_add_note(e->table, GB_NOTE_REMARK,
                      "of %" PRIu64 " topics %" PRIu64 " are in some folds only and %" PRIu64
                      " in none; `per-fold` shows the %" PRIu64 " topics of folds that match none of them",
                      e->n_topics, n_partly, n_nowhere, n_others);
    if (n_vague > 0)
        gb_table_add_note(e->table, GB_NOTE_REMARK,
                          "%" PRIu64
                          " topic%s in fewer than half of the folds, or in one, and %s no interval: such topics "
                          "are found where labels happen to agree with them",
                          n_vague, n_vague == 1 ? " is" : "s are", n_vague == 1 ? "has" : "have");
    gb_table_show(e->table, N_FOLDS);
}

/* Covariates that have no row, since they did not vary. */
static gb_status note_constant(effects *e, gb_error *err)
{
    char *names = NULL;
    const gb_status st = gb_coding_list_constant(e->model->coding, &names, err);
    if (st == GB_OK && *names != '\0')
        gb_table_add_note(e->table, GB_NOTE_REMARK, "%s: the same in all these documents, so there is no coefficient",
                          names);
    gb_free(names);
    return st;
}

/* Covariates that some folds do not have: they were the same in all documents of these. */
static void note_columns_of_folds(effects *e)
{
    uint64_t n_partly = 0;
    const uint64_t end = e->n_topics + e->n_columns - gb_model_n_word_columns(e->model);
    for (uint64_t j = e->n_topics; j < end; j++)
        n_partly += e->cross[j].n_folds < e->n_folds;
    if (n_partly == 0)
        return;
    gb_table_add_note(e->table, GB_NOTE_REMARK,
                      "%" PRIu64
                      " covariate%s the same in all documents of some folds, which say nothing of %s effect",
                      n_partly, n_partly == 1 ? " is" : "s are", n_partly == 1 ? "its" : "their");
    gb_table_show(e->table, N_FOLDS);
}

static gb_status add_notes(effects *e, gb_error *err)
{
    gb_status st;
    GB_TRY(e->n_folds > 0 ? gb_model_cross_effects(e->model, 0, e->cross, err)
                          : gb_model_effects(e->model, 0, e->effect, err));
    if (e->estimate != NULL)
        gb_note_estimate(e->table, e->trained, e->estimate);
    if (e->n_folds > 0)
        note_folds(e);
    else
        note_chains(e);
    if (e->n_folds > 0)
        note_columns_of_folds(e);
    if (e->model->alone != NULL)
        gb_table_add_note(e->table, GB_NOTE_REMARK,
                          "effects of covariates are given topics, which were fitted to the same field and may take "
                          "them over, or turn "
                          "their sign; the column alone has those without topics");
    GB_TRY(note_constant(e, err));
    gb_note_topics(e->table, e->trained);
    if (is_of_training(e))
        GB_TRY(gb_note_agreement(e->table, e->model, err));
    if (e->n_folds > 0 && gb_model_has_topic_unions(e->model))
        gb_table_add_note(e->table, GB_NOTE_REMARK,
                          "topics that count as one have a row each, since folds keep no draws to unite them in");
done:
    return st;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static void add_columns(effects *e, bool per_fold)
{
    bool is_used[N_COLUMNS];
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = gb_model_has_topic_names(e->trained);
    is_used[RELIABILITY] = e->estimate != NULL || e->n_folds > 0;
    is_used[N_FOLDS] = is_used[BETWEEN] = e->n_folds > 0;
    is_used[FOLD] = per_fold;
    is_used[ALONE] = is_used[ALONE_LOW] = is_used[ALONE_HIGH] = e->model->alone != NULL;
    gb_table_add_all(e->table, N_COLUMNS, columns, is_used);
}

static gb_status put_output(effects *e, bool per_fold, gb_error *err)
{
    gb_status st = GB_OK;
    if (e->output == 0 || (gb_model_is_one_vs_rest(e->trained) && e->estimate == NULL)) {
        gb_topic_labels_clear(&e->labels);
        GB_TRY(gb_topic_labels_make(&e->labels, e->asked, e->trained, e->output, e->n_folds == 0, WORDS, err));
    }
    GB_TRY(put_features(e, err));
    if (gb_is_last_output(e->model, e->output))
        GB_TRY(put_parameters(e, err));
    GB_TRY(put_blocks(e, err));
    for (uint64_t f = 0; per_fold && f < e->n_folds; f++)
        GB_TRY(put_fold(e, f, err));
done:
    return st;
}

static gb_status open_effects(effects *e, const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    const gb_estimate *estimate = asked->subject->estimate;
    const gb_model *trained = asked->subject->model,
                   *model = estimate == NULL ? trained : gb_estimate_model(estimate);
    *e = (effects){.asked = asked,
                   .model = model,
                   .trained = trained,
                   .estimate = estimate,
                   .n_topics = gb_model_n_topics(model),
                   .n_columns = gb_model_n_columns(model),
                   .n_folds = estimate == NULL ? gb_model_n_folds(model) : 0,
                   .table = table};
    const uint64_t n = e->n_topics + e->n_columns + 1, n_words = gb_model_n_words(model);
    GB_TRY(gb_alloc(&e->effect, n, sizeof *e->effect, "the effects", err));
    GB_TRY(gb_alloc(&e->cross, e->n_folds > 0 ? n : 0, sizeof *e->cross, "the effects", err));
    GB_TRY(gb_alloc(&e->topics, n > n_words ? n : n_words, sizeof *e->topics, "the effects", err));
done:
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    effects e;
    gb_status st;
    const bool per_fold = gb_asked_flag(asked, "per-fold");
    GB_TRY(open_effects(&e, asked, table, err));
    const gb_fact fact = {.name = "effects-of-folds", .value = e.n_folds > 0 ? "yes" : "no"};
    GB_TRY(gb_settings_check(asked->settings, "per-fold", gb_option_find("per-fold")->needs, NULL, 1, &fact, err));
    add_columns(&e, per_fold);
    e.known = (gb_known_effects){true, true};
    if (is_of_training(&e))
        GB_TRY(gb_note_training(table, e.model, &e.known, err));
    for (; e.output < gb_model_n_outputs(e.model); e.output++)
        GB_TRY(put_output(&e, per_fold, err));
    GB_TRY(add_notes(&e, err));
done:
    gb_topic_labels_clear(&e.labels);
    gb_free(e.effect);
    gb_free(e.cross);
    gb_free(e.topics);
    return st;
}

const gb_question_row gb_question_effects = {{"effects", "how topics, covariates and words change each score",
                                              GB_NEEDS_MODEL | GB_NEEDS_RESPONSE, GB_TOPIC_LABEL_OPTIONS " per-fold"},
                                             answer};
