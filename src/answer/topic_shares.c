/* answer/topic_shares.c - how much documents have of each topic. */
#include "answer/topic_shares.h"

#include "answer/questions.h"
#include "answer/topic_documents.h"
#include "answer/topic_labels.h"
#include "gibbous/topic_unions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char what[] = "topic shares";

gb_status gb_find_shares(const gb_asked *asked, const gb_corpus *docs, const double **share, double **own,
                         gb_error *err)
{
    gb_status st = GB_OK;
    const gb_subject *s = asked->subject;
    if (*share != NULL)
        return st;
    GB_TRY(gb_alloc(own, gb_corpus_n_docs(docs) * gb_model_n_topics(s->model), sizeof **own, what, err));
    GB_TRY(gb_infer(s->model, docs, 0, asked->settings, s->on_apply, s->user, *own, err));
    *share = *own;
done:
    return st;
}

/* ---- columns --------------------------------------------------------------------------------------- */

static const gb_column
    id = {"id", "id", GB_CELL_TEXT, GB_PLACE_COLUMN, NULL, "", "the document"},
    known = {"n_known", "known", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "tokens", "words that the model knows"},
    unknown = {"n_unknown", "unknown", GB_CELL_COUNT, GB_PLACE_COLUMN, NULL, "tokens", "words that it does not know"};

static gb_status add_topics(gb_table *table, const gb_topic_labels *titles, gb_error *err)
{
    for (uint64_t k = 0; k < titles->n_topics; k++) {
        char *name = NULL;
        if (!gb_topic_is_listed(titles, k))
            continue;
        if (asprintf(&name, "topic_%s", titles->title[k]) < 0)
            return gb_fail(err, GB_ENOMEM, "out of memory: %s", what);
        (void)gb_table_add(table, &(gb_column){name, titles->title[k], GB_CELL_REAL, GB_PLACE_COLUMN, "%.3f",
                                               "share of the document's tokens",
                                               "part of the document's known tokens that is expected to belong to "
                                               "the topic, or to those that count as one with it"});
        free(name);
    }
    return GB_OK;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

/* Shares of topics that count as one add up in the first of them. */
static void unite(const gb_model *model, uint64_t n_topics, const double *share, double *sum)
{
    for (uint64_t k = 0; k < n_topics; k++)
        sum[k] = 0;
    for (uint64_t k = 0; k < n_topics; k++) {
        const uint64_t first = gb_model_topic_union(model, k);
        if (first != GB_LEFT_OUT)
            sum[first] += share[k];
    }
}

static gb_status answer(const gb_asked *asked, gb_table *table, gb_error *err)
{
    gb_status st;
    const gb_subject *s = asked->subject;
    const uint64_t n_topics = gb_model_n_topics(s->model);
    const double *share = s->share;
    double *own = NULL, *sum = NULL;
    gb_topic_labels titles = {0};
    GB_TRY(gb_topic_titles_make(&titles, s->model, 0, true, err));
    GB_TRY(gb_alloc(&sum, n_topics, sizeof *sum, what, err));
    GB_TRY(gb_find_shares(asked, s->documents, &share, &own, err));
    (void)gb_table_add(table, &id);
    GB_TRY(add_topics(table, &titles, err));
    const size_t n_known = gb_table_add(table, &known),
                 n_unknown = s->n_unknown == NULL ? 0 : gb_table_add(table, &unknown);
    for (uint64_t d = 0; d < gb_corpus_n_docs(s->documents); d++) {
        uint64_t n;
        size_t column = 1;
        (void)gb_corpus_tokens(s->documents, d, &n);
        unite(s->model, n_topics, share + d * n_topics, sum);
        gb_table_begin_row(table, NAN);
        gb_put_document_id(table, 0, s->documents, d);
        for (uint64_t k = 0; k < n_topics; k++)
            if (gb_topic_is_listed(&titles, k))
                gb_put_real(table, column++, sum[k]);
        gb_put_count(table, n_known, n);
        if (n_unknown > 0)
            gb_put_count(table, n_unknown, s->n_unknown[d]);
    }
    gb_note_topics(table, s->model);
done:
    gb_topic_labels_clear(&titles);
    gb_free(own);
    gb_free(sum);
    return st;
}

const gb_question_row gb_question_topic_shares = {{"topic-shares", "how much documents have of each topic",
                                                   GB_NEEDS_MODEL | GB_NEEDS_DOCUMENTS,
                                                   "infer-sweeps infer-burn-in seed threads"},
                                                  answer};
