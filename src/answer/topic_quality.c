/* answer/topic_quality.c - exclusivity, coherence and diversity of a model's topics, by their most probable words. */
#include "answer/topic_quality.h"

#include "evaluation/topic_quality.h"
#include "gibbous/topic_unions.h"
#include "model/topic_unions.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BATCH_DOCS = 4096, NUMBER_SIZE = 32 };

static const char what[] = "the quality of topics";

/* The words of an empty topic are nobody's. */
static bool counts(const gb_topic_labels *l, uint64_t topic)
{
    return gb_topic_is_listed(l, topic) && !gb_topic_label_is_empty(l, topic);
}

/* The most probable words of topics: of all, then of those that count, one after the other. */
typedef struct top_words {
    uint64_t n_top, *word, *listed; /* n_topics x n_top */
    double *probability;
} top_words;

static gb_status find_words(const gb_asked *asked, const gb_topic_labels *l, top_words *t, gb_error *err)
{
    gb_status st;
    const uint64_t n_asked = gb_asked_count(asked, "coherence-words", 10), n_all = gb_model_n_words(l->model);
    uint64_t n_listed = 0;
    t->n_top = n_asked < n_all ? n_asked : n_all;
    GB_TRY(gb_alloc(&t->word, l->n_topics * t->n_top, sizeof *t->word, what, err));
    GB_TRY(gb_alloc(&t->listed, l->n_topics * t->n_top, sizeof *t->listed, what, err));
    GB_TRY(gb_alloc(&t->probability, l->n_topics * t->n_top, sizeof *t->probability, what, err));
    GB_TRY(l->are_united ? gb_model_rank_union_words(l->model, "probability", NAN, t->n_top, t->word, t->probability,
                                                     &t->n_top, err)
                         : gb_model_words_of_topics(l->model, 0, t->n_top, t->word, t->probability, &t->n_top, err));
    for (uint64_t k = 0; k < l->n_topics; k++)
        if (counts(l, k))
            gb_copy_bytes(t->listed + n_listed++ * t->n_top, t->word + k * t->n_top, t->n_top * sizeof *t->word);
done:
    return st;
}

/* ---- coherence ------------------------------------------------------------------------------------- */

static gb_status count(const gb_asked *asked, gb_coherence *c, gb_error *err)
{
    gb_status st;
    const gb_subject *s = asked->subject;
    gb_documents *documents = NULL;
    gb_corpus *docs = NULL;
    uint64_t *n_unknown = NULL;
    if (s->among != NULL)
        return gb_coherence_add(c, s->among, gb_asked_count(asked, "threads", 0), err);
    GB_TRY(gb_documents_open(s->model, gb_asked_text(asked, "reference"), asked->settings, s->on_read, s->user,
                             &documents, err));
    for (;;) {
        GB_TRY(gb_documents_next(documents, BATCH_DOCS, &docs, &n_unknown, err));
        if (docs == NULL)
            break;
        GB_TRY(gb_coherence_add(c, docs, gb_asked_count(asked, "threads", 0), err));
        gb_corpus_free(docs);
        gb_free(n_unknown);
        docs = NULL;
        n_unknown = NULL;
    }
done:
    gb_corpus_free(docs);
    gb_free(n_unknown);
    gb_documents_close(documents);
    return st;
}

bool gb_has_reference(const gb_asked *asked)
{
    return asked->subject->among != NULL || *gb_asked_text(asked, "reference") != '\0';
}

static gb_status find_coherence(gb_topic_quality *q, const gb_asked *asked, const gb_topic_labels *l,
                                const top_words *t, gb_error *err)
{
    gb_status st;
    gb_coherence *c = NULL;
    uint64_t place = 0;
    GB_TRY(gb_alloc(&q->umass, l->n_topics, sizeof *q->umass, what, err));
    GB_TRY(gb_alloc(&q->npmi, l->n_topics, sizeof *q->npmi, what, err));
    GB_TRY(gb_alloc(&q->cv, l->n_topics, sizeof *q->cv, what, err));
    GB_TRY(gb_coherence_create(gb_model_n_words(l->model), q->n_listed, t->n_top, t->listed,
                               gb_asked_count(asked, "coherence-window", 0), &c, err));
    GB_TRY(count(asked, c, err));
    q->n_docs = gb_coherence_n_docs(c);
    if (q->n_docs == 0)
        st = gb_fail(err, GB_EFORMAT, "%s: no document has a word that the model knows",
                     asked->subject->among != NULL ? "the documents" : gb_asked_text(asked, "reference"));
    for (uint64_t k = 0; k < l->n_topics; k++) {
        const bool has_place = counts(l, k);
        q->umass[k] = has_place ? gb_coherence_umass(c, place) : (double)NAN;
        q->npmi[k] = has_place ? gb_coherence_npmi(c, place) : (double)NAN;
        q->cv[k] = has_place ? gb_coherence_cv(c, place) : (double)NAN;
        place += has_place;
    }
done:
    gb_coherence_free(c);
    return st;
}

