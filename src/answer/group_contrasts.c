/* answer/group_contrasts.c - topic shares of one group of documents minus those of another. */
#include "answer/contrast.h"
#include "answer/doubt.h"
#include "answer/posterior.h"
#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "model/group_effects.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Unless pairs are asked for: all pairs of so few groups are compared; of more groups the first and the last, and those between which
 * topics differ most. */
enum { WORDS = 5, ALL_PAIRS_OF = 8, MAX_PAIRS = 28, MAX_ROWS = 20000 };

enum { GROUP, MINUS, TOPIC, NAME, MEAN, TOPIC_WORDS = MEAN + GB_N_POSTERIOR_COLUMNS, N_COLUMNS };

static const gb_column columns[N_COLUMNS] = {
    [GROUP] = {"group", "%s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "group of documents"},
    [MINUS] = {"minus", " minus %s", GB_CELL_TEXT, GB_PLACE_HEADING, NULL, "", "group whose shares are subtracted"},
    [TOPIC] = {"topic", "topic", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "number of the topic"},
    [NAME] = {"topic_name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name that somebody gave the topic"},
    GB_POSTERIOR_COLUMNS(MEAN, "%+.4f", "difference of the shares that documents are expected to have"),
    [TOPIC_WORDS] = {"words", "words", GB_CELL_TEXT, GB_PLACE_END, NULL, "", "words of the topic"}};

typedef struct pair {
    uint64_t a, b; /* b minus a: b has more of the topic, or is later */
    double distance;
} pair;

typedef struct contrasts {
    const gb_asked *asked;
    const gb_model *model;
    gb_topic_labels labels;
    gb_effect *difference; /* n_topics */
    gb_table *table;
} contrasts;

static void add_columns(const contrasts *c)
{
    gb_column shown[N_COLUMNS];
    bool is_used[N_COLUMNS];
    memcpy(shown, columns, sizeof shown);
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = gb_topic_labels_have_names(&c->labels);
    shown[MEAN + GB_SD].format = "%.4f";
    shown[MEAN + GB_MEDIAN].place = GB_PLACE_DATA;
    gb_table_add_all(c->table, N_COLUMNS, shown, is_used);
}

static gb_status put_pair(contrasts *c, uint64_t a, uint64_t b, gb_error *err)
{
    gb_table *t = c->table;
    const gb_status st = gb_model_group_contrast(c->model, b, a, c->difference, err);
    for (uint64_t k = 0; k < c->labels.n_topics && st == GB_OK; k++) {
        if (!gb_topic_is_listed(&c->labels, k))
            continue;
        gb_table_begin_row(t, gb_clearness(&c->difference[k]));
        gb_put_text(t, GROUP, gb_model_group(c->model, b));
        gb_put_text(t, MINUS, gb_model_group(c->model, a));
        gb_put_text(t, TOPIC, c->labels.title[k]);
        gb_put_text(t, NAME, gb_topic_label_name(&c->labels, k));
        gb_put_posterior(t, MEAN, &c->difference[k]);
        gb_put_text(t, TOPIC_WORDS, c->labels.words[k]);
    }
    return st;
}

/* ---- pairs that tell most -------------------------------------------------------------------------- */

/* Groups without documents are known by the prior alone: nobody compares them unasked.  @param out  room for all groups */
static uint64_t list_known(const gb_model *model, uint64_t *out)
{
    uint64_t n = 0;
    for (uint64_t g = 0; g < gb_model_n_groups(model); g++)
        if (gb_model_group_n_docs(model, g) > 0)
            out[n++] = g;
    return n;
}

/* Of a topic the groups that have least and most of it, by how far their intervals are apart. */
static pair extremes(const gb_effect *share, const uint64_t *known, uint64_t n, uint64_t n_topics, uint64_t topic)
{
    pair p = {known[0], known[0], 0};
    for (uint64_t i = 1; i < n; i++) {
        const uint64_t g = known[i];
        const double mean = share[g * n_topics + topic].mean;
        p.a = mean < share[p.a * n_topics + topic].mean ? g : p.a;
        p.b = mean > share[p.b * n_topics + topic].mean ? g : p.b;
    }
    p.distance = share[p.b * n_topics + topic].q05 - share[p.a * n_topics + topic].q95;
    if (isnan(p.distance)) /* no intervals */
        p.distance = -INFINITY;
    return p;
}

static int farthest_first(const void *x, const void *y)
{
    const pair *a = x, *b = y;
    if (a->distance != b->distance)
        return a->distance > b->distance ? -1 : 1;
    return a->a != b->a ? (a->a > b->a) - (a->a < b->a) : (a->b > b->b) - (a->b < b->b);
}

static bool is_in(const pair *list, size_t n, const pair *p)
{
    for (size_t i = 0; i < n; i++)
        if ((list[i].a == p->a && list[i].b == p->b) || (list[i].a == p->b && list[i].b == p->a))
            return true;
    return false;
}

static size_t list_all(const uint64_t *known, uint64_t n_known, size_t most, pair *chosen)
{
    size_t n = 0;
    for (uint64_t a = 0; a < n_known; a++)
        for (uint64_t b = a + 1; b < n_known && n < most; b++)
            chosen[n++] = (pair){known[a], known[b], 0};
    return n;
}

/* @param chosen  room for MAX_PAIRS */
static gb_status list_farthest(const contrasts *c, const uint64_t *known, uint64_t n_known, size_t most, pair *chosen,
                               size_t *n_chosen, gb_error *err)
{
    gb_status st;
    const uint64_t n = gb_model_n_groups(c->model), n_topics = c->labels.n_topics;
    size_t n_pairs = 0;
    gb_effect *share = NULL;
    pair *of_topic = NULL;
    GB_TRY(gb_alloc(&share, n * n_topics, sizeof *share, "the shares of groups", err));
    GB_TRY(gb_alloc(&of_topic, n_topics, sizeof *of_topic, "the contrasts of groups", err));
    GB_TRY(gb_model_group_shares(c->model, 0, n, gb_asked_count(c->asked, "threads", 0), share, err));
    for (uint64_t k = 0; k < n_topics; k++)
        if (gb_topic_is_listed(&c->labels, k))
            of_topic[n_pairs++] = extremes(share, known, n_known, n_topics, k);
    qsort(of_topic, n_pairs, sizeof *of_topic, farthest_first);
    *n_chosen = 0;
    if (most > 0)
        chosen[(*n_chosen)++] = (pair){known[0], known[n_known - 1], 0};
    for (size_t i = 0; i < n_pairs && *n_chosen < most; i++)
        if (of_topic[i].a != of_topic[i].b && !is_in(chosen, *n_chosen, &of_topic[i]))
            chosen[(*n_chosen)++] = of_topic[i];
done:
    gb_free(share);
    gb_free(of_topic);
    return st;
}

static gb_status put_chosen(contrasts *c, gb_error *err)
{
    gb_status st = GB_OK;
    pair chosen[MAX_PAIRS];
    size_t n_chosen;
    uint64_t *known = NULL;
    const uint64_t n_topics = c->labels.n_topics;
    const size_t most = n_topics * MAX_PAIRS < MAX_ROWS ? MAX_PAIRS : MAX_ROWS / n_topics;
    GB_TRY(gb_alloc(&known, gb_model_n_groups(c->model), sizeof *known, "the contrasts of groups", err));
    const uint64_t n_known = list_known(c->model, known);
    if (n_known <= ALL_PAIRS_OF)
        n_chosen = list_all(known, n_known, most, chosen);
    else
        GB_TRY(list_farthest(c, known, n_known, most, chosen, &n_chosen, err));
    for (size_t i = 0; i < n_chosen; i++)
        GB_TRY(put_pair(c, chosen[i].a, chosen[i].b, err));
done:
    gb_free(known);
    return st;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

static gb_status put_asked(contrasts *c, gb_error *err)
{
    gb_status st = GB_OK;
    for (uint64_t i = 0; i < gb_asked_n(c->asked, "contrast"); i++) {
        uint64_t plus, minus;
        GB_TRY(gb_contrast_read_groups(c->model, gb_asked_item(c->asked, "contrast", i), &plus, &minus, err));
        GB_TRY(put_pair(c, minus, plus, err));
    }
done:
    return st;
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    contrasts c = {.asked = asked, .model = asked->subject->model, .table = table};
    GB_TRY(gb_topic_labels_make(&c.labels, asked, c.model, 0, true, WORDS, err));
    GB_TRY(gb_alloc(&c.difference, c.labels.n_topics, sizeof *c.difference, "a contrast", err));
    add_columns(&c);
    GB_TRY(gb_asked_n(asked, "contrast") > 0 ? put_asked(&c, err) : put_chosen(&c, err));
    gb_note_empty_groups(table, c.model);
    gb_note_first_chain(table, c.model, NULL);
    gb_note_clusters(table, c.model);
    gb_note_topics(table, c.model);
done:
    gb_topic_labels_clear(&c.labels);
    gb_free(c.difference);
    return st;
}

const gb_question_row gb_question_group_contrasts = {
    {"group-contrasts", "topic shares of one group of documents minus those of another",
     GB_NEEDS_MODEL | GB_NEEDS_GROUPS, GB_TOPIC_LABEL_OPTIONS " contrast threads"},
    answer};
