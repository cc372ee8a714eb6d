/* answer/groups.c - topic shares of groups of documents: of each group all topics, or of some topics all groups. */
#include "answer/doubt.h"
#include "answer/posterior.h"
#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "gibbous/topic_unions.h"
#include "model/group_effects.h"
#include "store/json_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 5, LONGEST_QUOTE = 80 };

enum { GROUP, N_DOCUMENTS, TOPIC, NAME, MEAN, TOPIC_WORDS = MEAN + GB_N_POSTERIOR_COLUMNS, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [GROUP] = {"group", "group", GB_CELL_TEXT, GB_PLACE_ONCE, NULL, "", "group of documents"},
    [N_DOCUMENTS] = {"n_documents", "documents", GB_CELL_COUNT, GB_PLACE_ONCE, NULL, "documents",
                     "training documents of the group"},
    [TOPIC] = {"topic", "topic", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "number of the topic"},
    [NAME] = {"topic_name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name that somebody gave the topic"},
    GB_POSTERIOR_COLUMNS(MEAN, "%.4f", "share that a document of the group is expected to have"),
    [TOPIC_WORDS] = {"words", "words", GB_CELL_TEXT, GB_PLACE_END, NULL, "", "words of the topic"}};

typedef struct groups {
    const gb_model *model;
    gb_topic_labels labels;
    bool *is_wanted;  /* n_topics */
    gb_effect *share; /* n_groups x n_topics */
    uint64_t *order;  /* n_groups */
    gb_table *table;
} groups;

/* ---- in which order -------------------------------------------------------------------------------- */

/* Of a chain or a grid, groups without documents lie between others: years, say. */
static gb_status has_line(const gb_model *model, bool *out, gb_error *err)
{
    json_t *settings = NULL;
    const char *text = gb_model_settings(model);
    const gb_status st = gb_json_parse(text, strlen(text), 0, &settings, NULL, err);
    const char *graph = json_string_value(json_object_get(settings, "graph"));
    *out = graph != NULL && (strcmp(graph, "chain") == 0 || strcmp(graph, "grid") == 0);
    json_decref(settings);
    return st;
}

/* What is known by the prior alone comes last. */
static gb_status order_groups(groups *g, gb_error *err)
{
    bool is_line;
    const uint64_t n = gb_model_n_groups(g->model);
    uint64_t at = 0;
    const gb_status st = has_line(g->model, &is_line, err);
    for (int empty = 0; empty < 2; empty++)
        for (uint64_t i = 0; i < n; i++)
            if ((!is_line && gb_model_group_n_docs(g->model, i) == 0) == (empty == 1))
                g->order[at++] = i;
    return st;
}

/* ---- which topics ---------------------------------------------------------------------------------- */

static gb_status want_topic(groups *g, uint64_t topic, gb_error *err)
{
    const uint64_t first = gb_model_topic_union(g->model, topic);
    if (first == GB_LEFT_OUT)
        return gb_fail(err, GB_EARGUMENT, "`trend`: topic %" PRIu64 " is left out of this model", topic + 1);
    g->is_wanted[first] = true;
    return GB_OK;
}

static void want_all(groups *g)
{
    for (uint64_t k = 0; k < g->labels.n_topics; k++)
        g->is_wanted[k] = gb_topic_is_listed(&g->labels, k);
}

