/* answer/correlations.c - which topics go together in documents: those that are given, or by the covariance of the document prior. */
#include "answer/posterior.h"
#include "answer/questions.h"
#include "answer/topic_labels.h"
#include "apply/topic_correlations.h"
#include "gibbous/topic_names.h"
#include "gibbous/topic_unions.h"
#include "model/topic_covariance.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 3 };

enum {
    TOPIC,
    WITH,
    MEAN,
    N_DRAWS = MEAN + GB_N_POSTERIOR_COLUMNS,
    SOURCE,
    NAME,
    WITH_NAME,
    TOPIC_WORDS,
    WITH_WORDS,
    N_COLUMNS
};

static const gb_column columns[N_COLUMNS] = {
    [TOPIC] = {"topic", "topic", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "",
               "number of the topic; of topics that count as one, their numbers with + between"},
    [WITH] = {"with", "with", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "the other topic"},
    GB_POSTERIOR_COLUMNS(MEAN, "%+.3f", "correlation"),
    [N_DRAWS] = {"n_draws", "draws", GB_CELL_COUNT, GB_PLACE_DATA, NULL, "draws", "draws that the row is from"},
    [SOURCE] = {"source", "source", GB_CELL_TEXT, GB_PLACE_DATA, NULL, "",
                "documents: of shares over the given documents; covariance: of the document prior"},
    [NAME] = {"name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name that somebody gave the topic"},
    [WITH_NAME] = {"with_name", "name", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "name of the other topic"},
    [TOPIC_WORDS] = {"words", "words", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "words of the topic"},
    [WITH_WORDS] = {"with_words", "words", GB_CELL_TEXT, GB_PLACE_END, NULL, "", "words of the other topic"}};

/* Topics a < b. */
typedef struct pair {
    uint64_t a, b;
    const gb_effect *posterior;
    double size; /* -1: not known */
} pair;

typedef struct correlations {
    const gb_asked *asked;
    const gb_model *model;
    const gb_corpus *docs; /* NULL: by the covariance */
    gb_topic_labels labels;
    gb_effect *effect; /* n_topics x n_topics */
    uint64_t n;
    pair *pair;
} correlations;

/* ---- finding --------------------------------------------------------------------------------------- */

/* Documents that are given come before a covariance.  Whether the model's file allows a table of all pairs is asked before there is one. */
static gb_status find_effects(correlations *c, gb_error *err)
{
    gb_status st;
    const gb_subject *s = c->asked->subject;
    const gb_settings *settings = c->asked->settings;
    const uint64_t n = gb_model_n_topics(c->model);
    if (c->docs != NULL)
        GB_TRY(gb_topic_correlations(c->model, c->docs, settings, NULL, NULL, NULL, err)); /* refuses */
    GB_TRY(gb_alloc(&c->effect, n * n, sizeof *c->effect, "correlations", err));
    GB_TRY(gb_alloc(&c->pair, n * (n - 1) / 2, sizeof *c->pair, "correlations", err));
    GB_TRY(c->docs == NULL
               ? gb_model_topic_correlations(c->model, c->effect, err)
               : gb_topic_correlations(c->model, c->docs, settings, s->on_apply, s->user, c->effect, err));
done:
    return st;
}

static int largest_first(const void *x, const void *y)
{
    const pair *p = x, *q = y;
    if (p->size != q->size)
        return (p->size < q->size) - (p->size > q->size);
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static void list_pairs(correlations *c)
{
    const uint64_t n = c->labels.n_topics;
    for (uint64_t a = 0; a < n; a++)
        for (uint64_t b = a + 1; b < n; b++) {
            const gb_effect *e = &c->effect[a * n + b];
            if (gb_topic_is_listed(&c->labels, a) && gb_topic_is_listed(&c->labels, b))
                c->pair[c->n++] = (pair){a, b, e, isnan(e->mean) ? -1 : fabs(e->mean)};
        }
    qsort(c->pair, c->n, sizeof *c->pair, largest_first);
}

/* ---- the table ------------------------------------------------------------------------------------- */

static void put_pair(gb_table *t, const correlations *c, const pair *p)
{
    gb_table_begin_row(t, p->size);
    gb_put_text(t, TOPIC, c->labels.title[p->a]);
    gb_put_text(t, WITH, c->labels.title[p->b]);
    gb_put_posterior(t, MEAN, p->posterior);
    gb_put_count(t, N_DRAWS, p->posterior->n_draws);
    gb_put_text(t, SOURCE, c->docs == NULL ? "covariance" : "documents");
    gb_put_text(t, NAME, gb_topic_label_name(&c->labels, p->a));
    gb_put_text(t, WITH_NAME, gb_topic_label_name(&c->labels, p->b));
    gb_put_text(t, TOPIC_WORDS, c->labels.words[p->a]);
    gb_put_text(t, WITH_WORDS, c->labels.words[p->b]);
}

/* Topics of the model as documents have them: a union counts as one, what is left out is there. */
static uint64_t n_apart(const gb_topic_labels *l)
{
    uint64_t n = 0;
    for (uint64_t k = 0; k < l->n_topics; k++)
        n += gb_topic_is_listed(l, k) || gb_model_topic_union(l->model, k) == GB_LEFT_OUT;
    return n;
}

static void add_notes(gb_table *t, const correlations *c)
{
    const gb_effect *first = &c->effect[0];
    const uint64_t n_draws = first->n_draws + (c->docs == NULL ? 0 : first->n_unused), n = n_apart(&c->labels);
    const char *ending = n_draws == 1 ? "" : "s";
    if (c->docs == NULL)
        gb_table_add_note(t, GB_NOTE_BELOW,
                          "correlations of log shares, by the covariance of the document prior, from %" PRIu64
                          " draw%s",
                          n_draws, ending);
    else
        gb_table_add_note(t, GB_NOTE_BELOW,
                          "correlations of shares over %" PRIu64 " documents, from %" PRIu64
                          " draw%s of their topics",
                          gb_corpus_n_docs(c->docs), n_draws, ending);
    if (n > 1)
        gb_table_add_note(t, GB_NOTE_BELOW, "if no topics went together they would be about %+.3f",
                          -1 / (double)(n - 1));
    gb_note_topics(t, c->model);
    if (c->docs == NULL && gb_model_has_topic_unions(c->model))
        gb_table_add_note(t, GB_NOTE_REMARK,
                          "topics that count as one have a row each, since the covariance is of single topics");
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    correlations c = {.asked = asked, .model = asked->subject->model, .docs = asked->subject->documents};
    bool is_used[N_COLUMNS];
    memset(is_used, true, sizeof is_used);
    is_used[NAME] = is_used[WITH_NAME] = gb_model_has_topic_names(c.model);
    gb_table_add_all(table, N_COLUMNS, columns, is_used);
    GB_TRY(find_effects(&c, err));
    GB_TRY(gb_topic_labels_make(&c.labels, asked, c.model, 0, c.docs != NULL, WORDS, err));
    list_pairs(&c);
    for (uint64_t i = 0; i < c.n; i++)
        put_pair(table, &c, &c.pair[i]);
    add_notes(table, &c);
done:
    gb_topic_labels_clear(&c.labels);
    gb_free(c.effect);
    gb_free(c.pair);
    return st;
}

const gb_question_row gb_question_correlations = {{"correlations", "which topics go together in documents",
                                                   GB_NEEDS_MODEL | GB_NEEDS_PAIRS,
                                                   GB_TOPIC_LABEL_OPTIONS " infer-sweeps infer-burn-in seed threads"},
                                                  answer};
