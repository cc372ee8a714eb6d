/* answer/contrasts.c - topics, or levels of a factor, minus others: the effect on each score. */
#include "answer/contrast.h"
#include "answer/doubt.h"
#include "answer/posterior.h"
#include "answer/questions.h"
#include "answer/scores.h"
#include "answer/topic_labels.h"
#include "gibbous/cross_fit.h"
#include "model/effects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 5 };

static const char average[] = "the average document";

/* What a side has: three columns. */
enum { TITLE, NAME, TOPIC_WORDS, N_OF_SIDE };

enum {
    FIELD,
    OUTPUT,
    PLUS,
    MINUS = PLUS + N_OF_SIDE,
    MEAN = MINUS + N_OF_SIDE,
    N_DRAWS = MEAN + GB_N_POSTERIOR_COLUMNS,
    N_COLUMNS
};

static const gb_column columns[N_COLUMNS] = {
    [FIELD] = {"field", "field", GB_CELL_TEXT, GB_PLACE_DATA, NULL, "", "field that the score predicts"},
    [OUTPUT] = {"output", "score", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                "class that the score speaks for, or the field"},
    [PLUS + TITLE] = {"contrast", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "",
                      "topics or levels, a set of which counts as one"},
    [PLUS + NAME] = {"topic_name", " %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "names of these topics"},
    [PLUS + TOPIC_WORDS] = {"words", " (%s)", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "words of these topics"},
    [MINUS + TITLE] = {"minus", " minus %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "",
                       "topics or levels whose effect is subtracted, or the average document"},
    [MINUS + NAME] = {"minus_name", " %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "names of these topics"},
    [MINUS +
        TOPIC_WORDS] = {"minus_words", " (%s)", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "words of these topics"},
    GB_POSTERIOR_COLUMNS(MEAN, "%+.4g", "of the score, or of the number that is predicted"),
    [N_DRAWS] = {"n_draws", "draws", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "draws", "draws that the row is from"}};

typedef struct contrasts {
    const gb_model *model, *trained; /* the same without an estimate */
    gb_topic_labels labels;
    gb_table *table;
    uint64_t fewest;        /* draws of a row */
    gb_known_effects known; /* of others the mean is all that is shown */
} contrasts;

/* ---- names ----------------------------------------------------------------------------------------- */

/* What column `column` of a side says of a feature; "" for nothing. */
static const char *part_of(const contrasts *c, uint64_t feature, size_t column)
{
    const uint64_t n_topics = gb_model_n_topics(c->model);
    if (feature >= n_topics)
        return column == TITLE ? gb_model_column(c->model, feature - n_topics) : "";
    if (gb_topic_is_listed(&c->labels, feature)) /* others are in the label of the first of their union */
        return column == TITLE                     ? c->labels.title[feature]
               : column == NAME                    ? gb_topic_label_name(&c->labels, feature)
               : gb_model_is_one_vs_rest(c->model) ? "" /* each class has topics of its own */
                                                   : c->labels.words[feature];
    return "";
}

static char *join(const contrasts *c, const gb_contrast_side *side, size_t column)
{
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    bool has_any = false;
    if (f == NULL)
        return NULL;
    for (uint64_t i = 0; i < side->n; i++) {
        const char *part = part_of(c, side->feature[i], column);
        if (*part == '\0')
            continue;
        (void)fprintf(f, "%s%s", !has_any ? "" : column == TITLE ? "+" : "; ", part);
        has_any = true;
    }
    if (fclose(f) == 0)
        return text;
    free(text);
    return NULL;
}

static gb_status name_side(const contrasts *c, const gb_contrast_side *side, char *text[N_OF_SIDE], gb_error *err)
{
    for (size_t i = 0; i < N_OF_SIDE; i++)
        if ((text[i] = join(c, side, i)) == NULL)
            return gb_fail(err, GB_ENOMEM, "out of memory: the names of a contrast");
    return GB_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

static void put_row(contrasts *c, uint64_t output, bool is_of_topics, char *const plus[], char *const minus[],
                    const gb_effect *e)
{
    gb_table *t = c->table;
    gb_table_begin_row(t, NAN);
    gb_put_text(t, FIELD, gb_model_field(c->model, gb_response_of_output(c->model, output)));
    gb_put_text(t, OUTPUT, gb_model_output(c->model, output));
    for (size_t i = 0; i < N_OF_SIDE; i++) {
        gb_put_text(t, PLUS + i, plus[i]);
        gb_put_text(t, MINUS + i, i == TITLE && *minus[i] == '\0' ? average : minus[i]);
    }
    const gb_effect known = (is_of_topics ? c->known.of_topics : c->known.of_others) ? *e : gb_without_interval(e);
    gb_put_posterior(t, MEAN, &known);
    gb_put_count(t, N_DRAWS, e->n_draws);
    c->fewest = e->n_draws < c->fewest ? e->n_draws : c->fewest;
    if (e->n_unused > 0)
        gb_table_show(t, N_DRAWS);
}

static gb_status put_contrast(contrasts *c, const char *text, gb_error *err)
{
    gb_status st;
    gb_contrast of;
    char *plus[N_OF_SIDE] = {NULL}, *minus[N_OF_SIDE] = {NULL};
    GB_TRY(gb_contrast_read(c->model, c->trained, text, &of, err));
    GB_TRY(name_side(c, &of.plus, plus, err));
    GB_TRY(name_side(c, &of.minus, minus, err));
    for (uint64_t l = 0; l < gb_model_n_outputs(c->model); l++) {
        gb_effect e;
        gb_error why;
        st = gb_model_contrast(c->model, l, of.plus.n, of.plus.feature, of.minus.n, of.minus.feature, &e, &why);
        if (st != GB_OK) {
            (void)gb_fail(err, st, "`contrast` %s: %s", text, why.message);
            goto done;
        }
        put_row(c, l, of.plus.feature[0] < gb_model_n_topics(c->model), plus, minus, &e);
    }
done:
    for (size_t i = 0; i < N_OF_SIDE; i++) {
        free(plus[i]);
        free(minus[i]);
    }
    gb_contrast_clear(&of);
    return st;
}

static gb_status check(const gb_asked *asked, gb_error *err)
{
    if (gb_asked_n(asked, "contrast") == 0)
        return gb_fail(err, GB_EARGUMENT, "`contrast` is missing: topics or levels to compare, A,B");
    if (asked->subject->estimate == NULL && gb_model_n_folds(asked->subject->model) > 0)
        return gb_fail(
            err, GB_EARGUMENT,
            "`contrast` needs draws, and `cross-fit` keeps none; effects DOCUMENTS has them, on documents that "
            "the training did not see");
    return GB_OK;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    const gb_model *trained = asked->subject->model;
    contrasts c = {.trained = trained, .table = table, .fewest = UINT64_MAX, .known = {true, true}};
    bool is_used[N_COLUMNS];
    c.model = asked->subject->estimate == NULL ? trained : gb_estimate_model(asked->subject->estimate);
    GB_TRY(check(asked, err));
    GB_TRY(gb_topic_labels_make(&c.labels, asked, trained, 0, true, WORDS, err));
    memset(is_used, true, sizeof is_used);
    is_used[PLUS + NAME] = is_used[MINUS + NAME] = gb_topic_labels_have_names(&c.labels);
    gb_table_add_all(table, N_COLUMNS, columns, is_used);
    if (gb_model_n_responses(c.model) > 1)
        gb_table_show(table, FIELD);
    if (asked->subject->estimate == NULL)
        GB_TRY(gb_note_training(table, trained, &c.known, err));
    for (uint64_t i = 0; i < gb_asked_n(asked, "contrast"); i++)
        GB_TRY(put_contrast(&c, gb_asked_item(asked, "contrast", i), err));
    gb_note_few_draws(table, c.fewest);
    if (asked->subject->estimate != NULL)
        gb_note_estimate(table, trained, asked->subject->estimate);
done:
    gb_topic_labels_clear(&c.labels);
    return st;
}

const gb_question_row gb_question_contrasts = {
    {"contrasts", "topics, or levels of a factor, minus others: the effect on each score",
     GB_NEEDS_MODEL | GB_NEEDS_RESPONSE | GB_NEEDS_OPTIONS, GB_TOPIC_LABEL_OPTIONS " contrast"},
    answer};