/* "3", "3,7" or "all". */
static gb_status want_topics(groups *g, const char *text, gb_error *err)
{
    gb_status st = GB_OK;
    const uint64_t n_topics = g->labels.n_topics;
    for (const char *at = text; at != NULL && st == GB_OK;) {
        const size_t length = strcspn(at, ","), n_digits = strspn(at, "0123456789");
        uint64_t number = 0;
        for (size_t d = 0; d < n_digits && number <= n_topics; d++)
            number = 10 * number + (uint64_t)(at[d] - '0');
        if (length == 3 && strncmp(at, "all", 3) == 0)
            want_all(g);
        else if (n_digits == length && number >= 1 && number <= n_topics)
            st = want_topic(g, number - 1, err);
        else
            return gb_fail(err, GB_EARGUMENT, "`trend`: \"%.*s\" is not a topic; expected 1 to %" PRIu64 " or all",
                           (int)(length < LONGEST_QUOTE ? length : LONGEST_QUOTE), at, n_topics);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return st;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

static void put_row(groups *g, uint64_t group, uint64_t topic, bool is_trend)
{
    const gb_effect *share = &g->share[group * g->labels.n_topics + topic];
    gb_table *t = g->table;
    gb_table_begin_row(t, is_trend ? (double)NAN : share->mean);
    gb_put_text(t, GROUP, gb_model_group(g->model, group));
    gb_put_count(t, N_DOCUMENTS, gb_model_group_n_docs(g->model, group));
    gb_put_text(t, TOPIC, g->labels.title[topic]);
    gb_put_text(t, NAME, gb_topic_label_name(&g->labels, topic));
    gb_put_posterior(t, MEAN, share);
    gb_put_text(t, TOPIC_WORDS, g->labels.words[topic]);
}

static void put_rows(groups *g)
{
    for (uint64_t i = 0; i < gb_model_n_groups(g->model); i++)
        for (uint64_t k = 0; k < g->labels.n_topics; k++)
            if (g->is_wanted[k])
                put_row(g, g->order[i], k, false);
}

static void put_trends(groups *g)
{
    for (uint64_t k = 0; k < g->labels.n_topics; k++)
        for (uint64_t i = 0; i < gb_model_n_groups(g->model) && g->is_wanted[k]; i++)
            put_row(g, g->order[i], k, true);
}

static void move(gb_column *column, gb_column_place place, const char *title)
{
    column->place = place;
    column->title = title;
}

/* Of a trend, the topic is the heading and its intervals are drawn. */
static void add_columns(const groups *g, bool is_trend)
{
    gb_column shown[N_COLUMNS];
    bool is_used[N_COLUMNS];
    memcpy(shown, columns, sizeof shown);
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = gb_topic_labels_have_names(&g->labels);
    is_used[MEAN + GB_P_POSITIVE] = false;
    shown[MEAN + GB_SD].place = shown[MEAN + GB_MEDIAN].place = GB_PLACE_DATA;
    move(&shown[GROUP], is_trend ? GB_PLACE_COLUMN : GB_PLACE_ONCE, gb_model_group_field(g->model));
    if (is_trend) {
        shown[N_DOCUMENTS].place = GB_PLACE_COLUMN;
        shown[MEAN].place = shown[MEAN + GB_Q05].place = shown[MEAN + GB_Q95].place = GB_PLACE_BAR;
        move(&shown[TOPIC], GB_PLACE_HEADING, "topic %s");
        move(&shown[NAME], GB_PLACE_HEADING, " %s");
        move(&shown[TOPIC_WORDS], GB_PLACE_HEADING, ": %s");
    }
    gb_table_add_all(g->table, N_COLUMNS, shown, is_used);
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    groups g = {.model = asked->subject->model, .table = table};
    const uint64_t n_groups = gb_model_n_groups(g.model), n_topics = gb_model_n_topics(g.model);
    const uint64_t n_asked = gb_asked_n(asked, "trend");
    GB_TRY(gb_topic_labels_make(&g.labels, asked, g.model, 0, true, WORDS, err));
    GB_TRY(gb_alloc(&g.is_wanted, n_topics, sizeof *g.is_wanted, "the topics of groups", err));
    GB_TRY(gb_alloc(&g.order, n_groups, sizeof *g.order, "the topic shares of groups", err));
    GB_TRY(order_groups(&g, err));
    GB_TRY(gb_alloc(&g.share, n_groups * n_topics, sizeof *g.share, "the topic shares of groups", err));
    if (n_asked == 0)
        want_all(&g);
    for (uint64_t i = 0; i < n_asked; i++)
        GB_TRY(want_topics(&g, gb_asked_item(asked, "trend", i), err));
    GB_TRY(gb_model_group_shares(g.model, 0, n_groups, gb_asked_count(asked, "threads", 0), g.share, err));
    add_columns(&g, n_asked > 0);
    n_asked > 0 ? put_trends(&g) : put_rows(&g);
    gb_note_empty_groups(table, g.model);
    gb_note_first_chain(table, g.model, NULL);
    gb_note_clusters(table, g.model);
    gb_note_topics(table, g.model);
done:
    gb_topic_labels_clear(&g.labels);
    gb_free(g.is_wanted);
    gb_free(g.share);
    gb_free(g.order);
    return st;
}

const gb_question_row gb_question_groups = {{"groups", "topic shares of groups of documents",
                                             GB_NEEDS_MODEL | GB_NEEDS_GROUPS,
                                             GB_TOPIC_LABEL_OPTIONS " trend threads"},
                                            answer};
