/* apply/topic_documents.c - documents that a topic is about. */
#include "apply/topic_documents.h"

#include "base/memory.h"
#include "gibbous/topic_unions.h"
#include "model/model.h"

#include <math.h>

enum { DOCS_AT_A_TIME = 2048 };

static const char what[] = "documents of topics";

/* Passages whose sums differ by less are alike: the first is taken. */
static const double ROUNDING = 1e-9;

/* Into the best of a topic, which are in falling order. */
static void insert(uint64_t n_best, uint64_t d, double value, uint64_t *document, double *share)
{
    uint64_t i = n_best;
    while (i > 0 && (document[i - 1] == GB_NO_DOCUMENT || share[i - 1] < value))
        i--;
    if (i == n_best)
        return;
    for (uint64_t j = n_best - 1; j > i; j--) {
        document[j] = document[j - 1];
        share[j] = share[j - 1];
    }
    document[i] = d;
    share[i] = value;
}

/* A union's numbers add up in its first topic. */
static void add_unions(const gb_model *m, size_t stride, double *value)
{
    for (size_t k = 0; k < m->n_topics; k++) {
        const uint64_t first = gb_model_topic_union(m, k);
        if (first != k && first != GB_LEFT_OUT)
            value[first * stride] += value[k * stride];
    }
}

static void take_batch(const gb_model *m, const gb_corpus *docs, uint64_t first, uint64_t last, double *found,
                       uint64_t n_best, uint64_t *document, double *share)
{
    for (uint64_t d = first; d < last; d++) {
        double *of = found + (d - first) * m->n_topics;
        add_unions(m, 1, of);
        for (size_t k = 0; docs->doc_start[d] < docs->doc_start[d + 1] && k < m->n_topics; k++)
            if (gb_model_topic_union(m, k) == k)
                insert(n_best, d, of[k], document + k * n_best, share + k * n_best);
    }
}

static gb_status find_documents(const gb_model *m, const gb_corpus *docs, const gb_settings *settings,
                                gb_on_apply *on_progress, void *user, uint64_t n_best, uint64_t *document,
                                double *share, gb_error *err)
{
    gb_status st;
    gb_corpus *batch = NULL;
    double *found = NULL;
    GB_TRY(gb_alloc(&found, DOCS_AT_A_TIME * m->n_topics, sizeof *found, what, err));
    for (uint64_t first = 0, last; first < docs->n_docs; first = last) {
        last = first + DOCS_AT_A_TIME < docs->n_docs ? first + DOCS_AT_A_TIME : docs->n_docs;
        GB_TRY(gb_corpus_view_create(docs, first, last, &batch, err));
        GB_TRY(gb_infer(m, batch, first, settings, on_progress, user, found, err));
        take_batch(m, docs, first, last, found, n_best, document, share);
        gb_corpus_free(batch);
        batch = NULL;
    }
done:
    gb_corpus_free(batch);
    gb_free(found);
    return st;
}

/* ---- passages ---- */

/* Of the training tokens of a word, the share that is the topic's: by topic and word. */
static gb_status find_shares_of_words(const gb_model *m, double **out, gb_error *err)
{
    gb_status st;
    double *p = NULL;
    GB_TRY(gb_model_check_table(m, m->n_topics, m->n_words, what, err));
    GB_TRY(gb_alloc(&p, m->n_topics * m->n_words, sizeof *p, what, err));
    GB_TRY(gb_model_topic_distributions(m, 0, p, err));
    for (size_t k = 0; k < m->n_topics; k++)
        for (uint64_t w = 0; w < m->n_words; w++)
            p[k * m->n_words + w] *= gb_model_topic_share(m, k);
    for (uint64_t w = 0; w < m->n_words; w++) {
        double sum = 0;
        for (size_t k = 0; k < m->n_topics; k++)
            sum += p[k * m->n_words + w];
        for (size_t k = 0; sum > 0 && k < m->n_topics; k++)
            p[k * m->n_words + w] /= sum;
        add_unions(m, m->n_words, p + w);
    }
    *out = p;
    p = NULL;
done:
    gb_free(p);
    return st;
}

/* The first of n_passage tokens with the largest sum. */
static uint64_t find_passage(const gb_corpus *docs, uint64_t d, uint64_t n_passage, const double *by_word)
{
    const uint32_t *word = docs->word + docs->doc_start[d];
    const uint64_t n = docs->doc_start[d + 1] - docs->doc_start[d];
    uint64_t best = 0;
    double sum = 0, most = 0;
    for (uint64_t i = 0; i < n && i < n_passage; i++)
        most = sum += by_word[word[i]];
    for (uint64_t i = n_passage; i < n; i++) {
        sum += by_word[word[i]] - by_word[word[i - n_passage]];
        if (sum > most + ROUNDING) {
            most = sum;
            best = i + 1 - n_passage;
        }
    }
    return best;
}

gb_status gb_topic_documents(const gb_model *m, const gb_corpus *docs, const gb_settings *settings,
                             gb_on_apply *on_progress, void *user, uint64_t n_best, uint64_t n_passage,
                             uint64_t *document, double *share, uint64_t *passage, gb_error *err)
{
    gb_status st;
    double *by_word = NULL;
    if (n_best == 0 || n_passage == 0)
        return gb_fail(err, GB_EARGUMENT, "no documents or no words of them are asked for; expected at least 1");
    for (uint64_t i = 0; i < m->n_topics * n_best; i++) {
        document[i] = GB_NO_DOCUMENT;
        share[i] = NAN;
        passage[i] = 0;
    }
    GB_TRY(gb_corpus_check_tokens(docs, err));
    GB_TRY(find_documents(m, docs, settings, on_progress, user, n_best, document, share, err));
    GB_TRY(find_shares_of_words(m, &by_word, err));
    for (uint64_t i = 0; i < m->n_topics * n_best; i++)
        if (document[i] != GB_NO_DOCUMENT)
            passage[i] = find_passage(docs, document[i], n_passage, by_word + i / n_best * m->n_words);
done:
    gb_free(by_word);
    return st;
}