/* ---- all of it ------------------------------------------------------------------------------------- */

/* Exclusivity is of a topic among all topics, so a union has none. */
static gb_status find_exclusivity(gb_topic_quality *q, const gb_topic_labels *l, const top_words *t, gb_error *err)
{
    gb_status st;
    uint64_t *topics = NULL;
    GB_TRY(gb_alloc(&topics, l->n_topics, sizeof *topics, what, err));
    GB_TRY(gb_alloc(&q->exclusivity, l->n_topics, sizeof *q->exclusivity, what, err));
    GB_TRY(gb_topic_exclusivity(l->model, t->n_top, t->word, t->probability, q->exclusivity, err));
    for (uint64_t k = 0; k < l->n_topics; k++)
        if (!counts(l, k) || gb_topics_of_label(l, k, topics) > 1)
            q->exclusivity[k] = NAN;
done:
    gb_free(topics);
    return st;
}

gb_status gb_topic_quality_find(gb_topic_quality *q, const gb_asked *asked, const gb_topic_labels *l, gb_error *err)
{
    gb_status st;
    top_words t = {0};
    *q = (gb_topic_quality){0};
    for (uint64_t k = 0; k < l->n_topics; k++)
        q->n_listed += counts(l, k);
    GB_TRY(find_words(asked, l, &t, err));
    q->n_top = t.n_top;
    GB_TRY(find_exclusivity(q, l, &t, err));
    GB_TRY(gb_topic_diversity(gb_model_n_words(l->model), q->n_listed, t.n_top, t.listed, &q->diversity, err));
    if (gb_has_reference(asked))
        GB_TRY(find_coherence(q, asked, l, &t, err));
done:
    gb_free(t.word);
    gb_free(t.listed);
    gb_free(t.probability);
    return st;
}

void gb_topic_quality_clear(gb_topic_quality *q)
{
    gb_free(q->exclusivity);
    gb_free(q->umass);
    gb_free(q->npmi);
    gb_free(q->cv);
    *q = (gb_topic_quality){0};
}

/* The mean of the topics that have the number. */
static const char *mean_text(const gb_topic_labels *l, const double *x, char out[static NUMBER_SIZE])
{
    double sum = 0, n = 0;
    for (uint64_t k = 0; k < l->n_topics; k++) {
        sum += isnan(x[k]) ? 0 : x[k];
        n += isnan(x[k]) ? 0 : 1;
    }
    if (n > 0)
        (void)snprintf(out, NUMBER_SIZE, "%.3f", sum / n);
    else
        (void)strcpy(out, "-");
    return out;
}

void gb_note_topic_quality(gb_table *table, const gb_topic_quality *q, const gb_topic_labels *l,
                           const char *reference)
{
    char exclusivity[NUMBER_SIZE], umass[NUMBER_SIZE], npmi[NUMBER_SIZE], cv[NUMBER_SIZE];
    const char *ending = q->n_top == 1 ? "" : "s";
    (void)mean_text(l, q->exclusivity, exclusivity);
    if (q->umass == NULL)
        gb_table_add_note(table, GB_NOTE_BELOW,
                          "top %" PRIu64 " word%s of each topic: diversity %.3f, mean exclusivity %s", q->n_top,
                          ending, q->diversity, exclusivity);
    else
        gb_table_add_note(table, GB_NOTE_BELOW,
                          "top %" PRIu64 " word%s of each topic: diversity %.3f, mean exclusivity %s, umass %s, "
                          "npmi %s, c_v %s in %" PRIu64 " document%s%s%s",
                          q->n_top, ending, q->diversity, exclusivity, mean_text(l, q->umass, umass),
                          mean_text(l, q->npmi, npmi), mean_text(l, q->cv, cv), q->n_docs, q->n_docs == 1 ? "" : "s",
                          *reference == '\0' ? "" : " of ", reference);
}
