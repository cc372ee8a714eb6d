/* answer/changes.c - what changed between two models: their topics side by side, their effects, and their scores on the same documents.
 *
 * Effects and scores are the answers to the questions of those names, for each model, whose rows are joined here: so topics that count as
 * one, cross-fitting and the like are as they are there. */
#include "answer/counterparts.h"
#include "answer/questions.h"
#include "gibbous/topic_unions.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { WORDS = 10 };

enum {
    WHAT,
    FIELD,
    OUTPUT,
    KIND,
    FEATURE,
    EARLIER_FEATURE,
    AGREEMENT,
    VALUE,
    LOW,
    HIGH,
    EARLIER_VALUE,
    EARLIER_LOW,
    EARLIER_HIGH,
    DIFFERENCE,
    GAINED,
    LOST,
    TOPIC_WORDS,
    N_COLUMNS
};

static const gb_column columns[N_COLUMNS] = {
    [WHAT] = {"what", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "",
              "topics by their shares, effects on a score, or scores of predictions"},
    [FIELD] = {"field", " of %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "field that is predicted"},
    [OUTPUT] = {"output", "=%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "",
                "class that the score speaks for, or the field"},
    [KIND] = {"kind", "", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
              "what an effect is of, as in the question effects"},
    [FEATURE] = {"feature", "now", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                 "topic, covariate or score in the model; empty where it has none"},
    [EARLIER_FEATURE] = {"earlier_feature", "earlier", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
                         "the same in the earlier model; empty where it has none"},
    [AGREEMENT] = {"agreement", "agree", GB_CELL_REAL, GB_PLACE_COLUMN, "%.2f", "",
                   "how much alike the words of two topics are: the Bhattacharyya coefficient, from 0 to 1"},
    [VALUE] = {"value", "now", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "",
               "share of tokens of a topic, mean of an effect, or score"},
    [LOW] = {"q05", "5%", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "",
             "5 percent of the posterior of an effect lie below"},
    [HIGH] = {"q95", "95%", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "",
              "95 percent of the posterior of an effect lie below"},
    [EARLIER_VALUE] = {"earlier_value", "earlier", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "",
                       "the same in the earlier model"},
    [EARLIER_LOW] = {"earlier_q05", "5%", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "", "the same in the earlier model"},
    [EARLIER_HIGH] = {"earlier_q95", "95%", GB_CELL_REAL, GB_PLACE_COLUMN, "%.4g", "",
                      "the same in the earlier model"},
    [DIFFERENCE] = {"difference", "change", GB_CELL_REAL, GB_PLACE_COLUMN, "%+.4g", "", "value less earlier value"},
    [GAINED] = {"words_gained", "", GB_CELL_LIST, GB_PLACE_DATA, NULL, "",
                "words of the topic that its counterpart does not show"},
    [LOST] = {"words_lost", "", GB_CELL_LIST, GB_PLACE_DATA, NULL, "",
              "words of the counterpart that the topic does not show"},
    [TOPIC_WORDS] = {"words", "words", GB_CELL_TEXT, GB_PLACE_END, NULL, "",
                     "words of the topic, or of the earlier one if it has no counterpart"}};

/* One of the two models. */
typedef struct side {
    gb_asked asked;
    gb_subject subject;
    gb_topic_labels labels; /* with all words */
} side;

typedef struct changes {
    side now, earlier;
    gb_counterparts pairs;
    gb_table *table;
} changes;

/* ---- topics ---------------------------------------------------------------------------------------- */

static const char *shown_word(const side *s, uint64_t topic, uint64_t i)
{
    return gb_model_word(s->labels.model, s->labels.word[topic * s->labels.n_words + i]);
}

static bool shows(const side *s, uint64_t topic, const char *word)
{
    for (uint64_t i = 0; i < s->labels.n_shown; i++)
        if (strcmp(shown_word(s, topic, i), word) == 0)
            return true;
    return false;
}

/* Words of a topic that the topic of the other side does not show. */
static void put_missing(gb_table *t, size_t column, const side *s, uint64_t topic, const side *other,
                        uint64_t counterpart)
{
    for (uint64_t i = 0; i < s->labels.n_shown; i++)
        if (!shows(other, counterpart, shown_word(s, topic, i)))
            gb_put_item(t, column, shown_word(s, topic, i));
}

/* A pair, or a topic of one side: the other one is GB_NO_COUNTERPART.  What differs most, and what is alone, says most. */
static void put_topics(changes *c, uint64_t topic, uint64_t earlier)
{
    gb_table *t = c->table;
    const bool has_topic = topic != GB_NO_COUNTERPART, has_earlier = earlier != GB_NO_COUNTERPART;
    const double share = has_topic ? c->now.labels.share[topic] : (double)NAN,
                 was = has_earlier ? c->earlier.labels.share[earlier] : (double)NAN;
    const bool are_both = has_topic && has_earlier;
    gb_table_begin_row(t, are_both ? 1 - c->pairs.agreement[topic] : 1 + fmax(share, was));
    gb_put_text(t, WHAT, "topics");
    gb_put_text(t, FEATURE, has_topic ? c->now.labels.title[topic] : "");
    gb_put_text(t, EARLIER_FEATURE, has_earlier ? c->earlier.labels.title[earlier] : "");
    gb_put_real(t, VALUE, share);
    gb_put_real(t, EARLIER_VALUE, was);
    gb_put_real(t, DIFFERENCE, share - was);
    if (are_both) {
        gb_put_real(t, AGREEMENT, c->pairs.agreement[topic]);
        put_missing(t, GAINED, &c->now, topic, &c->earlier, earlier);
        put_missing(t, LOST, &c->earlier, earlier, &c->now, topic);
    }
    gb_put_text(t, TOPIC_WORDS, has_topic ? c->now.labels.words[topic] : c->earlier.labels.words[earlier]);
}

static void put_all_topics(changes *c)
{
    uint64_t n = 0, n_paired = 0;
    for (uint64_t k = 0; k < c->pairs.n_topics; k++) {
        if (!gb_topic_is_listed(&c->now.labels, k))
            continue;
        n++;
        n_paired += c->pairs.earlier[k] != GB_NO_COUNTERPART;
        put_topics(c, k, c->pairs.earlier[k]);
    }
    for (uint64_t k = 0; k < c->pairs.n_earlier; k++)
        if (gb_topic_is_listed(&c->earlier.labels, k) && c->pairs.later[k] == GB_NO_COUNTERPART)
            put_topics(c, GB_NO_COUNTERPART, k);
    gb_table_add_note(c->table, GB_NOTE_REMARK,
                      "%" PRIu64 " of %" PRIu64 " topics have a counterpart in the earlier model", n_paired, n);
}

/* ---- effects --------------------------------------------------------------------------------------- */

/* The columns of an answer that rows are joined by, and those that are compared. */
typedef struct answer_columns {
    const gb_table *table;
    size_t field, output, kind, feature, value, low, high; /* SIZE_MAX: it has none */
} answer_columns;

static const char *text_at(const answer_columns *a, uint64_t row, size_t column)
{
    return column == SIZE_MAX ? "" : gb_table_text(a->table, row, column, 0);
}

static double real_at(const answer_columns *a, uint64_t row, size_t column)
{
    return row == UINT64_MAX || column == SIZE_MAX ? (double)NAN : gb_table_reals(a->table, column)[row];
}

static answer_columns columns_of_effects(const gb_table *t)
{
    return (answer_columns){t,
                            gb_table_find(t, "field"),
                            gb_table_find(t, "output"),
                            gb_table_find(t, "kind"),
                            gb_table_find(t, "feature"),
                            gb_table_find(t, "mean"),
                            gb_table_find(t, "q05"),
                            gb_table_find(t, "q95")};
}

/* What a topic of the model is called in the earlier one; NULL if it has no counterpart.  What is no topic has one name. */
static const char *earlier_name(const changes *c, const answer_columns *now, uint64_t row)
{
    const char *name = text_at(now, row, now->feature);
    if (strcmp(text_at(now, row, now->kind), "topic") != 0)
        return name;
    for (uint64_t k = 0; k < c->pairs.n_topics; k++)
        if (gb_topic_is_listed(&c->now.labels, k) && strcmp(c->now.labels.title[k], name) == 0)
            return c->pairs.earlier[k] == GB_NO_COUNTERPART ? NULL : c->earlier.labels.title[c->pairs.earlier[k]];
    return NULL;
}

static uint64_t find_row(const answer_columns *now, uint64_t row, const answer_columns *earlier, const char *name)
{
    for (uint64_t i = 0; name != NULL && i < gb_table_n_rows(earlier->table); i++)
        if (strcmp(text_at(now, row, now->field), text_at(earlier, i, earlier->field)) == 0 &&
            strcmp(text_at(now, row, now->output), text_at(earlier, i, earlier->output)) == 0 &&
            strcmp(text_at(now, row, now->kind), text_at(earlier, i, earlier->kind)) == 0 &&
            strcmp(name, text_at(earlier, i, earlier->feature)) == 0)
            return i;
    return UINT64_MAX;
}

/* Rows that both answers have.  How far a value has moved, in widths of the two intervals, is what it says. */
static void join(changes *c, const answer_columns *now, const answer_columns *earlier, const char *what)
{
    gb_table *t = c->table;
    for (uint64_t row = 0; row < gb_table_n_rows(now->table); row++) {
        const char *name = earlier_name(c, now, row);
        const uint64_t was = find_row(now, row, earlier, name);
        if (was == UINT64_MAX)
            continue;
        const double value = real_at(now, row, now->value), old = real_at(earlier, was, earlier->value);
        const double width = real_at(now, row, now->high) - real_at(now, row, now->low) +
                             real_at(earlier, was, earlier->high) - real_at(earlier, was, earlier->low);
        gb_table_begin_row(t, width > 0 ? fabs(value - old) / width : fabs(value - old));
        gb_put_text(t, WHAT, what);
        gb_put_text(t, KIND, text_at(now, row, now->kind));
        gb_put_text(t, FIELD, text_at(now, row, now->field));
        gb_put_text(t, OUTPUT, text_at(now, row, now->output));
        gb_put_text(t, FEATURE, text_at(now, row, now->feature));
        gb_put_text(t, EARLIER_FEATURE, name);
        gb_put_real(t, VALUE, value);
        gb_put_real(t, LOW, real_at(now, row, now->low));
        gb_put_real(t, HIGH, real_at(now, row, now->high));
        gb_put_real(t, EARLIER_VALUE, old);
        gb_put_real(t, EARLIER_LOW, real_at(earlier, was, earlier->low));
        gb_put_real(t, EARLIER_HIGH, real_at(earlier, was, earlier->high));
        gb_put_real(t, DIFFERENCE, value - old);
    }
}

static void take_doubts(gb_table *t, const gb_table *of)
{
    gb_note_kind kind;
    const char *note;
    for (uint64_t i = 0; (note = gb_table_note(of, i, &kind)) != NULL; i++)
        if (kind == GB_NOTE_DOUBT)
            gb_table_add_note(t, kind, "%s", note);
}

/* Where each class has topics of its own there is no one list of counterparts. */
static gb_status put_effects(changes *c, gb_error *err)
{
    gb_status st = GB_OK;
    gb_table *now = NULL, *earlier = NULL;
    const gb_model *a = c->now.subject.model, *b = c->earlier.subject.model;
    if (gb_model_n_outputs(a) == 0 || gb_model_n_outputs(b) == 0 || gb_model_is_one_vs_rest(a) ||
        gb_model_is_one_vs_rest(b))
        return GB_OK;
    GB_TRY(gb_answer("effects", &c->now.subject, c->now.asked.settings, &now, err));
    GB_TRY(gb_answer("effects", &c->earlier.subject, c->now.asked.settings, &earlier, err));
    const answer_columns columns_now = columns_of_effects(now), columns_earlier = columns_of_effects(earlier);
    join(c, &columns_now, &columns_earlier, "effects");
    take_doubts(c->table, now);
done:
    gb_table_free(now);
    gb_table_free(earlier);
    return st;
}

/* ---- scores ---------------------------------------------------------------------------------------- */

static answer_columns columns_of_scores(const gb_table *t)
{
    return (answer_columns){.table = t,
                            .field = gb_table_find(t, "field"),
                            .output = SIZE_MAX,
                            .kind = SIZE_MAX,
                            .feature = gb_table_find(t, "score"),
                            .value = gb_table_find(t, "value"),
                            .low = SIZE_MAX,
                            .high = SIZE_MAX};
}

static gb_status put_scores(changes *c, const gb_subject *asked, gb_error *err)
{
    gb_status st;
    gb_table *now = NULL, *earlier = NULL;
    if (asked->evaluation == NULL || asked->earlier_evaluation == NULL)
        return GB_OK;
    c->now.subject.evaluation = asked->evaluation;
    c->earlier.subject.evaluation = asked->earlier_evaluation;
    GB_TRY(gb_answer("evaluation", &c->now.subject, c->now.asked.settings, &now, err));
    GB_TRY(gb_answer("evaluation", &c->earlier.subject, c->now.asked.settings, &earlier, err));
    const answer_columns columns_now = columns_of_scores(now), columns_earlier = columns_of_scores(earlier);
    join(c, &columns_now, &columns_earlier, "scores");
done:
    gb_table_free(now);
    gb_table_free(earlier);
    return st;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static gb_status open_side(side *s, const gb_asked *asked, const gb_model *model, gb_error *err)
{
    s->subject = (gb_subject){.size = sizeof s->subject, .model = model};
    s->asked = (gb_asked){&s->subject, asked->settings};
    return gb_topic_labels_make_all(&s->labels, &s->asked, model, WORDS, err);
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    changes c = {.table = table};
    GB_TRY(open_side(&c.now, asked, asked->subject->model, err));
    GB_TRY(open_side(&c.earlier, asked, asked->subject->earlier, err));
    GB_TRY(gb_counterparts_find(&c.now.labels, &c.earlier.labels, &c.pairs, err));
    gb_table_add_all(table, N_COLUMNS, columns, NULL);
    put_all_topics(&c);
    GB_TRY(put_effects(&c, err));
    GB_TRY(put_scores(&c, asked->subject, err));
done:
    gb_topic_labels_clear(&c.now.labels);
    gb_topic_labels_clear(&c.earlier.labels);
    gb_counterparts_clear(&c.pairs);
    return st;
}

const gb_question_row gb_question_changes = {
    {"changes", "what changed between two models: topics, effects and scores side by side",
     GB_NEEDS_MODEL | GB_NEEDS_EARLIER, GB_TOPIC_LABEL_OPTIONS},
    answer};
